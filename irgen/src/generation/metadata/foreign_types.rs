//! Types of C (lib/IRGen/GenMeta.cpp, `ForeignMetadataBuilderBase`): no module declares them, so that each which uses
//! one brings all that a type has, and the runtime decides whose metadata stand for it in a program.

use sil::context::NominalId;
use sil::declarations::{CNameSpace, NominalDeclaration};

use crate::generation::IRGenModule;
use crate::generation::constants::ConstantStruct;
use crate::refusal::{Generated, unsupported_without_place};

/// The upper half of a descriptor's flags: the runtime chooses metadata among those of modules, and the name has an
/// extension (include/swift/ABI/MetadataValues.h, `TypeContextDescriptorFlags`).
const HAS_FOREIGN_METADATA: u64 = 2 << 16;
const HAS_IMPORT_INFO: u64 = 4 << 16;

/// The extension of the name, in text with a zero at its end: the name space, if that is not the usual one
/// (include/swift/ABI/TypeIdentity.h, `TypeImportComponent::SymbolNamespace` and
/// `TypeImportSymbolNamespace::CTypedef`).
const IS_TYPEDEF: &[u8] = b"\0St\0";

impl IRGenModule<'_, '_> {
    /// Whether `nominal` is a type of C whose metadata each module brings that uses it.
    pub(in crate::generation) fn is_foreign_type(&self, nominal: NominalId) -> bool {
        self.sil.declarations.get(nominal).attributes.c_name_space.is_some()
    }

    /// Symbols have the name of a type in C, which is known where it is that in Swift.
    pub(super) fn require_c_name(&self, declaration: &NominalDeclaration) -> Generated<()> {
        let attributes = &declaration.attributes;
        let is_of_c = attributes.c_layout.is_some() || attributes.c_values.is_some();
        if is_of_c && attributes.c_name_space.is_none() {
            return Err(Box::new(unsupported_without_place("metadata of a type with another name in C")));
        }
        Ok(())
    }

    /// The flags that the descriptor of a type has for being one of C.
    pub(super) fn foreign_flags(&self, nominal: NominalId) -> u64 {
        match self.sil.declarations.get(nominal).attributes.c_name_space {
            None => 0,
            Some(CNameSpace::Tags) => HAS_FOREIGN_METADATA,
            Some(CNameSpace::Ordinary) => HAS_FOREIGN_METADATA | HAS_IMPORT_INFO,
        }
    }

    /// The name of a type in its descriptor, without the zero that ends it.
    pub(super) fn described_name(&self, nominal: NominalId) -> Box<[u8]> {
        let declaration = self.sil.declarations.get(nominal);
        let name = self.sil.context.text(declaration.name).as_bytes();
        match declaration.attributes.c_name_space {
            Some(CNameSpace::Ordinary) => [name, IS_TYPEDEF].concat().into(),
            Some(CNameSpace::Tags) | None => name.into(),
        }
    }

    /// Where a module keeps the metadata that the runtime has chosen.
    pub(super) fn foreign_cache(&self) -> ConstantStruct {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words
    }
}

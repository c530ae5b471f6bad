//! C types (lib/IRGen/GenMeta.cpp, `ForeignMetadataBuilderBase`): no module declares them, so each module that uses one
//! emits its metadata, and the runtime uniques them.

use sil_ir::context::NominalId;
use sil_ir::declarations::{CNameSpace, NominalDeclaration};

use crate::generation::IRGenModule;
use crate::generation::constants::ConstantStruct;
use crate::refusal::{Generated, unsupported_without_place};

/// Flags in the upper half of a descriptor: foreign metadata, which the runtime uniques, and a name with import info
/// (include/swift/ABI/MetadataValues.h, `TypeContextDescriptorFlags`).
const HAS_FOREIGN_METADATA: u64 = 2 << 16;
const HAS_IMPORT_INFO: u64 = 4 << 16;

/// The import info after the name, null-terminated: the name space, unless it is the default one
/// (include/swift/ABI/TypeIdentity.h, `TypeImportComponent::SymbolNamespace` and
/// `TypeImportSymbolNamespace::CTypedef`).
const IS_TYPEDEF: &[u8] = b"\0St\0";

impl IRGenModule<'_, '_> {
    /// Returns whether `nominal` is a C type, whose metadata each using module emits.
    pub(in crate::generation) fn is_foreign_type(&self, nominal: NominalId) -> bool {
        self.sil.declarations.get(nominal).attributes.c_name_space.is_some()
    }

    /// Symbols contain the C name of a type, which is only known if it equals the Swift name.
    pub(super) fn require_c_name(&self, declaration: &NominalDeclaration) -> Generated<()> {
        let attributes = &declaration.attributes;
        let is_of_c = attributes.c_layout.is_some() || attributes.c_values.is_some();
        if is_of_c && attributes.c_name_space.is_none() {
            return Err(Box::new(unsupported_without_place("metadata of a type with another name in C")));
        }
        Ok(())
    }

    /// Returns the descriptor's flags for C types.
    pub(super) fn foreign_flags(&self, nominal: NominalId) -> u64 {
        match self.sil.declarations.get(nominal).attributes.c_name_space {
            None => 0,
            Some(CNameSpace::Tags) => HAS_FOREIGN_METADATA,
            Some(CNameSpace::Ordinary) => HAS_FOREIGN_METADATA | HAS_IMPORT_INFO,
        }
    }

    /// Returns the name of a type in its descriptor, without the final null character.
    pub(super) fn described_name(&self, nominal: NominalId) -> Box<[u8]> {
        let declaration = self.sil.declarations.get(nominal);
        let name = self.sil.context.text(declaration.name).as_bytes();
        match declaration.attributes.c_name_space {
            Some(CNameSpace::Ordinary) => [name, IS_TYPEDEF].concat().into(),
            Some(CNameSpace::Tags) | None => name.into(),
        }
    }

    /// Returns the module's cache of the metadata that the runtime has chosen.
    pub(super) fn foreign_cache(&self) -> ConstantStruct {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words
    }
}

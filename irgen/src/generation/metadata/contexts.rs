//! What descriptors of types and protocols say that they stand in: a module, a type, an extension, a function, a file that alone sees them. Has
//! the descriptors of extensions (include/swift/ABI/Metadata.h, `TargetExtensionContextDescriptor`) and of what has no name of its own.

use sil::context::NominalId;
use sil::symbols::Tree;
use sil::types::SymbolTypes;

use super::value_types::{IS_GENERIC, UNIQUE_DESCRIPTOR};
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::Generated;

/// What a context that has no name of its own is (`ContextDescriptorKind::Anonymous`).
pub(super) const ANONYMOUS_DESCRIPTOR: u64 = 2;

/// What a context that is an extension is (`ContextDescriptorKind::Extension`).
const EXTENSION_DESCRIPTOR: u64 = 1;

impl IRGenModule<'_, '_> {
    /// The descriptor of what `nominal` stands in.
    pub(super) fn context_around(&self, nominal: NominalId) -> Entity {
        let attributes = &self.sil.declarations.get(nominal).attributes;
        match attributes.local.is_some() || attributes.private_to.is_some() {
            true => Entity::OfNominal(NominalPart::AnonymousContext, nominal),
            false => self.named_context_around(nominal),
        }
    }

    /// The same, whatever without a name is in between.
    fn named_context_around(&self, nominal: NominalId) -> Entity {
        let declaration = self.sil.declarations.get(nominal);
        match declaration.parent {
            Some(_) if self.is_in_extension(nominal) => {
                Entity::OfNominal(NominalPart::ExtensionContext, self.first_in_extension(nominal))
            }
            Some(parent) => Entity::OfNominal(NominalPart::Descriptor, parent),
            None => match self.type_around_function(declaration) {
                Some(outer) => Entity::OfNominal(NominalPart::Descriptor, outer),
                None => Entity::ModuleDescriptor(declaration.module),
            },
        }
    }

    /// What stands for the function that declares a type, or the file that it is private to: what it is, what has a name around it, and the
    /// generic parameters (lib/IRGen/GenMeta.cpp, `AnonymousContextDescriptorBuilder`).
    pub(super) fn anonymous_context(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let signature = self.sil.declarations.get(nominal).signature;
        let mut words = ConstantStruct::new(self.pointer_size());
        let generic = if signature.is_some() { IS_GENERIC } else { 0 };
        words.add_integer(32, ANONYMOUS_DESCRIPTOR | UNIQUE_DESCRIPTOR | generic);
        words.add_relative(self.named_context_around(nominal));
        if let Some(signature) = signature {
            let queries = self.types.queries;
            let signature = queries.generics().canonical_signature(signature).unwrap_or(signature);
            self.add_generic_context(&mut words, signature, &[])?;
        }
        Ok(words)
    }

    /// Whether an extension that is more than a part of the type it extends has `nominal`: its symbol says so.
    fn is_in_extension(&self, nominal: NominalId) -> bool {
        SymbolTypes::new(self.types.queries, &mut Tree::default()).extension_around(nominal).is_some()
    }

    /// The first of the types that are in extensions like the one around `nominal`: they share a descriptor.
    fn first_in_extension(&self, nominal: NominalId) -> NominalId {
        let generics = self.types.queries.generics();
        let key = |id| {
            let declaration = self.sil.declarations.get(id);
            let signature = declaration.extension.and_then(|signature| generics.canonical_signature(signature));
            (declaration.parent, declaration.module, signature)
        };
        let wanted = key(nominal);
        self.sil.declarations.iter().map(|(id, _)| id).find(|id| key(*id) == wanted).unwrap_or(nominal)
    }

    /// The module of the extension around `nominal`, the type that it extends and the requirements that it states.
    pub(super) fn extension_context(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let declaration = self.sil.declarations.get(nominal);
        let queries = self.types.queries;
        let extended = declaration.parent.unwrap_or(nominal);
        let signature = declaration.extension.or(self.sil.declarations.get(extended).signature);
        let signature = signature.map(|id| queries.generics().canonical_signature(id).unwrap_or(id));
        let identity = self.identity(extended);
        let ty = signature.map_or(identity, |signature| queries.reduced_type(identity, signature));
        let mut words = ConstantStruct::new(self.pointer_size());
        let generic = if signature.is_some() { IS_GENERIC } else { 0 };
        words.add_integer(32, EXTENSION_DESCRIPTOR | UNIQUE_DESCRIPTOR | generic);
        words.add_relative(Entity::ModuleDescriptor(declaration.module));
        words.add_relative(self.name_of_type(ty, signature));
        if let Some(signature) = signature {
            self.add_generic_context(&mut words, signature, &[])?;
        }
        Ok(words)
    }
}

//! The contexts of types and protocols in descriptors: a module, a type, an extension, a function, a file for a private
//! type. Owns: the descriptors of extensions (include/swift/ABI/Metadata.h, `TargetExtensionContextDescriptor`) and of
//! anonymous contexts.

use inkwell::values::PointerValue;
use sil_ir::context::{Name, NominalId, Type};
use sil_ir::declarations::{LocalOrigin, NominalKind};
use sil_ir::symbols::{OuterContext, Tree, extended_type};
use sil_ir::types::SymbolTypes;

use super::value_types::{IS_GENERIC, UNIQUE_DESCRIPTOR};
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::{Generated, unsupported_without_place};

/// The kind of an anonymous context (`ContextDescriptorKind::Anonymous`).
pub(super) const ANONYMOUS_DESCRIPTOR: u64 = 2;

/// The kind of a context that is an extension (`ContextDescriptorKind::Extension`).
const EXTENSION_DESCRIPTOR: u64 = 1;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The descriptor of the context of `nominal`.
    pub(super) fn context_around(&self, nominal: NominalId) -> Entity {
        let declaration = self.sil.declarations.get(nominal);
        let is_local = declaration.attributes.local.is_some() && declaration.parent.is_none();
        match is_local || declaration.attributes.private_to.is_some() {
            true => Entity::OfNominal(NominalPart::AnonymousContext, nominal),
            false => self.named_context_around(nominal),
        }
    }

    /// The same, skipping anonymous contexts.
    fn named_context_around(&self, nominal: NominalId) -> Entity {
        let declaration = self.sil.declarations.get(nominal);
        match declaration.parent {
            Some(_) if self.is_in_extension(nominal) => {
                Entity::OfNominal(NominalPart::ExtensionContext, self.first_in_extension(nominal))
            }
            Some(parent) => Entity::OfNominal(NominalPart::Descriptor, parent),
            None => match declaration.attributes.local.map(|local| local.origin) {
                Some(LocalOrigin::Descriptor(symbol)) => self.context_outside(symbol),
                _ => Entity::ModuleDescriptor(declaration.module),
            },
        }
    }

    /// The context of the local type or the function with the descriptor `symbol`.
    fn context_outside(&self, symbol: Name) -> Entity {
        match OuterContext::around(self.sil.context.text(symbol)) {
            Some(OuterContext::Anonymous(outer) | OuterContext::Extension(outer)) => {
                Entity::LocalContext(self.sil.context.name(&outer))
            }
            Some(OuterContext::Nominal(path)) if let Some(outer) = self.type_at(&path) => {
                Entity::OfNominal(NominalPart::Descriptor, outer)
            }
            Some(OuterContext::Nominal(_) | OuterContext::Module) | None => Entity::ModuleDescriptor(self.sil.name),
        }
    }

    /// Returns the type at a path of names, the outermost first.
    fn type_at(&self, path: &[String]) -> Option<NominalId> {
        let declarations = &self.sil.declarations;
        path.iter().try_fold(None, |outer, name| {
            let name = self.sil.context.name(name);
            let found = match outer {
                Some(outer) => declarations.nested(outer, name),
                None => declarations.top_level(name),
            };
            found.map(Some)
        })?
    }

    /// The descriptor with this symbol of a function or an extension around local types, which are in no generic
    /// context.
    pub fn local_context(&self, symbol: Name) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::LocalContext(symbol);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        match extended_type(self.sil.context.text(symbol)) {
            Some(path) => {
                let unknown = || Box::new(unsupported_without_place("a local type in an extension of an unknown type"));
                let extended = self.type_at(&path).ok_or_else(unknown)?;
                words.add_integer(32, EXTENSION_DESCRIPTOR | UNIQUE_DESCRIPTOR);
                words.add_relative(Entity::ModuleDescriptor(self.sil.name));
                words.add_relative(self.name_of_type(self.identity(extended), None));
            }
            None => {
                words.add_integer(32, ANONYMOUS_DESCRIPTOR | UNIQUE_DESCRIPTOR);
                words.add_relative(self.context_outside(symbol));
            }
        }
        Ok(self.declare_constant(entity, words, 4).as_pointer_value())
    }

    /// Returns the descriptor of the function that declares a type, or of the file that it is private to: the kind, the
    /// named parent context, and the generic parameters (lib/IRGen/GenMeta.cpp, `AnonymousContextDescriptorBuilder`).
    pub(super) fn anonymous_context(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let queries = self.types.queries;
        let declaration = self.sil.declarations.get(nominal);
        // For a protocol the parameter is `Self`, which conforms to it.
        let signature = match declaration.kind {
            NominalKind::Protocol => {
                let constraint = Type::Protocol { protocol: nominal, arguments: Box::default() };
                Some(queries.generics().existential_signature(self.sil.context.ty(constraint)))
            }
            _ => declaration.signature,
        };
        let mut words = ConstantStruct::new(self.pointer_size());
        let generic = if signature.is_some() { IS_GENERIC } else { 0 };
        words.add_integer(32, ANONYMOUS_DESCRIPTOR | UNIQUE_DESCRIPTOR | generic);
        words.add_relative(self.named_context_around(nominal));
        if let Some(signature) = signature {
            let signature = queries.generics().canonical_signature(signature).unwrap_or(signature);
            self.add_generic_context(&mut words, signature, &[])?;
        }
        Ok(words)
    }

    /// Returns whether the symbol of `nominal` places it in an extension that is more than a part of the type it
    /// extends.
    fn is_in_extension(&self, nominal: NominalId) -> bool {
        SymbolTypes::new(self.types.queries, &mut Tree::default()).extension_around(nominal).is_some()
    }

    /// Returns the first type among those in extensions equal to the one around `nominal`, which share a descriptor.
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

    /// Returns the descriptor of the extension around `nominal`: its module, the extended type and the requirements.
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

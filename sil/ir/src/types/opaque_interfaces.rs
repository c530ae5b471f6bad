//! Opaque result types as their declarations describe them: their conformances, and their members, whatever the
//! underlying types are.

use super::{Type, TypeQueries};
use crate::context::{Name, SignatureId, SubstitutionMapId, TypeId};
use crate::declarations::OpaqueDeclaration;

/// An opaque type, or a member of one, in terms of its declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpaqueInterface {
    /// The signature of the declaration with the opaque types.
    pub signature: SignatureId,
    /// The type in terms of that.
    pub interface: TypeId,
    /// The replacements of the signature's parameters.
    pub substitutions: SubstitutionMapId,
    /// The opaque type.
    pub root: TypeId,
}

impl TypeQueries<'_> {
    /// The declaration that opaque types with `symbol` are of.
    pub fn opaque_declaration(&self, symbol: Name) -> Option<&OpaqueDeclaration> {
        let number = match self.caches.opaque_declarations.get(&symbol) {
            Some(found) => found,
            None => self.caches.opaque_declarations.insert(symbol, self.find_opaque_declaration(symbol)),
        };
        self.declarations.opaque_declarations().get(number?)
    }

    fn find_opaque_declaration(&self, symbol: Name) -> Option<usize> {
        let found = self.declarations.find_opaque_declaration(self.context.text(symbol), self.context)?;
        self.declarations.opaque_declarations().iter().position(|declared| std::ptr::eq(declared, found))
    }

    /// `ty`, an opaque type or a member of one, in terms of its declaration; none for other types, and if the
    /// declaration is not at hand.
    pub fn opaque_interface(&self, ty: TypeId) -> Option<OpaqueInterface> {
        let mut members = Vec::new();
        let mut root = ty;
        while let Type::DependentMember { base, member, protocol } = *self.get(root) {
            members.push((member, protocol));
            root = base;
        }
        let Type::OpaqueResult { symbol, ordinal, arguments } = self.get(root) else { return None };
        let declaration = self.opaque_declaration(*symbol)?;
        let signature = declaration.signature;
        let parameters = &self.context.get_signature(signature).parameters;
        if parameters.len() != arguments.len() + declaration.count as usize || *ordinal >= declaration.count {
            return None;
        }
        let results = (0..declaration.count).map(|ordinal| {
            self.context.ty(Type::OpaqueResult { symbol: *symbol, ordinal, arguments: arguments.clone() })
        });
        let replacements: Vec<TypeId> = arguments.iter().copied().chain(results).collect();
        let own = parameters[arguments.len() + *ordinal as usize];
        let mut interface = self.context.ty(Type::GenericParameter { depth: own.depth, index: own.index });
        for (member, protocol) in members.into_iter().rev() {
            interface = self.context.ty(Type::DependentMember { base: interface, member, protocol });
        }
        let substitutions = self.context.substitutions(signature, replacements);
        Some(OpaqueInterface { signature, interface: self.canonical_type(interface), substitutions, root })
    }

    /// Whether the declaration of `ty`, an opaque type or a member of one, makes it a class.
    pub fn is_opaque_class(&self, ty: TypeId) -> bool {
        self.opaque_interface(ty).is_some_and(|opaque| {
            let generics = self.generics();
            generics.machine(opaque.signature).bounds(&generics, opaque.interface).requires_class()
        })
    }

    /// The type of `base.member` by the declaration of the opaque type in `base`, if that is not a member of the same.
    pub(super) fn opaque_member(&self, base: TypeId, member: Name) -> Option<TypeId> {
        let OpaqueInterface { signature, interface, substitutions, .. } = self.opaque_interface(base)?;
        let interface = self.context.ty(Type::DependentMember { base: interface, member, protocol: None });
        let reduced = self.reduced_type(interface, signature);
        (reduced != interface).then(|| self.substitute(reduced, substitutions))
    }
}

//! When two types are the same: canonical forms without names, and types with their pattern substitutions applied.

use std::cmp::Ordering;

use super::rebuild::{BoundParts, Rebuild, rebuild_parts};
use super::*;
use crate::context::{Composition, Context, SignatureId};

impl TypeQueries<'_> {
    /// `ty` without sugar: parameters by position instead of by name, members of archetypes and concrete types
    /// resolved.
    pub fn canonical_type(&self, ty: TypeId) -> TypeId {
        if let Some(found) = self.caches.canonical.get(&ty) {
            return found;
        }
        let canonical = Canonicalizer { queries: self }.rebuild_uncached(ty);
        self.caches.canonical.insert(ty, canonical)
    }

    /// Whether two types differ at most in sugar.
    pub fn same_type(&self, first: TypeId, second: TypeId) -> bool {
        first == second || self.canonical_type(first) == self.canonical_type(second)
    }

    /// Whether two SIL types have the same category and differ at most in sugar.
    pub fn same_sil_type(&self, first: SilType, second: SilType) -> bool {
        first.category == second.category && self.same_type(first.ty, second.ty)
    }

    /// A function type with its pattern substitutions applied to its components: the type for callers. Other types as
    /// they are.
    pub fn unsubstituted(&self, ty: TypeId) -> TypeId {
        let Type::Function(function) = self.get(ty) else { return ty };
        let Some(pattern) = function.pattern else { return ty };
        match self.caches.unsubstituted.get(&ty) {
            Some(found) => found,
            None => self.caches.unsubstituted.insert(ty, self.apply_pattern(function, pattern)),
        }
    }

    fn apply_pattern(&self, function: &FunctionType, pattern: SubstitutionMapId) -> TypeId {
        let applied = FunctionType { pattern: None, ..function.clone() };
        let applied = self.substitute_components(applied, pattern);
        self.context.ty(Type::Function(Box::new(applied)))
    }
}

/// `signature` with its parameters by position.
pub fn nameless(context: &Context, signature: SignatureId) -> SignatureId {
    let original = context.get_signature(signature);
    if original.parameters.iter().all(|parameter| parameter.name.is_none()) {
        return signature;
    }
    let parameters =
        original.parameters.iter().map(|parameter| GenericParameter { name: None, ..*parameter }).collect();
    context.signature(GenericSignature { parameters, requirements: original.requirements.clone() })
}

struct Canonicalizer<'q, 'a> {
    queries: &'q TypeQueries<'a>,
}

impl Canonicalizer<'_, '_> {
    fn rebuild_uncached(&mut self, ty: TypeId) -> TypeId {
        match self.queries.get(ty) {
            Type::NamedParameter { depth, index, .. } => {
                self.queries.context.ty(Type::GenericParameter { depth: *depth, index: *index })
            }
            Type::DependentMember { base, member, protocol } => {
                let base = self.rebuild(*base);
                let resolved = self.queries.member_type(base, *member, *protocol);
                match self.queries.get(resolved) {
                    Type::DependentMember { base, member, protocol: Some(_) } => {
                        self.queries.context.ty(Type::DependentMember { base: *base, member: *member, protocol: None })
                    }
                    Type::DependentMember { .. } => resolved,
                    _ => self.rebuild(resolved),
                }
            }
            // The order in which they are written has no meaning: the class comes first, then the protocols as symbols
            // have them.
            Type::Composition(composition) => {
                let mut members: Vec<TypeId> = composition.members.iter().map(|member| self.rebuild(*member)).collect();
                members.sort_by(|first, second| self.order_of_members(*first, *second));
                self.queries.context.ty(Type::Composition(Box::new(Composition { members, ..(**composition).clone() })))
            }
            // The uuid alone identifies archetypes; the interface type identifies members of one.
            Type::OpenedArchetype { uuid, existential, interface } => {
                let existential = self.rebuild(*existential);
                let interface = self.rebuild(*interface);
                self.queries.context.ty(Type::OpenedArchetype { uuid: *uuid, existential, interface })
            }
            Type::PackElementArchetype { uuid, interface } => {
                let interface = self.rebuild(*interface);
                self.queries.context.ty(Type::PackElementArchetype { uuid: *uuid, interface })
            }
            _ => rebuild_parts(self, ty),
        }
    }

    fn order_of_members(&self, first: TypeId, second: TypeId) -> Ordering {
        match (self.queries.get(first), self.queries.get(second)) {
            (Type::Protocol { protocol: first, .. }, Type::Protocol { protocol: second, .. }) => {
                self.queries.generics().compare_declarations(*first, *second)
            }
            (Type::Protocol { .. }, _) => Ordering::Greater,
            (_, Type::Protocol { .. }) => Ordering::Less,
            _ => Ordering::Equal,
        }
    }

    fn requirement(&mut self, requirement: &Requirement) -> Option<Requirement> {
        Some(match requirement {
            Requirement::Conformance { subject, constraint } => {
                Requirement::Conformance { subject: self.rebuild(*subject), constraint: self.rebuild(*constraint) }
            }
            Requirement::Superclass { subject, superclass } => {
                Requirement::Superclass { subject: self.rebuild(*subject), superclass: self.rebuild(*superclass) }
            }
            Requirement::SameType { first, second } => {
                Requirement::SameType { first: self.rebuild(*first), second: self.rebuild(*second) }
            }
            Requirement::Layout { subject, constraint } => {
                Requirement::Layout { subject: self.rebuild(*subject), constraint: constraint.clone() }
            }
            // Older and newer compilers differ in writing these.
            Requirement::Inverse { .. } => return None,
        })
    }
}

impl Rebuild for Canonicalizer<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn bound_parts(&self) -> BoundParts {
        BoundParts::Enter
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        self.queries.canonical_type(ty)
    }

    fn signature(&mut self, signature: SignatureId) -> SignatureId {
        let context = self.queries.context;
        let original = context.get_signature(nameless(context, signature));
        let requirements =
            original.requirements.iter().filter_map(|requirement| self.requirement(requirement)).collect();
        context.signature(GenericSignature { parameters: original.parameters.clone(), requirements })
    }
}

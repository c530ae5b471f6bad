//! Reduced types: each type parameter in a type is the least one that is the same, or the concrete type that it must
//! be.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::context::{Context, Name, NominalId, SignatureId, Type, TypeId};
use crate::types::rebuild::{Rebuild, rebuild_parts};
use crate::types::{RequirementMachine, TypeQueries};

impl TypeQueries<'_> {
    /// `ty` in its canonical form, with the requirements of `signature` applied: a parameter that must be `Int` is
    /// `Int`.
    pub fn reduced_type(&self, ty: TypeId, signature: SignatureId) -> TypeId {
        let canonical = self.canonical_type(ty);
        if self.context.get_signature(signature).requirements.is_empty() || !self.is_dependent(canonical) {
            return canonical;
        }
        if let Some(found) = self.caches.reduced.get(&(canonical, signature)) {
            return found;
        }
        let keeps_parameters = self.generics().keeps_parameters(signature);
        let mut reducer = Reducer { queries: self, signature, keeps_parameters, machine: OnceCell::new(), depth: 0 };
        let reduced = reducer.rebuild(canonical);
        self.caches.reduced.insert((canonical, signature), reduced)
    }
}

struct Reducer<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    signature: SignatureId,
    keeps_parameters: bool,
    machine: OnceCell<Arc<RequirementMachine>>,
    depth: u32,
}

/// Concrete types are reduced this deep: wrong requirements may make a type contain itself.
const DEPTH_LIMIT: u32 = 16;

impl Reducer<'_, '_> {
    fn machine(&self) -> Arc<RequirementMachine> {
        self.machine.get_or_init(|| self.queries.generics().machine(self.signature)).clone()
    }

    fn type_parameter(&mut self, ty: TypeId) -> TypeId {
        if self.keeps_parameters && matches!(self.queries.get(ty), Type::GenericParameter { .. }) {
            return ty;
        }
        let generics = self.queries.generics();
        let term = generics.plain_term(ty, None);
        let Some(reduced) = term.and_then(|_| self.machine().reduced_parameter(&generics, ty)) else { return ty };
        if let Some(concrete) = self.machine().bounds(&generics, reduced).concrete {
            return self.concrete(concrete);
        }
        // A member of a concrete type, or of a type that is or inherits from a class, is that type's witness.
        match *self.queries.get(reduced) {
            Type::DependentMember { base, member, protocol } => match self.type_parameter(base) {
                same if same == base => self.member_of_superclass(base, member, protocol).unwrap_or(reduced),
                base => {
                    let member = self.queries.member_type(base, member, protocol);
                    if self.queries.is_type_parameter(member) { member } else { self.concrete(member) }
                }
            },
            _ => reduced,
        }
    }

    /// The witness of the superclass of a type parameter for a member of it.
    fn member_of_superclass(&mut self, base: TypeId, member: Name, protocol: Option<NominalId>) -> Option<TypeId> {
        let superclass = self.machine().bounds(&self.queries.generics(), base).superclass?;
        let found = self.queries.member_type(superclass, member, protocol);
        let is_unknown = matches!(self.queries.get(found), Type::DependentMember { base, .. } if *base == superclass);
        (!is_unknown).then(|| self.concrete(found))
    }

    fn concrete(&mut self, ty: TypeId) -> TypeId {
        if self.depth >= DEPTH_LIMIT {
            return ty;
        }
        self.depth += 1;
        let canonical = self.queries.canonical_type(ty);
        let reduced = self.rebuild(canonical);
        self.depth -= 1;
        reduced
    }
}

impl Rebuild for Reducer<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match *self.queries.get(ty) {
            Type::GenericParameter { .. } => self.type_parameter(ty),
            Type::DependentMember { base, member, protocol } => {
                let reduced = self.type_parameter(ty);
                if reduced != ty {
                    return reduced;
                }
                // A member of an archetype.
                let rebuilt = self.rebuild(base);
                if rebuilt == base { ty } else { self.queries.member_type(rebuilt, member, protocol) }
            }
            _ => rebuild_parts(self, ty),
        }
    }
}

//! What is seen of signatures without following their requirements. Most say nothing but which protocols parameters conform to; completing
//! the rules of those protocols, which the standard library's take long for, would tell no more of the parameters.

use super::Generics;
use super::minimal::Atom;
use crate::context::{NominalId, Requirement, SignatureId, Type, TypeId};

impl Generics<'_> {
    /// Whether each parameter of `signature` is the same as no other type: only requirements that two types are the same, and superclasses,
    /// could say so.
    pub fn keeps_parameters(&self, signature: SignatureId) -> bool {
        self.stated_protocols(signature).is_some()
    }

    /// The protocols that the requirements of `signature` lead to, some of them more than once; none where it, or one of them, says more than
    /// what conforms to what and which types are the same.
    pub fn reached_protocols(&self, signature: SignatureId) -> Option<Vec<NominalId>> {
        let stated = self.stated_protocols(signature)?;
        let reached: Vec<NominalId> = stated.into_iter().flat_map(|protocol| self.closure(protocol).to_vec()).collect();
        let is_plain = |requirement: &Requirement| {
            !matches!(requirement, Requirement::Layout { .. } | Requirement::Superclass { .. })
        };
        reached.iter().all(|protocol| self.stated(*protocol).iter().all(is_plain)).then_some(reached)
    }

    fn stated_protocols(&self, signature: SignatureId) -> Option<Vec<NominalId>> {
        let mut protocols = Vec::new();
        for requirement in &self.context.get_signature(signature).requirements {
            match requirement {
                Requirement::Conformance { constraint, .. } => self.plain_protocols(*constraint, &mut protocols)?,
                Requirement::Inverse { .. } => {}
                Requirement::Layout { .. } | Requirement::Superclass { .. } | Requirement::SameType { .. } => {
                    return None;
                }
            }
        }
        Some(protocols)
    }

    /// The protocols of a constraint that is made of protocols alone, without arguments.
    fn plain_protocols(&self, constraint: TypeId, into: &mut Vec<NominalId>) -> Option<()> {
        match self.context.get(constraint) {
            Type::Protocol { protocol, arguments } if arguments.is_empty() => into.push(*protocol),
            Type::Composition(composition) if composition.class_constraint.is_none() => {
                for member in &composition.members {
                    self.plain_protocols(*member, into)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether it is plain that `first` and `second`, of the same parameter, do not follow from each other: they are conformances to protocols
    /// neither of which leads to the other.
    pub(super) fn are_unrelated(&self, first: &Atom, second: &Atom) -> bool {
        match (first, second) {
            (Atom::Conformance(_, first), Atom::Conformance(_, second)) => {
                !self.closure(*first).contains(second) && !self.closure(*second).contains(first)
            }
            _ => false,
        }
    }
}

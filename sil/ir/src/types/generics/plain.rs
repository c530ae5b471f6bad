//! The facts about signatures without following their requirements. Most state nothing but the protocols of parameters;
//! completing the rules of those protocols, which the standard library's take long for, would show no more of the
//! parameters.

use super::minimal::Atom;
use super::{Bounds, Generics};
use crate::context::{NominalId, Requirement, SignatureId, Type, TypeId};

/// A concrete type that a requirement makes the same as a type parameter.
enum Fixed {
    Nothing,
    /// This type parameter, and its members by that.
    Only(TypeId),
    Unknown,
}

impl Generics<'_> {
    /// Whether each parameter of `signature` is the same as no other type: only requirements that two types are the
    /// same, and superclasses, could fix one.
    pub fn keeps_parameters(&self, signature: SignatureId) -> bool {
        self.stated_protocols(signature).is_some()
    }

    /// The protocols that the requirements of `signature` lead to, some of them more than once; none if it, or one of
    /// them, states more than conformances and equal types.
    pub fn reached_protocols(&self, signature: SignatureId) -> Option<Vec<NominalId>> {
        let stated = self.stated_protocols(signature)?;
        let reached: Vec<NominalId> = stated.into_iter().flat_map(|protocol| self.closure(protocol).to_vec()).collect();
        let is_plain = |requirement: &Requirement| {
            !matches!(requirement, Requirement::Layout { .. } | Requirement::Superclass { .. })
        };
        reached.iter().all(|protocol| self.stated(*protocol).iter().all(is_plain)).then_some(reached)
    }

    /// Whether the type parameter `ty`, reduced by `signature`, is certain to be the same as no other type: its members
    /// are known, and so is every requirement on them, none of which fixes anything else.
    pub fn is_archetype(&self, signature: SignatureId, ty: TypeId) -> bool {
        let requirements = &self.context.get_signature(signature).requirements;
        let conformances = self.conformances_in(requirements);
        let mut reached = conformances.iter().flat_map(|step| self.closure(step.protocol).to_vec());
        let machine = self.machine(signature);
        let fixes_nothing = |requirement: &Requirement| match self.fixed_by(requirement) {
            Fixed::Nothing => true,
            Fixed::Only(subject) => self.has_no_members(&machine.bounds(self, subject)),
            Fixed::Unknown => false,
        };
        let is_free = |requirement: &Requirement| matches!(self.fixed_by(requirement), Fixed::Nothing);
        requirements.iter().all(fixes_nothing)
            && reached.all(|protocol| self.is_declared(protocol) && self.stated(protocol).iter().all(is_free))
            && machine.is_complete()
            && machine.is_resolved(self, ty)
            && machine.bounds(self, ty).concrete.is_none()
    }

    /// The type parameters that a requirement makes the same as concrete types.
    fn fixed_by(&self, requirement: &Requirement) -> Fixed {
        let is_parameter = |ty: TypeId| self.term(ty, None).is_some();
        match requirement {
            Requirement::Conformance { constraint, .. } => {
                self.plain_protocols(*constraint, &mut Vec::new()).map_or(Fixed::Unknown, |()| Fixed::Nothing)
            }
            Requirement::SameType { first, second } => match (is_parameter(*first), is_parameter(*second)) {
                (true, true) => Fixed::Nothing,
                (true, false) => Fixed::Only(*first),
                (false, true) => Fixed::Only(*second),
                (false, false) => Fixed::Unknown,
            },
            Requirement::Superclass { .. } => Fixed::Unknown,
            Requirement::Layout { .. } | Requirement::Inverse { .. } => Fixed::Nothing,
        }
    }

    /// Whether a type with these bounds has no members that a type equal to it could fix in their turn.
    fn has_no_members(&self, bounds: &Bounds) -> bool {
        bounds.protocols.iter().all(|protocol| self.declarations.get(*protocol).associated_types.is_empty())
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

    /// The protocols of a constraint of protocols alone, without arguments.
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

    /// Whether it is plain that `first` and `second`, of the same parameter, do not follow from each other: they are
    /// conformances to protocols neither of which leads to the other.
    pub(super) fn are_unrelated(&self, first: &Atom, second: &Atom) -> bool {
        match (first, second) {
            (Atom::Conformance(_, first), Atom::Conformance(_, second)) => {
                !self.closure(*first).contains(second) && !self.closure(*second).contains(first)
            }
            _ => false,
        }
    }
}

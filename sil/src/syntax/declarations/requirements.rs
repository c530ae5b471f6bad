//! The requirements of a member's signature in the order and the form of a canonical signature (lib/AST/RequirementMachine,
//! `Requirement::compare` of lib/AST/Requirement.cpp), where that follows from what is written.

use std::cmp::Ordering;

use crate::context::{AnyObject, Composition, Context, LayoutConstraint, Name, NominalId, Requirement, Type, TypeId};
use crate::declarations::DeclarationTable;

/// The place of a subject among others: parameters stand before members of them.
type SubjectKey<'c> = (usize, u32, u32, Vec<&'c str>);

/// `requirements` in canonical order, compositions taken apart, without those that another protocol of the same subject implies.
/// None where the canonical form depends on more than that.
pub(super) fn canonical_requirements(
    context: &Context,
    table: &DeclarationTable,
    requirements: Vec<Requirement>,
) -> Option<Box<[Requirement]>> {
    let order = Order { context, table };
    let mut parts = Vec::new();
    for requirement in requirements {
        order.take_apart(requirement, &mut parts)?;
    }
    let implied: Vec<bool> = parts.iter().map(|part| parts.iter().any(|other| order.implies(other, part))).collect();
    let mut implied = implied.into_iter();
    parts.retain(|_| implied.next() != Some(true));
    let mut keyed = Vec::with_capacity(parts.len());
    for part in parts {
        keyed.push((order.subject_key(subject(&part))?, part));
    }
    let mut uncertain = false;
    keyed.sort_by(|(first, first_part), (second, second_part)| {
        let inverses = is_inverse(first_part).cmp(&is_inverse(second_part));
        inverses.then_with(|| first.cmp(second)).then_with(|| {
            order.compare(first_part, second_part).unwrap_or_else(|| {
                uncertain = true;
                Ordering::Equal
            })
        })
    });
    let mut sorted: Vec<Requirement> = keyed.into_iter().map(|(_, part)| part).collect();
    sorted.dedup();
    (!uncertain).then(|| sorted.into())
}

struct Order<'c> {
    context: &'c Context,
    table: &'c DeclarationTable,
}

fn subject(requirement: &Requirement) -> TypeId {
    match requirement {
        Requirement::Conformance { subject, .. }
        | Requirement::Superclass { subject, .. }
        | Requirement::Layout { subject, .. }
        | Requirement::Inverse { subject, .. }
        | Requirement::SameType { first: subject, .. } => *subject,
    }
}

fn is_inverse(requirement: &Requirement) -> bool {
    matches!(requirement, Requirement::Inverse { .. })
}

impl<'c> Order<'c> {
    fn take_apart(&self, requirement: Requirement, into: &mut Vec<Requirement>) -> Option<()> {
        match requirement {
            Requirement::Conformance { subject, constraint } => match self.context.get(constraint) {
                Type::Composition(composition) => self.composition(subject, composition, into)?,
                Type::Protocol { arguments, .. } if arguments.is_empty() => {
                    into.push(Requirement::Conformance { subject, constraint });
                }
                // Primary associated types become same-type requirements.
                _ => return None,
            },
            Requirement::SameType { first, second } => into.push(self.same_type(first, second)?),
            other => into.push(other),
        }
        Some(())
    }

    fn composition(&self, subject: TypeId, composition: &Composition, into: &mut Vec<Requirement>) -> Option<()> {
        for member in &composition.members {
            match self.context.get(*member) {
                Type::Nominal(_) => into.push(Requirement::Superclass { subject, superclass: *member }),
                _ => self.take_apart(Requirement::Conformance { subject, constraint: *member }, into)?,
            }
        }
        if composition.class_constraint.is_some() {
            into.push(Requirement::Layout { subject, constraint: LayoutConstraint::Class(AnyObject) });
        }
        into.extend(composition.inverses.iter().map(|inverse| Requirement::Inverse { subject, inverse: *inverse }));
        Some(())
    }

    /// A member of a parameter and what it is the same as, which is no bare parameter: that one would vanish.
    fn same_type(&self, first: TypeId, second: TypeId) -> Option<Requirement> {
        let (first_key, second_key) = (self.subject_key(first), self.subject_key(second));
        let (first, second) = match (&first_key, &second_key) {
            (None, None) => return None,
            (None, Some(_)) => (second, first),
            (Some(first_key), Some(second_key)) if second_key < first_key => (second, first),
            _ => (first, second),
        };
        let member = |ty: TypeId| matches!(self.context.get(ty), Type::DependentMember { .. });
        let concrete = self.subject_key(second).is_none();
        (member(first) && (member(second) || concrete)).then_some(Requirement::SameType { first, second })
    }

    /// None for what is no parameter and no member of one.
    fn subject_key(&self, ty: TypeId) -> Option<SubjectKey<'c>> {
        match self.context.get(ty) {
            Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. } => {
                Some((0, *depth, *index, Vec::new()))
            }
            Type::DependentMember { base, member, .. } => {
                let (length, depth, index, mut names) = self.subject_key(*base)?;
                names.push(self.context.text(*member));
                Some((length + 1, depth, index, names))
            }
            Type::PackElement(inner) => self.subject_key(*inner),
            _ => None,
        }
    }

    /// The order of two requirements of one subject; none where it is not known.
    fn compare(&self, first: &Requirement, second: &Requirement) -> Option<Ordering> {
        let (Some(first), Some(second)) = (self.protocol(first), self.protocol(second)) else {
            return Some(rank(first).cmp(&rank(second)));
        };
        let (first, second) = (self.table.get(first), self.table.get(second));
        let text = |name: Name| self.context.text(name);
        // The names of modules come first, and the text does not tell that of the module itself.
        (first.module == second.module).then(|| text(first.name).cmp(text(second.name)))
    }

    fn protocol(&self, requirement: &Requirement) -> Option<NominalId> {
        let Requirement::Conformance { constraint, .. } = requirement else { return None };
        match self.context.get(*constraint) {
            Type::Protocol { protocol, .. } => Some(*protocol),
            _ => None,
        }
    }

    /// Whether `other` says what `part` says and more.
    fn implies(&self, other: &Requirement, part: &Requirement) -> bool {
        if subject(other) != subject(part) {
            return false;
        }
        match (self.protocol(other), self.protocol(part), part) {
            (Some(other), Some(part), _) => other != part && self.inherits(other, part, 0),
            (Some(other), None, Requirement::Layout { constraint: LayoutConstraint::Class(_), .. }) => {
                self.table.get(other).attributes.class_bound
            }
            _ => false,
        }
    }

    fn inherits(&self, protocol: NominalId, from: NominalId, depth: u32) -> bool {
        // Protocols that inherit from themselves are no reason to go on for ever.
        let mut bases = self.table.get(protocol).conformances.iter();
        depth < 64
            && bases.any(|base| match self.context.get(base.protocol) {
                Type::Protocol { protocol, .. } => *protocol == from || self.inherits(*protocol, from, depth + 1),
                _ => false,
            })
    }
}

/// The order of the kinds of requirements of one subject.
fn rank(requirement: &Requirement) -> u32 {
    match requirement {
        Requirement::Superclass { .. } => 0,
        Requirement::Layout { .. } => 1,
        Requirement::Conformance { .. } => 2,
        Requirement::SameType { .. } => 3,
        Requirement::Inverse { .. } => 4,
    }
}

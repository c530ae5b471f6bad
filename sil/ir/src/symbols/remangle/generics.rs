//! Generic parameters and signatures, requirements, associated types, conformances.

use super::super::kind::Kind;
use super::super::spelling::{LayoutConstraint, Spelled};
use super::super::tree::NodeId;
use super::Remangler;

/// A type that a requirement or an associated type is of, as far as it is written.
enum Subject {
    /// It is written whole.
    Written,
    /// So many names of associated types are written; the generic parameter that they are members of is not. None if
    /// their base is no generic parameter, and written.
    Members(usize, Option<NodeId>),
}

/// The letters of a requirement after `R`, for each form of its subject.
struct Letters {
    written: &'static str,
    parameter: &'static str,
    member: &'static str,
    path: &'static str,
}

const PROTOCOL: Letters = Letters { written: "Q", parameter: "", member: "p", path: "P" };
const BASE_CLASS: Letters = Letters { written: "B", parameter: "b", member: "c", path: "C" };
const SAME_TYPE: Letters = Letters { written: "S", parameter: "s", member: "t", path: "T" };
const LAYOUT: Letters = Letters { written: "L", parameter: "l", member: "m", path: "M" };
const INVERSE: Letters = Letters { written: "I", parameter: "i", member: "j", path: "J" };

impl Remangler {
    pub(super) fn generic(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::GenericSignature | Kind::PseudogenericSignature => self.signature(id)?,
            Kind::GenericParam { depth: 0, index: 0 } => self.push("x"),
            Kind::GenericParam { .. } => {
                self.push("q");
                self.parameter(id, "", "z")?;
            }
            Kind::GenericType => {
                self.children_reversed(id)?;
                self.push("u");
            }
            Kind::DependentMember => self.dependent_member(id)?,
            Kind::AssociatedTypeRef => self.substitutable(id, |this| this.postfix(id, "Qa"))?,
            Kind::AssociatedTypeName => self.all_children(id)?,
            Kind::AssociatedTypePath => {
                let names = self.children(id);
                self.list(&names)?;
            }
            Kind::PackMarker => {
                self.push("Rv");
                self.parameter_of(id)?;
            }
            Kind::ValueMarker => {
                self.child(id, 1)?;
                self.push("RV");
                self.parameter_of(id)?;
            }
            Kind::SameShapeRequirement => {
                self.child(id, 1)?;
                self.push("Rh");
                self.parameter_of(id)?;
            }
            Kind::ConformanceRequirement => {
                let protocol = self.tree.child(id, 1)?;
                self.protocol(protocol)?;
                self.requirement(id, &PROTOCOL, None)?;
            }
            Kind::BaseClassRequirement => {
                self.child(id, 1)?;
                self.requirement(id, &BASE_CLASS, None)?;
            }
            Kind::SameTypeRequirement => {
                self.child(id, 1)?;
                self.requirement(id, &SAME_TYPE, None)?;
            }
            Kind::InverseRequirement => {
                let bit = self.tree.child(id, 1);
                self.requirement(id, &INVERSE, bit)?;
            }
            Kind::LayoutRequirement(constraint) => self.layout_requirement(id, constraint)?,
            _ => self.conformance(id, kind)?,
        }
        Some(())
    }

    /// Requirements, then how many parameters each depth has.
    fn signature(&mut self, id: NodeId) -> Option<()> {
        let (counts, requirements): (Vec<_>, Vec<_>) =
            self.children(id).into_iter().partition(|child| self.kind(*child) == Kind::GenericParamCount);
        self.all(&requirements)?;
        let counts = counts.into_iter().map(|count| self.index_of(count)).collect::<Option<Vec<_>>>()?;
        if counts[..] == [1] {
            self.push("l");
            return Some(());
        }
        self.push("r");
        for count in counts {
            match count.checked_sub(1) {
                Some(index) => self.buffer.index(index),
                None => self.push("z"),
            }
        }
        self.push("l");
        Some(())
    }

    /// The number of a generic parameter: `zero` for the first, `other` in front of others.
    fn parameter(&mut self, id: NodeId, other: &str, zero: &str) -> Option<()> {
        match self.kind(id) {
            Kind::ConstrainedExistentialSelf => self.push("s"),
            Kind::GenericParam { depth: 0, index: 0 } => self.push(zero),
            Kind::GenericParam { depth: 0, index } => {
                self.push(other);
                self.buffer.index(index as usize - 1);
            }
            Kind::GenericParam { depth, index } => {
                self.push(other);
                self.push("d");
                self.buffer.index(depth as usize - 1);
                self.buffer.index(index as usize);
            }
            _ => return None,
        }
        Some(())
    }

    /// The generic parameter that the requirement `id` is about.
    fn parameter_of(&mut self, id: NodeId) -> Option<()> {
        let parameter = self.tree.content(self.tree.child(id, 0)?);
        self.parameter(parameter, "", "z")
    }

    /// Writes a type up to the generic parameter that it begins with.
    fn subject(&mut self, id: NodeId) -> Option<Subject> {
        let id = self.tree.content(id);
        let entry = self.entry(id)?;
        if self.standard_type(id) || self.refer_back(&entry) {
            return Some(Subject::Written);
        }
        let (mut base, mut names) = (id, Vec::new());
        while self.kind(base) == Kind::DependentMember {
            names.push(self.tree.child(base, 1)?);
            base = self.tree.content(self.tree.child(base, 0)?);
        }
        let is_parameter = matches!(self.kind(base), Kind::GenericParam { .. } | Kind::ConstrainedExistentialSelf);
        if !is_parameter {
            self.node(base)?;
            if names.is_empty() {
                return Some(Subject::Written);
            }
        }
        names.reverse();
        for (number, name) in names.iter().enumerate() {
            self.node(*name)?;
            if number == 0 && names.len() > 1 {
                self.push("_");
            }
        }
        if !names.is_empty() {
            self.remember(entry);
        }
        Some(Subject::Members(names.len(), is_parameter.then_some(base)))
    }

    fn dependent_member(&mut self, id: NodeId) -> Option<()> {
        let (members, base) = match self.subject(id)? {
            Subject::Written => return Some(()),
            Subject::Members(members, base) => (members, base),
        };
        self.push("Q");
        match (members, base) {
            (1, Some(base)) => self.parameter(base, "y", "z")?,
            (1, None) => self.push("x"),
            (_, Some(base)) => self.parameter(base, "Y", "Z")?,
            (_, None) => self.push("X"),
        }
        Some(())
    }

    /// The subject and the letters of a requirement, whose other side is written; `bit` comes after the letters.
    fn requirement(&mut self, id: NodeId, letters: &Letters, bit: Option<NodeId>) -> Option<()> {
        let subject = self.tree.child(id, 0)?;
        let subject = self.subject(subject)?;
        self.push("R");
        let parameter = match subject {
            Subject::Written => {
                self.push(letters.written);
                None
            }
            Subject::Members(members, base) => {
                self.push(match members {
                    0 => letters.parameter,
                    1 => letters.member,
                    _ => letters.path,
                });
                Some(base?)
            }
        };
        if let Some(bit) = bit {
            self.node(bit)?;
        }
        match parameter {
            Some(parameter) => self.parameter(parameter, "", "z"),
            None => Some(()),
        }
    }

    fn layout_requirement(&mut self, id: NodeId, constraint: LayoutConstraint) -> Option<()> {
        self.requirement(id, &LAYOUT, None)?;
        self.push(constraint.letters());
        let children = self.children(id);
        self.all(&children[1..])
    }

    fn conformance(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::ProtocolConformance => self.protocol_conformance(id)?,
            Kind::ConcreteConformance => self.postfix(id, "HC")?,
            Kind::DependentConformance(dependent) => {
                self.child(id, 0)?;
                let to = self.tree.child(id, 1)?;
                match self.kind(to) {
                    Kind::DependentAssociatedConformance => self.node(to)?,
                    _ => self.protocol(to)?,
                }
                self.push(dependent.letters());
                // 1 is an unknown index.
                let index = self.tree.child(id, 2)?;
                let index = if self.kind(index) == Kind::Number { self.index_of(index)? + 2 } else { 1 };
                self.buffer.index(index);
            }
            Kind::DependentAssociatedConformance => {
                self.child(id, 0)?;
                let protocol = self.tree.child(id, 1)?;
                self.protocol(protocol)?;
            }
            Kind::ConformanceInOtherModule => {
                let protocol = self.tree.child(id, 0)?;
                self.protocol(protocol)?;
                self.child(id, 1)?;
            }
            Kind::RetroactiveConformance => {
                self.child(id, 1)?;
                self.push("g");
                self.child(id, 0)?;
            }
            _ => self.lowered(id, kind)?,
        }
        Some(())
    }

    /// The signature of the conforming type comes after the conformance.
    fn protocol_conformance(&mut self, id: NodeId) -> Option<()> {
        let ty = self.tree.content(self.tree.child(id, 0)?);
        let (ty, signature) = match self.kind(ty) {
            Kind::GenericType => (self.tree.child(ty, 1)?, self.tree.child(ty, 0)),
            _ => (ty, None),
        };
        self.node(ty)?;
        self.optional_child(id, 3)?;
        let protocol = self.tree.child(id, 1)?;
        self.protocol(protocol)?;
        self.child(id, 2)?;
        signature.map_or(Some(()), |signature| self.node(signature))
    }
}

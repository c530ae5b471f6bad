//! Generic signatures and requirements, associated types, conformances.

use super::super::kind::Kind;
use super::super::operations::Operation;
use super::super::spelling::{DependentConformance, LayoutConstraint};
use super::super::tree::NodeId;
use super::Demangler;

/// The type that a requirement is about.
enum Subject {
    Parameter,
    Associated,
    AssociatedPath,
    Stack,
}

/// The place of the number of parameters of each depth in a signature.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterCounts {
    /// Nowhere: there is one parameter.
    One,
    /// In the symbol.
    Written,
}

/// The constraint of a requirement.
enum Constraint {
    Protocol,
    BaseClass,
    SameType,
    SameShape,
    Layout,
    Pack,
    Value,
    Inverse(NodeId),
}

impl Demangler<'_> {
    pub(super) fn generic_parameter_at(&mut self, depth: u32, index: u32) -> NodeId {
        self.add(Kind::GenericParam { depth, index }, &[])
    }

    pub(super) fn generic_parameter(&mut self) -> Option<NodeId> {
        if self.eat(b'd') {
            let depth = self.index()?.checked_add(1)?;
            let index = self.index()?;
            return Some(self.generic_parameter_at(depth, index));
        }
        if self.eat(b'z') {
            return Some(self.generic_parameter_at(0, 0));
        }
        if self.eat(b's') {
            return Some(self.add(Kind::ConstrainedExistentialSelf, &[]));
        }
        let index = self.index()?.checked_add(1)?;
        Some(self.generic_parameter_at(0, index))
    }

    /// `base.Name`; the base is on the stack where none is given.
    pub(super) fn associated_type(&mut self, base: Option<NodeId>) -> Option<NodeId> {
        let name = self.pop_associated_type_name()?;
        let base = match base {
            Some(base) => self.wrap(base),
            None => self.pop_type()?,
        };
        Some(self.ty(Kind::DependentMember, &[base, name]))
    }

    /// `base.Name.Name`; the base is on the stack where none is given.
    pub(super) fn associated_type_path(&mut self, base: Option<NodeId>) -> Option<NodeId> {
        let mut names = Vec::new();
        loop {
            let first = self.pop_kind(Kind::FirstElementMarker).is_some();
            names.push(self.pop_associated_type_name()?);
            if first {
                break;
            }
        }
        let mut ty = match base {
            Some(base) => self.wrap(base),
            None => self.pop_type()?,
        };
        for name in names.into_iter().rev() {
            ty = self.ty(Kind::DependentMember, &[ty, name]);
        }
        Some(ty)
    }

    pub(super) fn pop_associated_type_name(&mut self) -> Option<NodeId> {
        let protocol = self.pop_type();
        if protocol.is_some_and(|protocol| !self.is_protocol(protocol)) {
            return None;
        }
        let name = self.pop_kind(Kind::Identifier)?;
        let children: Vec<_> = [name].into_iter().chain(protocol).collect();
        Some(self.add(Kind::AssociatedTypeName, &children))
    }

    pub(super) fn pop_associated_type_path(&mut self) -> Option<NodeId> {
        let mut names = Vec::new();
        loop {
            let first = self.pop_kind(Kind::FirstElementMarker).is_some();
            names.push(self.pop_associated_type_name()?);
            if first {
                break;
            }
        }
        names.reverse();
        Some(self.add(Kind::AssociatedTypePath, &names))
    }

    /// A signature: how many parameters each depth has, where that is written, and the requirements on the stack.
    pub(super) fn generic_signature(&mut self, counts: ParameterCounts) -> Option<NodeId> {
        let mut children = Vec::new();
        match counts {
            ParameterCounts::One => children.push(self.tree.add_index(Kind::GenericParamCount, 1)),
            ParameterCounts::Written => {
                while !self.eat(b'l') {
                    let count = if self.eat(b'z') { 0 } else { self.index()?.checked_add(1)? };
                    children.push(self.tree.add_index(Kind::GenericParamCount, count.into()));
                }
            }
        }
        let mut requirements: Vec<_> = std::iter::from_fn(|| self.pop_if(Kind::is_requirement)).collect();
        requirements.reverse();
        children.extend(requirements);
        Some(self.add(Kind::GenericSignature, &children))
    }

    pub(super) fn requirement(&mut self) -> Option<NodeId> {
        use {Constraint::*, Subject::*};
        let (constraint, subject) = match self.next() {
            b'V' => (Value, Parameter),
            b'v' => (Pack, Parameter),
            b'c' => (BaseClass, Associated),
            b'C' => (BaseClass, AssociatedPath),
            b'b' => (BaseClass, Parameter),
            b'B' => (BaseClass, Stack),
            b't' => (SameType, Associated),
            b'T' => (SameType, AssociatedPath),
            b's' => (SameType, Parameter),
            b'S' => (SameType, Stack),
            b'm' => (Layout, Associated),
            b'M' => (Layout, AssociatedPath),
            b'l' => (Layout, Parameter),
            b'L' => (Layout, Stack),
            b'p' => (Protocol, Associated),
            b'P' => (Protocol, AssociatedPath),
            b'Q' => (Protocol, Stack),
            b'h' => (SameShape, Parameter),
            b'i' => (Inverse(self.number()?), Parameter),
            b'I' => (Inverse(self.number()?), Stack),
            _ => {
                self.back();
                (Protocol, Parameter)
            }
        };
        let subject = match subject {
            Parameter => {
                let parameter = self.generic_parameter()?;
                self.wrap(parameter)
            }
            Associated => {
                let base = self.generic_parameter()?;
                let ty = self.associated_type(Some(base))?;
                self.substitutable(ty)
            }
            AssociatedPath => {
                let base = self.generic_parameter()?;
                let ty = self.associated_type_path(Some(base))?;
                self.substitutable(ty)
            }
            Stack => self.pop_type()?,
        };
        let (kind, other) = match constraint {
            Pack => return Some(self.add(Kind::PackMarker, &[subject])),
            Layout => return self.layout_requirement(subject),
            Value => (Kind::ValueMarker, self.pop_type()?),
            Protocol => (Kind::ConformanceRequirement, self.pop_protocol()?),
            Inverse(bit) => (Kind::InverseRequirement, bit),
            BaseClass => (Kind::BaseClassRequirement, self.pop_type()?),
            SameType => (Kind::SameTypeRequirement, self.pop_type()?),
            SameShape => (Kind::SameShapeRequirement, self.pop_type()?),
        };
        Some(self.add(kind, &[subject, other]))
    }

    fn layout_requirement(&mut self, subject: NodeId) -> Option<NodeId> {
        let constraint = self.eat_spelled::<LayoutConstraint>()?;
        let mut children = vec![subject];
        for _ in 0..constraint.numbers() {
            children.push(self.number()?);
        }
        Some(self.add(Kind::LayoutRequirement(constraint), &children))
    }

    // Conformances

    /// A conformance as witness tables are named by: a type, a protocol, the module that declares it.
    pub(super) fn pop_conformance(&mut self) -> Option<NodeId> {
        let signature = self.pop_signature();
        let module = self.pop_module()?;
        let protocol = self.pop_protocol()?;
        let (mut ty, mut property) = (self.pop_type(), None);
        if ty.is_none() {
            property = self.pop_kind(Kind::Identifier);
            ty = self.pop_type();
        }
        let mut ty = ty?;
        if let Some(signature) = signature {
            ty = self.ty(Kind::GenericType, &[signature, ty]);
        }
        let children: Vec<_> = [ty, protocol, module].into_iter().chain(property).collect();
        Some(self.add(Kind::ProtocolConformance, &children))
    }

    fn pop_dependent_conformance(&mut self) -> Option<NodeId> {
        self.pop_if(Kind::is_dependent_conformance)
    }

    pub(super) fn pop_conformance_list(&mut self) -> Option<NodeId> {
        let conformances = self.pop_list(|this| this.pop_if(Kind::is_conformance))?;
        Some(self.add(Kind::ConformanceList, &conformances))
    }

    /// `H` and the text after it that no row of the operations covers.
    pub(super) fn conformance(&mut self) -> Option<NodeId> {
        if self.eat(b'C') {
            return self.concrete_conformance();
        }
        self.back();
        self.attribute().or_else(|| self.dependent_conformance())
    }

    fn dependent_conformance(&mut self) -> Option<NodeId> {
        let kind = self.eat_spelled::<DependentConformance>()?;
        let index = self.conformance_index()?;
        let protocol = self.pop_protocol()?;
        let (of, to) = match kind {
            DependentConformance::Root => (self.pop_type()?, protocol),
            DependentConformance::Inherited => (self.pop_dependent_conformance()?, protocol),
            DependentConformance::Associated => {
                let ty = self.pop_type()?;
                let associated = self.add(Kind::DependentAssociatedConformance, &[ty, protocol]);
                (self.pop_dependent_conformance()?, associated)
            }
        };
        Some(self.add(Kind::DependentConformance(kind), &[of, to, index]))
    }

    /// The index after a dependent conformance: 0 is no index, 1 an unknown one.
    fn conformance_index(&mut self) -> Option<NodeId> {
        match self.index()? {
            0 => None,
            1 => Some(self.add(Kind::UnknownIndex, &[])),
            index => Some(self.tree.add_index(Kind::Number, i64::from(index) - 2)),
        }
    }

    fn concrete_conformance(&mut self) -> Option<NodeId> {
        let conditions = self.pop_conformance_list()?;
        let known = self
            .pop_operation(Operation::ConformanceInModuleOfType)
            .or_else(|| self.pop_operation(Operation::ConformanceInModuleOfProtocol));
        let reference = match known {
            Some(reference) => reference,
            None => {
                let module = self.pop_module()?;
                let protocol = self.pop_protocol()?;
                self.add(Kind::ConformanceInOtherModule, &[protocol, module])
            }
        };
        let ty = self.pop_type()?;
        Some(self.add(Kind::ConcreteConformance, &[ty, reference, conditions]))
    }

    pub(super) fn retroactive_conformance(&mut self) -> Option<NodeId> {
        let index = self.number()?;
        let conformance = self.pop_if(Kind::is_conformance)?;
        Some(self.add(Kind::RetroactiveConformance, &[index, conformance]))
    }

    pub(super) fn pop_retroactive_conformances(&mut self) -> Option<NodeId> {
        let mut conformances: Vec<_> = std::iter::from_fn(|| self.pop_kind(Kind::RetroactiveConformance)).collect();
        conformances.reverse();
        (!conformances.is_empty()).then(|| self.add(Kind::RetroactiveConformances, &conformances))
    }
}

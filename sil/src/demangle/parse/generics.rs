//! Generic signatures and requirements, associated types, conformances.

use super::super::node::{ConformanceRef, Kind, NodeId};
use super::Parser;

/// The type that a requirement is about.
enum Subject {
    Parameter,
    Associated,
    AssociatedPath,
    Stack,
}

/// Where a signature says how many parameters each depth has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterCounts {
    /// Nowhere: there is one parameter.
    One,
    /// In the symbol.
    Written,
}

/// What a requirement demands.
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

impl Parser<'_> {
    pub(super) fn generic_parameter_at(&mut self, depth: u32, index: u32) -> NodeId {
        let depth = self.tree.add_index(Kind::Index, depth.into());
        let index = self.tree.add_index(Kind::Index, index.into());
        self.add(Kind::GenericParam, &[depth, index])
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
            return Some(self.add(Kind::SimplePhrase("Self"), &[]));
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
            BaseClass => (Kind::ConformanceRequirement, self.pop_type()?),
            SameType => (Kind::SameTypeRequirement, self.pop_type()?),
            SameShape => (Kind::SameShapeRequirement, self.pop_type()?),
        };
        Some(self.add(kind, &[subject, other]))
    }

    fn layout_requirement(&mut self, subject: NodeId) -> Option<NodeId> {
        let (name, numbers) = match self.next() {
            b'U' => ("_UnknownLayout", 0),
            b'R' => ("_RefCountedObject", 0),
            b'N' => ("_NativeRefCountedObject", 0),
            b'C' => ("AnyObject", 0),
            b'D' => ("_NativeClass", 0),
            b'T' => ("_Trivial", 0),
            b'B' => ("", 0),
            b'E' => ("_Trivial", 2),
            b'e' => ("_Trivial", 1),
            b'M' => ("_TrivialAtMost", 2),
            b'm' => ("_TrivialAtMost", 1),
            b'S' => ("", 1),
            _ => return None,
        };
        let mut children = vec![subject, self.tree.add_text(Kind::Identifier, name)];
        for _ in 0..numbers {
            children.push(self.number()?);
        }
        Some(self.add(Kind::LayoutRequirement, &children))
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

    fn pop_any_conformance(&mut self) -> Option<NodeId> {
        self.pop_if(|kind| {
            matches!(kind, Kind::ConcreteConformance | Kind::DependentConformance(_) | Kind::OtherConformance(_))
        })
    }

    fn pop_dependent_conformance(&mut self) -> Option<NodeId> {
        self.pop_if(|kind| matches!(kind, Kind::DependentConformance(_)))
    }

    fn pop_conformance_list(&mut self) -> Option<NodeId> {
        let conformances = self.pop_list(Self::pop_any_conformance)?;
        Some(self.add(Kind::ConformanceList, &conformances))
    }

    pub(super) fn conformance_or_record(&mut self) -> Option<NodeId> {
        match self.next() {
            b'A' => {
                let index = self.conformance_index()?;
                let protocol = self.pop_protocol()?;
                let ty = self.pop_type()?;
                let associated = self.add(Kind::Phrase("dependent associated conformance {0}{1}"), &[ty, protocol]);
                let nested = self.pop_dependent_conformance()?;
                Some(self.dependent("dependent associated protocol conformance ", nested, associated, index))
            }
            b'D' => {
                let index = self.conformance_index()?;
                let protocol = self.pop_protocol()?;
                let ty = self.pop_type()?;
                Some(self.dependent("dependent root protocol conformance ", ty, protocol, index))
            }
            b'I' => {
                let index = self.conformance_index()?;
                let protocol = self.pop_protocol()?;
                let nested = self.pop_dependent_conformance()?;
                Some(self.dependent("dependent inherited protocol conformance ", nested, protocol, index))
            }
            b'O' => {
                let ty = self.pop_type()?;
                let conformance = self.pop_dependent_conformance()?;
                Some(self.add(Kind::OtherConformance("opaque result conformance {0} of {1}"), &[conformance, ty]))
            }
            b'C' => self.concrete_conformance(),
            b'X' => {
                let patterns = self.pop_conformance_list()?;
                Some(self.add(Kind::OtherConformance("pack protocol conformance {0}"), &[patterns]))
            }
            b'P' => {
                let protocol = self.pop_protocol()?;
                let template = "protocol conformance ref (type's module) {0}";
                Some(self.add(Kind::ConformanceRef(template, ConformanceRef::OfType), &[protocol]))
            }
            b'p' => {
                let protocol = self.pop_protocol()?;
                let template = "protocol conformance ref (protocol's module) {0}";
                Some(self.add(Kind::ConformanceRef(template, ConformanceRef::OfProtocol), &[protocol]))
            }
            b'c' => {
                let conformance = self.pop_conformance()?;
                let template = "protocol conformance descriptor runtime record for {0}";
                Some(self.add(Kind::Phrase(template), &[conformance]))
            }
            b'n' => self.phrase_of_type("nominal type descriptor runtime record for {0}"),
            b'o' => {
                let entity = self.pop()?;
                Some(self.add(Kind::Phrase("opaque type descriptor runtime record for {0}"), &[entity]))
            }
            b'r' => {
                let protocol = self.pop_protocol()?;
                Some(self.add(Kind::Phrase("protocol descriptor runtime record for {0}"), &[protocol]))
            }
            b'F' => Some(self.add(Kind::Attribute("accessible function runtime record for ", ""), &[])),
            _ => None,
        }
    }

    fn dependent(&mut self, template: &'static str, of: NodeId, to: NodeId, index: NodeId) -> NodeId {
        self.add(Kind::DependentConformance(template), &[of, to, index])
    }

    fn conformance_index(&mut self) -> Option<NodeId> {
        match self.index()? {
            0 => None,
            1 => Some(self.add(Kind::UnknownIndex, &[])),
            index => Some(self.tree.add_index(Kind::Index, i64::from(index) - 2)),
        }
    }

    fn concrete_conformance(&mut self) -> Option<NodeId> {
        let conditions = self.pop_conformance_list()?;
        let is = |wanted| move |kind| matches!(kind, Kind::ConformanceRef(_, found) if found == wanted);
        let known = self.pop_if(is(ConformanceRef::OfType)).or_else(|| self.pop_if(is(ConformanceRef::OfProtocol)));
        let reference = match known {
            Some(reference) => reference,
            None => {
                let module = self.pop_module()?;
                let protocol = self.pop_protocol()?;
                let template = "protocol conformance ref (retroactive) {0}{1}";
                self.add(Kind::ConformanceRef(template, ConformanceRef::Elsewhere), &[protocol, module])
            }
        };
        let ty = self.pop_type()?;
        Some(self.add(Kind::ConcreteConformance, &[ty, reference, conditions]))
    }

    pub(super) fn retroactive_conformance(&mut self) -> Option<NodeId> {
        let index = self.number()?;
        let conformance = self.pop_any_conformance()?;
        Some(self.add(Kind::RetroactiveConformance, &[index, conformance]))
    }

    pub(super) fn pop_retroactive_conformances(&mut self) -> Option<NodeId> {
        let mut conformances: Vec<_> = std::iter::from_fn(|| self.pop_kind(Kind::RetroactiveConformance)).collect();
        conformances.reverse();
        (!conformances.is_empty()).then(|| self.add(Kind::TypeList, &conformances))
    }
}

//! Generic signatures: parameters and requirements.

use sil_ir::context::{
    AnyObject, GenericParameter, GenericParameterKind, GenericSignature, LayoutConstraint, Requirement, SignatureId,
    Type, TypeId,
};

use super::Position;
use super::lookup::positional_parameter;
use super::resolve::Resolver;
use super::tree::{NodeId, NodeKind, ParameterKind, Requirement as WrittenRequirement, SignatureLevel};
use crate::syntax::Parsed;
use crate::syntax::names::plain_name;

/// Whether a signature keeps the names of its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Naming {
    /// It does: the signature of a function or a declaration.
    Named,
    /// It does not: only positions distinguish types.
    Positional,
}

impl<'a> Resolver<'_, 'a> {
    /// Returns the signature written in `levels`, with depths from `first_depth` on. Its names are added to the scope;
    /// the caller removes them.
    pub(crate) fn signature(
        &mut self,
        levels: &[SignatureLevel<'a>],
        first_depth: u32,
        naming: Naming,
    ) -> Parsed<SignatureId> {
        let parameters = self.parameters(levels, first_depth, naming)?;
        let requirements = self.requirements(levels)?;
        Ok(self
            .context
            .signature(GenericSignature { parameters: parameters.into(), requirements: requirements.into() }))
    }

    /// Returns the parameters written in `levels` and adds them to the scope.
    pub(crate) fn parameters(
        &mut self,
        levels: &[SignatureLevel<'a>],
        first_depth: u32,
        naming: Naming,
    ) -> Parsed<Vec<GenericParameter>> {
        let mut parameters = Vec::new();
        for (level, depth) in levels.iter().zip(first_depth..) {
            for (written, index) in level.parameters.iter().zip(0..) {
                // The place of a parameter determines its position; `τ_1_0` in another place is an ordinary name.
                let positional = positional_parameter(written.name) == Some((depth, index));
                let name = self.context.name(plain_name(written.name));
                let ty = self.context.ty(Type::GenericParameter { depth, index });
                self.scope.names.push((name, ty));
                let kind = match (written.kind, written.constraint) {
                    (ParameterKind::Type, _) => GenericParameterKind::Type,
                    (ParameterKind::Pack, _) => GenericParameterKind::Pack,
                    (ParameterKind::Value, Some(ty)) => GenericParameterKind::Value(self.ty(ty, Position::Formal)?),
                    (ParameterKind::Value, None) => GenericParameterKind::Type,
                };
                let name = (naming == Naming::Named && !positional).then_some(name);
                parameters.push(GenericParameter { name, depth, index, kind });
            }
        }
        Ok(parameters)
    }

    /// Returns the requirements written in `levels`, those after parameters first.
    pub(crate) fn requirements(&mut self, levels: &[SignatureLevel<'a>]) -> Parsed<Vec<Requirement>> {
        let mut requirements = Vec::new();
        for level in levels {
            for written in &level.parameters {
                if let (Some(constraint), true) = (written.constraint, written.kind != ParameterKind::Value) {
                    let name = self.context.name(plain_name(written.name));
                    if let Some((_, subject)) = self.scope.names.iter().rfind(|(known, _)| *known == name) {
                        self.constrain(*subject, constraint, &mut requirements)?;
                    }
                }
            }
            for written in &level.requirements {
                self.requirement(*written, &mut requirements)?;
            }
        }
        Ok(requirements)
    }

    /// Resolves one written requirement.
    pub(crate) fn requirement(&mut self, written: WrittenRequirement, into: &mut Vec<Requirement>) -> Parsed<()> {
        match written {
            WrittenRequirement::SameType(first, second) => {
                let first = self.ty(first, Position::Formal)?;
                into.push(Requirement::SameType { first, second: self.ty(second, Position::Formal)? });
                Ok(())
            }
            WrittenRequirement::Constraint(subject, constraint) => {
                let subject = self.ty(subject, Position::Formal)?;
                self.constrain(subject, constraint, into)
            }
        }
    }

    /// Resolves `subject : constraint`.
    pub(crate) fn constrain(&mut self, subject: TypeId, constraint: NodeId, into: &mut Vec<Requirement>) -> Parsed<()> {
        let node = &self.node(constraint).kind;
        if let NodeKind::Inverse(inner) = node {
            into.push(Requirement::Inverse { subject, inverse: self.inverse(*inner)? });
            return Ok(());
        }
        if let Some(layout) = self.layout(constraint)? {
            into.push(Requirement::Layout { subject, constraint: layout });
            return Ok(());
        }
        let constraint = self.constraint(constraint)?;
        into.push(match self.context.get(constraint) {
            Type::Nominal(_) => Requirement::Superclass { subject, superclass: constraint },
            Type::Composition(composition)
                if composition.members.is_empty()
                    && composition.inverses.is_empty()
                    && composition.class_constraint.is_some() =>
            {
                Requirement::Layout { subject, constraint: LayoutConstraint::Class(AnyObject) }
            }
            _ => Requirement::Conformance { subject, constraint },
        });
        Ok(())
    }

    fn layout(&self, id: NodeId) -> Parsed<Option<LayoutConstraint>> {
        let (name, numbers) = match &self.node(id).kind {
            NodeKind::Layout { name, numbers } => (*name, &numbers[..]),
            NodeKind::Name { name, arguments } if arguments.is_empty() => (*name, &[][..]),
            _ => return Ok(None),
        };
        let numbers: Result<Vec<u32>, _> = numbers.iter().map(|number| number.parse()).collect();
        let Ok(numbers) = numbers else { return self.error(id, "number", "the number is out of range") };
        Ok(Some(match (name, &numbers[..]) {
            ("_Class", []) => LayoutConstraint::Class(AnyObject),
            ("_NativeClass", []) => LayoutConstraint::NativeClass,
            ("_RefCountedObject", []) => LayoutConstraint::RefCountedObject,
            ("_NativeRefCountedObject", []) => LayoutConstraint::NativeRefCountedObject,
            ("_BridgeObject", []) => LayoutConstraint::BridgeObject,
            ("_Trivial", []) => LayoutConstraint::Trivial(None),
            ("_Trivial", [size]) => LayoutConstraint::Trivial(Some((*size, None))),
            ("_Trivial", [size, alignment]) => LayoutConstraint::Trivial(Some((*size, Some(*alignment)))),
            ("_TrivialAtMost", [size]) => LayoutConstraint::TrivialAtMost(*size, None),
            ("_TrivialAtMost", [size, alignment]) => LayoutConstraint::TrivialAtMost(*size, Some(*alignment)),
            ("_TrivialStride", [size]) => LayoutConstraint::TrivialStride(*size),
            _ if name.starts_with("_Trivial") => {
                return self.error(id, "syntax", format!("'{name}' takes other numbers"));
            }
            _ => return Ok(None),
        }))
    }
}

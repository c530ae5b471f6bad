//! Writes generic signatures and the names of generic parameters.

use super::Printer;
use crate::context::{SignatureId, TypeId};
use crate::syntax::reader::GenericScope;
use crate::types::{GenericParameter, GenericParameterKind, LayoutConstraint, Requirement, Type};

impl Printer<'_> {
    /// Runs `write` with the names of `signature` alone; without one, nothing changes.
    pub(super) fn in_own_signature(&mut self, signature: Option<SignatureId>, write: impl FnOnce(&mut Self)) {
        let Some(signature) = signature else { return write(self) };
        let outer = std::mem::replace(&mut self.generics, GenericScope::of(self.context, signature));
        write(self);
        self.generics = outer;
    }

    /// Writes `<T where T : P>`, one pair of brackets for each depth.
    pub fn signature(&mut self, id: SignatureId) {
        let outer = std::mem::replace(&mut self.generics, GenericScope::of(self.context, id));
        let signature = self.context.get_signature(id);
        let depths = signature.parameters.chunk_by(|first, second| first.depth == second.depth);
        let levels: Vec<&[GenericParameter]> = depths.collect();
        for (number, level) in levels.iter().enumerate() {
            let is_last = number + 1 == levels.len();
            let belongs = |requirement: &&Requirement| {
                let depth = self.depth_of(requirement).unwrap_or(0);
                let own = level[0].depth;
                depth == own || (is_last && depth > own) || (number == 0 && depth < own)
            };
            let requirements: Vec<&Requirement> = signature.requirements.iter().filter(belongs).collect();
            self.signature_level(level, &requirements);
        }
        if levels.is_empty() {
            self.signature_level(&[], &signature.requirements.iter().collect::<Vec<_>>());
        }
        self.generics = outer;
    }

    fn signature_level(&mut self, parameters: &[GenericParameter], requirements: &[&Requirement]) {
        self.text("<");
        self.list(parameters, |this, parameter| {
            match parameter.kind {
                GenericParameterKind::Type => {}
                GenericParameterKind::Pack => this.text("each "),
                GenericParameterKind::Value(_) => this.text("let "),
            }
            this.generic_parameter(parameter.depth, parameter.index);
            if let GenericParameterKind::Value(ty) = parameter.kind {
                this.text(" : ");
                this.lowered_type(ty);
            }
        });
        if !requirements.is_empty() {
            self.text(" where ");
            self.list(requirements, |this, requirement| this.requirement(requirement));
        }
        self.text(">");
    }

    /// Writes `T : P`, `T == U`.
    pub(super) fn requirement(&mut self, requirement: &Requirement) {
        match requirement {
            Requirement::Conformance { subject, constraint } => {
                self.lowered_type(*subject);
                self.text(" : ");
                self.lowered_type(*constraint);
            }
            Requirement::Superclass { subject, superclass } => {
                self.lowered_type(*subject);
                self.text(" : ");
                self.lowered_type(*superclass);
            }
            Requirement::SameType { first, second } => {
                self.lowered_type(*first);
                self.text(" == ");
                self.lowered_type(*second);
            }
            Requirement::Layout { subject, constraint } => {
                self.lowered_type(*subject);
                self.text(" : ");
                self.layout_constraint(constraint);
            }
            Requirement::Inverse { subject, inverse } => {
                self.lowered_type(*subject);
                self.text(" : ");
                self.inverse(*inverse);
            }
        }
    }

    fn layout_constraint(&mut self, constraint: &LayoutConstraint) {
        match constraint {
            LayoutConstraint::Class(_) => self.text("AnyObject"),
            LayoutConstraint::NativeClass => self.text("_NativeClass"),
            LayoutConstraint::RefCountedObject => self.text("_RefCountedObject"),
            LayoutConstraint::NativeRefCountedObject => self.text("_NativeRefCountedObject"),
            LayoutConstraint::BridgeObject => self.text("_BridgeObject"),
            LayoutConstraint::Trivial(None) => self.text("_Trivial"),
            LayoutConstraint::Trivial(Some((size, None))) => self.number(format_args!("_Trivial({size})")),
            LayoutConstraint::Trivial(Some((size, Some(alignment)))) => {
                self.number(format_args!("_Trivial({size}, {alignment})"));
            }
            LayoutConstraint::TrivialAtMost(size, None) => self.number(format_args!("_TrivialAtMost({size})")),
            LayoutConstraint::TrivialAtMost(size, Some(alignment)) => {
                self.number(format_args!("_TrivialAtMost({size}, {alignment})"));
            }
            LayoutConstraint::TrivialStride(size) => self.number(format_args!("_TrivialStride({size})")),
        }
    }

    /// Writes a generic parameter: by its name where the signature in scope names it, else by its position.
    pub(super) fn generic_parameter(&mut self, depth: u32, index: u32) {
        let named = self.generics.iter().find(|parameter| (parameter.depth, parameter.index) == (depth, index));
        match named.map(|parameter| parameter.name) {
            Some(name) => self.identifier(name),
            None => self.number(format_args!("τ_{depth}_{index}")),
        }
    }

    /// The depth of the innermost parameter that a requirement names.
    fn depth_of(&self, requirement: &Requirement) -> Option<u32> {
        match requirement {
            Requirement::Conformance { subject, .. }
            | Requirement::Superclass { subject, .. }
            | Requirement::Layout { subject, .. }
            | Requirement::Inverse { subject, .. } => self.parameter_depth(*subject),
            Requirement::SameType { first, second } => self.parameter_depth(*first).max(self.parameter_depth(*second)),
        }
    }

    fn parameter_depth(&self, ty: TypeId) -> Option<u32> {
        match self.context.get(ty) {
            Type::GenericParameter { depth, .. } | Type::NamedParameter { depth, .. } => Some(*depth),
            Type::DependentMember { base, .. } => self.parameter_depth(*base),
            Type::PackElement(inner) | Type::PackExpansion { pattern: inner } => self.parameter_depth(*inner),
            Type::Tuple(elements) => elements.iter().filter_map(|element| self.parameter_depth(element.ty)).max(),
            Type::Nominal(nominal) => nominal.arguments.iter().filter_map(|ty| self.parameter_depth(*ty)).max(),
            _ => None,
        }
    }
}

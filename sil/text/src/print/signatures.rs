//! Writes generic signatures, and the names of generic parameters.

use sil_ir::context::*;

use super::Printer;

impl Printer<'_> {
    /// Writes `<T where T : P>`, a pair of brackets for each depth: a requirement stands at the depth of the innermost
    /// parameter that it names.
    pub fn signature(&mut self, id: SignatureId) {
        let mark = self.parameters.len();
        self.enter(id);
        self.entered_signature(id);
        self.parameters.truncate(mark);
    }

    /// The same where the parameters are in scope.
    pub(super) fn entered_signature(&mut self, id: SignatureId) {
        let signature = self.context.get_signature(id);
        let depths = signature.parameters.chunk_by(|first, second| first.depth == second.depth);
        let levels: Vec<&[GenericParameter]> = depths.collect();
        let mut left: Vec<&Requirement> = signature.requirements.iter().collect();
        for (number, level) in levels.iter().enumerate() {
            let is_last = number + 1 == levels.len();
            let depth = level.first().map_or(0, |parameter| parameter.depth);
            let belongs = |requirement: &&Requirement| is_last || self.depth_of(requirement).unwrap_or(0) <= depth;
            let (own, others) = left.into_iter().partition(belongs);
            left = others;
            self.signature_level(level, own);
        }
        if levels.is_empty() {
            self.signature_level(&[], left);
        }
    }

    fn signature_level(&mut self, parameters: &[GenericParameter], requirements: Vec<&Requirement>) {
        self.text("<");
        self.list(parameters, |printer, parameter| printer.signature_parameter(*parameter));
        if !requirements.is_empty() {
            self.text(" where ");
            self.list(requirements, |printer, requirement| printer.requirement(requirement));
        }
        self.text(">");
    }

    /// The depth of the innermost parameter that a requirement names.
    fn depth_of(&self, requirement: &Requirement) -> Option<u32> {
        match requirement {
            Requirement::Conformance { subject, .. }
            | Requirement::Layout { subject, .. }
            | Requirement::Inverse { subject, .. } => self.parameter_depth(*subject),
            Requirement::SameType { first, second }
            | Requirement::Superclass { subject: first, superclass: second } => {
                self.parameter_depth(*first).max(self.parameter_depth(*second))
            }
        }
    }

    fn parameter_depth(&self, ty: TypeId) -> Option<u32> {
        match self.context.get(ty) {
            Type::GenericParameter { depth, .. } | Type::NamedParameter { depth, .. } => Some(*depth),
            Type::DependentMember { base, .. } => self.parameter_depth(*base),
            Type::PackElement(inner) | Type::PackExpansion { pattern: inner } => self.parameter_depth(*inner),
            Type::Tuple(elements) => elements.iter().filter_map(|element| self.parameter_depth(element.ty)).max(),
            Type::Nominal(nominal) => {
                nominal.arguments.iter().chain(&nominal.parent).filter_map(|ty| self.parameter_depth(*ty)).max()
            }
            _ => None,
        }
    }

    fn signature_parameter(&mut self, parameter: GenericParameter) {
        match parameter.kind {
            GenericParameterKind::Type => self.parameter(parameter.depth, parameter.index),
            GenericParameterKind::Pack => {
                self.text("each ");
                self.parameter(parameter.depth, parameter.index);
            }
            GenericParameterKind::Value(ty) => {
                self.text("let ");
                self.parameter(parameter.depth, parameter.index);
                self.text(" : ");
                self.formal_type(ty);
            }
        }
    }

    fn requirement(&mut self, requirement: &Requirement) {
        match requirement {
            Requirement::Conformance { subject, constraint: second }
            | Requirement::Superclass { subject, superclass: second } => {
                self.subject(*subject);
                self.text(" : ");
                self.formal_type(*second);
            }
            Requirement::SameType { first, second } => {
                self.formal_type(*first);
                self.text(" == ");
                self.formal_type(*second);
            }
            Requirement::Layout { subject, constraint } => {
                self.subject(*subject);
                self.text(" : ");
                self.layout(constraint);
            }
            Requirement::Inverse { subject, inverse } => {
                self.subject(*subject);
                self.text(" : ");
                self.inverse(*inverse);
            }
        }
    }

    /// Writes the subject of a requirement: `T`, `repeat each T` for a parameter pack.
    fn subject(&mut self, ty: TypeId) {
        let position = match self.context.get(ty) {
            Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. } => (*depth, *index),
            _ => return self.formal_type(ty),
        };
        let mut inner = self.parameters.iter().rev();
        let found = inner.find(|parameter| (parameter.depth, parameter.index) == position);
        let pack = found.is_some_and(|parameter| parameter.kind == GenericParameterKind::Pack);
        self.text(if pack { "repeat each " } else { "" });
        self.formal_type(ty);
    }

    fn layout(&mut self, constraint: &LayoutConstraint) {
        match constraint {
            LayoutConstraint::Class(AnyObject) => self.any_object(),
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
            LayoutConstraint::TrivialStride(stride) => self.number(format_args!("_TrivialStride({stride})")),
        }
    }

    /// Brings the parameters of a signature into scope; the caller takes them out again.
    pub(super) fn enter(&mut self, signature: SignatureId) {
        self.parameters.extend(&self.context.get_signature(signature).parameters);
    }

    /// The same of the signature of a function type: parameters without names have the names of those at their
    /// positions around it (`SILFunction::print` in lib/SIL/IR/SILPrinter.cpp).
    pub(super) fn enter_with_names_around(&mut self, signature: SignatureId) {
        let parameters = self.context.get_signature(signature).parameters.iter();
        let named = |parameter: &GenericParameter| {
            let around = || self.name_of_parameter(parameter.depth, parameter.index);
            GenericParameter { name: parameter.name.or_else(around), ..*parameter }
        };
        let parameters: Vec<GenericParameter> = parameters.map(named).collect();
        self.parameters.extend(parameters);
    }

    fn name_of_parameter(&self, depth: u32, index: u32) -> Option<Name> {
        let mut inner = self.parameters.iter().rev();
        let found = inner.find(|parameter| (parameter.depth, parameter.index) == (depth, index));
        found.and_then(|parameter| parameter.name)
    }

    /// Writes the generic parameter at a position: by its name where it has one here, else as `τ_0_0`.
    pub(super) fn parameter(&mut self, depth: u32, index: u32) {
        match self.name_of_parameter(depth, index) {
            Some(name) => self.name(name),
            None => self.number(format_args!("τ_{depth}_{index}")),
        }
    }

    /// Writes something in which the first parameter is called `Self`.
    pub(super) fn with_self(&mut self, write: impl FnOnce(&mut Self)) {
        let name = Some(self.context.name("Self"));
        self.parameters.push(GenericParameter { name, depth: 0, index: 0, kind: GenericParameterKind::Type });
        write(self);
        self.parameters.pop();
    }
}

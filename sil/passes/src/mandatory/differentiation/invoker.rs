//! The invoker of differentiation, and so the place where its failure is reported
//! (lib/SILOptimizer/Differentiation/DifferentiationInvoker.cpp; `emitNondifferentiabilityError` of
//! include/swift/SILOptimizer/Differentiation/ADContext.h). Does not own: the messages of the reasons.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, Function, InstructionId, Module, SourcePlace, Value};
use sil_ir::source::Span;

use crate::messages::findings::source_place;

/// A place in the SIL text, and in the Swift source if that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) span: Span,
    pub(super) place: Option<SourcePlace>,
}

impl Location {
    /// Returns the location of a function.
    pub(super) fn of_function(module: &Module, function: &Function) -> Self {
        Self { span: function.span, place: module.place_of_function(function.name) }
    }

    /// Returns the location of an instruction, or of its function for a compiler-generated one (`getValidLocation`).
    pub(super) fn of_instruction(module: &Module, function: &Function, body: &Body, id: InstructionId) -> Self {
        match source_place(body, id) {
            None => Self { span: body.instructions[id].span, ..Self::of_function(module, function) },
            place => Self { span: body.instructions[id].span, place },
        }
    }

    /// Returns the location of a value's definition, or of the function for its arguments.
    pub(super) fn of_value(module: &Module, function: &Function, body: &Body, value: Value) -> Self {
        match body.defining(value) {
            Some(id) => Self::of_instruction(module, function, body, id),
            None => Self::of_function(module, function),
        }
    }
}

/// The invoker of differentiation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Invoker {
    /// A conversion of a function to a differentiable one, at this place.
    Operator(Location),
    /// A call in a differentiated function.
    Call,
    /// A declaration of a differentiable function.
    Witness(Location),
}

impl Invoker {
    /// Reports that there is no derivative because of `reason` at `at`.
    pub(super) fn nondifferentiable(self, at: Location, reason: impl Into<String>) -> Box<Diagnostic> {
        let error = |message: &str, location: Location| {
            Diagnostic::error("not-differentiable", message, location.span).in_source(location.place)
        };
        let diagnostic = match self {
            Invoker::Operator(location) => error("function is not differentiable", location),
            Invoker::Call => error("expression is not differentiable", at),
            Invoker::Witness(location) => error("function is not differentiable", location).note_in_source(
                "when differentiating this function definition",
                Some(location.span),
                location.place,
            ),
        };
        Box::new(diagnostic.note_in_source(reason, Some(at.span), at.place))
    }
}

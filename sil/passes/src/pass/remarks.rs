//! Optimisation remarks (include/swift/SIL/OptimizationRemark.h) as values, which the command line prints.
//!
//! Does not own: the locations of inlined code. There are no remarks about code with a location in a Swift source.

use sil_ir::context::{Name, TypeId};
use sil_ir::model::{Function, Instruction};
use sil_ir::source::Span;

/// A remark about an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Whether the optimisation was performed.
    pub outcome: Outcome,
    /// The name of the pass in remarks.
    pub pass: &'static str,
    /// The name of the remark.
    pub name: &'static str,
    /// The function of the instruction.
    pub function: Name,
    /// The instruction.
    pub span: Span,
    /// The message, in parts.
    pub parts: Vec<RemarkPart>,
}

/// Whether an optimisation was performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was performed.
    Passed,
    /// It was not possible.
    Missed,
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemarkPart {
    /// Plain text.
    Text(&'static str),
    /// A function: its key in the remark, its symbol, and the place of its declaration.
    Function(&'static str, Name, Span),
    /// A type, with its key in the remark.
    Type(&'static str, TypeId),
}

impl Remark {
    /// Creates a remark about `instruction` of `function`. Returns `None` if its location is in a Swift source, which
    /// may not be available.
    pub(crate) fn new(
        (outcome, pass, name): (Outcome, &'static str, &'static str),
        function: &Function,
        instruction: &Instruction,
        parts: Vec<RemarkPart>,
    ) -> Option<Self> {
        let is_in_source = instruction.location.is_some_and(|location| location.place.is_some() || location.automatic);
        (!is_in_source).then_some(Self { outcome, pass, name, function: function.name, span: instruction.span, parts })
    }
}

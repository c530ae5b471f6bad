//! What optimisations did, or could not do, told to those who tune a program (include/swift/SIL/OptimizationRemark.h): values, to be written by the
//! command line.
//!
//! Does not own: where remarks of inlined code are shown; nothing is remarked of code that names its place in a Swift source.

use crate::context::{Name, TypeId};
use crate::model::{Function, Instruction};
use crate::source::Span;

/// A remark about an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Whether something was done.
    pub outcome: Outcome,
    /// The pass, by the name that it has in remarks.
    pub pass: &'static str,
    /// What was or was not done.
    pub name: &'static str,
    /// The function of the instruction.
    pub function: Name,
    /// The instruction.
    pub span: Span,
    /// The message, in parts.
    pub parts: Vec<RemarkPart>,
}

/// Whether an optimisation did what it could have done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It did.
    Passed,
    /// It could not.
    Missed,
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemarkPart {
    /// Words.
    Text(&'static str),
    /// A function: what it is to the remark, its symbol, where it is declared.
    Function(&'static str, Name, Span),
    /// A type, and what it is to the remark.
    Type(&'static str, TypeId),
}

impl Remark {
    /// A remark about `instruction` of `function`; none where its place is in a Swift source, which need not be at hand.
    pub(in crate::transform) fn new(
        (outcome, pass, name): (Outcome, &'static str, &'static str),
        function: &Function,
        instruction: &Instruction,
        parts: Vec<RemarkPart>,
    ) -> Option<Self> {
        let is_in_source = instruction.location.is_some_and(|location| location.place.is_some() || location.automatic);
        (!is_in_source).then_some(Self { outcome, pass, name, function: function.name, span: instruction.span, parts })
    }
}

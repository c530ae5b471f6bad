//! The reasons why a value is unknown, and their messages (include/swift/SIL/SILConstants.h, `UnknownReason`;
//! include/swift/AST/DiagnosticsSIL.def).

use sil_ir::model::{Body, InstructionId, SourcePlace};
use sil_ir::source::Span;
use sil_ir::symbols::{Style, demangle_as};
use std::rc::Rc;

use crate::messages::findings::source_place;

/// The result of a step, or the reason why it has none.
pub(crate) type Evaluated<T> = Result<T, Rc<Unknown>>;

/// The reason why a value is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum UnknownReason {
    /// No specific reason.
    Default,
    /// The evaluation exceeds this number of instructions.
    TooManyInstructions(u32),
    /// Control reaches a block again.
    Loop,
    Overflow,
    /// The program traps with this message.
    Trap(String),
    /// An operand has an invalid value.
    InvalidOperandValue,
    /// An unsupported instruction, with its name.
    UnsupportedInstruction(String),
    /// The function with this symbol has no body in this module.
    CalleeImplementationUnknown(String),
    /// The function with this symbol has a non-constant argument with this index.
    CallArgumentUnknown(String, usize),
    /// The value was not evaluated.
    UntrackedValue,
    /// The outcome of a cast is only known at run time.
    UnknownCastResult,
    /// The conformance of a type to the protocol of the method with this name is unknown.
    UnknownWitnessMethodConformance(String),
    /// The witness table is not available, or has no entry for the method with this name.
    NoWitnessTableEntry(String),
    /// Memory outside of executed functions is not initialised with one constant.
    NotTopLevelConstant,
    /// Memory outside of executed functions is written more than once.
    MultipleTopLevelWriters,
    /// The result of a skipped instruction.
    ReturnedByUnevaluatedInstruction,
    /// Memory that a skipped instruction may have written.
    MutatedByUnevaluatedInstruction,
}

impl UnknownReason {
    /// Returns whether the value is unknown because an instruction was skipped.
    pub(crate) fn is_unevaluated(&self) -> bool {
        matches!(self, UnknownReason::ReturnedByUnevaluatedInstruction | UnknownReason::MutatedByUnevaluatedInstruction)
    }

    /// Returns whether the program ends, or the evaluation has to stop.
    pub(crate) fn stops(&self) -> bool {
        matches!(self, UnknownReason::TooManyInstructions(_) | UnknownReason::Overflow | UnknownReason::Trap(_))
    }

    /// Returns the message about the whole evaluation, and the one at the place of the reason.
    fn messages(&self) -> (String, Option<&'static str>) {
        let name = |symbol: &str| demangle_as(symbol, Style::Simplified).unwrap_or_else(|| symbol.to_owned());
        let (whole, place) = match self {
            UnknownReason::Default => {
                ("cannot evaluate expression as constant here".into(), "cannot constant evaluate operation")
            }
            UnknownReason::TooManyInstructions(limit) => (
                format!("exceeded instruction limit: {limit} when evaluating the expression at compile time"),
                "limit exceeded here",
            ),
            UnknownReason::Loop => ("control-flow loop found during evaluation ".into(), "found loop here"),
            UnknownReason::Overflow => ("integer overflow detected".into(), "operation overflows"),
            UnknownReason::Trap(message) => (message.clone(), "operation traps"),
            UnknownReason::InvalidOperandValue => (
                "operation with invalid operands encountered during evaluation".into(),
                "operation with invalid operands encountered here",
            ),
            UnknownReason::UnsupportedInstruction(instruction) => (
                format!("encountered operation not supported by the evaluator: {instruction}"),
                "operation not supported by the evaluator",
            ),
            UnknownReason::CalleeImplementationUnknown(symbol) => {
                let name = name(symbol);
                let whole = format!(
                    "encountered call to '{name}' whose body is not available. Imported functions must be marked '@inlinable' \
                     to constant evaluate"
                );
                (whole, "function whose body is not available")
            }
            UnknownReason::CallArgumentUnknown(symbol, argument) => {
                let (name, ordinal) = (name(symbol), ordinal(argument + 1));
                let whole = format!("encountered call to '{name}' where the {ordinal} argument is not a constant");
                (whole, "function call with non-constant arguments")
            }
            UnknownReason::UntrackedValue => {
                ("encountered use of a variable not tracked by the evaluator".into(), "untracked variable used here")
            }
            UnknownReason::UnknownCastResult => {
                ("encountered an unevaluable cast".into(), "unevaluable cast encountered here")
            }
            UnknownReason::UnknownWitnessMethodConformance(method) => (
                format!("encountered unresolvable witness method call: '{method}'"),
                "cannot find concrete conformance for this call",
            ),
            UnknownReason::NoWitnessTableEntry(method) => (
                format!("encountered unresolvable witness method call: '{method}'"),
                "cannot find witness table entry for this call",
            ),
            UnknownReason::NotTopLevelConstant => {
                return ("cannot evaluate top-level value as constant here".into(), None);
            }
            UnknownReason::MultipleTopLevelWriters => {
                return ("top-level value has multiple assignments".into(), None);
            }
            UnknownReason::ReturnedByUnevaluatedInstruction => {
                return ("result of an unevaluated instruction is not a constant".into(), None);
            }
            UnknownReason::MutatedByUnevaluatedInstruction => {
                return ("value mutable by an unevaluated instruction is not a constant".into(), None);
            }
        };
        (whole, Some(place))
    }
}

/// Returns an ordinal: `1st`, `2nd`, `3rd`, `4th`.
fn ordinal(number: usize) -> String {
    let suffix = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

/// A position in the SIL and in the Swift source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) span: Span,
    pub(crate) source: Option<SourcePlace>,
}

impl Place {
    pub(crate) fn of(body: &Body, id: InstructionId) -> Self {
        Self { span: body.instructions[id].span, source: source_place(body, id) }
    }
}

/// An unknown value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unknown {
    pub(crate) reason: UnknownReason,
    /// The instruction with the reason, or `None` for function arguments.
    pub(super) place: Option<Place>,
    /// The calls that lead to it, the outermost one first.
    pub(super) calls: Vec<Place>,
}

impl Unknown {
    /// Returns the notes of the reason, each with its place. Notes without a place of their own are placed at
    /// `fallback`.
    pub(crate) fn notes(&self, fallback: Place) -> Vec<(Place, String)> {
        let outermost = self.calls.first().copied().or(self.place).unwrap_or(fallback);
        // Library code has no place in the program's source.
        let is_shown = |place: &Place| place.source.is_some() || outermost.source.is_none();
        let inner = self.place.filter(|place| *place != outermost && is_shown(place));
        let (whole, detail) = self.reason.messages();
        // Errors outside of executed functions are reported at their own place.
        let is_outside =
            matches!(self.reason, UnknownReason::NotTopLevelConstant | UnknownReason::MultipleTopLevelWriters);
        let at = if is_outside { inner.unwrap_or(outermost) } else { outermost };
        let mut notes = vec![(at, whole)];
        notes.extend(inner.zip(detail).map(|(place, detail)| (place, detail.to_owned())));
        notes
    }
}

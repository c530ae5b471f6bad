//! Why the evaluator does not know a value, and how that is said (include/swift/SIL/SILConstants.h, `UnknownReason`;
//! include/swift/AST/DiagnosticsSIL.def).

use std::rc::Rc;

use crate::model::{Body, InstructionId, SourcePlace};
use crate::source::Span;
use crate::symbols::{Style, demangle_as};
use crate::transform::messages::findings::source_place;

/// What a step gives, or why it gives nothing.
pub(in crate::transform) type Evaluated<T> = Result<T, Rc<Unknown>>;

/// Why something is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::transform) enum UnknownReason {
    /// Nothing tells.
    Default,
    /// More instructions would have to be evaluated than may be: so many.
    TooManyInstructions(u32),
    /// Control comes to a block again.
    Loop,
    Overflow,
    /// The program stops with this message.
    Trap(String),
    /// A step has an operand that it cannot have.
    InvalidOperandValue,
    /// An instruction that is not evaluated, with this name.
    UnsupportedInstruction(String),
    /// The function with this symbol has no body here.
    CalleeImplementationUnknown(String),
    /// The function with this symbol gets an argument that is no constant: the number of the argument.
    CallArgumentUnknown(String, usize),
    /// A value that was not evaluated.
    UntrackedValue,
    /// Only the running program knows how a cast ends.
    UnknownCastResult,
    /// Nothing tells how a type conforms to the protocol of the method with this name.
    UnknownWitnessMethodConformance(String),
    /// The table of a conformance is not at hand, or does not have the method with this name.
    NoWitnessTableEntry(String),
    /// Memory outside of evaluated functions is not initialised by one constant.
    NotTopLevelConstant,
    /// Memory outside of evaluated functions is written more than once.
    MultipleTopLevelWriters,
    /// The result of an instruction that was passed over.
    ReturnedByUnevaluatedInstruction,
    /// Memory that an instruction may have changed which was passed over.
    MutatedByUnevaluatedInstruction,
}

impl UnknownReason {
    /// Whether an instruction was passed over.
    pub(in crate::transform) fn is_unevaluated(&self) -> bool {
        matches!(self, UnknownReason::ReturnedByUnevaluatedInstruction | UnknownReason::MutatedByUnevaluatedInstruction)
    }

    /// Whether the program would end, or evaluation has to.
    pub(in crate::transform) fn stops(&self) -> bool {
        matches!(self, UnknownReason::TooManyInstructions(_) | UnknownReason::Overflow | UnknownReason::Trap(_))
    }

    /// What is said of the evaluation as a whole, and of the place in it.
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

/// `1st`, `2nd`, `3rd`, `4th`.
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

/// A place in the SIL and in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) struct Place {
    pub(in crate::transform) span: Span,
    pub(in crate::transform) source: Option<SourcePlace>,
}

impl Place {
    pub(in crate::transform) fn of(body: &Body, id: InstructionId) -> Self {
        Self { span: body.instructions[id].span, source: source_place(body, id) }
    }
}

/// A value that is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::transform) struct Unknown {
    pub(in crate::transform) reason: UnknownReason,
    /// The instruction for which that is so; none for arguments of functions.
    pub(super) place: Option<Place>,
    /// The calls that led there, the outermost one first.
    pub(super) calls: Vec<Place>,
}

impl Unknown {
    /// What is to be said of it, each at its place. What says nothing of its place is said at `fallback`.
    pub(in crate::transform) fn notes(&self, fallback: Place) -> Vec<(Place, String)> {
        let outermost = self.calls.first().copied().or(self.place).unwrap_or(fallback);
        // What a library does stands nowhere in a program.
        let is_shown = |place: &Place| place.source.is_some() || outermost.source.is_none();
        let inner = self.place.filter(|place| *place != outermost && is_shown(place));
        let (whole, detail) = self.reason.messages();
        // What is wrong outside of evaluated functions is so where it is.
        let is_outside =
            matches!(self.reason, UnknownReason::NotTopLevelConstant | UnknownReason::MultipleTopLevelWriters);
        let at = if is_outside { inner.unwrap_or(outermost) } else { outermost };
        let mut notes = vec![(at, whole)];
        notes.extend(inner.zip(detail).map(|(place, detail)| (place, detail.to_owned())));
        notes
    }
}

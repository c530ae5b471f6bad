//! The errors in the lifetimes of values, as values, and silc's words for them. Swift's words are in `swift_words`.

use sil_analysis::{OperandOwnership, Use};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{BlockId, Ownership, Value};

use super::lifetimes::{Broken, Fault, Placement};
use super::{OwnershipVerifier, kind_words};

/// An error in the lifetime of a value.
pub(super) enum Finding {
    /// An operand cannot take a value of this kind.
    Operand { found: Use, kind: Ownership, does: OperandOwnership },
    /// A use ends the borrow scope of `value` with a part of the borrowed value.
    EndOfPart { value: Value, found: Use },
    /// The function ends the lifetime of an argument that its caller lends it.
    BorrowedArgument { value: Value, ending: Vec<Use> },
    /// A borrowed block argument continues a borrow scope on some paths alone.
    MixedPhi(Value),
    /// Nothing ends the lifetime of the value.
    NeverEnded(Value),
    /// It is ended where or when it must not be.
    Lifetime(Broken),
}

impl OwnershipVerifier<'_, '_> {
    /// Reports the findings, each once: a value may be examined for others that live within it, too.
    pub(super) fn report(&mut self, findings: Vec<Finding>) {
        let mut said: Vec<Diagnostic> = Vec::new();
        for diagnostic in findings.iter().flat_map(|finding| self.worded(finding)) {
            let is_same = |other: &Diagnostic| {
                (other.code, other.span, &other.message) == (diagnostic.code, diagnostic.span, &diagnostic.message)
            };
            if !said.iter().any(is_same) {
                said.push(diagnostic);
            }
        }
        said.into_iter().for_each(|diagnostic| self.verifier.report(diagnostic));
    }

    fn worded(&self, finding: &Finding) -> Vec<Diagnostic> {
        match finding {
            Finding::Operand { found, kind, does } => vec![self.rejected_operand(*found, *kind, *does)],
            Finding::EndOfPart { value, found } => {
                let message = "a borrow scope ends with what was borrowed itself, not with a part of it";
                let diagnostic = Diagnostic::error("end-borrow", message, self.analyses.span(*found));
                vec![diagnostic.note("the scope begins here", self.verifier.definition_span(*value))]
            }
            Finding::BorrowedArgument { value, ending } => {
                let message = "a borrowed argument belongs to the caller: its lifetime cannot be ended here";
                let first = ending.iter().min_by_key(|found| self.analyses.span(**found).start);
                let span = first.map_or(self.definition(*value), |found| self.analyses.span(*found));
                let diagnostic = Diagnostic::error("borrowed-argument", message, span);
                vec![diagnostic.note("it is defined here", self.verifier.definition_span(*value))]
            }
            Finding::MixedPhi(value) => {
                let message = "a borrowed block argument must continue a borrow scope on every path, or on none";
                vec![Diagnostic::error("borrowed-phi", message, self.definition(*value))]
            }
            Finding::NeverEnded(value) => {
                let (code, message) = match self.analyses.kinds.kind(*value) {
                    Ownership::Owned => ("leak", "this owned value is never consumed, so it leaks"),
                    _ => ("unended-borrow", "the borrow scope that begins here never ends"),
                };
                vec![Diagnostic::error(code, message, self.definition(*value))]
            }
            Finding::Lifetime(broken) => self.worded_lifetime(broken),
        }
    }

    fn rejected_operand(&self, found: Use, kind: Ownership, does: OperandOwnership) -> Diagnostic {
        let name = self.analyses.opcode(found.user).name();
        let wanted = match does {
            OperandOwnership::Trivial => "a value without ownership",
            OperandOwnership::Consume | OperandOwnership::ForwardOwned => "an owned value, which it consumes",
            OperandOwnership::EndBorrow | OperandOwnership::Reborrow => "a borrowed value, whose scope it ends",
            OperandOwnership::InteriorPointer | OperandOwnership::ForwardBorrowed => "a borrowed value",
            _ => "an owned or borrowed value",
        };
        let is = kind_words(kind);
        let message = format!("operand {} of `{name}` must be {wanted}, but it is {is}", found.operand + 1);
        let definition = self.verifier.definition_span(found.value(self.analyses.body));
        let diagnostic = Diagnostic::error("ownership-kind", message, self.analyses.span(found));
        diagnostic.note("it is defined here", definition)
    }

    /// The first fault of each sort: the others follow from it.
    fn worded_lifetime(&self, broken: &Broken) -> Vec<Diagnostic> {
        let over = broken.faults.iter().find(|fault| matches!(fault, Fault::OverConsumed { .. }));
        let outside = broken.faults.iter().find(|fault| matches!(fault, Fault::Outside { .. }));
        let leak = broken.faults.iter().find(|fault| matches!(fault, Fault::Leak(_)));
        let first = [over, outside, leak].into_iter().flatten();
        first.map(|fault| self.worded_fault(broken, fault)).collect()
    }

    /// The use that ends an ended lifetime, and the one in `block` that ended it first: of two in one block the later
    /// is at fault.
    fn two_ends(&self, broken: &Broken, end: Option<Use>, block: BlockId) -> (Option<Use>, Option<Use>) {
        let end = end.or(broken.ending.first().copied());
        let other = broken.ending.iter().find(|other| self.block(**other) == block && Some(**other) != end).copied();
        let position = |found: Use| self.analyses.position(found.user);
        match (end, other) {
            (Some(first), Some(second)) if self.block(first) == block && position(first) < position(second) => {
                (other, end)
            }
            _ => (end, other),
        }
    }

    fn worded_fault(&self, broken: &Broken, fault: &Fault) -> Diagnostic {
        let value = broken.value;
        let borrowed = self.analyses.kinds.kind(value) == Ownership::Guaranteed;
        let definition = self.verifier.definition_span(value);
        match fault {
            Fault::OverConsumed { end, block, .. } => {
                let message = match borrowed {
                    true => "the borrow scope ends more than once on a path",
                    false => "the value is consumed more than once on a path",
                };
                let (end, other) = self.two_ends(broken, *end, *block);
                let span = end.map_or(self.definition(value), |end| self.analyses.span(end));
                let mut diagnostic = Diagnostic::error("over-consume", message, span);
                if let Some(other) = other {
                    let note = if borrowed { "it also ends here" } else { "it is also consumed here" };
                    diagnostic = diagnostic.note(note, Some(self.analyses.span(other)));
                }
                diagnostic.note("it is defined here", definition)
            }
            Fault::Outside { found, placement } => {
                let name = self.analyses.opcode(found.user).name();
                let message = match borrowed {
                    true => format!("`{name}` uses a borrowed value outside of its borrow scope"),
                    false => format!("`{name}` uses a value outside of its lifetime"),
                };
                let mut diagnostic = Diagnostic::error("use-after-consume", message, self.analyses.span(*found));
                let end = match placement {
                    Placement::AfterEnd(end) => Some(*end),
                    Placement::BeforeDefinition => None,
                    Placement::OtherBlock | Placement::Unreached => broken.ending.first().copied(),
                };
                if let Some(end) = end {
                    let note = if borrowed { "the scope ends here" } else { "the value is consumed here" };
                    diagnostic = diagnostic.note(note, Some(self.analyses.span(end)));
                }
                diagnostic.note("it is defined here", definition)
            }
            Fault::Leak(blocks) => {
                let (code, message) = match borrowed {
                    true => ("unended-borrow", "the borrow scope does not end on every path"),
                    false => ("leak", "the value is not consumed on every path, so it leaks"),
                };
                let place = blocks.iter().min().and_then(|block| self.analyses.body.blocks[*block].span);
                let span = definition.unwrap_or(self.verifier.function.span);
                Diagnostic::error(code, message, span).note("on the path through this block", place)
            }
        }
    }
}

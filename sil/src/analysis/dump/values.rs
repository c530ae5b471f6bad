//! Uses and ownership as text.

use super::Dumper;
use crate::analysis::{ControlFlowGraph, OperandOwnership, OwnershipKinds, Use, Uses};
use crate::model::Ownership;

impl Dumper<'_, '_> {
    pub(super) fn uses(&mut self) {
        let uses = Uses::new(self.body);
        for value in self.values() {
            let definition = self.text.definition(value);
            self.line(format_args!("  {}: {definition}", self.text.value(value)));
            for found in uses.of(value) {
                let user = self.text.instruction(found.user);
                self.line(format_args!("    operand {} of {user}", found.operand));
            }
        }
    }

    pub(super) fn ownership(&mut self) {
        let cfg = ControlFlowGraph::new(self.body);
        let kinds = OwnershipKinds::new(self.queries, self.function, self.body, &cfg);
        for value in self.values() {
            let kind = ownership_name(kinds.kind(value));
            let scope = if kinds.begins_scope(value) { ", begins a borrow scope" } else { "" };
            self.line(format_args!("  {}: {kind}{scope}", self.text.value(value)));
        }
        for user in self.instructions() {
            for (operand, value) in (0..).zip(self.body.operands(user)) {
                let what = operand_name(kinds.operand(Use { user, operand }));
                let value = self.text.value(*value);
                let user = self.text.instruction(user);
                self.line(format_args!("  {user}: operand {operand} ({value}): {what}"));
            }
        }
    }
}

fn ownership_name(kind: Ownership) -> &'static str {
    match kind {
        Ownership::None => "none",
        Ownership::Owned => "owned",
        Ownership::Guaranteed => "guaranteed",
        Ownership::Unowned => "unowned",
    }
}

fn operand_name(what: OperandOwnership) -> &'static str {
    match what {
        OperandOwnership::Trivial => "trivial",
        OperandOwnership::Instantaneous => "instantaneous",
        OperandOwnership::InstantaneousOrUnowned => "instantaneous or unowned",
        OperandOwnership::Escape => "escape",
        OperandOwnership::ForwardUnowned => "forward unowned",
        OperandOwnership::Borrow => "borrow",
        OperandOwnership::Consume => "consume",
        OperandOwnership::ForwardOwned => "forward owned",
        OperandOwnership::InteriorPointer => "interior pointer",
        OperandOwnership::ForwardBorrowed => "forward borrowed",
        OperandOwnership::EndBorrow => "end borrow",
        OperandOwnership::Reborrow => "reborrow",
        OperandOwnership::Mention => "mention",
    }
}

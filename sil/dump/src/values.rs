//! Uses, ownership and dependences of values as text.

use sil_analysis::{ControlFlowGraph, DependenceKind, OperandOwnership, OwnershipKinds, Use, Uses, ValueDependence};
use sil_ir::model::Ownership;

use super::{Dumper, listed};

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

impl Dumper<'_, '_> {
    pub(super) fn dependences(&mut self) {
        let view = self.view();
        let dependence = ValueDependence::new(&view);
        for value in self.values() {
            let needed = dependence.dependences(value);
            let introducers = dependence.borrow_introducers(value);
            if needed.is_empty() && introducers.is_empty() {
                continue;
            }
            self.line(format_args!("  {}", self.text.definition(value)));
            for (kind, other) in needed {
                self.line(format_args!("    {} {}", dependence_name(kind), self.text.value(other)));
            }
            for (what, values) in [("borrow introducers", introducers), ("roots", dependence.roots(value))] {
                let values = listed(values.iter().map(|value| self.text.value(*value)));
                self.line(format_args!("    {what}: {values}"));
            }
        }
    }
}

fn dependence_name(kind: DependenceKind) -> &'static str {
    match kind {
        DependenceKind::Borrow => "borrowed from",
        DependenceKind::Marked => "marked as dependent on",
        DependenceKind::Interior => "interior of",
        DependenceKind::Captured => "captures",
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

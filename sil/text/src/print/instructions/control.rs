//! Writes branches, switches and run-time checks.

use sil_ir::model::{BlockId, DefaultCase, Details, InstructionId, Value};

use super::BodyPrinter;

impl BodyPrinter<'_, '_> {
    fn branch(&mut self, target: BlockId, arguments: &[Value]) {
        self.target(target);
        if !arguments.is_empty() {
            self.bracketed_values(arguments);
        }
    }

    pub(super) fn br(&mut self, id: InstructionId) {
        self.branch(self.body.targets(id)[0], self.operands(id));
    }

    pub(super) fn cond_br(&mut self, id: InstructionId) {
        let Details::CondBranch { true_arguments, counts } = self.details(id) else { return };
        let operands = self.operands(id);
        let (taken, other) = operands[1..].split_at(*true_arguments as usize);
        let targets = self.body.targets(id);
        self.printer.space();
        self.untyped(operands[0]);
        self.printer.text(",");
        self.branch(targets[0], taken);
        self.printer.text(",");
        self.branch(targets[1], other);
        self.count("true_count", counts[0]);
        self.count("false_count", counts[1]);
    }

    pub(super) fn yield_values(&mut self, id: InstructionId) {
        let targets = self.body.targets(id);
        self.printer.space();
        match self.operands(id) {
            [only] => self.value(*only),
            values => self.bracketed_values(values),
        }
        self.printer.text(", resume");
        self.target(targets[0]);
        self.printer.text(", unwind");
        self.target(targets[1]);
    }

    pub(super) fn switch_value(&mut self, id: InstructionId) {
        let Details::SwitchValue { default } = self.details(id) else { return };
        let operands = self.operands(id);
        let targets = self.body.targets(id);
        self.printer.space();
        self.value(operands[0]);
        for (value, target) in operands[1..].iter().zip(targets) {
            self.printer.text(", case ");
            self.untyped(*value);
            self.printer.text(":");
            self.target(*target);
        }
        if *default == DefaultCase::Present {
            self.printer.text(", default");
            self.target(targets[targets.len() - 1]);
        }
    }

    pub(super) fn switch_enum(&mut self, id: InstructionId) {
        let Details::EnumCases(cases) = self.details(id) else { return };
        let targets = self.body.targets(id);
        self.printer.space();
        self.value(self.operands(id)[0]);
        let count = |index: usize| cases.counts.get(index).copied().flatten();
        for (index, (member, target)) in cases.members.iter().zip(targets).enumerate() {
            self.printer.text(", case ");
            self.printer.member(*member);
            self.printer.text(":");
            self.target(*target);
            self.count("case_count", count(index));
        }
        if cases.default == DefaultCase::Present {
            self.printer.text(", default");
            self.target(targets[targets.len() - 1]);
            self.count("default_count", count(targets.len() - 1));
        }
        self.forwarding(id);
    }

    pub(super) fn await_async_continuation(&mut self, id: InstructionId) {
        self.printer.space();
        self.value(self.operands(id)[0]);
        for (word, target) in ["resume", "error"].into_iter().zip(self.body.targets(id)) {
            self.printer.number(format_args!(", {word}"));
            self.target(*target);
        }
    }

    pub(super) fn cond_fail(&mut self, id: InstructionId) {
        self.printer.space();
        self.value(self.operands(id)[0]);
        if let Details::Message(message) = self.details(id) {
            self.printer.text(", ");
            self.printer.quoted(message);
        }
    }

    pub(super) fn increment_profiler_counter(&mut self, id: InstructionId) {
        let Details::ProfilerCounter { index, name, count, hash } = self.details(id) else { return };
        self.printer.number(format_args!(" {index}, "));
        self.printer.quoted(self.printer.context.text(*name));
        self.printer.number(format_args!(", num_counters {count}, hash {hash}"));
    }
}

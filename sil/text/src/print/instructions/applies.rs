//! Writes apply sites, builtins, method lookups and differentiation.

use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Details, InstructionId};

use super::BodyPrinter;

impl BodyPrinter<'_, '_> {
    pub(super) fn apply(&mut self, id: InstructionId) {
        let Details::Apply(apply) = self.details(id) else { return };
        self.attributes(
            id,
            &[
                Attribute::NoThrow,
                Attribute::NoAsync,
                Attribute::CalleeGuaranteed,
                Attribute::Isolated,
                Attribute::CalledAtMostOnce,
                Attribute::CalledExactlyOnce,
                Attribute::OnStack,
                Attribute::Identity,
            ],
        );
        if let Some((callee, caller)) = apply.isolation {
            for (word, isolation) in [("callee_isolation", callee), ("caller_isolation", caller)] {
                let text = self.printer.context.text(isolation);
                if !text.is_empty() {
                    self.printer.number(format_args!(" [{word}={text}]"));
                }
            }
        }
        self.printer.space();
        let operands = self.operands(id);
        self.untyped(operands[0]);
        self.printer.sugared(apply.sugar, |printer| printer.substitutions(apply.substitutions));
        self.untyped_values(&operands[1..]);
        self.printer.text(" : ");
        self.printer.sil_type(apply.callee_type);
        if self.body.instructions[id].opcode == Opcode::TryApply {
            let targets = self.body.targets(id);
            self.printer.text(", normal");
            self.target(targets[0]);
            self.printer.text(", error");
            self.target(targets[1]);
        }
    }

    pub(super) fn end_apply(&mut self, id: InstructionId) {
        self.printer.space();
        self.untyped(self.operands(id)[0]);
        self.printer.text(" as ");
        if let Some(result) = self.body.result(id) {
            self.printer.sil_type(self.body.ty(result));
        }
    }

    pub(super) fn builtin(&mut self, id: InstructionId) {
        let Details::Builtin(builtin) = self.details(id) else { return };
        self.printer.space();
        self.printer.quoted(self.printer.context.text(builtin.name()));
        self.printer.substitutions(builtin.substitutions);
        self.bracketed_values(self.operands(id));
        self.printer.text(" :");
        self.written_type(id, 0);
    }

    pub(super) fn class_method(&mut self, id: InstructionId) {
        let Details::Method(method) = self.details(id) else { return };
        self.printer.space();
        self.value(self.operands(id)[0]);
        self.printer.text(", ");
        self.printer.member(method.member);
        let written = method.formal_type.map(|ty| (ty, method.sugar));
        if let Some(interface) = self.printer.interface(method.member, written) {
            self.printer.text(" : ");
            self.printer.interface_type(interface);
        }
        self.printer.text(",");
        self.written_type(id, 0);
    }

    pub(super) fn witness_method(&mut self, id: InstructionId) {
        let Details::Method(method) = self.details(id) else { return };
        if let Some(lookup) = method.lookup {
            self.printer.text(" $");
            self.printer.formal_type(lookup);
        }
        self.printer.text(", ");
        self.printer.member(method.member);
        let written = method.formal_type.map(|ty| (ty, method.sugar));
        if let Some(interface) = self.printer.interface(method.member, written) {
            self.printer.text(" : ");
            self.printer.interface_type(interface);
        }
        if let Some(operand) = self.operands(id).first() {
            self.printer.text(", ");
            self.typed(*operand);
        }
        self.printer.text(" :");
        self.written_type(id, 0);
    }

    pub(super) fn objc_protocol(&mut self, id: InstructionId) {
        if let Details::Words(words) = self.details(id) {
            self.printer.text(" #");
            self.printer.name(words[0]);
            self.printer.text(" :");
            self.written_type(id, 0);
        }
    }

    pub(super) fn init_block_storage_header(&mut self, id: InstructionId) {
        let Details::Apply(apply) = self.details(id) else { return };
        self.printer.space();
        let operands = self.operands(id);
        self.value(operands[0]);
        self.printer.text(", invoke ");
        self.untyped(operands[1]);
        self.printer.sugared(apply.sugar, |printer| printer.substitutions(apply.substitutions));
        self.printer.text(" : ");
        self.printer.sil_type(apply.callee_type);
        self.printer.text(", type");
        self.written_type(id, 0);
    }

    pub(super) fn differentiable_function(&mut self, id: InstructionId) {
        let Details::Differentiable(indices) = self.details(id) else { return };
        self.printer.differentiability_indices("parameters", &indices.parameters);
        if self.body.instructions[id].opcode == Opcode::DifferentiableFunction {
            self.printer.differentiability_indices("results", &indices.results);
        }
        self.printer.space();
        let operands = self.operands(id);
        self.value(operands[0]);
        match operands {
            [_, transpose] => {
                self.printer.text(" with_transpose ");
                self.value(*transpose);
            }
            [_, forward, reverse] => {
                self.printer.text(" with_derivative {");
                self.values(&[*forward, *reverse]);
                self.printer.text("}");
            }
            _ => {}
        }
        self.forwarding(id);
    }

    pub(super) fn differentiable_function_extract(&mut self, id: InstructionId) {
        let Details::Extractee(extractee) = self.details(id) else { return };
        self.printer.number(format_args!(" [{}] ", extractee.name()));
        self.value(self.operands(id)[0]);
        if !self.body.types(id).is_empty() {
            self.printer.text(" as");
            self.written_type(id, 0);
        }
        self.forwarding(id);
    }

    pub(super) fn differentiability_witness_function(&mut self, id: InstructionId) {
        let Details::DifferentiabilityWitness(extractee, configuration) = self.details(id) else { return };
        self.printer.number(format_args!(" [{}] ", extractee.name()));
        self.printer.derivative_configuration(configuration);
        if !self.body.types(id).is_empty() {
            self.printer.text(" as");
            self.written_type(id, 0);
        }
    }
}

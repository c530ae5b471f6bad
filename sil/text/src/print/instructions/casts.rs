//! Writes casts, aggregates, enums, allocations and conversions of ownership.

use sil_ir::context::Type;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Cast, CastConsumption, DefaultCase, Details, InstructionId, PackOpening};

use super::BodyPrinter;

impl BodyPrinter<'_, '_> {
    fn cast_start(&mut self, id: InstructionId, cast: &Cast) {
        self.attributes(id, &[Attribute::ProhibitIsolatedConformances, Attribute::Exact]);
        self.printer.text(match cast.consumption {
            None => "",
            Some(CastConsumption::TakeAlways) => " take_always",
            Some(CastConsumption::TakeOnSuccess) => " take_on_success",
            Some(CastConsumption::CopyOnSuccess) => " copy_on_success",
        });
        if let Some(source) = cast.source {
            // Swift's printer leaves room for the attributes of other casts here.
            let doubled = self.body.instructions[id].opcode == Opcode::UncheckedRefCastAddr;
            self.printer.text(if doubled { "  " } else { " " });
            self.printer.formal_type(source);
            self.printer.text(" in");
        }
        self.printer.space();
        self.value(self.operands(id)[0]);
        self.printer.text(" to ");
        self.printer.formal_type(cast.target);
    }

    fn cast_targets(&mut self, id: InstructionId, cast: &Cast) {
        for target in self.body.targets(id) {
            self.printer.text(",");
            self.target(*target);
        }
        for (word, count) in ["true_count", "false_count"].into_iter().zip(cast.counts) {
            self.count(word, count);
        }
    }

    pub(super) fn count(&mut self, word: &str, count: Option<u64>) {
        if let Some(count) = count {
            self.printer.number(format_args!(" !{word}({count})"));
        }
    }

    pub(super) fn cast_addr(&mut self, id: InstructionId) {
        let Details::Cast(cast) = self.details(id) else { return };
        self.cast_start(id, cast);
        self.printer.text(" in ");
        self.value(self.operands(id)[1]);
        self.cast_targets(id, cast);
    }

    pub(super) fn checked_cast_br(&mut self, id: InstructionId) {
        let Details::Cast(cast) = self.details(id) else { return };
        self.cast_start(id, cast);
        self.cast_targets(id, cast);
        self.forwarding(id);
    }

    pub(super) fn tuple(&mut self, id: InstructionId) {
        let ty = self.body.result(id).map(|result| self.body.ty(result));
        let labelled = ty.filter(|ty| match self.printer.context.get(ty.ty) {
            Type::Tuple(elements) => elements.iter().any(|element| element.label.is_some()),
            _ => true,
        });
        self.printer.space();
        match labelled {
            Some(ty) => {
                self.printer.sil_type(ty);
                self.printer.text(" ");
                self.untyped_values(self.operands(id));
            }
            None => self.bracketed_values(self.operands(id)),
        }
        self.forwarding(id);
    }

    pub(super) fn object(&mut self, id: InstructionId) {
        let Details::BaseElements(base) = self.details(id) else { return };
        self.written_type(id, 0);
        let (base, tail) = self.operands(id).split_at(*base as usize);
        self.printer.text(" (");
        self.values(base);
        if !tail.is_empty() {
            self.printer.text(if base.is_empty() { "[tail_elems] " } else { ", [tail_elems] " });
            self.values(tail);
        }
        self.printer.text(")");
    }

    pub(super) fn enumeration(&mut self, id: InstructionId) {
        let Details::Member(member) = self.details(id) else { return };
        self.written_type(id, 0);
        self.printer.text(", ");
        self.printer.member(*member);
        if let Some(payload) = self.operands(id).first() {
            self.printer.text(", ");
            self.value(*payload);
        }
        self.forwarding(id);
    }

    pub(super) fn select_enum(&mut self, id: InstructionId) {
        let Details::EnumCases(cases) = self.details(id) else { return };
        self.printer.space();
        let operands = self.operands(id);
        self.value(operands[0]);
        for (member, value) in cases.members.iter().zip(&operands[1..]) {
            self.printer.text(", case ");
            self.printer.member(*member);
            self.printer.text(": ");
            self.untyped(*value);
        }
        if cases.default == DefaultCase::Present {
            self.printer.text(", default ");
            self.untyped(operands[operands.len() - 1]);
        }
        self.printer.text(" :");
        self.written_type(id, 0);
        self.forwarding(id);
    }

    pub(super) fn alloc_ref(&mut self, id: InstructionId) {
        let Details::TailElements(count) = self.details(id) else { return };
        self.attributes(id, &[Attribute::Bare, Attribute::ObjC, Attribute::Stack]);
        let operands = self.operands(id);
        for (index, operand) in operands.iter().enumerate().take(*count as usize) {
            self.printer.text(" [tail_elems");
            self.written_type(id, index);
            self.printer.text(" * ");
            self.value(*operand);
            self.printer.text("]");
        }
        if self.body.instructions[id].opcode == Opcode::AllocRefDynamic {
            self.printer.space();
            self.value(operands[*count as usize]);
            self.printer.text(",");
        }
        self.written_type(id, *count as usize);
    }

    pub(super) fn assign_or_init(&mut self, id: InstructionId) {
        let Details::Assign(assign) = self.details(id) else { return };
        self.attributes(id, &[Attribute::Init]);
        if let Some(mode) = assign.mode {
            self.printer.number(format_args!(" [{}]", self.printer.context.text(mode)));
        }
        for index in &assign.assigned {
            self.printer.number(format_args!(" [assign={index}]"));
        }
        if let Some(property) = assign.property {
            self.printer.space();
            self.printer.member(property);
        }
        for (word, operand) in ["self", "value", "init", "set"].into_iter().zip(self.operands(id)) {
            self.printer.number(format_args!(", {word} "));
            self.value(*operand);
        }
    }

    pub(super) fn unchecked_ownership_conversion(&mut self, id: InstructionId) {
        self.printer.space();
        self.value(self.operands(id)[0]);
        if let Details::Words(words) = self.details(id) {
            self.printer.text(", ");
            self.printer.name(words[0]);
            self.printer.text(" to ");
            self.printer.name(words[1]);
        }
    }

    pub(super) fn open_pack_element(&mut self, id: InstructionId) {
        let Details::PackOpening(opening) = self.details(id) else { return };
        let PackOpening { substitutions, shape, uuid } = &**opening;
        self.printer.space();
        self.untyped(self.operands(id)[0]);
        self.printer.text(" of ");
        self.printer.signature(self.printer.context.get_substitutions(*substitutions).signature);
        self.printer.text(" at ");
        self.printer.substitutions(*substitutions);
        self.printer.text(", shape $");
        self.printer.pack_parameter(*shape);
        let uuid = self.printer.context.text(*uuid).to_uppercase();
        self.printer.number(format_args!(", uuid \"{uuid}\""));
    }
}

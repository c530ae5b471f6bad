//! Writes the text after an opcode: the twin of `syntax::instructions`. Regular forms follow the instruction table.

mod applies;
mod casts;
mod control;
mod key_paths;
mod literals;
mod variables;

use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode, Piece, Punctuation};
use sil_ir::model::{BlockId, Details, InstructionId, Value};

use super::body::BodyPrinter;

/// Where in the operands, types and targets of an instruction the writer is.
#[derive(Default)]
struct Progress {
    operand: usize,
    ty: usize,
    target: usize,
}

impl<'p> BodyPrinter<'p, '_> {
    /// Writes the text after the opcode of `id`.
    pub(super) fn operation(&mut self, id: InstructionId) {
        let mut progress = Progress::default();
        for piece in self.body.instructions[id].opcode.information().syntax {
            self.piece(id, *piece, &mut progress);
        }
    }

    pub(super) fn operands(&self, id: InstructionId) -> &'p [Value] {
        self.body.operands(id)
    }

    fn details(&self, id: InstructionId) -> &'p Details {
        &self.body.instructions[id].details
    }

    fn attributes_of(&self, id: InstructionId) -> AttributeSet {
        self.body.instructions[id].attributes
    }

    fn piece(&mut self, id: InstructionId, piece: Piece, progress: &mut Progress) {
        match piece {
            Piece::Attributes(attributes) => self.attributes(id, attributes),
            Piece::Choice(attributes) => {
                let present = self.attributes_of(id);
                for attribute in attributes.iter().filter(|attribute| present.contains(**attribute)) {
                    self.printer.space();
                    self.printer.text(attribute.name());
                }
            }
            Piece::Operand => {
                self.printer.space();
                let operand = self.next_operand(id, progress);
                // Swift always writes the type here, as another colon follows.
                let forced = self.body.instructions[id].opcode == Opcode::InitExistentialRef;
                if forced { self.typed(operand) } else { self.value(operand) }
            }
            Piece::UntypedOperand(_) => {
                self.printer.space();
                let operand = self.next_operand(id, progress);
                self.untyped(operand);
            }
            Piece::OptionalOperand(word, _) => {
                if let Some(operand) = self.operands(id).get(progress.operand) {
                    progress.operand += 1;
                    self.printer.number(format_args!(" {word} "));
                    self.untyped(*operand);
                }
            }
            Piece::Operands => {
                self.printer.space();
                self.bracketed_values(&self.operands(id)[progress.operand..]);
                progress.operand = self.operands(id).len();
            }
            Piece::OperandList => {
                self.printer.space();
                self.values(&self.operands(id)[progress.operand..]);
            }
            Piece::Type => {
                self.printer.space();
                let ty = self.body.types(id)[progress.ty];
                progress.ty += 1;
                // Older SIL writes the address here.
                let object = matches!(self.body.instructions[id].opcode, Opcode::AllocStack | Opcode::RefTailAddr);
                self.printer.sil_type(if object { SilType::object(ty.ty) } else { ty });
            }
            Piece::PackType | Piece::PackShape => {
                let SilType { ty, .. } = self.body.types(id)[progress.ty];
                progress.ty += 1;
                self.printer.text(" $");
                self.printer.formal_type(ty);
            }
            Piece::Word(word) => {
                self.printer.space();
                self.printer.text(word);
            }
            Piece::Punctuation(Punctuation::Comma) => self.printer.text(","),
            Piece::Punctuation(Punctuation::Colon) => self.printer.text(" :"),
            Piece::Forwarding => self.forwarding(id),
            Piece::Target => {
                let target = self.body.targets(id)[progress.target];
                progress.target += 1;
                self.target(target);
            }
            Piece::Own => self.own_form(id),
            _ => self.detail(id, piece),
        }
    }

    /// Writes a piece that the details of the instruction hold.
    fn detail(&mut self, id: InstructionId, piece: Piece) {
        match (piece, self.details(id)) {
            (Piece::FormalType, Details::FormalType(ty)) => {
                self.printer.text(" $");
                self.printer.formal_type(*ty);
            }
            (Piece::BareFormalType, Details::FormalType(ty)) => {
                self.printer.space();
                self.printer.formal_type(*ty);
            }
            (Piece::Member, Details::Member(member)) => {
                self.printer.space();
                self.printer.member(*member);
            }
            (Piece::Index, Details::Index(index)) => self.printer.number(format_args!(" {index}")),
            (Piece::Alignment, Details::Alignment(alignment)) => {
                self.printer.number(format_args!(" [align={alignment}]"));
            }
            (Piece::String, Details::Message(text)) => {
                self.printer.space();
                self.printer.quoted(text);
            }
            (Piece::Variable, Details::Variable(variable)) => {
                let instruction = &self.body.instructions[id];
                self.variable(variable, instruction.location, instruction.span);
            }
            (Piece::TypedFunction, Details::Function(name)) => {
                self.printer.space();
                self.printer.symbol(*name);
                self.printer.text(" :");
                self.written_type(id, 0);
            }
            (Piece::Global, Details::Global(name, _)) => {
                self.printer.space();
                self.printer.symbol(*name);
            }
            _ => {}
        }
    }

    fn own_form(&mut self, id: InstructionId) {
        use Opcode::*;
        match self.body.instructions[id].opcode {
            AllocRef | AllocRefDynamic => self.alloc_ref(id),
            AssignOrInit => self.assign_or_init(id),
            UncheckedOwnershipConversion => self.unchecked_ownership_conversion(id),
            Object => self.object(id),
            Tuple => self.tuple(id),
            Enum => self.enumeration(id),
            SelectEnum | SelectEnumAddr => self.select_enum(id),
            IntegerLiteral | FloatLiteral | StringLiteral => self.literal(id),
            Apply | BeginApply | TryApply | PartialApply | Thunk => self.apply(id),
            EndApply => self.end_apply(id),
            Builtin => self.builtin(id),
            ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod => self.class_method(id),
            WitnessMethod => self.witness_method(id),
            UncheckedRefCastAddr | UnconditionalCheckedCastAddr | CheckedCastAddrBr => self.cast_addr(id),
            CheckedCastBr => self.checked_cast_br(id),
            ObjCProtocol => self.objc_protocol(id),
            OpenPackElement => self.open_pack_element(id),
            InitBlockStorageHeader => self.init_block_storage_header(id),
            DifferentiableFunction | LinearFunction => self.differentiable_function(id),
            DifferentiableFunctionExtract | LinearFunctionExtract => self.differentiable_function_extract(id),
            DifferentiabilityWitnessFunction => self.differentiability_witness_function(id),
            Keypath => self.key_path(id),
            CondFail => self.cond_fail(id),
            IncrementProfilerCounter => self.increment_profiler_counter(id),
            Yield => self.yield_values(id),
            Br => self.br(id),
            CondBr => self.cond_br(id),
            SwitchValue => self.switch_value(id),
            SwitchEnum | SwitchEnumAddr => self.switch_enum(id),
            AwaitAsyncContinuation => self.await_async_continuation(id),
            _ => {}
        }
    }

    fn next_operand(&self, id: InstructionId, progress: &mut Progress) -> Value {
        let operand = self.operands(id)[progress.operand];
        progress.operand += 1;
        operand
    }

    fn attributes(&mut self, id: InstructionId, attributes: &[Attribute]) {
        let present = self.attributes_of(id);
        for attribute in attributes.iter().filter(|attribute| present.contains(**attribute)) {
            self.printer.number(format_args!(" [{}]", attribute.name()));
        }
    }

    /// Writes `, forwarding: @owned`, if that was written and the operand does not imply it.
    fn forwarding(&mut self, id: InstructionId) {
        let attributes = self.attributes_of(id);
        if !attributes.contains(Attribute::Forwarding) || self.restating.contains(&id) {
            return;
        }
        let kinds = [Attribute::Owned, Attribute::Guaranteed, Attribute::Unowned];
        let kind = kinds.into_iter().find(|kind| attributes.contains(*kind)).map_or("none", Attribute::name);
        self.printer.number(format_args!(", forwarding: @{kind}"));
    }

    fn target(&mut self, target: BlockId) {
        self.printer.space();
        self.block(target);
    }

    fn values(&mut self, values: &[Value]) {
        for (index, value) in values.iter().enumerate() {
            self.printer.text(if index > 0 { ", " } else { "" });
            self.value(*value);
        }
    }

    fn bracketed_values(&mut self, values: &[Value]) {
        self.printer.text("(");
        self.values(values);
        self.printer.text(")");
    }

    fn untyped_values(&mut self, values: &[Value]) {
        self.printer.text("(");
        for (index, value) in values.iter().enumerate() {
            self.printer.text(if index > 0 { ", " } else { "" });
            self.untyped(*value);
        }
        self.printer.text(")");
    }

    fn written_type(&mut self, id: InstructionId, index: usize) {
        self.printer.space();
        self.printer.sil_type(self.body.types(id)[index]);
    }
}

//! Finds existing values that equal an instruction's result: composed and extracted parts, inverse conversions, and
//! neutral operations (lib/SILOptimizer/Analysis/SimplifyInstruction.cpp). Does not decide whether the replacement is
//! valid for ownership.

use sil_analysis::field_number;
use sil_ir::context::{BuiltinType, MemberId, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinCast, BuiltinKind, Intrinsic, OverflowOperation};
use sil_ir::model::views::{Composition, Enum, EnumCase, SwitchEnum};
use sil_ir::model::{BlockId, Definition, Details, InstructionId, Value};

use crate::editing::editor::Editor;

/// The existing value that the single result of an instruction equals.
pub(crate) fn same_as(editor: &Editor<'_>, id: InstructionId) -> Option<Value> {
    use Opcode::*;
    let identities = Identities { editor, id };
    match editor.opcode(id) {
        Struct => identities.composed(StructExtract),
        Tuple => identities.composed(TupleExtract),
        StructExtract => identities.part(Struct),
        TupleExtract => identities.part(Tuple).or_else(|| identities.without_overflow()),
        UncheckedEnumData => identities.payload(),
        Enum => identities.rewrapped().or_else(|| identities.switched()),
        AddressToPointer => identities.undone(PointerToAddress),
        RefToRawPointer => identities.converted_from(RawPointerToRef),
        UnconditionalCheckedCast => identities.undone(Upcast),
        UncheckedRefCast => identities
            .unconverted()
            .or_else(|| identities.undone(UncheckedRefCast))
            .or_else(|| identities.undone(Upcast))
            .or_else(|| identities.undone(OpenExistentialRef)),
        Upcast => identities.undone(UncheckedRefCast),
        UncheckedAddrCast | UncheckedTrivialBitCast | UncheckedBitwiseCast => {
            identities.unconverted().or_else(|| identities.undone(editor.opcode(id)))
        }
        ConvertFunction => identities.undone(ConvertFunction),
        RefToUnowned => identities.undone(UnownedToRef),
        UnownedToRef => identities.undone(RefToUnowned),
        RefToUnmanaged => identities.undone(UnmanagedToRef),
        UnmanagedToRef => identities.undone(RefToUnmanaged),
        Builtin => identities.builtin(),
        _ => None,
    }
}

struct Identities<'e, 'm> {
    editor: &'e Editor<'m>,
    id: InstructionId,
}

impl Identities<'_, '_> {
    fn operand(&self, index: usize) -> Option<Value> {
        self.editor.operand(self.id, index)
    }

    /// Returns whether a value has the type of the instruction's result.
    fn has_type_of_result(&self, value: Value) -> bool {
        let body = self.editor.body();
        body.result(self.id).is_some_and(|result| body.ty(result) == body.ty(value))
    }

    /// The operand of the instruction with the given opcode that defines the operand.
    fn converted_from(&self, opcode: Opcode) -> Option<Value> {
        let made = self.editor.made_by(self.operand(0)?, opcode)?;
        self.editor.operand(made, 0)
    }

    /// The source of the inverse conversion that defines the operand.
    fn undone(&self, opcode: Opcode) -> Option<Value> {
        self.converted_from(opcode).filter(|source| self.has_type_of_result(*source))
    }

    /// The operand, if the conversion does not change its type.
    fn unconverted(&self) -> Option<Value> {
        self.operand(0).filter(|operand| self.has_type_of_result(*operand))
    }

    /// The aggregate that all parts are extracted from.
    fn composed(&self, extraction: Opcode) -> Option<Value> {
        let body = self.editor.body();
        let Composition { elements } = Composition::of(body, self.id);
        let taken = |element: &Value| {
            let extract = self.editor.made_by(*element, extraction)?;
            let number = field_number(self.editor.environment.queries, body, extract)?;
            Some((self.editor.operand(extract, 0)?, number as usize))
        };
        let (whole, _) = taken(elements.first()?)?;
        let in_order = elements.iter().enumerate().all(|(index, element)| taken(element) == Some((whole, index)));
        (in_order && self.has_type_of_result(whole)).then_some(whole)
    }

    /// The part of a newly created aggregate.
    fn part(&self, composition: Opcode) -> Option<Value> {
        let made = self.editor.made_by(self.operand(0)?, composition)?;
        let number = field_number(self.editor.environment.queries, self.editor.body(), self.id)?;
        self.editor.operand(made, number as usize)
    }

    fn is_same_case(&self, one: MemberId, other: MemberId) -> bool {
        let target = |case| self.editor.environment.queries.context.get_member(case).target;
        target(one) == target(other)
    }

    /// The payload of a newly created enum.
    fn payload(&self) -> Option<Value> {
        let EnumCase { operand, case } = EnumCase::of(self.editor.body(), self.id);
        let made = Enum::of(self.editor.body(), self.editor.made_by(operand, Opcode::Enum)?);
        made.payload.filter(|_| self.is_same_case(case, made.case))
    }

    /// The enum that the payload was extracted from, if it has the same case.
    fn rewrapped(&self) -> Option<Value> {
        let Enum { case, payload } = Enum::of(self.editor.body(), self.id);
        let taken = self.editor.made_by(payload?, Opcode::UncheckedEnumData)?;
        let taken = EnumCase::of(self.editor.body(), taken);
        (self.is_same_case(case, taken.case) && self.has_type_of_result(taken.operand)).then_some(taken.operand)
    }

    /// The operand of the `switch_enum` that leads to this block, if the enum is created with the same case and
    /// payload.
    fn switched(&self) -> Option<Value> {
        let body = self.editor.body();
        let block = body.instructions[self.id].block;
        let switch = self.only_path(block).filter(|end| self.editor.opcode(*end) == Opcode::SwitchEnum)?;
        let Enum { case, payload } = Enum::of(body, self.id);
        let is_received = |payload: Value| matches!(body.values[payload].definition, Definition::Argument { block: own, .. } if own == block);
        let SwitchEnum { operand, cases, targets } = SwitchEnum::of(body, switch);
        let mut leading = targets.iter().enumerate().filter(|(_, target)| **target == block);
        let (index, _) = leading.next().filter(|_| leading.next().is_none())?;
        let named = *cases.members.get(index)?;
        let is_same = self.is_same_case(case, named) && self.has_type_of_result(operand);
        (is_same && payload.is_none_or(is_received)).then_some(operand)
    }

    /// The terminator of the only predecessor of a block.
    fn only_path(&self, block: BlockId) -> Option<InstructionId> {
        let body = self.editor.body();
        let mut ends = body.blocks.keys().filter_map(|from| body.terminator(from));
        let mut leading = ends.by_ref().filter(|end| body.targets(*end).contains(&block));
        leading.next().filter(|_| leading.next().is_none())
    }

    fn kind(&self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.editor.body().instructions[id].details else { return None };
        builtin.kind()
    }

    /// The kind of the builtin that defines a value, and its operands.
    fn builtin_of(&self, value: Value) -> Option<(BuiltinKind, &[Value])> {
        let id = self.editor.made_by(value, Opcode::Builtin)?;
        Some((self.kind(id)?, self.editor.body().operands(id)))
    }

    /// Returns whether a value is a word.
    fn is_word(&self, value: Value) -> bool {
        let ty = self.editor.body().ty(value).ty;
        *self.editor.environment.queries.get(ty) == Type::Builtin(BuiltinType::Word)
    }

    fn literal(&self, value: Value) -> Option<i128> {
        let id = self.editor.made_by(value, Opcode::IntegerLiteral)?;
        match self.editor.body().instructions[id].details {
            Details::Integer(value) => Some(value),
            _ => None,
        }
    }

    fn builtin(&self) -> Option<Value> {
        use BuiltinCast::{IntToPtr, PtrToInt, SExtOrBitCast, TruncOrBitCast, ZExtOrBitCast};
        let operand = self.operand(0)?;
        match self.kind(self.id)? {
            BuiltinKind::Cast(IntToPtr) => match self.builtin_of(operand)? {
                (BuiltinKind::Cast(PtrToInt), operands) if self.is_word(operand) => operands.first().copied(),
                _ => None,
            },
            BuiltinKind::Cast(ZExtOrBitCast | SExtOrBitCast) => self.unconverted(),
            BuiltinKind::Cast(TruncOrBitCast) => self.unconverted().or_else(|| match self.builtin_of(operand)? {
                (BuiltinKind::Cast(ZExtOrBitCast | SExtOrBitCast), operands) => {
                    operands.first().copied().filter(|extended| self.has_type_of_result(*extended))
                }
                _ => None,
            }),
            BuiltinKind::Intrinsic(Intrinsic::Expect) => self.literal(operand).map(|_| operand),
            BuiltinKind::Binary(BinaryOperation::Xor) => self.exclusive(operand, self.operand(1)?),
            BuiltinKind::Binary(BinaryOperation::Shl | BinaryOperation::AShr | BinaryOperation::LShr) => {
                (self.literal(self.operand(1)?) == Some(0)).then_some(operand)
            }
            _ => None,
        }
    }

    /// The result of two exclusive-ors with an equal operand.
    fn exclusive(&self, one: Value, other: Value) -> Option<Value> {
        let left_of = |inner: Value, third: Value| match self.builtin_of(inner)? {
            (BuiltinKind::Binary(BinaryOperation::Xor), [first, second]) => match third {
                _ if *second == third => Some(*first),
                _ if *first == third => Some(*second),
                _ if first == second => Some(third),
                _ => None,
            },
            _ => None,
        };
        left_of(one, other).or_else(|| left_of(other, one))
    }

    /// The result of an overflow operation with a neutral operand.
    fn without_overflow(&self) -> Option<Value> {
        use OverflowOperation::{SAdd, SMul, SSub, UAdd, UMul, USub};
        if field_number(self.editor.environment.queries, self.editor.body(), self.id)? != 0 {
            return None;
        }
        let (kind, operands) = self.builtin_of(self.operand(0)?)?;
        let [one, other] = *operands.get(..2)? else { return None };
        let operation = match kind {
            BuiltinKind::WithOverflow(operation) => operation,
            BuiltinKind::Intrinsic(Intrinsic::SAddWithOverflow) => SAdd,
            BuiltinKind::Intrinsic(Intrinsic::UAddWithOverflow) => UAdd,
            BuiltinKind::Intrinsic(Intrinsic::SSubWithOverflow) => SSub,
            BuiltinKind::Intrinsic(Intrinsic::USubWithOverflow) => USub,
            BuiltinKind::Intrinsic(Intrinsic::SMulWithOverflow) => SMul,
            BuiltinKind::Intrinsic(Intrinsic::UMulWithOverflow) => UMul,
            _ => return None,
        };
        match (operation, self.literal(one), self.literal(other)) {
            (SAdd | UAdd | SSub | USub, _, Some(0)) | (SMul | UMul, Some(0), _) => Some(one),
            (SAdd | UAdd, Some(0), _) | (SMul | UMul, _, Some(0)) => Some(other),
            (SMul | UMul, Some(1), _) => Some(other),
            (SMul | UMul, _, Some(1)) => Some(one),
            _ => None,
        }
    }
}

//! Combines builtins (`SILCombiner::visitBuiltinInst` of lib/SILOptimizer/SILCombiner/SILCombinerBuiltinVisitors.cpp).
//! Constant folding is left to constant propagation, but zeroness, single bits and strides are handled.

use sil_analysis::Use;
use sil_ir::context::{SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{
    BinaryOperation, BuiltinCast, BuiltinKind, IntegerPredicate, NamedBuiltin, OverflowOperation,
};
use sil_ir::model::views::{self, TupleExtract};
use sil_ir::model::{InstructionId, Place, StringEncoding, Value};

use super::Simplifier;
use crate::knowledge::numbers::truncated;

/// Whether a number or pointer is known to be zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeroness {
    Zero,
    NotZero,
}

/// A pointer plus a number of strides.
struct Strides {
    pointer: Value,
    number: Value,
    /// The cast of the product to a word.
    cast: InstructionId,
}

impl Simplifier<'_> {
    /// Combines a builtin. Returns `None` if it is unchanged.
    pub(super) fn combine_builtin(&mut self, id: InstructionId) -> Option<()> {
        use NamedBuiltin::*;
        match self.builtin(id)? {
            BuiltinKind::Named(COWBufferForReading) => self.read_buffer(id),
            BuiltinKind::Named(CanBeObjCClass) => self.can_be_class(id),
            BuiltinKind::Named(IsConcrete) => self.is_concrete(id),
            BuiltinKind::Named(DestroyArray) => self.destroy_trivial_array(id),
            BuiltinKind::Named(CondFailMessage) => self.fail_with_message(id),
            BuiltinKind::Named(
                CopyArray
                | TakeArrayNoAlias
                | TakeArrayFrontToBack
                | TakeArrayBackToFront
                | AssignCopyArrayNoAlias
                | AssignCopyArrayFrontToBack
                | AssignCopyArrayBackToFront
                | AssignTakeArray,
            ) => self.index_arrays(id),
            BuiltinKind::Cast(BuiltinCast::TruncOrBitCast | BuiltinCast::ZExtOrBitCast) => self.cast_number(id),
            kind => self.of_same_operands(id).or_else(|| self.combine_operation(id, kind)),
        }
    }

    fn combine_operation(&mut self, id: InstructionId, kind: BuiltinKind) -> Option<()> {
        match kind {
            BuiltinKind::Binary(BinaryOperation::And) => self.string_object_bits(id).or_else(|| self.of_bits(id)),
            BuiltinKind::Binary(BinaryOperation::Sub) => self.pointer_distance(id),
            BuiltinKind::CompareIntegers(predicate) => {
                self.cast_number(id).or_else(|| self.compare_with_zero(id, predicate))
            }
            BuiltinKind::WithOverflow(OverflowOperation::SMul) => self.multiply_by_stride(id),
            _ => self.of_bits(id),
        }
    }

    /// Erases the destruction of an array of trivial elements.
    fn destroy_trivial_array(&mut self, id: InstructionId) -> Option<()> {
        self.is_of_trivial_elements(id).then(|| self.editor.erase(id))
    }

    /// Replaces a check with a literal message with `cond_fail`.
    fn fail_with_message(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let (condition, message) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        let literal = views::StringLiteral::of(body, self.editor.made_by(message, Opcode::StringLiteral)?).literal;
        if literal.encoding != StringEncoding::Utf8 {
            return None;
        }
        let message = String::from_utf8(literal.bytes.to_vec()).ok()?;
        self.editor.build(Place::Before(id), id, |builder| builder.cond_fail(condition, &message));
        self.editor.erase(id);
        Some(())
    }

    /// Folds equality comparisons with a value that is known to be zero or not. The known value is moved to the right.
    fn compare_with_zero(&mut self, id: InstructionId, predicate: IntegerPredicate) -> Option<()> {
        let (left, right) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        let is_equality = match predicate {
            IntegerPredicate::Eq => true,
            IntegerPredicate::Ne => false,
            _ => return None,
        };
        let is_bit = self.width(self.editor.body().ty(left)) == Some(1);
        if is_bit && is_equality && self.literal(right) == Some(-1) {
            return self.compare_inverted(id, left, right);
        }
        match (self.zeroness(left)?, self.zeroness(right)) {
            (_, None) => {
                self.compare(id, right, left);
                Some(())
            }
            (Zeroness::NotZero, Some(Zeroness::NotZero)) => None,
            (one, Some(other)) => {
                let ty = self.editor.body().ty(self.editor.body().result(id)?);
                let literal = self.integer(id, -i128::from((one == other) == is_equality), ty);
                self.editor.replace(id, literal);
                Some(())
            }
        }
    }

    /// Replaces a comparison with one of other operands.
    fn compare(&mut self, id: InstructionId, left: Value, right: Value) {
        let made = self.again_with(id, &[left, right]);
        if let Some(made) = made {
            self.editor.replace(id, made);
        }
    }

    /// Creates the builtin of `id` with other operands before `id`.
    fn again_with(&mut self, id: InstructionId, operands: &[Value]) -> Option<Value> {
        let body = self.editor.body();
        let (builtin, ty) = (views::Builtin::of(body, id).builtin.clone(), body.ty(body.result(id)?));
        Some(self.editor.build(Place::Before(id), id, |builder| builder.builtin(builtin, operands, ty)))
    }

    /// Replaces the comparison of a bit with a set bit by the inverse of the comparison with an unset bit.
    fn compare_inverted(&mut self, id: InstructionId, bit: Value, set: Value) -> Option<()> {
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let unset = self.integer(id, 0, ty);
        let is_unset = self.again_with(id, &[bit, unset])?;
        let xor = self.named_builtin("xor_Int1");
        let inverted = self.editor.build(Place::Before(id), id, |builder| builder.builtin(xor, &[is_unset, set], ty));
        self.editor.replace(id, inverted);
        Some(())
    }

    /// Returns whether a value is zero, or `None` if that is unknown (`isZeroValue` of
    /// lib/SILOptimizer/Analysis/ValueTracking.cpp).
    fn zeroness(&self, value: Value) -> Option<Zeroness> {
        use Opcode::*;
        let id = self.editor.body().defining(value)?;
        let inner = self.editor.operand(id, 0);
        match self.editor.opcode(id) {
            IntegerLiteral => Some(if self.literal(value)? == 0 { Zeroness::Zero } else { Zeroness::NotZero }),
            UncheckedTrivialBitCast | StructExtract => self.zeroness(inner?),
            Builtin => self.zeroness_of_operation(id),
            TupleExtract => {
                let views::TupleExtract { operand, index } = views::TupleExtract::of(self.editor.body(), id);
                let operation = self.editor.made_by(operand, Builtin).filter(|_| index == 0)?;
                self.zeroness_of_operation(operation)
            }
            StringLiteral | GlobalAddr | AllocStack | AllocRef | AllocRefDynamic | AllocBox | AllocPack
            | AllocPackMetadata | AllocExistentialBox => Some(Zeroness::NotZero),
            _ => None,
        }
    }

    fn zeroness_of_operation(&self, id: InstructionId) -> Option<Zeroness> {
        use BuiltinCast::{IntToPtr, PtrToInt, ZExt};
        let one = self.editor.operand(id, 0)?;
        match self.builtin(id)? {
            BuiltinKind::Cast(IntToPtr | PtrToInt | ZExt) => self.zeroness(one),
            BuiltinKind::Binary(BinaryOperation::UDiv | BinaryOperation::SDiv) => {
                self.zeroness(one).filter(|known| *known == Zeroness::Zero)
            }
            BuiltinKind::Binary(BinaryOperation::Mul)
            | BuiltinKind::WithOverflow(OverflowOperation::SMul | OverflowOperation::UMul) => {
                let factors = [one, self.editor.operand(id, 1)?];
                let is_zero = factors.into_iter().any(|factor| self.zeroness(factor) == Some(Zeroness::Zero));
                is_zero.then_some(Zeroness::Zero)
            }
            _ => None,
        }
    }

    /// Moves the stride to the second factor.
    fn multiply_by_stride(&mut self, id: InstructionId) -> Option<()> {
        let (one, other) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        self.builtin_of(one, |kind| kind == BuiltinKind::Named(NamedBuiltin::Strideof))?;
        self.editor.made_by(self.editor.operand(id, 2)?, Opcode::IntegerLiteral)?;
        if self.builtin_of(other, |kind| kind == BuiltinKind::Named(NamedBuiltin::Strideof)).is_some() {
            return None;
        }
        self.editor.set_operand(Use { user: id, operand: 0 }, other);
        self.editor.set_operand(Use { user: id, operand: 1 }, one);
        Some(())
    }

    /// Replaces pointer arithmetic with the stride of an array's elements by `index_addr`.
    fn index_arrays(&mut self, id: InstructionId) -> Option<()> {
        let metatype = self.editor.made_by(self.editor.operand(id, 0)?, Opcode::Metatype)?;
        let element = self.editor.body().ty(self.editor.body().result(metatype)?).ty;
        let Type::Metatype { instance, .. } = *self.editor.environment.queries.get(element) else { return None };
        let element = SilType::address(self.editor.environment.queries.lower_formal(instance));
        for operand in [1, 2] {
            let Some(pointer) = self.editor.operand(id, operand as usize) else { continue };
            let Some(strides) = self.strides(pointer, metatype) else { continue };
            let indexed = self.index(id, pointer, &strides, element)?;
            self.editor.set_operand(Use { user: id, operand }, indexed);
        }
        Some(())
    }

    fn strides(&self, pointer: Value, metatype: InstructionId) -> Option<Strides> {
        let moved = self.editor.made_by(pointer, Opcode::IndexRawPointer)?;
        let (base, offset) = (self.editor.operand(moved, 0)?, self.editor.operand(moved, 1)?);
        let cast = self.builtin_of(offset, |kind| kind == BuiltinKind::Cast(BuiltinCast::TruncOrBitCast))?;
        let taken = self.editor.made_by(self.editor.operand(cast, 0)?, Opcode::TupleExtract)?;
        let TupleExtract { operand: product, index: 0 } = TupleExtract::of(self.editor.body(), taken) else {
            return None;
        };
        let is_product = |kind| kind == BuiltinKind::WithOverflow(OverflowOperation::SMul);
        let multiplication = self.builtin_of(product, is_product)?;
        let (one, other) = (self.editor.operand(multiplication, 0)?, self.editor.operand(multiplication, 1)?);
        let number = match (self.is_stride(one, metatype), self.is_stride(other, metatype)) {
            (_, true) => one,
            (true, _) => other,
            _ => return None,
        };
        Some(Strides { pointer: base, number, cast })
    }

    /// Returns whether a number is the stride of a metatype's type, extended to the width of the multiplication.
    fn is_stride(&self, number: Value, metatype: InstructionId) -> bool {
        let is_extension = |kind| kind == BuiltinKind::Cast(BuiltinCast::ZExtOrBitCast);
        let measured = self.builtin_of(number, is_extension).and_then(|cast| self.editor.operand(cast, 0));
        let is_measure = |kind| kind == BuiltinKind::Named(NamedBuiltin::Strideof);
        let measure = measured.and_then(|number| self.builtin_of(number, is_measure));
        let requested = measure.and_then(|measure| self.editor.operand(measure, 0));
        requested.and_then(|requested| self.editor.made_by(requested, Opcode::Metatype)) == Some(metatype)
    }

    /// Creates the pointer at this number of strides from another one, before `id`.
    fn index(&mut self, id: InstructionId, like: Value, strides: &Strides, element: SilType) -> Option<Value> {
        let body = self.editor.body();
        let pointer = body.ty(like);
        let (cast, word) =
            (views::Builtin::of(body, strides.cast).builtin.clone(), body.ty(body.result(strides.cast)?));
        let Strides { pointer: base, number, .. } = *strides;
        let mut strict = sil_ir::instructions::AttributeSet::default();
        strict.insert(sil_ir::instructions::Attribute::Strict);
        Some(self.editor.build(Place::Before(id), id, |builder| {
            let first = builder.with(strict).pointer_to_address(base, element);
            let number = builder.builtin(cast, &[number], word);
            let address = builder.index_addr(first, number);
            builder.address_to_pointer(address, pointer)
        }))
    }

    /// Folds the bits beside the address in the object of a string literal.
    fn string_object_bits(&mut self, id: InstructionId) -> Option<()> {
        const ADDRESS: u64 = 0x00ff_ffff_ffff_ffff;
        let mask = self.bits(self.editor.operand(id, 1)?).filter(|mask| mask & ADDRESS == 0)?;
        let (mut bits, mut value) = (0, self.editor.operand(id, 0)?);
        while let Some(made) = self.editor.body().defining(value) {
            use Opcode::{Struct, StructExtract, UncheckedTrivialBitCast, ValueToBridgeObject};
            match (self.editor.opcode(made), self.editor.body().operands(made)) {
                (Opcode::StringLiteral, _) => {
                    let ty = self.editor.body().ty(self.editor.body().result(id)?);
                    let known = truncated(i128::from(bits & mask), self.width(ty)?);
                    let literal = self.integer(id, known, ty);
                    self.editor.replace(id, literal);
                    return Some(());
                }
                (StructExtract | UncheckedTrivialBitCast | ValueToBridgeObject | Struct, [inner]) => value = *inner,
                (Opcode::Builtin, [inner, rest @ ..]) => {
                    match self.builtin(made)? {
                        BuiltinKind::Named(NamedBuiltin::StringObjectOr) => bits |= self.bits(*rest.first()?)?,
                        BuiltinKind::Cast(BuiltinCast::ZExtOrBitCast | BuiltinCast::PtrToInt) => {}
                        _ => return None,
                    }
                    value = *inner;
                }
                _ => return None,
            }
        }
        None
    }

    /// The bits of a literal of at most 64 bits.
    fn bits(&self, value: Value) -> Option<u64> {
        let width = self.width(self.editor.body().ty(value)).filter(|width| *width <= 64)?;
        let all = u64::MAX >> (64 - width);
        self.literal(value).map(|number| number as u64 & all)
    }
}

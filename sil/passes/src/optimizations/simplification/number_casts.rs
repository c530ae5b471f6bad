//! Combines chains of integer extensions, truncations and comparisons (`visitBuiltinInst` of
//! lib/SILOptimizer/SILCombiner/SILCombinerBuiltinVisitors.cpp).

use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind, IntegerPredicate};
use sil_ir::model::{Builtin, Details, InstructionId, Place, Value};

use super::Simplifier;

/// Zero extension, or no change.
const EXTENSION: BuiltinKind = BuiltinKind::Cast(BuiltinCast::ZExtOrBitCast);

impl Simplifier<'_> {
    /// Combines a cast or comparison with the extensions of its operands.
    pub(super) fn cast_number(&mut self, id: InstructionId) -> Option<()> {
        use IntegerPredicate::{Eq, Ne, Uge, Ugt, Ule, Ult};
        match self.builtin(id)? {
            EXTENSION => self.bridged_bits(id).or_else(|| self.extend_once(id)),
            BuiltinKind::Cast(BuiltinCast::TruncOrBitCast) => self.extend_less(id),
            BuiltinKind::CompareIntegers(Ult) if self.literal(self.editor.operand(id, 0)?) == Some(-1) => {
                let ty = self.editor.body().ty(self.editor.body().result(id)?);
                let never = self.integer(id, 0, ty);
                self.editor.replace(id, never);
                Some(())
            }
            BuiltinKind::CompareIntegers(Eq | Ne | Ult | Ule | Ugt | Uge) => self.compare_narrow(id),
            _ => None,
        }
    }

    /// The extension that defines a value, and its operand.
    fn extension(&self, value: Value) -> Option<(InstructionId, Value)> {
        let made = self.editor.made_by(value, Opcode::Builtin).filter(|made| self.builtin(*made) == Some(EXTENSION))?;
        Some((made, self.editor.operand(made, 0)?))
    }

    /// Replaces a word extracted from a bridge object of known bits with the original integer.
    fn bridged_bits(&mut self, id: InstructionId) -> Option<()> {
        let word = self.editor.made_by(self.editor.operand(id, 0)?, Opcode::BridgeObjectToWord)?;
        let object = self.editor.made_by(self.editor.operand(word, 0)?, Opcode::ValueToBridgeObject)?;
        let wrapper = self.editor.made_by(self.editor.operand(object, 0)?, Opcode::Struct)?;
        let [number] = *self.editor.body().operands(wrapper) else { return None };
        if self.editor.body().ty(number) != self.editor.body().ty(self.editor.body().result(id)?) {
            return None;
        }
        self.editor.replace(id, number);
        Some(())
    }

    fn extend_once(&mut self, id: InstructionId) -> Option<()> {
        let (first, number) = self.extension(self.editor.operand(id, 0)?)?;
        self.extend(id, first, number)
    }

    /// Replaces the truncation of an extended integer to at least its original width with a smaller extension.
    fn extend_less(&mut self, id: InstructionId) -> Option<()> {
        let wide = self.editor.operand(id, 0)?;
        let (first, number) = self.extension(wide)?;
        let width = |value| self.width(self.editor.body().ty(value));
        let (from, between, to) = (width(number)?, width(wide)?, width(self.editor.body().result(id)?)?);
        if between <= from || to < from {
            return None;
        }
        self.extend(id, first, number)
    }

    /// Extends `number`, the operand of `first`, to the type of `id`.
    fn extend(&mut self, id: InstructionId, first: InstructionId, number: Value) -> Option<()> {
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        if self.editor.body().ty(number) == ty {
            self.editor.replace(id, number);
            return Some(());
        }
        let (from, to) = (self.name_of_builtin(first)?, self.name_of_builtin(id)?);
        let (operation, to) = (from.rsplit_once('_')?.0, to.rsplit_once('_')?.1);
        let cast = self.named_builtin(&format!("{operation}_{to}"));
        let made = self.editor.build(Place::Before(id), id, |builder| builder.builtin(cast, &[number], ty));
        self.editor.replace(id, made);
        Some(())
    }

    /// Compares the unextended unsigned integers.
    fn compare_narrow(&mut self, id: InstructionId) -> Option<()> {
        let (first, one) = self.extension(self.editor.operand(id, 0)?)?;
        let (_, other) = self.extension(self.editor.operand(id, 1)?)?;
        let body = self.editor.body();
        if body.ty(one) != body.ty(other) {
            return None;
        }
        let ty = body.ty(body.result(id)?);
        let (comparison, cast) = (self.name_of_builtin(id)?, self.name_of_builtin(first)?);
        let narrow = cast.rsplit_once('_')?.0.rsplit_once('_')?.1;
        let compare = self.named_builtin(&format!("{}_{narrow}", comparison.rsplit_once('_')?.0));
        let made = self.editor.build(Place::Before(id), id, |builder| builder.builtin(compare, &[one, other], ty));
        self.editor.replace(id, made);
        Some(())
    }

    /// The name of a builtin, whose suffixes are its integer types.
    fn name_of_builtin(&self, id: InstructionId) -> Option<&str> {
        match &self.editor.body().instructions[id].details {
            Details::Builtin(builtin) => Some(self.editor.environment.module.context.text(builtin.name())),
            _ => None,
        }
    }

    pub(super) fn named_builtin(&self, name: &str) -> Builtin {
        Builtin::plain(&self.editor.environment.module.context, name)
    }
}

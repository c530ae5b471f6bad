//! Pattern matching on induction variables and the builtins that compute with them, for loop passes.

use crate::instructions::Opcode;
use crate::instructions::builtins::{BuiltinKind, IntegerPredicate};
use crate::model::views::{CondBr, TupleExtract};
use crate::model::{BlockId, Body, Definition, Details, InstructionId, Value};

/// A body to match in.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Counters<'b> {
    pub(in crate::transform) body: &'b Body,
}

impl<'b> Counters<'b> {
    /// Returns the kind of the builtin at `id`.
    pub(in crate::transform) fn builtin(self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return None };
        builtin.kind()
    }

    /// Returns the builtin that defines a value, and its operands.
    pub(in crate::transform) fn operation(self, value: Value) -> Option<(BuiltinKind, &'b [Value])> {
        let id = self.body.defining(value)?;
        Some((self.builtin(id)?, self.body.operands(id)))
    }

    /// Returns the predicate and the operands of an integer comparison.
    pub(in crate::transform) fn comparison(self, value: Value) -> Option<(IntegerPredicate, Value, Value)> {
        match self.operation(value)? {
            (BuiltinKind::CompareIntegers(predicate), &[left, right]) => Some((predicate, left, right)),
            _ => None,
        }
    }

    /// Returns the value of an integer literal.
    pub(in crate::transform) fn literal(self, value: Value) -> Option<i128> {
        match self.body.instructions[self.body.defining(value)?].details {
            Details::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// Returns the definition of the tuple that `value` extracts the element `index` from.
    pub(in crate::transform) fn extracted(self, value: Value, index: u32) -> Option<InstructionId> {
        let id = self.body.defining(value)?;
        if self.body.instructions[id].opcode != Opcode::TupleExtract {
            return None;
        }
        let extract = TupleExtract::of(self.body, id);
        self.body.defining(extract.operand).filter(|_| extract.index == index)
    }

    /// Returns the incoming value of the argument `value` of `header` on the edge from `from`.
    pub(in crate::transform) fn incoming(self, header: BlockId, from: BlockId, value: Value) -> Option<Value> {
        let Definition::Argument { block, index } = self.body.values[value].definition else { return None };
        let end = self.body.terminator(from).filter(|_| block == header)?;
        let index = index as usize;
        match self.body.instructions[end].opcode {
            Opcode::Br => self.body.operands(end).get(index).copied(),
            Opcode::CondBr => {
                let CondBr { true_target, true_arguments, false_arguments, .. } = CondBr::of(self.body, end);
                let passed = if true_target == header { true_arguments.0 } else { false_arguments };
                passed.get(index).copied()
            }
            _ => None,
        }
    }
}

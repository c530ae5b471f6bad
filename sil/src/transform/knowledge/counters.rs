//! Numbers that are counted up in loops, and what builtins compute of them: the patterns that passes over loops look for.

use crate::instructions::Opcode;
use crate::instructions::builtins::{BuiltinKind, IntegerPredicate};
use crate::model::views::{CondBr, TupleExtract};
use crate::model::{BlockId, Body, Definition, Details, InstructionId, Value};

/// A body whose numbers are looked at.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Counters<'b> {
    pub(in crate::transform) body: &'b Body,
}

impl<'b> Counters<'b> {
    /// The kind of builtin that `id` is.
    pub(in crate::transform) fn builtin(self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return None };
        builtin.kind()
    }

    /// The builtin that makes a value, and its operands.
    pub(in crate::transform) fn operation(self, value: Value) -> Option<(BuiltinKind, &'b [Value])> {
        let id = self.body.defining(value)?;
        Some((self.builtin(id)?, self.body.operands(id)))
    }

    /// The integers that are compared, and how.
    pub(in crate::transform) fn comparison(self, value: Value) -> Option<(IntegerPredicate, Value, Value)> {
        match self.operation(value)? {
            (BuiltinKind::CompareIntegers(predicate), &[left, right]) => Some((predicate, left, right)),
            _ => None,
        }
    }

    /// The number that a literal is.
    pub(in crate::transform) fn literal(self, value: Value) -> Option<i128> {
        match self.body.instructions[self.body.defining(value)?].details {
            Details::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// What the element `index` of a tuple was taken from.
    pub(in crate::transform) fn extracted(self, value: Value, index: u32) -> Option<InstructionId> {
        let id = self.body.defining(value)?;
        if self.body.instructions[id].opcode != Opcode::TupleExtract {
            return None;
        }
        let extract = TupleExtract::of(self.body, id);
        self.body.defining(extract.operand).filter(|_| extract.index == index)
    }

    /// What the argument `value` of `header` is where `from` leads there.
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

//! Pattern matching on induction variables and the builtins that compute with them, for loop passes.

use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, IntegerPredicate};
use sil_ir::model::views::{CondBr, TupleExtract};
use sil_ir::model::{BlockId, Body, Definition, Details, InstructionId, Value};

/// A body to match in.
#[derive(Clone, Copy)]
pub(crate) struct Counters<'b> {
    pub(crate) body: &'b Body,
}

impl<'b> Counters<'b> {
    /// Returns the kind of the builtin at `id`.
    pub(crate) fn builtin(self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return None };
        builtin.kind()
    }

    /// Returns the builtin that defines a value, and its operands.
    pub(crate) fn operation(self, value: Value) -> Option<(BuiltinKind, &'b [Value])> {
        let id = self.body.defining(value)?;
        Some((self.builtin(id)?, self.body.operands(id)))
    }

    /// Returns the predicate and the operands of an integer comparison.
    pub(crate) fn comparison(self, value: Value) -> Option<(IntegerPredicate, Value, Value)> {
        match self.operation(value)? {
            (BuiltinKind::CompareIntegers(predicate), &[left, right]) => Some((predicate, left, right)),
            _ => None,
        }
    }

    /// Returns the value of an integer literal.
    pub(crate) fn literal(self, value: Value) -> Option<i128> {
        match self.body.instructions[self.body.defining(value)?].details {
            Details::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// Returns the definition of the tuple that `value` extracts the element `index` from.
    pub(crate) fn extracted(self, value: Value, index: u32) -> Option<InstructionId> {
        let id = self.body.defining(value)?;
        if self.body.instructions[id].opcode != Opcode::TupleExtract {
            return None;
        }
        let extract = TupleExtract::of(self.body, id);
        self.body.defining(extract.operand).filter(|_| extract.index == index)
    }

    /// Returns the incoming value of the argument `value` of `header` on the edge from `from`.
    pub(crate) fn incoming(self, header: BlockId, from: BlockId, value: Value) -> Option<Value> {
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

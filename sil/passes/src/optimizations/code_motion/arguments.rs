//! Sinks equal instructions whose results the predecessors pass to a common successor. Also sinks passed literals.

use sil_analysis::Use;
use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::views::CondBr;
use sil_ir::model::{BlockId, InstructionId, Ownership, Place, Value};

use super::Motion;

impl Motion<'_, '_> {
    /// The value that a branch passes for a block argument, or `None` if both successors are that block.
    pub(super) fn passed(&self, branch: InstructionId, to: BlockId, index: usize) -> Option<Value> {
        let body = self.editor.body();
        match self.editor.opcode(branch) {
            Opcode::Br => body.operands(branch).get(index).copied(),
            Opcode::CondBr => {
                let CondBr { true_arguments, false_arguments, true_target, false_target, .. } =
                    CondBr::of(body, branch);
                match (true_target == to, false_target == to) {
                    (true, false) => true_arguments.0.get(index).copied(),
                    (false, true) => false_arguments.get(index).copied(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn sink_passed_values(&mut self, block: BlockId) {
        let Some(predecessors) = self.exclusive_predecessors(block) else { return };
        let ends: Option<Vec<InstructionId>> =
            predecessors.iter().map(|from| self.editor.body().terminator(*from)).collect();
        let Some(ends) = ends.filter(|ends| ends.iter().all(|end| self.editor.opcode(*end) == Opcode::Br)) else {
            return;
        };
        for index in 0..self.editor.body().blocks[block].arguments.len() {
            self.sink_passed_value(block, index, &ends);
        }
    }

    fn sink_passed_value(&mut self, block: BlockId, index: usize, ends: &[InstructionId]) {
        let argument = self.editor.body().blocks[block].arguments[index];
        let passed = |end: &InstructionId| self.editor.operand(*end, index);
        let makers: Option<Vec<InstructionId>> =
            ends.iter().map(|end| passed(end).and_then(|value| self.editor.body().defining(value))).collect();
        let Some(makers) = makers else { return };
        let Some(first) = makers.first().copied().filter(|first| self.can_leave(*first)) else { return };
        if self.editor.ownership(argument) != Ownership::None || !makers.iter().all(|maker| self.is_used_once(*maker)) {
            return;
        }
        let mut different = None;
        for other in &makers[1..] {
            if self.is_alike(first, *other) {
                continue;
            }
            let Some(operand) = self.differing_operand(first, *other) else { return };
            if *different.get_or_insert(operand) != operand {
                return;
            }
        }
        match different {
            Some(operand) => self.pass_operand(block, (argument, index), ends, &makers, operand),
            None => self.pass_nothing(block, (argument, index), ends, &makers),
        }
    }

    /// Returns whether an instruction can move to another block.
    fn can_leave(&self, id: InstructionId) -> bool {
        let allocates = matches!(self.editor.opcode(id), Opcode::AllocRef | Opcode::AllocRefDynamic | Opcode::AllocBox);
        let behavior = self.editor.memory_behavior(id);
        self.editor.body().result(id).is_some()
            && !self.has_ownership_around(id)
            && !behavior.may_read()
            && (allocates || behavior == MemoryBehavior::None && !self.editor.may_have_side_effects(id))
    }

    fn is_used_once(&self, id: InstructionId) -> bool {
        self.editor.body().result(id).is_some_and(|result| self.editor.uses_but_debug(result).len() == 1)
    }

    /// The index of the only operand in which two instructions differ, if it is as cheap to pass as their result.
    fn differing_operand(&self, first: InstructionId, second: InstructionId) -> Option<usize> {
        let body = self.editor.body();
        let opcodes = (self.editor.opcode(first), self.editor.opcode(second));
        match opcodes {
            (Opcode::UnownedToRef, Opcode::UnownedToRef) | (Opcode::UnmanagedToRef, Opcode::UnmanagedToRef) => {
                let types = [first, second].map(|id| body.operands(id).first().map(|value| body.ty(*value)));
                return (types[0] == types[1]).then_some(0);
            }
            (Opcode::Struct, Opcode::Struct) => {}
            _ => return None,
        }
        let pairs = body.operands(first).iter().zip(body.operands(second)).enumerate();
        let mut different = pairs.filter(|(_, (first, second))| first != second);
        let (index, (value, _)) = different.next()?;
        let is_small =
            matches!(self.editor.environment.queries.get(body.ty(*value).ty), Type::Builtin(BuiltinType::Integer(_)));
        (different.next().is_none()
            && is_small
            && body.result(first).map(|value| body.ty(value)) == body.result(second).map(|value| body.ty(value)))
        .then_some(index)
    }

    /// Sinks the first of `makers` to the block. The predecessors pass its operand `operand` instead of the result.
    fn pass_operand(
        &mut self,
        block: BlockId,
        (argument, index): (Value, usize),
        ends: &[InstructionId],
        makers: &[InstructionId],
        operand: usize,
    ) {
        let Some(result) = self.editor.body().result(makers[0]) else { return };
        let passed: Vec<Value> = makers.iter().map(|maker| self.editor.body().operands(*maker)[operand]).collect();
        self.drop_debug_uses(makers);
        for (end, value) in ends.iter().zip(&passed) {
            self.editor.set_operand(Use { user: *end, operand: index as u32 }, *value);
        }
        self.editor.replace_all(argument, result);
        self.editor.set_value_type(argument, self.editor.body().ty(passed[0]));
        self.move_to_start(makers[0], block);
        self.editor.set_operand(Use { user: makers[0], operand: operand as u32 }, argument);
        makers[1..].iter().for_each(|maker| self.editor.erase(*maker));
    }

    /// Sinks the first of `makers` to the block. The predecessors pass `undef` for the argument.
    fn pass_nothing(
        &mut self,
        block: BlockId,
        (argument, index): (Value, usize),
        ends: &[InstructionId],
        makers: &[InstructionId],
    ) {
        let Some(result) = self.editor.body().result(makers[0]) else { return };
        self.drop_debug_uses(makers);
        let nothing = self.editor.undef(self.editor.body().ty(argument));
        for end in ends {
            self.editor.set_operand(Use { user: *end, operand: index as u32 }, nothing);
        }
        self.move_to_start(makers[0], block);
        self.editor.replace_all(argument, result);
        makers[1..].iter().for_each(|maker| self.editor.erase(*maker));
    }

    fn drop_debug_uses(&mut self, makers: &[InstructionId]) {
        let results: Vec<Value> = makers.iter().filter_map(|maker| self.editor.body().result(*maker)).collect();
        let uses: Vec<Use> = results.into_iter().flat_map(|result| self.editor.uses(result)).collect();
        for found in
            uses.into_iter().filter(|found| self.editor.opcode(found.user) == Opcode::DebugValue).collect::<Vec<_>>()
        {
            self.editor.erase(found.user);
        }
    }

    pub(super) fn move_to_start(&mut self, id: InstructionId, block: BlockId) {
        self.editor.move_to(id, Place::Start(block));
    }

    /// Sinks a literal that all predecessors pass.
    pub(super) fn sink_passed_literals(&mut self, block: BlockId) {
        let predecessors = self.cfg.predecessors(block);
        let body = self.editor.body();
        let ends: Option<Vec<InstructionId>> = predecessors.iter().map(|from| body.terminator(*from)).collect();
        let Some(ends) = ends.filter(|ends| ends.len() > 1) else { return };
        for (index, argument) in self.editor.body().blocks[block].arguments.clone().into_iter().enumerate() {
            if self.editor.uses(argument).is_empty() {
                continue;
            }
            let literals: Option<Vec<InstructionId>> =
                ends.iter().map(|end| self.literal(self.passed(*end, block, index)?)).collect();
            let Some([first, others @ ..]) = literals.as_deref() else { continue };
            if others.iter().all(|other| self.is_alike(*first, *other)) {
                self.copy_literal(*first, argument, block);
            }
        }
    }

    fn literal(&self, value: Value) -> Option<InstructionId> {
        use Opcode::*;
        let is_literal = |id: &InstructionId| {
            matches!(
                self.editor.opcode(*id),
                FunctionRef
                    | DynamicFunctionRef
                    | PrevDynamicFunctionRef
                    | GlobalAddr
                    | GlobalValue
                    | IntegerLiteral
                    | FloatLiteral
                    | StringLiteral
            )
        };
        self.editor.body().defining(value).filter(is_literal)
    }

    fn copy_literal(&mut self, literal: InstructionId, argument: Value, block: BlockId) {
        let made = self.editor.build(Place::Start(block), literal, |builder| builder.again(literal, &[]));
        let Some(made) = self.editor.body().result(made) else { return };
        self.editor.replace_all(argument, made);
    }
}

//! Evaluation of instructions in control flow order (lib/SILOptimizer/Utils/ConstExpr.cpp,
//! `evaluateInstructionAndGetNext`).

use sil_ir::context::{SubstitutionMapId, TypeId};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::views::{self, CheckedCastBr, CondBr, CondFail, SwitchEnum};
use sil_ir::model::{BlockId, DefaultCase, Details, InstructionId, Value};
use std::rc::Rc;

use super::calls::Call;
use super::evaluator::{Evaluator, FunctionState};
use super::unknown::{Evaluated, UnknownReason};
use super::values::{Closure, SymbolicValue};
use crate::knowledge::cast_feasibility::{CastFeasibility, SourceType};
use crate::knowledge::casts::Outcome;

/// The continuation of the evaluation.
pub(super) enum Step<'m> {
    /// At this instruction.
    To(InstructionId),
    /// In a called function, whose result becomes that of the call.
    Into(Call<'m>),
}

impl<'m> Evaluator<'m> {
    /// Evaluates an instruction that control has reached.
    pub(super) fn step(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<Step<'m>> {
        let body = state.body;
        let opcode = body.instructions[id].opcode;
        if opcode.information().position == Position::Terminator {
            return self.leave(state, id).map(Step::To);
        }
        if opcode == Opcode::Apply
            && let Some(call) = self.call(state, id)?
        {
            return Ok(Step::Into(call));
        }
        if opcode != Opcode::Apply {
            self.perform(state, id)?;
        }
        // Blocks end with terminators.
        body.next(id).map(Step::To).ok_or_else(|| self.unsupported(body, id))
    }

    /// Evaluates an instruction that is neither a terminator nor a call.
    fn perform(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<()> {
        use Opcode::*;
        let body = state.body;
        let operand = |number: usize| body.operands(id)[number];
        match body.instructions[id].opcode {
            // Ownership and deallocation do not change values.
            DebugValue | EndAccess | DestroyAddr | RetainValue | ReleaseValue | StrongRetain | StrongRelease
            | DestroyValue | EndBorrow | DebugStep | ExtendLifetime | DeallocStack => {}
            _ if self.is_instrumentation(body, id) => {}
            AllocStack => {
                if let Some(address) = body.result(id) {
                    // A struct without stored properties needs no initialisation.
                    let ty = self.substituted(state, body.ty(address).ty);
                    let is_empty = self.queries.field_types(ty).is_some_and(|fields| fields.is_empty());
                    let value = match is_empty {
                        true => SymbolicValue::aggregate(Vec::new()),
                        false => SymbolicValue::UninitializedMemory,
                    };
                    self.allocate(state, address, value);
                }
            }
            CondFail => self.check(state, id)?,
            Store | StoreBorrow => {
                let views::Store { source, destination } = views::Store::of(body, id);
                let value = self.constant(state, source)?;
                self.store(state, destination, value)?;
                if body.instructions[id].opcode == StoreBorrow {
                    let address = self.value(state, destination);
                    state.set_result(id, address);
                }
            }
            CopyAddr => {
                let value = self.loaded_constant(state, operand(0))?;
                self.store(state, operand(1), value)?;
            }
            InjectEnumAddr => {
                let case = views::EnumCase::of(body, id).case;
                self.store(state, operand(0), SymbolicValue::Enum(case, None))?;
            }
            PartialApply | ThinToThickFunction => {
                let closure = self.closure(state, id)?;
                state.set_result(id, closure);
            }
            // The parts of a destructured value may be unknown, other results may not.
            DestructureStruct | DestructureTuple => {
                for part in body.results(id) {
                    let value = self.computed(state, part)?;
                    state.set(part, value);
                }
            }
            _ => {
                let Some(result) = body.result(id) else { return Err(self.unsupported(body, id)) };
                let value = self.computed(state, result)?;
                let value = self.known(body, result, value)?;
                state.set(result, value);
            }
        }
        Ok(())
    }

    /// Evaluates a run-time check.
    fn check(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<()> {
        let body = state.body;
        let CondFail { condition, message } = CondFail::of(body, id);
        match self.constant(state, condition)? {
            SymbolicValue::Integer(condition) if condition.is_zero() => Ok(()),
            SymbolicValue::Integer(_) => Err(self.unknown(body, id, UnknownReason::Trap(format!("trap: {message}")))),
            _ => Err(self.unknown(body, id, UnknownReason::InvalidOperandValue)),
        }
    }

    /// Stores a value to a known address.
    pub(super) fn store(
        &mut self,
        state: &FunctionState<'m>,
        destination: Value,
        value: SymbolicValue,
    ) -> Evaluated<()> {
        let reason = match state.values.get(&destination) {
            Some(SymbolicValue::Address(address)) => {
                let address = address.clone();
                match self.memory.write(self.queries, &address, value) {
                    Some(()) => return Ok(()),
                    None => UnknownReason::InvalidOperandValue,
                }
            }
            Some(_) => UnknownReason::InvalidOperandValue,
            None => UnknownReason::UntrackedValue,
        };
        Err(self.unknown_value(state.body, destination, reason))
    }

    /// Returns a closure with the known values of its captures.
    fn closure(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let operands = body.operands(id);
        let SymbolicValue::Function(target) = self.constant(state, operands[0])? else {
            return Err(self.unknown(body, id, UnknownReason::InvalidOperandValue));
        };
        let mut captures = Vec::with_capacity(operands.len() - 1);
        for capture in &operands[1..] {
            captures.push((*capture, Some(self.value(state, *capture)).filter(SymbolicValue::is_constant)));
        }
        let substitutions = match &body.instructions[id].details {
            Details::Apply(apply) => self.queries.substitute_map(apply.substitutions, state.substitutions),
            _ => SubstitutionMapId::EMPTY,
        };
        let made = (state.function, id);
        Ok(SymbolicValue::Closure(Rc::new(Closure { target, captures, substitutions, made })))
    }

    /// Returns the first instruction of the block that a terminator branches to.
    fn leave(&mut self, state: &mut FunctionState<'m>, end: InstructionId) -> Evaluated<InstructionId> {
        let body = state.body;
        let target = match body.instructions[end].opcode {
            Opcode::Br => {
                let target = body.targets(end)[0];
                self.enter_once(state, end, target)?;
                for (argument, passed) in body.blocks[target].arguments.iter().zip(body.operands(end)) {
                    // A passed value may be unknown, and is checked at its uses.
                    let known = self.value(state, *passed);
                    state.set(*argument, known);
                }
                target
            }
            Opcode::CondBr => self.branch(state, end)?,
            Opcode::SwitchEnum | Opcode::SwitchEnumAddr => self.switch(state, end)?,
            Opcode::CheckedCastBr => self.cast(state, end)?,
            _ => return Err(self.unsupported(body, end)),
        };
        body.first_instruction(target).ok_or_else(|| self.unsupported(body, end))
    }

    /// Records that control reaches a block, which is an error if the block has been visited.
    fn enter_once(&mut self, state: &mut FunctionState<'m>, end: InstructionId, target: BlockId) -> Evaluated<()> {
        if state.visited.contains(&target) {
            return Err(self.unknown(state.body, end, UnknownReason::Loop));
        }
        state.visited.push(target);
        Ok(())
    }

    fn branch(&mut self, state: &mut FunctionState<'m>, end: InstructionId) -> Evaluated<BlockId> {
        let body = state.body;
        let view = CondBr::of(body, end);
        let SymbolicValue::Integer(condition) = self.constant(state, view.condition)? else {
            return Err(self.unknown(body, end, UnknownReason::InvalidOperandValue));
        };
        let (target, passed) = match condition.is_zero() {
            true => (view.false_target, view.false_arguments),
            false => (view.true_target, view.true_arguments.0),
        };
        self.enter_once(state, end, target)?;
        for (argument, passed) in body.blocks[target].arguments.iter().zip(passed) {
            let known = self.value(state, *passed);
            state.set(*argument, known);
        }
        Ok(target)
    }

    fn switch(&mut self, state: &mut FunctionState<'m>, end: InstructionId) -> Evaluated<BlockId> {
        let body = state.body;
        let SwitchEnum { operand, targets, cases } = SwitchEnum::of(body, end);
        let whole = match body.instructions[end].opcode {
            Opcode::SwitchEnum => self.constant(state, operand)?,
            _ => self.loaded_constant(state, operand)?,
        };
        let invalid = |evaluator: &Self| evaluator.unknown(body, end, UnknownReason::InvalidOperandValue);
        let SymbolicValue::Enum(case, payload) = &whole else { return Err(invalid(self)) };
        let number = cases.members.iter().position(|member| member == case);
        let is_default = number.is_none() && cases.default == DefaultCase::Present;
        let target = match number.or(is_default.then_some(cases.members.len())).and_then(|number| targets.get(number)) {
            Some(target) => *target,
            None => return Err(invalid(self)),
        };
        if let Some(argument) = body.blocks[target].arguments.first() {
            // With ownership the default destination receives the enum, unless it covers a single case.
            let is_whole = is_default && body.ty(*argument).ty == body.ty(operand).ty;
            let passed = if is_whole { Some(whole.clone()) } else { payload.as_deref().cloned() };
            match passed {
                Some(passed) => state.set(*argument, passed),
                None => return Err(invalid(self)),
            }
        }
        Ok(target)
    }

    fn cast(&mut self, state: &mut FunctionState<'m>, end: InstructionId) -> Evaluated<BlockId> {
        let body = state.body;
        let CheckedCastBr { operand, success, failure, cast } = CheckedCastBr::of(body, end);
        let value = self.constant(state, operand)?;
        let written: TypeId = cast.source.unwrap_or(body.ty(operand).ty);
        let from = match &value {
            SymbolicValue::Array(memory) => self.memory.ty(*memory),
            _ => self.substituted(state, written),
        };
        let to = self.substituted(state, cast.target);
        let outcome = CastFeasibility::new(self.queries, None).outcome(from, to, SourceType::Bound);
        let target = match outcome {
            Some(Outcome::Succeeds) => success,
            Some(Outcome::Fails) => failure,
            None => return Err(self.unknown(body, end, UnknownReason::UnknownCastResult)),
        };
        if let Some(argument) = body.blocks[target].arguments.first() {
            state.set(*argument, value);
        }
        Ok(target)
    }
}

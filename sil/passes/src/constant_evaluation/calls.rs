//! Called functions: their arguments, their substitutions, and their execution (lib/SILOptimizer/Utils/ConstExpr.cpp,
//! `computeCallResult`, `evaluateAndCacheCall`).

use sil_ir::context::SubstitutionMapId;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, FunctionId, InstructionId, views};
use std::rc::Rc;

use super::control_flow::Step;
use super::evaluator::{Evaluator, FunctionState};
use super::unknown::{Evaluated, Place, Unknown, UnknownReason};
use super::values::SymbolicValue;
use crate::knowledge::witnesses::Witness;

/// A function to execute.
pub(super) struct Call<'m> {
    function: FunctionId,
    body: &'m Body,
    substitutions: SubstitutionMapId,
    arguments: Vec<SymbolicValue>,
    place: Place,
}

/// A stack frame: the state of a function and its current instruction.
struct Frame<'m> {
    state: FunctionState<'m>,
    at: InstructionId,
}

impl<'m> Evaluator<'m> {
    /// Returns the result of a call in code that is evaluated on demand.
    pub(super) fn call_on_demand(
        &mut self,
        state: &mut FunctionState<'m>,
        id: InstructionId,
    ) -> Evaluated<SymbolicValue> {
        match self.call(state, id)? {
            Some(call) => self.run(call),
            // The call of a known library function is already evaluated.
            None => {
                let known = state.body.result(id).and_then(|result| state.values.get(&result));
                Ok(known.cloned().unwrap_or_else(|| SymbolicValue::aggregate(Vec::new())))
            }
        }
    }

    /// Returns the function to execute for a call, or `None` if the call of a known function has been evaluated.
    pub(super) fn call(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<Option<Call<'m>>> {
        let body = state.body;
        let views::Apply { callee, arguments, apply } = views::Apply::of(body, id);
        let invalid = |evaluator: &Self| evaluator.unknown(body, id, UnknownReason::InvalidOperandValue);
        let applied = self.queries.substitute_map(apply.substitutions, state.substitutions);
        let (function, substitutions) = match self.value(state, callee) {
            SymbolicValue::Function(function) => (function, applied),
            SymbolicValue::Witness(witness) => {
                let (ty, method) = &*witness;
                match self.witnesses.witness(self.module, self.queries, *ty, method, applied) {
                    Witness::Function(name, map) => match self.module.function_named(name) {
                        Some(function) => (function, map),
                        None => return Err(invalid(self)),
                    },
                    Witness::Unknown(..) | Witness::None => {
                        let name = self.module.context.text(self.module.context.get_member(method.member).name);
                        return Err(self.unknown(body, id, UnknownReason::NoWitnessTableEntry(name.to_owned())));
                    }
                }
            }
            _ => return Err(invalid(self)),
        };
        if !self.called.contains(&function) {
            self.called.push(function);
        }
        if self.call_known(state, id, function)? {
            return Ok(None);
        }
        let callee = &self.module.functions[function];
        let symbol = || self.module.context.text(callee.name).to_owned();
        let mut passed = Vec::with_capacity(arguments.len());
        for (number, argument) in arguments.iter().enumerate() {
            let known = self.value(state, *argument);
            if !known.is_constant() {
                return Err(self.unknown(body, id, UnknownReason::CallArgumentUnknown(symbol(), number)));
            }
            passed.push(known);
        }
        let Some(run) = &callee.body else {
            return Err(self.unknown(body, id, UnknownReason::CalleeImplementationUnknown(symbol())));
        };
        if run.blocks[run.entry()].arguments.len() != passed.len() {
            return Err(invalid(self));
        }
        let place = Place::of(body, id);
        Ok(Some(Call { function, body: run, substitutions, arguments: passed, place }))
    }

    /// Executes a function, and returns its result.
    pub(super) fn run(&mut self, call: Call<'m>) -> Evaluated<SymbolicValue> {
        let depth = self.calls.len();
        let result = self.run_to_end(call);
        self.calls.truncate(depth);
        result
    }

    fn run_to_end(&mut self, call: Call<'m>) -> Evaluated<SymbolicValue> {
        let mut callers: Vec<Frame<'m>> = Vec::new();
        let mut frame = self.enter(call)?;
        loop {
            let (body, id) = (frame.state.body, frame.at);
            self.evaluated += 1;
            if self.evaluated > self.limits.instructions {
                let reason = UnknownReason::TooManyInstructions(self.limits.instructions);
                return Err(self.unknown(body, id, reason));
            }
            if body.instructions[id].opcode == Opcode::Return {
                let result = self.constant(&mut frame.state, body.operands(id)[0])?;
                self.calls.pop();
                let Some(mut caller) = callers.pop() else { return Ok(result) };
                let (body, call) = (caller.state.body, caller.at);
                caller.state.set_result(call, result);
                caller.at = body.next(call).ok_or_else(|| self.unsupported(body, call))?;
                frame = caller;
                continue;
            }
            match self.step(&mut frame.state, id)? {
                Step::To(next) => frame.at = next,
                Step::Into(call) => {
                    let called = self.enter(call)?;
                    callers.push(std::mem::replace(&mut frame, called));
                }
            }
        }
    }

    fn enter(&mut self, call: Call<'m>) -> Evaluated<Frame<'m>> {
        let Call { function, body, substitutions, arguments, place } = call;
        self.calls.push(place);
        let mut state = FunctionState::run(function, body, substitutions);
        state.values.extend(body.blocks[body.entry()].arguments.iter().copied().zip(arguments));
        match body.first_instruction(body.entry()) {
            Some(at) => Ok(Frame { state, at }),
            None => {
                let unknown = Unknown { reason: UnknownReason::Default, place: None, calls: self.calls.clone() };
                Err(Rc::new(unknown))
            }
        }
    }
}

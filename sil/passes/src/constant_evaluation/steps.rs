//! Evaluation of a function step by step; the client decides which instructions are skipped
//! (lib/SILOptimizer/Utils/ConstExpr.cpp, `ConstExprStepEvaluator`).

use sil_analysis::{ApplySite, InstructionEffects};
use sil_ir::context::{ParameterConvention, SubstitutionMapId};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{Body, FunctionId, InstructionId, Module, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};
use std::rc::Rc;

use super::control_flow::Step;
use super::evaluator::{EvaluationLimits, Evaluator, FunctionState};
use super::unknown::{Evaluated, Place, Unknown, UnknownReason};
use super::values::SymbolicValue;

/// The evaluation of one function.
pub(crate) struct StepEvaluator<'m> {
    pub(crate) evaluator: Evaluator<'m>,
    state: FunctionState<'m>,
}

/// The result of one step.
pub(crate) struct Evaluation {
    /// The next instruction, or `None` if it is unknown.
    pub(crate) next: Option<InstructionId>,
    /// The reason why the instruction was skipped, or the evaluation ends.
    pub(crate) unknown: Option<Rc<Unknown>>,
}

impl<'m> StepEvaluator<'m> {
    /// Starts the evaluation of a function with `body`.
    pub(crate) fn new(
        module: &'m Module,
        queries: &'m TypeQueries<'m>,
        limits: EvaluationLimits,
        (id, body): (FunctionId, &'m Body),
    ) -> Self {
        let evaluator = Evaluator::new(module, queries, limits);
        let state = FunctionState::run(id, body, SubstitutionMapId::EMPTY);
        Self { evaluator, state }
    }

    /// Returns the constant that a value has.
    pub(crate) fn constant(&self, value: Value) -> Option<&SymbolicValue> {
        self.state.values.get(&value).filter(|known| known.is_constant())
    }

    fn evaluate(&mut self, id: InstructionId) -> Evaluated<InstructionId> {
        self.evaluator.evaluated = 0;
        match self.evaluator.step(&mut self.state, id)? {
            Step::To(next) => Ok(next),
            Step::Into(call) => {
                let result = self.evaluator.run(call)?;
                self.state.set_result(id, result);
                let body = self.state.body;
                body.next(id).ok_or_else(|| self.evaluator.unsupported(body, id))
            }
        }
    }

    /// Evaluates an instruction. It is skipped if it cannot be evaluated, unless the program would end there.
    pub(crate) fn try_to_evaluate(&mut self, id: InstructionId) -> Evaluation {
        let unknown = match self.evaluate(id) {
            Ok(next) => return Evaluation { next: Some(next), unknown: None },
            Err(unknown) => unknown,
        };
        // A branch that cannot be evaluated is a back edge.
        let next = match unknown.reason.stops() || self.state.body.instructions[id].opcode == Opcode::Br {
            true => None,
            false => self.pass_over(id),
        };
        Evaluation { next, unknown: Some(unknown) }
    }

    /// Skips an instruction: its results, and the memory it may write, become unknown. Returns the next instruction, or
    /// `None` after a terminator.
    pub(crate) fn pass_over(&mut self, id: InstructionId) -> Option<InstructionId> {
        let body = self.state.body;
        let unknown = |reason| {
            SymbolicValue::Unknown(Rc::new(Unknown { reason, place: Some(Place::of(body, id)), calls: Vec::new() }))
        };
        let effects = InstructionEffects::new(self.evaluator.module, self.evaluator.queries);
        if effects.memory_behavior(body, id).may_write() {
            self.forget_what_is_changed(id, unknown(UnknownReason::MutatedByUnevaluatedInstruction));
        }
        for result in body.results(id) {
            self.state.set(result, unknown(UnknownReason::ReturnedByUnevaluatedInstruction));
        }
        let is_end = body.instructions[id].opcode.information().position == Position::Terminator;
        body.next(id).filter(|_| !is_end)
    }

    fn forget_what_is_changed(&mut self, id: InstructionId, unknown: SymbolicValue) {
        let body = self.state.body;
        let queries = self.evaluator.queries;
        for (operand, value) in body.operands(id).iter().enumerate() {
            let Some(SymbolicValue::Address(address)) = self.state.values.get(value).cloned() else { continue };
            let site = ApplySite::new(body, id);
            let conventions = site.and_then(|site| Some((site, site.conventions(queries)?)));
            let argument = conventions.and_then(|(site, conventions)| site.argument_of_operand(conventions, operand));
            let is_read = argument.is_some_and(|argument| {
                argument.convention == ArgumentConvention::Parameter(ParameterConvention::InGuaranteed)
            });
            if is_read {
                continue;
            }
            let memory = &mut self.evaluator.memory;
            let is_aggregate = matches!(memory.value(address.memory), SymbolicValue::Aggregate(_));
            if !is_aggregate || memory.write(queries, &address, unknown.clone()).is_none() {
                memory.set_value(address.memory, unknown.clone());
            }
        }
    }
}

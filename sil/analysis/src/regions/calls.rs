//! The effects of calls on regions: arguments that cross to another actor are sent to it, others get into one region
//! with the results (`translateSILApply`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use sil_ir::context::{FunctionAttribute, ParameterOption, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::ArgumentRole;

use super::async_lets::{AsyncLetSource, source_of_get};
use super::crossings::{Crossing, Evidence, crossing_of};
use super::isolated_calls::gives_sent_result;
use super::isolation::Isolation;
use super::partition::{OperationKind, Source};
use super::tracked_values::TrackedValue;
use super::translation::{Requires, Translator};
use crate::effects::InstructionEffects;
use crate::{ApplySite, BodyView, Use};

/// The role of an operand of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CallOperand {
    pub(super) operand: Use,
    pub(super) role: ArgumentRole,
    pub(super) is_sending: bool,
    pub(super) is_self: bool,
}

/// The arguments of a call.
pub(super) fn call_operands(view: &BodyView<'_>, site: ApplySite<'_>) -> Vec<CallOperand> {
    let Some(conventions) = site.conventions(view.queries) else { return Vec::new() };
    let function = conventions.function;
    let own = conventions.self_parameter().map(|number| number as u32);
    let operand = |operand: u32| {
        let argument = site.argument_of_operand(conventions, operand as usize)?;
        let options = match argument.role {
            ArgumentRole::IndirectResult(number) => Some(function.results[number as usize].options),
            ArgumentRole::Parameter(number) => Some(function.parameters[number as usize].options),
            ArgumentRole::IndirectError => None,
        };
        Some(CallOperand {
            operand: Use { user: site.instruction, operand },
            role: argument.role,
            is_sending: options.is_some_and(|options| options.contains(ParameterOption::Sending)),
            is_self: own.is_some_and(|own| argument.role == ArgumentRole::Parameter(own)),
        })
    };
    (1..=site.arguments().len() as u32).filter_map(operand).collect()
}

/// Whether an operand is passed to a `sending` parameter.
pub fn is_sending(view: &BodyView<'_>, found: Use) -> bool {
    let site = ApplySite::new(view.body, found.user).filter(|site| site.kind.is_full());
    let operands = site.map_or_else(Vec::new, |site| call_operands(view, site));
    operands.iter().any(|operand| operand.operand == found && operand.is_sending)
}

/// The results of a call, and of `try_apply` the arguments of its successors.
fn results_of_call(view: &BodyView<'_>, id: InstructionId) -> Vec<Value> {
    match view.opcode(id) {
        Opcode::TryApply => {
            let first = |block| view.body.blocks[block].arguments.first().copied();
            view.body.targets(id).iter().filter_map(|block| first(*block)).collect()
        }
        _ => view.body.results(id).collect(),
    }
}

/// The function that returns the result of an `async let`.
const ASYNC_LET_GET: &str = "swift_asyncLet_get";

impl Translator<'_, '_, '_, '_> {
    pub(super) fn call(&mut self, id: InstructionId) {
        let view = self.view();
        if view.opcode(id) == Opcode::Builtin {
            return self.builtin(id);
        }
        let Some(site) = ApplySite::new(view.body, id) else { return };
        if site.called_function().is_some_and(|name| view.queries.context.text(name) == ASYNC_LET_GET) {
            return self.async_let_get(id);
        }
        match crossing_of(view, id) {
            Some(crossing) => self.crossing_call(site, crossing),
            None => self.plain_call(site),
        }
    }

    fn builtin(&mut self, id: InstructionId) {
        let view = self.view();
        let results: Vec<Value> = view.body.results(id).collect();
        let operands = self.operands(id);
        match InstructionEffects::new(view.module, view.queries).builtin(view.body, id) {
            Some(BuiltinKind::Named(NamedBuiltin::StartAsyncLetWithLocalBuffer)) => {
                let found = results.first().and_then(|result| self.tracked.track(*result));
                if let Some(found) = found {
                    self.fresh(found.value);
                }
            }
            Some(BuiltinKind::Named(NamedBuiltin::CreateAsyncTask)) => {
                if let Some(closure) = operands.get(1) {
                    self.require_and_send(*closure);
                }
            }
            _ => self.assign_all(&results, &operands, Isolation::UNKNOWN, Requires::Yes),
        }
    }

    /// The values that were sent to an `async let` are back, except for those that it sent on to an actor.
    fn async_let_get(&mut self, id: InstructionId) {
        let view = self.view();
        let Some(AsyncLetSource::Closure(closure)) = source_of_get(view, id) else { return };
        let is_sendable = view.body.result(closure).is_none_or(|result| is_sendable_function(view, result));
        let Some(site) = ApplySite::new(view.body, closure).filter(|_| !is_sendable) else { return };
        for operand in call_operands(view, site) {
            let found = self.track_use(operand.operand).filter(|found| !found.value.is_sendable);
            let Some(found) = found else { continue };
            if !super::async_lets::sends_to_actor(view, operand.operand) {
                self.push(OperationKind::UndoSend(found.value.element), Source::Instruction(id));
            }
        }
    }

    fn plain_call(&mut self, site: ApplySite<'_>) {
        let view = self.view();
        let (mut joined, mut sent_results, mut own) = (Vec::new(), Vec::new(), None);
        for operand in call_operands(view, site) {
            match operand.role {
                _ if operand.is_self => own = Some(operand),
                ArgumentRole::IndirectResult(_) if operand.is_sending => sent_results.push(operand.operand),
                _ if operand.is_sending => self.require_and_send(operand.operand),
                _ => joined.push(operand.operand),
            }
        }
        match own {
            Some(own) if own.is_sending => self.require_and_send(own.operand),
            Some(own) => joined.push(own.operand),
            None => {}
        }
        if let Some(found) = site.callee().and_then(|callee| self.tracked.track(callee)) {
            self.require(found);
        }
        let results = results_of_call(view, site.instruction);
        if !gives_sent_result(self.tracked.values, site) {
            let isolation = self.tracked.values.of_instruction(site.instruction);
            return self.assign_all(&results, &joined, isolation, Requires::Yes);
        }
        self.assign_all(&[], &joined, Isolation::UNKNOWN, Requires::Yes);
        for result in results.into_iter().chain(sent_results.into_iter().map(|found| found.value(view.body))) {
            if let Some(found) = self.tracked.track(result) {
                self.fresh(found.value);
            }
        }
    }

    fn crossing_call(&mut self, site: ApplySite<'_>, crossing: Crossing) {
        let view = self.view();
        let operands = call_operands(view, site);
        let all: Vec<Use> = operands.iter().map(|operand| operand.operand).collect();
        self.require_all(&all);
        let passed = operands.iter().filter(|operand| !matches!(operand.role, ArgumentRole::IndirectResult(_)));
        let (own, others): (Vec<&CallOperand>, Vec<&CallOperand>) = passed.partition(|operand| operand.is_self);
        for operand in others.into_iter().chain(own) {
            if let Some(found) = self.track_use(operand.operand) {
                self.send(found.value, operand.operand);
            }
        }
        let comes_from_nobody = crossing.evidence == Evidence::Inferred && crossing.callee.is_nonisolated();
        let is_wrong = !gives_sent_result(self.tracked.values, site) && !comes_from_nobody;
        for result in results_of_call(view, site.instruction) {
            let Some(found) = self.tracked.track(result) else { continue };
            self.fresh(found.value);
            if is_wrong {
                self.crossing_result(found.value);
            }
        }
        let indirect = operands.iter().filter(|operand| matches!(operand.role, ArgumentRole::IndirectResult(_)));
        for operand in indirect.filter(|_| is_wrong) {
            if let Some(found) = self.track_use(operand.operand) {
                self.crossing_result(found.value);
            }
        }
    }

    fn crossing_result(&mut self, value: TrackedValue) {
        if !value.is_sendable {
            self.push(OperationKind::CrossingResult(value.element), Source::Instruction(self.current));
        }
    }
}

/// Whether a value is a `@Sendable` function.
pub(super) fn is_sendable_function(view: &BodyView<'_>, value: Value) -> bool {
    match view.queries.get(view.body.ty(value).ty) {
        Type::Function(function) => function.attributes.contains(FunctionAttribute::Sendable),
        _ => false,
    }
}

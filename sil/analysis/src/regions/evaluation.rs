//! Operations applied to a partition, and their errors (`PartitionOpEvaluator`,
//! include/swift/SILOptimizer/Utils/PartitionUtils.h).

use rustc_hash::FxHashMap;
use sil_ir::context::{ParameterOption, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, InstructionId, Value};

use super::actors::ActorIsolation;
use super::calls::is_sending;
use super::captures::Captures;
use super::crossings::isolation_of_caller;
use super::isolated_values::is_sendable_function;
use super::isolation::Isolation;
use super::partition::{Operation, OperationKind, Partition, Region, Requirement, Source};
use super::tracked_values::{Element, TrackedValues};
use crate::temporary_origins::origin_of_temporary;
use crate::thunks::is_thunk;
use crate::{ApplySite, BodyView, Use};

/// A state sent by an operand.
#[derive(Clone, Copy, Debug)]
pub struct SentState {
    /// Its isolation.
    pub isolation: Isolation,
    /// Whether a closure may use a part of it.
    pub is_captured: bool,
}

/// An error in the sending of values.
#[derive(Clone, Copy, Debug)]
pub enum RegionError {
    /// An instruction uses a value that `sent` has sent away.
    UseAfterSend { user: InstructionId, sent: Use },
    /// The sent value belongs to an actor or to the current task.
    SentNeverSendable { by: Use, isolation: Isolation },
    /// A value that belongs to an actor or to the current task gets into a result that the caller may send.
    IntoSendingResult { by: Use, result: Value, source: Option<Value>, isolation: Isolation },
    /// The content of an `inout sending` parameter is gone as the function ends at `exit`.
    InOutNotInitialized { exit: InstructionId, sent: Use },
    /// The content of an `inout sending` parameter as the function ends belongs to an actor or to the current task.
    InOutNotDisconnected { exit: InstructionId, parameter: Value, isolation: Isolation },
    /// Nothing is known of how an instruction treats its values.
    Unknown { instruction: InstructionId },
    /// A call returns a value that belongs to the callee's actor.
    CrossingResult { call: InstructionId, value: Value },
}

/// The context of operations.
pub(super) struct Evaluator<'e, 'f, 'v, 'm> {
    pub(super) tracked: &'e mut TrackedValues<'f, 'v, 'm>,
    pub(super) captures: &'e Captures,
    pub(super) sent: &'e mut FxHashMap<Use, SentState>,
    pub(super) errors: Vec<RegionError>,
}

impl<'v, 'm> Evaluator<'_, '_, 'v, 'm> {
    fn view(&self) -> &'v BodyView<'m> {
        self.tracked.values.view
    }

    pub(super) fn apply(&mut self, partition: &mut Partition, operation: Operation) {
        let source = operation.source;
        match operation.kind {
            OperationKind::Assign(element, other) => {
                self.check_sending_result(partition, source, element, other);
                partition.assign(element, other);
            }
            OperationKind::Merge(element, other) => {
                self.check_sending_result(partition, source, element, other);
                partition.merge(element, other);
            }
            OperationKind::AssignFresh(element) => partition.track_new(element),
            OperationKind::AssignFreshWith(element, other) => {
                partition.track_new(element);
                partition.assign(element, other);
            }
            OperationKind::Send(element) => self.send(partition, source, element),
            OperationKind::UndoSend(element) => partition.undo_send(element),
            OperationKind::Require(element, requirement) => self.require(partition, source, element, requirement),
            OperationKind::Unknown(element) => {
                partition.track_new(element);
                self.errors.push(RegionError::Unknown { instruction: source.instruction() });
            }
            OperationKind::InOutSendingAtExit(element) => self.check_exit(partition, source, element),
            OperationKind::CrossingResult(element) => {
                if let Some(value) = self.tracked.get(element).value() {
                    self.errors.push(RegionError::CrossingResult { call: source.instruction(), value });
                }
            }
        }
    }

    /// The common isolation of all elements of a region; none if they belong to different actors.
    fn isolation_of(&self, partition: &Partition, region: Region) -> Option<Isolation> {
        let mut elements = partition.elements(region);
        elements.try_fold(Isolation::UNKNOWN, |merged, element| merged.merge(self.tracked.get(element).isolation()))
    }

    fn is_captured(&self, partition: &Partition, region: Region, id: InstructionId) -> bool {
        let values: Vec<Value> =
            partition.elements(region).filter_map(|element| self.tracked.get(element).value()).collect();
        values.into_iter().any(|value| self.captures.may_use(self.tracked, value, id))
    }

    fn check_sending_result(&mut self, partition: &Partition, source: Source, element: Element, other: Element) {
        let view = self.view();
        let Source::Operand(by) = source else { return };
        let Some(conventions) = view.queries.conventions(view.function.ty) else { return };
        let is_sent = conventions
            .function
            .results
            .first()
            .is_some_and(|result| result.options.contains(ParameterOption::Sending));
        let Some(result) = self.tracked.get(element).value().filter(|_| is_sent) else { return };
        if !view.argument_convention(result).is_some_and(|convention| convention.is_indirect_out()) {
            return;
        }
        let found = self.tracked.get(other);
        let region = partition.region(other).and_then(|region| self.isolation_of(partition, region));
        let isolation = region.unwrap_or(Isolation::UNKNOWN);
        if !isolation.is_disconnected() && isolation.is_known() && !found.isolation().flags.unchecked {
            let source = found.value();
            self.errors.push(RegionError::IntoSendingResult { by, result, source, isolation });
        }
    }

    fn send(&mut self, partition: &mut Partition, source: Source, element: Element) {
        let (Source::Operand(by), Some(region)) = (source, partition.region(element)) else { return };
        if self.tracked.get(element).isolation().flags.unchecked {
            return;
        }
        let Some(isolation) = self.isolation_of(partition, region) else {
            return self.errors.push(RegionError::Unknown { instruction: by.user });
        };
        let is_captured = self.is_captured(partition, region, by.user);
        let callee = self.tracked.values.of_instruction(by.user);
        let is_same = callee.is_known() && isolation.is_same(callee);
        if !is_same && !isolation.is_disconnected() {
            if !self.is_squelched(by) {
                self.errors.push(RegionError::SentNeverSendable { by, isolation });
            }
            return;
        }
        if is_same && isolation.is_disconnected() && !is_sending(self.view(), by) {
            return;
        }
        let unknown = SentState { isolation: Isolation::UNKNOWN, is_captured: false };
        let state = self.sent.entry(by).or_insert(unknown);
        state.is_captured |= is_captured;
        match state.isolation.merge(isolation) {
            Some(merged) => state.isolation = merged,
            None => self.errors.push(RegionError::Unknown { instruction: by.user }),
        }
        partition.mark_sent(element, by);
    }

    fn require(&mut self, partition: &Partition, source: Source, element: Element, requirement: Requirement) {
        let Some(sent) = partition.sent_by(element) else { return };
        for sent in sent.clone() {
            let is_captured = self.sent.get(&sent).is_some_and(|state| state.is_captured);
            let matters = requirement == Requirement::NotSent || is_captured;
            if matters && !self.is_squelched(sent) && !self.runs_where_function_runs(sent.user) {
                self.errors.push(RegionError::UseAfterSend { user: source.instruction(), sent });
            }
        }
    }

    fn check_exit(&mut self, partition: &Partition, source: Source, element: Element) {
        let exit = source.instruction();
        if let Some(sent) = partition.sent_by(element) {
            let errors = sent.iter().map(|sent| RegionError::InOutNotInitialized { exit, sent: *sent });
            return self.errors.extend(errors);
        }
        let region = partition.region(element).and_then(|region| self.isolation_of(partition, region));
        match (region.and_then(Isolation::known), self.tracked.get(element).value()) {
            (Some(isolation), Some(parameter)) if !isolation.is_disconnected() => {
                self.errors.push(RegionError::InOutNotDisconnected { exit, parameter, isolation });
            }
            (Some(_), _) => {}
            (None, _) => self.errors.push(RegionError::Unknown { instruction: exit }),
        }
    }

    /// Whether the receiver of a sent value runs on the actor of the function.
    fn runs_where_function_runs(&self, id: InstructionId) -> bool {
        let own = isolation_of_caller(self.view()).filter(|isolation| isolation.is_isolated());
        own.is_some_and(|own: ActorIsolation| self.tracked.values.of_instruction(id).actor_isolation() == Some(own))
    }

    /// Whether a sent value has no report: it is unchecked, or a function that may run anywhere and only lost that
    /// mark.
    fn is_squelched(&mut self, sent: Use) -> bool {
        let view = self.view();
        let Some(value) = self.tracked.lookup(sent.value(view.body)).value.value() else { return false };
        if let Some((id, Opcode::AllocStack)) = view.definition(value)
            && let Some(origin) = origin_of_temporary(view, value, id)
            && self.tracked.lookup(origin).value.isolation().flags.unchecked
        {
            return true;
        }
        is_hidden_sendable_function(view, value)
    }
}

/// Whether a function comes from one that may run anywhere.
fn is_hidden_sendable_function(view: &BodyView<'_>, start: Value) -> bool {
    let mut value = start;
    for _ in 0..=view.body.values.len() {
        let Some((id, opcode)) = view.definition(value) else { return false };
        let next = match opcode {
            Opcode::PartialApply => {
                let Some(site) = ApplySite::new(view.body, id) else { return false };
                let inner = site
                    .arguments()
                    .first()
                    .filter(|inner| matches!(view.queries.get(view.body.ty(**inner).ty), Type::Function(_)));
                match inner {
                    Some(inner) if is_thunk(view, site.callee()) => Some(*inner),
                    _ => return site.callee().is_some_and(|callee| refers_to_sendable_function(view, callee)),
                }
            }
            Opcode::ThinToThickFunction | Opcode::ConvertEscapeToNoescape => view.operand(id, 0),
            Opcode::FunctionRef => return refers_to_sendable_function(view, value),
            Opcode::ConvertFunction => {
                return view.operand(id, 0).is_some_and(|operand| is_sendable_function(view, operand));
            }
            _ => return false,
        };
        match next {
            Some(next) => value = next,
            None => return false,
        }
    }
    false
}

fn refers_to_sendable_function(view: &BodyView<'_>, value: Value) -> bool {
    let Some((id, Opcode::FunctionRef)) = view.definition(value) else { return false };
    let Details::Function(name) = view.body.instructions[id].details else { return false };
    let function = view.module.function_named(name).map(|id| &view.module.functions[id]);
    function.is_some_and(|function| match view.queries.get(function.ty) {
        Type::Function(ty) => ty.attributes.contains(sil_ir::context::FunctionAttribute::Sendable),
        _ => false,
    })
}

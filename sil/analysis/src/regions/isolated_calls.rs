//! The isolation of the results of a call: the actor that the callee runs on (`SILIsolationInfo::get` of a full apply
//! site, lib/SILOptimizer/Utils/SILIsolationInfo.cpp).

use sil_ir::context::ParameterOption;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use super::actors::ActorIsolation;
use super::crossings::{Evidence, crossing_of, isolated_argument};
use super::isolated_values::{ValueIsolation, after_actor, is_optional};
use super::isolation::Isolation;
use crate::ApplySite;
use crate::access::{Addressed, addressed_global};

impl ValueIsolation<'_, '_> {
    /// The isolation of the result of a call.
    pub(super) fn of_call(&self, id: InstructionId) -> Isolation {
        let view = self.view;
        let Some(site) = ApplySite::new(view.body, id) else { return Isolation::UNKNOWN };
        if gives_sent_result(self, site) {
            return Isolation::DISCONNECTED;
        }
        let crossing = crossing_of(view, id);
        let stated = crossing.filter(|crossing| crossing.evidence == Evidence::Stated);
        if let Some(crossing) = stated.filter(|crossing| crossing.callee.is_isolated()) {
            return Isolation::actor(crossing.callee, None, None);
        }
        if self.inherits_actor(site) {
            return Isolation::DISCONNECTED;
        }
        if let Some(actor) = isolated_argument(view, site) {
            let actor = after_actor(view, actor);
            if self.is_no_actor(actor) {
                return Isolation::DISCONNECTED;
            }
            let isolation = self.of_actor_instance(None, actor);
            if isolation.is_known() {
                return isolation;
            }
        }
        let callee = site.callee().map_or(Isolation::UNKNOWN, |callee| self.of(callee));
        if callee.is_known() {
            return callee;
        }
        if let (Some(Addressed::Global(name)), Some(result)) = (addressed_global(view, id), view.body.result(id)) {
            let isolation = self.of_global(name, result);
            if matches!(isolation.actor_isolation(), Some(ActorIsolation::Global(_))) {
                return isolation;
            }
        }
        match crossing {
            Some(crossing) if crossing.evidence == Evidence::Inferred && crossing.callee.is_nonisolated() => {
                Isolation::DISCONNECTED
            }
            _ => Isolation::UNKNOWN,
        }
    }

    /// Whether the callee runs where its caller runs.
    fn inherits_actor(&self, site: ApplySite<'_>) -> bool {
        let conventions = site.conventions(self.view.queries);
        conventions.is_some_and(|conventions| {
            conventions.function.parameters.iter().any(|parameter| {
                parameter.options.contains(ParameterOption::ImplicitLeading)
                    && parameter.options.contains(ParameterOption::Isolated)
            })
        })
    }

    /// Whether `nil` is passed for the actor: the callee runs on none.
    fn is_no_actor(&self, actor: Value) -> bool {
        let view = self.view;
        let Some((id, Opcode::Enum)) = view.definition(actor) else { return false };
        is_optional(view, actor) && view.body.operands(id).is_empty()
    }
}

/// Whether the result of a call is sent to the caller.
pub(super) fn gives_sent_result(values: &ValueIsolation<'_, '_>, site: ApplySite<'_>) -> bool {
    let conventions = site.conventions(values.view.queries);
    let first = conventions.and_then(|conventions| conventions.function.results.first());
    first.is_some_and(|result| result.options.contains(ParameterOption::Sending))
}

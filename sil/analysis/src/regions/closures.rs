//! The effects of closures on regions: the captures of one that runs on an actor, or as an `async let`, are sent to it,
//! others are in one region with it (`translateSILPartialApply`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use sil_ir::model::InstructionId;

use super::actors::ActorIsolation;
use super::async_lets::begins_async_let;
use super::calls::{call_operands, is_sendable_function};
use super::isolation::Isolation;
use super::translation::{Requires, Translator};
use crate::ApplySite;
use crate::thunks::is_reabstraction_thunk;

impl Translator<'_, '_, '_, '_> {
    pub(super) fn closure(&mut self, id: InstructionId) {
        let view = self.view();
        let (Some(site), Some(result)) = (ApplySite::new(view.body, id), view.body.result(id)) else { return };
        let isolation = self.tracked.values.of_instruction(id);
        let is_sendable = is_sendable_function(view, result);
        let on_global_actor = matches!(isolation.actor_isolation(), Some(ActorIsolation::Global(_)));
        // The type checker reports errors of others.
        if is_sendable && !on_global_actor {
            return;
        }
        let captured: Vec<_> = call_operands(view, site).iter().map(|operand| operand.operand).collect();
        if begins_async_let(view, id) {
            captured.into_iter().for_each(|operand| self.require_and_send(operand));
            if let Some(found) = self.tracked.track(result) {
                self.fresh(found.value);
            }
            return;
        }
        let operands = self.operands(id);
        if is_reabstraction_thunk(view, site.callee()) {
            return self.assign_all(&[result], &operands, Isolation::UNKNOWN, Requires::Yes);
        }
        if !isolation.is_known() {
            return self.assign_all(&[result], &operands, Isolation::UNKNOWN, Requires::Yes);
        }
        captured.into_iter().for_each(|operand| self.require_and_send(operand));
        if !is_sendable && let Some((value, _)) = self.tracked.track_as(result, isolation) {
            self.fresh(value);
        }
    }
}

//! Determines the calls of a function that take part in its derivative, and the differentiability indices of their
//! callees, which make up the linear map (lib/SILOptimizer/Differentiation/LinearMapInfo.cpp).

use sil_analysis::{ApplySite, BodyView};
use sil_ir::context::DifferentiabilityIndices;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CastAddr, CopyAddr, Store};
use sil_ir::model::{InstructionId, Value};

use super::activity::Activity;
use super::values::{call_results, direct_results, indirect_results, parameter_arguments, semantic_result_arguments};

/// The analyses of a function that is differentiated with respect to some parameters and results.
pub(super) struct LinearMaps<'v, 'm> {
    pub(super) view: &'v BodyView<'m>,
    pub(super) activity: Activity,
    /// The parameters and results.
    pub(super) indices: &'v DifferentiabilityIndices,
}

impl<'v, 'm> LinearMaps<'v, 'm> {
    /// Analyses a function that returns.
    pub(super) fn new(view: &'v BodyView<'m>, indices: &'v DifferentiabilityIndices) -> Self {
        Self { view, activity: Activity::of(view), indices }
    }

    /// Returns whether a value is active.
    pub(super) fn is_active(&self, value: Value) -> bool {
        self.activity.is_active(value, self.indices)
    }

    /// Returns the call site of an instruction that takes part: a call that changes an active argument, or computes an
    /// active result of an active argument.
    pub(super) fn differentiated_call(&self, id: InstructionId) -> Option<ApplySite<'m>> {
        let view = self.view;
        let call = ApplySite::new(view.body, id).filter(|site| site.kind.is_full())?;
        let any_active = |values: Vec<Value>| values.into_iter().any(|value| self.is_active(value));
        let takes_part = any_active(semantic_result_arguments(view, call))
            || (any_active(direct_results(view, call)) || any_active(indirect_results(view, call)))
                && any_active(parameter_arguments(view, call));
        takes_part.then_some(call)
    }

    /// Returns the indices by which the callee of a call is differentiated: the active arguments, and the active
    /// results with all `inout` arguments (`collectMinimalIndicesForFunctionCall`).
    pub(super) fn call_indices(&self, call: ApplySite<'_>) -> Option<DifferentiabilityIndices> {
        let view = self.view;
        let conventions = call.conventions(view.queries)?;
        let arguments = parameter_arguments(view, call);
        let parameters = (0..).zip(arguments).filter(|(_, argument)| self.is_active(*argument));
        let formal = conventions.function.results.len();
        let counts = |(number, result): &(u32, Option<Value>)| {
            *number as usize >= formal || result.is_some_and(|result| self.is_active(result))
        };
        let results = (0..).zip(call_results(view, call, conventions)).filter(counts);
        Some(DifferentiabilityIndices {
            parameters: parameters.map(|(number, _)| number).collect(),
            results: results.map(|(number, _)| number).collect(),
        })
    }

    /// Returns whether an instruction takes part.
    pub(super) fn takes_part(&self, id: InstructionId) -> bool {
        let body = self.view.body;
        let opcode = body.instructions[id].opcode;
        if ApplySite::new(body, id).is_some_and(|site| site.kind.is_full()) {
            return self.differentiated_call(id).is_some();
        }
        let active_operand = body.operands(id).iter().any(|operand| self.is_active(*operand));
        let active_result = body.results(id).any(|result| self.is_active(result));
        match opcode {
            _ if active_operand && active_result => true,
            Opcode::Store | Opcode::StoreBorrow => self.is_active(Store::of(body, id).destination),
            Opcode::CopyAddr => self.is_active(CopyAddr::of(body, id).destination),
            Opcode::UnconditionalCheckedCastAddr => self.is_active(CastAddr::of(body, id).destination),
            Opcode::EndApply => self.begun_call(id).is_some(),
            Opcode::InjectEnumAddr => self.has_active_payload(body.operands(id).first().copied()),
            _ if active_result => is_allocation(opcode),
            _ => active_operand && ends_or_counts(opcode),
        }
    }

    /// Returns the call that an `end_apply` or `abort_apply` ends, if it takes part.
    pub(super) fn begun_call(&self, end: InstructionId) -> Option<ApplySite<'m>> {
        let token = self.view.body.operands(end).first()?;
        self.differentiated_call(self.view.body.defining(*token)?)
    }

    fn has_active_payload(&self, address: Option<Value>) -> bool {
        let body = self.view.body;
        let is_active = |id: InstructionId| {
            body.instructions[id].opcode == Opcode::InitEnumDataAddr
                && body.results(id).any(|result| self.is_active(result))
        };
        address.is_some_and(|address| self.view.uses.of(address).iter().any(|found| is_active(found.user)))
    }
}

fn is_allocation(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        AllocStack
            | AllocBox
            | AllocRef
            | AllocRefDynamic
            | AllocExistentialBox
            | AllocPack
            | AllocPackMetadata
            | AllocVector
    )
}

/// Returns whether an instruction counts references, or ends a lifetime, an access or an allocation.
fn ends_or_counts(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        StrongRetain
            | StrongRelease
            | RetainValue
            | ReleaseValue
            | RetainValueAddr
            | ReleaseValueAddr
            | UnownedRetain
            | UnownedRelease
            | StrongRetainUnowned
            | AutoreleaseValue
            | EndAccess
            | EndBorrow
            | DeallocStack
            | DeallocBox
            | DeallocRef
            | DeallocPartialRef
            | DeallocPack
            | DeallocExistentialBox
            | DestroyValue
            | DestroyAddr
            | AbortApply
            | Yield
    )
}

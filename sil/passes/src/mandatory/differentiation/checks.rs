//! Diagnoses functions that cannot be differentiated: the errors of the cloners of derivatives and of linear maps, in
//! the order in which they occur there (lib/SILOptimizer/Mandatory/Differentiation.cpp, `diagnoseNoReturn`,
//! `diagnoseUnsupportedControlFlow`; lib/SILOptimizer/Differentiation/VJPCloner.cpp, PullbackCloner.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, BodyView};
use sil_ir::context::{DifferentiabilityIndices, FunctionType, SignatureId, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, InstructionId, Value};

use super::invoker::{Invoker, Location};
use super::linear_maps::LinearMaps;
use super::tangents::projected_tangent;
use super::values::{formal_results, parameter_arguments, return_instruction};
use crate::knowledge::array_semantics::ArrayFunction;

/// The message for an expression without a derivative for no specific reason.
const NOT_DIFFERENTIABLE: &str = "expression is not differentiable";

/// The message for an argument without a derivative.
pub(super) const ARGUMENT: &str =
    "cannot differentiate through a non-differentiable argument; do you want to use 'withoutDerivative(at:)'?";

/// The message for a result without a derivative.
pub(super) const RESULT: &str =
    "cannot differentiate through a non-differentiable result; do you want to use 'withoutDerivative(at:)'?";

/// Diagnoses unsupported control flow of a differentiated function.
pub(super) fn control_flow(view: &BodyView<'_>, invoker: Invoker) -> Result<(), Box<Diagnostic>> {
    let body = view.body;
    if return_instruction(view).is_none() {
        let at = Location::of_function(view.module, view.function);
        return Err(invoker.nondifferentiable(at, "missing return for differentiation"));
    }
    let ends = body.blocks.keys().filter_map(|block| body.terminator(block));
    for end in ends.filter(|end| !body.targets(*end).is_empty()) {
        use Opcode::*;
        let is_known = matches!(
            body.instructions[end].opcode,
            Br | CondBr | SwitchEnum | SwitchEnumAddr | CheckedCastBr | CheckedCastAddrBr | TryApply | Yield
        );
        if !is_known {
            let at = Location::of_instruction(view.module, view.function, body, end);
            return Err(invoker.nondifferentiable(at, "cannot differentiate unsupported control flow"));
        }
    }
    Ok(())
}

/// Checks a differentiated function.
pub(super) struct Checker<'c, 'v, 'm> {
    pub(super) maps: &'c LinearMaps<'v, 'm>,
    pub(super) invoker: Invoker,
    /// The generic signature of the derivative.
    pub(super) signature: Option<SignatureId>,
}

impl Checker<'_, '_, '_> {
    /// Diagnoses nondifferentiable parts: calls in order, then values, then instructions from the end on.
    pub(super) fn check(&self) -> Result<(), Box<Diagnostic>> {
        let view = self.maps.view;
        let order = view.cfg.reverse_post_order();
        for id in order.iter().flat_map(|block| view.body.instructions_in(*block)) {
            if let Some(call) = self.maps.differentiated_call(id) {
                self.check_call(call)?;
            }
        }
        // If a result does not depend on the parameters, the linear map returns zero without visiting the function.
        let results = formal_results(view);
        let mut wanted = self.maps.indices.results.iter().filter_map(|index| results.get(*index as usize));
        if wanted.any(|result| !self.maps.activity.is_varied(*result, self.maps.indices)) {
            return Ok(());
        }
        self.check_values()?;
        self.check_instructions()
    }

    fn location(&self, id: InstructionId) -> Location {
        let view = self.maps.view;
        Location::of_instruction(view.module, view.function, view.body, id)
    }

    fn location_of_value(&self, value: Value) -> Location {
        let view = self.maps.view;
        Location::of_value(view.module, view.function, view.body, value)
    }

    fn is_differentiable(&self, ty: TypeId) -> bool {
        self.maps.view.queries.is_differentiable(ty, self.signature)
    }

    fn check_call(&self, call: ApplySite<'_>) -> Result<(), Box<Diagnostic>> {
        let view = self.maps.view;
        if is_array_literal(view, call.instruction) || call.kind == ApplyKind::TryApply {
            return Ok(());
        }
        let (Some(indices), Some(conventions), Some(callee)) =
            (self.maps.call_indices(call), call.conventions(view.queries), call.callee())
        else {
            return Ok(());
        };
        if let Type::Function(function) = view.queries.get(view.body.ty(callee).ty)
            && function.differentiability.is_some()
        {
            let differentiable = function.differentiability_indices().parameters;
            if !indices.parameters.iter().all(|parameter| differentiable.contains(parameter)) {
                let reason = "cannot differentiate with respect to a '@noDerivative' parameter";
                return Err(self.invoker.nondifferentiable(self.location_of_value(callee), reason));
            }
        }
        let function = conventions.function;
        let arguments = parameter_arguments(view, call);
        for parameter in indices.parameters.iter().map(|index| *index as usize) {
            if !function.parameters.get(parameter).is_some_and(|found| self.is_differentiable(found.ty)) {
                let at = arguments
                    .get(parameter)
                    .map_or(self.location(call.instruction), |argument| self.location_of_value(*argument));
                return Err(self.invoker.nondifferentiable(at, ARGUMENT));
            }
        }
        self.check_results(function, &indices, callee)
    }

    fn check_results(
        &self,
        function: &FunctionType,
        indices: &DifferentiabilityIndices,
        callee: Value,
    ) -> Result<(), Box<Diagnostic>> {
        let first_yield = function.semantic_result_count() - function.yields.len();
        for index in indices.results.iter().map(|index| *index as usize) {
            if let Some(yielded) = index.checked_sub(first_yield).and_then(|index| function.yields.get(index))
                && !yielded.convention.is_indirect()
            {
                let reason = "cannot differentiate through a '_read' accessor";
                return Err(self.invoker.nondifferentiable(self.location_of_value(callee), reason));
            }
            if !function.semantic_result_type(index).is_some_and(|ty| self.is_differentiable(ty)) {
                return Err(self.invoker.nondifferentiable(self.location_of_value(callee), RESULT));
            }
        }
        Ok(())
    }

    /// Diagnoses active values without a tangent space.
    fn check_values(&self) -> Result<(), Box<Diagnostic>> {
        let view = self.maps.view;
        let mut seen = FxHashSet::default();
        for block in view.cfg.reverse_post_order().iter().copied() {
            for argument in &view.body.blocks[block].arguments {
                self.check_value(*argument, &mut seen)?;
            }
            for id in view.body.instructions_in(block) {
                for operand in view.body.operands(id) {
                    self.check_value(*operand, &mut seen)?;
                }
                for result in view.body.results(id) {
                    self.check_value(result, &mut seen)?;
                }
            }
        }
        Ok(())
    }

    fn check_value(&self, value: Value, seen: &mut FxHashSet<Value>) -> Result<(), Box<Diagnostic>> {
        let view = self.maps.view;
        if !self.maps.is_active(value) || !seen.insert(value) {
            return Ok(());
        }
        let ty = view.body.ty(value).ty;
        let fails = |reason: &str| Err(self.invoker.nondifferentiable(self.location_of_value(value), reason));
        let is_enum = view
            .queries
            .as_nominal(ty)
            .is_some_and(|nominal| view.queries.declarations.get(nominal.declaration).kind == NominalKind::Enum);
        if is_enum && view.queries.optional_object(ty).is_none() {
            return fails("differentiating enum values is not yet supported");
        }
        let definition = view.body.defining(value);
        match definition.map(|id| (id, view.body.instructions[id].opcode)) {
            Some((id, Opcode::StructExtract | Opcode::RefElementAddr | Opcode::StructElementAddr)) => {
                let base = view.body.operands(id).first().map(|operand| view.body.ty(*operand).ty);
                if base.is_some() {
                    projected_tangent(view, id, self.signature)
                        .map_err(|reason| self.invoker.nondifferentiable(self.location(id), reason))?;
                }
            }
            Some((_, Opcode::TupleElementAddr | Opcode::BeginApply)) => return Ok(()),
            _ => {}
        }
        let is_projection = definition.is_some_and(|id| {
            matches!(view.body.instructions[id].opcode, Opcode::StructElementAddr | Opcode::RefElementAddr)
        });
        if !is_projection && !self.is_differentiable(ty) {
            return fails(NOT_DIFFERENTIABLE);
        }
        Ok(())
    }

    /// Diagnoses active instructions without an adjoint, from the end of the function on.
    fn check_instructions(&self) -> Result<(), Box<Diagnostic>> {
        let view = self.maps.view;
        let Some(end) = return_instruction(view) else { return Ok(()) };
        for block in self.blocks_from(view.body.instructions[end].block) {
            let instructions: Vec<InstructionId> = view.body.instructions_in(block).collect();
            for id in instructions.into_iter().rev().filter(|id| self.maps.takes_part(*id)) {
                if let Some(reason) = self.reason_against(id) {
                    return Err(self.invoker.nondifferentiable(self.location(id), reason));
                }
            }
        }
        Ok(())
    }

    /// Returns `exit` and its transitive predecessors, nearer ones first.
    fn blocks_from(&self, exit: BlockId) -> Vec<BlockId> {
        let mut order = vec![exit];
        let mut next = 0;
        while let Some(block) = order.get(next).copied() {
            next += 1;
            for predecessor in self.maps.view.cfg.predecessors(block) {
                if !order.contains(predecessor) {
                    order.push(*predecessor);
                }
            }
        }
        order
    }

    /// Returns the reason why an active instruction has no adjoint.
    fn reason_against(&self, id: InstructionId) -> Option<&'static str> {
        use Opcode::*;
        let view = self.maps.view;
        let body = view.body;
        let source = || body.operands(id).first().and_then(|source| body.defining(*source));
        let is_of_optional =
            |value: Option<Value>| value.is_some_and(|value| view.queries.optional_object(body.ty(value).ty).is_some());
        let is_known = match body.instructions[id].opcode {
            AbortApply => return Some("differentiation of coroutine calls is not yet supported"),
            BeginAccess if body.instructions[id].attributes.contains(Attribute::Modify) => {
                return match source().map(|source| body.instructions[source].opcode) {
                    Some(GlobalAddr) => Some("cannot differentiate writes to global variables"),
                    Some(ProjectBox) => Some("cannot differentiate writes to mutable captures"),
                    _ => None,
                };
            }
            Enum => is_of_optional(body.result(id)),
            InjectEnumAddr | UncheckedTakeEnumDataAddr => is_of_optional(body.operands(id).first().copied()),
            opcode => has_adjoint(opcode),
        };
        (!is_known).then_some(NOT_DIFFERENTIABLE)
    }
}

/// Returns whether linear maps have an adjoint for an instruction, or need none.
fn has_adjoint(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Apply | BeginApply | EndApply | Struct | StructExtract | RefElementAddr | Tuple | TupleExtract | DestructureTuple
            | Load | LoadBorrow | Store | StoreBorrow | CopyAddr | CopyValue | BeginBorrow | MoveValue | EndInitLetRef
            | BeginAccess | UnconditionalCheckedCastAddr | InitEnumDataAddr | UncheckedRefCast | Upcast
            // These instructions need no adjoint.
            | Return | Br | CondBr | Yield | StructElementAddr | TupleElementAddr | PointerToAddress | IndexAddr
            | AllocStack | DeallocStack | EndAccess | DebugValue | RetainValue | RetainValueAddr | ReleaseValue
            | ReleaseValueAddr | StrongRetain | StrongRelease | UnownedRetain | UnownedRelease | StrongRetainUnowned
            | DestroyValue | DestroyAddr | EndBorrow
    )
}

/// Returns whether a call is one of the two that make an array literal.
pub(super) fn is_array_literal(view: &BodyView<'_>, call: InstructionId) -> bool {
    let function = ArrayFunction::of_call(view.module, view.body, call);
    matches!(function, Some(ArrayFunction::UninitializedIntrinsic | ArrayFunction::Finalize))
}

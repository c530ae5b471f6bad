//! The results of functions and calls in the numbering of
//! [`DifferentiabilityIndices`](sil_ir::context::DifferentiabilityIndices): formal results, then `inout` parameters,
//! then yields (lib/SILOptimizer/Differentiation/Common.cpp).

use sil_analysis::{ApplyKind, ApplySite, BodyView};
use sil_ir::context::{FunctionType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::{ArgumentConvention, FunctionConventions};

/// Returns the return instruction of a function; `None` if it never returns.
pub(super) fn return_instruction(view: &BodyView<'_>) -> Option<InstructionId> {
    let body = view.body;
    let mut ends = body.blocks.keys().filter_map(|block| body.terminator(block));
    ends.find(|end| body.instructions[*end].opcode == Opcode::Return)
}

/// Returns the results of a function.
pub(super) fn formal_results(view: &BodyView<'_>) -> Vec<Value> {
    let body = view.body;
    let Some(conventions) = view.queries.conventions(view.function.ty) else { return Vec::new() };
    let arguments = &body.blocks[body.entry()].arguments;
    let mut indirect = arguments.iter().copied();
    let mut direct = returned(view).into_iter();
    let mut results: Vec<Value> = Vec::new();
    for result in &conventions.function.results {
        results.extend(if result.convention.is_indirect() { indirect.next() } else { direct.next() });
    }
    let passed = conventions.arguments().zip(arguments);
    results.extend(passed.filter(|(passed, _)| passed.convention.is_inout()).map(|(_, argument)| *argument));
    let mut ends = body.blocks.keys().filter_map(|block| body.terminator(block));
    let yielding = ends.find(|end| body.instructions[*end].opcode == Opcode::Yield);
    results.extend(yielding.into_iter().flat_map(|id| body.operands(id)));
    results
}

/// Returns the direct results of a function: the elements of a returned tuple, or the returned value.
fn returned(view: &BodyView<'_>) -> Vec<Value> {
    let body = view.body;
    let Some(end) = return_instruction(view) else { return Vec::new() };
    let value = Unary::of(body, end).operand;
    match body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::Tuple) {
        Some(tuple) => body.operands(tuple).to_vec(),
        None => vec![value],
    }
}

/// Returns the direct results of a call: the elements of a destructured tuple, or the result. A tuple with other uses
/// has none.
pub(super) fn direct_results(view: &BodyView<'_>, call: ApplySite<'_>) -> Vec<Value> {
    let body = view.body;
    match call.kind {
        ApplyKind::Apply => {
            let Some(result) = body.result(call.instruction) else { return Vec::new() };
            if !matches!(view.queries.get(body.ty(result).ty), Type::Tuple(_)) {
                return vec![result];
            }
            let is_division = |id: &InstructionId| body.instructions[*id].opcode == Opcode::DestructureTuple;
            let mut divisions = view.uses.of(result).iter().map(|found| found.user).filter(is_division);
            match (divisions.next(), divisions.next()) {
                (Some(division), None) => body.results(division).collect(),
                _ => Vec::new(),
            }
        }
        ApplyKind::BeginApply => body.results(call.instruction).collect(),
        ApplyKind::TryApply => {
            body.targets(call.instruction).iter().flat_map(|target| body.blocks[*target].arguments.clone()).collect()
        }
        ApplyKind::PartialApply => Vec::new(),
    }
}

/// Returns the arguments of a call whose convention `is_wanted`.
fn arguments(view: &BodyView<'_>, call: ApplySite<'_>, is_wanted: impl Fn(ArgumentConvention) -> bool) -> Vec<Value> {
    let Some(conventions) = call.conventions(view.queries) else { return Vec::new() };
    let passed = conventions.arguments().zip(call.arguments());
    passed.filter(|(passed, _)| is_wanted(passed.convention)).map(|(_, argument)| *argument).collect()
}

/// Returns the result addresses of a call.
pub(super) fn indirect_results(view: &BodyView<'_>, call: ApplySite<'_>) -> Vec<Value> {
    arguments(view, call, |convention| matches!(convention, ArgumentConvention::Result(_)))
}

/// Returns the arguments of a call that are parameters.
pub(super) fn parameter_arguments(view: &BodyView<'_>, call: ApplySite<'_>) -> Vec<Value> {
    arguments(view, call, |convention| matches!(convention, ArgumentConvention::Parameter(_)))
}

/// Returns the `inout` arguments of a call, which count as results too.
pub(super) fn semantic_result_arguments(view: &BodyView<'_>, call: ApplySite<'_>) -> Vec<Value> {
    arguments(view, call, ArgumentConvention::is_inout)
}

/// Returns the arguments that a coroutine changes while it yields parts of them.
pub(super) fn modified(view: &BodyView<'_>, call: ApplySite<'_>) -> Vec<Value> {
    match call.kind {
        ApplyKind::BeginApply => semantic_result_arguments(view, call),
        _ => Vec::new(),
    }
}

/// Returns the value of each result of a call, in order; `None` for one that is not available.
pub(super) fn call_results(
    view: &BodyView<'_>,
    call: ApplySite<'_>,
    conventions: FunctionConventions<'_>,
) -> Vec<Option<Value>> {
    let function: &FunctionType = conventions.function;
    let mut direct = direct_results(view, call).into_iter();
    let mut indirect = indirect_results(view, call).into_iter();
    let formal = function.results.iter().map(|result| match result.convention.is_indirect() {
        true => indirect.next(),
        false => direct.next(),
    });
    let mut results: Vec<Option<Value>> = formal.collect();
    results.extend(semantic_result_arguments(view, call).into_iter().map(Some));
    if call.kind == ApplyKind::BeginApply {
        results.extend(view.body.results(call.instruction).take(function.yields.len()).map(Some));
    }
    results
}

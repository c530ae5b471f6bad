//! Casts the arguments of devirtualised calls: a class that inherits a conformance has the methods of its superclass,
//! which take that class (lib/SILOptimizer/Utils/Devirtualize.cpp).

use sil_analysis::{ApplySite, ControlFlowGraph, OwnershipKinds};
use sil_ir::context::{ParameterConvention, SilType};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Function, FunctionFlag, InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use crate::InstructionBuilder;
use crate::optimizations::devirtualization::argument_cast;

/// An argument that needs a cast.
struct Cast {
    operand: usize,
    to: SilType,
    opcode: Opcode,
    convention: ArgumentConvention,
}

/// Casts the arguments of `call` to the parameter types of its callee.
pub(super) fn cast_arguments(queries: &TypeQueries<'_>, function: &Function, body: &mut Body, call: InstructionId) {
    for cast in needed(queries, body, call).unwrap_or_default() {
        let passed = body.operands(call)[cast.operand];
        let is_lent = cast.convention == ArgumentConvention::Parameter(ParameterConvention::Guaranteed);
        let value = match is_lent && is_owned(queries, function, body, passed) {
            true => borrow(body, call, passed),
            false => passed,
        };
        let mut builder = InstructionBuilder::new(body, Place::Before(call), call);
        let cast_value = builder.cast(cast.opcode, value, cast.to);
        body.operands_mut(call)[cast.operand] = cast_value;
    }
}

fn needed(queries: &TypeQueries<'_>, body: &Body, call: InstructionId) -> Option<Vec<Cast>> {
    let site = ApplySite::new(body, call)?;
    let conventions = site.conventions(queries)?;
    let first = site.numbering(conventions).first_sil_argument();
    let mut casts = Vec::new();
    for (index, passed) in site.arguments().iter().enumerate() {
        let argument = conventions.argument(first + index)?;
        let given = body.ty(*passed);
        if !queries.same_sil_type(given, argument.ty)
            && let Some(opcode) = argument_cast(queries, given, argument.ty)
        {
            casts.push(Cast { operand: index + 1, to: argument.ty, opcode, convention: argument.convention });
        }
    }
    Some(casts)
}

fn is_owned(queries: &TypeQueries<'_>, function: &Function, body: &Body, value: Value) -> bool {
    function.has(FunctionFlag::Ossa)
        && OwnershipKinds::new(queries, function, body, &ControlFlowGraph::new(body)).kind(value) == Ownership::Owned
}

/// Borrows `value` for the duration of `call`.
fn borrow(body: &mut Body, call: InstructionId, value: Value) -> Value {
    let mut builder = InstructionBuilder::new(body, Place::Before(call), call);
    let borrow = builder.begin_borrow(value);
    let ends: Vec<Place> = match body.instructions[call].opcode {
        Opcode::TryApply => body.targets(call).iter().map(|target| Place::Start(*target)).collect(),
        Opcode::BeginApply => {
            let uses_token = |id: &InstructionId| body.operands(*id).first().copied() == body.results(call).last();
            let is_end = |id: &InstructionId| {
                matches!(body.instructions[*id].opcode, Opcode::EndApply | Opcode::AbortApply) && uses_token(id)
            };
            body.placed_instructions().filter(is_end).map(Place::After).collect()
        }
        _ => vec![Place::After(call)],
    };
    for end in ends {
        InstructionBuilder::new(body, end, call).end_borrow(borrow);
    }
    borrow
}

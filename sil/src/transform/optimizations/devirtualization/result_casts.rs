//! What a function gives that overrides a method may be of a more special type than what the method gives: it is cast to that behind the call
//! (`castValueToABICompatibleType` in lib/SILOptimizer/Utils/InstOptUtils.cpp).
//!
//! Does not own: casts that have to look into optionals or tuples.

use crate::context::{FunctionType, MemberId, SilType, TypeId};
use crate::instructions::Opcode;
use crate::model::{Details, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::editor::Editor;
use crate::transform::knowledge::enum_cases::optional_some;
use crate::transform::pipeline::Environment;

/// A step of a cast, to a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum Step {
    /// To a superclass, in an optional too.
    Upcast(TypeId),
    /// Into an optional, by this case.
    Wrap(TypeId, MemberId),
}

/// How the result of `function` is cast to that of `method`; none where it cannot be.
pub(in crate::transform) fn result_casts(
    environment: Environment<'_>,
    function: &FunctionType,
    method: &FunctionType,
) -> Option<Vec<Step>> {
    let queries = environment.queries;
    if function.results == method.results {
        return Some(Vec::new());
    }
    let ([from], [to]) = (&*function.results, &*method.results) else { return None };
    // Types in terms of generic parameters are those of the caller only once arguments are put in their places.
    if function.signature.is_some() || from.convention != to.convention || from.convention.is_indirect() {
        return None;
    }
    let mut casts = Vec::new();
    let (mut ty, wanted) = (from.ty, queries.optional_object(to.ty));
    if wanted.is_some() && queries.optional_object(ty).is_none() {
        ty = queries.optional_of(ty)?;
        casts.push(Step::Wrap(ty, optional_some(environment, ty)?));
    }
    if !queries.same_type(ty, to.ty) {
        let (part, wanted) = match (queries.optional_object(ty), wanted) {
            (Some(part), Some(wanted)) => (part, wanted),
            (None, None) => (ty, to.ty),
            _ => return None,
        };
        let is_class = queries.is_class(part) && queries.is_class(wanted);
        if !is_class || !queries.is_subclass(part, wanted) {
            return None;
        }
        casts.push(Step::Upcast(to.ty));
    }
    Some(casts)
}

/// Casts what `call` gives now, which is of type `given`.
pub(super) fn cast_result(editor: &mut Editor<'_>, call: InstructionId, given: TypeId, casts: &[Step]) {
    let body = editor.body();
    let (result, place) = match editor.opcode(call) {
        Opcode::Apply => (body.result(call), Place::After(call)),
        _ => {
            let normal = body.targets(call)[0];
            (body.blocks[normal].arguments.first().copied(), Place::Start(normal))
        }
    };
    let Some(result) = result.filter(|_| !casts.is_empty()) else { return };
    let uses = editor.uses(result);
    editor.set_value_type(result, SilType::object(given));
    let cast = editor.build(place, call, |builder| make_casts(builder, result, casts));
    uses.into_iter().for_each(|found| editor.set_operand(found, cast));
}

/// Makes casts of a value, and gives what the last one gives.
pub(in crate::transform) fn make_casts(builder: &mut InstructionBuilder<'_>, value: Value, casts: &[Step]) -> Value {
    casts.iter().fold(value, |value, step| {
        let (opcode, details, ty) = match *step {
            Step::Upcast(ty) => (Opcode::Upcast, Details::None, ty),
            Step::Wrap(ty, case) => (Opcode::Enum, Details::Member(case), ty),
        };
        builder.value_of_written_type(opcode, details, &[value], SilType::object(ty))
    })
}

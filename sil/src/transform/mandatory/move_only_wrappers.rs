//! Copyable values under the rules of noncopyable ones: once these are checked, their types are those of the values themselves
//! (lib/SILOptimizer/Mandatory/MoveOnlyWrappedTypeEliminator.cpp).

use crate::context::{SilType, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, FunctionFlag, InstructionId, Ownership, Replacements, Value};
use crate::transform::analyses::Change;
use crate::transform::pipeline::{Environment, Rewrite};
use crate::types::TypeQueries;

/// Takes the wrappers off the types of a function's values.
pub(in crate::transform) fn eliminate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, .. } = environment;
    let unwrapped = |ty: SilType| match queries.get(ty.ty) {
        Type::MoveOnlyWrapper(inner) => Some(SilType { ty: *inner, ..ty }),
        _ => None,
    };
    let is_wrapped = |value: &crate::model::ValueData| unwrapped(value.ty).is_some();
    if function.has(FunctionFlag::Canonical) || !before.values.values().any(is_wrapped) {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut plain: Vec<Value> = Vec::new();
    for (id, value) in before.values.iter() {
        let Some(ty) = unwrapped(value.ty) else { continue };
        body.values[id].ty = ty;
        if !ty.is_address() && queries.properties(ty.ty, function.signature).is_trivial() {
            body.values[id].ownership = Ownership::None;
            plain.push(id);
        }
    }
    let mut replacements = Replacements::default();
    for id in before.placed_instructions() {
        for number in 0..before.types(id).len() {
            if let Some(ty) = unwrapped(before.types(id)[number]) {
                body.types_mut(id)[number] = ty;
            }
        }
        rewrite(queries, &mut body, before, function.signature, id, &mut replacements);
    }
    body.replace_values(&replacements);
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// What a wrapper is put on or taken off is the value itself; trivial values are not copied nor destroyed.
fn rewrite(
    queries: &TypeQueries<'_>,
    body: &mut Body,
    before: &Body,
    signature: Option<crate::context::SignatureId>,
    id: InstructionId,
    replacements: &mut Replacements,
) {
    let is_trivial = |body: &Body, value: Value| queries.properties(body.ty(value).ty, signature).is_trivial();
    let instruction = &before.instructions[id];
    let operand = before.operands(id).first().copied();
    let was_wrapped = operand.is_some_and(|value| before.ty(value) != body.ty(value));
    match instruction.opcode {
        Opcode::CopyableToMoveonlywrapper
        | Opcode::MoveonlywrapperToCopyable
        | Opcode::CopyableToMoveonlywrapperAddr
        | Opcode::MoveonlywrapperToCopyableAddr
        | Opcode::MoveonlywrapperToCopyableBox => pass_on(body, id, replacements),
        Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue
            if was_wrapped && operand.is_some_and(|value| is_trivial(body, value)) =>
        {
            pass_on(body, id, replacements);
        }
        Opcode::DestroyValue | Opcode::EndBorrow | Opcode::DestroyAddr
            if was_wrapped && operand.is_some_and(|value| is_trivial(body, value)) =>
        {
            body.erase(id);
        }
        Opcode::Load | Opcode::LoadBorrow if was_wrapped && operand.is_some_and(|value| is_trivial(body, value)) => {
            let instruction = &mut body.instructions[id];
            instruction.opcode = Opcode::Load;
            [Attribute::Take, Attribute::Copy, Attribute::Unchecked]
                .into_iter()
                .for_each(|attribute| instruction.attributes.remove(attribute));
            instruction.attributes.insert(Attribute::Trivial);
        }
        Opcode::Store if was_wrapped && operand.is_some_and(|value| is_trivial(body, value)) => {
            let attributes = &mut body.instructions[id].attributes;
            attributes.remove(Attribute::Init);
            attributes.remove(Attribute::Assign);
            attributes.insert(Attribute::Trivial);
        }
        _ => {}
    }
}

fn pass_on(body: &mut Body, id: InstructionId, replacements: &mut Replacements) {
    if let Some(result) = body.result(id) {
        replacements.replace(result, Unary::of(body, id).operand);
    }
    body.erase(id);
}

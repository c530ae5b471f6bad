//! Eliminates the move-only wrappers of copyable values, after the values have been checked by the rules of noncopyable
//! ones (lib/SILOptimizer/Mandatory/MoveOnlyWrappedTypeEliminator.cpp).

use sil_analysis::Change;
use sil_ir::context::{BoxType, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{Body, Details, InstructionId, Ownership, Place, Replacements, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const TRIVIAL_MOVE_ONLY_TYPE_ELIMINATOR: Pass = Pass::new(&Description {
    name: "sil-trivial-move-only-type-eliminator",
    class_name: "TrivialMoveOnlyTypeEliminator",
    summary: "Removes move-only wrappers of trivial values.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(eliminate_trivial),
});

pub(crate) const MOVE_ONLY_TYPE_ELIMINATOR: Pass = Pass::new(&Description {
    name: "sil-move-only-type-eliminator",
    class_name: "MoveOnlyTypeEliminator",
    summary: "Removes move-only wrappers of copyable values.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(eliminate),
});

/// Removes the wrappers from the types of a function's values.
pub(crate) fn eliminate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    eliminate_of(environment, Wrapped::All)
}

/// Removes the wrappers of trivial types only.
pub(crate) fn eliminate_trivial(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    eliminate_of(environment, Wrapped::Trivial)
}

/// The wrappers that are removed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrapped {
    All,
    /// Those of trivial types.
    Trivial,
}

fn eliminate_of(environment: Environment<'_>, which: Wrapped) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, .. } = environment;
    let is_wanted = |inner: TypeId| which == Wrapped::All || queries.properties(inner, function.signature).is_trivial();
    let unwrapped = |ty: SilType| {
        let plain = match queries.get(ty.ty) {
            Type::MoveOnlyWrapper(inner) => Some(*inner).filter(|inner| is_wanted(*inner)),
            Type::Box(boxed) => unwrapped_box(queries, boxed, is_wanted),
            _ => None,
        };
        plain.map(|plain| SilType { ty: plain, ..ty })
    };
    let is_wrapped = |value: &sil_ir::model::ValueData| unwrapped(value.ty).is_some();
    let is_pointless = |id| is_pointless_when_trivial(before.instructions[id].opcode);
    let concerns = || before.values.values().any(is_wrapped) || before.placed_instructions().any(is_pointless);
    if !concerns() {
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
        if let Details::Apply(apply) = &mut body.instructions[id].details
            && let Some(ty) = unwrapped(apply.callee_type)
        {
            apply.callee_type = ty;
        }
        unwrap_variable(&mut body, before, id, unwrapped);
        rewrite(queries, &mut body, before, function.signature, id, &mut replacements);
    }
    body.replace_values(&replacements);
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// Returns whether an instruction has no effect on a trivial value, even one that never had a wrapper.
fn is_pointless_when_trivial(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::MoveValue | Opcode::ExtendLifetime)
}

/// Updates debug variables. They keep the mark that they may move, which the type no longer shows.
fn unwrap_variable(body: &mut Body, before: &Body, id: InstructionId, unwrapped: impl Fn(SilType) -> Option<SilType>) {
    let value = match before.instructions[id].opcode {
        Opcode::AllocStack | Opcode::AllocBox => before.result(id),
        Opcode::DebugValue => before.operands(id).first().copied(),
        _ => None,
    };
    let Some(value) = value else { return };
    if unwrapped(before.ty(value)).is_some() {
        body.instructions[id].attributes.insert(Attribute::MoveableValueDebugInfo);
    }
    let of_value = body.ty(value).object_type();
    if let Details::Variable(variable) = &mut body.instructions[id].details
        && let Some(ty) = variable.ty.and_then(&unwrapped)
    {
        variable.ty = Some(ty).filter(|ty| *ty != of_value);
    }
}

/// Returns a box type with unwrapped fields; `None` if no field has a wrapper.
fn unwrapped_box(queries: &TypeQueries<'_>, boxed: &BoxType, is_wanted: impl Fn(TypeId) -> bool) -> Option<TypeId> {
    let plain = |ty: TypeId| match queries.get(ty) {
        Type::MoveOnlyWrapper(inner) => Some(*inner).filter(|inner| is_wanted(*inner)),
        _ => None,
    };
    if !boxed.fields.iter().any(|field| plain(field.ty).is_some()) {
        return None;
    }
    let mut boxed = boxed.clone();
    for field in &mut boxed.fields {
        field.ty = plain(field.ty).unwrap_or(field.ty);
    }
    Some(queries.context.ty(Type::Box(Box::new(boxed))))
}

/// Replaces a wrapped or unwrapped value by the value itself. Copies and destroys of trivial values are removed.
fn rewrite(
    queries: &TypeQueries<'_>,
    body: &mut Body,
    before: &Body,
    signature: Option<sil_ir::context::SignatureId>,
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
        | Opcode::MoveonlywrapperToCopyableBox
            if is_unwrapped(body, before, id) =>
        {
            pass_on(body, id, replacements);
        }
        // A trivial value is stored without a borrow scope.
        Opcode::StoreBorrow if was_wrapped && operand.is_some_and(|value| is_trivial(body, value)) => {
            store_trivial(body, id, replacements);
        }
        Opcode::MoveValue if operand.is_some_and(|value| is_trivial(body, value)) => pass_on(body, id, replacements),
        Opcode::ExtendLifetime if operand.is_some_and(|value| is_trivial(body, value)) => body.erase(id),
        Opcode::CopyValue | Opcode::ExplicitCopyValue | Opcode::BeginBorrow
            if was_wrapped && operand.is_some_and(|value| is_trivial(body, value)) =>
        {
            pass_on(body, id, replacements);
        }
        Opcode::DestroyValue | Opcode::EndBorrow
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

/// Returns whether an instruction's types have changed by the removal of wrappers.
fn is_unwrapped(body: &Body, before: &Body, id: InstructionId) -> bool {
    let is_changed = |value: Value| body.ty(value) != before.ty(value);
    before.results(id).any(is_changed) || before.operands(id).iter().any(|operand| is_changed(*operand))
}

fn store_trivial(body: &mut Body, id: InstructionId, replacements: &mut Replacements) {
    let Store { source, destination } = Store::of(body, id);
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::Trivial);
    InstructionBuilder::new(body, Place::Before(id), id).with(attributes).store(source, destination);
    if let Some(result) = body.result(id) {
        replacements.replace(result, destination);
    }
    body.erase(id);
}

fn pass_on(body: &mut Body, id: InstructionId, replacements: &mut Replacements) {
    if let Some(result) = body.result(id) {
        replacements.replace(result, Unary::of(body, id).operand);
    }
    body.erase(id);
}

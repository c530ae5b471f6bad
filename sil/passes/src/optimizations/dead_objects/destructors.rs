//! Computes the visible effects of an object's destructor. Effects on the dead object itself are not visible.

use sil_analysis::{AnalyzedModule, InstructionEffects};
use sil_ir::context::{Representation, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::{RefTailAddr, Store, Unary};
use sil_ir::model::{Body, Details, Function, InstructionId, Value};

use super::users::counts_references;
use crate::pass::Environment;

/// The visible effects of a destructor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DestructorEffects {
    /// No effect.
    None,
    /// Destroys the tail elements of the object.
    DestroysTailElements,
    /// Unknown effects.
    Unknown,
}

/// The effects of the destructor of the object that `id` allocates.
pub(super) fn of_object(
    environment: Environment<'_>,
    analyzed: &AnalyzedModule<'_>,
    body: &Body,
    id: InstructionId,
) -> DestructorEffects {
    let class = body.result(id).map(|object| body.ty(object).ty);
    // The destructor of a dynamic type is not known.
    let class = class.filter(|_| body.instructions[id].opcode == Opcode::AllocRef);
    let found = class.map(|class| analyzed.callees().deallocators(class, Some(class)));
    let Some([destructor]) = found.as_ref().and_then(|callees| callees.all()) else {
        return DestructorEffects::Unknown;
    };
    let function = &environment.module.functions[*destructor];
    match &function.body {
        Some(body) if !may_be_replaced(environment, function) => effects(environment, body),
        _ => DestructorEffects::Unknown,
    }
}

/// Returns whether the runtime may call another method instead of the destructor.
fn may_be_replaced(environment: Environment<'_>, function: &Function) -> bool {
    match environment.queries.get(function.ty) {
        Type::Function(function) => function.representation == Representation::ObjCMethod,
        _ => true,
    }
}

fn effects(environment: Environment<'_>, body: &Body) -> DestructorEffects {
    let Some(itself) = body.blocks[body.entry()].arguments.first().copied() else { return DestructorEffects::Unknown };
    let effects = InstructionEffects::new(environment.module, environment.queries);
    let mut found = DestructorEffects::None;
    for id in body.placed_instructions() {
        if !effects.may_have_side_effects(body, id) || is_about_itself(body, id, itself) {
            continue;
        }
        if !is_array_destruction(body, id) || destroyed_elements(body, id) != Some(itself) {
            return DestructorEffects::Unknown;
        }
        found = DestructorEffects::DestroysTailElements;
    }
    found
}

/// Returns whether an instruction only affects the object itself.
fn is_about_itself(body: &Body, id: InstructionId, itself: Value) -> bool {
    use Opcode::*;
    let is_operand = || body.operands(id).first().is_some_and(|value| without_casts(body, *value) == itself);
    match body.instructions[id].opcode {
        DeallocStack | BeginBorrow | EndBorrow | EndLifetime => true,
        FixLifetime | DestroyValue | DeallocRef => is_operand(),
        opcode if counts_references(opcode) => is_operand(),
        Store => object_of(body, self::Store::of(body, id).destination) == itself,
        _ => false,
    }
}

fn without_casts(body: &Body, mut value: Value) -> Value {
    use Opcode::*;
    let is_cast = |opcode| matches!(opcode, Upcast | UncheckedRefCast | UncheckedOwnershipConversion | BeginBorrow);
    while let Some(id) = body.defining(value).filter(|id| is_cast(body.instructions[*id].opcode)) {
        value = Unary::of(body, id).operand;
    }
    value
}

/// The object that an address is projected from.
fn object_of(body: &Body, mut address: Value) -> Value {
    use Opcode::*;
    while let Some(id) = body.defining(address)
        && matches!(body.instructions[id].opcode, StructElementAddr | TupleElementAddr | RefElementAddr | RefTailAddr)
        && let Some(operand) = body.operands(id).first()
    {
        address = *operand;
    }
    address
}

/// Returns whether an instruction destroys an array of elements.
pub(super) fn is_array_destruction(body: &Body, id: InstructionId) -> bool {
    let Details::Builtin(builtin) = &body.instructions[id].details else { return false };
    let kind = builtin.kind();
    kind == Some(BuiltinKind::Named(NamedBuiltin::DestroyArray))
}

/// The object whose tail elements the builtin `id` destroys.
fn destroyed_elements(body: &Body, id: InstructionId) -> Option<Value> {
    let pointer = body.defining(*body.operands(id).get(1)?)?;
    let is_pointer = body.instructions[pointer].opcode == Opcode::AddressToPointer;
    let elements = body.defining(Unary::get(body, pointer).filter(|_| is_pointer)?.operand)?;
    Some(RefTailAddr::get(body, elements)?.object)
}

//! Implicit actors: the actor that a nonisolated function runs on, passed by its caller. The lowest bits of the word
//! with the witness table contain further information on the caller (lib/IRGen/GenConcurrency.cpp,
//! clearImplicitIsolatedActorBits).

use inkwell::values::BasicValueEnum;
use sil_ir::context::{BuiltinType, Type};
use sil_ir::model::views::Unary;
use sil_ir::model::{InstructionId, Value};

use crate::generation::{Explosion, IRGenFunction};
use crate::instructions::casts;
use crate::refusal::Generated;

/// The tag bits in the address of the witness table.
const TAG_BITS: u64 = 0b11;

/// `implicitactor_to_opaqueisolation_cast`: returns the actor as `Optional<any Actor>`.
pub(in crate::instructions) fn opaque_isolation<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let actor = Unary::of(function.body, instruction).operand;
    let untagged = without_tags(function, function.explosion(actor)?);
    let (from, to) = (function.info_of(actor)?, casts::result_info(function, instruction)?);
    let optional = casts::cast_bits(function, &from, &to, untagged);
    function.bind_result(instruction, optional);
    Ok(())
}

/// Returns the passed scalars of `argument`, whose scalars are `explosion`: implicit actors are passed without tags.
pub(in crate::instructions) fn as_argument<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    argument: Value,
    explosion: Explosion<'ctx>,
) -> Explosion<'ctx> {
    let ty = function.body.ty(argument);
    let is_implicit = *function.module.types.queries.get(ty.ty) == Type::Builtin(BuiltinType::ImplicitActor);
    if is_implicit && !ty.is_address() { without_tags(function, explosion) } else { explosion }
}

fn without_tags<'ctx>(function: &IRGenFunction<'_, 'ctx>, mut explosion: Explosion<'ctx>) -> Explosion<'ctx> {
    if let Some(BasicValueEnum::IntValue(table)) = explosion.last_mut() {
        let mask = table.get_type().const_int(!TAG_BITS, true);
        *table = function.builder.and(*table, mask);
    }
    explosion
}

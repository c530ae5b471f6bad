//! Ownership, lifetimes and dependences: the instructions that remain after ownership lowering.

use sil_ir::instructions::families::Ownership;
use sil_ir::model::views::{Borrowed, MarkDependence, Unary};
use sil_ir::model::{InstructionId, Value};

use super::{Emit, Lowering};
use crate::generation::IRGenFunction;
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Ownership) -> Lowering {
    use Ownership::*;
    let emit: Emit = match opcode {
        FixLifetime => fix_lifetime,
        MoveValue | BeginBorrow | CopyableToMoveonlywrapper | MoveonlywrapperToCopyable => forward,
        Borrowed => borrowed,
        MarkDependence => mark_dependence,
        MarkDependenceAddr => return Lowering::NoCode,
        IgnoredUse => return Lowering::Nothing,
        CopyValue
        | ExplicitCopyValue
        | DestroyValue
        | DropDeinit
        | EndBorrow
        | EndLifetime
        | ExtendLifetime
        | UncheckedOwnershipConversion
        | UncheckedOwnership => return Lowering::Before,
        MarkUnresolvedNonCopyableValue
        | MarkUnresolvedReferenceBinding
        | MoveonlywrapperToCopyableBox
        | MoveonlywrapperToCopyableAddr
        | CopyableToMoveonlywrapperAddr
        | MergeIsolationRegion => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// Forwards the operand bit for bit: instructions that only concern ownership, and conversions between types of the
/// same layout.
pub(super) fn forward<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    forward_value(function, instruction, Unary::of(function.body, instruction).operand)
}

/// `borrowed`
fn borrowed<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    forward_value(function, instruction, Borrowed::of(function.body, instruction).value)
}

/// `mark_dependence`
fn mark_dependence<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    forward_value(function, instruction, MarkDependence::of(function.body, instruction).value)
}

/// Forwards `value` bit for bit.
pub(super) fn forward_value<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    value: Value,
) -> Generated<()> {
    let scalars = function.flatten(&[value])?;
    match function.body.ty(value).is_address() {
        true => function.bind_address(instruction, scalars[0].into_pointer_value()),
        false => function.bind_result(instruction, scalars),
    }
    Ok(())
}

/// Keeps the references in the operand alive up to here, by an empty inline assembly that takes them and may read
/// memory.
pub(super) fn fix_lifetime<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let scalars = function.flatten(&[operand])?;
    for pointer in scalars.into_iter().filter(|scalar| scalar.is_pointer_value()) {
        function.emit_opaque_use(pointer.into_pointer_value());
    }
    Ok(())
}

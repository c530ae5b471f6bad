//! Ownership, lifetimes and dependences: what is left of them where ownership is lowered.

use sil::instructions::families::Ownership;
use sil::model::InstructionId;

use super::{Emit, Lowering};
use crate::generation::IRGenFunction;
use crate::refusal::Generated;

/// What becomes of each instruction of the family.
pub(super) fn lowering(opcode: Ownership) -> Lowering {
    use Ownership::*;
    let emit: Emit = match opcode {
        FixLifetime => fix_lifetime,
        MoveValue | BeginBorrow | Borrowed | MarkDependence | CopyableToMoveonlywrapper | MoveonlywrapperToCopyable => {
            forward
        }
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

/// The result is the first operand, bit for bit: what only says something about ownership, and conversions between types that look alike.
pub(super) fn forward<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let operand = function.body.operands(instruction)[0];
    let scalars = function.flatten(&[operand])?;
    match function.body.ty(operand).is_address() {
        true => function.bind_address(instruction, scalars[0].into_pointer_value()),
        false => function.bind_result(instruction, scalars),
    }
    Ok(())
}

/// Keeps the references in the operand alive up to here: an empty assembly that takes them and may look at memory.
pub(super) fn fix_lifetime<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let operand = function.body.operands(instruction)[0];
    let scalars = function.flatten(&[operand])?;
    for pointer in scalars.into_iter().filter(|scalar| scalar.is_pointer_value()) {
        function.emit_opaque_use(pointer.into_pointer_value());
    }
    Ok(())
}

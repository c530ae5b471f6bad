//! Terminates blocks after calls that never return.

use sil_ir::model::{BlockId, Body, InstructionId, LocationKind, Place};

use crate::InstructionBuilder;

/// Erases `dead`, all instructions of `block` after `end`, and terminates the block with `unreachable`. Blocks that
/// become unreachable remain.
pub(crate) fn end_block(body: &mut Body, block: BlockId, end: InstructionId, dead: &[InstructionId]) {
    dead.iter().for_each(|id| body.erase(*id));
    let mut builder = InstructionBuilder::new(body, Place::End(block), end);
    builder.set_location_kind(LocationKind::ArtificialUnreachable);
    builder.unreachable();
    // The end of the block has no counterpart in the source.
    if let Some(unreachable) = body.terminator(block)
        && let Some(location) = &mut body.instructions[unreachable].location
    {
        location.place = None;
    }
}

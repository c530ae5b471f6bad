//! Blocks that end earlier than they did, because what stands there never returns.

use crate::model::{BlockId, Body, InstructionId, LocationKind, Place};
use crate::transform::InstructionBuilder;

/// Removes `dead`, all that `block` holds behind `end`, and ends the block there. What only the removed instructions led to can be reached no longer,
/// and is left.
pub(in crate::transform) fn end_block(body: &mut Body, block: BlockId, end: InstructionId, dead: &[InstructionId]) {
    dead.iter().for_each(|id| body.erase(*id));
    let mut builder = InstructionBuilder::new(body, Place::End(block), end);
    builder.set_location_kind(LocationKind::ArtificialUnreachable);
    builder.unreachable();
    // Nobody wrote that the block ends here.
    if let Some(unreachable) = body.terminator(block)
        && let Some(location) = &mut body.instructions[unreachable].location
    {
        location.place = None;
    }
}

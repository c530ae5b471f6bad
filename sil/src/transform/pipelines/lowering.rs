//! The passes that bring canonical SIL into the form that IRGen takes.

use crate::transform::pass::Pass;
use crate::transform::registry::{HOP_TO_ACTOR_LOWERING, OWNERSHIP_LOWERING};

/// The passes, in order: none of what they lower is left.
pub const LOWERING_PASSES: &[Pass] = &[HOP_TO_ACTOR_LOWERING, OWNERSHIP_LOWERING];

//! The passes that lower canonical SIL to the form that IRGen accepts.

use crate::pass::Pass;
use crate::registry::{HOP_TO_ACTOR_LOWERING, OWNERSHIP_LOWERING};

/// The passes, in order. They leave none of the instructions that they lower.
pub const LOWERING_PASSES: &[Pass] = &[HOP_TO_ACTOR_LOWERING, OWNERSHIP_LOWERING];

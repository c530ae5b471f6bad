//! Analyses of a body that are made when first asked for, and kept from pass to pass as long as they hold.

use std::sync::OnceLock;

use crate::analysis::{ControlFlowGraph, PostDominators, Uses};
use crate::model::Body;

/// What a pass changed in a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Instructions and values: blocks lead where they led.
    Instructions,
    /// Blocks, or where they lead.
    Blocks,
}

/// What is known of a body. Whoever asks brings the same body each time.
#[derive(Default)]
pub struct Analyses {
    cfg: OnceLock<ControlFlowGraph>,
    post_dominators: OnceLock<PostDominators>,
    uses: OnceLock<Uses>,
}

impl Analyses {
    pub fn cfg(&self, body: &Body) -> &ControlFlowGraph {
        self.cfg.get_or_init(|| ControlFlowGraph::new(body))
    }

    /// Post-dominators where endless loops are taken to end.
    pub fn post_dominators(&self, body: &Body) -> &PostDominators {
        self.post_dominators.get_or_init(|| PostDominators::with_endless_loops(body, self.cfg(body)))
    }

    pub fn uses(&self, body: &Body) -> &Uses {
        self.uses.get_or_init(|| Uses::new(body))
    }

    /// Forgets what does not hold after a change.
    pub fn forget(&mut self, change: Change) {
        match change {
            Change::Instructions => self.uses = OnceLock::new(),
            Change::Blocks => *self = Self::default(),
        }
    }
}

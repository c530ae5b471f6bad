//! Analyses of a body that are made when first asked for, and kept as long as they hold: from step to step of a pass,
//! and from pass to pass.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;
use sil_ir::context::Name;
use sil_ir::model::views::FunctionRef;
use sil_ir::model::{Body, Function};
use sil_ir::types::TypeQueries;

use super::{ControlFlowGraph, DeadEndBlocks, Dominators, OwnershipKinds, OwnershipTable, PostDominators, Uses};

/// The change of a body by a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Instructions and values: blocks lead where they led.
    Instructions,
    /// Blocks, or where they lead.
    Blocks,
}

/// The analyses of a body. All questions are about the same body.
#[derive(Clone, Default)]
pub struct Analyses {
    cfg: OnceLock<Arc<ControlFlowGraph>>,
    post_dominators: OnceLock<Arc<PostDominators>>,
    /// Shared with the views of the body, the first of which makes them that needs them.
    dominators: OnceLock<Arc<OnceLock<Dominators>>>,
    dead_ends: OnceLock<Arc<OnceLock<DeadEndBlocks>>>,
    uses: OnceLock<Arc<Uses>>,
    ownership: OnceLock<Arc<OwnershipTable>>,
    references: OnceLock<Arc<FxHashSet<Name>>>,
    of_pass: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Analyses {
    /// The control-flow graph.
    pub fn cfg(&self, body: &Body) -> &Arc<ControlFlowGraph> {
        self.cfg.get_or_init(|| Arc::new(ControlFlowGraph::new(body)))
    }

    /// Post-dominators where endless loops are taken to end.
    pub fn post_dominators(&self, body: &Body) -> &PostDominators {
        self.post_dominators.get_or_init(|| Arc::new(PostDominators::with_endless_loops(body, self.cfg(body))))
    }

    /// The dominator tree, once something needs it.
    pub(super) fn dominators(&self) -> &Arc<OnceLock<Dominators>> {
        self.dominators.get_or_init(Arc::default)
    }

    /// Dead ends, once something needs them.
    pub(super) fn dead_ends(&self) -> &Arc<OnceLock<DeadEndBlocks>> {
        self.dead_ends.get_or_init(Arc::default)
    }

    /// The uses of all values.
    pub fn uses(&self, body: &Body) -> &Arc<Uses> {
        self.uses.get_or_init(|| Arc::new(Uses::new(body)))
    }

    /// The ownership of all values of a function with ownership.
    pub fn ownership<'m>(
        &self,
        queries: &'m TypeQueries<'m>,
        function: &'m Function,
        body: &'m Body,
    ) -> OwnershipKinds<'m> {
        let make = || OwnershipKinds::new(queries, function, body, self.cfg(body)).into_table();
        OwnershipKinds::of_table(queries, function, body, self.ownership.get_or_init(make).clone())
    }

    /// The result of a pass's own analysis of the body, which `make` computes. It is cached until the body changes.
    pub fn of_pass<T: Any + Send + Sync>(&self, make: impl Fn() -> T) -> Arc<T> {
        let kept = self.of_pass.get_or_init(|| Arc::new(make()));
        kept.clone().downcast().unwrap_or_else(|_| Arc::new(make()))
    }

    /// Whether the body refers to the function `name`.
    pub fn refers_to(&self, body: &Body, name: Name) -> bool {
        let referred = |id| FunctionRef::get(body, id).map(|view| view.function);
        let collect = || Arc::new(body.placed_instructions().filter_map(referred).collect());
        self.references.get_or_init(collect).contains(&name)
    }

    /// Whether the analyses may be of this body, as far as a quick check shows.
    pub fn fit(&self, body: &Body) -> bool {
        let cfg_fits = self.cfg.get().is_none_or(|cfg| cfg.block_count() == body.blocks.len());
        cfg_fits && self.uses.get().is_none_or(|uses| uses.value_count() == body.values.len())
    }

    /// Forgets the analyses that do not hold after a change.
    pub fn forget(&mut self, change: Change) {
        match change {
            Change::Instructions => {
                self.uses = OnceLock::new();
                self.ownership = OnceLock::new();
                self.dominators = OnceLock::new();
                self.dead_ends = OnceLock::new();
                self.references = OnceLock::new();
                self.of_pass = OnceLock::new();
            }
            Change::Blocks => *self = Self::default(),
        }
    }
}

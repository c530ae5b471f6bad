//! Dead code elimination.
//!
//! Follows lib/SILOptimizer/Transforms/DeadCodeElimination.cpp. Instructions with side effects are live, and so are
//! their operands and the terminators that control them. Dead instructions and arguments are removed, and a dead
//! terminator becomes a branch to the nearest post-dominator with live instructions. With ownership, a value whose
//! consumer is removed is destroyed in its place.

mod borrows;
mod liveness;
mod passed_values;
mod removal;

use sil_analysis::ownership_scopes::OwnershipUses;
use sil_analysis::{Analyses, Change};
use sil_analysis::{ControlFlowGraph, OwnershipKinds, PostDominators, Uses, escapes_into_pointer};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::views::Borrowed;
use sil_ir::model::{BlockId, Body, Definition, FunctionFlag, InstructionId, Value};

use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

use liveness::Liveness;

pub(crate) const DEAD_CODE_ELIMINATION: Pass = Pass::new(&Description {
    name: "dce",
    class_name: "DCE",
    summary: "Removes dead instructions, dead block arguments and branches without effect.",
    gates: Gates::OPEN,
    runner: Runner::Function(eliminate),
});

/// Removes the dead code of a function.
pub(crate) fn eliminate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    if environment.body.blocks.is_empty() {
        return Ok(None);
    }
    let mut reachable = environment.body.clone();
    reachable.remove_unreachable_blocks();
    let anew = Analyses::default();
    let is_whole = reachable.blocks.len() == environment.body.blocks.len();
    let analyses = if is_whole { environment.analyses } else { &anew };
    let facts = Facts::new(environment.with_body(&reachable, analyses));
    let liveness = Liveness::new(&facts);
    let mut body = reachable.clone();
    removal::remove(&facts, &liveness, &mut body);
    Ok(Some(Rewrite::new(environment.function, body, Change::Blocks)))
}

/// Analyses of the body before the removal.
struct Facts<'m> {
    environment: Environment<'m>,
    body: &'m Body,
    cfg: &'m ControlFlowGraph,
    post_dominators: &'m PostDominators,
    uses: &'m Uses,
    /// `None` if the function has no ownership.
    kinds: Option<OwnershipKinds<'m>>,
}

impl<'m> Facts<'m> {
    fn new(environment: Environment<'m>) -> Self {
        let Environment { body, analyses, .. } = environment;
        let cfg = analyses.cfg(body);
        let kinds = environment
            .function
            .has(FunctionFlag::Ossa)
            .then(|| OwnershipKinds::new(environment.queries, environment.function, body, cfg));
        Self {
            environment,
            body,
            cfg,
            post_dominators: analyses.post_dominators(body),
            uses: analyses.uses(body),
            kinds,
        }
    }

    /// Returns whether `value` escapes into a pointer, so that its uses do not determine its lifetime.
    fn escapes(&self, value: Value) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| {
            escapes_into_pointer(OwnershipUses { body: self.body, uses: self.uses, kinds }, self.cfg, value)
        })
    }

    /// Returns whether `value` has a lexical lifetime.
    fn is_lexical(&self, value: Value) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.is_lexical(self.cfg, value))
    }

    /// The terminators of the predecessors of `block`, once per edge.
    fn branches_to(&self, block: BlockId) -> impl Iterator<Item = InstructionId> {
        self.cfg.predecessors(block).iter().filter_map(|predecessor| self.body.terminator(*predecessor))
    }

    /// Returns whether `value` is a phi.
    fn is_phi(&self, value: Value) -> bool {
        use sil_ir::instructions::Opcode::{Br, CondBr};
        let Definition::Argument { block, .. } = self.body.values[value].definition else { return false };
        block != self.body.entry()
            && self.branches_to(block).all(|branch| matches!(self.body.instructions[branch].opcode, Br | CondBr))
    }

    /// Looks through the `borrowed` of a value.
    fn before_borrowed_from(&self, value: Value) -> Value {
        let borrowed = self.body.defining(value).and_then(|id| Borrowed::get(self.body, id));
        borrowed.map_or(value, |borrowed| borrowed.value)
    }
}

//! Simplifies the control flow graph with a worklist of blocks until a fixpoint. Follows
//! lib/SILOptimizer/Transforms/SimplifyCFG.cpp. It redirects branches past trampoline blocks, folds terminators with
//! known operands, threads jumps over terminators that are known on one incoming edge, and removes block arguments.
//!
//! This file owns the order of the work. `blocks` simplifies a block, `threading` threads jumps, `dominance` uses
//! dominating decisions, `casts` does so for casts, `cloning` clones a block for an edge, `profit` decides whether a
//! clone is profitable, `knowledge` computes the known values, `switches` folds `switch_enum` and names its last case,
//! `objective_c` handles Objective-C method calls, `worklist` has the blocks to simplify, `tests` has the single steps
//! for `-test-runner`.
//! Does not own: the simplification of single terminators (`simplification`) and of single block arguments
//! (`argument_simplification`).

mod blocks;
mod casts;
mod cloning;
mod dominance;
mod knowledge;
mod objective_c;
mod profit;
mod switches;
pub(crate) mod tests;
mod threading;
mod worklist;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{Change, ControlFlowGraph};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId};

pub(crate) use self::switches::name_last_cases;
use self::worklist::Worklist;
use super::simplification::Simplifier;
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const BRANCH_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "simplify-cfg",
    class_name: "SimplifyCFG",
    summary: "Simplifies the control-flow graph: merges blocks and folds branches.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[
        Runner::Function(remove_unreachable),
        Runner::Function(super::argument_splitting::split),
        Runner::Function(simplify),
        Runner::Function(name_last_cases),
        Runner::Function(super::borrowed_phis::update),
    ]),
});

pub(crate) const JUMP_THREADING: Pass = Pass::new(&Description {
    name: "jumpthread-simplify-cfg",
    class_name: "JumpThreadSimplifyCFG",
    summary: "Simplifies the control-flow graph and threads jumps past decisions made before.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[
        Runner::Function(remove_unreachable),
        Runner::Function(super::argument_splitting::split),
        Runner::Function(simplify_and_thread),
        Runner::Function(name_last_cases),
        Runner::Function(super::borrowed_phis::update),
    ]),
});

/// Removes unreachable blocks.
pub(crate) fn remove_unreachable(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    editor.remove_dead_blocks();
    Ok(editor.finish())
}

/// Simplifies the control flow of a function.
pub(crate) fn simplify(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(CfgSimplifier::new(environment, Paths::OfArguments).run())
}

/// Simplifies the control flow, and threads jumps over decisions that dominating decisions determine.
pub(crate) fn simplify_and_thread(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(CfgSimplifier::new(environment, Paths::All).run())
}

/// The edges that are threaded over a decision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paths {
    /// Edges that pass a known value.
    OfArguments,
    /// Also edges that a dominating decision determines.
    All,
}

struct CfgSimplifier<'m> {
    /// Simplifies single terminators and has the block order. Removed blocks stay in the body, empty, until the end.
    simplifier: Simplifier<'m>,
    worklist: Worklist,
    ways: Paths,
    /// The targets of back edges.
    headers: FxHashSet<BlockId>,
    /// Clones of loop headers. Cloning them again would peel the loop without end.
    peeled: FxHashSet<BlockId>,
    /// The accumulated cost of each block's clones.
    costs: FxHashMap<BlockId, i32>,
}

impl<'m> CfgSimplifier<'m> {
    fn new(environment: Environment<'m>, ways: Paths) -> Self {
        let headers = loop_headers(environment.body);
        let (peeled, costs) = (FxHashSet::default(), FxHashMap::default());
        let simplifier = Simplifier::of_paths(environment);
        Self { simplifier, worklist: Worklist::default(), ways, headers, peeled, costs }
    }

    fn run(mut self) -> Option<Rewrite> {
        self.simplify_blocks();
        self.simplify_by_dominators();
        self.simplify_blocks();
        if self.copy_after_calls() {
            self.simplify_blocks();
        }
        self.simplifier.finish()
    }

    fn environment(&self) -> Environment<'m> {
        self.simplifier.editor.environment
    }

    fn body(&self) -> &Body {
        self.simplifier.editor.body()
    }

    fn cfg(&self) -> Arc<ControlFlowGraph> {
        self.simplifier.editor.cfg()
    }

    /// The predecessors of `block` in the current body, in order.
    fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.simplifier.editor.predecessors(block)
    }

    fn opcode_at_end(&self, block: BlockId) -> Option<Opcode> {
        self.end_of_kind(block, |_| true).map(|id| self.body().instructions[id].opcode)
    }

    /// The terminator of a block, if its opcode is wanted.
    fn end_of_kind(&self, block: BlockId, is_wanted: impl Fn(Opcode) -> bool) -> Option<InstructionId> {
        self.body().terminator(block).filter(|id| is_wanted(self.body().instructions[*id].opcode))
    }

    /// Removes a block without predecessors, and pushes its successors. Returns whether it was removed.
    fn remove_if_dead(&mut self, block: BlockId) -> bool {
        if self.simplifier.editor.edges_to(block) > 0 || block == self.body().entry() {
            return false;
        }
        self.forget(block);
        let targets = self.body().terminator(block).map(|end| self.body().targets(end).to_vec());
        targets.into_iter().flatten().for_each(|target| self.worklist.push(target));
        self.remove_block(block);
        true
    }

    fn remove_block(&mut self, block: BlockId) {
        self.simplifier.editor.clear_block(block);
        self.simplifier.order.remove(block);
    }

    /// Removes the blocks that are unreachable from the entry, including unreachable loops.
    fn remove_unreachable_blocks(&mut self) {
        let cfg = self.cfg();
        for block in self.simplifier.order.to_vec() {
            if !cfg.is_reachable(block) {
                self.forget(block);
                self.remove_block(block);
            }
        }
    }

    fn forget(&mut self, block: BlockId) {
        if self.worklist.remove(block) && self.headers.remove(&block) {
            self.peeled.remove(&block);
        }
    }

    /// Marks the replacement of a loop header as a loop header.
    fn inherit_loops(&mut self, block: BlockId, heir: BlockId) {
        for blocks in [&mut self.headers, &mut self.peeled] {
            if blocks.contains(&block) {
                blocks.insert(heir);
            }
        }
    }

    /// Places a new block after `after` in the block order.
    fn place(&mut self, block: BlockId, after: BlockId) {
        self.simplifier.order.insert_after(after, block);
    }

    fn edit_whole(&mut self, body: Body) {
        self.simplifier.editor.edit_whole(Change::Blocks, |before| *before = body);
    }
}

/// The targets of back edges.
fn loop_headers(body: &Body) -> FxHashSet<BlockId> {
    let mut headers = FxHashSet::default();
    let (mut seen, mut ancestors) = (FxHashSet::default(), FxHashSet::default());
    let mut open = vec![(body.entry(), 0)];
    seen.insert(body.entry());
    ancestors.insert(body.entry());
    while let Some((block, next)) = open.last_mut() {
        let targets = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
        let Some(target) = targets.get(*next).copied() else {
            ancestors.remove(block);
            open.pop();
            continue;
        };
        *next += 1;
        if seen.insert(target) {
            ancestors.insert(target);
            open.push((target, 0));
        } else if ancestors.contains(&target) {
            headers.insert(target);
        }
    }
    headers
}

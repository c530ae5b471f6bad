//! Jump threading: where a block decides something that is known already on one of the ways to it, that way goes past the decision
//! (lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//!
//! `trampolines` and `arguments` remove what only passes things on, `knowledge` says what a value is known to be on a way, `cloning` gives a way a copy of a block, `dominance` finds decisions that were made before,
//! `profit` says which copies are worth it, `switches` names the last case of a `switch_enum` and folds those over known enums. Does not own: branches on literals and blocks that follow
//! one another (`simplification`).

mod arguments;
mod cloning;
mod dominance;
mod knowledge;
mod profit;
mod switches;
mod trampolines;

use rustc_hash::{FxHashMap, FxHashSet};

pub(in crate::transform) use self::switches::name_last_cases;
use crate::analysis::{Change, ControlFlowGraph};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::Br;
use crate::model::{BlockId, Body};
use crate::transform::editing::critical_edges;
use crate::transform::pipeline::{Environment, Rewrite};

/// How often decisions that others dominate are looked for.
const MAXIMAL_ROUNDS: usize = 10;

/// Threads jumps whose arguments are known. A loop may be peeled for that.
pub(in crate::transform) fn thread(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    run(environment, |threader| threader.thread_known(Peeling::Once))
}

/// The same without peeling loops.
pub(in crate::transform) fn thread_again(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    run(environment, |threader| threader.thread_known(Peeling::Never))
}

/// Lets decisions know what was decided before.
pub(in crate::transform) fn use_decisions(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    run(environment, |threader| threader.use_all_decisions(Ways::OfArguments))
}

/// The same, and threads jumps on ways on which the same was decided before.
pub(in crate::transform) fn thread_decided(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    run(environment, |threader| threader.use_all_decisions(Ways::All))
}

/// Which ways may go past a decision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// Those that pass a value that is known.
    OfArguments,
    /// Also those on which the same was decided before.
    All,
}

/// Whether headers of loops are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Peeling {
    Once,
    Never,
}

fn run(
    environment: Environment<'_>,
    thread: impl FnOnce(&mut Threader<'_>),
) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    if environment.body.blocks.len() < 2 {
        return Ok(None);
    }
    let mut threader = Threader::new(environment);
    thread(&mut threader);
    Ok(threader.is_changed.then(|| Rewrite::new(environment.function, threader.body, Change::Blocks)))
}

/// Brings the blocks behind the first `count` that one block alone leads to right behind that, the newest first.
fn place_edges(body: &mut Body, count: usize) {
    let cfg = ControlFlowGraph::new(body);
    let all: Vec<BlockId> = body.blocks.keys().collect();
    let (old, new) = all.split_at(count.min(all.len()));
    let source = |edge: &BlockId| cfg.single_predecessor(*edge);
    let (placed, others): (Vec<BlockId>, Vec<BlockId>) = new.iter().partition(|edge| source(edge).is_some());
    let mut order = Vec::with_capacity(all.len());
    let mut open: Vec<BlockId> = old.iter().chain(&others).rev().copied().collect();
    while let Some(block) = open.pop() {
        order.push(block);
        open.extend(placed.iter().filter(|edge| source(edge) == Some(block)));
    }
    if order.len() == all.len() {
        body.keep_blocks(&order);
    }
}

struct Threader<'m> {
    environment: Environment<'m>,
    body: Body,
    /// Of the body as it is.
    cfg: ControlFlowGraph,
    /// The targets of edges that lead back.
    headers: FxHashSet<BlockId>,
    /// Headers of loops that were copied once, and the copies.
    peeled: FxHashSet<BlockId>,
    /// What copies of each block have cost so far.
    costs: FxHashMap<BlockId, i32>,
    is_changed: bool,
}

impl<'m> Threader<'m> {
    fn new(environment: Environment<'m>) -> Self {
        let mut body = environment.body.clone();
        body.remove_unreachable_blocks();
        let cfg = ControlFlowGraph::new(&body);
        let headers = loop_headers(&body);
        let (peeled, costs) = (FxHashSet::default(), FxHashMap::default());
        Self { environment, body, cfg, headers, peeled, costs, is_changed: false }
    }

    fn thread_known(&mut self, peeling: Peeling) {
        self.skip_trampolines();
        self.fold_switches();
        self.thread_jumps(peeling);
        self.fold_switches();
        self.simplify_arguments();
    }

    fn use_all_decisions(&mut self, ways: Ways) {
        if ways == Ways::All && !self.has_ownership() {
            self.split_critical_edges();
        }
        for _ in 0..MAXIMAL_ROUNDS {
            if !self.use_decisions(ways) {
                break;
            }
        }
    }

    /// Makes room on all edges for what happens on one way alone.
    fn split_critical_edges(&mut self) {
        let count = self.body.blocks.len();
        critical_edges::split_in(&mut self.body, &self.cfg);
        if self.body.blocks.len() > count {
            place_edges(&mut self.body, count);
            self.update();
        }
    }

    /// Threads the jumps whose arguments are known, until none is left.
    fn thread_jumps(&mut self, peeling: Peeling) {
        let mut open: Vec<BlockId> = self.body.blocks.keys().rev().collect();
        while let Some(block) = open.pop() {
            if self.thread_jump(block, peeling).is_some() {
                open.push(block);
            }
        }
    }

    /// Copies the block that `source` jumps to into it, where that is worth it.
    fn thread_jump(&mut self, source: BlockId, peeling: Peeling) -> Option<()> {
        let branch = self.body.terminator(source).filter(|id| self.body.instructions[*id].opcode == Opcode::Br)?;
        let target = Br::of(&self.body, branch).target;
        let is_header = self.headers.contains(&target);
        // Copies of the headers of loops peel them; a switch may be peeled once.
        let is_switch = self.opcode_at_end(target)? == Opcode::SwitchEnum;
        let is_peelable = peeling == Peeling::Once && is_switch && !self.peeled.contains(&target);
        if is_header && !is_peelable {
            return None;
        }
        if target == source || self.cfg.predecessors(target).len() < 2 || !self.cfg.is_reachable(source) {
            return None;
        }
        let budget = self.budget(branch)?;
        let cost = self.cost_of_copy(target, budget)?;
        self.copy_into(source, target, None)?;
        *self.costs.entry(target).or_default() += cost;
        if is_header {
            self.peeled.extend([source, target]);
        }
        Some(())
    }

    fn opcode_at_end(&self, block: BlockId) -> Option<Opcode> {
        self.body.terminator(block).map(|id| self.body.instructions[id].opcode)
    }

    /// Takes notice of blocks that lead elsewhere.
    fn update(&mut self) {
        self.cfg = ControlFlowGraph::new(&self.body);
        self.headers = loop_headers(&self.body);
        self.is_changed = true;
    }
}

/// The blocks that an edge leads back to.
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

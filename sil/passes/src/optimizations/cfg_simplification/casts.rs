//! Jump threading over checked casts. If an earlier cast of the same object dominates and only its success or only its
//! failure edge reaches a later cast, the edge is redirected past the later cast. If the block has other predecessors,
//! it is cloned. Follows lib/SILOptimizer/Utils/CheckedCastBrJumpThreading.cpp.
//!
//! Does not own: functions with ownership; casts that fold without another cast (`editing/cast_folding.rs`).

use rustc_hash::FxHashSet;
use sil_analysis::{Change, ControlFlowGraph, Dominators};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Br, CheckedCastBr};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Place, Value};

use super::CfgSimplifier;
use super::cloning::DecidedCast;
use crate::InstructionBuilder;
use crate::optimizations::call_inlining::inline_cost;

/// The limit on the cost of a cloned block.
const MAXIMAL_COST: i32 = 20;
/// The limit on block arguments that are followed to their incoming values.
const MAXIMAL_ARGUMENTS: usize = 10;

/// The redirection of the edges to a block with a redundant cast.
struct Redirection {
    block: BlockId,
    /// The predecessors that only the success edge reaches.
    succeeded: Vec<BlockId>,
    /// The predecessors that only the failure edge reaches.
    failed: Vec<BlockId>,
    remainder: Remainder,
    /// The result of the earlier cast.
    object: Value,
}

/// The terminator of the original block once the known edges are redirected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remainder {
    /// Other predecessors remain, so the cast remains.
    Casts,
    /// All remaining predecessors are reached by success.
    Succeeds,
    /// All remaining predecessors are reached by the success of a cast to another class, or there are none.
    Fails,
}

/// The predecessors of a cast's block, grouped by the outcome of the earlier cast.
#[derive(Default)]
struct Paths {
    succeeded: Vec<BlockId>,
    failed: Vec<BlockId>,
    unknown: usize,
    /// The block whose argument is the object, if its incoming values differ.
    receiving: Option<BlockId>,
}

impl Paths {
    fn add(&mut self, block: BlockId, after_success: bool, after_failure: bool) {
        match (after_success, after_failure) {
            (true, false) => self.succeeded.push(block),
            (false, true) => self.failed.push(block),
            _ => self.unknown += 1,
        }
    }
}

/// An earlier cast of the same object.
#[derive(Clone, Copy)]
struct EarlierCast {
    block: BlockId,
    cast: InstructionId,
    success: BlockId,
    failure: BlockId,
    object: Value,
}

impl CfgSimplifier<'_> {
    /// Redirects edges past redundant casts. Returns whether there were any.
    pub(super) fn thread_casts(&mut self, dominators: &Dominators) -> bool {
        if self.simplifier.editor.has_ownership() {
            return false;
        }
        let redirections = self.redirections(dominators);
        let is_changed = !redirections.is_empty();
        for found in redirections {
            let _ = self.redirect(&found);
        }
        is_changed
    }

    fn redirections(&self, dominators: &Dominators) -> Vec<Redirection> {
        let cfg = self.cfg();
        let mut search = Search {
            simplifier: self,
            dominators,
            cfg: &cfg,
            changing: FxHashSet::default(),
            copied: FxHashSet::default(),
        };
        let blocks = self.simplifier.order.iter().filter(|block| cfg.is_reachable(*block));
        blocks.filter_map(|block| search.redirection(block)).collect()
    }

    fn redirect(&mut self, found: &Redirection) -> Option<()> {
        // An earlier redirection may have removed this argument.
        let Definition::Argument { block, .. } = self.body().values[found.object].definition else { return None };
        let is_copyable = self.body().instructions_in(found.block).all(|id| self.is_duplicable(id));
        if !self.body().blocks[block].arguments.contains(&found.object) || !is_copyable {
            return None;
        }
        if !found.failed.is_empty() {
            self.copy_decided(found.block, &found.failed, DecidedCast::Fails)?;
        }
        match found.remainder {
            Remainder::Casts if found.succeeded.is_empty() => {}
            Remainder::Casts => self.copy_decided(found.block, &found.succeeded, DecidedCast::Gives(found.object))?,
            Remainder::Succeeds => self.end_cast(found.block, Some(found.object))?,
            Remainder::Fails if self.remove_if_dead(found.block) => {}
            Remainder::Fails => self.end_cast(found.block, None)?,
        }
        Some(())
    }

    /// Replaces a cast that is known to succeed with `object`, or to fail, with a branch.
    fn end_cast(&mut self, block: BlockId, object: Option<Value>) -> Option<()> {
        let end = self.end_of_kind(block, |opcode| opcode == Opcode::CheckedCastBr)?;
        let CheckedCastBr { success, failure, .. } = CheckedCastBr::of(self.body(), end);
        let given = *self.body().blocks[success].arguments.first()?;
        self.simplifier.editor.edit_whole(Change::Blocks, |body| {
            let ty = body.ty(given);
            let instead = object.unwrap_or_else(|| body.undef(ty));
            body.replace_operands(|value| if value == given { instead } else { value });
            body.remove_argument(success, 0);
            let target = if object.is_some() { success } else { failure };
            InstructionBuilder::new(body, Place::Before(end), end).branch(target, &[]);
            body.erase(end);
        });
        Some(())
    }
}

struct Search<'s, 'm> {
    simplifier: &'s CfgSimplifier<'m>,
    dominators: &'s Dominators,
    cfg: &'s ControlFlowGraph,
    /// Blocks whose terminator will change.
    changing: FxHashSet<BlockId>,
    /// Blocks that will be cloned, so that their arguments no longer dominate their successors.
    copied: FxHashSet<BlockId>,
}

impl Search<'_, '_> {
    fn body(&self) -> &Body {
        self.simplifier.body()
    }

    /// The redirection for the cast at the end of `block`.
    fn redirection(&mut self, block: BlockId) -> Option<Redirection> {
        let cast = self.simplifier.end_of_kind(block, |opcode| opcode == Opcode::CheckedCastBr)?;
        if self.changing.contains(&block) {
            return None;
        }
        let mut dominator = self.dominators.immediate_dominator(block);
        while let Some(before) = dominator {
            let earlier = self.earlier_cast(before, cast).filter(|earlier| !self.copied.contains(&earlier.success));
            if let Some((earlier, ways)) = earlier.and_then(|earlier| Some((earlier, self.ways(cast, earlier)?))) {
                return self.planned(block, cast, earlier, ways);
            }
            dominator = self.dominators.immediate_dominator(before);
        }
        None
    }

    /// The cast at the end of `block`, if it determines the result of `cast`.
    fn earlier_cast(&self, block: BlockId, cast: InstructionId) -> Option<EarlierCast> {
        let end = self.simplifier.end_of_kind(block, |opcode| opcode == Opcode::CheckedCastBr)?;
        let [exact, is_exact] =
            [cast, end].map(|id| self.body().instructions[id].attributes.contains(Attribute::Exact));
        let CheckedCastBr { success, failure, .. } = CheckedCastBr::of(self.body(), end);
        let object = *self.body().blocks[success].arguments.first()?;
        let fits = exact == is_exact && (exact || self.has_same_target(cast, end));
        fits.then_some(EarlierCast { block, cast: end, success, failure, object })
    }

    fn has_same_target(&self, cast: InstructionId, other: InstructionId) -> bool {
        let [target, other] = [cast, other].map(|id| CheckedCastBr::of(self.body(), id).cast.target);
        self.simplifier.environment().queries.same_type(target, other)
    }

    fn planned(
        &mut self,
        block: BlockId,
        cast: InstructionId,
        earlier: EarlierCast,
        ways: Paths,
    ) -> Option<Redirection> {
        let Paths { succeeded, failed, unknown, receiving } = ways;
        let (is_known, only_success) = (unknown == 0, failed.is_empty() && unknown == 0);
        if succeeded.is_empty() && failed.is_empty() || !succeeded.is_empty() && !failed.is_empty() && !is_known {
            return None;
        }
        if !only_success && !self.may_copy(block, receiving) {
            return None;
        }
        let remainder = match self.has_same_target(cast, earlier.cast) {
            true if !is_known => Remainder::Casts,
            true if succeeded.is_empty() => Remainder::Fails,
            true => Remainder::Succeeds,
            // An object of exactly one class is of no other class.
            false if only_success => Remainder::Fails,
            false => return None,
        };
        self.changing.extend(succeeded.iter().chain(&failed).copied().chain([block]));
        self.copied.insert(block);
        Some(Redirection { block, succeeded, failed, remainder, object: earlier.object })
    }

    /// Returns whether a block is small enough and can be cloned.
    fn may_copy(&self, block: BlockId, receiving: Option<BlockId>) -> bool {
        let queries = self.simplifier.environment().queries;
        let cost = |id: InstructionId| inline_cost(queries, self.body(), id);
        receiving.is_none_or(|receiving| receiving == block)
            && self.body().instructions_in(block).all(|id| self.simplifier.is_duplicable(id))
            && self.body().instructions_in(block).map(cost).sum::<i32>() < MAXIMAL_COST
    }

    /// Groups the predecessors of `cast` by the outcome of an earlier cast of the same object. Returns `None` if no
    /// predecessor is known to have the same object.
    fn ways(&self, cast: InstructionId, earlier: EarlierCast) -> Option<Paths> {
        let block = self.body().instructions[cast].block;
        let [object, known] =
            [cast, earlier.cast].map(|id| without_class_casts(self.body(), CheckedCastBr::of(self.body(), id).operand));
        if object != known {
            return self.paths_of_argument(block, object, (earlier, known));
        }
        let mut ways = Paths::default();
        let predecessors = self.cfg.predecessors(block);
        for before in predecessors {
            let end = self.body().terminator(*before)?;
            let leads = matches!(self.body().instructions[end].opcode, Opcode::CheckedCastBr | Opcode::Br);
            let is_critical = predecessors.len() > 1 && self.body().targets(end).len() > 1;
            if !leads || is_critical || self.changing.contains(before) {
                return None;
            }
            let follows = |target: BlockId| self.dominators.dominates(target, *before) || target == block;
            ways.add(*before, follows(earlier.success), follows(earlier.failure));
        }
        Some(ways)
    }

    /// Groups the predecessors for an object that is a block argument, whose incoming value is the same object on some
    /// edges only.
    fn paths_of_argument(
        &self,
        block: BlockId,
        object: Value,
        (earlier, known): (EarlierCast, Value),
    ) -> Option<Paths> {
        let Definition::Argument { block: receiving, .. } = self.body().values[object].definition else { return None };
        if receiving == self.body().entry() || !self.dominators.dominates(earlier.block, receiving) {
            return None;
        }
        let mut ways = Paths { receiving: Some(receiving), ..Paths::default() };
        let passed = self.passed(object)?;
        for (before, value) in passed {
            if self.changing.contains(&before) {
                return None;
            }
            if !self.is_same_object(value, earlier.block, known) {
                ways.unknown += 1;
                continue;
            }
            let follows =
                |target: BlockId| self.dominators.dominates(target, before) || self.dominators.dominates(target, block);
            ways.add(before, follows(earlier.success), follows(earlier.failure));
        }
        Some(ways)
    }

    /// The incoming values of a block argument with their predecessors. `None` if a predecessor's terminator does not
    /// pass an operand.
    fn passed(&self, argument: Value) -> Option<Vec<(BlockId, Value)>> {
        let Definition::Argument { block, index } = self.body().values[argument].definition else { return None };
        let predecessors = self.cfg.predecessors(block);
        let passed = |before: &BlockId| {
            let end = self.body().terminator(*before)?;
            let value = match self.body().instructions[end].opcode {
                Opcode::Br => Br::of(self.body(), end).arguments.get(index as usize).copied(),
                Opcode::SwitchEnum | Opcode::CheckedCastBr => self.body().operands(end).first().copied(),
                _ => None,
            };
            Some((*before, value?))
        };
        let passed: Option<Vec<(BlockId, Value)>> = predecessors.iter().map(passed).collect();
        passed.filter(|passed| !passed.is_empty())
    }

    /// Returns whether a value is the object `known` on all paths from `from`.
    fn is_same_object(&self, value: Value, from: BlockId, known: Value) -> bool {
        let mut value = without_class_casts(self.body(), value);
        let mut seen = FxHashSet::default();
        while value != known {
            if !seen.insert(value) || seen.len() > MAXIMAL_ARGUMENTS {
                return false;
            }
            let Some(passed) = self.passed(value) else { return false };
            let passed: Vec<Value> =
                passed.iter().map(|(_, passed)| without_class_casts(self.body(), *passed)).collect();
            let mut others = passed.iter().filter(|passed| **passed != known);
            let other = others.next();
            let comes_later = |value: Value| {
                let block = self.body().defining_block(value);
                block.is_some_and(|block| self.dominators.dominates(from, block))
            };
            if other.is_some_and(|other| !comes_later(*other) || others.any(|found| found != other)) {
                return false;
            }
            value = other.copied().unwrap_or(known);
        }
        true
    }
}

/// Looks through casts to other classes, copies and borrows.
fn without_class_casts(body: &Body, mut value: Value) -> Value {
    use Opcode::{BeginBorrow, CopyValue, MoveValue, UnconditionalCheckedCast, Upcast};
    while let Some(id) = body.defining(value)
        && let Upcast | UnconditionalCheckedCast | CopyValue | BeginBorrow | MoveValue = body.instructions[id].opcode
    {
        value = body.operands(id)[0];
    }
    value
}

//! An SSA updater: computes the value that reaches a point from the values available at the ends of some blocks, and
//! inserts phis where different values merge. The passes provide the available values.

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, Use};
use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Details, InstructionId, Ownership, Value};

use crate::editing::instruction_copies::copy_before;

/// A point where the value is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Point {
    /// At the start of a block.
    Start(BlockId),
    /// At the end of a block.
    End(BlockId),
}

/// The reaching value of a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arriving {
    Value(Value),
    /// The value that will be available at the end of this block.
    Unknown(BlockId),
    /// A new argument of this block.
    Argument(BlockId),
}

/// The phis to insert, and the reaching values of the wanted points.
pub(crate) struct ValueFlow {
    wanted: Vec<Arriving>,
    /// The blocks that get an argument, with the value for each incoming edge, in the order of the predecessors.
    arguments: Vec<(BlockId, Vec<(BlockId, Arriving)>)>,
    ty: SilType,
    ownership: Ownership,
}

impl ValueFlow {
    /// Computes the reaching values at `wanted` from those that are `available` at the ends of blocks. Returns `None`
    /// if a path has no value, or an argument cannot be passed.
    pub(crate) fn new(
        body: &Body,
        cfg: &ControlFlowGraph,
        available: &FxHashMap<BlockId, Value>,
        wanted: &[Point],
        (ty, ownership): (SilType, Ownership),
    ) -> Option<Self> {
        Self::from(
            body,
            cfg,
            &|block| available.get(&block).map(|value| Arriving::Value(*value)),
            wanted,
            (ty, ownership),
        )
    }

    /// Computes the reaching values like LLVM's SSAUpdater (lib/SILOptimizer/Utils/SILSSAUpdater.cpp): a block where
    /// definitions of different blocks merge gets an argument, unless all known incoming values are the same. The last
    /// blocks are visited first.
    pub(crate) fn of_definitions(
        body: &Body,
        cfg: &ControlFlowGraph,
        available: &FxHashMap<BlockId, Value>,
        wanted: &[Point],
        kind: (SilType, Ownership),
    ) -> Option<Self> {
        let definition = |block: BlockId| available.contains_key(&block).then_some(Arriving::Unknown(block));
        let mut flow = Self::from(body, cfg, &definition, wanted, kind)?;
        // Blocks with an available value of their own come last, since they use the values of others.
        let is_last = |block: &BlockId| available.contains_key(block);
        let mut order: Vec<&(BlockId, Vec<(BlockId, Arriving)>)> = flow.arguments.iter().collect();
        order.sort_by_key(|(block, _)| (is_last(block), std::cmp::Reverse(cfg.number(*block))));
        let mut known: FxHashMap<BlockId, Arriving> = FxHashMap::default();
        let value = |known: &FxHashMap<BlockId, Arriving>, arriving: &Arriving| match arriving {
            Arriving::Unknown(block) => available.get(block).map(|value| Arriving::Value(*value)),
            Arriving::Argument(block) => known.get(block).copied(),
            Arriving::Value(_) => Some(*arriving),
        };
        for (block, passed) in order {
            let mut values = passed.iter().map(|(_, arriving)| value(&known, arriving));
            let first = values.next().flatten();
            let only = first.filter(|first| values.all(|other| other == Some(*first)));
            known.insert(*block, only.unwrap_or(Arriving::Argument(*block)));
        }
        let resolved = |arriving: &Arriving| {
            let mut arriving = *arriving;
            while let Some(next) = value(&known, &arriving).filter(|next| *next != arriving) {
                arriving = next;
            }
            arriving
        };
        flow.wanted.iter_mut().for_each(|arriving| *arriving = resolved(arriving));
        for (_, arriving) in flow.arguments.iter_mut().flat_map(|(_, passed)| passed) {
            *arriving = resolved(arriving);
        }
        flow.forget_unneeded();
        Some(flow)
    }

    /// Removes arguments that reach no wanted point.
    fn forget_unneeded(&mut self) {
        let mut needed: FxHashSet<BlockId> = FxHashSet::default();
        let mut open = self.wanted.clone();
        while let Some(next) = open.pop() {
            if let Arriving::Argument(block) = next
                && needed.insert(block)
            {
                let passed = self.arguments.iter().filter(|(made, _)| *made == block).flat_map(|(_, passed)| passed);
                open.extend(passed.map(|(_, arriving)| *arriving));
            }
        }
        self.arguments.retain(|(block, _)| needed.contains(block));
    }

    /// Returns whether values reach `wanted` if some value is available at the ends of `blocks`.
    pub(crate) fn is_possible(
        body: &Body,
        cfg: &ControlFlowGraph,
        blocks: &FxHashSet<BlockId>,
        wanted: &[Point],
        kind: (SilType, Ownership),
    ) -> bool {
        let unknown = |block: BlockId| blocks.contains(&block).then_some(Arriving::Unknown(block));
        Self::from(body, cfg, &unknown, wanted, kind).is_some()
    }

    fn from(
        body: &Body,
        cfg: &ControlFlowGraph,
        available: &dyn Fn(BlockId) -> Option<Arriving>,
        wanted: &[Point],
        (ty, ownership): (SilType, Ownership),
    ) -> Option<Self> {
        let region = region(cfg, available, wanted)?;
        let starts = solve(cfg, available, &region);
        let arriving = |point: &Point| match point {
            Point::Start(block) => starts.get(block).copied(),
            Point::End(block) => available(*block).or_else(|| starts.get(block).copied()),
        };
        let wanted: Vec<Arriving> = wanted.iter().map(arriving).collect::<Option<_>>()?;
        let mut open: Vec<Arriving> = wanted.clone();
        let mut needed: FxHashSet<BlockId> = FxHashSet::default();
        let mut arguments = Vec::new();
        while let Some(next) = open.pop() {
            let Arriving::Argument(block) = next else { continue };
            if !needed.insert(block) {
                continue;
            }
            let mut passed = Vec::new();
            for predecessor in distinct(cfg.predecessors(block)) {
                if !passes_arguments(body, predecessor, ownership) {
                    return None;
                }
                let value = arriving(&Point::End(predecessor))?;
                passed.push((predecessor, value));
                open.push(value);
            }
            arguments.push((block, passed));
        }
        arguments.sort_by_key(|(block, _)| block.index());
        Some(Self { wanted, arguments, ty, ownership })
    }

    /// Returns whether phis are needed.
    pub(crate) fn makes_arguments(&self) -> bool {
        !self.arguments.is_empty()
    }

    /// Inserts the phis, and returns the reaching value of each wanted point.
    pub(crate) fn apply(self, body: &mut Body) -> Vec<Value> {
        let mut made: FxHashMap<BlockId, Value> = FxHashMap::default();
        for (block, _) in &self.arguments {
            made.insert(*block, body.add_argument(*block, self.ty, self.ownership));
        }
        let value = |arriving: Arriving| match arriving {
            Arriving::Value(value) => Some(value),
            Arriving::Argument(block) => made.get(&block).copied(),
            // A flow that was only computed to test for feasibility is not applied.
            Arriving::Unknown(_) => None,
        };
        for (block, passed) in &self.arguments {
            for (predecessor, arriving) in passed {
                if let (Some(branch), Some(value)) = (body.terminator(*predecessor), value(*arriving)) {
                    pass(body, branch, *block, value);
                }
            }
        }
        self.wanted.into_iter().filter_map(value).collect()
    }
}

/// Replaces `uses` of a value with the reaching values at the starts of their blocks. Literals and function references
/// are copied to each use instead (`SILSSAUpdater::rewriteUse` in lib/SILOptimizer/Utils/SILSSAUpdater.cpp). Returns
/// `None` if a use is not reached on all paths.
pub(crate) fn bring_to_uses(
    body: &mut Body,
    cfg: &ControlFlowGraph,
    (value, ownership): (Value, Ownership),
    uses: &[Use],
    available: &FxHashMap<BlockId, Value>,
) -> Option<()> {
    if let Some(made) = body.defining(value).filter(|made| is_made_anew(body, *made, available)) {
        for found in uses {
            let copied = copy_before(body, found.user, made, &FxHashMap::default());
            let copied = body.result(copied)?;
            let operand = body.operands_mut(found.user).iter_mut().find(|operand| **operand == value);
            operand.into_iter().for_each(|operand| *operand = copied);
        }
        return Some(());
    }
    let wanted: Vec<Point> = uses.iter().map(|found| Point::Start(body.instructions[found.user].block)).collect();
    let kind = (body.ty(value), ownership);
    let arriving = ValueFlow::new(body, cfg, available, &wanted, kind)?.apply(body);
    for (found, arriving) in uses.iter().zip(arriving) {
        // A branch may have more operands than before, so the operand index may have changed.
        let operands = body.operands_mut(found.user).iter_mut();
        operands.filter(|operand| **operand == value).for_each(|operand| *operand = arriving);
    }
    Some(())
}

/// Returns whether `made` is a literal or function reference, and all available values are equal to it.
fn is_made_anew(body: &Body, made: InstructionId, available: &FxHashMap<BlockId, Value>) -> bool {
    use Opcode::{DynamicFunctionRef, FunctionRef, IntegerLiteral, PrevDynamicFunctionRef};
    let instruction = &body.instructions[made];
    let ty = body.result(made).map(|result| body.ty(result));
    let is_same = |value: &Value| {
        let other = body.defining(*value).map(|id| &body.instructions[id]);
        Some(body.ty(*value)) == ty
            && other.is_some_and(|other| other.opcode == instruction.opcode && other.details == instruction.details)
    };
    matches!(instruction.opcode, FunctionRef | DynamicFunctionRef | PrevDynamicFunctionRef | IntegerLiteral)
        && available.values().all(is_same)
}

/// The blocks at whose start the value is needed. `None` if a path from the entry to them has no value.
fn region(
    cfg: &ControlFlowGraph,
    available: &dyn Fn(BlockId) -> Option<Arriving>,
    wanted: &[Point],
) -> Option<FxHashSet<BlockId>> {
    let needs_start = |point: &Point| match point {
        Point::Start(block) => Some(*block),
        Point::End(block) => available(*block).is_none().then_some(*block),
    };
    let mut region = FxHashSet::default();
    let mut open: Vec<BlockId> = wanted.iter().filter_map(needs_start).collect();
    while let Some(block) = open.pop() {
        if !region.insert(block) {
            continue;
        }
        let predecessors = cfg.predecessors(block);
        // In an unreachable block, only its own available value reaches a point.
        let is_known = |block: &BlockId| cfg.is_reachable(*block) || available(*block).is_some();
        if predecessors.is_empty() || !predecessors.iter().all(is_known) {
            return None;
        }
        open.extend(predecessors.iter().filter(|predecessor| available(**predecessor).is_none()));
    }
    Some(region)
}

/// The reaching value at the start of each block of the region.
fn solve(
    cfg: &ControlFlowGraph,
    available: &dyn Fn(BlockId) -> Option<Arriving>,
    region: &FxHashSet<BlockId>,
) -> FxHashMap<BlockId, Arriving> {
    let mut order: Vec<BlockId> = region.iter().copied().collect();
    order.sort_by_key(|block| cfg.number(*block));
    let mut starts: FxHashMap<BlockId, Arriving> = FxHashMap::default();
    loop {
        let mut is_changed = false;
        for block in &order {
            let before = starts.get(block).copied();
            if before == Some(Arriving::Argument(*block)) {
                continue;
            }
            let at_end = |predecessor: &BlockId| available(*predecessor).or_else(|| starts.get(predecessor).copied());
            let mut arriving = cfg.predecessors(*block).iter().filter_map(at_end);
            let Some(first) = arriving.next() else { continue };
            let next = if arriving.all(|other| other == first) { first } else { Arriving::Argument(*block) };
            if before != Some(next) {
                starts.insert(*block, next);
                is_changed = true;
            }
        }
        if !is_changed {
            return starts;
        }
    }
}

fn distinct(blocks: &[BlockId]) -> Vec<BlockId> {
    let mut seen = FxHashSet::default();
    blocks.iter().copied().filter(|block| seen.insert(*block)).collect()
}

/// Returns whether the terminator of a block can pass another argument. A `cond_br` cannot pass a value with ownership.
fn passes_arguments(body: &Body, block: BlockId, ownership: Ownership) -> bool {
    let opcode = body.terminator(block).map(|end| body.instructions[end].opcode);
    match opcode {
        Some(Opcode::Br) => true,
        Some(Opcode::CondBr) => ownership == Ownership::None,
        _ => false,
    }
}

/// Passes another argument to `target`.
fn pass(body: &mut Body, branch: InstructionId, target: BlockId, value: Value) {
    let mut operands = body.operands(branch).to_vec();
    let leads = [0, 1].map(|index| body.targets(branch).get(index) == Some(&target));
    match (body.instructions[branch].opcode, &mut body.instructions[branch].details) {
        (Opcode::CondBr, Details::CondBranch { true_arguments, .. }) => {
            let [on_true, on_false] = leads;
            if on_false {
                operands.push(value);
            }
            if on_true {
                operands.insert(1 + *true_arguments as usize, value);
                *true_arguments += 1;
            }
        }
        _ => operands.push(value),
    }
    body.set_operands(branch, &operands);
}

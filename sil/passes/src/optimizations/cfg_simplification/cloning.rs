//! Clones a block for one of its predecessors. Values that are used outside of the block become phis of the block and
//! its clone (`BasicBlockCloner` of lib/SILOptimizer/Utils/BasicBlockOptUtils.cpp).
//!
//! Owns: the decision whether a block can be cloned, and the splitting of critical edges. Does not own: the decision
//! whether that is profitable (`profit`).

use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, ControlFlowGraph, OwnershipKinds, Use, Uses};
use sil_ir::context::{MemberId, SilType};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CheckedCastBr, CondBr, Enum, SwitchEnum};
use sil_ir::model::{BlockId, Body, DefaultCase, FunctionFlag, InstructionId, Ownership, Place, Value};

use super::CfgSimplifier;
use super::knowledge::{Known, is_same_case};
use crate::Environment;
use crate::InstructionBuilder;
use crate::editing::address_projections::Projections;
use crate::editing::critical_edges;
use crate::editing::deleter::{Deadness, without_dead};
use crate::editing::instruction_copies::copy;
use crate::editing::value_flow::bring_to_uses;

impl CfgSimplifier<'_> {
    /// Redirects the `br` at the end of `source` to a clone of its target, and returns the clone. `known` is the known
    /// value of the clone's terminator operand. Returns `None`, without a change, if the block cannot be cloned.
    pub(super) fn copy_on_path(&mut self, source: BlockId, target: BlockId, known: Option<Known>) -> Option<BlockId> {
        let mut copier = BlockCopier::new(self.environment(), self.body().clone(), target);
        let copy = copier.copy(source, known)?;
        self.place(copy, source);
        self.place_edges(copier, copy);
        Some(copy)
    }

    /// Redirects `sources` to a clone of a block whose terminator is a cast with a known result. Returns `None`,
    /// without a change, if the block cannot be cloned.
    pub(super) fn copy_decided(&mut self, target: BlockId, sources: &[BlockId], cast: DecidedCast) -> Option<()> {
        let mut copier = BlockCopier::new(self.environment(), self.body().clone(), target);
        let copy = copier.copy_cast(sources, cast)?;
        self.simplifier.order.push(copy);
        self.place_edges(copier, copy);
        Some(())
    }

    /// Installs the body with the clone, and adds the blocks on split edges to the block order.
    fn place_edges(&mut self, copier: BlockCopier<'_>, copy: BlockId) {
        let (count, BlockCopier { body, target, .. }) = (self.body().blocks.len(), copier);
        let cfg = ControlFlowGraph::new(&body);
        let edges = (count..body.blocks.len())
            .map(|block| BlockId::from_u32(block as u32))
            .filter(|edge| *edge != copy && body.terminator(*edge).is_some());
        // The blocks after the original block are placed in reverse order, those after the clone in order.
        let (own, copied): (Vec<BlockId>, Vec<BlockId>) =
            edges.partition(|edge| cfg.single_predecessor(*edge) == Some(target));
        own.into_iter().for_each(|edge| self.place(edge, target));
        copied.into_iter().rev().for_each(|edge| self.place(edge, copy));
        self.edit_whole(body);
    }
}

/// The known result of a cast at the end of a clone.
#[derive(Clone, Copy)]
pub(super) enum DecidedCast {
    /// The cast succeeds with this object.
    Gives(Value),
    Fails,
}

/// Clones a block for some of its predecessors.
struct BlockCopier<'m> {
    environment: Environment<'m>,
    body: Body,
    /// The block to clone.
    target: BlockId,
}

impl<'m> BlockCopier<'m> {
    fn new(environment: Environment<'m>, body: Body, target: BlockId) -> Self {
        Self { environment, body, target }
    }

    /// Redirects `source` to a clone.
    fn copy(&mut self, source: BlockId, known: Option<Known>) -> Option<BlockId> {
        self.sink_addresses(self.target);
        self.remove_dead();
        let escaping = self.escaping(self.target)?;
        let (block, copies) = self.copy_block(known)?;
        let branch = self.body.terminator(source)?;
        self.body.targets_mut(branch).fill(block);
        split_edges(&mut self.body, self.target);
        split_edges(&mut self.body, block);
        self.bring_values(block, &escaping, &copies)?;
        Some(block)
    }

    /// Redirects `sources` to a clone that ends with the known result of its cast.
    fn copy_cast(&mut self, sources: &[BlockId], cast: DecidedCast) -> Option<BlockId> {
        self.sink_addresses(self.target);
        self.remove_dead();
        let escaping = self.escaping(self.target)?;
        let (block, copies) = self.copy_block(None)?;
        split_edges(&mut self.body, self.target);
        split_edges(&mut self.body, block);
        for source in sources {
            let end = self.body.terminator(*source)?;
            let targets = self.body.targets_mut(end).iter_mut();
            targets.filter(|target| **target == self.target).for_each(|target| *target = block);
        }
        let end = self.body.terminator(block)?;
        let CheckedCastBr { success, failure, .. } = CheckedCastBr::of(&self.body, end);
        let (taken, passed, dropped) = match cast {
            DecidedCast::Gives(object) => (success, vec![object], failure),
            DecidedCast::Fails => (failure, vec![], success),
        };
        InstructionBuilder::new(&mut self.body, Place::Before(end), end).branch(taken, &passed);
        self.body.erase(end);
        self.body.take_instructions(dropped);
        self.bring_values(block, &escaping, &copies)?;
        Some(block)
    }

    /// Removes dead instructions of the block.
    fn remove_dead(&mut self) {
        let uses = Uses::new(&self.body);
        let results = self.body.instructions_in(self.target).flat_map(|id| self.body.results(id));
        let unused: Vec<Value> = results.filter(|result| uses.of(*result).is_empty()).collect();
        if !unused.is_empty() {
            self.body = without_dead(self.environment, &self.body, &unused, Deadness::Unused);
        }
    }

    /// Sinks address projections to the blocks that use them.
    fn sink_addresses(&mut self, block: BlockId) {
        let Environment { module, queries, function, .. } = self.environment;
        let used_elsewhere = |body: &Body, uses: &Uses, id: InstructionId| {
            body.results(id).any(|result| {
                let is_outside = |found: &Use| body.instructions[found.user].block != block;
                body.ty(result).is_address() && uses.of(result).iter().any(is_outside)
            })
        };
        let uses = Uses::new(&self.body);
        let projecting: Vec<InstructionId> =
            self.body.instructions_in(block).filter(|id| used_elsewhere(&self.body, &uses, *id)).collect();
        for id in projecting {
            let view = BodyView::new(module, queries, function, &self.body);
            if let Some(projections) = Projections::of_results(&view, id) {
                projections.sink(&mut self.body);
                self.erase_projections(&projections);
            }
        }
    }

    /// Erases projections that only have debug uses.
    fn erase_projections(&mut self, projections: &Projections) {
        for step in projections.steps() {
            let uses = Uses::new(&self.body);
            let all: Vec<Use> = self.body.results(*step).flat_map(|result| uses.of(result).to_vec()).collect();
            if all.iter().any(|found| self.body.instructions[found.user].opcode != Opcode::DebugValue) {
                return;
            }
            all.into_iter().for_each(|found| self.body.erase(found.user));
            self.body.erase(*step);
        }
    }

    fn has_ownership(&self) -> bool {
        self.environment.function.has(FunctionFlag::Ossa)
    }

    /// The values of a block that are used outside of it, with their ownership. `None` if one of them cannot be a block
    /// argument.
    fn escaping(&self, block: BlockId) -> Option<Vec<(Value, Ownership)>> {
        let Environment { queries, function, .. } = self.environment;
        let cfg = ControlFlowGraph::new(&self.body);
        let kinds = self.has_ownership().then(|| OwnershipKinds::new(queries, function, &self.body, &cfg));
        let uses = Uses::new(&self.body);
        let arguments = self.body.blocks[block].arguments.clone();
        let results = self.body.instructions_in(block).flat_map(|id| self.body.results(id).collect::<Vec<_>>());
        let mut escaping = Vec::new();
        for value in arguments.into_iter().chain(results) {
            if !uses.of(value).iter().any(|found| self.body.instructions[found.user].block != block) {
                continue;
            }
            let ownership = kinds.as_ref().map_or(Ownership::None, |kinds| kinds.kind(value));
            if self.body.ty(value).is_address() || ownership == Ownership::Unowned {
                return None;
            }
            escaping.push((value, ownership));
        }
        Some(escaping)
    }

    /// Clones the block without predecessors. Returns the clone and the value map.
    fn copy_block(&mut self, known: Option<Known>) -> Option<(BlockId, FxHashMap<Value, Value>)> {
        let block = self.body.add_block();
        let mut copies = FxHashMap::default();
        for argument in self.body.blocks[self.target].arguments.clone() {
            let data = self.body.values[argument].clone();
            let copied = self.body.add_argument(block, data.ty, data.ownership);
            self.body.values[copied].flags = data.flags;
            copies.insert(argument, copied);
        }
        let end = self.body.terminator(self.target)?;
        for id in self.body.instructions_in(self.target).collect::<Vec<_>>() {
            let is_decided = id == end && known.is_some();
            if !is_decided {
                let copy = copy(&mut self.body, Place::End(block), id, &copies);
                copies.extend(self.body.results(id).zip(self.body.results(copy)));
            }
        }
        if let Some(known) = known {
            self.decide(block, end, known, &copies)?;
        }
        Some((block, copies))
    }

    /// Terminates the clone according to the known value of the operand of its terminator `end`.
    fn decide(
        &mut self,
        block: BlockId,
        end: InstructionId,
        known: Known,
        copies: &FxHashMap<Value, Value>,
    ) -> Option<()> {
        let (target, passed) = match known {
            Known::Condition(holds) => {
                let view = CondBr::of(&self.body, end);
                match holds {
                    true => (view.true_target, view.true_arguments.0.to_vec()),
                    false => (view.false_target, view.false_arguments.to_vec()),
                }
            }
            Known::Case(case) => {
                let switched = *self.body.operands(end).first()?;
                self.path_of_case(block, end, case, copies.get(&switched).copied().unwrap_or(switched))?
            }
        };
        let passed: Vec<Value> = passed.iter().map(|value| copies.get(value).copied().unwrap_or(*value)).collect();
        InstructionBuilder::new(&mut self.body, Place::End(block), end).branch(target, &passed);
        Some(())
    }

    /// The target of the `switch_enum` `end` for a case of `value`, and the arguments to pass.
    fn path_of_case(
        &mut self,
        block: BlockId,
        end: InstructionId,
        case: MemberId,
        value: Value,
    ) -> Option<(BlockId, Vec<Value>)> {
        let Environment { queries, .. } = self.environment;
        let SwitchEnum { targets, cases, .. } = SwitchEnum::of(&self.body, end);
        let own = cases.members.iter().position(|member| is_same_case(queries.context, *member, case));
        let index = own.or_else(|| (cases.default == DefaultCase::Present).then_some(cases.members.len()))?;
        let (target, is_default) = (*targets.get(index)?, index == cases.members.len());
        let ty = self.body.ty(value);
        let payload = self.made_payload(value);
        let is_trivial = |ty: SilType| {
            let properties = queries.properties(ty.ty, self.environment.function.signature);
            !self.has_ownership() || properties.is_trivial() && !properties.is_guessed()
        };
        match (&self.body.blocks[target].arguments[..], queries.enum_payload_type(ty.ty, case)) {
            // An owned value without a consuming use would leak.
            ([], None) => Some((target, vec![])),
            ([], Some(_)) => is_trivial(ty).then(|| (target, vec![])),
            ([argument], _) if is_default && queries.same_type(self.body.ty(*argument).ty, ty.ty) => {
                Some((target, vec![value]))
            }
            ([_], Some(_)) if !self.has_ownership() && payload.is_some() => Some((target, vec![payload?])),
            ([argument], Some(_)) => {
                let ty = self.body.ty(*argument);
                let mut builder = InstructionBuilder::new(&mut self.body, Place::End(block), end);
                let payload = builder.unchecked_enum_data(value, case, ty);
                Some((target, vec![payload]))
            }
            _ => None,
        }
    }

    /// The payload of an enum that an `enum` instruction creates.
    fn made_payload(&self, value: Value) -> Option<Value> {
        let made = self.body.defining(value).filter(|id| self.body.instructions[*id].opcode == Opcode::Enum)?;
        Enum::of(&self.body, made).payload
    }

    /// Replaces uses of the block's values with phis of the block and its clone.
    fn bring_values(
        &mut self,
        block: BlockId,
        escaping: &[(Value, Ownership)],
        copies: &FxHashMap<Value, Value>,
    ) -> Option<()> {
        let cfg = ControlFlowGraph::new(&self.body);
        // An operand that is passed for one value is not a use of another one.
        let all = Uses::new(&self.body);
        for (value, ownership) in escaping {
            // Uses in unreachable blocks are left alone.
            let is_elsewhere = |found: &Use| {
                let block = self.body.instructions[found.user].block;
                block != self.target && cfg.is_reachable(block)
            };
            let uses: Vec<Use> = all.of(*value).iter().copied().filter(is_elsewhere).collect();
            let available = FxHashMap::from_iter([(self.target, *value), (block, *copies.get(value)?)]);
            bring_to_uses(&mut self.body, &cfg, (*value, *ownership), &uses, &available)?;
        }
        Some(())
    }
}

/// Splits the critical edges from `block`.
fn split_edges(body: &mut Body, block: BlockId) {
    let cfg = ControlFlowGraph::new(body);
    critical_edges::split_all_edges(body, |from, to| from == block && cfg.predecessors(to).len() > 1);
}

//! Copies of blocks on one of the ways to them: what follows gets its values from the block or from its copy, whichever came before.
//!
//! Owns: which blocks can be copied, and what becomes of edges between several ways. Does not own: whether that is worth it (`profit`).

use rustc_hash::FxHashMap;

use super::Threader;
use super::knowledge::Known;
use crate::analysis::{BodyView, ControlFlowGraph, Use, Uses};
use crate::context::{MemberId, SilType};
use crate::instructions::Opcode;
use crate::model::views::{Br, CondBr, Enum, SwitchEnum};
use crate::model::{BlockId, Body, Details, FunctionFlag, InstructionId, Ownership, Place, Value};
use crate::transform::Environment;
use crate::transform::InstructionBuilder;
use crate::transform::editing::address_projections::Projections;
use crate::transform::editing::critical_edges;
use crate::transform::editing::instruction_copies::copy_before;
use crate::transform::editing::value_flow::bring_to_uses;

impl Threader<'_> {
    /// Puts a copy of `target` in the place of the `br` at the end of `source` that leads there. What is `known` of the value that the block decides by
    /// is used, and else what the jump tells of it. None where the block cannot be copied: then all stays as it is.
    pub(super) fn copy_into(&mut self, source: BlockId, target: BlockId, known: Option<Known>) -> Option<()> {
        let before = self.body.clone();
        self.sink_addresses(target);
        let copied = self.escaping(target).and_then(|escaping| {
            let copies = self.copy(source, target, known)?;
            split_edges(&mut self.body, target);
            split_edges(&mut self.body, source);
            self.bring_values(source, target, &escaping, &copies)
        });
        if copied.is_none() {
            self.body = before;
            return None;
        }
        self.update();
        Some(())
    }

    /// Lets other blocks project for themselves the addresses that they use.
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

    /// Erases projections that only debuggers use any more.
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

    pub(super) fn has_ownership(&self) -> bool {
        self.environment.function.has(FunctionFlag::Ossa)
    }

    /// Whether copies of a value may meet in a block argument: in functions with ownership only where it needs no care.
    pub(super) fn can_be_argument(&self, ty: SilType) -> bool {
        let properties = self.environment.queries.properties(ty.ty, self.environment.function.signature);
        !ty.is_address() && (!self.has_ownership() || properties.is_trivial() && !properties.is_guessed())
    }

    /// The values of a block that are used elsewhere. None where one of them cannot be a block argument.
    fn escaping(&self, block: BlockId) -> Option<Vec<Value>> {
        let arguments = self.body.blocks[block].arguments.clone();
        let is_borrowed = |value: &Value| self.body.values[*value].ownership == Ownership::Guaranteed;
        if self.has_ownership() && arguments.iter().any(is_borrowed) {
            return None;
        }
        let uses = Uses::new(&self.body);
        let results = self.body.instructions_in(block).flat_map(|id| self.body.results(id).collect::<Vec<_>>());
        let mut escaping = Vec::new();
        for value in arguments.into_iter().chain(results) {
            if !uses.of(value).iter().any(|found| self.body.instructions[found.user].block != block) {
                continue;
            }
            if !self.can_be_argument(self.body.ty(value)) {
                return None;
            }
            escaping.push(value);
        }
        Some(escaping)
    }

    /// Copies the instructions of `target` to the end of `source`, and gives what stands for the values.
    fn copy(&mut self, source: BlockId, target: BlockId, known: Option<Known>) -> Option<FxHashMap<Value, Value>> {
        let branch = self.body.terminator(source)?;
        let passed = Br::of(&self.body, branch).arguments.to_vec();
        let received = self.body.blocks[target].arguments.clone();
        let mut copies: FxHashMap<Value, Value> = received.into_iter().zip(passed).collect();
        let end = self.body.terminator(target)?;
        let all: Vec<InstructionId> = self.body.instructions_in(target).filter(|id| *id != end).collect();
        for id in all {
            let copy = copy_before(&mut self.body, branch, id, &copies);
            copies.extend(self.body.results(id).zip(self.body.results(copy)));
        }
        self.copy_end(branch, end, known, &copies)?;
        self.body.erase(branch);
        Some(copies)
    }

    /// Puts in front of `branch` what the terminator `end` becomes in the copy of its block.
    fn copy_end(
        &mut self,
        branch: InstructionId,
        end: InstructionId,
        known: Option<Known>,
        copies: &FxHashMap<Value, Value>,
    ) -> Option<()> {
        let source = self.body.instructions[branch].block;
        let opcode = self.body.instructions[end].opcode;
        let decider = self.body.operands(end).first().map(|value| copies.get(value).copied().unwrap_or(*value));
        let known = known.or_else(|| decider.and_then(|value| self.known(opcode, value, source)));
        let way = match (known, decider) {
            (Some(Known::Condition(holds)), _) if opcode == Opcode::CondBr => {
                let view = CondBr::of(&self.body, end);
                if holds {
                    (view.true_target, view.true_arguments.0.to_vec())
                } else {
                    (view.false_target, view.false_arguments.to_vec())
                }
            }
            (Some(Known::Case(case)), Some(value)) if opcode == Opcode::SwitchEnum => {
                let (target, passed) = self.way_of_case(branch, end, case, value)?;
                InstructionBuilder::new(&mut self.body, Place::Before(branch), end).branch(target, &passed);
                return Some(());
            }
            _ => {
                copy_before(&mut self.body, branch, end, copies);
                return Some(());
            }
        };
        let passed: Vec<Value> = way.1.iter().map(|value| copies.get(value).copied().unwrap_or(*value)).collect();
        InstructionBuilder::new(&mut self.body, Place::Before(branch), end).branch(way.0, &passed);
        Some(())
    }

    /// Where the `switch_enum` `end` leads for a case of `value`, and what it passes.
    fn way_of_case(
        &mut self,
        branch: InstructionId,
        end: InstructionId,
        case: MemberId,
        value: Value,
    ) -> Option<(BlockId, Vec<Value>)> {
        let block = self.body.instructions[end].block;
        let index = self.way(block, case)?;
        let SwitchEnum { targets, cases, .. } = SwitchEnum::of(&self.body, end);
        let (target, is_default) = (*targets.get(index)?, index == cases.members.len());
        let arguments = self.body.blocks[target].arguments.clone();
        let made = self.body.defining(value).filter(|id| self.body.instructions[*id].opcode == Opcode::Enum);
        let payload = made.and_then(|made| Enum::of(&self.body, made).payload);
        let ty = self.body.ty(value);
        let payload_type = self.environment.queries.enum_payload_type(ty.ty, case);
        match (&arguments[..], payload_type) {
            // A value with ownership that nothing consumes any more would be lost.
            ([], _) => (self.can_be_argument(ty) || payload_type.is_none() && made.is_some()).then(|| (target, vec![])),
            ([argument], _) if is_default && self.is_whole(*argument, value) => Some((target, vec![value])),
            ([_], Some(_)) if !self.has_ownership() && payload.is_some() => Some((target, vec![payload?])),
            ([argument], Some(_)) => {
                let ty = self.body.ty(*argument);
                let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(branch), end);
                let payload = builder.value(Opcode::UncheckedEnumData, Details::Member(case), &[value], ty);
                Some((target, vec![payload]))
            }
            _ => None,
        }
    }

    /// Lets what uses values of a block that was copied use what arrives from it or from its copy.
    fn bring_values(
        &mut self,
        source: BlockId,
        target: BlockId,
        escaping: &[Value],
        copies: &FxHashMap<Value, Value>,
    ) -> Option<()> {
        let cfg = ControlFlowGraph::new(&self.body);
        for value in escaping {
            let all = Uses::new(&self.body);
            // Blocks that nothing leads to any more keep what they use.
            let is_elsewhere = |found: &Use| {
                let block = self.body.instructions[found.user].block;
                block != target && cfg.is_reachable(block)
            };
            let uses: Vec<Use> = all.of(*value).iter().copied().filter(is_elsewhere).collect();
            let available = FxHashMap::from_iter([(target, *value), (source, *copies.get(value)?)]);
            bring_to_uses(&mut self.body, &cfg, (*value, Ownership::None), &uses, &available)?;
        }
        Some(())
    }
}

/// Puts blocks on the edges from `block`, where it has a choice, to blocks that others lead to as well.
fn split_edges(body: &mut Body, block: BlockId) {
    let cfg = ControlFlowGraph::new(body);
    let is_shared = |target: BlockId| cfg.predecessors(target).len() > 1;
    let Some(end) = body.terminator(block) else { return };
    match body.instructions[end].opcode {
        Opcode::CondBr => critical_edges::split_edges(body, |from, to| from == block && is_shared(to)),
        Opcode::SwitchEnum | Opcode::SwitchEnumAddr if body.targets(end).iter().any(|target| is_shared(*target)) => {
            let targets = body.targets(end).to_vec();
            let targets: Vec<BlockId> = targets
                .into_iter()
                .map(|target| if is_shared(target) { add_edge_block(body, end, target) } else { target })
                .collect();
            let instruction = body.instructions[end].clone();
            let operands = body.operands(end).to_vec();
            let mut builder = InstructionBuilder::new(body, Place::Before(end), end);
            builder.terminator(instruction.opcode, instruction.details, &operands, &targets);
            body.erase(end);
            if let Some(made) = body.terminator(block) {
                body.instructions[made].attributes = instruction.attributes;
            }
        }
        _ => {}
    }
}

/// A block that does nothing but pass on what it gets to `target`.
fn add_edge_block(body: &mut Body, switch: InstructionId, target: BlockId) -> BlockId {
    let block = body.add_block();
    let mut passed = Vec::new();
    for argument in body.blocks[target].arguments.clone() {
        let data = &body.values[argument];
        passed.push(body.add_argument(block, data.ty, data.ownership));
    }
    InstructionBuilder::new(body, Place::End(block), switch).branch(target, &passed);
    block
}

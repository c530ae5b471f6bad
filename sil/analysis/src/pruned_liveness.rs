//! Pruned liveness: the live range of a definition, from chosen uses of it alone (lib/SIL/Utils/PrunedLiveness.cpp).
//! The uses are given one by one; blocks are live from the uses back to the definitions. The boundary is where liveness
//! ends: after last users, on edges, after unused definitions.
//!
//! Does not own: which uses count. `simple_liveness` gathers those of a value.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Place, Value};

use super::cfg::successors;
use super::{ControlFlowGraph, DeadEndBlocks};

/// Whether a definition lives in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockLiveness {
    /// Nowhere that is known.
    #[default]
    Dead,
    /// As far as the last use in the block.
    LiveWithin,
    /// At the end of the block.
    LiveOut,
}

/// The effect of a user on liveness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LiveUse {
    /// It uses the value, which may live on.
    NonEnding,
    /// It ends a lifetime.
    Ending,
    /// It does not use the value, which lives as far as there all the same.
    NonUse,
}

/// The beginning of a lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LiveDefinition {
    /// A block argument.
    Argument(Value),
    /// An instruction: a result of it, or the value that it stores.
    Instruction(InstructionId),
}

impl LiveDefinition {
    /// The definition of `value`; none for an undefined one.
    pub fn of(body: &Body, value: Value) -> Option<LiveDefinition> {
        match body.values[value].definition {
            Definition::Result { instruction, .. } => Some(LiveDefinition::Instruction(instruction)),
            Definition::Argument { .. } => Some(LiveDefinition::Argument(value)),
            Definition::Undef => None,
        }
    }

    fn block(self, body: &Body) -> Option<BlockId> {
        match self {
            LiveDefinition::Instruction(id) => Some(body.instructions[id].block),
            LiveDefinition::Argument(value) => match body.values[value].definition {
                Definition::Argument { block, .. } => Some(block),
                Definition::Result { .. } | Definition::Undef => None,
            },
        }
    }
}

/// Where liveness ends.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct LiveBoundary {
    /// Users after which it does not live.
    pub last_users: Vec<InstructionId>,
    /// Blocks in which it does not live though it does at the end of a predecessor.
    pub boundary_edges: Vec<BlockId>,
    /// Definitions that nothing uses.
    pub dead_definitions: Vec<LiveDefinition>,
}

/// The liveness of one or several definitions.
#[derive(Clone)]
pub struct PrunedLiveness<'a> {
    body: &'a Body,
    cfg: &'a ControlFlowGraph,
    definitions: Vec<LiveDefinition>,
    blocks: SecondaryMap<BlockId, BlockLiveness>,
    discovered: Vec<BlockId>,
    users: FxHashMap<InstructionId, LiveUse>,
    order: Vec<InstructionId>,
}

impl<'a> PrunedLiveness<'a> {
    /// The liveness of nothing.
    pub fn new(body: &'a Body, cfg: &'a ControlFlowGraph) -> Self {
        Self {
            body,
            cfg,
            definitions: Vec::new(),
            blocks: SecondaryMap::new(),
            discovered: Vec::new(),
            users: FxHashMap::default(),
            order: Vec::new(),
        }
    }

    /// The liveness of `value`, of which no use is known yet.
    pub fn of(body: &'a Body, cfg: &'a ControlFlowGraph, value: Value) -> Self {
        let mut liveness = Self::new(body, cfg);
        liveness.define(LiveDefinition::of(body, value));
        liveness
    }

    /// Adds a definition, where there is one.
    pub fn define(&mut self, definition: Option<LiveDefinition>) {
        let Some((definition, block)) = definition.and_then(|found| Some((found, found.block(self.body)?))) else {
            return;
        };
        if !self.definitions.contains(&definition) {
            self.definitions.push(definition);
        }
        self.mark(block, BlockLiveness::LiveWithin);
    }

    /// The definitions, in the order in which they were added.
    pub fn definitions(&self) -> &[LiveDefinition] {
        &self.definitions
    }

    /// The live blocks, in the order in which they were found.
    pub fn discovered_blocks(&self) -> &[BlockId] {
        &self.discovered
    }

    /// The users with their effects, in the order in which they were added.
    pub fn users(&self) -> impl Iterator<Item = (InstructionId, LiveUse)> {
        self.order.iter().map(|user| (*user, self.users[user]))
    }

    /// The effect of `id` on liveness; none if it is no user.
    pub fn user(&self, id: InstructionId) -> Option<LiveUse> {
        self.users.get(&id).copied()
    }

    /// Whether it lives in a block.
    pub fn block(&self, block: BlockId) -> BlockLiveness {
        self.blocks[block]
    }

    fn mark(&mut self, block: BlockId, liveness: BlockLiveness) {
        let state = &mut self.blocks[block];
        match (*state, liveness) {
            (BlockLiveness::Dead, _) => {
                *state = liveness;
                self.discovered.push(block);
            }
            (BlockLiveness::LiveWithin, BlockLiveness::LiveOut) => *state = liveness,
            _ => {}
        }
    }

    fn defines(&self, id: InstructionId) -> bool {
        self.definitions.contains(&LiveDefinition::Instruction(id))
    }

    fn defined_arguments(&self, block: BlockId) -> impl Iterator<Item = LiveDefinition> {
        let arguments = self.body.blocks[block].arguments.iter();
        arguments.map(|argument| LiveDefinition::Argument(*argument)).filter(|found| self.definitions.contains(found))
    }

    fn is_defining_block(&self, block: BlockId) -> bool {
        self.definitions.iter().any(|definition| definition.block(self.body) == Some(block))
    }

    /// Adds a user. Its effect for several of its operands is that of all together: it ends the lifetime only if it
    /// does so with each of them, except for branches, which pass a value on as soon as they do so with one.
    pub fn add(&mut self, user: InstructionId, kind: LiveUse) {
        let block = self.body.instructions[user].block;
        if self.block(block) == BlockLiveness::Dead || self.is_before_definitions(user) {
            self.spread_from(block);
        }
        match self.users.get_mut(&user) {
            None => {
                self.users.insert(user, kind);
                self.order.push(user);
            }
            Some(known) if self.body.instructions[user].opcode == sil_ir::instructions::Opcode::Br => {
                let rank = |kind| match kind {
                    LiveUse::Ending => 0,
                    LiveUse::NonEnding => 1,
                    LiveUse::NonUse => 2,
                };
                if rank(kind) < rank(*known) {
                    *known = kind;
                }
            }
            Some(known) => *known = (*known).min(kind),
        }
    }

    /// Extends the live range to an instruction that does not use the value.
    pub fn extend_to(&mut self, id: InstructionId) {
        self.add(id, LiveUse::NonUse);
    }

    /// Of several definitions, whether a user stands before those in its block, so that it uses one from elsewhere.
    fn is_before_definitions(&self, user: InstructionId) -> bool {
        let block = self.body.instructions[user].block;
        if self.definitions.len() < 2 || !self.is_defining_block(block) {
            return false;
        }
        let mut earlier = std::iter::successors(self.body.previous(user), |id| self.body.previous(*id));
        self.defined_arguments(block).next().is_none() && !earlier.any(|id| self.defines(id))
    }

    fn spread_from(&mut self, block: BlockId) {
        self.mark(block, BlockLiveness::LiveWithin);
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            for predecessor in self.cfg.predecessors(block).iter().rev() {
                if self.block(*predecessor) == BlockLiveness::Dead {
                    open.push(*predecessor);
                }
                self.mark(*predecessor, BlockLiveness::LiveOut);
            }
        }
    }

    /// Where it stops living.
    pub fn boundary(&self) -> LiveBoundary {
        let mut boundary = LiveBoundary::default();
        for block in &self.discovered {
            if self.block(*block) == BlockLiveness::LiveOut {
                let dead = |target: &&BlockId| self.block(**target) == BlockLiveness::Dead;
                boundary.boundary_edges.extend(successors(self.body, *block).iter().filter(dead));
            }
            self.find_boundary_in(*block, &mut boundary);
        }
        boundary
    }

    /// The boundary on the paths back from `blocks`, which together post-dominate it.
    pub fn boundary_before(&self, blocks: &[BlockId]) -> LiveBoundary {
        let mut boundary = LiveBoundary::default();
        let mut seen = Vec::new();
        let mut open = Vec::new();
        let push = |block: BlockId, open: &mut Vec<BlockId>, seen: &mut Vec<BlockId>| {
            if !seen.contains(&block) {
                seen.push(block);
                open.push(block);
            }
        };
        blocks.iter().for_each(|block| push(*block, &mut open, &mut seen));
        while let Some(block) = open.pop() {
            if self.block(block) != BlockLiveness::Dead {
                self.find_boundary_in(block, &mut boundary);
                continue;
            }
            for predecessor in self.cfg.predecessors(block) {
                match self.block(*predecessor) {
                    BlockLiveness::LiveOut => boundary.boundary_edges.push(block),
                    _ => push(*predecessor, &mut open, &mut seen),
                }
            }
        }
        boundary
    }

    fn find_boundary_in(&self, block: BlockId, boundary: &mut LiveBoundary) {
        let is_live_out = self.block(block) == BlockLiveness::LiveOut;
        if !self.is_defining_block(block) {
            let last = self.body.instructions_in(block).rev().find(|id| self.users.contains_key(id));
            boundary.last_users.extend(last.filter(|_| !is_live_out));
        } else if self.definitions.len() == 1 {
            // Nothing uses the only definition before it is there.
            if !is_live_out {
                self.find_boundary_of_one(block, boundary);
            }
        } else {
            self.find_boundary_of_several(block, is_live_out, boundary);
        }
    }

    fn find_boundary_of_one(&self, block: BlockId, boundary: &mut LiveBoundary) {
        for id in self.body.instructions_in(block).rev() {
            if self.defines(id) {
                boundary.dead_definitions.push(LiveDefinition::Instruction(id));
                return;
            }
            if self.users.contains_key(&id) {
                boundary.last_users.push(id);
                return;
            }
        }
        boundary.dead_definitions.extend(self.defined_arguments(block));
    }

    fn find_boundary_of_several(&self, block: BlockId, is_live_out: bool, boundary: &mut LiveBoundary) {
        let mut is_live = is_live_out;
        for id in self.body.instructions_in(block).rev() {
            // One that is both is used before it defines.
            if self.defines(id) {
                if !is_live {
                    boundary.dead_definitions.push(LiveDefinition::Instruction(id));
                }
                is_live = false;
            }
            if !is_live && self.users.contains_key(&id) {
                boundary.last_users.push(id);
                is_live = true;
            }
        }
        if !is_live {
            boundary.dead_definitions.extend(self.defined_arguments(block));
            let predecessor = self.cfg.single_predecessor(block);
            if predecessor.is_some_and(|predecessor| self.block(predecessor) == BlockLiveness::LiveOut) {
                boundary.boundary_edges.push(block);
            }
        }
    }

    /// Whether `id` stands in the live range: after a definition and no later than a last use.
    pub fn is_within(&self, id: InstructionId) -> bool {
        let block = self.body.instructions[id].block;
        match self.block(block) {
            BlockLiveness::Dead => false,
            BlockLiveness::LiveOut if !self.is_defining_block(block) => true,
            liveness => self.is_live_at(id, liveness == BlockLiveness::LiveOut),
        }
    }

    fn is_live_at(&self, id: InstructionId, is_live_out: bool) -> bool {
        let mut is_live = is_live_out;
        for found in self.body.instructions_in(self.body.instructions[id].block).rev() {
            is_live &= !self.defines(found);
            if found == id {
                return is_live;
            }
            is_live |= self.users.contains_key(&found);
        }
        is_live
    }

    /// The same where the value also lives on in dead ends as long as nothing ends it there.
    pub fn is_within_extended(&self, id: InstructionId, dead_ends: &DeadEndBlocks) -> bool {
        if self.is_within(id) {
            return true;
        }
        let block = self.body.instructions[id].block;
        if !dead_ends.contains(block) {
            return false;
        }
        match self.block(block) {
            BlockLiveness::Dead => self.is_available_at(block, dead_ends),
            BlockLiveness::LiveWithin => self.is_live_at(id, self.is_available_after(block)),
            BlockLiveness::LiveOut => false,
        }
    }

    /// Whether nothing in a live block ends the value's lifetime.
    fn is_available_after(&self, block: BlockId) -> bool {
        for id in self.body.instructions_in(block).rev() {
            match self.user(id) {
                _ if self.defines(id) => return true,
                None => {}
                Some(kind) => return kind != LiveUse::Ending,
            }
        }
        true
    }

    /// Whether the value is still there at the start of a dead block that is a dead end.
    fn is_available_at(&self, block: BlockId, dead_ends: &DeadEndBlocks) -> bool {
        let mut seen = vec![block];
        let mut next = 0;
        while let Some(block) = seen.get(next).copied() {
            next += 1;
            match self.block(block) {
                BlockLiveness::LiveOut => {}
                _ if !dead_ends.contains(block) => return false,
                BlockLiveness::LiveWithin if !self.is_available_after(block) => return false,
                BlockLiveness::LiveWithin => {}
                BlockLiveness::Dead => {
                    let predecessors = self.cfg.predecessors(block).iter().filter(|found| !seen.contains(found));
                    seen.extend(predecessors.copied().collect::<Vec<_>>());
                }
            }
        }
        true
    }
}

impl LiveBoundary {
    /// The places on the boundary, directly after the end of liveness.
    pub fn insertion_points(&self, body: &Body) -> Vec<Place> {
        let mut places = Vec::new();
        for user in &self.last_users {
            let targets = body.targets(*user);
            if targets.is_empty() && body.next(*user).is_some() {
                places.push(Place::After(*user));
            }
            for target in targets {
                let place = Place::Start(*target);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        places.extend(self.boundary_edges.iter().map(|block| Place::Start(*block)));
        places.extend(self.dead_definitions.iter().filter_map(|definition| match definition {
            LiveDefinition::Instruction(id) => Some(Place::After(*id)),
            LiveDefinition::Argument(_) => definition.block(body).map(Place::Start),
        }));
        places
    }
}

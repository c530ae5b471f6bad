//! Promotes stack variables to values, with block arguments as phis. Follows
//! lib/SILOptimizer/Transforms/SILMem2Reg.cpp.
//!
//! Owns: the choice of variables. `rewriting` rewrites the uses, `lifetimes` removes copies. With ownership, a variable
//! owns its value, which is destroyed where the memory was.
//! Does not own: variables that are stored to or taken from in parts, and lexical lifetimes.

mod lifetimes;
mod rewriting;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{Change, ControlFlowGraph, Dominators, OwnershipKinds, Uses};
use sil_ir::context::{SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{AllocVariable, Store};
use sil_ir::model::{BlockId, Body, Definition, FunctionFlag, InstructionId, Ownership, Place, Value};

use self::rewriting::Promotion;
use crate::InstructionBuilder;
use crate::editing::unused::remove_unused;
use crate::editing::value_flow::{Point, ValueFlow};
use crate::knowledge::aggregate_parts::{has_enum, is_in_memory, is_resilient, parts};
use crate::pass::settings::LexicalLifetimes;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const MEMORY_PROMOTION: Pass = Pass::new(&Description {
    name: "mem2reg",
    class_name: "Mem2Reg",
    summary: "Promotes stack slots to SSA values.",
    gates: Gates::OPEN,
    runner: Runner::Function(promote),
});

/// Promotes the variables of a function.
pub(crate) fn promote(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    let is_allocation = |id: &InstructionId| before.instructions[*id].opcode == Opcode::AllocStack;
    // In block order, the last of each block first, since the others may load a value that it stores.
    let in_block = |block| before.instructions_in(block).rev().filter(is_allocation).collect::<Vec<_>>();
    let allocations: Vec<InstructionId> = before.blocks.keys().flat_map(in_block).collect();
    if allocations.is_empty() {
        return Ok(None);
    }
    let cfg = analyses.cfg(before);
    let mut body = before.clone();
    let mut is_changed = false;
    for allocation in allocations {
        if !cfg.is_reachable(before.instructions[allocation].block) {
            continue;
        }
        let uses = Uses::new(&body);
        let Some(variable) = Variable::of(environment, &body, &uses, allocation) else { continue };
        let (stored, arguments) = (variable.stored(&body), lifetimes::arguments(&body));
        let may_be_incomplete = variable.is_used_elsewhere(&body) && has_enum(environment.queries, variable.ty.ty);
        if variable.promote(environment, &mut body, cfg).is_some() {
            is_changed = true;
            if function.has(FunctionFlag::Ossa) {
                if may_be_incomplete {
                    body = lifetimes::complete(environment, body, &stored, &arguments);
                }
                body = lifetimes::make_canonical(environment, body, stored, &arguments);
            }
        }
    }
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Instructions)))
}

/// The access of a variable by an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Stores this value and destroys the previous one.
    Assign(Value),
    /// Stores this value to uninitialised memory.
    Initialize(Value),
    /// Reads all or a part.
    Read,
    /// Reads a value that is borrowed into the variable.
    ReadLent,
    /// Stores a borrowed value, `store_borrow`.
    Lend,
    /// Ends the borrow.
    EndLending,
    /// Takes the value.
    Take,
    Destroy,
    /// Is a `debug_value`, which is moved to the stored values.
    Describe,
    /// Projects the address of a part, which is then read.
    Project,
    Deallocate,
}

/// A variable that can be promoted.
struct Variable {
    allocation: InstructionId,
    /// The object type.
    ty: SilType,
    ownership: Ownership,
    accesses: FxHashMap<InstructionId, Access>,
    /// The blocks at whose start the variable holds a value that must be destroyed.
    holding: FxHashSet<BlockId>,
    /// The lexical moves, keyed by their results.
    moves: FxHashMap<Value, InstructionId>,
    /// The borrows that span the `store_borrow` of a value.
    borrows: FxHashSet<Value>,
    /// The owned values that are stored by `store_borrow`.
    owned_loans: FxHashSet<Value>,
    lifetimes: LexicalLifetimes,
}

impl Variable {
    /// Returns `None` if the variable has uses other than stores and loads.
    fn of(environment: Environment<'_>, body: &Body, uses: &Uses, allocation: InstructionId) -> Option<Self> {
        let address = body.result(allocation)?;
        let ty = body.ty(address).object_type();
        let properties = environment.queries.properties(ty.ty, environment.function.signature);
        let has_ownership = environment.function.has(FunctionFlag::Ossa);
        if is_in_memory(environment, ty) || is_resilient(environment.queries, ty.ty) {
            return None;
        }
        let ownership = if has_ownership && !properties.is_trivial() { Ownership::Owned } else { Ownership::None };
        let is_dynamic = body.instructions[allocation].attributes.contains(Attribute::DynamicLifetime);
        if is_dynamic && ownership == Ownership::Owned {
            return None;
        }
        let (accesses, holding) = (FxHashMap::default(), FxHashSet::default());
        let is_seen = body.instructions[allocation].attributes.contains(Attribute::Lexical);
        let lifetimes = if is_seen { environment.settings.lexical_lifetimes } else { LexicalLifetimes::Dropped };
        let (moves, borrows, owned_loans) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
        let mut variable =
            Self { allocation, ty, ownership, accesses, holding, moves, borrows, owned_loans, lifetimes };
        variable.collect(body, uses, address, Part::Whole)?;
        Some(variable)
    }

    fn collect(&mut self, body: &Body, uses: &Uses, address: Value, part: Part) -> Option<()> {
        for found in uses.of(address) {
            let attributes = body.instructions[found.user].attributes;
            let access = match (body.instructions[found.user].opcode, part) {
                (Opcode::Load, Part::Whole) if attributes.contains(Attribute::Take) => Access::Take,
                (Opcode::Load, _) if attributes.contains(Attribute::Take) => return None,
                (Opcode::Load | Opcode::LoadBorrow, Part::Lent) | (Opcode::Load, Part::LentInner) => Access::ReadLent,
                (Opcode::Load, _) => Access::Read,
                (Opcode::LoadBorrow, Part::Whole) => Access::Read,
                (Opcode::StoreBorrow, Part::Whole) if found.operand == 1 => {
                    self.collect(body, uses, body.result(found.user)?, Part::Lent)?;
                    Access::Lend
                }
                (Opcode::EndBorrow, Part::Lent) => Access::EndLending,
                (Opcode::Store, Part::Whole) if found.operand == 1 => {
                    let Store { source, .. } = Store::of(body, found.user);
                    match attributes.contains(Attribute::Assign) {
                        true => Access::Assign(source),
                        false => Access::Initialize(source),
                    }
                }
                (Opcode::DestroyAddr, Part::Whole) => Access::Destroy,
                (Opcode::DeallocStack, Part::Whole) => Access::Deallocate,
                (Opcode::DebugValue, _) => Access::Describe,
                (Opcode::UncheckedAddrCast, Part::Whole | Part::Cast) => {
                    self.collect(body, uses, body.result(found.user)?, Part::Cast)?;
                    Access::Project
                }
                // A part of an owned value that is borrowed or copied cannot be cast.
                (
                    Opcode::UncheckedAddrCast | Opcode::StructElementAddr | Opcode::TupleElementAddr,
                    Part::Cast | Part::Inner,
                ) if self.ownership == Ownership::None => {
                    self.collect(body, uses, body.result(found.user)?, Part::Cast)?;
                    Access::Project
                }
                (
                    Opcode::StructElementAddr | Opcode::TupleElementAddr,
                    Part::Whole | Part::Inner | Part::Lent | Part::LentInner,
                ) => {
                    let is_lent = matches!(part, Part::Lent | Part::LentInner);
                    let inner = if is_lent { Part::LentInner } else { Part::Inner };
                    self.collect(body, uses, body.result(found.user)?, inner)?;
                    Access::Project
                }
                _ => return None,
            };
            self.accesses.insert(found.user, access);
        }
        Some(())
    }

    /// The values that are stored or borrowed into the variable, last first.
    fn stored(&self, body: &Body) -> Vec<Value> {
        let stores = |id: &InstructionId| match self.accesses.get(id)? {
            Access::Assign(value) | Access::Initialize(value) => Some(*value),
            Access::Lend => Some(Store::of(body, *id).source),
            _ => None,
        };
        let mut stored: Vec<Value> = body
            .placed_instructions()
            .filter_map(|id| stores(&id))
            .filter(|_| self.ownership == Ownership::Owned)
            .collect();
        stored.reverse();
        stored
    }

    /// Promotes the variable. Returns `None` if a phi cannot be inserted.
    fn promote(mut self, environment: Environment<'_>, body: &mut Body, cfg: &ControlFlowGraph) -> Option<()> {
        let dropped = self.hold(body, cfg)?;
        self.find_owned_loans(environment, body, cfg);
        let mut scoped = body.clone();
        self.begin_scopes(&mut scoped);
        self.replace_in(environment, &mut scoped, cfg, dropped)?;
        *body = scoped;
        Some(())
    }

    fn find_owned_loans(&mut self, environment: Environment<'_>, body: &Body, cfg: &ControlFlowGraph) {
        let lends =
            |(id, access): (&InstructionId, &Access)| (*access == Access::Lend).then(|| Store::of(body, *id).source);
        let loans: Vec<Value> = self.accesses.iter().filter_map(lends).collect();
        if !loans.is_empty() && self.ownership == Ownership::Owned {
            let kinds = OwnershipKinds::new(environment.queries, environment.function, body, cfg);
            self.owned_loans.extend(loans.into_iter().filter(|value| kinds.kind(*value) == Ownership::Owned));
        }
    }

    /// If the variable is lexical, starts a lexical lifetime for each stored value.
    fn begin_scopes(&mut self, body: &mut Body) {
        if self.lifetimes == LexicalLifetimes::Dropped {
            return;
        }
        let mut lexical = AttributeSet::default();
        lexical.insert(Attribute::Lexical);
        let mut accesses: Vec<InstructionId> = self.accesses.keys().copied().collect();
        accesses.sort_unstable();
        for id in accesses {
            if self.accesses.get(&id) == Some(&Access::Lend) {
                self.lend_visibly(body, id);
                continue;
            }
            let stores = matches!(self.accesses.get(&id), Some(Access::Assign(_) | Access::Initialize(_)));
            if !stores || self.ownership != Ownership::Owned {
                continue;
            }
            let Store { source, .. } = Store::of(body, id);
            let is_empty_case = body
                .defining(source)
                .is_some_and(|id| body.instructions[id].opcode == Opcode::Enum && body.operands(id).is_empty());
            if is_empty_case {
                continue;
            }
            let moved = InstructionBuilder::new(body, Place::Before(id), id).with(lexical).move_value(source);
            body.operands_mut(id)[0] = moved;
            if let Some(made) = body.defining(moved) {
                self.moves.insert(moved, made);
            }
            let assigns = matches!(self.accesses.get(&id), Some(Access::Assign(_)));
            self.accesses.insert(id, if assigns { Access::Assign(moved) } else { Access::Initialize(moved) });
        }
    }

    /// If the variable is lexical, borrows the value of a `store_borrow` lexically, unless its lifetime is lexical
    /// already.
    fn lend_visibly(&mut self, body: &mut Body, lending: InstructionId) {
        let Store { source, .. } = Store::of(body, lending);
        let is_seen = match body.values[source].definition {
            Definition::Argument { block, .. } => block == body.entry(),
            Definition::Result { instruction, .. } => {
                body.instructions[instruction].attributes.contains(Attribute::Lexical)
            }
            Definition::Undef => true,
        };
        if is_seen && !self.owned_loans.contains(&source) || self.ownership != Ownership::Owned {
            return;
        }
        let mut lexical = AttributeSet::default();
        lexical.insert(Attribute::Lexical);
        let borrow = InstructionBuilder::new(body, Place::Before(lending), lending).with(lexical).begin_borrow(source);
        body.operands_mut(lending)[0] = borrow;
        self.borrows.insert(borrow);
    }

    /// Replaces the variable with values.
    fn replace_in(
        self,
        environment: Environment<'_>,
        body: &mut Body,
        cfg: &ControlFlowGraph,
        dropped: Vec<BlockId>,
    ) -> Option<()> {
        let nothing = nothing(environment, body, self.allocation, self.ty);
        let (available, wanted) = self.flow(body, cfg, nothing, environment.function.has(FunctionFlag::Ossa));
        let starts = wanted.iter().map(|block| Point::Start(*block));
        let points: Vec<Point> = starts.chain(dropped.iter().map(|block| Point::End(*block))).collect();
        let flow = ValueFlow::new(body, cfg, &available, &points, (self.ty, self.ownership))?;
        let mut arriving = flow.apply(body).into_iter();
        let starts: FxHashMap<BlockId, Value> = wanted.into_iter().zip(&mut arriving).collect();
        let ends: Vec<(BlockId, Value)> = dropped.into_iter().zip(arriving).collect();
        let variable = AllocVariable::get(body, self.allocation).and_then(|view| view.variable.cloned());
        let mut promotion = Promotion::new(environment, body, &self, variable);
        for block in promotion.body.blocks.keys().collect::<Vec<_>>() {
            promotion.rewrite(block, starts.get(&block).copied().unwrap_or(nothing));
        }
        for (block, value) in ends {
            if let Some(end) = promotion.body.terminator(block) {
                promotion.destroy(end, value);
            }
        }
        let replacements = promotion.finish();
        body.replace_values(&replacements);
        self.erase(body);
        remove_unused(body, vec![nothing]);
        Some(())
    }

    /// Computes where the variable holds a value that must be destroyed although no instruction destroys the memory, as
    /// for an enum case without payload. Returns the blocks at whose end the value is dropped, or `None` if the drop is
    /// on a critical edge.
    fn hold(&mut self, body: &Body, cfg: &ControlFlowGraph) -> Option<Vec<BlockId>> {
        if self.ownership != Ownership::Owned {
            return Some(Vec::new());
        }
        if !self.accesses.keys().all(|id| cfg.is_reachable(body.instructions[*id].block)) {
            return None;
        }
        let effects: FxHashMap<BlockId, bool> =
            body.blocks.keys().filter_map(|block| Some((block, self.effect(body, block)?))).collect();
        let order = cfg.reverse_post_order();
        self.holding = order.iter().copied().filter(|block| *block != body.entry()).collect();
        let ends = |holding: &FxHashSet<BlockId>, block: &BlockId| {
            effects.get(block).copied().unwrap_or_else(|| holding.contains(block))
        };
        loop {
            let before = self.holding.len();
            for block in order {
                if !cfg.predecessors(*block).iter().all(|predecessor| ends(&self.holding, predecessor)) {
                    self.holding.remove(block);
                }
            }
            if self.holding.len() == before {
                break;
            }
        }
        let mut dropped = Vec::new();
        for block in order.iter().filter(|block| ends(&self.holding, block)) {
            let targets = body.targets(body.terminator(*block)?);
            let is_dropped = |target: &&BlockId| !self.holding.contains(*target);
            match (targets.len(), targets.iter().filter(is_dropped).count()) {
                (_, 0) => {}
                (1, _) => dropped.push(*block),
                _ => return None,
            }
        }
        Some(dropped)
    }

    /// Returns whether the variable holds a value at the end of a block that accesses it.
    fn effect(&self, body: &Body, block: BlockId) -> Option<bool> {
        let mut effect = None;
        for id in body.instructions_in(block) {
            effect = match self.accesses.get(&id) {
                Some(Access::Assign(_) | Access::Initialize(_)) => Some(true),
                Some(Access::Take | Access::Destroy | Access::Deallocate) => Some(false),
                _ if id == self.allocation => Some(false),
                _ => effect,
            };
        }
        effect
    }

    /// The value of the variable at the end of each block, and the blocks that need its value at their start.
    fn flow(
        &self,
        body: &Body,
        cfg: &ControlFlowGraph,
        nothing: Value,
        has_ownership: bool,
    ) -> (FxHashMap<BlockId, Value>, Vec<BlockId>) {
        let (mut available, mut wanted) = (FxHashMap::default(), Vec::new());
        for block in body.blocks.keys() {
            let mut held = None;
            let mut is_wanted = false;
            let mut holds = self.holding.contains(&block);
            for id in body.instructions_in(block) {
                if id == self.allocation {
                    held = Some(nothing);
                }
                let Some(access) = self.accesses.get(&id) else { continue };
                let reads = match access {
                    Access::Assign(_) | Access::Read | Access::Take | Access::Destroy => true,
                    Access::Deallocate => holds,
                    _ => false,
                };
                holds = match access {
                    Access::Assign(_) | Access::Initialize(_) => true,
                    Access::Take | Access::Destroy | Access::Deallocate => false,
                    _ => holds,
                };
                is_wanted |= reads && held.is_none();
                match access {
                    Access::Assign(value) | Access::Initialize(value) => held = Some(*value),
                    Access::Take | Access::Destroy if self.ownership == Ownership::Owned => held = Some(nothing),
                    _ => {}
                }
            }
            if let Some(held) = held {
                available.insert(block, held);
            }
            if is_wanted && cfg.is_reachable(block) {
                wanted.push(block);
            }
        }
        if !has_ownership {
            let mut joins = self.joins(body, cfg);
            joins.retain(|block| !wanted.contains(block));
            wanted.extend(joins);
        }
        (available, wanted)
    }

    /// Returns whether the variable is used outside of the block that allocates it.
    fn is_used_elsewhere(&self, body: &Body) -> bool {
        let home = body.instructions[self.allocation].block;
        self.accesses.keys().any(|id| body.instructions[*id].block != home)
    }

    /// The blocks with a phi, even if the variable is not read there: without ownership, Swift inserts phis wherever
    /// the variable is live in, if it is read at all.
    fn joins(&self, body: &Body, cfg: &ControlFlowGraph) -> Vec<BlockId> {
        let is_read = |access: &Access| {
            matches!(access, Access::Read | Access::ReadLent | Access::Take | Access::Destroy | Access::Project)
        };
        if !self.is_used_elsewhere(body) || !self.accesses.values().any(is_read) {
            return Vec::new();
        }
        let dominators = Dominators::new(body, cfg);
        let home = body.instructions[self.allocation].block;
        let is_store = |access: &Access| matches!(access, Access::Assign(_) | Access::Initialize(_));
        let stores = self.accesses.iter().filter(|(_, access)| is_store(access));
        let mut open: Vec<BlockId> = stores.map(|(id, _)| body.instructions[*id].block).collect();
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        while let Some(block) = open.pop() {
            for join in body.blocks.keys().filter(|join| cfg.predecessors(*join).len() > 1) {
                let is_inside = dominators.dominates(home, join) && join != home && cfg.is_reachable(join);
                let leads = cfg.predecessors(join).iter().any(|before| dominators.dominates(block, *before));
                let is_passed = block != join && dominators.dominates(block, join);
                if is_inside && leads && !is_passed && seen.insert(join) {
                    open.push(join);
                }
            }
        }
        body.blocks.keys().filter(|block| seen.contains(block)).collect()
    }

    /// Erases the projections and the allocation.
    fn erase(&self, body: &mut Body) {
        let all: Vec<InstructionId> = body.placed_instructions().collect();
        for id in all.into_iter().rev() {
            if matches!(
                self.accesses.get(&id),
                Some(Access::Project | Access::Deallocate | Access::Lend | Access::Describe)
            ) {
                body.erase(id);
            }
        }
        body.erase(self.allocation);
    }
}

/// The part of a variable that an address refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Inner,
    /// All of it, with another type.
    Cast,
    /// All of a borrowed value.
    Lent,
    /// A part of a borrowed value.
    LentInner,
}

/// The value of uninitialised memory: `undef`, but with real values for empty parts.
fn nothing(environment: Environment<'_>, body: &mut Body, before: InstructionId, ty: SilType) -> Value {
    let parts = parts(environment.queries, ty.ty).filter(|_| has_empty_part(environment, ty));
    let Some(parts) = parts else { return body.undef(ty) };
    let types: Vec<SilType> = parts.iter().map(|part| SilType::object(part.ty)).collect();
    let parts: Vec<Value> = types.into_iter().map(|ty| nothing(environment, body, before, ty)).collect();
    let mut builder = InstructionBuilder::new(body, Place::Before(before), before);
    match environment.queries.get(ty.ty) {
        Type::Tuple(_) => builder.tuple(&parts, ty),
        _ => builder.structure(&parts, ty),
    }
}

/// Returns whether a type or a part of it is empty.
fn has_empty_part(environment: Environment<'_>, ty: SilType) -> bool {
    let parts = parts(environment.queries, ty.ty);
    parts.is_some_and(|parts| {
        parts.is_empty() || parts.iter().any(|part| has_empty_part(environment, SilType::object(part.ty)))
    })
}

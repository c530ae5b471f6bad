//! Variables on the stack as values: what is stored is what is loaded, with block arguments where different values meet
//! (lib/SILOptimizer/Transforms/SILMem2Reg.cpp).
//!
//! Owns: which variables can be values, and what becomes of each use. With ownership a variable owns its value: it is destroyed where the variable was.
//! Does not own: variables that are stored to or taken from in parts, nor lifetimes that people see.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::{ControlFlowGraph, Uses};
use crate::context::{SilType, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::views::{AllocVariable, DebugValue, Store, Unary};
use crate::model::{
    BlockId, Body, DebugOperator, DebugVariable, Definition, Details, FunctionFlag, InstructionId, Ownership, Place,
    Replacements, Value,
};
use crate::transform::InstructionBuilder;
use crate::transform::analyses::Change;
use crate::transform::editing::unused::remove_unused;
use crate::transform::editing::value_flow::{Point, ValueFlow};
use crate::transform::knowledge::aggregate_parts::{AggregatePart, is_divided, is_in_memory, parts};
use crate::transform::pipeline::{Environment, Rewrite};
use crate::transform::settings::LexicalLifetimes;

/// Makes values of the variables of a function.
pub(in crate::transform) fn promote(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    let is_allocation = |id: &InstructionId| before.instructions[*id].opcode == Opcode::AllocStack;
    let allocations: Vec<InstructionId> = before.placed_instructions().filter(is_allocation).collect();
    if allocations.is_empty() {
        return Ok(None);
    }
    let cfg = analyses.cfg(before);
    let mut body = before.clone();
    let mut is_changed = false;
    // The last one first: what it stores may be loaded from others.
    for allocation in allocations.into_iter().rev() {
        if !cfg.is_reachable(before.instructions[allocation].block) {
            continue;
        }
        let uses = Uses::new(&body);
        let Some(variable) = Variable::of(environment, &body, &uses, allocation) else { continue };
        is_changed |= variable.promote(environment, &mut body, cfg).is_some();
    }
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Instructions)))
}

/// What an instruction does with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// It stores this value, and destroys what was there.
    Assign(Value),
    /// It stores this value where nothing is.
    Initialize(Value),
    /// It reads a part, or all.
    Read,
    /// It reads what is only lent to the variable.
    ReadLent,
    /// It lends the variable a value.
    Lend,
    /// It ends that.
    EndLending,
    /// It takes the value away.
    Take,
    Destroy,
    /// It says something to debuggers.
    Describe,
    /// It gives the address of a part, which `Read` is told of.
    Project,
    Deallocate,
}

/// A variable that can be a value.
struct Variable {
    allocation: InstructionId,
    /// The type of its values.
    ty: SilType,
    ownership: Ownership,
    accesses: FxHashMap<InstructionId, Access>,
    /// The blocks at whose start it has a value whichever way leads there, where that must be destroyed.
    holding: FxHashSet<BlockId>,
    /// The moves that begin lifetimes which people see, by what they give.
    moves: FxHashMap<Value, InstructionId>,
    /// The borrows that begin as long as a value is lent.
    borrows: FxHashSet<Value>,
    lifetimes: LexicalLifetimes,
}

impl Variable {
    /// None where more is done with it than to store and to load it.
    fn of(environment: Environment<'_>, body: &Body, uses: &Uses, allocation: InstructionId) -> Option<Self> {
        let address = body.result(allocation)?;
        let ty = body.ty(address).object_type();
        let properties = environment.queries.properties(ty.ty, environment.function.signature);
        let has_ownership = environment.function.has(FunctionFlag::Ossa);
        if is_in_memory(environment, ty) {
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
        let (moves, borrows) = (FxHashMap::default(), FxHashSet::default());
        let mut variable = Self { allocation, ty, ownership, accesses, holding, moves, borrows, lifetimes };
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
                // What is borrowed or copied of an owned value is not made of it by casts.
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

    /// Puts values in the place of the variable; none where a value cannot be brought to where it is needed.
    fn promote(mut self, environment: Environment<'_>, body: &mut Body, cfg: &ControlFlowGraph) -> Option<()> {
        let dropped = self.hold(body, cfg)?;
        let mut scoped = body.clone();
        self.begin_scopes(&mut scoped);
        self.replace_in(environment, &mut scoped, cfg, dropped)?;
        *body = scoped;
        Some(())
    }

    /// Where people see how long the variable lives, what is stored to it lives as long.
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
            let moved = InstructionBuilder::new(body, Place::Before(id), id).value_with_attributes(
                Opcode::MoveValue,
                lexical,
                Details::None,
                &[source],
                self.ty,
            );
            body.operands_mut(id)[0] = moved;
            if let Some(made) = body.defining(moved) {
                self.moves.insert(moved, made);
            }
            let assigns = matches!(self.accesses.get(&id), Some(Access::Assign(_)));
            self.accesses.insert(id, if assigns { Access::Assign(moved) } else { Access::Initialize(moved) });
        }
    }

    /// Where people see how long a value is lent, it is borrowed as long, unless it lives longer for people as well.
    fn lend_visibly(&mut self, body: &mut Body, lending: InstructionId) {
        let Store { source, .. } = Store::of(body, lending);
        let is_seen = match body.values[source].definition {
            Definition::Argument { block, .. } => block == body.entry(),
            Definition::Result { instruction, .. } => {
                body.instructions[instruction].attributes.contains(Attribute::Lexical)
            }
            Definition::Undef => true,
        };
        if is_seen || self.ownership != Ownership::Owned {
            return;
        }
        let mut lexical = AttributeSet::default();
        lexical.insert(Attribute::Lexical);
        let borrow = InstructionBuilder::new(body, Place::Before(lending), lending).value_with_attributes(
            Opcode::BeginBorrow,
            lexical,
            Details::None,
            &[source],
            self.ty,
        );
        body.operands_mut(lending)[0] = borrow;
        self.borrows.insert(borrow);
    }

    /// Puts values in the place of the variable.
    fn replace_in(
        self,
        environment: Environment<'_>,
        body: &mut Body,
        cfg: &ControlFlowGraph,
        dropped: Vec<BlockId>,
    ) -> Option<()> {
        let nothing = match empty_parts(environment, self.ty) {
            Some(_) => empty(environment, body, self.allocation, self.ty),
            None => body.undef(self.ty),
        };
        let (available, wanted) = self.flow(body, cfg, nothing);
        let starts = wanted.iter().map(|block| Point::Start(*block));
        let points: Vec<Point> = starts.chain(dropped.iter().map(|block| Point::End(*block))).collect();
        let flow = ValueFlow::new(body, cfg, &available, &points, (self.ty, self.ownership))?;
        let mut arriving = flow.apply(body).into_iter();
        let starts: FxHashMap<BlockId, Value> = wanted.into_iter().zip(&mut arriving).collect();
        let ends: Vec<(BlockId, Value)> = dropped.into_iter().zip(arriving).collect();
        let variable = AllocVariable::get(body, self.allocation).and_then(|view| view.variable.cloned());
        let mut promotion = Promotion {
            environment,
            body,
            variable: &self,
            description: variable,
            replacements: Replacements::default(),
        };
        for block in promotion.body.blocks.keys().collect::<Vec<_>>() {
            promotion.rewrite(block, starts.get(&block).copied().unwrap_or(nothing));
        }
        for (block, value) in ends {
            if let Some(end) = promotion.body.terminator(block) {
                promotion.destroy(end, value);
            }
        }
        let Promotion { replacements, .. } = promotion;
        body.replace_values(&replacements);
        self.erase(body);
        remove_unused(body, vec![nothing]);
        Some(())
    }

    /// Finds out where the variable has a value that must be destroyed though nothing destroys the memory: a case of an enum that has no payload. Gives
    /// the blocks at whose end it is; none where an edge alone tells.
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

    /// Whether the variable has a value at the end of a block that does something with it.
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

    /// What the variable holds at the ends of blocks, and the blocks that need to know what it holds at their start.
    fn flow(&self, body: &Body, cfg: &ControlFlowGraph, nothing: Value) -> (FxHashMap<BlockId, Value>, Vec<BlockId>) {
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
        (available, wanted)
    }

    /// Removes what is left: projections, and the memory itself.
    fn erase(&self, body: &mut Body) {
        let all: Vec<InstructionId> = body.placed_instructions().collect();
        for id in all.into_iter().rev() {
            if matches!(self.accesses.get(&id), Some(Access::Project | Access::Deallocate | Access::Lend)) {
                body.erase(id);
            }
        }
        body.erase(self.allocation);
    }
}

/// What of a variable an address is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Inner,
    /// All, as another type.
    Cast,
    /// All of what is lent to the variable.
    Lent,
    /// A part of that.
    LentInner,
}

/// The work on one variable.
struct Promotion<'p> {
    environment: Environment<'p>,
    body: &'p mut Body,
    variable: &'p Variable,
    /// What debuggers call it.
    description: Option<DebugVariable>,
    replacements: Replacements,
}

impl Promotion<'_> {
    /// Rewrites the uses in a block at whose start the variable holds a value.
    fn rewrite(&mut self, block: BlockId, start: Value) {
        let mut held = start;
        let mut holds = self.variable.holding.contains(&block);
        for id in self.body.instructions_in(block).collect::<Vec<_>>() {
            let Some(access) = self.variable.accesses.get(&id).copied() else { continue };
            match access {
                Access::Assign(value) | Access::Initialize(value) => {
                    // What people see of the new value begins when the old one is gone.
                    let begin = self.variable.moves.get(&value).copied();
                    let stored = begin.map_or(value, |begin| Unary::of(self.body, begin).operand);
                    let place = begin.unwrap_or(id);
                    if matches!(access, Access::Assign(_)) && self.variable.ownership == Ownership::Owned {
                        self.destroy(place, held);
                    }
                    (held, holds) = (value, true);
                    self.describe(place, stored);
                    self.body.erase(id);
                }
                Access::Read | Access::ReadLent => self.read(id, held),
                Access::Take => {
                    holds = false;
                    self.replace(id, held);
                }
                Access::Destroy => {
                    holds = false;
                    self.destroy(id, held);
                    self.body.erase(id);
                }
                Access::Describe => self.describe_value(id, held),
                Access::EndLending => self.end_lending(id),
                Access::Deallocate if holds && self.variable.ownership == Ownership::Owned => {
                    holds = false;
                    self.destroy(id, held);
                }
                Access::Lend | Access::Project | Access::Deallocate => {}
            }
        }
    }

    /// What was borrowed for the time that it was lent is not borrowed any longer.
    fn end_lending(&mut self, id: InstructionId) {
        let lent = lender(self.body, Unary::of(self.body, id).operand);
        match lent.filter(|borrow| self.variable.borrows.contains(borrow)) {
            Some(borrow) => self.body.operands_mut(id)[0] = borrow,
            None => self.body.erase(id),
        }
    }

    fn replace(&mut self, id: InstructionId, by: Value) {
        if let Some(result) = self.body.result(id) {
            self.replacements.replace(result, by);
        }
        self.body.erase(id);
    }

    /// Puts what the variable holds, or a part of that, in the place of what is loaded.
    fn read(&mut self, id: InstructionId, held: Value) {
        if self.variable.lifetimes == LexicalLifetimes::Dropped && self.is_only_destroyed(id) {
            return;
        }
        let body = &mut *self.body;
        let (opcode, attributes) = (body.instructions[id].opcode, body.instructions[id].attributes);
        let (base, projections) = projections(body, id);
        let lender = lender(body, base);
        let held = lender.unwrap_or(held);
        if opcode == Opcode::LoadBorrow && lender.is_some() && projections.is_empty() && self.read_lent(id, held) {
            return;
        }
        let body = &mut *self.body;
        let types: Vec<(Opcode, Details, SilType)> = projections
            .iter()
            .map(|projection| {
                let opcode = match body.instructions[*projection].opcode {
                    Opcode::StructElementAddr => Opcode::StructExtract,
                    Opcode::TupleElementAddr => Opcode::TupleExtract,
                    _ => Opcode::UncheckedBitwiseCast,
                };
                // A projection has a result.
                let ty = body.result(*projection).map_or(self.variable.ty, |result| body.ty(result).object_type());
                (opcode, body.instructions[*projection].details.clone(), ty)
            })
            .collect();
        let ty = types.last().map_or(self.variable.ty, |(_, _, ty)| *ty);
        let copies = attributes.contains(Attribute::Copy);
        let is_cast = types.first().is_some_and(|(opcode, ..)| *opcode == Opcode::UncheckedBitwiseCast);
        let is_lent = !is_cast && lender.is_none() && self.variable.ownership == Ownership::Owned && !types.is_empty();
        let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
        let lent = match is_lent {
            true => builder.value(Opcode::BeginBorrow, Details::None, &[held], self.variable.ty),
            false => held,
        };
        let mut value = lent;
        for (opcode, details, ty) in types {
            value = match opcode {
                Opcode::UncheckedBitwiseCast => builder.value_of_written_type(opcode, Details::None, &[value], ty),
                _ => builder.value(opcode, details, &[value], ty),
            };
        }
        if opcode == Opcode::LoadBorrow && self.variable.ownership == Ownership::Owned {
            value = builder.value(Opcode::BeginBorrow, Details::None, &[value], ty);
        } else if copies {
            value = builder.value(Opcode::CopyValue, Details::None, &[value], ty);
        }
        if is_lent {
            builder.instruction(Opcode::EndBorrow, Details::None, &[lent]);
        }
        self.replace(id, value);
    }

    /// What is lent is borrowed already, unless it is borrowed on in other blocks. Whether it is.
    fn read_lent(&mut self, id: InstructionId, lent: Value) -> bool {
        let uses = Uses::new(self.body);
        let users: Vec<InstructionId> = self
            .body
            .result(id)
            .map(|result| uses.of(result))
            .unwrap_or_default()
            .iter()
            .map(|found| found.user)
            .collect();
        if users.iter().any(|id| !self.body.targets(*id).is_empty()) {
            return false;
        }
        for user in users {
            if self.body.instructions[user].opcode == Opcode::EndBorrow {
                self.body.erase(user);
            }
        }
        self.replace(id, lent);
        true
    }

    /// Removes a copy that is only destroyed. Whether it was.
    fn is_only_destroyed(&mut self, id: InstructionId) -> bool {
        let is_copy = self.body.instructions[id].attributes.contains(Attribute::Copy);
        let Some(result) = self.body.result(id).filter(|_| is_copy) else { return false };
        let uses = Uses::new(self.body);
        let is_end = |id: InstructionId| self.body.instructions[id].opcode == Opcode::DestroyValue;
        if !uses.of(result).iter().all(|found| is_end(found.user)) {
            return false;
        }
        uses.of(result).iter().for_each(|found| self.body.erase(found.user));
        self.body.erase(id);
        true
    }

    fn destroy(&mut self, before: InstructionId, value: Value) {
        let is_empty_case =
            |id: InstructionId| self.body.instructions[id].opcode == Opcode::Enum && self.body.operands(id).is_empty();
        if self.body.defining(value).is_some_and(is_empty_case) {
            return;
        }
        if is_divided(self.environment, self.variable.ty)
            && let Some(parts) = parts(self.environment.queries, self.variable.ty.ty)
        {
            return self.destroy_parts(before, value, &parts);
        }
        self.destroy_whole(before, value, self.variable.ty);
    }

    /// Destroys a value part by part.
    fn destroy_parts(&mut self, before: InstructionId, value: Value, parts: &[AggregatePart]) {
        let has_ownership = self.environment.function.has(FunctionFlag::Ossa);
        let types: Vec<SilType> = parts.iter().map(|part| SilType::object(part.ty)).collect();
        let is_trivial =
            |ty: &SilType| self.environment.queries.properties(ty.ty, self.environment.function.signature).is_trivial();
        if types.iter().all(is_trivial) {
            return;
        }
        let kept: Vec<bool> = types.iter().map(|ty| !is_trivial(ty)).collect();
        if has_ownership {
            let opcode = match parts.first().map(|part| part.extraction().0) {
                Some(Opcode::StructExtract) => Opcode::DestructureStruct,
                _ => Opcode::DestructureTuple,
            };
            let values =
                InstructionBuilder::new(self.body, Place::Before(before), before).values(opcode, &[value], &types);
            for ((value, ty), _) in values.into_iter().zip(types).zip(kept).filter(|(_, kept)| *kept) {
                self.destroy_whole(before, value, ty);
            }
            return;
        }
        for ((part, ty), _) in parts.iter().zip(types).zip(kept).filter(|(_, kept)| *kept) {
            let (opcode, details) = part.extraction();
            let mut builder = InstructionBuilder::new(self.body, Place::Before(before), before);
            let value = builder.value(opcode, details, &[value], ty);
            self.destroy_whole(before, value, ty);
        }
    }

    fn destroy_whole(&mut self, before: InstructionId, value: Value, ty: SilType) {
        let queries = self.environment.queries;
        let properties = queries.properties(ty.ty, self.environment.function.signature);
        if properties.is_trivial() {
            return;
        }
        let is_function = matches!(queries.get(ty.ty), Type::Function(_));
        let opcode = match self.environment.function.has(FunctionFlag::Ossa) {
            true => Opcode::DestroyValue,
            false if properties.is_reference() || is_function => Opcode::StrongRelease,
            false => Opcode::ReleaseValue,
        };
        InstructionBuilder::new(self.body, Place::Before(before), before).instruction(opcode, Details::None, &[value]);
    }

    /// Says for debuggers that the variable is what is stored.
    fn describe(&mut self, store: InstructionId, value: Value) {
        let Some(variable) = self.description.clone().filter(|variable| variable.name.is_some()) else { return };
        let mut builder = InstructionBuilder::new(self.body, Place::Before(store), self.variable.allocation);
        builder.instruction(Opcode::DebugValue, Details::Variable(Box::new(variable)), &[value]);
    }

    /// Says of the value what was said of its memory.
    fn describe_value(&mut self, id: InstructionId, held: Value) {
        let stores = |access: &Access| matches!(access, Access::Assign(_) | Access::Initialize(_) | Access::Lend);
        if !self.variable.accesses.values().any(stores) {
            return self.body.erase(id);
        }
        let view = DebugValue::of(self.body, id);
        let lender = lender(self.body, view.operand);
        let (place, held) = match lender {
            Some(lender) => (id, lender),
            None => self.described(id, held),
        };
        if lender.is_some() || Some(view.operand) == self.body.result(self.variable.allocation) {
            let mut details = self.body.instructions[id].details.clone();
            if let Details::Variable(variable) = &mut details
                && variable.expression.first() == Some(&DebugOperator::Dereference)
            {
                variable.expression.remove(0);
            }
            InstructionBuilder::new(self.body, Place::Before(place), id).instruction(
                Opcode::DebugValue,
                details,
                &[held],
            );
        }
        self.body.erase(id);
    }

    /// Where something is said of a value that the variable holds, and of which: of what is stored, if that is right behind the store.
    fn described(&self, id: InstructionId, held: Value) -> (InstructionId, Value) {
        let Some(begin) = self.variable.moves.get(&held).copied() else { return (id, held) };
        let between = self.body.instructions_up_to(id).rev().skip(1).take_while(|other| *other != begin);
        let is_said = |id: InstructionId| self.body.instructions[id].opcode == Opcode::DebugValue;
        let is_near = self.body.instructions[begin].block == self.body.instructions[id].block;
        match is_near && between.into_iter().all(is_said) {
            true => (begin, Unary::of(self.body, begin).operand),
            false => (id, held),
        }
    }
}

/// The address that projections lead from to what an instruction loads, and those, the outermost first.
fn projections(body: &Body, load: InstructionId) -> (Value, Vec<InstructionId>) {
    let mut found = Vec::new();
    let mut address = Unary::of(body, load).operand;
    while let Some(id) = body.defining(address)
        && matches!(
            body.instructions[id].opcode,
            Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::UncheckedAddrCast
        )
    {
        found.push(id);
        address = body.operands(id)[0];
    }
    found.reverse();
    (address, found)
}

/// What is lent to the memory of this address.
fn lender(body: &Body, address: Value) -> Option<Value> {
    let id = body.defining(address).filter(|id| body.instructions[*id].opcode == Opcode::StoreBorrow)?;
    body.operands(id).first().copied()
}

/// The types of the parts of a type whose values have nothing in them; none where there is something.
fn empty_parts(environment: Environment<'_>, ty: SilType) -> Option<Vec<SilType>> {
    let parts = parts(environment.queries, ty.ty)?;
    let types: Vec<SilType> = parts.iter().map(|part| SilType::object(part.ty)).collect();
    types.iter().all(|ty| empty_parts(environment, *ty).is_some()).then_some(types)
}

/// Makes a value in which there is nothing, which need not be stored to be there.
fn empty(environment: Environment<'_>, body: &mut Body, before: InstructionId, ty: SilType) -> Value {
    let types = empty_parts(environment, ty).unwrap_or_default();
    let parts: Vec<Value> = types.into_iter().map(|ty| empty(environment, body, before, ty)).collect();
    let mut builder = InstructionBuilder::new(body, Place::Before(before), before);
    match environment.queries.get(ty.ty) {
        Type::Tuple(_) => builder.value(Opcode::Tuple, Details::None, &parts, ty),
        _ => builder.value_of_written_type(Opcode::Struct, Details::None, &parts, ty),
    }
}

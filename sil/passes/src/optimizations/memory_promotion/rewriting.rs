//! Rewrites the uses of a promoted variable.

use sil_analysis::Uses;
use sil_ir::context::{SilType, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{
    BlockId, Body, DebugVariable, Details, FunctionFlag, InstructionId, Ownership, Place, Replacements, Value,
};

use super::{Access, Variable};
use crate::InstructionBuilder;
use crate::editing::debug_values::variable_at_store;
use crate::knowledge::aggregate_parts::{AggregatePart, has_deinit, is_divided, parts};
use crate::knowledge::elements::Step;
use crate::pass::Environment;
use crate::pass::settings::LexicalLifetimes;

/// The state of the rewriting of one variable.
pub(super) struct Promotion<'p> {
    environment: Environment<'p>,
    pub(super) body: &'p mut Body,
    variable: &'p Variable,
    /// The debug variable.
    description: Option<DebugVariable>,
    replacements: Replacements,
}

impl<'p> Promotion<'p> {
    /// Creates the state for `variable` with its debug variable `description`.
    pub(super) fn new(
        environment: Environment<'p>,
        body: &'p mut Body,
        variable: &'p Variable,
        description: Option<DebugVariable>,
    ) -> Self {
        let replacements = Replacements::default();
        Self { environment, body, variable, description, replacements }
    }

    /// The replacements of the loaded values.
    pub(super) fn finish(self) -> Replacements {
        self.replacements
    }

    /// Rewrites the accesses of a block, at whose start the variable holds `start`.
    pub(super) fn rewrite(&mut self, block: BlockId, start: Value) {
        let mut held = start;
        let mut holds = self.variable.holding.contains(&block);
        for id in self.body.instructions_in(block).collect::<Vec<_>>() {
            let Some(access) = self.variable.accesses.get(&id).copied() else { continue };
            match access {
                Access::Assign(value) | Access::Initialize(value) => {
                    // The lexical lifetime of the new value begins after the old value is destroyed.
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
                Access::Describe => {}
                Access::EndLending => self.end_lending(id),
                Access::Deallocate if holds && self.variable.ownership == Ownership::Owned => {
                    holds = false;
                    self.destroy(id, held);
                }
                Access::Lend => {
                    let Store { source, .. } = Store::of(self.body, id);
                    self.describe(id, source);
                    if let Some(lent) = self.body.result(id) {
                        self.describe_as(id, lent, source);
                    }
                }
                Access::Project | Access::Deallocate => {}
            }
        }
    }

    /// Ends the borrow that spans a `store_borrow`.
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

    /// Replaces a load with the current value or a part of it.
    fn read(&mut self, id: InstructionId, held: Value) {
        if self.variable.lifetimes == LexicalLifetimes::Dropped && self.is_only_destroyed(id) {
            return;
        }
        let body = &mut *self.body;
        let (opcode, attributes) = (body.instructions[id].opcode, body.instructions[id].attributes);
        let (base, projections) = projections(body, id);
        let lender = lender(body, base);
        let held = lender.unwrap_or(held);
        let is_owned = lender.is_none_or(|lender| self.variable.owned_loans.contains(&lender));
        let is_ensured = self.variable.lifetimes != LexicalLifetimes::Dropped;
        if opcode == Opcode::LoadBorrow && is_ensured && !is_owned && projections.is_empty() && self.read_lent(id, held)
        {
            return;
        }
        let body = &mut *self.body;
        let types: Vec<(Option<Step>, SilType)> = projections
            .iter()
            .map(|projection| {
                let step = match body.instructions[*projection].details {
                    Details::Member(field) => Some(Step::Property(field)),
                    Details::Index(index) => Some(Step::Tuple(index)),
                    // A cast.
                    _ => None,
                };
                // A projection has a result.
                let ty = body.result(*projection).map_or(self.variable.ty, |result| body.ty(result).object_type());
                (step, ty)
            })
            .collect();
        let copies = attributes.contains(Attribute::Copy);
        let is_cast = types.first().is_some_and(|(step, _)| step.is_none());
        let is_lent = !is_cast && is_owned && self.variable.ownership == Ownership::Owned && !types.is_empty();
        let mut lexical = AttributeSet::default();
        if body.instructions[self.variable.allocation].attributes.contains(Attribute::Lexical) {
            lexical.insert(Attribute::Lexical);
        }
        let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
        let lent = match is_lent {
            true => builder.begin_borrow(held),
            false => held,
        };
        let mut value = lent;
        for (step, ty) in types {
            value = match step {
                Some(step) => AggregatePart { step, ty: ty.ty }.extract(&mut builder, value),
                None => builder.cast(Opcode::UncheckedBitwiseCast, value, ty),
            };
        }
        if opcode == Opcode::LoadBorrow && self.variable.ownership == Ownership::Owned {
            value = builder.with(lexical).begin_borrow(value);
        } else if copies {
            value = builder.copy_value(value);
        }
        if is_lent {
            builder.end_borrow(lent);
        }
        self.replace(id, value);
    }

    /// If the variable is lexical, a value loaded from a borrow is already borrowed lexically, unless the loaded borrow
    /// is passed on to other blocks. Returns whether the load is replaced.
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

    /// Erases a loaded copy that is only destroyed. Returns whether it was erased.
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

    pub(super) fn destroy(&mut self, before: InstructionId, value: Value) {
        let is_empty_case =
            |id: InstructionId| self.body.instructions[id].opcode == Opcode::Enum && self.body.operands(id).is_empty();
        if self.body.defining(value).is_some_and(is_empty_case) {
            return;
        }
        match is_divided(self.environment, self.variable.ty) {
            true => self.destroy_divided(before, value, self.variable.ty),
            false => self.destroy_whole(before, value, self.variable.ty),
        }
    }

    /// Destroys the parts of a value, or the value itself if it has no parts.
    fn destroy_divided(&mut self, before: InstructionId, value: Value, ty: SilType) {
        match parts(self.environment.queries, ty.ty).filter(|_| !has_deinit(self.environment, ty.ty)) {
            Some(parts) => self.destroy_parts(before, value, &parts),
            None => self.destroy_whole(before, value, ty),
        }
    }

    /// Destroys a value by parts.
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
            let mut builder = InstructionBuilder::new(self.body, Place::Before(before), before);
            let values = match parts.first().map(|part| part.step) {
                Some(Step::Property(_)) => builder.destructure_struct(value, &types),
                _ => builder.destructure_tuple(value, &types),
            };
            for ((value, ty), _) in values.into_iter().zip(types).zip(kept).filter(|(_, kept)| *kept) {
                self.destroy_divided(before, value, ty);
            }
            return;
        }
        for ((part, ty), _) in parts.iter().zip(types).zip(kept).filter(|(_, kept)| *kept) {
            let mut builder = InstructionBuilder::new(self.body, Place::Before(before), before);
            let value = part.extract(&mut builder, value);
            self.destroy_divided(before, value, ty);
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
        InstructionBuilder::new(self.body, Place::Before(before), before).effect(opcode, value);
    }

    /// Inserts `debug_value`s for the stored value that correspond to the debug information of the memory.
    fn describe(&mut self, store: InstructionId, value: Value) {
        if let Some(variable) = self.description.clone().filter(|variable| variable.name.is_some()) {
            let mut builder = InstructionBuilder::new(self.body, Place::Before(store), self.variable.allocation);
            builder.debug_value(value, Some(Box::new(variable)));
        }
        if let Some(memory) = self.body.result(self.variable.allocation) {
            self.describe_as(store, memory, value);
        }
    }

    /// Inserts the `debug_value`s of the memory at `address` at a store of `value`.
    fn describe_as(&mut self, store: InstructionId, address: Value, value: Value) {
        let describes = |(id, access): (&InstructionId, &Access)| {
            (*access == Access::Describe && self.body.operands(*id).first() == Some(&address)).then_some(*id)
        };
        let mut said: Vec<InstructionId> = self.variable.accesses.iter().filter_map(describes).collect();
        // The last one comes first, as in Swift's use list.
        said.sort_unstable_by(|first, second| second.cmp(first));
        for id in said {
            let variable = variable_at_store(self.body, id, store);
            let mut builder = InstructionBuilder::new(self.body, Place::Before(store), id).written_at(store);
            builder.debug_value(value, variable);
        }
    }
}

/// The base address of the loaded address, and the projections, outermost first.
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

/// The source of the `store_borrow` that defines an address.
fn lender(body: &Body, address: Value) -> Option<Value> {
    let id = body.defining(address).filter(|id| body.instructions[*id].opcode == Opcode::StoreBorrow)?;
    body.operands(id).first().copied()
}

//! Replaces loads with available values. Parts of available values are extracted at their stores or loads, and phis
//! merge different values.

use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, Projection, ProjectionPath};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CopyAddr, MarkDependence, Store, Unary};
use sil_ir::model::{BlockId, Body, FunctionFlag, InstructionId, Ownership, Place, Replacements, Value};

use super::search::{Available, Found};
use super::taken;
use crate::InstructionBuilder;
use crate::editing::store_division::divide_store;
use crate::editing::value_flow::{Point, ValueFlow};
use crate::knowledge::aggregate_parts::{AggregatePart, has_deinit, parts};
use crate::knowledge::elements::Step;
use crate::pass::Environment;

/// The changes of one round.
pub(super) struct Replacement<'e, 'm> {
    environment: Environment<'e>,
    view: &'e BodyView<'m>,
    body: Body,
    replacements: Replacements,
    /// The replaced loads. They are erased at the end of the round, since values are created after them until then.
    replaced: Vec<InstructionId>,
    is_changed: bool,
}

impl<'e, 'm> Replacement<'e, 'm> {
    pub(super) fn new(environment: Environment<'e>, view: &'e BodyView<'m>) -> Self {
        let body = environment.body.clone();
        Self { environment, view, body, replacements: Replacements::default(), replaced: Vec::new(), is_changed: false }
    }

    /// Replaces the loads of `order`, last one first. Returns `None` if none could be replaced.
    pub(super) fn apply(
        mut self,
        order: Vec<InstructionId>,
        mut found: FxHashMap<InstructionId, Found>,
    ) -> Option<Body> {
        let before = self.environment.body;
        let is_copy = |id: InstructionId| before.instructions[id].opcode == Opcode::CopyAddr;
        // Copies are converted to loads and stores for the next round.
        let is_known = |id: &InstructionId| matches!(found.get(id), Some(Found::Values(_)));
        let mut copies: Vec<InstructionId> = order.iter().copied().filter(|id| is_copy(*id) && is_known(id)).collect();
        for result in found.values() {
            if let Found::Values(values) = result {
                copies.extend(values.iter().map(|available| available.instruction).filter(|id| is_copy(*id)));
            }
        }
        copies.sort_unstable();
        copies.dedup();
        for id in order {
            match found.remove(&id) {
                Some(Found::Values(values)) if !is_copy(id) && !values.iter().any(|one| is_copy(one.instruction)) => {
                    self.replace(id, &values);
                }
                Some(Found::Part) if !is_copy(id) => self.divide(id),
                Some(Found::Part) if !copies.contains(&id) => self.divide_copy(id),
                _ => {}
            }
        }
        for copy in copies {
            self.load_and_store(copy);
        }
        let Self { mut body, replacements, replaced, is_changed, .. } = self;
        is_changed.then(|| {
            replaced.into_iter().for_each(|load| body.erase(load));
            body.replace_values(&replacements);
            body
        })
    }

    fn has_ownership(&self) -> bool {
        self.environment.function.has(FunctionFlag::Ossa)
    }

    fn is_trivial(&self, ty: SilType) -> bool {
        self.environment.queries.properties(ty.ty, self.environment.function.signature).is_trivial()
    }

    fn replace(&mut self, load: InstructionId, values: &[Available]) {
        let before = self.environment.body;
        let Some(result) = before.result(load) else { return };
        let ty = before.ty(result);
        let types: Option<Vec<SilType>> = values.iter().map(|available| self.part_type(*available)).collect();
        if types.is_none_or(|types| types.iter().any(|found| *found != ty)) {
            return;
        }
        let ownership = match self.has_ownership() && !self.is_trivial(ty) {
            true => Ownership::Owned,
            false => Ownership::None,
        };
        let block = |available: &Available| before.instructions[available.instruction].block;
        let wanted = match values {
            [_] => Point::End(before.instructions[load].block),
            _ => Point::Start(before.instructions[load].block),
        };
        let single = values.len() == 1;
        let blocks = values.iter().map(block).collect();
        if !single && !ValueFlow::is_possible(&self.body, &self.view.cfg, &blocks, &[wanted], (ty, ownership)) {
            return;
        }
        let made: FxHashMap<BlockId, Value> =
            values.iter().map(|available| (block(available), self.provide(load, *available))).collect();
        let arriving = match (single, made.values().next()) {
            (true, Some(value)) => *value,
            _ => {
                let kind = (ty, ownership);
                let flow = ValueFlow::of_definitions(&self.body, &self.view.cfg, &made, &[wanted], kind);
                let Some(arriving) = flow.and_then(|flow| flow.apply(&mut self.body).pop()) else { return };
                arriving
            }
        };
        let arriving = self.with_dependences(load, arriving);
        self.replacements.replace(result, arriving);
        self.replaced.push(load);
        self.is_changed = true;
    }

    /// The value that an instruction loads or stores.
    fn whole(&self, id: InstructionId) -> Value {
        let body = self.environment.body;
        match Store::get(body, id) {
            Some(Store { source, .. }) => source,
            None => body.result(id).unwrap_or_else(|| Unary::of(body, id).operand),
        }
    }

    fn part_type(&self, available: Available) -> Option<SilType> {
        let mut ty = self.environment.body.ty(self.whole(available.instruction));
        for part in self.steps(ty, available.path)? {
            ty = SilType::object(part.ty);
        }
        Some(ty)
    }

    fn steps(&self, ty: SilType, path: ProjectionPath) -> Option<Vec<AggregatePart>> {
        let (mut ty, mut path, mut steps) = (ty.ty, path, Vec::new());
        while let Some(step) = path.first() {
            let (Projection::Struct(index) | Projection::Tuple(index)) = step else { return None };
            let part = *parts(self.environment.queries, ty)?.get(index as usize)?;
            steps.push(part);
            ty = part.ty;
            path = path.rest();
        }
        Some(steps)
    }

    /// Creates the loaded value at a point where it is available.
    fn provide(&mut self, load: InstructionId, available: Available) -> Value {
        let id = available.instruction;
        let whole = self.whole(id);
        let is_store = self.environment.body.instructions[id].opcode == Opcode::Store;
        if taken(self.view, load) {
            return match available.path.is_empty() {
                true => self.take_over(id, whole),
                false => self.take_part(id, available.path),
            };
        }
        let place = if is_store { Place::Before(id) } else { Place::After(id) };
        let whole_type = self.environment.body.ty(whole);
        let steps = self.steps(whole_type, available.path).unwrap_or_default();
        let copies = self.has_ownership() && !self.is_trivial(whole_type);
        let is_owned = copies && self.view.ownership(whole) == Ownership::Owned;
        let part_is_copied =
            copies && !self.is_trivial(steps.last().map_or(whole_type, |part| SilType::object(part.ty)));
        let mut builder = InstructionBuilder::new(&mut self.body, place, id);
        let borrows = is_owned && !steps.is_empty();
        let borrowed = match borrows {
            true => builder.begin_borrow(whole),
            false => whole,
        };
        let mut value = borrowed;
        for part in steps {
            value = part.extract(&mut builder, value);
        }
        if part_is_copied {
            value = builder.copy_value(value);
        }
        if borrows {
            builder.end_borrow(borrowed);
        }
        value
    }

    /// Forwards the value of `id` to a load that takes it: the store is removed, or the earlier load takes the value
    /// instead.
    fn take_over(&mut self, id: InstructionId, whole: Value) -> Value {
        let body = self.environment.body;
        if body.instructions[id].opcode == Opcode::Load {
            let attributes = &mut self.body.instructions[id].attributes;
            attributes.remove(Attribute::Copy);
            attributes.insert(Attribute::Take);
            // The users of the load use a copy of its result.
            return InstructionBuilder::new(&mut self.body, Place::After(id), id).copy_value(whole);
        }
        let destination = Store::of(body, id).destination;
        if body.instructions[id].attributes.contains(Attribute::Assign) {
            InstructionBuilder::new(&mut self.body, Place::Before(id), id).destroy_addr(destination);
        }
        self.body.erase(id);
        whole
    }

    /// Extracts a part of the value that `id` loads or stores from memory. The other parts are loaded or stored
    /// separately.
    fn take_part(&mut self, id: InstructionId, path: ProjectionPath) -> Value {
        let body = self.environment.body;
        let is_store = body.instructions[id].opcode == Opcode::Store;
        let address = if is_store { Store::of(body, id).destination } else { Unary::of(body, id).operand };
        let whole = self.whole(id);
        let steps = self.steps(body.ty(whole), path).unwrap_or_default();
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Take);
        let mut builder = InstructionBuilder::new(&mut self.body, Place::After(id), id);
        let mut place = address;
        for part in steps {
            place = part.project(&mut builder, place);
        }
        let value = builder.with(attributes).load(place);
        match is_store {
            true => self.divide_store(id),
            false => self.divide(id),
        }
        value
    }

    /// Splits a `copy_addr` into one per part.
    fn divide_copy(&mut self, copy: InstructionId) {
        let Environment { body: before, queries, .. } = self.environment;
        let CopyAddr { source, destination } = CopyAddr::of(before, copy);
        let ty = before.ty(source);
        let Some(parts) = parts(queries, ty.ty).filter(|parts| !parts.is_empty()) else { return };
        if has_deinit(self.environment, ty.ty) {
            return;
        }
        let written = before.instructions[copy].attributes;
        let kinds: Vec<AttributeSet> = parts
            .iter()
            .map(|part| {
                let mut attributes = written;
                if self.has_ownership() && self.is_trivial(SilType::object(part.ty)) {
                    attributes.remove(Attribute::Take);
                }
                attributes
            })
            .collect();
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(copy), copy);
        for (part, attributes) in parts.into_iter().zip(kinds) {
            let [source, destination] = [source, destination].map(|whole| part.project(&mut builder, whole));
            builder.with(attributes).copy_addr(source, destination);
        }
        self.body.erase(copy);
        self.is_changed = true;
    }

    /// Splits a store into one per part.
    fn divide_store(&mut self, store: InstructionId) {
        let source = Store::of(self.environment.body, store).source;
        self.is_changed |= divide_store(self.environment, &mut self.body, store, self.view.ownership(source));
    }

    /// Adds the dependences of the loaded address to the value.
    fn with_dependences(&mut self, load: InstructionId, value: Value) -> Value {
        let before = self.environment.body;
        let mut dependences = Vec::new();
        let mut address = Unary::of(before, load).operand;
        while let Some(id) = before.defining(address) {
            let opcode = before.instructions[id].opcode;
            if opcode == Opcode::MarkDependence {
                dependences.push(id);
            }
            let passes_on = matches!(
                opcode,
                Opcode::MarkDependence
                    | Opcode::StructElementAddr
                    | Opcode::TupleElementAddr
                    | Opcode::BeginAccess
                    | Opcode::IndexAddr
                    | Opcode::UncheckedTakeEnumDataAddr
            );
            match before.operands(id).first().filter(|_| passes_on) {
                Some(operand) => address = *operand,
                None => break,
            }
        }
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(load), load);
        dependences.into_iter().rev().fold(value, |dependent, id| {
            let base = MarkDependence::of(before, id).base;
            let attributes = before.instructions[id].attributes;
            builder.with(attributes).mark_dependence(dependent, base)
        })
    }

    /// Splits a load into one per part.
    fn divide(&mut self, load: InstructionId) {
        let Environment { body: before, queries, .. } = self.environment;
        let (address, Some(result)) = (Unary::of(before, load).operand, before.result(load)) else { return };
        let ty = before.ty(result);
        let Some(parts) = parts(queries, ty.ty).filter(|parts| !parts.is_empty()) else { return };
        if has_deinit(self.environment, ty.ty) {
            return;
        }
        let attributes = before.instructions[load].attributes;
        let kinds: Vec<AttributeSet> =
            parts.iter().map(|part| self.part_attributes(attributes, SilType::object(part.ty))).collect();
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(load), load);
        let mut values = Vec::new();
        for (part, attributes) in parts.iter().zip(kinds) {
            let place = part.project(&mut builder, address);
            values.push(builder.with(attributes).load(place));
        }
        let whole = match parts.first().map(|part| part.step) {
            Some(Step::Tuple(_)) => builder.tuple(&values, ty),
            _ => builder.structure(&values, ty),
        };
        self.replacements.replace(result, whole);
        self.replaced.push(load);
        self.is_changed = true;
    }

    /// The attributes of a load of a part.
    fn part_attributes(&self, whole: AttributeSet, ty: SilType) -> AttributeSet {
        let mut attributes = whole;
        if self.has_ownership() && self.is_trivial(ty) {
            attributes.remove(Attribute::Copy);
            attributes.remove(Attribute::Take);
            attributes.insert(Attribute::Trivial);
        }
        attributes
    }

    /// Converts a `copy_addr` to a load and a store.
    fn load_and_store(&mut self, copy: InstructionId) {
        let before = self.environment.body;
        let CopyAddr { source, destination } = CopyAddr::of(before, copy);
        let written = before.instructions[copy].attributes;
        let ty = before.ty(source).object_type();
        let (mut of_load, mut of_store) = (AttributeSet::default(), AttributeSet::default());
        if self.has_ownership() && self.is_trivial(ty) {
            of_load.insert(Attribute::Trivial);
            of_store.insert(Attribute::Trivial);
        } else if self.has_ownership() {
            of_load.insert(if written.contains(Attribute::Take) { Attribute::Take } else { Attribute::Copy });
            of_store.insert(if written.contains(Attribute::Init) { Attribute::Init } else { Attribute::Assign });
        }
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(copy), copy);
        let value = builder.with(of_load).load(source);
        builder.with(of_store).store(value, destination);
        self.body.erase(copy);
        self.is_changed = true;
    }
}

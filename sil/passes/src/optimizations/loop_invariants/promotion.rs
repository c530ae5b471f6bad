//! Promotes memory that a loop only loads and stores: it is loaded in the preheader and stored in the exit blocks.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, NestedAccess, StoragePath, UseRelation};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, MemoryBehavior, Opcode};
use sil_ir::model::views::{Store, StructExtract, TupleExtract, Unary};
use sil_ir::model::{BlockId, Body, FunctionFlag, InstructionId, Ownership, Place, Replacements, Value};

use super::contents::{Contents, LoopContext};
use super::moving::{remove_unused, split_exits};
use super::{Splits, splitting};
use crate::InstructionBuilder;
use crate::editing::instruction_copies::copy;
use crate::editing::value_flow::{Point, ValueFlow};

/// Promotes a memory location, or splits a load so that the next round can promote it. Returns `None` if there is
/// nothing to do.
pub(super) fn promote(context: &LoopContext<'_, '_>, contents: &Contents, splits: &mut Splits) -> Option<Body> {
    if contents.reads_otherwise || contents.stores.is_empty() {
        return None;
    }
    let memory = LoopMemory::new(context, contents);
    let mut seen = FxHashSet::default();
    for store in &contents.stores {
        let Some(place) = memory.places.get(store) else { continue };
        let address = Store::of(context.environment.body, *store).destination;
        let is_invariant = place.base.is_some() && steps_in_loop(context, address).is_some();
        if !is_invariant || !seen.insert(place) || !memory.is_only_loaded_and_stored(*store, place) {
            continue;
        }
        let wide = memory.wider_loads(place);
        if let Some(load) = wide.first() {
            let count = splits.entry(place.clone()).or_default();
            if let Some(body) = splitting::split(context, (*load, &memory.places[load]), (*store, place), count) {
                return Some(body);
            }
            continue;
        }
        if let Some(body) = memory.promoted(*store, place) {
            return Some(body);
        }
    }
    None
}

/// The loads and stores of a loop.
struct LoopMemory<'c, 'l, 'm> {
    context: &'c LoopContext<'l, 'm>,
    contents: &'c Contents,
    /// The storage paths that the loads and stores access, if they are known.
    places: FxHashMap<InstructionId, StoragePath>,
}

impl<'c, 'l, 'm> LoopMemory<'c, 'l, 'm> {
    fn new(context: &'c LoopContext<'l, 'm>, contents: &'c Contents) -> Self {
        let body = context.environment.body;
        let place = |id: InstructionId| {
            let place = StoragePath::of(context.view, address(body, id), NestedAccess::Ignore)?;
            Some((id, place))
        };
        let accesses = contents.loads.iter().chain(&contents.stores);
        Self { context, contents, places: accesses.filter_map(|id| place(*id)).collect() }
    }

    fn relation(&self, place: &StoragePath, id: InstructionId) -> Option<UseRelation> {
        place.relation_of(self.places.get(&id)?)
    }

    fn is_store_to(&self, place: &StoragePath, id: InstructionId) -> bool {
        self.contents.stores.contains(&id) && self.relation(place, id) == Some(UseRelation::Exact)
    }

    /// Returns whether all accesses of `place` are stores to it and loads of it, of its parts, or of aggregates that
    /// contain it.
    fn is_only_loaded_and_stored(&self, store: InstructionId, place: &StoragePath) -> bool {
        let aliases = self.context.aliases;
        let stored = Store::of(self.context.environment.body, store).destination;
        let is_elsewhere = |id: &InstructionId| aliases.memory_effect(*id, stored) == MemoryBehavior::None;
        let is_related = |load: &InstructionId| {
            self.places.get(load).is_some_and(|loaded| loaded.contains(place) || place.contains(loaded))
        };
        self.contents.side_effects.iter().all(|id| self.is_store_to(place, *id) || is_elsewhere(id))
            && self.contents.loads.iter().all(|load| is_related(load) || is_elsewhere(load))
    }

    /// The loads of aggregates that contain `place`.
    fn wider_loads(&self, place: &StoragePath) -> Vec<InstructionId> {
        let is_wider = |load: &&InstructionId| {
            self.places.get(load).is_some_and(|loaded| loaded.contains(place) && !place.contains(loaded))
        };
        self.contents.loads.iter().filter(is_wider).copied().collect()
    }

    /// The loads of `place` and its parts.
    fn loads_within(&self, place: &StoragePath) -> Vec<InstructionId> {
        let is_within = |load: &&InstructionId| self.places.get(load).is_some_and(|loaded| place.contains(loaded));
        self.contents.loads.iter().filter(is_within).copied().collect()
    }

    /// Returns the body with `place` promoted.
    fn promoted(&self, store: InstructionId, place: &StoragePath) -> Option<Body> {
        let before = self.context.environment.body;
        let ty = before.ty(Store::of(before, store).source);
        let stores: Vec<InstructionId> =
            self.contents.stores.iter().filter(|id| self.is_store_to(place, **id)).copied().collect();
        let loads: Vec<Taken> =
            self.loads_within(place).into_iter().map(|load| self.taken(load, place, ty)).collect::<Option<_>>()?;
        let has_type = |id: &InstructionId| before.ty(Store::of(before, *id).source) == ty;
        let stores_loaded = |id: &InstructionId| {
            let source = before.defining(Store::of(before, *id).source);
            source.is_some_and(|source| loads.iter().any(|taken| taken.load == source))
        };
        if !stores.iter().all(has_type) || stores.iter().any(stores_loaded) || !self.is_stored_at_exits(place, &stores)
        {
            return None;
        }
        let mut body = before.clone();
        let exits = split_exits(self.context, &mut body);
        let end = body.terminator(self.context.preheader)?;
        let address = self.address_in_front(&mut body, Store::of(before, store).destination, end)?;
        let mut builder = InstructionBuilder::new(&mut body, Place::Before(end), end);
        let initial = builder.with(self.qualified()).load(address);
        if let Some(load) = body.defining(initial) {
            body.instructions[load].locate_automatically();
        }
        let values = self.values(&mut body, &stores, &loads, &exits, (initial, ty))?;
        let mut replacements = Replacements::default();
        for (taken, value) in loads.iter().zip(&values.loaded) {
            if let Some(result) = before.result(taken.load) {
                replacements.replace(result, taken.of(&mut body, *value));
            }
        }
        let last = *stores.last()?;
        for (exit, value) in exits.iter().zip(&values.at_exits) {
            InstructionBuilder::new(&mut body, Place::Start(*exit), last).with(self.qualified()).store(*value, address);
        }
        body.replace_values(&replacements);
        let gone: Vec<InstructionId> = loads.iter().map(|taken| taken.load).chain(stores).collect();
        gone.iter().for_each(|id| body.erase(*id));
        let addresses = gone.iter().map(|id| self::address(before, *id)).chain([initial]).collect();
        remove_unused(self.context, &mut body, addresses);
        Some(body)
    }

    /// The projections from the value of `place`, of type `whole`, to a loaded part. `None` if the address does not
    /// show them.
    fn taken(&self, load: InstructionId, place: &StoragePath, whole: SilType) -> Option<Taken> {
        let body = self.context.environment.body;
        let depth = self.places.get(&load)?.fields.len() - place.fields.len();
        let mut steps = projections(body, Unary::of(body, load).operand, depth)?;
        steps.reverse();
        let source = steps.first().map_or(Unary::of(body, load).operand, |step| step.outer);
        (body.ty(source).ty == whole.ty).then_some(Taken { load, steps })
    }

    /// Returns whether each exit is preceded by a store to the place, unless the program ends there. A store in the
    /// preheader counts too, since it becomes dead.
    fn is_stored_at_exits(&self, place: &StoragePath, stores: &[InstructionId]) -> bool {
        let (context, body) = (self.context, self.context.environment.body);
        let header = context.graph.nest.loops[context.id].header;
        let storing: FxHashSet<BlockId> = stores.iter().map(|store| body.instructions[*store].block).collect();
        let is_store_to = |id: InstructionId| {
            let stored = Store::get(body, id)
                .filter(|_| body.instructions[id].opcode == Opcode::Store)
                .and_then(|store| StoragePath::of(context.view, store.destination, NestedAccess::Ignore));
            stored.is_some_and(|stored| place.relation_of(&stored) == Some(UseRelation::Exact))
        };
        if storing.contains(&header) || body.instructions_in(context.preheader).any(is_store_to) {
            return true;
        }
        let mut unstored = FxHashSet::from_iter([header]);
        let mut open = vec![header];
        while let Some(block) = open.pop() {
            for target in body.terminator(block).map_or(&[][..], |end| body.targets(end)) {
                if context.contains(*target) && !storing.contains(target) && unstored.insert(*target) {
                    open.push(*target);
                }
            }
        }
        let ends_program = |block: &BlockId| {
            body.terminator(*block).is_some_and(|end| body.instructions[end].opcode == Opcode::Unreachable)
        };
        context.exiting_and_latches().iter().all(|block| {
            let targets = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
            !unstored.contains(block) || targets.iter().any(ends_program)
        })
    }

    /// Copies the projections of an address from the loop to the preheader.
    fn address_in_front(&self, body: &mut Body, address: Value, end: InstructionId) -> Option<Value> {
        let mut copies = FxHashMap::default();
        for step in steps_in_loop(self.context, address)?.iter().rev() {
            let copied = copy(body, Place::Before(end), *step, &copies);
            copies.insert(body.result(*step)?, body.result(copied)?);
        }
        Some(copies.get(&address).copied().unwrap_or(address))
    }

    /// The attributes of loads and stores. With ownership, only trivial values are promoted.
    fn qualified(&self) -> AttributeSet {
        let mut attributes = AttributeSet::default();
        if self.context.environment.function.has(FunctionFlag::Ossa) {
            attributes.insert(Attribute::Trivial);
        }
        attributes
    }

    /// The value of the place at each load and each exit.
    fn values(
        &self,
        body: &mut Body,
        stores: &[InstructionId],
        loads: &[Taken],
        exits: &[BlockId],
        (initial, ty): (Value, SilType),
    ) -> Option<PlaceValues> {
        let before = self.context.environment.body;
        let source = |store: InstructionId| Store::of(before, store).source;
        let block = |id: InstructionId| before.instructions[id].block;
        let mut available = FxHashMap::from_iter([(self.context.preheader, initial)]);
        // The last store of a block determines the value at its end.
        available.extend(stores.iter().map(|store| (block(*store), source(*store))));
        let stored_before = |load: InstructionId| {
            let above = before.instructions_in(block(load)).take_while(|id| *id != load);
            above.filter(|id| stores.contains(id)).last().map(source)
        };
        let known: Vec<Option<Value>> = loads.iter().map(|taken| stored_before(taken.load)).collect();
        let open = loads.iter().zip(&known).filter(|(_, known)| known.is_none());
        let mut wanted: Vec<Point> = open.map(|(taken, _)| Point::Start(block(taken.load))).collect();
        wanted.extend(exits.iter().map(|exit| Point::Start(*exit)));
        let cfg = ControlFlowGraph::new(body);
        let flow = ValueFlow::of_definitions(body, &cfg, &available, &wanted, (ty, Ownership::None))?;
        let mut arriving = flow.apply(body).into_iter();
        let loaded = known.into_iter().map(|known| known.or_else(|| arriving.next())).collect::<Option<_>>()?;
        Some(PlaceValues { loaded, at_exits: arriving.collect() })
    }
}

/// The promoted values of a place.
struct PlaceValues {
    /// The value at each load.
    loaded: Vec<Value>,
    /// The value at each exit of the loop.
    at_exits: Vec<Value>,
}

/// A load of a place or of a part of it.
struct Taken {
    load: InstructionId,
    /// The projections from the address of the place, outermost first.
    steps: Vec<AddressStep>,
}

impl Taken {
    /// Extracts the loaded part from the value of the place.
    fn of(&self, body: &mut Body, whole: Value) -> Value {
        let mut value = whole;
        for step in &self.steps {
            let step = step.instruction;
            let (field, index) = (StructExtract::get(body, step), TupleExtract::get(body, step));
            let ty = body.result(step).map_or(body.ty(value), |address| body.ty(address).object_type());
            let mut builder = InstructionBuilder::new(body, Place::Before(self.load), self.load);
            value = match (field, index) {
                (Some(projection), _) => builder.struct_extract(value, projection.field, ty),
                (None, Some(projection)) => builder.tuple_extract(value, projection.index, ty),
                (None, None) => value,
            };
        }
        value
    }
}

/// The address that a load or store accesses.
fn address(body: &Body, id: InstructionId) -> Value {
    Store::get(body, id).map_or_else(|| Unary::of(body, id).operand, |store| store.destination)
}

/// The projections of an address in the loop, from an invariant base, last one first. `None` if the address varies.
fn steps_in_loop(context: &LoopContext<'_, '_>, address: Value) -> Option<Vec<InstructionId>> {
    use Opcode::{IndexAddr, PointerToAddress, StructElementAddr, TupleElementAddr};
    let body = context.environment.body;
    let mut steps = Vec::new();
    let mut outer = address;
    while !context.is_value_invariant(body, outer) {
        let step = body.defining(outer)?;
        let (first, others) = body.operands(step).split_first()?;
        let is_step = matches!(
            body.instructions[step].opcode,
            StructElementAddr | TupleElementAddr | IndexAddr | PointerToAddress
        );
        if !is_step || !others.iter().all(|other| context.is_value_invariant(body, *other)) {
            return None;
        }
        steps.push(step);
        outer = *first;
    }
    Some(steps)
}

/// The projection of an address from an aggregate's address.
pub(super) struct AddressStep {
    instruction: InstructionId,
    pub(super) outer: Value,
}

/// The last `depth` projections of an address, last one first. `None` if other instructions define it.
pub(super) fn projections(body: &Body, address: Value, depth: usize) -> Option<Vec<AddressStep>> {
    let mut steps = Vec::new();
    let mut current = address;
    for _ in 0..depth {
        let instruction = body.defining(current)?;
        let is_step =
            matches!(body.instructions[instruction].opcode, Opcode::StructElementAddr | Opcode::TupleElementAddr);
        let outer = *body.operands(instruction).first().filter(|_| is_step)?;
        steps.push(AddressStep { instruction, outer });
        current = outer;
    }
    Some(steps)
}

//! Merges consecutive stores to all fields of a struct into one store of the struct.

use sil_analysis::{InstructionEffects, field_number};
use sil_ir::instructions::{Attribute, AttributeSet, MemoryBehavior, Opcode};
use sil_ir::model::views::Store;
use sil_ir::model::{Body, Function, InstructionId, Module, Place, Value};
use sil_ir::types::{ConformanceTable, Copyability, TypeQueries};

use crate::InstructionBuilder;
use crate::knowledge::aggregate_parts;

/// Returns the body of an initialiser with merged stores; `None` if there are none.
pub(super) fn merge(module: &Module, function: &Function, body: &Body) -> Option<Body> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let mut merged: Option<Body> = None;
    for id in body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::Store) {
        let current = merged.as_ref().unwrap_or(body);
        let is_placed = current.instructions_in(current.instructions[id].block).any(|placed| placed == id);
        let found = if is_placed { Stores::find(module, &queries, function, current, id) } else { None };
        if let Some(found) = found {
            let mut next = current.clone();
            found.merge(&mut next);
            merged = Some(next);
        }
    }
    merged
}

/// Stores to all fields of one struct.
struct Stores {
    address: Value,
    /// The stores by field.
    stores: Vec<InstructionId>,
    last: InstructionId,
}

impl Stores {
    /// Returns the stores that begin with `first`.
    fn find(
        module: &Module,
        queries: &TypeQueries<'_>,
        function: &Function,
        body: &Body,
        first: InstructionId,
    ) -> Option<Self> {
        let (address, _) = field(queries, body, first)?;
        let ty = body.ty(address).ty;
        if queries.properties(ty, function.signature).copyability == Copyability::Noncopyable {
            return None;
        }
        let mut stores = vec![None; aggregate_parts::parts(queries, ty)?.len()];
        let effects = InstructionEffects::new(module, queries);
        for id in body.instructions_from(first) {
            if body.instructions[id].opcode == Opcode::Store {
                let (_, index) = field(queries, body, id).filter(|(stored, _)| *stored == address)?;
                if stores.get_mut(index as usize)?.replace(id).is_some() {
                    return None;
                }
                if let Some(stores) = stores.iter().copied().collect() {
                    return Some(Self { address, stores, last: id });
                }
            } else if effects.memory_behavior(body, id) != MemoryBehavior::None {
                return None;
            }
        }
        None
    }

    fn merge(self, body: &mut Body) {
        let values: Vec<Value> = self.stores.iter().map(|store| Store::of(body, *store).source).collect();
        let ty = body.ty(self.address).object_type();
        let attributes: AttributeSet = body.instructions[self.last].attributes;
        let mut builder = InstructionBuilder::new(body, Place::After(self.last), self.last);
        let whole = builder.structure(&values, ty);
        builder.with(attributes).store(whole, self.address);
        let places: Vec<Value> = self.stores.iter().map(|store| Store::of(body, *store).destination).collect();
        self.stores.into_iter().for_each(|store| body.erase(store));
        for place in places {
            let used = body.placed_instructions().any(|id| body.operands(id).contains(&place));
            if let Some(id) = body.defining(place).filter(|_| !used) {
                body.erase(id);
            }
        }
    }
}

/// Returns the address of the struct and the index of the field for a store of a trivial value.
fn field(queries: &TypeQueries<'_>, body: &Body, store: InstructionId) -> Option<(Value, u32)> {
    let place = body.defining(Store::of(body, store).destination)?;
    let is_trivial = body.instructions[store].attributes.contains(Attribute::Trivial);
    if !is_trivial || body.instructions[place].opcode != Opcode::StructElementAddr {
        return None;
    }
    Some((*body.operands(place).first()?, field_number(queries, body, place)?))
}

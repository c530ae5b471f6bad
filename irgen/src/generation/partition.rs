//! The partition of a large module into units: each is a separate LLVM module, generated on any thread. Only the SIL
//! module determines it, so that the result does not depend on the number of threads. Functions keep their order, so
//! that functions which were written together are compiled together.

use cranelift_entity::SecondaryMap;
use sil_ir::model::{Body, Details, FunctionId, GlobalId, Module, VTable, WitnessEntry, WitnessTable};

use super::{ConformancePart, DistributedTarget, Entity, IRGenModule, TypePart};
use crate::target::OptimizationLevel;

/// The minimum number of instructions for partitioning an optimised module: calls between units are not inlined.
const SMALLEST_OPTIMIZED_MODULE: usize = 30_000;

/// The approximate number of instructions in a unit.
const UNIT_SIZE: usize = 5_000;

/// The approximate minimum number of instructions in a unit of an unoptimised module, which take twenty times as long
/// as beginning a unit.
const SMALLEST_UNIT_SIZE: usize = 1_000;

/// The number of units smaller than `UNIT_SIZE` that a module is partitioned into.
const SMALL_UNITS: usize = 6;

/// The maximum number of units: more would spend too much time on repeated declarations.
const UNITS_AT_MOST: usize = 64;

/// The index of a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(usize);

impl UnitId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The unit that defines each entity.
pub struct Partition {
    count: usize,
    functions: SecondaryMap<FunctionId, UnitId>,
    /// The first unit with a function that uses each global.
    globals: SecondaryMap<GlobalId, Option<UnitId>>,
}

/// A unit of a partition.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// The unit that defines each entity.
    pub partition: &'a Partition,
    /// The unit.
    pub unit: UnitId,
}

impl Partition {
    /// Partitions a module into units, unless it stays whole.
    pub fn of(sil: &Module, optimization: OptimizationLevel) -> Option<Self> {
        let size = |body: &Body| body.instructions.len();
        let total: usize = sil.functions.values().filter_map(|function| function.body.as_ref()).map(size).sum();
        let count = count_of_units(total, optimization)?;
        let mut partition = Self { count, functions: SecondaryMap::new(), globals: SecondaryMap::new() };
        let mut before = 0;
        for (id, function) in sil.functions.iter() {
            let Some(body) = &function.body else { continue };
            let unit = UnitId(before * count / total);
            partition.functions[id] = unit;
            partition.add_uses(sil, body, unit);
            before += size(body);
        }
        Some(partition)
    }

    fn add_uses(&mut self, sil: &Module, body: &Body, unit: UnitId) {
        for instruction in body.instructions.values() {
            if let Details::Global(name, _) = instruction.details
                && let Some(global) = sil.global_named(name)
            {
                self.globals[global].get_or_insert(unit);
            }
        }
    }

    /// The units, in order.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.count).map(UnitId)
    }
}

/// Returns the number of units of a module of `total` instructions, or `None` for a whole module.
fn count_of_units(total: usize, optimization: OptimizationLevel) -> Option<usize> {
    let count = match optimization {
        OptimizationLevel::O0 => (total / UNIT_SIZE).max((total / SMALLEST_UNIT_SIZE).min(SMALL_UNITS)),
        _ if total < SMALLEST_OPTIMIZED_MODULE => 1,
        _ => total / UNIT_SIZE,
    };
    Some(count.min(UNITS_AT_MOST)).filter(|count| *count > 1)
}

impl IRGenModule<'_, '_> {
    /// Returns whether this is the first unit of the module, or all of it: it defines the entities of the module as a
    /// whole.
    pub(super) fn is_first_unit(&self) -> bool {
        self.part.is_none_or(|part| part.unit == UnitId::default())
    }

    /// Returns the unit that defines `entity`, if it is a different one. Entities outside of the SIL module are defined
    /// by each unit.
    pub(super) fn other_unit(&self, entity: &Entity) -> Option<UnitId> {
        let Part { partition, unit } = self.part?;
        let of_table = |function: Option<FunctionId>| function.map_or(UnitId::default(), |id| partition.functions[id]);
        let owner = match entity {
            Entity::Function(id) => partition.functions[*id],
            Entity::FunctionPointer(_, code) => return self.other_unit(code),
            Entity::OfReplaceable(_, id)
            | Entity::DistributedAccessor(DistributedTarget::Thunk(id))
            | Entity::AccessibleFunction(DistributedTarget::Thunk(id)) => partition.functions[*id],
            Entity::Global(id) => partition.globals[*id].unwrap_or_default(),
            Entity::ClassMetadata(class) => {
                of_table(self.vtable(*class).and_then(|table| first_method(self.sil, table)))
            }
            Entity::OfType(TypePart::DemanglingCache, _)
            | Entity::OfConformance(ConformancePart::LazyAccessor | ConformancePart::LazyCache, _) => return None,
            Entity::OfType(part, _) if part.is_name() => return None,
            // The entities of a type that the module declares are in one unit.
            Entity::OfType(..) | Entity::OfNominal(..) | Entity::OfConformance(..) | Entity::ValueWitness(..) => {
                UnitId::default()
            }
            Entity::PropertyDescriptor(_)
            | Entity::OpaqueDescriptor(_)
            | Entity::OfOpaqueTypes(..)
            | Entity::MethodThunk(_)
            | Entity::RequirementThunk(..)
            | Entity::DistributedAccessor(_)
            | Entity::AccessibleFunction(_)
            | Entity::CaseTag(..)
            | Entity::FieldOffset(..)
            | Entity::RemovedMethod(..)
            | Entity::MethodDescriptor(_)
            | Entity::DifferentiabilityWitness(_)
            | Entity::OwnRequirement(_) => UnitId::default(),
            Entity::WitnessTable(conformance) => {
                let table = self.program.witness_tables.table(*conformance);
                of_table(table.and_then(|table| first_witness(self.sil, table)))
            }
            Entity::Runtime(_)
            | Entity::C(_)
            | Entity::TypeLayout(_)
            | Entity::HeapMetadata(_)
            | Entity::Captures(_)
            | Entity::StaticArrayMetadata
            | Entity::HeapDestroyer(_)
            | Entity::Block(_)
            | Entity::Forwarder(_)
            | Entity::AsyncDeparture(_)
            | Entity::String(_)
            | Entity::IntegerLiteral(_)
            | Entity::OutlinedEnum(..)
            | Entity::GotEquivalent(_)
            | Entity::EntryPoint
            | Entity::AutolinkEntries
            | Entity::Helper(_)
            | Entity::ModuleDescriptor(_)
            | Entity::LocalContext(_)
            | Entity::ExistentialShape(..)
            | Entity::LibraryWitnesses(_)
            | Entity::Requirement(_)
            | Entity::DispatchThunk(..)
            | Entity::ReflectedName(_)
            | Entity::PlainName(_)
            | Entity::KeyPath(..)
            | Entity::GenericEnvironment(_)
            | Entity::KeyPathTableAccessor(_)
            | Entity::KeyPathTableName(_)
            | Entity::OpaqueContext(..)
            | Entity::Replacements
            | Entity::AutomaticReplacements
            | Entity::OpaqueReplacements
            | Entity::CoroutineAllocator
            | Entity::CoroutinePrototype(_) => return None,
        };
        Some(owner).filter(|owner| *owner != unit)
    }
}

fn first_method(sil: &Module, table: &VTable) -> Option<FunctionId> {
    table.entries.iter().find_map(|entry| sil.function_named(entry.function))
}

fn first_witness(sil: &Module, table: &WitnessTable) -> Option<FunctionId> {
    table.entries.iter().flatten().find_map(|entry| match entry {
        WitnessEntry::Method { function, .. } => function.and_then(|function| sil.function_named(function)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{OptimizationLevel, count_of_units};

    #[test]
    fn small_modules_are_cut_where_nothing_is_optimised() {
        let counts = |level| [1_999, 2_000, 9_000, 29_999, 45_000, 1_000_000].map(|total| count_of_units(total, level));
        assert_eq!(counts(OptimizationLevel::O0), [None, Some(2), Some(6), Some(6), Some(9), Some(64)]);
        assert_eq!(counts(OptimizationLevel::O2), [None, None, None, None, Some(9), Some(64)]);
    }
}

//! The uses of functions: the instructions that refer to each, and whether tables or other modules may call it, so that
//! the list is incomplete (SwiftCompilerSources/Sources/Optimizer/DataStructures/FunctionUses.swift).

use cranelift_entity::SecondaryMap;
use sil_ir::context::Name;
use sil_ir::model::{
    Details, FunctionId, InstructionId, KeyPathComponentKind, KeyPathComputed, KeyPathIdentifier, Linkage, Module,
    WitnessEntry,
};

use super::ModuleExtent;

/// The uses of the functions of a module.
pub struct FunctionUses {
    users: SecondaryMap<FunctionId, Vec<(FunctionId, InstructionId)>>,
    has_unknown: SecondaryMap<FunctionId, bool>,
}

impl FunctionUses {
    /// Those of all functions, as far as a module of this extent shows them.
    pub fn new(module: &Module, extent: ModuleExtent) -> Self {
        let mut users: SecondaryMap<FunctionId, Vec<(FunctionId, InstructionId)>> = SecondaryMap::new();
        for (user, function) in &module.functions {
            let Some(body) = &function.body else { continue };
            for id in body.placed_instructions() {
                let named = functions_named(&body.instructions[id].details);
                for used in named.into_iter().filter_map(|name| module.function_named(name)) {
                    users[used].push((user, id));
                }
            }
        }
        let tables = in_tables(module);
        let mut has_unknown = SecondaryMap::new();
        for (id, function) in &module.functions {
            has_unknown[id] = is_seen_elsewhere(function.linkage, extent) || tables.contains(&function.name);
        }
        Self { users, has_unknown }
    }

    /// The instructions that refer to a function, the last one first, each with the function that it stands in.
    pub fn of(&self, function: FunctionId) -> impl Iterator<Item = (FunctionId, InstructionId)> {
        self.users[function].iter().rev().copied()
    }

    /// Whether there may be other uses of a function.
    pub fn has_unknown(&self, function: FunctionId) -> bool {
        self.has_unknown[function]
    }
}

/// Whether a symbol with this linkage is visible outside of a module of this extent.
pub fn is_seen_elsewhere(linkage: Linkage, extent: ModuleExtent) -> bool {
    match linkage {
        Linkage::Private | Linkage::Shared => false,
        Linkage::Hidden => extent == ModuleExtent::Files,
        _ => true,
    }
}

fn functions_named(details: &Details) -> Vec<Name> {
    match details {
        Details::Function(name) => vec![*name],
        Details::KeyPath(path) => {
            let computed = path.components.iter().filter_map(|component| match &component.kind {
                KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed) => Some(computed),
                _ => None,
            });
            computed.flat_map(|computed| functions_of_component(computed)).collect()
        }
        _ => Vec::new(),
    }
}

fn functions_of_component(computed: &KeyPathComputed) -> Vec<Name> {
    let identifier = match &computed.identifier {
        KeyPathIdentifier::Function(name, _) => Some(*name),
        KeyPathIdentifier::Member(..) | KeyPathIdentifier::Property(_) => None,
    };
    let others = [computed.setter, computed.equals, computed.hash].into_iter().flatten().map(|(name, _)| name);
    identifier.into_iter().chain([computed.getter.0]).chain(others).collect()
}

/// The functions that tables have.
fn in_tables(module: &Module) -> Vec<Name> {
    let methods = module.vtables.iter().flat_map(|table| &table.entries).map(|entry| entry.function);
    let witnesses = module.witness_tables.iter().flat_map(|table| table.entries.iter().flatten());
    let defaults = module.default_witness_tables.iter().flat_map(|table| table.entries.iter().flatten());
    let witnesses = witnesses.chain(defaults).filter_map(|entry| match entry {
        WitnessEntry::Method { function, .. } => *function,
        _ => None,
    });
    methods.chain(witnesses).collect()
}

//! Methods of nongeneric classes that override methods of generic classes. A call through the vtable uses the
//! conventions of specialised functions, so that the override's thunk (docs/SIL/SIL.md, "VTables") must use them too.
//! swiftc 6.2 leaves such thunks unchanged, and its code fails at run time.

use sil_ir::context::{Name, SubstitutionMapId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Function, FunctionId, Module, VTableEntry};
use sil_ir::types::{ConformanceTable, TypeQueries};

use crate::knowledge::aggregate_parts::TypePlace;
use crate::optimizations::generic_specialization::{Reabstraction, reabstracted};
use crate::pass::settings::Settings;

/// Makes the vtable thunks for overrides of generic classes' methods pass values directly.
pub(super) fn reabstract(module: &mut Module, settings: &Settings) {
    let changed: Vec<(FunctionId, Function)> = {
        let module = &*module;
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let place = TypePlace { queries, signature: None, settings };
        let entries = module.vtables.iter().flat_map(|table| &table.entries);
        let mut thunks: Vec<FunctionId> = entries.filter_map(|entry| thunk(module, place, entry)).collect();
        thunks.sort_unstable();
        thunks.dedup();
        let changed = |id: FunctionId| Some((id, reabstracted(module, place, &module.functions[id])?));
        thunks.into_iter().filter_map(changed).collect()
    };
    for (id, function) in changed {
        module.functions[id] = function;
    }
}

/// Reports a library's thunk in a needed vtable that does not pass values directly: its compiled code uses other
/// conventions.
pub(super) fn refusal(module: &Module, place: TypePlace<'_>, entry: &VTableEntry, class: Name) -> Option<Diagnostic> {
    thunk(module, place, entry)?;
    let class = module.context.text(class);
    let what = format!("a method of the class {class} in a library that overrides one of a generic class");
    Some(Diagnostic::unsupported(what, entry.span))
}

/// Returns the function of an entry, if it passes values by address that callers of the generic class's method pass
/// directly.
fn thunk(module: &Module, place: TypePlace<'_>, entry: &VTableEntry) -> Option<FunctionId> {
    let queries = place.queries;
    let introduced_by = queries.context.get_member(entry.member).parent?;
    queries.declarations.get(introduced_by).signature?;
    let id = module.function_named(entry.function)?;
    let function = &module.functions[id];
    let passes_values = || {
        let reabstraction = Reabstraction::of_type(place, function.ty, SubstitutionMapId::EMPTY);
        reabstraction.is_some_and(|reabstraction| reabstraction.passes_values())
    };
    (function.signature.is_none() && passes_values()).then_some(id)
}

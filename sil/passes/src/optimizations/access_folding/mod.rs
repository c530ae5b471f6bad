//! Optimises dynamic exclusivity checks. Follows lib/SILOptimizer/Transforms/AccessEnforcementOpts.cpp. Accesses
//! without nested conflicts are marked `no_nested_conflict`, which makes their checks cheaper. If that holds for all
//! accesses of a local variable, they all become static. Two accesses with no conflict between them are merged.
//!
//! This file owns the order of the steps. `conflicts` computes the conflicts over the `regions`, and `merging` merges
//! accesses.
//!
//! Unlike Swift's pass, this one assumes that a deinitialiser may access captured boxes, and that the caller of a
//! coroutine may access any storage.

mod conflicts;
mod merging;
mod regions;

use sil_analysis::{AccessContext, AccessSet, CalleeAnalysis, FunctionAccesses, KnownStorage, NestedConflict};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, FunctionId, InstructionId};
use sil_ir::parallel;

use self::conflicts::Conflicts;
use self::regions::Regions;
use crate::editing::editor::Editor;
use crate::pass::{Description, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const ACCESS_FOLDING: Pass = Pass::new(&Description {
    name: "access-enforcement-opts",
    class_name: "AccessEnforcementOpts",
    summary: "Marks accesses without nested conflicts, removes checks of local variables and merges adjacent accesses.",
    gates: Gates::OPEN,
    runner: Runner::Module(fold),
});

/// Marks, makes static and merges the accesses of all functions.
pub(crate) fn fold(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, settings, .. } = environment;
    let has_checks = |id: &FunctionId| {
        let body = module.functions[*id].body.as_ref();
        body.is_some_and(|body| body.placed_instructions().any(|begin| is_checked(body, begin)))
    };
    let functions: Vec<FunctionId> = environment.functions().into_iter().filter(has_checks).collect();
    if functions.is_empty() {
        return Rewrites::new();
    }
    let callees = CalleeAnalysis::new(module, queries, settings.extent);
    let context = AccessContext { module, queries, callees: &callees };
    let called = FunctionAccesses::new(context, functions.iter().copied(), AccessSet::default());
    let found = parallel::map(&functions, |id| {
        let function = environment.of_function(*id)?;
        let (body, view) = (function.body, function.view());
        let regions = Regions::new(body, &view.cfg);
        let conflicts = conflicts::find(context, &called, &view, &regions)?;
        let pairs = merging::possible(&view, &regions, function.analyses, conflicts.pairs.clone());
        Some((*id, conflicts, pairs))
    });
    let found: Vec<_> = found.into_iter().flatten().collect();
    let is_free = |conflicts: &Conflicts| without_conflicts(conflicts).map(|(begin, _)| begin).collect::<Vec<_>>();
    let conflict_free: AccessSet = found
        .iter()
        .flat_map(|(id, conflicts, _)| is_free(conflicts).into_iter().map(|begin| (module.functions[*id].name, begin)))
        .collect();
    let accesses = FunctionAccesses::new(context, functions.iter().copied(), conflict_free);
    let rewrite = |(id, conflicts, pairs): &(FunctionId, Conflicts, Vec<(InstructionId, InstructionId)>)| {
        let mut editor = Editor::new(environment.of_function(*id)?);
        mark(&mut editor, conflicts);
        uncheck(&mut editor, conflicts, &accesses, *id);
        merging::merge(&mut editor, pairs);
        Some((*id, Ok(editor.finish()?)))
    };
    parallel::map(&found, rewrite).into_iter().flatten().collect::<Vec<(FunctionId, Result<Rewrite, _>)>>()
}

fn is_checked(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    instruction.opcode == Opcode::BeginAccess && instruction.attributes.contains(Attribute::Dynamic)
}

/// The accesses without nested conflicts, with their storage.
fn without_conflicts(conflicts: &Conflicts) -> impl Iterator<Item = (InstructionId, Option<KnownStorage>)> {
    let is_free = conflicts.accesses.iter().filter(|(_, access)| access.nested == NestedConflict::None);
    is_free.map(|(begin, access)| (*begin, access.storage))
}

fn mark(editor: &mut Editor<'_>, conflicts: &Conflicts) {
    for (begin, _) in without_conflicts(conflicts) {
        if !editor.body().instructions[begin].attributes.contains(Attribute::NoNestedConflict) {
            editor.edit_attributes(begin, |attributes| attributes.insert(Attribute::NoNestedConflict));
        }
    }
}

/// Makes the accesses of local variables static if no access of the variable has a nested conflict.
fn uncheck(editor: &mut Editor<'_>, conflicts: &Conflicts, accesses: &FunctionAccesses, function: FunctionId) {
    let Some(all) = accesses.of(function).filter(|all| all.unidentified().is_none()) else { return };
    for (begin, storage) in without_conflicts(conflicts) {
        let Some(storage) = storage.filter(KnownStorage::is_local) else { continue };
        if all.access(&storage).is_some_and(|access| access.nested == NestedConflict::None) {
            editor.edit_attributes(begin, |attributes| {
                attributes.remove(Attribute::Dynamic);
                attributes.insert(Attribute::Static);
            });
        }
    }
}

//! The storage that functions access under dynamic enforcement, as text
//! (lib/SILOptimizer/UtilityPasses/AccessStorageAnalysisDumper.cpp).

use sil_analysis::{
    AccessContext, AccessKind, AccessSet, AccessStorage, AccessedStorage, CalleeAnalysis, FunctionAccesses,
    KnownStorage, ModuleExtent, NestedConflict, StorageAccess,
};
use sil_ir::context::Name;
use sil_ir::model::Module;
use sil_ir::types::TypeQueries;
use sil_text::print::{Comments, PrintOptions, Printer};

use super::accesses::property_text;
use super::{Subject, subjects};

/// The accesses of each function, those of its callees included.
pub(super) fn summaries(module: &Module, queries: &TypeQueries<'_>, extent: ModuleExtent) -> String {
    let callees = CalleeAnalysis::new(module, queries, extent);
    let context = AccessContext { module, queries, callees: &callees };
    let accesses = FunctionAccesses::new(context, module.functions.keys(), AccessSet::default());
    let subjects = subjects(module, queries);
    let mut out = String::new();
    for (id, function) in &module.functions {
        out += &format!("@{}\n", module.context.text(function.name));
        out += &match accesses.of(id).filter(|_| function.body.is_some()) {
            Some(found) => summary(module, queries, &subjects, found),
            None => "<unknown>\n".to_owned(),
        };
    }
    out
}

fn summary(module: &Module, queries: &TypeQueries<'_>, subjects: &[Subject<'_>], found: &AccessedStorage) -> String {
    let lines = found.storages().map(|(storage, StorageAccess { kind, nested })| {
        let nested = match nested {
            NestedConflict::None => "[no_nested_conflict] ",
            NestedConflict::Possible => "",
        };
        let storage = storage_text(module, queries, subjects, storage);
        format!("  [{}] {nested}{storage}", kind_name(kind))
    });
    let unidentified = found.unidentified().map(|kind| format!("  unidentified accesses: {}\n", kind_name(kind)));
    lines.chain(unidentified).collect()
}

fn kind_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Init | AccessKind::Modify | AccessKind::Deinit => "modify",
    }
}

fn storage_text(module: &Module, queries: &TypeQueries<'_>, subjects: &[Subject<'_>], known: &KnownStorage) -> String {
    let kind = known.storage.kind_name();
    let text = match known.storage {
        AccessStorage::Global(name) => Some(global_text(module, queries, name)),
        storage => storage.root().and_then(|root| {
            let subject = subjects.iter().find(|subject| Some(subject.function.name) == known.function)?;
            let value = subject.lines.value(root);
            Some(match storage {
                AccessStorage::Class { property, .. } => {
                    let field = property_text(subject, root, property).unwrap_or_default();
                    format!("{value}{field} Index: {property}\n")
                }
                _ => value,
            })
        }),
    };
    format!("{kind} {}", text.unwrap_or_else(|| "\n".to_owned()))
}

/// The line of a global, as the module has it.
fn global_text(module: &Module, queries: &TypeQueries<'_>, name: Name) -> String {
    let Some(id) = module.global_named(name) else { return "\n".to_owned() };
    let options = PrintOptions { comments: Comments::Write, ..PrintOptions::default() };
    let mut printer = Printer::with_options(&module.context, &module.declarations, options);
    printer.global(module, queries, &module.globals[id]);
    printer.out
}

//! Conversions of integers in generic code, of which the text of SIL does not tell which one is meant: only argument labels tell
//! `T(x)`, `T(truncatingIfNeeded: x)` and `T(clamping: x)` apart, and these are not written.
//!
//! Does not own: what they are taken for, which is the first, and what is known of the standard library's own functions
//! (`syntax/library_conversions.rs`).

use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, InstructionId, LanguageMode, Linkage, Module, Stage, views};
use crate::transform::messages::findings::warning_at;
use crate::types::{ConformanceTable, TypeQueries};

/// A warning for each function of a module's own that has such conversions, at the first one. What libraries have lent (shared functions) nobody who
/// compiles the module has written. Of canonical modules of Embedded Swift there are none: what is left of generic functions there is never called.
pub fn warn_of_guesses(module: &Module) -> Vec<Diagnostic> {
    if module.mode == LanguageMode::Embedded && module.stage != Stage::Raw {
        return Vec::new();
    }
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let is_own = |function: &&Function| !function.linkage.is_external() && function.linkage != Linkage::Shared;
    let in_function = |function: &Function| {
        let body = function.body.as_ref()?;
        let guessed = body.placed_instructions().find(|id| is_guessed(queries, body, *id))?;
        Some(warning(body, guessed).in_function(function.name))
    };
    module.functions.values().filter(is_own).filter_map(in_function).collect()
}

fn is_guessed(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> bool {
    let Some(views::WitnessMethod { method, .. }) = views::WitnessMethod::get(body, id) else { return false };
    queries.context.get_member(method.member).conversion.is_none() && queries.may_be_several_conversions(method)
}

fn warning(body: &Body, id: InstructionId) -> Diagnostic {
    let message = "which conversion of integers is called here is not in the text of SIL: it is taken for 'init(_:)', which stops the program where \
                   the value does not fit";
    warning_at(body, id, "guessed-conversion", message)
}

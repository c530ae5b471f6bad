//! Strings made from literals.

use sil_analysis::ApplySite;
use sil_ir::model::{Body, InstructionId, Module};

/// The `@_semantics` of functions that create a string from a literal, and have no other effect.
const MAKES_STRING: &str = "string.makeUTF8";

/// Returns whether a call creates a string from a literal, its first argument, and has no other effect.
pub(crate) fn makes_string(module: &Module, body: &Body, call: InstructionId) -> bool {
    let called = ApplySite::new(body, call).and_then(ApplySite::called_function);
    let called = called.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
    called.is_some_and(|function| function.semantics(&module.context).any(|name| name == MAKES_STRING))
}

//! Strings that are made of literals.

use crate::analysis::ApplySite;
use crate::model::{Body, InstructionId, Module};

/// The `@_semantics` of functions that make strings of literals and do nothing else.
const MAKES_STRING: &str = "string.makeUTF8";

/// Whether a call makes a string of a literal, which is its first argument, and does nothing else.
pub(in crate::transform) fn makes_string(module: &Module, body: &Body, call: InstructionId) -> bool {
    let called = ApplySite::new(body, call).and_then(ApplySite::called_function);
    let called = called.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
    called.is_some_and(|function| function.semantics(&module.context).any(|name| name == MAKES_STRING))
}

//! Infers from its text whether a module was printed from a compiled library. Such a text has the stage `raw`, although
//! its functions are canonical, and names types of the library's imports without importing them: only the imports of
//! every module are printed.

use super::scan::{Entity, EntityKind};

/// Returns whether the module with the code `code` that was cut into `entities` was printed from a compiled library:
/// the module is raw and all its functions are canonical.
pub(super) fn is_library(code: &str, entities: &[Entity]) -> bool {
    let of_kind = |kind| {
        let found = entities.iter().filter(move |entity| entity.kind == kind);
        found.map(|entity| &code[entity.start as usize..entity.end as usize])
    };
    let is_raw = of_kind(EntityKind::Stage).any(|stage| stage.split_whitespace().nth(1) == Some("raw"));
    is_raw && of_kind(EntityKind::Function).all(is_canonical)
}

/// Returns whether `[canonical]` precedes the name of a function.
fn is_canonical(function: &str) -> bool {
    let flags = function.split('@').next().unwrap_or_default();
    flags.contains("[canonical]")
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::super::scan::entities;
    use super::*;

    fn library(text: &str) -> bool {
        let code = Code::of(text);
        is_library(code.as_str(), &entities(&code))
    }

    #[test]
    fn canonical_functions_in_a_raw_module() {
        assert!(library("sil_stage raw\nsil [serialized] [canonical] @f : $() -> ()\n"));
        assert!(!library("sil_stage canonical\nsil [serialized] [canonical] @f : $() -> ()\n"));
    }

    #[test]
    fn raw_functions_are_of_a_module_that_is_being_compiled() {
        // The text of a literal is no flag.
        let text = "sil_stage raw\nsil [canonical] @f : $() -> ()\nsil [_semantics \"[canonical]\"] @g : $() -> ()\n";
        assert!(!library(text));
        assert!(!library("sil_stage raw\nsil [canonical] @f : $() -> ()\nsil @g : $() -> ()\n"));
    }
}

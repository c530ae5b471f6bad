//! The meanings of type names in a dump's copies of library functions (`public_external`, docs/SIL/SIL.md, "Linkage"):
//! the library's types, never types of the module with the same name. Specialisations of such functions belong to the
//! module and may name both.

use sil_ir::context::{Name, NominalId};
use sil_ir::declarations::{Meaning, Origin};
use sil_ir::source::Span;
use sil_ir::symbols::Symbol;

use super::fill::Filler;
use super::outline::EntryKind;
use super::private_namesakes::ModuleText;
use crate::syntax::scan::{Entity, EntityKind};

/// The linkage of a copy.
const OF_LIBRARY: &str = "public_external";

impl Filler<'_, '_> {
    /// Records that copies of library functions mean the library's types for names that the module declares too.
    pub(super) fn resolve_library_copies(&mut self) {
        let Some(module) = self.module else { return };
        let hidden = self.types_that_hide(module);
        if hidden.is_empty() {
            return;
        }
        let copies = module.entities.iter().filter(|entity| is_copy(module.text, entity));
        let copies: Vec<Span> =
            copies.map(|entity| Span { file: module.file, start: entity.start, end: entity.end }).collect();
        for (name, imported) in hidden {
            let parts = copies.iter().map(|span| (*span, Meaning::One(imported))).collect();
            self.table.namesakes.add(name, module.file, parts);
        }
    }

    /// Returns the names of the module's types that imported types have too, with the imported types. Names that
    /// several types of the module share are handled by the namesakes.
    fn types_that_hide(&self, module: ModuleText<'_>) -> Vec<(Name, NominalId)> {
        let own = self.outline.entries.iter().filter_map(|entry| match entry.kind {
            EntryKind::Nominal { name, .. } if entry.container.is_none() && entry.span.file == module.file => {
                Some(name)
            }
            _ => None,
        });
        let is_imported = |id: &&NominalId| self.table.get(**id).origin == Origin::Imported;
        let hidden = own.filter(|name| !self.table.namesakes.has(*name)).filter_map(|name| {
            self.table.all_top_level(name).iter().rev().find(is_imported).map(|imported| (name, *imported))
        });
        hidden.collect()
    }
}

/// Returns whether an entity is such a copy. A function without a Swift symbol was written by hand, with the names of
/// the module around it.
fn is_copy(text: &str, entity: &Entity) -> bool {
    let (head, rest) = text[entity.start as usize..entity.end as usize].split_once('@').unwrap_or_default();
    let symbol = || rest.split([' ', '"']).find(|part| !part.is_empty()).unwrap_or_default();
    entity.kind == EntityKind::Function
        && head.split_whitespace().any(|word| word == OF_LIBRARY)
        && Symbol::demangle(symbol()).is_some()
}

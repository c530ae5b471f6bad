//! What names of types mean in a dump's copies of functions that a library declares (`public_external`, docs/SIL/SIL.md, "Linkage"): what the library knows,
//! never a type that the module itself calls the same. Specialisations of such functions are the module's own, and may name both.

use super::fill::Filler;
use super::outline::EntryKind;
use super::private_namesakes::ModuleText;
use crate::context::{Name, NominalId};
use crate::declarations::{Meaning, Origin};
use crate::source::Span;
use crate::symbols::Symbol;
use crate::syntax::scan::{Entity, EntityKind};

/// The linkage of a copy.
const OF_LIBRARY: &str = "public_external";

impl Filler<'_, '_> {
    /// Notes that copies of a library's functions mean the library's types where the module has one called the same.
    pub(super) fn tell_library_copies(&mut self) {
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

    /// The names of types of the module that are those of imported ones as well, with these. Of those that mean several types of the module more is
    /// known.
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

/// Whether an entity is such a copy. What has no symbol of Swift's was written by hand, in terms of what stands beside it.
fn is_copy(text: &str, entity: &Entity) -> bool {
    let (head, rest) = text[entity.start as usize..entity.end as usize].split_once('@').unwrap_or_default();
    let symbol = || rest.split([' ', '"']).find(|part| !part.is_empty()).unwrap_or_default();
    entity.kind == EntityKind::Function
        && head.split_whitespace().any(|word| word == OF_LIBRARY)
        && Symbol::demangle(symbol()).is_some()
}

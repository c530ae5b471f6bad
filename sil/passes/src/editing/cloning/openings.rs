//! Renames the archetypes that a body opens, so that each clone opens its own.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use sil_analysis::opening;
use sil_ir::context::{Name, SubstitutionMapId};
use sil_ir::model::{Body, InstructionId};
use sil_ir::types::TypeQueries;

use super::TypeCloner;

/// A new name for each archetype that `body` opens. `site` distinguishes this cloning from others into the same
/// function.
pub(super) fn opened_anew(queries: &TypeQueries<'_>, body: &Body, site: InstructionId) -> FxHashMap<Name, Name> {
    let mut names = FxHashMap::default();
    for id in body.placed_instructions() {
        if let Some((uuid, _)) = opening(queries, body, id) {
            names.insert(uuid, fresh(queries, uuid, site));
        }
    }
    names
}

/// Renames archetypes in a body.
pub(crate) fn rename(queries: &TypeQueries<'_>, body: &mut Body, names: FxHashMap<Name, Name>) {
    let types =
        TypeCloner { queries, substitutions: SubstitutionMapId::EMPTY, signature: None, opened: names, history: None };
    let placed: Vec<InstructionId> = body.placed_instructions().collect();
    for id in placed {
        let details = types.details(&body.instructions[id].details);
        if details != body.instructions[id].details {
            body.instructions[id].details = details;
        }
        for ty in body.types_mut(id) {
            *ty = types.sil_type(*ty);
        }
    }
    for value in body.values.values_mut() {
        value.ty = types.sil_type(value.ty);
    }
}

/// A UUID derived from another UUID and the site.
pub(crate) fn fresh(queries: &TypeQueries<'_>, uuid: Name, site: InstructionId) -> Name {
    let half = |salt: u8| {
        let mut hasher = FxHasher::default();
        (queries.context.text(uuid), site.as_u32(), salt).hash(&mut hasher);
        hasher.finish()
    };
    let (first, second) = (half(0), half(1));
    let text = format!(
        "{:08X}-{:04X}-{:04X}-{:04X}-{:012X}",
        first >> 32,
        first >> 16 & 0xFFFF,
        first & 0xFFFF,
        second >> 48,
        second & 0xFFFF_FFFF_FFFF
    );
    queries.context.name(&text)
}

//! Decides whether all stores to an object initialise tail elements that the object destroys, each once.

use sil_analysis::{AccessStorage, BodyView, ElementOffset, NestedAccess, StoragePath};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{BeginDeallocRef, Store};
use sil_ir::model::{InstructionId, Value};

use crate::editing::editor::Editor;

/// The limit on compared stores to one element.
const MOST_STORES: usize = 8;

/// Returns whether all nontrivial stores among `users` initialise elements that `destruction` destroys.
pub(super) fn hold_all_stores(
    editor: &Editor<'_>,
    allocation: InstructionId,
    destruction: InstructionId,
    users: &[InstructionId],
) -> bool {
    let view = editor.view();
    let (Some(object), &[_, pointer, count]) = (view.body.result(allocation), view.body.operands(destruction)) else {
        return false;
    };
    let Some(destroyed) = view.integer(count).and_then(|count| i32::try_from(count).ok()) else { return false };
    let destroyed = i64::from(destroyed);
    let destroys = element(&view, pointer, object).is_some_and(|(offset, fields)| offset == 0 && fields.is_empty());
    if !destroys {
        return false;
    }
    let mut block = None;
    let mut stored: Vec<(i64, Vec<u32>)> = Vec::new();
    for id in users.iter().copied().filter(|id| view.opcode(*id) == Opcode::Store) {
        // If all stores are in one block, they all precede the destruction of the elements.
        let own = view.body.instructions[id].block;
        if *block.get_or_insert(own) != own {
            return false;
        }
        let Store { source, destination } = Store::of(view.body, id);
        if editor.is_trivial(view.body.ty(source)) {
            continue;
        }
        match element(&view, destination, object) {
            Some(place) if (0..destroyed).contains(&place.0) => stored.push(place),
            _ => return false,
        }
    }
    are_apart(stored)
}

/// The element of the object, and the field path within it, that an address refers to.
fn element(view: &BodyView<'_>, address: Value, object: Value) -> Option<(i64, Vec<u32>)> {
    let path = StoragePath::of(view, address, NestedAccess::Ignore)?;
    let AccessStorage::Tail(root) = path.storage else { return None };
    let ElementOffset::Known(offset) = path.offset else { return None };
    let root = match view.definition(root) {
        Some((id, Opcode::BeginDeallocRef)) => BeginDeallocRef::of(view.body, id).allocation,
        _ => root,
    };
    (root == object).then_some((offset, path.fields))
}

/// Returns whether no two stores overlap. Otherwise a value would be released twice.
fn are_apart(mut stored: Vec<(i64, Vec<u32>)>) -> bool {
    stored.sort();
    stored.iter().enumerate().all(|(index, (offset, fields))| {
        let others = stored[index + 1..].iter().take_while(|(other, _)| other == offset);
        let others: Vec<&(i64, Vec<u32>)> = others.collect();
        let overlaps = |other: &Vec<u32>| other.starts_with(fields) || fields.starts_with(other);
        others.len() <= MOST_STORES && !others.iter().any(|(_, other)| overlaps(other))
    })
}

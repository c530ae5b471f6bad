//! Removes dead allocations: objects, stack variables and key paths that are only written to, with all their users.
//! Follows lib/SILOptimizer/Transforms/DeadObjectElimination.cpp.
//!
//! This file owns the choice of allocations and the treatment of stored values. `users` collects the users,
//! `destructors` computes the effects of destructors, and `tail_elements` decides whether an array destroys the stored
//! values.
//!
//! Does not own: arrays that are allocated by a call.

mod destructors;
mod tail_elements;
mod users;

use sil_analysis::ownership_scopes::OwnershipUses;
use sil_analysis::{AnalyzedModule, ControlFlowGraph, Dominators, OwnershipKinds, Uses, escapes_into_pointer};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Store, StructExtract, TupleExtract};
use sil_ir::model::{DebugOperator, DebugVariable, Details, InstructionId, Place, Value};

use self::destructors::{DestructorEffects, is_array_destruction};
use self::users::{Counts, Removal, Stores};
use crate::editing::deleter::{Deadness, delete_dead};
use crate::editing::editor::Editor;
use crate::knowledge::counting::Counting;
use crate::pass::{Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner, over_analyzed};

pub(crate) const DEAD_OBJECT_ELIMINATION: Pass = Pass::new(&Description {
    name: "deadobject-elim",
    class_name: "DeadObjectElimination",
    summary: "Removes objects and stack slots that are only written.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate),
});

/// Removes the dead objects of all functions.
pub(crate) fn eliminate(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    let mut editor = Editor::new(environment);
    for id in environment.body.placed_instructions() {
        if !editor.is_placed(id) {
            continue;
        }
        match editor.opcode(id) {
            Opcode::AllocRef | Opcode::AllocRefDynamic => remove_object(&mut editor, analyzed, id),
            Opcode::AllocStack => remove_variable(&mut editor, id),
            Opcode::Keypath => remove_key_path(&mut editor, id),
            _ => None,
        };
    }
    editor.finish()
}

/// Removes an object whose destructor has no visible effects. Returns `None` if it is kept.
fn remove_object(editor: &mut Editor<'_>, analyzed: &AnalyzedModule<'_>, id: InstructionId) -> Option<()> {
    let effects = destructors::of_object(editor.environment, analyzed, editor.body(), id);
    let counts = if effects == DestructorEffects::Unknown { Counts::Needed } else { Counts::Removable };
    let users = Removal { editor, counts, stores: Stores::All }.users(id)?;
    if editor.has_ownership() {
        let owned = owned_stores(editor, &users)?;
        destroy_stored(editor, &owned);
    } else {
        release_tail_elements(editor, effects, &users)?;
    }
    remove(editor, users);
    Some(())
}

fn remove_variable(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let ty = editor.body().ty(editor.body().result(id)?).object_type();
    // Without ownership, the retain of a stored reference may be anywhere.
    let stores = if editor.has_ownership() || editor.is_trivial(ty) { Stores::All } else { Stores::Trivial };
    let users = Removal { editor, counts: Counts::Removable, stores }.users(id)?;
    let owned = if editor.has_ownership() { owned_stores(editor, &users)? } else { Vec::new() };
    users.iter().for_each(|user| show_stored(editor, *user));
    destroy_stored(editor, &owned);
    remove(editor, users);
    Some(())
}

fn remove_key_path(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let users = Removal { editor, counts: Counts::Removable, stores: Stores::All }.users(id)?;
    let is_consumed = |value: &Value| {
        let ty = editor.body().ty(*value);
        !ty.is_address() && !editor.is_trivial(ty)
    };
    let consumed: Vec<Value> = editor.body().operands(id).iter().copied().filter(is_consumed).collect();
    if !editor.has_ownership() && !consumed.is_empty() || !can_end_early(editor, &consumed) {
        return None;
    }
    consumed.into_iter().for_each(|value| destroy_before(editor, id, value));
    remove(editor, users);
    Some(())
}

/// Removes an allocation with its users and their dead operands.
fn remove(editor: &mut Editor<'_>, users: Vec<InstructionId>) {
    let operands = users.iter().flat_map(|user| editor.body().operands(*user));
    let makers: Vec<InstructionId> = operands.filter_map(|value| editor.body().defining(*value)).collect();
    users.into_iter().for_each(|user| editor.erase(user));
    delete_dead(editor, makers, Deadness::Scopes);
}

/// Returns whether the lifetimes of values can be shortened: they are neither lexical nor do they escape into a
/// pointer.
fn can_end_early(editor: &Editor<'_>, values: &[Value]) -> bool {
    let Environment { queries, function, .. } = editor.environment;
    let body = editor.body();
    let cfg = ControlFlowGraph::new(body);
    let kinds = OwnershipKinds::new(queries, function, body, &cfg);
    let uses = Uses::new(body);
    values.iter().all(|value| {
        !kinds.is_lexical(&cfg, *value)
            && !escapes_into_pointer(OwnershipUses { body, uses: &uses, kinds: &kinds }, &cfg, *value)
    })
}

fn destroy_before(editor: &mut Editor<'_>, id: InstructionId, value: Value) {
    editor.build(Place::Before(id), id, |builder| {
        builder.destroy_value(value);
    });
}

/// The stores that consume their source. `None` if the source must not be destroyed at the store.
fn owned_stores(editor: &Editor<'_>, users: &[InstructionId]) -> Option<Vec<InstructionId>> {
    let consumes = |id: &InstructionId| {
        editor.opcode(*id) == Opcode::Store && !editor.body().instructions[*id].attributes.contains(Attribute::Trivial)
    };
    let stores: Vec<InstructionId> = users.iter().copied().filter(consumes).collect();
    let sources: Vec<Value> = stores.iter().map(|id| Store::of(editor.body(), *id).source).collect();
    can_end_early(editor, &sources).then_some(stores)
}

/// Destroys stored values at their stores.
fn destroy_stored(editor: &mut Editor<'_>, stores: &[InstructionId]) {
    for id in stores {
        let source = Store::of(editor.body(), *id).source;
        destroy_before(editor, *id, source);
    }
}

/// Releases the values stored to the tail elements where the object would release them. Returns `None` if that is not a
/// single place.
fn release_tail_elements(editor: &mut Editor<'_>, effects: DestructorEffects, users: &[InstructionId]) -> Option<()> {
    let releases = |id: &InstructionId| {
        is_array_destruction(editor.body(), *id)
            || effects == DestructorEffects::DestroysTailElements && users::may_release(editor.opcode(*id))
    };
    let mut releasing = users.iter().copied().filter(releases);
    let Some(place) = releasing.next() else { return Some(()) };
    if releasing.next().is_some() {
        return None;
    }
    let body = editor.body();
    let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
    let is_store = |id: &&InstructionId| editor.opcode(**id) == Opcode::Store;
    let sources: Vec<Value> = users.iter().filter(is_store).map(|id| Store::of(body, *id).source).collect();
    let reaches = |value: &Value| {
        editor
            .body()
            .defining_block(*value)
            .is_some_and(|block| dominators.dominates(block, body.instructions[place].block))
    };
    sources.iter().all(reaches).then_some(())?;
    for source in sources {
        if let Some(release) = Counting::of(editor.environment, editor.body().ty(source)).release() {
            editor.build(Place::Before(place), place, |builder| {
                builder.effect(release, source);
            });
        }
    }
    Some(())
}

/// Inserts a `debug_value` for the value that a store would have written to a variable.
fn show_stored(editor: &mut Editor<'_>, id: InstructionId) {
    if editor.opcode(id) != Opcode::Store {
        return;
    }
    let Store { source, destination } = Store::of(editor.body(), id);
    let Some(variable) = variable_part(editor, destination) else { return };
    editor.build(Place::Before(id), id, |builder| {
        builder.debug_value(source, Some(variable));
    });
}

/// The variable, or the part of a variable, at an address.
fn variable_part(editor: &Editor<'_>, address: Value) -> Option<Box<DebugVariable>> {
    let body = editor.body();
    let id = body.defining(address)?;
    match editor.opcode(id) {
        Opcode::AllocStack => {
            let Details::Variable(variable) = &body.instructions[id].details else { return None };
            variable.name?;
            let mut variable = variable.clone();
            variable.ty = variable.ty.or(Some(body.ty(address).object_type()));
            Some(variable)
        }
        Opcode::StructElementAddr => {
            let StructExtract { operand, field } = StructExtract::of(body, id);
            let mut variable = variable_part(editor, operand)?;
            variable.expression.push(DebugOperator::Fragment(field));
            Some(variable)
        }
        Opcode::TupleElementAddr => {
            let TupleExtract { operand, index } = TupleExtract::of(body, id);
            let mut variable = variable_part(editor, operand)?;
            variable.expression.push(DebugOperator::TupleFragment(body.ty(operand).ty, index));
            Some(variable)
        }
        _ => None,
    }
}

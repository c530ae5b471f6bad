//! Removes stores to a stack variable that is only read: the stored value is used instead.

use sil_analysis::{Analyses, Dominators, Use};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CopyAddr, MarkDependence, Store};
use sil_ir::model::{Body, FunctionFlag, InstructionId, Ownership, Place, Value};

use crate::editing::editor::Editor;
use crate::editing::lifetime_completion::liveness;
use crate::knowledge::aggregate_parts::has_enum;
use crate::knowledge::counting::Counting;
use crate::pass::Analyzed;

/// Returns the body without the variable that the store `id` initialises, or `None` if it is needed.
pub(super) fn without_temporary(analyzed: &Analyzed<'_, '_>, id: InstructionId) -> Option<Body> {
    let body = analyzed.view.body;
    let Store { source, destination } = Store::of(body, id);
    let allocation = body.defining(destination)?;
    let attributes = body.instructions[allocation].attributes;
    let is_kept = attributes.contains(Attribute::Lexical) || attributes.contains(Attribute::DynamicLifetime);
    if body.instructions[allocation].opcode != Opcode::AllocStack
        || is_kept
        || body.instructions[id].attributes.contains(Attribute::Assign)
    {
        return None;
    }
    let uses = analyzed.view.uses.of(destination);
    let dominators = Dominators::new(body, &analyzed.view.cfg);
    // In a loop, the value of the previous iteration may be read.
    let is_after = |user: InstructionId| {
        body.instructions[user].opcode == Opcode::DeallocStack || dominators.instruction_dominates(body, id, user)
    };
    let can_use = |found: &Use| found.user == id || is_read(body, *found, destination) && is_after(found.user);
    if !uses.iter().all(can_use) {
        return None;
    }
    let mut editor = Editor::new(analyzed.environment);
    for found in editor.uses(destination) {
        if found.user != id {
            use_value(&mut editor, found.user, source);
        }
    }
    editor.erase(id);
    editor.erase(allocation);
    let body = editor.into_body();
    let is_completed = analyzed.environment.function.has(FunctionFlag::Ossa)
        && analyzed.view.ownership(source) == Ownership::Owned
        && has_enum(analyzed.environment.queries, body.ty(source).ty);
    Some(if is_completed {
        liveness::complete(analyzed.environment.with_body(&body, &Analyses::default()), source)
    } else {
        body
    })
}

fn is_read(body: &Body, found: Use, variable: Value) -> bool {
    match body.instructions[found.user].opcode {
        Opcode::DestroyAddr | Opcode::DeallocStack | Opcode::Load | Opcode::FixLifetime => true,
        Opcode::CopyAddr => CopyAddr::of(body, found.user).destination != variable,
        Opcode::MarkDependence => MarkDependence::of(body, found.user).value != variable,
        _ => false,
    }
}

/// Replaces the use of the variable by `user` with a use of `value`.
fn use_value(editor: &mut Editor<'_>, user: InstructionId, value: Value) {
    let place = Place::Before(user);
    let attributes = editor.body().instructions[user].attributes;
    match editor.opcode(user) {
        Opcode::DestroyAddr => destroy(editor, user, value),
        Opcode::CopyAddr => {
            let CopyAddr { destination, .. } = CopyAddr::of(editor.body(), user);
            let copied = if attributes.contains(Attribute::Take) { value } else { copy(editor, user, value) };
            store(editor, user, copied, destination);
        }
        Opcode::Load => {
            let loaded = if attributes.contains(Attribute::Copy) { copy(editor, user, value) } else { value };
            editor.replace(user, loaded);
            return;
        }
        Opcode::FixLifetime => {
            editor.build(place, user, |builder| {
                builder.fix_lifetime(value);
            });
        }
        Opcode::MarkDependence => {
            let dependent = MarkDependence::of(editor.body(), user).value;
            let made = editor.build(place, user, |builder| builder.with(attributes).mark_dependence(dependent, value));
            editor.replace(user, made);
            return;
        }
        _ => {}
    }
    editor.erase(user);
}

fn build(editor: &mut Editor<'_>, user: InstructionId, opcode: Opcode, operand: Value) {
    editor.build(Place::Before(user), user, |builder| {
        builder.effect(opcode, operand);
    });
}

fn destroy(editor: &mut Editor<'_>, user: InstructionId, value: Value) {
    if !editor.has_ownership() {
        let counting = Counting::of(editor.environment, editor.body().ty(value));
        counting.release().into_iter().for_each(|release| build(editor, user, release, value));
    } else if editor.ownership(value) != Ownership::None {
        build(editor, user, Opcode::DestroyValue, value);
    }
}

/// Copies or retains `value`.
fn copy(editor: &mut Editor<'_>, user: InstructionId, value: Value) -> Value {
    let ty = editor.body().ty(value);
    if !editor.has_ownership() {
        let counting = Counting::of(editor.environment, ty);
        counting.retain().into_iter().for_each(|retain| build(editor, user, retain, value));
        return value;
    }
    if editor.ownership(value) == Ownership::None {
        return value;
    }
    editor.build(Place::Before(user), user, |builder| builder.copy_value(value))
}

/// Stores `value` like the copy `user` does. Without ownership, the overwritten value is loaded before and released.
fn store(editor: &mut Editor<'_>, user: InstructionId, value: Value, destination: Value) {
    let ty = editor.body().ty(value);
    let initializes = editor.body().instructions[user].attributes.contains(Attribute::Init);
    let is_trivial = editor.is_trivial(ty);
    let mut attributes = AttributeSet::default();
    let mut overwritten = None;
    if editor.has_ownership() {
        attributes.insert(match (is_trivial, initializes) {
            (true, _) => Attribute::Trivial,
            (false, true) => Attribute::Init,
            (false, false) => Attribute::Assign,
        });
    } else if !initializes && !is_trivial {
        overwritten = Some(editor.build(Place::Before(user), user, |builder| builder.load(destination)));
    }
    editor.build(Place::Before(user), user, |builder| {
        builder.with(attributes).store(value, destination);
    });
    overwritten.into_iter().for_each(|value| destroy(editor, user, value));
}

//! Removes closures that are unused after the inlining of calls. Their captures keep their lifetimes.

use sil_analysis::ApplySite;
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{self, Store, Unary};
use sil_ir::model::{Body, InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, Copyability};

use crate::editing::editor::Editor;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::lifetime_frontier;
use crate::pass::settings::OptimizationMode;

use super::callees::through_ownership;

/// Removes the unused functions among `values`. Returns whether stack nesting may be broken.
pub(super) fn remove_unused(editor: &mut Editor<'_>, values: Vec<Value>) -> bool {
    let mut breaks_nesting = false;
    let mut open = values;
    // Swift visits the callee of a call first.
    open.reverse();
    while let Some(value) = open.pop() {
        let is_placed = editor.body().defining(value).is_some_and(|id| editor.is_placed(id));
        if is_placed {
            let value = unload(editor, value).unwrap_or(value);
            let mut value = through_ownership(editor, value);
            while let Some(dependence) = editor.made_by(value, Opcode::MarkDependence) {
                value = views::MarkDependence::of(editor.body(), dependence).value;
            }
            breaks_nesting |= remove(editor, value);
        }
    }
    breaks_nesting
}

/// Removes a closure and its unused operands. Returns whether an unused one was removed.
fn remove(editor: &mut Editor<'_>, value: Value) -> bool {
    let source = match editor.body().defining(value) {
        Some(id) if matches!(editor.opcode(id), Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape) => {
            through_ownership(editor, Unary::of(editor.body(), id).operand)
        }
        _ => value,
    };
    let mut function = value;
    let maker = editor.body().defining(source);
    let maker = maker.filter(|id| matches!(editor.opcode(*id), Opcode::PartialApply | Opcode::ThinToThickFunction));
    if let Some(closure) = maker {
        let callee = editor.operand(closure, 0);
        if !remove_closure(editor, closure) {
            return false;
        }
        if let Some(callee) = callee {
            function = callee;
        }
    }
    remove_reference(editor, through_ownership(editor, function));
    maker.is_some()
}

/// Removes an unused reference to a function, and conversions of it.
fn remove_reference(editor: &mut Editor<'_>, value: Value) {
    let Some(id) = editor.body().defining(value).filter(|id| editor.is_placed(*id)) else { return };
    let is_plain = matches!(
        editor.opcode(id),
        Opcode::FunctionRef | Opcode::ConvertFunction | Opcode::ClassMethod | Opcode::WitnessMethod
    );
    if is_plain && editor.uses_but_debug(value).is_empty() {
        let operand = editor.operand(id, 0);
        editor.erase_with_debug_uses(id);
        if let Some(operand) = operand {
            remove_reference(editor, operand);
        }
    }
}

/// Returns the value stored to the box from which a called function was loaded. Removes the box if it has no other
/// uses.
fn unload(editor: &mut Editor<'_>, value: Value) -> Option<Value> {
    let load = editor.made_by(value, Opcode::Load);
    let address = load.map_or(value, |load| Unary::of(editor.body(), load).operand);
    let project = editor.made_by(address, Opcode::ProjectBox)?;
    let allocation = editor.made_by(editor.operand(project, 0)?, Opcode::AllocBox)?;
    let destroys = match load {
        Some(_) => match editor.uses(value)[..] {
            [] if !editor.has_ownership() => Vec::new(),
            [only] if editor.has_ownership() && editor.opcode(only.user) == Opcode::DestroyValue => vec![only.user],
            _ => return None,
        },
        None => Vec::new(),
    };
    let (mut end, mut store) = (None, None);
    for found in editor.uses(editor.body().result(allocation)?) {
        match editor.opcode(found.user) {
            Opcode::StrongRelease | Opcode::DestroyValue if end.is_none() => end = Some(found.user),
            _ if found.user == project => {}
            _ => return None,
        }
    }
    for found in editor.uses(address) {
        match editor.opcode(found.user) {
            _ if Some(found.user) == load => {}
            Opcode::Store if store.is_none() && found.operand == 1 => store = Some(found.user),
            _ => return None,
        }
    }
    let stored = store.map(|store| Store::of(editor.body(), store).source);
    if let Some((end, stored)) = end.zip(stored) {
        destroy(editor, Place::Before(end), end, stored);
    }
    destroys
        .into_iter()
        .chain(load)
        .chain(store)
        .chain(end)
        .chain([project, allocation])
        .for_each(|id| editor.erase(id));
    stored
}

/// Removes a closure that is only copied, borrowed and destroyed. Returns whether it was removed.
fn remove_closure(editor: &mut Editor<'_>, closure: InstructionId) -> bool {
    let Some(value) = editor.body().result(closure) else { return false };
    if editor.body().instructions[closure].attributes.contains(Attribute::OnStack) {
        return remove_on_stack(editor, closure, value);
    }
    let Some(users) = owners(editor, value) else { return false };
    if editor.opcode(closure) == Opcode::PartialApply && !keep_captured(editor, closure, &users) {
        return false;
    }
    users.into_iter().for_each(|user| editor.erase(user));
    editor.erase(closure);
    true
}

/// Removes a closure on the stack, which does not own its captures.
fn remove_on_stack(editor: &mut Editor<'_>, closure: InstructionId, value: Value) -> bool {
    let (mut users, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        for found in editor.uses(value) {
            match editor.opcode(found.user) {
                Opcode::DeallocStack | Opcode::DestroyValue | Opcode::DebugValue | Opcode::EndBorrow => {}
                Opcode::BeginBorrow => open.extend(editor.body().result(found.user)),
                Opcode::MarkDependence if found.operand == 0 => open.extend(editor.body().result(found.user)),
                _ => return false,
            }
            users.push(found.user);
        }
    }
    users.into_iter().chain([closure]).for_each(|id| editor.erase(id));
    true
}

/// Returns the instructions that retain, copy, borrow and destroy a closure, if it has no other uses.
fn owners(editor: &Editor<'_>, value: Value) -> Option<Vec<InstructionId>> {
    let (mut users, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        for found in editor.uses(value) {
            match editor.opcode(found.user) {
                Opcode::ConvertEscapeToNoescape | Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue => {
                    open.extend(editor.body().result(found.user));
                }
                Opcode::StrongRetain
                | Opcode::StrongRelease
                | Opcode::DestroyValue
                | Opcode::RetainValue
                | Opcode::ReleaseValue
                | Opcode::DebugValue
                | Opcode::EndBorrow => {}
                _ => return None,
            }
            users.push(found.user);
        }
    }
    Some(users)
}

/// Destroys the captures of a closure after the closure's last uses. Returns whether that is possible.
fn keep_captured(editor: &mut Editor<'_>, closure: InstructionId, users: &[InstructionId]) -> bool {
    let Some(captured) = consumed(editor, closure) else { return false };
    // A closure that is never destroyed does not destroy its captures.
    let is_shown = |user: &InstructionId| editor.opcode(*user) == Opcode::DebugValue;
    if captured.is_empty() || users.iter().all(is_shown) {
        return true;
    }
    let places = match is_dead(editor, closure, users) {
        true => vec![Place::Before(closure)],
        false => match lifetime_frontier(editor.body(), closure, users) {
            Some(places) => places,
            None => return false,
        },
    };
    let queries = editor.environment.queries;
    let signature = editor.environment.function.signature;
    let is_copyable =
        |value: &Value| queries.properties(editor.body().ty(*value).ty, signature).copyability == Copyability::Copyable;
    if !captured.iter().all(is_copyable) {
        return false;
    }
    for value in captured {
        let ty = editor.body().ty(value);
        let mut kept = value;
        if ty.is_address() {
            let mut takes = AttributeSet::default();
            takes.insert(Attribute::Take);
            takes.insert(Attribute::Init);
            kept = editor.build(Place::Before(closure), closure, |builder| {
                let memory = builder.alloc_stack(ty.object_type(), None);
                builder.with(takes).copy_addr(value, memory);
                memory
            });
        }
        for place in places.clone() {
            if ty.is_address() {
                editor.build(place, closure, |builder| {
                    builder.destroy_addr(kept);
                    builder.dealloc_stack(kept);
                });
            } else {
                destroy(editor, place, closure, kept);
            }
        }
    }
    true
}

/// Returns whether an owned closure can be deleted in place by the rules of
/// lib/SILOptimizer/Utils/InstructionDeleter.cpp: it has no address captures, it is only copied, borrowed and
/// destroyed, and it has neither a debug value nor a lexical scope.
fn is_dead(editor: &Editor<'_>, closure: InstructionId, users: &[InstructionId]) -> bool {
    let body = editor.body();
    let is_unseen = |user: &InstructionId| match editor.opcode(*user) {
        Opcode::CopyValue | Opcode::DestroyValue | Opcode::EndBorrow => true,
        Opcode::DebugValue => editor.environment.settings.optimization == OptimizationMode::Optimized,
        Opcode::BeginBorrow | Opcode::MoveValue => !body.instructions[*user].attributes.contains(Attribute::Lexical),
        _ => false,
    };
    editor.has_ownership()
        && !body.operands(closure).iter().any(|captured| body.ty(*captured).is_address())
        && users.iter().all(is_unseen)
}

/// Returns the values that a closure owns.
fn consumed(editor: &Editor<'_>, closure: InstructionId) -> Option<Vec<Value>> {
    let body = editor.body();
    let site = ApplySite::new(body, closure)?;
    let conventions = site.conventions(editor.environment.queries)?;
    let mut values = Vec::new();
    for (operand, value) in body.operands(closure).iter().enumerate().skip(1) {
        let is_changed = match site.argument_of_operand(conventions, operand)?.convention {
            ArgumentConvention::Parameter(convention) => {
                matches!(convention, ParameterConvention::InOut | ParameterConvention::InOutAliasable)
            }
            ArgumentConvention::Result(_) | ArgumentConvention::Error => return None,
        };
        if !is_changed && !editor.is_trivial(body.ty(*value).object_type()) {
            values.push(*value);
        }
    }
    Some(values)
}

/// Destroys `value` at `place`, or removes a preceding retain.
fn destroy(editor: &mut Editor<'_>, place: Place, like: InstructionId, value: Value) {
    if editor.has_ownership() {
        editor.build(place, like, |builder| {
            builder.destroy_value(value);
        });
        return;
    }
    let counting = Counting::of(editor.environment, editor.body().ty(value));
    let (Some(retain), Some(release)) = (counting.retain(), counting.release()) else { return };
    if let Some(retain) = retain_before(editor, place, retain, value) {
        editor.erase(retain);
        return;
    }
    editor.build(place, like, |builder| {
        builder.effect(release, value);
    });
}

/// Returns the last retain of `value` before `place` with no possible release after it.
fn retain_before(editor: &Editor<'_>, place: Place, retain: Opcode, value: Value) -> Option<InstructionId> {
    let body: &Body = editor.body();
    let mut current = match place {
        Place::Before(id) => body.previous(id),
        Place::After(id) => Some(id),
        Place::Start(_) => None,
        Place::End(block) => body.terminator(block),
    };
    while let Some(id) = current {
        let opcode = editor.opcode(id);
        if opcode == retain && body.operands(id) == [value] {
            return Some(id);
        }
        let is_harmless = matches!(
            opcode,
            Opcode::StrongRetain | Opcode::RetainValue | Opcode::Load | Opcode::AllocStack | Opcode::DeallocStack
        );
        if !is_harmless {
            return None;
        }
        current = body.previous(id);
    }
    None
}

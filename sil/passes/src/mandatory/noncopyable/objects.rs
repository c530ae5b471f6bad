//! Marked values: copies are replaced by the value itself, and a value consumed on some paths is destroyed on the
//! others (lib/SILOptimizer/Mandatory/MoveOnlyObjectCheckerUtils.cpp).

use rustc_hash::FxHashMap;
use sil_analysis::OperandOwnership;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, InstructionId, Ownership, Place, Value};

use super::copies::Copies;
use super::later_uses::Holder;
use super::messages::{self, Other, Subject};
use super::{Known, Permission, misuses, partial_consumes, replace, unmark};
use crate::InstructionBuilder;
use crate::knowledge::element_flow::{Event, EventKind, Flow, Start, dropped_on_edges, sort};

/// The value is one element.
const WHOLE: u128 = 1;

/// Resolves the mark of a value, and returns the diagnostics of its uses.
pub(super) fn resolve(
    known: &Known<'_>,
    body: &mut Body,
    mark: InstructionId,
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let Some(value) = known.before.result(mark) else { return Ok(Vec::new()) };
    let subject = Subject::new(known, mark);
    let mut wrong = partial_consumes::misuses(known, &subject, value);
    if wrong.is_empty() {
        wrong = used_at_once(known, &subject, value);
    }
    if !wrong.is_empty() {
        unmark(body, mark);
        return Ok(wrong);
    }
    let copies = Copies::of(known.kinds, known.before, known.uses, value);
    let found = match Permission::of(known.before, mark) {
        Permission::Consume => resolve_owned(known, body, &subject, mark, &copies),
        _ => resolve_borrowed(known, body, &subject, mark, &copies),
    };
    unmark(body, mark);
    Ok(found)
}

/// Reports instructions that consume a value twice, or consume and use it: one finding for each later operand that
/// conflicts with the first (lib/SILOptimizer/Mandatory/MoveOnlyObjectCheckerUtils.cpp,
/// `checkForSameInstMultipleUseErrors`).
fn used_at_once(known: &Known<'_>, subject: &Subject<'_>, value: Value) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut first: FxHashMap<InstructionId, Other> = FxHashMap::default();
    for (user, does) in uses_at_once(known, value) {
        match (first.get(&user), does) {
            (None, _) => {
                first.insert(user, does);
            }
            (Some(Other::Uses), Other::Uses) => {}
            (Some(Other::Consumes), Other::Consumes) => {
                found.push(messages::used_twice_at_once(known, subject, user, Other::Consumes));
            }
            (Some(_), _) => found.push(messages::used_twice_at_once(known, subject, user, Other::Uses)),
        }
    }
    found
}

/// Returns the effect of each operand on a value, on copies of it and on its simple borrows.
fn uses_at_once(known: &Known<'_>, value: Value) -> Vec<(InstructionId, Other)> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        for used in known.uses.of(value) {
            let does = known.kinds.operand(*used);
            match known.before.instructions[used.user].opcode {
                Opcode::DestroyValue | Opcode::EndBorrow | Opcode::DebugValue => continue,
                Opcode::CopyValue => open.extend(known.before.result(used.user)),
                Opcode::BeginBorrow if partial_consumes::is_simple(known, used.user) => {
                    open.extend(known.before.result(used.user));
                }
                _ if does.ends_lifetime() => found.push((*used, Other::Consumes)),
                _ if does == OperandOwnership::Borrow || does == OperandOwnership::InteriorPointer => {}
                _ => found.push((*used, Other::Uses)),
            }
        }
    }
    found.sort_by_key(|(used, _)| (used.user, used.operand));
    found.into_iter().map(|(used, does)| (used.user, does)).collect()
}

/// Resolves the uses of a value that may only be borrowed.
fn resolve_borrowed(
    known: &Known<'_>,
    body: &mut Body,
    subject: &Subject<'_>,
    mark: InstructionId,
    copies: &Copies,
) -> Vec<Diagnostic> {
    let consumed = [copies.consumed.as_slice(), &copies.consumed_parts(known)].concat();
    if !consumed.is_empty() {
        return messages::borrowed_is_consumed(known, subject, &consumed);
    }
    let is_lent = borrowed_original(known, Unary::of(known.before, mark).operand).is_some();
    let found = if is_lent { Vec::new() } else { outlived(known, subject, mark, copies) };
    if found.is_empty() {
        borrow(known, body, mark, copies);
    }
    found
}

/// Resolves a value that is not consumed. If it is a copy of a borrowed value, that is used instead.
fn borrow(known: &Known<'_>, body: &mut Body, mark: InstructionId, copies: &Copies) {
    let marked = Unary::of(known.before, mark).operand;
    let borrowed = borrowed_original(known, marked);
    let value = borrowed.map_or(copies.value, |(_, original)| original);
    for copy in &copies.copies {
        replace(body, known.before.result(*copy), value);
        body.erase(*copy);
    }
    for (destroy, destroyed) in &copies.destroys {
        if borrowed.is_some() || *destroyed != copies.value {
            body.erase(*destroy);
        }
    }
    if let Some((copy, original)) = borrowed {
        replace(body, Some(copies.value), original);
        body.operands_mut(mark)[0] = original;
        body.erase(copy);
    }
}

/// Returns the marked copy and its original, if the original is borrowed and the mark is the copy's only use.
fn borrowed_original(known: &Known<'_>, marked: Value) -> Option<(InstructionId, Value)> {
    let copy = known.before.defining(marked)?;
    if known.before.instructions[copy].opcode != Opcode::CopyValue || known.uses.of(marked).len() != 1 {
        return None;
    }
    let original = Unary::of(known.before, copy).operand;
    (known.kinds.kind(original) == Ownership::Guaranteed).then_some((copy, original))
}

/// Resolves the uses of an owned value with this `definition`.
pub(super) fn resolve_owned(
    known: &Known<'_>,
    body: &mut Body,
    subject: &Subject<'_>,
    definition: InstructionId,
    copies: &Copies,
) -> Vec<Diagnostic> {
    let (events, flow) = followed(known, definition, copies);
    let wrong = misuses(known, subject, &events, &flow, Holder::Value);
    if !wrong.is_empty() {
        return wrong;
    }
    for (event, before) in events.iter().zip(&flow.before) {
        if event.kind == EventKind::Destroy && *before == 0 {
            body.erase(event.instruction);
        }
    }
    for (destroy, destroyed) in &copies.destroys {
        if *destroyed != copies.value || is_consumed_after(known.before, copies, *destroy) {
            body.erase(*destroy);
        }
    }
    for (place, _) in dropped_on_edges(known.before, known.cfg, &flow) {
        let like = match place {
            Place::Before(id) => id,
            _ => definition,
        };
        InstructionBuilder::new(body, place, like).automatic().destroy_value(copies.value);
    }
    for copy in &copies.copies {
        replace(body, known.before.result(*copy), copies.value);
        body.erase(*copy);
    }
    Vec::new()
}

/// Returns the events of an owned value and its copies, and the flow of its initialisation.
fn followed(known: &Known<'_>, definition: InstructionId, copies: &Copies) -> (Vec<Event>, Flow) {
    let event = |kind, instruction| Event { instruction, kind, elements: WHOLE, cause: instruction };
    let mut events: Vec<Event> = copies.borrowed.iter().map(|id| event(EventKind::Borrow, *id)).collect();
    events.extend(copies.consumed.iter().map(|found| event(EventKind::Consume, found.user)));
    let own = |(id, destroyed): &&(InstructionId, Value)| {
        *destroyed == copies.value && !is_consumed_after(known.before, copies, *id)
    };
    events.extend(copies.destroys.iter().filter(own).map(|(id, _)| event(EventKind::Destroy, *id)));
    sort(&mut events);
    let start = Start { instruction: Some(definition), initial: WHOLE, outside: 0, all: WHOLE };
    let flow = Flow::new(known.before, known.cfg, start, &events, &[]);
    (events, flow)
}

/// Returns whether a copy is consumed after `destroy` in its block: the consume is then the end of the value, not the
/// destroy.
fn is_consumed_after(body: &Body, copies: &Copies, destroy: InstructionId) -> bool {
    let mut after = body.instructions_from(destroy).skip(1);
    after.any(|id| copies.consumed.iter().any(|found| found.user == id))
}

/// Reports unconsumed copies of a loaded value that outlive it.
pub(super) fn outlived(
    known: &Known<'_>,
    subject: &Subject<'_>,
    load: InstructionId,
    copies: &Copies,
) -> Vec<Diagnostic> {
    let (events, flow) = followed(known, load, copies);
    misuses(known, subject, &events, &flow, Holder::Value)
}

/// Turns a load into a borrow; the destroys of the value become ends of the borrow.
pub(super) fn borrow_loaded(body: &mut Body, load: InstructionId, copies: &Copies) {
    let address = Unary::of(body, load).operand;
    let mut builder = InstructionBuilder::new(body, Place::Before(load), load);
    let borrow = builder.load_borrow(address);
    for copy in &copies.copies {
        replace(body, body.result(*copy), borrow);
        body.erase(*copy);
    }
    for (destroy, destroyed) in &copies.destroys {
        if *destroyed == copies.value {
            InstructionBuilder::new(body, Place::Before(*destroy), *destroy).end_borrow(borrow);
        }
        body.erase(*destroy);
    }
    replace(body, Some(copies.value), borrow);
    body.erase(load);
}

/// Turns a load into a take.
pub(super) fn take_loaded(body: &mut Body, load: InstructionId) {
    let attributes = &mut body.instructions[load].attributes;
    attributes.remove(Attribute::Copy);
    attributes.insert(Attribute::Take);
}

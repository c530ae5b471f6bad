//! Converts owned phis, structs and tuples whose operands are all copies of guaranteed values to guaranteed ones, and
//! removes the copies. Follows lib/SILOptimizer/SemanticARC/OwnedToGuaranteedPhiOpt.cpp.

use sil_analysis::Use;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Definition, InstructionId, Ownership, Value};

use super::copies::local_scopes;
use super::live_range::LiveRange;
use super::{Snapshot, with_snapshot};
use crate::editing::editor::Editor;

/// A phi or aggregate, and its operands that are copies of values that live as long as the function.
struct Joined {
    value: Value,
    copies: Vec<Use>,
}

/// The values that become guaranteed.
struct Borrowing {
    /// The copies to remove, with their operands.
    copies: Vec<(InstructionId, Value)>,
    destroys: Vec<InstructionId>,
    /// The block arguments that become guaranteed.
    arguments: Vec<Value>,
    /// The forwarding instructions that become guaranteed.
    forwarding: Vec<InstructionId>,
}

/// Converts phis and aggregates of copies to guaranteed ones.
pub(super) fn borrow(editor: &mut Editor<'_>) {
    for joined in with_snapshot(editor, candidates) {
        if let Some(borrowing) = with_snapshot(editor, |snapshot| borrowing(snapshot, &joined)) {
            carry_out(editor, borrowing);
        }
    }
}

/// The phis and aggregates with operands that are copies without other consuming uses.
fn candidates(snapshot: &Snapshot<'_, '_>) -> Vec<Joined> {
    let view = snapshot.facts.view;
    let mut found: Vec<Joined> = Vec::new();
    for id in view.body.placed_instructions().filter(|id| snapshot.opcode(*id) == Opcode::CopyValue) {
        let Some((copy, original)) = view.body.result(id).zip(view.operand(id, 0)) else { continue };
        if local_scopes(snapshot, original).is_none_or(|locals| !locals.is_empty()) {
            continue;
        }
        let [passed] = LiveRange::of(snapshot, copy).others[..] else { continue };
        let Some(value) = joined_to(snapshot, passed) else { continue };
        if !LiveRange::of(snapshot, value).others.is_empty() {
            continue;
        }
        match found.iter_mut().find(|joined| joined.value == value) {
            Some(joined) => joined.copies.push(passed),
            None => found.push(Joined { value, copies: vec![passed] }),
        }
    }
    found
}

/// The phi or aggregate that a use is an operand of.
fn joined_to(snapshot: &Snapshot<'_, '_>, found: Use) -> Option<Value> {
    match snapshot.opcode(found.user) {
        Opcode::Br => snapshot.facts.view.branch_argument(found),
        Opcode::Struct | Opcode::Tuple => snapshot.facts.view.body.result(found.user),
        _ => None,
    }
}

/// The operands of a phi or aggregate.
fn incoming_uses(snapshot: &Snapshot<'_, '_>, value: Value) -> Option<Vec<Use>> {
    let view = snapshot.facts.view;
    match view.body.values[value].definition {
        Definition::Result { instruction: user, .. } => {
            Some((0..view.body.operands(user).len() as u32).map(|operand| Use { user, operand }).collect())
        }
        Definition::Argument { block, index } => {
            let branches = view.cfg.predecessors(block).iter().map(|predecessor| view.body.terminator(*predecessor));
            let jumps = branches.map(|branch| branch.filter(|id| snapshot.opcode(*id) == Opcode::Br));
            jumps.map(|jump| jump.map(|user| Use { user, operand: index })).collect()
        }
        Definition::Undef => None,
    }
}

fn borrowing(snapshot: &Snapshot<'_, '_>, joined: &Joined) -> Option<Borrowing> {
    let view = snapshot.facts.view;
    let range = LiveRange::of(snapshot, joined.value);
    if !range.others.is_empty() {
        return None;
    }
    let mut borrowing = Borrowing {
        copies: Vec::new(),
        destroys: range.destroys.iter().map(|found| found.user).collect(),
        forwarding: range.forwarding_instructions(),
        arguments: range.arguments,
    };
    match view.body.defining(joined.value) {
        Some(maker) => borrowing.forwarding.push(maker),
        None => borrowing.arguments.push(joined.value),
    }
    for found in incoming_uses(snapshot, joined.value)? {
        let value = found.value(view.body);
        if view.ownership(value) == Ownership::None {
            continue;
        }
        if !joined.copies.contains(&found) {
            return None;
        }
        let copy = copy_after(snapshot, value)?;
        let copied = LiveRange::of(snapshot, view.body.result(copy)?);
        borrowing.copies.push((copy, view.operand(copy, 0)?));
        borrowing.destroys.extend(copied.destroys.iter().map(|found| found.user));
        borrowing.forwarding.extend(copied.forwarding_instructions());
        borrowing.arguments.extend(copied.arguments);
    }
    Some(borrowing)
}

/// The copy that is forwarded to `value`, if it has no other sources.
fn copy_after(snapshot: &Snapshot<'_, '_>, value: Value) -> Option<InstructionId> {
    let view = snapshot.facts.view;
    let mut value = value;
    for _ in 0..=view.body.instructions.len() {
        let maker = match view.body.values[value].definition {
            Definition::Result { instruction, .. } => instruction,
            Definition::Argument { block, .. } => {
                let terminator = view.body.terminator(view.cfg.single_predecessor(block)?)?;
                matches!(snapshot.opcode(terminator), Opcode::SwitchEnum | Opcode::CheckedCastBr)
                    .then_some(terminator)?
            }
            Definition::Undef => return None,
        };
        if snapshot.opcode(maker) == Opcode::CopyValue {
            return Some(maker);
        }
        let owned = view.body.operands(maker).iter().filter(|operand| view.ownership(**operand) == Ownership::Owned);
        let owned: Vec<Value> = owned.copied().collect();
        let [only] = owned[..] else { return None };
        value = only;
    }
    None
}

fn carry_out(editor: &mut Editor<'_>, borrowing: Borrowing) {
    borrowing.destroys.into_iter().filter(|id| editor.is_placed(*id)).collect::<Vec<_>>().into_iter().for_each(|id| {
        editor.erase(id);
    });
    for (copy, original) in borrowing.copies {
        editor.replace(copy, original);
    }
    for argument in borrowing.arguments {
        editor.set_argument_ownership(argument, Ownership::Guaranteed);
    }
    for id in borrowing.forwarding {
        editor.forward_borrowed(id);
    }
}

//! Completes and canonicalises the lifetimes of values that were stored to a promoted variable. Enum values that need
//! no destroy on some paths get ends there (`StackAllocationPromoter::run` and `canonicalizeValueLifetimes` of
//! lib/SILOptimizer/Transforms/SILMem2Reg.cpp).
//!
//! Does not own: the canonicalisation of lifetimes.

use rustc_hash::FxHashSet;
use sil_analysis::{Analyses, Uses};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId, Ownership, Value};

use crate::editing::editor::Editor;
use crate::editing::lifetime_completion::liveness;
use crate::optimizations::copy_propagation::{
    Canonicalization, DebugUses, canonical_borrow, canonicalize, canonicalize_borrow,
};
use crate::pass::Environment;

/// The arguments of all blocks.
pub(super) fn arguments(body: &Body) -> FxHashSet<Value> {
    body.blocks.values().flat_map(|block| block.arguments.iter().copied()).collect()
}

/// Completes the lifetimes of the `stored` values, of their lexical moves, and of the new block arguments, those not in
/// `before`.
pub(super) fn complete(
    environment: Environment<'_>,
    mut body: Body,
    stored: &[Value],
    before: &FxHashSet<Value>,
) -> Body {
    let uses = Uses::new(&body);
    let is_lexical_move = |id: &InstructionId| {
        let instruction = &body.instructions[*id];
        instruction.opcode == Opcode::MoveValue && instruction.attributes.contains(Attribute::Lexical)
    };
    let mut values: Vec<Value> = arguments_made(&body, before);
    for value in stored {
        values.push(*value);
        let moves = uses.of(*value).iter().map(|found| found.user).filter(is_lexical_move);
        values.extend(moves.filter_map(|id| body.result(id)));
    }
    for value in values {
        let analyses = Analyses::default();
        let environment = Environment { body: &body, analyses: &analyses, ..environment };
        if environment.view().ownership(value) == Ownership::Owned {
            body = liveness::complete(environment, value);
        }
    }
    body
}

fn arguments_made(body: &Body, before: &FxHashSet<Value>) -> Vec<Value> {
    let arguments = body.blocks.values().flat_map(|block| block.arguments.iter().copied());
    arguments.filter(|argument| !before.contains(argument)).collect()
}

/// Canonicalises the lifetimes of the `stored` values and of the new block arguments, those not in `before`.
pub(super) fn make_canonical(
    environment: Environment<'_>,
    body: Body,
    stored: Vec<Value>,
    before: &FxHashSet<Value>,
) -> Body {
    let values: Vec<Value> = stored.into_iter().chain(arguments_made(&body, before)).collect();
    if values.is_empty() {
        return body;
    }
    let analyses = Analyses::default();
    let mut editor = Editor::new(Environment { body: &body, analyses: &analyses, ..environment });
    for value in values {
        make_value_canonical(&mut editor, value);
    }
    editor.into_body()
}

fn make_value_canonical(editor: &mut Editor<'_>, value: Value) {
    if editor.body().defining(value).is_some_and(|id| !editor.is_placed(id)) {
        return;
    }
    let Some(root) = copied(editor, value) else { return };
    if editor.ownership(root) == Ownership::Owned {
        let canonicalization =
            Canonicalization { debug_uses: DebugUses::Keep, ..Canonicalization::of(editor.environment.settings) };
        canonicalize(editor, canonicalization, root, &[]);
    } else if editor.body().defining(root).is_none() {
        canonicalize_borrow(editor, root);
    }
}

/// The owned value that `value` is a copy of, or the canonical borrow if it is guaranteed. `None` for unknown borrows,
/// and for copies of canonical borrows.
fn copied(editor: &Editor<'_>, value: Value) -> Option<Value> {
    if editor.ownership(value) != Ownership::Owned {
        return canonical_borrow(editor, value);
    }
    let mut value = value;
    while let Some(copy) = editor.made_by(value, Opcode::CopyValue) {
        let original = editor.operand(copy, 0)?;
        if editor.ownership(original) != Ownership::Owned {
            return canonical_borrow(editor, original).is_none().then_some(value);
        }
        value = original;
    }
    Some(value)
}

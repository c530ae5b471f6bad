//! Computes exact dynamic types of objects and metatypes (`getExactDynamicType` in
//! lib/SILOptimizer/Utils/Devirtualize.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::Worklist;
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::CheckedCastBr;
use sil_ir::model::{BlockId, Definition, InstructionId, Value};

use crate::editing::editor::Editor;
use crate::knowledge::dynamic_self::mentions_dynamic_self;

/// Looks through casts, copies and borrows.
fn without_casts(editor: &Editor<'_>, value: Value) -> Value {
    use Opcode::{BeginBorrow, CopyValue, MoveValue, UncheckedRefCast, UnconditionalCheckedCast, Upcast};
    let mut value = value;
    while let Some(id) = editor.body().defining(value)
        && let Upcast | UncheckedRefCast | UnconditionalCheckedCast | CopyValue | BeginBorrow | MoveValue =
            editor.opcode(id)
    {
        value = editor.body().operands(id)[0];
    }
    value
}

/// Returns whether a value is created in the function with exactly its static type. A value of dynamic `Self` type may
/// be of a subclass.
fn is_made(editor: &Editor<'_>, value: Value) -> bool {
    if mentions_dynamic_self(editor.environment.queries, editor.body().ty(value).ty) {
        return false;
    }
    let made = editor.body().defining(value).map(|id| &editor.body().instructions[id]);
    made.is_some_and(|made| match made.opcode {
        Opcode::AllocRef => !made.attributes.contains(Attribute::ObjC),
        Opcode::Metatype => true,
        _ => false,
    })
}

/// The terminator of the only predecessor of a block.
fn only_path(editor: &Editor<'_>, block: BlockId) -> Option<InstructionId> {
    let body = editor.body();
    let mut ends = body.blocks.keys().filter_map(|from| body.terminator(from));
    let mut leading = ends.by_ref().filter(|end| body.targets(*end).contains(&block));
    leading.next().filter(|_| leading.next().is_none())
}

/// Returns whether an argument is the result of an exact cast.
fn is_cast_exactly(editor: &Editor<'_>, block: BlockId) -> bool {
    let Some(end) = only_path(editor, block).filter(|end| editor.opcode(*end) == Opcode::CheckedCastBr) else {
        return false;
    };
    let is_exact = editor.body().instructions[end].attributes.contains(Attribute::Exact);
    is_exact && CheckedCastBr::of(editor.body(), end).success == block
}

/// Looks through casts and branches. Returns the value if its dynamic type is exactly its static type.
pub(super) fn exact_instance(editor: &Editor<'_>, value: Value) -> Option<Value> {
    let body = editor.body();
    let mut value = value;
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    loop {
        value = without_casts(editor, value);
        if is_made(editor, value) {
            return Some(value);
        }
        let Definition::Argument { block, index } = body.values[value].definition else { return None };
        if is_cast_exactly(editor, block) {
            return Some(value);
        }
        // Invalid input may contain an unreachable loop.
        let end = only_path(editor, block).filter(|_| seen.insert(value))?;
        value = match editor.opcode(end) {
            Opcode::Br => *body.operands(end).get(index as usize)?,
            Opcode::CondBr => *editor.view().incoming_values(value)?.first()?,
            _ => return None,
        };
    }
}

/// The exact type of a value over all incoming paths, or `None` if it is ambiguous or unknown.
pub(super) fn exact_type(editor: &Editor<'_>, value: Value) -> Option<SilType> {
    let body = editor.body();
    let mut open = Worklist::new([value]);
    let mut found = None;
    while let Some(value) = open.pop() {
        let value = without_casts(editor, value);
        let is_exact = is_made(editor, value)
            || matches!(body.values[value].definition, Definition::Argument { block, .. } if is_cast_exactly(editor, block));
        if !is_exact {
            open.extend(editor.view().incoming_values(value)?);
        } else if found.replace(body.ty(value)).is_some_and(|before| before != body.ty(value)) {
            return None;
        }
    }
    found
}

//! Values whose references are the same: a retain of one is a retain of the other (lib/SILOptimizer/Analysis/RCIdentityAnalysis.cpp).
//!
//! Does not own: block arguments where several ways join.

use crate::context::TypeId;
use crate::instructions::Opcode;
use crate::model::{InstructionId, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::knowledge::aggregate_parts::{has_deinit, parts};
use crate::transform::pipeline::Environment;

/// The first value that has the same references as `value`: what it was cast, wrapped or unwrapped from, with nothing else that is counted.
pub(in crate::transform) fn identity_root(editor: &Editor<'_>, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = editor.body().defining(value)
        && let Some(source) = source(editor, id)
    {
        value = source;
    }
    value
}

fn source(editor: &Editor<'_>, id: InstructionId) -> Option<Value> {
    use Opcode::{
        BridgeObjectToRef, ConvertFunction, Enum, InitExistentialRef, OpenExistentialRef, RefToBridgeObject, Struct,
        StructExtract, Tuple, TupleExtract, UncheckedEnumData, UncheckedRefCast, Upcast,
    };
    let operands = editor.body().operands(id);
    let first = operands.first().copied()?;
    match editor.opcode(id) {
        Upcast | UncheckedRefCast | InitExistentialRef | OpenExistentialRef | RefToBridgeObject | BridgeObjectToRef
        | ConvertFunction => Some(first),
        StructExtract | TupleExtract => is_only_counted_part(editor, id, first).then_some(first),
        UncheckedEnumData => (!has_deinit(editor.environment, editor.body().ty(first).ty)).then_some(first),
        Enum => (!ends_by_itself(editor, id)).then_some(first),
        Struct | Tuple if !ends_by_itself(editor, id) => {
            let mut counted = operands.iter().filter(|operand| !is_trivial(editor, editor.body().ty(**operand).ty));
            let only = counted.next().copied();
            only.filter(|_| counted.next().is_none())
        }
        _ => None,
    }
}

/// Whether what `extraction` takes out of `aggregate` is the only part that is counted.
fn is_only_counted_part(editor: &Editor<'_>, extraction: InstructionId, aggregate: Value) -> bool {
    let Environment { queries, .. } = editor.environment;
    let ty = editor.body().ty(aggregate).ty;
    let extracted = editor.body().result(extraction).map(|part| editor.body().ty(part).ty);
    let counted =
        parts(queries, ty).unwrap_or_default().into_iter().filter(|part| !is_trivial(editor, part.ty)).count();
    counted == 1 && extracted.is_some_and(|part| !is_trivial(editor, part)) && !has_deinit(editor.environment, ty)
}

fn ends_by_itself(editor: &Editor<'_>, id: InstructionId) -> bool {
    editor.body().result(id).is_some_and(|made| has_deinit(editor.environment, editor.body().ty(made).ty))
}

fn is_trivial(editor: &Editor<'_>, ty: TypeId) -> bool {
    editor.environment.queries.properties(ty, editor.environment.function.signature).is_trivial()
}

//! Optional closures that become optional blocks: two consecutive switches, the first over the optional closure, which
//! is converted if present, the second over the optional converted closure, which becomes a block if present. A copy of
//! the closure is kept alive until the block is destroyed.

use sil_analysis::{ControlFlowGraph, OwnershipKinds};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{SwitchEnum, Unary};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, LocationKind, Place, Value};

use crate::editing::editor::Editor;
use crate::knowledge::enum_cases::optional_some;
use crate::pass::Environment;

/// Replaces the operand of `conversion` by a copy of the optional's object, if the conversion is part of such a pair of
/// switches. Returns whether it is.
pub(super) fn keep(editor: &mut Editor<'_>, cfg: &ControlFlowGraph, conversion: InstructionId) -> bool {
    let Some((switch, destroy)) = find(editor, cfg, conversion) else { return false };
    let optional = SwitchEnum::of(editor.body(), switch).operand;
    let (ty, converted) = (editor.body().ty(optional), Unary::of(editor.body(), conversion).operand);
    let Some(some) = optional_some(editor.environment, ty.ty) else { return false };
    let closure = editor.body().ty(converted);
    let (copy, borrow) = editor.build(Place::Before(switch), switch, |builder| {
        builder.set_location_kind(LocationKind::Cleanup);
        let copy = builder.copy_value(optional);
        (copy, builder.begin_borrow(copy))
    });
    let held = editor.build(Place::Before(conversion), conversion, |builder| {
        builder.set_location_kind(LocationKind::Cleanup);
        builder.unchecked_enum_data(borrow, some, closure)
    });
    editor.set_operands(conversion, &[held]);
    editor.build(Place::Before(destroy), destroy, |builder| {
        builder.set_location_kind(LocationKind::Cleanup);
        builder.end_borrow(borrow);
        builder.destroy_value(copy);
    });
    true
}

/// Returns the switch over the closure, and the destroy of the block.
fn find(
    editor: &Editor<'_>,
    cfg: &ControlFlowGraph,
    conversion: InstructionId,
) -> Option<(InstructionId, InstructionId)> {
    let body = editor.body();
    let block = body.instructions[conversion].block;
    let closure = body.values[Unary::of(body, conversion).operand].definition;
    if !matches!(closure, Definition::Argument { block: passed, .. } if passed == block) {
        return None;
    }
    let first = switch_at_end(body, cfg.single_predecessor(block)?)?;
    let second = switch_at_end(body, join_after(body, first)?)?;
    let [argument] = *body.blocks[join_after(body, second)?].arguments else { return None };
    Some((first, only_destroy(editor, argument)?))
}

fn switch_at_end(body: &Body, block: BlockId) -> Option<InstructionId> {
    body.terminator(block).filter(|end| body.instructions[*end].opcode == Opcode::SwitchEnum)
}

/// Returns the join block of a switch over an optional. The path with a value goes through one block, the other path
/// through at most two.
fn join_after(body: &Body, switch: InstructionId) -> Option<BlockId> {
    let [one, other] = *body.targets(switch) else { return None };
    let arguments = |block: BlockId| body.blocks[block].arguments.len();
    let (some, none) = match (arguments(one), arguments(other)) {
        (1, 0) => (one, other),
        (0, 1) => (other, one),
        _ => return None,
    };
    let next = |block: &BlockId| match *body.targets(body.terminator(*block)?) {
        [target] => Some(target),
        _ => None,
    };
    let join = next(&some)?;
    let mut after_none = std::iter::successors(Some(none), next).take(3);
    after_none.any(|block| block == join).then_some(join)
}

/// Returns the destroy of a value, if that is its only consuming use.
fn only_destroy(editor: &Editor<'_>, value: Value) -> Option<InstructionId> {
    let Environment { queries, function, .. } = editor.environment;
    let body = editor.body();
    let kinds = OwnershipKinds::new(queries, function, body, &ControlFlowGraph::new(body));
    let mut consuming = editor.uses(value).into_iter().filter(|found| kinds.operand(*found).ends_lifetime());
    let only = consuming.next().filter(|_| consuming.next().is_none())?.user;
    (editor.opcode(only) == Opcode::DestroyValue).then_some(only)
}

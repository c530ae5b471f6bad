//! Sinks forwarding instructions of owned values to their uses, and converts copies of extracted parts of borrowed
//! aggregates to destructures of a copied aggregate. Follows lib/SILOptimizer/Transforms/CopyPropagation.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::{ControlFlowGraph, Dominators, Worklist, field_number};
use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Ownership, Place, Value};

use super::borrowed_lifetimes::is_rewritable_forward;
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// The forwarding instructions of `value`, its copies and the values forwarded from them, in def-use order.
pub(super) fn forwards_of(editor: &Editor<'_>, value: Value) -> Vec<InstructionId> {
    let users = |value: Value| editor.uses(value).into_iter().rev().map(|found| found.user).collect::<Vec<_>>();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = users(value);
    while let Some(id) = open.pop() {
        let is_forward = is_rewritable_forward(editor, id);
        if !is_forward && editor.opcode(id) != Opcode::CopyValue || !seen.insert(id) {
            continue;
        }
        if is_forward {
            found.push(id);
        }
        open.extend(editor.body().results(id).flat_map(users));
    }
    found
}

/// Sinks a forwarding instruction to its uses, but not into a loop. Returns whether it moved.
pub(super) fn sink(editor: &mut Editor<'_>, forward: InstructionId) -> bool {
    let Some(before) = place_before_uses(editor, forward) else { return false };
    if editor.body().next(forward) == Some(before) {
        return false;
    }
    editor.move_to(forward, Place::Before(before));
    true
}

/// The last insertion point that dominates all uses of the results of `forward`.
fn place_before_uses(editor: &Editor<'_>, forward: InstructionId) -> Option<InstructionId> {
    let body = editor.body();
    let users: Vec<InstructionId> =
        body.results(forward).flat_map(|result| editor.uses(result)).map(|found| found.user).collect();
    let defined = body.instructions[forward].block;
    let cfg = ControlFlowGraph::new(body);
    let dominators = Dominators::new(body, &cfg);
    let blocks = users.iter().map(|user| body.instructions[*user].block);
    let mut block = blocks.reduce(|one, other| common_dominator(&dominators, one, other))?;
    if block != defined {
        for preheader in preheaders(&cfg, defined, block) {
            block = common_dominator(&dominators, block, preheader);
        }
    }
    let start = if block == defined { body.next(forward) } else { body.first_instruction(block) };
    let first = std::iter::successors(start, |id| body.next(*id)).find(|id| users.contains(id));
    first.or_else(|| body.terminator(block))
}

/// The nearest common dominator.
fn common_dominator(dominators: &Dominators, one: BlockId, other: BlockId) -> BlockId {
    let mut block = one;
    while !dominators.dominates(block, other)
        && let Some(above) = dominators.immediate_dominator(block)
    {
        block = above;
    }
    block
}

/// The blocks on paths from `defined` to `used` that enter loops.
fn preheaders(cfg: &ControlFlowGraph, defined: BlockId, used: BlockId) -> Vec<BlockId> {
    let mut found = Vec::new();
    let mut open = Worklist::new([used]);
    while let Some(block) = open.pop() {
        let number = cfg.number(block);
        let is_header = cfg.predecessors(block).iter().any(|from| cfg.number(*from) > number);
        for from in cfg.predecessors(block) {
            if is_header && cfg.number(*from) < number {
                found.push(*from);
            }
            if *from != defined {
                open.push(*from);
            }
        }
    }
    found
}

/// Replaces the copy of a part of a borrowed struct with a part of a copied struct, if the part has no other uses and
/// no other part needs a copy. Returns the copy of the struct.
pub(super) fn copy_whole(editor: &mut Editor<'_>, copy: InstructionId) -> Option<InstructionId> {
    let part = editor.operand(copy, 0)?;
    let extract = editor.made_by(part, Opcode::StructExtract)?;
    let is_needed_once = editor.uses_but_debug(part).len() == 1 && editor.ownership(part) == Ownership::Guaranteed;
    let (whole, taken) = (editor.operand(extract, 0)?, editor.body().result(copy).filter(|_| is_needed_once)?);
    let Environment { queries, .. } = editor.environment;
    let ty = editor.body().ty(whole);
    let fields = queries.field_types(ty.ty)?;
    let types: Vec<SilType> = fields.iter().map(|field| SilType::object(*field)).collect();
    let index = field_number(queries, editor.body(), extract)? as usize;
    let needs_copies = |(number, ty): (usize, &SilType)| (!editor.is_trivial(*ty)).then_some(number);
    (types.iter().enumerate().filter_map(needs_copies).eq([index])).then_some(())?;
    let (copied, parts) = editor.build(Place::Before(extract), extract, |builder| {
        let copied = builder.copy_value(whole);
        (copied, builder.destructure_struct(copied, &types))
    });
    editor.replace_all(taken, *parts.get(index)?);
    editor.erase(copy);
    editor.erase_with_debug_uses(extract);
    editor.body().defining(copied)
}

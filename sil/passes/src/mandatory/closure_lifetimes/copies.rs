//! Extends closures that others made or that also escape: a copy is kept alive until the only user of the converted
//! closure is done.

use rustc_hash::FxHashSet;
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, InstructionId, LocationKind, Place};

use super::{ClosureUser, Fixup};
use crate::InstructionBuilder;

/// Converts a copy of the closure, which is destroyed after `user` and on the paths that do not reach it. Returns
/// whether that is possible.
pub(super) fn keep(fixup: &mut Fixup<'_>, conversion: InstructionId, user: ClosureUser) -> bool {
    let (needing, mut places) = match user {
        ClosureUser::Call(call) => {
            let targets = fixup.editor.body().targets(call);
            if targets.iter().any(|target| fixup.cfg.predecessors(*target).len() != 1) {
                return false;
            }
            let after = if targets.is_empty() { vec![Place::After(call)] } else { starts(targets) };
            (call, after)
        }
        ClosureUser::AsyncLet { end } => (end, vec![Place::After(end)]),
    };
    let Some(leaks) = leaks(fixup, conversion, needing) else { return false };
    places.extend(starts(&leaks));
    let editor = &mut fixup.editor;
    let closure = Unary::of(editor.body(), conversion).operand;
    let copy = |builder: &mut InstructionBuilder<'_>| builder.copy_value(closure);
    let copy = editor.build(Place::Before(conversion), conversion, copy);
    editor.set_operands(conversion, &[copy]);
    for place in places {
        let mut attributes = AttributeSet::default();
        if fixup.dead_ends.contains(editor.body().block_of_place(place)) {
            attributes.insert(Attribute::DeadEnd);
        }
        editor.build(place, needing, |builder| {
            builder.set_location_kind(LocationKind::Cleanup);
            builder.with(attributes).destroy_value(copy);
        });
    }
    true
}

fn starts(blocks: &[BlockId]) -> Vec<Place> {
    blocks.iter().map(|block| Place::Start(*block)).collect()
}

/// Returns the blocks at the start of paths from `conversion` that do not reach `needing`. `None` if `needing` may
/// execute repeatedly for one conversion, or if such a path starts at a critical edge.
fn leaks(fixup: &Fixup<'_>, conversion: InstructionId, needing: InstructionId) -> Option<Vec<BlockId>> {
    let body = fixup.editor.body();
    let (made, needed) = (body.instructions[conversion].block, body.instructions[needing].block);
    if made == needed {
        return Some(Vec::new());
    }
    let mut leading: FxHashSet<BlockId> = FxHashSet::default();
    let mut open = vec![needed];
    while let Some(block) = open.pop() {
        for predecessor in fixup.cfg.predecessors(block) {
            if *predecessor == needed {
                return None;
            }
            if leading.insert(*predecessor) && *predecessor != made {
                open.push(*predecessor);
            }
        }
    }
    let mut found = Vec::new();
    for block in body.blocks.keys().filter(|block| leading.contains(block)) {
        let targets = body.terminator(block).map_or(&[][..], |end| body.targets(end));
        let leaking = targets.iter().filter(|target| !leading.contains(target) && **target != needed);
        found.extend(leaking.copied());
    }
    found.sort_unstable();
    found.dedup();
    let is_entered = |block: &BlockId| fixup.cfg.predecessors(*block).iter().all(|from| leading.contains(from));
    found.iter().all(is_entered).then_some(found)
}

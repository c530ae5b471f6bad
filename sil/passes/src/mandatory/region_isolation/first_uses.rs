//! Selects the first later use of a sent value on each path, which are the ones that diagnostics report
//! (`RequireLiveness`, lib/SILOptimizer/Mandatory/SendNonSendable.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{BodyView, Worklist};
use sil_ir::model::InstructionId;

use super::LaterUse;

/// Returns the first of `uses` on each path from `sending`, each once.
pub(super) fn first_uses(view: &BodyView<'_>, sending: InstructionId, uses: &[LaterUse]) -> Vec<LaterUse> {
    let body = view.body;
    let all: FxHashSet<InstructionId> = uses.iter().map(|later| later.instruction()).collect();
    let mut first: FxHashSet<InstructionId> = FxHashSet::default();
    match body.instructions_from(sending).find(|id| all.contains(id)) {
        Some(id) => _ = first.insert(id),
        None => {
            let successors = |block| body.terminator(block).map_or(&[][..], |end| body.targets(end));
            let start = body.instructions[sending].block;
            let mut open = Worklist::new(successors(start).to_vec());
            while let Some(block) = open.pop() {
                match body.instructions_in(block).find(|id| all.contains(id)) {
                    Some(id) => _ = first.insert(id),
                    None if block == start => {}
                    None => open.extend(successors(block)),
                }
            }
        }
    }
    let mut said = FxHashSet::default();
    let is_first = |later: &&LaterUse| first.contains(&later.instruction()) && said.insert(later.instruction());
    uses.iter().filter(is_first).copied().collect()
}

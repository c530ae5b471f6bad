//! The isolation of the content of a temporary on the stack: that of the call that initialises it first, if all paths
//! lead through that (`inferIsolationInfoForTempAllocStack`, lib/SILOptimizer/Utils/SILIsolationInfo.cpp).

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::instructions::MemoryBehavior;
use sil_ir::model::{BlockId, InstructionId, Value};

use super::isolated_calls::gives_sent_result;
use super::isolated_values::ValueIsolation;
use super::isolation::Isolation;
use crate::effects::InstructionEffects;
use crate::{AddressEscape, AddressUses, ApplySite, Use};

/// The isolation of the memory that `id` allocates.
pub(super) fn isolation_of_temporary(values: &ValueIsolation<'_, '_>, id: InstructionId, address: Value) -> Isolation {
    let Some(uses) = TemporaryUses::of(values, address) else { return Isolation::UNKNOWN };
    let block = values.view.body.instructions[id].block;
    if uses.results.is_empty() {
        return Isolation::DISCONNECTED;
    }
    let first = match uses.first_in(values, block) {
        Some(first) => {
            let before = values.view.body.instructions_from(id).take_while(|between| *between != first);
            if !gives_sent(values, first) && before.into_iter().any(|between| uses.writes.contains(&between)) {
                return Isolation::DISCONNECTED;
            }
            Some(first)
        }
        None => uses.dominating(values, block),
    };
    let Some(first) = first.filter(|first| !gives_sent(values, *first)) else { return Isolation::DISCONNECTED };
    values.of_instruction(first).known().unwrap_or(Isolation::DISCONNECTED)
}

fn gives_sent(values: &ValueIsolation<'_, '_>, call: InstructionId) -> bool {
    ApplySite::new(values.view.body, call).is_some_and(|site| gives_sent_result(values, site))
}

/// The instructions that may write to a temporary.
struct TemporaryUses {
    /// Calls that it is the place for a result of.
    results: Vec<InstructionId>,
    /// All else.
    writes: FxHashSet<InstructionId>,
}

impl TemporaryUses {
    fn of(values: &ValueIsolation<'_, '_>, address: Value) -> Option<Self> {
        let view = values.view;
        let effects = InstructionEffects::new(view.module, view.queries);
        let found = AddressUses::of(view.body, &view.uses, address, |id| effects.builtin(view.body, id));
        if found.escape == AddressEscape::Unknown {
            return None;
        }
        let (mut results, mut writes) = (Vec::new(), FxHashSet::default());
        for found in found.uses {
            match effects.memory_behavior(view.body, found.user) {
                MemoryBehavior::None | MemoryBehavior::MayRead => {}
                _ if is_result(values, found) => results.push(found.user),
                _ => _ = writes.insert(found.user),
            }
        }
        Some(Self { results, writes })
    }

    /// The first call in a block that it is the place for a result of.
    fn first_in(&self, values: &ValueIsolation<'_, '_>, block: BlockId) -> Option<InstructionId> {
        values.view.body.instructions_in(block).find(|id| self.results.contains(id))
    }

    /// The call after the first block that all paths from `start` lead through before anything else writes.
    fn dominating(&self, values: &ValueIsolation<'_, '_>, start: BlockId) -> Option<InstructionId> {
        let body = values.view.body;
        let written: FxHashSet<BlockId> = self.writes.iter().map(|id| body.instructions[*id].block).collect();
        if written.contains(&start) {
            return None;
        }
        let mut initial: FxHashMap<BlockId, InstructionId> = FxHashMap::default();
        for block in self.results.iter().map(|id| body.instructions[*id].block) {
            let mut writers = body.instructions_in(block);
            let first = writers.find(|id| self.results.contains(id) || self.writes.contains(id));
            if let Some(first) = first.filter(|first| self.results.contains(first)) {
                initial.insert(block, first);
            }
        }
        let successors = |block| body.terminator(block).map_or(&[][..], |end| body.targets(end));
        let (mut open, mut seen) = (successors(start).to_vec(), FxHashSet::default());
        let mut found = None;
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            match initial.get(&block) {
                Some(first) if found.is_none_or(|found| found == *first) => found = Some(*first),
                Some(_) => return None,
                None if written.contains(&block) => return None,
                None => open.extend(successors(block)),
            }
        }
        found
    }
}

fn is_result(values: &ValueIsolation<'_, '_>, found: Use) -> bool {
    let view = values.view;
    let Some(site) = ApplySite::new(view.body, found.user).filter(|site| site.kind.is_full()) else { return false };
    let argument = site
        .conventions(view.queries)
        .and_then(|conventions| site.argument_of_operand(conventions, found.operand as usize));
    argument.is_some_and(|argument| matches!(argument.role, sil_ir::types::ArgumentRole::IndirectResult(_)))
}

//! Matches retains and releases that refer to each other and to no others. Follows
//! lib/SILOptimizer/ARC/ARCMatchingSet.cpp.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::model::InstructionId;

use super::flow::Known;
use super::states::State;
use crate::knowledge::reference_questions::{Counting, Questions};

pub(super) struct Pairing {
    /// The retains in the order of the traversal.
    order: Vec<InstructionId>,
    retains: FxHashMap<InstructionId, State>,
    releases: FxHashMap<InstructionId, State>,
    /// The retains and releases to remove.
    pub(super) removed: Vec<InstructionId>,
}

/// The safety properties that hold for all members of a set.
#[derive(Clone, Copy)]
struct Safety {
    is_known_safe: bool,
    is_movable: bool,
}

impl Pairing {
    pub(super) fn new(known: Known) -> Self {
        let order = known.retains.found.iter().map(|(id, _)| *id).collect();
        Self {
            order,
            retains: known.retains.found.into_iter().collect(),
            releases: known.releases.found.into_iter().collect(),
            removed: Vec::new(),
        }
    }

    /// Collects the instructions to remove. Returns whether there are any.
    pub(super) fn run(&mut self) -> bool {
        let mut is_paired = false;
        for retain in std::mem::take(&mut self.order) {
            if !self.retains.contains_key(&retain) {
                continue;
            }
            let Some((retains, releases)) = self.matched(retain) else { continue };
            is_paired |= !retains.is_empty();
            for id in &retains {
                self.retains.remove(id);
            }
            for id in &releases {
                self.releases.remove(id);
            }
            self.removed.extend(retains.into_iter().chain(releases));
        }
        is_paired
    }

    /// Returns whether a retain or release has no candidate partner.
    pub(super) fn is_unmatched(&self, questions: &Questions<'_>, id: InstructionId) -> bool {
        match questions.counting(id) {
            Some(Counting::Retain) => !self.retains.contains_key(&id),
            Some(Counting::Release) => !self.releases.contains_key(&id),
            None => false,
        }
    }

    /// The retains and releases of the matching set of a retain, if the set may be removed.
    fn matched(&self, retain: InstructionId) -> Option<(Vec<InstructionId>, Vec<InstructionId>)> {
        let (mut retains, mut releases) = (Set::default(), Set::default());
        let mut open = vec![retain];
        let mut from_retains = Safety { is_known_safe: true, is_movable: true };
        let mut from_releases = from_retains;
        loop {
            let new = match_with(&open, &self.retains, &self.releases, &mut releases, &mut from_retains)?;
            if new.is_empty() {
                break;
            }
            open = match_with(&new, &self.releases, &self.retains, &mut retains, &mut from_releases)?;
            if open.is_empty() {
                break;
            }
        }
        let is_known_safe = from_retains.is_known_safe && from_releases.is_known_safe;
        let is_movable = from_retains.is_movable && from_releases.is_movable;
        (is_known_safe || is_movable).then_some((retains.members, releases.members))
    }
}

#[derive(Default)]
struct Set {
    members: Vec<InstructionId>,
    known: FxHashSet<InstructionId>,
}

/// Adds the partners of `new` to `found` and returns the added ones. `None` if a partner does not refer back.
fn match_with(
    new: &[InstructionId],
    own: &FxHashMap<InstructionId, State>,
    others: &FxHashMap<InstructionId, State>,
    found: &mut Set,
    safety: &mut Safety,
) -> Option<Vec<InstructionId>> {
    let mut added = Vec::new();
    for id in new {
        let state = own.get(id)?;
        let Some(partners) = state.instructions() else { continue };
        safety.is_known_safe &= state.is_known_safe();
        safety.is_movable &= state.is_movable();
        for partner in partners {
            if !others.get(partner)?.instructions()?.contains(id) {
                return None;
            }
            if found.known.insert(*partner) {
                found.members.push(*partner);
                added.push(*partner);
            }
        }
    }
    Some(added)
}

//! Removes redundant bounds checks: checks of the same index and the same array, whose size has not changed since.

use rustc_hash::FxHashSet;
use sil_analysis::ApplySite;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId, Value};

use super::BoundsChecks;
use super::array_places::ArrayPlace;
use super::array_sizes::{SizeChanges, SizeEffect};
use crate::editing::array_call_motion::{gives_nothing, is_available, remove_call};
use crate::knowledge::array_calls::{ArrayCall, loaded_from};
use crate::knowledge::array_semantics::{ArrayFunction, FixedStorageFunction};

/// The operands of an array check.
struct Checked {
    place: ArrayPlace,
    /// The value loaded from the location, or `None` if the array is not in memory.
    loaded: Option<Value>,
    index: Value,
    function: ArrayFunction,
}

impl Checked {
    /// Returns whether another check has the same operands. `are_alike` decides on values that are loaded at different
    /// times.
    fn is_like(&self, other: &Self, are_alike: impl Fn(Value, Value) -> bool) -> bool {
        let is_same_array = match (self.loaded, other.loaded) {
            (Some(one), Some(two)) => one == two || are_alike(one, two),
            (one, two) => one == two,
        };
        is_same_array && self.place == other.place && self.index == other.index && self.function == other.function
    }
}

/// The operands of a check of storage with a fixed number of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct FixedCheck {
    pub(super) storage: Value,
    pub(super) index: Value,
}

impl BoundsChecks<'_, '_> {
    /// Returns the array call if `id` is a bounds check.
    pub(super) fn check(&self, id: InstructionId) -> Option<ArrayCall> {
        let body = self.editor.body();
        if self.editor.opcode(id) != Opcode::Apply {
            return None;
        }
        let call = ArrayCall::of(self.editor.environment, body, id).filter(|call| call.is_check())?;
        gives_nothing(&self.editor, call).then_some(call)
    }

    /// Returns the operands if `id` is a check of storage with a fixed number of elements. Storage in memory does not
    /// qualify, since it may be overwritten.
    pub(super) fn fixed_check(&self, id: InstructionId) -> Option<FixedCheck> {
        let body = self.editor.body();
        let environment = self.editor.environment;
        if self.editor.opcode(id) != Opcode::Apply
            || body.results(id).any(|result| !self.editor.uses(result).is_empty())
        {
            return None;
        }
        let function = FixedStorageFunction::of_call(environment.module, body, id);
        let site = ApplySite::new(body, id).filter(|_| function == Some(FixedStorageFunction::IndexCheck))?;
        site.conventions(environment.queries)?.self_parameter()?;
        let &[index, storage] = site.arguments() else { return None };
        (!body.ty(storage).is_address()).then_some(FixedCheck { storage, index })
    }

    fn checked(&self, call: ArrayCall) -> Option<Checked> {
        let body = self.editor.body();
        let place = ArrayPlace::of(body, call.storage(body)?)?;
        let loaded = loaded_value(body, call.array(body)?);
        Some(Checked { place, loaded, index: call.checked_index(body)?, function: call.function })
    }

    /// Removes the redundant checks within a block.
    pub(super) fn remove_repeated_in_block(&mut self, block: BlockId) {
        let mut made: Vec<Checked> = Vec::new();
        // The values loaded since the last change.
        let mut current: FxHashSet<Value> = FxHashSet::default();
        for id in self.editor.body().instructions_in(block).collect::<Vec<_>>() {
            match self.sizes.effect(&self.editor, id) {
                SizeEffect::None => current.extend(self.editor.body().results(id)),
                SizeEffect::At(place) => {
                    made.retain(|checked| !checked.place.may_overlap(&place));
                    current.clear();
                }
                SizeEffect::Any => {
                    made.clear();
                    current.clear();
                }
            }
            let Some(call) = self.check(id) else { continue };
            let Some(checked) = self.checked(call) else { continue };
            let are_current = |one: Value, two: Value| current.contains(&one) && current.contains(&two);
            if made.iter().any(|before| before.is_like(&checked, are_current)) {
                remove_call(&mut self.editor, call);
            } else {
                made.push(checked);
            }
        }
    }

    /// Removes the checks of a loop that dominating checks make redundant.
    pub(super) fn remove_repeated_in_loop(&mut self, blocks: &[BlockId], changes: &SizeChanges) {
        let mut made: Vec<(BlockId, Checked)> = Vec::new();
        let is_inside = |body: &Body, value: Value| {
            body.defining(value).is_some_and(|id| blocks.contains(&body.instructions[id].block))
        };
        for (block, id) in self.instructions_of(blocks) {
            let Some(call) = self.check(id) else { continue };
            let Some(checked) = self.checked(call).filter(|checked| changes.spare(Some(&checked.place))) else {
                continue;
            };
            let body = self.editor.body();
            let are_inside = |one: Value, two: Value| is_inside(body, one) && is_inside(body, two);
            let is_made = |(by, before): &(BlockId, Checked)| {
                self.dominators.dominates(*by, block) && before.is_like(&checked, are_inside)
            };
            if made.iter().any(is_made) {
                remove_call(&mut self.editor, call);
            } else {
                made.push((block, checked));
            }
        }
    }

    /// Removes the redundant checks of storage with a fixed number of elements.
    pub(super) fn remove_repeated_fixed_in_loop(&mut self, blocks: &[BlockId], preheader: BlockId) {
        let mut made: Vec<(BlockId, FixedCheck)> = Vec::new();
        for (block, id) in self.instructions_of(blocks) {
            let Some(checked) = self.fixed_check(id).filter(|found| self.is_outside(found.storage, preheader)) else {
                continue;
            };
            if made.iter().any(|(by, before)| *before == checked && self.dominators.dominates(*by, block)) {
                self.editor.erase(id);
            } else {
                made.push((block, checked));
            }
        }
    }

    /// The instructions of the blocks in the current body.
    pub(super) fn instructions_of(&self, blocks: &[BlockId]) -> Vec<(BlockId, InstructionId)> {
        let body = self.editor.body();
        blocks.iter().flat_map(|block| body.instructions_in(*block).map(|id| (*block, id))).collect()
    }

    /// Returns whether a value is available in the preheader.
    pub(super) fn is_outside(&self, value: Value, preheader: BlockId) -> bool {
        is_available(&self.dominators, self.editor.body(), value, preheader)
    }
}

/// The loaded value of an array, looking through copies.
fn loaded_value(body: &Body, array: Value) -> Option<Value> {
    loaded_from(body, array)?;
    let mut origin = array;
    while let Some(id) = body.defining(origin).filter(|id| body.instructions[*id].opcode == Opcode::CopyValue) {
        origin = *body.operands(id).first()?;
    }
    Some(origin)
}

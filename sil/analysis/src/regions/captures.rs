//! The places from which a closure may use a variable: after the `partial_apply` that captures it by its address
//! (`PartialApplyReachabilityDataflow`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::{ParameterConvention, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use super::tracked_values::{Capture, TrackedValues};
use crate::ApplySite;

/// The captures of variables by closures, and the places that are reachable from there.
#[derive(Default)]
pub struct Captures {
    /// By the root of a variable, where closures capture it.
    by: FxHashMap<Value, FxHashSet<InstructionId>>,
    /// By the root of a variable, the blocks at whose start a closure may use it.
    reached: FxHashMap<Value, FxHashSet<BlockId>>,
}

impl Captures {
    /// Finds the captures of a function, and notes which memory they alias.
    pub fn of(tracked: &mut TrackedValues<'_, '_, '_>) -> Self {
        let view = tracked.values.view;
        let mut captures = Self::default();
        for id in view.body.placed_instructions().filter(|id| view.opcode(*id) == Opcode::PartialApply) {
            let Some(site) = ApplySite::new(view.body, id) else { continue };
            let conventions = site.conventions(view.queries);
            for (operand, value) in (1..).zip(site.arguments()) {
                let convention = conventions.and_then(|found| site.argument_of_operand(found, operand));
                let by_address = convention.is_some_and(|argument| {
                    argument.convention == ArgumentConvention::Parameter(ParameterConvention::InOutAliasable)
                });
                if by_address || is_box(tracked, *value) {
                    let root = tracked.root(*value).value;
                    captures.by.entry(root).or_default().insert(id);
                }
                let is_projected = view.definition(*value).is_some_and(|(_, opcode)| opcode == Opcode::ProjectBox);
                if (view.body.ty(*value).is_address() || is_projected) && !tracked.values.is_sendable(*value) {
                    tracked.lookup_captured(*value, Capture::ByAddress);
                }
            }
        }
        captures.propagate(tracked);
        captures
    }

    fn propagate(&mut self, tracked: &TrackedValues<'_, '_, '_>) {
        let body = tracked.values.view.body;
        for (root, by) in &self.by {
            let successors = |block| body.terminator(block).map_or(&[][..], |end| body.targets(end)).iter().copied();
            let mut open: Vec<BlockId> = by.iter().flat_map(|id| successors(body.instructions[*id].block)).collect();
            let mut reached = FxHashSet::default();
            while let Some(block) = open.pop() {
                if reached.insert(block) {
                    open.extend(successors(block));
                }
            }
            self.reached.insert(*root, reached);
        }
    }

    /// Whether a closure may use the variable that `root` is, as `id` runs.
    pub fn may_use(&self, tracked: &TrackedValues<'_, '_, '_>, root: Value, id: InstructionId) -> bool {
        let body = tracked.values.view.body;
        let Some(by) = self.by.get(&root) else { return false };
        let block = body.instructions[id].block;
        self.reached[&root].contains(&block)
            || by.contains(&id)
            || body.instructions_in(block).take_while(|before| *before != id).any(|before| by.contains(&before))
    }
}

fn is_box(tracked: &TrackedValues<'_, '_, '_>, value: Value) -> bool {
    let view = tracked.values.view;
    matches!(view.queries.get(view.body.ty(value).ty), Type::Box(_))
}

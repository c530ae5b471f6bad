//! Differences between passes and Swift's that are visible through options: runs and steps that silc counts differently
//! (`SILPassManager::parsePassesToRunCount` in lib/SILOptimizer/PassManager/PassManager.cpp), and remarks that silc
//! does not emit.

use crate::pass::{Pass, PassLimit};
use crate::registry::{
    ADDRESS_DESTROY_HOISTING, ALWAYS_INLINE, BRANCH_SIMPLIFICATION, COMBINATION, COPY_PROPAGATION, EARLY_INLINE,
    INLINE, JUMP_THREADING, MANDATORY_COPY_PROPAGATION,
};

/// The passes whose steps Swift's compiler counts (`continueWithNextSubpassRun`) and silc does not.
const WITH_UNCOUNTED_STEPS: &[Pass] = &[
    ADDRESS_DESTROY_HOISTING,
    BRANCH_SIMPLIFICATION,
    COMBINATION,
    COPY_PROPAGATION,
    JUMP_THREADING,
    MANDATORY_COPY_PROPAGATION,
];

impl PassLimit {
    /// The first of `passes` that silc counts differently than Swift's compiler: a pass over the whole module, a
    /// repeated pass that Swift skips if nothing has changed since, or a pass whose steps would have to be counted.
    pub fn uncounted(self, passes: &[Pass]) -> Option<Pass> {
        let is_repeated = |index: usize, pass: &Pass| passes[..index].contains(pass);
        let is_counted = |index: usize, pass: &Pass| {
            pass.runner().is_local()
                && !is_repeated(index, pass)
                && (self.steps.is_none() || !WITH_UNCOUNTED_STEPS.contains(pass))
        };
        passes.iter().enumerate().find(|(index, pass)| !is_counted(*index, pass)).map(|(_, pass)| *pass)
    }
}

impl Pass {
    /// Returns whether the pass emits remarks in Swift's compiler and not in silc.
    pub fn lacks_remarks(self) -> bool {
        [ALWAYS_INLINE, EARLY_INLINE, INLINE].contains(&self)
    }
}

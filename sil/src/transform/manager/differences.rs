//! Differences between passes and Swift's that options show: runs and steps that silc does not count as Swift's compiler does
//! (`SILPassManager::parsePassesToRunCount` in lib/SILOptimizer/PassManager/PassManager.cpp), and remarks that silc does not make.

use crate::transform::pass::{Pass, PassLimit};
use crate::transform::registry::{
    ADDRESS_DESTROY_HOISTING, ALWAYS_INLINE, BRANCH_SIMPLIFICATION, COMBINATION, COPY_PROPAGATION, EARLY_INLINE,
    INLINE, JUMP_THREADING, MANDATORY_COPY_PROPAGATION,
};

/// The passes of which Swift's compiler counts the steps (`continueWithNextSubpassRun`), but silc does not.
const WITH_UNCOUNTED_STEPS: &[Pass] = &[
    ADDRESS_DESTROY_HOISTING,
    BRANCH_SIMPLIFICATION,
    COMBINATION,
    COPY_PROPAGATION,
    JUMP_THREADING,
    MANDATORY_COPY_PROPAGATION,
];

impl PassLimit {
    /// The first of `passes` for which silc does not count as Swift's compiler does: one over the module as a whole, one that is named twice and that
    /// Swift leaves out where nothing has changed since, or one whose steps would have to be counted.
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
    /// Whether it has remarks in Swift's compiler that silc does not make.
    pub fn lacks_remarks(self) -> bool {
        [ALWAYS_INLINE, EARLY_INLINE, INLINE].contains(&self)
    }
}

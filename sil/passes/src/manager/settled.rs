//! Tracks the passes that found nothing to do in a function since its last change. They are skipped, as in Swift's
//! compiler (`SILPassManager::runPassOnFunction` in lib/SILOptimizer/PassManager/PassManager.cpp).

use rustc_hash::FxHashMap;
use sil_ir::context::Name;
use sil_ir::model::Module;

use crate::pass::{Pass, Rewrites};

/// The passes that found nothing to do, for each function.
#[derive(Default)]
pub(super) struct Settled {
    passes: FxHashMap<Name, Vec<Pass>>,
}

impl Settled {
    /// Returns whether the pass found nothing to do in the function.
    pub(super) fn has(&self, function: Name, pass: Pass) -> bool {
        self.passes.get(&function).is_some_and(|passes| passes.contains(&pass))
    }

    /// Records that the pass found nothing to do in the function.
    pub(super) fn note(&mut self, function: Name, pass: Pass) {
        self.passes.entry(function).or_default().push(pass);
    }

    /// Removes the functions that change.
    pub(super) fn forget_rewritten(&mut self, module: &Module, rewrites: &Rewrites) {
        for (id, rewrite) in rewrites {
            let others = rewrite.iter().flat_map(|rewrite| &rewrite.others).map(|(other, _)| *other);
            for changed in others.chain([*id]) {
                self.passes.remove(&module.functions[changed].name);
            }
        }
    }

    /// Removes all functions.
    pub(super) fn clear(&mut self) {
        self.passes.clear();
    }
}

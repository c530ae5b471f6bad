//! Passes that run only so often (`-sil-opt-pass-count`, `SILPassManager::parsePassesToRunCount` in lib/SILOptimizer/PassManager/PassManager.cpp): what
//! the limit is, and for which passes silc counts as Swift's compiler does. To find the step that goes wrong, one halves the limit.
//!
//! Does not own: counting runs (`worklist`) and the steps of a pass (the pass itself).

use super::Pass;
use super::pipeline::{Runner, runner};

/// How often passes run on functions, each pass on each function counted once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassLimit {
    /// So many runs.
    pub runs: u32,
    /// So many steps of the last one, as the pass counts them; all where none is said.
    pub steps: Option<u32>,
}

impl PassLimit {
    /// Reads what stands behind the option: the runs, and behind a dot the steps.
    pub fn from_text(text: &str) -> Option<PassLimit> {
        let (runs, steps) = match text.split_once('.') {
            Some((runs, steps)) => (runs, Some(steps.parse().ok()?)),
            None => (text, None),
        };
        Some(PassLimit { runs: runs.parse().ok()?, steps })
    }

    /// The first of `passes` for which silc does not count as Swift's compiler does: one over the module as a whole, one that is named twice and that
    /// Swift leaves out where nothing has changed since, or one whose steps would have to be counted.
    pub fn uncounted(self, passes: &[Pass]) -> Option<Pass> {
        let is_repeated = |index: usize, pass: Pass| passes[..index].contains(&pass);
        let is_counted = |index: usize, pass: Pass| {
            runs_by_function(&runner(pass))
                && !is_repeated(index, pass)
                && (self.steps.is_none() || !has_uncounted_steps(pass))
        };
        passes.iter().enumerate().find(|(index, pass)| !is_counted(*index, **pass)).map(|(_, pass)| *pass)
    }
}

/// Whether a pass looks at one function at a time, and at no others.
fn runs_by_function(runner: &Runner) -> bool {
    match runner {
        Runner::Function(_) => true,
        Runner::Steps(steps) => steps.iter().all(runs_by_function),
        Runner::FunctionByFunction(..)
        | Runner::Module(_)
        | Runner::Whole(_)
        | Runner::Restarting(_)
        | Runner::Program(_)
        | Runner::ToldProgram(_)
        | Runner::Told(_)
        | Runner::ToldOrFunction(..) => false,
    }
}

/// Whether Swift's compiler counts steps of a pass (`continueWithNextSubpassRun`), but silc does not.
fn has_uncounted_steps(pass: Pass) -> bool {
    matches!(
        pass,
        Pass::AddressDestroyHoisting
            | Pass::BranchSimplification
            | Pass::Combination
            | Pass::CopyPropagation
            | Pass::JumpThreading
            | Pass::MandatoryCopyPropagation
    )
}

//! The guaranteed pipeline: what raw SIL goes through to become canonical, whatever the level of optimisation
//! (lib/SILOptimizer/PassManager/PassPipeline.cpp).

use super::{Pass, run};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Module, Stage};
use crate::syntax::Libraries;

/// The passes, in order. Each leaves alone what a library has as canonical SIL.
const GUARANTEED: &[Pass] = &[
    Pass::AccessEnforcementSelection,
    Pass::BoxToStack,
    Pass::NoReturnFolding,
    Pass::DefiniteInitialization,
    Pass::RawInstructionLowering,
    Pass::NoncopyableChecker,
    Pass::MoveOnlyTypeEliminator,
    Pass::MandatoryPerformance,
];

/// Makes a raw module canonical, with bodies from `libraries`, and gives what is to be said of its code. Other modules stay as they are. After an
/// error the module stays raw.
pub fn make_canonical(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    if module.stage != Stage::Raw {
        return Vec::new();
    }
    let mut diagnostics = Vec::new();
    for pass in GUARANTEED {
        diagnostics.extend(run(module, &[*pass], libraries));
        if diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error) {
            return diagnostics;
        }
    }
    module.stage = Stage::Canonical;
    diagnostics
}

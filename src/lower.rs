//! Preparation of modules for IRGen: canonical SIL, optimised according to the level, without ownership.
//!
//! Does not own: the passes, and the pipelines (`sil::transform`).

use irgen::compile::Visibility;
use sil::diagnostic::Diagnostic;
use sil::model::{Module, Stage};
use sil::syntax::Libraries;
use sil::transform::{
    AssertConfiguration, Findings, LOWERING_PASSES, LexicalLifetimes, OptimizationGoal, OptimizationMode, Pass,
    PassTimes, Program, Settings,
};

use crate::arguments::{Level, SilOptimizer, TargetOptions};
use crate::load::{self, Loaded};
use crate::report::{Reporter, Status};

/// The parameters of lowering.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Lowering {
    /// The goal of the SIL performance passes, or `None` if they do not run.
    goal: Option<OptimizationGoal>,
    /// The part of the program that each module is.
    program: Program,
}

impl Lowering {
    /// Lowering without performance passes.
    pub const UNOPTIMIZED: Self = Self { goal: None, program: Program::Part };

    /// Returns the lowering for a level, for modules that other modules may use.
    pub fn at_level(level: Level) -> Self {
        let goal = match level {
            Level::Zero => None,
            Level::One | Level::Two | Level::Three => Some(OptimizationGoal::Speed),
            Level::Size | Level::LeastSize => Some(OptimizationGoal::Size),
        };
        Self { goal, program: Program::Part }
    }

    /// Returns the lowering for the options.
    pub fn with_options(options: &TargetOptions, visibility: Visibility) -> Self {
        let program = match visibility {
            Visibility::WholeProgram => Program::Whole,
            Visibility::Module => Program::Part,
        };
        let goal = match options.sil_optimizer {
            SilOptimizer::Level => Self::at_level(options.level).goal,
            SilOptimizer::None => None,
            SilOptimizer::Speed => Some(OptimizationGoal::Speed),
            SilOptimizer::Size => Some(OptimizationGoal::Size),
        };
        Self { goal, program }
    }

    /// Returns the settings of passes.
    fn settings(self) -> Settings {
        match self.goal {
            Some(goal) => Settings {
                optimization: OptimizationMode::Optimized,
                goal,
                lexical_lifetimes: LexicalLifetimes::Kept,
                assert_configuration: AssertConfiguration::Release,
                ..Settings::default()
            },
            // As in Swift's optimised builds, variables captured by local functions are not boxed.
            None => Settings { optimization: OptimizationMode::Unspecified, ..Settings::default() },
        }
    }

    /// Makes a module canonical and optimises it, without lowering ownership.
    fn optimize(self, module: &mut Module, libraries: &Libraries<'_>) -> Findings {
        let settings = self.settings();
        let is_raw = module.stage == Stage::Raw;
        let mut findings = Findings::default();
        findings.diagnostics.extend(sil::transform::complete_canonical(module, libraries));
        findings.add(sil::transform::make_canonical_recording(module, libraries, &settings));
        let is_wanted = self.goal.is_some() && !load::has_errors(&findings.diagnostics);
        if is_wanted && (is_raw || !sil::transform::is_optimized(module)) {
            findings.add(sil::transform::optimize(module, self.program, libraries, &settings));
        }
        findings
    }

    /// Prepares a module for IRGen, unless it has errors.
    fn lower(self, module: &mut Module, libraries: &Libraries<'_>) -> Findings {
        let mut findings = self.optimize(module, libraries);
        if !load::has_errors(&findings.diagnostics) {
            findings.add(sil::transform::run_recording(module, LOWERING_PASSES, libraries, &self.settings()));
        }
        findings
    }
}

/// Prepares a module for IRGen, unless it has errors, and returns its diagnostics.
pub fn lower_module(module: &mut Module, libraries: &Libraries<'_>, lowering: Lowering) -> Vec<Diagnostic> {
    lowering.lower(module, libraries).diagnostics
}

/// Prepares all modules for IRGen, and returns the run times of the passes.
pub fn lower(loaded: &mut Loaded, lowering: Lowering, reporter: &Reporter) -> Result<PassTimes, Status> {
    each_module(loaded, reporter, |module, libraries| lowering.lower(module, libraries))
}

/// Makes all modules canonical and optimises them if the level requests it. Returns the run times of the passes.
pub fn optimize(loaded: &mut Loaded, lowering: Lowering, reporter: &Reporter) -> Result<PassTimes, Status> {
    match lowering.goal {
        None => Ok(PassTimes::default()),
        Some(_) => each_module(loaded, reporter, |module, libraries| lowering.optimize(module, libraries)),
    }
}

/// Runs a list of passes on all modules.
pub fn transform(
    loaded: &mut Loaded,
    passes: &[Pass],
    settings: &Settings,
    reporter: &Reporter,
) -> Result<PassTimes, Status> {
    each_module(loaded, reporter, |module, libraries| {
        sil::transform::run_recording(module, passes, libraries, settings)
    })
}

/// Makes raw modules canonical.
pub fn make_canonical(loaded: &mut Loaded, settings: &Settings, reporter: &Reporter) -> Result<PassTimes, Status> {
    each_module(loaded, reporter, |module, libraries| {
        sil::transform::make_canonical_recording(module, libraries, settings)
    })
}

/// Applies a function to each module, and reports its diagnostics.
fn each_module(
    loaded: &mut Loaded,
    reporter: &Reporter,
    work: impl Fn(&mut Module, &Libraries<'_>) -> Findings,
) -> Result<PassTimes, Status> {
    let Loaded { sources, modules, libraries, .. } = loaded;
    let libraries = Libraries::new(sources, libraries);
    let mut times = PassTimes::default();
    let mut status = Ok(());
    for module in modules {
        let findings = work(module, &libraries);
        times.append(findings.times);
        reporter.diagnostics(&findings.diagnostics, sources, Some(&module.context));
        if load::has_errors(&findings.diagnostics) {
            status = Err(Status::InputAtFault);
        }
    }
    status.map(|()| times)
}

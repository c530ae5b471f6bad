//! Bringing modules into the form that IRGen takes: canonical, optimised where the level asks for that, without
//! ownership.
//!
//! Does not own the passes, nor the choice of those that run (`sil::transform`).

use irgen::compile::Visibility;
use sil::diagnostic::Diagnostic;
use sil::model::{Module, Stage};
use sil::syntax::Libraries;
use sil::transform::{
    Findings, LOWERING_PASSES, LexicalLifetimes, OptimizationGoal, OptimizationMode, Pass, PassTimes, Program, Settings,
};

use crate::arguments::{Level, SilOptimizer, TargetOptions};
use crate::load::{self, Loaded};
use crate::report::{Reporter, Status};

/// What the standard library takes a program to be whose assertions are not checked: one that is released.
const RELEASE: u32 = 1;

/// How modules are lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Lowering {
    /// The goal of SIL's performance passes; none if they do not run.
    goal: Option<OptimizationGoal>,
    /// The part of a program that each module is.
    program: Program,
}

impl Lowering {
    /// Without performance passes.
    pub const UNOPTIMIZED: Self = Self { goal: None, program: Program::Part };

    /// As the level asks for, of modules that others may use.
    pub fn at_level(level: Level) -> Self {
        let goal = match level {
            Level::Zero => None,
            Level::One | Level::Two | Level::Three => Some(OptimizationGoal::Speed),
            Level::Size | Level::LeastSize => Some(OptimizationGoal::Size),
        };
        Self { goal, program: Program::Part }
    }

    /// As the options ask for.
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

    /// The settings of passes.
    fn settings(self) -> Settings {
        match self.goal {
            Some(goal) => Settings {
                optimization: OptimizationMode::Optimized,
                goal,
                lexical_lifetimes: LexicalLifetimes::Kept,
                assert_configuration: Some(RELEASE),
                ..Settings::default()
            },
            // Variables that functions share which only they call are no boxes, as where Swift optimises.
            None => Settings { optimization: OptimizationMode::Unspecified, ..Settings::default() },
        }
    }

    /// Makes a module canonical and optimises it, without lowering its ownership.
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

    /// Brings a module into the form that IRGen takes, unless there are errors in it.
    fn lower(self, module: &mut Module, libraries: &Libraries<'_>) -> Findings {
        let mut findings = self.optimize(module, libraries);
        if !load::has_errors(&findings.diagnostics) {
            findings.add(sil::transform::run_recording(module, LOWERING_PASSES, libraries, &self.settings()));
        }
        findings
    }
}

/// Brings a module into the form that IRGen takes, unless there are errors in it, and gives what is to be said of it.
pub fn lower_module(module: &mut Module, libraries: &Libraries<'_>, lowering: Lowering) -> Vec<Diagnostic> {
    lowering.lower(module, libraries).diagnostics
}

/// Brings all modules into the form that IRGen takes, and gives how long the passes ran.
pub fn lower(loaded: &mut Loaded, lowering: Lowering, reporter: &Reporter) -> Result<PassTimes, Status> {
    each_module(loaded, reporter, |module, libraries| lowering.lower(module, libraries))
}

/// Makes all modules canonical and optimises them, where the level asks for that, and gives how long the passes ran.
pub fn optimize(loaded: &mut Loaded, lowering: Lowering, reporter: &Reporter) -> Result<PassTimes, Status> {
    match lowering.goal {
        None => Ok(PassTimes::default()),
        Some(_) => each_module(loaded, reporter, |module, libraries| lowering.optimize(module, libraries)),
    }
}

/// Runs passes on all modules, one pass after the other.
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

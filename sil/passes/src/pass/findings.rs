//! The findings of passes: diagnostics, remarks, run times, and errors of the verifier.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::Module;
use sil_verify::verify;
use std::time::Duration;

use super::description::Pass;
use super::remarks::Remark;
use super::settings::{PassVerification, Settings};

/// The findings of passes.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// Diagnostics of the code, and of unsupported code.
    pub diagnostics: Vec<Diagnostic>,
    /// Remarks on optimisations.
    pub remarks: Vec<Remark>,
    /// The number of runs on functions, if it is limited.
    pub runs: u32,
    /// The total time of the passes.
    pub duration: Duration,
    /// The time of each pass, including that of the manager.
    pub times: PassTimes,
    /// The errors of the verifier after a pass, if verification is enabled. No pass runs after that one.
    pub wrong: Option<MadeWrong>,
}

impl Findings {
    /// Verifies a module after a pass, if the settings ask for it. A program with errors of its own need not be valid.
    pub(crate) fn verify(&mut self, module: &Module, pass: Pass, settings: &Settings) {
        if settings.pass_verification == PassVerification::Skip || !self.are_harmless() {
            return;
        }
        let errors: Vec<Diagnostic> = verify(module).into_iter().filter(Diagnostic::is_error).collect();
        if !errors.is_empty() {
            self.wrong = Some(MadeWrong { pass, errors });
        }
    }

    /// Returns whether there is no error.
    pub(crate) fn are_harmless(&self) -> bool {
        self.wrong.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Adds the findings of later passes.
    pub fn add(&mut self, others: Findings) {
        let Findings { diagnostics, remarks, runs, duration, times, wrong } = others;
        self.diagnostics.extend(diagnostics);
        self.remarks.extend(remarks);
        self.runs += runs;
        self.duration += duration;
        self.times.append(times);
        self.wrong = self.wrong.take().or(wrong);
    }
}

/// The errors in a module after a pass.
#[derive(Clone, Debug)]
pub struct MadeWrong {
    /// The pass.
    pub pass: Pass,
    /// The errors of the verifier.
    pub errors: Vec<Diagnostic>,
}

/// The time of each pass, in the order of their first runs.
#[derive(Clone, Default, Debug)]
pub struct PassTimes(Vec<(Pass, Duration)>);

impl PassTimes {
    /// Adds the time of a run.
    pub(crate) fn add(&mut self, pass: Pass, time: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == pass) {
            Some((_, total)) => *total += time,
            None => self.0.push((pass, time)),
        }
    }

    /// Adds other runs.
    pub fn append(&mut self, others: PassTimes) {
        others.0.into_iter().for_each(|(pass, time)| self.add(pass, time));
    }

    /// The passes with their times.
    pub fn iter(&self) -> impl Iterator<Item = (Pass, Duration)> + '_ {
        self.0.iter().copied()
    }
}

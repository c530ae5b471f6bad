//! The findings of passes: what they say of the code, what they remark, how long they ran, and what the verifier found after one.

use std::time::Duration;

use super::description::Pass;
use super::remarks::Remark;
use super::settings::{PassVerification, Settings};
use crate::diagnostic::Diagnostic;
use crate::model::Module;
use crate::verify::verify;

/// What passes find.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// What they say of the code, and what they do not support.
    pub diagnostics: Vec<Diagnostic>,
    /// What they remark of what they did.
    pub remarks: Vec<Remark>,
    /// How often one of them ran on a function, where that is limited.
    pub runs: u32,
    /// How long they ran.
    pub duration: Duration,
    /// How long each of them ran, with what else running it takes.
    pub times: PassTimes,
    /// What the verifier found behind a pass, where it was asked to look; no pass ran behind that.
    pub wrong: Option<MadeWrong>,
}

impl Findings {
    /// Finds out whether a module is wrong behind a pass, where the verifier is to look. What is left of a wrong program need not be right.
    pub(in crate::transform) fn verify(&mut self, module: &Module, pass: Pass, settings: &Settings) {
        if settings.pass_verification == PassVerification::Skip || !self.are_harmless() {
            return;
        }
        let errors: Vec<Diagnostic> = verify(module).into_iter().filter(Diagnostic::is_error).collect();
        if !errors.is_empty() {
            self.wrong = Some(MadeWrong { pass, errors });
        }
    }

    /// Whether the program may be right, as far as this tells.
    pub(in crate::transform) fn are_harmless(&self) -> bool {
        self.wrong.is_none() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What others found behind it.
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

/// What is wrong with what a pass made.
#[derive(Clone, Debug)]
pub struct MadeWrong {
    /// The pass.
    pub pass: Pass,
    /// What the verifier says.
    pub errors: Vec<Diagnostic>,
}

/// How long each pass ran, in the order in which they ran first.
#[derive(Clone, Default, Debug)]
pub struct PassTimes(Vec<(Pass, Duration)>);

impl PassTimes {
    /// Adds the time of a run.
    pub(in crate::transform) fn add(&mut self, pass: Pass, time: Duration) {
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

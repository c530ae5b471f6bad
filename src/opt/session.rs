//! One run of `silc opt`: runs the passes of the command line on the module, and outputs the results: messages, remarks
//! and the text.
//!
//! Does not own: reading of the file, and the expectations in its comments (`super`).

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use irgen::emit::{self, Destination};
use sil::diagnostic::Diagnostic;
use sil::dump::{PrintingPass, Stream};
use sil::model::{LanguageMode, Module};
use sil::print::PrintOptions;
use sil::syntax::Libraries;
use sil::transform::{EvaluatorTest, Findings, Pass, PassVerification, Settings};
use sil::verify::Spoiled;

use super::options::{Format, InputVerification, Messages, NamedPass, Options, Pipeline};
use super::{compare, records};
use crate::load::{self, Loaded};
use crate::report::{Reporter, Status};

/// A module between passes, with the findings so far.
pub(super) struct Session<'o> {
    options: &'o Options,
    reporter: &'o Reporter,
    loaded: Loaded,
    /// The diagnostics to compare with the file's expectations.
    said: Vec<Diagnostic>,
    /// The remarks of passes, as text.
    remarks: String,
    /// The run time of passes.
    duration: Duration,
}

/// Whether the following passes run.
enum Progress {
    GoOn,
    /// The module is invalid, so no further pass runs.
    Stop,
}

impl<'o> Session<'o> {
    pub(super) fn new(options: &'o Options, loaded: Loaded, reporter: &'o Reporter) -> Self {
        Self { options, reporter, loaded, said: Vec::new(), remarks: String::new(), duration: Duration::ZERO }
    }

    /// Runs all passes, and writes the results.
    pub(super) fn run(mut self) -> Result<(), Status> {
        if self.tolerates_input() && self.tolerate()? == Some(Spoiled::All) && self.has_passes() {
            self.reporter.error("not supported yet: passes on a module that is wrong", None);
            return Err(Status::InputAtFault);
        }
        match self.options.pipeline {
            Pipeline::Guaranteed => self.run_guaranteed()?,
            Pipeline::Unoptimized => {
                self.run_guaranteed()?;
                self.run_named(&self.options.passes)?;
            }
            Pipeline::Performance => {
                self.run_guaranteed()?;
                let mode = self.loaded.modules.first().map_or(LanguageMode::Full, |module| module.mode);
                let passes = sil::transform::performance_passes(mode).into_iter().map(NamedPass::Transformation);
                let passes: Vec<NamedPass> = passes.chain(self.options.passes.iter().copied()).collect();
                self.run_named(&passes)?;
            }
            Pipeline::Named => self.run_named(&self.options.passes)?,
        }
        self.finish()
    }

    /// Returns whether the module may have errors that the command line tolerates.
    fn tolerates_input(&self) -> bool {
        self.options.input_verification == InputVerification::Verify && !self.options.tolerated.is_empty()
    }

    fn has_passes(&self) -> bool {
        !self.options.passes.is_empty() || self.options.pipeline != Pipeline::Named
    }

    /// Makes raw modules canonical.
    fn run_guaranteed(&mut self) -> Result<(), Status> {
        self.over_modules(&self.options.settings, sil::transform::make_canonical_recording)
    }

    fn run_named(&mut self, mut passes: &[NamedPass]) -> Result<(), Status> {
        while let Some((first, others)) = passes.split_first() {
            passes = others;
            match first {
                NamedPass::Transformation(first) => {
                    let group = group(*first, others, &self.options.settings);
                    passes = &others[group.len() - 1..];
                    if let Progress::Stop = self.run_group(&group)? {
                        return Ok(());
                    }
                }
                NamedPass::Printing(pass) => self.print(*pass)?,
                NamedPass::Evaluator(test) => self.test_evaluator(*test),
                NamedPass::Report(report) => {
                    let settings = &self.options.settings;
                    let text: String = self.loaded.modules.iter().map(|module| report.text(module, settings)).collect();
                    write(&text, Stream::Output, self.reporter)?;
                }
                NamedPass::FunctionTests => self.run_function_tests()?,
            }
        }
        Ok(())
    }

    /// Runs a group of passes together.
    fn run_group(&mut self, group: &[Pass]) -> Result<Progress, Status> {
        if let Some(pass) = group.iter().find(|pass| self.options.remarks.is_some() && pass.lacks_remarks()) {
            self.reporter.error(&format!("not supported yet: remarks of the pass '{}'", pass.name()), None);
            return Err(Status::InputAtFault);
        }
        self.run_passes(group)?;
        let verifies = self.options.settings.pass_verification == PassVerification::Verify;
        // The result for an invalid program need not be valid.
        if !verifies || self.options.tolerated.is_empty() || load::has_errors(&self.said) {
            return Ok(Progress::GoOn);
        }
        let is_spoiled = self.tolerate()? == Some(Spoiled::All);
        Ok(if is_spoiled { Progress::Stop } else { Progress::GoOn })
    }

    fn run_passes(&mut self, passes: &[Pass]) -> Result<(), Status> {
        let mut settings = self.options.settings.clone();
        if !self.options.tolerated.is_empty() || load::has_errors(&self.said) {
            settings.pass_verification = PassVerification::Skip;
        }
        self.over_modules(&settings, |module, libraries, settings| {
            sil::transform::run_recording(module, passes, libraries, settings)
        })
    }

    /// Runs passes on each module.
    fn over_modules(
        &mut self,
        settings: &Settings,
        run: impl Fn(&mut Module, &Libraries<'_>, &Settings) -> Findings,
    ) -> Result<(), Status> {
        let mut is_wrong = false;
        for index in 0..self.loaded.modules.len() {
            let Loaded { sources, modules, libraries, .. } = &mut self.loaded;
            let findings = run(&mut modules[index], &Libraries::new(sources, libraries), settings);
            is_wrong |= self.record(index, findings)?;
        }
        if is_wrong { Err(Status::InputAtFault) } else { Ok(()) }
    }

    /// Records or reports the findings of passes on a module, and returns whether they contain errors.
    fn record(&mut self, index: usize, findings: Findings) -> Result<bool, Status> {
        let (module, sources) = (&self.loaded.modules[index], &self.loaded.sources);
        if let Some(wrong) = findings.wrong {
            return Err(self.made_wrong(&wrong.errors, wrong.pass, module));
        }
        self.duration += findings.duration;
        self.remarks.extend(findings.remarks.iter().map(|remark| records::text(remark, module, sources)));
        match self.options.messages {
            Messages::Compare => {
                self.said.extend(findings.diagnostics);
                Ok(false)
            }
            Messages::Report => {
                self.reporter.diagnostics(&findings.diagnostics, sources, Some(&module.context));
                Ok(load::has_errors(&findings.diagnostics))
            }
        }
    }

    /// Writes the output of a printing pass.
    fn print(&self, pass: PrintingPass) -> Result<(), Status> {
        let Loaded { sources, modules, .. } = &self.loaded;
        let text: String = modules.iter().map(|module| pass.text(module, sources, self.options.printing)).collect();
        write(&text, pass.stream(), self.reporter)
    }

    /// Runs a test of the constant evaluator, and writes its results.
    fn test_evaluator(&mut self, test: EvaluatorTest) {
        let Loaded { sources, modules, libraries, .. } = &mut self.loaded;
        for module in modules {
            let diagnostics = test.link(module, &Libraries::new(sources, libraries));
            self.reporter.diagnostics(&diagnostics, sources, Some(&module.context));
            tell(&test.text(module, sources, &self.options.settings));
        }
    }

    /// Runs the tests that functions specify, and writes their output.
    fn run_function_tests(&mut self) -> Result<(), Status> {
        let mut status = Ok(());
        for module in &mut self.loaded.modules {
            let tested = sil::transform::run_function_tests(module, &self.options.settings, self.options.print);
            write(&tested.text, Stream::Output, self.reporter)?;
            self.reporter.diagnostics(&tested.diagnostics, &self.loaded.sources, Some(&module.context));
            if load::has_errors(&tested.diagnostics) {
                status = Err(Status::InputAtFault);
            }
        }
        status
    }

    fn finish(mut self) -> Result<(), Status> {
        if self.options.settings.repetitions.is_some() {
            let milliseconds = self.duration.as_secs_f64() * 1000.0;
            tell(&format!("{milliseconds:9.3} ms: total runtime of all passes\n"));
        }
        if self.options.messages == Messages::Compare {
            compare(self.options, &self.said, &self.loaded.sources, self.reporter)?;
        }
        // sil-opt verifies its output once more.
        if self.tolerates_input() {
            self.tolerate()?;
        }
        if let Some(path) = &self.options.remarks {
            self.write_to(path, &self.remarks)?;
        }
        let text = self.text();
        self.write_to(self.options.output.as_deref().unwrap_or(Path::new("-")), &text)
    }

    fn write_to(&self, path: &Path, text: &str) -> Result<(), Status> {
        let output = Destination::from_argument(path);
        emit::write(text.as_bytes(), &output).map_err(|error| self.reporter.backend(&error))
    }

    fn text(&mut self) -> String {
        let modules = &mut self.loaded.modules;
        let print = match self.options.format {
            Format::Text => self.options.print,
            Format::Serialized => {
                modules.iter_mut().for_each(sil::transform::drop_debug_values);
                modules.iter_mut().for_each(sil::transform::sort_blocks);
                PrintOptions::default()
            }
        };
        let sources = &self.loaded.sources;
        modules.iter().map(|module| sil::print::print_module_with(module, sources, print)).collect()
    }

    /// Reports errors in the format of Swift's verifier, and fails at the first that is not tolerated. Returns the
    /// properties that no longer hold.
    fn tolerate(&self) -> Result<Option<Spoiled>, Status> {
        let mut spoiled = None;
        for failure in self.loaded.modules.iter().flat_map(sil::verify::failures) {
            tell(&failure.text);
            if !self.options.tolerated.contains(&failure.found_by) {
                self.reporter.error("the module is wrong", None);
                return Err(Status::InputAtFault);
            }
            spoiled = spoiled.max(Some(failure.spoils));
        }
        Ok(spoiled)
    }

    /// Reports errors in the result of a pass, as an internal error of silc.
    fn made_wrong(&self, errors: &[Diagnostic], pass: Pass, module: &Module) -> Status {
        self.reporter.diagnostics(errors, &self.loaded.sources, Some(&module.context));
        self.reporter.error(&format!("internal: the module is wrong after the pass '{}'", pass.name()), None);
        Status::Internal
    }
}

/// Returns the passes that run together: `first`, and a prefix of `others`.
fn group(first: Pass, others: &[NamedPass], settings: &Settings) -> Vec<Pass> {
    let transformation = |pass: &NamedPass| match pass {
        NamedPass::Transformation(pass) => Some(*pass),
        NamedPass::Printing(_) | NamedPass::FunctionTests | NamedPass::Evaluator(_) | NamedPass::Report(_) => None,
    };
    let mut passes = vec![first];
    passes.extend(others.iter().map_while(transformation));
    passes.truncate(sil::transform::group_length(&passes, settings));
    passes
}

fn write(text: &str, stream: Stream, reporter: &Reporter) -> Result<(), Status> {
    match stream {
        Stream::Output => {
            let output = Destination::from_argument(Path::new("-"));
            emit::write(text.as_bytes(), &output).map_err(|error| reporter.backend(&error))
        }
        Stream::Errors => {
            tell(text);
            Ok(())
        }
    }
}

/// Writes to standard error. A failure cannot be reported.
pub(super) fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

//! The passes of sil-opt that dump analysis results of functions and change nothing (lib/SILOptimizer/UtilityPasses).
//!
//! Does not own: dumps of analyses, which are in `dump`, and specified function tests (`function_tests`).

mod epilogues;

use sil_analysis::{AliasAnalysis, Analyses, AnalyzedModule, RcIdentity};
use sil_ir::model::Module;
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::print::CommentedLines;

use super::knowledge::reference_questions::Questions;
use super::pass::Environment;
use super::pass::settings::Settings;

/// A pass that dumps analysis results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report {
    /// The epilogue retains and releases of arguments on all paths.
    EpilogueCounting,
    /// The epilogue retains of results and releases of arguments, found from the returning block.
    EpilogueMatches,
}

impl Report {
    /// The report for the sil-opt pass `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "sil-epilogue-arc-dumper" => Some(Report::EpilogueCounting),
            "sil-epilogue-retain-release-dumper" => Some(Report::EpilogueMatches),
            _ => None,
        }
    }

    /// The output of the pass for a module: its functions with bodies, in textual order.
    pub fn text(self, module: &Module, settings: &Settings) -> String {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let analyzed = AnalyzedModule::of_extent(module, queries, settings.extent);
        let mut out = String::new();
        for function in module.functions.values() {
            let Some(body) = &function.body else { continue };
            let analyses = &Analyses::default();
            let environment = Environment { module, queries, function, body, analyses, of_module: None, settings };
            let view = environment.view();
            let (aliases, identities) = (AliasAnalysis::new(&analyzed, &view), RcIdentity::new(&view));
            let questions = &Questions::new(environment, &view, &aliases, &identities);
            let lines = &CommentedLines::new(module, queries, body);
            out += &match self {
                Report::EpilogueCounting => epilogues::on_all_paths(questions, lines),
                Report::EpilogueMatches => epilogues::from_return(questions, lines),
            };
        }
        out
    }
}

//! The test passes of the constant evaluator: they print its results and change nothing
//! (lib/SILOptimizer/UtilityPasses/ConstantEvaluatorTester.cpp, ConstantEvaluableSubsetChecker.cpp).

use sil_analysis::ApplySite;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, FunctionFlag, FunctionId, InstructionId, Module};
use sil_ir::source::SourceMap;
use sil_ir::symbols::{Style, demangle_as};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;
use std::fmt::Write;

use crate::constant_evaluation::{
    Evaluation, EvaluationLimits, Place, StepEvaluator, Unknown, is_annotated_evaluable, is_evaluable,
};
use crate::mandatory::linking::link_all_called;
use crate::pass::settings::Settings;

/// A test pass of the evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluatorTest {
    /// Evaluates functions on their own.
    Functions,
    /// Evaluates calls of functions annotated as constant-evaluable.
    EvaluableSubset,
}

/// The prefix of the names of evaluated functions.
const EVALUATED: &str = "interpret";

/// The prefix of the names of functions whose calls are skipped.
const PASSED_OVER: &str = "skip";

/// The `@_semantics` of functions that call constant-evaluable functions.
const DRIVER: &str = "test_driver";

impl EvaluatorTest {
    /// Returns the pass that sil-opt calls `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "test-constant-evaluator" => Some(EvaluatorTest::Functions),
            "test-constant-evaluable-subset" => Some(EvaluatorTest::EvaluableSubset),
            _ => None,
        }
    }

    /// Links the functions that the pass evaluates. Returns the errors of libraries.
    pub fn link(self, module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
        let is_driver = |id: &FunctionId| self == EvaluatorTest::EvaluableSubset && has_semantics(module, *id, DRIVER);
        let drivers = module.functions.keys().filter(is_driver).collect();
        link_all_called(module, libraries, drivers)
    }

    /// Returns the output of the pass for a module read from `sources`.
    pub fn text(self, module: &Module, sources: &SourceMap, settings: &Settings) -> String {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let limits = EvaluationLimits::of(settings);
        let mut tester = Tester { module, queries, sources, limits, text: String::new(), evaluated: Vec::new() };
        let functions = module.functions.keys().filter_map(|id| Some((id, module.functions[id].body.as_ref()?)));
        match self {
            EvaluatorTest::Functions => functions.for_each(|(id, body)| tester.function(id, body)),
            EvaluatorTest::EvaluableSubset => {
                functions.for_each(|(id, body)| tester.driver(id, body));
                tester.undriven();
            }
        }
        tester.text
    }
}

fn has_semantics(module: &Module, function: FunctionId, wanted: &str) -> bool {
    module.functions[function].semantics(&module.context).any(|name| name == wanted)
}

struct Tester<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    sources: &'m SourceMap,
    limits: EvaluationLimits,
    text: String,
    /// The functions that drivers have called, directly or indirectly.
    evaluated: Vec<FunctionId>,
}

impl<'m> Tester<'m> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
        self.text.push('\n');
    }

    fn symbol(&self, function: FunctionId) -> &'m str {
        self.module.context.text(self.module.functions[function].name)
    }

    fn name(&self, function: FunctionId) -> String {
        let symbol = self.symbol(function);
        demangle_as(symbol, Style::Simplified).unwrap_or_else(|| symbol.to_owned())
    }

    /// Prints a message at a position in the Swift source, or else in the SIL.
    fn say(&mut self, place: Place, level: &str, message: &str) {
        let (file, line, column) = match place.source {
            Some(source) => (self.module.context.text(source.file).to_owned(), source.line, source.column),
            None => {
                let file = self.sources.file(place.span.file);
                let position = file.position(place.span.start);
                (file.path.display().to_string(), position.line, position.column)
            }
        };
        self.line(format_args!("{file}:{line}:{column}: {level}: {message}"));
    }

    fn explain(&mut self, unknown: &Unknown, fallback: Place) {
        for (place, note) in unknown.notes(fallback) {
            self.say(place, "note", &note);
        }
    }

    fn called(&self, body: &Body, id: InstructionId) -> Option<FunctionId> {
        let site = ApplySite::new(body, id).filter(|_| body.instructions[id].opcode == Opcode::Apply)?;
        self.module.function_named(site.called_function()?)
    }

    /// Evaluates a function with the prefix, and prints its result.
    fn function(&mut self, id: FunctionId, body: &'m Body) {
        if !self.symbol(id).starts_with(EVALUATED) {
            return;
        }
        self.line(format_args!("@{}", self.symbol(id)));
        let mut steps = StepEvaluator::new(self.module, self.queries, self.limits, (id, body));
        let Some(mut at) = body.first_instruction(body.entry()) else { return };
        while body.instructions[at].opcode != Opcode::Return {
            let is_passed_over =
                self.called(body, at).is_some_and(|called| self.symbol(called).starts_with(PASSED_OVER));
            let Evaluation { next, unknown } = match is_passed_over {
                true => Evaluation { next: steps.pass_over(at), unknown: None },
                false => steps.try_to_evaluate(at),
            };
            let place = Place::of(body, at);
            if let Some(unknown) = unknown.as_ref().filter(|unknown| !unknown.reason.is_unevaluated()) {
                return self.explain(unknown, place);
            }
            let Some(next) = next else {
                let message = "branch depends on non-constant value produced by an unevaluated instructions";
                self.say(place, "remark", message);
                return unknown.iter().for_each(|unknown| self.explain(unknown, place));
            };
            at = next;
        }
        match steps.constant(body.operands(at)[0]) {
            Some(value) => {
                let text = steps.evaluator.described(value);
                self.line(format_args!("Returns {text}"));
            }
            None => self.line(format_args!("Returns unknown")),
        }
    }

    /// Evaluates the calls of constant-evaluable functions in a driver.
    fn driver(&mut self, id: FunctionId, body: &'m Body) {
        if !has_semantics(self.module, id, DRIVER) || is_annotated_evaluable(self.module, id) {
            return;
        }
        let mut steps = StepEvaluator::new(self.module, self.queries, self.limits, (id, body));
        let mut at = body.first_instruction(body.entry());
        while let Some(id) = at.filter(|id| body.instructions[*id].opcode != Opcode::Return) {
            let called = self.called(body, id).filter(|called| is_evaluable(self.module, *called));
            if let Some(called) = called {
                self.line(format_args!("@{}", self.name(called)));
            }
            let Evaluation { next, unknown } = steps.try_to_evaluate(id);
            let place = Place::of(body, id);
            if let (Some(unknown), Some(_)) = (&unknown, called) {
                self.say(place, "error", "not constant evaluable");
                self.explain(unknown, place);
            }
            // After evaluation has stopped, the following code is unknown.
            at = next;
        }
        let called = steps.evaluator.called;
        for function in called {
            self.imported(function);
            if !self.evaluated.contains(&function) {
                self.evaluated.push(function);
            }
        }
    }

    /// Reports an imported function that its module has optimised, since it may no longer be evaluable.
    fn imported(&mut self, function: FunctionId) {
        let imported = &self.module.functions[function];
        if imported.linkage.is_external()
            && imported.body.is_some()
            && is_annotated_evaluable(self.module, function)
            && !imported.has(FunctionFlag::OptimizeNone)
        {
            let message = format!(
                "imported constant evaluable function '{}' must be annotated '@_optimize(none)'",
                self.name(function)
            );
            let place = Place { span: imported.span, source: None };
            self.say(place, "error", &message);
        }
    }

    /// Reports the functions without a driver.
    fn undriven(&mut self) {
        let is_undriven = |id: &FunctionId| is_annotated_evaluable(self.module, *id) && !self.evaluated.contains(id);
        let undriven: Vec<FunctionId> = self.module.functions.keys().filter(is_undriven).collect();
        for function in undriven {
            let name = self.name(function);
            self.line(format_args!(
                "Error: function {name} annotated as constant evaluable does not have a test driver"
            ));
        }
    }
}

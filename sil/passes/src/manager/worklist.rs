//! Runs passes function by function, bottom-up in the call graph (`SILPassManager::runFunctionPasses`). Each function
//! runs through all passes of a group before the next one does, and new functions run through them at once. Passes that
//! create thunks rely on that, since the callers are visited after the thunks exist and can be inlined.

use std::sync::Arc;
use std::time::Duration;

use cranelift_entity::PrimaryMap;
use sil_analysis::{Analyses, callees_first};
use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{FunctionId, Module};
use sil_ir::types::{ConformanceTable, TypeCaches, TypeQueries};
use sil_verify::Verifier;

use super::profile::repeated;
use super::settled::Settled;
use crate::pass::settings::{PassVerification, Settings};
use crate::pass::{
    Afterwards, Findings, MadeWrong, ModuleEnvironment, Pass, Rewrite, Runner, Scope, Step, Unit, apply,
};

/// The limit on the restarts of a function.
const MOST_RESTARTS: usize = 20;
/// The limit on the generations of functions that are created for each other.
const MOST_GENERATIONS: usize = 10;

/// The number of `passes`, from the first one on, that run as one group: only the first, or all up to the next pass
/// over the whole program if one of them runs function by function or the runs are counted.
pub fn group_length(passes: &[Pass], settings: &Settings) -> usize {
    let runs_by_function = |pass: &Pass| !matches!(pass.runner().scope(), Scope::Program);
    let group: Vec<Scope> =
        passes.iter().take_while(|pass| runs_by_function(pass)).map(|pass| pass.runner().scope()).collect();
    let is_group = group.iter().any(|scope| matches!(scope, Scope::FunctionByFunction | Scope::FunctionsAgain));
    if is_group || settings.limit.is_some() && !group.is_empty() { group.len() } else { passes.len().min(1) }
}

/// A function on the worklist.
struct Entry {
    function: Name,
    /// The index of the next pass.
    next: usize,
    restarts: usize,
    generation: usize,
}

/// The result of a pass for a function.
#[derive(Default)]
struct Outcome {
    extent: Extent,
    /// The created functions.
    made: Vec<Name>,
}

/// Whether a pass changed a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
enum Extent {
    #[default]
    Same,
    Changed,
}

impl Outcome {
    fn and(mut self, later: Outcome) -> Outcome {
        self.made.extend(later.made);
        Outcome { extent: self.extent.max(later.extent), made: self.made }
    }
}

/// A group of passes running on a module.
pub(super) struct Worklist<'w> {
    module: &'w mut Module,
    settings: &'w Settings,
    /// The settings of all runs but the last one, if the runs are limited.
    unlimited: Settings,
    /// The analyses of the functions.
    analyses: PrimaryMap<FunctionId, Analyses>,
    /// The passes that have nothing to do in a function.
    settled: &'w mut Settled,
    findings: &'w mut Findings,
}

/// The facts about types that stay the same while passes over functions run.
struct Types<'c> {
    conformances: &'c ConformanceTable<'c>,
    caches: Arc<TypeCaches>,
}

impl Types<'_> {
    fn queries<'a>(&'a self, module: &'a Module) -> TypeQueries<'a> {
        TypeQueries::with_caches(module, self.conformances, self.caches.clone())
    }
}

impl<'w> Worklist<'w> {
    /// Creates a worklist with the analyses of the module's functions. Findings are added to `findings`.
    pub(super) fn new(
        module: &'w mut Module,
        settings: &'w Settings,
        (analyses, settled): (PrimaryMap<FunctionId, Analyses>, &'w mut Settled),
        findings: &'w mut Findings,
    ) -> Self {
        let unlimited = Settings { limit: None, ..settings.clone() };
        Self { module, settings, unlimited, analyses, settled, findings }
    }

    /// Runs the passes. Returns the analyses that are still valid.
    pub(super) fn run(mut self, passes: &[Pass]) -> PrimaryMap<FunctionId, Analyses> {
        self.run_all(passes);
        self.analyses
    }

    fn run_all(&mut self, passes: &[Pass]) {
        // Function passes do not change the tables.
        let witness_tables = self.module.witness_tables.clone();
        let conformances = &ConformanceTable::new(&self.module.context, &witness_tables);
        let types = &Types { conformances, caches: TypeCaches::of(self.module) };
        let mut open: Vec<Entry> = callees_first(self.module, &types.queries(self.module))
            .into_iter()
            .rev()
            .filter(|id| !self.settings.exempts(&self.module.functions[*id]))
            .map(|id| Entry { function: self.module.functions[id].name, next: 0, restarts: 0, generation: 0 })
            .collect();
        while let Some(entry) = open.last_mut() {
            let Some(pass) = passes.get(entry.next) else {
                open.pop();
                continue;
            };
            let runner = pass.runner();
            entry.next += 1;
            let is_skippable = runner.scope() == Scope::Functions;
            if is_skippable && self.settled.has(entry.function, *pass) {
                continue;
            }
            if self.settings.limit.is_some_and(|limit| limit.runs == self.findings.runs) {
                return;
            }
            self.findings.runs += 1;
            let (function, unit) = (entry.function, Unit::Function(entry.function));
            let before = self.settings.printing.before(*pass, self.module, unit);
            let duration_before = self.findings.duration;
            let Outcome { extent, made } = self.step(pass.step(), function, types);
            if is_skippable && extent == Extent::Same {
                self.settled.note(function, *pass);
            }
            self.findings.times.add(*pass, self.findings.duration - duration_before);
            self.settings.printing.after(before, *pass, self.module, unit);
            if extent == Extent::Changed && self.is_made_wrong(*pass, function, types) {
                return;
            }
            let begins_anew = extent == Extent::Changed && runner.afterwards() == Afterwards::BeginAnew;
            if begins_anew && entry.restarts < MOST_RESTARTS {
                entry.next = 0;
                entry.restarts += 1;
            }
            let generation = entry.generation + 1;
            if generation <= MOST_GENERATIONS {
                let entries = made.into_iter().rev();
                open.extend(entries.map(|function| Entry { function, next: 0, restarts: 0, generation }));
            }
        }
    }

    /// The settings of the current run.
    fn stated(&self) -> &Settings {
        match self.settings.limit {
            Some(limit) if limit.runs > self.findings.runs => &self.unlimited,
            _ => self.settings,
        }
    }

    /// Returns whether the verifier rejects a function after a pass, if verification is enabled.
    fn is_made_wrong(&mut self, pass: Pass, function: Name, types: &Types<'_>) -> bool {
        if self.settings.pass_verification == PassVerification::Skip {
            return false;
        }
        let queries = &types.queries(self.module);
        let Some(id) = self.module.function_named(function) else { return false };
        let found = Verifier::new(self.module, queries).function(id).into_iter();
        let errors: Vec<Diagnostic> = found.filter(Diagnostic::is_error).collect();
        if errors.is_empty() {
            return false;
        }
        self.findings.wrong = Some(MadeWrong { pass, errors });
        true
    }

    /// Runs a pass on one function.
    fn step(&mut self, step: Step, function: Name, types: &Types<'_>) -> Outcome {
        if let Runner::Steps(steps) = step.runner {
            return steps
                .iter()
                .map(|runner| Step { runner, ..step })
                .fold(Outcome::default(), |before, step| before.and(self.step(step, function, types)));
        }
        let Some(id) = self.module.function_named(function) else { return Outcome::default() };
        let mut spent = Duration::ZERO;
        let rewrite = repeated(self.settings, &mut spent, || self.rewrite(step, id, types));
        self.findings.duration += spent;
        let Some(rewrite) = rewrite else { return Outcome::default() };
        let outcome = match &rewrite {
            Ok(Rewrite { functions, appended, .. }) => {
                let made = functions.iter().map(|(_, function)| function).chain(appended);
                let names = made.map(|function| function.name);
                let made = names.filter(|name| self.module.function_named(*name).is_none()).collect();
                Outcome { extent: Extent::Changed, made }
            }
            Err(_) => Outcome::default(),
        };
        let analyses = std::mem::take(&mut self.analyses);
        let rewrites = vec![(id, rewrite)];
        self.settled.forget_rewritten(self.module, &rewrites);
        self.analyses = apply(self.module, rewrites, analyses, self.findings);
        outcome
    }

    fn rewrite(
        &self,
        Step { runner, gates }: Step,
        id: FunctionId,
        types: &Types<'_>,
    ) -> Option<Result<Rewrite, Box<Diagnostic>>> {
        let (module, settings) = (&*self.module, self.stated());
        let (queries, analyses) = (&types.queries(module), &self.analyses);
        let environment = ModuleEnvironment { module, queries, analyses, settings, gates, only: Some(id) };
        if !environment.admits(id) {
            return None;
        }
        match runner {
            Runner::Function(pass) | Runner::FunctionByFunction(pass, _) | Runner::ProgramOrFunction(_, pass) => {
                pass(environment.of_function(id)?).transpose()
            }
            Runner::Module(pass) | Runner::Restarting(pass) => {
                pass(environment).into_iter().find(|(rewritten, _)| *rewritten == id).map(|(_, rewrite)| rewrite)
            }
            Runner::Steps(_) | Runner::Whole(_) | Runner::Program(_) => None,
        }
    }
}

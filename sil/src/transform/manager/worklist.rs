//! Running passes function by function: what is called comes before what calls it, each function goes through all passes of a group before the next
//! one does, and functions that a pass makes go through them at once (`SILPassManager::runFunctionPasses`). Passes that make thunks need that: where
//! the thunks are to be inlined, what calls them is looked at behind that.

use std::time::{Duration, Instant};

use cranelift_entity::PrimaryMap;

use super::profile::repeated;
use super::settled::Settled;
use crate::analysis::{Analyses, callees_first};
use crate::context::Name;
use crate::diagnostic::Diagnostic;
use crate::model::{FunctionId, Module};
use crate::transform::pass::settings::{PassVerification, Settings};
use crate::transform::pass::{
    Afterwards, Findings, MadeWrong, ModuleEnvironment, Pass, Rewrite, Runner, Scope, Step, Unit, apply,
};
use crate::types::{ConformanceTable, TypeQueries};
use crate::verify::Verifier;

/// How often a function begins anew with the first pass.
const MOST_RESTARTS: usize = 20;
/// How many functions one after the other are made for each other.
const MOST_GENERATIONS: usize = 10;

/// How many of `passes`, from the first on, run as one group: the first alone, or all up to the next one over the whole program if one of them runs
/// function by function or the runs of passes on functions are counted.
pub fn group_length(passes: &[Pass], settings: &Settings) -> usize {
    let runs_by_function = |pass: &Pass| !matches!(pass.runner().scope(), Scope::Program);
    let group: Vec<Scope> =
        passes.iter().take_while(|pass| runs_by_function(pass)).map(|pass| pass.runner().scope()).collect();
    let is_group = group.iter().any(|scope| matches!(scope, Scope::FunctionByFunction | Scope::FunctionsAgain));
    if is_group || settings.limit.is_some() && !group.is_empty() { group.len() } else { passes.len().min(1) }
}

/// A function that is worked on.
struct Entry {
    function: Name,
    /// The pass that is next.
    next: usize,
    restarts: usize,
    generation: usize,
}

/// What a pass did to a function.
#[derive(Default)]
struct Outcome {
    extent: Extent,
    /// The functions that it made.
    made: Vec<Name>,
}

/// Whether a function is another one behind a pass.
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

/// A group of passes on its way through a module.
pub(super) struct Worklist<'w> {
    module: &'w mut Module,
    settings: &'w Settings,
    /// What passes are told but the last one that runs, where that is limited.
    unlimited: Settings,
    /// What is known of the functions.
    analyses: PrimaryMap<FunctionId, Analyses>,
    /// The passes that have nothing to do in them.
    settled: &'w mut Settled,
    findings: &'w mut Findings,
}

impl<'w> Worklist<'w> {
    /// A group that comes into a module, of the functions of which that is known. What is found goes to `findings`.
    pub(super) fn new(
        module: &'w mut Module,
        settings: &'w Settings,
        (analyses, settled): (PrimaryMap<FunctionId, Analyses>, &'w mut Settled),
        findings: &'w mut Findings,
    ) -> Self {
        let unlimited = Settings { limit: None, ..settings.clone() };
        Self { module, settings, unlimited, analyses, settled, findings }
    }

    /// Runs the passes, and gives what is known of the functions then.
    pub(super) fn run(mut self, passes: &[Pass]) -> PrimaryMap<FunctionId, Analyses> {
        self.run_all(passes);
        self.analyses
    }

    fn run_all(&mut self, passes: &[Pass]) {
        // Passes over functions leave the tables as they are.
        let witness_tables = self.module.witness_tables.clone();
        let conformances = &ConformanceTable::new(&self.module.context, &witness_tables);
        let mut open: Vec<Entry> = callees_first(self.module, &TypeQueries::of(self.module, conformances))
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
            let start = Instant::now();
            let Outcome { extent, made } = self.step(pass.step(), function, conformances);
            if is_skippable && extent == Extent::Same {
                self.settled.note(function, *pass);
            }
            self.findings.times.add(*pass, start.elapsed());
            self.settings.printing.after(before, *pass, self.module, unit);
            if extent == Extent::Changed && self.is_made_wrong(*pass, function, conformances) {
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

    /// What the pass that runs is told.
    fn told(&self) -> &Settings {
        match self.settings.limit {
            Some(limit) if limit.runs > self.findings.runs => &self.unlimited,
            _ => self.settings,
        }
    }

    /// Whether the verifier finds something wrong with what a pass made of a function, where it is to look.
    fn is_made_wrong(&mut self, pass: Pass, function: Name, conformances: &ConformanceTable<'_>) -> bool {
        if self.settings.pass_verification == PassVerification::Skip {
            return false;
        }
        let queries = &TypeQueries::of(self.module, conformances);
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
    fn step(&mut self, step: Step, function: Name, conformances: &ConformanceTable<'_>) -> Outcome {
        if let Runner::Steps(steps) = step.runner {
            return steps
                .iter()
                .map(|runner| Step { runner, ..step })
                .fold(Outcome::default(), |before, step| before.and(self.step(step, function, conformances)));
        }
        let Some(id) = self.module.function_named(function) else { return Outcome::default() };
        let mut spent = Duration::ZERO;
        let rewrite = repeated(self.settings, &mut spent, || self.rewrite(step, id, conformances));
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
        conformances: &ConformanceTable<'_>,
    ) -> Option<Result<Rewrite, Box<Diagnostic>>> {
        let (module, settings) = (&*self.module, self.told());
        let (queries, analyses) = (&TypeQueries::of(module, conformances), &self.analyses);
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

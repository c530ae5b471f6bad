//! Runs function passes with analyses of the whole module: the effects of functions, and the possible callees of calls.
//!
//! A pass runs once per change, so that the analyses of the body are valid while it decides.

use std::hash::Hash;

use rustc_hash::FxHashSet;
use sil_analysis::{AliasAnalysis, AnalyzedModule, BodyView, Change};
use sil_ir::model::{Body, FunctionId};
use sil_ir::parallel;

use super::environment::{Environment, ModuleEnvironment};
use super::rewrite::{Rewrite, Rewrites};
use super::rounds::Rounds;

/// Runs `pass` over all selected functions with bodies.
pub(crate) fn over_analyzed(
    environment: ModuleEnvironment<'_>,
    pass: impl Fn(Environment<'_>, &AnalyzedModule<'_>) -> Option<Rewrite> + Sync,
) -> Rewrites {
    let analyzed = AnalyzedModule::of_extent(environment.module, environment.queries, environment.settings.extent);
    let rewrite = |id: &FunctionId| Some((*id, Ok(pass(environment.of_function(*id)?, &analyzed)?)));
    parallel::map(&environment.functions(), rewrite).into_iter().flatten().collect()
}

/// The analyses of the current body.
pub(crate) struct Analyzed<'v, 'm> {
    pub(crate) environment: Environment<'m>,
    pub(crate) view: &'v BodyView<'m>,
    pub(crate) aliases: &'v AliasAnalysis<'v, 'm>,
}

/// Applies `change` to the candidates of a body in order, each with the current body. Candidates that a change adds are
/// visited too. Returns `None` if nothing changed.
pub(crate) fn change_one_by_one<C: Copy + Eq + Hash>(
    environment: Environment<'_>,
    analyzed: &AnalyzedModule<'_>,
    candidates: impl Fn(&Body) -> Vec<C>,
    change: impl Fn(&Analyzed<'_, '_>, C) -> Option<Body>,
) -> Option<Rewrite> {
    let mut rounds = Rounds::new(environment);
    let mut seen = FxHashSet::default();
    loop {
        let environment = rounds.current();
        let open: Vec<C> =
            candidates(environment.body).into_iter().filter(|candidate| !seen.contains(candidate)).collect();
        if open.is_empty() {
            break;
        }
        let view = environment.view();
        let aliases = AliasAnalysis::new(analyzed, &view);
        let analyzed = Analyzed { environment, view: &view, aliases: &aliases };
        let mut tried = open.into_iter().inspect(|candidate| {
            seen.insert(*candidate);
        });
        let Some(next) = tried.find_map(|candidate| change(&analyzed, candidate)) else { break };
        rounds.set(next, Change::Instructions);
    }
    rounds.finish()
}

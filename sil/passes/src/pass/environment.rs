//! The module as a pass sees it: in its state before the pass, so that the result does not depend on the order of
//! functions or the number of threads.

use cranelift_entity::PrimaryMap;
use sil_analysis::{Analyses, BodyView};
use sil_ir::context::Name;
use sil_ir::model::{Body, Function, FunctionId, Module};
use sil_ir::types::TypeQueries;

use super::gates::Gates;
use super::settings::Settings;

/// The environment of a function pass.
#[derive(Clone, Copy)]
pub struct Environment<'m> {
    /// The module, with the bodies from before the pass.
    pub module: &'m Module,
    /// The queries about the module's types.
    pub queries: &'m TypeQueries<'m>,
    /// The function.
    pub function: &'m Function,
    /// Its body.
    pub body: &'m Body,
    /// The analyses of `body`.
    pub analyses: &'m Analyses,
    /// The analyses of all functions of the module, if they are available.
    pub of_module: Option<&'m PrimaryMap<FunctionId, Analyses>>,
    /// The options of passes.
    pub settings: &'m Settings,
}

impl<'m> Environment<'m> {
    /// Returns whether the function `id` of the module with the given body refers to the function `name`.
    pub(crate) fn refers_to(&self, id: FunctionId, body: &Body, name: Name) -> bool {
        match self.of_module.and_then(|analyses| analyses.get(id)) {
            Some(analyses) => analyses.refers_to(body, name),
            None => Analyses::default().refers_to(body, name),
        }
    }

    /// The environment with another body and its analyses.
    pub(crate) fn with_body<'b>(&self, body: &'b Body, analyses: &'b Analyses) -> Environment<'b>
    where
        'm: 'b,
    {
        Environment { body, analyses, ..*self }
    }

    /// A view of the body that shares its analyses.
    pub fn view(&self) -> BodyView<'m> {
        debug_assert!(self.analyses.fit(self.body));
        BodyView::with(self.module, self.queries, (self.function, self.body), self.analyses)
    }
}

/// The environment of a module pass.
#[derive(Clone, Copy)]
pub struct ModuleEnvironment<'m> {
    /// The module before the pass.
    pub(crate) module: &'m Module,
    pub(crate) queries: &'m TypeQueries<'m>,
    /// The analyses of each function's body.
    pub(crate) analyses: &'m PrimaryMap<FunctionId, Analyses>,
    /// The options of passes.
    pub(crate) settings: &'m Settings,
    /// The functions that the pass skips.
    pub(crate) gates: Gates,
    /// The only function to change, after its callees, or `None` to change all functions.
    pub(crate) only: Option<FunctionId>,
}

impl<'m> ModuleEnvironment<'m> {
    /// The environment of a function of the module that has a body.
    pub(crate) fn of_function(&self, id: FunctionId) -> Option<Environment<'m>> {
        let ModuleEnvironment { module, queries, analyses, settings, .. } = *self;
        let function = &module.functions[id];
        let body = function.body.as_ref()?;
        let of_module = Some(analyses);
        Some(Environment { module, queries, function, body, analyses: &analyses[id], of_module, settings })
    }

    /// The functions to change.
    pub(crate) fn functions(&self) -> Vec<FunctionId> {
        let all = self.only.map_or_else(|| self.module.functions.keys().collect(), |only| vec![only]);
        all.into_iter().filter(|id| self.admits(*id)).collect()
    }

    /// Whether the pass runs on a function.
    pub(crate) fn admits(&self, id: FunctionId) -> bool {
        self.gates.admit(&self.module.functions[id])
    }
}

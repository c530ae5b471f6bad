//! Analyses of a module as a whole: the effects of its functions, and the possible callees of calls.

use sil_ir::cache::Cache;
use sil_ir::model::{Body, FunctionId, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;
use std::sync::{Arc, OnceLock};

use super::function_accesses::{AccessContext, AccessSet, FunctionAccesses};
use super::function_effects::FunctionEffects;
use super::{AccessedStorage, BodyView, CalleeAnalysis, EffectSet, InstructionEffects, ModuleExtent};

/// A module as it was when this was made.
pub struct AnalyzedModule<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    /// Read when they are asked for first.
    effects: Cache<FunctionId, Arc<FunctionEffects>>,
    callees: CalleeAnalysis<'m>,
    /// Gathered when they are asked for first.
    accesses: OnceLock<FunctionAccesses>,
}

impl<'m> AnalyzedModule<'m> {
    /// Other files of the module may have more than is seen.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        Self::of_extent(module, queries, ModuleExtent::Files)
    }

    /// The visible part of the module has the given extent.
    pub fn of_extent(module: &'m Module, queries: &'m TypeQueries<'m>, extent: ModuleExtent) -> Self {
        let callees = CalleeAnalysis::new(module, queries, extent);
        Self { module, queries, effects: Cache::default(), callees, accesses: OnceLock::new() }
    }

    /// The known effects of `function`.
    pub fn effects(&self, function: FunctionId) -> Arc<FunctionEffects> {
        self.effects.get(&function).unwrap_or_else(|| {
            let read = &self.module.functions[function];
            let effects = FunctionEffects::of(&self.module.context, read, self.queries.conventions(read.ty));
            self.effects.insert(function, Arc::new(effects))
        })
    }

    /// The possible callees of calls.
    pub fn callees(&self) -> &CalleeAnalysis<'m> {
        &self.callees
    }

    /// The accesses of an instruction of the function of `view` while accesses are checked, its callees included.
    pub fn accesses_of(&self, view: &BodyView<'m>, id: InstructionId) -> AccessedStorage {
        let context = AccessContext { module: self.module, queries: self.queries, callees: &self.callees };
        let gather = || FunctionAccesses::new(context, self.module.functions.keys(), AccessSet::default());
        self.accesses.get_or_init(gather).of_instruction(context, view, id)
    }

    /// Takes over the computed effects of `function`.
    pub fn set_effects(&mut self, function: FunctionId, effects: FunctionEffects) {
        self.effects.insert(function, Arc::new(effects));
    }

    /// The effects of a call of `callee`, for any arguments.
    pub fn effects_of_call(&self, body: &Body, callee: Value) -> EffectSet {
        match self.callees().of(body, callee).all() {
            Some(callees) => callees.iter().fold(EffectSet::NONE, |all, callee| all.union(self.effects(*callee).all())),
            None => EffectSet::WORST,
        }
    }

    /// Answers about single instructions.
    pub fn instruction_effects(&self) -> InstructionEffects<'m> {
        InstructionEffects::new(self.module, self.queries)
    }
}

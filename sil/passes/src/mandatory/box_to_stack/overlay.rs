//! The functions of a module with pending changes and new functions.

use rustc_hash::FxHashMap;
use sil_analysis::Change;
use sil_ir::context::Name;
use sil_ir::model::{Function, FunctionId, Module};

use crate::pass::{Environment, Rewrite};

/// A module's functions, with changed and new ones.
pub(super) struct Overlay<'m> {
    module: &'m Module,
    changed: FxHashMap<Name, Function>,
    /// The new functions, in order, each with the function of the module that it is inserted before.
    made: Vec<(FunctionId, Name)>,
}

/// The changes to the functions of a module.
#[derive(Default)]
pub(super) struct Changes {
    /// The changed functions.
    changed: Vec<(FunctionId, Function)>,
    /// The new functions, each with the one that it is inserted before.
    made: Vec<(FunctionId, Function)>,
}

impl<'m> Overlay<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Self { module, changed: FxHashMap::default(), made: Vec::new() }
    }

    pub(super) fn module(&self) -> &'m Module {
        self.module
    }

    /// Returns the current function of this symbol.
    pub(super) fn get(&self, name: Name) -> Option<&Function> {
        let in_module = || Some(&self.module.functions[self.module.function_named(name)?]);
        self.changed.get(&name).or_else(in_module)
    }

    /// Returns the function for editing.
    pub(super) fn edit(&mut self, name: Name) -> Option<&mut Function> {
        if !self.changed.contains_key(&name) {
            let function = self.get(name)?.clone();
            self.changed.insert(name, function);
        }
        self.changed.get_mut(&name)
    }

    /// Adds a function, which is inserted before the one of the symbol `before`.
    pub(super) fn add(&mut self, before: Name, function: Function) {
        let made_for = || self.made.iter().find(|(_, name)| *name == before).map(|(place, _)| *place);
        let Some(place) = self.module.function_named(before).or_else(made_for) else { return };
        self.made.push((place, function.name));
        self.changed.insert(function.name, function);
    }

    /// Returns the changes, in the order of the module.
    pub(super) fn into_changes(mut self) -> Changes {
        let mut changes = Changes::default();
        for (place, name) in std::mem::take(&mut self.made) {
            changes.made.extend(self.changed.remove(&name).map(|function| (place, function)));
        }
        for (id, function) in &self.module.functions {
            changes.changed.extend(self.changed.remove(&function.name).map(|function| (id, function)));
        }
        changes
    }
}

impl Changes {
    /// Returns the changes as a rewrite of one function with its effects on others; `None` without changes.
    pub(super) fn into_rewrite(self, Environment { module, function, body, .. }: Environment<'_>) -> Option<Rewrite> {
        let Changes { changed, made } = self;
        if changed.is_empty() && made.is_empty() {
            return None;
        }
        let is_own = |(id, _): &(FunctionId, Function)| module.functions[*id].name == function.name;
        let (own, others): (Vec<_>, Vec<_>) = changed.into_iter().partition(is_own);
        let own = own.into_iter().next().map(|(_, own)| own);
        let attributes = own.as_ref().unwrap_or(function).attributes.clone();
        let body = own.and_then(|own| own.body).unwrap_or_else(|| body.clone());
        Some(Rewrite { attributes, functions: made, others, ..Rewrite::new(function, body, Change::Instructions) })
    }

    /// Applies the changes to the module.
    pub(super) fn apply(self, module: &mut Module) {
        for (id, function) in self.changed {
            module.functions[id] = function;
        }
        let names: Vec<Name> = self.made.iter().map(|(_, function)| function.name).collect();
        if names.is_empty() {
            return;
        }
        module.insert_functions(self.made);
        let ids: Vec<FunctionId> = names.into_iter().filter_map(|name| module.function_named(name)).collect();
        module.give_own_scopes(ids);
    }
}

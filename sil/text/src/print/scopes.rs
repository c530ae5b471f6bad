//! Writes debug scopes: each before the first function or global that refers to it, numbered as they are written, as
//! Swift's printer does (`SILPrinter::printDebugScope` in lib/SIL/IR/SILPrinter.cpp). Scopes that nothing refers to are
//! not written.
//!
//! Does not own: locations of instructions, which name scopes by these numbers.

use rustc_hash::FxHashMap;
use sil_ir::model::{Body, Details, Module, Scope, ScopeId, ScopeParent};

use super::{DebugInformation, Printer};

/// The numbers of debug scopes in a text.
#[derive(Default)]
pub(super) struct ScopeNumbers(FxHashMap<ScopeId, usize>);

impl Printer<'_> {
    /// Writes the scopes that `body` is the first to refer to, and an empty line after them.
    pub(super) fn scopes(&mut self, module: &Module, body: Option<&Body>) {
        let first = self.first_scopes(module, body);
        for scope in &first {
            self.scope(module, *scope);
        }
        if !first.is_empty() {
            self.text("\n");
        }
    }

    /// Numbers the scopes that `body` is the first to refer to, and gives them, each after those that enclose it.
    pub(super) fn first_scopes(&mut self, module: &Module, body: Option<&Body>) -> Vec<ScopeId> {
        let mut first = Vec::new();
        let Some(body) = body.filter(|_| self.options.debug_information != DebugInformation::Omit) else {
            return first;
        };
        for id in body.placed_instructions() {
            let instruction = &body.instructions[id];
            let variable = match &instruction.details {
                Details::Variable(variable) => variable.location,
                _ => None,
            };
            for scope in [instruction.location, variable].into_iter().flatten().filter_map(|location| location.scope) {
                self.scopes.add(module, scope, &mut first);
            }
        }
        first
    }

    /// Writes the number of a scope: the next one, where a single instruction is written and no scope is.
    pub(super) fn scope_number(&mut self, scope: ScopeId) {
        let number = self.scopes.number(scope);
        self.number(number);
    }

    fn scope(&mut self, module: &Module, id: ScopeId) {
        let Scope { place, parent, inlined_at } = &module.scopes[id];
        self.text("sil_scope ");
        self.scope_number(id);
        self.text(" {");
        if let Some(place) = place {
            self.text(" loc ");
            self.place(*place);
        }
        match parent {
            ScopeParent::None => {}
            ScopeParent::Scope(parent) => {
                self.text(" parent ");
                self.scope_number(*parent);
            }
            ScopeParent::Function { name, ty, function } => {
                self.text(" parent ");
                self.symbol(*name);
                self.text(" : $");
                let signature = function.and_then(|function| module.functions[function].signature);
                self.function_type(*ty, signature);
            }
        }
        if let Some(inlined) = inlined_at {
            self.text(" inlined_at ");
            self.scope_number(*inlined);
        }
        self.text(" }\n");
    }
}

impl ScopeNumbers {
    fn add(&mut self, module: &Module, scope: ScopeId, first: &mut Vec<ScopeId>) {
        if self.0.contains_key(&scope) {
            return;
        }
        let data = &module.scopes[scope];
        if let ScopeParent::Scope(parent) = data.parent {
            self.add(module, parent, first);
        }
        if let Some(inlined) = data.inlined_at {
            self.add(module, inlined, first);
        }
        self.number(scope);
        first.push(scope);
    }

    fn number(&mut self, scope: ScopeId) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry(scope).or_insert(next)
    }
}

//! Opaque result types (`some P`): which type stands behind each, as bodies show. In Embedded Swift callers know it too, so that only the
//! types of the functions themselves and what is formal still name the opaque type.

use rustc_hash::FxHashMap;

use super::{Type, TypeQueries};
use crate::context::TypeId;
use crate::instructions::Opcode;
use crate::model::views::Store;
use crate::model::{Body, Function, Module, Value};

/// The types behind opaque result types.
#[derive(Default)]
pub struct OpaqueResults {
    underlying: FxHashMap<TypeId, TypeId>,
}

impl OpaqueResults {
    /// What the bodies of `module` show.
    pub fn new(module: &Module, queries: &TypeQueries<'_>) -> Self {
        let mut results = Self::default();
        for function in module.functions.values() {
            if let Some(body) = &function.body {
                results.add(queries, function, body);
                results.add_stores(queries, body);
            }
        }
        results
    }

    /// The type behind `ty`, an opaque result type; none where no body shows it.
    pub fn underlying(&self, queries: &TypeQueries<'_>, ty: TypeId) -> Option<TypeId> {
        self.underlying.get(&queries.canonical_type(ty)).copied()
    }

    /// Sets what a function's type says of its results beside what its body gives.
    fn add(&mut self, queries: &TypeQueries<'_>, function: &Function, body: &Body) {
        let Some(conventions) = queries.conventions(function.ty) else { return };
        let results = &conventions.function.results;
        let indirect = results.iter().filter(|result| result.convention.is_indirect());
        let direct: Vec<_> = results.iter().filter(|result| !result.convention.is_indirect()).collect();
        let Some(entry) = body.blocks.values().next() else { return };
        for (result, argument) in indirect.zip(&entry.arguments) {
            self.unify(queries, result.ty, body.ty(*argument).ty);
        }
        let Some(returned) = returned(body) else { return };
        let ty = body.ty(returned).ty;
        match (direct.as_slice(), queries.get(ty)) {
            ([only], _) => self.unify(queries, only.ty, ty),
            (several, Type::Tuple(elements)) => {
                for (result, element) in several.iter().zip(elements) {
                    self.unify(queries, result.ty, element.ty);
                }
            }
            _ => {}
        }
    }

    /// What is stored to memory of an opaque type, where the function that gives it is inlined, is of the type behind it.
    fn add_stores(&mut self, queries: &TypeQueries<'_>, body: &Body) {
        for instruction in body.placed_instructions().filter(|found| body.instructions[*found].opcode == Opcode::Store)
        {
            let Store { source, destination } = Store::of(body, instruction);
            let ty = body.ty(destination).ty;
            if matches!(queries.get(ty), Type::OpaqueResult { .. }) {
                self.unify(queries, ty, body.ty(source).ty);
            }
        }
    }

    /// Finds in `actual` what stands where `pattern` has opaque result types.
    fn unify(&mut self, queries: &TypeQueries<'_>, pattern: TypeId, actual: TypeId) {
        if pattern == actual {
            return;
        }
        match (queries.get(pattern), queries.get(actual)) {
            (Type::OpaqueResult { .. }, _) => {
                self.underlying.entry(queries.canonical_type(pattern)).or_insert(actual);
            }
            (Type::Nominal(pattern), Type::Nominal(actual)) if pattern.declaration == actual.declaration => {
                for (pattern, actual) in pattern.arguments.iter().zip(&actual.arguments) {
                    self.unify(queries, *pattern, *actual);
                }
                if let (Some(pattern), Some(actual)) = (pattern.parent, actual.parent) {
                    self.unify(queries, pattern, actual);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(actual)) => {
                for (pattern, actual) in pattern.iter().zip(actual) {
                    self.unify(queries, pattern.ty, actual.ty);
                }
            }
            _ => {}
        }
    }
}

/// What a function returns.
fn returned(body: &Body) -> Option<Value> {
    let terminators = body.blocks.keys().filter_map(|block| body.terminator(block));
    let mut returns = terminators.filter(|last| body.instructions[*last].opcode == Opcode::Return);
    returns.next().and_then(|last| body.operands(last).first().copied())
}

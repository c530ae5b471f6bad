//! The names of derivatives.

use crate::context::{Name, Type};
use crate::model::DerivativeConfiguration;
use crate::symbols::{Derivative, Symbol};

use super::super::TypeQueries;
use super::SymbolTypes;

impl TypeQueries<'_> {
    /// What the `derivative` is called that belongs to a differentiability witness with this configuration. None where the witness's signature has no
    /// mangling.
    pub fn derivative_name(&self, derivative: Derivative, configuration: &DerivativeConfiguration) -> Option<Name> {
        let Type::Function(original) = self.get(configuration.ty) else { return None };
        let counts = [original.parameters.len(), original.semantic_result_count()];
        let [parameters, results] = [&configuration.indices.parameters, &configuration.indices.results];
        let sets = [index_set(parameters, counts[0]), index_set(results, counts[1])];
        let name = self.context.text(configuration.original);
        let symbol = Symbol::of_derivative(name, derivative, [&sets[0], &sets[1]], |tree| {
            let mut types = SymbolTypes::new(self, tree);
            configuration.signature.into_iter().map(|signature| types.whole_signature(signature)).collect()
        });
        Some(self.context.name(&symbol?))
    }
}

/// The letters of a set of indices below `count`.
fn index_set(indices: &[u32], count: usize) -> String {
    (0..count as u32).map(|index| if indices.contains(&index) { 'S' } else { 'U' }).collect()
}

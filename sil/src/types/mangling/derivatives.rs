//! The names of derivatives.

use crate::context::{Name, Type, TypeId};
use crate::model::DerivativeConfiguration;
use crate::symbols::{Derivative, Symbol};

use super::super::TypeQueries;
use super::SymbolTypes;

impl TypeQueries<'_> {
    /// The name of the `derivative` of a differentiability witness with this configuration. None if the witness's
    /// signature has no mangling.
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

    /// The name of the thunk that makes derivatives by the parameters in `left` of the `derivative` of a
    /// differentiability witness: of type `ty` itself if it is that of a function, of a linear map of type `ty` if it
    /// is that. None if a type has no mangling.
    pub fn subset_thunk_name(
        &self,
        derivative: Derivative,
        configuration: &DerivativeConfiguration,
        (ty, left): (TypeId, &[u32]),
    ) -> Option<Name> {
        let Type::Function(original) = self.get(configuration.ty) else { return None };
        let (parameters, results) = (original.parameters.len(), original.semantic_result_count());
        let from = [
            index_set(&configuration.indices.parameters, parameters),
            index_set(&configuration.indices.results, results),
        ];
        let sets = [&*from[0], &*from[1], &*index_set(left, parameters)];
        let name = match derivative {
            Derivative::ForwardMode | Derivative::ReverseMode => Some(self.context.text(configuration.original)),
            Derivative::Differential | Derivative::Pullback => None,
        };
        let symbol = Symbol::of_subset_thunk(name, derivative, sets, |tree| SymbolTypes::new(self, tree).ty(ty));
        Some(self.context.name(&symbol?))
    }
}

/// The letters of a set of indices below `count`.
fn index_set(indices: &[u32], count: usize) -> String {
    (0..count as u32).map(|index| if indices.contains(&index) { 'S' } else { 'U' }).collect()
}

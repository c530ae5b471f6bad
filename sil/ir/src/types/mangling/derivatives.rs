//! The names of derivatives.

use crate::context::{Differentiability, Name, Type, TypeId};
use crate::model::DerivativeConfiguration;
use crate::symbols::{Derivative, NodeId, Symbol, Tree, WitnessedDerivative};

use super::super::TypeQueries;
use super::SymbolTypes;

impl TypeQueries<'_> {
    /// The name of the `derivative` of a differentiability witness with this configuration. None if the witness's
    /// signature has no mangling.
    pub fn derivative_name(&self, derivative: Derivative, configuration: &DerivativeConfiguration) -> Option<Name> {
        let name = self.context.text(configuration.original);
        let [parameters, results] = &self.index_sets(configuration)?;
        let signature = |tree: &mut Tree| self.derivative_signature(configuration, tree);
        let symbol = Symbol::of_derivative(name, derivative, [parameters, results], signature);
        Some(self.context.name(&symbol?))
    }

    /// The symbol of the differentiability witness with this configuration. None if its signature has no mangling.
    pub fn differentiability_witness_symbol(&self, configuration: &DerivativeConfiguration) -> Option<String> {
        let name = self.context.text(configuration.original);
        let [parameters, results] = &self.index_sets(configuration)?;
        let kind = match configuration.kind {
            Differentiability::Forward => WitnessedDerivative::Forward,
            Differentiability::Reverse => WitnessedDerivative::Reverse,
            Differentiability::Normal => WitnessedDerivative::Normal,
            Differentiability::Linear => WitnessedDerivative::Linear,
        };
        let signature = |tree: &mut Tree| self.derivative_signature(configuration, tree);
        Symbol::of_differentiability_witness(name, kind, [parameters, results], signature)
    }

    /// The sets of parameters and results of a derivative.
    fn index_sets(&self, configuration: &DerivativeConfiguration) -> Option<[String; 2]> {
        let Type::Function(original) = self.get(configuration.ty) else { return None };
        let parameters = index_set(&configuration.indices.parameters, original.parameters.len());
        Some([parameters, index_set(&configuration.indices.results, original.semantic_result_count())])
    }

    /// The node of a derivative's own signature, if it has one. None if the signature has no mangling.
    fn derivative_signature(&self, configuration: &DerivativeConfiguration, tree: &mut Tree) -> Option<Vec<NodeId>> {
        let mut types = SymbolTypes::new(self, tree);
        configuration.signature.into_iter().map(|signature| types.whole_signature(signature)).collect()
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
        let from = self.index_sets(configuration)?;
        let sets = [&*from[0], &*from[1], &*index_set(left, original.parameters.len())];
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

//! Writes differentiability witnesses and their configurations.

use sil_ir::context::{Differentiability, Name, TypeId};
use sil_ir::model::{DerivativeConfiguration, DifferentiabilityWitness, Linkage};

use super::Printer;

impl Printer<'_> {
    /// Writes a `sil_differentiability_witness`.
    pub(super) fn differentiability_witness(&mut self, witness: &DifferentiabilityWitness) {
        self.text("sil_differentiability_witness ");
        let default = if witness.derivatives.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        self.linkage(witness.linkage, default);
        self.serialization(witness.serialization);
        self.derivative_configuration(&witness.configuration);
        if let Some(derivatives) = &witness.derivatives {
            self.text(" {\n");
            self.derivative("jvp", derivatives.jvp);
            self.derivative("vjp", derivatives.vjp);
            self.text("}");
        }
        self.text("\n\n");
    }

    fn derivative(&mut self, word: &str, function: Option<(Name, TypeId)>) {
        if let Some(function) = function {
            self.number(format_args!("  {word}: "));
            self.symbol_and_type(function);
            self.text("\n");
        }
    }

    /// Writes `[reverse] [parameters 0] [results 0] <T where …> @f : $…`.
    pub(super) fn derivative_configuration(&mut self, configuration: &DerivativeConfiguration) {
        self.text(match configuration.kind {
            Differentiability::Forward => "[forward]",
            Differentiability::Reverse => "[reverse]",
            Differentiability::Normal => "[normal]",
            Differentiability::Linear => "[linear]",
        });
        self.differentiability_indices("parameters", &configuration.indices.parameters);
        self.differentiability_indices("results", &configuration.indices.results);
        self.text(" ");
        if let Some(signature) = configuration.signature {
            self.signature(signature);
            self.text(" ");
        }
        self.symbol_and_type((configuration.original, configuration.ty));
    }

    /// Writes ` [parameters 0 1]`, where `word` is the word in it.
    pub(super) fn differentiability_indices(&mut self, word: &str, indices: &[u32]) {
        self.number(format_args!(" [{word}"));
        for index in indices {
            self.number(format_args!(" {index}"));
        }
        self.text("]");
    }
}

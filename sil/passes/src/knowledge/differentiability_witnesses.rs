//! The differentiability witnesses of functions in a module, and those loaded from other modules.

use rustc_hash::FxHashSet;

use sil_ir::context::{Name, Type, TypeId};
use sil_ir::model::{DifferentiabilityWitness, Function, Linkage, Module, Serialization};
use sil_ir::source::{FileId, Span};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

/// Completes the module's witnesses of `originals` that are only declared, with the derivatives that other modules
/// define (`SILModule::loadDifferentiabilityWitness`).
pub(crate) fn load_witnesses(module: &mut Module, libraries: &Libraries<'_>, originals: &FxHashSet<Name>) {
    let is_open = |witness: &&DifferentiabilityWitness| {
        witness.derivatives.is_none() && originals.contains(&witness.configuration.original)
    };
    let mut requested: Vec<Name> = Vec::new();
    for witness in module.differentiability_witnesses.iter().filter(is_open) {
        if !requested.contains(&witness.configuration.original) {
            requested.push(witness.configuration.original);
        }
    }
    let found: Vec<DifferentiabilityWitness> =
        requested.into_iter().flat_map(|original| libraries.differentiability_witnesses(module, original)).collect();
    let mut witnesses = std::mem::take(&mut module.differentiability_witnesses);
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    for witness in witnesses.iter_mut().filter(|witness| witness.derivatives.is_none()) {
        let is_it =
            |found: &&DifferentiabilityWitness| queries.same_derivatives(&found.configuration, &witness.configuration);
        if let Some(found) = found.iter().find(is_it) {
            let span = witness.span;
            *witness = DifferentiabilityWitness { span, ..found.clone() };
        }
    }
    module.differentiability_witnesses = witnesses;
}

/// Declares a derivative of another module if it is not declared yet.
pub(crate) fn declare_derivative(module: &mut Module, (name, ty): (Name, TypeId)) {
    if module.function_named(name).is_some() {
        return;
    }
    let signature = match module.context.get(ty) {
        Type::Function(function) => function.signature,
        _ => None,
    };
    module.add_function(Function {
        name,
        ty,
        signature,
        linkage: Linkage::PublicExternal,
        serialization: Serialization::None,
        attributes: Vec::new(),
        body: None,
        entry_count: None,
        specialized_from: None,
        scope: None,
        span: Span { file: FileId::KNOWN, start: 0, end: 0 },
    });
}

//! Devirtualises `differentiability_witness_function`: if the derivative is known, the instruction becomes a
//! `function_ref`, which can be inlined. Follows lib/SILOptimizer/Transforms/DifferentiabilityWitnessDevirtualizer.cpp.

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, SilType, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::DifferentiabilityWitnessFunction;
use sil_ir::model::{Derivatives, Extractee, FunctionId, InstructionId, Module, Place, Replacements};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

use crate::InstructionBuilder;
use crate::knowledge::differentiability_witnesses::{declare_derivative, load_witnesses};
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const DIFFERENTIABILITY_WITNESS_DEVIRTUALIZER: Pass = Pass::new(&Description {
    name: "differentiability-witness-devirtualizer",
    class_name: "DifferentiabilityWitnessDevirtualizer",
    summary: "Replaces references to known differentiability witnesses by references to their derivatives.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| devirtualize(module, libraries)),
});

/// A reference to a witness and the derivative that it denotes.
struct Known {
    function: FunctionId,
    reference: InstructionId,
    derivative: (Name, TypeId),
}

/// Replaces references to witnesses with the derivatives. Witnesses that the module only declares are loaded from
/// `libraries`.
pub(crate) fn devirtualize(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    let originals: FxHashSet<Name> = references(module).map(|(_, _, original)| original).collect();
    if originals.is_empty() {
        return Vec::new();
    }
    load_witnesses(module, libraries, &originals);
    for Known { function, reference, derivative } in known(module) {
        declare_derivative(module, derivative);
        let Some(body) = &mut module.functions[function].body else { continue };
        let Some(referred) = body.result(reference) else { continue };
        let mut builder = InstructionBuilder::new(body, Place::Before(reference), reference);
        let (name, ty) = derivative;
        let ty = SilType::object(ty);
        let made = builder.function_ref(name, ty);
        let mut replacements = Replacements::default();
        replacements.replace(referred, made);
        body.replace_values(&replacements);
        body.erase(reference);
    }
    Vec::new()
}

/// The witness references of all bodies, with the original functions.
fn references(module: &Module) -> impl Iterator<Item = (FunctionId, InstructionId, Name)> {
    let bodies = module.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
    bodies.flat_map(|(function, body)| {
        let is_reference =
            move |id: &InstructionId| body.instructions[*id].opcode == Opcode::DifferentiabilityWitnessFunction;
        body.placed_instructions().filter(is_reference).map(move |id| {
            let DifferentiabilityWitnessFunction { witness: (_, configuration) } =
                DifferentiabilityWitnessFunction::of(body, id);
            (function, id, configuration.original)
        })
    })
}

fn known(module: &Module) -> Vec<Known> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let known = references(module).filter_map(|(function, reference, _)| {
        let body = module.functions[function].body.as_ref()?;
        let DifferentiabilityWitnessFunction { witness: (extractee, wanted) } =
            DifferentiabilityWitnessFunction::of(body, reference);
        let is_wanted = |configuration| queries.same_derivatives(configuration, wanted);
        let mut witnesses = module.differentiability_witnesses.iter();
        let Derivatives { jvp, vjp } =
            witnesses.find(|witness| is_wanted(&witness.configuration))?.derivatives.as_ref()?;
        let derivative = match extractee {
            Extractee::Jvp => *jvp,
            Extractee::Vjp => *vjp,
            Extractee::Original | Extractee::Transpose => None,
        }?;
        // The type of the reference may differ from the derivative's.
        let ty = body.ty(body.result(reference)?);
        (ty == SilType::object(derivative.1)).then_some(Known { function, reference, derivative })
    });
    known.collect()
}

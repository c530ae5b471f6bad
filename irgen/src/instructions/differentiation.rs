//! Automatic differentiation (lib/IRGen/IRGenSIL.cpp). A `@differentiable` function is a record of the original
//! function and its derivatives, each of which has the scalars of an ordinary function.

use sil_ir::instructions::families::Differentiation;
use sil_ir::model::views::{DifferentiabilityWitnessFunction, DifferentiableFunction, DifferentiableFunctionExtract};
use sil_ir::model::{Extractee, InstructionId};

use super::{Emit, Lowering};
use crate::generation::IRGenFunction;
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Differentiation) -> Lowering {
    use Differentiation::*;
    let emit: Emit = match opcode {
        DifferentiableFunction | LinearFunction => compose,
        DifferentiableFunctionExtract | LinearFunctionExtract => extract,
        DifferentiabilityWitnessFunction => witness_function,
    };
    Lowering::By(emit)
}

/// `differentiable_function`, `linear_function`. Differentiation adds the derivatives to all of them.
fn compose<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let DifferentiableFunction { original, derivatives, .. } = DifferentiableFunction::of(function.body, instruction);
    if derivatives.is_empty() {
        return Err(function.unsupported(instruction, "a differentiable function without its derivatives"));
    }
    let mut scalars = function.flatten(&[original])?;
    scalars.extend(function.flatten(derivatives)?);
    function.bind_result(instruction, scalars);
    Ok(())
}

/// `differentiable_function_extract`, `linear_function_extract`
fn extract<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let DifferentiableFunctionExtract { operand, extractee } =
        DifferentiableFunctionExtract::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let Some(field) = info.fields().get(place_of(extractee)) else {
        return Err(function.unsupported(instruction, "this part of the function"));
    };
    let scalars = function.explosion(operand)?;
    function.bind_result(instruction, scalars[field.elements()].to_vec());
    Ok(())
}

/// Returns the place of a function among those of a `@differentiable` one.
fn place_of(extractee: Extractee) -> usize {
    match extractee {
        Extractee::Original => 0,
        Extractee::Jvp | Extractee::Transpose => 1,
        Extractee::Vjp => 2,
    }
}

/// `differentiability_witness_function`: loads the derivative from the witness.
fn witness_function<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let DifferentiabilityWitnessFunction { witness: (extractee, configuration) } =
        DifferentiabilityWitnessFunction::of(function.body, instruction);
    let word = function.module.pointer_size();
    let offset = match extractee {
        Extractee::Jvp => 0,
        Extractee::Vjp => word,
        Extractee::Original | Extractee::Transpose => {
            return Err(function.unsupported(instruction, "a witness's transpose"));
        }
    };
    let Some(witness) = function.module.differentiability_witness_for(configuration) else {
        return Err(function.unsupported(instruction, "a differentiability witness that the module does not have"));
    };
    let witness = function.module.address_of_differentiability_witness(witness)?;
    let builder = &function.builder;
    let derivative = builder.load(builder.ptr_type().into(), builder.offset(witness, offset), word);
    function.bind_result(instruction, vec![derivative]);
    Ok(())
}

//! Calls of generators of default arguments: a call that passes the result of one has its generic arguments
//! (lib/SILGen/SILGenApply.cpp, `DelayedArgument::emitDefaultArgument`). Owns the search for the call
//! that passes the result of a generator.

use sil_ir::context::SubstitutionMapId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::FunctionRef;
use sil_ir::model::{Body, Details, InstructionId, Module, Value};

/// The generic arguments of each generator's call in `body`, and those of the call that passes its result.
pub(super) fn pairs_of_substitutions(module: &Module, body: &Body) -> Vec<(SubstitutionMapId, SubstitutionMapId)> {
    let mut open: Vec<Generated<'_>> = Vec::new();
    let mut pairs = Vec::new();
    for instruction in body.placed_instructions() {
        let operands = body.operands(instruction);
        if let Some((name, substitutions)) = called(module, body, instruction) {
            open.retain(|generated| {
                let is_passed =
                    generated.function == name && operands.iter().any(|value| generated.values.contains(value));
                if is_passed {
                    pairs.push((generated.substitutions, substitutions));
                }
                !is_passed
            });
            if let Some(function) = with_default_argument(name) {
                // Results are values or go to addresses.
                let values = operands.iter().skip(1).copied().chain(body.result(instruction)).collect();
                open.push(Generated { function, substitutions, values });
            }
        } else if let ([operand], Some(result)) = (operands, body.result(instruction)) {
            let holders = open.iter_mut().filter(|generated| generated.values.contains(operand));
            holders.for_each(|generated| generated.values.push(result));
        }
    }
    pairs
}

/// The result of a generator.
struct Generated<'m> {
    /// The symbol of the function whose argument it is.
    function: &'m str,
    substitutions: SubstitutionMapId,
    values: Vec<Value>,
}

/// The symbol of the function that an instruction calls, and the generic arguments.
fn called<'m>(module: &'m Module, body: &Body, instruction: InstructionId) -> Option<(&'m str, SubstitutionMapId)> {
    let Details::Apply(apply) = &body.instructions[instruction].details else { return None };
    let callee = body.defining(*body.operands(instruction).first()?)?;
    let is_reference = body.instructions[callee].opcode == Opcode::FunctionRef;
    is_reference.then(|| (module.context.text(FunctionRef::of(body, callee).function), apply.substitutions))
}

/// The function whose default argument the function called `generator` computes: `fA` and an index follow its
/// symbol (docs/ABI/Mangling.rst, "Entities").
fn with_default_argument(generator: &str) -> Option<&str> {
    let before_index = generator.strip_suffix('_')?.trim_end_matches(|character: char| character.is_ascii_digit());
    before_index.strip_suffix("fA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_are_named_by_their_functions() {
        assert_eq!(with_default_argument("$s1m1fyyxlFfA_"), Some("$s1m1fyyxlF"));
        assert_eq!(with_default_argument("$s1m1fyyxlFfA12_"), Some("$s1m1fyyxlF"));
        assert_eq!(with_default_argument("$s1m1fyyxlF"), None);
    }
}

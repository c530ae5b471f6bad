//! Removes the instructions before `unreachable` (lib/SILOptimizer/UtilityPasses,
//! `SimplifyUnreachableContainingBlocks`). This is a debugging utility and not an optimisation, since it removes
//! visible effects before the program terminates.

use sil_analysis::Change;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Replacements};

use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const UNREACHABLE_ENDS: Pass = Pass::new(&Description {
    name: "simplify-unreachable-containing-blocks",
    class_name: "SimplifyUnreachableContainingBlocks",
    summary: "Empties blocks that end in `unreachable`.",
    gates: Gates::OPEN,
    runner: Runner::Function(empty),
});

/// Removes all instructions before an `unreachable` in its block.
pub(crate) fn empty(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let ends = before.blocks.keys().filter(|block| {
        let terminator = before.terminator(*block);
        terminator.is_some_and(|id| before.instructions[id].opcode == Opcode::Unreachable)
    });
    let gone: Vec<InstructionId> = ends
        .flat_map(|block| before.instructions_in(block))
        .filter(|id| before.instructions[*id].opcode != Opcode::Unreachable)
        .collect();
    if gone.is_empty() {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut replacements = Replacements::default();
    for id in gone {
        for result in before.results(id) {
            let undefined = body.undef(before.ty(result));
            replacements.replace(result, undefined);
        }
        body.erase(id);
    }
    body.replace_values(&replacements);
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

//! The rules of each instruction: number, category and types of operands, type of the result, legality. A file per
//! family.

mod aggregates;
mod allocation;
mod blocks;
mod builtin_types;
mod builtins;
mod calls;
mod casts;
mod concurrency;
mod diagnostics;
mod differentiation;
mod enums;
mod existentials;
mod functions;
mod intrinsics;
mod key_paths;
mod legality;
mod literals;
mod memory;
mod metatypes;
mod named_builtins;
mod ownership;
mod packs;
mod reference_counting;
mod terminators;

pub(super) use builtins::BuiltinRules;
pub(super) use functions::method_misfit;

use sil_ir::instructions::{Family, Opcode};
use sil_ir::model::views::is_well_formed;

use super::checker::{Checker, FunctionVerifier};

/// Whether each instruction has the parts of its kind: nothing else can be checked if one has not.
pub(super) fn are_well_formed(verifier: &FunctionVerifier<'_>) -> bool {
    let body = verifier.body;
    body.blocks.keys().flat_map(|block| body.instructions_in(block)).all(|id| is_well_formed(body, id))
}

/// Checks every instruction of the function, unreachable ones too.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    for block in body.blocks.keys() {
        for id in body.instructions_in(block) {
            let mut checker = Checker::new(verifier, id);
            if !is_well_formed(body, id) {
                let name = checker.name();
                checker.fail("instruction-form", format!("this `{name}` has not the operands and parts of one"));
                continue;
            }
            legality::verify(&mut checker);
            if let Some(rules) = rules(checker.instruction.opcode) {
                rules(&mut checker);
            }
        }
    }
}

/// Checks one instruction by the rules of its kind.
type Rules = fn(&mut Checker<'_, '_>);

/// Whether instructions of the kind `opcode` have rules of their own: for the types of operands and results, and more.
/// All instructions are checked by the instruction table, for dominance and for ownership.
pub fn has_own_rules(opcode: Opcode) -> bool {
    rules(opcode).is_some()
}

fn rules(opcode: Opcode) -> Option<Rules> {
    match opcode.family() {
        Family::Allocation(opcode) => allocation::rules(opcode),
        Family::Memory(opcode) => memory::rules(opcode),
        Family::ReferenceCounting(opcode) => reference_counting::rules(opcode),
        Family::Ownership(opcode) => ownership::rules(opcode),
        Family::Aggregates(opcode) => aggregates::rules(opcode),
        Family::Enums(opcode) => enums::rules(opcode),
        Family::Literals(opcode) => literals::rules(opcode),
        Family::Calls(opcode) => calls::rules(opcode),
        Family::Casts(opcode) => casts::rules(opcode),
        Family::Existentials(opcode) => existentials::rules(opcode),
        Family::Metatypes(opcode) => metatypes::rules(opcode),
        Family::Packs(opcode) => packs::rules(opcode),
        Family::Blocks(opcode) => blocks::rules(opcode),
        Family::Differentiation(opcode) => differentiation::rules(opcode),
        Family::Concurrency(opcode) => concurrency::rules(opcode),
        Family::KeyPaths(opcode) => key_paths::rules(opcode),
        Family::Diagnostics(opcode) => diagnostics::rules(opcode),
        Family::Terminators(opcode) => terminators::rules(opcode),
    }
}

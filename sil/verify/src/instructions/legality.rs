//! In which stages and ownership forms an instruction may stand.

use sil_analysis::may_need_pack_metadata;
use sil_ir::instructions::{Attribute, Legality, Opcode};
use sil_ir::model::Stage;

use super::Checker;
use crate::checker::OwnershipForm;
use crate::failures::BrokenRule;

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    use Opcode::*;
    match checker.instruction.opcode.information().legality {
        Legality::Always => {}
        Legality::RawOnly => raw_only(checker),
        Legality::OwnershipOnly => qualified_only(checker),
        Legality::LoweredOwnershipOnly => lowered_only(checker),
    }
    match checker.instruction.opcode {
        Object | Vector => {
            let name = checker.name();
            checker.fail(
                "static-initializer-only",
                format!("`{name}` may only stand in the static initializer of a global"),
            );
        }
        Load => qualifier(checker, &[Attribute::Copy, Attribute::Take, Attribute::Trivial]),
        Store => qualifier(checker, &[Attribute::Init, Attribute::Assign, Attribute::Trivial]),
        AllocPackMetadata | DeallocPackMetadata => {
            let lowered = checker.scope.module.stage == Stage::Lowered;
            let name = checker.name();
            checker.require(lowered, "stage", || format!("`{name}` may only stand in lowered SIL"));
            pack_metadata(checker);
        }
        _ => {}
    }
}

/// `alloc_pack_metadata` stands before the instructions that may need it.
fn pack_metadata(checker: &mut Checker<'_, '_>) {
    let body = checker.scope.body;
    let Some(next) = body.next(checker.id).filter(|_| checker.instruction.opcode == Opcode::AllocPackMetadata) else {
        return;
    };
    if !may_need_pack_metadata(checker.queries(), body, next) {
        let name = body.instructions[next].opcode.name();
        let message = format!("`alloc_pack_metadata` stands before `{name}`, which makes no metadata of packs");
        checker.fail_as(BrokenRule::PackMetadataUser, "pack-metadata", message);
    }
}

fn raw_only(checker: &mut Checker<'_, '_>) {
    let name = checker.name();
    let raw = checker.scope.is_raw();
    checker.require(raw, "stage", || format!("`{name}` may only stand in raw SIL: the mandatory passes remove it"));
}

fn qualified_only(checker: &mut Checker<'_, '_>) {
    let name = checker.name();
    let qualified = checker.scope.ownership == OwnershipForm::Qualified;
    checker.require(qualified, "ownership-form", || {
        format!("`{name}` may only stand in a function with ownership (`[ossa]`)")
    });
}

fn lowered_only(checker: &mut Checker<'_, '_>) {
    let name = checker.name();
    let lowered = checker.scope.ownership == OwnershipForm::Lowered;
    checker.require(lowered, "ownership-form", || {
        format!("`{name}` may only stand in a function without ownership (not `[ossa]`)")
    });
}

/// A load or store has an ownership qualifier if, and only if, the function has ownership.
fn qualifier(checker: &mut Checker<'_, '_>, qualifiers: &[Attribute]) {
    let attributes = checker.instruction.attributes;
    let found = qualifiers.iter().copied().find(|qualifier| attributes.contains(*qualifier));
    let name = checker.name();
    match (found, checker.scope.ownership) {
        (None, OwnershipForm::Qualified) => {
            let choices: Vec<String> = qualifiers.iter().map(|qualifier| format!("`[{}]`", qualifier.name())).collect();
            let choices = choices.join(", ");
            checker.fail(
                "ownership-form",
                format!("`{name}` in a function with ownership (`[ossa]`) needs one of {choices}"),
            );
        }
        (Some(found), OwnershipForm::Lowered) => {
            let found = found.name();
            checker.fail(
                "ownership-form",
                format!("`{name} [{found}]` may only stand in a function with ownership (`[ossa]`)"),
            );
        }
        _ => {}
    }
}

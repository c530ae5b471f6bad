//! Tests of instruction ranges and of forwarding.

use sil_analysis::{ForwardedUse, InstructionRange, OwnershipKinds, PathOverlap};
use sil_ir::instructions::Opcode;
use sil_ir::model::InstructionId;

use super::TestResult;
use super::test::Test;
use crate::pass::Environment;

/// Takes a value and an instruction that begins a scope or creates an owned value. Prints how the value's lifetime and
/// each path to an end of the scope overlap.
pub(super) fn overlap(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    test.write(format_args!("Range of: {line}"));
    let Environment { queries, function, body, analyses, .. } = test.environment;
    let (cfg, uses) = (analyses.cfg(body), analyses.uses(body));
    let kinds = OwnershipKinds::new(queries, function, body, cfg);
    let Some(mut range) = InstructionRange::new(body, cfg, value) else { return test.wrong("a defined value") };
    for found in uses.of(value) {
        if kinds.operand(*found).ends_lifetime() || body.instructions[found.user].opcode == Opcode::ExtendLifetime {
            range.insert(found.user);
        }
    }
    let begin = test.take_instruction()?;
    let line = test.instruction(begin);
    test.write(format_args!("Path begin: {line}"));
    for end in scope_ends(test, &kinds, begin) {
        let word = match range.overlap(begin, end) {
            PathOverlap::ContainsPath => "containsPath",
            PathOverlap::ContainsBegin => "containsBegin",
            PathOverlap::ContainsEnd => "containsEnd",
            PathOverlap::OverlappedByPath => "overlappedByPath",
            PathOverlap::Disjoint => "disjoint",
        };
        test.write(format_args!("Overlap kind: {word}\n"));
    }
    Ok(())
}

/// Returns the instructions that end the scope or the owned value of `begin`.
fn scope_ends(test: &Test<'_>, kinds: &OwnershipKinds<'_>, begin: InstructionId) -> Vec<InstructionId> {
    let body = test.body();
    let uses = test.environment.analyses.uses(body);
    let ends = |id: InstructionId| match (body.instructions[begin].opcode, body.instructions[id].opcode) {
        (Opcode::BeginAccess, opcode) => opcode == Opcode::EndAccess,
        (Opcode::AllocStack, opcode) => opcode == Opcode::DeallocStack,
        (Opcode::BeginApply, opcode) => matches!(opcode, Opcode::EndApply | Opcode::AbortApply),
        (Opcode::BeginBorrow | Opcode::LoadBorrow | Opcode::StoreBorrow, opcode) => opcode == Opcode::EndBorrow,
        _ => false,
    };
    let found = body.results(begin).flat_map(|value| uses.of(value).iter().rev());
    let ending = found.filter(|found| ends(found.user) || kinds.operand(**found).ends_lifetime());
    ending.map(|found| found.user).collect()
}

/// Takes a value. Prints the introducers of its lifetime.
pub(super) fn lifetime_introducers(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    for introducer in sil_analysis::lifetime_introducers(&test.view(), value) {
        let line = test.value(introducer);
        test.write(format_args!("INTRODUCER: {line}"));
    }
    Ok(())
}

/// Takes a value. Prints the non-forwarding uses of it, and of the values that it is forwarded to.
pub(super) fn forwarded_uses(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    for found in sil_analysis::forwarded_uses(&test.view(), value) {
        let line = match found {
            ForwardedUse::Operand(found) => test.operand(found),
            ForwardedUse::Dead(value, from) => {
                let from = from.map_or_else(|| "\n".to_owned(), |from| format!("from: {}", test.operand(from)));
                format!("dead value: {}{from}", test.value(value).trim_end_matches('\n'))
            }
        };
        test.write(format_args!("USE: {line}"));
    }
    Ok(())
}

//! Tests of pruned liveness.

use sil_analysis::{
    AddressEscape, BlockLiveness, DeadEndBlocks, InnerBorrows, LifetimeFacts, LiveBoundary, LiveDefinition, LiveUse,
    PrunedLiveness, Use, ValueDependence,
};
use sil_ir::instructions::Opcode;
use sil_ir::model::Place;

use super::TestResult;
use super::specification::ArgumentKind;
use super::test::Test;

/// Takes the last users of a value. Prints the insertion points after them.
pub(super) fn insertion_points(test: &mut Test<'_>) -> TestResult<()> {
    let mut boundary = LiveBoundary::default();
    while test.has_more() {
        boundary.last_users.push(test.take_instruction()?);
    }
    for place in boundary.insertion_points(test.body()) {
        let next = match place {
            Place::Start(block) => test.body().first_instruction(block),
            Place::After(id) => test.body().next(id),
            Place::Before(_) | Place::End(_) => None,
        };
        let line = next.map(|id| test.instruction(id)).unwrap_or_default();
        test.write(format_args!("{line}"));
    }
    Ok(())
}

/// Takes a value. Prints its liveness, and the reasons why it is incomplete.
pub(super) fn of_value(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    test.write(format_args!("SSA lifetime analysis: {line}"));
    let view = test.view();
    let dependence = ValueDependence::new(&view);
    let (liveness, summary) = LifetimeFacts { view: &view, dependence: &dependence }.simple_liveness(value);
    if summary.borrows == InnerBorrows::Reborrowed {
        test.write(format_args!("Incomplete liveness: Reborrowed inner scope\n"));
    }
    match summary.addresses {
        AddressEscape::Pointer => test.write(format_args!("Incomplete liveness: Escaping address\n")),
        AddressEscape::Unknown => test.write(format_args!("Incomplete liveness: Unknown address use\n")),
        AddressEscape::None | AddressEscape::Dependent => {}
    }
    write_liveness(test, &liveness);
    Ok(())
}

/// Takes a value, `uses:`, and users, each with the kind of use. Prints the resulting liveness.
pub(super) fn of_value_from_uses(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    test.take_label("uses:")?;
    let body = test.body();
    let mut liveness = PrunedLiveness::of(body, test.environment.analyses.cfg(body), value);
    while test.has_more() {
        let user = test.take_instruction()?;
        liveness.add(user, take_use(test)?);
    }
    write_liveness(test, &liveness);
    Ok(())
}

/// Takes the address of a formal access or of a stored borrow. Prints the liveness of that scope.
pub(super) fn of_address_scope(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    test.write(format_args!("Scoped address analysis: {line}"));
    let view = test.view();
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    let mut liveness = PrunedLiveness::of(view.body, &view.cfg, value);
    let ends = |found: &Use| {
        matches!(view.opcode(found.user), Opcode::EndAccess | Opcode::EndBorrow) && found.value(view.body) == value
    };
    let uses = facts.uses().transitive_address_uses(value).uses;
    for found in uses.iter().filter(|found| !ends(found)) {
        // A borrow without an end is live up to its last use.
        let borrowed = view.body.result(found.user).filter(|_| view.opcode(found.user) == Opcode::LoadBorrow);
        let borrowed = borrowed.map_or(&[][..], |borrow| view.uses.of(borrow));
        if borrowed.is_empty() || borrowed.iter().any(|found| view.opcode(found.user) == Opcode::EndBorrow) {
            liveness.add(found.user, LiveUse::NonEnding);
            continue;
        }
        borrowed.iter().for_each(|found| liveness.add(found.user, LiveUse::NonEnding));
    }
    uses.iter().filter(|found| ends(found)).for_each(|found| liveness.add(found.user, LiveUse::Ending));
    write_liveness(test, &liveness);
    Ok(())
}

fn take_use(test: &mut Test<'_>) -> TestResult<LiveUse> {
    let word = test.take_text()?;
    named_use(test, &word)
}

pub(super) fn named_use(test: &Test<'_>, word: &str) -> TestResult<LiveUse> {
    match word {
        "non-ending" => Ok(LiveUse::NonEnding),
        "ending" => Ok(LiveUse::Ending),
        "non-use" => Ok(LiveUse::NonUse),
        _ => test.wrong("'ending', 'non-ending' or 'non-use'"),
    }
}

/// Takes values or instructions. Prints the liveness of all of them together.
pub(super) fn of_several_definitions(test: &mut Test<'_>) -> TestResult<()> {
    test.write(format_args!("MultiDef lifetime analysis:\n"));
    let mut definitions = Vec::new();
    while test.has_more() {
        definitions.extend(take_definition(test)?);
    }
    let view = test.view();
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    let liveness = facts.simple_liveness_of_several(&definitions);
    write_liveness(test, &liveness);
    Ok(())
}

/// Takes a definition and prints it, or returns `None` at a word.
fn take_definition(test: &mut Test<'_>) -> TestResult<Option<LiveDefinition>> {
    match test.take()?.kind {
        ArgumentKind::Instruction(id) => {
            let line = test.instruction(id);
            test.write(format_args!("  def instruction: {line}"));
            Ok(Some(LiveDefinition::Instruction(id)))
        }
        ArgumentKind::Value(value) | ArgumentKind::BlockArgument(value) => {
            let line = test.value(value);
            test.write(format_args!("  def value: {line}"));
            Ok(LiveDefinition::of(test.body(), value))
        }
        _ => Ok(None),
    }
}

/// Takes `defs:`, values or instructions, `uses:`, and instructions. Prints the resulting liveness.
pub(super) fn of_several_definitions_from_uses(test: &mut Test<'_>) -> TestResult<()> {
    test.write(format_args!("MultiDef lifetime analysis:\n"));
    test.take_label("defs:")?;
    let body = test.body();
    let mut liveness = PrunedLiveness::new(body, test.environment.analyses.cfg(body));
    while let Some(definition) = take_definition(test)? {
        liveness.define(Some(definition));
    }
    while test.has_more() {
        liveness.add(test.take_instruction()?, LiveUse::NonEnding);
    }
    write_liveness(test, &liveness);
    Ok(())
}

/// Takes `def:` and a value, `liveness-uses:` and users, each with the kind of use, `uses:` and operands. Prints the
/// liveness, and whether the operands are within its boundary, extended to dead ends.
pub(super) fn uses_within_boundary(test: &mut Test<'_>) -> TestResult<()> {
    test.write(format_args!("SSAPrunedLiveness:\n"));
    test.take_label("def:")?;
    let value = test.take_value()?;
    let line = test.value(value);
    test.write(format_args!("\tdef: {line}"));
    test.take_label("liveness-uses:")?;
    test.write(format_args!("\tuses:\n"));
    let body = test.body();
    let cfg = test.environment.analyses.cfg(body);
    let mut liveness = PrunedLiveness::of(body, cfg, value);
    loop {
        let user = match test.take()?.kind {
            ArgumentKind::Instruction(id) => id,
            ArgumentKind::Text(text) if text == "uses:" => break,
            _ => return test.wrong("an instruction or 'uses:'"),
        };
        let word = test.take_text()?;
        let line = test.instruction(user);
        test.write(format_args!("\t\t{word} {line}"));
        liveness.add(user, named_use(test, &word)?);
    }
    write_liveness(test, &liveness);
    test.write(format_args!("\noperands:\n"));
    let mut uses = Vec::new();
    while test.has_more() {
        let found = test.take_operand()?;
        write_operand(test, found);
        uses.push(found);
    }
    let dead_ends = DeadEndBlocks::new(body, cfg);
    let is_within = uses.iter().all(|found| liveness.is_within_extended(found.user, &dead_ends));
    test.write(format_args!("RESULT: {is_within}\n"));
    Ok(())
}

fn write_operand(test: &mut Test<'_>, found: Use) {
    let (owner, value) = (test.instruction(found.user), test.value(found.value(test.body())));
    let number = found.operand;
    test.write(format_args!("Operand.\nOwner: {owner}Value: {value}Operand Number: {number}\nIs Type Dependent: no\n"));
}

/// Prints the live blocks, the users and the boundary.
fn write_liveness(test: &mut Test<'_>, liveness: &PrunedLiveness<'_>) {
    for block in liveness.discovered_blocks() {
        let word = match liveness.block(*block) {
            BlockLiveness::Dead => "Dead",
            BlockLiveness::LiveWithin => "LiveWithin",
            BlockLiveness::LiveOut => "LiveOut",
        };
        test.write(format_args!("bb{}: {word}\n", block.as_u32()));
    }
    for (user, kind) in liveness.users() {
        let word = match kind {
            LiveUse::NonUse => "non-user",
            LiveUse::Ending => "lifetime-ending user",
            LiveUse::NonEnding => "regular user",
        };
        let line = test.instruction(user);
        test.write(format_args!("{word}: {line}"));
    }
    write_boundary(test, &liveness.boundary());
}

fn write_boundary(test: &mut Test<'_>, boundary: &LiveBoundary) {
    for user in &boundary.last_users {
        let line = test.instruction(*user);
        test.write(format_args!("last user: {line}"));
    }
    for block in &boundary.boundary_edges {
        test.write(format_args!("boundary edge: bb{}\n", block.as_u32()));
    }
    for definition in &boundary.dead_definitions {
        let line = test.definition(*definition);
        test.write(format_args!("dead def: {line}"));
    }
}

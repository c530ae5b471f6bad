//! Tests of borrow scopes and enclosing values.

use sil_analysis::{LifetimeFacts, ValueDependence, enclosing_definitions, escapes_into_pointer, scope_introducers};
use sil_ir::instructions::Opcode;
use sil_ir::model::Value;

use super::TestResult;
use super::test::Test;

/// Takes a value. Prints the function, and the borrow introducers of the value with the kinds of their scopes.
pub(super) fn borrow_introducers(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    test.write_function();
    let line = test.value(value);
    test.write(format_args!("Borrow introducers for: {line}"));
    let view = test.view();
    let dependence = ValueDependence::new(&view);
    for introducer in dependence.borrow_introducers(value).into_iter().rev() {
        let scope = scope_text(test, introducer);
        test.write(format_args!("{scope}\n"));
    }
    Ok(())
}

/// Returns the kind of the borrow scope that `introducer` begins, with its line.
fn scope_text(test: &Test<'_>, introducer: Value) -> String {
    let body = test.body();
    let line = test.value(introducer);
    let line = line.trim_end_matches('\n');
    let Some(id) = body.defining(introducer) else {
        let is_passed_in = body.blocks[body.entry()].arguments.contains(&introducer);
        return if is_passed_in {
            format!("functionArgument({line})")
        } else {
            format!("reborrow(SIL.Phi(value: {line}))")
        };
    };
    let kind = match body.instructions[id].opcode {
        Opcode::BeginBorrow => "beginBorrow",
        Opcode::LoadBorrow => "loadBorrow",
        Opcode::BeginApply => "beginApply",
        Opcode::UncheckedOwnershipConversion => "uncheckOwnershipConversion",
        _ => "other",
    };
    format!("{kind}({line})")
}

/// Takes a value. Prints the function and the values whose lifetimes enclose it.
pub(super) fn enclosing_values(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    test.write_function();
    let line = test.value(value);
    test.write(format_args!("Enclosing values for: {line}"));
    let view = test.view();
    for enclosing in ValueDependence::new(&view).enclosing_values(value).into_iter().rev() {
        let line = test.value(enclosing);
        test.write(format_args!("{line}"));
    }
    Ok(())
}

/// The same, by the algorithm of Swift's C++ passes.
pub(super) fn found_enclosing_definitions(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    write_found(test, "Enclosing Defs", enclosing_definitions(&test.view(), value));
    Ok(())
}

/// Takes a value. Prints the function and the borrow introducers of the value, by the algorithm of Swift's C++ passes.
pub(super) fn found_borrow_introducers(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    write_found(test, "Introducers", scope_introducers(&test.view(), value));
    Ok(())
}

fn write_found(test: &mut Test<'_>, heading: &str, values: Vec<Value>) {
    test.write_function();
    let lines: String = values.into_iter().map(|value| test.value(value)).collect();
    test.write(format_args!("{heading}:\n{lines}"));
}

/// Takes a value. Prints it and whether it has a pointer escape.
pub(super) fn has_pointer_escape(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let view = test.view();
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    let line = test.value(value);
    let escapes = escapes_into_pointer(facts.uses(), &view.cfg, value);
    test.write(format_args!("{line}{escapes}\n"));
    Ok(())
}

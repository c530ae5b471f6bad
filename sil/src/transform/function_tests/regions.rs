//! Tests of region-based isolation: what values belong to, and what they are called.

use super::TestResult;
use super::test::Test;
use crate::analysis::regions::{Isolation, Sendability, ValueIsolation};
use crate::analysis::variable_name;
use crate::model::Value;

/// Takes a value. Writes it, what it is called, and what has the first part of that name.
pub(super) fn inferred_name(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    test.write(format_args!("Input Value: {line}"));
    match variable_name(&test.view(), value) {
        Some(found) => {
            let root = test.value(found.root);
            test.write(format_args!("Name: '{}'\nRoot: {root}", found.name));
        }
        None => test.write(format_args!("Name: 'unknown'\nRoot: 'unknown'\n")),
    }
    Ok(())
}

/// Takes a value. Writes it and what it belongs to.
pub(super) fn isolation(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let (line, isolation) = (test.value(value), isolation_of(test, value));
    let words = isolation.line(&test.view());
    test.write(format_args!("Input Value: {line}Isolation: {words}\n"));
    Ok(())
}

/// Takes two values. Writes them, what they belong to, and what both of them belong to where they meet.
pub(super) fn merged_isolation(test: &mut Test<'_>) -> TestResult<()> {
    let values = [test.take_value()?, test.take_value()?];
    let [first, second] = values.map(|value| isolation_of(test, value));
    let view = test.view();
    for (name, (value, isolation)) in ["First", "Second"].into_iter().zip(values.into_iter().zip([first, second])) {
        let (line, words) = (test.value(value), isolation.line(&view));
        test.write(format_args!("{name} Value: {line}{name} Isolation: {words}\n"));
    }
    let merged = first.merge(second).map_or_else(|| "Merge failure!".to_owned(), |merged| merged.line(&view));
    test.write(format_args!("Merged Isolation: {merged}\n"));
    Ok(())
}

fn isolation_of(test: &Test<'_>, value: Value) -> Isolation {
    let view = test.view();
    let sendability = Sendability::new(view.queries, view.function.signature);
    ValueIsolation { view: &view, sendability: &sendability }.of(value)
}

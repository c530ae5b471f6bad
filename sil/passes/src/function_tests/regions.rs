//! Tests of region-based isolation: the isolation and the names of values.

use sil_analysis::regions::{Isolation, Representative, Sendability, TrackedValue, TrackedValues, ValueIsolation};
use sil_analysis::{CallsOfMethods, variable_name};
use sil_ir::model::Value;

use super::TestResult;
use super::test::Test;

/// Takes a value. Prints it, its inferred name, and the root that the name starts with.
pub(super) fn inferred_name(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    test.write(format_args!("Input Value: {line}"));
    match variable_name(&test.view(), value, CallsOfMethods::All) {
        Some(found) => {
            let root = test.value(found.root);
            test.write(format_args!("Name: '{}'\nRoot: {root}", found.name));
        }
        None => test.write(format_args!("Name: 'unknown'\nRoot: 'unknown'\n")),
    }
    Ok(())
}

/// Takes a value. Prints it and its isolation.
pub(super) fn isolation(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let (line, isolation) = (test.value(value), isolation_of(test, value));
    let words = isolation.line(&test.view());
    test.write(format_args!("Input Value: {line}Isolation: {words}\n"));
    Ok(())
}

/// Takes two values. Prints them, their isolations, and the merged isolation.
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

/// Takes a value. Prints its tracked representative, and the base that it was projected from.
pub(super) fn tracked_value(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let view = test.view();
    let sendability = Sendability::new(view.queries, view.function.signature);
    let values = ValueIsolation { view: &view, sendability: &sendability };
    let found = TrackedValues::new(&values).lookup(value);
    write_tracked(test, "Value", &found.value);
    if let Some(base) = found.base {
        write_tracked(test, "Base", &base);
    }
    test.write(format_args!("\n"));
    Ok(())
}

fn write_tracked(test: &mut Test<'_>, name: &str, found: &TrackedValue) {
    let answer = |holds: bool| if holds { "yes" } else { "no" };
    let (alone, sendable) = (answer(!found.may_alias), answer(found.is_sendable));
    let words = found.isolation().line(&test.view());
    let line = match found.representative {
        Representative::Value(value) => test.value(value),
        Representative::Introducer(id) => format!("ActorRegionIntroducingInst: {}", test.instruction(id)),
    };
    test.write(format_args!(
        "{name}:\nTrackableValue. State: TrackableValueState[id: {}][is_no_alias: {alone}][is_sendable: {sendable}]\
         [region_value_kind: {words}].\n    Rep Value: {line}",
        found.element.0,
    ));
}

fn isolation_of(test: &Test<'_>, value: Value) -> Isolation {
    let view = test.view();
    let sendability = Sendability::new(view.queries, view.function.signature);
    ValueIsolation { view: &view, sendability: &sendability }.of(value)
}

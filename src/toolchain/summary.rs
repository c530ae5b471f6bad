//! The summary of a build: the number of objects that silc made, those that the toolchain made and why, and times if
//! requested.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::options::Times;
use super::session::{FallenBack, Record};

/// The maximum number of objects named for one reason.
const MOST_NAMED: usize = 3;

/// Returns the summary, which is empty if no object was made.
pub fn summary(records: &[Record], times: Times) -> String {
    let made: u64 = records.iter().map(|record| record.made).sum();
    let others: Vec<&FallenBack> = records.iter().flat_map(|record| &record.fallen_back).collect();
    let all = made + others.len() as u64;
    if all == 0 {
        return String::new();
    }
    let mut text = format!("silc: {made} of {all} objects");
    if !others.is_empty() {
        text.push_str(&format!("; {} by swiftc:", others.len()));
        reasons(&others).into_iter().for_each(|line| text.extend(["\n  ", &line]));
    }
    text.push('\n');
    if times == Times::Said {
        text.push_str(&table(records));
    }
    text
}

/// Returns a line for each reason, ordered by the number of objects.
fn reasons(others: &[&FallenBack]) -> Vec<String> {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for FallenBack { name, reason } in others {
        reasons.entry(reason).or_default().push(name);
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| Reverse(names.len()));
    reasons.into_iter().map(|(reason, names)| format!("{}: {reason}", named(&names))).collect()
}

fn named(names: &[&str]) -> String {
    let first = names[..names.len().min(MOST_NAMED)].join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Returns a row for each module: the total seconds of the front end and of silc.
fn table(records: &[Record]) -> String {
    let mut modules: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for record in records {
        let (frontend, silc) = modules.entry(&record.module).or_default();
        *frontend += record.frontend;
        *silc += record.silc;
    }
    let width = modules.keys().map(|module| module.len()).max().unwrap_or(0).max("module".len());
    let mut text = format!("{:width$}  front end       silc\n", "module");
    for (module, (frontend, silc)) in modules {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{module:width$}  {frontend:7.2} s  {silc:7.2} s");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(module: &str, made: u64, others: &[&str]) -> Record {
        let fallen_back =
            others.iter().map(|name| FallenBack { name: (*name).into(), reason: "not yet".into() }).collect();
        Record { module: module.into(), made, fallen_back, frontend: 1.0, silc: 0.5 }
    }

    #[test]
    fn objects_of_the_toolchain_are_named() {
        assert_eq!(summary(&[], Times::Said), "");
        assert_eq!(summary(&[record("a", 3, &[])], Times::Unsaid), "silc: 3 of 3 objects\n");
        assert_eq!(
            summary(&[record("a", 1, &["b.swift"]), record("c", 1, &[])], Times::Unsaid),
            "silc: 2 of 3 objects; 1 by swiftc:\n  b.swift: not yet\n"
        );
        assert_eq!(
            summary(&[record("a", 0, &["1", "2", "3", "4", "5"])], Times::Unsaid),
            "silc: 0 of 5 objects; 5 by swiftc:\n  1, 2, 3 and 2 more: not yet\n"
        );
        let times = "silc: 2 of 2 objects\nmodule  front end       silc\na          2.00 s     1.00 s\n";
        assert_eq!(summary(&[record("a", 1, &[]), record("a", 1, &[])], Times::Said), times);
    }
}

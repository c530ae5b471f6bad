//! Comparisons of object files as text and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::text::{Options, Paint};
use crate::objects::{Objects, Sized};

/// For terminals: the sections, then the functions whose sizes differ.
pub fn text(all: &[(String, Objects)], options: &Options) -> String {
    let paint = Paint(options.color);
    let mut text = String::new();
    for (title, objects) in all {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}\nA: {}\nB: {}\n", paint.bold(title), paint.a(&objects.a), paint.b(&objects.b));
        let _ = writeln!(text, "{:>12}{:>12}{:>12}  section", "A", "B", "change");
        objects.sections.iter().for_each(|section| write_line(section, &mut text));
        let differing: Vec<&Sized> = objects.functions.iter().filter(|function| !function.is_same).collect();
        if !differing.is_empty() && !options.summary_only {
            let _ = writeln!(text, "\n{:>12}{:>12}{:>12}  function", "A", "B", "change");
            differing.into_iter().for_each(|function| write_line(function, &mut text));
        }
        let total = |size: fn(&Sized) -> Option<u64>| objects.functions.iter().filter_map(size).sum::<u64>();
        let sum = Sized {
            name: "all functions".into(),
            a: Some(total(|one| one.a)),
            b: Some(total(|one| one.b)),
            is_same: true,
        };
        write_line(&sum, &mut text);
    }
    text
}

fn write_line(one: &Sized, text: &mut String) {
    let size = |size: Option<u64>| size.map_or("-".to_owned(), |size| size.to_string());
    let (a, b) = (one.a.unwrap_or(0) as i64, one.b.unwrap_or(0) as i64);
    let change = match b - a {
        0 if one.is_same => "same".to_owned(),
        0 => "contents".to_owned(),
        change => format!("{change:+}"),
    };
    let _ = writeln!(text, "{:>12}{:>12}{change:>12}  {}", size(one.a), size(one.b), one.name);
}

/// As JSON: `{ schema, differs, comparisons: [ { title, a, b, differs, sections, functions: [ { name, a, b: BYTES, same
/// } ] } ] }`.
pub fn json(all: &[(String, Objects)]) -> String {
    let sized = |all: &[Sized]| -> Vec<Value> {
        all.iter().map(|one| json!({ "name": one.name, "a": one.a, "b": one.b, "same": one.is_same })).collect()
    };
    let comparison = |(title, objects): &(String, Objects)| {
        json!({
            "title": title,
            "a": objects.a,
            "b": objects.b,
            "differs": objects.differs(),
            "sections": sized(&objects.sections),
            "functions": sized(&objects.functions),
        })
    };
    let differs = all.iter().any(|(_, objects)| objects.differs());
    let comparisons: Vec<Value> = all.iter().map(comparison).collect();
    format!("{}\n", json!({ "schema": super::json::SCHEMA, "differs": differs, "comparisons": comparisons }))
}

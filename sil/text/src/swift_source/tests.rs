//! The reader on Swift code. `⟦` marks the place of the question.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use super::{ArgumentList, Callee, Parameter, SwiftPlace, SwiftSources, Takes};

/// Those of `candidates`, labels in a row, that the code at the mark can mean.
fn stated<'c>(code: &str, callee: Callee<'_>, candidates: &[&'c str]) -> Vec<&'c str> {
    let at = code.find('⟦').expect("a test marks a place");
    let line = code[..at].matches('\n').count() as u32 + 1;
    let column = (at - code[..at].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1;
    let text = code.replace('⟦', "");
    let sources = SwiftSources::new(move |name| (name == "a.swift").then(|| text.clone()));
    let place = SwiftPlace { file: "a.swift", line, column };
    fitting(&sources.argument_lists(place, callee, std::iter::empty()), candidates)
}

fn fitting<'c>(lists: &[ArgumentList], candidates: &[&'c str]) -> Vec<&'c str> {
    let fits = |candidate: &&&str| {
        let labels = candidate.split_terminator(':');
        let parameters: Vec<_> = labels.map(|label| Parameter { label, takes: Takes::One }).collect();
        lists.iter().any(|list| list.can_be_for(&parameters))
    };
    candidates.iter().filter(fits).copied().collect()
}

fn function<'c>(code: &str, candidates: &[&'c str]) -> Vec<&'c str> {
    stated(code, Callee::Function("f"), candidates)
}

#[test]
fn reads_labels_of_calls() {
    let conversions = ["_:", "truncatingIfNeeded:", "clamping:"];
    let initializer = |code| stated(code, Callee::Initializer, &conversions);
    assert_eq!(initializer("let x = ⟦T(truncatingIfNeeded: n)"), ["truncatingIfNeeded:"]);
    assert_eq!(initializer("let x = ⟦T(n + T(clamping: n))"), ["_:"]);
    assert_eq!(initializer("let x = T.⟦Magnitude(clamping: n)"), ["clamping:"]);
    assert_eq!(initializer("let x: T = .⟦init( /* ) */ clamping : n)"), ["clamping:"]);
    assert_eq!(initializer("⟦Box<[Int: Box<T>]>(clamping: 1)"), ["clamping:"]);
    assert_eq!(function("t.⟦f(a: 1)", &["a:", "b:"]), ["a:"]);
    assert_eq!(function("t\n  // f(a: 1)\n  .⟦f(\n    b: g(a: 2, b: 3),\n    _: 4)", &["a:_:", "b:_:"]), ["b:_:"]);
    assert_eq!(function("t.⟦`f`(`in`: 1)", &["in:", "b:"]), ["in:"]);
    assert_eq!(function("t.⟦f(a:)", &["a:", "b:"]), ["a:"]);
    assert_eq!(function("t.⟦f(a:_:)", &["a:_:", "a:b:"]), ["a:_:"]);
    assert_eq!(function("⟦f(a: c ? x : y, [k: v], { a, b in a }, S<A, B>.self)", &["a:_:_:_:"]), ["a:_:_:_:"]);
}

#[test]
fn reads_no_other_calls() {
    assert!(function("t.⟦g(a: 1)", &["a:"]).is_empty());
    assert!(function("let g = t.⟦f\n(a: 1)", &["a:"]).is_empty());
    assert!(function("t.⟦f", &["a:"]).is_empty());
    assert!(function("\"t.⟦f(a: 1)\"", &["a:"]).is_empty());
    assert!(function("// t.⟦f(a: 1)", &["a:"]).is_empty());
    assert!(function("t.⟦f(a: 1", &["a:"]).is_empty());
}

#[test]
fn reads_closures_after_calls() {
    let candidates = ["x:y:", "x:z:", "a:", "b:"];
    assert_eq!(function("t.⟦f { 4 } z: { 5 }", &candidates), ["x:z:"]);
    assert_eq!(function("t.⟦f(x: { 1 }) { 4 }", &candidates), ["x:y:", "x:z:"]);
    assert_eq!(function("t.⟦f(b:) { 4 }", &candidates), ["b:"]);
    assert_eq!(function("if t.⟦f(a: 1) { g() }", &candidates), ["a:"]);
    assert_eq!(function("switch ⟦f(b: 1) { case 1: break; default: break }", &candidates), ["b:"]);
    assert_eq!(stated("t⟦(b: 1)", Callee::Function("callAsFunction"), &["a:", "b:"]), ["b:"]);
}

#[test]
fn reads_what_stands_in_literals() {
    let candidates = ["a:", "b:"];
    assert_eq!(function("let s = \"\\\") f(a: 1) \\(t.⟦f(b: \"\\(1)\"))\"", &candidates), ["b:"]);
    assert_eq!(function("let s = #\"\\(f(a: 1)) \\#(t.⟦f(b: 1)) \"\"#", &candidates), ["b:"]);
    assert_eq!(function("let s = \"\"\"\n  \" f(\n  \\(t.⟦f(b: 1))\n  \"\"\"", &candidates), ["b:"]);
    assert_eq!(function("let s = #\"\"\"#; t.⟦f(a: 1)", &candidates), ["a:"]);
    assert_eq!(function("let r = /a(b\"c)/; let s = #/\n \"(\n/#\nt.⟦f(a: 1)", &candidates), ["a:"]);
    assert_eq!(function("let q = (a / b) / c; let p = x/y; t.⟦f(a: 1 /* /* */ ) */)", &candidates), ["a:"]);
    assert_eq!(function("let s = \"unterminated\nt.⟦f(a: 1)", &candidates), ["a:"]);
    assert_eq!(function("é = ü ≤ 日本(1); t.⟦f(a: 1)", &candidates), ["a:"]);
}

#[test]
fn reads_subscripts() {
    let candidates = ["a:", "b:"];
    let read = |code| stated(code, Callee::SubscriptRead, &candidates);
    let written = |code| stated(code, Callee::SubscriptWrite, &candidates);
    assert_eq!(read("t.e⟦[b: [1, 2][0]]"), ["b:"]);
    assert_eq!(written("m[b: 1][q: 3] ⟦= m[a: 2]"), ["b:"]);
    assert_eq!(read("m[b: 1] ⟦= m[a: 2]"), ["a:"]);
    assert_eq!(written("f()\nm[b: 1] ⟦= m[a: 2]"), ["b:"]);
    assert_eq!(written("⟦m[x: 1].y![b: 3] += m[a: 5]"), ["b:"]);
    assert_eq!(written("swap(⟦&m[a: 1], &arr[0][b: 2])"), ["a:"]);
    assert_eq!(read("let k = ⟦\\T.[a: 4]"), ["a:"]);
    assert_eq!(stated("t.⟦name", Callee::SubscriptRead, &["dynamicMember:", "a:"]), ["dynamicMember:"]);
}

#[test]
fn counts_arguments() {
    let code = "⟦f(a: 1, 2, 3)";
    let sources = SwiftSources::new(move |_| Some(code.replace('⟦', "")));
    let place = SwiftPlace { file: "a.swift", line: 1, column: 1 };
    let lists = sources.argument_lists(place, Callee::Function("f"), std::iter::empty());
    let [list] = &lists[..] else { panic!("one call is there") };
    let parameter = |label, takes| Parameter { label, takes };
    assert!(list.can_be_for(&[parameter("a", Takes::Any)]));
    assert!(!list.can_be_for(&[parameter("b", Takes::Any)]));
    assert!(!list.can_be_for(&[parameter("a", Takes::One)]));
    let optional = parameter("x", Takes::OneOrNone);
    assert!(list.can_be_for(&[optional, parameter("a", Takes::Any), optional]));
    assert!(list.can_be_for(&[parameter("a", Takes::One), parameter("_", Takes::Any)]));
}

#[test]
fn follows_source_locations() {
    let generated = "#sourceLocation(file: \"a.y\", line: 10)\nt.f(a: 1)\n#sourceLocation()\nt.f(b: 1)\n";
    let sources = SwiftSources::new(move |name| (name == "a.swift").then(|| generated.to_owned()));
    let at = |file, line| {
        let place = SwiftPlace { file, line, column: 3 };
        let lists = sources.argument_lists(place, Callee::Function("f"), ["a.swift"].into_iter());
        fitting(&lists, &["a:", "b:"])
    };
    assert_eq!(at("a.y", 10), ["a:"]);
    assert_eq!(at("a.swift", 4), ["b:"]);
    assert!(at("a.swift", 2).is_empty());
    assert!(at("a.y", 12).is_empty());
}

#[test]
fn takes_any_text() {
    let sample = "\u{FEFF}#!/x\nlet s = #\"\"\"\n\\#(\"\\({[(`a` /b/ #/c/# \"\"\" é…≤ /* /* 1.2e-5 ..< $0 @x #if \"\n";
    let places: Vec<usize> = sample.char_indices().map(|(at, _)| at).collect();
    for from in &places {
        for to in places.iter().filter(|to| *to >= from) {
            let text = sample[*from..*to].to_owned();
            let sources = SwiftSources::new(move |_| Some(text.clone()));
            for (column, callee) in [(1, Callee::Initializer), (3, Callee::SubscriptWrite), (2, Callee::SubscriptRead)]
            {
                let place = SwiftPlace { file: "a.swift", line: 1, column };
                sources.argument_lists(place, callee, std::iter::empty());
            }
        }
    }
}

#[test]
fn reads_types_of_casts() {
    let stated = |code: &str| {
        let column = code.find('⟦').expect("a test marks a place") as u32 + 1;
        let text = code.replace('⟦', "");
        let sources = SwiftSources::new(move |_| Some(text.clone()));
        sources.cast_type(SwiftPlace { file: "a.swift", line: 1, column }).map(|path| path.join("."))
    };
    assert_eq!(stated("if x ⟦is any Swift.Identifiable {").as_deref(), Some("Swift.Identifiable"));
    assert_eq!(stated("x ⟦as? Set<Int>").as_deref(), Some("Set"));
    assert_eq!(stated("x ⟦as! `Set`.Type").as_deref(), Some("Set"));
    assert_eq!(stated("x ⟦as! (Int, Int)"), None);
    assert_eq!(stated("⟦x as? Set"), None);
}

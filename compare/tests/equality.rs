//! Texts of the same meaning compare as equal, with the verdict that states the degree.

mod common;

use common::{compared, modules};
use compare::{Comparison, Parts, Verdict};

/// The verdict on the first function.
fn verdict(a: &str, b: &str) -> Verdict {
    compared(a, b, Parts::default()).symbols[0].verdict
}

fn pairing(comparison: &Comparison) -> Vec<Option<&'static str>> {
    comparison.symbols.iter().map(|symbol| symbol.reason.map(|reason| reason.name())).collect()
}

const LOOP: &str = "define i64 @f(i64 %n, ptr %p) #0 {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %done = icmp eq i64 %i, %n
  br i1 %done, label %exit, label %body

body:
  %next = add nuw i64 %i, 1
  store i64 %i, ptr %p, align 8
  br label %head

exit:
  ret i64 %i
}

attributes #0 = { nounwind \"x\"=\"y\" }
";

#[test]
fn names_and_the_order_of_blocks_do_not_count() {
    let other = "define i64 @f(i64 %0, ptr %1) #7 {
  br label %4

3:
  ret i64 %5

4:
  %5 = phi i64 [ 0, %2 ], [ %8, %7 ]
  %6 = icmp eq i64 %5, %0
  br i1 %6, label %3, label %7

7:
  %8 = add nuw i64 %5, 1
  store i64 %5, ptr %1, align 8
  br label %4
}

attributes #7 = { \"x\"=\"y\" nounwind }
";
    assert_eq!(verdict(LOOP, LOOP), Verdict::Identical);
    assert_eq!(verdict(LOOP, other), Verdict::Names);
    assert_eq!(verdict(LOOP, &other.replace("#7 = {", "#7 = { cold")), Verdict::Different);
}

#[test]
fn independent_instructions_may_change_places() {
    let swapped = LOOP.replace(
        "  %next = add nuw i64 %i, 1\n  store i64 %i, ptr %p, align 8\n",
        "  store i64 %i, ptr %p, align 8\n  %next = add nuw i64 %i, 1\n",
    );
    assert_ne!(LOOP, swapped);
    assert_eq!(verdict(LOOP, &swapped), Verdict::Order);
}

#[test]
fn stores_may_not_change_places() {
    let text = "define void @f(ptr %p, ptr %q) {\n  store i8 1, ptr %p, align 1\n  store i8 2, ptr %q, align 1\n  ret void\n}\n";
    let swapped = "define void @f(ptr %p, ptr %q) {\n  store i8 2, ptr %q, align 1\n  store i8 1, ptr %p, align 1\n  ret void\n}\n";
    let comparison = compared(text, swapped, Parts::default());
    assert_eq!(comparison.symbols[0].verdict, Verdict::Different);
    assert_eq!(comparison.symbols[0].parts.names(), "order");
}

#[test]
fn a_chain_that_changed_places_with_another_is_not_taken_for_it() {
    let text = "define i64 @f(ptr %p, ptr %q) {
  %a = load i64, ptr %p, align 8
  %b = add i64 %a, 1
  %c = load i64, ptr %q, align 8
  %d = add i64 %c, 1
  %e = mul i64 %b, %d
  ret i64 %e
}
";
    let swapped = "define i64 @f(ptr %p, ptr %q) {
  %c = load i64, ptr %q, align 8
  %d = add i64 %c, 1
  %a = load i64, ptr %p, align 8
  %b = add i64 %a, 1
  %e = mul i64 %b, %d
  ret i64 %e
}
";
    assert_eq!(verdict(text, swapped), Verdict::Order);
}

#[test]
fn types_are_what_they_consist_of() {
    let named = "%T = type <{ i64, %U }>\n%U = type { i8 }\n\ndefine ptr @f(ptr %T) {\n  %x = getelementptr inbounds %T, ptr %T, i32 0, i32 1\n  ret ptr %x\n}\n";
    let literal = "define ptr @f(ptr %p) {\n  %x = getelementptr inbounds <{ i64, { i8 } }>, ptr %p, i32 0, i32 1\n  ret ptr %x\n}\n";
    assert_eq!(verdict(named, literal), Verdict::Names);
    assert_eq!(verdict(&named.replace("type { i8 }", "type { i16 }"), literal), Verdict::Different);
}

#[test]
fn private_strings_are_what_they_hold() {
    let a = "@0 = private constant [2 x i8] c\"a\\00\"\n@1 = private constant [2 x i8] c\"b\\00\"\n\ndefine ptr @f() {\n  ret ptr @1\n}\n";
    let b = "@x = private constant [2 x i8] c\"b\\00\"\n@y = private constant [2 x i8] c\"a\\00\"\n\ndefine ptr @f() {\n  ret ptr @x\n}\n";
    let comparison = compared(a, b, Parts::default());
    assert!(!comparison.differs());
    assert_eq!(pairing(&comparison), [Some("content"), Some("content"), Some("name")]);
    assert!(compared(a, &b.replace("ret ptr @x", "ret ptr @y"), Parts::default()).differs());
}

#[test]
fn metadata_is_its_content() {
    let a = "define void @f(i1 %c) {\n  br i1 %c, label %x, label %x, !prof !0\n\nx:\n  ret void\n}\n\n!0 = !{!1, i32 1, i32 9}\n!1 = !{!\"w\"}\n";
    let b = "define void @f(i1 %c) {\n  br i1 %c, label %x, label %x, !prof !5\n\nx:\n  ret void\n}\n\n!5 = !{!2, i32 1, i32 9}\n!2 = !{!\"w\"}\n";
    assert_eq!(verdict(a, b), Verdict::Identical);
    let comparison = compared(a, &b.replace("!\"w\"", "!\"v\""), Parts::default());
    assert_eq!(comparison.symbols[0].parts.names(), "metadata");
}

#[test]
fn manglings_of_embedded_swift_and_bodies_pair_symbols() {
    let a = "define i64 @\"$s1a1fyyF\"(i64 %x) {\n  ret i64 %x\n}\n\ndefine i64 @old(i64 %x) {\n  %a = add i64 %x, 1\n  %b = mul i64 %a, %x\n  %c = sub i64 %b, 3\n  ret i64 %c\n}\n";
    let b = "define i64 @\"$e1a1fyyF\"(i64 %x) {\n  ret i64 %x\n}\n\ndefine i64 @new(i64 %y) {\n  %a = add i64 %y, 1\n  %b = mul i64 %a, %y\n  %c = sub i64 %b, 3\n  ret i64 %c\n}\n";
    let comparison = compared(a, b, Parts::default());
    assert_eq!(pairing(&comparison), [Some("mangling"), Some("body")]);
    assert_eq!(comparison.symbols[0].verdict, Verdict::Names);
    assert_eq!(comparison.symbols[1].verdict, Verdict::Renamed);
    assert!(comparison.differs());
}

#[test]
fn names_that_demangle_to_the_same_pair_symbols() {
    let a = "define i64 @old_f(i64 %x) {\n  ret i64 %x\n}\n";
    let b = "define i64 @new_f(i64 %x) {\n  ret i64 %x\n}\n\ndefine i64 @new_g(i64 %x) {\n  ret i64 %x\n}\n";
    let demangle = |name: &str| name.split_once('_').map(|(_, name)| format!("main.{name}"));
    let (a, b, atoms) = modules(a, b, Parts::default());
    let comparison = compare::compare(a, b, atoms, &demangle);
    assert_eq!(pairing(&comparison), [Some("demangled-name"), None]);
    assert_eq!(comparison.symbols[0].verdict, Verdict::Names);
    let names: Vec<_> = comparison.symbols.iter().map(|symbol| (&symbol.demangled_a, &symbol.demangled_b)).collect();
    let (f, g) = (Some("main.f".to_owned()), Some("main.g".to_owned()));
    assert_eq!(names, [(&f, &f), (&None, &g)]);
}

#[test]
fn a_block_that_nothing_reaches_is_compared() {
    let text = "define void @f() {\n  ret void\n\ndead:\n  call void @g()\n  ret void\n}\n\ndeclare void @g()\ndeclare void @h()\n";
    assert_eq!(verdict(text, text), Verdict::Identical);
    assert_eq!(verdict(text, &text.replace("call void @g", "call void @h")), Verdict::Different);
}

#[test]
fn blocks_that_hold_the_same_are_told_apart_by_what_leads_to_them() {
    let text = "define void @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b

a:
  br i1 %d, label %x, label %y

b:
  br i1 %d, label %y, label %x

x:
  call void @g()
  unreachable

y:
  call void @g()
  unreachable
}

declare void @g()
";
    let crossed = text.replace("  br i1 %d, label %y, label %x", "  br i1 %d, label %x, label %y");
    assert_eq!(verdict(text, text), Verdict::Identical);
    assert_eq!(verdict(text, &crossed), Verdict::Different);
}

#[test]
fn the_order_of_cases_does_not_count() {
    let switch = |cases: &str| {
        format!(
            "define i32 @f(i32 %n) {{\n  switch i32 %n, label %a [\n{cases}  ]\n\na:\n  br label %x\n\nb:\n  br label %x\n\nx:\n  \
             %r = phi i32 [ 1, %a ], [ 2, %b ]\n  ret i32 %r\n}}\n"
        )
    };
    let (one, two) = ("    i32 1, label %b\n", "    i32 -20, label %x\n");
    let phi = "%r = phi i32 [ 1, %a ], [ 2, %b ], [ %n, %0 ]";
    let with_phi = |cases: &str| switch(cases).replace("%r = phi i32 [ 1, %a ], [ 2, %b ]", phi);
    let ours = with_phi(&[one, two].concat());
    assert_eq!(verdict(&ours, &with_phi(&[two, one].concat())), Verdict::Names);
    let other = with_phi(&[one, two].concat()).replace(phi, "%r = phi i32 [ %n, %0 ], [ 2, %b ], [ 1, %a ]");
    assert_eq!(verdict(&ours, &other), Verdict::Names);
    let exchanged = other.replace("[ 2, %b ], [ 1, %a ]", "[ 1, %b ], [ 2, %a ]");
    assert_eq!(verdict(&ours, &exchanged), Verdict::Different);
    assert_eq!(verdict(&ours, &with_phi(&["    i32 2, label %b\n", two].concat())), Verdict::Different);
}

#[test]
fn weights_belong_to_the_order_of_cases() {
    let switch = |cases: &str, weights: &str| {
        format!(
            "define void @f(i32 %n) {{\n  switch i32 %n, label %a [\n{cases}  ], !prof !0\n\na:\n  ret void\n\nb:\n  ret void\n}}\n\n\
             !0 = !{{!\"branch_weights\", {weights}}}\n"
        )
    };
    let cases = "    i32 1, label %a\n    i32 2, label %b\n";
    assert_eq!(
        verdict(&switch(cases, "i32 1, i32 2, i32 3"), &switch(cases, "i32 1, i32 2, i32 3")),
        Verdict::Identical
    );
    let turned = "    i32 2, label %b\n    i32 1, label %a\n";
    assert_eq!(
        verdict(&switch(cases, "i32 1, i32 2, i32 3"), &switch(turned, "i32 1, i32 2, i32 3")),
        Verdict::Different
    );
}

#[test]
fn operands_that_commute_may_be_exchanged() {
    let body = |lines: &str| format!("define i32 @f(i32 %a, i32 %b) {{\n{lines}}}\n");
    let sums = |first: &str, second: &str| {
        body(&format!(
            "  %x = mul nsw i32 {first}\n  %y = add i32 {second}\n  %c = icmp eq i32 %x, %y\n  %z = sub i32 %x, %y\n  ret i32 %z\n"
        ))
    };
    let ours = sums("%a, %b", "%x, 5");
    assert_eq!(verdict(&ours, &sums("%b, %a", "%x, 5")), Verdict::Names);
    assert_eq!(verdict(&ours, &sums("%b, %a", "5, %x")), Verdict::Names);
    assert_eq!(verdict(&ours, &sums("%a, %b", "%x, 5").replace("eq i32 %x, %y", "eq i32 %y, %x")), Verdict::Names);
    assert_eq!(
        verdict(&ours, &sums("%a, %b", "%x, 5").replace("sub i32 %x, %y", "sub i32 %y, %x")),
        Verdict::Different
    );
    assert_eq!(verdict(&ours, &sums("%b, %b", "%x, 5")), Verdict::Different);
    // In bodies that differ elsewhere they are no difference of their own.
    let longer = |lines: &str| body(&format!("  %q = xor i32 %a, 7\n{lines}  %r = or i32 %q, %x\n  ret i32 %r\n"));
    let comparison = common::compared(
        &longer("  %x = and i32 %a, %b\n"),
        &longer("  %x = and i32 %b, %a\n").replace("%a, 7", "%a, 8"),
        Parts::default(),
    );
    let differences = comparison.symbols[0].body.as_ref().map(|body| body.differences.len());
    assert_eq!(differences, Some(1));
}

#[test]
fn two_functions_are_compared_alone() {
    let ours =
        "define i32 @f(i32 %n) {\n  %r = call i32 @f(i32 %n)\n  ret i32 %r\n}\n\ndefine void @x() {\n  ret void\n}\n";
    let theirs = "define i32 @g(i32 %m) {\n  %r = call i32 @g(i32 %m)\n  ret i32 %r\n}\n";
    let compared = |names| {
        let (a, b, atoms) = common::modules(ours, theirs, Parts::default());
        compare::compare_functions(a, b, atoms, &|name| Some(format!("<{name}>")), names)
    };
    let verdicts =
        |names| compared(names).map(|found| found.symbols.iter().map(|symbol| symbol.verdict).collect::<Vec<_>>());
    assert_eq!(verdicts(("f", "<g>")), Ok(vec![Verdict::Names]));
    assert_eq!(verdicts(("x", "g")), Ok(vec![Verdict::Different]));
    assert_eq!(verdicts(("f", "h")), Err("'b' defines no function 'h'".to_owned()));
}

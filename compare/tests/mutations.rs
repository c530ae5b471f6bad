//! Changes of one line, each of which must be reported at that line and nowhere else. `scripts/compare-mutations` makes
//! hundreds.

mod common;

use common::compared;
use compare::report::rows::rows;
use compare::row_kind::RowKind;
use compare::{Comparison, Part, Parts};

const MODULE: &str = include_str!("fixtures/classes.ll");

/// The text with the first line that contains `old` changed, and that line's number.
fn mutated(old: &str, new: &str) -> (String, i64) {
    let line = MODULE.lines().position(|line| line.contains(old));
    let line = line.unwrap_or_else(|| panic!("the module has no line with '{old}'"));
    let changed = MODULE
        .lines()
        .enumerate()
        .map(|(index, text)| if index == line { text.replacen(old, new, 1) } else { text.to_owned() });
    (changed.collect::<Vec<_>>().join("\n"), line as i64 + 1)
}

/// The lines of B, from 1, that are reported as different, and those of A that B lacks as negative numbers.
fn reported_lines(comparison: &Comparison) -> Vec<i64> {
    let mut lines = Vec::new();
    for symbol in comparison.symbols.iter().filter(|symbol| symbol.verdict.is_difference()) {
        for row in rows(comparison, symbol).iter().filter(|row| row.kind != RowKind::Same) {
            lines.push(match (&row.a, &row.b) {
                (_, Some(b)) => i64::from(b.number),
                (Some(a), None) => -i64::from(a.number),
                (None, None) => 0,
            });
        }
    }
    lines.sort_unstable();
    lines
}

const MUTATIONS: &[(&str, &str, Part)] = &[
    ("%8 = sub i64 %5, 1", "%8 = add i64 %5, 1", Part::Body),
    ("%8 = sub i64 %5, 1", "%8 = sub i64 %5, 2", Part::Body),
    ("%8 = sub i64 %5, 1", "%8 = sub i64 %3, 1", Part::Body),
    ("%8 = sub i64 %5, 1", "%8 = sub nsw i64 %5, 1", Part::Flags),
    ("icmp eq i64 %5, 0", "icmp ne i64 %5, 0", Part::Body),
    ("br i1 %6, label %9, label %7", "br i1 %6, label %7, label %9", Part::Body),
    ("phi i64 [ %3, %1 ]", "phi i64 [ 0, %1 ]", Part::Body),
    ("call swiftcc void @say(ptr @.str.1)", "call swiftcc void @say(ptr @.str.2)", Part::Body),
    ("call swiftcc void @say(ptr @.str.1)", "call void @say(ptr @.str.1)", Part::CallingConvention),
    ("call swiftcc void @say(ptr @.str.1) #0", "call swiftcc void @say(ptr @.str.1)", Part::Attributes),
    ("call swiftcc void %4(ptr swiftself %0)", "call swiftcc void %4(ptr %0)", Part::CallingConvention),
    ("load ptr, ptr %3, align 8, !invariant.load !0", "load ptr, ptr %3, align 8", Part::Metadata),
    ("load ptr, ptr %3, align 8", "load ptr, ptr %3, align 4", Part::Alignment),
    ("load ptr, ptr %3, align 8", "load volatile ptr, ptr %3, align 8", Part::Body),
    ("getelementptr inbounds i8, ptr %2, i64 24", "getelementptr i8, ptr %2, i64 24", Part::Flags),
    ("getelementptr inbounds i8, ptr %2, i64 24", "getelementptr inbounds i8, ptr %2, i64 16", Part::Body),
    ("store i64 3, ptr %5", "store i64 3, ptr %4", Part::Body),
    ("@swift_allocObject(ptr @\"$s4main3DogCN\"", "@swift_allocObject(ptr @\"$s4main6AnimalCN\"", Part::Body),
    ("define swiftcc void @meet(ptr %0)", "define hidden swiftcc void @meet(ptr %0)", Part::Linkage),
    ("define swiftcc void @meet(ptr %0)", "define swiftcc void @meet(ptr noundef %0)", Part::Attributes),
    ("@\"$s4main3DogCN\" = protected constant", "@\"$s4main3DogCN\" = protected global", Part::Constness),
    ("@\"$s4main3DogCN\" = protected constant", "@\"$s4main3DogCN\" = internal constant", Part::Linkage),
    ("c\"wow\\00\"", "c\"wew\\00\"", Part::Body),
    ("ptr null, ptr @dog_speak]", "ptr null, ptr @animal_speak]", Part::Body),
];

#[test]
fn a_module_is_identical_with_itself() {
    let comparison = compared(MODULE, MODULE, Parts::default());
    assert!(!comparison.differs());
    assert!(comparison.symbols.iter().all(|symbol| symbol.verdict == compare::Verdict::Identical));
}

#[test]
fn every_mutation_is_found_at_its_line_and_in_its_part() {
    for (old, new, part) in MUTATIONS {
        let (text, line) = mutated(old, new);
        let comparison = compared(MODULE, &text, Parts::default());
        assert!(comparison.differs(), "'{old}' → '{new}'");
        assert_eq!(reported_lines(&comparison), [line], "'{old}' → '{new}'");
        let parts: Parts = comparison.symbols.iter().flat_map(|symbol| symbol.parts.iter()).collect();
        assert_eq!(parts.names(), part.name(), "'{old}' → '{new}'");
    }
}

#[test]
fn parts_that_are_switched_off_do_not_differ() {
    for (old, new, part) in MUTATIONS.iter().filter(|(_, _, part)| *part != Part::Body) {
        let (text, _) = mutated(old, new);
        let ignored: Parts = [*part].into_iter().collect();
        assert!(!compared(MODULE, &text, ignored).differs(), "'{old}' → '{new}' without {}", part.name());
    }
}

#[test]
fn a_line_more_or_less_is_found_alone() {
    let (text, line) =
        mutated("  store i64 3, ptr %5, align 8", "  store i64 3, ptr %5, align 8\n  store i64 4, ptr %4, align 8");
    assert_eq!(reported_lines(&compared(MODULE, &text, Parts::default())), [line + 1]);
    assert_eq!(reported_lines(&compared(&text, MODULE, Parts::default())), [-(line + 1)]);
}

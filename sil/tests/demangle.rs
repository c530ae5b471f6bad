//! Demangles a table of symbols, texts that are none, and symbols that were damaged.

use sil::demangle::{Style, demangle, demangle_as};

const SYMBOLS: &str = include_str!("demangle/symbols.txt");

/// Symbols with their names, in full and simplified.
fn table() -> Vec<[&'static str; 3]> {
    let lines: Vec<_> = SYMBOLS.lines().filter(|line| !line.starts_with('#')).map(str::trim_start).collect();
    lines.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect()
}

#[test]
fn demangles_as_the_reference_does() {
    assert!(table().len() > 300);
    for [symbol, full, simplified] in table() {
        assert_eq!(demangle_as(symbol, Style::Full).as_deref().map(str::trim_start), Some(full), "{symbol}");
        assert_eq!(
            demangle_as(symbol, Style::Simplified).as_deref().map(str::trim_start),
            Some(simplified),
            "{symbol}"
        );
    }
}

#[test]
fn leaves_other_texts_alone() {
    for text in
        ["", "$", "$s", "_$s", "memmove", "main", "_TFC4main1Cd", "_ZN3foo3barEv", "$sé", "$s5ab", "$s99999999999a"]
    {
        assert_eq!(demangle(text), None, "{text}");
    }
}

#[test]
fn survives_damage() {
    for [symbol, ..] in table() {
        for at in 2..symbol.len() {
            for replacement in ["", "A", "_", "9", "G", "é"] {
                let damaged = format!("{}{replacement}{}", &symbol[..at], &symbol[at + 1..]);
                demangle(&damaged);
                demangle_as(&symbol[..at], Style::Simplified);
            }
        }
    }
}

#[test]
fn limits_what_grows_without_bound() {
    // Each pair has the one before it twice.
    let doubled = format!("$sSi_Sit{}D", "AA_AAt".repeat(64));
    assert!(demangle(&doubled).is_none_or(|name| name.len() < 1 << 21));
    let mut nested = "$s4main1aV".to_owned();
    nested.push_str(&"1bV".repeat(50_000));
    nested.push_str("D");
    demangle(&nested);
    demangle(&format!("$sSi{}D", "Sg".repeat(50_000)));
    demangle(&format!("$s4main1fyyF{}", "yycfU_".repeat(50_000)));
    demangle(&format!("$s4main1aV{}y{}GD", "1bV".repeat(3_000), "_".repeat(3_000)));
}

//! Demangles a table of symbols, texts that are none, and symbols that were damaged; writes symbols that were read.

use sil::symbols::{Style, Symbol, TypeReference, demangle, demangle_as};

const SYMBOLS: &str = include_str!("symbols/demangled.txt");

/// Symbols of real programs and of Swift's libraries, in which every operator appears that does so there.
const ROUND_TRIP: &str = include_str!("symbols/round_trip.txt");

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

fn remangle(symbol: &str) -> Option<String> {
    Symbol::demangle(symbol).and_then(Symbol::remangle)
}

#[test]
fn remangles_what_it_demangles() {
    assert!(ROUND_TRIP.lines().count() > 700);
    for symbol in ROUND_TRIP.lines() {
        assert_eq!(remangle(symbol).as_deref(), Some(symbol));
    }
    // Some of these no compiler writes: they come back as it would write them.
    for [symbol, full, _] in table() {
        let remangled = remangle(symbol).unwrap_or_else(|| panic!("{symbol}"));
        assert_eq!(demangle(&remangled).as_deref().map(str::trim_start), Some(full), "{symbol}, {remangled}");
    }
}

#[test]
fn remangles_old_symbols_as_new_ones() {
    assert_eq!(remangle("_T04main3fooySi3bar_tF").as_deref(), Some("$s4main3foo3barySi_tF"));
    assert_eq!(remangle("$S4main3fooyySiF").as_deref(), Some("$s4main3fooyySiF"));
}

#[test]
fn references_of_types_have_addresses() {
    // A generic type with an argument that is a protocol, both referred to, the second one twice.
    let bytes = b"\x01\x10\x00\x00\x00y\x02\xF0\xFF\xFF\xFF_pAB_pG";
    let written = |bytes: &[u8]| TypeReference::demangle(bytes).and_then(TypeReference::remangle);
    let reference = written(bytes);
    assert_eq!(reference.as_ref().map(|reference| &reference.bytes[..]), Some(&bytes[..]));
    assert_eq!(reference.map(|reference| reference.addresses), Some(vec![1, 7]));
    for bytes in [&b"Say\x01\0\0\0\x01G"[..], b"\x01\0\0\0\0ySi_SSG", b"\x09\0\0\0\0", b"SDySSSiG", b"x"] {
        assert_eq!(written(bytes).map(|reference| reference.bytes).as_deref(), Some(bytes));
    }
    for bytes in [&b"\x01\0\0\0"[..], b"\x03\0\0\0\0", b"SiSi", b""] {
        assert!(TypeReference::demangle(bytes).is_none());
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
                remangle(&damaged);
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
    nested.push('D');
    demangle(&nested);
    remangle(&nested);
    // A type in a generic one, which is written without the arguments of that.
    let mut specialized = "$s4main1aVySiG".to_owned();
    specialized.push_str(&"1bV".repeat(50_000));
    specialized.push('D');
    demangle(&specialized);
    remangle(&specialized);
    demangle(&format!("$sSi{}D", "Sg".repeat(50_000)));
    demangle(&format!("$s4main1fyyF{}", "yycfU_".repeat(50_000)));
    demangle(&format!("$s4main1aV{}y{}GD", "1bV".repeat(3_000), "_".repeat(3_000)));
}

//! Swift symbols to names that people read (docs/ABI/Mangling.rst), in the form that `swift-demangle` prints.
//!
//! A mangled symbol is a program for a stack machine: [`parse`] runs it and gets a tree, [`print`] writes the tree. Symbols of
//! Swift 4.0 (`_T0`) and later (`$S`, `$s`, `$e`) are read; the mangling before 4.0 (`_Tt`, `_TF`) is not.

mod mentions;
mod node;
mod parse;
mod print;
mod punycode;

pub(crate) use mentions::{MentionedKind, Place, mentioned_types};

/// How much of a symbol is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Everything: modules, types, where clauses, what it is a specialization of.
    Full,
    /// What tells one function of a program from another at a glance, as `swift-demangle -simplified` writes it.
    Simplified,
}

/// What begins mangled symbols.
const PREFIXES: &[&str] = &["_T0", "$S", "_$S", "$s", "_$s", "$e", "_$e", "@__swiftmacro_"];

/// Symbols nest in symbols, in specializations, this deep at most.
const SYMBOL_DEPTH: u32 = 3;

/// The name that `symbol` stands for, written in full. None if it is no mangled symbol.
///
/// ```
/// assert_eq!(sil::demangle::demangle("$s4main3fooyySiF").as_deref(), Some("main.foo(Swift.Int) -> ()"));
/// assert_eq!(sil::demangle::demangle("memmove"), None);
/// ```
pub fn demangle(symbol: &str) -> Option<String> {
    demangle_as(symbol, Style::Full)
}

/// The name that `symbol` stands for, written in `style`. None if it is no mangled symbol.
pub fn demangle_as(symbol: &str, style: Style) -> Option<String> {
    demangle_nested(symbol, style, 0)
}

fn demangle_nested(symbol: &str, style: Style, depth: u32) -> Option<String> {
    if depth > SYMBOL_DEPTH {
        return None;
    }
    let prefix = PREFIXES.iter().find(|prefix| symbol.starts_with(**prefix))?;
    let labels = if symbol.starts_with("_T") { parse::Labels::InTypes } else { parse::Labels::BesideTypes };
    let (tree, root) = parse::parse(&symbol[prefix.len()..], labels)?;
    print::print(&tree, root, style, depth)
}

//! Infers the name of a module, which its text does not state. A witness table names the module that declares its
//! conformance, and a module defines public tables only for its own conformances. Without such tables, the symbols of
//! the functions and globals that the module defines for others name it, as their module or as the module of the
//! extension.

use sil_ir::model::LanguageMode;
use sil_ir::symbols::Symbol;
use std::collections::BTreeMap;

use super::known::brought;
use super::module::imported_module;
use super::names::plain_name;
use super::scan::{Entity, EntityKind};

/// Linkages of entities that another module may own.
const OF_OTHERS: [&str; 5] = ["shared", "public_external", "hidden_external", "package_external", "private_external"];

/// The module of C's declarations. Its symbols do not identify a module (docs/ABI/Mangling.rst, "Substitutions").
const C: &str = "__C";

/// The standard library. Embedded modules bring its definitions, so that symbols tell it in ordinary Swift alone, and
/// only where they are of no other module.
const STANDARD_LIBRARY: &str = "Swift";

/// Returns the name of the module with the code `code` that was cut into `entities`, if a witness table or symbols
/// determine it.
pub(super) fn name_of(code: &str, entities: &[Entity], mode: LanguageMode) -> Option<String> {
    let of_kind = |kind| {
        let entities = entities.iter().filter(move |entity| entity.kind == kind);
        entities.map(|entity| &code[entity.start as usize..entity.end as usize])
    };
    let in_symbols = || {
        let imported: Vec<&str> = of_kind(EntityKind::Import).map(imported_module).collect();
        let imported = brought(&imported);
        let functions = of_kind(EntityKind::Function).filter(|function| has_body(function));
        name_in_symbols(functions.chain(of_kind(EntityKind::Global)), &imported, mode)
    };
    of_kind(EntityKind::WitnessTable).find_map(owner).map(str::to_owned).or_else(in_symbols)
}

/// Returns whether a function is defined. A declaration can have effects in braces, each in brackets.
fn has_body(function: &str) -> bool {
    let mut lines = function.lines().skip_while(|line| !line.trim_ascii_end().ends_with('{'));
    let first = lines.nth(1).map(str::trim_ascii_start);
    first.is_some_and(|first| !first.starts_with(['[', '}']) || function.contains("\nbb"))
}

/// `m` of `sil_witness_table hidden C: P module m {`
fn owner(table: &str) -> Option<&str> {
    let header = table.lines().next()?.trim_ascii_end().strip_suffix('{')?;
    if header.split_whitespace().nth(1).is_some_and(|linkage| OF_OTHERS.contains(&linkage)) {
        return None;
    }
    let (_, module) = header.rsplit_once(" module ")?;
    Some(plain_name(module.trim()))
}

/// The module that most symbols of definitions are of that no other module may own, those that are imported excepted:
/// Embedded Swift prints what a module uses of others as its own. Each module imports the standard library, the library
/// itself included.
fn name_in_symbols<'a>(
    definitions: impl Iterator<Item = &'a str>,
    imported: &[&str],
    mode: LanguageMode,
) -> Option<String> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for definition in definitions {
        let Some((before, symbol)) = definition.split_once('@') else { continue };
        let symbol = symbol.split_whitespace().next().unwrap_or_default();
        let is_of_others = before.split_whitespace().any(|word| OF_OTHERS.contains(&word));
        if is_of_others || is_specialized(symbol) {
            continue;
        }
        let demangled = Symbol::demangle(symbol);
        let module = demangled.as_ref().and_then(Symbol::declaring_module);
        let may_state = |name: &&str| match *name {
            C => false,
            STANDARD_LIBRARY => mode == LanguageMode::Full,
            name => !imported.contains(&name),
        };
        if let Some(name) = module.filter(may_state) {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    let library = counts.remove(STANDARD_LIBRARY).map(|_| STANDARD_LIBRARY.to_owned());
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(name, _)| name).or(library)
}

/// Returns whether a symbol has the suffix of a specialisation by the optimiser, whose original may belong to any
/// module: an operator such as `Tg5` (docs/ABI/Mangling.rst, "Function Specializations").
fn is_specialized(symbol: &str) -> bool {
    let symbol = symbol.trim_end_matches(|character: char| character.is_ascii_digit());
    let is_kind = |kind: char| matches!(kind, 'g' | 'G' | 'f' | 'p' | 'P' | 'B');
    symbol.strip_suffix(is_kind).is_some_and(|symbol| {
        // The list of removed arguments, as in `Tt0g5`, precedes the kind.
        let symbol = symbol.trim_end_matches(|character: char| character.is_ascii_digit());
        symbol.ends_with('T') || symbol.ends_with("Tt") || symbol.ends_with("Ts")
    })
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::super::scan::entities;
    use super::*;

    fn name(text: &str) -> Option<String> {
        name_in(LanguageMode::Full, text)
    }

    fn name_in(mode: LanguageMode, text: &str) -> Option<String> {
        let code = Code::of(text);
        name_of(code.as_str(), &entities(&code), mode)
    }

    #[test]
    fn own_conformances_tell_the_name() {
        assert_eq!(name("sil_witness_table hidden C: P module m {\n}\n"), Some("m".to_owned()));
        assert_eq!(name("sil_witness_table [serialized] <T> C<T>: P module Swift {\n}\n"), Some("Swift".to_owned()));
    }

    #[test]
    fn conformances_of_others_do_not() {
        assert_eq!(name("sil_witness_table public_external Int: P module Swift {\n}\n"), None);
        assert_eq!(name("sil_witness_table shared Int: P module Swift {\n}\n"), None);
        assert_eq!(name("sil_witness_table Int: P module Swift\n"), None);
    }

    #[test]
    fn comments_and_literals_tell_nothing() {
        let table = "sil_witness_table hidden C: P module m { // of another: module n {\n}\n";
        assert_eq!(name(table), Some("m".to_owned()));
        assert_eq!(name("/*\nsil_global @$s3Lib5countSivp : $Int\n*/\nsil_stage raw\n"), None);
        let named = "sil [_semantics \"@$s3Two1fyyF\"] @$s3Lib1fyyF : $() -> () { // f()\nbb0:\n}\n";
        assert_eq!(name(named), Some("Lib".to_owned()));
    }

    #[test]
    fn symbols_tell_the_name_where_no_table_does() {
        let others = [
            "sil shared @$s5Other1fyyF : $@convention(thin) () -> () {\nbb0:\n}",
            "sil @$s5Other1gyyF : $@convention(thin) () -> ()",
            "sil @$s5Other1gyyxlFSi_Tg5 : $@convention(thin) () -> () {\nbb0:\n}",
            "sil @$s5Other1hyyxlFSi_Tt0g5 : $@convention(thin) () -> () {\nbb0:\n}",
            "sil @main : $@convention(c) () -> () {\nbb0:\n}",
        ];
        assert_eq!(name(&others.join("\n\n")), None);
        let embedded = "sil @$es6letterSiyF : $@convention(thin) () -> Int {\nbb0:\n}";
        assert_eq!(name_in(LanguageMode::Embedded, embedded), None);
        let own = "sil @$s3Lib5PointV1xSdvg : $@convention(method) (Point) -> Double {\nbb0:\n}";
        assert_eq!(name(&[&others[..], &[own]].concat().join("\n\n")), Some("Lib".to_owned()));
        assert_eq!(name("sil_global @$s3Lib5countSivp : $Int\n"), Some("Lib".to_owned()));
        let extension =
            "import Other\n\nsil @$s5Other5PointV3LibE1xSdvg : $@convention(method) (Point) -> Double {\nbb0:\n}";
        assert_eq!(name(extension), Some("Lib".to_owned()));
        let library = "sil @$sSi5twiceSiyF : $@convention(method) (Int) -> Int {\nbb0:\n}";
        assert_eq!(name(library), Some("Swift".to_owned()));
        assert_eq!(name(&[library, own].join("\n\n")), Some("Lib".to_owned()));
        assert_eq!(name("import Lib\n\nsil_global @$s3Lib5countSivp : $Int\n"), None);
    }
}

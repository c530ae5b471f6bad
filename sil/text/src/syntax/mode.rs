//! Infers from its text whether a module was compiled for Embedded Swift. The text does not state it.

use sil_ir::model::{LanguageMode, ObjectiveC};
use sil_ir::source::FileId;
use sil_ir::symbols::Symbol;

use super::code::{Code, Mark};
use super::cursor::Cursor;
use super::lexer::Token;
use super::mentions::symbols;
use super::scan::{Entity, EntityKind};

/// The prefixes of symbols that only Embedded Swift has: its mangling, and its runtime, which is part of the module.
const EMBEDDED: [&str; 3] = ["$e", "_swift_embedded_", "swift_embedded_"];

/// The mangling prefix of ordinary Swift, and of Embedded Swift up to 6.0.
const MANGLED: &str = "$s";

/// Casts in memory require metadata, which Embedded Swift lacks.
const CAST_IN_MEMORY: Mark = Mark { before: &[], word: "checked_cast_addr_br", after: &[] };

/// The mode of a module without evidence: most such modules can be compiled in it.
pub(super) const UNTOLD_MODE: LanguageMode = LanguageMode::Embedded;

/// Returns the mode of the module with this code that was cut into `entities`, if the code determines it. Casts in
/// memory are evidence, generic functions with ownership (Embedded Swift lowers ownership only after specialisation),
/// and Objective-C, which Embedded Swift lacks.
pub(super) fn stated_mode(
    code: &Code,
    file: FileId,
    entities: &[Entity],
    objective_c: ObjectiveC,
) -> Option<LanguageMode> {
    let text = code.as_str();
    let any = |kind, is: fn(&str, FileId, &Entity) -> bool| {
        entities.iter().any(|entity| entity.kind == kind && is(text, file, entity))
    };
    if EMBEDDED.iter().any(|prefix| code.has_symbol(prefix)) || any(EntityKind::VTable, is_of_specialized_class) {
        return Some(LanguageMode::Embedded);
    }
    let is_ordinary = objective_c == ObjectiveC::Present
        || has_ordinary_symbol(code)
        || code.has(CAST_IN_MEMORY)
        || any(EntityKind::Function, is_generic_with_ownership);
    is_ordinary.then_some(LanguageMode::Full)
}

/// Returns whether the code has a symbol with the mangling of ordinary Swift. Specialisations of functions with
/// unmangled names do not count.
fn has_ordinary_symbol(code: &Code) -> bool {
    let is_of_plain = |symbol: &str| {
        symbol.contains('T')
            && Symbol::demangle(symbol).is_some_and(|symbol| symbol.is_specialization_of_plain_function())
    };
    code.has_symbol(MANGLED)
        && symbols(code.as_str()).any(|(_, symbol)| symbol.starts_with(MANGLED) && !is_of_plain(symbol))
}

/// Returns whether a vtable is specialised for generic arguments, which only Embedded Swift has: `sil_vtable $C<Int>
/// {`.
fn is_of_specialized_class(text: &str, file: FileId, vtable: &Entity) -> bool {
    let mut cursor = Cursor::within(text, file, vtable.start, vtable.end);
    cursor.bump();
    while cursor.at(Token::LeftBracket) && cursor.skip_balanced() {}
    if !cursor.at(Token::Dollar) {
        return false;
    }
    // The names of classes that macros declare begin with a dollar as well.
    while !matches!(cursor.peek(), Token::Less | Token::LeftBrace | Token::End) {
        cursor.bump();
    }
    cursor.at(Token::Less)
}

/// Returns whether a function has ownership and its type has generic parameters: `sil [ossa] @f : $@convention(thin)
/// <T> (@in T) -> ()`.
fn is_generic_with_ownership(text: &str, file: FileId, function: &Entity) -> bool {
    let mut cursor = Cursor::within(text, file, function.start, function.end);
    let mut has_ownership = false;
    while !cursor.at(Token::Dollar) {
        if cursor.at(Token::End) {
            return false;
        }
        has_ownership |= cursor.at_word("ossa");
        cursor.bump();
    }
    cursor.bump();
    if !has_ownership {
        return false;
    }
    while cursor.at(Token::AtName) {
        // The list after `@substituted` has the parameters of a pattern.
        if cursor.bump() == "@substituted" {
            return false;
        }
        if cursor.at(Token::LeftParen) && !cursor.skip_balanced() {
            return false;
        }
    }
    cursor.at(Token::Less)
}

#[cfg(test)]
mod tests {
    use super::super::scan::entities;
    use super::*;
    use sil_ir::source::{SourceFile, SourceMap};

    fn mode(text: &str) -> LanguageMode {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("mode.sil".into(), text.to_owned()));
        let code = Code::of(text);
        stated_mode(&code, file, &entities(&code), ObjectiveC::Absent).unwrap_or(UNTOLD_MODE)
    }

    #[test]
    fn symbols_tell_the_mode() {
        assert_eq!(mode("sil @$e4main1fyyF : $@convention(thin) () -> ()\n"), LanguageMode::Embedded);
        assert_eq!(mode("sil @$s4main1fyyF : $@convention(thin) () -> ()\n"), LanguageMode::Full);
        let older = "sil @$s4main1fyyF : $@convention(thin) () -> ()\nsil_vtable $C<Int> {\n}\n";
        assert_eq!(mode(older), LanguageMode::Embedded);
    }

    #[test]
    fn names_that_passes_make_of_plain_ones_tell_nothing() {
        assert_eq!(
            mode("sil shared @$s4picks5Int32V_Ttg5 : $@convention(thin) (Int32) -> Int32\n"),
            LanguageMode::Embedded
        );
        assert_eq!(mode("sil shared @$s4pickTf4d_n : $@convention(thin) () -> ()\n"), LanguageMode::Embedded);
        assert_eq!(mode("sil shared @$s4main1fyyxlFSi_Tg5 : $@convention(thin) () -> ()\n"), LanguageMode::Full);
    }

    #[test]
    fn comments_and_literals_tell_nothing() {
        let plain = "sil @f : $@convention(thin) () -> ()\n";
        assert_eq!(mode(&format!("// calls @$s4main1fyyF\n{plain}")), LanguageMode::Embedded);
        assert_eq!(mode(&format!("{plain}// checked_cast_addr_br take_always\n")), LanguageMode::Embedded);
        let ordinary = "sil @$s4main1fyyF : $@convention(thin) () -> ()\n";
        assert_eq!(mode(&format!("{ordinary}/*\nsil_vtable $C<Int> {{\n}}\n*/")), LanguageMode::Full);
        assert_eq!(mode(&format!("let a = \"@$e4main\"\n{ordinary}")), LanguageMode::Full);
        assert_eq!(mode("sil @\"$s4main1fyyF\" : $@convention(thin) () -> ()\n"), LanguageMode::Full);
    }

    #[test]
    fn embedded_swift_has_no_generic_functions_with_ownership() {
        assert_eq!(mode("sil [ossa] @f : $@convention(thin) () -> ()\n"), LanguageMode::Embedded);
        assert_eq!(mode("sil @f : $@convention(thin) <T> (@in T) -> ()\n"), LanguageMode::Embedded);
        assert_eq!(mode("sil [ossa] @f : $@convention(thin) <T> (@in T) -> ()\n"), LanguageMode::Full);
        let substituted = "sil [ossa] @f : $@convention(thin) @substituted <T> (@in T) -> () for <Int>\n";
        assert_eq!(mode(substituted), LanguageMode::Embedded);
        assert_eq!(
            mode("sil [ossa] @f : $@convention(thin) (@owned <T> { var T } <Int>) -> ()\n"),
            LanguageMode::Embedded
        );
        let method = "sil [ossa] @f : $@convention(witness_method: P) <Self where Self : P> (@in Self) -> ()\n";
        assert_eq!(mode(method), LanguageMode::Full);
    }
}

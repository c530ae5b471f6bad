//! Whether a module was made for Embedded Swift, as seen from its text; the text itself does not say.

use super::cursor::Cursor;
use super::lexer::Token;
use super::module::UnmarkedModule;
use super::scan::{Entity, EntityKind};
use crate::model::LanguageMode;
use crate::source::FileId;

/// What stands only in a module made for Embedded Swift: symbols mangled with `$e`, its runtime as a part of the module,
/// and vtables of specialised classes.
const EMBEDDED: [&str; 5] =
    ["@$e", "@_swift_embedded_", "@swift_embedded_", "\nsil_vtable $", "\nsil_vtable [serialized] $"];

/// The mangling of ordinary Swift, and of Embedded Swift up to 6.0.
const MANGLED: &str = "@$s";

/// Casts of values in memory ask for metadata, which Embedded Swift does without.
const CASTS_IN_MEMORY: &str = " checked_cast_addr_br ";

/// The mode of the module that was cut into `entities`. Without any mangled symbol it is Embedded, of which most can be
/// compiled, unless it casts values in memory, or has generic functions with ownership: Embedded Swift lowers ownership only after it has
/// specialised; or unless it is not to be guessed.
pub(super) fn mode_of(text: &str, file: FileId, entities: &[Entity], unmarked: UnmarkedModule) -> LanguageMode {
    let has = |mark: &str| memchr::memmem::find(text.as_bytes(), mark.as_bytes()).is_some();
    if EMBEDDED.iter().any(|mark| has(mark)) {
        return LanguageMode::Embedded;
    }
    if unmarked == UnmarkedModule::Ordinary {
        return LanguageMode::Full;
    }
    let mut functions = entities.iter().filter(|entity| entity.kind == EntityKind::Function);
    if has(MANGLED) || has(CASTS_IN_MEMORY) || functions.any(|function| is_generic_with_ownership(text, file, function))
    {
        LanguageMode::Full
    } else {
        LanguageMode::Embedded
    }
}

/// Whether a function has ownership and its type has generic parameters: `sil [ossa] @f : $@convention(thin) <T> (@in T) -> ()`.
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
        // What follows `@substituted` are the parameters of a pattern.
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
    use crate::source::{SourceFile, SourceMap};

    fn mode(text: &str) -> LanguageMode {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("mode.sil".into(), text.to_owned()));
        mode_of(text, file, &entities(text), UnmarkedModule::Guessed)
    }

    #[test]
    fn symbols_tell_the_mode() {
        assert_eq!(mode("sil @$e4main1fyyF : $@convention(thin) () -> ()\n"), LanguageMode::Embedded);
        assert_eq!(mode("sil @$s4main1fyyF : $@convention(thin) () -> ()\n"), LanguageMode::Full);
        let older = "sil @$s4main1fyyF : $@convention(thin) () -> ()\nsil_vtable $C<Int> {\n}\n";
        assert_eq!(mode(older), LanguageMode::Embedded);
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

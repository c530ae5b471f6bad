//! The source files of functions, from the debug scopes of the text, by the name of the file in symbols
//! (`SourceFile::getPrivateDiscriminator` in lib/AST/Module.cpp). Does not own: the files of private types
//! (`private_namesakes`).

use rustc_hash::FxHashMap;

use super::private_namesakes::ModuleText;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::{string_text, symbol_name};
use crate::syntax::scan::{Entity, EntityKind};

/// The source files of functions.
#[derive(Default)]
pub(super) struct SourceFiles {
    /// The file in symbols' terms, by the function's symbol.
    of_functions: FxHashMap<String, String>,
    /// The function of a scope, by the scope's number.
    of_scopes: FxHashMap<u32, String>,
}

/// One `sil_scope`.
struct WrittenScope {
    number: u32,
    file: Option<String>,
    parent: WrittenParent,
}

enum WrittenParent {
    Scope(u32),
    Function(String),
}

impl SourceFiles {
    /// Reads the scopes of `module`, which is called `name`.
    pub(super) fn of(module: ModuleText<'_>, name: &str) -> Self {
        let mut files = Self::default();
        for entity in module.entities.iter().filter(|entity| entity.kind == EntityKind::Scope) {
            let cursor = Cursor::within(module.with_literals, module.file, entity.start, entity.end);
            let Some(scope) = written_scope(cursor) else { continue };
            let function = match scope.parent {
                WrittenParent::Scope(parent) => files.of_scopes.get(&parent).cloned(),
                WrittenParent::Function(function) => Some(function),
            };
            let Some(function) = function else { continue };
            if let Some(file) = scope.file.filter(|file| !file.starts_with('<')) {
                files.of_functions.entry(function.clone()).or_insert_with(|| private_discriminator(name, &file));
            }
            files.of_scopes.insert(scope.number, function);
        }
        files
    }

    /// Returns the functions with known files, in no order.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.of_functions.iter().map(|(function, file)| (function.as_str(), file.as_str()))
    }

    /// Returns the source file of an entity. `None` if it contains code of several files or of functions whose file is
    /// unknown.
    pub(super) fn file_of(&self, module: ModuleText<'_>, entity: Entity) -> Option<&str> {
        let mut cursor = Cursor::within(module.text, module.file, entity.start, entity.end);
        let mut only = None;
        while !cursor.at(Token::End) {
            let is_scope = cursor.bump() == "scope" && cursor.at(Token::Integer);
            let Some(number) = is_scope.then(|| cursor.peek_text().parse().ok()).flatten() else { continue };
            let file = self.of_functions.get(self.of_scopes.get(&number)?)?.as_str();
            if only.is_some_and(|only| only != file) {
                return None;
            }
            only = Some(file);
        }
        only
    }
}

/// Returns the private discriminator of the file at `path` in the module `module`.
pub(in crate::syntax) fn private_discriminator(module: &str, path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    format!("_{:X}", md5::compute(format!("{module}{name}")))
}

/// Reads `sil_scope 3 { loc "f":1:2 parent 2 inlined_at 1 }`.
fn written_scope(mut cursor: Cursor<'_>) -> Option<WrittenScope> {
    cursor.bump();
    let number = cursor.expect_number().ok()?;
    let mut file = None;
    while !cursor.at(Token::End) {
        if cursor.eat_word("loc") {
            cursor.eat(Token::Star);
            file = string_text(cursor.peek_text()).map(|text| text.into_owned());
        } else if cursor.eat_word("parent") {
            let parent = match cursor.at(Token::AtName) {
                true => WrittenParent::Function(symbol_name(cursor.peek_text())?.into_owned()),
                false => WrittenParent::Scope(cursor.expect_number().ok()?),
            };
            return Some(WrittenScope { number, file, parent });
        } else {
            cursor.bump();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_name_a_file_by_the_digest_of_its_module_and_name() {
        assert_eq!(
            private_discriminator("private_types_of_one_name", "/a/b/a.swift"),
            "_10D1DE3732BD7EBBE620B8BCEC2B3319"
        );
    }
}

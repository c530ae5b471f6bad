//! A small reader of Swift's source text. SIL that was printed with locations has the place in the source of each
//! instruction; the source has the parts that SIL does not write, such as the labels of arguments.
//!
//! Does not own the origin of the texts, which is a function of the caller's, nor the use of the answers
//! (`syntax/argument_labels.rs`).

mod arguments;
mod calls;
mod casts;
mod lexer;
mod literals;
#[cfg(test)]
mod tests;
mod text;
mod token;

use std::sync::Arc;

pub use arguments::{Argument, ArgumentForm, ArgumentList, Parameter, Takes};
pub use calls::Callee;
pub use text::SwiftText;

use sil_ir::cache::Cache;

/// Gives the text of the file that locations call by a name.
type ReadSource = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The Swift source files that locations name. Each is asked for once, and only when something in it is.
pub struct SwiftSources {
    read: Box<ReadSource>,
    known: Cache<String, Option<Arc<SwiftText>>>,
}

impl SwiftSources {
    /// `read` gives the text of the file that locations call by a name; none where it is not at hand.
    pub fn new(read: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { read: Box::new(read), known: Cache::default() }
    }

    /// The file that locations call `name`.
    pub fn file(&self, name: &str) -> Option<Arc<SwiftText>> {
        let key = name.to_owned();
        let known = self.known.get(&key);
        known.unwrap_or_else(|| self.known.insert(key, (self.read)(name).and_then(SwiftText::new).map(Arc::new)))
    }

    /// The argument lists at `place` that may be of the call of `callee`. `#sourceLocation` may have put the line into
    /// any of the files `beside`.
    pub fn argument_lists<'n>(
        &self,
        place: SwiftPlace<'_>,
        callee: Callee<'_>,
        beside: impl Iterator<Item = &'n str>,
    ) -> Vec<ArgumentList> {
        let SwiftPlace { file, line, column } = place;
        let mut lists = Vec::new();
        if let Some(text) = self.file(file) {
            let offsets = text.own_offsets(place).into_iter();
            lists.extend(offsets.flat_map(|offset| calls::argument_lists(&text, offset, callee)));
        }
        for text in beside.filter(|name| *name != file).filter_map(|name| self.file(name)) {
            let offsets = text.offsets(Some(file), line, column).into_iter();
            lists.extend(offsets.flat_map(|offset| calls::argument_lists(&text, offset, callee)));
        }
        lists
    }

    /// The names that lead to the type that a cast at `place` names, the outermost first. None where no cast stands, or
    /// several that differ.
    pub fn cast_type(&self, place: SwiftPlace<'_>) -> Option<Vec<String>> {
        let text = self.file(place.file)?;
        let mut types = text.own_offsets(place).into_iter().filter_map(|offset| casts::cast_type(&text, offset));
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }

    /// Whether one of `operators` stands at `place`.
    pub fn has_operator(&self, place: SwiftPlace<'_>, operators: &[&str]) -> bool {
        let Some(text) = self.file(place.file) else { return false };
        let tokens = text.own_offsets(place).into_iter().filter_map(|offset| text.token_at(offset));
        let mut words = tokens.map(|token| text.word(&text.tokens[token]));
        words.any(|word| operators.contains(&word))
    }
}

/// A place in a Swift source file as locations have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwiftPlace<'n> {
    /// The name of the file.
    pub file: &'n str,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

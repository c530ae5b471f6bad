//! Types that functions or files of one module declare with one name: the meaning of the name in each part of the
//! module's text.

use rustc_hash::FxHashMap;

use crate::context::{Name, NominalId};
use crate::source::{FileId, Span};

/// The meaning of a name of several types at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// This type.
    One(NominalId),
    /// One of the types: which one is not known.
    Unknown,
}

/// The meanings of names of several types in the text of a module.
#[derive(Clone, Default, Debug)]
pub struct Namesakes {
    names: FxHashMap<Name, Parts>,
    /// The meanings of names in other files of the module; each holds in the whole file.
    in_files: FxHashMap<(FileId, Name), Meaning>,
}

/// The parts of a text in which one name means one thing, in order.
#[derive(Clone, Debug)]
struct Parts {
    file: FileId,
    parts: Vec<(Span, Meaning)>,
}

impl Namesakes {
    /// Adds the meanings of `name` in the parts of `file`, which are in order. Between them it has no special meaning.
    pub fn add(&mut self, name: Name, file: FileId, parts: Vec<(Span, Meaning)>) {
        self.names.insert(name, Parts { file, parts });
    }

    /// Sets the meaning of `name` in `file`, another file of the module.
    pub fn add_in_file(&mut self, name: Name, file: FileId, meaning: Meaning) {
        self.in_files.insert((file, name), meaning);
    }

    /// Whether `name` has a meaning of its own in `file`.
    pub fn is_stated_in_file(&self, name: Name, file: FileId) -> bool {
        self.in_files.contains_key(&(file, name))
    }

    /// Whether `name` has several meanings.
    pub fn has(&self, name: Name) -> bool {
        self.names.contains_key(&name)
    }

    /// The meaning of `name` at `span`. None for a name that is looked up as any other there.
    pub fn meaning(&self, name: Name, span: Span) -> Option<Meaning> {
        if let Some(meaning) = self.in_files.get(&(span.file, name)) {
            return Some(*meaning);
        }
        let Parts { file, parts } = self.names.get(&name)?;
        let before = parts.partition_point(|(part, _)| part.start <= span.start);
        let (part, meaning) = parts.get(before.checked_sub(1)?)?;
        (span.file == *file && span.start < part.end).then_some(*meaning)
    }
}

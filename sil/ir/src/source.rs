//! Source text: files, byte spans in them, and their lines and columns. Diagnostics are built on it.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The number of a source file in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
cranelift_entity::entity_impl!(FileId, "file");

impl FileId {
    /// Where the known declarations of the standard library are: in no file of the user.
    pub const KNOWN: FileId = FileId(u32::MAX - 1);
}

/// A range of bytes in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A position as people count: line and column from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// A source file's name and text.
pub struct SourceFile {
    /// The path as the user wrote it; `-` is standard input.
    pub path: PathBuf,
    /// The whole text.
    pub text: Cow<'static, str>,
    /// Made when the first position is asked for: text without errors needs none.
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// Takes a file's text. It must be shorter than 4 GiB.
    pub fn new(path: PathBuf, text: impl Into<Cow<'static, str>>) -> Self {
        Self { path, text: text.into(), line_starts: OnceLock::new() }
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect()
        })
    }

    /// The line and column of the byte at `offset`.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts().partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts()[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let before = self.text.get(start..end).unwrap_or("");
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// The text of line `line` (from 1), without its end.
    pub fn line(&self, line: u32) -> &str {
        let index = line as usize - 1;
        let start = self.line_starts()[index] as usize;
        let end = self.line_starts().get(index + 1).map_or(self.text.len(), |next| *next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// All source files of a compilation.
#[derive(Default)]
pub struct SourceMap {
    files: cranelift_entity::PrimaryMap<FileId, SourceFile>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file)
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.values()
    }

    /// The file with this number; an empty one for [`FileId::KNOWN`].
    pub fn file(&self, id: FileId) -> &SourceFile {
        static KNOWN: std::sync::OnceLock<SourceFile> = std::sync::OnceLock::new();
        if id == FileId::KNOWN {
            return KNOWN.get_or_init(|| SourceFile::new("<known declarations>".into(), String::new()));
        }
        &self.files[id]
    }
}

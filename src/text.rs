//! The texts of files. Owns: reading of files, and the check that they are text. Does not own: the contents of the
//! text.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use memmap2::{Mmap, MmapOptions};
use sil::source::SourceFile;

/// The maximum file size for spans: 4 GiB.
const LARGEST: usize = u32::MAX as usize;

/// The length of the prefix of a mapped file that is searched for zero bytes: a page.
const BEGINNING: usize = 4096;

/// The byte order mark that some editors write.
pub const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The contents of standard input, which can be read only once.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// Returns the contents of a file, or of standard input if `path` is `-`. Can be called repeatedly.
pub fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    if let Some(known) = STANDARD_INPUT.get() {
        return Ok(known.clone());
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(STANDARD_INPUT.get_or_init(|| bytes).clone())
}

/// Reads a file, or standard input if `path` is `-`. The error is a message for the user.
pub fn read(path: &Path) -> Result<SourceFile, String> {
    let bytes = bytes(path).map_err(|error| unreadable(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(path, error.as_bytes(), error.utf8_error()))?;
    check(path, text.len(), text.trim_end_matches('\0').as_bytes())?;
    Ok(SourceFile::new(path.to_owned(), with_line_feeds(text)))
}

/// Replaces single carriage returns with line feeds; offsets do not change.
fn with_line_feeds(text: String) -> String {
    let bytes = text.as_bytes();
    let is_alone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(is_alone) {
        return text;
    }
    let mut lines = String::with_capacity(text.len());
    let mut pieces = text.split('\r').peekable();
    while let Some(piece) = pieces.next() {
        lines.push_str(piece);
        if let Some(next) = pieces.peek() {
            lines.push(if next.starts_with('\n') { '\r' } else { '\n' });
        }
    }
    lines
}

/// Whether a file has been checked to be text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// The file is checked now.
    Now,
    /// The same file, unchanged since, was checked when it was mapped before.
    Before,
}

/// Maps a large file of which little is needed, such as a library; it stays mapped until silc ends. Returns `None` for
/// a file that cannot be mapped (a pipe). The error is a message for the user.
pub fn map(path: &Path, file: &File, checked: Checked) -> Result<Option<SourceFile>, String> {
    let Ok(bytes) = map_file(file, checked) else { return Ok(None) };
    let text = match checked {
        Checked::Now => {
            check(path, bytes.len(), &bytes[..bytes.len().min(BEGINNING)])?;
            let text = simdutf8::basic::from_utf8(bytes).or_else(|_| std::str::from_utf8(bytes));
            text.map_err(|error| not_utf8(path, bytes, error))?
        }
        Checked::Before => checked_before(bytes),
    };
    Ok(Some(SourceFile::new(path.to_owned(), Cow::Borrowed(text))))
}

#[allow(unsafe_code, reason = "to look at a hundred megabytes takes longer than to compile a small program")]
fn checked_before(bytes: &'static [u8]) -> &'static str {
    // SAFETY: the caller guarantees that these bytes have been found to be UTF-8, and that the file has not been
    // written since.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

#[allow(unsafe_code, reason = "memory that is mapped from a file changes with the file")]
fn map_file(file: &File, checked: Checked) -> std::io::Result<&'static [u8]> {
    let mut options = MmapOptions::new();
    // A check reads the whole file; other uses need little of it.
    if checked == Checked::Now {
        options.populate();
    }
    // SAFETY: silc never writes files in place; it replaces them with new ones. Every compiler that maps its libraries
    // relies on the same behaviour of other programs while it compiles.
    let mapped = unsafe { options.map(file) }?;
    Ok(Box::leak::<'static>(Box::<Mmap>::new(mapped)))
}

/// Checks that spans can represent `length`, and that `searched`, the beginning of the text, has no zero byte.
fn check(path: &Path, length: usize, searched: &[u8]) -> Result<(), String> {
    let name = path.display();
    if length >= LARGEST {
        return Err(format!("'{name}' is too large: at most 4 GiB can be read"));
    }
    match memchr::memchr(0, searched) {
        Some(offset) => Err(format!("'{name}' is not SIL text: line {} has a zero byte", line_at(searched, offset))),
        None => Ok(()),
    }
}

/// Returns the message for a file that cannot be read, with the reason.
pub fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read '{}': {}", path.display(), reason(error))
}

fn not_utf8(path: &Path, bytes: &[u8], error: std::str::Utf8Error) -> String {
    format!("'{}' is not SIL text: line {} is not UTF-8", path.display(), line_at(bytes, error.valid_up_to()))
}

/// Returns the line number, from 1, of the byte at `offset`.
fn line_at(bytes: &[u8], offset: usize) -> usize {
    memchr::memchr_iter(b'\n', &bytes[..offset]).count() + 1
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

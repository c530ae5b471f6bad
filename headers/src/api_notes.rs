//! API notes: names and attributes for Swift that stand in a file beside a module's map and not in its headers. Clang
//! itself reads them, into attributes of the declarations.
//!
//! Clang finds notes for headers that are no part of a module under a name of its own, in a header's folder and those
//! around it. The file that a module has there is given to it under that name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::error::HeaderError;
use crate::libclang::SourceText;

/// The name that clang looks for.
const FILE_NAME: &str = "APINotes.apinotes";

/// Swift's language mode by default: notes may be for older ones alone.
const LANGUAGE_VERSION: &str = "5";

/// The notes in these files, at the places where clang finds them.
///
/// Fails where a file cannot be read, and where two are for one folder.
pub fn read(files: &[PathBuf]) -> Result<Vec<SourceText>, HeaderError> {
    let mut folders = BTreeSet::new();
    let mut notes = Vec::new();
    for path in files.iter().collect::<BTreeSet<_>>() {
        let missing = || HeaderError::NoHeader { path: path.clone() };
        let text = std::fs::read_to_string(path).map_err(|_| missing())?;
        let folder = path.parent().unwrap_or(Path::new(".")).canonicalize().map_err(|_| missing())?;
        let place = folder.join(FILE_NAME).to_str().ok_or_else(missing)?.to_owned();
        if !folders.insert(folder.clone()) {
            return Err(HeaderError::SeveralNotes { folder });
        }
        notes.push(SourceText { path: place, text });
    }
    Ok(notes)
}

/// The arguments for clang if there are notes.
pub fn arguments(notes: &[SourceText]) -> Vec<String> {
    if notes.is_empty() {
        return Vec::new();
    }
    vec!["-fapinotes".to_owned(), format!("-fapinotes-swift-version={LANGUAGE_VERSION}")]
}

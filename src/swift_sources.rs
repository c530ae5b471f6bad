//! The Swift source files that locations in SIL name. Owns: the search for them.

use std::path::{Path, PathBuf};

use sil::swift_source::SwiftSources;

/// The largest file that is read.
const LONGEST: u64 = 64 << 20;

/// Returns the source files that the SIL in the file at `sil` names. Relative names refer to its folder or to the
/// working directory.
pub fn swift_sources(sil: &Path) -> SwiftSources {
    let folder = sil.parent().unwrap_or(Path::new("")).to_owned();
    SwiftSources::new(move |name| {
        let candidates = [folder.join(name), PathBuf::from(name)];
        candidates.iter().find_map(|path| read(path))
    })
}

/// Reads a file, unless it is a device or a pipe. A file that is not text has no calls.
fn read(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > LONGEST {
        return None;
    }
    String::from_utf8(std::fs::read(path).ok()?).ok()
}

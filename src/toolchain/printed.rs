//! SIL that the toolchain prints for silc: of modules that were compiled already, and of the declarations of a module that is being compiled. Owns
//! the folder where it is kept between jobs, and that each text is made once.

use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::library::caches;

/// The folder may hold so many bytes; of more, what was used least recently goes.
const MOST_BYTES: u64 = 2 << 30;

/// What a text is made of: it is made anew where any of it changes.
#[derive(Default)]
pub struct Key(DefaultHasher);

impl Key {
    /// Adds words of a command line.
    pub fn words(&mut self, words: &[OsString]) {
        words.hash(&mut self.0);
    }

    /// Adds a file as it is now.
    pub fn file(&mut self, path: &Path) {
        path.hash(&mut self.0);
        if let Ok(metadata) = path.metadata() {
            let identity = (metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec());
            identity.hash(&mut self.0);
        }
    }
}

/// The kept text with this name and key, which `make` writes to the path it is given where there is none yet. None where it cannot be had.
pub fn kept(name: &str, key: Key, make: impl FnOnce(&Path) -> bool) -> Option<PathBuf> {
    let folder = caches()?.join("modules");
    std::fs::create_dir_all(&folder).ok()?;
    let path = folder.join(format!("{:016x}", key.0.finish()));
    let text = path.join(format!("{name}.sil"));
    if is_used(&text) {
        return Some(text);
    }
    // Of jobs that want the same text at the same time, one makes it.
    let lock = File::create(folder.join(format!("{:016x}.lock", key.0.finish()))).ok()?;
    lock.lock().ok()?;
    if is_used(&text) {
        return Some(text);
    }
    let made = tempfile::Builder::new().prefix("new-").tempdir_in(&folder).ok()?;
    if !make(&made.path().join(format!("{name}.sil"))) {
        return None;
    }
    // A folder that an interrupted job left in its place has no text.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::rename(made.keep(), &path).ok()?;
    forget_oldest(&folder);
    Some(text)
}

/// Whether the text is there. That it is of use is noted beside it: its own times tell whether it changed.
fn is_used(text: &Path) -> bool {
    if !text.is_file() {
        return false;
    }
    // Where this cannot be noted, the text may go earlier than it need.
    let _ = File::create(text.with_file_name(USED));
    true
}

/// The empty file beside a text that was made when the text was used last.
const USED: &str = "used";

fn forget_oldest(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_entry = |entry: PathBuf| {
        let files: Vec<_> = std::fs::read_dir(&entry).ok()?.flatten().filter_map(|file| file.metadata().ok()).collect();
        let used = files.iter().filter_map(|file| file.modified().ok()).max()?;
        Some((used, files.iter().map(|file| file.len()).sum::<u64>(), entry))
    };
    let mut texts: Vec<(SystemTime, u64, PathBuf)> = entries.filter_map(of_entry).collect();
    texts.sort();
    let mut bytes: u64 = texts.iter().map(|(_, length, _)| length).sum();
    for (_, length, entry) in texts {
        if bytes <= MOST_BYTES {
            return;
        }
        let _ = std::fs::remove_dir_all(entry);
        bytes -= length;
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_files_apart() {
        let folder = tempfile::tempdir().expect("tests may make folders");
        let file = folder.path().join("a");
        let key = || {
            let mut key = Key::default();
            key.file(&file);
            key.0.finish()
        };
        let missing = key();
        std::fs::write(&file, "1").expect("tests may write");
        let first = key();
        std::fs::write(&file, "22").expect("tests may write");
        assert!(missing != first && first != key());
    }
}

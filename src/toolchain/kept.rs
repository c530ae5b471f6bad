//! The cache between jobs: SIL that the toolchain prints for silc, of compiled modules and of the declarations of the
//! current module, and objects. Owns: the folder of the cache, its locking, and its size limit.

use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::options::cache_folder;

/// The size limit of each kind in bytes. Beyond it, the least recently used entries are removed.
const MOST_BYTES: u64 = 2 << 30;

/// The number of locks that the keys are distributed over.
const LOCKS: u64 = 256;

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// SIL that the toolchain prints.
    Texts,
    /// Objects that silc makes.
    Objects,
}

/// The inputs of an entry, hashed. A change of any of them gives another key.
#[derive(Default)]
pub struct Key(DefaultHasher);

impl Key {
    /// Adds words of a command line.
    pub fn words(&mut self, words: &[OsString]) {
        words.hash(&mut self.0);
    }

    /// Returns the key as a number.
    pub fn number(&self) -> u64 {
        self.0.finish()
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.hash(&mut self.0);
    }

    /// Adds the identity of a file in its current state.
    pub fn file(&mut self, path: &Path) {
        path.hash(&mut self.0);
        if let Ok(metadata) = path.metadata() {
            let identity = (metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec());
            identity.hash(&mut self.0);
        }
    }
}

/// Returns the cached folder with this key. If there is none, `make` writes its files to the folder that it receives.
/// `None` if that fails.
pub fn kept(kind: Kind, key: Key, make: impl FnOnce(&Path) -> bool) -> Option<PathBuf> {
    let name = match kind {
        Kind::Texts => "modules",
        Kind::Objects => "objects",
    };
    let folder = cache_folder()?.join(name);
    std::fs::create_dir_all(&folder).ok()?;
    let key = key.number();
    let path = folder.join(format!("{key:016x}"));
    if is_used(&path) {
        return Some(path);
    }
    // If several jobs need the same files at the same time, one of them makes them.
    let lock = File::create(folder.join(format!("{:02x}.lock", key % LOCKS))).ok()?;
    lock.lock().ok()?;
    if is_used(&path) {
        return Some(path);
    }
    let made = tempfile::Builder::new().prefix("new-").tempdir_in(&folder).ok()?;
    if !make(made.path()) {
        return None;
    }
    File::create(made.path().join(USED)).ok()?;
    // Removes the incomplete entry of an interrupted job.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::rename(made.keep(), &path).ok()?;
    forget_oldest(&folder);
    Some(path)
}

/// Returns whether an entry is complete, and records its use.
fn is_used(folder: &Path) -> bool {
    File::options().write(true).truncate(true).open(folder.join(USED)).is_ok()
}

/// The empty file in each complete entry, whose modification time is that of the last use. The times of the other files
/// show whether they changed.
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
        // If the removal is interrupted, the rest does not count as complete.
        let _ = std::fs::remove_file(entry.join(USED));
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
            key.number()
        };
        let missing = key();
        std::fs::write(&file, "1").expect("tests may write");
        let first = key();
        std::fs::write(&file, "22").expect("tests may write");
        assert!(missing != first && first != key());
    }
}

//! What is kept between jobs: SIL that the toolchain prints for silc, of modules that were compiled already and of the declarations of a module that is
//! being compiled, and objects. Owns the folder where it is, that each thing is made once, and how much there may be.

use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::options::cache_folder;

/// The size limit of each kind in bytes. Beyond it, the least recently used entries are removed.
const MOST_BYTES: u64 = 2 << 30;

/// How many locks there are, of which each key has one.
const LOCKS: u64 = 256;

/// What is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// SIL that the toolchain prints.
    Texts,
    /// Objects that silc makes.
    Objects,
}

/// The inputs of an entry. A change of any of them gives another key.
#[derive(Default)]
pub struct Key(DefaultHasher);

impl Key {
    /// Adds words of a command line.
    pub fn words(&mut self, words: &[OsString]) {
        words.hash(&mut self.0);
    }

    /// The key as a number.
    pub fn number(&self) -> u64 {
        self.0.finish()
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.hash(&mut self.0);
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

/// The folder kept with this key, whose files `make` writes to the folder that it is given where there is none yet. None where they cannot be had.
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
    // Of jobs that want the same files at the same time, one makes them.
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
    // What an interrupted job left in its place is not complete.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::rename(made.keep(), &path).ok()?;
    forget_oldest(&folder);
    Some(path)
}

/// Whether the folder is there and complete. That it is of use is noted.
fn is_used(folder: &Path) -> bool {
    File::options().write(true).truncate(true).open(folder.join(USED)).is_ok()
}

/// The empty file in each complete folder, which was written to when its texts were used last. Their own times tell whether they changed.
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
        // Whoever is interrupted here leaves what does not count as complete.
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

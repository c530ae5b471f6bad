//! Libraries as SIL. Owns: loading of their texts and indexes, and caching of the indexes between runs.
//!
//! A standard library has a hundred megabytes of text, of which a program needs little: scanning it takes longer than
//! compiling a small program. So the index of a large file is cached in the user's cache folder (`$XDG_CACHE_HOME/silc`
//! or `~/.cache/silc`) while the file is unchanged; without such a folder it is computed each time. An entry is written
//! atomically, and has a checksum. An invalid entry is computed again.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sil::source::SourceFile;
use sil::syntax::LibraryIndex;

use crate::text::{self, Checked};

/// The minimum size for caching: smaller files are indexed in a millisecond.
const SMALLEST: u64 = 1 << 20;

/// The minimum age for caching: a more recent file may be written again without a change of its timestamps.
const SETTLED: Duration = Duration::from_secs(2);

/// The longest generated file name in bytes; file systems allow 255.
const LONGEST_NAME: usize = 200;

/// Loads a library. The error is a message for the user.
pub fn load(path: &Path) -> Result<(SourceFile, LibraryIndex), String> {
    let Ok(file) = File::open(path) else { return read(path) };
    let kept = file.metadata().ok().and_then(|metadata| KeptIndex::of(path, &metadata));
    if let Some(index) = kept.as_ref().and_then(KeptIndex::read)
        && let Some(text) = text::map(path, &file, Checked::Before)?
    {
        return Ok((text, index));
    }
    let Some(text) = text::map(path, &file, Checked::Now)? else { return read(path) };
    let index = LibraryIndex::of(&text.text);
    if let Some(kept) = kept {
        kept.write(&index);
    }
    Ok((text, index))
}

/// Loads a file that cannot be mapped, such as a pipe.
fn read(path: &Path) -> Result<(SourceFile, LibraryIndex), String> {
    let text = text::read(path)?;
    let index = LibraryIndex::of(&text.text);
    Ok((text, index))
}

/// The header of a cached index: its kind, and the version of the format.
const MARK: &[u8] = b"silc library index 2\n";

/// The length of the checksum after the header.
const CHECKSUM: usize = size_of::<u32>();

/// The cache entry of a file's index.
struct KeptIndex {
    path: PathBuf,
    identity: Vec<u8>,
    text_length: usize,
    is_settled: bool,
}

impl KeptIndex {
    /// Returns the entry, or `None` for a file that is not worth caching, or without a cache folder.
    fn of(path: &Path, metadata: &Metadata) -> Option<Self> {
        if !metadata.is_file() || metadata.len() < SMALLEST {
            return None;
        }
        let age = SystemTime::now().duration_since(metadata.modified().ok()?);
        Some(Self {
            path: cache_folder()?.join(name_for(&path.canonicalize().ok()?)),
            identity: identity(metadata),
            text_length: usize::try_from(metadata.len()).ok()?,
            is_settled: age.is_ok_and(|age| age > SETTLED),
        })
    }

    /// Reads the index, if it belongs to the current contents of the file.
    fn read(&self) -> Option<LibraryIndex> {
        let mut bytes = std::fs::read(&self.path).ok()?;
        let (checksum, checked) = bytes.strip_prefix(MARK)?.split_first_chunk::<CHECKSUM>()?;
        let is_whole = u32::from_le_bytes(*checksum) == crc32fast::hash(checked);
        if !is_whole || !checked.starts_with(&self.identity) {
            return None;
        }
        bytes.drain(..MARK.len() + CHECKSUM + self.identity.len());
        LibraryIndex::from_bytes(bytes, self.text_length)
    }

    /// Writes the index. If writing fails, it is computed again the next time.
    fn write(&self, index: &LibraryIndex) {
        if self.is_settled {
            let _ = self.try_write(index);
        }
    }

    fn try_write(&self, index: &LibraryIndex) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        std::fs::create_dir_all(folder)?;
        // Other processes may read the old entry meanwhile, or write the same one.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let checked = [&self.identity, index.as_bytes()].concat();
        let checksum = crc32fast::hash(&checked).to_le_bytes();
        std::io::Write::write_all(&mut file, &[MARK, &checksum, &checked].concat())?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// Returns bytes that change whenever the file may have changed; users cannot reset the ctime.
fn identity(metadata: &Metadata) -> Vec<u8> {
    let numbers = [metadata.dev(), metadata.ino(), metadata.len()];
    let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
    let times = times.iter().flat_map(|time| time.to_le_bytes());
    numbers.iter().flat_map(|number| number.to_le_bytes()).chain(times).collect()
}

fn cache_folder() -> Option<PathBuf> {
    caches().map(|caches| caches.join("libraries"))
}

/// Returns silc's folder in the user's cache folder, if there is one.
pub fn caches() -> Option<PathBuf> {
    let absolute = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("silc"))
}

/// Returns a file name that encodes a path, or the end of it. Of two paths with the same name, the last used one is
/// kept.
fn name_for(path: &Path) -> String {
    let name = path.to_string_lossy().replace('/', "%");
    let start = name.ceil_char_boundary(name.len().saturating_sub(LONGEST_NAME));
    format!("{}.index", &name[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &tempfile::TempDir, identity: u8) -> KeptIndex {
        let path = folder.path().join("caches").join("library.index");
        KeptIndex { path, identity: vec![identity; 56], text_length: TEXT.len(), is_settled: true }
    }

    const TEXT: &str = "sil_stage canonical\n\nsil @f : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}\n";

    #[test]
    fn no_damaged_index_is_used() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let kept = kept(&folder, 1);
        let index = LibraryIndex::of(TEXT);
        kept.try_write(&index)?;
        assert_eq!(kept.read().as_ref().map(LibraryIndex::as_bytes), Some(index.as_bytes()));
        let whole = std::fs::read(&kept.path)?;
        for at in 0..whole.len() {
            for change in [1, 0x80, 0xFF] {
                let mut damaged = whole.clone();
                damaged[at] ^= change;
                std::fs::write(&kept.path, &damaged)?;
                assert!(kept.read().is_none(), "byte {at}");
            }
            std::fs::write(&kept.path, &whole[..at])?;
            assert!(kept.read().is_none(), "cut at {at}");
        }
        kept.write(&index);
        assert!(kept.read().is_some());
        Ok(())
    }

    #[test]
    fn the_index_of_another_file_is_not_used() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        kept(&folder, 1).try_write(&LibraryIndex::of(TEXT))?;
        assert!(kept(&folder, 2).read().is_none());
        Ok(())
    }

    #[test]
    fn writers_do_not_disturb_readers() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let kept = kept(&folder, 1);
        let index = LibraryIndex::of(TEXT);
        kept.try_write(&index)?;
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..50).for_each(|_| kept.write(&index)));
                threads.spawn(|| assert!((0..50).all(|_| kept.read().is_some())));
            }
        });
        assert_eq!(std::fs::read_dir(folder.path().join("caches"))?.count(), 1);
        Ok(())
    }
}

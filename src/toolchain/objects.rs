//! The cache of objects: an object is reused if its SIL, the options and files it is made from, and silc itself are the
//! same. Owns: the key of an object. Does not own: the folder (`kept.rs`).

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::kept::{Key, Kind, kept};

/// The object in a cache entry, or else the reason why silc refuses it.
const OBJECT: &str = "object.o";
const REASON: &str = "reason";

/// The inputs of an object.
pub struct Ingredients<'a> {
    /// Its SIL.
    pub text: &'a [u8],
    /// The options of `silc build`, apart from input and output.
    pub words: &'a [OsString],
    /// The headers that it may need.
    pub headers: &'a [PathBuf],
    /// The programs involved: silc, and the toolchain's clang.
    pub programs: &'a [PathBuf],
}

/// The result of making an object.
pub enum Made {
    /// The object is in its place.
    Object,
    /// silc refuses the object for this reason.
    Refused(String),
    /// silc was interrupted, and may succeed the next time.
    Interrupted(String),
}

/// Makes an object at `output`, or takes it from the cache. `make` makes it at the given path.
pub fn object(
    ingredients: &Ingredients<'_>,
    output: &Path,
    make: impl Fn(&Path) -> std::io::Result<Made>,
) -> std::io::Result<Made> {
    let mut other = None;
    let folder = kept(Kind::Objects, ingredients.key(), |folder| match make(&folder.join(OBJECT)) {
        Ok(Made::Object) => true,
        Ok(Made::Refused(reason)) => std::fs::write(folder.join(REASON), reason).is_ok(),
        interrupted => {
            other = Some(interrupted);
            false
        }
    });
    if let Some(interrupted) = other {
        return interrupted;
    }
    // An entry may be removed at any time.
    let Some(folder) = folder else { return make(output) };
    if let Ok(reason) = std::fs::read_to_string(folder.join(REASON)) {
        return Ok(Made::Refused(reason));
    }
    match std::fs::read(folder.join(OBJECT)) {
        Ok(object) => super::run::replace(output, object).map(|()| Made::Object),
        Err(_) => make(output),
    }
}

impl Ingredients<'_> {
    fn key(&self) -> Key {
        let mut key = Key::default();
        self.programs.iter().for_each(|program| key.file(program));
        key.words(self.words);
        key.bytes(self.text);
        self.headers.iter().for_each(|header| key.file(header));
        for source in sources(self.text) {
            key.bytes(&std::fs::read(source).unwrap_or_default());
        }
        key
    }
}

/// Returns the Swift files that locations may name, from which argument labels are read. Additional files do no harm.
fn sources(text: &[u8]) -> Vec<PathBuf> {
    const LOCATION: &[u8] = b"loc \"";
    let mut seen = HashSet::new();
    let names = memmem::find_iter(text, LOCATION).filter_map(|at| {
        let name = &text[at + LOCATION.len()..];
        std::str::from_utf8(&name[..memchr::memchr(b'"', name)?]).ok()
    });
    names.filter(|name| seen.insert(*name)).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_name_sources() {
        let text = b"bb0: // loc \"/a.swift\":1:2\n  ret loc \"/b.swift\":2:3\n ret loc \"/a.swift\":3:1\n loc \"";
        assert_eq!(sources(text), ["/a.swift", "/b.swift"].map(PathBuf::from));
    }

    #[test]
    fn objects_of_other_texts_are_others() {
        let key =
            |text: &[u8], words: &[OsString]| Ingredients { text, words, headers: &[], programs: &[] }.key().number();
        assert_eq!(key(b"a", &[]), key(b"a", &[]));
        assert!(key(b"a", &[]) != key(b"b", &[]) && key(b"a", &[]) != key(b"a", &["-g".into()]));
    }
}

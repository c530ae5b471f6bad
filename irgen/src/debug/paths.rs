//! File names in debug information. Path prefixes can be replaced, so that the same input gives the same bytes on every
//! machine.

use std::str::FromStr;

/// A mapping `OLD=NEW`, which replaces the path prefix `old` with `new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefixMapping {
    old: String,
    new: String,
}

impl FromStr for PrefixMapping {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((old, new)) => Ok(Self { old: old.to_owned(), new: new.to_owned() }),
            None => Err("expected OLD=NEW".to_owned()),
        }
    }
}

/// The replacements of path prefixes.
#[derive(Clone, Debug, Default)]
pub struct PathPrefixes(Vec<PrefixMapping>);

impl PathPrefixes {
    /// If several mappings apply, the last one is used, as with clang's `-fdebug-prefix-map`.
    pub fn new(mappings: Vec<PrefixMapping>) -> Self {
        Self(mappings)
    }

    /// Returns `path` with its prefix replaced.
    pub fn map(&self, path: &str) -> String {
        let replaced = |mapping: &PrefixMapping| {
            path.strip_prefix(mapping.old.as_str()).map(|rest| format!("{}{rest}", mapping.new))
        };
        self.0.iter().rev().find_map(replaced).unwrap_or_else(|| path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn the_last_mapping_that_fits_counts() {
        let mappings = ["/home=/h", "/home/me=.", "/other=x"].map(|text| text.parse().unwrap());
        let prefixes = PathPrefixes::new(mappings.to_vec());
        assert_eq!(prefixes.map("/home/me/a.sil"), "./a.sil");
        assert_eq!(prefixes.map("/home/you/a.sil"), "/h/you/a.sil");
        assert_eq!(prefixes.map("a.sil"), "a.sil");
    }

    #[test]
    fn a_mapping_without_a_sign_is_an_error() {
        assert_eq!("/home".parse::<PrefixMapping>(), Err("expected OLD=NEW".to_owned()));
    }
}

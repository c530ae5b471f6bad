//! The common part of mangled names of different compilers (docs/ABI/Mangling.rst, "Globals").

use rustc_hash::FxHashMap;

/// Numbers for names, so that keys need not hold them.
#[derive(Default)]
pub struct Keys(FxHashMap<String, u32>);

impl Keys {
    /// The number of a key; none for none.
    pub fn key(&mut self, name: Option<&str>) -> Option<u32> {
        let name = name?;
        let next = self.0.len() as u32;
        Some(*self.0.entry(name.to_owned()).or_insert(next))
    }
}

/// A name without the quotes that LLVM's text has around it.
pub fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// The part after the prefix of a Swift mangling: `$s` and `$S` of Swift 5 and later, `$e` of Embedded Swift 6.2, each
/// with the underscore of targets that have it.
pub fn without_mangling_prefix(name: &str) -> Option<&str> {
    let name = unquoted(name);
    let name = name.strip_prefix('_').unwrap_or(name);
    ["$s", "$e", "$S"].iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// The part of a name that is the same in all manglings.
pub fn key_of(name: &str) -> &str {
    without_mangling_prefix(name).unwrap_or(unquoted(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manglings_differ_by_their_prefix() {
        assert_eq!(without_mangling_prefix("\"$s4main3FooV\""), Some("4main3FooV"));
        assert_eq!(without_mangling_prefix("\"_$e4main3FooV\""), Some("4main3FooV"));
        assert_eq!(without_mangling_prefix("main"), None);
        assert_eq!(key_of("\"a b\""), "a b");
    }
}

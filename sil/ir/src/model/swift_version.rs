//! The versions of Swift whose libraries' declarations differ. `syntax::version` infers the version of a module.

use std::str::FromStr;

/// A version of Swift whose declarations differ from those of the one before. docs/book/src/swift-versions.md says how
/// to add another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SwiftVersion {
    /// 6.0
    V6_0,
    /// 6.2, and 6.1 before it
    V6_2,
    /// 6.3
    #[default]
    V6_3,
}

impl SwiftVersion {
    /// All of them, ascending.
    pub const ALL: [SwiftVersion; 3] = [SwiftVersion::V6_0, SwiftVersion::V6_2, SwiftVersion::V6_3];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            SwiftVersion::V6_0 => "6.0",
            SwiftVersion::V6_2 => "6.2",
            SwiftVersion::V6_3 => "6.3",
        }
    }

    /// Major and minor number.
    pub const fn numbers(self) -> (u32, u32) {
        match self {
            SwiftVersion::V6_0 => (6, 0),
            SwiftVersion::V6_2 => (6, 2),
            SwiftVersion::V6_3 => (6, 3),
        }
    }
}

/// The name of a version is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownVersion;

impl FromStr for SwiftVersion {
    type Err = UnknownVersion;

    /// Reads `6.3`.
    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        Self::ALL.into_iter().find(|version| version.name() == text).ok_or(UnknownVersion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_they_are_written() {
        for version in SwiftVersion::ALL {
            assert_eq!(version.name().parse(), Ok(version));
        }
        assert_eq!("5.9".parse::<SwiftVersion>(), Err(UnknownVersion));
    }
}

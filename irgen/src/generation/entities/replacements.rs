//! The entities of dynamically replaceable functions.

/// A part of the path from a function to its replacements, or back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReplacementPart {
    /// A link of the chain of functions that replace each other.
    Link,
    /// The key by which replacements find the function that they replace.
    Key,
    /// The function that calls the original of a replacement.
    Original,
}

impl ReplacementPart {
    /// The suffix of its symbol after that of the function.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            ReplacementPart::Link => "TX",
            ReplacementPart::Key => "Tx",
            ReplacementPart::Original => "TI",
        }
    }
}

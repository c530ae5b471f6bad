//! What functions have that are replaced while the program runs.

/// A part of what leads from a function to its replacements, or back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReplacementPart {
    /// A link of the chain of functions that replace each other.
    Link,
    /// By what replacements know the function that they replace.
    Key,
    /// The function that calls what a replacement replaces.
    Original,
}

impl ReplacementPart {
    /// What its symbol has behind that of the function.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            ReplacementPart::Link => "TX",
            ReplacementPart::Key => "Tx",
            ReplacementPart::Original => "TI",
        }
    }
}

//! The entities of functions and opaque types that are replaced while the program runs.

use sil_ir::symbols::Operation;

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

/// A part of the path from the opaque types of a declaration to those of its replacements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpaqueReplacementPart {
    /// The function that gives the descriptor, of a replacement if there is one.
    Accessor,
    /// The function that gives the descriptor of the declaration itself.
    Implementation,
    /// The key by which replacements find the accessor that they replace.
    Key,
    /// A link of the chain of accessors that replace each other.
    Link,
}

impl OpaqueReplacementPart {
    /// The operation of its symbol.
    pub(super) fn operation(self) -> Operation {
        match self {
            OpaqueReplacementPart::Accessor => Operation::OpaqueTypeDescriptorAccessor,
            OpaqueReplacementPart::Implementation => Operation::OpaqueTypeDescriptorAccessorImpl,
            OpaqueReplacementPart::Key => Operation::OpaqueTypeDescriptorAccessorKey,
            OpaqueReplacementPart::Link => Operation::OpaqueTypeDescriptorAccessorVariable,
        }
    }
}

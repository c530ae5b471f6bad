//! Debug information: the source of each LLVM instruction, and functions, scopes, variables and types for debuggers.
//! Owns everything that `-g` adds to a module. The code stays the same, except for the stack slots that keep variables
//! readable without optimisation.
//!
//! ```text
//! paths        file names: relative ones stay relative, prefixes are replaced
//! unit         the compile unit, its files, the module's flags
//! subprograms  functions with their names
//! scopes       lexical blocks, and inlined calls
//! locations    the location of each SIL instruction
//! variables    variables with their types and scopes
//! types        the description of types
//! ```
//!
//! The unit's language is `DW_LANG_Swift`, as swiftc's. gdb does not know it and prints values as C's, which suits
//! structs, pointers and enumerations.

mod locations;
mod paths;
mod scopes;
mod subprograms;
mod types;
mod unit;
mod variables;

pub(crate) use locations::FunctionLocations;
pub use paths::{PathPrefixes, PrefixMapping};
pub(crate) use unit::{DebugInfo, UnitFacts};
pub(crate) use variables::{DescribedVariable, ValueKind, VariableRole};

/// The text that locations refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Positions {
    /// The Swift source in functions whose SIL has Swift locations, the SIL text in others.
    #[default]
    Swift,
    /// The SIL text.
    Sil,
}

/// The amount of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Functions, scopes and locations. The code is the same as without debug information.
    LineTables,
    /// Variables and their types as well. Unoptimised code keeps variables in memory.
    #[default]
    Full,
}

/// The options of debug information.
#[derive(Clone, Debug, Default)]
pub struct DebugOptions {
    /// The text that locations refer to.
    pub positions: Positions,
    /// The amount of detail.
    pub detail: Detail,
    /// The folder that relative names of files are relative to: that of the compilation.
    pub directory: String,
    /// The replacements of path prefixes.
    pub prefixes: PathPrefixes,
}

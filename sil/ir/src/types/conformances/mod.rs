//! Conformances of types to protocols, and the witnesses of associated types (lib/AST/ConformanceLookup.cpp,
//! ProtocolConformance.cpp).
//!
//! A type conforms to a protocol in one way wherever that is asked: conformances are not carried along but looked up. A
//! substitution map replaces the conformance of a type parameter by the conformance of its replacement.

mod lookup;
mod requirements;
mod table;
mod witnesses;

pub(in crate::types) use lookup::Statement;
pub use requirements::{BrokenRequirement, WantedLayout};
pub use table::ConformanceTable;

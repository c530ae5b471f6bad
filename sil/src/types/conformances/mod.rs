//! Which type conforms to which protocol, how, and what stands for its associated types (lib/AST/ConformanceLookup.cpp, ProtocolConformance.cpp).
//!
//! A type conforms to a protocol in one way wherever that is asked: conformances are not carried along but looked up. What a substitution map
//! makes of the conformance of a type parameter is the conformance of its replacement.

mod lookup;
mod requirements;
mod table;
mod witnesses;

pub(in crate::types) use lookup::Statement;
pub use requirements::{BrokenRequirement, WantedLayout};
pub use table::ConformanceTable;

//! Region-based isolation: which values of a function may refer to each other, so that they can only be sent to another actor together, and
//! which of them belong to an actor or to the current task, so that they cannot (SE-0414; include/swift/SILOptimizer/Analysis/RegionAnalysis.h).
//!
//! `sendability` says which types need no such care; `actors` which actor code runs on, `crossings` which calls lead to another one;
//! `isolation` what a value belongs to, `isolated_values`, `isolated_calls`, `temporaries` and `conformances` how that is found.
//! `roots` says which value stands for another one, `tracked_values` gives each that does a number.

pub mod actors;
mod conformances;
pub mod crossings;
mod isolated_calls;
mod isolated_values;
mod isolation;
mod roots;
mod sendability;
mod temporaries;
mod tracked_values;

pub use isolated_values::{ValueIsolation, closure_isolation};
pub use isolation::{ActorInstance, Isolation, IsolationKind};
pub use sendability::Sendability;
pub use tracked_values::{Element, Lookup, Representative, TrackedValue, TrackedValues};

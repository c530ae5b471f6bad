//! Region-based isolation: which values of a function may refer to each other, so that they can only be sent to another
//! actor together, and which of them belong to an actor or to the current task, so that they cannot (SE-0414;
//! include/swift/SILOptimizer/Analysis/RegionAnalysis.h).
//!
//! `sendability` has the types that need no such care; `actors` the actor of code, `crossings` the calls that lead to
//! another one; `isolation` the isolation of a value, `isolated_values`, `isolated_calls`, `temporaries` and
//! `conformances` how that is found. `roots` has the representative of each value, `tracked_values` gives each
//! representative a number. `partition` has the regions; `semantics`, `translation`, `calls`, `closures` and
//! `async_lets` have the effects of instructions on them; `captures` the places from which closures may use variables.
//! `evaluation` applies the effects and finds errors, `dataflow` in a whole function. `closure_uses` finds places for
//! messages.

pub mod actors;
mod async_lets;
mod calls;
mod captures;
mod closure_uses;
mod closures;
mod conformances;
pub mod crossings;
mod dataflow;
mod evaluation;
mod isolated_calls;
mod isolated_values;
mod isolation;
mod member_references;
mod partition;
mod roots;
mod semantics;
mod sendability;
mod temporaries;
mod tracked_values;
mod translation;

pub use async_lets::begins_async_let;
pub use calls::is_sending;
pub use closure_uses::{ClosureUse, called_with_capture, closure_use};
pub use dataflow::RegionAnalysis;
pub use evaluation::{RegionError, SentState};
pub use isolated_values::{ValueIsolation, closure_isolation};
pub use isolation::{ActorInstance, Isolation, IsolationKind};
pub use sendability::Sendability;
pub use tracked_values::{Element, Lookup, Representative, TrackedValue, TrackedValues};

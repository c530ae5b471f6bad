//! The operator `consume` on copyable values: what it consumes is not used afterwards, and is gone from then on.
//!
//! `memory` is about variables in memory, `dataflow` finds what uses those afterwards, `values` about those that are values; `messages` has Swift's words. Noncopyable values are those of
//! `noncopyable`.

mod dataflow;
mod memory;
mod messages;
mod values;

pub(in crate::transform) use self::memory::check as check_memory;
pub(in crate::transform) use self::values::check as check_values;

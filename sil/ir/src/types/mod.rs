//! The type algebra of SIL: the questions about types. Substitution, conventions, conformances, lowering,
//! classification, equality.
//!
//! Types are interned in the [`Context`](crate::context::Context), which owns their structure.

mod addressability;
mod agreement;
mod caches;
mod canonical;
mod class_bounds;
mod class_slots;
mod classification;
mod conformances;
mod conventions;
mod differentiation;
mod existential_shapes;
mod generics;
mod known;
mod label_overloads;
mod lowering;
mod mangling;
mod members;
mod opaque_interfaces;
mod opaque_results;
mod opaque_values;
mod overloads;
mod overrides;
mod queries;
mod rebuild;
mod reopening;
mod replaceable_opaque_types;
mod requirements;
mod search;
mod substitution;
mod witness_slots;

pub use caches::TypeCaches;
pub use canonical::nameless;
pub use class_slots::*;
pub use classification::*;
pub use conformances::*;
pub use conventions::*;
pub use existential_shapes::ExistentialShape;
pub use generics::*;
pub use known::Signedness;
pub use label_overloads::have_several_labels;
pub use lowering::AbstractionPattern;
pub use mangling::{Condition, Referred, SymbolTypes};
pub use opaque_interfaces::OpaqueInterface;
pub use opaque_results::OpaqueResults;
pub use queries::TypeQueries;
pub use replaceable_opaque_types::{OpaqueReplacement, ReplaceableOpaqueTypes};
pub use witness_slots::{WitnessSlot, WitnessSlots};

use crate::context::*;

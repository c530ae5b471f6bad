//! The identity of forwarders: the functions that take a closure's context and call the closure's function.

use sil::context::{Name, TypeId};

/// Where a context lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContextStorage {
    /// In a reference-counted object, which owns the captures.
    Heap,
    /// In the frame of the function that makes the closure, which keeps the captures.
    Stack,
}

/// The identity of a forwarder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ForwarderKey {
    /// The function, where it is known.
    pub(crate) callee: Option<Name>,
    /// Its type with the generic arguments that the closure is made for.
    pub(crate) callee_type: TypeId,
    /// Its own type.
    pub(crate) generic_type: TypeId,
    pub(crate) closure_type: TypeId,
    /// How many parameters are bound.
    pub(crate) captures: usize,
    pub(crate) storage: ContextStorage,
}

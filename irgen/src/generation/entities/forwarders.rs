//! The identity of forwarders: the functions that take a closure's context and call the closure's function.

use sil_ir::context::{Name, TypeId};

/// The storage of a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContextStorage {
    /// In a reference-counted object, which owns the captures.
    Heap,
    /// The frame of the function that creates the closure, which keeps the captures.
    Stack,
}

/// The identity of a forwarder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ForwarderKey {
    /// The function, if known.
    pub(crate) callee: Option<Name>,
    /// Its type, with the generic arguments of the closure.
    pub(crate) callee_type: TypeId,
    /// Its own type.
    pub(crate) generic_type: TypeId,
    pub(crate) closure_type: TypeId,
    /// The number of bound parameters.
    pub(crate) captures: usize,
    pub(crate) storage: ContextStorage,
}

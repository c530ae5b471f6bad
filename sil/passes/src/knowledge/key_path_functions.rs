//! The runtime functions that apply key paths (stdlib/public/core/KeyPath.swift): the access to the projected place,
//! and the roles of the arguments.

/// The access to a place (`KeyPathProjector::AccessType` of include/swift/SILOptimizer/Utils/KeyPathProjector.h).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceAccess {
    /// The place is read.
    Get,
    /// The place is overwritten.
    Set,
    /// The place is read and may be overwritten.
    Modify,
}

/// A function that applies a key path.
pub(crate) struct KeyPathFunction {
    pub(crate) access: PlaceAccess,
    /// The index of the argument with the address of the root.
    pub(crate) root: usize,
    /// The index of the key path argument.
    pub(crate) key_path: usize,
    /// The index of the argument with the address of the value to read or set. `None` for a coroutine, which yields the
    /// address of the place.
    pub(crate) value: Option<usize>,
}

impl KeyPathFunction {
    /// Returns the function with this symbol.
    pub(crate) fn named(symbol: &str) -> Option<Self> {
        let yielding = |access| Self { access, root: 0, key_path: 1, value: None };
        Some(match symbol {
            "swift_getAtKeyPath" => Self { access: PlaceAccess::Get, root: 1, key_path: 2, value: Some(0) },
            "swift_setAtWritableKeyPath" | "swift_setAtReferenceWritableKeyPath" => {
                Self { access: PlaceAccess::Set, root: 0, key_path: 1, value: Some(2) }
            }
            "swift_readAtKeyPath" => yielding(PlaceAccess::Get),
            "swift_modifyAtWritableKeyPath" | "swift_modifyAtReferenceWritableKeyPath" => yielding(PlaceAccess::Modify),
            _ => return None,
        })
    }
}

//! The functions of the runtime that apply key paths (stdlib/public/core/KeyPath.swift): what they do with the place that a key path leads to, and which
//! argument is what.

/// What is done with a place (`KeyPathProjector::AccessType` of include/swift/SILOptimizer/Utils/KeyPathProjector.h).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::transform) enum PlaceAccess {
    /// It is read.
    Get,
    /// It gets another value, whatever it had.
    Set,
    /// It is read and may get another value.
    Modify,
}

/// A function that applies a key path.
pub(in crate::transform) struct KeyPathFunction {
    pub(in crate::transform) access: PlaceAccess,
    /// The number of the argument that is the address of what the key path is applied to.
    pub(in crate::transform) root: usize,
    /// The number of the argument that is the key path.
    pub(in crate::transform) key_path: usize,
    /// The number of the argument that is the address of what is read or set; none of a coroutine, which yields the address of the place.
    pub(in crate::transform) value: Option<usize>,
}

impl KeyPathFunction {
    /// The function with this symbol.
    pub(in crate::transform) fn named(symbol: &str) -> Option<Self> {
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

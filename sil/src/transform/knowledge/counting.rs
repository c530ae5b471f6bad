//! How references are counted without ownership: which retains and releases copies and destroys are (lib/SIL/IR/TypeLowering.cpp).

use crate::context::{FunctionAttribute, SilType, StorageKind, Type};
use crate::instructions::Opcode;
use crate::transform::Environment;

/// How the references in a value of some type are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum Counting {
    /// There are none.
    None,
    /// It is one reference to an object.
    Strong,
    /// It is an unowned reference.
    Unowned,
    /// Its parts have some.
    Parts,
    /// It is no value that can be held in registers.
    Memory,
}

impl Counting {
    /// How those in a value of type `ty` are counted.
    pub(in crate::transform) fn of(environment: Environment<'_>, ty: SilType) -> Self {
        let found = environment.queries.get(ty.ty);
        let properties = environment.queries.properties(ty.ty, environment.function.signature);
        match found {
            _ if ty.is_address() || properties.is_trivial() => Counting::None,
            _ if properties.is_address_only() => Counting::Memory,
            Type::Storage { kind: StorageKind::Unowned, .. } => Counting::Unowned,
            // What a closure that does not escape captures is only borrowed.
            Type::Function(function) if function.attributes.contains(FunctionAttribute::NoEscape) => Counting::None,
            Type::Function(_) => Counting::Strong,
            _ if properties.is_reference() => Counting::Strong,
            _ => Counting::Parts,
        }
    }

    /// The kind of instruction that retains.
    pub(in crate::transform) fn retain(self) -> Option<Opcode> {
        match self {
            Counting::None | Counting::Memory => None,
            Counting::Strong => Some(Opcode::StrongRetain),
            Counting::Unowned => Some(Opcode::UnownedRetain),
            Counting::Parts => Some(Opcode::RetainValue),
        }
    }

    /// The kind of instruction that releases.
    pub(in crate::transform) fn release(self) -> Option<Opcode> {
        match self {
            Counting::None | Counting::Memory => None,
            Counting::Strong => Some(Opcode::StrongRelease),
            Counting::Unowned => Some(Opcode::UnownedRelease),
            Counting::Parts => Some(Opcode::ReleaseValue),
        }
    }
}

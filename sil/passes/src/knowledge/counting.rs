//! Reference counting without ownership: the retains and releases that copies and destroys are lowered to
//! (lib/SIL/IR/TypeLowering.cpp).

use sil_ir::context::{FunctionAttribute, SilType, StorageKind, Type};
use sil_ir::instructions::Opcode;

use crate::Environment;

/// The counting of the references in a value of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counting {
    /// The value contains no counted references.
    None,
    /// The value is one strong reference.
    Strong,
    /// The value is an unowned reference.
    Unowned,
    /// The value has parts with counted references.
    Parts,
    /// The value is address-only.
    Memory,
}

impl Counting {
    /// Returns the counting for values of type `ty`.
    pub(crate) fn of(environment: Environment<'_>, ty: SilType) -> Self {
        let found = environment.queries.get(ty.ty);
        let properties = environment.queries.properties(ty.ty, environment.function.signature);
        match found {
            _ if ty.is_address() || properties.is_trivial() => Counting::None,
            _ if properties.is_address_only() => Counting::Memory,
            Type::Storage { kind: StorageKind::Unowned, .. } => Counting::Unowned,
            // A non-escaping closure only borrows its captures.
            Type::Function(function) if function.attributes.contains(FunctionAttribute::NoEscape) => Counting::None,
            Type::Function(_) => Counting::Strong,
            _ if properties.is_reference() => Counting::Strong,
            _ => Counting::Parts,
        }
    }

    /// Returns the opcode that retains.
    pub(crate) fn retain(self) -> Option<Opcode> {
        match self {
            Counting::None | Counting::Memory => None,
            Counting::Strong => Some(Opcode::StrongRetain),
            Counting::Unowned => Some(Opcode::UnownedRetain),
            Counting::Parts => Some(Opcode::RetainValue),
        }
    }

    /// Returns the opcode that releases.
    pub(crate) fn release(self) -> Option<Opcode> {
        match self {
            Counting::None | Counting::Memory => None,
            Counting::Strong => Some(Opcode::StrongRelease),
            Counting::Unowned => Some(Opcode::UnownedRelease),
            Counting::Parts => Some(Opcode::ReleaseValue),
        }
    }
}

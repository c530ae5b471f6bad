//! Symbolic values: the evaluator's knowledge of SIL values (include/swift/SIL/SILConstants.h, `SymbolicValue`).
//!
//! Does not own: the contents of memory (`memory`), the reasons of unknown values (`unknown`), values as text
//! (`description`).

use sil_ir::context::{MemberId, SubstitutionMapId, TypeId};
use sil_ir::model::{FunctionId, InstructionId, Method, Value};
use std::rc::Rc;

use super::memory::MemoryId;
use super::unknown::Unknown;
use crate::knowledge::floats::Float;
use crate::knowledge::numbers::{truncated, unsigned};

/// The symbolic value of a SIL value.
#[derive(Clone, Debug)]
pub(crate) enum SymbolicValue {
    /// Memory before its first store.
    UninitializedMemory,
    /// Not a constant, for this reason.
    Unknown(Rc<Unknown>),
    /// The metatype of this type.
    Metatype(TypeId),
    Function(FunctionId),
    /// A protocol method for a conforming type.
    Witness(Rc<(TypeId, Method)>),
    Integer(Integer),
    Float(Float),
    /// A string, or the pointer to the bytes of a literal.
    String(Rc<[u8]>),
    /// A struct or a tuple.
    Aggregate(Rc<[SymbolicValue]>),
    /// An enum case with its payload.
    Enum(MemberId, Option<Rc<SymbolicValue>>),
    Address(Address),
    /// The elements of an array, in the memory that the array refers to.
    ArrayStorage(Rc<ArrayStorage>),
    /// An array, whose elements are in this memory.
    Array(MemoryId),
    Closure(Rc<Closure>),
}

impl SymbolicValue {
    /// Returns whether the value is a constant. Its parts need not be.
    pub(crate) fn is_constant(&self) -> bool {
        !matches!(self, SymbolicValue::UninitializedMemory | SymbolicValue::Unknown(_))
    }

    /// Returns whether the value is unknown because an instruction was skipped.
    pub(super) fn is_unevaluated(&self) -> bool {
        matches!(self, SymbolicValue::Unknown(unknown) if unknown.reason.is_unevaluated())
    }

    pub(super) fn integer(value: i128, width: u32) -> Self {
        SymbolicValue::Integer(Integer::new(value, width))
    }

    /// Returns a struct or a tuple of these members.
    pub(super) fn aggregate(members: impl Into<Rc<[SymbolicValue]>>) -> Self {
        SymbolicValue::Aggregate(members.into())
    }

    /// Returns a value of type `Builtin.Int1`.
    pub(super) fn bit(value: bool) -> Self {
        Self::integer(i128::from(value), 1)
    }

    /// Unwraps structs with a single member.
    pub(super) fn innermost(&self) -> &SymbolicValue {
        match self {
            SymbolicValue::Aggregate(members) if members.len() == 1 => members[0].innermost(),
            other => other,
        }
    }

    /// Returns the bytes of a string, or of the literal that a static string contains.
    pub(super) fn text(&self) -> Option<&[u8]> {
        match self {
            SymbolicValue::String(bytes) => Some(bytes),
            SymbolicValue::Aggregate(members) => match members.first()? {
                SymbolicValue::String(bytes) => Some(bytes),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An integer of a fixed width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    /// Sign-extended from the width.
    value: i128,
    width: u32,
}

impl Integer {
    /// Returns the integer with the lowest bits of `value`.
    pub(super) fn new(value: i128, width: u32) -> Self {
        Self { value: truncated(value, width), width }
    }

    pub(crate) fn width(self) -> u32 {
        self.width
    }

    /// Returns the signed value.
    pub(crate) fn signed(self) -> i128 {
        self.value
    }

    /// Returns the unsigned value.
    pub(crate) fn unsigned(self) -> u128 {
        unsigned(self.value, self.width)
    }

    pub(crate) fn is_zero(self) -> bool {
        self.value == 0
    }
}

/// An address in memory: a memory object, and the path to a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(super) memory: MemoryId,
    pub(super) path: Rc<[u32]>,
}

impl Address {
    pub(super) fn new(memory: MemoryId) -> Self {
        Self { memory, path: Rc::new([]) }
    }

    /// Returns the address of a part.
    pub(super) fn part(&self, number: u32) -> Self {
        let path = self.path.iter().copied().chain([number]).collect();
        Self { memory: self.memory, path }
    }

    /// Returns the address `by` elements further, or `None` for the address of a whole.
    pub(super) fn moved(&self, by: u32) -> Option<Self> {
        let mut path = self.path.to_vec();
        let last = path.last_mut()?;
        *last = last.checked_add(by)?;
        Some(Self { memory: self.memory, path: path.into() })
    }
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub(crate) struct ArrayStorage {
    pub(super) element_type: TypeId,
    pub(super) elements: Vec<SymbolicValue>,
}

/// A closure. It is described, but not called.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) target: FunctionId,
    /// The captured values, with their known constants.
    pub(crate) captures: Vec<(Value, Option<SymbolicValue>)>,
    /// The substitutions of the target's generic parameters.
    pub(crate) substitutions: SubstitutionMapId,
    /// The instruction that creates the closure, and its function.
    pub(crate) made: (FunctionId, InstructionId),
}

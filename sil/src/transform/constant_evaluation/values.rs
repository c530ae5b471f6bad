//! Symbolic values: what the evaluator knows of a SIL value (include/swift/SIL/SILConstants.h, `SymbolicValue`).
//!
//! Does not own: what is in memory that addresses lead to (`memory`), why something is not known (`unknown`), values as text (`description`).

use std::rc::Rc;

use super::memory::MemoryId;
use super::unknown::Unknown;
use crate::context::{MemberId, SubstitutionMapId, TypeId};
use crate::model::{FunctionId, InstructionId, Method, Value};
use crate::transform::knowledge::floats::Float;
use crate::transform::knowledge::numbers::{truncated, unsigned};

/// What is known of a value.
#[derive(Clone, Debug)]
pub(in crate::transform) enum SymbolicValue {
    /// Memory that nothing was stored to.
    UninitializedMemory,
    /// No constant, for this reason.
    Unknown(Rc<Unknown>),
    /// The metatype of this type.
    Metatype(TypeId),
    Function(FunctionId),
    /// A method of a protocol for a type that conforms.
    Witness(Rc<(TypeId, Method)>),
    Integer(Integer),
    Float(Float),
    /// A string, or the pointer to the bytes of a literal.
    String(Rc<[u8]>),
    /// A struct or a tuple.
    Aggregate(Rc<[SymbolicValue]>),
    /// A case of an enum, with its payload.
    Enum(MemberId, Option<Rc<SymbolicValue>>),
    Address(Address),
    /// The elements of an array, which the array leads to.
    ArrayStorage(Rc<ArrayStorage>),
    /// An array: its elements are in memory of their own.
    Array(MemoryId),
    Closure(Rc<Closure>),
}

impl SymbolicValue {
    /// Whether it is a constant, though parts of it may be none.
    pub(in crate::transform) fn is_constant(&self) -> bool {
        !matches!(self, SymbolicValue::UninitializedMemory | SymbolicValue::Unknown(_))
    }

    /// Whether it is no constant because an instruction was passed over.
    pub(super) fn is_unevaluated(&self) -> bool {
        matches!(self, SymbolicValue::Unknown(unknown) if unknown.reason.is_unevaluated())
    }

    pub(super) fn integer(value: i128, width: u32) -> Self {
        SymbolicValue::Integer(Integer::new(value, width))
    }

    /// A struct or a tuple of these.
    pub(super) fn aggregate(members: impl Into<Rc<[SymbolicValue]>>) -> Self {
        SymbolicValue::Aggregate(members.into())
    }

    /// A value of type `Builtin.Int1`.
    pub(super) fn bit(value: bool) -> Self {
        Self::integer(i128::from(value), 1)
    }

    /// The only thing in structs around it.
    pub(super) fn innermost(&self) -> &SymbolicValue {
        match self {
            SymbolicValue::Aggregate(members) if members.len() == 1 => members[0].innermost(),
            other => other,
        }
    }

    /// The bytes of a string, or of the literal that a static string is made of.
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

/// A number of so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) struct Integer {
    /// The sign of its width going on.
    value: i128,
    width: u32,
}

impl Integer {
    /// The number that the lowest bits of `value` are.
    pub(super) fn new(value: i128, width: u32) -> Self {
        Self { value: truncated(value, width), width }
    }

    pub(in crate::transform) fn width(self) -> u32 {
        self.width
    }

    /// The number, taken with its sign.
    pub(in crate::transform) fn signed(self) -> i128 {
        self.value
    }

    /// The number, taken without a sign.
    pub(in crate::transform) fn unsigned(self) -> u128 {
        unsigned(self.value, self.width)
    }

    pub(in crate::transform) fn is_zero(self) -> bool {
        self.value == 0
    }
}

/// A place in memory: the way from the whole to a part.
#[derive(Clone, Debug)]
pub(in crate::transform) struct Address {
    pub(super) memory: MemoryId,
    pub(super) path: Rc<[u32]>,
}

impl Address {
    pub(super) fn new(memory: MemoryId) -> Self {
        Self { memory, path: Rc::new([]) }
    }

    /// The address of a part of what is there.
    pub(super) fn part(&self, number: u32) -> Self {
        let path = self.path.iter().copied().chain([number]).collect();
        Self { memory: self.memory, path }
    }

    /// The address so many elements behind this one; none where it is that of a whole.
    pub(super) fn moved(&self, by: u32) -> Option<Self> {
        let mut path = self.path.to_vec();
        let last = path.last_mut()?;
        *last = last.checked_add(by)?;
        Some(Self { memory: self.memory, path: path.into() })
    }
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub(in crate::transform) struct ArrayStorage {
    pub(super) element_type: TypeId,
    pub(super) elements: Vec<SymbolicValue>,
}

/// A closure. It is known what it is made of; it is not called.
#[derive(Clone, Debug)]
pub(in crate::transform) struct Closure {
    pub(in crate::transform) target: FunctionId,
    /// What it captures, each with what is known of that.
    pub(in crate::transform) captures: Vec<(Value, Option<SymbolicValue>)>,
    /// What replaces the generic parameters of the target.
    pub(in crate::transform) substitutions: SubstitutionMapId,
    /// What makes it, and the function that does.
    pub(in crate::transform) made: (FunctionId, InstructionId),
}

//! The parts of views: operands, targets, written types and details of an instruction, taken one after the other.

use std::ops::Range;

use super::super::{
    Apply, AssignByWrapper, BlockId, Body, Builtin, Cast, DebugVariable, DefaultCase, DerivativeConfiguration, Details,
    EnumCases, Extractee, GlobalId, InstructionId, KeyPath, Method, PackOpening, StringLiteral, Value,
};
use crate::context::{DifferentiabilityIndices, MemberId, Name, SilType, TypeId};

/// A part of an instruction.
pub trait Part<'b>: Sized {
    /// How many operands it is.
    const OPERANDS: OperandCount = OperandCount::NONE;

    /// Takes the next part of this kind; none if the instruction has no such part.
    fn take(parts: &mut Parts<'b>) -> Option<Self>;
}

/// How a view gives operands: as values or as numbers.
pub trait OperandForm<'b>: Part<'b> {
    /// Several operands.
    type List: OperandList<'b> + Clone + std::fmt::Debug;

    /// Operand number `number`, which is `value`.
    fn new(number: usize, value: Value) -> Self;
}

/// Several operands in a row.
pub trait OperandList<'b>: Part<'b> {
    /// The operands from number `first`, which are `values`.
    fn new(first: usize, values: &'b [Value]) -> Self;
}

/// How many operands something has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandCount {
    /// So many at least.
    pub least: usize,
    /// So many at most; [`Self::UNBOUNDED`] and more are any number.
    pub most: usize,
}

impl OperandCount {
    /// None.
    pub const NONE: Self = Self { least: 0, most: 0 };
    /// More than any instruction has.
    pub const UNBOUNDED: usize = 1 << 32;

    const ONE: Self = Self { least: 1, most: 1 };
    const OPTIONAL: Self = Self { least: 0, most: 1 };
    const ANY: Self = Self { least: 0, most: Self::UNBOUNDED };

    /// These and `other`.
    pub const fn and(self, other: Self) -> Self {
        Self { least: self.least + other.least, most: self.most + other.most }
    }
}

/// An instruction being taken apart.
pub struct Parts<'b> {
    operands: &'b [Value],
    taken_operands: usize,
    types: &'b [SilType],
    targets: &'b [BlockId],
    details: &'b Details,
}

impl<'b> Parts<'b> {
    pub(super) fn new(body: &'b Body, instruction: InstructionId) -> Self {
        Self {
            operands: body.operands(instruction),
            taken_operands: 0,
            types: body.types(instruction),
            targets: body.targets(instruction),
            details: &body.instructions[instruction].details,
        }
    }

    /// Whether no operand and no target is left. Types may be: results have them too.
    pub(super) fn are_all_taken(&self) -> bool {
        self.taken_operands == self.operands.len() && self.targets.is_empty()
    }

    fn operand<O: OperandForm<'b>>(&mut self) -> Option<O> {
        let value = *self.operands.get(self.taken_operands)?;
        self.taken_operands += 1;
        Some(O::new(self.taken_operands - 1, value))
    }

    fn operand_list<L: OperandList<'b>>(&mut self, count: usize) -> Option<L> {
        let first = self.taken_operands;
        let values = self.operands.get(first..first.checked_add(count)?)?;
        self.taken_operands += count;
        Some(L::new(first, values))
    }

    fn remaining_operands<L: OperandList<'b>>(&mut self) -> Option<L> {
        self.operand_list(self.operands.len() - self.taken_operands)
    }
}

impl Part<'_> for Value {
    const OPERANDS: OperandCount = OperandCount::ONE;

    fn take(parts: &mut Parts<'_>) -> Option<Self> {
        parts.operand()
    }
}

impl<'b> OperandForm<'b> for Value {
    type List = &'b [Value];

    fn new(_: usize, value: Value) -> Self {
        value
    }
}

impl<'b> Part<'b> for &'b [Value] {
    const OPERANDS: OperandCount = OperandCount::ANY;

    fn take(parts: &mut Parts<'b>) -> Option<Self> {
        parts.remaining_operands()
    }
}

impl<'b> OperandList<'b> for &'b [Value] {
    fn new(_: usize, values: &'b [Value]) -> Self {
        values
    }
}

/// The number of an operand.
impl Part<'_> for usize {
    const OPERANDS: OperandCount = OperandCount::ONE;

    fn take(parts: &mut Parts<'_>) -> Option<Self> {
        parts.operand()
    }
}

impl<'b> OperandForm<'b> for usize {
    type List = Range<usize>;

    fn new(number: usize, _: Value) -> Self {
        number
    }
}

impl<'b> Part<'b> for Range<usize> {
    const OPERANDS: OperandCount = OperandCount::ANY;

    fn take(parts: &mut Parts<'b>) -> Option<Self> {
        parts.remaining_operands()
    }
}

impl<'b> OperandList<'b> for Range<usize> {
    fn new(first: usize, values: &'b [Value]) -> Self {
        first..first + values.len()
    }
}

/// An operand that may be missing.
impl<'b, O: OperandForm<'b>> Part<'b> for Option<O> {
    const OPERANDS: OperandCount = OperandCount::OPTIONAL;

    fn take(parts: &mut Parts<'b>) -> Option<Self> {
        Some(parts.operand())
    }
}

/// The operands before others: the details have their number.
#[derive(Clone, Debug)]
pub struct Leading<L>(pub L);

impl<'b, L: OperandList<'b>> Part<'b> for Leading<L> {
    const OPERANDS: OperandCount = OperandCount::ANY;

    fn take(parts: &mut Parts<'b>) -> Option<Self> {
        let count = match parts.details {
            Details::CondBranch { true_arguments: count, .. }
            | Details::TailElements(count)
            | Details::BaseElements(count) => *count as usize,
            _ => return None,
        };
        parts.operand_list(count).map(Leading)
    }
}

impl Part<'_> for BlockId {
    fn take(parts: &mut Parts<'_>) -> Option<Self> {
        parts.targets.split_off_first().copied()
    }
}

/// A target that may be missing.
impl Part<'_> for Option<BlockId> {
    fn take(parts: &mut Parts<'_>) -> Option<Self> {
        Some(parts.targets.split_off_first().copied())
    }
}

/// The targets that are left.
impl<'b> Part<'b> for &'b [BlockId] {
    fn take(parts: &mut Parts<'b>) -> Option<Self> {
        Some(std::mem::take(&mut parts.targets))
    }
}

impl Part<'_> for SilType {
    fn take(parts: &mut Parts<'_>) -> Option<Self> {
        parts.types.split_off_first().copied()
    }
}

/// The written types in front of the last one.
#[derive(Clone, Debug)]
pub struct AllButLast<'b>(pub &'b [SilType]);

impl<'b> Part<'b> for AllButLast<'b> {
    fn take(parts: &mut Parts<'b>) -> Option<Self> {
        let last = parts.types.len().checked_sub(1)?;
        parts.types.split_off(..last).map(AllButLast)
    }
}

/// A global: its symbol, and its number where the module has it.
#[derive(Clone, Copy, Debug)]
pub struct GlobalReference {
    /// The symbol.
    pub name: Name,
    /// The number.
    pub id: Option<GlobalId>,
}

/// The value of an integer literal.
#[derive(Clone, Copy, Debug)]
pub enum IntegerValue<'b> {
    /// One that fits 128 bits, sign-extended.
    Narrow(i128),
    /// Two's complement, least significant word first, the sign going on beyond the last.
    Wide(&'b [u64]),
}

/// Parts that are details.
macro_rules! details {
    ($($(#[$doc:meta])* $ty:ty: $($pattern:pat => $value:expr),+;)*) => {
        $(
            $(#[$doc])*
            impl<'b> Part<'b> for $ty {
                fn take(parts: &mut Parts<'b>) -> Option<Self> {
                    match parts.details {
                        $($pattern => Some($value),)+
                        _ => None,
                    }
                }
            }
        )*
    };
}

details! {
    /// The number of an element or component.
    u32: Details::Index(index) => *index;
    /// The bits of a float.
    u128: Details::Float(bits) => *bits;
    /// An alignment in bytes, which may be missing.
    Option<u64>: Details::Alignment(alignment) => Some(*alignment), Details::None => None;
    IntegerValue<'b>: Details::Integer(value) => Self::Narrow(*value), Details::WideInteger(words) => Self::Wide(words);
    &'b StringLiteral: Details::String(literal) => literal;
    MemberId: Details::Member(member) => *member;
    &'b Method: Details::Method(method) => method;
    /// A function's symbol.
    Name: Details::Function(name) => *name;
    GlobalReference: Details::Global(name, id) => Self { name: *name, id: *id };
    &'b Builtin: Details::Builtin(builtin) => builtin;
    &'b Apply: Details::Apply(apply) => apply;
    /// The profile counts of a conditional branch.
    [Option<u64>; 2]: Details::CondBranch { counts, .. } => *counts;
    &'b EnumCases: Details::EnumCases(cases) => cases;
    DefaultCase: Details::SwitchValue { default } => *default;
    Option<&'b DebugVariable>: Details::Variable(variable) => Some(variable), Details::None => None;
    /// A message.
    &'b str: Details::Message(message) => message;
    &'b Cast: Details::Cast(cast) => cast;
    /// A formal type.
    TypeId: Details::FormalType(ty) => *ty;
    &'b KeyPath: Details::KeyPath(path) => path;
    &'b DifferentiabilityIndices: Details::Differentiable(indices) => indices;
    Extractee: Details::Extractee(extractee) => *extractee;
    (Extractee, &'b DerivativeConfiguration): Details::DifferentiabilityWitness(part, witness) => (*part, witness);
    /// Words of the syntax.
    &'b [Name]: Details::Words(words) => words;
    &'b PackOpening: Details::PackOpening(opening) => opening;
    &'b AssignByWrapper: Details::Assign(assignment) => assignment;
}

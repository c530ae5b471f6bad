//! The contents of a row of the instruction table. The rows stand in `table`, the names in `opcode`.

use super::attribute::Attribute;
use super::opcode::Opcode;
use crate::context::BuiltinType;

/// The effect of an instruction on memory, as the reference states it for its kind (include/swift/SIL/SILNodes.def).
/// The analyses refine it per instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum MemoryBehavior {
    /// Neither reads nor writes memory.
    #[default]
    None,
    /// May read memory.
    MayRead,
    /// May write memory.
    MayWrite,
    /// May read and write memory.
    MayReadWrite,
    /// May do anything: trap, call, release.
    MayHaveSideEffects,
}

impl MemoryBehavior {
    /// Whether memory may be read.
    pub const fn may_read(self) -> bool {
        use MemoryBehavior::*;
        matches!(self, MayRead | MayReadWrite | MayHaveSideEffects)
    }

    /// Whether memory may be written, deinitialised, or anything else may happen.
    pub const fn may_write(self) -> bool {
        use MemoryBehavior::*;
        matches!(self, MayWrite | MayReadWrite | MayHaveSideEffects)
    }

    const fn from_parts(read: bool, write: bool) -> Self {
        match (read, write) {
            (false, false) => MemoryBehavior::None,
            (true, false) => MemoryBehavior::MayRead,
            (false, true) => MemoryBehavior::MayWrite,
            (true, true) => MemoryBehavior::MayReadWrite,
        }
    }

    /// The effect of both together; side effects count as reads and writes.
    pub const fn union(self, other: Self) -> Self {
        Self::from_parts(self.may_read() || other.may_read(), self.may_write() || other.may_write())
    }

    /// This without reads.
    pub const fn without_read(self) -> Self {
        Self::from_parts(false, self.may_write())
    }

    /// This without writes.
    pub const fn without_write(self) -> Self {
        Self::from_parts(self.may_read(), false)
    }
}

/// The effect of an instruction on the ownership of an operand (docs/SIL/Ownership.md).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandUse {
    /// Uses the value for the moment of the instruction.
    Instantaneous,
    /// Uses the value for the moment of the instruction; it may be unowned.
    InstantaneousOrUnowned,
    /// Ends the lifetime of an owned value.
    Consume,
    /// Borrows the value for a scope that another instruction ends.
    Borrow,
    /// Ends a borrow scope.
    EndBorrow,
    /// Passes the value's ownership on to the result.
    Forward,
    /// Passes a borrowed value's ownership on to the result.
    ForwardBorrowed,
    /// Takes a pointer into the value whose uses the value must outlive.
    InteriorPointer,
    /// Escapes the value as a bit pattern.
    Escape,
    /// Names the value and does not use it.
    Mention,
    /// The operand is an address, a trivial value or otherwise has no ownership.
    NonOwned,
}

/// In which SIL stages an instruction may stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Legality {
    /// In every stage.
    Always,
    /// Only before the mandatory passes.
    RawOnly,
    /// Only in functions with ownership (`[ossa]`).
    OwnershipOnly,
    /// Only in functions without ownership.
    LoweredOwnershipOnly,
}

/// How the type of the (only) result follows from the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultRule {
    /// No result.
    None,
    /// The type of the operand with this number.
    Operand(u8),
    /// The object type of the address that is the operand with this number.
    ObjectOf(u8),
    /// The written type with this number, as it stands.
    Written(u8),
    /// The address of the written type with this number.
    AddressOf(u8),
    /// A type that the compiler itself has.
    Builtin(BuiltinType),
    /// A rule of its own, in `syntax::instructions::results`.
    Own,
}

/// The type of an operand whose text never states it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandTypeRule {
    /// That of the operand with this number.
    Operand(u8),
    /// The object type of the address that is the operand with this number.
    ObjectOf(u8),
    /// The referent type of the weak or unowned storage at the address that is the operand with this number.
    ReferentOf(u8),
    /// A type that the compiler itself has.
    Builtin(BuiltinType),
}

/// A piece of the textual form after the opcode, in order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Piece {
    /// Any of these attributes in brackets, read in any order, printed in this one.
    Attributes(&'static [Attribute]),
    /// Exactly one of these attributes as a word without brackets.
    Choice(&'static [Attribute]),
    /// One operand: `%x`, with `: $T` where the type is not known yet.
    Operand,
    /// One operand whose type is never written: `%x`.
    UntypedOperand(OperandTypeRule),
    /// An operand that may be missing, after this word and without its type: `depends_on %x`.
    OptionalOperand(&'static str, OperandTypeRule),
    /// Operands in parentheses, separated by commas.
    Operands,
    /// One or more operands, separated by commas.
    OperandList,
    /// A type: `$T`.
    Type,
    /// A formal type with a dollar, kept in the details: `$T`.
    FormalType,
    /// A formal type without a dollar, kept in the details: `T`.
    BareFormalType,
    /// A formal pack type among the written types: `$Pack{Int, Bool}`.
    PackType,
    /// A formal pack type of which only the shape is of interest: an element that is no expansion is written `()`.
    PackShape,
    /// A word of the syntax: `to`, `in`, `on`.
    Word(&'static str),
    /// Punctuation: `,`.
    Punctuation(Punctuation),
    /// A reference to a declaration: `#Point.x`.
    Member,
    /// An unsigned integer.
    Index,
    /// `[align=8]`, which may be missing.
    Alignment,
    /// A string literal, kept in the details.
    String,
    /// The description of a variable, all of which may be missing: `, let, name "x"`.
    Variable,
    /// `, forwarding: @owned`, which may be missing.
    Forwarding,
    /// A function's symbol with its type: `@f : $T`. Text that is written by hand leaves out the type of a function of
    /// the module.
    TypedFunction,
    /// A global's symbol: `@g`.
    Global,
    /// A block: `bb1`.
    Target,
    /// A form of its own, in `syntax::instructions`.
    Own,
}

/// Punctuation in the syntax of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Punctuation {
    /// `,`
    Comma,
    /// `:`
    Colon,
}

/// All facts of the instruction table about one opcode.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Information {
    /// The opcode that the row is about.
    pub opcode: Opcode,
    /// Its effect on memory.
    pub memory: MemoryBehavior,
    /// Whether it may release a reference that the program can observe.
    pub may_release: MayRelease,
    /// Whether it ends a block.
    pub position: Position,
    /// In which stages it may stand.
    pub legality: Legality,
    /// Its text after the opcode.
    pub syntax: &'static [Piece],
    /// The type of its result.
    pub result: ResultRule,
    /// Its effects on its operands' ownership; the last entry holds for all operands that follow.
    pub uses: &'static [OperandUse],
}

/// Whether an instruction may end the lifetime of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MayRelease {
    /// It may.
    Yes,
    /// It never does.
    No,
}

/// Where in a block an instruction stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position {
    /// Anywhere but last.
    Body,
    /// Last.
    Terminator,
}

/// A row with the defaults: no release, not a terminator, legal everywhere, syntax of its own.
pub(super) const fn instruction(opcode: Opcode, memory: MemoryBehavior) -> Information {
    Information {
        opcode,
        memory,
        may_release: MayRelease::No,
        position: Position::Body,
        legality: Legality::Always,
        syntax: &[Piece::Own],
        result: ResultRule::Own,
        uses: &[OperandUse::Instantaneous],
    }
}

impl Information {
    pub(super) const fn may_release(mut self) -> Self {
        self.may_release = MayRelease::Yes;
        self
    }

    pub(super) const fn terminator(mut self) -> Self {
        self.position = Position::Terminator;
        self
    }

    pub(super) const fn syntax(mut self, pieces: &'static [Piece]) -> Self {
        self.syntax = pieces;
        self
    }

    pub(super) const fn result(mut self, rule: ResultRule) -> Self {
        self.result = rule;
        self
    }

    pub(super) const fn uses(mut self, uses: &'static [OperandUse]) -> Self {
        self.uses = uses;
        self
    }

    pub(super) const fn only(mut self, legality: Legality) -> Self {
        self.legality = legality;
        self
    }

    /// The effect of the instruction on the ownership of its operand number `operand`.
    pub fn operand_use(&self, operand: usize) -> OperandUse {
        let last = self.uses.len() - 1;
        self.uses[operand.min(last)]
    }
}

//! The instructions of SIL: their names, their attributes, and the table with the facts about each kind.

mod attribute;
pub mod builtins;
mod information;
mod opcode;
mod table;

pub use attribute::{Attribute, AttributeSet};
pub use information::{
    Information, Legality, MayRelease, MemoryBehavior, OperandTypeRule, OperandUse, Piece, Position, Punctuation,
    ResultRule,
};
pub use opcode::{Family, Opcode};

/// The opcodes of each family.
pub mod families {
    pub use super::opcode::{
        Aggregates, Allocation, Blocks, Calls, Casts, Concurrency, Diagnostics, Differentiation, Enums, Existentials,
        KeyPaths, Literals, Memory, Metatypes, Ownership, Packs, ReferenceCounting, Terminators,
    };
}

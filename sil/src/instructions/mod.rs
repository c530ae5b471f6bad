//! The instructions of SIL: their names, their attributes, and the table with what holds for each kind.

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
pub use opcode::Opcode;
pub use table::{FAMILIES, Family};

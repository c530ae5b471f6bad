//! The text of SIL: read by [`syntax`] into the model, printed by [`print`](mod@print), and drawn by [`draw`]. Swift
//! source that belongs to a module is read by [`swift_source`], as far as labels of arguments need it.
//!
//! The model itself is in the crate `sil-ir`; programs use both through `sil`.
#![forbid(unsafe_code)]

pub mod draw;
pub mod print;
pub mod swift_source;
pub mod syntax;

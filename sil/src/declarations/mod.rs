//! The declaration table: what the Swift part of a module declares, and what `import Swift` brings.
//!
//! Owns nominal types with their stored properties, enum cases and members, the interface types of members, and references to
//! declarations (`#Point.x`). The text that fills it is read by `syntax`.

mod dispatch;
mod interface;
mod member_ref;
mod named;
mod table;

pub use dispatch::*;
pub use interface::*;
pub use member_ref::*;
pub use named::{Mention, MentionedTypes};
pub use table::*;

//! The code that constructs enum values, discriminates their cases, destructures, copies and destroys them.
//!
//! `values` constructs and destructures values, with the contents of a payload area in `payload`; `switch` tests cases;
//! `copying` copies and destroys values, with shared functions in `outlined`.

mod copying;
mod outlined;
mod payload;
mod switch;
mod values;

pub(super) use copying::{operate_in_memory, operate_on_explosion};
pub use switch::Destinations;
pub use values::EnumValue;

//! The code that makes values of enums, discriminates their cases, takes them apart, copies and destroys them.
//!
//! `values` makes values and takes them apart, with the contents of a payload area in `payload`; `switch` tests cases;
//! `copying` copies and destroys values, by the functions of `outlined` if several places share one.

mod copying;
mod outlined;
mod payload;
mod switch;
mod values;

pub(super) use copying::{operate_in_memory, operate_on_explosion};
pub use switch::Destinations;
pub use values::EnumValue;

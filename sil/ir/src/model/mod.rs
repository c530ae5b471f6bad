//! The model of a SIL module: functions, globals, tables. Arenas with typed indices; a function owns its values, blocks
//! and instructions. The model holds the contents of the text; it does not check them (`verify` does).

mod debug;
mod details;
mod edit;
mod function;
mod function_flag;
mod function_isolation;
mod module;
mod order;
pub mod platform;
mod provenance;
mod swift_version;
mod tables;
pub mod views;

pub use debug::*;
pub use details::*;
pub use edit::{Place, Replacements};
pub use function::*;
pub use function_flag::FunctionFlag;
pub use function_isolation::{FunctionIsolation, StatedIsolation};
pub use module::*;
pub use order::BlockInstructions;
pub use platform::{Platform, PointerWidth};
pub use provenance::{ObjectiveC, Provenance};
pub use swift_version::{SwiftVersion, UnknownVersion};
pub use tables::*;

//! From a SIL module to an LLVM module: symbols, globals, function bodies. What single instructions become is in `instructions`,
//! what types become in `types`.

mod blocks;
mod class_metadata;
mod constants;
mod entities;
mod entry_point;
mod function;
mod globals;
mod heap_layouts;
mod locations;
mod mode;
mod module;
mod native;
mod partition;
mod program;
mod runtime_functions;
mod runtime_inlining;
pub mod signature;
mod signature_builder;
mod strings;
mod type_data;
mod witness_tables;
mod worklist;

pub use entities::{CFunction, Entity, Operation, local_name};
pub use function::{Explosion, IRGenFunction, Lowered};
pub use heap_layouts::HeapLayout;
pub use module::{IRGenModule, IRGenOptions, Optimization, Roots, RuntimeSource, Threads, once_per_type};
pub use partition::{Part, Partition, UnitId};
pub use program::Program;
pub use runtime_functions::RuntimeFunction;
pub use type_data::MetadataSource;
pub use worklist::Use;

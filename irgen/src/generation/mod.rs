//! An LLVM module of a SIL module under construction: its symbols, tables and globals, the worklist, signatures, and
//! the function under construction. Does not own: the code of instructions (`instructions`), and the traversal of all
//! entities (`definitions`).

mod async_functions;
mod blocks;
mod c_structures;
mod class_metadata;
mod constants;
mod coroutine_memory;
mod differentiability_witnesses;
mod distributed_targets;
mod dynamic_memory;
mod entities;
mod entry_point;
mod function;
mod function_pointers;
mod globals;
mod heap_layouts;
mod locations;
mod metadata;
mod mode;
mod module;
mod native;
mod objc_blocks;
mod packs;
mod partition;
pub mod polymorphic;
mod program;
mod runtime_functions;
mod runtime_inlining;
mod serialized_types;
pub mod signature;
mod signature_builder;
mod state;
mod strings;
mod type_data;
mod witness_tables;
mod worklist;

pub use async_functions::{ASYNC_CONTEXT_ALIGNMENT, ASYNC_CONTEXT_HEADER_WORDS, AsyncDeparture, WAITING_CONTEXT_WORDS};
pub use c_structures::CDefinitions;
pub use differentiability_witnesses::DifferentiabilityWitnessId;
pub use distributed_targets::DistributedTarget;
pub use entities::{
    BlockPart, CFunction, ConformancePart, ContextStorage, Definition, Entity, ForwarderKey, Helper, KeyPathFunction,
    KeyPathPart, KeyPathPattern, KeyPathTable, LibraryWitnesses, NominalPart, OpaqueReplacementPart, Operation,
    ReplacementPart, RequirementKey, TypePart, local_name,
};
pub use function::{Explosion, IRGenFunction, Lowered, undefined};
pub use function_pointers::FunctionPointerKind;
pub(crate) use globals::at_global;
pub use heap_layouts::{CaptureDescription, HeapLayout, HeapMetadataKey};
pub use metadata::{
    ClassPlace, DIRECT_ARGUMENTS, FIELD_OFFSET_SIZE, MetadataState, MetadataStrategy, captured, operand_types,
};
pub use mode::TaskResults;
pub use module::{
    FailureReport, IRGenModule, IRGenOptions, Optimization, Roots, RuntimeSource, Threads, once_per_cause,
};
pub use objc_blocks::BLOCK_FLAGS;
pub use partition::{Part, Partition, UnitId};
pub use program::Program;
pub use runtime_functions::RuntimeFunction;
pub(crate) use runtime_inlining::Frequency;
pub use state::{AsyncState, Continuation, CoroutineState, CoroutineToken, Home};
pub use type_data::MetadataSource;
pub use worklist::Use;

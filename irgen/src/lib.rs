//! Lowers the SIL model to LLVM IR, optimises it, and writes objects and executables.
//!
//! The back half of this crate (from `llvm` on) is independent of SIL. It takes an LLVM module and ends with a file or
//! a process:
//!
//! ```text
//! definitions   from a SIL module to an LLVM module: the traversal of used entities, function bodies
//! generation    an LLVM module under construction: symbols, tables, globals, signatures, the worklist
//! instructions  the code of single instructions
//! layout        types: sizes, scalars, enum layouts, shared by all threads; independent of LLVM
//! values        code that moves, copies, destroys and destructures values of types
//! debug         debug information: locations, functions, variables
//!
//! llvm          the boundary to LLVM (the only place with `unsafe`)
//! target        the targets, Swift's ABI facts of each target, the code generator's settings
//! optimize      verifies a module, links the runtime's bitcode in, runs LLVM's pass pipelines
//! c_definitions definitions of C headers, as clang's bitcode in the module
//! units         the parts of a large module, optimised and emitted on all cores
//! emit          LLVM IR, bitcode, assembly and objects, written atomically
//! link          executables: finds a linker and the C library, reports the linker's messages as values
//! read          LLVM IR and bitcode from elsewhere, as text of this LLVM
//! run           starts a built program, under an emulator if the target is foreign
//! error         all errors, and whose fault each is
//! ```
//!
//! Invariant: LLVM's types and values do not leave this crate: modules that have them are private.

mod c_definitions;
pub mod compile;
pub mod debug;
mod definitions;
pub mod emit;
pub mod error;
mod generation;
mod instructions;
pub mod layout;
pub mod link;
mod llvm;
pub mod optimize;
pub mod read;
mod refusal;
pub mod run;
pub mod runtime;
pub mod target;
#[cfg(test)]
mod test_modules;
mod units;
mod values;

pub use error::{Error, ErrorClass};
pub use instructions::{Coverage, builtins::coverage as builtin_coverage, coverage as instruction_coverage};

//! The inlining of runtime functions for reference counting and allocation in optimised code. Inlined, they are several
//! times as large as a call, which increases code size and compile time of a large module. Owns: the decision. LLVM
//! inlines.

use sil_ir::model::Module;

use super::{IRGenFunction, Optimization};

/// The execution frequency of code, as far as control flow shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frequency {
    /// At most once per call.
    Once,
    /// Many times, in a loop.
    Loop,
}

/// The places where runtime functions may be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RuntimeInlining {
    /// Nowhere: the code is not optimised.
    Nowhere,
    /// In loops.
    Loops,
    /// Everywhere.
    Everywhere,
}

/// The minimum number of instructions in a large module. Single-file programs are smaller.
const LARGE_MODULE: usize = 20_000;

impl RuntimeInlining {
    /// Returns the choice for the size of a module.
    pub(super) fn of(module: &Module, optimization: Optimization) -> Self {
        let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
        let instructions: usize = bodies.map(|body| body.instructions.len()).sum();
        match optimization {
            Optimization::None => RuntimeInlining::Nowhere,
            Optimization::Optimize if instructions < LARGE_MODULE => RuntimeInlining::Everywhere,
            Optimization::Optimize => RuntimeInlining::Loops,
        }
    }
}

impl IRGenFunction<'_, '_> {
    /// Returns whether a runtime call in optimised code is not inlined here.
    pub(crate) fn keeps_runtime_calls(&self) -> bool {
        match self.module.program.runtime_inlining {
            RuntimeInlining::Nowhere | RuntimeInlining::Everywhere => false,
            RuntimeInlining::Loops => self.frequency == Frequency::Once,
        }
    }
}

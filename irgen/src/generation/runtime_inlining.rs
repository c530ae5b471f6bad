//! Where optimised code may inline the runtime's functions that count references and allocate. Inlined they are several
//! times as large as a call, which a large module pays for in code and in the time to compile it. Owns the decision;
//! LLVM inlines.

use sil::model::Module;

use super::{IRGenFunction, Optimization};

/// How often a place of a function runs, as far as its control flow shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frequency {
    /// Once in a call, at most.
    Once,
    /// Many times: it is part of a loop.
    Loop,
}

/// Where the runtime's functions may be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RuntimeInlining {
    /// Nowhere: the code is not optimised.
    Nowhere,
    /// Where they are called many times.
    Loops,
    /// Wherever they are called.
    Everywhere,
}

/// From so many instructions on, a module counts as large. Programs of one file are smaller.
const LARGE_MODULE: usize = 20_000;

impl RuntimeInlining {
    /// The choice for the size of a module.
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
    /// Whether a call of the runtime in optimised code stays a call at this place.
    pub(crate) fn keeps_runtime_calls(&self) -> bool {
        match self.module.program.runtime_inlining {
            RuntimeInlining::Nowhere | RuntimeInlining::Everywhere => false,
            RuntimeInlining::Loops => self.frequency == Frequency::Once,
        }
    }
}

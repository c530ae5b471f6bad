//! LLVM's optimisation pipelines over a module: verified before, so that no pass meets a broken module.
//! Owns which pipeline and options each level means.

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;

use crate::Error;
use crate::llvm::modules;
use crate::target::Machine;

/// How much silc optimises, as clang's flags of the same names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OptimizationLevel {
    /// Not at all: the fastest to compile.
    #[default]
    O0,
    /// A little.
    O1,
    /// For speed.
    O2,
    /// For speed, whatever the size.
    O3,
    /// For size, without giving up much speed.
    Os,
    /// For size above all.
    Oz,
}

impl OptimizationLevel {
    /// LLVM's pipeline for it. That of O0 inlines `alwaysinline` functions and splits coroutines, nothing else.
    fn pipeline(self) -> &'static str {
        match self {
            OptimizationLevel::O0 => "default<O0>",
            OptimizationLevel::O1 => "default<O1>",
            OptimizationLevel::O2 => "default<O2>",
            OptimizationLevel::O3 => "default<O3>",
            OptimizationLevel::Os => "default<Os>",
            OptimizationLevel::Oz => "default<Oz>",
        }
    }

    /// Whether code is vectorised: as clang, from O2 up, for size as well but not for least size.
    fn vectorizes(self) -> bool {
        matches!(self, OptimizationLevel::O2 | OptimizationLevel::O3 | OptimizationLevel::Os)
    }

    /// Whether size counts more than speed.
    pub fn is_for_size(self) -> bool {
        matches!(self, OptimizationLevel::Os | OptimizationLevel::Oz)
    }
}

/// Runs the pipeline of the machine's optimisation level over the module.
///
/// Fails with [`Error::Internal`] where LLVM's verifier rejects the module.
pub fn optimize(module: &Module<'_>, machine: &Machine) -> Result<(), Error> {
    modules::verify(module)?;
    let level = machine.optimization();
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(level.vectorizes());
    options.set_loop_slp_vectorization(level.vectorizes());
    options.set_loop_interleaving(level.vectorizes());
    options.set_loop_unrolling(level > OptimizationLevel::O0 && !level.is_for_size());
    options.set_merge_functions(level.is_for_size());
    module
        .run_passes(level.pipeline(), machine.llvm(), options)
        .map_err(|message| Error::Internal(format!("LLVM's passes: {message}")))
}

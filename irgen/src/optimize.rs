//! LLVM's optimisation pipelines over a verified module. Owns: the pipeline and options of each level.

use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;

use crate::Error;
use crate::llvm::attributes::{self, Attribute};
use crate::llvm::{async_functions, globals, modules, shifts};
use crate::runtime::Members;
use crate::target::{Machine, OptimizationLevel, System};

impl OptimizationLevel {
    /// Returns LLVM's pipeline for the level. That of O0 only inlines `alwaysinline` functions and splits coroutines.
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

    /// Returns the function attributes for the level: passes and code generation query functions for size optimisation,
    /// not the pipeline.
    fn attributes(self) -> &'static [Attribute<'static>] {
        match self {
            OptimizationLevel::O0 | OptimizationLevel::O1 | OptimizationLevel::O2 | OptimizationLevel::O3 => &[],
            OptimizationLevel::Os => &[Attribute::OptimizeForSize],
            OptimizationLevel::Oz => &[Attribute::OptimizeForSize, Attribute::MinimizeSize],
        }
    }

    /// Returns whether code is vectorised: as in clang, from O2 up, for size as well but not for least size.
    fn vectorizes(self) -> bool {
        matches!(self, OptimizationLevel::O2 | OptimizationLevel::O3 | OptimizationLevel::Os)
    }
}

/// The options of optimising a module.
#[derive(Clone, Copy, Default)]
pub(crate) struct OptimizeOptions<'a> {
    /// The runtime as bitcode: the functions that the module calls are linked in before, so that they can be inlined.
    /// Its definitions are `linkonce_odr`: those that are not inlined are the same as in the runtime's archive.
    pub runtime: Option<&'a [u8]>,
    /// The symbols that nothing outside of the module refers to, as in an executable made of one module: from O1 up,
    /// they become local.
    pub local_symbols: Option<LocalSymbols<'a>>,
}

/// The rule for symbols that nothing outside of a module refers to.
#[derive(Clone, Copy)]
pub(crate) struct LocalSymbols<'a> {
    /// Whether the rest of the program, without the runtime, has no use for a symbol. Keep `main`.
    pub may_be_local: &'a dyn Fn(&str) -> bool,
    /// The members of the runtime's archive. Those that the linker takes for the module share symbols with it.
    pub members: Option<&'a Members>,
}

impl LocalSymbols<'_> {
    /// Makes the symbols local of which this holds. The runtime's bitcode is part of `module` by now, so that symbols
    /// that one of them uses of the other become local as well.
    fn apply(&self, module: &Module<'_>) {
        let undefined = modules::undefined_symbols_of(module);
        let shared = self.members.map(|members| members.shared_symbols(undefined)).unwrap_or_default();
        globals::make_local(module, &|symbol| (self.may_be_local)(symbol) && !shared.contains(symbol));
    }
}

/// Runs the pipeline of the machine's optimisation level over the module.
///
/// Fails with [`Error::Internal`] if LLVM's verifier rejects the module.
pub(crate) fn optimize<'ctx>(
    context: &'ctx Context,
    module: &Module<'ctx>,
    machine: &Machine,
    options: &OptimizeOptions<'_>,
) -> Result<(), Error> {
    modules::verify(module)?;
    optimize_verified(context, module, machine, options)
}

/// Runs the pipeline over a verified module. The result is input of LLVM's code generator.
pub(crate) fn optimize_verified<'ctx>(
    context: &'ctx Context,
    module: &Module<'ctx>,
    machine: &Machine,
    options: &OptimizeOptions<'_>,
) -> Result<(), Error> {
    let level = machine.optimization();
    if let Some(runtime) = options.runtime {
        let runtime = modules::parse(context, runtime, "runtime")?;
        machine.prepare_module(&runtime);
        modules::link(module, runtime)?;
    }
    if level > OptimizationLevel::O0
        && let Some(local) = options.local_symbols
    {
        local.apply(module);
    }
    attributes::add_to_definitions(module, level.attributes());
    // LLVM changes async function pointers as it splits the functions. They need no memory of a board's afterwards.
    let pointers = match machine.target().system() {
        System::BareMetal => async_functions::pointers(module),
        System::Linux | System::MacOs | System::Windows | System::Wasi => Vec::new(),
    };
    run_passes_of(level, module, machine)?;
    globals::make_constant(module, &pointers);
    if machine.target().expands_shifts_wrongly() {
        shifts::expand_wide(context, module)
            .map_err(|error| Error::Internal(format!("shifts of wide integers: {error}")))?;
    }
    Ok(())
}

/// Runs the pipeline of a level.
fn run_passes_of(level: OptimizationLevel, module: &Module<'_>, machine: &Machine) -> Result<(), Error> {
    let has_coroutines = COROUTINE_INTRINSICS.iter().any(|intrinsic| module.get_function(intrinsic).is_some());
    if level > OptimizationLevel::O0 && has_coroutines {
        run(COROUTINE_PIPELINE, module, machine)?;
    }
    run(level.pipeline(), module, machine)
}

/// The intrinsics that every coroutine of `yield_once` calls, and every async function.
const COROUTINE_INTRINSICS: [&str; 2] = ["llvm.coro.id.retcon.once", "llvm.coro.id.async"];

/// Coroutines are split before anything is inlined: LLVM cannot split one that another's first part was inlined into.
/// The passes before make frames small.
const COROUTINE_PIPELINE: &str = "function(sroa,early-cse,simplifycfg),coro-early,cgscc(coro-split),coro-cleanup";

/// Runs passes named as in LLVM's `opt`.
pub(crate) fn run(pipeline: &str, module: &Module<'_>, machine: &Machine) -> Result<(), Error> {
    module
        .run_passes(pipeline, machine.llvm(), pass_options(machine.optimization()))
        .map_err(|message| Error::Internal(format!("LLVM's passes: {message}")))
}

/// Sets the options as clang does at the same level; identical functions are merged, as in swiftc.
fn pass_options(level: OptimizationLevel) -> PassBuilderOptions {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(level.vectorizes());
    options.set_loop_slp_vectorization(level.vectorizes());
    options.set_loop_interleaving(level.vectorizes());
    options.set_loop_unrolling(level >= OptimizationLevel::O2);
    options.set_merge_functions(level >= OptimizationLevel::O2);
    options.set_call_graph_profile(false);
    options
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;
    use crate::target::{MachineOptions, Target};
    use crate::test_modules::MAIN_TARGETS;

    #[test]
    fn the_runtime_is_inlined_when_optimising_only() {
        const RUNTIME: &str = "@count = linkonce_odr hidden global i64 0\n\
            define linkonce_odr hidden void @swift_retain(ptr %object) {\n  \
        %old = atomicrmw add ptr @count, i64 1 monotonic\n  ret void\n}\n\
            define linkonce_odr hidden void @swift_unused() {\n  ret void\n}\n";
        const PROGRAM: &str = "declare void @swift_retain(ptr)\n\
            define i32 @main() {\n  call void @swift_retain(ptr null)\n  call void @helper()\n  ret i32 0\n}\n\
            define void @helper() noinline {\n  call void asm sideeffect \"\", \"\"()\n  ret void\n}\n\
            define void @unused() {\n  ret void\n}\n";
        for (level, inlined) in
            [(OptimizationLevel::O0, false), (OptimizationLevel::O1, true), (OptimizationLevel::Oz, true)]
        {
            let context = Context::create();
            let runtime = modules::bitcode_of(&modules::parse(&context, RUNTIME.as_bytes(), "runtime").unwrap());
            let module = modules::parse(&context, PROGRAM.as_bytes(), "program").unwrap();
            let target = Target::from_triple(MAIN_TARGETS[0]).unwrap();
            let machine = target.machine(&MachineOptions { optimization: level, ..MachineOptions::default() }).unwrap();
            machine.prepare_module(&module);
            let local_symbols = Some(LocalSymbols { may_be_local: &|name| name != "main", members: None });
            let options = OptimizeOptions { runtime: Some(&runtime), local_symbols };
            optimize(&context, &module, &machine, &options).unwrap();
            let text = modules::text_of(&module);
            assert_eq!(!text.contains("call void @swift_retain"), inlined, "{text}");
            assert_eq!(text.contains("@count = internal global"), inlined, "{text}");
            assert_eq!(text.contains("define internal fastcc void @helper"), inlined, "{text}");
            assert_eq!(!text.contains("@unused"), inlined, "{text}");
            assert!(!text.contains("@swift_unused"), "{text}");
        }
    }
}

//! Compilation of verified SIL modules: each becomes an LLVM module, is optimised and emitted; objects are linked.
//! Owns: the order of the phases and their times. Does not own: the phases.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use headers::Headers;
use inkwell::context::Context;
use inkwell::module::Module as LlvmModule;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{AddressLowering, LanguageMode, Module};
use sil_ir::parallel;
use sil_ir::source::SourceMap;
use sil_ir::types::{ConformanceTable, TypeQueries};

use crate::Error;
use crate::c_definitions;
use crate::debug::DebugOptions;
use crate::emit::{ModuleOutput, emit_to_memory};
pub use crate::error::Failure;
pub use crate::generation::Threads;
use crate::generation::{
    FailureReport, IRGenOptions, Optimization, Partition, Program, Roots, RuntimeSource, once_per_cause,
};
use crate::layout::TargetFacts;
use crate::link::{self, CLibrary, LinkInput, LinkRequest, Placement, Product, SwiftLibrary, Symbols};
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::modules;
use crate::optimize::{LocalSymbols, OptimizeOptions, optimize};
use crate::runtime::{Members, embedded};
use crate::target::{Machine, OptimizationLevel, System, Target};
use crate::units::{self, Generator, UnitOptions};

/// A module to compile.
pub struct Input<'a> {
    /// Its name in messages: the path of the .sil file.
    pub name: &'a str,
    /// The SIL, verified.
    pub module: &'a Module,
    /// The text that it was read from.
    pub sources: &'a SourceMap,
}

/// The runtime that a program is linked with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RuntimeChoice {
    /// silc's own.
    #[default]
    Silc,
    /// Swift's own.
    Swift,
    /// None.
    None,
}

/// The visibility of a module's definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// The module is the whole program: only `main` is visible.
    WholeProgram,
    /// Public symbols are visible to other modules.
    Module,
}

/// The options of compilation.
pub struct CompileOptions<'a> {
    /// The target's code generator.
    pub machine: &'a Machine,
    /// The runtime.
    pub runtime: RuntimeChoice,
    /// The visibility of definitions.
    pub visibility: Visibility,
    /// The number of threads of the program.
    pub threads: Threads,
    /// The debug information to emit, if any.
    pub debug: Option<&'a DebugOptions>,
    /// The C headers that the modules import.
    pub headers: Option<&'a Headers>,
}

impl<'a> CompileOptions<'a> {
    /// Returns the options for `module`. Code of normal Swift may be linked with Swift's own library regardless of the
    /// options: it contains nothing of silc's runtime.
    fn for_module(&self, module: &Module) -> CompileOptions<'a> {
        let runtime = match (module.mode, self.runtime) {
            (LanguageMode::Full, RuntimeChoice::Silc) => RuntimeChoice::Swift,
            (_, runtime) => runtime,
        };
        CompileOptions { runtime, ..*self }
    }
}

/// The options of linking.
#[derive(Debug, Clone, Default)]
pub struct LinkOptions {
    /// The C library of the executable.
    pub c_library: CLibrary,
    /// Whether it keeps its symbols.
    pub symbols: Symbols,
    /// The linker, if the user names one.
    pub linker: Option<PathBuf>,
    /// The root of the target's system.
    pub sysroot: Option<PathBuf>,
    /// Folders to look for `libraries` in.
    pub library_folders: Vec<PathBuf>,
    /// Libraries by name.
    pub libraries: Vec<String>,
    /// Swift's own library, if it is the runtime.
    pub swift_library: Option<SwiftLibrary>,
    /// Objects, archives and libraries of others.
    pub files: Vec<PathBuf>,
    /// The memory placement of a program without an operating system.
    pub placement: Option<Placement>,
    /// The symbols exported to the host of a WebAssembly library; `None` for a program.
    pub exports: Option<Vec<String>>,
    /// Further arguments for the linker.
    pub extra_arguments: Vec<OsString>,
}

/// The time of each phase, in order.
#[derive(Debug, Default, Clone)]
pub struct PhaseTimes(Vec<(&'static str, Duration)>);

impl PhaseTimes {
    /// Runs `work` and adds its time to that of `phase`.
    pub fn measure<T>(&mut self, phase: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(phase, start.elapsed());
        result
    }

    /// Adds the times of another thread.
    fn append(&mut self, other: PhaseTimes) {
        other.0.into_iter().for_each(|(phase, time)| self.add(phase, time));
    }

    fn add(&mut self, phase: &'static str, time: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, total)) => *total += time,
            None => self.0.push((phase, time)),
        }
    }

    /// The phases with their times.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> + '_ {
        self.0.iter().copied()
    }
}

/// Compiles modules on all cores, each to one kind of output, in memory. The results are in the order of `inputs`;
/// `begin` gets the number of each module as it begins. Times are sums over threads.
pub fn compile_all(
    inputs: &[Input<'_>],
    options: &CompileOptions<'_>,
    output: ModuleOutput,
    times: &mut PhaseTimes,
    begin: &(dyn Fn(usize) + Sync),
) -> Vec<Result<Vec<u8>, Failure>> {
    // A code generator is for one thread.
    let CompileOptions { machine, runtime, visibility, threads, debug, headers } = *options;
    let (target, machine_options) = (machine.target(), machine.options());
    let numbered: Vec<(usize, &Input<'_>)> = inputs.iter().enumerate().collect();
    let compiled = parallel::map(&numbered, |(number, input)| {
        begin(*number);
        let mut times = PhaseTimes::default();
        let compiled = target.machine(machine_options).map_err(Failure::Error).and_then(|machine| {
            let options = CompileOptions { machine: &machine, runtime, visibility, threads, debug, headers };
            compile(input, &options, output, &mut times)
        });
        (compiled, times)
    });
    let collect = |(compiled, its_times)| {
        times.append(its_times);
        compiled
    };
    compiled.into_iter().map(collect).collect()
}

/// Compiles one module to one kind of output, in memory.
pub fn compile(
    input: &Input<'_>,
    options: &CompileOptions<'_>,
    output: ModuleOutput,
    times: &mut PhaseTimes,
) -> Result<Vec<u8>, Failure> {
    let options = &options.for_module(input.module);
    // Local definitions of headers must occur once per module.
    let is_whole = output != ModuleOutput::Object
        || !units::is_supported(options.machine.target(), options.debug)
        || options.headers.is_some();
    let optimization = options.machine.optimization();
    let partition = Some(input.module).filter(|_| !is_whole).and_then(|module| Partition::of(module, optimization));
    let Some(partition) = partition else {
        return compile_to(input, options, [output], times).map(|[bytes]| bytes);
    };
    let runtime = runtime_bitcode(options);
    let local = local_symbols(options)?;
    let unit_options = UnitOptions::new(options.machine, runtime, &local);
    with_generator(input, options, |generator| {
        let units = times.measure("irgen", || units::generate(generator, &partition, &unit_options))?;
        Ok(times.measure("units", || units.compile(&unit_options))?)
    })
}

/// The symbols of units that nothing outside of the program needs: in a whole program that is optimised all but `main`
/// and those that the runtime knows. The units share the runtime.
fn local_symbols(options: &CompileOptions<'_>) -> Result<impl Fn(&str) -> bool + Sync + use<>, Error> {
    let members = runtime_members(options)?;
    let is_whole = options.visibility == Visibility::WholeProgram && emission(options) == Optimization::Optimize;
    let target = options.machine.target().clone();
    let is_of_runtime = move |symbol: &str| members.as_ref().is_some_and(|members| members.refer_to(symbol));
    Ok(move |symbol: &str| is_whole && is_local(symbol, &target) && !is_of_runtime(symbol))
}

/// Compiles one module to several kinds of output, in memory, each from the same LLVM module. Code must come after IR
/// in `outputs`, since its emission changes the module.
pub fn compile_to<const N: usize>(
    input: &Input<'_>,
    options: &CompileOptions<'_>,
    outputs: [ModuleOutput; N],
    times: &mut PhaseTimes,
) -> Result<[Vec<u8>; N], Failure> {
    let options = &options.for_module(input.module);
    let context = Context::create();
    let module = times.measure("irgen", || generate(input, options, &context))?;
    finish_whole(&module, options, &context, outputs, times)
}

/// Optimises a module as a whole and emits it.
fn finish_whole<'ctx, const N: usize>(
    module: &LlvmModule<'ctx>,
    options: &CompileOptions<'_>,
    context: &'ctx Context,
    outputs: [ModuleOutput; N],
    times: &mut PhaseTimes,
) -> Result<[Vec<u8>; N], Failure> {
    let diagnostics = DiagnosticCollector::install(context);
    if outputs.iter().all(|output| *output == ModuleOutput::Object) {
        modules::discard_value_names(context);
    }
    times.measure("optimize", || finish(module, options, context))?;
    diagnostics.check()?;
    let mut emitted = outputs.map(|_| Vec::new());
    for (bytes, output) in emitted.iter_mut().zip(outputs) {
        *bytes = times.measure("emit", || emit_to_memory(module, options.machine, output, &diagnostics))?;
    }
    Ok(emitted)
}

fn generate<'ctx>(
    input: &Input<'_>,
    options: &CompileOptions<'_>,
    context: &'ctx Context,
) -> Result<LlvmModule<'ctx>, Failure> {
    with_generator(input, options, |generator| {
        let irgen = generator.begin(None, options.machine, context);
        irgen.generate();
        let (module, c_definitions, errors) = irgen.finish();
        if !errors.is_empty() {
            return Err(Failure::Diagnostics(once_per_cause(errors)));
        }
        c_definitions::link(&module, options.machine, context, generator.program.headers, &c_definitions)?;
        units::link_shims(&module, options.machine, context)?;
        c_definitions::require_bodies(input.module, &module, generator.program.headers)?;
        Ok(module)
    })
}

/// Runs `work` on the generator of the input's LLVM modules.
fn with_generator<T>(
    input: &Input<'_>,
    options: &CompileOptions<'_>,
    work: impl FnOnce(&Generator<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    require_pointers_of_the_target(input, options.machine.target())?;
    require_lowered_addresses(input.module)?;
    let conformances = ConformanceTable::new(&input.module.context, &input.module.witness_tables);
    let queries = TypeQueries::of(input.module, &conformances);
    let program = Program::new(input.module, &queries, options.headers, irgen_options(options));
    work(&Generator { program: &program, name: input.name, sources: input.sources, debug: options.debug })
}

/// The options and facts of the target for IRGen.
pub(crate) fn irgen_options(options: &CompileOptions<'_>) -> IRGenOptions {
    let target = options.machine.target();
    IRGenOptions {
        target: target_facts(target),
        swift_convention: target.swift_calling_convention(),
        swift_async_convention: target.swift_async_calling_convention(),
        optimization: emission(options),
        runtime: match options.runtime {
            RuntimeChoice::Silc => RuntimeSource::Silc,
            RuntimeChoice::Swift | RuntimeChoice::None => RuntimeSource::Module,
        },
        failure_report: failure_report(options),
        roots: match options.visibility {
            Visibility::WholeProgram => Roots::Main { also: known_to_start_up(target) },
            Visibility::Module => Roots::Visible,
        },
        threads: options.threads,
        register_keeping_convention: target.register_keeping_calling_convention(),
        object_format: target.object_format(),
        entry_symbol: target.entry_symbol(),
        architecture: target.architecture(),
        c_library_symbols: embedded::c_library_symbols(target),
    }
}

/// Requires the pointer size of the target, which the SIL instructions contain.
fn require_pointers_of_the_target(input: &Input<'_>, target: &Target) -> Result<(), Failure> {
    let (made_for, wanted) = (input.module.platform.pointer_width, target.platform().pointer_width);
    if made_for == wanted {
        return Ok(());
    }
    let (made_for, wanted) = (made_for.bits(), wanted.bits());
    let module = input.module;
    let triple = target.triple();
    let message = format!(
        "the module was made for {made_for}-bit pointers ('Int' is that wide), those of '{triple}' have {wanted} bits"
    );
    let first_function = || module.functions.values().next().map(|function| function.span);
    let Some(place) = module.pointer_width_span.or_else(first_function) else { return Ok(()) };
    let hint = format!("let Swift print the module for this target, or compile it for one of {made_for} bits");
    Err(Failure::Diagnostics(vec![Diagnostic::error("pointer-width", message, place).hint(hint)]))
}

/// Requires lowered addresses: opaque values have no memory until the address lowering pass.
fn require_lowered_addresses(module: &Module) -> Result<(), Failure> {
    let opaque = module.address_lowering == AddressLowering::Opaque;
    match module.functions.values().find(|function| opaque && function.body.is_some()) {
        None => Ok(()),
        Some(function) => {
            let what = "opaque values: the functions of this module are from before the address lowering pass";
            Err(Failure::Diagnostics(vec![Diagnostic::unsupported(what, function.span).in_function(function.name)]))
        }
    }
}

/// Failure messages need silc's runtime, which prints them. For the smallest code size they would be a large part of a
/// program.
fn failure_report(options: &CompileOptions<'_>) -> FailureReport {
    let is_least = options.machine.optimization() == OptimizationLevel::Oz;
    match options.runtime {
        RuntimeChoice::Silc if is_least && options.machine.target().system() == System::BareMetal => {
            FailureReport::Silence
        }
        RuntimeChoice::Silc => FailureReport::Message,
        RuntimeChoice::Swift | RuntimeChoice::None => FailureReport::Silence,
    }
}

fn emission(options: &CompileOptions<'_>) -> Optimization {
    match options.machine.optimization() {
        OptimizationLevel::O0 => Optimization::None,
        _ => Optimization::Optimize,
    }
}

fn target_facts(target: &Target) -> TargetFacts {
    let abi = target.swift_abi();
    TargetFacts {
        pointer_size: u64::from(target.pointer_size()),
        heap_object_spare_bits: abi.pointer_spare_bits,
        least_valid_pointer: abi.least_valid_pointer.min(u64::from(u32::MAX >> 1)) as u32,
        direct_registers: u64::from(abi.maximum_direct_scalars),
    }
}

/// Links the runtime's bitcode in if it is wanted, hides local symbols, and runs the passes.
fn finish<'ctx>(module: &LlvmModule<'ctx>, options: &CompileOptions<'_>, context: &'ctx Context) -> Result<(), Error> {
    let members = runtime_members(options)?;
    let may_be_local: &dyn Fn(&str) -> bool = &|symbol| is_local(symbol, options.machine.target());
    let local_symbols = match options.visibility {
        Visibility::WholeProgram => Some(LocalSymbols { may_be_local, members: members.as_ref() }),
        Visibility::Module => None,
    };
    let runtime = runtime_bitcode(options);
    optimize(context, module, options.machine, &OptimizeOptions { runtime, local_symbols })
}

/// Returns the runtime to link in: for optimisation, so that it can be inlined; and for boards, since their objects may
/// be linked without a runtime.
fn runtime_bitcode(options: &CompileOptions<'_>) -> Option<&'static [u8]> {
    let target = options.machine.target();
    let is_linked_in = emission(options) == Optimization::Optimize || target.system() == System::BareMetal;
    match options.runtime {
        RuntimeChoice::Silc => embedded::bitcode(target).filter(|_| is_linked_in),
        RuntimeChoice::Swift | RuntimeChoice::None => None,
    }
}

/// The members of the runtime's archive if the program is one module, optimised.
fn runtime_members(options: &CompileOptions<'_>) -> Result<Option<Members>, Error> {
    let is_whole = options.visibility == Visibility::WholeProgram && emission(options) == Optimization::Optimize;
    let archive = match options.runtime {
        RuntimeChoice::Silc => embedded::archive(options.machine.target()).filter(|_| is_whole),
        RuntimeChoice::Swift | RuntimeChoice::None => None,
    };
    let members = archive.map(Members::read).transpose();
    members.map_err(|error| Error::Internal(format!("the runtime's archive: {error}")))
}

/// The definitions of a program for its start-up code, beside `main`: without a system's C library, handlers of
/// interrupts and the functions that silc's C library defines as well.
fn known_to_start_up(target: &Target) -> &'static [&'static str] {
    match target.system() {
        System::BareMetal | System::Wasi => embedded::c_library_symbols(target),
        System::Linux | System::MacOs | System::Windows => &[],
    }
}

/// Whether a symbol of a whole program is for the program alone, and perhaps the runtime.
fn is_local(symbol: &str, target: &Target) -> bool {
    symbol != target.entry_symbol() && known_to_start_up(target).binary_search(&symbol).is_err()
}

/// Links objects to an executable, in memory.
pub fn link_executable(
    objects: &[(String, Vec<u8>)],
    machine: &Machine,
    runtime: RuntimeChoice,
    options: &LinkOptions,
) -> Result<Vec<u8>, Error> {
    let target = machine.target();
    let inputs: Vec<LinkInput> = objects.iter().map(|(name, object)| LinkInput { name, object }).collect();
    let (archive, wanted_symbol) = match runtime {
        RuntimeChoice::Silc => {
            (embedded::archive(target), Some(OBJECT_POOL_IS_SAFE).filter(|_| has_object_pool(options)))
        }
        RuntimeChoice::Swift if options.swift_library.is_some() => {
            (embedded::swift_image(target), Some(REGISTER_SWIFT_IMAGE))
        }
        RuntimeChoice::Swift | RuntimeChoice::None => (None, None),
    };
    let archives: Vec<&[u8]> = archive.into_iter().collect();
    let wanted_symbols: Vec<&str> = wanted_symbol.filter(|_| archive.is_some()).into_iter().collect();
    link::link(&LinkRequest {
        files: &options.files,
        archives: &archives,
        wanted_symbols: &wanted_symbols,
        freestanding_library: embedded::c_library(target),
        c_library: options.c_library,
        symbols: options.symbols,
        linker: options.linker.as_deref(),
        sysroot: options.sysroot.as_deref(),
        library_folders: &options.library_folders,
        libraries: &options.libraries,
        swift_library: options.swift_library.as_ref(),
        placement: options.placement.as_ref(),
        product: options.exports.as_deref().map_or(Product::Program, |exports| Product::Library { exports }),
        extra_arguments: &options.extra_arguments,
        ..LinkRequest::new(target, &inputs)
    })
}

/// Allows the runtime to give objects memory that `free` cannot take back (runtime-c/object_pool.c).
const OBJECT_POOL_IS_SAFE: &str = "silc_objectPoolIsSafe";

/// The function that registers an executable with Swift's own library as it starts (runtime-c/swift/image.c).
const REGISTER_SWIFT_IMAGE: &str = "silc_registerSwiftImage";

/// Returns whether all code that can free an object is silc's: the runtime, and no object file or library that may be
/// made by another compiler.
fn has_object_pool(options: &LinkOptions) -> bool {
    let is_own = |library: &String| link::is_part_of_c_library(library);
    options.files.is_empty() && options.libraries.iter().all(is_own)
}

/// Returns the archive of silc's runtime for a target, for linking elsewhere.
pub fn runtime_archive(target: &Target) -> Result<&'static [u8], Error> {
    embedded::archive(target)
        .ok_or_else(|| Error::UnsupportedByTarget { triple: target.triple().to_owned(), what: "the runtime of silc" })
}

/// Returns the name of an input in messages.
pub fn input_name(path: &Path) -> String {
    path.display().to_string()
}

//! `silc build`: compiles modules to output files.

use std::path::{Path, PathBuf};

use irgen::compile::{
    self, CompileOptions, Failure, Input, LinkOptions, PhaseTimes, RuntimeChoice, Threads, Visibility,
};
use irgen::debug::{DebugOptions, Detail, PathPrefixes, Positions};
use irgen::emit::{self, Destination, FileMode, ModuleOutput};
use irgen::link::{Board, CLibrary, ImageFormat, Placement, SwiftLibrary, Symbols, image, is_part_of_c_library};
use irgen::target::{Machine, MachineOptions, ObjectFormat, OptimizationLevel, System, Target};

use sil::declarations::DefinedIn;
use sil::model::{ENTRY_POINT_NAMES, Function, LanguageMode, Module};
use sil::transform::PassTimes;

use crate::arguments::{BuildOptions, DebugPositions, Emit, InputOptions, Level, Runtime, TargetOptions};
use crate::headers::HeaderReader;
use crate::inputs::Inputs;
use crate::load::{self, Loaded, Purpose};
use crate::lower::{Lowering, lower, optimize};
use crate::report::{Reporter, Status};

/// Builds according to the options.
pub fn build(options: &BuildOptions) -> Status {
    let reporter = Reporter::new(options.input.message_format);
    let mut times = PhaseTimes::default();
    let mut passes = PassTimes::default();
    let status = try_build(options, &reporter, &mut times, &mut passes).err().unwrap_or(Status::Done);
    if options.time_phases {
        for (phase, time) in times.iter() {
            eprintln!("{phase:10} {:9.3} ms", time.as_secs_f64() * 1e3);
        }
        for (pass, time) in passes.iter() {
            eprintln!("  {:40} {:9.3} ms", pass.name(), time.as_secs_f64() * 1e3);
        }
    }
    status
}

fn try_build(
    options: &BuildOptions,
    reporter: &Reporter,
    times: &mut PhaseTimes,
    passes: &mut PassTimes,
) -> Result<(), Status> {
    let machine = machine(&options.target, reporter)?;
    if options.emit == Emit::Runtime {
        let archive = compile::runtime_archive(machine.target()).map_err(|error| reporter.backend(&error))?;
        let path = options.output.as_deref().unwrap_or("libsilc.a".as_ref());
        return emit::write(archive, &Destination::from_argument(path)).map_err(|error| reporter.backend(&error));
    }
    let inputs = Inputs::new(&options.input, reporter)?;
    let mut loaded = times.measure("parse", || load_for(&inputs, &options.target, &machine, reporter))?;
    let product = product(options.emit);
    let visibility =
        product.map_or(Visibility::Module, |product| visibility(&inputs, &options.target, product, &loaded));
    let lowering = Lowering::with_options(&options.target, visibility);
    *passes = times.measure("transform", || match options.emit {
        Emit::Sil => optimize(&mut loaded, lowering, reporter),
        _ => lower(&mut loaded, lowering, reporter),
    })?;
    if let Some((form, product)) = executable_form(options.emit).zip(product) {
        let executable = executable(&inputs, &options.target, product, &loaded, &machine, reporter, times)?;
        let path = output_path(options, options.input.files.first().map_or("-".as_ref(), PathBuf::as_path));
        return times.measure("write", || write_form(&executable, form, &path, reporter));
    }
    inputs.require_sil(reporter)?;
    if options.output.is_some() && inputs.sil.files.len() > 1 {
        reporter.error("-o names one file, but there are several inputs and they are not linked", None);
        return Err(Status::Usage);
    }
    let mut status = Ok(());
    for (file, output) in options.input.files.iter().zip(outputs(options, &loaded, &machine, reporter, times)) {
        let path = output_path(options, file);
        let write = |bytes: Vec<u8>| {
            emit::write(&bytes, &Destination::from_argument(&path)).map_err(|error| reporter.backend(&error))
        };
        status = status.and(output.and_then(write));
    }
    status
}

/// Reads the .sil files to compile for a machine, and the C headers that they import.
pub fn load_for(
    inputs: &Inputs,
    target: &TargetOptions,
    machine: &Machine,
    reporter: &Reporter,
) -> Result<Loaded, Status> {
    let clang_arguments = machine.clang_arguments(target.sysroot.as_deref());
    let c_library_map = c_library_map(target, machine.target());
    let c_library_map = c_library_map.as_deref();
    let headers = HeaderReader { arguments: &target.headers, clang_arguments: &clang_arguments, c_library_map };
    let purpose = Purpose::compiling(machine.target()).with_headers(headers);
    load::load(&inputs.sil, purpose, reporter)
}

/// Returns the output of each module, in order.
fn outputs(
    options: &BuildOptions,
    loaded: &Loaded,
    machine: &Machine,
    reporter: &Reporter,
    times: &mut PhaseTimes,
) -> Vec<Result<Vec<u8>, Status>> {
    let kind = match options.emit {
        Emit::Obj | Emit::Exe | Emit::Bin | Emit::Hex | Emit::Wasm | Emit::Runtime => ModuleOutput::Object,
        Emit::Asm => ModuleOutput::Assembly,
        Emit::LlvmIr => ModuleOutput::LlvmIr,
        Emit::LlvmBc => ModuleOutput::LlvmBitcode,
        Emit::Sil => {
            let print = |module| Ok(sil::print::print_module(module, &loaded.sources).into_bytes());
            return loaded.modules.iter().map(print).collect();
        }
    };
    compile_modules(&options.input, &options.target, loaded, machine, Visibility::Module, kind, reporter, times)
}

/// Compiles the loaded modules to one kind of output, in memory.
#[expect(clippy::too_many_arguments, reason = "one call site each for objects of executables and other output")]
pub fn compile_modules(
    input: &InputOptions,
    target: &TargetOptions,
    loaded: &Loaded,
    machine: &Machine,
    visibility: Visibility,
    kind: ModuleOutput,
    reporter: &Reporter,
    times: &mut PhaseTimes,
) -> Vec<Result<Vec<u8>, Status>> {
    let debug = debug_options(target);
    let options = CompileOptions { visibility, ..compile_options(target, loaded, machine, debug.as_ref()) };
    compile_loaded(input, loaded, &options, kind, reporter, times)
}

/// Returns the output of the only module.
pub fn only(mut outputs: Vec<Result<Vec<u8>, Status>>) -> Result<Vec<u8>, Status> {
    outputs.pop().unwrap_or(Err(Status::Internal))
}

/// Compiles the only loaded module to LLVM IR text, with this debug information instead of that of the options.
pub fn compile_with(
    input: &InputOptions,
    target: &TargetOptions,
    loaded: &Loaded,
    machine: &Machine,
    debug: Option<&DebugOptions>,
    reporter: &Reporter,
) -> Result<Vec<u8>, Status> {
    let options = compile_options(target, loaded, machine, debug);
    let mut times = PhaseTimes::default();
    only(compile_loaded(input, loaded, &options, ModuleOutput::LlvmIr, reporter, &mut times))
}

fn compile_options<'a>(
    target: &TargetOptions,
    loaded: &'a Loaded,
    machine: &'a Machine,
    debug: Option<&'a DebugOptions>,
) -> CompileOptions<'a> {
    CompileOptions {
        machine,
        runtime: runtime(target.runtime),
        visibility: Visibility::Module,
        threads: threads(target),
        debug,
        headers: loaded.headers.as_deref(),
    }
}

fn compile_loaded(
    input: &InputOptions,
    loaded: &Loaded,
    options: &CompileOptions<'_>,
    kind: ModuleOutput,
    reporter: &Reporter,
    times: &mut PhaseTimes,
) -> Vec<Result<Vec<u8>, Status>> {
    let names: Vec<String> = input.files.iter().map(|file| compile::input_name(file)).collect();
    let named = names.iter().zip(&loaded.modules);
    let inputs: Vec<_> = named.map(|(name, module)| Input { name, module, sources: &loaded.sources }).collect();
    reporter.progress.expect(inputs.len(), "compiling");
    let begin = |number: usize| reporter.progress.step(&names[number]);
    let outputs = compile::compile_all(&inputs, options, kind, times, &begin);
    let report = |(output, module): (Result<Vec<u8>, Failure>, &Module)| {
        output.map_err(|failure| match failure {
            Failure::Diagnostics(diagnostics) => {
                reporter.diagnostics(&diagnostics, &loaded.sources, Some(&module.context));
                Status::InputAtFault
            }
            Failure::Error(error) => reporter.backend(&error),
        })
    };
    outputs.into_iter().zip(&loaded.modules).map(report).collect()
}

/// The product of the linker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// A program with a `main`.
    Program,
    /// A library for a WebAssembly host.
    WebAssemblyLibrary,
}

/// Compiles and links a program or a library, in memory.
pub fn executable(
    inputs: &Inputs,
    target: &TargetOptions,
    product: Product,
    loaded: &Loaded,
    machine: &Machine,
    reporter: &Reporter,
    times: &mut PhaseTimes,
) -> Result<Vec<u8>, Status> {
    let is_all = is_all(inputs, target);
    let placement = placement(target, machine.target(), reporter)?;
    let is_program = product == Product::Program;
    if !is_program && machine.target().object_format() != ObjectFormat::Wasm {
        reporter.error(
            &format!("target '{}' is no WebAssembly", machine.target().triple()),
            Some("name one with --target"),
        );
        return Err(Status::Usage);
    }
    let visibility = visibility(inputs, target, product, loaded);
    if is_program && is_all && !loaded.modules.iter().any(defines_main) {
        reporter.error(
            "no function 'main' is defined, which a program begins with",
            Some("define it, or emit an object with --emit obj"),
        );
        return Err(Status::InputAtFault);
    }
    let kind = ModuleOutput::Object;
    let compiled = compile_modules(&inputs.sil, target, loaded, machine, visibility, kind, reporter, times);
    let compiled: Vec<Vec<u8>> = compiled.into_iter().collect::<Result<_, _>>()?;
    let names = inputs.sil.files.iter().map(|file| compile::input_name(file));
    let objects: Vec<(String, Vec<u8>)> = names.zip(compiled).collect();
    let swift_library = swift_library(target, loaded).map_err(|error| reporter.backend(&error))?;
    let link = LinkOptions {
        c_library: if target.static_library { CLibrary::Static } else { CLibrary::Shared },
        symbols: if target.strip { Symbols::Strip } else { Symbols::Keep },
        linker: target.linker.clone(),
        sysroot: target.sysroot.clone(),
        library_folders: target.library_folders.clone(),
        libraries: target.libraries.clone(),
        swift_library,
        files: inputs.linked.clone(),
        placement,
        exports: (!is_program).then(|| loaded.modules.iter().flat_map(exports).collect()),
        extra_arguments: Vec::new(),
    };
    reporter.progress.end();
    let linked = times.measure("link", || compile::link_executable(&objects, machine, runtime(target.runtime), &link));
    linked.map_err(|error| match ordinary_module(&error, target, inputs, loaded) {
        Some(file) => {
            let message = format!("'{file}' is ordinary Swift: its programs are linked with Swift's own library");
            let hint = "`--runtime swift` does that; SIL of Embedded Swift needs no library";
            reporter.error(&message, Some(hint));
            Status::InputAtFault
        }
        None => reporter.backend(&error),
    })
}

/// Returns the file with a module of ordinary Swift, if linking failed because it needs Swift's library.
fn ordinary_module(error: &irgen::Error, target: &TargetOptions, inputs: &Inputs, loaded: &Loaded) -> Option<String> {
    let irgen::Error::Link(failure) = error else { return None };
    let is_of_library = |symbol: &str| OF_SWIFT_LIBRARY.iter().any(|prefix| symbol.starts_with(prefix));
    if target.runtime == Runtime::Swift || !failure.undefined.iter().any(|missing| is_of_library(&missing.symbol)) {
        return None;
    }
    let mut modules = inputs.sil.files.iter().zip(&loaded.modules);
    modules.find(|(_, module)| module.mode == LanguageMode::Full).map(|(file, _)| file.display().to_string())
}

/// The prefixes of the symbols of Swift's library and runtime, also with the leading underscore of some platforms.
const OF_SWIFT_LIBRARY: [&str; 6] = ["$ss", "$sS", "swift_", "_$ss", "_$sS", "_swift_"];

/// Returns whether nothing but the modules and the C library is linked.
fn is_all(inputs: &Inputs, target: &TargetOptions) -> bool {
    inputs.linked.is_empty() && target.libraries.iter().all(|library| is_part_of_c_library(library))
}

/// Returns the visibility of a product's definitions. A linker script may name any symbol.
pub fn visibility(inputs: &Inputs, target: &TargetOptions, product: Product, loaded: &Loaded) -> Visibility {
    let is_known = is_all(inputs, target) && target.linker_script.is_none();
    match product == Product::Program && is_known && loaded.modules.len() == 1 {
        true => Visibility::WholeProgram,
        false => Visibility::Module,
    }
}

/// Returns clang's module map of the C library in the toolchain that modules are compiled for.
fn c_library_map(options: &TargetOptions, target: &Target) -> Option<PathBuf> {
    let is_swift = options.runtime == Runtime::Swift;
    let library = is_swift.then(|| SwiftLibrary::find(options.swift_sdk.as_deref(), options.sysroot.as_deref()))?;
    library.ok()?.c_library_map(target)
}

/// Returns Swift's own library, if it is the runtime of the product. Modules of Embedded Swift contain the parts of it
/// that they use.
pub fn swift_library(target: &TargetOptions, loaded: &Loaded) -> Result<Option<SwiftLibrary>, irgen::Error> {
    let is_normal = |module: &Module| module.mode == LanguageMode::Full;
    if target.runtime != Runtime::Swift || !(target.swift_sdk.is_some() || loaded.modules.iter().any(is_normal)) {
        return Ok(None);
    }
    SwiftLibrary::find(target.swift_sdk.as_deref(), target.sysroot.as_deref()).map(Some)
}

/// Returns the memory placement of a program for a target without an operating system.
pub fn placement(options: &TargetOptions, target: &Target, reporter: &Reporter) -> Result<Option<Placement>, Status> {
    let is_board = target.system() == System::BareMetal && target.object_format() == ObjectFormat::Elf;
    if !is_board && (options.board.is_some() || options.linker_script.is_some()) {
        reporter.error(&format!("the programs of target '{}' are not for a board", target.triple()), None);
        return Err(Status::Usage);
    }
    if let Some(script) = &options.linker_script {
        return Ok(Some(Placement::Script(script.clone())));
    }
    let find = || Board::find(options.board.as_deref(), target).map(Placement::Board);
    is_board.then(find).transpose().map_err(|error| reporter.backend(&error))
}

/// The form of a linked executable.
enum ExecutableForm {
    /// An executable for the loader of its format.
    Executable,
    /// An image of a board's memory.
    Image(ImageFormat),
}

fn executable_form(emit: Emit) -> Option<ExecutableForm> {
    match emit {
        Emit::Exe | Emit::Wasm => Some(ExecutableForm::Executable),
        Emit::Bin => Some(ExecutableForm::Image(ImageFormat::Binary)),
        Emit::Hex => Some(ExecutableForm::Image(ImageFormat::IntelHex)),
        Emit::Obj | Emit::Asm | Emit::LlvmIr | Emit::LlvmBc | Emit::Sil | Emit::Runtime => None,
    }
}

/// Returns the product to link, if any.
fn product(emit: Emit) -> Option<Product> {
    match emit {
        Emit::Exe | Emit::Bin | Emit::Hex => Some(Product::Program),
        Emit::Wasm => Some(Product::WebAssemblyLibrary),
        Emit::Obj | Emit::Asm | Emit::LlvmIr | Emit::LlvmBc | Emit::Sil | Emit::Runtime => None,
    }
}

fn write_form(executable: &[u8], form: ExecutableForm, path: &Path, reporter: &Reporter) -> Result<(), Status> {
    match form {
        ExecutableForm::Executable => write_executable(executable, path, reporter),
        ExecutableForm::Image(format) => image(executable, format)
            .and_then(|bytes| emit::write(&bytes, &Destination::from_argument(path)))
            .map_err(|error| reporter.backend(&error)),
    }
}

/// Returns the functions that the module defines under C names.
fn exports(module: &Module) -> Vec<String> {
    let defined = |name| module.function_named(name).is_some_and(|id| module.functions[id].body.is_some());
    let functions = module.declarations.foreign_functions().iter();
    let names = functions.filter_map(|function| function.c_name).filter(|(_, side)| *side == DefinedIn::Swift);
    names.filter(|(name, _)| defined(*name)).map(|(name, _)| module.context.text(name).to_owned()).collect()
}

fn defines_main(module: &Module) -> bool {
    let is_entry = |function: &Function| ENTRY_POINT_NAMES.contains(&module.context.text(function.name));
    module.functions.values().any(|function| function.body.is_some() && is_entry(function))
}

/// Writes an executable file.
pub fn write_executable(executable: &[u8], path: &Path, reporter: &Reporter) -> Result<(), Status> {
    let written = if path == Path::new("-") {
        emit::write(executable, &Destination::StandardOutput)
    } else {
        emit::write_file(executable, path, FileMode::Executable)
    };
    written.map_err(|error| reporter.backend(&error))
}

/// Creates the code generator for a target, by default the host, at a level.
pub fn machine_for(target: Option<&str>, optimization: Level, reporter: &Reporter) -> Result<Machine, Status> {
    let machine_options = MachineOptions { optimization: level(optimization), ..MachineOptions::default() };
    target_named(target).and_then(|target| target.machine(&machine_options)).map_err(|error| reporter.backend(&error))
}

fn target_named(triple: Option<&str>) -> Result<Target, irgen::Error> {
    triple.map_or_else(Target::host, Target::from_triple)
}

/// Creates the code generator that the options request.
pub fn machine(options: &TargetOptions, reporter: &Reporter) -> Result<Machine, Status> {
    let machine_options = MachineOptions {
        cpu: options.cpu.clone(),
        features: options.features.clone(),
        optimization: level(options.level),
        ..MachineOptions::default()
    };
    target_named(options.target.as_deref())
        .and_then(|target| target.machine(&machine_options))
        .map_err(|error| reporter.backend(&error))
}

fn level(level: Level) -> OptimizationLevel {
    match level {
        Level::Zero => OptimizationLevel::O0,
        Level::One => OptimizationLevel::O1,
        Level::Two => OptimizationLevel::O2,
        Level::Three => OptimizationLevel::O3,
        Level::Size => OptimizationLevel::Os,
        Level::LeastSize => OptimizationLevel::Oz,
    }
}

/// Returns the debug options of `-g`. If the current folder was deleted, relative paths stay relative.
fn debug_options(options: &TargetOptions) -> Option<DebugOptions> {
    let positions = match options.debug? {
        DebugPositions::Swift => Positions::Swift,
        DebugPositions::Sil => Positions::Sil,
    };
    let directory = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
    let prefixes = PathPrefixes::new(options.debug_prefix_map.clone());
    Some(DebugOptions { positions, detail: Detail::Full, directory, prefixes })
}

fn threads(options: &TargetOptions) -> Threads {
    if options.assume_single_threaded { Threads::One } else { Threads::Any }
}

fn runtime(runtime: Runtime) -> RuntimeChoice {
    match runtime {
        Runtime::Silc => RuntimeChoice::Silc,
        Runtime::Swift => RuntimeChoice::Swift,
        Runtime::None => RuntimeChoice::None,
    }
}

/// Returns the path of the output for an input: in the current folder by default, as for clang.
fn output_path(options: &BuildOptions, input: &Path) -> PathBuf {
    if let Some(path) = &options.output {
        return path.clone();
    }
    let suffix = match options.emit {
        Emit::Exe => return PathBuf::from("a.out"),
        Emit::Bin => "bin",
        Emit::Hex => "hex",
        Emit::Wasm => "wasm",
        Emit::Obj => "o",
        Emit::Asm => "s",
        Emit::LlvmIr => "ll",
        Emit::LlvmBc => "bc",
        Emit::Sil => return PathBuf::from("-"),
        Emit::Runtime => "a",
    };
    let stem = input.file_stem().filter(|_| input != Path::new("-")).unwrap_or("out".as_ref());
    PathBuf::from(stem).with_extension(suffix)
}

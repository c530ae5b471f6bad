//! The linker's command line.

use std::ffi::OsString;
use std::path::Path;

use super::c_library::{Kind, SystemLibrary};
use super::linker::{Flavor, Linker};
use super::{Files, LinkRequest, Placement, Symbols, is_part_of_c_library};
use crate::target::{Architecture, System};
use object::{Object, ObjectSection, ObjectSymbol};

/// The arguments in order, in the form for the flavor of the linker.
struct Arguments {
    flavor: Flavor,
    list: Vec<OsString>,
}

impl Arguments {
    /// Adds an argument common to compilers and linkers.
    fn push(&mut self, argument: impl Into<OsString>) {
        self.list.push(argument.into());
    }

    /// Adds an argument of the linker itself.
    fn push_for_linker(&mut self, argument: &str) {
        if self.flavor == Flavor::Compiler {
            self.push(format!("-Wl,{}", argument.replace(' ', ",")));
        } else {
            self.list.extend(argument.split(' ').map(OsString::from));
        }
    }

    fn push_joined(&mut self, option: &str, path: &Path) {
        let mut argument = OsString::from(option);
        argument.push(path);
        self.push(argument);
    }
}

/// Builds the command line. `system` is the C library, or `None` for the freestanding one.
pub(super) fn build(
    request: &LinkRequest<'_>,
    linker: &Linker,
    system: Option<&SystemLibrary>,
    files: &Files,
    autolinked: &[String],
) -> Vec<OsString> {
    let mut arguments = Arguments { flavor: linker.flavor, list: Vec::new() };
    push_general(&mut arguments, request, files);
    push_kind(&mut arguments, request, system);
    arguments.push("-o");
    arguments.push(&files.output);
    if let (Some(system), true) = (system, linker.flavor != Flavor::Compiler) {
        system.start_files.iter().for_each(|file| arguments.push(file));
    }
    files.objects.iter().for_each(|(object, _)| arguments.push(object));
    files.archives.iter().for_each(|archive| arguments.push(archive));
    push_swift_library(&mut arguments, request, autolinked);
    push_libraries(&mut arguments, request, system, files);
    if let (Some(system), true) = (system, linker.flavor != Flavor::Compiler) {
        system.end_files.iter().for_each(|file| arguments.push(file));
    }
    arguments.list.extend(request.extra_arguments.iter().cloned());
    arguments.list
}

/// Adds the options of every link: no unused sections, reproducible output, and messages that can be parsed.
fn push_general(arguments: &mut Arguments, request: &LinkRequest<'_>, files: &Files) {
    arguments.push_for_linker("--gc-sections");
    arguments.push_for_linker("--build-id=none");
    arguments.push_for_linker("-z noexecstack");
    if arguments.flavor == Flavor::Lld {
        arguments.push("--icf=safe");
        arguments.push("-O2");
        arguments.push("--error-limit=0");
        arguments.push("--no-demangle");
        arguments.push("--color-diagnostics=never");
    } else {
        arguments.push_for_linker("--no-demangle");
        // GNU's linker pads segments to pages by default.
        arguments.push_for_linker("-z noseparate-code");
    }
    if arguments.flavor != Flavor::Compiler {
        // The symbol of GCC's crtbegin.o for `atexit`; null represents the program itself.
        arguments.push("--defsym=__dso_handle=0");
    }
    for symbol in request.wanted_symbols {
        arguments.push_for_linker(&format!("-u {symbol}"));
    }
    if let Some(script) = &files.linker_script {
        arguments.push("-T");
        arguments.push(script);
        if request.target.architecture() == Architecture::Thumb
            && let Some(table) = vector_table(request)
        {
            arguments.push_for_linker(&format!("-u {table}"));
        }
        let is_on_known_board = matches!(request.placement, Some(Placement::Board(_)));
        if request.target.architecture() == Architecture::Arm
            && (is_on_known_board || request.target.has_system_control_coprocessor())
        {
            arguments.push_for_linker(&format!("-u {PROCESSOR_PREPARATION}"));
        }
    }
    if request.symbols == Symbols::Strip {
        arguments.push("-s");
    }
}

/// The function that sets up Arm's system control coprocessor (runtime-c/bare_metal), which start-up calls if it
/// exists.
const PROCESSOR_PREPARATION: &str = "silc_prepareProcessor";

/// The prefixes of the names of sections with the processor's vector table.
const VECTOR_TABLES: [&str; 3] = [".vector", ".isr_vector", ".reset"];

/// Returns the symbol of the vector table that the program needs from silc (runtime-c/bare_metal): none if an object
/// has the table, the small one if nothing handles interrupts. Archives are not searched.
fn vector_table(request: &LinkRequest<'_>) -> Option<&'static str> {
    let files: Vec<Vec<u8>> = request.files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    let objects = request.inputs.iter().map(|input| input.object).chain(files.iter().map(Vec::as_slice));
    let objects: Vec<Option<object::File<'_>>> = objects.map(|object| object::File::parse(object).ok()).collect();
    let is_table = |name: &str| VECTOR_TABLES.iter().any(|table| name.starts_with(table));
    let has_table = |object: &object::File<'_>| object.sections().any(|section| section.name().is_ok_and(is_table));
    if objects.iter().flatten().any(has_table) {
        return None;
    }
    let is_handler = |name: &str| name.starts_with("IRQ") && name.ends_with("_Handler");
    let has_handler = |object: &object::File<'_>| object.symbols().any(|symbol| symbol.name().is_ok_and(is_handler));
    let may_have_handlers = objects.iter().any(|object| object.as_ref().is_none_or(has_handler));
    Some(if may_have_handlers { "silc_vectorTable" } else { "silc_exceptionTable" })
}

/// Adds the options for dynamic or static executables.
fn push_kind(arguments: &mut Arguments, request: &LinkRequest<'_>, system: Option<&SystemLibrary>) {
    let is_compiler = arguments.flavor == Flavor::Compiler;
    match system.map(|system| &system.kind) {
        Some(Kind::Shared { dynamic_linker }) => {
            arguments.push("-pie");
            arguments.push_for_linker("--hash-style=gnu");
            arguments.push_for_linker("--as-needed");
            if !is_compiler {
                arguments.push("-dynamic-linker");
                arguments.push(dynamic_linker.as_str());
            }
        }
        Some(Kind::Static) => {
            arguments.push("-static");
        }
        None => {
            arguments.push("-static");
            if is_compiler {
                arguments.push("-nostdlib");
            }
            // By default, lld aligns segments for the largest pages of any system of the architecture, which is useless
            // without an operating system.
            if request.target.system() == System::BareMetal {
                arguments.push_for_linker("-z max-page-size=4");
            }
        }
    }
    if let Some(sysroot) = request.sysroot {
        arguments.push_joined("--sysroot=", sysroot);
    }
}

/// Adds Swift's own library, with its run path, and the autolink entries of the objects. Keeps sections that are only
/// reachable by name.
fn push_swift_library(arguments: &mut Arguments, request: &LinkRequest<'_>, autolinked: &[String]) {
    let Some(library) = request.swift_library else { return };
    arguments.push_for_linker("-z nostart-stop-gc");
    arguments.push_joined("-L", &library.folder);
    match arguments.flavor {
        Flavor::Compiler => arguments.push_joined("-Wl,-rpath,", &library.run_path),
        Flavor::Lld | Flavor::Gnu => arguments.push_joined("-rpath=", &library.run_path),
    }
    // The runtime also finds types by name, in libraries of which no symbol is needed.
    arguments.push_for_linker("--no-as-needed");
    autolinked.iter().for_each(|entry| arguments.push(entry));
    arguments.push("-lswiftCore");
    arguments.push_for_linker("--as-needed");
}

fn push_libraries(arguments: &mut Arguments, request: &LinkRequest<'_>, system: Option<&SystemLibrary>, files: &Files) {
    request.library_folders.iter().for_each(|folder| arguments.push_joined("-L", folder));
    if let (Some(system), true) = (system, arguments.flavor != Flavor::Compiler) {
        system.folders.iter().for_each(|folder| arguments.push_joined("-L", folder));
    }
    let has_own_c_library = system.is_none() && files.freestanding_library.is_some();
    let libraries = request.libraries.iter().filter(|name| !(has_own_c_library && is_part_of_c_library(name)));
    libraries.for_each(|library| arguments.push(format!("-l{library}")));
    match system.map(|system| &system.kind) {
        Some(Kind::Shared { .. }) => ["-lm", "-lpthread", "-lc"].iter().for_each(|library| arguments.push(*library)),
        Some(Kind::Static) => {
            // The support library and the C library depend on each other.
            arguments.push_for_linker("--start-group");
            ["-lm", "-lpthread", "-lc"].iter().for_each(|library| arguments.push(*library));
            push_support(arguments, system);
            arguments.push_for_linker("--end-group");
        }
        None => {}
    }
    if let Some(Kind::Shared { .. }) = system.map(|system| &system.kind) {
        push_support(arguments, system);
    }
    // Last, so that it only defines symbols that no earlier input defines: all of it, or the compiler's support
    // functions.
    if let Some(library) = &files.freestanding_library {
        arguments.push(library);
    }
}

fn push_support(arguments: &mut Arguments, system: Option<&SystemLibrary>) {
    if arguments.flavor != Flavor::Compiler {
        let libraries = system.into_iter().flat_map(|system| &system.support_libraries);
        libraries.for_each(|library| arguments.push(library));
    }
}

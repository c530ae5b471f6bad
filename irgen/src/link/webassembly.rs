//! The command line of WebAssembly's linker, for programs and for libraries.

use std::ffi::OsString;

use super::c_library::SystemLibrary;
use super::{Files, LinkRequest, Product, Symbols, is_part_of_c_library};
use crate::target::{Architecture, System};

/// The stack size, as on boards. The stack is below the variables, so that an overflow is an error of the engine.
const STACK_SIZE: u32 = 1 << 20;

/// Builds the command line. `system` is the C library, or `None` for the freestanding one.
pub(super) fn build(request: &LinkRequest<'_>, system: Option<&SystemLibrary>, files: &Files) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        ["-O2", "--error-limit=0", "--no-demangle", "--color-diagnostics=never", "--stack-first"]
            .map(OsString::from)
            .into();
    arguments.extend(["-z".into(), format!("stack-size={STACK_SIZE}").into()]);
    if request.target.architecture() == Architecture::Wasm64 {
        arguments.push("-mwasm64".into());
    }
    if request.target.system() == System::BareMetal {
        // The host provides symbols that no input defines.
        arguments.push("--import-undefined".into());
    }
    match request.product {
        Product::Program => {}
        Product::Library { exports } => {
            arguments.push("--entry=_initialize".into());
            arguments.extend(exports.iter().map(|symbol| format!("--export={symbol}").into()));
        }
    }
    request.wanted_symbols.iter().for_each(|symbol| arguments.extend(["-u".into(), (*symbol).into()]));
    if request.symbols == Symbols::Strip {
        arguments.push("--strip-all".into());
    }
    arguments.extend(["-o".into(), files.output.clone().into()]);
    arguments.extend(system.iter().flat_map(|system| &system.start_files).map(OsString::from));
    arguments.extend(files.objects.iter().map(|(object, _)| object.into()));
    arguments.extend(files.archives.iter().map(OsString::from));
    let system_folders = system.iter().flat_map(|system| &system.folders);
    for folder in request.library_folders.iter().chain(system_folders) {
        arguments.extend(["-L".into(), folder.into()]);
    }
    let libraries = request.libraries.iter().filter(|name| !is_part_of_c_library(name));
    arguments.extend(libraries.map(|library| format!("-l{library}").into()));
    if system.is_some() {
        arguments.push("-lc".into());
    }
    // Last, so that it only defines symbols that no earlier input defines.
    arguments.extend(files.freestanding_library.iter().map(OsString::from));
    arguments.extend(request.extra_arguments.iter().cloned());
    arguments
}

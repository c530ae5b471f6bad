//! The outputs of a build: LLVM IR, bitcode, assembly, object code; and atomic writing of files. `link` makes
//! executables from objects.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use inkwell::module::Module;
use inkwell::targets::FileType;

use crate::Error;
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::{fast_selection, modules};
use crate::target::{CallingConvention, Machine};

/// Kinds of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EmitKind {
    /// A linked program (`exe`).
    #[default]
    Executable,
    /// An object file (`obj`).
    Object,
    /// Assembly text (`asm`).
    Assembly,
    /// LLVM IR text (`llvm-ir`).
    LlvmIr,
    /// LLVM bitcode (`llvm-bc`).
    LlvmBitcode,
    /// SIL text (`sil`).
    Sil,
}

impl EmitKind {
    /// All kinds, in the order that help texts list them.
    pub const ALL: [EmitKind; 6] = [
        EmitKind::Executable,
        EmitKind::Object,
        EmitKind::Assembly,
        EmitKind::LlvmIr,
        EmitKind::LlvmBitcode,
        EmitKind::Sil,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EmitKind::Executable => "exe",
            EmitKind::Object => "obj",
            EmitKind::Assembly => "asm",
            EmitKind::LlvmIr => "llvm-ir",
            EmitKind::LlvmBitcode => "llvm-bc",
            EmitKind::Sil => "sil",
        }
    }

    /// The kind of this name on the command line.
    pub fn from_name(name: &str) -> Option<EmitKind> {
        EmitKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The suffix of output files without `-o`, as clang's; executables have a fixed name instead.
    pub fn suffix(self) -> Option<&'static str> {
        match self {
            EmitKind::Executable => None,
            EmitKind::Object => Some("o"),
            EmitKind::Assembly => Some("s"),
            EmitKind::LlvmIr => Some("ll"),
            EmitKind::LlvmBitcode => Some("bc"),
            EmitKind::Sil => Some("sil"),
        }
    }
}

/// Kinds of output that LLVM makes of one module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModuleOutput {
    /// LLVM IR text.
    LlvmIr,
    /// LLVM bitcode.
    LlvmBitcode,
    /// Assembly text.
    Assembly,
    /// An object file.
    Object,
}

/// Emits one kind of output of a verified module, in memory.
///
/// Object code and assembly change the module, which LLVM lowers for them: emit IR first if both are wanted. Fails with
/// [`Error::CodeGeneration`] if the code generator rejects the module.
pub(crate) fn emit_to_memory<'ctx>(
    module: &Module<'ctx>,
    machine: &Machine,
    output: ModuleOutput,
    diagnostics: &DiagnosticCollector<'ctx>,
) -> Result<Vec<u8>, Error> {
    match output {
        ModuleOutput::LlvmIr => Ok(modules::text_of(module).into_bytes()),
        ModuleOutput::LlvmBitcode => Ok(modules::bitcode_of(module)),
        ModuleOutput::Assembly => generate_code(module, machine, FileType::Assembly, diagnostics),
        ModuleOutput::Object => generate_code(module, machine, FileType::Object, diagnostics),
    }
}

fn generate_code<'ctx>(
    module: &Module<'ctx>,
    machine: &Machine,
    file_type: FileType,
    diagnostics: &DiagnosticCollector<'ctx>,
) -> Result<Vec<u8>, Error> {
    if machine.has_fast_selection() {
        fast_selection::cut_blocks(module, CallingConvention::Swift.number())
            .map_err(|error| Error::Internal(format!("blocks that are cut: {error}")))?;
    }
    let code = machine
        .llvm()
        .write_to_memory_buffer(module, file_type)
        .map_err(|message| Error::Internal(format!("LLVM cannot generate code: {message}")))?;
    diagnostics.check()?;
    Ok(code.as_slice().to_vec())
}

/// The destination of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    StandardOutput,
    /// A file.
    File(PathBuf),
}

impl Destination {
    /// `-` is standard output, anything else a file.
    pub fn from_argument(argument: &Path) -> Destination {
        if argument == Path::new("-") { Destination::StandardOutput } else { Destination::File(argument.to_owned()) }
    }
}

/// Writes output atomically: an existing file is kept until everything is written.
pub fn write(bytes: &[u8], to: &Destination) -> Result<(), Error> {
    match to {
        Destination::StandardOutput => write_to_standard_output(bytes),
        Destination::File(path) => write_file(bytes, path, FileMode::Plain),
    }
}

/// The permissions of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileMode {
    /// Not executable.
    Plain,
    /// Executable for those who may read it.
    Executable,
}

fn write_to_standard_output(bytes: &[u8]) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    output
        .write_all(bytes)
        .and_then(|()| output.flush())
        .map_err(|source| Error::write(Path::new("<standard output>"), source))
}

/// Writes a file atomically. Devices and pipes (`/dev/null`) are written to directly.
pub fn write_file(bytes: &[u8], path: &Path, mode: FileMode) -> Result<(), Error> {
    let failed = |source| Error::write(path, source);
    if let Ok(metadata) = path.metadata()
        && !metadata.is_file()
    {
        if metadata.is_dir() {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        return std::fs::write(path, bytes).map_err(failed);
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = temporary_file(directory, mode).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Creates a temporary file in the folder of the destination, since only there a rename is atomic.
fn temporary_file(directory: &Path, mode: FileMode) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".silc-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let bits = match mode {
            FileMode::Plain => 0o666,
            FileMode::Executable => 0o777,
        };
        // The process's umask applies on top.
        builder.permissions(std::fs::Permissions::from_mode(bits));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder.tempfile_in(directory)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use inkwell::context::Context;

    use super::*;
    use crate::test_modules::{MAIN_TARGETS, hello, machine};

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        write_file(b"first", &path, FileMode::Plain).unwrap();
        write_file(b"second", &path, FileMode::Executable).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_an_error_that_says_why() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing/out");
        let error = write_file(b"x", &missing, FileMode::Plain).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write '{}': No such file or directory", missing.display()));
        let error = write_file(b"x", directory.path(), FileMode::Plain).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write '{}': is a directory", directory.path().display()));
        write_file(b"x", Path::new("/dev/null"), FileMode::Plain).unwrap();
    }

    #[test]
    fn a_module_becomes_every_kind_of_output() {
        for triple in MAIN_TARGETS {
            let context = Context::create();
            let diagnostics = DiagnosticCollector::install(&context);
            let machine = machine(triple);
            let module = hello(&context, &machine);
            modules::verify(&module).unwrap();
            let emit = |output| emit_to_memory(&module, &machine, output, &diagnostics).unwrap();
            let text = String::from_utf8(emit(ModuleOutput::LlvmIr)).unwrap();
            assert!(text.contains("define hidden swiftcc i64 @next(i64 %step, ptr swiftself %self, ptr"), "{text}");
            let bitcode = emit(ModuleOutput::LlvmBitcode);
            assert_eq!(&bitcode[..4], b"BC\xC0\xDE");
            let assembly = String::from_utf8(emit(ModuleOutput::Assembly)).unwrap();
            assert!(assembly.contains("next:") && assembly.ends_with('\n'), "{assembly}");
            let object = emit(ModuleOutput::Object);
            assert_eq!(&object[..4], b"\x7FELF");

            for input in [text.into_bytes(), bitcode] {
                let other = Context::create();
                let reread = modules::parse(&other, &input, "hello").unwrap();
                modules::verify(&reread).unwrap();
            }
        }
    }

    #[test]
    fn what_llvm_reports_is_an_error_value() {
        let context = Context::create();
        let diagnostics = DiagnosticCollector::install(&context);
        let machine = machine(MAIN_TARGETS[0]);
        let text = b"define void @f() {\n  call void asm sideeffect \"nosuchinstruction\", \"\"()\n  ret void\n}\n";
        let module = modules::parse(&context, text, "assembly").unwrap();
        machine.prepare_module(&module);
        let error = emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap_err();
        assert_eq!(error.class().exit_status(), 1);
        assert!(error.to_string().contains("invalid instruction mnemonic 'nosuchinstruction'"), "{error}");
    }
}

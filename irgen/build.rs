//! Builds `runtime-c/` for every target of [`TARGETS`] and embeds the results: archives of object files, and the runtime
//! and the shims as a module of LLVM bitcode each. `src/runtime/embedded.rs` includes the table that this writes.
//!
//! The compiler is clang of the LLVM that silc is linked with, since bitcode of another may not be readable. It is the one that
//! `SILC_CLANG` names, or else that of `LLVM_SYS_221_PREFIX` or `llvm-config-22`. No target needs headers or a sysroot.

#[path = "src/llvm/shifts.rs"]
mod shifts;

use inkwell::context::Context;
use inkwell::module::Module;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A target that the runtime is built for.
struct Target {
    triple: &'static str,
    /// clang's flags for this target beside `--target`.
    flags: &'static [&'static str],
    c_library: CLibrary,
}

/// The parts of a C library that runtime-c has for a target.
enum CLibrary {
    /// All that a static executable needs, from `_start` on.
    LinuxStatic,
    /// All that a program without an operating system needs, from the vector table on.
    BareMetal,
    /// All that a program needs beside start-up code, output and its end, which its board's own code has.
    OwnBoard,
    /// All functions that a module needs and engines do not provide.
    WebAssembly,
    /// Nothing: the system has one.
    Elsewhere,
}

/// The last that fits serves close relatives of its target as well: those for fewer processors come later.
const TARGETS: &[Target] = &[
    Target { triple: "x86_64-unknown-linux-gnu", flags: &["-fPIC"], c_library: CLibrary::LinuxStatic },
    // Calls of outline atomics would need their functions; the few inline instructions are smaller as well.
    Target {
        triple: "aarch64-unknown-linux-gnu",
        flags: &["-fPIC", "-mno-outline-atomics"],
        c_library: CLibrary::LinuxStatic,
    },
    // The first Raspberry Pi has the processor.
    Target {
        triple: "armv6-unknown-linux-gnueabihf",
        flags: &["-fPIC", "-mcpu=arm1176jzf-s", "-mfpu=vfpv2"],
        c_library: CLibrary::LinuxStatic,
    },
    Target {
        triple: "armv6-unknown-linux-gnueabi",
        flags: &["-fPIC", "-mcpu=arm1176jzf-s", "-mfloat-abi=softfp", "-mfpu=vfpv2"],
        c_library: CLibrary::LinuxStatic,
    },
    Target {
        triple: "armv7-unknown-linux-gnueabihf",
        flags: &["-fPIC", "-mfpu=vfpv3-d16"],
        c_library: CLibrary::LinuxStatic,
    },
    Target {
        triple: "armv7-unknown-linux-gnueabi",
        flags: &["-fPIC", "-mfloat-abi=softfp", "-mfpu=vfpv3-d16"],
        c_library: CLibrary::LinuxStatic,
    },
    // The core has no atomic instructions: they are calls.
    Target { triple: "thumbv6m-none-eabi", flags: &["-Os", "-Wno-atomic-alignment"], c_library: CLibrary::BareMetal },
    Target { triple: "thumbv7m-none-eabi", flags: &["-Os"], c_library: CLibrary::BareMetal },
    Target { triple: "thumbv7m-none-eabihf", flags: &["-Os", "-mfpu=fpv4-sp-d16"], c_library: CLibrary::BareMetal },
    // No atomic instructions either. It serves the processors of versions 5 and 6 too.
    Target {
        triple: "armv4t-none-eabi",
        flags: &["-Os", "-marm", "-mfloat-abi=soft", "-mno-unaligned-access", "-Wno-atomic-alignment"],
        c_library: CLibrary::BareMetal,
    },
    // The first with atomic operations of all widths; it serves the processors of versions 7 too.
    Target {
        triple: "armv6k-none-eabi",
        flags: &["-Os", "-mfloat-abi=soft", "-mno-unaligned-access"],
        c_library: CLibrary::BareMetal,
    },
    Target {
        triple: "armv7a-none-eabihf",
        flags: &["-Os", "-mfpu=vfpv3-d16", "-mno-unaligned-access"],
        c_library: CLibrary::BareMetal,
    },
    Target {
        triple: "riscv32imc-unknown-none-elf",
        flags: &["-Os", "-march=rv32imc", "-mabi=ilp32", "-Wno-atomic-alignment"],
        c_library: CLibrary::BareMetal,
    },
    Target {
        triple: "riscv32-unknown-none-elf",
        flags: &["-Os", "-march=rv32imac", "-mabi=ilp32"],
        c_library: CLibrary::BareMetal,
    },
    // Programs are where no signed number of 32 bits reaches.
    Target {
        triple: "riscv64-unknown-none-elf",
        flags: &["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"],
        c_library: CLibrary::BareMetal,
    },
    Target { triple: "aarch64-unknown-none-elf", flags: &["-mno-outline-atomics"], c_library: CLibrary::BareMetal },
    Target { triple: "i686-unknown-none-elf", flags: &["-Os"], c_library: CLibrary::OwnBoard },
    // Interrupts write below the stack pointer.
    Target { triple: "x86_64-unknown-none-elf", flags: &["-Os", "-mno-red-zone"], c_library: CLibrary::OwnBoard },
    Target { triple: "wasm64-unknown-unknown", flags: &[], c_library: CLibrary::WebAssembly },
    Target { triple: "wasm32-unknown-wasip1", flags: &[], c_library: CLibrary::WebAssembly },
    Target { triple: "wasm32-unknown-unknown", flags: &[], c_library: CLibrary::WebAssembly },
    Target { triple: "arm64-apple-macosx11.0.0", flags: &["-fPIC"], c_library: CLibrary::Elsewhere },
    Target { triple: "x86_64-apple-macosx11.0.0", flags: &["-fPIC"], c_library: CLibrary::Elsewhere },
    // Only the format is Apple's: there is none of its libraries.
    Target { triple: "arm64-apple-none-macho", flags: &["-U__APPLE__"], c_library: CLibrary::Elsewhere },
    Target { triple: "x86_64-unknown-windows-msvc", flags: &[], c_library: CLibrary::Elsewhere },
    Target { triple: "aarch64-unknown-windows-msvc", flags: &[], c_library: CLibrary::Elsewhere },
];

impl Target {
    /// Whether LLVM expands shifts of wide integers itself, wrongly: `shifts` describes the fault. The smallest
    /// processors have functions for them.
    fn expands_shifts(&self) -> bool {
        let is_arm = self.triple.starts_with("armv") || self.triple.starts_with("thumbv");
        is_arm && !self.triple.starts_with("thumbv6m")
    }
}

impl CLibrary {
    /// Boards have little memory: only programs with weak and unowned references have side tables there.
    fn flags(&self) -> &'static [&'static str] {
        match self {
            CLibrary::BareMetal | CLibrary::OwnBoard => &["-DSILC_SIDE_TABLES_ARE_OPTIONAL"],
            CLibrary::LinuxStatic | CLibrary::WebAssembly | CLibrary::Elsewhere => &[],
        }
    }

    fn folders(&self) -> &'static [&'static str] {
        match self {
            CLibrary::LinuxStatic => &["builtins", "freestanding", "linux", "math"],
            CLibrary::BareMetal => &["bare_metal", "builtins", "freestanding", "math", "small_machines"],
            CLibrary::OwnBoard => &["builtins", "freestanding", "math", "small_machines"],
            CLibrary::WebAssembly => &["builtins", "freestanding", "math", "small_machines", "webassembly"],
            CLibrary::Elsewhere => &[],
        }
    }
}

/// Flags for every file. Without strict aliasing the bitcode has no type-based claims about memory that Swift types otherwise.
const COMMON_FLAGS: &[&str] = &[
    "-std=c11",
    "-O2",
    "-nostdlibinc",
    "-fvisibility=hidden",
    "-fno-strict-aliasing",
    "-fno-stack-protector",
    "-fomit-frame-pointer",
    "-fno-asynchronous-unwind-tables",
    "-fno-ident",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-ffunction-sections",
    "-fdata-sections",
    "-Wall",
    "-Wextra",
    "-Werror",
];

/// The files of the runtime about weak and unowned references, which stay in the archive where side tables are optional.
const SIDE_TABLES: [&str; 3] = ["side_table.c", "unowned.c", "weak.c"];

/// The folders of the runtime that no module is the better for as bitcode: tasks, which are seldom worth inlining, and tables.
const ARCHIVED: [&str; 2] = ["concurrency", "unicode"];

/// Flags for the C library itself, in which the compiler must not replace a loop by a call of the function around it.
const C_LIBRARY_FLAGS: &[&str] = &["-ffreestanding", "-fno-builtin"];

/// Flags for bitcode that was optimised. Those for C are of no use then.
const OPTIMIZED_FLAGS: &[&str] = &["-Qunused-arguments", "-Xclang", "-disable-llvm-passes"];

/// Attributes of functions with the machine that clang compiled them for. LLVM would not inline such a function into
/// one for another machine.
const MACHINE_ATTRIBUTES: &[&str] = &[
    "frame-pointer",
    "min-legal-vector-width",
    "no-trapping-math",
    "stack-protector-buffer-size",
    "target-cpu",
    "target-features",
    "tune-cpu",
];

fn main() -> Outcome<()> {
    let sources = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../runtime-c");
    let output = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", sources.display());
    println!("cargo::rerun-if-changed=build.rs");
    let tools = Tools::find()?;
    let mut table = String::from("&[\n");
    for target in TARGETS {
        let builder = Builder { tools: &tools, target, sources: &sources, output: output.join(target.triple) };
        writeln!(table, "{}", builder.build()?)?;
    }
    table.push(']');
    fs::write(output.join("embedded_runtime.rs"), table)?;
    Ok(())
}

/// The programs of LLVM that the build runs.
struct Tools {
    clang: PathBuf,
    archiver: PathBuf,
    linker: PathBuf,
    assembler: PathBuf,
    lister: PathBuf,
}

impl Tools {
    fn find() -> Outcome<Tools> {
        println!("cargo::rerun-if-env-changed=SILC_CLANG");
        println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
        let clang = match (env::var_os("SILC_CLANG"), env::var_os("LLVM_SYS_221_PREFIX")) {
            (Some(clang), _) => fs::canonicalize(clang)?,
            (None, Some(prefix)) => PathBuf::from(prefix).join("bin/clang"),
            (None, None) => PathBuf::from(run(Command::new("llvm-config-22").arg("--bindir"))?.trim()).join("clang"),
        };
        let folder = clang.parent().ok_or("clang has no folder")?;
        let tools = Tools {
            archiver: folder.join("llvm-ar"),
            linker: folder.join("llvm-link"),
            assembler: folder.join("llvm-as"),
            lister: folder.join("llvm-nm"),
            clang,
        };
        for tool in [&tools.clang, &tools.archiver, &tools.linker, &tools.assembler, &tools.lister] {
            if !tool.exists() {
                return Err(format!(
                    "{} is missing: install clang-22 and llvm-22-dev, or run scripts/setup",
                    tool.display()
                )
                .into());
            }
        }
        Ok(tools)
    }
}

/// Builds the runtime for one target.
struct Builder<'a> {
    tools: &'a Tools,
    target: &'a Target,
    sources: &'a Path,
    output: PathBuf,
}

impl Builder<'_> {
    /// Returns the target's row of the embedded table.
    fn build(&self) -> Outcome<String> {
        let runtime_files = source_files(self.sources)?;
        let mut archived_files = runtime_files.clone();
        for folder in ARCHIVED {
            archived_files.extend(source_files(&self.sources.join(folder))?);
        }
        let runtime = self.archive("runtime", &[], &archived_files)?;
        let c_library = self.c_library()?;
        let bitcode = self.bitcode("bitcode", &self.inlined(runtime_files))?;
        let shims = self.bitcode("shims", &source_files(&self.sources.join("shims"))?)?;
        let swift_image = self.swift_image()?;
        Ok(format!(
            "    EmbeddedRuntime {{ triple: {:?}, archive: include_bytes!({runtime:?}), bitcode: include_bytes!({:?}), \
             c_library: {c_library}, swift_image: {swift_image}, shims: include_bytes!({:?}), shim_symbols: &{:?} }},",
            self.target.triple, bitcode.file, shims.file, shims.symbols
        ))
    }

    /// The files of the runtime that become bitcode: all where side tables are always there.
    fn inlined(&self, files: Vec<PathBuf>) -> Vec<PathBuf> {
        let is_apart =
            |path: &PathBuf| path.file_name().is_some_and(|name| SIDE_TABLES.iter().any(|file| name == *file));
        match self.target.c_library {
            CLibrary::BareMetal | CLibrary::OwnBoard => files.into_iter().filter(|path| !is_apart(path)).collect(),
            CLibrary::LinuxStatic | CLibrary::WebAssembly | CLibrary::Elsewhere => files,
        }
    }

    /// The registration of executables that link with Swift's own library, which exists for Linux, as an expression of
    /// the table.
    fn swift_image(&self) -> Outcome<String> {
        if !self.target.triple.contains("-linux-") {
            return Ok("None".to_owned());
        }
        let files = source_files(&self.sources.join("swift"))?;
        Ok(format!("Some(include_bytes!({:?}))", self.archive("swift", &[], &files)?))
    }

    /// The C library as an expression of the table.
    fn c_library(&self) -> Outcome<String> {
        let mut files = Vec::new();
        for folder in self.target.c_library.folders() {
            files.extend(source_files(&self.sources.join(folder))?);
        }
        if files.is_empty() {
            return Ok("None".to_owned());
        }
        let archive = self.archive("c", C_LIBRARY_FLAGS, &files)?;
        let list = run(Command::new(&self.tools.lister).args(["--defined-only", "--extern-only", "-j"]).arg(&archive))?;
        // Members' names end with a colon.
        let mut symbols: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.ends_with(':')).collect();
        symbols.sort_unstable();
        symbols.dedup();
        Ok(format!("Some(CLibrary {{ archive: include_bytes!({archive:?}), symbols: &{symbols:?} }})"))
    }

    fn archive(&self, name: &str, flags: &[&str], files: &[PathBuf]) -> Outcome<PathBuf> {
        let output = self.output.join(name);
        if self.target.expands_shifts() {
            let modules = self.with_expanded_shifts(name, flags, files)?;
            let mut compiler = self.compiler(OPTIMIZED_FLAGS, &modules, &output);
            compiler.archiver(&self.tools.archiver).try_compile(name)?;
        } else {
            self.compiler(flags, files, &output).archiver(&self.tools.archiver).try_compile(name)?;
        }
        Ok(output.join(format!("lib{name}.a")))
    }

    /// The files as optimised bitcode, in which no shift is left that LLVM's code generator would get wrong.
    fn with_expanded_shifts(&self, name: &str, flags: &[&str], files: &[PathBuf]) -> Outcome<Vec<PathBuf>> {
        let folder = self.output.join(format!("{name}-bitcode"));
        let modules = self.compiler(flags, files, &folder).flag("-emit-llvm").try_compile_intermediates()?;
        let expanded = modules.iter().map(|module| {
            let context = Context::create();
            let parsed = Module::parse_bitcode_from_path(module, &context).map_err(|error| error.to_string())?;
            shifts::expand_wide(&context, &parsed)?;
            let path = module.with_extension("bc");
            if parsed.write_bitcode_to_path(&path) { Ok(path) } else { Err(format!("cannot write {path:?}").into()) }
        });
        expanded.collect()
    }

    fn bitcode(&self, name: &str, files: &[PathBuf]) -> Outcome<Bitcode> {
        let output = self.output.join(name);
        let modules = self.compiler(&["-emit-llvm", "-DSILC_BITCODE"], files, &output).try_compile_intermediates()?;
        let text = run(Command::new(&self.tools.linker).arg("-S").args(modules))?;
        let prepared = output.join("prepared.ll");
        fs::write(&prepared, prepare_for_linking(&text)?)?;
        let file = output.join("prepared.bc");
        run(Command::new(&self.tools.assembler).arg(&prepared).arg("-o").arg(&file))?;
        Ok(Bitcode { file, symbols: defined_functions(&text) })
    }

    fn compiler(&self, flags: &[&str], files: &[PathBuf], output: &Path) -> cc::Build {
        let mut build = cc::Build::new();
        build
            .compiler(&self.tools.clang)
            .no_default_flags(true)
            .inherit_rustflags(false)
            .cargo_metadata(false)
            .flag(format!("--target={}", self.target.triple.replace("riscv32imc", "riscv32")))
            .flags(COMMON_FLAGS)
            .flags(self.target.flags)
            .flags(self.target.c_library.flags())
            .flags(flags)
            .files(files)
            .out_dir(output);
        build
    }
}

/// A module of bitcode, and the functions that others may call in it.
struct Bitcode {
    file: PathBuf,
    symbols: Vec<String>,
}

/// The functions that a module's text defines for others.
fn defined_functions(text: &str) -> Vec<String> {
    let definitions = text.lines().filter(|line| line.starts_with("define hidden "));
    let names = definitions.filter_map(|line| line.split_once('@')?.1.split_once('('));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// The C files directly in a folder, in the order of their names.
fn source_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Prepares the runtime's LLVM text for linking into any module of its target: every definition becomes `linkonce_odr`,
/// which may be inlined, dropped, or met again in another object file, and the attributes of the machine are removed.
///
/// # Errors
/// A variable that is not shared by name: each object file would have its own.
fn prepare_for_linking(text: &str) -> Outcome<String> {
    let mut result = String::new();
    for line in text.lines() {
        if line.starts_with("!llvm.module.flags")
            || line.starts_with("!llvm.ident")
            || line.starts_with("source_filename")
        {
            continue;
        }
        if line.starts_with('@') && (line.contains(" internal global ") || line.contains(" internal thread_local")) {
            return Err(format!("the runtime has a static variable, which would be duplicated: {line}").into());
        }
        let line = if line.starts_with("define hidden ") {
            line.replacen("define hidden ", "define linkonce_odr hidden ", 1)
        } else if line.starts_with('@') && line.contains(" = hidden ") {
            line.replacen(" = hidden ", " = linkonce_odr hidden ", 1)
        } else if line.starts_with("attributes #") {
            without_machine_attributes(line)
        } else {
            line.to_owned()
        };
        result.push_str(&line);
        result.push('\n');
    }
    Ok(result)
}

fn without_machine_attributes(line: &str) -> String {
    let is_kept = |word: &&str| !MACHINE_ATTRIBUTES.iter().any(|name| word.starts_with(&format!("\"{name}\"")));
    let line = line.split(' ').filter(is_kept).collect::<Vec<_>>().join(" ");
    // A group may not be empty. Nothing in the runtime and in its callees unwinds.
    line.replace("{ }", "{ nounwind }")
}

fn run(command: &mut Command) -> Outcome<String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

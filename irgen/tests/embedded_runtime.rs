//! The embedded archives and bitcode, in use: a C program that is linked with nothing else runs on every target, and
//! the bitcode is fit to be inlined. Needs clang-22, lld-22 and, for targets other than this machine, qemu.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use irgen::run::{self, Runner};
use irgen::runtime::embedded;
use irgen::target::{System, Target};

const EXPECTED: &str = "\
constructor: right
environment: right
thread-local values: right
thread-local alignment: right
objects: right
once: right
alignment: right
realloc: right
mathematics: right
128-bit division: right
stack protector: right
random numbers: right
at exit
";

fn target(triple: &str) -> Target {
    Target::from_triple(triple).unwrap()
}

/// The targets whose programs run with a C library of silc's on an operating system.
fn hosted() -> impl Iterator<Item = &'static str> {
    embedded::targets().filter(|triple| {
        let target = target(triple);
        target.system() == System::Linux && embedded::c_library(&target).is_some()
    })
}

/// How programs of this target are started here; none where the emulator is not installed.
fn runner(triple: &str) -> Option<Runner> {
    run::runner(&target(triple), None, &[], None).ok()
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles and links `runtime-c/tests/programs/freestanding.c` with the archives alone.
fn build(triple: &str, folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime-c/tests/programs/freestanding.c");
    let [object, runtime, c_library, program] =
        ["program.o", "runtime.a", "c.a", "program"].map(|name| folder.join(name));
    fs::write(&runtime, embedded::archive(&target(triple)).unwrap()).unwrap();
    fs::write(&c_library, embedded::c_library(&target(triple)).unwrap()).unwrap();
    succeed(
        Command::new("clang-22")
            .args([
                "-std=c11",
                "-O1",
                "-Wall",
                "-Werror",
                "-ffreestanding",
                "-nostdlibinc",
                "-fstack-protector-all",
                "-c",
            ])
            .arg(format!("--target={triple}"))
            .arg(source)
            .arg("-o")
            .arg(&object),
    );
    succeed(
        Command::new("ld.lld-22")
            .args(["-static", "--gc-sections"])
            .args([&object, &runtime, &c_library])
            .arg("-o")
            .arg(&program),
    );
    program
}

fn start(runner: &Runner, program: &Path, arguments: &[&str]) -> Output {
    runner.command(program).args(arguments).env_clear().env("SILC_TEST", "x").output().unwrap()
}

#[test]
fn a_program_needs_nothing_but_the_archives() {
    for triple in hosted() {
        let Some(runner) = runner(triple) else { continue };
        let folder = tempfile::tempdir().unwrap();
        let program = build(triple, folder.path());
        let output = start(&runner, &program, &[]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text, EXPECTED, "{triple}");
        assert_eq!(output.status.code(), Some(3), "{triple}");
    }
}

#[test]
fn a_fatal_error_flushes_says_why_and_traps() {
    for triple in hosted() {
        let Some(runner) = runner(triple) else { continue };
        let folder = tempfile::tempdir().unwrap();
        let program = build(triple, folder.path());
        let output = start(&runner, &program, &["no way on"]);
        assert_eq!(output.stdout, b"before\n", "{triple}");
        assert!(output.stderr.starts_with(b"Fatal error: no way on\n"), "{triple}: {output:?}");
        assert_eq!(output.status.code(), None, "{triple}: a signal ends it");
    }
}

#[test]
fn the_bitcode_can_be_inlined_everywhere_and_has_no_state_of_its_own() {
    for triple in embedded::targets() {
        let folder = tempfile::tempdir().unwrap();
        let bitcode = folder.path().join("runtime.bc");
        fs::write(&bitcode, embedded::bitcode(&target(triple)).unwrap()).unwrap();
        let output = Command::new("llvm-dis-22").arg(&bitcode).args(["-o", "-"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().any(|line| line.starts_with("define ") && line.contains("@swift_retain(")));
        for unwanted in ["target-cpu", "target-features", "no-builtins", "!llvm.module.flags"] {
            assert!(!text.contains(unwanted), "{triple}: {unwanted}");
        }
        for line in text.lines().filter(|line| line.starts_with("define ")) {
            assert!(line.contains(" internal ") || line.contains(" linkonce_odr hidden "), "{triple}: {line}");
        }
    }
}

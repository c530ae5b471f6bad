//! Tests that link and run programs: with the system's C library, and without any.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::Command;

use inkwell::context::Context;

use super::{CLibrary, LinkInput, LinkRequest, Symbols, link};
use crate::Error;
use crate::emit::{FileMode, ModuleOutput, emit_to_memory, write_file};
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::modules;
use crate::optimize::{LocalSymbols, OptimizeOptions, optimize};
use crate::run::runner;
use crate::target::{MachineOptions, OptimizationLevel, Target};
use crate::test_modules::{self, MAIN_TARGETS, hello};

/// Returns a C library of two functions, implemented by system calls.
fn tiny_c_library(triple: &str) -> Vec<u8> {
    let assembly = match triple.split('-').next().unwrap() {
        "x86_64" => {
            "_start: xor %ebp, %ebp; call main; mov %eax, %edi; mov $231, %eax; syscall\n\
             putchar: push %rdi; mov $1, %eax; mov $1, %edi; mov %rsp, %rsi; mov $1, %edx; syscall; pop %rax; ret\n"
        }
        "aarch64" => {
            "_start: bl main; mov x8, #94; svc #0\n\
             putchar: str x0, [sp, #-16]!; mov x8, #64; mov x0, #1; mov x1, sp; mov x2, #1; svc #0; \
             ldr x0, [sp], #16; ret\n"
        }
        "armv7" => {
            "_start: bl main; mov r7, #248; svc #0\n\
             putchar: push {r0, r1, r7, lr}; mov r7, #4; mov r0, #1; mov r1, sp; mov r2, #1; svc #0; \
             pop {r0, r1, r7, pc}\n"
        }
        other => panic!("no system calls for {other}"),
    };
    let mut text = String::from("module asm \".globl _start, putchar\"\n");
    for line in assembly.lines().flat_map(|line| line.split("; ")) {
        text.push_str(&format!("module asm \"{line}\"\n"));
    }
    archive("start.o", &compile_text(triple, &text), &["_start", "putchar"])
}

/// Returns an archive of one member, with an index of its symbols.
fn archive(name: &str, content: &[u8], symbols: &[&str]) -> Vec<u8> {
    let names: Vec<u8> = symbols.iter().flat_map(|symbol| symbol.bytes().chain([0])).collect();
    let index_size = 4 + 4 * symbols.len() + names.len();
    let member_offset = 8 + 60 + index_size.next_multiple_of(2);
    let mut index = (symbols.len() as u32).to_be_bytes().to_vec();
    symbols.iter().for_each(|_| index.extend((member_offset as u32).to_be_bytes()));
    index.extend(names);

    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in [("/".to_owned(), index.as_slice()), (format!("{name}/"), content)] {
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, content.len());
        bytes.extend(header.as_bytes());
        bytes.extend(content);
        bytes.extend([b'\n'].iter().take(content.len() % 2));
    }
    bytes
}

fn compile_text(triple: &str, text: &str) -> Vec<u8> {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = test_modules::machine(triple);
    let module = modules::parse(&context, text.as_bytes(), "test").unwrap();
    machine.prepare_module(&module);
    modules::verify(&module).unwrap();
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap()
}

fn compile_hello(triple: &str, level: OptimizationLevel) -> Vec<u8> {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let target = Target::from_triple(triple).unwrap();
    let machine = target.machine(&MachineOptions { optimization: level, ..MachineOptions::default() }).unwrap();
    let module = hello(&context, &machine);
    let local_symbols = Some(LocalSymbols { may_be_local: &|name| name != "main", members: None });
    let options = OptimizeOptions { local_symbols, ..OptimizeOptions::default() };
    optimize(&context, &module, &machine, &options).unwrap();
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap()
}

/// Returns the output of the program, which must exit with status 0.
fn output_of(target: &Target, program: &[u8]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    write_file(program, &path, FileMode::Executable).unwrap();
    let output = runner(target, None, &[], None).unwrap().command(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

const ALL_LEVELS: [OptimizationLevel; 6] = [
    OptimizationLevel::O0,
    OptimizationLevel::O1,
    OptimizationLevel::O2,
    OptimizationLevel::O3,
    OptimizationLevel::Os,
    OptimizationLevel::Oz,
];

#[test]
fn programs_without_a_system_run_at_every_level() {
    for triple in [MAIN_TARGETS[0], MAIN_TARGETS[1], "armv7-unknown-linux-gnueabihf"] {
        let target = Target::from_triple(triple).unwrap();
        let library = tiny_c_library(triple);
        for level in ALL_LEVELS {
            let object = compile_hello(triple, level);
            let program = link(&LinkRequest {
                freestanding_library: Some(&library),
                c_library: CLibrary::Freestanding,
                symbols: Symbols::Strip,
                ..LinkRequest::new(&target, &[LinkInput { name: "hello.sil", object: &object }])
            })
            .unwrap();
            assert_eq!(output_of(&target, &program), "ok\n", "{triple} {level:?}");
            assert!(program.len() < 3000, "{triple} {level:?}: {} bytes", program.len());
        }
    }
}

#[test]
fn a_foreign_target_without_a_sysroot_needs_nothing_of_this_system() {
    let triple = MAIN_TARGETS.into_iter().find(|triple| !Target::from_triple(triple).unwrap().is_host()).unwrap();
    let target = Target::from_triple(triple).unwrap();
    let object = compile_hello(triple, OptimizationLevel::O2);
    let inputs = [LinkInput { name: "hello.sil", object: &object }];
    let library = tiny_c_library(triple);
    let request = LinkRequest { freestanding_library: Some(&library), ..LinkRequest::new(&target, &inputs) };
    assert_eq!(output_of(&target, &link(&request).unwrap()), "ok\n");

    let error = link(&LinkRequest::new(&target, &inputs)).unwrap_err();
    assert_eq!(error.to_string(), format!("no C library found for target '{triple}'"));
}

#[test]
fn the_systems_c_library_is_found_and_the_program_is_no_larger_than_ccs() {
    let target = Target::host().unwrap();
    let object = compile_hello(target.triple(), OptimizationLevel::O2);
    let inputs = [LinkInput { name: "hello.sil", object: &object }];
    let request = LinkRequest { symbols: Symbols::Strip, ..LinkRequest::new(&target, &inputs) };
    let shared = link(&request).unwrap();
    assert_eq!(output_of(&target, &shared), "ok\n");
    let in_sysroot = link(&LinkRequest { sysroot: Some("/".as_ref()), ..request }).unwrap();
    assert_eq!(output_of(&target, &in_sysroot), "ok\n");
    let empty = tempfile::tempdir().unwrap();
    let error = link(&LinkRequest { sysroot: Some(empty.path()), ..request }).unwrap_err();
    assert!(matches!(error, Error::NoCLibrary { .. }), "{error:?}");
    let fixed = link(&LinkRequest { c_library: CLibrary::Static, ..request }).unwrap();
    assert_eq!(output_of(&target, &fixed), "ok\n");

    let directory = tempfile::tempdir().unwrap();
    let (object_path, by_cc) = (directory.path().join("hello.o"), directory.path().join("by-cc"));
    write_file(&object, &object_path, FileMode::Plain).unwrap();
    let status = Command::new("cc").arg(&object_path).arg("-o").arg(&by_cc).args(["-lm", "-s"]).status().unwrap();
    assert!(status.success());
    let by_cc = std::fs::metadata(&by_cc).unwrap().len();
    assert!(shared.len() as u64 <= by_cc, "{} bytes, cc makes {by_cc}", shared.len());
}

#[test]
fn a_compiler_links_where_no_lld_is() {
    let target = Target::host().unwrap();
    let object = compile_hello(target.triple(), OptimizationLevel::O0);
    let inputs = [LinkInput { name: "hello.sil", object: &object }];
    let request = LinkRequest { linker: Some("cc".as_ref()), ..LinkRequest::new(&target, &inputs) };
    assert_eq!(output_of(&target, &link(&request).unwrap()), "ok\n");
    let library = tiny_c_library(target.triple());
    let alone = LinkRequest { c_library: CLibrary::Freestanding, freestanding_library: Some(&library), ..request };
    assert_eq!(output_of(&target, &link(&alone).unwrap()), "ok\n");
}

#[test]
fn symbol_errors_name_the_inputs() {
    let target = Target::host().unwrap();
    let triple = target.triple();
    let caller = "declare void @missing()\ndefine i32 @main() {\n  call void @missing()\n  ret i32 0\n}\n";
    let other = "define void @twice() {\n  ret void\n}\n";
    let (caller, other) = (compile_text(triple, caller), compile_text(triple, other));
    let (a, b, c) = (
        LinkInput { name: "a.sil", object: &caller },
        LinkInput { name: "b.sil", object: &other },
        LinkInput { name: "c.sil", object: &other },
    );
    for linker in ["ld.lld-22", "cc"] {
        let failure_of = |inputs: &[LinkInput<'_>]| {
            let request = LinkRequest { linker: Some(linker.as_ref()), ..LinkRequest::new(&target, inputs) };
            let error = link(&request).unwrap_err();
            assert_eq!(error.class().exit_status(), 1);
            match error {
                Error::Link(failure) => failure,
                other => panic!("{other:?}"),
            }
        };
        let failure = failure_of(&[a, b]);
        assert_eq!((failure.undefined.len(), failure.duplicates.len(), failure.other.len()), (1, 0, 0), "{failure:?}");
        assert_eq!(failure.to_string(), "undefined symbol 'missing', used in a.sil (function 'main')", "{linker}");

        let failure = failure_of(&[a, b, c]);
        assert_eq!((failure.duplicates.len(), failure.other.len()), (1, 0), "{failure:?}");
        assert_eq!(failure.duplicates[0].symbol, "twice");
        let inputs: Vec<&str> = failure.duplicates[0].definitions.iter().map(|place| place.input.as_str()).collect();
        assert_eq!(inputs, ["b.sil", "c.sil"], "{linker}");
    }
}

#[test]
fn what_cannot_link_says_so() {
    let inputs = [LinkInput { name: "a.sil", object: b"no object" }];
    let host = Target::host().unwrap();
    let request = LinkRequest { linker: Some("no-such-linker".as_ref()), ..LinkRequest::new(&host, &inputs) };
    let error = link(&request).unwrap_err();
    assert_eq!(error.to_string(), "there is no linker 'no-such-linker'");
    assert_eq!(error.class().exit_status(), 2);

    let Error::Link(failure) = link(&LinkRequest::new(&host, &inputs)).unwrap_err() else { panic!() };
    assert!(failure.to_string().contains("a.sil"), "{failure}");

    let mac = Target::from_triple("arm64-apple-macosx").unwrap();
    assert_eq!(link(&LinkRequest::new(&mac, &inputs)).unwrap_err().class().exit_status(), 2);
}

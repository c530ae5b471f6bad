//! Tests of every target with LLVM: nothing that silc offers makes LLVM print to standard error or end the process.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::{Command, Output};

use inkwell::context::Context;

use super::OptimizationLevel;
use super::{CallingConvention, MachineOptions, SUPPORTED_TARGETS, Target};
use crate::emit::{ModuleOutput, emit_to_memory};
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::modules;
use crate::optimize::{OptimizeOptions, optimize};
use crate::test_modules::hello;

/// Runs one of the ignored tests of this file in a separate process.
fn in_own_process(test: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", &format!("target::code_generation_tests::{test}"), "--nocapture"])
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

fn emit_hello(target: &Target, options: &MachineOptions, output: ModuleOutput) -> Vec<u8> {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = target.machine(options).unwrap();
    let module = hello(&context, &machine);
    optimize(&context, &module, &machine, &OptimizeOptions::default()).unwrap();
    emit_to_memory(&module, &machine, output, &diagnostics).unwrap()
}

#[test]
fn every_target_generates_code_at_every_level() {
    for listed in SUPPORTED_TARGETS {
        let target = Target::from_triple(listed.triple).unwrap();
        for optimization in [OptimizationLevel::O0, OptimizationLevel::O3, OptimizationLevel::Oz] {
            let options = MachineOptions { optimization, ..MachineOptions::default() };
            for output in [ModuleOutput::Object, ModuleOutput::Assembly] {
                let first = emit_hello(&target, &options, output);
                assert!(!first.is_empty(), "{}", listed.triple);
                assert_eq!(first, emit_hello(&target, &options, output), "{}: not deterministic", listed.triple);
            }
        }
    }
}

#[test]
fn every_listed_cpu_and_feature_is_known_to_llvm() {
    let output = in_own_process("uses_every_cpu_and_feature");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
#[ignore = "run by every_listed_cpu_and_feature_is_known_to_llvm, which reads its standard error"]
fn uses_every_cpu_and_feature() {
    for triple in [
        "x86_64-unknown-linux-gnu",
        "aarch64-unknown-linux-gnu",
        "armv7-unknown-linux-gnueabihf",
        "riscv32-unknown-none-elf",
        "riscv64-unknown-none-elf",
        "wasm32-unknown-unknown",
    ] {
        let target = Target::from_triple(triple).unwrap();
        for cpu in target.cpus() {
            let options = MachineOptions { cpu: Some(cpu.to_owned()), ..MachineOptions::default() };
            emit_constant(&target, &options);
        }
        for feature in target.features() {
            // Disabled: enabling a feature requires others in a few cases.
            let options = MachineOptions { features: vec![format!("-{feature}")], ..MachineOptions::default() };
            emit_constant(&target, &options);
        }
    }
}

/// Emits code for any CPU.
fn emit_constant(target: &Target, options: &MachineOptions) {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = target.machine(options).unwrap();
    let text = b"define i32 @answer() {\n  ret i32 42\n}\n";
    let module = modules::parse(&context, text, "constant").unwrap();
    machine.prepare_module(&module);
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap();
}

#[test]
fn swifts_conventions_are_where_they_are_said_to_be() {
    for listed in SUPPORTED_TARGETS {
        let target = Target::from_triple(listed.triple).unwrap();
        if target.supports_swift_calling_convention() {
            emit_call(&target, CallingConvention::Swift, "call");
        }
        if target.supports_swift_tail_calling_convention() {
            emit_call(&target, CallingConvention::SwiftTail, "musttail call");
        }
        emit_call(&target, target.swift_calling_convention(), "call");
    }
}

fn emit_call(target: &Target, convention: CallingConvention, call: &str) {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = target.machine(&MachineOptions::default()).unwrap();
    let name = match convention {
        CallingConvention::Swift => "swiftcc",
        CallingConvention::SwiftTail => "swifttailcc",
        _ => "ccc",
    };
    let text = format!(
        "define {name} void @f(ptr swiftself %a) {{\n  {call} {name} void @f(ptr swiftself %a)\n  ret void\n}}\n"
    );
    let module = modules::parse(&context, text.as_bytes(), "convention").unwrap();
    machine.prepare_module(&module);
    modules::verify(&module).unwrap();
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap();
}

#[test]
fn a_fatal_error_of_llvm_says_what_to_report() {
    let output = in_own_process("meets_a_convention_that_the_target_has_not");
    assert_eq!(output.status.code(), Some(70), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: internal: LLVM failed: Unsupported calling convention\nhelp: this is a fault of silc; please report \
         it with the .sil input, the command line and this message\n"
    );
}

#[test]
#[cfg(unix)]
fn a_signal_says_what_to_report() {
    let output = in_own_process("is_ended_by_a_signal");
    assert_eq!(output.status.code(), Some(70), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    let expected =
        "error: internal: ended by SIGABRT\nhelp: this is a fault of silc; please report it with the .sil input";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
#[ignore = "ends its process; run by a_signal_says_what_to_report"]
fn is_ended_by_a_signal() {
    let target = Target::from_triple("x86_64-unknown-linux-gnu").unwrap();
    emit_call(&target, CallingConvention::Swift, "call");
    std::process::abort();
}

#[test]
#[ignore = "ends its process; run by a_fatal_error_of_llvm_says_what_to_report"]
fn meets_a_convention_that_the_target_has_not() {
    let target = Target::from_triple("riscv64-unknown-none-elf").unwrap();
    assert!(!target.supports_swift_calling_convention());
    emit_call(&target, CallingConvention::Swift, "call");
}

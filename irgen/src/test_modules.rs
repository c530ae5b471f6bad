//! A small module in LLVM IR for the tests of everything after the lowering.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use inkwell::context::Context;
use inkwell::module::Module;

use crate::llvm::modules;
use crate::target::{Machine, MachineOptions, Target};

pub const MAIN_TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

pub fn machine(triple: &str) -> Machine {
    Target::from_triple(triple).unwrap().machine(&MachineOptions::default()).unwrap()
}

/// `main` prints "ok\n" with putchar; a Swift function with an atomic counter, an overflow check and a `swifterror`
/// slot returns the text.
pub fn hello<'ctx>(context: &'ctx Context, machine: &Machine) -> Module<'ctx> {
    let convention = if machine.target().supports_swift_calling_convention() { "swiftcc" } else { "ccc" };
    let print = |character: u8| {
        format!(
            "  %count{character} = call {convention} i64 @next(i64 1, ptr swiftself null, ptr swifterror %error)\n  \
             call void @print(i32 {character})\n"
        )
    };
    let characters: String = b"ok\n".map(print).concat();
    let text = format!(
        "@counter = hidden global i64 0, align 8\n\
         declare i32 @putchar(i32) nounwind\n\
         declare {{ i64, i1 }} @llvm.sadd.with.overflow.i64(i64, i64)\n\
         declare void @llvm.trap()\n\
         define hidden {convention} i64 @next(i64 %step, ptr swiftself %self, ptr swifterror captures(none) %error) \
         noinline nounwind \"frame-pointer\"=\"all\" {{\n  \
         %old = atomicrmw add ptr @counter, i64 %step monotonic\n  \
         %pair = call {{ i64, i1 }} @llvm.sadd.with.overflow.i64(i64 %old, i64 %step)\n  \
         %sum = extractvalue {{ i64, i1 }} %pair, 0\n  \
         %overflow = extractvalue {{ i64, i1 }} %pair, 1\n  \
         br i1 %overflow, label %overflowed, label %fine, !prof !0\n\
         overflowed:\n  call void @llvm.trap()\n  unreachable\n\
         fine:\n  ret i64 %sum\n}}\n\
         define internal void @print(i32 %character) {{\n  \
         %result = call i32 @putchar(i32 %character)\n  ret void\n}}\n\
         define i32 @main() {{\n  \
         %error = alloca swifterror ptr\n  store ptr null, ptr %error\n{characters}  \
         %count = load atomic i64, ptr @counter acquire, align 8\n  \
         %wrong = sub i64 %count, 3\n  %status = trunc i64 %wrong to i32\n  ret i32 %status\n}}\n\
         !0 = !{{!\"branch_weights\", i32 1, i32 2000000}}\n"
    );
    let module = modules::parse(context, text.as_bytes(), "hello").unwrap();
    machine.prepare_module(&module);
    module
}

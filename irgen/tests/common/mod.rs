//! Small modules built by hand, for the tests of everything behind the lowering.
#![allow(dead_code, reason = "each test program uses a part")]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use inkwell::AddressSpace;
use inkwell::context::Context;
use inkwell::module::Module;
use irgen::llvm::attributes::{self, Attribute, MemoryAccess, MemoryEffects};
use irgen::llvm::calls::{self, Callee, CallingConvention};
use irgen::llvm::globals::{self, SymbolLinkage};
use irgen::llvm::intrinsics::{self, OverflowOperation};
use irgen::llvm::memory::{self, Access, AtomicMode, Ordering, ReadModifyWrite};
use irgen::llvm::metadata::{self, Fact};
use irgen::llvm::stack::SwiftErrorSlots;
use irgen::target::{Machine, MachineOptions, Target};

pub const MAIN_TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

pub fn machine(triple: &str) -> Machine {
    Target::from_triple(triple).unwrap().machine(&MachineOptions::default()).unwrap()
}

/// `main` prints "ok\n" through putchar; a Swift function with an atomic counter, an overflow check and a
/// `swifterror` slot tells it how.
pub fn hello<'ctx>(context: &'ctx Context, machine: &Machine) -> Module<'ctx> {
    let module = context.create_module("hello");
    machine.prepare_module(&module);
    let builder = context.create_builder();
    let (void, byte, word) = (context.void_type(), context.i32_type(), context.i64_type());
    let pointer = context.ptr_type(AddressSpace::default());

    let putchar = module.add_function("putchar", byte.fn_type(&[byte.into()], false), None);
    attributes::add_to_function(putchar, &[Attribute::NoUnwind]);

    let counter = globals::add_variable(
        &module,
        word,
        "counter",
        SymbolLinkage::ExternalHidden,
        globals::Mutability::Variable,
        8,
    );
    counter.set_initializer(&word.const_zero());

    // A Swift function: adds to the counter, traps on overflow, leaves its error slot alone.
    let next_type = word.fn_type(&[word.into(), pointer.into(), pointer.into()], false);
    let next = module.add_function("next", next_type, None);
    globals::set_linkage(next, SymbolLinkage::ExternalHidden);
    calls::set_convention(next, machine.target().swift_calling_convention());
    attributes::add_to_function(
        next,
        &[Attribute::NoInline, Attribute::NoUnwind, Attribute::Text("frame-pointer", "all")],
    );
    attributes::add_to_parameter(next, 1, &[Attribute::SwiftSelf]);
    attributes::add_to_parameter(
        next,
        2,
        &[Attribute::SwiftError, Attribute::NoCapture, Attribute::Dereferenceable(u64::from(machine.pointer_size()))],
    );
    let entry = context.append_basic_block(next, "entry");
    let overflowed = context.append_basic_block(next, "overflowed");
    let fine = context.append_basic_block(next, "fine");
    builder.position_at_end(entry);
    let step = next.get_nth_param(0).unwrap().into_int_value();
    let old = memory::read_modify_write(
        &builder,
        ReadModifyWrite::Add,
        counter.as_pointer_value(),
        step,
        Ordering::Relaxed,
        AtomicMode::default(),
    )
    .unwrap();
    let (sum, overflow) =
        intrinsics::with_overflow(&builder, &module, OverflowOperation::SignedAdd, old.into_int_value(), step).unwrap();
    let branch = builder.build_conditional_branch(overflow, overflowed, fine).unwrap();
    metadata::attach(context, branch, &[Fact::BranchWeights(&[1, 2_000_000])]);
    builder.position_at_end(overflowed);
    intrinsics::trap(&builder, &module).unwrap();
    builder.build_unreachable().unwrap();
    builder.position_at_end(fine);
    builder.build_return(Some(&sum)).unwrap();

    let print = module.add_function("print", void.fn_type(&[byte.into()], false), None);
    globals::set_linkage(print, SymbolLinkage::Internal);
    attributes::add_to_function(print, &[Attribute::Memory(MemoryEffects::everywhere(MemoryAccess::ReadWrite))]);
    let entry = context.append_basic_block(print, "entry");
    builder.position_at_end(entry);
    let character = print.get_nth_param(0).unwrap();
    calls::call(&builder, Callee::of_function(putchar, CallingConvention::C), &[character], "").unwrap();
    builder.build_return(None).unwrap();

    let main = module.add_function("main", byte.fn_type(&[], false), None);
    let entry = context.append_basic_block(main, "entry");
    builder.position_at_end(entry);
    let error_slots = SwiftErrorSlots::new(context).unwrap();
    let error = error_slots.slot(&builder, main, machine.pointer_size(), "error").unwrap();
    let alignment = machine.pointer_size();
    memory::store(&builder, pointer.const_null(), error, Access::aligned(alignment)).unwrap();
    let callee = Callee::of_function(next, machine.target().swift_calling_convention());
    let arguments = [word.const_int(1, false).into(), pointer.const_null().into(), error.into()];
    for text in ["o", "k", "\n"] {
        let site = calls::call(&builder, callee, &arguments, "count").unwrap();
        attributes::add_to_parameter(site, 1, &[Attribute::SwiftSelf]);
        attributes::add_to_parameter(site, 2, &[Attribute::SwiftError]);
        let character = byte.const_int(u64::from(text.as_bytes()[0]), false);
        calls::call(&builder, Callee::of_function(print, CallingConvention::C), &[character.into()], "").unwrap();
    }
    let count = memory::load(&builder, word, counter.as_pointer_value(), Access::atomic(8, Ordering::Acquire), "count")
        .unwrap()
        .into_int_value();
    let expected = builder.build_int_sub(count, word.const_int(3, false), "wrong").unwrap();
    let status = builder.build_int_truncate(expected, byte, "status").unwrap();
    builder.build_return(Some(&status)).unwrap();
    module
}

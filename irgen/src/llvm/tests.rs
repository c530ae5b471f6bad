//! Tests of the boundary's output, as LLVM prints it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::types::AnyType;
use inkwell::values::FunctionValue;
use inkwell::{AtomicOrdering, AtomicRMWBinOp};

use super::attributes::{self, Attribute, Place};
use super::builder::Builder;
use super::coroutines::YieldOnce;
use super::diagnostics::DiagnosticCollector;
use super::metadata::{FlagMerge, add_module_flag};
use super::{SyncScope, globals, intrinsics, modules};
use crate::emit::{ModuleOutput, emit_to_memory};
use crate::optimize::optimize;
use crate::test_modules::{MAIN_TARGETS, machine};

/// Creates a function from `(ptr, i64)` to `i64`, with the builder in its entry block.
fn function<'ctx>(builder: &Builder<'ctx>, module: &Module<'ctx>) -> FunctionValue<'ctx> {
    let word = builder.int_type(64);
    let ty = word.fn_type(&[builder.ptr_type().into(), word.into()], false);
    let function = module.add_function("f", ty, None);
    builder.position_at_end(builder.context.append_basic_block(function, "entry"));
    function
}

fn assert_contains(module: &Module<'_>, expected: &[&str]) {
    let text = modules::text_of(module);
    for expected in expected {
        assert!(text.contains(expected), "{expected}\n in\n{text}");
    }
}

#[test]
fn attributes_read_as_llvm_writes_them() {
    let context = Context::create();
    let builder = Builder::new(&context);
    let module = context.create_module("attributes");
    let f = function(&builder, &module);
    let word = builder.int_type(64);
    let pair = builder.struct_type(&[word.into(), word.into()]).as_any_type_enum();
    attributes::add(f, Place::Parameter(0), &[Attribute::StructReturn(pair), Attribute::NoAlias, Attribute::NoCapture]);
    attributes::add(f, Place::Parameter(0), &[Attribute::Alignment(8), Attribute::Dereferenceable(16)]);
    attributes::add(f, Place::Parameter(1), &[Attribute::ZeroExtend]);
    attributes::add(f, Place::Result, &[Attribute::SignExtend]);
    attributes::add(f, Place::Function, &[Attribute::NoInline, Attribute::OptimizeNone, Attribute::NoUnwind]);
    let mut list = attributes::AttributeList::default();
    list.push(&context, Place::Parameter(0), Attribute::SwiftSelf);
    list.push(&context, Place::Parameter(1), Attribute::Returned);
    list.push(&context, Place::Function, Attribute::Cold);
    let call = builder.call(f, &f.get_params());
    list.add_to(call);
    builder.ret(call.try_as_basic_value().basic());
    assert_contains(
        &module,
        &[
            "define signext i64 @f(ptr noalias sret({ i64, i64 }) align 8 captures(none) dereferenceable(16) %0, i64 zeroext %1)",
            "call i64 @f(ptr swiftself %0, i64 returned %1) #1",
            "attributes #0 = { noinline nounwind optnone }",
            "attributes #1 = { cold }",
        ],
    );
}

#[test]
fn instructions_read_as_llvm_writes_them() {
    let context = Context::create();
    let builder = Builder::new(&context);
    let machine = machine(MAIN_TARGETS[0]);
    let module = context.create_module("instructions");
    machine.prepare_module(&module);
    let f = function(&builder, &module);
    let address = f.get_nth_param(0).unwrap().into_pointer_value();
    let number = f.get_nth_param(1).unwrap().into_int_value();
    let moved = builder.index_bytes(address, builder.arithmetic_shift_right(number, builder.int(64, 3)));
    builder.opaque_use(builder.raw_index_bytes(moved, number));
    let slot = builder.dynamic_alloca(number, 16);
    let loaded = builder.load_invariant(builder.int_type(64).into(), slot, 4);
    builder.fence(AtomicOrdering::Release, SyncScope::SingleThread);
    let orderings = [AtomicOrdering::AcquireRelease, AtomicOrdering::Monotonic];
    let exchanged = builder.compare_exchange(address, [number.into(), loaded], orderings).unwrap();
    builder.read_modify_write(AtomicRMWBinOp::Add, address, number, AtomicOrdering::SequentiallyConsistent);
    let rotate = intrinsics::declare(&module, "llvm.fshl", &[number.get_type().into()]).unwrap();
    builder.call(rotate, &[number.into(), builder.extract(exchanged, 0), number.into()]);
    builder.ret(Some(builder.signed_remainder(number, loaded.into_int_value()).into()));

    modules::verify(&module).unwrap();
    assert_contains(
        &module,
        &[
            "ashr i64 %1, 3",
            "getelementptr inbounds i8, ptr %0, i64 %2",
            "getelementptr i8, ptr %3, i64 %1",
            "call void asm sideeffect \"\", \"r,~{memory}\"(ptr %4)",
            "alloca i8, i64 %1, align 16",
            "load i64, ptr %5, align 4, !invariant.load !0",
            "fence syncscope(\"singlethread\") release",
            "cmpxchg ptr %0, i64 %1, i64 %6 acq_rel monotonic, align 8",
            "atomicrmw add ptr %0, i64 %1 seq_cst, align 8",
            "call i64 @llvm.fshl.i64(i64 %1, i64 %9, i64 %1)",
            "srem i64 %1, %6",
        ],
    );
    assert_eq!(intrinsics::declare(&module, "llvm.no.such", &[]), None);
}

#[test]
fn symbols_become_local_or_stay_alive() {
    let context = Context::create();
    let text = b"$inline = comdat any\n@kept = constant i64 0\n@moved = hidden global i64 0\n@declared = external global i64\n\
                 define linkonce_odr hidden void @inline() comdat {\n  ret void\n}\n\
                 define void @memcpy() {\n  ret void\n}\ndefine i32 @main() {\n  ret i32 0\n}\n";
    let module = modules::parse(&context, text, "globals").unwrap();
    globals::make_local(&module, &|name| name != "main" && name != "kept");
    globals::mark_used(&module, &[module.get_global("kept").unwrap().as_pointer_value()]);
    add_module_flag(&context, &module, FlagMerge::Maximum, "uwtable", 2);
    add_module_flag(&context, &module, FlagMerge::Warning, "Debug Info Version", 3);
    modules::verify(&module).unwrap();
    assert_contains(
        &module,
        &[
            "@kept = constant i64 0",
            "@moved = internal global i64 0",
            "@declared = external global i64",
            "define internal void @inline() {",
            "define void @memcpy()",
            "define i32 @main()",
            "@llvm.used = appending global [1 x ptr] [ptr @kept], section \"llvm.metadata\"",
            "!{i32 7, !\"uwtable\", i32 2}",
            "!{i32 2, !\"Debug Info Version\", i32 3}",
        ],
    );
}

#[test]
fn a_coroutine_is_split_by_llvm() {
    const SWIFT: u32 = 16;
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = machine(MAIN_TARGETS[0]);
    let module = context.create_module("coroutine");
    machine.prepare_module(&module);
    let builder = Builder::new(&context);
    let (void, flag, pointer) = (context.void_type(), builder.int_type(1), builder.ptr_type());
    let prototype = module.add_function("prototype", void.fn_type(&[pointer.into(), flag.into()], false), None);
    let allocate = module.add_function("malloc", pointer.fn_type(&[builder.int_type(64).into()], false), None);
    let deallocate = module.add_function("free", void.fn_type(&[pointer.into()], false), None);
    let narrow = builder.int_type(32);
    let ramp_result = builder.struct_type(&[pointer.into(), narrow.into()]);
    let function = module.add_function("modify", ramp_result.fn_type(&[pointer.into(), narrow.into()], false), None);
    for function in [function, prototype] {
        function.set_call_conventions(SWIFT);
    }
    attributes::add(function, Place::Function, &[Attribute::PresplitCoroutine, Attribute::NoUnwind]);
    builder.position_at_end(context.append_basic_block(function, "entry"));
    let coroutine = builder.begin_yield_once(
        &module,
        YieldOnce {
            buffer_size: builder.int(32, 32),
            buffer_alignment: builder.int(32, 8),
            buffer: function.get_nth_param(0).unwrap().into_pointer_value(),
            prototype,
            allocate,
            deallocate,
        },
    );
    builder.suspend_yield(&module, Some(context.bool_type().into()), &[function.get_nth_param(1).unwrap()]);
    builder.end_coroutine(&module, coroutine);
    builder.unreachable();
    modules::verify(&module).unwrap();
    optimize(&context, &module, &machine, &Default::default()).unwrap();
    let text = modules::text_of(&module);
    assert!(text.contains("define internal swiftcc void @modify.resume.0(") && !text.contains("llvm.coro"), "{text}");
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap();
}

#[test]
fn a_broken_module_is_an_internal_error() {
    let context = Context::create();
    let module = context.create_module("broken");
    let function = module.add_function("f", context.void_type().fn_type(&[], false), Some(Linkage::External));
    context.append_basic_block(function, "entry");
    let error = modules::verify(&module).unwrap_err();
    assert_eq!(error.class().exit_status(), 70);
    assert!(error.to_string().starts_with("internal: LLVM's verifier rejects the module 'broken'"), "{error}");
}

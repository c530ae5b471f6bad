//! What the helpers over inkwell make of what they are told, as LLVM prints it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use common::{MAIN_TARGETS, hello, machine};
use inkwell::AddressSpace;
use inkwell::context::Context;
use irgen::emit::{ModuleOutput, emit_to_memory};
use irgen::llvm::attributes::{self, AllocationKind, Attribute, MemoryAccess, MemoryEffects};
use irgen::llvm::calls::{self, Callee, CallingConvention, TailCall};
use irgen::llvm::diagnostics::DiagnosticCollector;
use irgen::llvm::globals::{self, SymbolLinkage, UsedBy};
use irgen::llvm::instructions::{self, IntegerFlag};
use irgen::llvm::memory::{self, Bounds};
use irgen::llvm::metadata::{self, Fact, FlagMerge, Tbaa};
use irgen::llvm::{constants, coroutines, intrinsics, modules};
use irgen::optimize::{OptimizationLevel, OptimizeOptions, optimize};
use irgen::target::{MachineOptions, Target};

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
        assert!(text.contains("define hidden swiftcc i64 @next(i64 %0, ptr swiftself %1, ptr"), "{text}");
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
fn attributes_read_as_llvm_writes_them() {
    let context = Context::create();
    let module = context.create_module("attributes");
    let pointer = context.ptr_type(AddressSpace::default());
    let word = context.i64_type();
    let function = module.add_function("f", pointer.fn_type(&[pointer.into(), word.into()], false), None);
    let pair = context.struct_type(&[word.into(), word.into()], false);
    attributes::add_to_parameter(
        function,
        0,
        &[
            Attribute::StructReturn(pair.into()),
            Attribute::NoAlias,
            Attribute::NoCapture,
            Attribute::NonNull,
            Attribute::NoUndef,
            Attribute::Alignment(8),
            Attribute::Dereferenceable(16),
            Attribute::Writable,
            Attribute::DeadOnUnwind,
        ],
    );
    attributes::add_to_parameter(
        function,
        1,
        &[Attribute::Range { integer: word, low: 0, high: 1 << 63 }, Attribute::ZeroExtend],
    );
    attributes::add_to_result(function, &[Attribute::NoAlias, Attribute::DereferenceableOrNull(16)]);
    attributes::add_to_function(
        function,
        &[
            Attribute::Memory(MemoryEffects {
                inaccessible: MemoryAccess::ReadWrite,
                ..MemoryEffects::arguments_only(MemoryAccess::Write)
            }),
            Attribute::UnwindTable,
            Attribute::AllocatedSize { size_parameter: 1 },
            Attribute::Allocation(AllocationKind::AllocateUninitialized),
            Attribute::WillReturn,
            Attribute::Text("alloc-family", "swift"),
        ],
    );
    let text = modules::text_of(&module);
    for expected in [
        "declare noalias dereferenceable_or_null(16) ptr @f(",
        "ptr dead_on_unwind noalias noundef nonnull writable sret({ i64, i64 }) align 8 captures(none) dereferenceable(16)",
        "i64 zeroext range(i64 0, -9223372036854775808)",
        "willreturn allockind(\"alloc,uninitialized\") allocsize(1) memory(argmem: write, inaccessiblemem: readwrite)",
        "uwtable",
        "\"alloc-family\"=\"swift\"",
    ] {
        assert!(text.contains(expected), "{expected}\n in\n{text}");
    }
}

#[test]
fn instructions_read_as_llvm_writes_them() {
    let context = Context::create();
    let machine = machine(MAIN_TARGETS[0]);
    let module = context.create_module("instructions");
    machine.prepare_module(&module);
    let builder = context.create_builder();
    let pointer = context.ptr_type(AddressSpace::default());
    let word = context.i64_type();
    let function_type = word.fn_type(&[pointer.into(), word.into()], false);
    let function = module.add_function("f", function_type, None);
    calls::set_convention(function, CallingConvention::SwiftTail);
    let entry = context.append_basic_block(function, "entry");
    builder.position_at_end(entry);
    let address = function.get_nth_param(0).unwrap().into_pointer_value();
    let number = function.get_nth_param(1).unwrap().into_int_value();

    let sum = builder.build_int_add(number, word.const_int(1, false), "sum").unwrap();
    instructions::set_flags(sum, &[IntegerFlag::NoSignedWrap, IntegerFlag::NoUnsignedWrap, IntegerFlag::Exact]);
    let frozen = instructions::freeze(&builder, sum, "frozen").unwrap().into_int_value();
    let moved = memory::byte_offset(&builder, address, frozen, Bounds::InObjectForward, "moved").unwrap();
    let tbaa = Tbaa::new(&context, "Swift");
    let tag = tbaa.access(tbaa.scalar("Int", None));
    let access = memory::Access::volatile(8);
    let loaded = memory::load(&builder, word, moved, access, "loaded").unwrap();
    let domain = metadata::alias_domain(&context, "f");
    let scopes = metadata::scope_list(&context, &[metadata::alias_scope(&context, "f.0", domain)]);
    metadata::attach_to_value(
        &context,
        loaded,
        &[
            Fact::Tbaa(tag),
            Fact::NoAlias(scopes),
            Fact::Range { integer: word, low: 0, high: 10 },
            Fact::NoUndef,
            Fact::InvariantLoad,
        ],
    );
    memory::fence(&builder, memory::Ordering::Release, memory::SyncScope::SingleThread).unwrap();
    memory::compare_exchange(
        &builder,
        address,
        number,
        sum,
        memory::CompareExchangeOrdering {
            success: memory::Ordering::AcquireRelease,
            failure: memory::Ordering::Relaxed,
        },
        memory::CompareExchangeStrength::Weak,
        memory::AtomicMode::default(),
    )
    .unwrap();
    let overload = [word.into()];
    let arguments = [number.into(), sum.into(), number.into()];
    intrinsics::call_for_value(&builder, &module, "llvm.fshl", &overload, &arguments, "rotated").unwrap();
    let callee = Callee::of_function(function, CallingConvention::SwiftTail);
    let site = calls::call(&builder, callee, &[address.into(), loaded], "again").unwrap();
    calls::set_tail_call(site, TailCall::Required);
    builder.build_return(Some(&calls::result_of(site).unwrap())).unwrap();

    modules::verify(&module).unwrap();
    let text = modules::text_of(&module);
    for expected in [
        "define swifttailcc i64 @f(",
        "%sum = add nuw nsw i64 %1, 1",
        "%frozen = freeze i64 %sum",
        "%moved = getelementptr inbounds nuw i8, ptr %0, i64 %frozen",
        "%loaded = load volatile i64, ptr %moved, align 8, !tbaa !0, !range !3, !invariant.load !4, !noalias !5, !noundef !4",
        "fence syncscope(\"singlethread\") release",
        "cmpxchg weak ptr %0, i64 %1, i64 %sum acq_rel monotonic, align 8",
        "call i64 @llvm.fshl.i64(i64 %1, i64 %sum, i64 %1)",
        "%again = musttail call swifttailcc i64 @f(ptr %0, i64 %loaded)",
        "!1 = !{!\"Int\", !2, i64 0}",
    ] {
        assert!(text.contains(expected), "{expected}\n in\n{text}");
    }
}

#[test]
fn globals_read_as_llvm_writes_them() {
    let context = Context::create();
    let machine = machine(MAIN_TARGETS[0]);
    let module = context.create_module("globals");
    machine.prepare_module(&module);
    let word = context.i64_type();
    let narrow = context.i32_type();
    let record_type = context.opaque_struct_type("record");
    record_type.set_body(&[word.into(), narrow.into()], true);
    let target = globals::add_variable(
        &module,
        word,
        "target",
        SymbolLinkage::ExternalProtected,
        globals::Mutability::Constant,
        8,
    );
    target.set_initializer(&word.const_zero());
    let record = globals::add_variable(
        &module,
        record_type,
        "record",
        SymbolLinkage::LinkOnceHidden,
        globals::Mutability::Constant,
        4,
    );
    let zero = narrow.const_zero();
    let field = constants::element_address(record_type, record.as_pointer_value(), &[zero, narrow.const_int(1, false)])
        .unwrap();
    let reference = constants::relative_reference(word, target.as_pointer_value(), field);
    record.set_initializer(&constants::named_struct(record_type, &[word.const_zero().into(), reference.into()]));
    globals::set_comdat_any(&module, record);
    globals::set_section(record, "swift5_types");
    globals::set_address_use(record, globals::AddressUse::Insignificant);
    globals::add_alias(&module, narrow, field, "address point", SymbolLinkage::ExternalHidden);
    globals::mark_used(&module, UsedBy::Linker, &[record.as_pointer_value()]);
    globals::mark_used(&module, UsedBy::Compiler, &[target.as_pointer_value()]);
    metadata::add_module_flag(&context, &module, FlagMerge::Maximum, "uwtable", 2);
    metadata::add_module_flag(&context, &module, FlagMerge::Minimum, "PIC Level", 2);
    metadata::add_module_flag(&context, &module, FlagMerge::Error, "wchar_size", 4);

    modules::verify(&module).unwrap();
    let text = modules::text_of(&module);
    for expected in [
        "$record = comdat any",
        "@target = protected constant i64 0, align 8",
        "@record = linkonce_odr hidden unnamed_addr constant %record <{ i64 0, i32 trunc (i64 sub (i64 ptrtoint (ptr @target to i64), i64 ptrtoint (ptr getelementptr inbounds nuw",
        "section \"swift5_types\", comdat, align 4",
        "@\"address point\" = hidden alias i32, ",
        "@llvm.used = appending global [1 x ptr] [ptr @record], section \"llvm.metadata\"",
        "!{i32 7, !\"uwtable\", i32 2}",
        "!{i32 8, !\"PIC Level\", i32 2}",
        "!{i32 1, !\"wchar_size\", i32 4}",
    ] {
        assert!(text.contains(expected), "{expected}\n in\n{text}");
    }
}

#[test]
fn a_coroutine_is_split_by_llvm() {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = machine(MAIN_TARGETS[0]);
    let module = context.create_module("coroutine");
    machine.prepare_module(&module);
    let builder = context.create_builder();
    let (void, flag, narrow) = (context.void_type(), context.bool_type(), context.i32_type());
    let pointer = context.ptr_type(AddressSpace::default());
    let prototype = module.add_function("prototype", void.fn_type(&[pointer.into(), flag.into()], false), None);
    let allocate = module.add_function("malloc", pointer.fn_type(&[context.i64_type().into()], false), None);
    let deallocate = module.add_function("free", void.fn_type(&[pointer.into()], false), None);
    let ramp_result = context.struct_type(&[pointer.into(), narrow.into()], false);
    let function = module.add_function("modify", ramp_result.fn_type(&[pointer.into(), narrow.into()], false), None);
    for function in [function, prototype] {
        calls::set_convention(function, CallingConvention::Swift);
    }
    attributes::add_to_function(function, &[Attribute::PresplitCoroutine, Attribute::NoUnwind]);
    let entry = context.append_basic_block(function, "entry");
    builder.position_at_end(entry);
    let coroutine = coroutines::begin_yield_once(
        &builder,
        &module,
        coroutines::YieldOnce {
            buffer_size: narrow.const_int(32, false),
            buffer_alignment: narrow.const_int(8, false),
            buffer: function.get_nth_param(0).unwrap().into_pointer_value(),
            prototype,
            allocate,
            deallocate,
        },
    )
    .unwrap();
    let yielded = function.get_nth_param(1).unwrap();
    coroutines::suspend_yield(&builder, &module, &[yielded]).unwrap();
    coroutines::end(&builder, &module, coroutine).unwrap();
    builder.build_unreachable().unwrap();
    modules::verify(&module).unwrap();
    optimize(&context, &module, &machine, &Default::default()).unwrap();
    let text = modules::text_of(&module);
    assert!(text.contains("define internal swiftcc void @modify.resume.0(") && !text.contains("llvm.coro"), "{text}");
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap();
}

#[test]
fn the_runtime_is_inlined_when_optimising_only() {
    const RUNTIME: &str = "@count = linkonce_odr hidden global i64 0\n\
        define linkonce_odr hidden void @swift_retain(ptr %object) {\n  \
        %old = atomicrmw add ptr @count, i64 1 monotonic\n  ret void\n}\n\
        define linkonce_odr hidden void @swift_unused() {\n  ret void\n}\n";
    const PROGRAM: &str = "declare void @swift_retain(ptr)\n\
        define i32 @main() {\n  call void @swift_retain(ptr null)\n  call void @helper()\n  ret i32 0\n}\n\
        define void @helper() noinline {\n  call void asm sideeffect \"\", \"\"()\n  ret void\n}\n\
        define void @unused() {\n  ret void\n}\n";
    for (level, inlined) in
        [(OptimizationLevel::O0, false), (OptimizationLevel::O1, true), (OptimizationLevel::Oz, true)]
    {
        let context = Context::create();
        let runtime = modules::bitcode_of(&modules::parse(&context, RUNTIME.as_bytes(), "runtime").unwrap());
        let module = modules::parse(&context, PROGRAM.as_bytes(), "program").unwrap();
        let target = Target::from_triple(MAIN_TARGETS[0]).unwrap();
        let machine = target.machine(&MachineOptions { optimization: level, ..MachineOptions::default() }).unwrap();
        machine.prepare_module(&module);
        let options = OptimizeOptions { runtime: Some(&runtime), may_be_local: Some(&|name| name != "main") };
        optimize(&context, &module, &machine, &options).unwrap();
        let text = modules::text_of(&module);
        assert_eq!(!text.contains("call void @swift_retain"), inlined, "{text}");
        assert_eq!(text.contains("@count = internal global"), inlined, "{text}");
        assert_eq!(text.contains("define internal fastcc void @helper"), inlined, "{text}");
        assert_eq!(!text.contains("@unused"), inlined, "{text}");
        assert!(!text.contains("@swift_unused"), "{text}");
    }
}

#[test]
fn what_llvm_reports_is_an_error_value() {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = machine(MAIN_TARGETS[0]);
    let module = context.create_module("assembly");
    machine.prepare_module(&module);
    let builder = context.create_builder();
    let function = module.add_function("f", context.void_type().fn_type(&[], false), None);
    builder.position_at_end(context.append_basic_block(function, "entry"));
    calls::inline_assembly(&context, &builder, "nosuchinstruction", "").unwrap();
    builder.build_return(None).unwrap();
    let error = emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics).unwrap_err();
    assert_eq!(error.class().exit_status(), 1);
    assert!(error.to_string().contains("invalid instruction mnemonic 'nosuchinstruction'"), "{error}");
}

#[test]
fn a_broken_module_is_an_internal_error() {
    let context = Context::create();
    let module = context.create_module("broken");
    let function = module.add_function("f", context.void_type().fn_type(&[], false), None);
    context.append_basic_block(function, "entry");
    let error = modules::verify(&module).unwrap_err();
    assert_eq!(error.class().exit_status(), 70);
    assert!(error.to_string().starts_with("internal: LLVM's verifier rejects the module 'broken'"), "{error}");
}

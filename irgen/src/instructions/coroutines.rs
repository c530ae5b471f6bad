//! Coroutines that yield once: `begin_apply`, `end_apply` and `abort_apply` on the caller's side; `yield`, `return` and
//! `unwind` on the coroutine's. LLVM splits the function at the yield.
//!
//! The two kinds differ in the memory for the frame and in the resumption (lib/IRGen/GenCall.cpp). Callers of
//! `@yield_once` provide a buffer of fixed size, and pass whether the coroutine unwinds. Callers of `@yield_once_2`
//! provide a buffer of the size in the coroutine's function pointer, and an allocator for more; it has one resumption
//! only.

use std::rc::Rc;

use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FunctionType};
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use sil_ir::context::CoroutineKind;
use sil_ir::model::InstructionId;
use sil_ir::model::views::{Apply, Unary, Yield};

use super::calls::{self, CallEmission, CallPlaces, Callee};
use crate::generation::signature::{
    CALLEE_ALLOCATED_FRAME_WORDS, COROUTINE_BUFFER_WORDS, DirectValue, LlvmParameter, Signature, YieldedValue, Yields,
};
use crate::generation::{
    CFunction, CoroutineState, CoroutineToken, Entity, Explosion, FunctionPointerKind, IRGenFunction, IRGenModule,
    Lowered,
};
use crate::layout::Scalar;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::llvm::coroutines::YieldOnce;
use crate::refusal::{Generated, unsupported_without_place};
use crate::values::opaque::MAXIMUM_ALIGNMENT;

/// The resumption of a coroutine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resumption {
    Normal,
    Unwind,
}

pub(super) fn begin_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let (mut callee, arguments) = calls::site(function, &Apply::of(function.body, instruction))?;
    let signature = callee.signature.clone();
    let Some(yields) = &signature.yields else {
        return Err(function.unsupported(instruction, "a begin_apply of a function that is no coroutine"));
    };
    let buffer = provide_buffer(function, &callee, yields.kind)?;
    let allocator = allocator_for_calls(function.module, &signature);
    if yields.kind == CoroutineKind::YieldOnce2 {
        callee.function = callee.code.unwrap_or_else(|| function.code_of_function_pointer(callee.function));
    }
    callee.function = function.builder.hide_coroutine(&function.module.llvm, callee.function);
    let places = CallPlaces { coroutine_buffer: Some(buffer), coroutine_allocator: allocator, ..CallPlaces::default() };
    let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(function)?;
    let mut first_results = first_results(function, yields, result.value);
    let resume = first_results.remove(0).into_pointer_value();
    let mut scalars = yielded_scalars(function, yields, first_results).into_iter();

    let values: Vec<_> = function.body.results(instruction).collect();
    for (value, yielded) in values.iter().zip(&yields.values) {
        let lowered = yielded_value(function, yielded, &mut scalars);
        function.bind(*value, lowered);
    }
    if let Some(token) = values.get(yields.values.len()) {
        let coroutine = CoroutineToken { buffer, allocator, resume, signature: signature.clone() };
        function.bind(*token, Lowered::Token(Rc::new(coroutine)));
    }
    // The token of the memory, which `dealloc_stack` ends.
    if let Some(memory) = values.get(yields.values.len() + 1) {
        function.bind(*memory, Lowered::Address(buffer));
    }
    Ok(())
}

/// Allocates the memory for the frame of a called coroutine.
fn provide_buffer<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    callee: &Callee<'ctx>,
    kind: CoroutineKind,
) -> Generated<PointerValue<'ctx>> {
    let word = function.module.pointer_size();
    match (kind, callee.frame_size) {
        (CoroutineKind::YieldOnce2, Some(size)) => Ok(function.stack_slot(size, MAXIMUM_ALIGNMENT)),
        (CoroutineKind::YieldOnce2, None) => {
            require_callable(function.module)?;
            let size = function.memory_size_of_function_pointer(callee.function);
            Ok(function.enter_slot(size, MAXIMUM_ALIGNMENT))
        }
        _ => Ok(function.stack_slot(COROUTINE_BUFFER_WORDS * word, word)),
    }
}

/// Checks whether `@yield_once_2` coroutines that may be compiled by another compiler can be called.
fn require_callable(module: &IRGenModule<'_, '_>) -> Generated<()> {
    match module.passes_coroutine_allocators() || module.is_whole_program() {
        true => Ok(()),
        false => {
            let what = "calls of accessor coroutines which other modules may define, for this target";
            Err(Box::new(unsupported_without_place(what)))
        }
    }
}

/// Returns the allocator passed to a `@yield_once_2` coroutine for frames that do not fit into the buffer.
fn allocator_for_calls<'ctx>(
    module: &IRGenModule<'_, 'ctx>,
    signature: &Signature<'ctx>,
) -> Option<PointerValue<'ctx>> {
    let takes_one = signature.parameters.contains(&LlvmParameter::CoroutineAllocator);
    takes_one.then(|| module.coroutine_allocator())
}

/// `end_apply`
pub(super) fn end_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    resume(function, instruction, Resumption::Normal)
}

/// `abort_apply`
pub(super) fn abort_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    resume(function, instruction, Resumption::Unwind)
}

/// Returns the continuation and the scalars returned by a coroutine's first call.
fn first_results<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    yields: &Yields,
    value: Option<BasicValueEnum<'ctx>>,
) -> Explosion<'ctx> {
    let count = yields.first_results().len() as u32;
    match value {
        Some(value) if count > 1 => (0..count).map(|index| function.builder.extract(value, index)).collect(),
        other => other.into_iter().collect(),
    }
}

/// Returns all yielded scalars: those in registers, and those in memory, whose address is in the last register.
fn yielded_scalars<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    yields: &Yields,
    mut registers: Explosion<'ctx>,
) -> Explosion<'ctx> {
    if yields.in_registers == yields.scalars.len() {
        return registers;
    }
    let Some(memory) = registers.pop() else { return registers };
    for (scalar, offset, alignment) in overflow_layout(function.module, yields).0 {
        let place = function.builder.offset(memory.into_pointer_value(), offset);
        registers.push(function.builder.load(function.builder.scalar_type(scalar), place, alignment));
    }
    registers
}

type OverflowLayout = (Vec<(Scalar, u64, u64)>, u64, u64);

/// Returns type, offset and alignment of each yielded scalar without a register, and the total size and alignment.
fn overflow_layout(module: &IRGenModule<'_, '_>, yields: &Yields) -> OverflowLayout {
    let (mut end, mut largest) = (0u64, 1);
    let mut places = Vec::new();
    for scalar in &yields.scalars[yields.in_registers..] {
        let size = u64::from(scalar.bits(module.pointer_bits()).div_ceil(8));
        let alignment = size.next_power_of_two();
        let offset = end.next_multiple_of(alignment);
        places.push((*scalar, offset, alignment));
        (end, largest) = (offset + size, largest.max(alignment));
    }
    (places, end, largest)
}

fn yielded_value<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    yielded: &YieldedValue,
    scalars: &mut impl Iterator<Item = BasicValueEnum<'ctx>>,
) -> Lowered<'ctx> {
    let count = yielded.scalars().len();
    let scalars: Explosion<'ctx> = scalars.take(count).collect();
    match (yielded, scalars.first()) {
        (YieldedValue::Address, Some(address)) => Lowered::Address(address.into_pointer_value()),
        (YieldedValue::Direct(DirectValue { native: Some(native), .. }), _) => {
            Lowered::Explosion(native.unpack(&function.builder, function.module.pointer_bits(), &scalars))
        }
        (YieldedValue::Direct(DirectValue { info, native: None }), Some(memory)) => {
            Lowered::Explosion(function.load_explosion(info, memory.into_pointer_value()))
        }
        (_, None) => Lowered::Explosion(Vec::new()),
    }
}

fn resume<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    resumption: Resumption,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let Some(Lowered::Token(token)) = function.lowered(operand).cloned() else {
        return Err(function.unsupported(instruction, "a token that does not come from begin_apply"));
    };
    let unwinds = function.builder.bool(resumption == Resumption::Unwind);
    emit_resumption(function, &token, unwinds);
    function.bind_result(instruction, Vec::new());
    Ok(())
}

/// Calls the continuation of a coroutine. Only the kind `@yield_once` takes `unwinds`.
fn emit_resumption<'ctx>(function: &IRGenFunction<'_, 'ctx>, token: &CoroutineToken<'ctx>, unwinds: IntValue<'ctx>) {
    let ty = continuation_type(function.module, &token.signature);
    let mut arguments = vec![token.buffer.into()];
    match token.signature.function_pointer_kind() {
        Some(_) => arguments.extend(token.allocator.map(BasicValueEnum::from)),
        None => arguments.push(unwinds.into()),
    }
    let call = function.builder.call_indirect(ty, token.resume, &arguments);
    call.set_call_convention(function.module.swift_convention());
    attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
}

/// Returns the argument of a coroutine's resumption in addition to its buffer: whether it unwinds, or the allocator
/// again.
fn resumed_with<'ctx>(module: &IRGenModule<'_, 'ctx>, signature: &Signature<'ctx>) -> Option<BasicTypeEnum<'ctx>> {
    match signature.function_pointer_kind() {
        Some(_) if signature.parameters.contains(&LlvmParameter::CoroutineAllocator) => {
            Some(module.builder.ptr_type().into())
        }
        Some(_) => None,
        None => Some(module.context.bool_type().into()),
    }
}

/// Returns the type of the continuation. A direct result would be its result.
fn continuation_type<'ctx>(module: &IRGenModule<'_, 'ctx>, signature: &Signature<'ctx>) -> FunctionType<'ctx> {
    let mut parameters = vec![module.builder.ptr_type().into()];
    parameters.extend(resumed_with(module, signature).map(BasicMetadataTypeEnum::from));
    module.builder.function_type(module.context, &signature.returned, &parameters)
}

/// Begins the frame of the coroutine `code`, in its entry block.
pub fn emit_entry<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, code: Entity) {
    let module = function.module;
    // References to the coroutine use the entity that represents it.
    if let Some(kind @ FunctionPointerKind::Coroutine) = function.signature.function_pointer_kind() {
        module.function_pointer(kind, code);
    }
    let Some(kind) = function.signature.yields.as_ref().map(|yields| yields.kind) else { return };
    let Some(buffer) = function.llvm_parameter(|parameter| *parameter == LlvmParameter::CoroutineBuffer) else {
        return;
    };
    let (words, alignment) = buffer_layout(module, kind);
    let parts = YieldOnce {
        buffer_size: module.builder.int(32, words * module.pointer_size()),
        buffer_alignment: module.builder.int(32, alignment),
        buffer: buffer.into_pointer_value(),
        prototype: prototype(module, kind, &function.signature),
        allocate: module.c_function(CFunction::Malloc),
        deallocate: module.c_function(CFunction::Free),
    };
    attributes::add(function.llvm, Place::Function, &[Attribute::PresplitCoroutine]);
    let coroutine = function.builder.begin_yield_once(&module.llvm, parts);
    let here = function.builder.block();
    let end = function.new_block("");
    function.builder.position_at_end(end);
    function.builder.end_coroutine(&module.llvm, coroutine);
    function.builder.unreachable();
    function.builder.position_at_end(here);
    function.state.coroutine = Some(CoroutineState { end });
}

/// Returns the size in words of the frame buffer of the module's own coroutines, and its alignment in bytes.
fn buffer_layout(module: &IRGenModule<'_, '_>, kind: CoroutineKind) -> (u64, u64) {
    match kind {
        CoroutineKind::YieldOnce2 => (CALLEE_ALLOCATED_FRAME_WORDS, MAXIMUM_ALIGNMENT),
        _ => (COROUTINE_BUFFER_WORDS, module.pointer_size()),
    }
}

/// Returns a prototype of the continuation, from which LLVM takes the convention and the attributes.
fn prototype<'ctx>(
    module: &IRGenModule<'_, 'ctx>,
    kind: CoroutineKind,
    signature: &Signature<'ctx>,
) -> FunctionValue<'ctx> {
    let entity = Entity::CoroutinePrototype(kind);
    if let Some(found) = module.declared_function(&entity) {
        return found;
    }
    let prototype = module.declare_function(entity, continuation_type(module, signature));
    prototype.set_call_conventions(module.swift_convention());
    let size = buffer_layout(module, kind).0 * module.pointer_size();
    attributes::add(prototype, Place::Parameter(0), &[Attribute::NoAlias, Attribute::Dereferenceable(size)]);
    prototype
}

pub(super) fn emit_yield<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let signature = function.signature.clone();
    let Some(yields) = &signature.yields else {
        return Err(function.unsupported(instruction, "a yield outside of a coroutine"));
    };
    let Yield { values, resume, unwind } = Yield::of(function.body, instruction);
    let mut scalars = Vec::new();
    for (value, yielded) in values.iter().zip(&yields.values) {
        scalars.extend(packed_yield(function, yielded, function.flatten(&[*value])?));
    }
    let overflow = scalars.split_off(yields.in_registers);
    if !overflow.is_empty() {
        let (places, size, alignment) = overflow_layout(function.module, yields);
        let memory = function.stack_slot(size, alignment);
        for (scalar, (_, offset, alignment)) in overflow.into_iter().zip(places) {
            function.builder.store(scalar, function.builder.offset(memory, offset), alignment);
        }
        scalars.push(memory.into());
    }
    let unwinds = suspend(function, &signature, &scalars);
    function.builder.branch_if(unwinds, function.block(unwind), function.block(resume));
    Ok(())
}

/// Yields these scalars. Returns whether the coroutine unwinds afterwards.
fn suspend<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    signature: &Signature<'ctx>,
    scalars: &[BasicValueEnum<'ctx>],
) -> IntValue<'ctx> {
    let with = resumed_with(function.module, signature);
    match function.builder.suspend_yield(&function.module.llvm, with, scalars) {
        Some(BasicValueEnum::IntValue(unwinds)) => unwinds,
        _ => function.builder.bool(false),
    }
}

/// Begins a function that only forwards to another coroutine: one of kind `@yield_once_2` has its own frame; others are
/// tail-called.
pub fn begin_forwarding(function: &mut IRGenFunction<'_, '_>, code: Entity) {
    if function.signature.function_pointer_kind() == Some(FunctionPointerKind::Coroutine) {
        emit_entry(function, code);
    }
}

/// Calls the coroutine of kind `@yield_once_2` at `callee` with the function's own arguments, yields its values and
/// forwards the resumption.
pub fn forward<'ctx>(function: &IRGenFunction<'_, 'ctx>, callee: PointerValue<'ctx>) -> Generated<()> {
    let (module, signature) = (function.module, function.signature.clone());
    let (Some(yields), Some(state)) = (&signature.yields, &function.state.coroutine) else {
        return Err(Box::new(unsupported_without_place("leading to a coroutine from what is none")));
    };
    require_callable(module)?;
    let code = function.code_of_function_pointer(callee);
    let memory = function.allocate_dynamic(function.memory_size_of_function_pointer(callee), MAXIMUM_ALIGNMENT);
    let own = signature.parameters.iter().zip(function.llvm.get_params());
    let arguments: Vec<_> = own
        .map(|(parameter, value)| match parameter {
            LlvmParameter::CoroutineBuffer => memory.address.into(),
            _ => value,
        })
        .collect();
    let call = function.builder.call_indirect(signature.llvm, code, &arguments);
    call.set_call_convention(signature.convention);
    signature.attributes.add_to(call);
    let mut results = first_results(function, yields, call.try_as_basic_value().basic());
    let resume = results.remove(0).into_pointer_value();
    suspend(function, &signature, &results);
    let allocator = function.llvm_parameter(|parameter| *parameter == LlvmParameter::CoroutineAllocator);
    let allocator = allocator.map(BasicValueEnum::into_pointer_value);
    let token = CoroutineToken { buffer: memory.address, allocator, resume, signature: signature.clone() };
    emit_resumption(function, &token, function.builder.bool(false));
    function.free_dynamic(memory);
    function.builder.branch(state.end);
    Ok(())
}

/// Returns the yielded form of a value: its scalars, or the address of a temporary.
fn packed_yield<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    yielded: &YieldedValue,
    explosion: Explosion<'ctx>,
) -> Explosion<'ctx> {
    match yielded {
        YieldedValue::Address => explosion,
        YieldedValue::Direct(DirectValue { native: Some(native), .. }) => {
            native.pack(&function.builder, function.module.pointer_bits(), &explosion)
        }
        YieldedValue::Direct(DirectValue { info, native: None }) => {
            let temporary = function.temporary(info);
            function.store_explosion(info, &explosion, temporary);
            vec![temporary.into()]
        }
    }
}

/// Emits `return` in a coroutine.
pub fn emit_return<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    end_frame(function, instruction)
}

/// Emits `unwind`.
pub fn emit_unwind<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    end_frame(function, instruction)
}

fn end_frame<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    match &function.state.coroutine {
        Some(state) => {
            function.builder.branch(state.end);
            Ok(())
        }
        None => Err(function.unsupported(instruction, "an unwind outside of a coroutine")),
    }
}

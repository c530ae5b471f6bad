//! Coroutines that yield once: `begin_apply`, `end_apply` and `abort_apply` on the caller's side; `yield`, `return` and `unwind` on the
//! coroutine's. LLVM splits the function at the yield.

use std::rc::Rc;

use inkwell::AddressSpace;
use inkwell::types::FunctionType;
use inkwell::values::{BasicValueEnum, FunctionValue};
use sil::context::TypeId;
use sil::model::InstructionId;
use sil::model::views::{Apply, Unary, Yield};

use super::calls::{self, CallEmission, CallPlaces};
use crate::generation::signature::{
    COROUTINE_BUFFER_WORDS, DirectValue, LlvmParameter, Signature, YieldedValue, Yields,
};
use crate::generation::{
    CFunction, CoroutineState, CoroutineToken, Entity, Explosion, IRGenFunction, IRGenModule, Lowered,
};
use crate::layout::Scalar;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::llvm::coroutines::YieldOnce;
use crate::refusal::Generated;

/// Where a coroutine goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resumption {
    Normal,
    Unwind,
}

pub(super) fn begin_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let (mut callee, arguments) = calls::site(function, &Apply::of(function.body, instruction))?;
    let signature = callee.signature.clone();
    callee.function = function.builder.hide_coroutine(&function.module.llvm, callee.function);
    let Some(yields) = &signature.yields else {
        return Err(function.unsupported(instruction, "a begin_apply of a function that is no coroutine"));
    };
    let word = function.module.pointer_size();
    let buffer = function.stack_slot(COROUTINE_BUFFER_WORDS * word, word);
    let places = CallPlaces { coroutine_buffer: Some(buffer), ..CallPlaces::default() };
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
        let coroutine = CoroutineToken { buffer, resume, signature: signature.clone() };
        function.bind(*token, Lowered::Token(Rc::new(coroutine)));
    }
    Ok(())
}

/// `end_apply`
pub(super) fn end_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    resume(function, instruction, Resumption::Normal)
}

/// `abort_apply`
pub(super) fn abort_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    resume(function, instruction, Resumption::Unwind)
}

/// The continuation and the scalars that a coroutine's first call returned.
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

/// All scalars that were yielded: those in registers, and those in memory whose address is the last register.
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

/// Type, offset and alignment of each yielded scalar that has no register, and the size and alignment of them all.
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
    let ty = continuation_type(function.module, &token.signature);
    let unwinds = function.builder.bool(resumption == Resumption::Unwind);
    let call = function.builder.call_indirect(ty, token.resume, &[token.buffer.into(), unwinds.into()]);
    call.set_call_convention(function.module.swift_convention());
    attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
    function.bind_result(instruction, Vec::new());
    Ok(())
}

/// The function that goes on after the yield. A direct result would be its result.
fn continuation_type<'ctx>(module: &IRGenModule<'_, 'ctx>, signature: &Signature<'ctx>) -> FunctionType<'ctx> {
    let pointer = module.context.ptr_type(AddressSpace::default());
    let parameters = [pointer.into(), module.context.bool_type().into()];
    module.builder.function_type(module.context, &signature.returned, &parameters)
}

/// Begins the frame of a coroutine, in its entry block.
pub fn emit_entry<'ctx>(function: &mut IRGenFunction<'_, 'ctx>) {
    let module = function.module;
    if function.signature.yields.is_none() {
        return;
    }
    let Some(buffer) = function.llvm_parameter(|parameter| *parameter == LlvmParameter::CoroutineBuffer) else {
        return;
    };
    let word = module.pointer_size();
    let parts = YieldOnce {
        buffer_size: module.builder.int(32, COROUTINE_BUFFER_WORDS * word),
        buffer_alignment: module.builder.int(32, word),
        buffer: buffer.into_pointer_value(),
        prototype: prototype(module, function.function.ty, &function.signature),
        allocate: c_function(
            module,
            CFunction::Malloc,
            module.builder.ptr_type().fn_type(&[module.word_type().into()], false),
        ),
        deallocate: c_function(
            module,
            CFunction::Free,
            module.context.void_type().fn_type(&[module.builder.ptr_type().into()], false),
        ),
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

/// A declaration like the continuation: LLVM takes the convention and the attributes from it.
fn prototype<'ctx>(module: &IRGenModule<'_, 'ctx>, ty: TypeId, signature: &Signature<'ctx>) -> FunctionValue<'ctx> {
    let entity = Entity::CoroutinePrototype(ty);
    if let Some(found) = module.declared_function(&entity) {
        return found;
    }
    let prototype = module.declare_function(entity, continuation_type(module, signature));
    prototype.set_call_conventions(module.swift_convention());
    let size = COROUTINE_BUFFER_WORDS * module.pointer_size();
    attributes::add(prototype, Place::Parameter(0), &[Attribute::NoAlias, Attribute::Dereferenceable(size)]);
    prototype
}

fn c_function<'ctx>(
    module: &IRGenModule<'_, 'ctx>,
    function: CFunction,
    ty: FunctionType<'ctx>,
) -> FunctionValue<'ctx> {
    let entity = Entity::C(function);
    let known = module.function_with_symbol(function.symbol()).or_else(|| module.declared_function(&entity));
    known.unwrap_or_else(|| module.declare_function(entity, ty))
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
    let unwinds = function.builder.suspend_yield(&function.module.llvm, &scalars);
    function.builder.branch_if(unwinds, function.block(unwind), function.block(resume));
    Ok(())
}

/// What is yielded for one value: its scalars, or the address of a temporary.
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

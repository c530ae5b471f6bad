//! Forwarders: functions that take a context, load its captures, and call the function of a closure.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{CalleeConvention, ParameterConvention, Type, TypeId};

use super::super::calls::{CallEmission, CallPlaces, Callee};
use super::super::concurrency;
use super::context::{CalleeCaptures, Capture, CaptureKind, CapturedCallee, Context, ContextForm, Isolation};
use crate::generation::signature::LlvmParameter;
use crate::generation::{ContextStorage, Entity, Explosion, ForwarderKey, IRGenFunction, IRGenModule};
use crate::layout::ReferenceKind;
use crate::refusal::Generated;
use crate::values::opaque::{LayoutFact, MAXIMUM_ALIGNMENT, ValueWitness};

/// Returns the forwarder for `key` as a value: its code or its async function pointer.
pub(super) fn function<'ctx>(module: &IRGenModule<'_, 'ctx>, key: ForwarderKey) -> Generated<PointerValue<'ctx>> {
    let entity = Entity::Forwarder(key);
    let signature = module.signature(key.closure_type)?;
    let code = match module.declared_address(&entity) {
        Some(found) => found,
        None => module.declare_thunk(entity.clone(), &signature).as_global_value().as_pointer_value(),
    };
    Ok(match signature.function_pointer_kind() {
        Some(kind) => module.function_pointer(kind, entity),
        None => code,
    })
}

/// Emits the body of the forwarder for `key`.
pub fn define(module: &IRGenModule<'_, '_>, key: ForwarderKey) -> Generated<()> {
    let Some(llvm) = module.declared_function(&Entity::Forwarder(key)) else { return Ok(()) };
    let context = key.context(module)?;
    let mut forwarder = IRGenFunction::without_sil(module, llvm, module.signature(key.closure_type)?);
    concurrency::begin_async(&mut forwarder, Entity::Forwarder(key));
    emit(&mut forwarder, key, &context)
}

impl ForwarderKey {
    /// The captures of the closure.
    pub(super) fn context(self, module: &IRGenModule<'_, '_>) -> Generated<Context> {
        let Type::Function(callee) = module.types.queries.get(self.callee_type) else {
            return Err(module.unsupported_type(self.callee_type));
        };
        let captured = match self.callee {
            Some(_) => CapturedCallee::No,
            None => CapturedCallee::Pointer(self.callee_type),
        };
        let generic_arguments = module.signature(self.generic_type)?.generic_parameters().count();
        let isolation = Isolation::of(module, self.closure_type);
        let captured = CalleeCaptures { callee: captured, generic_arguments, isolation };
        Context::new(module, callee, self.captures, captured, self.storage)
    }
}

fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, key: ForwarderKey, context: &Context) -> Generated<()> {
    let object = place(function, &LlvmParameter::Context).unwrap_or_else(|| function.builder.null());
    let mut arguments = function.incoming_arguments();
    let mut captured: Vec<Explosion<'ctx>> = Vec::new();
    let mut metadata: Vec<PointerValue<'ctx>> = Vec::new();
    for index in 0..context.captures.len() {
        if context.captures[index].kind == CaptureKind::Metadata {
            let values = load_capture(function, context, index, object, None, &mut Vec::new());
            metadata.extend(values.first().map(|value| value.into_pointer_value()));
        }
    }
    let boxed = context.captures.iter().filter(|capture| matches!(capture.kind, CaptureKind::Boxed(_))).count();
    let mut of_boxes = metadata.split_off(metadata.len() - boxed.min(metadata.len())).into_iter();
    let mut temporaries = Vec::new();
    for (index, capture) in context.captures.iter().enumerate() {
        let content = if matches!(capture.kind, CaptureKind::Boxed(_)) { of_boxes.next() } else { None };
        if capture.kind != CaptureKind::Metadata {
            captured.push(load_capture(function, context, index, object, content, &mut temporaries));
        }
    }
    let callee = match key.callee {
        Some(name) => match function.module.sil.function_named(name) {
            Some(callee) => Callee::of_function(function, key.generic_type, callee)?,
            None => return Err(function.module.unsupported_type(key.callee_type)),
        },
        None => Callee::of_value(function, key.generic_type, &captured.pop().unwrap_or_default())?,
    };
    let callee = callee.with_generic_values(metadata);
    arguments.extend(captured);
    let places = CallPlaces {
        indirect_return: place(function, &LlvmParameter::IndirectReturn),
        error: place(function, &LlvmParameter::Error),
        error_memory: function.signature.error.as_ref().and_then(|_| place(function, &LlvmParameter::IndirectError)),
        coroutine_buffer: None,
        coroutine_allocator: None,
    };
    let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(function)?;
    temporaries.into_iter().rev().for_each(|slot| function.leave_dynamic_slot(slot));
    if key.storage == ContextStorage::Heap && is_callee_owned(function.module, key.closure_type) {
        function.release(ReferenceKind::Native, object.into());
    }
    let bits = function.module.pointer_bits();
    let registers = result.registers.iter().zip(&function.signature.returned);
    let registers: Vec<_> =
        registers.map(|(register, ty)| Some(function.builder.coerce(*register, *ty, bits))).collect();
    function.emit_registers(&registers, result.thrown)
}

fn place<'ctx>(function: &IRGenFunction<'_, 'ctx>, is: &LlvmParameter) -> Option<PointerValue<'ctx>> {
    function.llvm_parameter(|parameter| parameter == is).map(BasicValueEnum::into_pointer_value)
}

/// Returns whether the call of the closure consumes the context.
fn is_callee_owned(module: &IRGenModule<'_, '_>, closure: TypeId) -> bool {
    matches!(module.types.queries.get(closure), Type::Function(ty) if ty.callee == CalleeConvention::Owned)
}

/// Loads a capture in the form that the called function takes. `content` has the metadata of a box's content; if it is
/// copied to a slot, that is added to `temporaries`.
fn load_capture<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    context: &Context,
    index: usize,
    object: PointerValue<'ctx>,
    content: Option<PointerValue<'ctx>>,
    temporaries: &mut Vec<PointerValue<'ctx>>,
) -> Explosion<'ctx> {
    let capture = &context.captures[index];
    let layout = match &context.form {
        ContextForm::Empty => return empty(function, capture),
        ContextForm::Single(single) if *single != index => return empty(function, capture),
        ContextForm::Single(_) => {
            let value: Explosion<'ctx> = vec![object.into()];
            copy_for_callee(function, capture, &value);
            return value;
        }
        ContextForm::Object(layout) => layout,
    };
    let place = function.builder.offset(object, layout.fields[index].offset);
    match capture.kind {
        CaptureKind::ValueInMemory if capture.convention == ParameterConvention::In => {
            let temporary = function.temporary(&capture.info);
            function.initialize_with_copy(&capture.info, temporary, place);
            vec![temporary.into()]
        }
        CaptureKind::ValueInMemory => vec![place.into()],
        CaptureKind::Boxed(_) => {
            let pointer = function.builder.ptr_type().into();
            let inside = function.builder.load(pointer, place, function.module.pointer_size()).into_pointer_value();
            let Some(metadata) = content else { return vec![inside.into()] };
            let value = function.value_in_box(inside, metadata);
            if capture.convention != ParameterConvention::In {
                return vec![value.into()];
            }
            let size = function.layout_fact(metadata, LayoutFact::Size);
            let temporary = function.enter_slot(size, MAXIMUM_ALIGNMENT);
            temporaries.push(temporary);
            function.call_value_witness(ValueWitness::InitializeWithCopy, &[temporary, value], metadata);
            vec![temporary.into()]
        }
        CaptureKind::Metadata | CaptureKind::Value | CaptureKind::Address | CaptureKind::Callee => {
            let value = function.load_explosion(&capture.info, place);
            copy_for_callee(function, capture, &value);
            value
        }
    }
}

/// Copies a value for a function that takes its parameter owned, since the closure may be called again.
fn copy_for_callee<'ctx>(function: &IRGenFunction<'_, 'ctx>, capture: &Capture, value: &[BasicValueEnum<'ctx>]) {
    if capture.kind == CaptureKind::Value && capture.convention == ParameterConvention::Owned {
        function.copy_explosion(&capture.info, value);
    }
}

/// Returns an empty value. Its address is arbitrary.
fn empty<'ctx>(function: &IRGenFunction<'_, 'ctx>, capture: &Capture) -> Explosion<'ctx> {
    match capture.kind {
        CaptureKind::ValueInMemory => vec![function.temporary(&capture.info).into()],
        _ => Vec::new(),
    }
}

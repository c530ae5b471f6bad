//! Forwarders: functions that take a context, load what it captured, and call the function behind a closure.

use inkwell::values::{BasicValueEnum, FunctionValue, PointerValue};
use sil::context::{CalleeConvention, ParameterConvention, Type, TypeId};

use super::super::calls::{CallEmission, CallPlaces, Callee};
use super::context::{CalleeCaptures, Capture, CaptureKind, CapturedCallee, Context, ContextForm};
use crate::generation::signature::LlvmParameter;
use crate::generation::{ContextStorage, Entity, Explosion, ForwarderKey, IRGenFunction, IRGenModule};
use crate::layout::ReferenceKind;
use crate::refusal::Generated;
use crate::values::opaque::{LayoutFact, MAXIMUM_ALIGNMENT, ValueWitness};

/// The forwarder for `key`.
pub(super) fn function<'ctx>(module: &IRGenModule<'_, 'ctx>, key: ForwarderKey) -> Generated<FunctionValue<'ctx>> {
    let entity = Entity::Forwarder(key);
    if let Some(found) = module.declared_function(&entity) {
        return Ok(found);
    }
    let signature = module.signature(key.closure_type)?;
    Ok(module.declare_thunk(entity, &signature))
}

/// Emits the body of the forwarder for `key`.
pub fn define(module: &IRGenModule<'_, '_>, key: ForwarderKey) -> Generated<()> {
    let Some(llvm) = module.declared_function(&Entity::Forwarder(key)) else { return Ok(()) };
    let context = key.context(module)?;
    let forwarder = IRGenFunction::without_sil(module, llvm, module.signature(key.closure_type)?);
    emit(&forwarder, key, &context)
}

impl ForwarderKey {
    /// What the closure captures.
    pub(super) fn context(self, module: &IRGenModule<'_, '_>) -> Generated<Context> {
        let Type::Function(callee) = module.types.queries.get(self.callee_type) else {
            return Err(module.unsupported_type(self.callee_type));
        };
        let captured = match self.callee {
            Some(_) => CapturedCallee::No,
            None => CapturedCallee::Pointer(self.callee_type),
        };
        let generic_arguments = module.signature(self.generic_type)?.generic_parameters().count();
        let captured = CalleeCaptures { callee: captured, generic_arguments };
        Context::new(module, callee, self.captures, captured, self.storage)
    }
}

fn emit<'ctx>(function: &IRGenFunction<'_, 'ctx>, key: ForwarderKey, context: &Context) -> Generated<()> {
    let place = |is: &LlvmParameter| {
        function.llvm_parameter(|parameter| parameter == is).map(BasicValueEnum::into_pointer_value)
    };
    let object = place(&LlvmParameter::Context).unwrap_or_else(|| function.builder.null());
    let mut arguments = function.incoming_arguments();
    let mut captured: Vec<Explosion<'ctx>> = Vec::new();
    let mut metadata: Vec<PointerValue<'ctx>> = Vec::new();
    for index in 0..context.captures.len() {
        if context.captures[index].kind == CaptureKind::Metadata {
            let values = load_capture(function, context, index, object, None);
            metadata.extend(values.first().map(|value| value.into_pointer_value()));
        }
    }
    let boxed = context.captures.iter().filter(|capture| matches!(capture.kind, CaptureKind::Boxed(_))).count();
    let mut of_boxes = metadata.split_off(metadata.len() - boxed.min(metadata.len())).into_iter();
    for (index, capture) in context.captures.iter().enumerate() {
        let content = if matches!(capture.kind, CaptureKind::Boxed(_)) { of_boxes.next() } else { None };
        if capture.kind != CaptureKind::Metadata {
            captured.push(load_capture(function, context, index, object, content));
        }
    }
    let code = match key.callee {
        Some(name) => match function.module.function_named(name)? {
            Some(callee) => vec![callee.as_global_value().as_pointer_value().into()],
            None => return Err(function.module.unsupported_type(key.callee_type)),
        },
        None => captured.pop().unwrap_or_default(),
    };
    arguments.extend(captured);
    let callee = Callee::of_value(function, key.generic_type, &code)?.with_generic_values(metadata);
    let places = CallPlaces {
        indirect_return: place(&LlvmParameter::IndirectReturn),
        error: place(&LlvmParameter::Error),
        error_memory: function.signature.error.as_ref().and_then(|_| place(&LlvmParameter::IndirectError)),
        coroutine_buffer: None,
    };
    let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(function)?;
    if key.storage == ContextStorage::Heap && is_callee_owned(function.module, key.closure_type) {
        function.release(ReferenceKind::Native, object.into());
    }
    let bits = function.module.pointer_bits();
    let registers = result.registers.iter().zip(&function.signature.returned);
    let registers: Vec<_> =
        registers.map(|(register, ty)| Some(function.builder.coerce(*register, *ty, bits))).collect();
    function.builder.ret(function.signature.return_value(&function.builder, &registers));
    Ok(())
}

/// Whether the call of the closure gives up the context.
fn is_callee_owned(module: &IRGenModule<'_, '_>, closure: TypeId) -> bool {
    matches!(module.types.queries.get(closure), Type::Function(ty) if ty.callee == CalleeConvention::Owned)
}

/// A capture as the called function takes it. `content` has the metadata of what is in a box.
fn load_capture<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    context: &Context,
    index: usize,
    object: PointerValue<'ctx>,
    content: Option<PointerValue<'ctx>>,
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
            let temporary = function.builder.dynamic_alloca(size, MAXIMUM_ALIGNMENT);
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

/// A function that takes its parameter owned gets a copy: the closure may be called again.
fn copy_for_callee<'ctx>(function: &IRGenFunction<'_, 'ctx>, capture: &Capture, value: &[BasicValueEnum<'ctx>]) {
    if capture.kind == CaptureKind::Value && capture.convention == ParameterConvention::Owned {
        function.copy_explosion(&capture.info, value);
    }
}

/// A value without size. Its address can be any.
fn empty<'ctx>(function: &IRGenFunction<'_, 'ctx>, capture: &Capture) -> Explosion<'ctx> {
    match capture.kind {
        CaptureKind::ValueInMemory => vec![function.temporary(&capture.info).into()],
        _ => Vec::new(),
    }
}

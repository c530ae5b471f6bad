//! The LLVM signature of a lowered function type: the parameters in Swift's order, and LLVM's assumptions about them.
//!
//! The order is: coroutine buffer, indirect results, async context, parameters, generic arguments, context, error
//! (docs/ABI/CallingConvention.rst).

use std::rc::Rc;

use inkwell::types::{AnyType, BasicMetadataTypeEnum, BasicTypeEnum};
use sil_ir::context::{
    CoroutineKind, FunctionAttribute, FunctionType, ParameterConvention, Representation, Type, TypeId,
};

use super::IRGenModule;
use super::native::{self, NativeSchema};
use super::polymorphic::PolymorphicConvention;
use super::signature::*;
use crate::layout::{Scalar, TypeInfo, TypeLayout};
use crate::llvm::attributes::{Attribute, AttributeList, Place};
use crate::llvm::builder::bytes_type;
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the signature of a lowered function type. Its own type parameters that are bound to classes become
    /// references; those of other signatures must have been erased
    /// ([`TypeConverter::erased`](crate::layout::TypeConverter::erased)).
    pub fn signature(&self, ty: TypeId) -> Generated<Rc<Signature<'ctx>>> {
        self.signature_of_kind(ty, AsyncKind::Ordinary)
    }

    /// The same for a function of this kind, if it is async.
    pub fn signature_of_kind(&self, ty: TypeId, kind: AsyncKind) -> Generated<Rc<Signature<'ctx>>> {
        let ty = self.types.queries.unsubstituted(ty);
        if let Some(found) = self.signatures.borrow().get(&(ty, kind)) {
            return Ok(found.clone());
        }
        let Type::Function(function) = self.sil.context.get(ty) else {
            return Err(self.unsupported_type(ty));
        };
        let erased = function.signature.map(|signature| self.types.erased_parts(function, signature));
        let signature = Rc::new(SignatureBuilder::new(self, erased.as_ref().unwrap_or(function), ty, kind).build()?);
        self.signatures.borrow_mut().insert((ty, kind), signature.clone());
        Ok(signature)
    }
}

struct SignatureBuilder<'b, 'a, 'ctx> {
    module: &'b IRGenModule<'a, 'ctx>,
    function: &'b FunctionType,
    ty: TypeId,
    kind: AsyncKind,
    parameters: Vec<LlvmParameter>,
    types: Vec<BasicTypeEnum<'ctx>>,
    attributes: AttributeList,
    polymorphic: PolymorphicConvention,
    structures: Option<Rc<headers::CFunction>>,
}

impl<'b, 'a, 'ctx> SignatureBuilder<'b, 'a, 'ctx> {
    fn new(module: &'b IRGenModule<'a, 'ctx>, function: &'b FunctionType, ty: TypeId, kind: AsyncKind) -> Self {
        let (attributes, polymorphic) = (AttributeList::default(), PolymorphicConvention::default());
        let (parameters, types, structures) = (Vec::new(), Vec::new(), None);
        Self { module, function, ty, kind, parameters, types, attributes, polymorphic, structures }
    }

    fn pointer(&mut self, parameter: LlvmParameter) {
        self.parameters.push(parameter);
        self.types.push(self.module.builder.ptr_type().into());
    }

    /// Adds an attribute to the last parameter.
    fn attribute(&mut self, attribute: Attribute<'ctx>) {
        self.attributes.push(self.module.context, Place::Parameter(self.parameters.len() - 1), attribute);
    }

    fn build(mut self) -> Generated<Signature<'ctx>> {
        self.check()?;
        if self.is_c() {
            self.structures = self.module.function_with_structures(self.function)?.map(Rc::new);
        }
        let yields = self.yields()?;
        if let Some(yields) = &yields {
            self.coroutine_parameters(yields.kind);
        }
        let result = self.result()?;
        let indirect_results = self.indirect_results(&result, yields.is_some())?;
        self.async_context();
        let values = self.formal_parameters()?;
        self.polymorphic = self.generic_arguments()?;
        self.key_path_arguments();
        self.path_back();
        self.context(&values)?;
        let (error, returned) = self.error(&result, indirect_results)?;
        self.witness_self();
        self.returned_attributes(&result);
        self.attributes.push(self.module.context, Place::Function, Attribute::NoUnwind);
        Ok(self.finish(values, result, returned, indirect_results, error, yields))
    }

    fn coroutine_parameters(&mut self, kind: CoroutineKind) {
        self.pointer(LlvmParameter::CoroutineBuffer);
        self.attribute(Attribute::NoAlias);
        match kind {
            CoroutineKind::YieldOnce2 if self.module.passes_coroutine_allocators() => {
                self.pointer(LlvmParameter::CoroutineAllocator);
            }
            CoroutineKind::YieldOnce2 => {}
            _ => self.attribute(Attribute::Dereferenceable(COROUTINE_BUFFER_WORDS * self.module.pointer_size())),
        }
    }

    fn check(&self) -> Generated<()> {
        let is_swift_once = self.function.coroutine != CoroutineKind::YieldMany;
        // A coroutine's end has no results in LLVM.
        let is_coroutine = self.function.coroutine != CoroutineKind::None;
        let returns = self.function.results.iter().any(|result| !result.convention.is_indirect());
        if is_coroutine && (returns || self.function.error.is_some()) {
            return Err(self.module.unsupported_type(self.ty));
        }
        // Swift's own library only exists for targets with tail calls; silc's runtime works without them.
        let can_suspend = self.module.has_tail_calls() || !self.module.has_library_runtime();
        let is_supported = !self.is_async() || can_suspend && !is_coroutine && !self.is_c();
        if !is_swift_once || !is_supported {
            return Err(self.module.unsupported_type(self.ty));
        }
        Ok(())
    }

    fn is_async(&self) -> bool {
        self.function.attributes.contains(FunctionAttribute::Async)
    }

    fn async_context(&mut self) {
        if self.is_async() {
            self.pointer(LlvmParameter::AsyncContext);
            self.attribute(Attribute::SwiftAsync);
        }
    }

    /// Adds the continuation that an async function of the runtime takes instead of a context of its own.
    fn path_back(&mut self) {
        if self.is_async() && self.kind == AsyncKind::Waiting {
            self.pointer(LlvmParameter::Resumption);
            self.pointer(LlvmParameter::CalleeContext);
        }
    }

    /// Returns the return convention of an async function with these registers: the async context comes before them,
    /// the error after.
    fn async_convention(&self, returned: &[Scalar]) -> Option<AsyncConvention<'ctx>> {
        if !self.is_async() {
            return None;
        }
        let mut resumed_with = vec![Scalar::Pointer];
        resumed_with.extend(returned);
        let error = self.function.error.map(|_| resumed_with.len() as u32);
        resumed_with.extend(error.map(|_| Scalar::Pointer));
        let resumed_with = self.module.builder.scalars_type(&resumed_with);
        Some(AsyncConvention { lowered: self.ty, kind: self.kind, resumed_with, error })
    }

    fn is_c(&self) -> bool {
        is_c(self.function)
    }

    fn schema(&self, ty: TypeId, info: &TypeInfo) -> Generated<Option<NativeSchema>> {
        if !self.is_c() {
            return Ok(NativeSchema::of(self.module, info));
        }
        if self.module.is_passed_by_clang(ty) {
            return Ok(None);
        }
        native::c_schema(self.module, info).ok_or_else(|| self.module.unsupported_type(ty)).map(Some)
    }

    /// `zeroext` or `signext` for a small integer of a C function.
    fn extension(&self, ty: TypeId, native: Option<&NativeSchema>) -> Option<Attribute<'ctx>> {
        let native = native.filter(|_| self.is_c() && self.module.extends_small_integers())?;
        native::c_extension(self.module, ty, native)
    }

    fn result(&self) -> Generated<DirectValue> {
        let info = self.module.types.direct_result(self.function)?;
        let direct = self.function.results.iter().find(|result| !result.convention.is_indirect());
        let is_structure = self.is_c() && direct.is_some_and(|result| self.module.is_passed_by_clang(result.ty));
        let native = if is_structure { None } else { self.schema(self.ty, &info)? };
        Ok(DirectValue { info, native })
    }

    /// Adds the indirect results. The only indirect result of a function without a direct one is in the register for
    /// structure results.
    fn indirect_results(&mut self, result: &DirectValue, is_coroutine: bool) -> Generated<usize> {
        let indirect: Vec<TypeId> = self
            .function
            .results
            .iter()
            .filter(|result| result.convention.is_indirect())
            .map(|result| result.ty)
            .collect();
        let returns_registers = result.native.as_ref().is_some_and(|native| !native.is_empty());
        let mut may_use_structure_register =
            indirect.len() <= 1 && !returns_registers && !is_coroutine && !self.is_async() && self.structures.is_none();
        if result.native.is_none() && !is_coroutine {
            self.pointer(LlvmParameter::IndirectReturn);
            self.result_attributes(&result.info, std::mem::take(&mut may_use_structure_register));
        }
        for (index, ty) in indirect.iter().enumerate() {
            self.pointer(LlvmParameter::FormalResult(index));
            let uses_structure_register = std::mem::take(&mut may_use_structure_register);
            if self.is_pack(*ty) {
                self.dynamic_result_attributes(uses_structure_register);
            } else {
                let layout = self.module.types.layout(*ty)?;
                self.indirect_result_attributes(&layout, uses_structure_register);
            }
        }
        Ok(indirect.len())
    }

    fn indirect_result_attributes(&mut self, layout: &TypeLayout, uses_structure_register: bool) {
        match layout {
            TypeLayout::Fixed(info) => self.result_attributes(info, uses_structure_register),
            TypeLayout::Dynamic(_) => self.dynamic_result_attributes(uses_structure_register),
        }
    }

    /// Adds the attributes of a result of dynamic layout, whose size is unknown; the array of addresses that represents
    /// a pack is treated alike.
    fn dynamic_result_attributes(&mut self, uses_structure_register: bool) {
        self.attribute(Attribute::NoAlias);
        if uses_structure_register {
            let ty = bytes_type(self.module.context, 0).as_any_type_enum();
            self.attribute(Attribute::StructReturn(ty));
        }
    }

    fn result_attributes(&mut self, info: &TypeInfo, uses_structure_register: bool) {
        self.attribute(Attribute::NoAlias);
        self.captures_nothing(info);
        if uses_structure_register {
            let ty = bytes_type(self.module.context, info.size.max(1)).as_any_type_enum();
            self.attribute(Attribute::StructReturn(ty));
            self.attribute(Attribute::Alignment(info.alignment));
        }
    }

    /// Adds the attribute that the address is not captured: loadable values contain no pointer to themselves.
    fn captures_nothing(&mut self, info: &TypeInfo) {
        if info.is_loadable() {
            self.attribute(Attribute::NoCapture);
        }
    }

    fn formal_parameters(&mut self) -> Generated<Vec<Option<DirectValue>>> {
        (0..self.function.parameters.len()).map(|index| self.formal_parameter(index)).collect()
    }

    fn formal_parameter(&mut self, index: usize) -> Generated<Option<DirectValue>> {
        let parameter = self.function.parameters[index];
        if parameter.convention.is_indirect() {
            if !self.is_self(index) {
                self.pointer(LlvmParameter::Address(index));
                self.address_attributes(index)?;
            }
            return Ok(None);
        }
        let info = self.module.types.info(parameter.ty)?;
        let value = DirectValue { native: self.schema(parameter.ty, &info)?, info };
        if !self.is_in_context(index, Some(&value)) {
            self.direct_parameter(index, parameter.ty, &value.info, value.native.as_ref());
        }
        Ok(Some(value))
    }

    /// Returns whether SIL parameter number `index` is the `self` of a method.
    fn is_self(&self, index: usize) -> bool {
        let is_method =
            matches!(self.function.representation, Representation::Method | Representation::WitnessMethod(_));
        is_method && index + 1 == self.function.parameters.len()
    }

    /// Returns whether SIL parameter number `index`, which is passed as `value` or by address, is passed in the context
    /// register: `self` of a method if it is one pointer. A value that is too large for registers is passed as a
    /// pointer to memory (lib/IRGen/LoadableByAddress.cpp).
    fn is_in_context(&self, index: usize, value: Option<&DirectValue>) -> bool {
        let ty = self.function.parameters[index].ty;
        let is_pointer = value.is_none_or(|value| value.native.is_none() || self.module.types.is_single_reference(ty));
        self.is_self(index) && is_pointer
    }

    fn direct_parameter(&mut self, index: usize, ty: TypeId, info: &TypeInfo, native: Option<&NativeSchema>) {
        let Some(schema) = native else {
            self.pointer(LlvmParameter::DirectInMemory(index));
            return self.memory_value_attributes(info);
        };
        for (number, scalar) in schema.types().enumerate() {
            self.parameters.push(LlvmParameter::Direct(index, number));
            self.types.push(self.module.builder.scalar_type(scalar));
        }
        if let Some(extension) = self.extension(ty, native) {
            self.attribute(extension);
        }
    }

    fn memory_value_attributes(&mut self, info: &TypeInfo) {
        self.attribute(Attribute::NoAlias);
        self.captures_nothing(info);
        self.dereferenceable(info);
    }

    fn dereferenceable(&mut self, info: &TypeInfo) {
        if info.size > 0 {
            self.attribute(Attribute::Dereferenceable(info.size));
        }
    }

    /// Returns whether an array of addresses is passed.
    fn is_pack(&self, ty: TypeId) -> bool {
        matches!(self.module.types.queries.get(ty), Type::Pack { .. })
    }

    fn address_attributes(&mut self, index: usize) -> Generated<()> {
        let parameter = self.function.parameters[index];
        if self.is_pack(parameter.ty) {
            return Ok(());
        }
        let info = match self.module.types.layout(parameter.ty)? {
            TypeLayout::Fixed(info) => info,
            TypeLayout::Dynamic(_) => {
                if !matches!(parameter.convention, ParameterConvention::InOut | ParameterConvention::InOutAliasable) {
                    self.attribute(Attribute::NoAlias);
                }
                return Ok(());
            }
        };
        match parameter.convention {
            ParameterConvention::InOut | ParameterConvention::InOutAliasable => {
                self.captures_nothing(&info);
                self.dereferenceable(&info);
            }
            ParameterConvention::In
            | ParameterConvention::InConstant
            | ParameterConvention::InGuaranteed
            | ParameterConvention::InCxx => self.memory_value_attributes(&info),
            _ => {}
        }
        Ok(())
    }

    /// Adds the metadata of `self` if it is passed, then the requirements of the signature.
    fn generic_arguments(&mut self) -> Generated<PolymorphicConvention> {
        if self.kind == AsyncKind::Waiting {
            return Ok(PolymorphicConvention::default());
        }
        let convention = self.module.program.mode.polymorphic_convention(self.module, self.ty)?;
        if let Some(ty) = convention.self_metadata {
            self.pointer(LlvmParameter::SelfMetadata(ty));
        }
        for requirement in &convention.passed {
            self.pointer(LlvmParameter::Generic(*requirement));
        }
        Ok(convention)
    }

    /// Adds the captures of a key path component, which come last: values of SIL's parameters, or memory with the
    /// generic arguments, and the total size. The comparing function takes two of them.
    fn key_path_arguments(&mut self) {
        let last = match self.function.representation {
            Representation::KeyPathGetter => 2,
            Representation::KeyPathSetter => 3,
            Representation::KeyPathEquals => 2,
            Representation::KeyPathHash => 1,
            _ => return,
        };
        for _ in self.function.parameters.len()..last {
            self.pointer(LlvmParameter::KeyPathArguments);
        }
        self.parameters.push(LlvmParameter::KeyPathArgumentsSize);
        self.types.push(self.module.word_type().into());
    }

    fn context(&mut self, values: &[Option<DirectValue>]) -> Generated<()> {
        let last = values.iter().enumerate().next_back();
        match last.filter(|(index, value)| self.is_in_context(*index, value.as_ref())) {
            Some((index, None)) => {
                self.pointer(LlvmParameter::Address(index));
                self.address_attributes(index)?;
            }
            Some((index, Some(DirectValue { info, native: None }))) => {
                self.pointer(LlvmParameter::DirectInMemory(index));
                self.memory_value_attributes(info);
            }
            Some((index, Some(_))) => self.pointer(LlvmParameter::Direct(index, 0)),
            None if self.function.representation == Representation::Thick => self.pointer(LlvmParameter::Context),
            None if self.function.error.is_some() && !self.is_c() && !self.is_async() => {
                self.pointer(LlvmParameter::NoContext)
            }
            None => return Ok(()),
        }
        self.attribute(Attribute::SwiftSelf);
        Ok(())
    }

    /// Adds the error, and returns it with the registers that the function returns.
    fn error(
        &mut self,
        result: &DirectValue,
        indirect_results: usize,
    ) -> Generated<(Option<DirectError>, Vec<Scalar>)> {
        let mut returned: Vec<Scalar> = result.native.iter().flat_map(NativeSchema::types).collect();
        let Some(error) = self.function.error.filter(|_| !self.is_c()) else { return Ok((None, returned)) };
        // An async function passes the error to its caller's continuation.
        if !self.is_async() {
            self.pointer(LlvmParameter::Error);
            self.attribute(Attribute::SwiftError);
        }
        if error.convention.is_indirect() {
            self.pointer(LlvmParameter::IndirectError);
            return Ok((None, returned));
        }
        let info = self.module.types.info(error.ty)?;
        if self.module.types.is_error_existential(error.ty) {
            return Ok((Some(DirectError { info, place: ErrorPlace::ErrorRegister }), returned));
        }
        let native = NativeSchema::of(self.module, &info).filter(NativeSchema::can_be_direct_error);
        let place = match native.filter(|_| result.native.is_some() && indirect_results == 0) {
            Some(native) => {
                let registers = native::share_registers(&mut returned, &native, self.module.pointer_bits());
                ErrorPlace::ReturnRegisters { native, registers }
            }
            None => {
                self.pointer(LlvmParameter::IndirectError);
                ErrorPlace::Memory
            }
        };
        Ok((Some(DirectError { info, place }), returned))
    }

    fn witness_self(&mut self) {
        if matches!(self.function.representation, Representation::WitnessMethod(_)) {
            self.pointer(LlvmParameter::WitnessSelfMetadata);
            self.pointer(LlvmParameter::WitnessSelfTable);
        }
    }

    fn returned_attributes(&mut self, result: &DirectValue) {
        let direct = self.function.results.iter().find(|result| !result.convention.is_indirect());
        let Some(direct) = direct else { return };
        if let Some(extension) = self.extension(direct.ty, result.native.as_ref()) {
            self.attributes.push(self.module.context, Place::Result, extension);
        }
    }

    /// Returns the yields. A coroutine's first call returns the continuation and the yielded values.
    fn yields(&self) -> Generated<Option<Yields>> {
        if self.function.coroutine == CoroutineKind::None {
            return Ok(None);
        }
        let values: Generated<Vec<_>> = self.function.yields.iter().map(|yielded| self.yielded(yielded)).collect();
        let values = values?;
        let scalars: Vec<Scalar> = values.iter().flat_map(YieldedValue::scalars).collect();
        let in_registers = native::yields_in_registers(&scalars, self.module);
        Ok(Some(Yields { kind: self.function.coroutine, values, in_registers, scalars }))
    }

    fn yielded(&self, yielded: &sil_ir::context::Parameter) -> Generated<YieldedValue> {
        if yielded.convention.is_indirect() {
            return Ok(YieldedValue::Address);
        }
        let info = self.module.types.info(yielded.ty)?;
        let native = NativeSchema::of(self.module, &info);
        Ok(YieldedValue::Direct(DirectValue { info, native }))
    }

    fn finish(
        self,
        values: Vec<Option<DirectValue>>,
        result: DirectValue,
        returned: Vec<Scalar>,
        indirect_results: usize,
        error: Option<DirectError>,
        yields: Option<Yields>,
    ) -> Signature<'ctx> {
        let builder = &self.module.builder;
        let types: Vec<BasicMetadataTypeEnum> = self.types.iter().map(|ty| (*ty).into()).collect();
        let first_results = yields.as_ref().map(|yields| yields.first_results());
        let asynchronous = self.async_convention(&returned);
        let at_return = match &asynchronous {
            Some(_) => &[],
            None => first_results.as_deref().unwrap_or(&returned),
        };
        let llvm = builder.function_type(self.module.context, at_return, &types);
        let convention = match &asynchronous {
            Some(_) => self.module.options.swift_async_convention.number(),
            None if self.is_c() => 0,
            None => self.module.swift_convention(),
        };
        Signature {
            llvm,
            convention,
            parameters: self.parameters,
            values,
            result,
            returned,
            polymorphic: self.polymorphic,
            indirect_results,
            error,
            yields,
            asynchronous,
            structures: self.structures,
            attributes: self.attributes,
        }
    }
}

/// Returns whether a function has C's convention.
fn is_c(function: &FunctionType) -> bool {
    matches!(function.representation, Representation::C | Representation::Block | Representation::ObjCMethod)
}

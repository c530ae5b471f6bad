//! LLVM signatures of SIL function types: Swift's calling convention and C's (docs/ABI/CallingConvention.rst).
//!
//! Owns the order and the scalars of parameters and results. Emitting calls and prologues is in `instructions::calls` and
//! `generation::function`.

use std::rc::Rc;

use inkwell::attributes::AttributeLoc;
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum, FunctionType as LlvmFunctionType};
use sil::context::TypeId;
use sil::types::{FunctionType, ParameterConvention, Representation, Type};

use super::native::NativeSchema;
use super::{Generated, IRGenModule};
use crate::types::{TypeInfo, layout_record};

/// LLVM's number of Swift's calling convention.
pub const SWIFT_CALLING_CONVENTION: u32 = 16;

/// What a parameter of the LLVM function is.
#[derive(Debug, Clone)]
pub enum LlvmParameter {
    /// The address for the direct result that does not fit into registers.
    IndirectReturn,
    /// The address of the formal result with this number.
    FormalResult(usize),
    /// Scalar number `.1` of the native schema of SIL parameter number `.0`.
    Direct(usize, usize),
    /// SIL parameter number `.0`, whose value the caller put into memory because it does not fit into registers.
    DirectInMemory(usize),
    /// The address that is SIL parameter number `.0`.
    Address(usize),
    /// The context of a thick function.
    Context,
    /// An unused context register, which functions that throw always have.
    NoContext,
    /// Where the error goes.
    Error,
    /// The address for an error that is returned indirectly.
    IndirectError,
}

/// How a direct value is passed or returned.
#[derive(Debug)]
pub struct DirectValue<'ctx> {
    /// The type as SIL knows it.
    pub info: Rc<TypeInfo<'ctx>>,
    /// The scalars that are passed; none where the value goes through memory.
    pub native: Option<NativeSchema<'ctx>>,
}

/// An LLVM signature and how SIL arguments lie in it.
#[derive(Debug)]
pub struct Signature<'ctx> {
    /// LLVM's type.
    pub llvm: LlvmFunctionType<'ctx>,
    /// LLVM's number of the calling convention.
    pub convention: u32,
    /// What each LLVM parameter is.
    pub parameters: Vec<LlvmParameter>,
    /// The SIL parameters that are passed by value; none for addresses.
    pub values: Vec<Option<DirectValue<'ctx>>>,
    /// The direct result: the only one, or the tuple of all direct ones.
    pub result: DirectValue<'ctx>,
    /// The number of formal indirect results.
    pub indirect_results: usize,
    /// The number of the LLVM parameter in the context register.
    pub context: Option<usize>,
    /// The error, where the function throws one by value.
    pub error: Option<DirectValue<'ctx>>,
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The signature of a lowered function type. The type's generic parameters must be substituted.
    pub fn signature(&self, ty: TypeId) -> Generated<Rc<Signature<'ctx>>> {
        let ty = self.types.queries.unsubstituted(ty);
        if let Some(found) = self.signatures.borrow().get(&ty) {
            return Ok(found.clone());
        }
        let Type::Function(function) = self.sil.context.get(ty) else {
            return Err(self.unsupported_type(ty));
        };
        let signature = Rc::new(Builder { module: self, function, parameters: Vec::new(), types: Vec::new() }.build()?);
        self.signatures.borrow_mut().insert(ty, signature.clone());
        Ok(signature)
    }

    /// Whether SIL parameter number `index` goes into the context register: `self` of a method where it is one pointer.
    pub fn is_self_in_context(&self, function: &FunctionType, index: usize) -> bool {
        let is_method = matches!(function.representation, Representation::Method | Representation::WitnessMethod(_));
        if !is_method || index + 1 != function.parameters.len() {
            return false;
        }
        let parameter = &function.parameters[index];
        parameter.convention.is_indirect() || self.types.is_single_reference(parameter.ty)
    }
}

struct Builder<'b, 'a, 'ctx> {
    module: &'b IRGenModule<'a, 'ctx>,
    function: &'b FunctionType,
    parameters: Vec<LlvmParameter>,
    types: Vec<BasicTypeEnum<'ctx>>,
}

impl<'ctx> Builder<'_, '_, 'ctx> {
    fn pointer(&mut self, parameter: LlvmParameter) {
        self.parameters.push(parameter);
        self.types.push(self.module.builder.ptr_type().into());
    }

    fn build(mut self) -> Generated<Signature<'ctx>> {
        let result = self.result()?;
        if result.native.is_none() {
            self.pointer(LlvmParameter::IndirectReturn);
        }
        let indirect = self.function.results.iter().filter(|result| result.convention.is_indirect()).count();
        for index in 0..indirect {
            self.pointer(LlvmParameter::FormalResult(index));
        }
        let mut values = Vec::new();
        let mut context = None;
        for index in 0..self.function.parameters.len() {
            let in_context = self.module.is_self_in_context(self.function, index);
            let value = self.parameter(index, in_context)?;
            context = in_context.then_some(index);
            values.push(value);
        }
        self.context(context);
        let context =
            context.is_some() || self.function.representation == Representation::Thick || self.has_swift_error();
        let context = context.then(|| self.parameters.len() - 1);
        let error = self.error()?;
        Ok(self.finish(values, result, indirect, context, error))
    }

    fn has_swift_error(&self) -> bool {
        self.function.error.is_some() && !self.is_c()
    }

    fn is_c(&self) -> bool {
        matches!(self.function.representation, Representation::C | Representation::Block | Representation::ObjCMethod)
    }

    fn schema(&self, info: &TypeInfo<'ctx>) -> Option<NativeSchema<'ctx>> {
        if self.is_c() { Some(NativeSchema::scalars(info)) } else { NativeSchema::of(self.module, info) }
    }

    fn parameter(&mut self, index: usize, in_context: bool) -> Generated<Option<DirectValue<'ctx>>> {
        let parameter = self.function.parameters[index];
        if parameter.convention.is_indirect() {
            if !in_context {
                self.pointer(LlvmParameter::Address(index));
            }
            return Ok(None);
        }
        debug_assert!(!matches!(parameter.convention, ParameterConvention::InOut));
        let info = self.module.types.info(parameter.ty)?;
        let native = self.schema(&info);
        if !in_context {
            match &native {
                Some(schema) => {
                    for (number, ty) in schema.types().enumerate() {
                        self.parameters.push(LlvmParameter::Direct(index, number));
                        self.types.push(ty);
                    }
                }
                None => self.pointer(LlvmParameter::DirectInMemory(index)),
            }
        }
        Ok(Some(DirectValue { info, native }))
    }

    fn context(&mut self, self_parameter: Option<usize>) {
        match self_parameter {
            Some(index) if self.function.parameters[index].convention.is_indirect() => {
                self.pointer(LlvmParameter::Address(index));
            }
            Some(index) => self.pointer(LlvmParameter::Direct(index, 0)),
            None if self.function.representation == Representation::Thick => self.pointer(LlvmParameter::Context),
            None if self.has_swift_error() => self.pointer(LlvmParameter::NoContext),
            None => {}
        }
    }

    fn result(&self) -> Generated<DirectValue<'ctx>> {
        let info = self.module.types.direct_result(self.function)?;
        let native = self.schema(&info);
        Ok(DirectValue { info, native })
    }

    fn error(&mut self) -> Generated<Option<DirectValue<'ctx>>> {
        let Some(error) = self.function.error else { return Ok(None) };
        self.pointer(LlvmParameter::Error);
        if error.convention.is_indirect() {
            self.pointer(LlvmParameter::IndirectError);
            return Ok(None);
        }
        let info = self.module.types.info(error.ty)?;
        let native = NativeSchema::of(self.module, &info);
        let is_reference =
            self.module.types.is_single_reference(error.ty) || self.module.types.is_error_existential(error.ty);
        if !is_reference && !info.elements.is_empty() {
            // A typed error by value is stored where the caller says; the error register only tells that there is one.
            self.pointer(LlvmParameter::IndirectError);
        }
        Ok(Some(DirectValue { info, native }))
    }

    fn finish(
        self,
        values: Vec<Option<DirectValue<'ctx>>>,
        result: DirectValue<'ctx>,
        indirect_results: usize,
        context: Option<usize>,
        error: Option<DirectValue<'ctx>>,
    ) -> Signature<'ctx> {
        let types: Vec<BasicMetadataTypeEnum> = self.types.iter().map(|ty| (*ty).into()).collect();
        let returned = result.native.as_ref().and_then(|schema| schema.return_type(&self.module.builder));
        let llvm = match returned {
            Some(ty) => ty.fn_type(&types, false),
            None => self.module.context.void_type().fn_type(&types, false),
        };
        let convention = if self.is_c() { 0 } else { SWIFT_CALLING_CONVENTION };
        Signature { llvm, convention, parameters: self.parameters, values, result, indirect_results, context, error }
    }
}

impl<'ctx> Signature<'ctx> {
    /// The signature of a function that IRGen makes up: scalars in, scalars out.
    pub fn of_thunk(llvm: LlvmFunctionType<'ctx>, convention: u32, parameters: Vec<LlvmParameter>) -> Self {
        let context = parameters.iter().position(|parameter| matches!(parameter, LlvmParameter::Context));
        let nothing = Rc::new(layout_record(&[], 0));
        let native = Some(NativeSchema::scalars(&nothing));
        let result = DirectValue { info: nothing, native };
        Self { llvm, convention, parameters, values: Vec::new(), result, indirect_results: 0, context, error: None }
    }

    /// The attributes of the LLVM parameters, for definitions and calls alike: (place, name of the attribute).
    pub fn attributes(&self) -> impl Iterator<Item = (AttributeLoc, &'static str)> + '_ {
        let named = |(index, parameter): (usize, &LlvmParameter)| {
            let place = AttributeLoc::Param(index as u32);
            match parameter {
                LlvmParameter::IndirectReturn | LlvmParameter::FormalResult(_) => Some((place, "noalias")),
                LlvmParameter::Error => Some((place, "swifterror")),
                _ if self.context == Some(index) => Some((place, "swiftself")),
                _ => None,
            }
        };
        self.parameters.iter().enumerate().filter_map(named)
    }
}

//! LLVM signatures of SIL function types: Swift's calling convention and C's (docs/ABI/CallingConvention.rst).
//!
//! Owns the LLVM parameters, results and errors of a function. `signature_builder` derives a signature from a type;
//! `instructions::calls` emits calls and returns.

use std::rc::Rc;
use std::sync::Arc;

use inkwell::context::Context;
use inkwell::types::{FunctionType as LlvmFunctionType, StructType};
use inkwell::values::BasicValueEnum;
use sil_ir::context::{CoroutineKind, TypeId};

use super::function_pointers::FunctionPointerKind;
use super::native::NativeSchema;
use super::polymorphic::{GenericRequirement, PolymorphicConvention};
use crate::layout::{Scalar, TypeInfo, layout_record};
use crate::llvm::attributes::{Attribute, AttributeList, Place};
use crate::llvm::builder::Builder;

/// The size of a `@yield_once` coroutine's buffer in words.
pub const COROUTINE_BUFFER_WORDS: u64 = 4;

/// The size in words of the buffer that the module's own `@yield_once_2` coroutines request from their callers. Swift's
/// LLVM makes it the size of the frame (`llvm.coro.id.retcon.once.dynamic`), which no other LLVM does; most frames fit
/// into this size, and others are allocated like those of `@yield_once`.
pub const CALLEE_ALLOCATED_FRAME_WORDS: u64 = 16;

/// The kind of a parameter of the LLVM function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LlvmParameter {
    /// The buffer for a coroutine's frame.
    CoroutineBuffer,
    /// The allocator of a `@yield_once_2` coroutine for memory that does not fit into the buffer.
    CoroutineAllocator,
    /// The address for the direct result if it does not fit into registers.
    IndirectReturn,
    /// The address of the formal result with this number.
    FormalResult(usize),
    /// The context of an async function.
    AsyncContext,
    /// The continuation of an async function's caller, which is in the context except for functions of the runtime.
    Resumption,
    /// Memory of the caller for an async function of the runtime, which does not allocate its frame there.
    CalleeContext,
    /// Scalar number `.1` of the native schema of SIL parameter number `.0`.
    Direct(usize, usize),
    /// SIL parameter number `.0`, passed in memory because it does not fit into registers.
    DirectInMemory(usize),
    /// The address that is SIL parameter number `.0`.
    Address(usize),
    /// The metadata of the type of `self`, which is an address.
    SelfMetadata(TypeId),
    /// The metadata or a witness table of a type parameter.
    Generic(GenericRequirement),
    /// The captures of a key path component, which SIL does not pass to this accessor.
    KeyPathArguments,
    /// The size of the captures of a key path component.
    KeyPathArgumentsSize,
    /// The context of a thick function.
    Context,
    /// An unused context register, which throwing functions always have.
    NoContext,
    /// The address for the error.
    Error,
    /// The address for an error that is returned indirectly.
    IndirectError,
    /// The metadata of `Self`, after the others of a witness method.
    WitnessSelfMetadata,
    /// The witness table that a witness method was found in.
    WitnessSelfTable,
}

impl LlvmParameter {
    /// Returns whether it is metadata or a witness table for a generic function.
    pub fn is_generic(&self) -> bool {
        matches!(
            self,
            LlvmParameter::SelfMetadata(_)
                | LlvmParameter::Generic(_)
                | LlvmParameter::WitnessSelfMetadata
                | LlvmParameter::WitnessSelfTable
        )
    }
}

/// The passing of a direct value.
#[derive(Debug, Clone)]
pub struct DirectValue {
    /// The layout of the SIL type.
    pub info: Arc<TypeInfo>,
    /// The passed scalars, or `None` if the value is passed in memory.
    pub native: Option<NativeSchema>,
}

/// An error thrown as a value.
#[derive(Debug, Clone)]
pub struct DirectError {
    /// The layout of the SIL type.
    pub info: Arc<TypeInfo>,
    /// The place of the error.
    pub place: ErrorPlace,
}

/// The place of an error thrown as a value.
#[derive(Debug, Clone)]
pub enum ErrorPlace {
    /// `any Error`: the error register has the reference.
    ErrorRegister,
    /// A typed error shares the registers of the result: each scalar of the schema with its register index. The error
    /// register only shows whether there is an error.
    ReturnRegisters { native: NativeSchema, registers: Vec<usize> },
    /// A typed error in memory that the caller provides.
    Memory,
}

/// The origin of an async function's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AsyncKind {
    /// The caller allocates a context of the size in the async function pointer, with its continuation.
    #[default]
    Ordinary,
    /// The function waits in the runtime with its caller's context, and usually returns at once: no context is
    /// allocated, and no generic arguments are passed (`shouldPassContinuationDirectly`, lib/IRGen/Callee.h).
    Waiting,
}

/// The convention for calls and returns of an async function.
#[derive(Debug, Clone)]
pub struct AsyncConvention<'ctx> {
    /// The lowered type.
    pub lowered: TypeId,
    /// The origin of the context.
    pub kind: AsyncKind,
    /// The arguments of its caller's continuation: the async context, the returned registers, the error.
    pub resumed_with: StructType<'ctx>,
    /// The index of the error among these, if the function throws.
    pub error: Option<u32>,
}

/// A coroutine's yields.
#[derive(Debug, Clone)]
pub struct Yields {
    /// The kind of frame and of resumption of the coroutine.
    pub kind: CoroutineKind,
    /// The yielded values, in order.
    pub values: Vec<YieldedValue>,
    /// The number of scalars returned in registers after the continuation; the others are in memory, whose address
    /// comes last.
    pub in_registers: usize,
    /// The types of all scalars, including those in memory.
    pub scalars: Vec<Scalar>,
}

impl Yields {
    /// Returns the results of the coroutine's first call: the continuation, scalars, the address of those that do not
    /// fit.
    pub fn first_results(&self) -> Vec<Scalar> {
        let mut types = vec![Scalar::Pointer];
        types.extend(&self.scalars[..self.in_registers]);
        if self.in_registers < self.scalars.len() {
            types.push(Scalar::Pointer);
        }
        types
    }
}

/// One yielded value.
#[derive(Debug, Clone)]
pub enum YieldedValue {
    /// An address.
    Address,
    /// A value in registers.
    Direct(DirectValue),
}

impl YieldedValue {
    /// The types of its scalars; an address is one.
    pub fn scalars(&self) -> Vec<Scalar> {
        match self {
            YieldedValue::Direct(DirectValue { native: Some(native), .. }) => native.types().collect(),
            YieldedValue::Direct(_) | YieldedValue::Address => vec![Scalar::Pointer],
        }
    }
}

/// An LLVM signature, and the passing of SIL arguments in it.
#[derive(Debug, Clone)]
pub struct Signature<'ctx> {
    /// LLVM's type.
    pub llvm: LlvmFunctionType<'ctx>,
    /// LLVM's number of the calling convention.
    pub convention: u32,
    /// The kind of each LLVM parameter.
    pub parameters: Vec<LlvmParameter>,
    /// The SIL parameters passed by value; `None` for addresses.
    pub values: Vec<Option<DirectValue>>,
    /// The direct result: the only one, or the tuple of all direct ones.
    pub result: DirectValue,
    /// The returned registers: those of the result, widened for an error that shares them.
    pub returned: Vec<Scalar>,
    /// The generic arguments, and those fulfilled by other arguments.
    pub polymorphic: PolymorphicConvention,
    /// The number of formal indirect results.
    pub indirect_results: usize,
    /// The error, if the function throws one by value.
    pub error: Option<DirectError>,
    /// The yields of a coroutine.
    pub yields: Option<Yields>,
    /// The convention of an async function.
    pub asynchronous: Option<AsyncConvention<'ctx>>,
    /// The type of a function with C's convention that takes or returns structures. Here they are passed by address;
    /// clang determines the actual convention.
    pub structures: Option<Rc<headers::CFunction>>,
    /// The assumptions of LLVM about the function, its parameters and its result, for definitions and calls alike.
    pub attributes: AttributeList,
}

impl<'ctx> Signature<'ctx> {
    /// The parameters that metadata and witness tables are passed by.
    pub fn generic_parameters(&self) -> impl Iterator<Item = &LlvmParameter> {
        self.parameters.iter().filter(|parameter| parameter.is_generic())
    }

    /// Returns the signature of a synthesised function with scalar parameters and results.
    pub fn of_thunk(
        context: &'ctx Context,
        llvm: LlvmFunctionType<'ctx>,
        convention: u32,
        parameters: Vec<LlvmParameter>,
        attributes: &[(Place, Attribute<'ctx>)],
    ) -> Self {
        let mut list = AttributeList::default();
        for (place, attribute) in attributes {
            list.push(context, *place, *attribute);
        }
        list.push(context, Place::Function, Attribute::NoUnwind);
        let attributes = list;
        let nothing = Arc::new(layout_record(&[], 0));
        let native = Some(NativeSchema::scalars(&nothing));
        Self {
            llvm,
            convention,
            parameters,
            values: Vec::new(),
            result: DirectValue { info: nothing, native },
            returned: Vec::new(),
            polymorphic: PolymorphicConvention::default(),
            indirect_results: 0,
            error: None,
            yields: None,
            asynchronous: None,
            structures: None,
            attributes,
        }
    }

    /// Returns the kind of function pointer through which functions of this signature are called, or `None` for their
    /// own address.
    pub fn function_pointer_kind(&self) -> Option<FunctionPointerKind> {
        if self.yields.as_ref().is_some_and(|yields| yields.kind == CoroutineKind::YieldOnce2) {
            return Some(FunctionPointerKind::Coroutine);
        }
        let convention = self.asynchronous.as_ref()?;
        (convention.kind == AsyncKind::Ordinary).then_some(FunctionPointerKind::Async)
    }

    /// Returns whether a call takes an address for an error.
    pub fn throws(&self) -> bool {
        self.parameters.contains(&LlvmParameter::Error)
    }

    /// Returns the number of SIL arguments before the parameters: formal indirect results and an indirect error.
    pub fn first_parameter(&self) -> usize {
        let indirect_error = self.error.is_none() && self.parameters.contains(&LlvmParameter::IndirectError);
        self.indirect_results + usize::from(indirect_error)
    }

    /// Returns the return value of a function with these registers, each with the register's type; registers without a
    /// value are undefined.
    pub fn return_value(
        &self,
        builder: &Builder<'ctx>,
        registers: &[Option<BasicValueEnum<'ctx>>],
    ) -> Option<BasicValueEnum<'ctx>> {
        let value = |number: usize, scalar: Scalar| match registers.get(number).copied().flatten() {
            Some(value) => value,
            None => super::function::undefined(builder.scalar_type(scalar)),
        };
        match self.returned.as_slice() {
            [] => None,
            [only] => Some(value(0, *only)),
            types => {
                let values: Vec<_> = types.iter().enumerate().map(|(number, ty)| value(number, *ty)).collect();
                Some(builder.aggregate(builder.scalars_type(types), &values))
            }
        }
    }

    /// Returns the registers that a call returned.
    pub fn returned_registers(
        &self,
        builder: &Builder<'ctx>,
        value: Option<BasicValueEnum<'ctx>>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        match (self.returned.len(), value) {
            (_, None) => Vec::new(),
            (1, Some(value)) => vec![value],
            (count, Some(value)) => (0..count as u32).map(|index| builder.extract(value, index)).collect(),
        }
    }
}

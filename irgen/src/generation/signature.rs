//! LLVM signatures of SIL function types: Swift's calling convention and C's (docs/ABI/CallingConvention.rst).
//!
//! Owns the LLVM parameters, results and errors of a function. `signature_builder` derives a signature from a type;
//! `instructions::calls` emits calls and returns.

use std::rc::Rc;
use std::sync::Arc;

use inkwell::context::Context;
use inkwell::types::{FunctionType as LlvmFunctionType, StructType};
use inkwell::values::BasicValueEnum;
use sil::context::{CoroutineKind, TypeId};

use super::function_pointers::FunctionPointerKind;
use super::native::NativeSchema;
use super::polymorphic::{GenericRequirement, PolymorphicConvention};
use crate::layout::{Scalar, TypeInfo, layout_record};
use crate::llvm::attributes::{Attribute, AttributeList, Place};
use crate::llvm::builder::Builder;

/// The size of a `@yield_once` coroutine's buffer in words.
pub const COROUTINE_BUFFER_WORDS: u64 = 4;

/// The size in words of the buffer that the module's own `@yield_once_2` coroutines ask their callers for. Swift's LLVM
/// makes it the size of the frame (`llvm.coro.id.retcon.once.dynamic`), which no other LLVM does; with this one most
/// frames fit into it, and others are allocated as those of `@yield_once` are.
pub const CALLEE_ALLOCATED_FRAME_WORDS: u64 = 16;

/// The kind of a parameter of the LLVM function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LlvmParameter {
    /// The buffer for a coroutine's frame.
    CoroutineBuffer,
    /// The allocator of a `@yield_once_2` coroutine for memory that does not fit into the buffer.
    CoroutineAllocator,
    /// The address for the direct result that does not fit into registers.
    IndirectReturn,
    /// The address of the formal result with this number.
    FormalResult(usize),
    /// The context of an async function.
    AsyncContext,
    /// Where the caller of an async function goes on, which its context has for others than those of the runtime.
    Resumption,
    /// Memory of the caller for an async function of the runtime, which does not make its frame there.
    CalleeContext,
    /// Scalar number `.1` of the native schema of SIL parameter number `.0`.
    Direct(usize, usize),
    /// SIL parameter number `.0`, whose value the caller put into memory because it does not fit into registers.
    DirectInMemory(usize),
    /// The address that is SIL parameter number `.0`.
    Address(usize),
    /// The metadata of the type of `self`, which is an address.
    SelfMetadata(TypeId),
    /// The metadata or a witness table of a type parameter.
    Generic(GenericRequirement),
    /// The captures of a key path component, which SIL does not pass on to this accessor of it.
    KeyPathArguments,
    /// The size of the captures of a key path component.
    KeyPathArgumentsSize,
    /// The context of a thick function.
    Context,
    /// An unused context register, which functions that throw always have.
    NoContext,
    /// Where the error goes.
    Error,
    /// The address for an error that is returned indirectly.
    IndirectError,
    /// The metadata of `Self`, after the others of a witness method.
    WitnessSelfMetadata,
    /// The witness table that a witness method was found in.
    WitnessSelfTable,
}

impl LlvmParameter {
    /// Whether it is metadata or a witness table for a generic function.
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

/// How a direct value is passed or returned.
#[derive(Debug, Clone)]
pub struct DirectValue {
    /// The type as SIL knows it.
    pub info: Arc<TypeInfo>,
    /// The scalars that are passed; none where the value goes through memory.
    pub native: Option<NativeSchema>,
}

/// An error that is thrown as a value.
#[derive(Debug, Clone)]
pub struct DirectError {
    /// The type as SIL knows it.
    pub info: Arc<TypeInfo>,
    /// Where it travels.
    pub place: ErrorPlace,
}

/// Where an error that is thrown as a value travels.
#[derive(Debug, Clone)]
pub enum ErrorPlace {
    /// `any Error`: the error register has the reference.
    ErrorRegister,
    /// A typed error shares the registers of the result: each scalar of the schema and the number of its register. The
    /// error register only shows that there is one.
    ReturnRegisters { native: NativeSchema, registers: Vec<usize> },
    /// A typed error in memory that the caller provides.
    Memory,
}

/// Whom an async function takes its context from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AsyncKind {
    /// From the caller, who makes one of the size in the async function pointer, with its continuation.
    #[default]
    Ordinary,
    /// It waits in the runtime with its caller's context, and mostly comes back at once: no context is made, and no
    /// generic arguments are passed (`shouldPassContinuationDirectly`, lib/IRGen/Callee.h).
    Waiting,
}

/// How an async function is called and comes back.
#[derive(Debug, Clone)]
pub struct AsyncConvention<'ctx> {
    /// The lowered type.
    pub lowered: TypeId,
    /// Whom it takes its context from.
    pub kind: AsyncKind,
    /// The arguments of its caller's continuation: the async context, the returned registers, the error.
    pub resumed_with: StructType<'ctx>,
    /// The number of the error among that, where it throws.
    pub error: Option<u32>,
}

/// A coroutine's yields.
#[derive(Debug, Clone)]
pub struct Yields {
    /// The kind of frame and of resumption of the coroutine.
    pub kind: CoroutineKind,
    /// The yielded values, in order.
    pub values: Vec<YieldedValue>,
    /// How many scalars are returned in registers after the continuation; the others are in memory whose address comes
    /// last.
    pub in_registers: usize,
    /// The types of all the scalars, those in memory too.
    pub scalars: Vec<Scalar>,
}

impl Yields {
    /// The results of the coroutine's first call: the continuation, scalars, the address of those that did not fit.
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
    /// An address as SIL has it.
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

/// An LLVM signature and how SIL arguments lie in it.
#[derive(Debug, Clone)]
pub struct Signature<'ctx> {
    /// LLVM's type.
    pub llvm: LlvmFunctionType<'ctx>,
    /// LLVM's number of the calling convention.
    pub convention: u32,
    /// The kind of each LLVM parameter.
    pub parameters: Vec<LlvmParameter>,
    /// The SIL parameters that are passed by value; none for addresses.
    pub values: Vec<Option<DirectValue>>,
    /// The direct result: the only one, or the tuple of all direct ones.
    pub result: DirectValue,
    /// The registers that are returned: those of the result, widened for an error that shares them.
    pub returned: Vec<Scalar>,
    /// The generic arguments, and those that its other arguments lead to.
    pub polymorphic: PolymorphicConvention,
    /// The number of formal indirect results.
    pub indirect_results: usize,
    /// The error, where the function throws one by value.
    pub error: Option<DirectError>,
    /// The yields of a coroutine.
    pub yields: Option<Yields>,
    /// How it goes on after calls, where it is async.
    pub asynchronous: Option<AsyncConvention<'ctx>>,
    /// The type of a function of C's convention that takes or returns structures. Here it takes them by their
    /// addresses; clang knows how C does.
    pub structures: Option<Rc<headers::CFunction>>,
    /// The assumptions of LLVM about the function, its parameters and its result, for definitions and calls alike.
    pub attributes: AttributeList,
}

impl<'ctx> Signature<'ctx> {
    /// The parameters that metadata and witness tables are passed by.
    pub fn generic_parameters(&self) -> impl Iterator<Item = &LlvmParameter> {
        self.parameters.iter().filter(|parameter| parameter.is_generic())
    }

    /// The signature of a function that IRGen makes up: scalars in, scalars out.
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

    /// By which pointer functions of this signature are called, if not by their own address.
    pub fn function_pointer_kind(&self) -> Option<FunctionPointerKind> {
        if self.yields.as_ref().is_some_and(|yields| yields.kind == CoroutineKind::YieldOnce2) {
            return Some(FunctionPointerKind::Coroutine);
        }
        let convention = self.asynchronous.as_ref()?;
        (convention.kind == AsyncKind::Ordinary).then_some(FunctionPointerKind::Async)
    }

    /// Whether a call takes a place for an error.
    pub fn throws(&self) -> bool {
        self.parameters.contains(&LlvmParameter::Error)
    }

    /// How many SIL arguments stand before the parameters: formal indirect results and an indirect error.
    pub fn first_parameter(&self) -> usize {
        let indirect_error = self.error.is_none() && self.parameters.contains(&LlvmParameter::IndirectError);
        self.indirect_results + usize::from(indirect_error)
    }

    /// The return value of a function with these registers, each of the register's type; registers without a value are
    /// undefined.
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

    /// The registers that a call returned.
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

//! Async functions: their kinds by the owner of the async context, and the declarations of the functions that replace a
//! suspended async function. Does not own: the convention of their calls (the signature), the code of calls and returns
//! (`instructions::concurrency`), and the values that represent them (`function_pointers`).

use inkwell::types::FunctionType;
use inkwell::values::FunctionValue;
use sil_ir::context::{FunctionAttribute, Type, TypeId};
use sil_ir::model::{Function, Module};
use sil_ir::types::{TypeQueries, WitnessSlot};

use super::signature::{AsyncKind, LlvmParameter, Signature};
use super::{Entity, IRGenModule};
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::Generated;

/// The words of an async context that callers fill in: their own context, and the continuation (`AsyncContext`,
/// include/swift/ABI/Task.h).
pub const ASYNC_CONTEXT_HEADER_WORDS: u64 = 2;

/// The memory that an async function of the runtime receives from its caller (`TaskFutureWaitAsyncContext`).
pub const WAITING_CONTEXT_WORDS: u64 = ASYNC_CONTEXT_HEADER_WORDS + 3;

/// The alignment of async contexts in bytes.
pub const ASYNC_CONTEXT_ALIGNMENT: u64 = 16;

/// The runtime's async functions that wait with their caller's context, sorted.
const WAITING_FUNCTIONS: &[&str] = &[
    "swift_asyncLet_finish",
    "swift_asyncLet_get",
    "swift_asyncLet_get_throwing",
    "swift_asyncLet_wait",
    "swift_asyncLet_wait_throwing",
    "swift_taskGroup_waitAll",
    "swift_taskGroup_wait_next_throwing",
    "swift_task_future_wait",
    "swift_task_future_wait_throwing",
];

/// A function that replaces a suspended async function: LLVM inlines it at the split.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AsyncDeparture {
    /// Calls a function of this lowered type and kind, which is the first argument.
    Call(TypeId, AsyncKind),
    /// Continues in the caller of a function of this lowered type, with the function in its context, the first
    /// argument.
    Return(TypeId),
    /// Continues on another executor.
    Switch,
    /// Waits for a continuation.
    AwaitContinuation,
    /// Follows the note that `Call` of an ordinary function of this lowered type writes without tail calls.
    NotedCall(TypeId),
    /// Follows the note that `Return` of this lowered type writes.
    NotedReturn(TypeId),
}

impl AsyncDeparture {
    /// Its symbol.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            AsyncDeparture::Call(..) => "async.call",
            AsyncDeparture::Return(_) => "async.return",
            AsyncDeparture::Switch => "async.switch",
            AsyncDeparture::AwaitContinuation => "__swift_continuation_await_point",
            AsyncDeparture::NotedCall(_) => "async.noted.call",
            AsyncDeparture::NotedReturn(_) => "async.noted.return",
        }
    }

    /// Returns whether the runtime calls it, after its caller has returned.
    fn is_noted(self) -> bool {
        matches!(self, AsyncDeparture::NotedCall(_) | AsyncDeparture::NotedReturn(_))
    }
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the origin of the context of `function`, if it is async.
    pub fn async_kind(&self, function: &Function) -> AsyncKind {
        async_kind(self.sil, function)
    }

    /// Returns whether functions of the lowered type `ty` are async.
    pub fn is_async(&self, ty: TypeId) -> bool {
        is_async(self.types.queries, ty)
    }

    /// Returns whether the witnesses for `slot` are async functions.
    pub fn is_async_requirement(&self, slot: &WitnessSlot) -> bool {
        let queries = self.types.queries;
        let WitnessSlot::Method { ty: Some(formal), .. } = slot else { return false };
        // It takes `Self`, and returns the type of the called function.
        let Type::FormalFunction(of_self) = queries.get(*formal) else { return false };
        match queries.get(of_self.result) {
            Type::FormalFunction(called) => called.attributes.contains(FunctionAttribute::Async),
            _ => false,
        }
    }

    /// Returns the function that replaces an async function, and declares it if necessary.
    pub fn async_departure(&self, departure: AsyncDeparture) -> Generated<FunctionValue<'ctx>> {
        let entity = Entity::AsyncDeparture(departure);
        if let Some(found) = self.declared_function(&entity) {
            return Ok(found);
        }
        let ty = self.departure_type(departure)?;
        let convention = if departure.is_noted() { 0 } else { self.options.swift_async_convention.number() };
        let signature = Signature::of_thunk(self.context, ty, convention, Vec::<LlvmParameter>::new(), &[]);
        let function = self.declare_thunk(entity, &signature);
        if !departure.is_noted() {
            attributes::add(function, Place::Function, &[Attribute::AlwaysInline]);
        }
        Ok(function)
    }

    fn departure_type(&self, departure: AsyncDeparture) -> Generated<FunctionType<'ctx>> {
        let (pointer, word) = (self.builder.ptr_type(), self.word_type());
        let void = self.context.void_type();
        Ok(match departure {
            AsyncDeparture::Call(lowered, kind) => {
                let signature = self.signature_of_kind(lowered, kind)?;
                let parameters: Vec<_> =
                    std::iter::once(pointer.into()).chain(signature.llvm.get_param_types()).collect();
                void.fn_type(&parameters, false)
            }
            AsyncDeparture::Return(lowered) => {
                let signature = self.signature(lowered)?;
                let Some(convention) = &signature.asynchronous else { return Err(self.unsupported_type(lowered)) };
                let passed = convention.resumed_with.get_field_types();
                let parameters: Vec<_> =
                    std::iter::once(pointer.into()).chain(passed.into_iter().map(Into::into)).collect();
                void.fn_type(&parameters, false)
            }
            AsyncDeparture::Switch => void.fn_type(&[pointer.into(), word.into(), word.into(), pointer.into()], false),
            AsyncDeparture::AwaitContinuation | AsyncDeparture::NotedCall(_) | AsyncDeparture::NotedReturn(_) => {
                void.fn_type(&[pointer.into()], false)
            }
        })
    }
}

pub(super) fn async_kind(sil: &Module, function: &Function) -> AsyncKind {
    match WAITING_FUNCTIONS.binary_search(&sil.context.text(function.name)) {
        Ok(_) if function.body.is_none() => AsyncKind::Waiting,
        _ => AsyncKind::Ordinary,
    }
}

pub(super) fn is_async(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    match queries.get(ty) {
        Type::Function(function) => function.attributes.contains(FunctionAttribute::Async),
        _ => false,
    }
}

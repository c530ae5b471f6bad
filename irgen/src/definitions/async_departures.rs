//! The bodies of the functions that take the place of an async function which leaves its thread: one call each, after which nothing is left
//! of the caller's frame.

use inkwell::values::{BasicValueEnum, CallSiteValue};

use crate::generation::signature::Signature;
use crate::generation::{AsyncDeparture, Entity, IRGenFunction, IRGenModule, RuntimeFunction};
use crate::llvm::async_functions::TailCallPromise;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::Generated;
use crate::target::Architecture;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the function.
    pub(super) fn define_async_departure(&self, departure: AsyncDeparture) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::AsyncDeparture(departure)) else { return Ok(()) };
        let convention = self.options.swift_async_convention.number();
        let signature = Signature::of_thunk(self.context, llvm.get_type(), convention, Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let passed = llvm.get_params();
        let call = match (departure, passed.as_slice()) {
            (AsyncDeparture::Call(lowered, kind), [code, arguments @ ..]) => {
                let called = self.signature_of_kind(lowered, kind)?;
                let call = function.builder.call_indirect(called.llvm, code.into_pointer_value(), arguments);
                // Methods of other classes may be called, with values of other sizes.
                called.attributes.clone().without_sizes().add_to(call);
                call
            }
            (AsyncDeparture::Return(lowered), [code, arguments @ ..]) => {
                let call = function.go_on(*code, arguments);
                let returned = self.signature(lowered)?;
                if let Some(error) = returned.asynchronous.as_ref().and_then(|convention| convention.error) {
                    attributes::add(call, Place::Parameter(error as usize), &[Attribute::SwiftSelf]);
                }
                call
            }
            (AsyncDeparture::Switch, [resumption, identity, implementation, context]) => {
                function.call_runtime(RuntimeFunction::TaskSwitch, &[*context, *resumption, *identity, *implementation])
            }
            (AsyncDeparture::AwaitContinuation, [context]) => {
                function.call_runtime(RuntimeFunction::ContinuationAwait, &[*context])
            }
            _ => {
                function.builder.unreachable();
                return Ok(());
            }
        };
        call.set_call_convention(convention);
        function.builder.leave_frame_to(call, self.tail_call_promise());
        function.builder.ret(None);
        Ok(())
    }
}

impl IRGenModule<'_, '_> {
    /// For x86-64 LLVM 22 loses arguments of `musttail` calls that are on the stack.
    fn tail_call_promise(&self) -> TailCallPromise {
        match self.options.architecture {
            Architecture::X86_64 => TailCallPromise::ByConvention,
            _ => TailCallPromise::MustTail,
        }
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls what an async function goes on with: its async context comes first.
    fn go_on(&self, code: BasicValueEnum<'ctx>, arguments: &[BasicValueEnum<'ctx>]) -> CallSiteValue<'ctx> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.get_type().into()).collect();
        let ty = self.module.context.void_type().fn_type(&types, false);
        let call = self.builder.call_indirect(ty, code.into_pointer_value(), arguments);
        attributes::add(call, Place::Parameter(0), &[Attribute::SwiftAsync]);
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        call
    }
}

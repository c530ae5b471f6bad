//! The bodies of the functions that replace suspended async functions: one call each, after which nothing of the
//! caller's frame remains. Without tail calls, they note the next function and return; the runtime follows the notes
//! (runtime-c/concurrency/trampoline.c).

use inkwell::types::{BasicType, BasicTypeEnum, FunctionType};
use inkwell::values::{BasicValueEnum, CallSiteValue, PointerValue};
use sil_ir::context::TypeId;

use crate::generation::signature::{AsyncKind, Signature};
use crate::generation::{AsyncDeparture, Entity, IRGenFunction, IRGenModule, RuntimeFunction};
use crate::llvm::async_functions::TailCallPromise;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::{Generated, unsupported_without_place};
use crate::target::Architecture;

/// The number of words for arguments in a note (runtime-c/concurrency/trampoline.c).
const NOTE_WORDS: u64 = 40;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the function.
    pub(super) fn define_async_departure(&self, departure: AsyncDeparture) -> Generated<()> {
        let Some(llvm) = self.declared_function(&Entity::AsyncDeparture(departure)) else { return Ok(()) };
        let convention = self.options.swift_async_convention.number();
        let signature = Signature::of_thunk(self.context, llvm.get_type(), convention, Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        let passed = llvm.get_params();
        match departure {
            AsyncDeparture::Call(lowered, AsyncKind::Ordinary) if !self.has_tail_calls() => {
                function.note(AsyncDeparture::NotedCall(lowered), &passed)?;
            }
            AsyncDeparture::Return(lowered) if !self.has_tail_calls() => {
                function.note(AsyncDeparture::NotedReturn(lowered), &passed)?;
            }
            AsyncDeparture::NotedCall(lowered) => {
                let noted = self.parameters_of(AsyncDeparture::Call(lowered, AsyncKind::Ordinary))?;
                let [code, arguments @ ..] = &function.noted(&noted, function.address_parameter(0))?[..] else {
                    function.builder.unreachable();
                    return Ok(());
                };
                function.call_async(lowered, AsyncKind::Ordinary, *code, arguments)?;
            }
            AsyncDeparture::NotedReturn(lowered) => {
                let noted = self.parameters_of(AsyncDeparture::Return(lowered))?;
                let [code, arguments @ ..] = &function.noted(&noted, function.address_parameter(0))?[..] else {
                    function.builder.unreachable();
                    return Ok(());
                };
                function.return_to(lowered, *code, arguments)?;
            }
            _ => {
                let Some(call) = function.leave(departure, &passed)? else {
                    function.builder.unreachable();
                    return Ok(());
                };
                if self.has_tail_calls() {
                    function.builder.leave_frame_to(call, self.tail_call_promise());
                }
            }
        }
        function.builder.ret(None);
        Ok(())
    }

    fn parameters_of(&self, departure: AsyncDeparture) -> Generated<Vec<BasicTypeEnum<'ctx>>> {
        let ty: FunctionType<'ctx> = self.async_departure(departure)?.get_type();
        Ok(ty.get_param_types().into_iter().filter_map(|ty| ty.try_into().ok()).collect())
    }

    /// On x86-64, LLVM 22 loses stack arguments of `musttail` calls.
    fn tail_call_promise(&self) -> TailCallPromise {
        match self.options.architecture {
            Architecture::X86_64 => TailCallPromise::ByConvention,
            _ => TailCallPromise::MustTail,
        }
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the call by which the function departs, or `None` if the arguments do not match the departure.
    fn leave(
        &self,
        departure: AsyncDeparture,
        passed: &[BasicValueEnum<'ctx>],
    ) -> Generated<Option<CallSiteValue<'ctx>>> {
        Ok(Some(match (departure, passed) {
            (AsyncDeparture::Call(lowered, kind), [code, arguments @ ..]) => {
                self.call_async(lowered, kind, *code, arguments)?
            }
            (AsyncDeparture::Return(lowered), [code, arguments @ ..]) => self.return_to(lowered, *code, arguments)?,
            (AsyncDeparture::Switch, [resumption, identity, implementation, context]) => {
                let arguments = [*context, *resumption, *identity, *implementation];
                self.with_async_convention(self.call_runtime(RuntimeFunction::TaskSwitch, &arguments))
            }
            (AsyncDeparture::AwaitContinuation, [context]) => {
                self.with_async_convention(self.call_runtime(RuntimeFunction::ContinuationAwait, &[*context]))
            }
            _ => return Ok(None),
        }))
    }

    fn with_async_convention(&self, call: CallSiteValue<'ctx>) -> CallSiteValue<'ctx> {
        call.set_call_convention(self.module.options.swift_async_convention.number());
        call
    }

    /// Calls the async function `code` of a lowered type.
    fn call_async(
        &self,
        lowered: TypeId,
        kind: AsyncKind,
        code: BasicValueEnum<'ctx>,
        arguments: &[BasicValueEnum<'ctx>],
    ) -> Generated<CallSiteValue<'ctx>> {
        let called = self.module.signature_of_kind(lowered, kind)?;
        let call = self.builder.call_indirect(called.llvm, code.into_pointer_value(), arguments);
        // Methods of other classes may be called, with values of other sizes.
        called.attributes.clone().without_sizes().add_to(call);
        Ok(self.with_async_convention(call))
    }

    /// Calls the continuation of an async function after a call of a lowered type, with its async context first.
    fn return_to(
        &self,
        lowered: TypeId,
        code: BasicValueEnum<'ctx>,
        arguments: &[BasicValueEnum<'ctx>],
    ) -> Generated<CallSiteValue<'ctx>> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.get_type().into()).collect();
        let ty = self.module.context.void_type().fn_type(&types, false);
        let call = self.builder.call_indirect(ty, code.into_pointer_value(), arguments);
        attributes::add(call, Place::Parameter(0), &[Attribute::SwiftAsync]);
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        let returned = self.module.signature(lowered)?;
        if let Some(error) = returned.asynchronous.as_ref().and_then(|convention| convention.error) {
            attributes::add(call, Place::Parameter(error as usize), &[Attribute::SwiftSelf]);
        }
        Ok(self.with_async_convention(call))
    }

    /// Notes that `follow` is next, with these arguments.
    fn note(&self, follow: AsyncDeparture, arguments: &[BasicValueEnum<'ctx>]) -> Generated<()> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.get_type()).collect();
        let places = self.places_in_note(&types)?;
        let follow = self.module.async_departure(follow)?.as_global_value().as_pointer_value();
        let words = self.call_runtime_for(RuntimeFunction::NotePart, &[follow.into()]).into_pointer_value();
        for (argument, (offset, size)) in arguments.iter().zip(places) {
            self.builder.store(*argument, self.builder.offset(words, offset), size.min(self.module.pointer_size()));
        }
        Ok(())
    }

    /// Returns the arguments of these types in the note at `words`.
    fn noted(&self, types: &[BasicTypeEnum<'ctx>], words: PointerValue<'ctx>) -> Generated<Vec<BasicValueEnum<'ctx>>> {
        let places = self.places_in_note(types)?;
        let word = self.module.pointer_size();
        let load = |(ty, (offset, size)): (&BasicTypeEnum<'ctx>, (u64, u64))| {
            self.builder.load(*ty, self.builder.offset(words, offset), size.min(word))
        };
        Ok(types.iter().zip(places).map(load).collect())
    }

    /// Returns the offset and the size of each argument in a note, in bytes.
    fn places_in_note(&self, types: &[BasicTypeEnum<'ctx>]) -> Generated<Vec<(u64, u64)>> {
        let word = self.module.pointer_size();
        let mut end = 0;
        let mut places = Vec::new();
        for ty in types {
            let size = match ty {
                BasicTypeEnum::PointerType(_) => word,
                BasicTypeEnum::IntType(ty) => u64::from(ty.get_bit_width()).div_ceil(8).next_power_of_two(),
                BasicTypeEnum::FloatType(ty) if *ty == self.module.context.f64_type() => 8,
                BasicTypeEnum::FloatType(ty) if *ty == self.module.context.f32_type() => 4,
                _ => {
                    let what = format_args!("async functions that take or return {}", ty.as_basic_type_enum());
                    return Err(Box::new(unsupported_without_place(what)));
                }
            };
            places.push((end, size));
            end += size.next_multiple_of(word);
        }
        if end > NOTE_WORDS * word {
            let what = "async functions that take or return as many values on a target without tail calls";
            return Err(Box::new(unsupported_without_place(what)));
        }
        Ok(places)
    }
}

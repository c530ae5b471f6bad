//! Builtins of tasks: creation, cancellation, starting in groups or by `async let`; and resumption of continuations
//! (lib/IRGen/GenConcurrency.cpp).

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::{
    BuiltinType, CalleeConvention, FunctionAttribute, FunctionAttributes, FunctionType, Parameter, ParameterConvention,
    ParameterOptions, Representation, Type, TypeId,
};
use sil_ir::instructions::builtins::NamedBuiltin;

use super::Call;
use crate::generation::{Explosion, RuntimeFunction, TaskResults};
use crate::instructions::calls::{CallEmission, CallPlaces, Callee};
use crate::layout::TypeLayout;
use crate::refusal::Generated;

/// The sizes of a task group and of an `async let` in words, and their alignment in bytes
/// (include/swift/ABI/MetadataValues.h).
const TASK_GROUP_WORDS: u64 = 32;
const ASYNC_LET_WORDS: u64 = 80;
const MAXIMUM_ALIGNMENT: u64 = 16;

impl<'ctx> Call<'_, '_, 'ctx> {
    /// Emits a builtin of tasks.
    pub(super) fn emit_of_tasks(&mut self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        use NamedBuiltin::*;
        match named {
            GetCurrentAsyncTask => Ok(vec![self.function.call_runtime_for(RuntimeFunction::TaskGetCurrent, &[])]),
            CancelAsyncTask => self.call_with_arguments(RuntimeFunction::TaskCancel, 1),
            TaskAddCancellationHandler => self.emit_add_handler(RuntimeFunction::TaskAddCancellationHandler),
            TaskRemoveCancellationHandler => {
                self.call_with_arguments(RuntimeFunction::TaskRemoveCancellationHandler, 1)
            }
            TaskAddPriorityEscalationHandler => self.emit_add_handler(RuntimeFunction::TaskAddEscalationHandler),
            TaskRemovePriorityEscalationHandler => {
                self.call_with_arguments(RuntimeFunction::TaskRemoveEscalationHandler, 1)
            }
            AddTaskLocalValue => {
                self.emit_push_task_local()?;
                // The token of the removal, which is unused: the runtime knows the last addition.
                Ok(vec![self.function.builder.ptr_type().const_null().into()])
            }
            TaskLocalValuePush => self.emit_push_task_local(),
            RemoveTaskLocalValue | TaskLocalValuePop => self.call_with_arguments(RuntimeFunction::TaskLocalValuePop, 0),
            // A task begins with its job.
            ConvertTaskToJob => Ok(vec![self.argument(0)?]),
            CreateAsyncTask => self.emit_create_task(),
            TaskRunInline => self.emit_run_inline(),
            StartAsyncLet | StartAsyncLetWithLocalBuffer => self.emit_start_async_let(named),
            // The arguments after the first are only kept alive up to here.
            EndAsyncLet => self.call_with_arguments(RuntimeFunction::AsyncLetEnd, 1),
            EndAsyncLetLifetime => Ok(Vec::new()),
            FinishAsyncLet => self.emit_finish_async_let(),
            CreateTaskGroup => self.emit_create_group(None),
            CreateTaskGroupWithFlags => self.emit_create_group(Some(self.int(0)?)),
            DestroyTaskGroup => self.call_with_arguments(RuntimeFunction::TaskGroupDestroy, 1),
            ResumeNonThrowingContinuationReturning => self.emit_resume(RuntimeFunction::ContinuationResume),
            ResumeThrowingContinuationReturning => self.emit_resume(RuntimeFunction::ContinuationThrowingResume),
            ResumeThrowingContinuationThrowing => {
                self.call_with_arguments(RuntimeFunction::ContinuationThrowingResumeWithError, 2)
            }
            _ => Err(self.unsupported()),
        }
    }

    /// Calls a function of the runtime with the first `count` arguments. It has no result.
    pub(super) fn call_with_arguments(&self, callee: RuntimeFunction, count: usize) -> Generated<Explosion<'ctx>> {
        let arguments: Generated<Vec<BasicValueEnum<'ctx>>> = (0..count).map(|number| self.argument(number)).collect();
        self.function.call_runtime(callee, &arguments?);
        Ok(Vec::new())
    }

    /// Returns the result type of tasks.
    fn result_type(&self) -> TypeId {
        let queries = self.function.module.types.queries;
        self.generic_arguments().first().copied().unwrap_or_else(|| queries.void())
    }

    /// Returns the metadata of the result type of tasks; null if an option record describes it.
    fn result_metadata(&self) -> Generated<BasicValueEnum<'ctx>> {
        match self.function.module.task_results() {
            TaskResults::Metadata => Ok(self.function.type_metadata(self.result_type())?.into()),
            TaskResults::Records => Ok(self.function.builder.null().into()),
        }
    }

    /// Returns the description of a task's result type for the runtime.
    fn description(&self) -> Generated<BasicValueEnum<'ctx>> {
        match self.function.module.task_results() {
            TaskResults::Metadata => self.result_metadata(),
            TaskResults::Records => Ok(self.function.emit_type_description(self.result_type())?.into()),
        }
    }

    /// Returns the options of a task with such a result: its record, then `records`.
    fn with_result_type(&self, records: PointerValue<'ctx>) -> Generated<PointerValue<'ctx>> {
        match self.function.module.task_results() {
            TaskResults::Metadata => Ok(records),
            TaskResults::Records => self.emit_result_type_record(self.result_type(), records),
        }
    }

    /// `addTaskLocalValue(key, value)`: moves the value from memory.
    fn emit_push_task_local(&self) -> Generated<Explosion<'ctx>> {
        let operands = self.function.body.operands(self.instruction);
        let [_, value] = operands else { return Err(self.unsupported()) };
        if !self.function.body.ty(*value).is_address() {
            return Err(self.unsupported());
        }
        self.function.push_task_local(self.argument(0)?, self.pointer(1)?, self.description()?);
        Ok(Vec::new())
    }

    /// Adds a closure, code and context, to the handlers of the task. Returns the record for its removal.
    fn emit_add_handler(&self, callee: RuntimeFunction) -> Generated<Explosion<'ctx>> {
        let closure = [self.argument(0)?, self.argument(1)?];
        Ok(vec![self.function.call_runtime_for(callee, &closure)])
    }

    /// `createAsyncTask(flags, options…, function)`: returns the task, and its context.
    fn emit_create_task(&mut self) -> Generated<Explosion<'ctx>> {
        let operands = self.function.body.operands(self.instruction);
        let [flags, options @ .., work] = operands else { return Err(self.unsupported()) };
        let flags = self.function.scalar(*flags)?;
        let metadata = self.result_metadata()?;
        let options = self.with_result_type(self.emit_task_options(options)?)?;
        let [code, context] = self.function.explosion(*work)?[..] else { return Err(self.unsupported()) };
        let arguments = [flags, options.into(), metadata, code, context];
        let created = self.function.call_runtime_for(RuntimeFunction::TaskCreate, &arguments);
        Ok((0..2).map(|index| self.function.builder.extract(created, index)).collect())
    }

    fn emit_run_inline(&self) -> Generated<Explosion<'ctx>> {
        // silc's own runtime lacks the function.
        if self.function.module.task_results() == TaskResults::Records {
            return Err(self.unsupported());
        }
        let arguments = [self.argument(0)?, self.argument(1)?, self.argument(2)?, self.result_metadata()?];
        self.function.call_runtime(RuntimeFunction::TaskRunInline, &arguments);
        Ok(Vec::new())
    }

    /// `startAsyncLet(options, function)`, followed by memory for the result: returns the memory of the `async let`.
    fn emit_start_async_let(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let function = &*self.function;
        let options = match self.argument(0)? {
            BasicValueEnum::IntValue(address) => function.builder.int_to_pointer(address),
            address => address.into_pointer_value(),
        };
        let options = self.with_result_type(options)?.into();
        let memory = function.stack_slot(ASYNC_LET_WORDS * function.module.pointer_size(), MAXIMUM_ALIGNMENT);
        let mut arguments = vec![memory.into(), options, self.result_metadata()?, self.argument(1)?, self.argument(2)?];
        let callee = match named {
            NamedBuiltin::StartAsyncLetWithLocalBuffer => {
                arguments.push(self.argument(3)?);
                RuntimeFunction::AsyncLetBegin
            }
            _ => RuntimeFunction::AsyncLetStart,
        };
        function.call_runtime(callee, &arguments);
        Ok(vec![memory.into()])
    }

    /// `finishAsyncLet(memory, result)`: waits for the task and destroys its result.
    fn emit_finish_async_let(&self) -> Generated<Explosion<'ctx>> {
        let function = &*self.function;
        let context = &function.module.sil.context;
        let pointer = Parameter {
            convention: ParameterConvention::Unowned,
            ty: context.ty(Type::Builtin(BuiltinType::RawPointer)),
            options: ParameterOptions::default(),
        };
        let mut attributes = FunctionAttributes::default();
        attributes.insert(FunctionAttribute::Async);
        let ty = context.ty(Type::Function(Box::new(FunctionType {
            representation: Representation::Thin,
            attributes,
            parameters: Box::new([pointer, pointer]),
            ..FunctionType::thick(CalleeConvention::None)
        })));
        let code = function.module.runtime_function(RuntimeFunction::AsyncLetFinish);
        let callee = Callee::waiting(function, ty, code.as_global_value().as_pointer_value())?;
        let arguments = [vec![self.argument(0)?], vec![self.argument(1)?]];
        CallEmission { callee: &callee, arguments: &arguments, places: CallPlaces::default() }.emit(function)?;
        Ok(Vec::new())
    }

    /// `createTaskGroup()`, or with flags: returns the memory of the group.
    fn emit_create_group(&self, flags: Option<IntValue<'ctx>>) -> Generated<Explosion<'ctx>> {
        let function = &*self.function;
        let memory = function.stack_slot(TASK_GROUP_WORDS * function.module.pointer_size(), MAXIMUM_ALIGNMENT);
        let metadata = self.result_metadata()?;
        let word = function.module.word_type();
        match flags {
            flags if function.module.task_results() == TaskResults::Records => {
                let bits = function.module.pointer_bits();
                let flags = flags.map_or(word.const_zero(), |flags| function.builder.resize(flags, bits));
                let options = self.emit_result_type_record(self.result_type(), function.builder.null())?;
                let arguments = [flags.into(), memory.into(), metadata, options.into()];
                function.call_runtime(RuntimeFunction::TaskGroupInitializeWithOptions, &arguments);
            }
            Some(flags) => {
                let flags = function.builder.resize(flags, function.module.pointer_bits());
                let arguments = [flags.into(), memory.into(), metadata];
                function.call_runtime(RuntimeFunction::TaskGroupInitializeWithFlags, &arguments);
            }
            None => {
                function.call_runtime(RuntimeFunction::TaskGroupInitialize, &[memory.into(), metadata]);
            }
        }
        Ok(vec![memory.into()])
    }

    fn emit_resume(&self, resume: RuntimeFunction) -> Generated<Explosion<'ctx>> {
        let [_, value] = self.function.body.operands(self.instruction) else { return Err(self.unsupported()) };
        let ty = self.function.body.ty(*value);
        let place = match (ty.is_address(), self.function.layout(ty.ty)?) {
            (true, _) => self.pointer(1)?,
            (false, TypeLayout::Fixed(info)) => {
                let temporary = self.function.temporary(&info);
                self.function.store_explosion(&info, &self.arguments[1..], temporary);
                temporary
            }
            (false, TypeLayout::Dynamic(_)) => return Err(self.unsupported()),
        };
        self.function.resume_continuation(self.pointer(0)?, place, ty.ty, resume)?;
        Ok(Vec::new())
    }
}

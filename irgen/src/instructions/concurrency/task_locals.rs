//! Task-local values: how one is bound where the library calls a function of the runtime for it and not the builtin
//! (stdlib/public/Concurrency/TaskLocal.swift, `_taskLocalValuePush`). The function is generic. Embedded Swift has no
//! metadata, so that its calls pass the record of the value's type.
//! Does not own the builtin (`builtins::tasks`).

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Apply, FunctionRef};
use sil_ir::model::{InstructionId, Value};

use crate::generation::{IRGenFunction, RuntimeFunction, TaskResults};
use crate::refusal::Generated;

/// Whether `reference` is a `function_ref` of the function that binds a value, for a call by [`emit_push`].
pub(in crate::instructions) fn is_push(function: &IRGenFunction<'_, '_>, reference: InstructionId) -> bool {
    let sil = function.module.sil;
    let is_push =
        |name| RuntimeFunction::from_symbol(sil.context.text(name)) == Some(RuntimeFunction::TaskLocalValuePush);
    let is_declared = |name| sil.function_named(name).is_some_and(|id| sil.functions[id].body.is_none());
    function.module.task_results() == TaskResults::Records
        && FunctionRef::get(function.body, reference)
            .is_some_and(|found| is_push(found.function) && is_declared(found.function))
}

/// Whether applies alone use a function.
pub(in crate::instructions) fn is_only_applied(function: &IRGenFunction<'_, '_>, reference: InstructionId) -> bool {
    let body = function.body;
    let is_apply = |user: InstructionId| body.instructions[user].opcode == Opcode::Apply;
    body.result(reference).is_none_or(|value| function.uses(value).iter().all(|found| is_apply(found.user)))
}

/// The type of the value that an `apply` binds, if it calls the function for it.
pub(in crate::instructions) fn pushed_type(function: &IRGenFunction<'_, '_>, site: &Apply<'_>) -> Option<TypeId> {
    function.body.defining(site.callee).filter(|reference| is_push(function, *reference))?;
    function.module.sil.context.replacements(site.apply.substitutions).first().copied()
}

/// Emits the call for the arguments of an apply: the key, and the value in memory, which is taken from there.
pub(in crate::instructions) fn emit_push<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    arguments: &[Value],
    ty: TypeId,
) -> Generated<()> {
    let [key, value] = arguments else {
        return Err(Box::new(crate::refusal::unsupported_without_place("a task-local value without key and value")));
    };
    let (key, value) = (function.scalar(*key)?, function.address(*value)?);
    let description = function.emit_type_description(ty)?;
    function.push_task_local(key, value, description.into());
    Ok(())
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Binds a value for a key. The description of its type is the runtime's: metadata, or a record.
    pub(in crate::instructions) fn push_task_local(
        &self,
        key: BasicValueEnum<'ctx>,
        value: PointerValue<'ctx>,
        description: BasicValueEnum<'ctx>,
    ) {
        self.call_runtime(RuntimeFunction::TaskLocalValuePush, &[key, value.into(), description]);
    }
}

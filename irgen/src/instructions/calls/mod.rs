//! Calls: `apply` and `try_apply`, the functions that they call, and how a function gives back results and errors.

mod callee;
mod emission;
mod errors;
mod returns;

use inkwell::values::BasicValueEnum;
use sil::model::views::{Apply, TryApply};
use sil::model::{InstructionId, Value};

pub(super) use callee::{class_method, function_ref, previous_function_ref, super_method, witness_method};
pub use emission::{CallEmission, CallPlaces, CallResult, Callee};
pub use returns::{emit_return, emit_throw};

use crate::generation::{Explosion, IRGenFunction};
use crate::layout::Deinit;
use crate::refusal::{Generated, unsupported_without_place};

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls the `deinit` of a noncopyable type with a value of it: its scalars or its address.
    pub fn call_deinit(&self, deinit: &Deinit, value: &[BasicValueEnum<'ctx>]) {
        if let Err(error) = self.emit_deinit(deinit, value) {
            self.module.report(*error);
        }
    }

    fn emit_deinit(&self, deinit: &Deinit, value: &[BasicValueEnum<'ctx>]) -> Generated<()> {
        let sil = self.module.sil;
        let function = sil.function_named(deinit.function).map(|id| &sil.functions[id]);
        let callee = self.module.function_named(deinit.function);
        let (Some(function), Some(callee)) = (function.filter(|function| function.signature.is_none()), callee?) else {
            let what = format!("destroying a noncopyable value by the generic deinit {}", deinit.symbol);
            return Err(Box::new(unsupported_without_place(what)));
        };
        let callee = Callee::of_value(self, function.ty, &[callee.as_global_value().as_pointer_value().into()])?;
        let places = CallPlaces::default();
        CallEmission { callee: &callee, arguments: &[value.to_vec()], places }.emit(self)?;
        Ok(())
    }
}

/// The SIL arguments of an apply site as scalars: an address is one.
pub fn arguments_of<'ctx>(function: &IRGenFunction<'_, 'ctx>, values: &[Value]) -> Generated<Vec<Explosion<'ctx>>> {
    values.iter().map(|value| function.flatten(&[*value])).collect()
}

pub(super) fn emit_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let (callee, arguments) = site(function, &Apply::of(function.body, instruction))?;
    let places = CallPlaces { error: errors::slot_for(function, &callee), ..CallPlaces::default() };
    let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(function)?;
    let explosion = result.explosion(function);
    match (function.body.result(instruction), explosion.as_slice()) {
        (Some(value), [BasicValueEnum::PointerValue(address)]) if function.body.ty(value).is_address() => {
            function.bind_address(instruction, *address);
        }
        _ => function.bind_result(instruction, explosion),
    }
    Ok(())
}

/// The callee of an apply site and its arguments.
pub fn site<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    site: &Apply<'_>,
) -> Generated<(Callee<'ctx>, Vec<Explosion<'ctx>>)> {
    let callee = Callee::of_site(function, site)?;
    let arguments = arguments_of(function, site.arguments)?;
    Ok((callee, arguments))
}

/// Calls, and goes to the error block where the error's place is not null afterwards.
pub(super) fn emit_try_apply<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let TryApply { callee, arguments, normal, error: thrown, apply } = TryApply::of(function.body, instruction);
    let (callee, arguments) = site(function, &Apply { callee, arguments, apply })?;
    let Some(slot) = errors::slot_for(function, &callee) else {
        return Err(function.unsupported(instruction, "a try_apply of a function that does not throw"));
    };
    let memory = errors::memory_for(function, &callee);
    let places = CallPlaces { error: Some(slot), error_memory: memory, ..CallPlaces::default() };
    let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(function)?;
    let error = function.builder.load(function.builder.ptr_type().into(), slot, function.module.pointer_size());
    let [normal_block, error_block] = [function.new_block(""), function.new_block("")];
    let is_normal = function.builder.is_null(error.into_pointer_value());
    if !function.module.optimizes() {
        // LLVM's fast instruction selector folds a load with one use into it, and an error register has no address to fold.
        function.builder.pointer_to_int(error.into_pointer_value(), function.module.pointer_bits());
    }
    let branch = function.builder.branch_if(is_normal, normal_block, error_block);
    function.module.mark_likely(branch);

    function.builder.position_at_end(normal_block);
    let explosion = result.explosion(function);
    function.branch_to(normal, &explosion);

    function.builder.position_at_end(error_block);
    let scalars = errors::thrown(function, &callee, &result, slot, error.into_pointer_value(), memory);
    function.branch_to(thrown, &scalars);
    Ok(())
}

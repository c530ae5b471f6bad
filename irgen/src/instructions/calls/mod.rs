//! Calls: `apply` and `try_apply`, their callees, and returned results and errors.

mod callee;
mod emission;
pub(super) mod errors;
mod returns;

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{BuiltinType, SubstitutionMapId, Type, TypeId};
use sil_ir::model::views::{Apply, TryApply};
use sil_ir::model::{InstructionId, Value};
use sil_passes::specialized_symbol;

pub(super) use callee::{class_method, function_ref, previous_function_ref, super_method, witness_method};
pub use emission::{CallEmission, CallPlaces, CallResult, Callee};
pub use returns::{emit_return, emit_throw};

use super::concurrency::task_locals;
use crate::generation::{Explosion, IRGenFunction};
use crate::layout::{Deinit, DeinitFunction};
use crate::refusal::{Generated, unsupported_without_place};
use crate::values::opaque::ValueWitness;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls the `deinit` of a noncopyable type with a value: its scalars or its address.
    pub fn call_deinit(&self, deinit: &Deinit, value: &[BasicValueEnum<'ctx>]) {
        if let Err(error) = self.emit_deinit(deinit, value) {
            self.module.report(*error);
        }
    }

    fn emit_deinit(&self, deinit: &Deinit, value: &[BasicValueEnum<'ctx>]) -> Generated<()> {
        let (sil, queries) = (self.module.sil, self.module.types.queries);
        let mut substitutions = queries.as_nominal(deinit.ty).map(|nominal| queries.nominal_substitutions(nominal));
        let mut called = match deinit.function {
            DeinitFunction::Known(function) => function,
            DeinitFunction::ValueWitness => return self.destroy_by_witness(deinit.ty, value),
        };
        // Embedded Swift has a specialised function for the type.
        let generic = substitutions.filter(|map| *map != SubstitutionMapId::EMPTY);
        let made = generic.and_then(|map| specialized_symbol(sil, queries, called, map));
        if let Some(made) = made.filter(|made| sil.function_named(*made).is_some()) {
            (called, substitutions) = (made, Some(SubstitutionMapId::EMPTY));
        }
        let function = sil.function_named(called).map(|id| &sil.functions[id]);
        let code = self.module.function_named(called)?;
        let (Some(function), Some(code), Some(substitutions)) = (function, code, substitutions) else {
            let what = format!("destroying a noncopyable value by the deinit {}", deinit.symbol);
            return Err(Box::new(unsupported_without_place(what)));
        };
        let arguments = queries.context.replacements(substitutions);
        if arguments.iter().any(|argument| matches!(queries.get(*argument), Type::Builtin(BuiltinType::NativeObject))) {
            let what = "generic deinits of types with arguments that are bound to classes";
            return Err(Box::new(unsupported_without_place(what)));
        }
        let code = code.as_global_value().as_pointer_value();
        let callee = Callee::of_value(self, function.ty, &[code.into()])?.with_substitutions(substitutions);
        let convention = queries.conventions(function.ty).and_then(|found| found.function.parameters.last().copied());
        let is_indirect = convention.is_some_and(|parameter| parameter.convention.is_indirect());
        // A generic deinit takes its value in memory, which is loaded here.
        let info = self.module.types.info(deinit.ty)?;
        let argument = match value {
            _ if is_indirect && info.is_loadable() => {
                let memory = self.temporary(&info);
                self.store_explosion(&info, value, memory);
                vec![memory.into()]
            }
            _ => value.to_vec(),
        };
        CallEmission { callee: &callee, arguments: &[argument], places: CallPlaces::default() }.emit(self)?;
        Ok(())
    }

    /// Destroys a value through the metadata of its type.
    fn destroy_by_witness(&self, ty: TypeId, value: &[BasicValueEnum<'ctx>]) -> Generated<()> {
        if !self.module.has_library_runtime() {
            let what = "destroying a noncopyable value whose deinit the module does not have";
            return Err(Box::new(unsupported_without_place(what)));
        }
        let info = self.module.types.info(ty)?;
        let address = match value {
            [BasicValueEnum::PointerValue(address)] if !info.is_loadable() => *address,
            _ => {
                let memory = self.temporary(&info);
                self.store_explosion(&info, value, memory);
                memory
            }
        };
        self.call_value_witness(ValueWitness::Destroy, &[address], self.type_metadata(ty)?);
        Ok(())
    }

    /// Calls the `deinit` of the type `ty`, if it has one, with the value at `address`, whose layout is dynamic.
    /// Returns whether it has one.
    pub fn call_dynamic_deinit(&self, ty: TypeId, address: PointerValue<'ctx>) -> Generated<bool> {
        let queries = self.module.types.queries;
        let Some(nominal) = queries.as_nominal(ty) else { return Ok(false) };
        let Some(function) = self.module.types.deinits.get(&nominal.declaration) else { return Ok(false) };
        let sil = self.module.sil;
        let declared = sil.function_named(*function).map(|id| &sil.functions[id]);
        let (Some(declared), Some(code)) = (declared, self.module.function_named(*function)?) else {
            return Err(Box::new(unsupported_without_place("a deinit that the module does not have")));
        };
        let code = code.as_global_value().as_pointer_value();
        let substitutions = queries.nominal_substitutions(nominal);
        let callee = Callee::of_value(self, declared.ty, &[code.into()])?.with_substitutions(substitutions);
        CallEmission { callee: &callee, arguments: &[vec![address.into()]], places: CallPlaces::default() }
            .emit(self)?;
        Ok(true)
    }
}

/// Returns the SIL arguments of an apply site as scalars. An address is one scalar.
fn arguments_of<'ctx>(function: &IRGenFunction<'_, 'ctx>, values: &[Value]) -> Generated<Vec<Explosion<'ctx>>> {
    let argument = |value: &Value| Ok(super::concurrency::as_argument(function, *value, function.flatten(&[*value])?));
    values.iter().map(argument).collect()
}

pub(super) fn emit_apply<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let apply = Apply::of(function.body, instruction);
    if let Some(ty) = task_locals::pushed_type(function, &apply) {
        task_locals::emit_push(function, apply.arguments, ty)?;
        function.bind_result(instruction, Vec::new());
        return Ok(());
    }
    let (callee, arguments) = site(function, &apply)?;
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

/// Calls the function, and branches to the error block if the error slot is not null afterwards.
pub(super) fn emit_try_apply<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let TryApply { callee, arguments, normal, error: thrown, apply } = TryApply::of(function.body, instruction);
    let (callee, arguments) = site(function, &Apply { callee, arguments, apply })?;
    let slot = errors::slot_for(function, &callee);
    let memory = errors::memory_for(function, &callee);
    let places = CallPlaces { error: slot, error_memory: memory, ..CallPlaces::default() };
    let result = CallEmission { callee: &callee, arguments: &arguments, places }.emit(function)?;
    let Some(error) = errors::error_of(function, &result, slot) else {
        return Err(function.unsupported(instruction, "a try_apply of a function that does not throw"));
    };
    let [normal_block, error_block] = [function.new_block(""), function.new_block("")];
    let is_normal = function.builder.is_null(error);
    if !function.module.optimizes() {
        // LLVM's fast instruction selector folds a load with one use into the comparison, and an error register has no
        // address to fold.
        function.builder.pointer_to_int(error, function.module.pointer_bits());
    }
    let branch = function.builder.branch_if(is_normal, normal_block, error_block);
    function.module.mark_likely(branch);

    function.builder.position_at_end(normal_block);
    let explosion = result.explosion(function);
    function.branch_to(normal, &explosion);

    function.builder.position_at_end(error_block);
    let scalars = errors::thrown(function, &callee, &result, slot, error, memory);
    function.branch_to(thrown, &scalars);
    Ok(())
}

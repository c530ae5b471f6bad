//! The options of a task: a chain of records, each with its kind and the next record (`TaskOptionRecord`,
//! include/swift/ABI/TaskOptions.h).

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::model::Value;
use sil_ir::model::views::Enum;
use sil_ir::symbols::ValueWitness;

use super::Call;
use crate::generation::{IRGenFunction, IRGenModule};
use crate::layout::TypeKind;
use crate::layout::enums::EnumLayout;
use crate::refusal::Generated;

/// The kinds of records (`TaskOptionRecordKind`), in the order of the builtin's operands: the initial executor, the
/// group, the preferred executors without and with a reference, the name.
const KINDS: [u64; 5] = [0, 1, 5, 6, 7];

/// The kind of the record that describes the type of the result in Embedded Swift.
const RESULT_TYPE: u64 = 4;

/// The size of such a record: size, alignment mask, and the value witnesses that the runtime calls.
const DESCRIPTION_WORDS: u64 = 5;
const WITNESSES: [ValueWitness; 3] =
    [ValueWitness::InitializeWithCopy, ValueWitness::StoreEnumTagSinglePayload, ValueWitness::Destroy];

/// The number of operands before tasks had names.
const NAMELESS: usize = 4;

/// The size of the header of each record in words: kind, next record.
const HEADER_WORDS: u64 = 2;

impl<'ctx> Call<'_, '_, 'ctx> {
    /// Returns the first record of the given options, or null.
    pub(super) fn emit_task_options(&self, options: &[Value]) -> Generated<PointerValue<'ctx>> {
        if !(NAMELESS..=KINDS.len()).contains(&options.len()) {
            return Err(self.unsupported());
        }
        let mut records = self.function.builder.null();
        for (option, kind) in options.iter().zip(KINDS) {
            records = self.emit_task_option(*option, kind, records)?;
        }
        Ok(records)
    }

    /// Adds a record with the value of `option`, if it has one.
    fn emit_task_option(&self, option: Value, kind: u64, next: PointerValue<'ctx>) -> Generated<PointerValue<'ctx>> {
        let function = &*self.function;
        let definition = function.body.defining(option).and_then(|definition| Enum::get(function.body, definition));
        match definition {
            Some(Enum { payload: None, .. }) => return Ok(next),
            Some(Enum { payload: Some(payload), .. }) => {
                return Ok(self.emit_task_option_record(&function.explosion(payload)?, kind, next));
            }
            None => {}
        }
        let info = function.info_of(option)?;
        let TypeKind::Enum(layout) = &info.kind else { return Err(self.unsupported()) };
        let some = some_case(layout).ok_or_else(|| self.unsupported())?;
        let explosion = function.explosion(option)?;
        let is_some = layout.test(function, &layout.loaded_value(&explosion), some);
        let [given, done] = [function.new_block(""), function.new_block("")];
        let before = function.builder.block();
        function.builder.branch_if(is_some, given, done);
        function.builder.position_at_end(given);
        let record = self.emit_task_option_record(&layout.project(function, some, &explosion), kind, next);
        let end = function.builder.block();
        function.builder.branch(done);
        function.builder.position_at_end(done);
        let first = function.builder.phi(function.builder.ptr_type().into());
        first.add_incoming(&[(&next, before), (&record, end)]);
        Ok(first.as_basic_value().into_pointer_value())
    }

    /// Adds a record with the type of the result.
    pub(super) fn emit_result_type_record(
        &self,
        ty: TypeId,
        next: PointerValue<'ctx>,
    ) -> Generated<PointerValue<'ctx>> {
        let words = type_description(self.function.module, ty)?;
        Ok(self.emit_task_option_record(&words, RESULT_TYPE, next))
    }

    fn emit_task_option_record(
        &self,
        content: &[BasicValueEnum<'ctx>],
        kind: u64,
        next: PointerValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let (function, word) = (&*self.function, self.function.module.pointer_size());
        let record = function.stack_slot((HEADER_WORDS + content.len() as u64) * word, word);
        let kind = function.module.word_type().const_int(kind, false);
        let words = [kind.into(), next.into()].into_iter().chain(content.iter().copied());
        for (number, value) in (0..).zip(words) {
            function.builder.store(value, function.builder.offset(record, number * word), word);
        }
        record
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The address of the record of a type in Embedded Swift.
    pub(in crate::instructions) fn emit_type_description(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let word = self.module.pointer_size();
        let memory = self.stack_slot(DESCRIPTION_WORDS * word, word);
        for (number, value) in (0..).zip(type_description(self.module, ty)?) {
            self.builder.store(value, self.builder.offset(memory, number * word), word);
        }
        Ok(memory)
    }
}

fn type_description<'ctx>(module: &IRGenModule<'_, 'ctx>, ty: TypeId) -> Generated<Vec<BasicValueEnum<'ctx>>> {
    let ty = module.types.queries.canonical_type(ty);
    let info = module.types.info(module.types.queries.lower_formal(ty))?;
    let number = |value| module.word_type().const_int(value, false).into();
    let mut words = vec![number(info.size), number(info.alignment - 1)];
    for witness in WITNESSES {
        module.require_value_witness(witness, ty)?;
        words.push(module.value_witness(witness, ty).as_global_value().as_pointer_value().into());
    }
    Ok(words)
}

/// Returns the index of the case of an optional that has a value.
fn some_case(layout: &EnumLayout) -> Option<usize> {
    layout.cases.iter().position(|case| case.payload.is_some())
}

//! Formal accesses: the runtime tracks those with dynamic enforcement, and ends the program if two of them conflict
//! (include/swift/ABI/MetadataValues.h, `ExclusivityFlags`). Embedded Swift has no such enforcement.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::instructions::Attribute;
use sil_ir::model::views::{BeginUnpairedAccess, Unary};
use sil_ir::model::{InstructionId, Value};

use crate::generation::{IRGenFunction, RuntimeFunction};
use crate::layout::TypeLayout;
use crate::refusal::Generated;

/// The flag of a modifying access.
const MODIFY: u64 = 1;

/// The flag of a tracked access, which lasts until it is ended: accesses that begin meanwhile can conflict with it.
const TRACKED: u64 = 0x20;

/// The size of the runtime's buffer for an access in words.
const BUFFER_WORDS: u64 = 3;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    fn access_has(&self, access: InstructionId, attribute: Attribute) -> bool {
        self.body.instructions[access].attributes.contains(attribute)
    }

    fn is_enforced_dynamically(&self, access: InstructionId) -> bool {
        self.access_has(access, Attribute::Dynamic) && self.module.enforces_accesses()
    }

    /// Returns whether the runtime tracks `begin_access`: empty values have no memory.
    fn is_enforced_at(&self, access: InstructionId, operand: Value) -> Generated<bool> {
        let is_empty = match self.layout(self.body.ty(operand).ty)? {
            TypeLayout::Fixed(info) => info.size == 0,
            TypeLayout::Dynamic(_) => false,
        };
        Ok(self.is_enforced_dynamically(access) && !is_empty)
    }

    fn begin_enforced_access(
        &self,
        access: InstructionId,
        address: PointerValue<'ctx>,
        buffer: PointerValue<'ctx>,
        program_counter: BasicValueEnum<'ctx>,
    ) {
        let kind = if self.access_has(access, Attribute::Read) { 0 } else { MODIFY };
        let tracked = if self.access_has(access, Attribute::NoNestedConflict) { 0 } else { TRACKED };
        let flags = self.module.word_type().const_int(kind | tracked, false);
        let arguments = [address.into(), buffer.into(), flags.into(), program_counter];
        self.call_runtime(RuntimeFunction::BeginAccess, &arguments);
    }
}

/// `begin_access`
pub(super) fn begin<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    if function.is_enforced_at(instruction, operand)? {
        let word = function.module.pointer_size();
        let buffer = function.stack_slot(BUFFER_WORDS * word, word);
        let null = function.builder.null().into();
        function.begin_enforced_access(instruction, function.address(operand)?, buffer, null);
        if !function.access_has(instruction, Attribute::NoNestedConflict) {
            function.state.accesses.insert(instruction, buffer);
        }
    }
    super::ownership::forward(function, instruction)
}

/// `end_access`
pub(super) fn end<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let begin = function.body.defining(operand);
    if let Some(buffer) = begin.and_then(|begin| function.state.accesses.get(&begin)) {
        function.call_runtime(RuntimeFunction::EndAccess, &[(*buffer).into()]);
    }
    Ok(())
}

/// `begin_unpaired_access`, with the program's buffer.
pub(super) fn begin_unpaired<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let BeginUnpairedAccess { operand, buffer } = BeginUnpairedAccess::of(function.body, instruction);
    if function.is_enforced_dynamically(instruction) {
        let (address, buffer) = (function.address(operand)?, function.address(buffer)?);
        function.begin_enforced_access(instruction, address, buffer, function.builder.null().into());
    }
    Ok(())
}

/// `end_unpaired_access`
pub(super) fn end_unpaired<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    if function.is_enforced_dynamically(instruction) {
        function.call_runtime(RuntimeFunction::EndAccess, &[function.address(operand)?.into()]);
    }
    Ok(())
}

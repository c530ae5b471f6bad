//! Existentials: class existentials are a reference and the witness tables of the protocols, others a container for a
//! value of any type (docs/ABI/TypeLayout.rst, "Existential Container Layout").

use inkwell::values::BasicValueEnum;
use sil_ir::context::{Type, TypeId};
use sil_ir::instructions::Attribute;
use sil_ir::instructions::families::Existentials;
use sil_ir::model::InstructionId;
use sil_ir::model::views::{InitExistential, Unary};
use sil_ir::types::ExistentialKind;

use super::allocation::allocate_box;
use super::{Emit, Lowering};
use crate::generation::{CaptureDescription, Explosion, Helper, IRGenFunction, MetadataSource};
use crate::layout::{TypeKind, TypeLayout};
use crate::refusal::Generated;
use crate::values::existentials::BEFORE_TABLES;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Existentials) -> Lowering {
    use Existentials::*;
    let emit: Emit = match opcode {
        InitExistentialRef => init_reference,
        OpenExistentialRef => open_reference,
        InitExistentialAddr => init_address,
        OpenExistentialAddr => open_address,
        DeinitExistentialAddr => deinit_address,
        OpenExistentialBox => super::errors::open_box,
        InitExistentialValue | OpenExistentialValue | OpenExistentialBoxValue | DeinitExistentialValue => {
            return Lowering::NotYet;
        }
    };
    Lowering::By(emit)
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The witness tables of `concrete` for the protocols of `existential`.
    pub fn existential_witness_tables(&self, concrete: TypeId, existential: TypeId) -> Generated<Explosion<'ctx>> {
        let protocols = self.module.types.witness_table_protocols(existential).into_iter();
        protocols.map(|protocol| Ok(self.witness_table(concrete, protocol)?.into())).collect()
    }
}

pub(super) fn init_reference<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let InitExistential { operand, concrete } = InitExistential::of(function.body, instruction);
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    // The operand's own type is the underlying type of an opaque one.
    let concrete = match function.module.types.queries.get(concrete) {
        Type::OpaqueResult { .. } => function.body.ty(operand).ty,
        _ => concrete,
    };
    let mut explosion = vec![function.scalar(operand)?];
    explosion.extend(function.existential_witness_tables(concrete, function.body.ty(result).ty)?);
    function.bind_result(instruction, explosion);
    Ok(())
}

/// Sets the type of a container's value, and allocates room for it, whose address is the result: in the buffer, or in a
/// box.
pub(super) fn init_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let InitExistential { operand, concrete } = InitExistential::of(function.body, instruction);
    let existential = function.body.ty(operand).ty;
    let info = function.info_of(operand)?;
    let TypeKind::Existential(fields) = &info.kind else {
        return Err(function.unsupported(instruction, "an existential of this kind"));
    };
    let container = function.address(operand)?;
    let metadata = function.type_metadata(concrete)?;
    let tables = function.existential_witness_tables(concrete, existential)?;
    let tables: Vec<_> = tables.into_iter().map(BasicValueEnum::into_pointer_value).collect();
    function.store_existential_type(fields, container, metadata, &tables);
    let lowered = function.module.types.queries.lower_formal(concrete);
    let value = match function.layout(lowered)? {
        TypeLayout::Fixed(value) if value.fits_existential_buffer(function.module.pointer_size()) => container,
        TypeLayout::Fixed(_) => {
            let layout = function.module.heap_layout(&[function.erased(lowered)])?;
            let captures = CaptureDescription { signature: function.generics, ..Default::default() };
            let object = allocate_box(function, &layout, captures)?;
            function.builder.store(object, container, function.module.pointer_size());
            function.builder.offset(object.into_pointer_value(), layout.fields[0].offset)
        }
        TypeLayout::Dynamic(_) => {
            let helper = function.module.helper(Helper::AllocateExistential(tables.len()));
            let call = function.builder.call(helper, &[container.into()]);
            match call.try_as_basic_value().basic() {
                Some(value) => value.into_pointer_value(),
                None => container,
            }
        }
    };
    function.bind_address(instruction, value);
    Ok(())
}

/// Projects the value of a container. A mutable value must be unique in its box.
pub(super) fn open_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let existential = function.body.ty(operand).ty;
    let info = function.info_of(operand)?;
    let (TypeKind::Existential(fields), Some(result)) = (&info.kind, function.body.result(instruction)) else {
        return Err(function.unsupported(instruction, "an existential of this kind"));
    };
    let container = function.address(operand)?;
    let metadata = function.existential_metadata(fields, container);
    let tables = function.existential_tables(fields, container);
    let count = tables.len();
    let tables: Explosion<'ctx> = tables.into_iter().map(BasicValueEnum::from).collect();
    let archetype = function.body.ty(result).ty;
    function.open_archetype(archetype, existential, MetadataSource::Metadata(metadata), &tables);
    let writes = function.body.instructions[instruction].attributes.contains(Attribute::MutableAccess);
    let helper = if writes { Helper::ProjectMutableExistential(count) } else { Helper::ProjectExistential(count) };
    let call = function.builder.call(function.module.helper(helper), &[container.into(), metadata.into()]);
    if let Some(value) = call.try_as_basic_value().basic() {
        function.bind_address(instruction, value.into_pointer_value());
    }
    Ok(())
}

/// `deinit_existential_addr`: frees the box of a container whose value was never initialised.
fn deinit_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let info = function.info_of(operand)?;
    let TypeKind::Existential(fields) = &info.kind else {
        return Err(function.unsupported(instruction, "an existential of this kind"));
    };
    let helper = function.module.helper(Helper::DeallocateExistential(fields.len() - BEFORE_TABLES));
    function.builder.call(helper, &[function.address(operand)?.into()]);
    Ok(())
}

pub(super) fn open_reference<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let existential = function.body.ty(operand).ty;
    if function.module.types.queries.existential_kind(existential) != ExistentialKind::Class {
        return Err(function.unsupported(instruction, "an existential that is not bound to classes"));
    }
    let mut explosion = function.explosion(operand)?;
    let tables = explosion.split_off(1);
    if let Some(result) = function.body.result(instruction) {
        let source = MetadataSource::Object(explosion[0].into_pointer_value());
        function.open_archetype(function.body.ty(result).ty, existential, source, &tables);
    }
    function.bind_result(instruction, explosion);
    Ok(())
}

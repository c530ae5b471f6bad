//! Class-bound existentials: a reference and the witness tables of its protocols (docs/ABI/TypeLayout.rst, "Class Existential Containers").

use sil::context::{Type, TypeId};
use sil::instructions::families::Existentials;
use sil::model::InstructionId;
use sil::model::views::{InitExistential, Unary};
use sil::types::ExistentialKind;

use super::{Emit, Lowering};
use crate::generation::{Explosion, IRGenFunction, MetadataSource};
use crate::refusal::Generated;

/// What becomes of each instruction of the family.
pub(super) fn lowering(opcode: Existentials) -> Lowering {
    use Existentials::*;
    let emit: Emit = match opcode {
        InitExistentialRef => init_reference,
        OpenExistentialRef => open_reference,
        InitExistentialAddr
        | InitExistentialValue
        | OpenExistentialAddr
        | OpenExistentialValue
        | OpenExistentialBox
        | OpenExistentialBoxValue
        | DeinitExistentialAddr
        | DeinitExistentialValue => return Lowering::NotYet,
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
    // The operand's own type is what stands behind an opaque one.
    let concrete = match function.module.types.queries.get(concrete) {
        Type::OpaqueResult { .. } => function.body.ty(operand).ty,
        _ => concrete,
    };
    let mut explosion = vec![function.scalar(operand)?];
    explosion.extend(function.existential_witness_tables(concrete, function.body.ty(result).ty)?);
    function.bind_result(instruction, explosion);
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

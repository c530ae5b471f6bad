//! Class-bound existentials: a reference and the witness tables of its protocols (docs/ABI/TypeLayout.rst, "Class Existential Containers").

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil::context::{NominalId, Type, TypeId};
use sil::instructions::families::Existentials;
use sil::model::InstructionId;
use sil::model::views::{InitExistential, Unary};
use sil::types::ExistentialKind;

use super::{Emit, Lowering};
use crate::generation::{Explosion, IRGenFunction};
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

/// What is known of each opened archetype.
pub type OpenedArchetypes<'ctx> = FxHashMap<TypeId, OpenedArchetype<'ctx>>;

/// An opened archetype.
#[derive(Debug)]
pub struct OpenedArchetype<'ctx> {
    /// Where its metadata is.
    pub source: MetadataSource<'ctx>,
    /// Its witness tables, in the existential's order.
    pub witness_tables: Vec<(NominalId, PointerValue<'ctx>)>,
}

/// Where the metadata of an opened archetype is.
#[derive(Clone, Copy, Debug)]
pub enum MetadataSource<'ctx> {
    /// In this object.
    Object(PointerValue<'ctx>),
    /// Here.
    Metadata(PointerValue<'ctx>),
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of an opened archetype.
    pub fn opened_metadata(&self, opened: &OpenedArchetype<'ctx>) -> PointerValue<'ctx> {
        match opened.source {
            MetadataSource::Object(object) => self.load_heap_metadata(object),
            MetadataSource::Metadata(metadata) => metadata,
        }
    }

    /// Says what the archetype `ty` is that opening the existential of type `existential` gave.
    pub fn open_archetype(
        &mut self,
        ty: TypeId,
        existential: TypeId,
        source: MetadataSource<'ctx>,
        tables: &Explosion<'ctx>,
    ) {
        let protocols = self.module.types.witness_table_protocols(existential);
        let tables = tables.iter().map(|table| table.into_pointer_value());
        let witness_tables = protocols.into_iter().zip(tables).collect();
        let ty = self.module.types.queries.canonical_type(ty);
        self.state.opened.insert(ty, OpenedArchetype { source, witness_tables });
    }

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

//! Materialises the addresses of opaque values by projections: from the memory of the value they are projected from,
//! and into the memory of the aggregate that uses them. Projections are placed as early as the memory and their types
//! allow; `cleanup` sinks them to their uses.

use sil_analysis::Use;
use sil_ir::context::{SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Enum, InitExistential, StructExtract, TupleExtract};
use sil_ir::model::{Definition, InstructionId, Value};

use super::lowering::{Lowered, Lowering, Site};
use super::storage::{Projection, Storage};
use crate::knowledge::aggregate_parts;
use crate::knowledge::elements::Step;

/// The extent of a materialised address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The whole value: later requests return the same address.
    Value,
    /// The end of one predecessor of a block argument.
    Branch,
}

/// The places for a value's projections and for moves into its memory.
#[derive(Clone, Copy)]
pub(super) struct Materializer {
    projections: Site,
    pub(super) moves: Site,
}

impl Lowering<'_> {
    /// Creates a materializer for `value` with moves at `moves`.
    pub(super) fn materializer(&self, value: Value, moves: Site) -> Materializer {
        let projections = self.projection_place(value).map_or(moves, Site::before);
        Materializer { projections, moves }
    }

    /// Returns the insertion point of projections for `value`: after the memory, and after all openings of archetypes
    /// in the types of its enclosing aggregates.
    fn projection_place(&self, value: Value) -> Option<InstructionId> {
        let mut place = self.maker_or_first(value);
        let mut latest: Option<InstructionId> = None;
        for storage in self.storages.projections(value) {
            if let Some(address) = storage.address {
                place = self.first_after(address);
                break;
            }
            let Some(opening) = self.latest_opening(self.ty(storage.value)) else { continue };
            if latest.is_none_or(|before| !self.dominates(opening, before)) {
                latest = self.body().next(opening);
            }
        }
        match (place, latest) {
            (Some(place), Some(latest)) if !self.dominates(place, latest) => Some(place),
            (_, Some(latest)) => Some(latest),
            (place, None) => place,
        }
    }

    /// Returns the address of an opaque value and materialises it at the first request.
    pub(super) fn materialize(&mut self, at: Materializer, value: Value) -> Lowered<Value> {
        if self.body().values[value].definition == Definition::Undef {
            let ty = SilType::address(self.ty(value).ty);
            return Ok(self.editor.undef(ty));
        }
        let Some(storage) = self.storages.of(value).copied() else {
            return self.unsupported(at.moves.like, "a value in memory that is none of those that are put there");
        };
        match (storage.address, storage.projection) {
            (Some(address), _) => Ok(address),
            (None, Projection::Definition(_)) => {
                let address = self.taken_out_address(at, value)?;
                self.storages.set_address(value, address);
                Ok(address)
            }
            (None, _) => self.memory(at, storage, Extent::Value),
        }
    }

    /// Returns the address of the memory in which a value is made.
    pub(super) fn memory(&mut self, at: Materializer, storage: Storage, extent: Extent) -> Lowered<Value> {
        if let (Extent::Value, Some(address)) = (extent, storage.address) {
            return Ok(address);
        }
        let address = match storage.projection {
            Projection::Use(whole, operand) => {
                let Storage { value: whole, address, .. } = *self.storages.get(whole);
                match (self.body().defining(whole), address) {
                    (Some(user), _) => self.put_in_address(at, Use { user, operand }, extent)?,
                    (None, Some(address)) => address,
                    (None, None) => return self.unsupported(at.moves.like, "a result without an address"),
                }
            }
            Projection::Phi(phi) => self.memory(at, *self.storages.get(phi), Extent::Branch)?,
            Projection::None | Projection::Definition(_) => match storage.address {
                Some(address) => address,
                None => return self.unsupported(at.moves.like, "an opaque value without memory"),
            },
        };
        if extent == Extent::Value {
            self.storages.set_address(storage.value, address);
        }
        Ok(address)
    }

    /// Returns the address, within the memory of its aggregate, of a projected value, which need not be opaque.
    pub(super) fn taken_out_address(&mut self, at: Materializer, value: Value) -> Lowered<Value> {
        let Definition::Result { instruction: id, index } = self.body().values[value].definition else {
            return self.unsupported(at.moves.like, "taking an opaque value apart at the end of a block");
        };
        let ty = SilType::address(self.ty(value).ty);
        let whole = if self.opcode(id) == Opcode::TuplePackExtract { 1 } else { 0 };
        let Some(operand) = self.editor.operand(id, whole) else {
            return self.unsupported(id, "taking an opaque value apart like this");
        };
        let source = self.address_of(operand, id)?;
        match self.opcode(id) {
            Opcode::CopyValue => Ok(source),
            Opcode::StructExtract => {
                let field = StructExtract::of(self.body(), id).field;
                Ok(self.generate(at.projections, |builder| builder.struct_element_addr(source, field, ty)))
            }
            Opcode::TupleExtract => {
                let index = TupleExtract::of(self.body(), id).index;
                Ok(self.generate(at.projections, |builder| builder.tuple_element_addr(source, index, ty)))
            }
            Opcode::DestructureStruct | Opcode::DestructureTuple => {
                self.part_address(at.projections, id, (source, self.ty(operand)), (index, ty))
            }
            Opcode::TuplePackExtract => {
                let Some(index) = self.editor.operand(id, 0) else { return Ok(source) };
                let address = self.build(at.projections, |builder| builder.tuple_pack_element_addr(index, source, ty));
                self.editor.locate_automatically(address);
                Ok(address)
            }
            _ => self.unsupported(id, "taking an opaque value apart like this"),
        }
    }

    /// Returns the address of part number `index` of the struct or tuple at `source`.
    fn part_address(
        &mut self,
        site: Site,
        id: InstructionId,
        (source, whole): (Value, SilType),
        (index, ty): (u32, SilType),
    ) -> Lowered<Value> {
        if let Type::Tuple(_) = self.lowered.get(whole.ty) {
            return Ok(self.generate(site, |builder| builder.tuple_element_addr(source, index, ty)));
        }
        let parts = aggregate_parts::parts(self.lowered, whole.ty).unwrap_or_default();
        match parts.get(index as usize).map(|part| part.step) {
            Some(Step::Property(member)) => {
                Ok(self.generate(site, |builder| builder.struct_element_addr(source, member, ty)))
            }
            Some(Step::Tuple(index)) => {
                Ok(self.generate(site, |builder| builder.tuple_element_addr(source, index, ty)))
            }
            None => self.unsupported(id, "a part of a struct of unknown fields"),
        }
    }

    /// Returns the address in the memory of an aggregate for one of its operands.
    pub(super) fn put_in_address(&mut self, at: Materializer, found: Use, extent: Extent) -> Lowered<Value> {
        let address = self.put_in_projection(at, found, extent)?;
        let is_projection = self.body().defining(address).is_some_and(|id| self.opcode(id) != Opcode::AllocStack);
        if is_projection {
            self.use_projections.push(address);
        }
        Ok(address)
    }

    fn put_in_projection(&mut self, at: Materializer, found: Use, extent: Extent) -> Lowered<Value> {
        let Use { user, operand } = found;
        if self.opcode(user) == Opcode::Tuple
            && let Some(tuple) = self.body().result(user)
            && self.is_returned_tuple(tuple)
        {
            return match self.result_address(operand as usize) {
                Some(address) => Ok(address),
                None => self.unsupported(user, "returning an opaque value as one"),
            };
        }
        let whole = self.body().result(user);
        let Some(storage) = whole.and_then(|whole| self.storages.of(whole)).copied() else {
            return self.unsupported(user, "putting an opaque value into one that is none");
        };
        let ty = SilType::address(self.ty(found.value(self.body())).ty);
        let container = self.memory(at, storage, extent)?;
        match self.opcode(user) {
            Opcode::Enum => {
                let case = Enum::of(self.body(), user).case;
                Ok(self.generate(at.projections, |builder| builder.init_enum_data_addr(container, case, ty)))
            }
            Opcode::InitExistentialValue => {
                let concrete = InitExistential::of(self.body(), user).concrete;
                Ok(self.generate(at.projections, |builder| builder.init_existential_addr(container, concrete, ty)))
            }
            Opcode::Struct | Opcode::Tuple => {
                let whole = self.ty(storage.value);
                self.part_address(at.projections, user, (container, whole), (operand, ty))
            }
            _ => self.unsupported(user, "putting an opaque value into another like this"),
        }
    }

    /// Moves or stores an operand into the memory of its aggregate, if it was not made there.
    pub(super) fn put_operand_in(&mut self, at: Materializer, found: Use) -> Lowered<()> {
        let value = found.value(self.body());
        let site = Site { place: at.moves.place, like: found.user };
        if !self.is_opaque(value) {
            let address = self.put_in_address(at, found, Extent::Value)?;
            self.store(site, value, address);
            return Ok(());
        }
        let source = self.address_of(value, found.user)?;
        let whole = self.body().result(found.user).and_then(|whole| self.storages.ordinal(whole));
        let into = self.storages.of(value).map(|storage| storage.projection);
        if let (Some(whole), Some(Projection::Use(into, _))) = (whole, into)
            && whole == into
        {
            return Ok(());
        }
        let address = self.put_in_address(at, found, Extent::Value)?;
        self.move_to_memory(site, source, address);
        Ok(())
    }
}

//! Converts casts of values in memory to casts of loaded values during inlining, where the types are better known
//! (include/swift/SIL/TypeSubstCloner.h).

use sil_ir::context::{SilType, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::CheckedCastAddrBr;
use sil_ir::model::{
    BlockId, Body, Cast, CastConsumption, Details, FunctionFlag, InstructionId, Ownership, Place, Value,
};

use super::{InlineKind, Inliner};
use crate::InstructionBuilder;

use sil_ir::types::ExistentialKind;

use crate::editing::cloning::Cloner;

impl Inliner<'_> {
    /// Clones an address cast as a value cast. Returns false if the value may not be a single reference or metatype.
    pub(super) fn clone_cast(
        &mut self,
        cloner: &mut Cloner<'_>,
        from: &Body,
        terminator: InstructionId,
        call: InstructionId,
    ) -> bool {
        if self.kind == InlineKind::Completing || from.instructions[terminator].opcode != Opcode::CheckedCastAddrBr {
            return false;
        }
        let CheckedCastAddrBr { source, destination, success, failure, cast } = CheckedCastAddrBr::of(from, terminator);
        let source = cloner.value(&mut self.body, source);
        let destination = cloner.value(&mut self.body, destination);
        let Details::Cast(cast) = cloner.details(&Details::Cast(Box::new(cast.clone()))) else { return false };
        let Some(formal) = cast.source.filter(|source| self.is_scalar(*source, cast.target)) else { return false };
        let [success, failure] = [success, failure].map(|block| cloner.block(&mut self.body, block));
        let into = cloner.block(&mut self.body, from.instructions[terminator].block);
        self.cast_value(into, call, [source, destination], [success, failure], &Cast { source: Some(formal), ..*cast });
        true
    }

    /// Replaces an address cast with a value cast. Returns whether it can be.
    pub(crate) fn cast_loaded(&mut self, id: InstructionId) -> bool {
        let Some(CheckedCastAddrBr { source, destination, success, failure, cast }) =
            CheckedCastAddrBr::get(&self.body, id)
        else {
            return false;
        };
        let cast = cast.clone();
        let is_object = |ty: TypeId| {
            let is_existential = matches!(self.queries.get(ty), Type::Existential(_));
            is_existential && self.queries.existential_kind(ty) == ExistentialKind::Class
        };
        let is_scalar =
            |from: TypeId| self.is_scalar(from, cast.target) || is_object(from) && self.queries.is_class(cast.target);
        if !cast.source.is_some_and(is_scalar) {
            return false;
        }
        let block = self.body.instructions[id].block;
        self.body.erase(id);
        self.cast_value(block, id, [source, destination], [success, failure], &cast);
        true
    }

    /// Returns whether casts between these types can be value casts: both are references or metatypes.
    fn is_scalar(&self, from: TypeId, to: TypeId) -> bool {
        let queries = self.queries;
        let object = queries.optional_object(from).unwrap_or(from);
        let is_metatype =
            |ty: TypeId| matches!(queries.get(ty), Type::Metatype { .. } | Type::ExistentialMetatype { .. });
        let is_constrained = |ty: TypeId| matches!(queries.get(ty), Type::Existential(_));
        let is_reference =
            |ty: TypeId| queries.properties(ty, self.function.signature).is_reference() && !queries.is_dependent(ty);
        let is_known = !is_constrained(object) && !is_constrained(to);
        let from_fits = is_reference(object) || is_metatype(object);
        is_known && from_fits && (is_reference(to) || is_metatype(object) && is_metatype(to))
    }

    fn cast_value(
        &mut self,
        into: BlockId,
        call: InstructionId,
        [source, destination]: [Value; 2],
        targets: [BlockId; 2],
        cast: &Cast,
    ) {
        let has_ownership = self.function.has(FunctionFlag::Ossa);
        let copies = is_copied(cast.consumption);
        let (loaded, target) = (self.body.ty(source).object_type(), self.body.ty(destination).object_type());
        let value = self.load(into, call, source, loaded, cast.consumption);
        let kind = match (has_ownership, copies) {
            (false, _) => Ownership::None,
            (true, true) => Ownership::Guaranteed,
            (true, false) => Ownership::Owned,
        };
        let kind_of = |ty: SilType, inliner: &Self| match inliner.is_trivial(ty) {
            // The result of a metatype cast may be owned.
            true => Ownership::None,
            false => kind,
        };
        let (succeeded, failed) = (self.body.add_block(), self.body.add_block());
        // Swift places the success block first.
        self.place_after(into, failed);
        self.place_after(into, succeeded);
        let result_kind = kind_of(target, self);
        let result = self.body.add_argument(succeeded, target, result_kind);
        let rest = has_ownership.then(|| {
            let kind = kind_of(loaded, self);
            self.body.add_argument(failed, loaded, kind)
        });
        let mut attributes = AttributeSet::default();
        if has_ownership && copies {
            attributes.insert(Attribute::Forwarding);
            attributes.insert(Attribute::Guaranteed);
        } else if has_ownership && self.is_trivial(loaded) && !self.is_trivial(target) {
            attributes.insert(Attribute::Forwarding);
            attributes.insert(Attribute::Owned);
        }
        let of_value = Box::new(Cast { consumption: None, ..cast.clone() });
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(into), call);
        builder.with(attributes).checked_cast_br(value, of_value, target, [succeeded, failed]);
        self.succeed(succeeded, call, [value, result, destination], cast.consumption);
        self.fail(failed, call, [value, rest.unwrap_or(value), source], cast.consumption);
        for (block, target) in [succeeded, failed].into_iter().zip(targets) {
            InstructionBuilder::new(&mut self.body, Place::End(block), call).branch(target, &[]);
        }
    }

    fn is_trivial(&self, ty: SilType) -> bool {
        self.queries.properties(ty.ty, self.function.signature).is_trivial()
    }

    fn load(
        &mut self,
        into: BlockId,
        call: InstructionId,
        address: Value,
        ty: SilType,
        consumption: Option<CastConsumption>,
    ) -> Value {
        let has_ownership = self.function.has(FunctionFlag::Ossa);
        let is_trivial = self.is_trivial(ty);
        let mut attributes = AttributeSet::default();
        let opcode = match (has_ownership, is_trivial) {
            (true, false) if is_copied(consumption) => Opcode::LoadBorrow,
            (true, true) => {
                attributes.insert(Attribute::Trivial);
                Opcode::Load
            }
            (true, false) => {
                attributes.insert(Attribute::Take);
                Opcode::Load
            }
            (false, _) => Opcode::Load,
        };
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(into), call);
        builder.with(attributes).unary(opcode, address)
    }

    /// Stores the result to the destination, or a copy of it if the source keeps its value.
    fn succeed(
        &mut self,
        block: BlockId,
        call: InstructionId,
        [loaded, value, to]: [Value; 3],
        consumption: Option<CastConsumption>,
    ) {
        let copies = is_copied(consumption);
        let has_ownership = self.function.has(FunctionFlag::Ossa);
        let mut stored = value;
        let ty = self.body.ty(value);
        let (is_trivial, was_trivial) = (self.is_trivial(ty), self.is_trivial(self.body.ty(loaded)));
        let retain = self.queries.properties(ty.ty, self.function.signature).is_reference();
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(block), call);
        if copies && has_ownership && !is_trivial {
            stored = builder.copy_value(value);
        } else if copies && !is_trivial {
            let opcode = if retain { Opcode::StrongRetain } else { Opcode::RetainValue };
            builder.effect(opcode, value);
        }
        if copies && has_ownership && !was_trivial {
            builder.end_borrow(loaded);
        }
        self.store(block, call, stored, to);
    }

    /// Restores the value of the source, or destroys it.
    fn fail(
        &mut self,
        block: BlockId,
        call: InstructionId,
        [loaded, value, source]: [Value; 3],
        consumption: Option<CastConsumption>,
    ) {
        let has_ownership = self.function.has(FunctionFlag::Ossa);
        let ty = self.body.ty(value);
        let is_trivial = self.is_trivial(ty);
        let releases = self.queries.properties(ty.ty, self.function.signature).is_reference();
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(block), call);
        match consumption {
            Some(CastConsumption::TakeOnSuccess) => self.store(block, call, value, source),
            Some(CastConsumption::CopyOnSuccess) if has_ownership && !is_trivial => {
                builder.end_borrow(loaded);
            }
            Some(CastConsumption::CopyOnSuccess) | None => {}
            Some(CastConsumption::TakeAlways) if is_trivial => {}
            Some(CastConsumption::TakeAlways) => {
                let opcode = match (has_ownership, releases) {
                    (true, _) => Opcode::DestroyValue,
                    (false, true) => Opcode::StrongRelease,
                    (false, false) => Opcode::ReleaseValue,
                };
                builder.effect(opcode, value);
            }
        }
    }

    fn store(&mut self, block: BlockId, call: InstructionId, value: Value, to: Value) {
        let is_trivial = self.is_trivial(self.body.ty(value));
        let mut attributes = AttributeSet::default();
        if self.function.has(FunctionFlag::Ossa) {
            attributes.insert(if is_trivial { Attribute::Trivial } else { Attribute::Init });
        }
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(block), call);
        builder.with(attributes).store(value, to);
    }
}

/// Returns whether the source keeps its value on success.
fn is_copied(consumption: Option<CastConsumption>) -> bool {
    consumption == Some(CastConsumption::CopyOnSuccess)
}

//! Simplifies casts of casts, and casts that a simpler instruction can replace
//! (lib/SILOptimizer/SILCombiner/SILCombinerCastVisitors.cpp). Casts of function references are handled in `functions`,
//! checked casts with a known result in `editing::cast_folding`.

use sil_analysis::Use;
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{InitExistential, Unary};
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use super::Simplifier;
use crate::editing::identities;
use crate::editing::ownership_replacement::{self, BorrowedCopies};

impl Simplifier<'_> {
    /// Replaces the result of an instruction with an equal existing value. Returns whether there is one.
    pub(super) fn replace_by_same(&mut self, id: InstructionId) -> bool {
        let same = identities::same_as(&self.editor, id).filter(|same| self.editor.body().result(id) != Some(*same));
        same.is_some_and(|same| ownership_replacement::replace(&mut self.editor, id, same, BorrowedCopies::Allowed))
    }

    /// The operand of the cast `opcode` that defines the operand of `id`, if that cast can be skipped: its result is
    /// not owned, or it can be erased.
    fn source_of_cast(&self, id: InstructionId, opcode: Opcode) -> Option<(InstructionId, Value)> {
        let operand = self.editor.operand(id, 0)?;
        let cast = self.editor.made_by(operand, opcode)?;
        let source = self.editor.operand(cast, 0)?;
        let may_go = self.editor.ownership(operand) != Ownership::Owned || self.is_only_user(cast, id);
        may_go.then_some((cast, source))
    }

    /// Replaces `id` with a cast `opcode` of `source`. The casts between are erased if they have no other uses.
    fn cast_instead(&mut self, id: InstructionId, opcode: Opcode, source: Value, between: &[InstructionId]) {
        let Some(result) = self.editor.body().result(id) else { return };
        let ty = self.editor.body().ty(result);
        let made = self.editor.build(Place::Before(id), id, |builder| builder.cast(opcode, source, ty));
        self.editor.replace(id, made);
        for cast in between {
            let is_unused = |value| self.editor.uses_but_debug(value).is_empty();
            if self.editor.body().results(*cast).all(is_unused) {
                self.erase_with_debug_uses(*cast);
            }
        }
        self.editor.forget_ownership();
    }

    /// Replaces `id` with a cast `opcode` of `source`, whose lifetime is extended for it. Returns whether that is
    /// possible.
    fn cast_kept_alive(&mut self, id: InstructionId, opcode: Opcode, source: Value) -> bool {
        let Some(result) = self.editor.body().result(id) else { return false };
        let ty = self.editor.body().ty(result);
        ownership_replacement::replace_by_made(
            &mut self.editor,
            id,
            source,
            BorrowedCopies::Allowed,
            |builder, source| builder.cast(opcode, source, ty),
        )
    }

    /// Combines two upcasts.
    pub(super) fn upcast(&mut self, id: InstructionId) {
        if let Some((inner, source)) = self.source_of_cast(id, Opcode::Upcast) {
            self.cast_instead(id, Opcode::Upcast, source, &[inner]);
        }
    }

    /// Combines two address casts.
    pub(super) fn unchecked_addr_cast(&mut self, id: InstructionId) {
        if let Some((inner, source)) = self.source_of_cast(id, Opcode::UncheckedAddrCast) {
            self.cast_instead(id, Opcode::UncheckedAddrCast, source, &[inner]);
        }
    }

    /// Combines an unchecked reference cast with the cast or existential that its operand comes from. A cast to a
    /// superclass becomes an `upcast`.
    pub(super) fn combine_unchecked_ref_cast(&mut self, id: InstructionId) {
        let inner =
            self.source_of_cast(id, Opcode::UncheckedRefCast).or_else(|| self.source_of_cast(id, Opcode::Upcast));
        if let Some((inner, source)) = inner {
            return self.cast_instead(id, Opcode::UncheckedRefCast, source, &[inner]);
        }
        let Some((operand, result)) = self.editor.operand(id, 0).zip(self.editor.body().result(id)) else { return };
        let [from, to] = [operand, result].map(|value| self.editor.body().ty(value));
        let queries = self.editor.environment.queries;
        let are_classes = queries.is_class(from.ty) && queries.is_class(to.ty);
        if are_classes && from != to && queries.is_subclass(from.ty, to.ty) {
            return self.cast_instead(id, Opcode::Upcast, operand, &[]);
        }
        let Some((opening, existential)) = self.source_of_cast(id, Opcode::OpenExistentialRef) else { return };
        let Some(wrapping) = self.editor.made_by(existential, Opcode::InitExistentialRef) else { return };
        let source = InitExistential::of(self.editor.body(), wrapping).operand;
        let is_owned = self.editor.ownership(existential) == Ownership::Owned;
        if !is_owned || self.is_only_user(wrapping, opening) {
            // Types may refer to the opened archetype, so its opening is kept unless it is owned.
            let between: &[InstructionId] = if is_owned { &[opening, wrapping] } else { &[] };
            self.cast_instead(id, Opcode::UncheckedRefCast, source, between);
        }
    }

    /// Sinks a cast below the `end_cow_mutation` that is its only use.
    pub(super) fn end_cow_mutation(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let operand = Unary::of(body, id).operand;
        let cast = body
            .defining(operand)
            .filter(|cast| matches!(self.editor.opcode(*cast), Opcode::UncheckedRefCast | Opcode::Upcast));
        let Some(cast) = cast.filter(|_| self.editor.uses(operand).len() == 1) else { return };
        let (Some(source), Some(result)) = (self.editor.operand(cast, 0), body.result(id)) else { return };
        let (opcode, attributes) = (self.editor.opcode(cast), body.instructions[id].attributes);
        let to = body.ty(result);
        let made = self.editor.build(Place::Before(id), id, |builder| {
            let ended = builder.with(attributes).end_cow_mutation(source);
            builder.cast(opcode, ended, to)
        });
        self.editor.replace(id, made);
        self.editor.erase(cast);
        self.editor.forget_ownership();
    }

    /// Replaces a bridge object that was cast from a reference with the reference.
    pub(super) fn bridge_object_to_ref(&mut self, id: InstructionId) {
        if let Some((inner, source)) = self.source_of_cast(id, Opcode::UncheckedRefCast) {
            self.cast_instead(id, Opcode::UncheckedRefCast, source, &[inner]);
        }
    }

    /// Replaces a reference that was converted to a raw pointer and back with the original. With ownership, that would
    /// need a copy without an end.
    pub(super) fn raw_pointer_to_ref(&mut self, id: InstructionId) {
        let made = self.editor.operand(id, 0).and_then(|pointer| self.editor.made_by(pointer, Opcode::RefToRawPointer));
        if let Some(source) =
            made.and_then(|made| self.editor.operand(made, 0)).filter(|_| !self.editor.has_ownership())
        {
            self.cast_instead(id, Opcode::UncheckedRefCast, source, &[]);
        }
    }

    /// Looks through casts and existentials of the operand of `ref_to_raw_pointer`.
    pub(super) fn ref_to_raw_pointer(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let Some((operand, result)) = self.editor.operand(id, 0).zip(body.result(id)) else { return };
        let pointer = body.ty(result);
        if let Some(cast) = self.editor.made_by(operand, Opcode::UncheckedRefCast) {
            let source = Unary::of(body, cast).operand;
            if !self.editor.environment.queries.is_class(body.ty(source).ty) {
                return self.convert_ahead(id, cast, (Opcode::UncheckedTrivialBitCast, source, pointer));
            }
            self.editor.set_operand(Use { user: id, operand: 0 }, source);
            self.editor.move_to(id, Place::Before(cast));
            return self.editor.forget_ownership();
        }
        let Some(opening) = self.editor.made_by(operand, Opcode::OpenExistentialRef) else { return };
        let wrapping = self.editor.made_by(Unary::of(body, opening).operand, Opcode::InitExistentialRef);
        if let Some(wrapping) = wrapping {
            let source = InitExistential::of(body, wrapping).operand;
            self.convert_ahead(id, wrapping, (Opcode::RefToRawPointer, source, pointer));
        }
    }

    /// Combines a trivial bit cast with the cast that its operand comes from.
    pub(super) fn unchecked_trivial_bit_cast(&mut self, id: InstructionId) {
        let body = self.editor.body();
        if let Some((inner, source)) = self.source_of_cast(id, Opcode::UncheckedTrivialBitCast) {
            return self.cast_instead(id, Opcode::UncheckedTrivialBitCast, source, &[inner]);
        }
        let Some((operand, result)) = self.editor.operand(id, 0).zip(body.result(id)) else { return };
        if let Some(cast) = self.editor.made_by(operand, Opcode::UncheckedRefCast) {
            let source = Unary::of(body, cast).operand;
            self.convert_ahead(id, cast, (Opcode::UncheckedTrivialBitCast, source, body.ty(result)));
        }
    }

    /// Replaces `id` with a trivial conversion of the operand of `cast`, inserted before `cast` consumes it.
    fn convert_ahead(&mut self, id: InstructionId, cast: InstructionId, made: (Opcode, Value, SilType)) {
        let (opcode, source, ty) = made;
        let value = self.editor.build(Place::Before(cast), cast, |builder| builder.cast(opcode, source, ty));
        self.editor.replace(id, value);
        self.editor.forget_ownership();
    }

    /// Replaces a bitwise cast with a trivial bit cast or a reference cast.
    pub(super) fn unchecked_bitwise_cast(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let Some((operand, result)) = self.editor.operand(id, 0).zip(body.result(id)) else { return };
        let [from, to] = [operand, result].map(|value| body.ty(value));
        let inner = body.defining(operand).filter(|inner| {
            matches!(self.editor.opcode(*inner), Opcode::UncheckedBitwiseCast | Opcode::UncheckedTrivialBitCast)
        });
        if let Some(inner) = inner {
            let source = Unary::of(body, inner).operand;
            if self.cast_kept_alive(id, Opcode::UncheckedBitwiseCast, source) {
                return;
            }
        }
        if self.editor.is_trivial(to) {
            return self.cast_instead(id, Opcode::UncheckedTrivialBitCast, operand, &[]);
        }
        let is_reference = |ty: SilType| {
            let queries = self.editor.environment.queries;
            let object = queries.optional_object(ty.ty).unwrap_or(ty.ty);
            queries.properties(object, self.editor.environment.function.signature).is_reference()
        };
        if !is_reference(from) || !is_reference(to) {
            return;
        }
        let mut attributes = AttributeSet::default();
        if self.editor.has_ownership() {
            // The result is unowned. Only a copy of it is owned.
            attributes.insert(Attribute::Forwarding);
            attributes.insert(Attribute::Unowned);
        }
        let cast = self
            .editor
            .build(Place::Before(id), id, |builder| builder.with(attributes).unchecked_ref_cast(operand, to));
        self.editor.replace(id, cast);
        self.editor.forget_ownership();
    }

    /// Replaces the cast of a reference in memory with a cast of the loaded reference.
    pub(super) fn unchecked_ref_cast_addr(&mut self, id: InstructionId) {
        let [source, destination] = *self.editor.body().operands(id) else { return };
        if !self.is_loadable(source) || !self.is_loadable(destination) {
            return;
        }
        let [from, to] = [source, destination].map(|address| self.editor.body().ty(address).object_type());
        let queries = self.editor.environment.queries;
        let signature = self.editor.environment.function.signature;
        if ![from, to].iter().all(|ty| queries.properties(ty.ty, signature).is_reference()) {
            return;
        }
        let (mut take, mut init) = (AttributeSet::default(), AttributeSet::default());
        if self.editor.has_ownership() {
            take.insert(Attribute::Take);
            init.insert(Attribute::Init);
        }
        self.editor.build(Place::Before(id), id, |builder| {
            let loaded = builder.with(take).load(source);
            let cast = builder.unchecked_ref_cast(loaded, to);
            builder.with(init).store(cast, destination);
        });
        self.editor.erase(id);
    }

    /// Combines two function conversions.
    pub(super) fn convert_function(&mut self, id: InstructionId) {
        let _ = self.use_unsubstituted(id);
        let body = self.editor.body();
        let attribute = Attribute::WithoutActuallyEscaping;
        let Some((inner, source)) = self.source_of_cast(id, Opcode::ConvertFunction) else { return };
        let [outer, first] = [id, inner].map(|id| body.instructions[id].attributes.contains(attribute));
        if outer == first {
            self.editor.set_operand(Use { user: id, operand: 0 }, source);
            let is_unused =
                self.editor.body().results(inner).all(|result| self.editor.uses_but_debug(result).is_empty());
            if is_unused {
                self.erase_with_debug_uses(inner);
            }
            self.editor.forget_ownership();
        }
    }
}

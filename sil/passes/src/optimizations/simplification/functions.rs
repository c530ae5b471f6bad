//! Simplifies conversions and casts of functions and references.

use sil_analysis::Use;
use sil_ir::context::{CalleeConvention, FunctionAttribute, Representation, SilType, Type, TypeId};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, CheckedCastBr, Unary};
use sil_ir::model::{BlockId, Details, InstructionId, Ownership, Place, Value};

use super::{Peepholes, Simplifier};
use crate::knowledge::cast_feasibility::CastFeasibility;
use crate::knowledge::dynamic_self::mentions_dynamic_self;

impl Simplifier<'_> {
    /// Converts a thin function directly to a non-escaping one.
    pub(super) fn convert_escape_to_noescape(&mut self, id: InstructionId) {
        let function = Unary::of(self.editor.body(), id).operand;
        let Some(made) = self.editor.made_by(function, Opcode::ThinToThickFunction) else { return };
        let thin = Unary::of(self.editor.body(), made).operand;
        let context = self.editor.environment.queries.context;
        let Type::Function(thick) = context.get(self.editor.body().ty(function).ty) else { return };
        let mut thick = thick.clone();
        thick.attributes.insert(FunctionAttribute::NoEscape);
        let ty = SilType::object(context.ty(Type::Function(thick)));
        let made = self.editor.build(Place::Before(id), id, |builder| builder.thin_to_thick_function(thin, ty));
        self.editor.replace(id, made);
    }

    /// Moves the conversion of a thin function before it is made thick, so that it becomes non-escaping directly.
    pub(super) fn convert_thin(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let convert = self.editor.made_by(Unary::of(body, id).operand, Opcode::ConvertFunction)?;
        let made = self.editor.made_by(Unary::of(body, convert).operand, Opcode::ThinToThickFunction)?;
        let [converted, thick] = [body.result(convert)?, body.result(made)?];
        let [_] = self.editor.uses_but_debug(converted)[..] else { return None };
        let [_] = self.editor.uses(thick)[..] else { return None };
        let (thin, ty) = (Unary::of(body, made).operand, body.ty(converted));
        let context = self.editor.environment.queries.context;
        let Type::Function(function) = context.get(ty.ty) else { return None };
        let mut function = function.clone();
        (function.representation, function.callee) = (Representation::Thin, CalleeConvention::None);
        let thin_type = SilType::object(context.ty(Type::Function(function)));
        let attributes = body.instructions[convert].attributes;
        let made = self.editor.build(Place::Before(id), convert, |builder| {
            let thin = builder.with(attributes).convert_function(thin, thin_type);
            builder.thin_to_thick_function(thin, ty)
        });
        self.editor.replace_all(converted, made);
        Some(())
    }

    /// Replaces `alloc_ref_dynamic` of a known class with `alloc_ref`.
    pub(super) fn alloc_ref_dynamic(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let views::AllocRefDynamic { tail_counts, metatype, tail_types, class } = views::AllocRefDynamic::of(body, id);
        let upcast = self.editor.made_by(metatype, Opcode::Upcast);
        let exact = upcast.map_or(metatype, |upcast| Unary::of(body, upcast).operand);
        let made = self.editor.made_by(exact, Opcode::Metatype).and_then(|id| body.result(id));
        let Some(exact) = made.or_else(|| self.exactly_cast(id, exact)) else { return };
        let queries = self.editor.environment.queries;
        let Type::Metatype { instance, .. } = queries.get(body.ty(exact).ty) else { return };
        let allocated = SilType::object(queries.lower_formal(*instance));
        // The class of a type parameter is known to the caller only.
        let is_on_stack = body.instructions[id].attributes.contains(Attribute::Stack);
        // The deallocation of a stack object refers to its allocation.
        let is_known = queries.is_class(allocated.ty) && !mentions_dynamic_self(queries, *instance);
        if !is_known || is_on_stack && upcast.is_some() {
            return;
        }
        let (counts, types) = (tail_counts.0.to_vec(), tail_types.0.to_vec());
        let mut attributes = body.instructions[id].attributes;
        attributes.remove(Attribute::Bare);
        let object = self.editor.build(Place::Before(id), id, |builder| {
            let object = builder.with(attributes).alloc_ref(&counts, &types, allocated);
            match upcast {
                Some(_) => builder.upcast(object, class),
                None => object,
            }
        });
        self.editor.replace(id, object);
    }

    /// Folds the classification of a bridge object that is an instance of a Swift class, which is never a tagged
    /// pointer.
    pub(super) fn classify_bridge_object(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let (Some(tuple), reference) = (body.result(id), Unary::of(body, id).operand) else { return };
        if !self.is_swift_object(reference) {
            return;
        }
        let ty = body.ty(tuple);
        let Some(bit) = self.editor.environment.queries.tuple_element_type(ty.ty, 0) else { return };
        let zero = self.integer(id, 0, SilType::object(bit));
        let bits = self.editor.build(Place::Before(id), id, |builder| builder.tuple(&[zero, zero], ty));
        self.editor.replace(id, bits);
    }

    fn is_swift_object(&self, reference: Value) -> bool {
        let queries = self.editor.environment.queries;
        let body = self.editor.body();
        let ty = body.ty(reference).ty;
        if queries.is_class(ty) && queries.declaration_of(ty).is_some_and(|class| !class.attributes.objc) {
            return true;
        }
        let Some(id) = body.defining(reference) else { return false };
        let passes_on = matches!(
            self.editor.opcode(id),
            Opcode::UncheckedRefCast
                | Opcode::RefToBridgeObject
                | Opcode::BridgeObjectToRef
                | Opcode::Upcast
                | Opcode::InitExistentialRef
                | Opcode::OpenExistentialRef
                | Opcode::BeginBorrow
                | Opcode::CopyValue
                | Opcode::MoveValue
                | Opcode::EndCowMutation
                | Opcode::MarkDependence
        );
        passes_on && body.operands(id).first().is_some_and(|operand| self.is_swift_object(*operand))
    }

    /// Replaces bits that were converted to a bridge object and back with the original.
    pub(super) fn value_to_bridge_object(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let step = |value: Value, opcode: Opcode| {
            let made = self.editor.made_by(value, opcode)?;
            body.operands(made).first().copied()
        };
        let bits = Unary::of(body, id).operand;
        let cast = step(bits, Opcode::StructExtract).and_then(|whole| step(whole, Opcode::UncheckedTrivialBitCast));
        if let Some(known) = cast.and_then(|object| step(object, Opcode::ValueToBridgeObject)) {
            self.editor.set_operand(Use { user: id, operand: 0 }, known);
        }
    }

    /// Looks through the source of a reference cast.
    pub(super) fn unchecked_ref_cast(&mut self, id: InstructionId) {
        while self.cast_source(id, None) {}
    }

    /// Replaces the cast of a metatype to an existential metatype whose protocol the type conforms to.
    pub(super) fn unconditional_checked_cast(&mut self, id: InstructionId) -> Option<()> {
        let crate::Environment { queries, function, .. } = self.editor.environment;
        let views::UnconditionalCheckedCast { operand, target } =
            views::UnconditionalCheckedCast::of(self.editor.body(), id);
        let Type::ExistentialMetatype { instance: existential, .. } = *queries.get(target) else { return None };
        let Type::Metatype { instance, .. } = *queries.get(self.editor.body().ty(operand).ty) else { return None };
        let casts = CastFeasibility::new(queries, function.signature);
        let protocol = casts.only_protocol(existential)?;
        if casts.can_be_existential(instance) || casts.conforms(instance, protocol, 0) != Some(true) {
            return None;
        }
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let wrapped =
            self.editor.build(Place::Before(id), id, |builder| builder.init_existential_metatype(operand, ty));
        self.editor.replace(id, wrapped);
        Some(())
    }

    /// Replaces the cast to a class with an unchecked cast if checks are disabled.
    pub(super) fn uncheck_cast(&mut self, id: InstructionId) -> Option<()> {
        if self.peepholes == Peepholes::Single || !self.editor.is_placed(id) || !self.takes_checks_for_granted() {
            return None;
        }
        let body = self.editor.body();
        let operand = views::UnconditionalCheckedCast::of(body, id).operand;
        let ty = body.ty(body.result(id)?);
        let queries = self.editor.environment.queries;
        let is_object = queries.properties(body.ty(operand).ty, self.editor.environment.function.signature);
        if !queries.is_class(ty.ty) || !is_object.is_reference() {
            return None;
        }
        let cast = if body.ty(operand) == ty {
            operand
        } else {
            self.editor.build(Place::Before(id), id, |builder| builder.unchecked_ref_cast(operand, ty))
        };
        self.editor.replace(id, cast);
        Some(())
    }

    /// Looks through the source of a checked cast, and updates its source type.
    pub(super) fn checked_cast_br(&mut self, id: InstructionId) {
        let failure = CheckedCastBr::of(self.editor.body(), id).failure;
        while self.cast_source(id, Some(failure)) {}
    }

    fn cast_source(&mut self, id: InstructionId, failure: Option<BlockId>) -> bool {
        let body = self.editor.body();
        let Some(operand) = self.editor.operand(id, 0) else { return false };
        let Some(made) = body.defining(operand) else { return false };
        if !matches!(self.editor.opcode(made), Opcode::InitExistentialRef | Opcode::Upcast) {
            return false;
        }
        let Some(source) = self.editor.operand(made, 0) else { return false };
        let goes = self.is_only_user(made, id);
        if self.editor.has_ownership() {
            let ownership = self.editor.ownership(source);
            if !goes && ownership == Ownership::Owned {
                return false;
            }
            if let Some(failure) = failure {
                self.make_again(made, source, ownership, failure);
            }
        }
        self.editor.set_operand(Use { user: id, operand: 0 }, source);
        let instruction = &self.editor.body().instructions[id];
        if let (Some(_), Details::Cast(cast)) = (failure, &instruction.details) {
            let formal = self.editor.body().ty(source).ty;
            if self.is_formal(formal) {
                let mut cast = cast.clone();
                cast.source = Some(formal);
                self.editor.set_details(id, Details::Cast(cast));
            }
        }
        if goes {
            self.erase_with_debug_uses(made);
        }
        true
    }

    /// Returns whether a lowered type is equal to its formal type.
    pub(super) fn is_formal(&self, ty: TypeId) -> bool {
        let queries = self.editor.environment.queries;
        queries.same_type(queries.lower_formal(ty), ty) && !matches!(queries.get(ty), Type::Function(_))
    }

    /// Recreates the original operand in the failure block, for which the cast now passes its source.
    fn make_again(&mut self, made: InstructionId, source: Value, ownership: Ownership, failure: BlockId) {
        let body = self.editor.body();
        let [old] = body.blocks[failure].arguments[..] else { return };
        let ty = body.ty(source);
        let new = self.editor.exchange_argument(failure, ty, ownership);
        let like = self.editor.first_located(failure).unwrap_or(made);
        let again = self.editor.build(Place::Start(failure), like, |builder| builder.again(made, &[new]));
        let Some(again) = self.editor.body().result(again) else { return };
        self.editor.replace_all(old, again);
    }
}

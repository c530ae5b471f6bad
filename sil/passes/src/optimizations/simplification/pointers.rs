//! Simplifies conversions of pointers to addresses.

use cranelift_entity::EntitySet;
use sil_analysis::{OperandOwnership, Use, ValueDependence};
use sil_ir::context::{SilType, TypeId};
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{IndexAddr, TupleExtract, Unary};
use sil_ir::model::{Details, InstructionId, Ownership, Place, Value, views};

use super::Simplifier;

/// The lifetime of the base of an address.
enum Lifetime {
    /// The whole function.
    Unlimited,
    /// Until these instructions.
    Until(Vec<InstructionId>),
    Unknown,
}

impl Simplifier<'_> {
    pub(super) fn pointer_to_address(&mut self, id: InstructionId) {
        let _ = self.remove_conversions(id).or_else(|| self.index_addresses(id)).or_else(|| self.improve_alignment(id));
    }

    /// Replaces the address of a converted pointer with the original address, if all uses are within the lifetime of
    /// its base.
    fn remove_conversions(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let made = self.editor.made_by(Unary::of(body, id).operand, Opcode::AddressToPointer)?;
        let address = Unary::of(body, made).operand;
        let result = body.result(id)?;
        let is_strict = body.instructions[id].attributes.contains(Attribute::Strict);
        if !is_strict || self.outlives(result, made, address) {
            return None;
        }
        let ty = body.ty(result);
        let address = match ty == body.ty(address) {
            true => address,
            false => self.editor.build(Place::Before(id), id, |builder| builder.unchecked_addr_cast(address, ty)),
        };
        self.editor.replace(id, address);
        Some(())
    }

    /// Returns whether `address` may be used after the lifetime of `base`.
    fn outlives(&self, address: Value, made: InstructionId, base: Value) -> bool {
        let ends = match self.lifetime(base) {
            Lifetime::Unlimited => return false,
            Lifetime::Unknown => return true,
            Lifetime::Until(ends) => ends,
        };
        let body = self.editor.body();
        let mut open = self.address_users(address);
        let mut seen: EntitySet<InstructionId> = EntitySet::new();
        while let Some(id) = open.pop() {
            if id == made || !seen.insert(id) {
                continue;
            }
            if ends.contains(&id) {
                return true;
            }
            match body.previous(id) {
                Some(previous) => open.push(previous),
                None => {
                    let block = body.instructions[id].block;
                    let terminators = body.blocks.keys().filter_map(|block| body.terminator(block));
                    open.extend(terminators.filter(|id| body.targets(*id).contains(&block)));
                }
            }
        }
        false
    }

    /// The users of an address and of its projections.
    fn address_users(&self, address: Value) -> Vec<InstructionId> {
        let body = self.editor.body();
        let mut users = Vec::new();
        let mut open = vec![address];
        while let Some(address) = open.pop() {
            for Use { user, .. } in self.editor.uses(address) {
                users.push(user);
                open.extend(body.results(user).filter(|result| body.ty(*result).is_address()));
            }
        }
        users
    }

    fn lifetime(&self, address: Value) -> Lifetime {
        let body = self.editor.body();
        let mut address = address;
        loop {
            let Some(id) = body.defining(address) else { return Lifetime::Unlimited };
            let Some(operand) = self.editor.operand(id, 0) else {
                return match self.editor.opcode(id) {
                    Opcode::AllocStack => Lifetime::Until(self.users_of_kind(address, Opcode::DeallocStack)),
                    Opcode::GlobalAddr => Lifetime::Unlimited,
                    _ => Lifetime::Unknown,
                };
            };
            match self.editor.opcode(id) {
                Opcode::GlobalAddr | Opcode::PointerToAddress => return Lifetime::Unlimited,
                Opcode::StoreBorrow => return Lifetime::Until(self.users_of_kind(address, Opcode::EndBorrow)),
                Opcode::StructElementAddr
                | Opcode::TupleElementAddr
                | Opcode::IndexAddr
                | Opcode::TailAddr
                | Opcode::BeginAccess
                | Opcode::UncheckedAddrCast
                | Opcode::UncheckedTakeEnumDataAddr
                | Opcode::InitEnumDataAddr => address = operand,
                Opcode::RefElementAddr | Opcode::RefTailAddr | Opcode::ProjectBox => {
                    return self.lifetime_of_object(operand);
                }
                _ => return Lifetime::Unknown,
            }
        }
    }

    fn users_of_kind(&self, value: Value, opcode: Opcode) -> Vec<InstructionId> {
        let users = self.editor.uses(value).into_iter().map(|found| found.user);
        users.filter(|user| self.editor.opcode(*user) == opcode).collect()
    }

    fn lifetime_of_object(&self, object: Value) -> Lifetime {
        if !self.editor.has_ownership() {
            return Lifetime::Unlimited;
        }
        match self.editor.ownership(object) {
            Ownership::Owned => Lifetime::Until(self.ends_of(&[object])),
            Ownership::Guaranteed => {
                let view = self.editor.view();
                let introducers = ValueDependence::new(&view).borrow_introducers(object);
                Lifetime::Until(self.ends_of(&introducers))
            }
            Ownership::None => Lifetime::Unlimited,
            Ownership::Unowned => Lifetime::Unknown,
        }
    }

    /// The ends of the lifetimes of owned values and of the scopes of guaranteed values.
    fn ends_of(&self, values: &[Value]) -> Vec<InstructionId> {
        // The scope of a guaranteed phi is ended through its `borrowed`.
        let about = |value: &Value| {
            let mut uses = self.editor.uses(*value).into_iter();
            let borrowed = uses.find(|found| found.operand == 0 && self.editor.opcode(found.user) == Opcode::Borrowed);
            borrowed.and_then(|found| self.editor.body().result(found.user)).unwrap_or(*value)
        };
        let uses: Vec<Use> = values.iter().flat_map(|value| self.editor.uses(about(value))).collect();
        let ownership = self.editor.operand_ownerships(&uses);
        let ends =
            uses.iter().zip(ownership).filter(|(_, ownership): &(_, OperandOwnership)| ownership.ends_lifetime());
        ends.map(|(found, _)| found.user).collect()
    }

    /// Replaces `index_raw_pointer` by a multiple of a type's stride with `index_addr`.
    fn index_addresses(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let moved = self.editor.made_by(Unary::of(body, id).operand, Opcode::IndexRawPointer)?;
        let IndexAddr { base, index: distance } = IndexAddr::of(body, moved);
        let cast = self.builtin_of(distance, |kind| kind == BuiltinKind::Cast(BuiltinCast::TruncOrBitCast));
        let extract = self
            .editor
            .made_by(cast.map_or(Some(distance), |cast| self.editor.operand(cast, 0))?, Opcode::TupleExtract)?;
        let product = TupleExtract::of(body, extract).operand;
        let multiplies = |kind| matches!(kind, BuiltinKind::WithOverflow(_));
        let product = self.builtin_of(product, multiplies).filter(|id| self.is_signed_multiplication(*id))?;
        let result = body.result(id)?;
        let address = body.ty(result);
        let stride = NamedBuiltin::Strideof;
        let [one, other] = [self.editor.operand(product, 0)?, self.editor.operand(product, 1)?];
        let index = match (self.type_measured_by(one, stride), self.type_measured_by(other, stride)) {
            (Some(ty), _) if ty == address.ty => other,
            (None, Some(ty)) if ty == address.ty => one,
            _ => return None,
        };
        let (attributes, cast) = (
            body.instructions[id].attributes,
            cast.map(|cast| (views::Builtin::of(body, cast).builtin.clone(), body.ty(distance))),
        );
        let new = self.editor.build(Place::Before(id), id, |builder| {
            let first = builder.with(attributes).pointer_to_address(base, address);
            let index = match cast {
                Some((cast, ty)) => builder.builtin(cast, &[index], ty),
                None => index,
            };
            builder.index_addr(first, index)
        });
        self.editor.replace(id, new);
        Some(())
    }

    fn is_signed_multiplication(&self, id: InstructionId) -> bool {
        let Details::Builtin(builtin) = &self.editor.body().instructions[id].details else { return false };
        self.editor.environment.queries.context.text(builtin.name()).starts_with("smul_with_overflow")
    }

    /// The builtin of the wanted kind that defines a value.
    pub(super) fn builtin_of(&self, value: Value, is_wanted: impl Fn(BuiltinKind) -> bool) -> Option<InstructionId> {
        let id = self.editor.made_by(value, Opcode::Builtin)?;
        self.builtin(id).filter(|kind| is_wanted(*kind)).map(|_| id)
    }

    /// The lowered type whose size, stride or alignment a number is, looking through casts.
    fn type_measured_by(&self, number: Value, measure: NamedBuiltin) -> Option<TypeId> {
        let mut number = number;
        let keeps = |kind| {
            matches!(
                kind,
                BuiltinKind::Cast(
                    BuiltinCast::ZExtOrBitCast | BuiltinCast::SExtOrBitCast | BuiltinCast::TruncOrBitCast
                )
            )
        };
        while let Some(cast) = self.builtin_of(number, keeps) {
            number = self.editor.operand(cast, 0)?;
        }
        let id = self.builtin_of(number, |kind| kind == BuiltinKind::Named(measure))?;
        let Details::Builtin(builtin) = &self.editor.body().instructions[id].details else { return None };
        let queries = self.editor.environment.queries;
        queries.context.replacements(builtin.substitutions).first().map(|ty| queries.lower_formal(*ty))
    }

    /// Transfers an assumed alignment of the pointer to the address.
    fn improve_alignment(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let assumes = |kind| kind == BuiltinKind::Named(NamedBuiltin::AssumeAlignment);
        let assumed = self.builtin_of(Unary::of(body, id).operand, assumes)?;
        let [pointer, alignment] = [self.editor.operand(assumed, 0)?, self.editor.operand(assumed, 1)?];
        let ty: SilType = body.ty(body.result(id)?);
        let written = match body.instructions[id].details {
            Details::Alignment(written) => Some(i128::from(written)),
            _ => None,
        };
        let details = match self.literal(alignment) {
            Some(0) => Details::None,
            Some(known) if written.is_some_and(|written| known <= written) => body.instructions[id].details.clone(),
            Some(known) => Details::Alignment(u64::try_from(known).ok()?),
            None if self.type_measured_by(alignment, NamedBuiltin::Alignof) == Some(ty.ty) => Details::None,
            None => return None,
        };
        self.editor.set_operand(Use { user: id, operand: 0 }, pointer);
        self.editor.set_details(id, details);
        Some(())
    }
}

//! Lowers `destructure_*` to one extraction per part, and the destroy of a value without its `deinit` to destroys of
//! its parts.

use sil_ir::context::{MemberId, MemberKind, MemberRef, MemberTarget, NominalId, SilType, Type};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{EnumCases, InstructionId, Ownership, Value};

use super::{Lowering, Part};

impl Lowering<'_, '_> {
    pub(super) fn destructure(&mut self, id: InstructionId) -> Result<(), Box<Diagnostic>> {
        if self.rebuilds_tuple(id) {
            return Ok(());
        }
        let Unary { operand: whole } = Unary::of(self.body, id);
        let results: Vec<Value> = self.body.results(id).collect();
        let parts = self.parts_of(self.body.ty(whole));
        for (index, result) in results.into_iter().enumerate() {
            if self.uses.of(result).is_empty() {
                continue;
            }
            let part = match self.made_from(whole, index) {
                Some(part) => part,
                None => {
                    let ty = self.body.ty(result);
                    match parts.as_ref().and_then(|parts| parts.get(index)) {
                        Some(part) => self.at(id).struct_extract(whole, part.member, ty),
                        None if self.body.instructions[id].opcode == Opcode::DestructureTuple => {
                            self.at(id).tuple_extract(whole, index as u32, ty)
                        }
                        None => return Err(self.unsupported(id, "taking a struct of unknown fields apart")),
                    }
                }
            };
            self.replacements.replace(result, part);
        }
        Ok(())
    }

    /// The part `index` of a newly created aggregate.
    fn made_from(&self, whole: Value, index: usize) -> Option<Value> {
        let definition = self.body.defining(self.replacements.resolve(whole))?;
        match self.body.instructions[definition].opcode {
            Opcode::Struct | Opcode::Tuple => self.body.operands(definition).get(index).copied(),
            _ => None,
        }
    }

    /// Removes a destructured tuple whose parts are only used to create the same tuple again.
    fn rebuilds_tuple(&mut self, id: InstructionId) -> bool {
        let Unary { operand: whole } = Unary::of(self.body, id);
        let results: Vec<Value> = self.body.results(id).collect();
        let user = match results.first().map(|first| self.uses.of(*first)) {
            Some([only]) => only.user,
            _ => return false,
        };
        let is_part = |(index, result): (usize, &Value)| matches!(self.uses.of(*result), [only] if only.user == user && only.operand as usize == index);
        let Some(tuple) = self.body.result(user).filter(|_| self.body.instructions[user].opcode == Opcode::Tuple)
        else {
            return false;
        };
        if !results.iter().enumerate().all(is_part) || self.body.ty(tuple) != self.body.ty(whole) {
            return false;
        }
        self.replacements.replace(tuple, whole);
        self.erased.push(user);
        true
    }

    /// Destroys the parts of a struct or enum instead of `id`, without running its `deinit`.
    pub(super) fn destroy_parts(&mut self, id: InstructionId, whole: Value) -> Result<(), Box<Diagnostic>> {
        let ty = self.body.ty(whole);
        let kind = self.environment.queries.declaration_of(ty.ty).map(|declaration| declaration.kind);
        match (kind, self.parts_of(ty)) {
            (Some(NominalKind::Struct), Some(parts)) => {
                for Part { member, ty: part } in parts {
                    match part {
                        Some(part) if ty.is_address() => {
                            let part = self.at(id).struct_element_addr(whole, member, SilType::address(part.ty));
                            self.at(id).destroy_addr(part);
                        }
                        Some(part) => {
                            let part = self.at(id).struct_extract(whole, member, part);
                            self.emit_destroy(id, part);
                        }
                        None => {}
                    }
                }
                Ok(())
            }
            (Some(NominalKind::Enum), Some(cases)) => {
                self.destroy_cases(id, whole, &cases);
                Ok(())
            }
            _ => Err(self.unsupported(id, "destroying the parts of a value of this type")),
        }
    }

    /// Terminates the block with a switch to one block per case, which destroys the payload. The following instructions
    /// go to a join block.
    fn destroy_cases(&mut self, id: InstructionId, whole: Value, cases: &[Part]) {
        let is_address = self.body.ty(whole).is_address();
        let start = self.block;
        let rest = self.body.add_block();
        let mut targets = Vec::new();
        for case in cases {
            let block = self.body.add_block();
            targets.push(block);
            self.order.push(block);
            self.block = block;
            match case.ty {
                Some(ty) if is_address => {
                    let address = SilType::address(ty.ty);
                    let payload = self.at(id).unchecked_take_enum_data_addr(whole, case.member, address);
                    self.at(id).destroy_addr(payload);
                }
                Some(ty) => {
                    let payload = self.body.add_argument(block, ty, Ownership::None);
                    self.emit_destroy(id, payload);
                }
                None => {}
            }
            self.at(id).branch(rest, &[]);
        }
        let members: Vec<MemberId> = cases.iter().map(|case| case.member).collect();
        let cases = EnumCases::without_default(members);
        self.block = start;
        match is_address {
            true => self.at(id).switch_enum_addr(whole, cases, &targets),
            false => self.at(id).switch_enum(whole, cases, &targets),
        };
        self.order.push(rest);
        self.block = rest;
    }

    /// The stored properties of a struct or the cases of an enum, or `None` for other types.
    pub(super) fn parts_of(&self, ty: SilType) -> Option<Vec<Part>> {
        let queries = self.environment.queries;
        let Type::Nominal(nominal) = queries.get(ty.ty) else { return None };
        let id = nominal.declaration;
        let declaration = queries.declarations.get(id);
        let part = |(member, ty): (MemberId, Option<_>)| Part { member, ty: ty.map(SilType::object) };
        match declaration.kind {
            _ if declaration.origin == Origin::Named => None,
            NominalKind::Struct => {
                let members = (0..).zip(&declaration.stored).map(|(index, property)| {
                    self.member(id, property.name, MemberKind::Plain, MemberTarget::Stored(index))
                });
                Some(members.map(|member| part((member, queries.stored_property_type(ty.ty, member)))).collect())
            }
            NominalKind::Enum => {
                let members = (0..).zip(&declaration.cases).map(|(index, case)| {
                    self.member(id, case.name, MemberKind::EnumElement, MemberTarget::Case(index))
                });
                Some(members.map(|member| part((member, queries.enum_payload_type(ty.ty, member)))).collect())
            }
            NominalKind::Class | NominalKind::Actor | NominalKind::Protocol | NominalKind::Unknown => None,
        }
    }

    fn member(
        &self,
        parent: NominalId,
        name: sil_ir::context::Name,
        kind: MemberKind,
        target: MemberTarget,
    ) -> MemberId {
        self.environment.queries.context.member(MemberRef::new(Some(parent), name, kind, target))
    }
}

//! Loadable enums in memory: queries of the memory are replaced with queries of the loaded value
//! (lib/SILOptimizer/SILCombiner/SILCombinerMiscVisitors.cpp). Enums that are stored by parts are handled in
//! `enum_stores`.

use sil_analysis::{ApplySite, Use};
use sil_ir::context::{MemberId, ParameterConvention, SilType};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CopyAddr, EnumCase, SelectEnum, SwitchEnum};
use sil_ir::model::{BlockId, DefaultCase, Details, EnumCases, InstructionId, Ownership, Place, Value};
use sil_ir::types::ArgumentConvention;

use super::Simplifier;
use crate::knowledge::enum_cases::case_of_default;

impl Simplifier<'_> {
    /// Replaces `switch_enum_addr` with `switch_enum` on the loaded value.
    pub(super) fn switch_enum_addr(&mut self, id: InstructionId) {
        let SwitchEnum { operand: address, targets, .. } = SwitchEnum::of(self.editor.body(), id);
        if !self.editor.has_ownership()
            && let Some(target) = self.injected_case(address).and_then(|case| self.target_of(id, case))
        {
            self.editor.build(Place::Before(id), id, |builder| builder.branch(target, &[]));
            self.editor.erase(id);
            return;
        }
        let targets = targets.to_vec();
        let is_passable = |target: &BlockId| {
            self.editor.edges_to(*target) == 1 && self.editor.body().blocks[*target].arguments.is_empty()
        };
        if !self.is_loadable(address) || self.editor.has_ownership() && !targets.iter().all(is_passable) {
            return;
        }
        let Details::EnumCases(cases) = self.editor.body().instructions[id].details.clone() else { return };
        let value = self.borrow_from(id, address);
        self.editor.build(Place::Before(id), id, |builder| {
            builder.switch_enum(value, cases.clone(), &targets);
        });
        self.editor.erase(id);
        self.receive_borrowed(&cases, value, &targets);
    }

    /// Adds arguments to the targets of a switch on a borrowed enum, and ends the borrow there.
    fn receive_borrowed(&mut self, cases: &EnumCases, value: Value, targets: &[BlockId]) {
        if !self.editor.has_ownership() {
            return;
        }
        let is_borrowed = self.editor.ownership(value) != Ownership::None;
        let whole = self.editor.body().ty(value);
        for (index, target) in targets.iter().enumerate() {
            if let Some(ty) = self.received_type(cases, whole, index) {
                let ownership = if self.editor.is_trivial(ty) { Ownership::None } else { Ownership::Guaranteed };
                self.editor.add_argument(*target, ty, ownership);
            }
            let like = self.editor.first_located(*target);
            if let Some(like) = like.filter(|_| is_borrowed) {
                self.editor.build(Place::Start(*target), like, |builder| {
                    builder.end_borrow(value);
                });
            }
        }
        self.editor.forget_ownership();
    }

    /// The type of the argument of the target `index`: the payload, or the whole enum if a default covers several
    /// cases.
    pub(super) fn received_type(&self, cases: &EnumCases, whole: SilType, index: usize) -> Option<SilType> {
        let ty = whole.object_type();
        let named = cases.members.get(index).copied();
        match named.or_else(|| case_of_default(self.editor.environment, ty.ty, cases)) {
            Some(case) => self.editor.environment.queries.enum_payload_type(ty.ty, case).map(SilType::object),
            None => Some(ty),
        }
    }

    /// Replaces `select_enum_addr` with `select_enum` on the loaded value.
    pub(super) fn select_enum_addr(&mut self, id: InstructionId) {
        self.name_last_case(id);
        let address = SelectEnum::of(self.editor.body(), id).operand;
        if !self.is_loadable(address) {
            return;
        }
        let body = self.editor.body();
        let (cases, mut operands) = (SelectEnum::of(body, id).cases.clone(), body.operands(id).to_vec());
        let Some(result) = body.result(id) else { return };
        let ty = body.ty(result);
        let value = self.borrow_from(id, address);
        operands[0] = value;
        let selected = self.editor.build(Place::Before(id), id, |builder| builder.select_enum(cases, &operands, ty));
        if self.editor.ownership(value) != Ownership::None {
            self.editor.build(Place::Before(id), id, |builder| {
                builder.end_borrow(value);
            });
        }
        self.editor.replace(id, selected);
    }

    /// Replaces loads of a projected payload with extractions from the loaded enum.
    pub(super) fn unchecked_take_enum_data_addr(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let EnumCase { operand: address, case } = EnumCase::of(body, id);
        let Some(payload) = body.result(id) else { return };
        let uses = self.editor.uses_but_debug(payload);
        if uses.is_empty() {
            return;
        }
        let is_end = |found: &Use| self.editor.opcode(found.user) == Opcode::DestroyAddr;
        if uses.iter().all(is_end) {
            uses.into_iter().for_each(|found| self.editor.set_operand(found, address));
            self.erase_with_debug_uses(id);
            return;
        }
        if !self.is_loadable(address) || !uses.iter().all(|found| self.is_plain_load(found.user)) {
            return;
        }
        for found in uses {
            self.load_whole(found.user, address, case);
        }
        self.erase_with_debug_uses(id);
        self.editor.forget_ownership();
    }

    /// Returns whether an instruction is a load whose result is not reborrowed or forwarded.
    fn is_plain_load(&self, id: InstructionId) -> bool {
        match self.editor.opcode(id) {
            Opcode::Load => true,
            Opcode::LoadBorrow => {
                let uses = self.editor.body().result(id).map(|borrow| self.editor.uses(borrow)).unwrap_or_default();
                let ownership = self.editor.operand_ownerships(&uses);
                let mut ends = uses.iter().zip(ownership).filter(|(_, ownership)| ownership.ends_lifetime());
                ends.all(|(found, _)| self.editor.opcode(found.user) == Opcode::EndBorrow)
            }
            _ => false,
        }
    }

    /// Replaces the load of a payload with an extraction from the loaded enum at `address`.
    fn load_whole(&mut self, load: InstructionId, address: Value, case: MemberId) {
        let body = self.editor.body();
        let Some(loaded) = body.result(load) else { return };
        let (attributes, payload) = (body.instructions[load].attributes, body.ty(loaded));
        let opcode = self.editor.opcode(load);
        let ty = body.ty(address).object_type();
        let is_scoped = attributes.contains(Attribute::Trivial) && !self.editor.is_trivial(ty);
        let ends: Vec<Use> = self.editor.uses(loaded).into_iter().collect();
        let opcode = if is_scoped { Opcode::LoadBorrow } else { opcode };
        let attributes = if is_scoped { AttributeSet::default() } else { attributes };
        let (whole, part) = self.editor.build(Place::Before(load), load, |builder| {
            let whole = builder.with(attributes).unary(opcode, address);
            let part = builder.unchecked_enum_data(whole, case, payload);
            if is_scoped {
                builder.end_borrow(whole);
            }
            (whole, part)
        });
        if opcode == Opcode::LoadBorrow && !is_scoped {
            let is_end = |found: &&Use| self.editor.opcode(found.user) == Opcode::EndBorrow;
            let ends: Vec<Use> = ends.iter().filter(is_end).copied().collect();
            ends.into_iter().for_each(|found| self.editor.set_operand(found, whole));
        }
        self.editor.replace(load, part);
    }

    /// Replaces the injection of an enum case with a store of the whole enum.
    pub(super) fn inject_enum_addr(&mut self, id: InstructionId) {
        let EnumCase { operand: address, case } = EnumCase::of(self.editor.body(), id);
        let ty = self.editor.body().ty(address).object_type();
        if !self.is_loadable(address) {
            self.decide_injected(id, address, case);
        } else if self.editor.environment.queries.enum_payload_type(ty.ty, case).is_none() {
            self.store_enum(id, None);
        } else {
            let _ = self.store_injected(id, address);
        }
    }

    /// Folds queries of the case at the end of the block that injects it.
    fn decide_injected(&mut self, inject: InstructionId, address: Value, case: MemberId) {
        let body = self.editor.body();
        let Some(end) = body.terminator(body.instructions[inject].block) else { return };
        let asking = match self.editor.opcode(end) {
            Opcode::SwitchEnumAddr => Some(end),
            Opcode::CondBr | Opcode::SwitchValue => {
                body.previous(end).filter(|id| self.editor.opcode(*id) == Opcode::SelectEnumAddr)
            }
            _ => None,
        };
        let Some(asking) = asking.filter(|id| self.editor.operand(*id, 0) == Some(address)) else { return };
        let mut between = body.instructions_from(inject).skip(1).take_while(|id| *id != asking);
        // The end of other stack memory does not matter.
        let is_end_of_other = |id: InstructionId| {
            self.editor.opcode(id) == Opcode::DeallocStack && self.editor.operand(id, 0) != Some(address)
        };
        if between.any(|id| self.editor.memory_behavior(id).may_write() && !is_end_of_other(id)) {
            return;
        }
        if asking == end {
            let Some(target) = self.target_of(end, case) else { return };
            self.editor.build(Place::Before(end), end, |builder| builder.branch(target, &[]));
            self.editor.erase(end);
        } else if let Some(value) = self.selected_for(asking, case) {
            self.editor.replace(asking, value);
        }
        // The enum may now only be used by parts.
        if let Some(memory) = self.editor.made_by(address, Opcode::AllocStack) {
            self.push(memory);
        }
    }

    /// The selected value for a case.
    pub(super) fn selected_for(&self, id: InstructionId, case: MemberId) -> Option<Value> {
        let SelectEnum { values, cases, .. } = SelectEnum::of(self.editor.body(), id);
        let own = cases.members.iter().position(|member| self.is_same_case(*member, case));
        let default = || values.last().filter(|_| cases.default == DefaultCase::Present);
        own.map_or_else(default, |index| values.get(index)).copied()
    }

    /// The only case that is ever injected into stack memory, if it has no payload.
    fn injected_case(&self, address: Value) -> Option<MemberId> {
        let body = self.editor.body();
        let mut address = address;
        loop {
            self.editor.made_by(address, Opcode::AllocStack)?;
            let mut written = None;
            for found in self.editor.uses_but_debug(address) {
                let is_written = match self.editor.opcode(found.user) {
                    Opcode::DestroyAddr | Opcode::DeallocStack | Opcode::SwitchEnumAddr => false,
                    Opcode::Apply | Opcode::TryApply if self.is_only_read_by_call(found) => false,
                    Opcode::InjectEnumAddr => true,
                    Opcode::CopyAddr => found.operand == 1,
                    _ => return None,
                };
                if is_written && written.replace(found.user).is_some() {
                    return None;
                }
            }
            let written = written?;
            if self.editor.opcode(written) == Opcode::InjectEnumAddr {
                return Some(EnumCase::of(body, written).case);
            }
            address = CopyAddr::of(body, written).source;
        }
    }

    fn is_only_read_by_call(&self, found: Use) -> bool {
        let Some(site) = ApplySite::new(self.editor.body(), found.user) else { return false };
        let conventions = site.conventions(self.editor.environment.queries);
        let argument = conventions.and_then(|found_in| site.argument_of_operand(found_in, found.operand as usize));
        argument.is_some_and(|argument| {
            matches!(argument.convention, ArgumentConvention::Parameter(ParameterConvention::InGuaranteed))
        })
    }

    /// Returns whether the value at an address is loadable.
    pub(super) fn is_loadable(&self, address: Value) -> bool {
        let queries = self.editor.environment.queries;
        let ty = self.editor.body().ty(address).ty;
        let properties = queries.properties(ty, self.editor.environment.function.signature);
        !properties.is_address_only() && !properties.is_guessed()
    }

    /// Borrows the value at an address, or loads it if it is trivial.
    pub(super) fn borrow_from(&mut self, id: InstructionId, address: Value) -> Value {
        let ty = self.editor.body().ty(address).object_type();
        let mut attributes = AttributeSet::default();
        let opcode = match self.editor.has_ownership() {
            true if !self.editor.is_trivial(ty) => Opcode::LoadBorrow,
            true => {
                attributes.insert(Attribute::Trivial);
                Opcode::Load
            }
            false => Opcode::Load,
        };
        let value = self.editor.build(Place::Before(id), id, |builder| builder.with(attributes).unary(opcode, address));
        self.editor.forget_ownership();
        value
    }
}

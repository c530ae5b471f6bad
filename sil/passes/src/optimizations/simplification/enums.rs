//! Simplifies enums with a known case, and enums that are initialised in memory.

use sil_ir::context::{MemberId, SilType};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{self, EnumCase};
use sil_ir::model::{BlockId, DefaultCase, InstructionId, Ownership, Place, Value};

use super::super::borrowed_phis;
use super::Simplifier;

impl Simplifier<'_> {
    /// Replaces the extraction of the payload of an `enum` with its operand.
    pub(super) fn unchecked_enum_data(&mut self, id: InstructionId) {
        let EnumCase { operand, case } = EnumCase::of(self.editor.body(), id);
        let Some(made) = self.editor.made_by(operand, Opcode::Enum) else { return };
        let views::Enum { case: made_case, payload } = views::Enum::of(self.editor.body(), made);
        if let Some(payload) = payload.filter(|_| self.is_same_case(case, made_case)) {
            self.replace_pair(made, id, payload);
        }
    }

    pub(super) fn is_same_case(&self, one: MemberId, other: MemberId) -> bool {
        let target = |case| self.editor.environment.queries.context.get_member(case).target;
        target(one) == target(other)
    }

    /// Folds a `switch_enum` on an `enum`.
    pub(super) fn switch_enum(&mut self, id: InstructionId) {
        let views::SwitchEnum { operand, .. } = views::SwitchEnum::of(self.editor.body(), id);
        let Some(made) = self.editor.made_by(operand, Opcode::Enum) else { return };
        let views::Enum { case, payload } = views::Enum::of(self.editor.body(), made);
        let Some(target) = self.target_of(id, case) else { return };
        let goes = self.is_only_user(made, id);
        if !goes && self.editor.ownership(operand) == Ownership::Owned {
            return;
        }
        let passed = match (self.editor.body().blocks[target].arguments.len(), payload) {
            (0, None) => Vec::new(),
            (0, Some(_)) if !self.editor.has_ownership() => Vec::new(),
            (1, Some(payload)) => vec![payload],
            _ => return,
        };
        self.editor.build(Place::Before(id), id, |builder| builder.branch(target, &passed));
        self.editor.erase(id);
        if goes {
            self.erase_with_debug_uses(made);
        }
        let received = self.editor.body().blocks[target].arguments.clone();
        if received.iter().any(|argument| self.editor.ownership(*argument) == Ownership::Guaranteed) {
            borrowed_phis::complete(&mut self.editor, &received);
        }
    }

    /// The target of a case: its own, or the default.
    pub(super) fn target_of(&self, id: InstructionId, case: MemberId) -> Option<BlockId> {
        let views::SwitchEnum { targets, cases, .. } = views::SwitchEnum::of(self.editor.body(), id);
        let own = cases.members.iter().position(|member| self.is_same_case(*member, case));
        let default = || targets.last().filter(|_| cases.default == DefaultCase::Present);
        own.map_or_else(default, |index| targets.get(index)).copied()
    }

    /// Replaces a store to the payload address directly followed by the injection of the case with a store of the enum.
    pub(super) fn init_enum_data_addr(&mut self, id: InstructionId) {
        let editor = &self.editor;
        let body = editor.body();
        let EnumCase { operand: memory, case } = EnumCase::of(body, id);
        let uses = body.result(id).map(|address| editor.uses(address)).unwrap_or_default();
        let [only] = uses[..] else { return };
        let store = only.user;
        if editor.opcode(store) != Opcode::Store || only.operand != 1 {
            return;
        }
        let injects = |next: &InstructionId| {
            editor.opcode(*next) == Opcode::InjectEnumAddr && editor.operand(*next, 0) == Some(memory)
        };
        let Some(inject) = body.next(store).filter(injects) else { return };
        let mut between = body.instructions_from(id).skip(1);
        let is_undisturbed = body.instructions[id].block == body.instructions[store].block
            && between.by_ref().take_while(|next| *next != store).all(|next| !editor.memory_behavior(next).may_write());
        let ty = body.ty(memory).object_type();
        let properties = editor.environment.queries.properties(ty.ty, editor.environment.function.signature);
        if !is_undisturbed || properties.is_address_only() || properties.is_guessed() {
            return;
        }
        let payload = views::Store::of(body, store).source;
        let attributes = self.initializing(ty);
        self.editor.build(Place::Before(store), store, |builder| {
            let whole = builder.enumeration(case, Some(payload), ty);
            builder.with(attributes).store(whole, memory);
        });
        [store, inject, id].into_iter().for_each(|id| self.editor.erase(id));
    }

    /// The attributes of a store that initialises memory.
    fn initializing(&self, ty: SilType) -> AttributeSet {
        let mut attributes = AttributeSet::default();
        if self.editor.has_ownership() {
            let is_trivial = self.editor.is_trivial(ty);
            attributes.insert(if is_trivial { Attribute::Trivial } else { Attribute::Init });
        }
        attributes
    }

    /// The payload of an `enum` whose reference counting equals that of `value`.
    pub(super) fn counted_payload(&self, value: Value) -> Option<Value> {
        let made = self.editor.made_by(value, Opcode::Enum)?;
        // A noncopyable value may have a deinit.
        let is_copyable = self.is_copyable(self.editor.body().ty(value).ty);
        views::Enum::of(self.editor.body(), made).payload.filter(|_| is_copyable)
    }
}

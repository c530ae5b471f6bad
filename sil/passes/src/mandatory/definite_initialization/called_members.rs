//! The callees of calls in initialisers: methods and properties of the object, by name.
//!
//! Does not own: the diagnostics.

use sil_analysis::{ApplyKind, ApplySite, Use};
use sil_ir::context::{MemberId, MemberKind};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{Details, InstructionId};
use sil_ir::symbols::{Accessor, Entity, EntityKind, EntityPlace, Symbol};

use super::diagnosis::Diagnosis;

impl Diagnosis<'_> {
    /// Returns the name and kind of a called member; `None` for a call through a witness table or of the superclass
    /// (`diagnoseMethodCall`).
    pub(super) fn member(&self, user: InstructionId) -> Option<(String, &'static str)> {
        let context = self.environment.queries.context;
        let body = self.body;
        if body.instructions[user].opcode == Opcode::RefElementAddr {
            let Details::Member(member) = body.instructions[user].details else { return None };
            return Some((format!("'{}'", context.text(context.get_member(member).name)), "property access"));
        }
        let user = self.call_of_temporary(user).unwrap_or(user);
        let callee = ApplySite::new(body, user).filter(|site| site.kind == ApplyKind::Apply)?.callee()?;
        if let Some(id) = body.defining(callee)
            && matches!(body.instructions[id].opcode, Opcode::ClassMethod | Opcode::ObjCMethod)
            && let Details::Method(method) = &body.instructions[id].details
        {
            return self.named_member(method.member);
        }
        let entity = self.callee(user)?;
        match entity.kind {
            EntityKind::PropertyAccessor(_) => Some((format!("'{}'", entity.name), "property access")),
            EntityKind::SubscriptAccessor(_) => Some(("'subscript'".into(), "property access")),
            EntityKind::Function | EntityKind::Operator => Some((format!("'{}'", entity.name), "method call")),
            _ => None,
        }
    }

    /// Returns the call for which `store` puts the object in a temporary. The stored value is the object itself, no
    /// load of its variable (`findMethodForStoreInitializationOfTemporary`).
    fn call_of_temporary(&self, store: InstructionId) -> Option<InstructionId> {
        let body = self.body;
        if !matches!(body.instructions[store].opcode, Opcode::Store | Opcode::StoreBorrow) {
            return None;
        }
        let (mut stored, temporary) = (*body.operands(store).first()?, *body.operands(store).get(1)?);
        let opcode = |value| body.defining(value).map(|id| body.instructions[id].opcode);
        if opcode(stored) == Some(Opcode::BeginBorrow) {
            stored = Unary::of(body, body.defining(stored)?).operand;
        }
        if opcode(stored) != Some(Opcode::MarkUninitialized) || opcode(temporary) != Some(Opcode::AllocStack) {
            return None;
        }
        let address = body.result(store).unwrap_or(temporary);
        let is_call = |found: &&Use| body.instructions[found.user].opcode == Opcode::Apply;
        let calls: Vec<Use> = self.uses.of(address).iter().filter(is_call).copied().collect();
        match *calls {
            [call] if call.operand == 1 => Some(call.user),
            _ => None,
        }
    }

    fn named_member(&self, member: MemberId) -> Option<(String, &'static str)> {
        let context = self.environment.queries.context;
        let member = context.get_member(member);
        let name = context.text(member.name);
        match member.kind {
            MemberKind::Plain => Some((format!("'{name}'"), "method call")),
            MemberKind::Getter
            | MemberKind::Setter
            | MemberKind::Read
            | MemberKind::Read2
            | MemberKind::Modify
            | MemberKind::Modify2
            | MemberKind::Addressor
            | MemberKind::MutableAddressor => Some((format!("'{name}'"), "property access")),
            _ => None,
        }
    }

    /// Returns the declaration of the called function.
    pub(super) fn callee(&self, call: InstructionId) -> Option<Entity> {
        let name = ApplySite::new(self.body, call)?.called_function()?;
        Symbol::demangle(self.environment.module.context.text(name))?.entity()
    }

    /// Returns the declaration of the called method, also through witness tables and vtables.
    pub(super) fn method(&self, call: InstructionId) -> Option<Entity> {
        let callee = ApplySite::new(self.body, call)?.callee()?;
        let id = self.body.defining(callee)?;
        let Details::Method(method) = &self.body.instructions[id].details else { return self.callee(call) };
        let context = self.environment.queries.context;
        let member = context.get_member(method.member);
        let name = context.text(member.name).to_owned();
        let kind = match (member.kind, name.as_str()) {
            (MemberKind::Plain, _) => EntityKind::Function,
            (_, "subscript") => EntityKind::SubscriptAccessor(Accessor::Setter),
            _ => EntityKind::PropertyAccessor(Accessor::Setter),
        };
        Some(Entity { kind, name, place: EntityPlace::Type, is_static: false })
    }
}

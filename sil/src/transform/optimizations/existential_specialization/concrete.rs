//! Whether it is known which type the value in an existential has that a call passes: that of what is put in, or the only one that it can have.

use crate::analysis::ApplySite;
use crate::context::{SilType, Type};
use crate::instructions::Opcode;
use crate::model::{InstructionId, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::editing::existential_contents::ExistentialContents;
use crate::transform::knowledge::sole_conformances::sole_conforming_type;

/// What is known of what a call passes.
pub(super) struct KnownTypes<'e, 'm> {
    caller: &'e Editor<'m>,
    call: InstructionId,
    passed: Vec<Value>,
}

impl<'e, 'm> KnownTypes<'e, 'm> {
    pub(super) fn new(caller: &'e Editor<'m>, site: ApplySite<'_>) -> Self {
        Self { caller, call: site.instruction, passed: site.arguments().to_vec() }
    }

    /// Whether the type of what is in argument number `index`, an existential of type `ty`, is known.
    pub(super) fn is_known(&self, index: usize, ty: SilType) -> bool {
        let is_put_in = self.passed.get(index).is_some_and(|passed| self.is_put_in(*passed));
        is_put_in || ty.is_address() && self.is_only_one(ty)
    }

    /// Whether it is seen what is put into an existential: the reference that it is made of, or what is in its memory on the stack.
    fn is_put_in(&self, existential: Value) -> bool {
        if self.caller.made_by(existential, Opcode::InitExistentialRef).is_some() {
            return true;
        }
        if self.caller.made_by(existential, Opcode::AllocStack).is_none() {
            return false;
        }
        let initializer = ExistentialContents::new(self.caller).initializer(existential, self.call);
        initializer.is_some_and(|(made, _)| self.caller.opcode(made) == Opcode::InitExistentialAddr)
    }

    /// Whether one type alone conforms to the protocol of an existential, as far as anybody can know.
    fn is_only_one(&self, ty: SilType) -> bool {
        let queries = self.caller.environment.queries;
        let Type::Existential(constraint) = queries.get(ty.ty) else { return false };
        let Type::Protocol { protocol, .. } = queries.get(*constraint) else { return false };
        sole_conforming_type(self.caller.environment, *protocol).is_some()
    }
}

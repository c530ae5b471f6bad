//! Decides whether the dynamic type of a passed existential is known: the existential is initialised in the caller, or
//! only one type conforms.

use sil_analysis::ApplySite;
use sil_ir::context::{SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use crate::editing::editor::Editor;
use crate::editing::existential_contents::ExistentialContents;
use crate::knowledge::sole_conformances::sole_conforming_type;

/// The known dynamic types of a call's arguments.
pub(super) struct KnownTypes<'e, 'm> {
    caller: &'e Editor<'m>,
    call: InstructionId,
    passed: Vec<Value>,
}

impl<'e, 'm> KnownTypes<'e, 'm> {
    pub(super) fn new(caller: &'e Editor<'m>, site: ApplySite<'_>) -> Self {
        Self { caller, call: site.instruction, passed: site.arguments().to_vec() }
    }

    /// Returns whether the dynamic type of the existential argument `index` of type `ty` is known.
    pub(super) fn is_known(&self, index: usize, ty: SilType) -> bool {
        let is_put_in = self.passed.get(index).is_some_and(|passed| self.is_put_in(*passed));
        is_put_in || ty.is_address() && self.is_only_one(ty)
    }

    /// Returns whether the initialisation of an existential is known: by an instruction that creates a reference, or by
    /// the initialiser of its stack memory.
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

    /// Returns whether exactly one type conforms to the protocol of an existential.
    fn is_only_one(&self, ty: SilType) -> bool {
        let queries = self.caller.environment.queries;
        let Type::Existential(constraint) = queries.get(ty.ty) else { return false };
        let Type::Protocol { protocol, .. } = queries.get(*constraint) else { return false };
        sole_conforming_type(self.caller.environment, *protocol).is_some()
    }
}

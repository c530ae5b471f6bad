//! Finds the initialisation of an existential before a use (lib/SILOptimizer/Utils/Existential.cpp).
//!
//! Does not own: the use of that knowledge (`optimizations::simplification`,
//! `optimizations::existential_specialization`).

use sil_analysis::{ApplySite, Use};
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CastAddr, CopyAddr, EnumCase, Store};
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use super::editor::Editor;

/// Whether the passed value is the initialised one or a copy of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Itself,
    Copied,
}

impl Origin {
    pub(crate) fn or(self, other: Origin) -> Origin {
        if other == Origin::Copied { other } else { self }
    }
}

/// The search for the initialisation of existentials.
#[derive(Clone, Copy)]
pub(crate) struct ExistentialContents<'e, 'm> {
    editor: &'e Editor<'m>,
}

impl<'e, 'm> ExistentialContents<'e, 'm> {
    pub(crate) fn new(editor: &'e Editor<'m>) -> Self {
        Self { editor }
    }

    /// The only instruction that initialises stack memory before `user`, looking through copies from other stack
    /// memory.
    pub(crate) fn initializer(&self, address: Value, user: InstructionId) -> Option<(InstructionId, Origin)> {
        let body = self.editor.body();
        let mut written: Option<(InstructionId, Origin)> = None;
        for found in self.editor.uses(address) {
            let writes = match self.editor.opcode(found.user) {
                _ if found.user == user => None,
                Opcode::DeallocStack
                | Opcode::DebugValue
                | Opcode::DestroyAddr
                | Opcode::WitnessMethod
                | Opcode::DeinitExistentialAddr => None,
                Opcode::OpenExistentialAddr if self.is_opened_to_be_read(found.user) => None,
                Opcode::CopyAddr => (found.operand == 1).then_some(Origin::Copied),
                Opcode::UnconditionalCheckedCastAddr => {
                    (CastAddr::of(body, found.user).destination == address).then_some(Origin::Copied)
                }
                Opcode::Store if found.operand == 1 => Some(Origin::Itself),
                Opcode::InitExistentialAddr => Some(Origin::Itself),
                Opcode::Apply | Opcode::TryApply if self.leaves_as_it_is(found) => None,
                _ => return None,
            };
            if let Some(origin) = writes
                && written.replace((found.user, origin)).is_some()
            {
                return None;
            }
        }
        let (written, origin) = written?;
        let block = |id: InstructionId| body.instructions[id].block;
        let allocated = body.defining(address).map(block);
        if Some(block(written)) != allocated && block(written) != block(user) {
            return None;
        }
        if self.editor.opcode(written) != Opcode::CopyAddr {
            return Some((written, origin));
        }
        let source = CopyAddr::of(body, written).source;
        let after = match body.defining(source).map(|id| (id, self.editor.opcode(id))) {
            Some((_, Opcode::AllocStack)) => self.initializer(source, written)?,
            Some((take, Opcode::UncheckedTakeEnumDataAddr)) => {
                self.initializer(self.payload_address(take)?, written)?
            }
            Some((_, Opcode::GlobalAddr)) => (self.global_initializer(source, written)?, Origin::Copied),
            _ => (written, Origin::Copied),
        };
        Some((after.0, Origin::Copied))
    }

    fn is_opened_to_be_read(&self, id: InstructionId) -> bool {
        self.editor.body().instructions[id].attributes.contains(Attribute::ImmutableAccess)
    }

    /// Returns whether a call does not write to the memory that it is passed.
    fn leaves_as_it_is(&self, found: Use) -> bool {
        let convention = self.convention(found.user, found.operand);
        matches!(convention, Some(ParameterConvention::In | ParameterConvention::InGuaranteed))
    }

    pub(crate) fn convention(&self, call: InstructionId, operand: u32) -> Option<ParameterConvention> {
        let site = ApplySite::new(self.editor.body(), call)?;
        let conventions = site.conventions(self.editor.environment.queries)?;
        match site.argument_of_operand(conventions, operand as usize)?.convention {
            ArgumentConvention::Parameter(convention) => Some(convention),
            ArgumentConvention::Result(_) | ArgumentConvention::Error => None,
        }
    }

    /// The address that the payload taken by `take` was stored to, for an enum on the stack with a single case.
    fn payload_address(&self, take: InstructionId) -> Option<Value> {
        let body = self.editor.body();
        let memory = EnumCase::of(body, take).operand;
        self.editor.made_by(memory, Opcode::AllocStack)?;
        let is_other = |found: &Use| {
            found.user != take
                && !matches!(self.editor.opcode(found.user), Opcode::InjectEnumAddr | Opcode::DeallocStack)
        };
        let mut others = self.editor.uses(memory).into_iter().filter(is_other);
        let only = others.next().filter(|_| others.next().is_none())?.user;
        (self.editor.opcode(only) == Opcode::InitEnumDataAddr).then(|| body.result(only)).flatten()
    }

    /// The only instruction before `user` in its block that initialises the existential of a global variable.
    fn global_initializer(&self, address: Value, user: InstructionId) -> Option<InstructionId> {
        let body = self.editor.body();
        let puts = |id: &InstructionId| {
            self.editor.opcode(*id) == Opcode::InitExistentialAddr && self.editor.operand(*id, 0) == Some(address)
        };
        let block = body.instructions[user].block;
        let before: Vec<InstructionId> = body.instructions_in(block).take_while(|id| *id != user).collect();
        let mut found = before.iter().copied().filter(puts);
        let only = found.next().filter(|_| found.next().is_none())?;
        let mut between = before.into_iter().skip_while(|id| *id != only).skip(1);
        between.all(|id| !self.may_change_global(id, address, only)).then_some(only)
    }

    /// Returns whether an instruction after the initialisation `put` may write to the existential of a global variable.
    fn may_change_global(&self, id: InstructionId, address: Value, put: InstructionId) -> bool {
        let body = self.editor.body();
        let is_inside = |value: Value| body.defining(value) == Some(put);
        match self.editor.opcode(id) {
            Opcode::Store => !is_inside(Store::of(body, id).destination) && !self.is_on_stack(body.operands(id)[1]),
            Opcode::CopyAddr => {
                let CopyAddr { source, destination } = CopyAddr::of(body, id);
                let takes = body.instructions[id].attributes.contains(Attribute::Take);
                takes && source == address || !is_inside(destination) && !self.is_on_stack(destination)
            }
            Opcode::AllocRef | Opcode::AllocStack => false,
            _ => self.editor.memory_behavior(id).may_write(),
        }
    }

    pub(crate) fn is_on_stack(&self, address: Value) -> bool {
        self.editor.made_by(address, Opcode::AllocStack).is_some()
    }
}

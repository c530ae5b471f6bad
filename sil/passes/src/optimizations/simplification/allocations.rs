//! Narrows the type of stack memory: an enum of which a single case is stored, or an existential of known type. Follows
//! SwiftCompilerSources/Sources/Optimizer/InstructionSimplification/SimplifyAllocStack.swift.

use sil_analysis::{Use, opened_archetypes};
use sil_ir::context::{MemberId, SilType, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CastAddr, CheckedCastAddrBr, EnumCase};
use sil_ir::model::{BlockId, Cast, Details, InstructionId, Place, Value};

use super::Simplifier;

/// The single case of an enum in memory.
struct OnlyCase {
    payload: SilType,
    lifetime: Payload,
}

/// The lifetime of the payload in the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Payload {
    /// From the store to the take in the same block. There is no payload elsewhere.
    WithinBlock,
    Anywhere,
}

impl Simplifier<'_> {
    pub(super) fn alloc_stack(&mut self, id: InstructionId) {
        let _ = self.store_payload(id).or_else(|| self.store_concrete(id));
    }

    /// Replaces memory of an enum with memory of its payload, if only the payload is stored and taken.
    fn store_payload(&mut self, id: InstructionId) -> Option<()> {
        let OnlyCase { payload, lifetime } = self.only_case(id)?;
        let whole = self.editor.body().ty(self.editor.body().result(id)?);
        let memory = self.allocate_instead(id, payload)?;
        let described = match &self.editor.body().instructions[id].details {
            Details::Variable(variable) if variable.name.is_some() => Some(variable.clone()),
            _ => None,
        };
        if let Some(variable) = described {
            let nothing = self.editor.undef(whole);
            self.editor.build(Place::Before(id), id, |builder| {
                builder.debug_value(nothing, Some(variable));
            });
        }
        for found in self.editor.uses(self.editor.body().result(id)?) {
            match self.editor.opcode(found.user) {
                Opcode::InjectEnumAddr => self.editor.erase(found.user),
                Opcode::DestroyAddr if lifetime == Payload::WithinBlock => self.editor.erase(found.user),
                Opcode::InitEnumDataAddr | Opcode::UncheckedTakeEnumDataAddr => self.editor.replace(found.user, memory),
                Opcode::DebugValue => {
                    let nothing = self.editor.undef(whole);
                    self.editor.set_operand(found, nothing);
                }
                _ => self.editor.set_operand(found, memory),
            }
        }
        self.editor.erase(id);
        Some(())
    }

    /// The single case with a payload that is stored. `None` if there are several or the enum is used as a whole.
    fn only_case(&self, id: InstructionId) -> Option<OnlyCase> {
        let body = self.editor.body();
        let mut only: Option<MemberId> = None;
        let mut payload = None;
        let (mut stores, mut takes): (Vec<BlockId>, Vec<BlockId>) = (Vec::new(), Vec::new());
        let mut injected = Vec::new();
        for Use { user, .. } in self.editor.uses(body.result(id)?) {
            let opcode = self.editor.opcode(user);
            match opcode {
                Opcode::DestroyAddr | Opcode::DeallocStack | Opcode::DebugValue => continue,
                Opcode::InjectEnumAddr => injected.push(EnumCase::of(body, user).case),
                Opcode::InitEnumDataAddr | Opcode::UncheckedTakeEnumDataAddr => {
                    let case = EnumCase::of(body, user).case;
                    if only.is_some_and(|only| !self.is_same_case(only, case)) {
                        return None;
                    }
                    only = Some(case);
                    let block = body.instructions[user].block;
                    if opcode == Opcode::InitEnumDataAddr {
                        payload = body.result(user).map(|address| body.ty(address).object_type());
                        stores.push(block);
                    } else {
                        takes.push(block);
                    }
                }
                _ => return None,
            }
        }
        let (only, payload) = (only?, payload?);
        let is_pair = stores.len() == 1 && stores == takes;
        if !is_pair && injected.iter().any(|case| !self.is_same_case(only, *case)) {
            return None;
        }
        let lifetime = if is_pair { Payload::WithinBlock } else { Payload::Anywhere };
        Some(OnlyCase { payload, lifetime })
    }

    /// Allocates memory of another type in place of an allocation.
    fn allocate_instead(&mut self, id: InstructionId, ty: SilType) -> Option<Value> {
        let attributes = self.editor.body().instructions[id].attributes;
        Some(
            self.editor
                .build(Place::Before(id), id, |builder| builder.with(attributes).alloc_stack(ty.object_type(), None)),
        )
    }

    /// Replaces memory of an existential or of an opened archetype of known type with memory of the concrete type.
    fn store_concrete(&mut self, id: InstructionId) -> Option<()> {
        let formal = self.stored_type(id)?;
        let lowered = SilType::object(self.editor.environment.queries.lower_formal(formal));
        let memory = self.allocate_instead(id, lowered)?;
        let address = self.editor.body().ty(memory);
        for found in self.editor.uses(self.editor.body().result(id)?) {
            match self.editor.opcode(found.user) {
                Opcode::DeinitExistentialAddr => self.editor.erase(found.user),
                Opcode::InitExistentialAddr => {
                    let inside = self.editor.body().ty(self.editor.body().result(found.user)?);
                    // The stored value may be an opened archetype of known type.
                    let by = match inside == address {
                        true => memory,
                        false => self.editor.build(Place::Before(found.user), found.user, |builder| {
                            builder.unchecked_addr_cast(memory, inside)
                        }),
                    };
                    self.editor.replace(found.user, by);
                }
                Opcode::OpenExistentialAddr => self.editor.replace(found.user, memory),
                Opcode::CheckedCastAddrBr | Opcode::UnconditionalCheckedCastAddr => {
                    let cast = self.cast(found.user).clone();
                    let cast = Cast { source: Some(formal), ..cast };
                    self.editor.set_details(found.user, Details::Cast(Box::new(cast)));
                    self.editor.set_operand(found, memory);
                }
                _ => self.editor.set_operand(found, memory),
            }
        }
        self.editor.erase(id);
        Some(())
    }

    fn cast(&self, id: InstructionId) -> &Cast {
        match self.editor.opcode(id) {
            Opcode::CheckedCastAddrBr => CheckedCastAddrBr::of(self.editor.body(), id).cast,
            _ => CastAddr::of(self.editor.body(), id).cast,
        }
    }

    /// The formal type that is stored to memory of an existential or of an opened archetype.
    fn stored_type(&self, id: InstructionId) -> Option<TypeId> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let memory = body.result(id)?;
        let ty = body.ty(memory).ty;
        let is_existential = matches!(queries.get(ty), Type::Existential(_));
        if !is_existential && !self.is_root(ty) {
            return None;
        }
        let (mut stored, mut must_be_formal) = (None, false);
        for found in self.editor.uses(memory) {
            match self.editor.opcode(found.user) {
                Opcode::DestroyAddr | Opcode::DeinitExistentialAddr | Opcode::DeallocStack | Opcode::DebugValue => {}
                Opcode::OpenExistentialAddr => {
                    let uses = self.editor.uses(body.result(found.user)?);
                    if uses.iter().any(|inner| self.editor.opcode(inner.user) != Opcode::DestroyAddr) {
                        return None;
                    }
                }
                Opcode::InitExistentialAddr if stored.is_none() => stored = Some(found.user),
                Opcode::CheckedCastAddrBr | Opcode::UnconditionalCheckedCastAddr if found.operand == 0 => {
                    must_be_formal = true;
                }
                // Casts of the address of an existential are not followed.
                Opcode::UncheckedAddrCast if !is_existential => {}
                _ => return None,
            }
        }
        let formal = match stored {
            Some(stored) => {
                let lowered = body.ty(body.result(stored)?).ty;
                let known = if self.is_root(lowered) { self.concrete(lowered) } else { None };
                let is_there = || opened_archetypes(queries, lowered).is_empty() || self.is_opened_before(lowered, id);
                known.or_else(|| is_there().then_some(lowered))?
            }
            None => self.concrete(ty).filter(|_| !is_existential)?,
        };
        (!must_be_formal || self.is_formal(formal)).then_some(formal)
    }

    /// Returns whether an archetype is opened before an instruction.
    fn is_opened_before(&self, archetype: TypeId, id: InstructionId) -> bool {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let opens = |id: &InstructionId| {
            body.results(*id).any(|result| match queries.get(body.ty(result).ty) {
                Type::Metatype { instance, .. } => *instance == archetype,
                _ => body.ty(result).ty == archetype,
            }) && matches!(
                self.editor.opcode(*id),
                Opcode::OpenExistentialAddr | Opcode::OpenExistentialRef | Opcode::OpenExistentialMetatype
            )
        };
        body.instructions_up_to(id).any(|before| before != id && opens(&before))
    }
}

//! The effects of an instruction itself: on memory, on references, whether it may trap. The alias analysis has its
//! effects on one address.
//!
//! The rules are those of `SILInstruction::getMemoryBehavior`, `mayTrap`, `mayHaveSideEffects` and `mayRelease`
//! (lib/SIL/IR/SILInstruction.cpp); the instruction table has the facts about each kind of instruction.

use sil_ir::context::{Context, SignatureId};
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic, NamedBuiltin};
use sil_ir::instructions::{Attribute, AttributeSet, MayRelease, MemoryBehavior, Opcode};
use sil_ir::model::{Body, CastConsumption, Details, FunctionFlag, InstructionId, Module};
use sil_ir::types::{Knowledge, TypeQueries};

use super::ApplySite;
use super::rc_identity::cast_between_keeps_reference;

/// The effects of instructions of a module's functions. It holds no body: a body may change between two questions.
#[derive(Clone, Copy)]
pub struct InstructionEffects<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
}

impl<'m> InstructionEffects<'m> {
    /// Answers for functions of `module`, or for bodies taken out of it.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        Self { module, queries }
    }

    /// The context of the module.
    pub fn context(self) -> &'m Context {
        self.queries.context
    }

    /// The effect of `id` on memory.
    pub fn memory_behavior(self, body: &Body, id: InstructionId) -> MemoryBehavior {
        let instruction = &body.instructions[id];
        let attributes = instruction.attributes;
        match instruction.opcode {
            Opcode::Builtin => self.builtin_behavior(body, id),
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => self.call_behavior(body, id),
            Opcode::GlobalAddr => self.global_behavior(body, id),
            Opcode::Load if attributes.contains(Attribute::Copy) => MemoryBehavior::MayHaveSideEffects,
            // A take deinitialises the memory. The reference forgets that for weak and unowned references.
            Opcode::Load | Opcode::LoadWeak | Opcode::LoadUnowned if attributes.contains(Attribute::Take) => {
                MemoryBehavior::MayReadWrite
            }
            Opcode::Load => MemoryBehavior::MayRead,
            Opcode::Store if attributes.contains(Attribute::Assign) => MemoryBehavior::MayHaveSideEffects,
            Opcode::Store => MemoryBehavior::MayWrite,
            Opcode::MarkDependence if has_address_base(body, id) => MemoryBehavior::MayRead,
            Opcode::MarkDependence => MemoryBehavior::None,
            opcode => opcode.information().memory,
        }
    }

    /// Whether `id` may end the program.
    pub fn may_trap(self, body: &Body, id: InstructionId) -> bool {
        match body.instructions[id].opcode {
            Opcode::CondFail | Opcode::UnconditionalCheckedCast | Opcode::UnconditionalCheckedCastAddr => true,
            // Debuggers stop where an error is thrown, so the mark is kept like a trap.
            Opcode::Builtin => self.builtin(body, id) == Some(BuiltinKind::Named(NamedBuiltin::WillThrow)),
            _ => false,
        }
    }

    /// Whether `id` has effects beyond its results: it may write, release, trap, call.
    pub fn may_have_side_effects(self, body: &Body, id: InstructionId) -> bool {
        self.may_trap(body, id) || self.memory_behavior(body, id).may_write()
    }

    /// Whether `id` may end the lifetime of an object. `signature` is that of the function, for its generic parameters.
    pub fn may_release(self, body: &Body, signature: Option<SignatureId>, id: InstructionId) -> bool {
        let instruction = &body.instructions[id];
        if self.is_releasing_cast(body, signature, id) {
            return true;
        }
        if instruction.opcode.information().may_release == MayRelease::No {
            return false;
        }
        match instruction.opcode {
            Opcode::EndLifetime
            | Opcode::GetAsyncContinuation
            | Opcode::GetAsyncContinuationAddr
            | Opcode::AwaitAsyncContinuation
            | Opcode::MarkUnresolvedMoveAddr => false,
            Opcode::CopyAddr | Opcode::ExplicitCopyAddr => !initializes(instruction.attributes),
            Opcode::Store => instruction.attributes.contains(Attribute::Assign),
            Opcode::Builtin => self.may_have_side_effects(body, id) && !self.is_builtin_without_release(body, id),
            _ => true,
        }
    }

    /// The operation of a `builtin`; none for other instructions.
    pub(super) fn builtin(self, body: &Body, id: InstructionId) -> Option<BuiltinKind> {
        match &body.instructions[id].details {
            Details::Builtin(builtin) => builtin.kind(),
            _ => None,
        }
    }

    fn builtin_behavior(self, body: &Body, id: InstructionId) -> MemoryBehavior {
        match self.builtin(body, id) {
            // With an address, the memory there is initialised.
            Some(BuiltinKind::Named(NamedBuiltin::ZeroInitializer)) if !body.operands(id).is_empty() => {
                MemoryBehavior::MayWrite
            }
            Some(kind) => kind.memory(),
            None => MemoryBehavior::MayHaveSideEffects,
        }
    }

    fn is_builtin_without_release(self, body: &Body, id: InstructionId) -> bool {
        matches!(
            self.builtin(body, id),
            Some(
                BuiltinKind::Named(NamedBuiltin::CopyArray | NamedBuiltin::WillThrow)
                    | BuiltinKind::Intrinsic(Intrinsic::Memcpy | Intrinsic::Memmove | Intrinsic::Memset)
            )
        )
    }

    fn call_behavior(self, body: &Body, id: InstructionId) -> MemoryBehavior {
        let called = ApplySite::new(body, id).and_then(ApplySite::called_function);
        let called = called.and_then(|name| self.module.function_named(name));
        match called {
            Some(function) if self.module.functions[function].has(FunctionFlag::ReadNone) => MemoryBehavior::None,
            _ => MemoryBehavior::MayHaveSideEffects,
        }
    }

    /// A global whose layout is not known here may lie in a buffer that `alloc_global` makes: then its address depends
    /// on that.
    fn global_behavior(self, body: &Body, id: InstructionId) -> MemoryBehavior {
        let known = body
            .result(id)
            .is_some_and(|address| self.queries.properties(body.ty(address).ty, None).knowledge == Knowledge::Certain);
        if known { MemoryBehavior::None } else { MemoryBehavior::MayHaveSideEffects }
    }

    /// Whether `id` is a cast that may wrap or unwrap its operand and so release it
    /// (`SILDynamicCastInst::isRCIdentityPreserving`).
    fn is_releasing_cast(self, body: &Body, signature: Option<SignatureId>, id: InstructionId) -> bool {
        let Details::Cast(cast) = &body.instructions[id].details else { return false };
        if matches!(body.instructions[id].opcode, Opcode::CheckedCastAddrBr)
            && cast.consumption == Some(CastConsumption::TakeAlways)
        {
            return true;
        }
        let source = body.operands(id).first().map(|operand| body.ty(*operand).ty);
        let target = cast.target;
        let Some(source) = source else { return true };
        let (from, to) = (self.queries.properties(source, signature), self.queries.properties(target, signature));
        let is_trivial = from.is_trivial() && to.is_trivial();
        !(is_trivial || cast_between_keeps_reference(self.queries, signature, source, target))
    }
}

fn has_address_base(body: &Body, id: InstructionId) -> bool {
    body.operands(id).get(1).is_some_and(|base| body.ty(*base).is_address())
}

fn initializes(attributes: AttributeSet) -> bool {
    attributes.contains(Attribute::Init)
}

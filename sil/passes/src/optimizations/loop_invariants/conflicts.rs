//! Conflicts that prevent hoisting: loads and read-only calls against writes of the loop, and initialisers of globals.

use sil_analysis::{ApplySite, Effect, PostDominators};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::views::{CopyAddr, Store, Unary};
use sil_ir::model::{BlockId, InstructionId};

use super::contents::LoopContext;

/// The limit on compared pairs of instructions.
pub(super) const MOST_COMPARISONS: usize = 8000;

/// Returns whether one of `effects` may write to the memory that `load` reads.
pub(super) fn change_loaded(context: &LoopContext<'_, '_>, effects: &[InstructionId], load: InstructionId) -> bool {
    let address = Unary::of(context.environment.body, load).operand;
    effects.iter().any(|effect| context.aliases.may_write(*effect, address))
}

/// Returns whether one of `effects` may write to the memory that the read-only `call` reads.
pub(super) fn change_read(context: &LoopContext<'_, '_>, effects: &[InstructionId], call: InstructionId) -> bool {
    if called_effect(context, call, Retains::Observed) == MemoryBehavior::None {
        return false;
    }
    effects.iter().any(|effect| changes_read(context, *effect, call))
}

fn changes_read(context: &LoopContext<'_, '_>, effect: InstructionId, call: InstructionId) -> bool {
    use Opcode::*;
    let body = context.environment.body;
    let attributes = body.instructions[effect].attributes;
    match body.instructions[effect].opcode {
        Store if attributes.contains(Attribute::Assign) => true,
        Store => context.aliases.may_read(call, self::Store::of(body, effect).destination),
        CopyAddr if !attributes.contains(Attribute::Init) => true,
        CopyAddr => context.aliases.may_read(call, self::CopyAddr::of(body, effect).destination),
        Apply | BeginApply | TryApply => called_effect(context, effect, Retains::Ignored) > MemoryBehavior::MayRead,
        CondFail | StrongRetain | UnmanagedRetainValue | RetainValue | StrongRetainUnowned | FixLifetime | Keypath
        | DeallocStack | DeallocStackRef | DeallocRef => false,
        _ => context.effects.memory_behavior(body, effect).may_write(),
    }
}

/// Whether retains are considered as effects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Retains {
    Observed,
    Ignored,
}

/// The memory behaviour of a call. Calls that allocate or end lifetimes may have side effects.
pub(super) fn called_effect(context: &LoopContext<'_, '_>, call: InstructionId, retains: Retains) -> MemoryBehavior {
    let body = context.environment.body;
    let Some(callee) = ApplySite::new(body, call).and_then(ApplySite::callee) else {
        return MemoryBehavior::MayHaveSideEffects;
    };
    let effects = context.analyzed.effects_of_call(body, callee);
    let counts = effects.contains(Effect::Copy) && retains == Retains::Observed;
    if effects.contains(Effect::Allocate) || effects.contains(Effect::Destroy) || counts {
        return MemoryBehavior::MayHaveSideEffects;
    }
    effects.memory()
}

/// Returns whether `effect`, which precedes the global `initialization`, must stay before it.
pub(super) fn with_initialization(
    context: &LoopContext<'_, '_>,
    effect: InstructionId,
    initialization: InstructionId,
) -> bool {
    let body = context.environment.body;
    match body.instructions[effect].opcode {
        Opcode::Store => {
            let written = Store::of(body, effect).destination;
            context.aliases.memory_effect(initialization, written) != MemoryBehavior::None
        }
        Opcode::Load => context.aliases.may_write(initialization, Unary::of(body, effect).operand),
        Opcode::CondFail => false,
        _ => true,
    }
}

/// The global initialisers that run whenever the loop is entered, and that no instruction in preceding blocks keeps
/// from being hoisted.
pub(super) fn initializations_that_can_be_first(
    context: &LoopContext<'_, '_>,
    effects: &[InstructionId],
    initializations: &[InstructionId],
) -> Vec<InstructionId> {
    if initializations.is_empty() {
        return Vec::new();
    }
    let body = context.environment.body;
    let tree = PostDominators::new(body, &context.graph.cfg);
    let block = |id: InstructionId| body.instructions[id].block;
    let comes_before = |before: BlockId, after: BlockId| before != after && tree.post_dominates(after, before);
    let can_be_first = |id: &&InstructionId| {
        let conflicts = |effect: &InstructionId| {
            comes_before(block(*effect), block(**id)) && with_initialization(context, *effect, **id)
        };
        tree.post_dominates(block(**id), context.preheader) && !effects.iter().any(conflicts)
    };
    initializations.iter().filter(can_be_first).copied().collect()
}

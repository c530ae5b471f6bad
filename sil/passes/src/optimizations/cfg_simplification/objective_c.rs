//! Removes switches on optional objects if Objective-C methods are called on `some` and `none` only passes `none` on.
//! Sending a message to nil does the same (`simplifySwitchEnumOnObjcClassOptional` of
//! lib/SILOptimizer/Transforms/SimplifyCFG.cpp). Small blocks with a release after such calls are duplicated, so that
//! the release may pair with a retain (`tailDuplicateObjCMethodCallSuccessorBlocks`).

use sil_analysis::ApplySite;
use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Br, Enum, SwitchEnum};
use sil_ir::model::{BlockId, InstructionId, Place, Value};

use super::CfgSimplifier;

/// The budget for a duplicated block after a call.
const BUDGET_BEHIND_CALLS: i32 = 12;

impl CfgSimplifier<'_> {
    /// Duplicates the successors of blocks that call Objective-C methods, if they are small and contain a release.
    /// Returns whether there were any.
    pub(super) fn copy_after_calls(&mut self) -> bool {
        if self.simplifier.editor.has_ownership() {
            return false;
        }
        let after = |block: BlockId| Some((block, self.block_after_call(block)?));
        let wanted = |(_, target): &(BlockId, BlockId)| !self.headers.contains(target) && self.is_worth_a_copy(*target);
        let found: Vec<(BlockId, BlockId)> = self.simplifier.order.iter().filter_map(after).filter(wanted).collect();
        let mut is_changed = false;
        for (block, target) in found {
            if let Some(copy) = self.copy_on_path(block, target, None) {
                self.worklist.push(copy);
                self.push_targets(copy);
                is_changed = true;
            }
        }
        is_changed
    }

    /// The branch target of a block that calls an Objective-C method.
    fn block_after_call(&self, block: BlockId) -> Option<BlockId> {
        let jump = self.end_of_kind(block, |opcode| opcode == Opcode::Br)?;
        let is_method_call = |id: InstructionId| {
            let callee = self.body().operands(id).first().and_then(|callee| self.body().defining(*callee));
            self.body().instructions[id].opcode == Opcode::Apply
                && callee.is_some_and(|callee| self.body().instructions[callee].opcode == Opcode::ObjCMethod)
        };
        self.body().instructions_in(block).any(is_method_call).then(|| Br::of(self.body(), jump).target)
    }

    /// Returns whether a block with several predecessors is small, contains a release, calls nothing and does not leave
    /// the function.
    fn is_worth_a_copy(&self, block: BlockId) -> bool {
        use Opcode::{ReleaseValue, Return, StrongRelease, Throw, ThrowAddr, Unwind};
        let leaves = matches!(self.opcode_at_end(block), Some(Return | Throw | ThrowAddr | Unwind));
        let calls = |id: InstructionId| ApplySite::new(self.body(), id).is_some_and(|site| site.kind.is_full());
        let releases = |id: InstructionId| matches!(self.body().instructions[id].opcode, ReleaseValue | StrongRelease);
        !leaves
            && self.simplifier.editor.single_predecessor(block).is_none()
            && self.body().instructions_in(block).any(releases)
            && !self.body().instructions_in(block).any(calls)
            && self.cost_of_copy(block, BUDGET_BEHIND_CALLS).is_some()
    }

    /// Replaces a switch on an optional object with a branch to the block that calls methods on it.
    pub(super) fn call_without_switch(&mut self, switch: InstructionId) -> Option<()> {
        let queries = self.environment().queries;
        let SwitchEnum { operand, targets, cases } = SwitchEnum::of(self.body(), switch);
        let ty = self.body().ty(operand).ty;
        let object = queries.optional_object(ty).filter(|object| queries.is_class(*object))?;
        let (&[one, other], [first, _]) = (targets, &*cases.members) else { return None };
        let is_first = queries.enum_payload_type(ty, *first).is_some();
        let (some, none) = if is_first { (one, other) } else { (other, one) };
        if some == none || !self.meets(none, some) || self.passes_none_on(none, some, operand).is_none() {
            return None;
        }
        let payload = self.payload_of_calls(operand, some)?;
        let before = self.body().instructions[switch].block;
        let editor = &mut self.simplifier.editor;
        let cast = editor.build(Place::Before(switch), switch, |builder| {
            builder.unchecked_ref_cast(operand, SilType::object(object))
        });
        editor.replace_all(payload, cast);
        for argument in editor.body().blocks[some].arguments.clone() {
            editor.replace_all(argument, cast);
            editor.remove_argument(some, 0);
        }
        editor.build(Place::Before(switch), switch, |builder| builder.branch(some, &[]));
        editor.erase(switch);
        editor.forget_ownership();
        self.worklist.push(before);
        self.push_with_predecessors(none);
        self.worklist.push(some);
        Some(())
    }

    /// The only successor of a block.
    fn only_target(&self, block: BlockId) -> Option<BlockId> {
        let end = self.body().terminator(block)?;
        match self.body().targets(end) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns whether the successor of `some` is reached from `none` by unconditional branches.
    fn meets(&self, none: BlockId, some: BlockId) -> bool {
        let (Some(end), Some(mut next)) = (self.only_target(some), self.only_target(none)) else { return false };
        if end == some || next == none {
            return false;
        }
        let mut seen = vec![next];
        while next != end {
            let Some(target) = self.only_target(next).filter(|target| !seen.contains(target)) else { return false };
            seen.push(target);
            next = target;
        }
        true
    }

    /// Returns whether an instruction only changes reference counts or is a debug instruction.
    fn only_counts(&self, id: InstructionId) -> bool {
        use Opcode::*;
        matches!(
            self.body().instructions[id].opcode,
            CopyValue
                | DestroyValue
                | AutoreleaseValue
                | ReleaseValue
                | RetainValue
                | StrongRelease
                | StrongRetain
                | UnownedRetain
                | UnownedRelease
                | StrongRetainUnowned
                | StrongCopyUnownedValue
                | StrongCopyUnmanagedValue
                | DebugValue
                | DebugStep
        )
    }

    /// Checks that the path from `none` only passes `none` to the successor of `some`.
    fn passes_none_on(&self, none: BlockId, some: BlockId, optional: Value) -> Option<()> {
        let is_jump = |id: InstructionId| self.body().instructions[id].opcode == Opcode::Br;
        let (mut block, end) = (none, self.only_target(some));
        while self.only_target(block) != end {
            if !self.body().instructions_in(block).all(|id| is_jump(id) || self.only_counts(id)) {
                return None;
            }
            block = self.only_target(block)?;
        }
        let mut absent = None;
        for id in self.body().instructions_in(block).filter(|id| !self.only_counts(*id)) {
            match self.body().instructions[id].opcode {
                Opcode::Enum if Enum::of(self.body(), id).payload.is_none() => absent = self.body().result(id),
                Opcode::Br => match Br::of(self.body(), id).arguments {
                    [] => {}
                    [only] if *only == optional || Some(*only) == absent => {}
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(())
    }

    /// The payload that methods are called on in `block`, if the block only calls methods on it and on their results.
    fn payload_of_calls(&self, optional: Value, block: BlockId) -> Option<Value> {
        let body = self.body();
        let mut payload = body.blocks[block].arguments.first().copied();
        let mut objects: Vec<Value> = payload.into_iter().collect();
        let mut results: Vec<Value> = Vec::new();
        for id in body.instructions_in(block).filter(|id| !self.only_counts(*id)) {
            let operand = body.operands(id).first().copied();
            match body.instructions[id].opcode {
                Opcode::ObjCMethod => {}
                Opcode::UncheckedEnumData if operand == Some(optional) => {
                    payload = body.result(id);
                    objects.extend(payload);
                }
                Opcode::UncheckedEnumData => {}
                Opcode::UncheckedRefCast => {
                    let is_class = |cast: &Value| self.environment().queries.is_class(body.ty(*cast).ty);
                    let is_result = operand.is_some_and(|operand| results.contains(&operand));
                    objects.extend(body.result(id).filter(|cast| is_result && is_class(cast)));
                }
                Opcode::Apply => {
                    let method = operand.and_then(|callee| body.defining(callee))?;
                    let is_method = body.instructions[method].opcode == Opcode::ObjCMethod;
                    let receiver = body.operands(id)[1..].last()?;
                    if !is_method || !objects.contains(receiver) {
                        return None;
                    }
                    results.extend(body.result(id));
                }
                Opcode::Br => match Br::of(body, id).arguments {
                    [] => {}
                    [only] if results.contains(only) => {}
                    _ => return None,
                },
                _ => return None,
            }
        }
        payload
    }
}

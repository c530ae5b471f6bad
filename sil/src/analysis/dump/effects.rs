//! What instructions do to memory, as text.

use super::Dumper;
use crate::analysis::InstructionEffects;
use crate::instructions::MemoryBehavior;

impl Dumper<'_, '_> {
    pub(super) fn memory_behavior(&mut self) {
        let effects = InstructionEffects::new(self.module, self.queries);
        for id in self.instructions() {
            let behavior = effects.memory_behavior(self.body, id);
            let text = self.text.instruction(id);
            self.line(format_args!("  {text}: {}", behavior_name(behavior)));
        }
    }

    pub(super) fn side_effects(&mut self) {
        let effects = InstructionEffects::new(self.module, self.queries);
        let signature = self.function.signature;
        for id in self.instructions() {
            let traps = effects.may_trap(self.body, id);
            let releases = effects.may_release(self.body, signature, id);
            if effects.may_have_side_effects(self.body, id) {
                let traps = if traps { ", may trap" } else { "" };
                let releases = if releases { ", may release" } else { "" };
                let text = self.text.instruction(id);
                self.line(format_args!("  {text}: side effects{traps}{releases}"));
            }
        }
    }
}

fn behavior_name(behavior: MemoryBehavior) -> &'static str {
    match behavior {
        MemoryBehavior::None => "None",
        MemoryBehavior::MayRead => "MayRead",
        MemoryBehavior::MayWrite => "MayWrite",
        MemoryBehavior::MayReadWrite => "MayReadWrite",
        MemoryBehavior::MayHaveSideEffects => "MayHaveSideEffects",
    }
}

//! The effects of instructions on memory, as text.

use sil_analysis::{AliasAnalysis, InstructionEffects};
use sil_ir::instructions::{MemoryBehavior, Opcode};

use super::Dumper;

impl Dumper<'_, '_> {
    pub(super) fn memory_behavior(&mut self) {
        let effects = InstructionEffects::new(self.module, self.queries);
        let (view, addresses) = (self.view(), self.addresses());
        let alias = AliasAnalysis::new(self.analyzed, &view);
        for id in self.instructions() {
            let behavior = effects.memory_behavior(self.body, id);
            let text = self.text.instruction(id);
            self.line(format_args!("  {text}: {}", behavior_name(behavior)));
            if behavior == MemoryBehavior::None && !has_effect_on_addresses(self.body.instructions[id].opcode) {
                continue;
            }
            for address in addresses.iter().filter(|address| self.body.defining(**address) != Some(id)) {
                let behavior = alias.access_effect_on(id, *address);
                let definition = self.text.definition(*address);
                self.line(format_args!("    {}: {definition}", behavior_name(behavior)));
            }
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

/// Whether an instruction without an effect on memory of its own still orders accesses to the memory at an address.
fn has_effect_on_addresses(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::MarkDependence | Opcode::DebugValue | Opcode::EndBorrow | Opcode::BeginAccess | Opcode::EndAccess
    )
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

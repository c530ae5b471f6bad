//! Removes stack memory that is only copied to, together with the copies (`AllocStackAnalyzer` of
//! lib/SILOptimizer/SILCombiner/SILCombinerMiscVisitors.cpp).

use sil_analysis::Worklist;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::Copyability;

use super::Simplifier;
use crate::editing::deleter::names_nothing;

impl Simplifier<'_> {
    /// Removes stack memory that is never read. Sources that are moved to it are destroyed instead.
    pub(super) fn remove_unread_memory(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let memory = body.result(id)?;
        // The destruction of a noncopyable value may run a deinit, which must not run if the value was discarded.
        let environment = self.editor.environment;
        let properties = environment.queries.properties(body.ty(memory).ty, environment.function.signature);
        if properties.copyability == Copyability::Noncopyable {
            return None;
        }
        let users = self.users_that_read_nothing(memory)?;
        let moved: Vec<InstructionId> = users.iter().copied().filter(|user| self.moves(*user)).collect();
        // If a reference is retained after the copy, the memory may have kept its object alive until then.
        if moved.iter().any(|copy| self.retains_before_end(*copy, memory)) {
            return None;
        }
        for copy in moved {
            let source = CopyAddr::of(self.editor.body(), copy).source;
            if !self.editor.is_trivial(self.editor.body().ty(source).object_type()) {
                self.editor.build(Place::Before(copy), copy, |builder| {
                    builder.destroy_addr(source);
                });
            }
        }
        users.into_iter().rev().for_each(|user| self.editor.erase(user));
        self.editor.erase(id);
        Some(())
    }

    /// The users of memory and of existentials opened in it, users first. `None` if one of them reads it.
    fn users_that_read_nothing(&self, memory: Value) -> Option<Vec<InstructionId>> {
        use Opcode::{
            CopyAddr as Copy, DeallocStack, DebugValue, DeinitExistentialAddr, DestroyAddr, OpenExistentialAddr,
        };
        let body = self.editor.body();
        let mut users = Vec::new();
        for found in self.editor.uses(memory) {
            match self.editor.opcode(found.user) {
                DestroyAddr | DeinitExistentialAddr | DeallocStack | DebugValue => users.push(found.user),
                Copy if found.operand == 1 && CopyAddr::of(body, found.user).source != memory => {
                    users.push(found.user);
                }
                // Types may refer to an opened archetype.
                OpenExistentialAddr if names_nothing(&self.editor, found.user) => {
                    let inside = self.editor.uses(body.result(found.user)?);
                    let is_unread =
                        inside.iter().all(|inner| matches!(self.editor.opcode(inner.user), DestroyAddr | DebugValue));
                    is_unread.then_some(())?;
                    users.push(found.user);
                    users.extend(inside.into_iter().map(|inner| inner.user));
                }
                _ => return None,
            }
        }
        Some(users)
    }

    fn moves(&self, id: InstructionId) -> bool {
        let attributes = self.editor.body().instructions[id].attributes;
        self.editor.opcode(id) == Opcode::CopyAddr && attributes.contains(Attribute::Take)
    }

    /// Returns whether a reference may be retained between a copy and the end of the memory that it initialises.
    fn retains_before_end(&self, copy: InstructionId, memory: Value) -> bool {
        let body = self.editor.body();
        let mut open = Worklist::new([copy]);
        while let Some(start) = open.pop() {
            for id in std::iter::successors(Some(start), |id| body.next(*id)) {
                let is_end = || self.editor.operand(id, 0) == Some(memory);
                match self.editor.opcode(id) {
                    Opcode::RetainValue | Opcode::StrongRetain => return true,
                    Opcode::DeallocStack | Opcode::DestroyAddr if is_end() => break,
                    _ => {}
                }
                let targets = body.targets(id).iter();
                open.extend(targets.filter_map(|target| body.first_instruction(*target)));
            }
        }
        false
    }
}

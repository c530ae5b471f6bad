//! Computes which dynamic accesses may be nested in another access, and which may contain a nested read.

use rustc_hash::{FxHashMap, FxHashSet};

use sil_analysis::{AccessKind, AccessStorage, BodyView, NestedAccess};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, InstructionId, views};

/// Facts about a dynamic access.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccessFacts {
    pub(super) storage: AccessStorage,
    /// Whether the access may be nested in another access of the same storage, static or dynamic, or in the access of a
    /// coroutine.
    pub(super) is_inner: bool,
    /// Whether the access is a read and may contain another read of the storage.
    pub(super) contains_read: bool,
}

/// The accesses in progress at a point.
#[derive(Clone, Default)]
struct Open {
    accesses: FxHashSet<InstructionId>,
    coroutines: FxHashSet<InstructionId>,
}

/// The dynamic accesses of identified storage. `None` if an access begins and ends in different functions.
pub(super) fn accesses(view: &BodyView<'_>) -> Option<FxHashMap<InstructionId, AccessFacts>> {
    let mut analysis = Analysis { view, facts: FxHashMap::default() };
    let mut states: FxHashMap<BlockId, Open> = FxHashMap::default();
    // The accesses in progress at the start of a block are the same on all incoming edges, including back edges.
    for block in view.cfg.reverse_post_order() {
        let mut open = states.remove(block).unwrap_or_default();
        for id in view.body.instructions_in(*block) {
            analysis.instruction(id, &mut open)?;
        }
        let successors = view.body.terminator(*block).map(|end| view.body.targets(end)).unwrap_or_default();
        for successor in successors.iter().filter(|successor| *successor != block) {
            states.entry(*successor).or_insert_with(|| open.clone());
        }
    }
    Some(analysis.facts)
}

struct Analysis<'v, 'm> {
    view: &'v BodyView<'m>,
    facts: FxHashMap<InstructionId, AccessFacts>,
}

impl Analysis<'_, '_> {
    fn instruction(&mut self, id: InstructionId, open: &mut Open) -> Option<()> {
        let operand_definition = || self.view.body.defining(views::Unary::of(self.view.body, id).operand);
        match self.view.opcode(id) {
            Opcode::BeginAccess => self.begin(id, open),
            Opcode::EndAccess => {
                open.accesses.remove(&operand_definition()?);
            }
            Opcode::BeginApply => {
                open.coroutines.insert(id);
            }
            Opcode::EndApply | Opcode::AbortApply => {
                open.coroutines.remove(&operand_definition()?);
            }
            // The callee may read any storage.
            Opcode::Apply | Opcode::TryApply => {
                for outer in &open.accesses {
                    if let Some(facts) = self.facts.get_mut(outer) {
                        facts.contains_read = true;
                    }
                }
            }
            Opcode::BeginUnpairedAccess => return None,
            _ => {}
        }
        Some(())
    }

    fn begin(&mut self, id: InstructionId, open: &mut Open) {
        let body = self.view.body;
        let source = views::Unary::of(body, id).operand;
        let is_dynamic = body.instructions[id].attributes.contains(Attribute::Dynamic);
        let storage = AccessStorage::of(self.view, source, NestedAccess::Ignore).filter(|_| is_dynamic);
        let mut is_inner = !open.coroutines.is_empty();
        for outer in &open.accesses {
            let around = self.facts.get_mut(outer);
            if let (Some(storage), Some(around)) = (storage, &around)
                && storage.is_distinct(self.view, around.storage)
            {
                continue;
            }
            is_inner = true;
            let is_read = |id| AccessKind::of(body, id) == AccessKind::Read;
            if let Some(around) = around
                && is_read(id)
                && is_read(*outer)
            {
                around.contains_read = true;
            }
        }
        open.accesses.insert(id);
        if let Some(storage) = storage {
            self.facts.insert(id, AccessFacts { storage, is_inner, contains_read: false });
        }
    }
}

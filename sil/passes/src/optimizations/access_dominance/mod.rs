//! Removes dynamic exclusivity checks that an earlier check of the same storage dominates. Follows
//! lib/SILOptimizer/Transforms/AccessEnforcementDom.cpp. In a loop, a single check in the preheader replaces the check
//! of each iteration.
//!
//! An access becomes static only if no conflicting access can be in progress. `nesting` computes that.

mod nesting;

use rustc_hash::FxHashMap;
use sil_analysis::{AccessKind, AccessStorage, BodyView, Dominators, LoopNest};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, InstructionId, Place, Value, views};

use self::nesting::{AccessFacts, accesses};
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const DOMINATED_ACCESS_REMOVAL: Pass = Pass::new(&Description {
    name: "access-enforcement-dom",
    class_name: "AccessEnforcementDom",
    summary: "Removes access checks that an earlier check of the same storage dominates.",
    gates: Gates::OPEN,
    runner: Runner::Function(remove_dominated),
});

/// Removes the dynamic checks that dominating checks make redundant.
pub(crate) fn remove_dominated(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function: _, body, .. } = environment;
    if !body.placed_instructions().any(|id| body.instructions[id].opcode == Opcode::BeginAccess) {
        return Ok(None);
    }
    let view = environment.view();
    let Some(facts) = accesses(&view) else { return Ok(None) };
    let dominators = Dominators::new(body, &view.cfg);
    let loops = LoopNest::new(body, &view.cfg, &dominators);
    let mut removal = Removal {
        view: &view,
        dominators,
        loops,
        facts,
        checked: FxHashMap::default(),
        editor: Editor::new(environment),
    };
    for block in removal.dominator_tree() {
        for id in body.instructions_in(block).filter(|id| view.opcode(*id) == Opcode::BeginAccess) {
            removal.visit(id);
        }
    }
    Ok(removal.editor.finish())
}

/// A dynamically checked access.
#[derive(Clone, Copy)]
struct Checked {
    begin: InstructionId,
    block: BlockId,
}

struct Removal<'v, 'm> {
    view: &'v BodyView<'m>,
    dominators: Dominators,
    loops: LoopNest,
    facts: FxHashMap<InstructionId, AccessFacts>,
    /// The last checked access of each storage that dominates the current instruction.
    checked: FxHashMap<AccessStorage, Checked>,
    editor: Editor<'m>,
}

impl Removal<'_, '_> {
    /// The blocks in pre-order of the dominator tree.
    fn dominator_tree(&self) -> Vec<BlockId> {
        let mut children: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
        for block in self.view.cfg.reverse_post_order() {
            if let Some(parent) = self.dominators.immediate_dominator(*block) {
                children.entry(parent).or_default().push(*block);
            }
        }
        let mut order = Vec::new();
        let mut open = vec![self.view.body.entry()];
        while let Some(block) = open.pop() {
            order.push(block);
            open.extend(children.remove(&block).unwrap_or_default().into_iter().rev());
        }
        order
    }

    fn visit(&mut self, begin: InstructionId) {
        let is_dynamic = self.view.body.instructions[begin].attributes.contains(Attribute::Dynamic);
        let Some(facts) = self.facts.get(&begin).copied().filter(|_| is_dynamic) else { return };
        let is_identifiable =
            facts.storage.is_uniquely_identified(self.view) || matches!(facts.storage, AccessStorage::Class { .. });
        if is_identifiable && self.is_dominated(begin, facts) {
            return;
        }
        self.check_before_loop(begin, facts, is_identifiable);
    }

    /// Returns whether an earlier check of the same storage dominates the access. Makes the access static if it may be.
    fn is_dominated(&mut self, begin: InstructionId, facts: AccessFacts) -> bool {
        let block = self.view.body.instructions[begin].block;
        let own = Checked { begin, block };
        let Some(before) = self.checked.get(&facts.storage).copied() else {
            self.checked.insert(facts.storage, own);
            return false;
        };
        if !self.dominators.dominates(before.block, block) {
            self.checked.insert(facts.storage, own);
            return false;
        }
        if facts.is_inner || !self.has_no_nested_conflict(begin) {
            return false;
        }
        let kind = |id| AccessKind::of(self.editor.body(), id);
        if kind(before.begin) == AccessKind::Read && kind(begin) == AccessKind::Modify {
            // A check for modification fails if a read is in progress inside the access.
            let outer = self.facts.get(&before.begin);
            if outer.is_some_and(|outer| outer.contains_read || outer.is_inner) {
                return false;
            }
            self.editor.edit_attributes(before.begin, |attributes| {
                attributes.remove(Attribute::Read);
                attributes.insert(Attribute::Modify);
            });
        }
        self.make_static(begin);
        true
    }

    /// Replaces the check of an access in a loop with one check in the preheader.
    fn check_before_loop(&mut self, begin: InstructionId, facts: AccessFacts, is_identifiable: bool) {
        if facts.is_inner || !self.has_no_nested_conflict(begin) {
            return;
        }
        let body = self.view.body;
        let source = views::Unary::of(body, begin).operand;
        let around = self.loops.innermost(body.instructions[begin].block);
        let Some(preheader) = around.and_then(|id| self.loops.preheader(body, &self.view.cfg, id)) else { return };
        let Some(terminator) = body.terminator(preheader) else { return };
        if !self.dominators.value_dominates(body, source, terminator) {
            return;
        }
        let Some(made) = self.insert_access(terminator, begin, source) else { return };
        self.make_static(begin);
        if !is_identifiable {
            return;
        }
        self.facts.insert(made, AccessFacts { storage: facts.storage, is_inner: false, contains_read: false });
        let new = Checked { begin: made, block: preheader };
        let known = self.checked.entry(facts.storage).or_insert(new);
        if known.begin == begin {
            *known = new;
        }
    }

    /// Inserts an access like `like` that ends at once. Returns its `begin_access`.
    fn insert_access(
        &mut self,
        terminator: InstructionId,
        like: InstructionId,
        source: Value,
    ) -> Option<InstructionId> {
        let body = self.editor.body();
        let attributes = body.instructions[like].attributes;
        let access = self.editor.build(Place::Before(terminator), terminator, |builder| {
            let access = builder.with(attributes).begin_access(source);
            builder.end_access(access);
            access
        });
        self.editor.body().defining(access)
    }

    fn has_no_nested_conflict(&self, begin: InstructionId) -> bool {
        self.view.body.instructions[begin].attributes.contains(Attribute::NoNestedConflict)
    }

    fn make_static(&mut self, begin: InstructionId) {
        self.editor.edit_attributes(begin, |attributes| {
            attributes.remove(Attribute::Dynamic);
            attributes.insert(Attribute::Static);
        });
    }
}

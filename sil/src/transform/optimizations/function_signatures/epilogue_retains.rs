//! The retains of its result with which a function ends, on each way to where it returns (lib/SILOptimizer/Analysis/EpilogueARCAnalysis.cpp). A call of
//! the function itself that gives the result counts as one: it retains what it gives.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

use crate::analysis::{ApplySite, ControlFlowGraph, InstructionEffects};
use crate::instructions::Opcode;
use crate::model::views::Unary;
use crate::model::{BlockId, Body, Definition, Details, InstructionId, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::editing::reference_identity::identity_root;
use crate::transform::pipeline::Environment;

/// The last retains of the result on all ways; none where there is a way without one.
pub(super) fn epilogue_retains(editor: &Editor<'_>) -> Vec<InstructionId> {
    let body = editor.body();
    let is_return = |id: &InstructionId| editor.opcode(*id) == Opcode::Return;
    let Some(end) = body.blocks.keys().filter_map(|block| body.terminator(block)).find(is_return) else {
        return Vec::new();
    };
    let cfg = ControlFlowGraph::new(body);
    let returned = Unary::of(body, end).operand;
    let mut search = Search { editor, cfg: &cfg, returned, local: SecondaryMap::new(), open: SecondaryMap::new() };
    search.follow_arguments();
    if search.converge().is_none() { Vec::new() } else { search.collect().unwrap_or_default() }
}

struct Search<'e, 'm> {
    editor: &'e Editor<'m>,
    cfg: &'e ControlFlowGraph,
    returned: Value,
    /// What a block passes on for the result, where ways with several join.
    local: SecondaryMap<BlockId, Option<Value>>,
    /// The blocks from whose start on nothing has been found: those of `Some(false)` have something behind.
    open: SecondaryMap<BlockId, Option<bool>>,
}

/// What an instruction means, seen from the end.
enum Found {
    Retain,
    Obstacle,
    Nothing,
}

impl Search<'_, '_> {
    fn body(&self) -> &Body {
        self.editor.body()
    }

    /// Finds out what each way brings for the result.
    fn follow_arguments(&mut self) {
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut values = vec![self.returned];
        while let Some(value) = values.pop() {
            let Definition::Argument { block, index } = self.body().values[value].definition else { continue };
            if block == self.body().entry() || !seen.insert(value) {
                continue;
            }
            for from in self.cfg.predecessors(block) {
                if let Some(incoming) = self.incoming(*from, block, index as usize) {
                    self.local[*from] = Some(incoming);
                    values.push(incoming);
                }
            }
        }
    }

    fn incoming(&self, from: BlockId, to: BlockId, index: usize) -> Option<Value> {
        let end = self.body().terminator(from)?;
        match self.editor.opcode(end) {
            Opcode::Br => self.body().operands(end).get(index).copied(),
            Opcode::CondBr => {
                let Details::CondBranch { true_arguments, .. } = self.body().instructions[end].details else {
                    return None;
                };
                let is_true = self.body().targets(end).first() == Some(&to);
                let first = if is_true { 1 } else { 1 + true_arguments as usize };
                self.body().operands(end).get(first + index).copied()
            }
            _ => None,
        }
    }

    /// Whether nothing has been found from the end of `block` on.
    fn is_open_behind(&self, block: BlockId) -> bool {
        let end = self.body().terminator(block);
        match end.map(|end| (end, self.body().targets(end))) {
            Some((end, [])) => self.editor.opcode(end) == Opcode::Return,
            Some((_, targets)) => targets.iter().all(|target| self.is_open(*target)),
            None => false,
        }
    }

    fn is_open(&self, block: BlockId) -> bool {
        self.open[block].unwrap_or(true)
    }

    /// Finds the blocks from whose start on nothing is found, until nothing changes. None where something comes before a retain.
    fn converge(&mut self) -> Option<()> {
        loop {
            let mut is_changed = false;
            for block in self.cfg.reverse_post_order().iter().rev() {
                let mut is_open = self.is_open_behind(*block);
                if is_open {
                    match self.last(*block) {
                        Some((_, Found::Obstacle)) => return None,
                        Some(_) => is_open = false,
                        None => {}
                    }
                }
                is_changed |= self.is_open(*block) != is_open;
                self.open[*block] = Some(is_open);
            }
            if !is_changed {
                return Some(());
            }
        }
    }

    /// The retains. None where only some of the ways that leave a block have one.
    fn collect(&self) -> Option<Vec<InstructionId>> {
        let mut retains = Vec::new();
        for block in self.cfg.reverse_post_order().iter().rev() {
            let end = self.body().terminator(*block)?;
            let mut behind = self.body().targets(end).iter().map(|target| self.is_open(*target));
            if let Some(first) = behind.next()
                && behind.any(|other| other != first)
            {
                return None;
            }
            if self.is_open_behind(*block)
                && let Some((id, Found::Retain)) = self.last(*block)
            {
                retains.push(id);
            }
        }
        Some(retains)
    }

    /// What is found first from the end of `block`.
    fn last(&self, block: BlockId) -> Option<(InstructionId, Found)> {
        let instructions: Vec<InstructionId> = self.body().instructions_in(block).collect();
        instructions.into_iter().rev().find_map(|id| match self.found(block, id) {
            Found::Nothing => None,
            found => Some((id, found)),
        })
    }

    fn found(&self, block: BlockId, id: InstructionId) -> Found {
        let Environment { module, queries, function, .. } = self.editor.environment;
        let is_result = |value: Value| {
            let local = self.local[block].unwrap_or(self.returned);
            identity_root(self.editor, value) == identity_root(self.editor, local)
        };
        let opcode = self.editor.opcode(id);
        let calls_itself = opcode == Opcode::Apply
            && ApplySite::new(self.body(), id).and_then(ApplySite::called_function) == Some(function.name);
        if calls_itself {
            return if self.body().result(id).is_some_and(is_result) { Found::Retain } else { Found::Obstacle };
        }
        if matches!(opcode, Opcode::RetainValue | Opcode::StrongRetain) {
            return if is_result(Unary::of(self.body(), id).operand) { Found::Retain } else { Found::Nothing };
        }
        let effects = InstructionEffects::new(module, queries);
        match effects.may_release(self.body(), function.signature, id) {
            true => Found::Obstacle,
            false => Found::Nothing,
        }
    }
}

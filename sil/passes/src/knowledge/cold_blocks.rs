//! Cold blocks: those on the unlikely side of hints (`_slowPath`), and blocks that lead only to cold blocks
//! (lib/SILOptimizer/Analysis/ColdBlockInfo.cpp). Profiles are not read.

use cranelift_entity::SecondaryMap;

use sil_analysis::{ApplySite, ControlFlowGraph, Dominators, PostDominators};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic};
use sil_ir::model::{BlockId, Body, Definition, Details, FunctionAttribute, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;

/// The known temperature of a block.
#[derive(Clone, Copy, Default)]
struct Temperature {
    warm: bool,
    cold: bool,
}

/// The cold blocks of a body.
#[derive(Default)]
pub(crate) struct ColdBlocks {
    blocks: SecondaryMap<BlockId, Temperature>,
}

/// The depth to which values are followed through block arguments.
const DEPTH: usize = 3;

impl ColdBlocks {
    /// Finds the cold blocks of `body`.
    pub(crate) fn new(
        module: &Module,
        queries: &TypeQueries<'_>,
        body: &Body,
        cfg: &ControlFlowGraph,
        dominators: &Dominators,
    ) -> Self {
        let mut finder = Finder { module, queries, body, cfg, found: Self::default() };
        let is_hinted = finder.follow_hints();
        if is_hinted {
            finder.spread(dominators, &PostDominators::new(body, cfg));
            finder.propagate_back();
        }
        finder.found
    }

    /// Returns whether `block` is cold.
    pub(crate) fn contain(&self, block: BlockId) -> bool {
        let Temperature { warm, cold } = self.blocks[block];
        cold && !warm
    }

    fn make_cold(&mut self, block: BlockId) {
        self.blocks[block] = Temperature { warm: false, cold: true };
    }
}

struct Finder<'f> {
    module: &'f Module,
    queries: &'f TypeQueries<'f>,
    body: &'f Body,
    cfg: &'f ControlFlowGraph,
    found: ColdBlocks,
}

impl Finder<'_> {
    /// Marks the targets of branches on hinted conditions. Returns whether there are any.
    fn follow_hints(&mut self) -> bool {
        let mut is_hinted = false;
        for branch in self.branches() {
            let condition = self.condition(branch).and_then(|condition| self.hinted(condition));
            if let Some(expected) = condition {
                is_hinted |= self.expect(branch, expected);
            }
        }
        is_hinted
    }

    fn branches(&self) -> Vec<InstructionId> {
        let terminators = self.body.blocks.keys().filter_map(|block| self.body.terminator(block));
        terminators.filter(|id| self.body.instructions[*id].opcode == Opcode::CondBr).collect()
    }

    /// Returns the condition of a branch, looking through the struct that it is extracted from.
    fn condition(&self, branch: InstructionId) -> Option<Value> {
        self.body.operands(branch).first().map(|value| self.without_struct(*value))
    }

    fn without_struct(&self, value: Value) -> Value {
        let made = |value, opcode| self.body.defining(value).filter(|id| self.body.instructions[*id].opcode == opcode);
        let Some(extract) = made(value, Opcode::StructExtract) else { return value };
        let whole = self.body.operands(extract)[0];
        match made(whole, Opcode::Struct).map(|id| self.body.operands(id)) {
            Some([only]) => *only,
            _ => whole,
        }
    }

    fn integer(&self, value: Value) -> Option<bool> {
        match self.body.instructions[self.body.defining(value)?].details {
            Details::Integer(integer) => Some(integer != 0),
            _ => None,
        }
    }

    fn hinted(&self, condition: Value) -> Option<bool> {
        let id = self.body.defining(condition)?;
        match &self.body.instructions[id].details {
            Details::Builtin(builtin) => {
                let kind = builtin.kind();
                let expected =
                    self.body.operands(id).get(1).filter(|_| kind == Some(BuiltinKind::Intrinsic(Intrinsic::Expect)));
                self.integer(self.without_struct(*expected?))
            }
            Details::Apply(_) => {
                let name = ApplySite::new(self.body, id)?.called_function()?;
                let function = &self.module.functions[self.module.function_named(name)?];
                function.attributes.iter().find_map(|attribute| match attribute {
                    FunctionAttribute::Semantics(name) => match self.queries.context.text(*name) {
                        "fastpath" => Some(true),
                        "slowpath" => Some(false),
                        _ => None,
                    },
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Records the expected target of a branch, unless a target has another predecessor.
    fn expect(&mut self, branch: InstructionId, expected: bool) -> bool {
        let [first, second] = *self.body.targets(branch) else { return false };
        if [first, second].iter().any(|target| self.cfg.predecessors(*target).len() != 1) {
            return false;
        }
        let (warm, cold) = if expected { (first, second) } else { (second, first) };
        self.found.blocks[warm].warm = true;
        self.found.blocks[cold].cold = true;
        true
    }

    /// Spreads coldness to blocks that a cold block dominates, and to those that it post-dominates.
    fn spread(&mut self, dominators: &Dominators, post_dominators: &PostDominators) {
        for block in self.body.blocks.keys() {
            if self.found.contain(block) {
                let dominated = self.body.blocks.keys().filter(|other| dominators.dominates(block, *other));
                dominated.for_each(|dominated| self.found.make_cold(dominated));
                continue;
            }
            let mut chain = vec![block];
            let mut current = block;
            while let Some(next) = post_dominators.immediate_post_dominator(current) {
                if self.found.contain(next) {
                    chain.iter().for_each(|block| self.found.make_cold(*block));
                    break;
                }
                chain.push(next);
                current = next;
            }
        }
    }

    /// Spreads coldness to predecessors that lead only to cold blocks. Also revisits branches on block arguments, as
    /// incoming values from cold blocks can be ignored now.
    fn propagate_back(&mut self) {
        let hinted: Vec<InstructionId> = (self.branches().into_iter())
            .filter(|branch| self.condition(*branch).and_then(|condition| self.hinted(condition)).is_some())
            .collect();
        let order: Vec<BlockId> = self.cfg.reverse_post_order().iter().rev().copied().collect();
        let (mut is_first, mut changed) = (true, true);
        while std::mem::take(&mut changed) {
            for block in &order {
                let Some(terminator) = self.body.terminator(*block) else { continue };
                let is_branch = self.body.instructions[terminator].opcode == Opcode::CondBr;
                if is_first && is_branch && !hinted.contains(&terminator) {
                    let condition = self.condition(terminator).and_then(|condition| self.arriving(condition, 0));
                    changed |= condition.is_some_and(|expected| self.expect(terminator, expected));
                }
                let targets = self.body.targets(terminator);
                let leads_to_cold = !targets.is_empty() && targets.iter().all(|target| self.found.contain(*target));
                if leads_to_cold && !self.found.contain(*block) {
                    self.found.make_cold(*block);
                    changed = true;
                }
            }
            is_first = false;
        }
    }

    /// Returns the value that arrives at a block argument from all predecessors that are not cold.
    fn arriving(&self, value: Value, depth: usize) -> Option<bool> {
        let Definition::Argument { block, index } = self.body.values[value].definition else { return None };
        if depth > DEPTH || block == self.body.entry() {
            return None;
        }
        let mut expected = None;
        for from in self.cfg.predecessors(block) {
            let branch = self.body.terminator(*from)?;
            if self.body.instructions[branch].opcode != Opcode::Br {
                return None;
            }
            if self.found.contain(*from) {
                continue;
            }
            let passed = *self.body.operands(branch).get(index as usize)?;
            let arriving = self.integer(passed).or_else(|| self.arriving(passed, depth + 1))?;
            if *expected.get_or_insert(arriving) != arriving {
                return None;
            }
        }
        expected
    }
}

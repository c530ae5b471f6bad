//! The numbers that values, instructions and blocks have in a body's text, as Swift counts them: in the order of the
//! body, where an instruction without results takes a number too.

use cranelift_entity::SecondaryMap;

use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Body, InstructionId, Value};

/// The numbers of a body. A change of the body makes them stale.
#[derive(Clone)]
pub(super) struct Numbering {
    values: SecondaryMap<Value, u32>,
    instructions: SecondaryMap<InstructionId, u32>,
}

impl Numbering {
    pub(super) fn new(body: &Body) -> Self {
        let mut values = SecondaryMap::with_capacity(body.values.len());
        let mut instructions = SecondaryMap::with_capacity(body.instructions.len());
        let mut next = 0;
        for (block_id, block) in &body.blocks {
            for argument in &block.arguments {
                values[*argument] = next;
                next += 1;
            }
            for instruction in body.instructions_in(block_id) {
                instructions[instruction] = next;
                let results = body.results(instruction);
                next += u32::from(results.len() == 0);
                for result in results {
                    values[result] = next;
                    next += 1;
                }
            }
        }
        Self { values, instructions }
    }

    /// The number of a value that the text has.
    pub(super) fn value(&self, value: Value) -> u32 {
        self.values[value]
    }

    /// The number of an instruction: that of its first result, or its own where it has none.
    pub(super) fn instruction(&self, instruction: InstructionId) -> u32 {
        self.instructions[instruction]
    }
}

/// The blocks that the entry reaches in reverse post-order, as `-emit-sorted-sil` has them: they are numbered so,
/// unlike their contents.
#[derive(Clone)]
pub(super) struct SortedBlocks {
    pub(super) order: Vec<BlockId>,
    pub(super) numbers: SecondaryMap<BlockId, u32>,
}

impl SortedBlocks {
    pub(super) fn new(body: &Body) -> Self {
        let order = ControlFlowGraph::new(body).reverse_post_order().to_vec();
        let mut numbers = SecondaryMap::with_capacity(body.blocks.len());
        for (number, block) in (0..).zip(&order) {
            numbers[*block] = number;
        }
        Self { order, numbers }
    }
}

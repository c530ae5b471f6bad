//! Builds instructions with control flow that forks and joins.
//!
//! Does not own: the block order. The clients receive the created blocks and place them.

use sil_ir::model::{BlockId, Body, InstructionId, Place};

use crate::InstructionBuilder;

/// The insertion point.
#[derive(Clone, Copy)]
pub(crate) enum InsertionPoint {
    /// Before an instruction.
    Before(InstructionId),
    /// At the end of a block without a terminator.
    End(BlockId),
}

impl InsertionPoint {
    fn place(self) -> Place {
        match self {
            Self::Before(id) => Place::Before(id),
            Self::End(block) => Place::End(block),
        }
    }
}

/// A fork of the control flow.
#[derive(Clone, Copy)]
pub(crate) struct Fork {
    /// The two blocks of the fork, without terminators.
    pub(crate) ways: [BlockId; 2],
    /// The block in which both are to join.
    pub(crate) join: BlockId,
    /// The insertion point after the join.
    after: InsertionPoint,
}

/// Builds instructions in a body.
pub(crate) struct FlowBuilder<'b> {
    pub(crate) body: &'b mut Body,
    /// The instruction whose location is used.
    like: InstructionId,
    position: InsertionPoint,
    placed: Vec<(BlockId, BlockId)>,
}

impl<'b> FlowBuilder<'b> {
    /// Creates a builder that inserts before `before`, with the location of `like`.
    pub(super) fn new(body: &'b mut Body, before: InstructionId, like: InstructionId) -> Self {
        Self { body, like, position: InsertionPoint::Before(before), placed: Vec::new() }
    }

    /// Sets the insertion point.
    pub(crate) fn go_to(&mut self, position: InsertionPoint) {
        self.position = position;
    }

    /// An instruction builder at the insertion point.
    pub(crate) fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, self.position.place(), self.like)
    }

    /// Forks the control flow. The caller must insert the terminator that branches to the two blocks next. The blocks
    /// are placed after the current block, in order.
    pub(crate) fn divide(&mut self) -> Fork {
        let (block, join, after) = match self.position {
            InsertionPoint::Before(id) => {
                let block = self.body.instructions[id].block;
                (block, self.body.split_block(id), self.position)
            }
            InsertionPoint::End(block) => {
                let join = self.body.add_block();
                (block, join, InsertionPoint::End(join))
            }
        };
        let ways = [self.body.add_block(), self.body.add_block()];
        self.placed.extend([(block, join), (block, ways[0]), (ways[0], ways[1])]);
        self.position = InsertionPoint::End(block);
        Fork { ways, join, after }
    }

    /// Continues after a fork whose blocks branch to the join.
    pub(crate) fn join(&mut self, fork: Fork) {
        self.position = fork.after;
    }

    /// The created blocks, each with the block that it is to be placed after, in the order of insertion.
    pub(super) fn finish(self) -> Vec<(BlockId, BlockId)> {
        self.placed
    }
}

//! Instructions that are made one behind the other, also where control flow divides on the way and joins again.
//!
//! Does not own: the order of the blocks, which those who edit keep in ways of their own; they are told which blocks were made.

use crate::model::{BlockId, Body, InstructionId, Place};
use crate::transform::InstructionBuilder;

/// Where instructions are made.
#[derive(Clone, Copy)]
pub(in crate::transform) enum InsertionPoint {
    /// In front of an instruction.
    Before(InstructionId),
    /// At the end of a block that has no terminator yet.
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

/// Two ways that were made of one.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Fork {
    /// The blocks of the ways, which have no terminators yet.
    pub(in crate::transform) ways: [BlockId; 2],
    /// The block in which both are to end.
    pub(in crate::transform) join: BlockId,
    /// Where it goes on in that.
    behind: InsertionPoint,
}

/// Makes instructions in a body.
pub(in crate::transform) struct FlowBuilder<'b> {
    pub(in crate::transform) body: &'b mut Body,
    /// What they are made for.
    like: InstructionId,
    position: InsertionPoint,
    placed: Vec<(BlockId, BlockId)>,
}

impl<'b> FlowBuilder<'b> {
    /// One that makes them in front of `before`, for what `like` is there for.
    pub(super) fn new(body: &'b mut Body, before: InstructionId, like: InstructionId) -> Self {
        Self { body, like, position: InsertionPoint::Before(before), placed: Vec::new() }
    }

    /// Makes what comes next there.
    pub(in crate::transform) fn go_to(&mut self, position: InsertionPoint) {
        self.position = position;
    }

    /// Makes an instruction, or several, where it is now.
    pub(in crate::transform) fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, self.position.place(), self.like)
    }

    /// Divides the way in two. What comes next is the terminator that leads to these; the ways stand in their order behind it.
    pub(in crate::transform) fn divide(&mut self) -> Fork {
        let (block, join, behind) = match self.position {
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
        Fork { ways, join, behind }
    }

    /// Goes on behind a fork, whose ways have led to its join.
    pub(in crate::transform) fn join(&mut self, fork: Fork) {
        self.position = fork.behind;
    }

    /// The blocks that were made, each with the one that it is to stand behind, in the order in which they are put there.
    pub(super) fn finish(self) -> Vec<(BlockId, BlockId)> {
        self.placed
    }
}

//! The order of instructions in a block: a doubly linked list, so that placing, moving and erasing take the same time
//! everywhere.

use cranelift_entity::packed_option::PackedOption;

use super::{BlockId, Body, InstructionId};

/// The first and the last instruction of a block.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ends {
    first: PackedOption<InstructionId>,
    last: PackedOption<InstructionId>,
}

/// The neighbours of an instruction in its block.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Links {
    previous: PackedOption<InstructionId>,
    next: PackedOption<InstructionId>,
}

/// The instructions of a block in their order, or a part of them.
#[derive(Clone)]
pub struct BlockInstructions<'b> {
    body: &'b Body,
    /// The two ends of the rest.
    left: Option<(InstructionId, InstructionId)>,
}

impl Iterator for BlockInstructions<'_> {
    type Item = InstructionId;

    fn next(&mut self) -> Option<InstructionId> {
        let (first, last) = self.left?;
        self.left = self.body.next(first).filter(|_| first != last).map(|next| (next, last));
        Some(first)
    }
}

impl DoubleEndedIterator for BlockInstructions<'_> {
    fn next_back(&mut self) -> Option<InstructionId> {
        let (first, last) = self.left?;
        self.left = self.body.previous(last).filter(|_| first != last).map(|previous| (first, previous));
        Some(last)
    }
}

impl Body {
    /// The instructions of `block`, in order; the last one is the terminator.
    pub fn instructions_in(&self, block: BlockId) -> BlockInstructions<'_> {
        let Ends { first, last } = self.blocks[block].ends;
        BlockInstructions { body: self, left: first.expand().zip(last.expand()) }
    }

    /// The instructions that stand in blocks, block by block.
    pub fn placed_instructions(&self) -> impl Iterator<Item = InstructionId> + '_ {
        self.blocks.keys().flat_map(|block| self.instructions_in(block))
    }

    /// `from` and the instructions after it in its block.
    pub fn instructions_from(&self, from: InstructionId) -> BlockInstructions<'_> {
        let last = self.blocks[self.instructions[from].block].ends.last;
        BlockInstructions { body: self, left: last.expand().map(|last| (from, last)) }
    }

    /// The instructions of `block` up to `to`, which is one of them.
    pub fn instructions_up_to(&self, to: InstructionId) -> BlockInstructions<'_> {
        let first = self.blocks[self.instructions[to].block].ends.first;
        BlockInstructions { body: self, left: first.expand().map(|first| (first, to)) }
    }

    /// The first instruction of `block`.
    pub fn first_instruction(&self, block: BlockId) -> Option<InstructionId> {
        self.blocks[block].ends.first.expand()
    }

    /// The terminator of `block`, where the block has any instruction.
    pub fn terminator(&self, block: BlockId) -> Option<InstructionId> {
        self.blocks[block].ends.last.expand()
    }

    /// The instruction after `id` in its block.
    pub fn next(&self, id: InstructionId) -> Option<InstructionId> {
        self.instructions[id].links.next.expand()
    }

    /// The instruction before `id` in its block.
    pub fn previous(&self, id: InstructionId) -> Option<InstructionId> {
        self.instructions[id].links.previous.expand()
    }

    /// Sets an instruction that stands nowhere between two neighbours in `block`; where there is none, at its start or
    /// end.
    pub(super) fn link(
        &mut self,
        block: BlockId,
        id: InstructionId,
        previous: Option<InstructionId>,
        next: Option<InstructionId>,
    ) {
        let instruction = &mut self.instructions[id];
        instruction.block = block;
        instruction.links = Links { previous: previous.into(), next: next.into() };
        match previous {
            Some(previous) => self.instructions[previous].links.next = id.into(),
            None => self.blocks[block].ends.first = id.into(),
        }
        match next {
            Some(next) => self.instructions[next].links.previous = id.into(),
            None => self.blocks[block].ends.last = id.into(),
        }
    }

    /// Takes `id` out of its block.
    pub(super) fn unlink(&mut self, id: InstructionId) {
        let block = self.instructions[id].block;
        let Links { previous, next } = std::mem::take(&mut self.instructions[id].links);
        match previous.expand() {
            Some(previous) => self.instructions[previous].links.next = next,
            None => self.blocks[block].ends.first = next,
        }
        match next.expand() {
            Some(next) => self.instructions[next].links.previous = previous,
            None => self.blocks[block].ends.last = previous,
        }
    }

    /// Moves `from` and all instructions after it to the end of `block`, which is another one.
    pub(super) fn move_tail(&mut self, from: InstructionId, block: BlockId) {
        let moved: Vec<InstructionId> = self.instructions_from(from).collect();
        for id in moved {
            self.unlink(id);
            let last = self.terminator(block);
            self.link(block, id, last, None);
        }
    }
}

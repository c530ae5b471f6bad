//! Editing of bodies: placing and erasing instructions, replacing values, taking away block arguments and blocks.
//!
//! An erased instruction keeps its number and its operands, but stands in no block. Analyses of a body are stale after
//! an edit.

use cranelift_entity::{EntityRef, SecondaryMap, packed_option::PackedOption};

use super::{Block, BlockId, Body, Definition, Details, InstructionId, NewInstruction, Ownership, Value};
use crate::context::SilType;
use crate::instructions::Opcode;

/// Where a new instruction goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Before this instruction.
    Before(InstructionId),
    /// After this instruction, which is not a terminator.
    After(InstructionId),
    /// Before all instructions of this block.
    Start(BlockId),
    /// Behind all instructions of this block.
    End(BlockId),
}

/// Which values stand for others. Chains are followed: a value may be replaced by one that is itself replaced.
#[derive(Default)]
pub struct Replacements {
    by: SecondaryMap<Value, PackedOption<Value>>,
}

impl Replacements {
    /// Replaces `value` by `by` from now on.
    pub fn replace(&mut self, value: Value, by: Value) {
        debug_assert_ne!(self.resolve(by), value, "a value would stand for itself");
        self.by[value] = by.into();
    }

    /// The replacement of `value`: itself, unless it is replaced.
    pub fn resolve(&self, value: Value) -> Value {
        let mut found = value;
        while let Some(by) = self.by[found].expand() {
            found = by;
        }
        found
    }
}

impl Body {
    /// Makes an instruction with its results and sets it at `place`.
    pub fn insert(&mut self, place: Place, new: NewInstruction<'_>) -> InstructionId {
        let (block, previous, next) = self.gap(place);
        let id = self.make(block, new);
        self.link(block, id, previous, next);
        id
    }

    /// The block of a place.
    pub fn block_of_place(&self, place: Place) -> BlockId {
        self.gap(place).0
    }

    /// The instructions after a place in its block.
    pub fn instructions_after(&self, place: Place) -> impl Iterator<Item = InstructionId> {
        std::iter::successors(self.gap(place).2, |id| self.next(*id))
    }

    /// The block of a place, and the instructions before and after it.
    fn gap(&self, place: Place) -> (BlockId, Option<InstructionId>, Option<InstructionId>) {
        match place {
            Place::Before(id) => (self.instructions[id].block, self.previous(id), Some(id)),
            Place::After(id) => (self.instructions[id].block, Some(id), self.next(id)),
            Place::Start(block) => (block, None, self.first_instruction(block)),
            Place::End(block) => (block, self.terminator(block), None),
        }
    }

    /// Takes `id` out of its block. Who uses its results must be edited as well.
    pub fn erase(&mut self, id: InstructionId) {
        self.unlink(id);
    }

    /// Takes `id` out of its block and sets it at `place`, which it does not stand at itself.
    pub fn move_to(&mut self, id: InstructionId, place: Place) {
        self.unlink(id);
        let (block, previous, next) = self.gap(place);
        self.link(block, id, previous, next);
    }

    /// Takes all instructions out of `block`, and gives them in their order.
    pub fn take_instructions(&mut self, block: BlockId) -> Vec<InstructionId> {
        let taken: Vec<InstructionId> = self.instructions_in(block).collect();
        taken.iter().for_each(|id| self.unlink(*id));
        taken
    }

    /// Sets an instruction that stands nowhere at the end of `block`.
    pub fn push(&mut self, block: BlockId, id: InstructionId) {
        let last = self.terminator(block);
        self.link(block, id, last, None);
    }

    /// Moves `from` and the instructions after it in its block to a new block after all others. The old block needs a
    /// terminator then.
    pub fn split_block(&mut self, from: InstructionId) -> BlockId {
        let block = self.add_block();
        self.move_tail(from, block);
        block
    }

    /// Replaces the operands of all instructions in blocks.
    pub fn replace_values(&mut self, replacements: &Replacements) {
        self.replace_operands(|value| replacements.resolve(value));
    }

    /// Replaces each operand of all instructions in blocks by the result of `by` for it.
    pub fn replace_operands(&mut self, mut by: impl FnMut(Value) -> Value) {
        for id in self.placed_instructions().collect::<Vec<_>>() {
            for operand in self.operands_mut(id) {
                *operand = by(*operand);
            }
        }
    }

    /// Gives `id` other operands, of any number. Details that count operands must be edited as well.
    pub fn set_operands(&mut self, id: InstructionId, operands: &[Value]) {
        self.instructions[id].operands = super::function::extend(&mut self.operand_pool, operands);
    }

    /// An empty block after all others.
    pub fn add_block(&mut self) -> BlockId {
        self.blocks.push(Block::default())
    }

    /// Removes argument number `index` from `block`, and the values that `br` and `cond_br` pass for it. It has no uses
    /// any more. Other terminators that pass it must not pass it any more.
    pub fn remove_argument(&mut self, block: BlockId, index: usize) {
        let branches: Vec<InstructionId> = self.blocks.keys().filter_map(|block| self.terminator(block)).collect();
        self.remove_passed_argument(block, index, &branches);
    }

    /// The same where `branches`, each once, are all terminators that lead to `block`.
    pub fn remove_passed_argument(&mut self, block: BlockId, index: usize, branches: &[InstructionId]) {
        self.blocks[block].arguments.remove(index);
        for (index, argument) in (0..).zip(self.blocks[block].arguments.clone()) {
            self.values[argument].definition = Definition::Argument { block, index };
        }
        for branch in branches {
            self.remove_passed(*branch, block, index);
        }
    }

    /// Makes the arguments of `from` those of `block`, whose own ones are gone. `from` has none from then on.
    pub fn move_arguments(&mut self, from: BlockId, block: BlockId) {
        let arguments = std::mem::take(&mut self.blocks[from].arguments);
        for (index, argument) in (0..).zip(&arguments) {
            self.values[*argument].definition = Definition::Argument { block, index };
        }
        self.blocks[block].arguments = arguments;
    }

    fn remove_passed(&mut self, branch: InstructionId, block: BlockId, index: usize) {
        let mut operands = self.operands(branch).to_vec();
        let targets = [0, 1].map(|target| self.targets(branch).get(target) == Some(&block));
        match (self.instructions[branch].opcode, &mut self.instructions[branch].details) {
            (Opcode::Br, _) if targets[0] => {
                operands.remove(index);
            }
            (Opcode::CondBr, Details::CondBranch { true_arguments, .. }) => {
                let [is_true, is_false] = targets;
                if is_false {
                    operands.remove(1 + *true_arguments as usize + index);
                }
                if is_true {
                    operands.remove(1 + index);
                    *true_arguments -= 1;
                }
            }
            _ => return,
        }
        self.set_operands(branch, &operands);
    }

    /// Adds an argument to `block` in front of the one that had the number `index`. Terminators that lead there must
    /// pass it as well.
    pub fn insert_argument(&mut self, block: BlockId, index: usize, ty: SilType, ownership: Ownership) -> Value {
        let added = self.add_argument(block, ty, ownership);
        let arguments = &mut self.blocks[block].arguments;
        arguments.pop();
        arguments.insert(index, added);
        for (index, argument) in (0..).zip(self.blocks[block].arguments.clone()) {
            self.values[argument].definition = Definition::Argument { block, index };
        }
        added
    }

    /// Removes the blocks that the entry does not reach, and gives the others the numbers in between.
    pub fn remove_unreachable_blocks(&mut self) {
        let mut reached = vec![false; self.blocks.len()];
        let mut open = vec![self.entry()];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut reached[block.index()], true) {
                open.extend(self.terminator(block).into_iter().flat_map(|terminator| self.targets(terminator)));
            }
        }
        let order: Vec<BlockId> = self.blocks.keys().filter(|block| reached[block.index()]).collect();
        if order.len() < self.blocks.len() {
            self.keep_blocks(&order);
        }
    }

    /// Removes all blocks but those of `order`, which stand in this order then. Nothing may lead to the others.
    pub fn keep_blocks(&mut self, order: &[BlockId]) {
        self.reorder_blocks(order);
        let kept = std::mem::take(&mut self.blocks).into_iter().take(order.len());
        self.blocks.extend(kept.map(|(_, block)| block));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::context::{BuiltinType, Type};
    use crate::source::{FileId, Span};

    struct Sample {
        body: Body,
        bit: SilType,
    }

    impl Sample {
        fn new(blocks: usize) -> Self {
            let context = Context::new();
            let bit = SilType::object(context.ty(Type::Builtin(BuiltinType::Integer(1))));
            let mut body = Body::default();
            for _ in 0..blocks {
                body.add_block();
            }
            Self { body, bit }
        }

        fn new_instruction<'a>(opcode: Opcode, operands: &'a [Value], targets: &'a [BlockId]) -> NewInstruction<'a> {
            NewInstruction {
                opcode,
                attributes: Default::default(),
                details: Details::None,
                operands,
                types: &[],
                targets,
                results: &[],
                span: Span { file: FileId::KNOWN, start: 0, end: 0 },
                location: None,
                traits: Default::default(),
            }
        }

        fn add(&mut self, block: BlockId, opcode: Opcode, operands: &[Value], targets: &[BlockId]) -> InstructionId {
            self.body.append(block, Self::new_instruction(opcode, operands, targets))
        }
    }

    fn placed(body: &Body, block: BlockId) -> Vec<InstructionId> {
        body.instructions_in(block).collect()
    }

    fn block(number: u32) -> BlockId {
        BlockId::from_u32(number)
    }

    #[test]
    fn instructions_go_where_they_are_placed() {
        let mut sample = Sample::new(1);
        let entry = block(0);
        let first = sample.add(entry, Opcode::DebugStep, &[], &[]);
        let last = sample.add(entry, Opcode::Unreachable, &[], &[]);
        let new = || Sample::new_instruction(Opcode::DebugStep, &[], &[]);
        let before = sample.body.insert(Place::Before(last), new());
        let after = sample.body.insert(Place::After(first), new());
        let start = sample.body.insert(Place::Start(entry), new());
        assert_eq!(placed(&sample.body, entry), [start, first, after, before, last]);
        sample.body.erase(after);
        assert_eq!(placed(&sample.body, entry), [start, first, before, last]);
        let tail = sample.body.split_block(before);
        assert_eq!(placed(&sample.body, entry), [start, first]);
        assert_eq!(placed(&sample.body, tail), [before, last]);
        let backwards: Vec<_> = sample.body.instructions_up_to(last).rev().collect();
        assert_eq!(backwards, [last, before]);
    }

    #[test]
    fn replacements_are_followed() {
        let mut sample = Sample::new(1);
        let [one, two, three] = [(); 3].map(|()| sample.body.add_argument(block(0), sample.bit, Ownership::None));
        let user = sample.add(block(0), Opcode::Return, &[one], &[]);
        let mut replacements = Replacements::default();
        replacements.replace(one, two);
        replacements.replace(two, three);
        sample.body.replace_values(&replacements);
        assert_eq!(sample.body.operands(user), [three]);
    }

    #[test]
    fn a_removed_argument_is_not_passed_any_more() {
        let mut sample = Sample::new(2);
        let condition = sample.body.add_argument(block(0), sample.bit, Ownership::None);
        let kept = sample.body.add_argument(block(0), sample.bit, Ownership::None);
        let [_, second] = [(); 2].map(|()| sample.body.add_argument(block(1), sample.bit, Ownership::None));
        let operands = [condition, condition, kept, condition, kept];
        let branch = sample.add(block(0), Opcode::CondBr, &operands, &[block(1), block(1)]);
        sample.body.instructions[branch].details = Details::CondBranch { true_arguments: 2, counts: [None; 2] };
        let jump = sample.add(block(1), Opcode::Br, &[condition, second], &[block(1)]);
        sample.body.remove_argument(block(1), 0);
        assert_eq!(sample.body.operands(branch), [condition, kept, kept]);
        let details = Details::CondBranch { true_arguments: 1, counts: [None; 2] };
        assert_eq!(sample.body.instructions[branch].details, details);
        assert_eq!(sample.body.operands(jump), [second]);
        assert_eq!(sample.body.values[second].definition, Definition::Argument { block: block(1), index: 0 });
    }

    #[test]
    fn unreachable_blocks_are_removed() {
        let mut sample = Sample::new(4);
        sample.add(block(0), Opcode::Br, &[], &[block(3)]);
        sample.add(block(1), Opcode::Br, &[], &[block(2)]);
        sample.add(block(2), Opcode::Br, &[], &[block(3)]);
        let end = sample.add(block(3), Opcode::Unreachable, &[], &[]);
        sample.body.remove_unreachable_blocks();
        assert_eq!(sample.body.blocks.len(), 2);
        let jump = sample.body.terminator(block(0));
        assert_eq!(jump.map(|jump| sample.body.targets(jump).to_vec()), Some(vec![block(1)]));
        assert_eq!(placed(&sample.body, block(1)), [end]);
        assert_eq!(sample.body.instructions[end].block, block(1));
    }
}

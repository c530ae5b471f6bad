//! The discrimination of an enum's cases: tests and switches. The tag is tested first, then the contents of the payload
//! area.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{InstructionValue, IntValue};

use super::values::EnumValue;
use crate::generation::IRGenFunction;
use crate::layout::enums::{CaseKind, EnumLayout, Group};

/// The destinations of a switch.
#[derive(Clone, Debug)]
pub struct Destinations<'ctx> {
    /// The block of each case of the enum; `None` for the default.
    pub cases: Vec<Option<BasicBlock<'ctx>>>,
    /// The block of all other cases; `None` if all are covered.
    pub default: Option<BasicBlock<'ctx>>,
    /// The execution counts of blocks, if available.
    pub counts: Vec<(BasicBlock<'ctx>, u64)>,
}

impl<'ctx> Destinations<'ctx> {
    fn block(&self, case: usize) -> Option<BasicBlock<'ctx>> {
        self.cases.get(case).copied().flatten().or(self.default)
    }

    fn count(&self, block: BasicBlock<'ctx>) -> u64 {
        self.counts.iter().filter(|(counted, _)| *counted == block).map(|(_, count)| count).sum()
    }
}

/// A choice between constants: the value, the constants with their blocks, and the block for all other values.
struct Choice<'ctx> {
    explicit: Vec<(u64, BasicBlock<'ctx>)>,
    otherwise: Option<BasicBlock<'ctx>>,
}

impl EnumLayout {
    /// Ends the block with branches to the destination of the value's case.
    pub fn switch<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        destinations: &Destinations<'ctx>,
    ) {
        let mut destinations = destinations.clone();
        let mut nested = Vec::new();
        let mut blocks = Vec::new();
        for group in &self.groups {
            let block = match common_destination(group, &destinations) {
                Some(block) => block,
                None if self.groups.len() == 1 => return self.switch_group(f, parts, group, &destinations),
                None => {
                    let block = f.new_block("");
                    let mut reached: Vec<BasicBlock> =
                        group.cases().filter_map(|case| destinations.block(case)).collect();
                    reached.dedup();
                    let count = reached.iter().map(|block| destinations.count(*block)).sum();
                    destinations.counts.push((block, count));
                    nested.push((group, block));
                    block
                }
            };
            blocks.push((group.tag, block));
        }
        let is_reached = |default: &BasicBlock<'ctx>| blocks.iter().any(|(_, block)| block == default);
        let otherwise = destinations.default.filter(|default| self.has_other_values() || is_reached(default));
        blocks.retain(|(_, block)| Some(*block) != otherwise);
        let choice = Choice { explicit: blocks, otherwise };
        match self.only_destination(&choice) {
            Some(block) => f.builder.branch(block),
            None => choose(f, self.tag(f, parts), choice, &destinations),
        }
        for (group, block) in nested {
            f.builder.position_at_end(block);
            self.switch_group(f, parts, group, &destinations);
        }
    }

    /// Returns the destination of a choice that does not depend on the tag.
    fn only_destination<'ctx>(&self, choice: &Choice<'ctx>) -> Option<BasicBlock<'ctx>> {
        match (choice.explicit.as_slice(), choice.otherwise) {
            ([], otherwise) => otherwise,
            ([(_, block)], None) => Some(*block),
            _ => None,
        }
    }

    /// Returns the tag as an integer for a switch.
    fn tag<'ctx>(&self, f: &IRGenFunction<'_, 'ctx>, parts: &EnumValue<'ctx>) -> IntValue<'ctx> {
        let in_payload = self.payload_tag_bits.count_ones() as u32;
        if let (0, Some(tag)) = (in_payload, parts.extra_tag) {
            return tag;
        }
        let width = if self.tag_bits == 1 { 1 } else { self.tag_bits.next_power_of_two().max(8) };
        let low = self.schema.gather(&f.builder, &parts.chunks, &self.payload_tag_bits, width);
        match parts.extra_tag {
            Some(tag) => f.builder.or(low, f.builder.shl(f.builder.resize(tag, width), in_payload)),
            None => low,
        }
    }

    fn switch_group<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        group: &Group,
        destinations: &Destinations<'ctx>,
    ) {
        let otherwise = match group.otherwise {
            Some(case) => destinations.block(case),
            None => destinations.default,
        };
        let explicit = group.matched.iter().filter_map(|case| Some((*case, destinations.block(*case)?)));
        let explicit: Vec<_> = explicit.filter(|(_, block)| Some(*block) != otherwise).collect();
        if explicit.len() > 1
            && let Some((value, key)) = self.schema.selected(&f.builder, &parts.chunks, &group.mask)
        {
            let explicit =
                explicit.iter().map(|(case, block)| (key(&self.cases[*case].pattern.payload), *block)).collect();
            return choose(f, value, Choice { explicit, otherwise }, destinations);
        }
        self.compare_in_turn(f, parts, group, &explicit, otherwise, destinations);
    }

    fn compare_in_turn<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        group: &Group,
        explicit: &[(usize, BasicBlock<'ctx>)],
        otherwise: Option<BasicBlock<'ctx>>,
        destinations: &Destinations<'ctx>,
    ) {
        let (tested, last) = match (explicit.split_last(), otherwise) {
            (_, Some(otherwise)) => (explicit, otherwise),
            (Some(((_, block), tested)), None) => (tested, *block),
            (None, None) => return f.builder.unreachable(),
        };
        for (number, (case, block)) in tested.iter().enumerate() {
            let next = if number + 1 == tested.len() { last } else { f.new_block("") };
            let test = self.schema.equals(&f.builder, &parts.chunks, &group.mask, &self.cases[*case].pattern.payload);
            let branch = f.builder.branch_if(test, *block, next);
            if tested.len() == 1 {
                set_weights(f, branch, &[*block, next], destinations);
            }
            f.builder.position_at_end(next);
        }
        if tested.is_empty() {
            f.builder.branch(last);
        }
    }

    /// Returns the cases in the order of their tags in value witnesses: those with payload first, then the others.
    pub fn tag_order(&self) -> Vec<usize> {
        let is_payload = |case: &usize| self.cases[*case].pattern.kind == CaseKind::Payload;
        let (mut order, empty): (Vec<usize>, Vec<usize>) = (0..self.cases.len()).partition(is_payload);
        order.extend(empty);
        order
    }

    /// Returns the tag of the value's case in value witnesses, in 32 bits: the cases with payload first, then the
    /// others, both in declared order (docs/ABI/TypeLayout.rst, `getEnumTag`).
    pub fn case_tag<'ctx>(&self, f: &IRGenFunction<'_, 'ctx>, parts: &EnumValue<'ctx>) -> IntValue<'ctx> {
        const BITS: u32 = 32;
        if self.plain_values().is_some() && self.cases.len() > 1 && !self.has_other_values() {
            return f.builder.resize(self.tag(f, parts), BITS);
        }
        let order = self.tag_order();
        if order.len() < 2 {
            return f.builder.int(BITS, 0);
        }
        let join = f.new_block("");
        let mut destinations = Destinations { cases: vec![None; order.len()], default: None, counts: Vec::new() };
        let blocks: Vec<BasicBlock<'ctx>> = order.iter().map(|_| f.new_block("")).collect();
        for (case, block) in order.iter().zip(&blocks) {
            destinations.cases[*case] = Some(*block);
        }
        self.switch(f, parts, &destinations);
        for block in &blocks {
            f.builder.position_at_end(*block);
            f.builder.branch(join);
        }
        f.builder.position_at_end(join);
        let phi = f.builder.phi(f.builder.int(BITS, 0).get_type().into());
        for (tag, block) in (0..).zip(&blocks) {
            phi.add_incoming(&[(&f.builder.int(BITS, tag), *block)]);
        }
        phi.as_basic_value().into_int_value()
    }

    /// Returns whether the value is case number `case`.
    pub fn test<'ctx>(&self, f: &IRGenFunction<'_, 'ctx>, parts: &EnumValue<'ctx>, case: usize) -> IntValue<'ctx> {
        let Some(group) = self.group_of(case) else { return f.builder.bool(false) };
        let tag_test = (self.groups.len() > 1 || self.has_other_values()).then(|| {
            let tag = self.tag(f, parts);
            test_constant(f, tag, group.tag)
        });
        let payload_test = (group.cases().count() > 1).then(|| self.test_in_group(f, parts, group, case));
        match (tag_test, payload_test) {
            (Some(tag), Some(payload)) => f.builder.and(tag, payload),
            (Some(test), None) | (None, Some(test)) => test,
            (None, None) => f.builder.bool(true),
        }
    }

    fn test_in_group<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        group: &Group,
        case: usize,
    ) -> IntValue<'ctx> {
        let is =
            |case: usize| self.schema.equals(&f.builder, &parts.chunks, &group.mask, &self.cases[case].pattern.payload);
        if group.otherwise != Some(case) {
            return is(case);
        }
        let others = group.matched.iter().map(|other| f.builder.not(is(*other)));
        others.reduce(|all, test| f.builder.and(all, test)).unwrap_or_else(|| f.builder.bool(true))
    }
}

/// Returns the common destination of all cases of the group.
fn common_destination<'ctx>(group: &Group, destinations: &Destinations<'ctx>) -> Option<BasicBlock<'ctx>> {
    let mut blocks = group.cases().map(|case| destinations.block(case));
    let first = blocks.next()??;
    blocks.all(|block| block == Some(first)).then_some(first)
}

/// Returns `value == constant`, without a comparison for a single bit.
fn test_constant<'ctx>(f: &IRGenFunction<'_, 'ctx>, value: IntValue<'ctx>, constant: u64) -> IntValue<'ctx> {
    match (value.get_type().get_bit_width(), constant) {
        (1, 0) => f.builder.not(value),
        (1, _) => value,
        (bits, _) => f.builder.equal(value, f.builder.int(bits, constant)),
    }
}

/// Ends the block with a branch or a switch over `value`.
fn choose<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    value: IntValue<'ctx>,
    choice: Choice<'ctx>,
    destinations: &Destinations<'ctx>,
) {
    let bits = value.get_type().get_bit_width();
    let (constant, yes, no) = match (choice.explicit.as_slice(), choice.otherwise) {
        ([(constant, yes)], Some(no)) => (*constant, *yes, no),
        ([(_, no), (constant, yes)], None) => (*constant, *yes, *no),
        _ => {
            let default = choice.otherwise.unwrap_or_else(|| unreachable_block(f));
            let cases: Vec<_> =
                choice.explicit.iter().map(|(constant, block)| (f.builder.int(bits, *constant), *block)).collect();
            let switch = f.builder.switch(value, default, &cases);
            let blocks: Vec<_> = std::iter::once(default).chain(cases.iter().map(|(_, block)| *block)).collect();
            return set_weights(f, switch, &blocks, destinations);
        }
    };
    let (test, yes, no) = match (bits, constant) {
        (1, 0) => (value, no, yes),
        _ => (test_constant(f, value, constant), yes, no),
    };
    let branch = f.builder.branch_if(test, yes, no);
    set_weights(f, branch, &[yes, no], destinations);
}

fn unreachable_block<'ctx>(f: &IRGenFunction<'_, 'ctx>) -> BasicBlock<'ctx> {
    let current = f.builder.block();
    let block = f.new_block("");
    f.builder.position_at_end(block);
    f.builder.unreachable();
    f.builder.position_at_end(current);
    block
}

/// Adds the counts of the successors as branch weights, if there are any.
fn set_weights<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    terminator: InstructionValue<'ctx>,
    successors: &[BasicBlock<'ctx>],
    destinations: &Destinations<'ctx>,
) {
    if destinations.counts.iter().all(|(_, count)| *count == 0) {
        return;
    }
    let counts: Vec<u64> = successors.iter().map(|block| destinations.count(*block)).collect();
    f.builder.set_branch_weights(terminator, &counts);
}

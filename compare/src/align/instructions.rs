//! Pairs the instructions of A and B in each pair of related blocks: first those with the same terms, in whatever order
//! they stand; then the rest in order, by the size of their common contents.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::fingerprints::{Fingerprints, values};
use super::{Agreement, Alignment, Side};
use crate::model::{BlockId, Instruction, InstructionId, InstructionKind, Origin, Term, ValueId};

/// Blocks with more possible pairs of instructions than this are aligned by equal instructions only.
const MOST_PAIRS: usize = 9_000_000;

/// Relates the instructions of all related blocks, then those that went to another block.
pub fn relate(a: &Side<'_>, b: &Side<'_>, ours: &Fingerprints, theirs: &Fingerprints, alignment: &mut Alignment) {
    let order: Vec<(BlockId, BlockId)> = a
        .body
        .in_reverse_postorder()
        .into_iter()
        .filter_map(|block| alignment.blocks.in_b(block).map(|other| (block, other)))
        .collect();
    let mut relating = Relating { a, b, ours, theirs, alignment };
    for (block, other) in &order {
        relating.same_phis(*block, *other);
    }
    for (block, other) in &order {
        let (block, other) = (relating.free_in_a(*block), relating.free_in_b(*other));
        relating.same_instructions(&block, &other);
    }
    for (block, other) in &order {
        relating.in_order(*block, *other);
        let (block, other) = (relating.free_in_a(*block), relating.free_in_b(*other));
        relating.same_instructions(&block, &other);
    }
    let block: Vec<_> = relating.a.body.instructions.keys().filter(|at| relating.is_free_in_a(*at)).collect();
    let other: Vec<_> = relating.b.body.instructions.keys().filter(|at| relating.is_free_in_b(*at)).collect();
    relating.same_instructions(&block, &other);
}

struct Relating<'a> {
    a: &'a Side<'a>,
    b: &'a Side<'a>,
    ours: &'a Fingerprints,
    theirs: &'a Fingerprints,
    alignment: &'a mut Alignment,
}

impl Relating<'_> {
    fn is_free_in_a(&self, ours: InstructionId) -> bool {
        self.alignment.instructions.in_b(ours).is_none()
    }

    fn is_free_in_b(&self, theirs: InstructionId) -> bool {
        self.alignment.instructions.in_a(theirs).is_none()
    }

    fn free_in_a(&self, block: BlockId) -> Vec<InstructionId> {
        self.a.body.blocks[block].instructions().filter(|at| self.is_free_in_a(*at)).collect()
    }

    fn free_in_b(&self, block: BlockId) -> Vec<InstructionId> {
        self.b.body.blocks[block].instructions().filter(|at| self.is_free_in_b(*at)).collect()
    }

    /// Phis form cycles with their operands: those with a unique fingerprint are related first.
    fn same_phis(&mut self, block: BlockId, other: BlockId) {
        let phis = |side: &Side<'_>, block: BlockId, fingerprints: &Fingerprints| -> Vec<(u64, InstructionId)> {
            let instructions = side.body.blocks[block].instructions();
            let phis = instructions.filter(|at| is_phi(&side.body.instructions[*at]));
            phis.map(|at| (fingerprints.data[at], at)).collect()
        };
        let (ours, theirs) = (phis(self.a, block, self.ours), phis(self.b, other, self.theirs));
        self.relate_groups(&ours, &theirs);
    }

    /// Relates instructions with the same terms about related values. If several have them, they are taken in order if
    /// there are as many on both sides.
    fn same_instructions(&mut self, block: &[InstructionId], other: &[InstructionId]) {
        loop {
            let ours: Vec<_> = block.iter().filter_map(|at| self.key_in_a(*at).map(|key| (key, *at))).collect();
            let theirs: Vec<_> = other.iter().filter_map(|at| self.key_in_b(*at).map(|key| (key, *at))).collect();
            if ours.is_empty() || theirs.is_empty() || self.relate_groups(&ours, &theirs) == 0 {
                return;
            }
        }
    }

    /// Relates instructions of equal keys, where as many have it on both sides. Gives how many were related.
    fn relate_groups(&mut self, ours: &[(u64, InstructionId)], theirs: &[(u64, InstructionId)]) -> usize {
        let mut groups: FxHashMap<u64, (Vec<InstructionId>, Vec<InstructionId>)> = FxHashMap::default();
        ours.iter().for_each(|(key, at)| groups.entry(*key).or_default().0.push(*at));
        theirs.iter().for_each(|(key, at)| groups.entry(*key).or_default().1.push(*at));
        let mut count = 0;
        for (key, _) in ours {
            let Some((ours, theirs)) = groups.remove(key) else { continue };
            if ours.len() == theirs.len() {
                for (ours, theirs) in ours.into_iter().zip(theirs) {
                    count += usize::from(self.alignment.instructions.relate(ours, theirs));
                }
            }
        }
        count
    }

    /// The terms of a free instruction, with values by their counterparts in B; none if one of them is related to
    /// nothing.
    fn key_in_a(&self, ours: InstructionId) -> Option<u64> {
        let instruction = &self.a.body.instructions[ours];
        self.is_free_in_a(ours).then_some(())?;
        let values = values(instruction).map(|value| self.alignment.value_in_b(self.a, self.b, value));
        let values = values.collect::<Option<Vec<_>>>()?;
        let blocks = blocks(instruction).map(|block| self.alignment.blocks.in_b(block)).collect::<Option<Vec<_>>>()?;
        Some(key(self.ours.shapes[ours], instruction, values, blocks))
    }

    fn key_in_b(&self, theirs: InstructionId) -> Option<u64> {
        let instruction = &self.b.body.instructions[theirs];
        self.is_free_in_b(theirs).then_some(())?;
        let is_known = |value| match self.b.body.values[value].origin {
            Origin::Parameter(_) => true,
            Origin::Instruction(at) => !self.is_free_in_b(at),
        };
        let known = values(instruction).all(is_known);
        let used = || (values(instruction).collect(), blocks(instruction).collect());
        known.then(used).map(|(values, blocks)| key(self.theirs.shapes[theirs], instruction, values, blocks))
    }

    /// Relates the free instructions of two blocks in their order, so that most is in common.
    fn in_order(&mut self, block: BlockId, other: BlockId) {
        let ours: Vec<InstructionId> = self.a.body.blocks[block].instructions().collect();
        let theirs: Vec<InstructionId> = self.b.body.blocks[other].instructions().collect();
        let has_free = ours.iter().any(|at| self.is_free_in_a(*at)) && theirs.iter().any(|at| self.is_free_in_b(*at));
        if !has_free || ours.len() * theirs.len() > MOST_PAIRS {
            return;
        }
        for (at, other) in self.best_pairs(&ours, &theirs) {
            self.alignment.instructions.relate(at, other);
        }
    }

    /// The pairs, none crossing another, with the greatest sum of likenesses (Needleman and Wunsch).
    fn best_pairs(&self, ours: &[InstructionId], theirs: &[InstructionId]) -> Vec<(InstructionId, InstructionId)> {
        let width = theirs.len() + 1;
        let mut best = vec![0u32; width];
        let mut paths = vec![Path::SkipA; (ours.len() + 1) * width];
        for (row, at) in ours.iter().enumerate() {
            let mut diagonal = best[0];
            for (column, other) in theirs.iter().enumerate() {
                let above = best[column + 1];
                let (mut value, mut path) =
                    if best[column] > above { (best[column], Path::SkipB) } else { (above, Path::SkipA) };
                if let Some(likeness) = self.likeness(*at, *other)
                    && diagonal + likeness > value
                {
                    (value, path) = (diagonal + likeness, Path::Pair);
                }
                diagonal = above;
                best[column + 1] = value;
                paths[(row + 1) * width + column + 1] = path;
            }
        }
        let (mut row, mut column) = (ours.len(), theirs.len());
        let mut pairs = Vec::new();
        while row > 0 && column > 0 {
            match paths[row * width + column] {
                Path::Pair => {
                    row -= 1;
                    column -= 1;
                    pairs.push((ours[row], theirs[column]));
                }
                Path::SkipA => row -= 1,
                Path::SkipB => column -= 1,
            }
        }
        pairs.reverse();
        pairs
    }

    /// How much two instructions have in common; none where they cannot be the same.
    fn likeness(&self, ours: InstructionId, theirs: InstructionId) -> Option<u32> {
        match (self.alignment.instructions.in_b(ours), self.alignment.instructions.in_a(theirs)) {
            (Some(known), _) if known == theirs => return Some(160),
            (None, None) => {}
            _ => return None,
        }
        let (at, other) = (&self.a.body.instructions[ours], &self.b.body.instructions[theirs]);
        if at.result.is_some() != other.result.is_some() && at.opcode != other.opcode {
            return None;
        }
        let agreement = self.agreement(at, other);
        let likeness = if self.ours.shapes[ours] == self.theirs.shapes[theirs] {
            64 + agreement / 2
        } else if at.opcode == other.opcode {
            16 + agreement / 2
        } else if agreement >= 50 && !is_phi(at) && !is_phi(other) {
            8 + agreement / 4
        } else {
            return None;
        };
        Some(likeness + if self.has_same_name(at, other) { 3 } else { 0 })
    }

    /// How many terms agree, in percent.
    fn agreement(&self, ours: &Instruction, theirs: &Instruction) -> u32 {
        let (ours, theirs) = (&ours.statement.terms, &theirs.statement.terms);
        let agreement = |(ours, theirs): (&Term, &Term)| match self.alignment.agreement(self.a, self.b, *ours, *theirs)
        {
            Agreement::Same => 2,
            Agreement::Unknown => 1,
            Agreement::Different => 0,
        };
        let common: u32 = ours.iter().zip(theirs).map(agreement).sum();
        common * 50 / ours.len().max(theirs.len()).max(1) as u32
    }

    fn has_same_name(&self, ours: &Instruction, theirs: &Instruction) -> bool {
        let name =
            |side: &Side<'_>, instruction: &Instruction| instruction.result.map(|value| side.body.values[value].name);
        name(self.a, ours).is_some() && name(self.a, ours) == name(self.b, theirs)
    }
}

#[derive(Clone, Copy)]
enum Path {
    Pair,
    SkipA,
    SkipB,
}

fn is_phi(instruction: &Instruction) -> bool {
    instruction.kind == InstructionKind::Phi
}

fn blocks(instruction: &Instruction) -> impl Iterator<Item = BlockId> + '_ {
    instruction.statement.terms.iter().filter_map(|term| match term {
        Term::Block(block) => Some(*block),
        _ => None,
    })
}

fn key(shape: u64, instruction: &Instruction, mut values: Vec<ValueId>, blocks: Vec<BlockId>) -> u64 {
    if instruction.commutes.is_some() {
        values.sort();
    }
    let mut hasher = FxHasher::default();
    (shape, values, blocks).hash(&mut hasher);
    hasher.finish()
}

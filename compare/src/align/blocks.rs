//! Pairs the blocks of A and B: first those with one candidate on the other side, then outwards along the edges of the
//! control-flow graph, then the rest by the size of their common contents.

use rustc_hash::FxHashMap;

use super::fingerprints::{Fingerprints, LEVELS};
use super::{Relation, Side};
use crate::model::BlockId;

/// Whether names count where structure leaves a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// They do not.
    None,
    /// Blocks of the same name that hold the same are the same.
    Names,
}

/// The least share of instructions in common, in percent, by which blocks that nothing else relates are taken for the
/// same.
const LEAST_SIMILARITY: u32 = 40;

/// Relates the blocks of two bodies.
pub fn relate(a: &Side<'_>, b: &Side<'_>, ours: &Fingerprints, theirs: &Fingerprints, hint: Hint) -> Relation<BlockId> {
    let mut relating = Relating { a, b, ours, theirs, relation: Relation::default() };
    if let Some((ours, theirs)) = a.body.blocks.keys().next().zip(b.body.blocks.keys().next()) {
        relating.relation.relate(ours, theirs);
    }
    if hint == Hint::Names {
        relating.by_name();
    }
    relating.by_fingerprint(LEVELS - 1);
    relating.along_edges(100);
    for level in (0..LEVELS - 1).rev() {
        relating.by_fingerprint(level);
        relating.along_edges(if level == 0 { 50 } else { 100 });
    }
    relating.by_similarity();
    relating.along_edges(0);
    relating.relation
}

struct Relating<'a> {
    a: &'a Side<'a>,
    b: &'a Side<'a>,
    ours: &'a Fingerprints,
    theirs: &'a Fingerprints,
    relation: Relation<BlockId>,
}

impl Relating<'_> {
    fn by_name(&mut self) {
        let names: FxHashMap<_, _> = self.b.body.blocks.iter().map(|(block, data)| (data.name, block)).collect();
        for (block, data) in self.a.body.blocks.iter() {
            if let Some(other) = names.get(&data.name)
                && self.similarity(block, *other) >= 50
                && self.relation.are_free(block, *other)
            {
                self.relation.relate(block, *other);
            }
        }
    }

    /// Relates blocks whose fingerprint no other unrelated block of their side has.
    fn by_fingerprint(&mut self, level: usize) {
        let mut found: FxHashMap<u64, (Candidate, Candidate)> = FxHashMap::default();
        for block in self.a.body.blocks.keys().filter(|block| self.relation.in_b(*block).is_none()) {
            found.entry(self.ours.blocks[level][block]).or_default().0.add(block);
        }
        for block in self.b.body.blocks.keys().filter(|block| self.relation.in_a(*block).is_none()) {
            found.entry(self.theirs.blocks[level][block]).or_default().1.add(block);
        }
        for block in self.a.body.blocks.keys() {
            let pair = found.get(&self.ours.blocks[level][block]);
            if let Some((Candidate::One(ours), Candidate::One(theirs))) = pair {
                self.relation.relate(*ours, *theirs);
            }
        }
    }

    /// Relates the successors of related blocks, position by position, and the blocks that only they branch to, as long
    /// as enough is in common.
    fn along_edges(&mut self, least: u32) {
        let mut open = self.a.body.in_reverse_postorder();
        open.reverse();
        while let Some(block) = open.pop() {
            let Some(other) = self.relation.in_b(block) else { continue };
            let (ours, theirs) = (&self.a.body.blocks[block], &self.b.body.blocks[other]);
            let successors = ours.successors.iter().zip(&theirs.successors);
            let predecessors = match (&ours.predecessors[..], &theirs.predecessors[..]) {
                ([ours], [theirs]) => Some((ours, theirs)),
                _ => None,
            };
            for (ours, theirs) in successors.chain(predecessors) {
                if self.relation.are_free(*ours, *theirs) && self.similarity(*ours, *theirs) >= least {
                    self.relation.relate(*ours, *theirs);
                    open.push(*ours);
                }
            }
        }
    }

    /// Relates the blocks that are left, those with most in common first.
    fn by_similarity(&mut self) {
        let left_a: Vec<BlockId> = self.a.body.blocks.keys().filter(|at| self.relation.in_b(*at).is_none()).collect();
        let left_b: Vec<BlockId> = self.b.body.blocks.keys().filter(|at| self.relation.in_a(*at).is_none()).collect();
        let mut pairs = Vec::new();
        for ours in &left_a {
            for theirs in &left_b {
                let similarity = self.similarity(*ours, *theirs);
                if similarity >= LEAST_SIMILARITY {
                    pairs.push((similarity, self.related_neighbours(*ours, *theirs), *ours, *theirs));
                }
            }
        }
        pairs.sort_by_key(|(similarity, neighbours, ours, theirs)| {
            (std::cmp::Reverse((*similarity, *neighbours)), *ours, *theirs)
        });
        for (_, _, ours, theirs) in pairs {
            if self.relation.are_free(ours, theirs) {
                self.relation.relate(ours, theirs);
            }
        }
    }

    fn related_neighbours(&self, ours: BlockId, theirs: BlockId) -> usize {
        let (ours, theirs) = (&self.a.body.blocks[ours], &self.b.body.blocks[theirs]);
        let count = |ours: &[BlockId], theirs: &[BlockId]| {
            let related = ours.iter().filter_map(|block| self.relation.in_b(*block));
            related.filter(|other| theirs.contains(other)).count()
        };
        count(&ours.successors, &theirs.successors) + count(&ours.predecessors, &theirs.predecessors)
    }

    /// How many instructions two blocks have in common, in percent of both.
    fn similarity(&self, ours: BlockId, theirs: BlockId) -> u32 {
        if self.ours.blocks[0][ours] == self.theirs.blocks[0][theirs] {
            return 100;
        }
        let ours: Vec<u64> = shapes(self.a, self.ours, ours);
        let theirs: Vec<u64> = shapes(self.b, self.theirs, theirs);
        let all = ours.len() + theirs.len();
        let (mut at, mut other, mut common) = (0, 0, 0);
        while at < ours.len() && other < theirs.len() {
            match ours[at].cmp(&theirs[other]) {
                std::cmp::Ordering::Less => at += 1,
                std::cmp::Ordering::Greater => other += 1,
                std::cmp::Ordering::Equal => {
                    common += 1;
                    at += 1;
                    other += 1;
                }
            }
        }
        // Less than all, since their operands differ.
        (200 * common / all.max(1)).min(99) as u32
    }
}

fn shapes(side: &Side<'_>, fingerprints: &Fingerprints, block: BlockId) -> Vec<u64> {
    let instructions = side.body.blocks[block].instructions();
    let mut shapes: Vec<u64> = instructions.map(|instruction| fingerprints.shapes[instruction]).collect();
    shapes.sort_unstable();
    shapes
}

/// The blocks of one side that share a fingerprint.
#[derive(Clone, Copy, Default)]
enum Candidate {
    #[default]
    None,
    One(BlockId),
    Several,
}

impl Candidate {
    fn add(&mut self, block: BlockId) {
        *self = match self {
            Candidate::None => Candidate::One(block),
            _ => Candidate::Several,
        };
    }
}

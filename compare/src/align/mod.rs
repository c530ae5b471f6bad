//! Which block and which instruction of one body is which of another. Structure decides; names only break ties.
//!
//! Two bodies that are the same but for names are walked side by side ([`walk`]). Others are aligned in steps: blocks
//! by their contents and surroundings ([`blocks`]), then the instructions of each pair of blocks ([`instructions`]).

pub mod arrangement;
mod blocks;
mod fingerprints;
mod instructions;
mod walk;

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::model::{BlockId, Body, Instruction, InstructionId, Origin, SymbolId, Term, ValueId};
pub use fingerprints::body_hash;

/// A number for each symbol of a module; paired symbols have the same number.
pub type Identities = SecondaryMap<SymbolId, u64>;

/// A body with the identities of its symbols.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The body.
    pub body: &'a Body,
    /// The identities of its symbols.
    pub identities: &'a Identities,
}

/// A one-to-one relation between some entities of A and some of B.
#[derive(Clone)]
pub struct Relation<K: EntityRef> {
    to_b: SecondaryMap<K, Option<K>>,
    to_a: SecondaryMap<K, Option<K>>,
}

impl<K: EntityRef + PartialEq> Default for Relation<K> {
    fn default() -> Self {
        Self { to_b: SecondaryMap::new(), to_a: SecondaryMap::new() }
    }
}

impl<K: EntityRef + PartialEq> Relation<K> {
    /// The counterpart of `a` in B.
    pub fn in_b(&self, a: K) -> Option<K> {
        self.to_b[a]
    }

    /// The counterpart of `b` in A.
    pub fn in_a(&self, b: K) -> Option<K> {
        self.to_a[b]
    }

    /// Relates two. Gives whether they were unrelated to others before; if not, nothing changes.
    pub fn relate(&mut self, a: K, b: K) -> bool {
        match (self.to_b[a], self.to_a[b]) {
            (None, None) => {
                self.to_b[a] = Some(b);
                self.to_a[b] = Some(a);
                true
            }
            (Some(known), _) => known == b,
            _ => false,
        }
    }

    /// Whether neither is related to anything.
    pub fn are_free(&self, a: K, b: K) -> bool {
        self.to_b[a].is_none() && self.to_a[b].is_none()
    }
}

/// How two terms stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// They mean the same.
    Same,
    /// Not known: neither value is related to any.
    Unknown,
    /// They mean something else.
    Different,
}

/// The blocks and instructions of two bodies, related.
#[derive(Clone, Default)]
pub struct Alignment {
    /// Blocks.
    pub blocks: Relation<BlockId>,
    /// Instructions, and with them their results.
    pub instructions: Relation<InstructionId>,
}

impl Alignment {
    /// The counterpart of value `a` in B. Parameters correspond by position.
    pub fn value_in_b(&self, a: &Side<'_>, b: &Side<'_>, value: ValueId) -> Option<ValueId> {
        match a.body.values[value].origin {
            Origin::Parameter(index) => b.body.parameter(index),
            Origin::Instruction(instruction) => {
                self.instructions.in_b(instruction).and_then(|other| b.body.instructions[other].result)
            }
        }
    }

    fn is_value_taken(&self, b: &Side<'_>, value: ValueId) -> bool {
        match b.body.values[value].origin {
            Origin::Parameter(_) => true,
            Origin::Instruction(instruction) => self.instructions.in_a(instruction).is_some(),
        }
    }

    /// How two terms stand to each other.
    pub fn agreement(&self, a: &Side<'_>, b: &Side<'_>, ours: Term, theirs: Term) -> Agreement {
        let same = match (ours, theirs) {
            (Term::Word(ours), Term::Word(theirs)) => ours == theirs,
            (Term::Symbol(ours), Term::Symbol(theirs)) => a.identities[ours] == b.identities[theirs],
            (Term::Value(ours), Term::Value(theirs)) => match self.value_in_b(a, b, ours) {
                Some(known) => known == theirs,
                None if self.is_value_taken(b, theirs) => false,
                None => return Agreement::Unknown,
            },
            (Term::Block(ours), Term::Block(theirs)) => match self.blocks.in_b(ours) {
                Some(known) => known == theirs,
                None if self.blocks.in_a(theirs).is_some() => false,
                None => return Agreement::Unknown,
            },
            _ => false,
        };
        if same { Agreement::Same } else { Agreement::Different }
    }

    /// Whether two instructions have the same terms; adornments do not count.
    pub fn has_same_message(&self, a: &Side<'_>, b: &Side<'_>, ours: &Instruction, theirs: &Instruction) -> bool {
        let arranged = arrangement::arranged(self, a, b, ours, theirs);
        let (ours, theirs) = (&ours.statement.terms, &arranged.terms);
        ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(ours, theirs)| self.agreement(a, b, *ours, *theirs) == Agreement::Same)
    }

    /// The number of instructions that stand alone or differ from their counterpart.
    fn cost(&self, a: &Side<'_>, b: &Side<'_>) -> usize {
        let alone_in_b = b.body.instructions.keys().filter(|theirs| self.instructions.in_a(*theirs).is_none()).count();
        let differing = a.body.instructions.iter().filter(|(ours, instruction)| match self.instructions.in_b(*ours) {
            Some(theirs) => !self.has_same_message(a, b, instruction, &b.body.instructions[theirs]),
            None => true,
        });
        alone_in_b + differing.count()
    }
}

/// Relates the blocks and instructions of two bodies.
pub fn align(a: &Side<'_>, b: &Side<'_>) -> Alignment {
    if let Some(alignment) = walk::walk(a, b) {
        return alignment;
    }
    let ours = fingerprints::Fingerprints::new(a);
    let theirs = fingerprints::Fingerprints::new(b);
    let by_structure = align_by(blocks::Hint::None, a, b, &ours, &theirs);
    let by_name = align_by(blocks::Hint::Names, a, b, &ours, &theirs);
    if by_structure.cost(a, b) < by_name.cost(a, b) { by_structure } else { by_name }
}

fn align_by(
    hint: blocks::Hint,
    a: &Side<'_>,
    b: &Side<'_>,
    ours: &fingerprints::Fingerprints,
    theirs: &fingerprints::Fingerprints,
) -> Alignment {
    let mut alignment = Alignment { blocks: blocks::relate(a, b, ours, theirs, hint), ..Alignment::default() };
    instructions::relate(a, b, ours, theirs, &mut alignment);
    alignment
}

impl Body {
    /// The parameter of this index.
    pub fn parameter(&self, index: u32) -> Option<ValueId> {
        let value = ValueId::from_u32(index);
        let found = self.values.get(value)?;
        (found.origin == Origin::Parameter(index)).then_some(value)
    }

    /// The blocks that can be reached from the entry, in reverse postorder, and the others after them.
    pub fn in_reverse_postorder(&self) -> Vec<BlockId> {
        let mut postorder = Vec::with_capacity(self.blocks.len());
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut open: Vec<(BlockId, usize)> = Vec::new();
        if let Some(entry) = self.blocks.keys().next() {
            seen[entry] = true;
            open.push((entry, 0));
        }
        while let Some((block, next)) = open.last_mut() {
            match self.blocks[*block].successors.get(*next) {
                Some(successor) => {
                    *next += 1;
                    if !seen[*successor] {
                        seen[*successor] = true;
                        open.push((*successor, 0));
                    }
                }
                None => {
                    postorder.push(*block);
                    open.pop();
                }
            }
        }
        postorder.reverse();
        postorder.extend(self.blocks.keys().filter(|block| !seen[*block]));
        postorder
    }
}

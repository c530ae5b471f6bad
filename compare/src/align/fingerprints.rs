//! Hashes that identify blocks and instructions: of an instruction's terms apart from names, of its operands, of a
//! block's contents, and of its surroundings. The order of instructions in a block has no part in them.

use std::hash::{Hash, Hasher};

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHasher;

use super::Side;
use crate::model::{BlockId, Instruction, InstructionId, Origin, Term, ValueId};

/// How far a block's fingerprint looks around itself.
pub const LEVELS: usize = 4;

/// How far an instruction's fingerprint follows operands.
const DATA_DEPTH: usize = 4;

/// The fingerprints of a body.
pub struct Fingerprints {
    /// The terms of each instruction, with all values and blocks alike.
    pub shapes: SecondaryMap<InstructionId, u64>,
    /// The same with the operands' hashes.
    pub data: SecondaryMap<InstructionId, u64>,
    /// The contents of each block, and its surroundings up to the distance of the level.
    pub blocks: [SecondaryMap<BlockId, u64>; LEVELS],
}

impl Fingerprints {
    /// Takes them.
    pub fn new(side: &Side<'_>) -> Self {
        let shapes = map(side, |instruction| shape(side, instruction));
        let near = map(side, |instruction| data(side, &shapes, instruction));
        let mut data_hashes = near.clone();
        for _ in 1..DATA_DEPTH {
            data_hashes = map(side, |instruction| data(side, &data_hashes, instruction));
        }
        let mut held: SecondaryMap<BlockId, u64> = SecondaryMap::new();
        for (block, data) in side.body.blocks.iter() {
            held[block] = data.instructions().fold(0, |sum, instruction| sum.wrapping_add(mix(near[instruction])));
        }
        let mut blocks = [held.clone(), held.clone(), held.clone(), held];
        for level in 1..LEVELS {
            for block in side.body.blocks.keys() {
                blocks[level][block] = surroundings(side, &blocks[level - 1], block);
            }
        }
        Self { shapes, data: data_hashes, blocks }
    }
}

/// A hash of a whole body: the same for bodies that differ in names and order only.
pub fn body_hash(side: &Side<'_>) -> u64 {
    let fingerprints = Fingerprints::new(side);
    side.body.blocks.keys().fold(0, |sum, block| sum.wrapping_add(mix(fingerprints.blocks[2][block])))
}

fn map(side: &Side<'_>, hash: impl Fn(&Instruction) -> u64) -> SecondaryMap<InstructionId, u64> {
    let mut hashes = SecondaryMap::new();
    for (id, instruction) in side.body.instructions.iter() {
        hashes[id] = hash(instruction);
    }
    hashes
}

fn mix(hash: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hash.hash(&mut hasher);
    hasher.finish().rotate_left(23)
}

fn shape(side: &Side<'_>, instruction: &Instruction) -> u64 {
    let mut hasher = FxHasher::default();
    let terms = &instruction.statement.terms;
    // Operands that may be exchanged have no order.
    let ordered = instruction.commutes.map_or(terms.len(), |first| first as usize);
    terms[..ordered].iter().for_each(|term| said(side, *term, &mut hasher));
    let unordered = terms[ordered..].iter().map(|term| {
        let mut hasher = FxHasher::default();
        said(side, *term, &mut hasher);
        mix(hasher.finish())
    });
    unordered.fold(0u64, u64::wrapping_add).hash(&mut hasher);
    hasher.finish()
}

fn said(side: &Side<'_>, term: Term, hasher: &mut FxHasher) {
    match term {
        Term::Word(word) => word.hash(hasher),
        Term::Value(value) => match side.body.values[value].origin {
            Origin::Parameter(index) => (1u8, index).hash(hasher),
            Origin::Instruction(_) => 2u8.hash(hasher),
        },
        Term::Block(_) => 3u8.hash(hasher),
        Term::Symbol(symbol) => (4u8, side.identities[symbol]).hash(hasher),
    }
}

fn data(side: &Side<'_>, before: &SecondaryMap<InstructionId, u64>, instruction: &Instruction) -> u64 {
    let mut hasher = FxHasher::default();
    shape(side, instruction).hash(&mut hasher);
    let operands = values(instruction).filter_map(|value| match side.body.values[value].origin {
        Origin::Instruction(operand) => Some(before[operand]),
        Origin::Parameter(_) => None,
    });
    match instruction.commutes {
        Some(_) => operands.map(mix).fold(0u64, u64::wrapping_add).hash(&mut hasher),
        None => operands.for_each(|operand| operand.hash(&mut hasher)),
    }
    hasher.finish()
}

fn surroundings(side: &Side<'_>, nearer: &SecondaryMap<BlockId, u64>, block: BlockId) -> u64 {
    let mut hasher = FxHasher::default();
    nearer[block].hash(&mut hasher);
    let data = &side.body.blocks[block];
    for (index, successor) in data.successors.iter().enumerate() {
        (index, nearer[*successor]).hash(&mut hasher);
    }
    data.predecessors.iter().fold(0u64, |sum, before| sum.wrapping_add(mix(nearer[*before]))).hash(&mut hasher);
    hasher.finish()
}

/// The values that an instruction uses.
pub fn values(instruction: &Instruction) -> impl Iterator<Item = ValueId> + '_ {
    instruction.statement.terms.iter().filter_map(|term| match term {
        Term::Value(value) => Some(*value),
        _ => None,
    })
}

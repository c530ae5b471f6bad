//! The instruction table: the facts about each kind of instruction, a file per family. Parser, printer, verifier,
//! analyses and the generated documentation read it.

use super::information::Information;
use super::opcode::Opcode;

mod aggregates;
mod allocation;
mod blocks;
mod calls;
mod casts;
mod concurrency;
mod diagnostics;
mod differentiation;
mod enums;
mod existentials;
mod key_paths;
mod literals;
mod memory;
mod metatypes;
mod ownership;
mod packs;
mod reference_counting;
mod terminators;

/// The whole table, a slice per family.
const ROWS: &[&[Information]] = &[
    allocation::ROWS,
    memory::ROWS,
    reference_counting::ROWS,
    ownership::ROWS,
    aggregates::ROWS,
    enums::ROWS,
    literals::ROWS,
    calls::ROWS,
    casts::ROWS,
    existentials::ROWS,
    metatypes::ROWS,
    packs::ROWS,
    blocks::ROWS,
    differentiation::ROWS,
    concurrency::ROWS,
    key_paths::ROWS,
    diagnostics::ROWS,
    terminators::ROWS,
];

const fn collect() -> [Information; Opcode::ALL.len()] {
    let mut rows: [Option<Information>; Opcode::ALL.len()] = [None; Opcode::ALL.len()];
    let mut family = 0;
    while family < ROWS.len() {
        let mut row = 0;
        while row < ROWS[family].len() {
            let information = ROWS[family][row];
            let slot = information.opcode as usize;
            assert!(rows[slot].is_none(), "an opcode has two rows");
            rows[slot] = Some(information);
            row += 1;
        }
        family += 1;
    }
    let mut table = [ROWS[0][0]; Opcode::ALL.len()];
    let mut slot = 0;
    while slot < table.len() {
        match rows[slot] {
            Some(information) => table[slot] = information,
            None => panic!("an opcode has no row"),
        }
        slot += 1;
    }
    table
}

static TABLE: [Information; Opcode::ALL.len()] = collect();

impl Opcode {
    /// The row of the instruction table for this opcode.
    pub const fn information(self) -> &'static Information {
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::{MayRelease, MemoryBehavior, Position};

    #[test]
    fn every_opcode_has_its_row() {
        for opcode in Opcode::ALL {
            assert_eq!(opcode.information().opcode, *opcode);
        }
    }

    /// An instruction that releases has side effects, except for casts of ownership, which change the effect of a later
    /// release.
    #[test]
    fn what_may_release_does_more_than_read() {
        for opcode in Opcode::ALL.iter().filter(|opcode| **opcode != Opcode::UncheckedOwnershipConversion) {
            let information = opcode.information();
            if information.may_release == MayRelease::Yes && information.position == Position::Body {
                assert!(information.memory.may_write(), "{}", opcode.name());
            }
        }
    }

    #[test]
    fn behaviors_combine() {
        use MemoryBehavior::*;
        assert_eq!(MayRead.union(MayWrite), MayReadWrite);
        assert_eq!(MayHaveSideEffects.union(None), MayReadWrite);
        assert_eq!(MayReadWrite.without_write(), MayRead);
        assert_eq!(MayRead.without_read(), None);
    }
}

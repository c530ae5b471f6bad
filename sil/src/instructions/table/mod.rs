//! The instruction table: everything that is said once per kind of instruction, a file per family.
//! Parser, printer, verifier, analyses and the generated documentation read it.

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

/// Kinds of instructions that belong together.
pub struct Family {
    /// What they are, as a heading.
    pub title: &'static str,
    /// Their rows.
    pub rows: &'static [Information],
}

/// The whole table, by families.
pub const FAMILIES: &[Family] = &[
    Family { title: "Allocation and deallocation", rows: allocation::ROWS },
    Family { title: "Loads, stores, copies, addresses and formal accesses", rows: memory::ROWS },
    Family { title: "Retains, releases, uniqueness and reference storage", rows: reference_counting::ROWS },
    Family { title: "Ownership, lifetimes and dependences", rows: ownership::ROWS },
    Family { title: "Structs, tuples, objects and their fields", rows: aggregates::ROWS },
    Family { title: "Enums", rows: enums::ROWS },
    Family { title: "Literals and references to functions", rows: literals::ROWS },
    Family { title: "Applies, method lookup and closures", rows: calls::ROWS },
    Family { title: "Conversions and casts", rows: casts::ROWS },
    Family { title: "Existential containers", rows: existentials::ROWS },
    Family { title: "Metatypes and values of types", rows: metatypes::ROWS },
    Family { title: "Parameter packs", rows: packs::ROWS },
    Family { title: "Objective-C blocks", rows: blocks::ROWS },
    Family { title: "Automatic differentiation", rows: differentiation::ROWS },
    Family { title: "Continuations, executors and actors", rows: concurrency::ROWS },
    Family { title: "Key paths", rows: key_paths::ROWS },
    Family { title: "Debug information, run-time checks and profiling", rows: diagnostics::ROWS },
    Family { title: "Terminators", rows: terminators::ROWS },
];

const fn collect() -> [Information; Opcode::ALL.len()] {
    let mut rows: [Option<Information>; Opcode::ALL.len()] = [None; Opcode::ALL.len()];
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].rows.len() {
            let information = FAMILIES[family].rows[row];
            let slot = information.opcode as usize;
            assert!(rows[slot].is_none(), "an opcode has two rows");
            rows[slot] = Some(information);
            row += 1;
        }
        family += 1;
    }
    let mut table = [FAMILIES[0].rows[0]; Opcode::ALL.len()];
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
    pub fn information(self) -> &'static Information {
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

    /// What releases has side effects, but for casts of ownership, which change what a later release does.
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

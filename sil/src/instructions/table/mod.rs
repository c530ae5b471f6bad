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

const FAMILIES: &[&[Information]] = &[
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
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            let information = FAMILIES[family][row];
            let slot = information.opcode as usize;
            assert!(rows[slot].is_none(), "an opcode has two rows");
            rows[slot] = Some(information);
            row += 1;
        }
        family += 1;
    }
    let mut table = [FAMILIES[0][0]; Opcode::ALL.len()];
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

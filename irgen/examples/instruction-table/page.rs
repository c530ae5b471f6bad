//! The page: prose, and a table for each family of instructions.

use std::fmt::Write;

use irgen::{Coverage, instruction_coverage};
use sil_ir::instructions::{
    Family, Information, Legality, MayRelease, MemoryBehavior, Opcode, OperandUse, Position, ResultRule,
};

use super::{builtins, syntax};

const INTRODUCTION: &str = include_str!("introduction.md");

/// The whole page as Markdown.
pub fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    summary(&mut page);
    for (title, opcodes) in Family::ALL {
        instructions(&mut page, title, opcodes);
    }
    builtins::tables(&mut page);
    page
}

/// Appends a line.
pub fn line(page: &mut String, line: impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = writeln!(page, "{line}");
}

fn summary(page: &mut String) {
    let rows = || Opcode::ALL.iter().map(|opcode| opcode.information());
    let refused = rows().filter(|row| instruction_coverage(row.opcode) == Coverage::NotYet).count();
    let total = rows().count();
    let checked = rows().filter(|row| sil_verify::has_own_rules(row.opcode)).count();
    line(
        page,
        format_args!(
            "Of {total} instructions {checked} have rules of their own in the verifier, and silc lowers {}.",
            total - refused
        ),
    );
}

fn instructions(page: &mut String, title: &str, opcodes: &[Opcode]) {
    line(page, format_args!("\n## {}\n", title));
    line(page, "| instruction | result | operands | memory | stands | rules | lowered |");
    line(page, "|---|---|---|---|---|---|---|");
    for row in opcodes.iter().map(|opcode| opcode.information()) {
        line(
            page,
            format_args!(
                "| `{}` | {} | {} | {} | {} | {} | {} |",
                syntax::of(row).replace('|', "\\|"),
                result(row),
                operands(row),
                effect(row),
                place(row),
                if sil_verify::has_own_rules(row.opcode) { "own" } else { "general" },
                coverage(instruction_coverage(row.opcode)),
            ),
        );
    }
}

/// A word for the column "lowered".
pub fn coverage(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Lowered => "yes",
        Coverage::Nothing => "to nothing",
        Coverage::Before => "before",
        Coverage::InInitializers => "in initialisers",
        Coverage::NotYet => "not yet",
    }
}

fn result(row: &Information) -> String {
    match row.result {
        ResultRule::None => "–".to_owned(),
        ResultRule::Operand(number) => format!("type of operand {number}"),
        ResultRule::ObjectOf(number) => format!("object at operand {number}"),
        ResultRule::Written(_) => "the type written".to_owned(),
        ResultRule::AddressOf(_) => "address of the type written".to_owned(),
        ResultRule::Builtin(ty) => format!("`{}`", syntax::builtin_type(ty)),
        ResultRule::Own => "follows from its parts".to_owned(),
    }
}

fn operands(row: &Information) -> String {
    let words: Vec<&str> = row.uses.iter().copied().map(operand_use).collect();
    if !syntax::has_operands(row) {
        return "–".to_owned();
    }
    let more = if syntax::has_list(row) { "…" } else { "" };
    words.join(", ") + more
}

fn operand_use(found: OperandUse) -> &'static str {
    match found {
        OperandUse::Instantaneous => "use",
        OperandUse::InstantaneousOrUnowned => "use (unowned too)",
        OperandUse::Consume => "consume",
        OperandUse::Borrow => "borrow",
        OperandUse::EndBorrow => "end borrow",
        OperandUse::Forward => "forward",
        OperandUse::ForwardBorrowed => "forward borrowed",
        OperandUse::InteriorPointer => "interior pointer",
        OperandUse::Escape => "escape",
        OperandUse::Mention => "mention",
        OperandUse::NonOwned => "not owned",
    }
}

/// Words for the column "memory".
pub fn memory(behavior: MemoryBehavior) -> &'static str {
    match behavior {
        MemoryBehavior::None => "none",
        MemoryBehavior::MayRead => "may read",
        MemoryBehavior::MayWrite => "may write",
        MemoryBehavior::MayReadWrite => "may read and write",
        MemoryBehavior::MayHaveSideEffects => "side effects",
    }
}

fn effect(row: &Information) -> String {
    let effect = memory(row.memory);
    match row.may_release {
        MayRelease::Yes => format!("{effect}, may release"),
        MayRelease::No => effect.to_owned(),
    }
}

fn place(row: &Information) -> String {
    let stage = match row.legality {
        Legality::Always => "anywhere",
        Legality::RawOnly => "in raw SIL",
        Legality::OwnershipOnly => "in `[ossa]`",
        Legality::LoweredOwnershipOnly => "outside `[ossa]`",
    };
    match row.position {
        Position::Body => stage.to_owned(),
        Position::Terminator => format!("{stage}, last"),
    }
}

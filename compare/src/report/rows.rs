//! A pair of symbols as rows: A's lines in their order, each beside B's, with B's other lines at their places in B.

use crate::atoms::Atom;
use crate::comparison::{Comparison, SymbolComparison};
use crate::judge::BodyJudgement;
use crate::judge::differences::Difference;
use crate::model::{BlockId, Body, InstructionId, Module, Span, Statement, SymbolId};
use crate::part::{Part, Parts};
use crate::row_kind::RowKind;

/// The content of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowContent {
    /// The header of a function, or a global's definition.
    Header,
    /// The label of a block.
    Label,
    /// An instruction or debug record.
    Instruction,
}

/// One side of a row.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its text; an instruction may go over several lines.
    pub span: Span,
    /// The number of its first line, from 1.
    pub number: u32,
    /// The places that differ.
    pub marks: Vec<Span>,
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its kind.
    pub kind: RowKind,
    /// Its content.
    pub content: RowContent,
    /// A's side.
    pub a: Option<Line>,
    /// B's side.
    pub b: Option<Line>,
    /// The parts that differ.
    pub parts: Parts,
    /// A note on the difference that the lines do not show; empty for none.
    pub note: String,
}

/// The rows of a symbol.
pub fn rows(comparison: &Comparison, symbol: &SymbolComparison) -> Vec<Row> {
    let mut rows = vec![header(comparison, symbol)];
    let bodies = (
        symbol.a.and_then(|id| comparison.a.symbols[id].body.as_ref()),
        symbol.b.and_then(|id| comparison.b.symbols[id].body.as_ref()),
    );
    match bodies {
        (Some(a), Some(b)) => {
            if let Some(judgement) = &symbol.body {
                Builder { comparison, a, b, judgement, rows: &mut rows }.build();
            }
        }
        (Some(body), None) => one_sided(&comparison.a, body, RowKind::OnlyInA, &mut rows),
        (None, Some(body)) => one_sided(&comparison.b, body, RowKind::OnlyInB, &mut rows),
        (None, None) => {}
    }
    rows
}

fn line(module: &Module, span: Span, marks: &[Span]) -> Line {
    Line { span, number: module.line(span.start), marks: marks.to_vec() }
}

fn header(comparison: &Comparison, symbol: &SymbolComparison) -> Row {
    let side = |module: &Module, id: Option<SymbolId>, marks: &[Span]| {
        id.map(|id| line(module, module.symbols[id].header.span, marks))
    };
    let difference = &symbol.header;
    let a = side(&comparison.a, symbol.a, &difference.places_a);
    let b = side(&comparison.b, symbol.b, &difference.places_b);
    let kind = match (&a, &b) {
        (Some(_), None) => RowKind::OnlyInA,
        (None, _) => RowKind::OnlyInB,
        _ if difference.parts.is_empty() => RowKind::Same,
        _ => RowKind::Changed,
    };
    let note = note(comparison, kind, difference.parts, difference);
    Row { kind, content: RowContent::Header, a, b, parts: difference.parts, note }
}

fn one_sided(module: &Module, body: &Body, kind: RowKind, rows: &mut Vec<Row>) {
    for block in body.blocks.keys() {
        push_alone(module, body, block, kind, rows);
    }
}

fn push_alone(module: &Module, body: &Body, block: BlockId, kind: RowKind, rows: &mut Vec<Row>) {
    let mut push = |span: Span, content: RowContent| {
        let line = Some(line(module, span, &[]));
        let (a, b) = if kind == RowKind::OnlyInA { (line, None) } else { (None, line) };
        rows.push(Row { kind, content, a, b, parts: Parts::default(), note: String::new() });
    };
    let data = &body.blocks[block];
    if data.name.is_some() {
        push(data.span, RowContent::Label);
    }
    for instruction in data.instructions() {
        push(body.instructions[instruction].statement.span, RowContent::Instruction);
    }
}

struct Builder<'a> {
    comparison: &'a Comparison,
    a: &'a Body,
    b: &'a Body,
    judgement: &'a BodyJudgement,
    rows: &'a mut Vec<Row>,
}

impl Builder<'_> {
    fn build(&mut self) {
        let blocks = &self.judgement.alignment.blocks;
        for block in self.a.blocks.keys() {
            match blocks.in_b(block) {
                Some(other) => {
                    self.pair(block, other);
                    self.only_in_b_after(other);
                }
                None => push_alone(&self.comparison.a, self.a, block, RowKind::OnlyInA, self.rows),
            }
        }
    }

    /// Blocks that only B has come after the block that they follow in B; its entry is always paired.
    fn only_in_b_after(&mut self, other: BlockId) {
        let following = self.b.blocks.keys().skip(other.as_u32() as usize + 1);
        let blocks: Vec<BlockId> =
            following.take_while(|block| self.judgement.alignment.blocks.in_a(*block).is_none()).collect();
        for block in blocks {
            push_alone(&self.comparison.b, self.b, block, RowKind::OnlyInB, self.rows);
        }
    }

    fn pair(&mut self, block: BlockId, other: BlockId) {
        let (ours, theirs) = (&self.a.blocks[block], &self.b.blocks[other]);
        if ours.name.is_some() || theirs.name.is_some() {
            let a = ours.name.map(|_| line(&self.comparison.a, ours.span, &[]));
            let b = theirs.name.map(|_| line(&self.comparison.b, theirs.span, &[]));
            let (kind, content) = (RowKind::Same, RowContent::Label);
            self.rows.push(Row { kind, content, a, b, parts: Parts::default(), note: String::new() });
        }
        let mut next_in_b = theirs.first;
        for instruction in ours.instructions() {
            let Some(other_instruction) = self.judgement.alignment.instructions.in_b(instruction) else {
                self.push_single(RowKind::OnlyInA, instruction);
                continue;
            };
            if (next_in_b..theirs.end).contains(&other_instruction.as_u32()) {
                self.only_in_b(next_in_b, other_instruction.as_u32());
                next_in_b = other_instruction.as_u32() + 1;
            }
            self.push_pair(instruction, other_instruction);
        }
        self.only_in_b(next_in_b, theirs.end);
    }

    fn only_in_b(&mut self, from: u32, to: u32) {
        for instruction in (from..to).map(InstructionId::from_u32) {
            if self.judgement.alignment.instructions.in_a(instruction).is_none() {
                self.push_single(RowKind::OnlyInB, instruction);
            }
        }
    }

    fn push_single(&mut self, kind: RowKind, instruction: InstructionId) {
        let (a, b) = if kind == RowKind::OnlyInA {
            (Some(line(&self.comparison.a, span(self.a, instruction), &[])), None)
        } else {
            (None, Some(line(&self.comparison.b, span(self.b, instruction), &[])))
        };
        let parts = [Part::Body].into_iter().collect();
        self.rows.push(Row { kind, content: RowContent::Instruction, a, b, parts, note: String::new() });
    }

    fn push_pair(&mut self, instruction: InstructionId, other: InstructionId) {
        let empty = Difference::default();
        let differences = &self.judgement.differences;
        let found = differences.binary_search_by_key(&instruction, |(at, _)| *at);
        let difference = found.map_or(&empty, |at| &differences[at].1);
        let mut parts = difference.parts;
        let is_moved = self.judgement.moved.contains(&instruction);
        let is_out_of_order = self.judgement.out_of_order.contains(&instruction);
        if is_out_of_order {
            parts.insert(Part::Order);
        }
        let kind = match () {
            () if !difference.parts.is_empty() => RowKind::Changed,
            () if is_moved || is_out_of_order => RowKind::Moved,
            () => RowKind::Same,
        };
        let a = line(&self.comparison.a, span(self.a, instruction), &difference.places_a);
        let b = line(&self.comparison.b, span(self.b, other), &difference.places_b);
        let note = note(self.comparison, kind, parts, difference);
        self.rows.push(Row { kind, content: RowContent::Instruction, a: Some(a), b: Some(b), parts, note });
    }
}

/// The parts that differ, unless that is the body; and the contents of attribute groups and metadata on one side only,
/// since lines show their numbers.
fn note(comparison: &Comparison, kind: RowKind, parts: Parts, difference: &Difference) -> String {
    if kind == RowKind::Moved && parts.is_empty() {
        return "moved to another block".to_owned();
    }
    let names = parts.names();
    let hidden = |module: &Module, adornments: &[(Atom, Span)], sign: char| {
        let hidden = adornments.iter().filter(|(_, span)| {
            let shown = module.slice(*span);
            shown.starts_with('#') || shown.contains(" !")
        });
        let texts = hidden.map(|(content, _)| format!(" {sign}{}", comparison.atoms.text(*content)));
        texts.collect::<String>()
    };
    let a = hidden(&comparison.a, &difference.adornments_a, '-');
    let b = hidden(&comparison.b, &difference.adornments_b, '+');
    match (names.as_str(), a.is_empty() && b.is_empty()) {
        ("body", true) => String::new(),
        (names, true) => names.to_owned(),
        (names, false) => format!("{names}:{a}{b}"),
    }
}

fn span(body: &Body, instruction: InstructionId) -> Span {
    let statement: &Statement = &body.instructions[instruction].statement;
    statement.span
}

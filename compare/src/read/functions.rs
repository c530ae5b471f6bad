//! Function bodies: lines to blocks, instructions and values.

use std::borrow::Cow;

use super::canonical;
use super::lexer::{Token, TokenKind, tokens};
use super::outline::lines;
use super::statements::{Local, Locals, Place, Statements};
use crate::model::{Block, BlockId, Body, Instruction, InstructionKind, Origin, Span, Statement, Term, Value};
use crate::part::Part;

/// An instruction's tokens, and the block that it is in.
struct Line {
    tokens: Vec<Token>,
    block: BlockId,
}

/// Reads a function: its header and its body.
pub fn read<'a>(reader: &mut Statements<'a, '_>, header: Span, body: Span) -> (Statement, Body) {
    let text = reader.text;
    let header_tokens = tokens(text, header);
    let mut function = Body::default();
    let mut locals = Locals::default();
    declare_parameters(reader, &header_tokens, &mut function, &mut locals);
    let lines = cut(reader, body, &mut function, &mut locals);
    for line in &lines {
        declare_result(reader, line, &mut function, &mut locals);
    }
    let header = reader.read(Place::Header, &header_tokens, &locals);
    for (line, instruction) in lines.iter().zip(function.instructions.values_mut()) {
        read_instruction(reader, line, &locals, instruction);
    }
    connect(&mut function);
    canonical::order_incoming(&mut function);
    (header, function)
}

/// The parameters of a definition are the local names in the parentheses after its name that end a parameter.
fn declare_parameters<'a>(
    reader: &mut Statements<'a, '_>,
    header: &[Token],
    function: &mut Body,
    locals: &mut Locals<'a>,
) {
    let Some(name) = header.iter().position(|token| token.kind == TokenKind::Global) else { return };
    let text = reader.text;
    let end = super::contents::closing(text, header, name + 1);
    let mut index = 0;
    for at in name + 2..end {
        let ends = matches!(header.get(at + 1).map(|next| &text[next.span.range()]), Some("," | ")"));
        if header[at].kind == TokenKind::Local && ends && is_at_top(text, &header[name + 1..at]) {
            let name = &text[header[at].span.range()][1..];
            let atom = reader.atoms.intern(name);
            let value = function.values.push(Value { name: atom, origin: Origin::Parameter(index) });
            locals.insert(Cow::Borrowed(name), Local::Value(value));
            index += 1;
        }
    }
}

/// Whether the tokens after an opening bracket leave only that one open.
fn is_at_top(text: &str, tokens: &[Token]) -> bool {
    let depth: i32 = tokens
        .iter()
        .map(|token| match &text[token.span.range()] {
            "(" | "{" | "[" => 1,
            ")" | "}" | "]" => -1,
            _ => 0,
        })
        .sum();
    depth == 1
}

/// Cuts a body into blocks and instructions. Labels begin at the line's start. A line that is indented further than two
/// columns continues the instruction before it, unless it is a debug record.
fn cut<'a>(reader: &mut Statements<'a, '_>, body: Span, function: &mut Body, locals: &mut Locals<'a>) -> Vec<Line> {
    let text = reader.text;
    let mut cut: Vec<Line> = Vec::new();
    let mut block = None;
    for line in lines(&text[body.range()]) {
        let span = Span { start: body.start + line.start, end: body.start + line.end };
        let content = &text[span.range()];
        if content.is_empty() || content.starts_with(';') {
            continue;
        }
        if !content.starts_with(' ') {
            block = Some(declare_block(reader, span, function, locals));
            continue;
        }
        let block = *block.get_or_insert_with(|| declare_entry(reader, function, locals));
        let goes_on =
            content.starts_with("  ]") || content.starts_with("   ") && !content.trim_start().starts_with('#');
        match cut.last_mut() {
            Some(last) if goes_on => last.tokens.extend(tokens(text, span)),
            _ => cut.push(Line { tokens: tokens(text, span), block }),
        }
    }
    cut.retain(|line| !is_ignored(reader, line));
    cut
}

/// An entry without label has the number after those of the parameters.
fn declare_entry<'a>(reader: &mut Statements<'a, '_>, function: &mut Body, locals: &mut Locals<'a>) -> BlockId {
    let block = function.blocks.push(Block::default());
    let is_number = |value: &Value| reader.atoms.text(value.name).bytes().all(|byte| byte.is_ascii_digit());
    let number = function.values.values().filter(|value| is_number(value)).count();
    locals.insert(Cow::Owned(number.to_string()), Local::Block(block));
    block
}

fn is_ignored(reader: &Statements<'_, '_>, line: &Line) -> bool {
    let text = reader.text;
    let is_debug = line.tokens.first().is_some_and(|first| text[first.span.range()].starts_with("#dbg"));
    is_debug && reader.ignored.contains(Part::Debug)
}

fn declare_block<'a>(
    reader: &mut Statements<'a, '_>,
    line: Span,
    function: &mut Body,
    locals: &mut Locals<'a>,
) -> BlockId {
    let text = reader.text;
    let content = &text[line.range()];
    // A quoted name may contain a colon.
    let end = match content.strip_prefix('"') {
        Some(quoted) => quoted.find('"').map_or(content.len(), |end| end + 2),
        None => content.find(':').unwrap_or(content.len()),
    };
    let name = &content[..end];
    let span = Span { start: line.start, end: line.start + end as u32 + 1 };
    let block = function.blocks.push(Block { name: Some(reader.atoms.intern(name)), span, ..Block::default() });
    locals.insert(Cow::Borrowed(name), Local::Block(block));
    block
}

fn declare_result<'a>(reader: &mut Statements<'a, '_>, line: &Line, function: &mut Body, locals: &mut Locals<'a>) {
    let text = reader.text;
    let instruction = function.instructions.push(Instruction {
        statement: Statement::default(),
        result: None,
        opcode: reader.atoms.intern(""),
        kind: InstructionKind::Computation,
        commutes: None,
        block: line.block,
    });
    let block = &mut function.blocks[line.block];
    if block.first == block.end {
        block.first = instruction.as_u32();
    }
    block.end = instruction.as_u32() + 1;
    if let [first, second, ..] = &line.tokens[..]
        && first.kind == TokenKind::Local
        && &text[second.span.range()] == "="
    {
        let name = &text[first.span.range()][1..];
        let atom = reader.atoms.intern(name);
        let value = function.values.push(Value { name: atom, origin: Origin::Instruction(instruction) });
        function.instructions[instruction].result = Some(value);
        locals.insert(Cow::Borrowed(name), Local::Value(value));
    }
}

fn read_instruction<'a>(
    reader: &mut Statements<'a, '_>,
    line: &Line,
    locals: &Locals<'a>,
    instruction: &mut Instruction,
) {
    let skip = if instruction.result.is_some() { 2 } else { 0 };
    let mut statement = reader.read(Place::Instruction, &line.tokens[skip..], locals);
    if let Some(first) = line.tokens.first() {
        statement.span.start = first.span.start;
    }
    if let Some(Term::Word(opcode)) = statement.terms.first() {
        instruction.opcode = *opcode;
        instruction.kind = InstructionKind::of(reader.atoms.text(*opcode));
    }
    canonical::order_cases(&mut statement, reader.atoms);
    instruction.commutes = commuting(reader, &statement);
    instruction.statement = statement;
}

/// The index of the first of the two operands that may be exchanged, if the instruction has such, each of one term.
fn commuting(reader: &Statements<'_, '_>, statement: &Statement) -> Option<u32> {
    let word = |at: usize| match statement.terms.get(at)? {
        Term::Word(word) => Some(reader.atoms.text(*word)),
        _ => None,
    };
    let commutes = match word(0)? {
        "add" | "mul" | "and" | "or" | "xor" | "fadd" | "fmul" => true,
        "icmp" => matches!(word(1)?, "eq" | "ne"),
        "fcmp" => matches!(word(1)?, "oeq" | "one" | "ueq" | "une" | "ord" | "uno" | "true" | "false"),
        _ => false,
    };
    let first = statement.terms.len().checked_sub(2).filter(|first| commutes && *first > 1)?;
    let between = statement.spans[first].end..statement.spans[first + 1].start;
    // Constants of several terms end with a bracket, or have it between.
    let is_whole = |at| word(at).is_none_or(|word| !matches!(word, ")" | "]" | "}" | ">"));
    let are_two = reader.text.get(between.start as usize..between.end as usize)?.trim() == ",";
    (are_two && is_whole(first) && is_whole(first + 1)).then_some(first as u32)
}

/// Fills in the edges of the control-flow graph.
fn connect(function: &mut Body) {
    for block in function.blocks.keys() {
        let last = function.blocks[block].instructions().next_back();
        let Some(last) = last else { continue };
        let terms = function.instructions[last].statement.terms.iter();
        let successors: Vec<BlockId> = terms
            .filter_map(|term| match term {
                Term::Block(successor) => Some(*successor),
                _ => None,
            })
            .collect();
        for successor in &successors {
            function.blocks[*successor].predecessors.push(block);
        }
        function.blocks[block].successors = successors;
    }
}

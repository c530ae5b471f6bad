//! Ranges of instructions and blocks: from the string literal "begin" to those that are "end" or "interior"
//! (SwiftCompilerSources/Sources/Optimizer/TestPasses/RangeDumper.swift).

use sil_analysis::{BlockRange, ControlFlowGraph, InstructionRange};
use sil_ir::model::{BlockId, Details, InstructionId};

use super::Subject;

/// The range of a function; nothing where none begins in it.
pub(super) fn ranges(subject: &Subject<'_>) -> String {
    let body = subject.body;
    let is_literal = |id: InstructionId, text: &str| match &body.instructions[id].details {
        Details::String(literal) => *literal.bytes == *text.as_bytes(),
        _ => false,
    };
    let marked = |text: &'static str| body.placed_instructions().filter(move |id| is_literal(*id, text));
    let cfg = ControlFlowGraph::new(body);
    let begin = marked("begin").next().and_then(|id| body.result(id));
    let Some(mut range) = begin.and_then(|value| InstructionRange::new(body, &cfg, value)) else {
        return String::new();
    };
    marked("end").chain(marked("interior")).for_each(|id| range.insert(id));
    let name = subject.name();
    format!(
        "Instruction range in {name}:\n{}Block range in {name}:\n{}End function {name}\n\n",
        instructions(subject, &range),
        blocks(subject, range.blocks())
    )
}

fn heading(subject: &Subject<'_>, range: &BlockRange) -> &'static str {
    if range.is_valid(subject.body) { "" } else { "<invalid>\n" }
}

fn instructions(subject: &Subject<'_>, range: &InstructionRange<'_>) -> String {
    let lines = |ids: Vec<InstructionId>| {
        let lines: Vec<String> =
            ids.into_iter().map(|id| subject.lines.instruction(id).trim_end().to_owned()).collect();
        lines.join("\n          ")
    };
    let exits = range.blocks().exits(subject.body).into_iter();
    let exits = exits.filter_map(|block| subject.body.first_instruction(block)).collect();
    format!(
        "{}begin:    {}\nends:     {}\nexits:    {}\ninteriors:{}\n",
        heading(subject, range.blocks()),
        lines(range.begin().into_iter().collect()),
        lines(range.ends()),
        lines(exits),
        lines(range.interiors())
    )
}

fn blocks(subject: &Subject<'_>, range: &BlockRange) -> String {
    let name = |block: BlockId| format!("bb{}", block.as_u32());
    let list = |blocks: Vec<BlockId>| {
        let names: Vec<String> = blocks.into_iter().map(name).collect();
        format!("[{}]", names.join(", "))
    };
    let exclusive = range.blocks().iter().copied().filter(|block| range.contains(*block)).collect();
    let interiors = range.inserted().iter().copied();
    let interiors = interiors.filter(|block| range.contains(*block) && *block != range.begin()).collect();
    format!(
        "{}begin:     {}\nrange:     {}\ninclrange: {}\nends:      {}\nexits:     {}\ninteriors: {}\n",
        heading(subject, range),
        name(range.begin()),
        list(exclusive),
        list(range.blocks().to_vec()),
        list(range.ends().collect()),
        list(range.exits(subject.body)),
        list(interiors)
    )
}

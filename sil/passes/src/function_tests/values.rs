//! Tests of properties of single values, instructions and blocks, and of specifications themselves.

use rustc_hash::FxHashMap;
use sil_analysis::{ApplySite, Change, ControlFlowGraph, DeadEndBlocks, OwnershipKinds};
use sil_ir::context::{ParameterConvention, ResultConvention};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Place, Value};
use sil_ir::types::ArgumentConvention;
use sil_text::print::CommentedLines;

use super::TestResult;
use super::specification::{Argument, ArgumentKind};
use super::test::Test;
use crate::editing::value_flow::{Point, ValueFlow};
use crate::pass::{Environment, Rewrite};

/// Prints the function.
pub(super) fn dump_function(test: &mut Test<'_>) -> TestResult<()> {
    test.write_function();
    Ok(())
}

/// Takes a call, or nothing. Prints the argument conventions of the callee, or of the function.
pub(super) fn argument_conventions(test: &mut Test<'_>) -> TestResult<()> {
    let call = if test.has_more() { Some(test.take_instruction()?) } else { None };
    let Environment { module, queries, function, body, .. } = test.environment;
    let conventions = match call.and_then(|call| ApplySite::new(body, call)) {
        Some(site) => site.conventions(queries),
        None => queries.conventions(function.ty),
    };
    match call {
        Some(call) => {
            let line = test.instruction(call);
            test.write(format_args!("Conventions for call: {line}"));
        }
        None => test.write(format_args!("Conventions for function: {}\n", module.context.text(function.name))),
    }
    for (index, argument) in conventions.iter().flat_map(|found| found.arguments()).enumerate() {
        let kind = if argument.convention.is_indirect_out() { " indirect result" } else { "       parameter" };
        test.write(format_args!("[{index}] {kind}: {}\n", convention_name(argument.convention)));
    }
    Ok(())
}

/// Returns the name of a convention in Swift's optimizer (SwiftCompilerSources/Sources/SIL/Argument.swift,
/// `ArgumentConvention`).
fn convention_name(convention: ArgumentConvention) -> &'static str {
    use ParameterConvention::*;
    match convention {
        ArgumentConvention::Result(ResultConvention::Pack) => "packOut",
        ArgumentConvention::Result(_) | ArgumentConvention::Error => "indirectOut",
        ArgumentConvention::Parameter(convention) => match convention {
            In | InConstant => "indirectIn",
            InGuaranteed => "indirectInGuaranteed",
            InCxx => "indirectInCXX",
            InOut => "indirectInout",
            InOutAliasable => "indirectInoutAliasable",
            Owned => "directOwned",
            Unowned => "directUnowned",
            Guaranteed => "directGuaranteed",
            PackOwned => "packOwned",
            PackGuaranteed => "packGuaranteed",
            PackInOut => "packInout",
        },
    }
}

/// Prints the function, and its dead-end blocks.
pub(super) fn dead_end_blocks(test: &mut Test<'_>) -> TestResult<()> {
    test.write_function();
    let body = test.body();
    let dead_ends = DeadEndBlocks::new(body, &ControlFlowGraph::new(body));
    for block in body.blocks.keys().filter(|block| dead_ends.contains(*block)) {
        test.write(format_args!("bb{}\n", block.as_u32()));
    }
    Ok(())
}

/// Prints whether the function has dead-end blocks.
pub(super) fn has_dead_ends(test: &mut Test<'_>) -> TestResult<()> {
    let body = test.body();
    let dead_ends = DeadEndBlocks::new(body, &ControlFlowGraph::new(body));
    let has_any = body.blocks.keys().any(|block| dead_ends.contains(block));
    test.write(format_args!("{}\n", if has_any { "has dead ends" } else { "no dead ends" }));
    Ok(())
}

/// Takes a value. Prints it and its ownership.
pub(super) fn ownership_kind(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    let Environment { queries, function, body, analyses, .. } = test.environment;
    let kind = OwnershipKinds::new(queries, function, body, analyses.cfg(body)).kind(value).name();
    test.write(format_args!("{line}OwnershipKind: {kind}\n"));
    Ok(())
}

/// Takes a value. Prints it and whether its type is trivial.
pub(super) fn is_trivial(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    let Environment { queries, function, body, .. } = test.environment;
    let ty = body.ty(value);
    let is_trivial = !ty.is_address() && queries.properties(ty.ty, function.signature).is_trivial();
    test.write(format_args!("{line} is {}trivial\n", if is_trivial { "" } else { "not " }));
    Ok(())
}

/// Takes a value. Prints it and whether its lifetime is lexical.
pub(super) fn is_lexical(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let line = test.value(value);
    let Environment { queries, function, body, analyses, .. } = test.environment;
    let cfg = analyses.cfg(body);
    let is_lexical = OwnershipKinds::new(queries, function, body, cfg).is_lexical(cfg, value);
    test.write(format_args!("{line}{is_lexical}\n"));
    Ok(())
}

/// Takes an instruction. Prints it and whether it is a deinit barrier.
pub(super) fn is_deinit_barrier(test: &mut Test<'_>) -> TestResult<()> {
    let id = test.take_instruction()?;
    let line = test.instruction(id);
    let is_barrier = sil_analysis::is_deinit_barrier(&test.view(), id);
    test.write(format_args!("{line}{is_barrier}\n"));
    Ok(())
}

/// Takes two instructions. Moves the first one before the second one.
pub(super) fn move_before(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let (moved, before) = (test.take_instruction()?, test.take_instruction()?);
    let mut body = test.body().clone();
    if moved != before {
        body.move_to(moved, Place::Before(before));
    }
    Ok(Some(Rewrite::new(test.environment.function, body, Change::Instructions)))
}

/// Takes values, each available from the end of its block on, and operands. Replaces each operand with the value that
/// reaches the start of its block.
pub(super) fn update_ssa(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let mut body = test.body().clone();
    let view = test.view();
    let first = test.take_value()?;
    let mut values = vec![first];
    let mut uses = Vec::new();
    while test.has_more() {
        match test.take()?.kind {
            ArgumentKind::Operand(found) => uses.push(found),
            ArgumentKind::Value(value) | ArgumentKind::BlockArgument(value) if uses.is_empty() => values.push(value),
            _ => return test.wrong("values and then operands"),
        }
    }
    let blocks = values.into_iter().filter_map(|value| Some((body.defining_block(value)?, value)));
    let available: FxHashMap<BlockId, Value> = blocks.collect();
    let kind = (body.ty(first), view.ownership(first));
    let wanted: Vec<Point> = uses.iter().map(|found| Point::Start(body.instructions[found.user].block)).collect();
    let Some(flow) = ValueFlow::of_definitions(&body, &view.cfg, &available, &wanted, kind) else {
        return test.wrong("values of which one arrives on each way");
    };
    // Branches may pass additional arguments, but only after those of a `br`.
    if flow.makes_arguments() && uses.iter().any(|found| view.opcode(found.user) == Opcode::CondBr) {
        return test.wrong("operands of other instructions than 'cond_br'");
    }
    let arriving = flow.apply(&mut body);
    for (found, value) in uses.iter().zip(arriving) {
        body.operands_mut(found.user)[found.operand as usize] = value;
    }
    Ok(Some(Rewrite::new(test.environment.function, body, Change::Blocks)))
}

/// Takes a word of letters, and an argument of a kind for each letter. Prints the arguments.
pub(super) fn specification(test: &mut Test<'_>) -> TestResult<()> {
    for letter in test.take_text()?.chars() {
        let Argument { function, kind } = test.take()?;
        let module = test.environment.module;
        let function = &module.functions[function];
        let Some(body) = &function.body else {
            test.write(format_args!("function: {}\n", module.context.text(function.name)));
            continue;
        };
        let lines = CommentedLines::new(module, test.environment.queries, body);
        let text = match kind {
            ArgumentKind::Value(value) => format!("value: {}", lines.value(value)),
            ArgumentKind::BlockArgument(value) => format!("argument:\n{}", lines.value(value)),
            ArgumentKind::Operand(found) => {
                format!("operand: operand #{} of {}", found.operand, lines.instruction(found.user))
            }
            ArgumentKind::Instruction(id) if letter == 'V' => format!("value: {}", lines.instruction(id)),
            ArgumentKind::Instruction(id) => format!("instruction: {}", lines.instruction(id)),
            ArgumentKind::Block(block) => format!("block:\n{}", lines.block(block, test.print)),
            ArgumentKind::Function => format!("function: {}\n", module.context.text(function.name)),
            ArgumentKind::Bool(value) => format!("bool: {value}\n"),
            ArgumentKind::Number(number) => format!("uint: {number}\n"),
            ArgumentKind::Text(text) => format!("string: {text}\n"),
        };
        test.write(format_args!("{text}"));
    }
    Ok(())
}

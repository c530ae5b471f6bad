//! The shape of a body: terminators, the entry block's arguments, kinds of block arguments, dominance.

use sil_analysis::{ControlFlowGraph, Dominators};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{BlockId, Definition};
use sil_ir::source::Span;

use super::checker::{Checker, FunctionVerifier, OwnershipForm};
use super::cycles;

/// Whether every block ends with its only terminator: without that nothing else can be checked.
pub(super) fn verify_blocks(verifier: &mut FunctionVerifier<'_>) -> bool {
    let body = verifier.body;
    let mut sound = true;
    if body.blocks.is_empty() {
        verifier.fail("no-entry", verifier.function.span, "a function body needs an entry block");
        return false;
    }
    for block in body.blocks.keys() {
        sound &= verify_terminator(verifier, block);
    }
    if sound {
        verify_entry(verifier);
    }
    sound
}

fn verify_terminator(verifier: &mut FunctionVerifier<'_>, block: BlockId) -> bool {
    let body = verifier.body;
    let mut before = body.instructions_in(block);
    let Some(last) = before.next_back() else {
        let span = body.blocks[block].span.unwrap_or(verifier.function.span);
        verifier.fail("missing-terminator", span, "a block needs at least a terminator such as `return`");
        return false;
    };
    let mut sound = true;
    for id in before {
        let instruction = &body.instructions[id];
        if instruction.opcode.information().position == Position::Terminator {
            let message = format!("`{}` ends its block: nothing may follow it", instruction.opcode.name());
            verifier.fail("early-terminator", instruction.span, message);
            sound = false;
        }
    }
    let instruction = &body.instructions[last];
    if instruction.opcode.information().position != Position::Terminator {
        let message = format!(
            "a block must end with a terminator such as `return` or `br`, not with `{}`",
            instruction.opcode.name()
        );
        verifier.fail("missing-terminator", instruction.span, message);
        sound = false;
    }
    sound
}

fn verify_entry(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    let entry = &body.blocks[body.entry()];
    let span = entry.span.unwrap_or(verifier.function.span);
    let Some(conventions) = verifier.conventions else {
        verifier.fail("function-type", verifier.function.span, "the type of a function must be a function type");
        return;
    };
    let expected = conventions.argument_count();
    if entry.arguments.len() != expected {
        let found = entry.arguments.len();
        let message = format!("the function's type has {expected} arguments, but its entry block takes {found}");
        verifier.report(type_note(verifier, message, span));
        return;
    }
    for (index, (argument, value)) in conventions.arguments().zip(&entry.arguments).enumerate() {
        let found = body.ty(*value);
        if !verifier.same(argument.ty, found) {
            let (expected, found) = (verifier.show(argument.ty), verifier.show(found));
            let message =
                format!("argument {} of the entry block must have type `{expected}`, not `{found}`", index + 1);
            verifier.report(type_note(verifier, message, span));
        }
    }
}

fn type_note(verifier: &FunctionVerifier<'_>, message: String, span: Span) -> sil_ir::diagnostic::Diagnostic {
    sil_ir::diagnostic::Diagnostic::error("entry-arguments", message, span)
        .note("the function's type is declared here", Some(verifier.function.span))
}

/// Every operand must be defined on every path to its use; block arguments must come from branches. Returns whether
/// that holds: then code that follows a value to its definition comes to an end.
pub(super) fn verify_dominance(verifier: &mut FunctionVerifier<'_>) -> bool {
    let before = verifier.finding_count();
    let cfg = ControlFlowGraph::new(verifier.body);
    verify_edges(verifier, &cfg);
    if verifier.body.blocks.len() == 1 {
        verify_order(verifier);
    } else {
        verify_definitions(verifier, &cfg);
        cycles::verify(verifier, &cfg);
    }
    verifier.finding_count() == before
}

fn verify_definitions(verifier: &mut FunctionVerifier<'_>, cfg: &ControlFlowGraph) {
    let dominators = Dominators::new(verifier.body, cfg);
    let body = verifier.body;
    for block in body.blocks.keys().filter(|block| cfg.is_reachable(*block)) {
        for id in body.instructions_in(block) {
            for (operand, value) in body.operands(id).iter().enumerate() {
                if !dominators.value_dominates(body, *value, id) {
                    report_dominance(Checker::new(verifier, id), operand);
                }
            }
        }
    }
}

/// In a single block, definitions stand before uses.
fn verify_order(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    let mut seen = vec![false; body.values.len()];
    for id in body.instructions_in(body.entry()) {
        for (operand, value) in body.operands(id).iter().enumerate() {
            let result = matches!(body.values[*value].definition, Definition::Result { .. });
            if result && !seen[value.as_u32() as usize] {
                report_dominance(Checker::new(verifier, id), operand);
            }
        }
        for result in body.results(id) {
            seen[result.as_u32() as usize] = true;
        }
    }
}

fn report_dominance(mut checker: Checker<'_, '_>, operand: usize) {
    let name = checker.name();
    let message = format!("operand {} of `{name}` is not defined on every path that leads here", operand + 1);
    checker.fail_at_operand(operand, "dominance", message);
}

fn verify_edges(verifier: &mut FunctionVerifier<'_>, cfg: &ControlFlowGraph) {
    let body = verifier.body;
    let entry = body.entry();
    if let Some(predecessor) = cfg.predecessors(entry).first() {
        let span = branch_span(verifier, *predecessor);
        verifier.fail("entry-predecessor", span, "nothing may branch to the entry block");
    }
    for block in body.blocks.keys().skip(1) {
        if !body.blocks[block].arguments.is_empty() {
            verify_arguments(verifier, cfg, block);
        }
    }
    if verifier.ownership == OwnershipForm::Qualified {
        verify_critical_edges(verifier, cfg);
    }
    verify_exits(verifier);
}

fn branch_span(verifier: &FunctionVerifier<'_>, block: BlockId) -> Span {
    let terminator = verifier.body.terminator(block);
    terminator.map_or(verifier.function.span, |id| verifier.body.instructions[id].span)
}

/// Arguments of a block that several branches lead to are phis: objects, and only `br` and `cond_br` pass them.
fn verify_arguments(verifier: &mut FunctionVerifier<'_>, cfg: &ControlFlowGraph, block: BlockId) {
    let body = verifier.body;
    let predecessors = cfg.predecessors(block);
    let passes = |predecessor: &BlockId| {
        let opcode = body.terminator(*predecessor).map(|id| body.instructions[id].opcode);
        match verifier.ownership {
            OwnershipForm::Qualified => matches!(opcode, Some(Opcode::Br)),
            OwnershipForm::Lowered => matches!(opcode, Some(Opcode::Br | Opcode::CondBr)),
        }
    };
    let is_phi = predecessors.iter().any(passes);
    if let (true, Some(other)) = (predecessors.len() > 1, predecessors.iter().find(|predecessor| !passes(predecessor)))
    {
        let span = branch_span(verifier, *other);
        let message = "the arguments of a block with several predecessors can only be passed by `br`";
        let diagnostic = sil_ir::diagnostic::Diagnostic::error("phi-source", message, span);
        verifier.report(diagnostic.note("the block is here", body.blocks[block].span));
    }
    let address = body.blocks[block].arguments.iter().find(|argument| body.ty(**argument).is_address());
    if let (true, Some(_)) = (is_phi, address) {
        let span = body.blocks[block].span.unwrap_or(verifier.function.span);
        verifier.fail("address-phi", span, "a branch cannot pass an address as a block argument");
    }
}

/// An edge from a block with several successors to one with several predecessors has no place for a release.
fn verify_critical_edges(verifier: &mut FunctionVerifier<'_>, cfg: &ControlFlowGraph) {
    let body = verifier.body;
    for block in body.blocks.keys() {
        let Some(terminator) = body.terminator(block) else { continue };
        let targets = body.targets(terminator);
        if targets.len() > 1 && targets.iter().any(|target| cfg.predecessors(*target).len() > 1) {
            let span = branch_span(verifier, block);
            let message = "in a function with ownership, a block that one of several branches leads to may have no other predecessor";
            verifier.fail("critical-edge", span, message);
        }
    }
}

/// A function returns, throws and unwinds in one place each.
fn verify_exits(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    let mut found: [Option<Span>; 3] = [None; 3];
    for block in body.blocks.keys() {
        let Some(id) = body.terminator(block) else { continue };
        let instruction = &body.instructions[id];
        let slot = match instruction.opcode {
            opcode if opcode.returns() => 0,
            Opcode::Throw | Opcode::ThrowAddr => 1,
            Opcode::Unwind => 2,
            _ => continue,
        };
        if let Some(first) = found[slot] {
            let message = format!("a function may have only one block that ends with `{}`", instruction.opcode.name());
            let diagnostic = sil_ir::diagnostic::Diagnostic::error("several-exits", message, instruction.span);
            verifier.report(diagnostic.note("the first one is here", Some(first)));
        }
        found[slot] = found[slot].or(Some(instruction.span));
    }
}

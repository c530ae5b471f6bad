//! Definite initialisation: what `mark_uninitialized` marks is initialised before it is used, and what is stored to it is known to initialise it or to
//! replace a value (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp).
//!
//! `memory` divides what is marked into elements, `uses` finds what is done to them, `flow` says what is initialised where, `lowering` writes that
//! into the instructions, and `control` notes as the program runs what only then is known.

mod control;
mod flow;
mod lowering;
mod memory;
mod uses;

use self::flow::{State, states};
use self::lowering::lower;
use self::memory::{Kind, Memory};
use self::uses::{Collector, MemoryUse, UseKind};
use super::analyses::Change;
use super::pipeline::{Environment, Rewrite};
use crate::analysis::{ControlFlowGraph, Uses};
use crate::context::Mutability;
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::{AllocVariable, Unary};
use crate::model::{Body, DebugVariable, FunctionFlag, InstructionId, Replacements};

/// Decides for all marked memory of a function.
pub(super) fn initialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let is_mark = |body: &Body, id: &InstructionId| body.instructions[*id].opcode == Opcode::MarkUninitialized;
    if function.has(FunctionFlag::Canonical) || !before.placed_instructions().any(|id| is_mark(before, &id)) {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut diagnostics = Vec::new();
    loop {
        let mark = body.placed_instructions().find(|id| is_mark(&body, id));
        let Some(mark) = mark else { break };
        let found = decide(environment, &mut body, mark)?;
        diagnostics.extend(found);
        unmark(&mut body, mark);
    }
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

/// Decides for what `mark` marks.
fn decide(
    environment: Environment<'_>,
    body: &mut Body,
    mark: InstructionId,
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let Environment { module, queries, .. } = environment;
    let Some(memory) = Memory::new(queries, body, mark) else {
        return Err(unsupported(body, mark, "initialisation of memory of this kind"));
    };
    let uses = Uses::new(body);
    let collected = Collector::collect(module, queries, environment.function.signature, body, &uses, &memory)?;
    let cfg = ControlFlowGraph::new(body);
    let states = states(body, &cfg, &memory, &collected);
    let found: Vec<(MemoryUse, State)> = collected.found.into_iter().zip(states).collect();
    let on_entry = collected.on_entry;
    let wrong: Vec<Diagnostic> =
        found.iter().filter_map(|(found, state)| misuse(environment, body, &memory, found, *state)).collect();
    if wrong.is_empty() {
        lower(queries, body, &memory, &found, &on_entry)?;
    }
    Ok(wrong)
}

/// What is wrong with a use of elements that need not be initialised.
fn misuse(
    environment: Environment<'_>,
    body: &Body,
    memory: &Memory,
    found: &MemoryUse,
    state: State,
) -> Option<Diagnostic> {
    let needed = match found.kind {
        UseKind::Read | UseKind::PartialStore => found.elements,
        UseKind::Take => found.elements & !memory.slot(),
        UseKind::Assign | UseKind::Initialize | UseKind::Destroy => 0,
    };
    if state.may_not_be & needed == 0 {
        return None;
    }
    let span = body.instructions[found.instruction].span;
    Some(Diagnostic::error("definite-initialization", message(environment, body, memory, state), span))
}

/// What Swift says of a use of what is not initialised.
fn message(environment: Environment<'_>, body: &Body, memory: &Memory, state: State) -> String {
    match memory.kind {
        Kind::Variable => {
            let variable = variable(body, memory);
            let mutability = variable.and_then(|variable| variable.mutability).unwrap_or(Mutability::Var);
            let kind = if mutability == Mutability::Let { "constant" } else { "variable" };
            let name =
                variable.and_then(|variable| variable.name).map_or("", |name| environment.module.context.text(name));
            format!("{kind} '{name}' used before being initialized")
        }
        Kind::DelegatingSelf => "'self' used before 'self.init' call or assignment to 'self'".into(),
        Kind::DerivedSelf if state.may_not_be & memory.root.elements() == 0 => {
            "'self' used before 'super.init' call".into()
        }
        Kind::RootSelf | Kind::DerivedSelf => "'self' used before all stored properties are initialized".into(),
    }
}

/// The variable whose memory is marked.
fn variable<'b>(body: &'b Body, memory: &Memory) -> Option<&'b DebugVariable> {
    let allocation = body.defining(Unary::of(body, memory.mark).operand)?;
    AllocVariable::get(body, allocation)?.variable
}

fn unmark(body: &mut Body, mark: InstructionId) {
    let operand = Unary::of(body, mark).operand;
    if let Some(result) = body.result(mark) {
        let mut replacements = Replacements::default();
        replacements.replace(result, operand);
        body.replace_values(&replacements);
    }
    body.erase(mark);
}

fn unsupported(body: &Body, id: InstructionId, what: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(what, body.instructions[id].span))
}

//! Definite initialisation: requires that memory marked by `mark_uninitialized` is initialised before its uses, and
//! determines whether a store to it initialises or assigns (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp).
//!
//! The marks stay: `raw_lowering` removes them.
//!
//! `memory` divides marked memory into elements, `uses` collects their uses, `flow` computes the state of
//! initialisation, `lowering` rewrites the instructions by it, `delegation` does so for objects that are passed on to
//! other initialisers, `control` tracks run-time state, `self_isolation` sets the actor on which an initialiser
//! continues, and `diagnosis` reports errors.

mod called_members;
mod control;
mod delegation;
mod diagnosis;
mod flow;
mod lowering;
mod memory;
mod self_isolation;
mod uses;

use cranelift_entity::SecondaryMap;
use sil_analysis::{Change, ControlFlowGraph, Uses};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, FunctionAttribute, InstructionId};
use sil_ir::types::Copyability;

use self::diagnosis::Diagnosis;
use self::flow::{State, states};
use self::lowering::lower;
use self::memory::Memory;
use self::uses::{Collector, MemoryUse, UseKind};
use super::noncopyable::UNCHECKED;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const DEFINITE_INITIALIZATION: Pass = Pass::new(&Description {
    name: "definite-init",
    class_name: "DefiniteInitialization",
    summary: "Decides which stores initialise memory, diagnoses uses before initialisation and destroys partial values.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(initialize),
});

/// Processes all marked memory of a function.
pub(crate) fn initialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let is_mark = |id: &InstructionId| before.instructions[*id].opcode == Opcode::MarkUninitialized;
    let marks: Vec<InstructionId> = before.placed_instructions().filter(is_mark).collect();
    if marks.is_empty() {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut diagnostics = Vec::new();
    for mark in marks {
        match decide(environment, &mut body, mark) {
            Ok(found) => diagnostics.extend(found),
            // The earlier diagnostics still count.
            Err(unsupported) => {
                diagnostics.push(*unsupported);
                return Ok(Rewrite::diagnostics_alone(function, before, diagnostics));
            }
        }
    }
    arrange(before, &mut body);
    let mut rewrite = Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) };
    if rewrite.diagnostics.iter().any(Diagnostic::is_error) {
        // The noncopyable checker would report uninitialised values as consumed.
        let unchecked = environment.queries.context.name(UNCHECKED);
        rewrite.attributes.push(FunctionAttribute::Semantics(unchecked));
    }
    Ok(Some(rewrite))
}

/// Places new blocks after their predecessors: both branches in front of their join block.
fn arrange(before: &Body, body: &mut Body) {
    if before.blocks.len() == body.blocks.len() {
        return;
    }
    let mut order: Vec<BlockId> = Vec::with_capacity(body.blocks.len());
    let mut is_placed: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    for block in before.blocks.keys() {
        // A depth-first search from the last successor on; finish order reversed.
        let mut finished = Vec::new();
        let mut open = vec![(block, targets(body, block))];
        while let Some((block, left)) = open.last_mut() {
            match left.pop() {
                Some(target) if before.blocks.is_valid(target) => {}
                Some(target) if !std::mem::replace(&mut is_placed[target], true) => {
                    open.push((target, targets(body, target)));
                }
                Some(_) => {}
                None => {
                    finished.push(*block);
                    open.pop();
                }
            }
        }
        order.extend(finished.into_iter().rev());
    }
    if order.len() == body.blocks.len() {
        body.reorder_blocks(&order);
    }
}

fn targets(body: &Body, block: BlockId) -> Vec<BlockId> {
    body.terminator(block).map(|end| body.targets(end).to_vec()).unwrap_or_default()
}

/// Processes the memory of `mark`.
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
    let mut wrong = Diagnosis::new(environment, body, &memory, &uses, &cfg).diagnose(&found);
    if wrong.is_empty() && is_conditional(environment, body, &memory, &found) {
        wrong.push(diagnosis::conditional_lifetime(body, &memory));
    }
    if wrong.is_empty() {
        lower(queries, body, &memory, &found, &on_entry, &uses)?;
    }
    Ok(wrong)
}

/// Returns whether a noncopyable value is destroyed or replaced depending on run-time state.
fn is_conditional(environment: Environment<'_>, body: &Body, memory: &Memory, found: &[(MemoryUse, State)]) -> bool {
    let Environment { queries, function, .. } = environment;
    let properties = |ty| queries.properties(ty, function.signature);
    let is_replaced = |found: &MemoryUse| {
        found.kind == UseKind::Assign && !found.address.is_some_and(|value| properties(body.ty(value).ty).is_trivial())
    };
    let is_unclear = |(found, state): &(MemoryUse, State)| {
        let decides = found.kind == UseKind::Destroy || is_replaced(found);
        decides && state.may_be & state.may_not_be & found.elements != 0
    };
    properties(memory.root.ty).copyability == Copyability::Noncopyable && found.iter().any(is_unclear)
}

fn unsupported(body: &Body, id: InstructionId, what: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(what, body.instructions[id].span))
}

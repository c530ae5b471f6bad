//! Noncopyable values: raw SIL copies them at every read, and marks the memory and values whose copies must be removed.
//! Copies become borrows, or moves if the value is consumed; a value consumed on some paths is destroyed on the others;
//! a use after a consume, or a forbidden consume, is an error (lib/SILOptimizer/Mandatory/MoveOnlyChecker.cpp).
//!
//! `uses` collects the uses of marked memory, `copies` those of a value, `partial_consumes` those of parts of a
//! borrowed value, `memory` and `objects` rewrite the instructions, `messages` has the diagnostics, `variable` the
//! debug values; `temporaries` removes memory for copies that are only borrowed, `borrows` and `partial_copies` remove
//! borrows that are only copied; `missed_copies` reports remaining copies.

mod borrows;
mod copies;
mod discarding;
mod early_ends;
mod later_uses;
mod memory;
mod messages;
mod missed_copies;
mod objects;
mod partial_consumes;
mod partial_copies;
mod partial_reinitializations;
mod temporaries;
mod uses;
mod variable;

use sil_analysis::{Change, ControlFlowGraph, OwnershipKinds, Uses};
use sil_ir::context::NominalId;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, FunctionAttribute, InstructionId, Replacements, Value};
use sil_ir::types::Copyability;

pub(crate) use self::copies::Copies;
use self::later_uses::Holder;
use self::messages::Subject;
use crate::editing::critical_edges;
use crate::editing::marks::unmark;
use crate::knowledge::element_flow::{Event, EventKind, Flow};
use crate::knowledge::elements::Elements;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const NONCOPYABLE_CHECKER: Pass = Pass::new(&Description {
    name: "sil-move-only-checker",
    class_name: "MoveOnlyChecker",
    summary: "Checks noncopyable values and values in memory: copies become moves and borrows.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Steps(&[
        Runner::Function(super::silgen_cleanup::complete_checked_lifetimes),
        Runner::Function(check),
    ]),
});

pub(crate) const NONCOPYABLE_MEMORY_CHECKER: Pass = Pass::new(&Description {
    name: "sil-move-only-address-checker",
    class_name: "MoveOnlyAddressChecker",
    summary: "Checks noncopyable values in memory: copies become moves and borrows.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(check_memory),
});

pub(crate) const NONCOPYABLE_VALUE_CHECKER: Pass = Pass::new(&Description {
    name: "sil-move-only-object-checker",
    class_name: "MoveOnlyObjectChecker",
    summary: "Checks noncopyable values: copies become moves and borrows.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(check_values),
});

pub(crate) const NONCOPYABLE_TEMPORARIES: Pass = Pass::new(&Description {
    name: "sil-move-only-temp-allocation-from-let-tester",
    class_name: "MoveOnlyTempAllocationFromLetTester",
    summary: "Removes temporary memory of noncopyable values that are only borrowed.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(forward_temporaries),
});

/// The `@_semantics` of functions whose noncopyable values are not checked because of other errors.
pub(crate) const UNCHECKED: &str = "sil.optimizer.moveonly.diagnostic.ignore";

/// The marks that are resolved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Memory,
    Values,
    All,
}

impl Scope {
    fn contains(self, body: &Body, mark: InstructionId) -> bool {
        let is_address = body.result(mark).is_some_and(|value| body.ty(value).is_address());
        match self {
            Scope::Memory => is_address,
            Scope::Values => !is_address,
            Scope::All => true,
        }
    }
}

/// Resolves all marks of a function.
pub(crate) fn check(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    check_scope(environment, Scope::All)
}

/// Resolves the marks of memory.
pub(crate) fn check_memory(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    check_scope(environment, Scope::Memory)
}

/// Resolves the marks of values.
pub(crate) fn check_values(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    check_scope(environment, Scope::Values)
}

/// Removes memory for copies of noncopyable values that are only borrowed; keeps the marks.
pub(crate) fn forward_temporaries(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, .. } = environment;
    let mut body = before.clone();
    temporaries::forward(queries, function.signature, &mut body);
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

fn check_scope(environment: Environment<'_>, scope: Scope) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, analyses, .. } = environment;
    let is_mark = |body: &Body, id: &InstructionId| {
        body.instructions[*id].opcode == Opcode::MarkUnresolvedNonCopyableValue && scope.contains(body, *id)
    };
    let unchecked = environment.queries.context.name(UNCHECKED);
    if function.attributes.contains(&FunctionAttribute::Semantics(unchecked)) {
        return Ok(None);
    }
    if !before.placed_instructions().any(|id| is_mark(before, &id)) {
        let missed = if scope == Scope::All { missed_copies::errors(environment, before) } else { Vec::new() };
        return Ok(Rewrite::diagnostics_alone(function, before, missed));
    }
    let mut body = before.clone();
    critical_edges::split_in(&mut body, analyses.cfg(before));
    let is_marked = |body: &Body, lender| {
        let definition = body.defining(lender);
        definition.is_some_and(|id| body.instructions[id].opcode == Opcode::MarkUnresolvedNonCopyableValue)
    };
    borrows::forward_copies(&mut body, is_marked);
    partial_copies::load(queries, function.signature, &mut body, mark_of_memory);
    temporaries::forward(queries, function.signature, &mut body);
    let mut diagnostics = Vec::new();
    loop {
        let mark = body.placed_instructions().find(|id| is_mark(&body, id));
        let Some(mark) = mark else { break };
        let cfg = ControlFlowGraph::new(&body);
        let uses = Uses::new(&body);
        let snapshot = body.clone();
        let kinds = OwnershipKinds::new(queries, function, &snapshot, &cfg);
        let known = Known { environment, before: &snapshot, cfg: &cfg, uses: &uses, kinds: &kinds };
        let is_address = body.result(mark).is_some_and(|value| body.ty(value).is_address());
        let found = if is_address {
            memory::resolve(&known, &mut body, mark)
        } else {
            objects::resolve(&known, &mut body, mark)
        };
        match found {
            Ok(found) => diagnostics.extend(found),
            // The earlier diagnostics still count.
            Err(unsupported) => {
                diagnostics.push(*unsupported);
                return Ok(Rewrite::diagnostics_alone(function, before, diagnostics));
            }
        }
    }
    if diagnostics.is_empty() && scope == Scope::All {
        diagnostics = missed_copies::of_checked(environment, before, &body)?;
    }
    // Borrows are marked as fixed only for the checks.
    let borrows = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::BeginBorrow);
    let borrows: Vec<InstructionId> = borrows.collect();
    borrows.into_iter().for_each(|id| body.instructions[id].attributes.remove(Attribute::Fixed));
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

/// Returns the mark of the memory that contains an address.
fn mark_of_memory(body: &Body, address: Value) -> Option<InstructionId> {
    let mut address = address;
    loop {
        let id = body.defining(address)?;
        address = match body.instructions[id].opcode {
            Opcode::MarkUnresolvedNonCopyableValue => return Some(id),
            Opcode::BeginAccess | Opcode::DropDeinit | Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                body.operands(id).first().copied()?
            }
            _ => return None,
        };
    }
}

/// A body with its analyses before a mark is resolved.
struct Known<'k> {
    environment: Environment<'k>,
    before: &'k Body,
    cfg: &'k ControlFlowGraph,
    uses: &'k Uses,
    kinds: &'k OwnershipKinds<'k>,
}

impl Known<'_> {
    fn is_noncopyable(&self, value: Value) -> bool {
        let Environment { queries, function, .. } = self.environment;
        queries.properties(self.before.ty(value).ty, function.signature).copyability == Copyability::Noncopyable
    }
}

/// The permitted uses of marked memory or values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Permission {
    /// Consumes and assignments.
    Consume,
    /// Reads.
    Borrow,
    /// Assignments.
    Assign,
    /// Initialisation.
    Initialize,
}

impl Permission {
    fn of(body: &Body, mark: InstructionId) -> Permission {
        let attributes = body.instructions[mark].attributes;
        if attributes.contains(Attribute::ConsumableAndAssignable) {
            Permission::Consume
        } else if attributes.contains(Attribute::AssignableButNotConsumable) {
            Permission::Assign
        } else if attributes.contains(Attribute::InitableButNotConsumable) {
            Permission::Initialize
        } else {
            Permission::Borrow
        }
    }
}

fn replace(body: &mut Body, value: Option<Value>, by: Value) {
    let Some(value) = value else { return };
    let mut replacements = Replacements::default();
    replacements.replace(value, by);
    body.replace_values(&replacements);
}

/// Reports events that need elements which are uninitialised.
fn misuses(known: &Known<'_>, subject: &Subject<'_>, events: &[Event], flow: &Flow, holder: Holder) -> Vec<Diagnostic> {
    // The end of a coroutine is no use of the memory that it was called with.
    let ends_coroutine = |event: &Event| {
        let opcode = known.before.instructions[event.instruction].opcode;
        let ends = matches!(opcode, Opcode::EndApply | Opcode::AbortApply);
        holder == Holder::Memory && event.kind == EventKind::Borrow && ends
    };
    let is_wrong = |(event, before): &(&Event, &Elements)| {
        event.kind.needs_value() && event.elements & !**before != 0 && !ends_coroutine(event)
    };
    let Some((wrong, _)) = events.iter().zip(&flow.before).find(is_wrong) else { return Vec::new() };
    let uses: Vec<Event> = events.iter().filter(|event| !ends_coroutine(event)).cloned().collect();
    let found = messages::used_after_consume(known, subject, &uses, holder);
    if found.is_empty() {
        let what = "a use of a noncopyable value where nothing tells that it is there";
        return vec![Diagnostic::unsupported(what, known.before.instructions[wrong.instruction].span)];
    }
    found
}

/// Returns whether a nominal type has a `deinit`.
fn has_deinit(known: &Known<'_>, nominal: NominalId) -> bool {
    let declaration = known.environment.queries.declarations.get(nominal);
    declaration.attributes.has_deinit || known.environment.module.deinits.iter().any(|deinit| deinit.nominal == nominal)
}

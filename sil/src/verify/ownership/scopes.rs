//! Where scopes end: borrows, coroutine calls, closures on the stack, and the uses of addresses inside borrowed values.

use rustc_hash::FxHashSet;

use super::Analyses;
use crate::analysis::{OperandOwnership, Use};
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin, parse_builtin};
use crate::instructions::{Opcode, OperandUse};
use crate::model::{InstructionId, Value};

/// Adds the uses that end the scope that a borrowing use begins. A borrow without end counts as ending where it begins.
pub(super) fn scope_ends(analyses: &Analyses<'_>, borrow: Use, into: &mut Vec<Use>) {
    let before = into.len();
    let results = || analyses.body.results(borrow.user);
    // The newest first.
    let uses = || results().flat_map(|value| analyses.uses.of(value).iter().rev().copied());
    let ends_where_it_begins = match analyses.opcode(borrow.user) {
        Opcode::BeginBorrow | Opcode::Borrowed => {
            into.extend(uses().filter(|found| analyses.kinds.operand(*found).ends_lifetime()));
            true
        }
        Opcode::StoreBorrow => {
            into.extend(uses().filter(|found| analyses.opcode(found.user) == Opcode::EndBorrow));
            true
        }
        Opcode::BeginApply => {
            coroutine_ends(analyses, borrow.user, into);
            false
        }
        // What cannot escape is itself limited to where it may be used: what it depends on may end before it.
        Opcode::MarkDependence if results().any(|value| !analyses.kinds.is_escapable(value)) => false,
        Opcode::PartialApply | Opcode::MarkDependence => {
            let mut seen = Vec::new();
            results().for_each(|value| closure_ends(analyses, value, into, &mut seen));
            false
        }
        Opcode::Builtin => {
            into.extend(uses().filter(|found| ends_async_let(analyses, found.user)));
            false
        }
        _ => false,
    };
    if ends_where_it_begins && into.len() == before {
        into.push(borrow);
    }
}

fn ends_async_let(analyses: &Analyses<'_>, id: InstructionId) -> bool {
    let crate::model::Details::Builtin(builtin) = &analyses.body.instructions[id].details else { return false };
    let operation = parse_builtin(analyses.kinds.name_of(builtin.name));
    operation.is_some_and(|operation| operation.kind == BuiltinKind::Named(NamedBuiltin::EndAsyncLetLifetime))
}

/// Adds the ends of a coroutine call.
pub(super) fn coroutine_ends(analyses: &Analyses<'_>, begin: InstructionId, into: &mut Vec<Use>) {
    for value in analyses.body.results(begin) {
        let ends = analyses.uses.of(value).iter();
        into.extend(ends.filter(|found| matches!(analyses.opcode(found.user), Opcode::EndApply | Opcode::AbortApply)));
    }
}

/// Adds where a value and all that it is passed on to are consumed.
fn closure_ends(analyses: &Analyses<'_>, value: Value, into: &mut Vec<Use>, seen: &mut Vec<Value>) {
    if seen.contains(&value) {
        return;
    }
    seen.push(value);
    for found in analyses.uses.of(value) {
        match analyses.kinds.operand(*found) {
            OperandOwnership::ForwardOwned if analyses.opcode(found.user) == Opcode::Br => into.push(*found),
            OperandOwnership::ForwardOwned => {
                let passed = analyses.kinds.forwarded_to(*found);
                if passed.is_empty() {
                    into.push(*found);
                }
                for value in passed {
                    closure_ends(analyses, value, into, seen);
                }
            }
            OperandOwnership::Consume => into.push(*found),
            OperandOwnership::Borrow => scope_ends(analyses, *found, into),
            _ => {}
        }
    }
}

/// Adds the uses of an address and of all addresses inside it, but for those that only lead to such an address.
pub(super) fn address_uses(analyses: &Analyses<'_>, address: Value, into: &mut Vec<Use>) {
    let mut seen = FxHashSet::from_iter([address]);
    let mut open: Vec<Use> = analyses.uses.of(address).iter().rev().copied().collect();
    while let Some(found) = open.pop() {
        // A type that an address opens is no use of the memory there.
        if analyses.opcode(found.user).information().operand_use(found.operand as usize) == OperandUse::Mention {
            continue;
        }
        let inner = inner_addresses(analyses, found);
        if inner.is_empty() {
            into.push(found);
            inner_scope_ends(analyses, found, into);
        }
        for address in inner.into_iter().filter(|address| seen.insert(*address)) {
            open.extend(analyses.uses.of(address).iter().rev());
        }
    }
}

/// The addresses that an instruction makes of one.
fn inner_addresses(analyses: &Analyses<'_>, found: Use) -> Vec<Value> {
    match analyses.opcode(found.user) {
        Opcode::BeginApply | Opcode::LoadBorrow => Vec::new(),
        Opcode::StoreBorrow if found.operand == 0 => Vec::new(),
        Opcode::MarkDependence if found.operand == 1 => Vec::new(),
        _ => analyses.body.results(found.user).filter(|value| analyses.body.ty(*value).is_address()).collect(),
    }
}

fn inner_scope_ends(analyses: &Analyses<'_>, found: Use, into: &mut Vec<Use>) {
    match analyses.opcode(found.user) {
        Opcode::BeginApply => coroutine_ends(analyses, found.user, into),
        Opcode::LoadBorrow => {
            for value in analyses.body.results(found.user) {
                let uses = analyses.uses.of(value).iter();
                into.extend(uses.filter(|found| analyses.kinds.operand(**found).ends_lifetime()));
            }
        }
        _ => {}
    }
}

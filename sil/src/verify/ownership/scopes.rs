//! Where scopes end: borrows, coroutine calls, closures on the stack, and the uses of addresses inside borrowed values.

use super::Analyses;
use crate::analysis::{OperandOwnership, Use};
use crate::instructions::Opcode;
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin, parse_builtin};
use crate::model::{InstructionId, Value};

/// Adds the uses that end the scope that a borrowing use begins. A scope without end counts as ending where it begins.
pub(super) fn scope_ends(analyses: &Analyses<'_>, borrow: Use, into: &mut Vec<Use>) {
    match analyses.opcode(borrow.user) {
        Opcode::BeginBorrow | Opcode::Borrowed => {
            for value in analyses.body.results(borrow.user) {
                let ends =
                    analyses.uses.of(value).iter().filter(|found| analyses.kinds.operand(**found).ends_lifetime());
                into.extend(ends);
            }
        }
        Opcode::StoreBorrow => {
            for value in analyses.body.results(borrow.user) {
                into.extend(
                    analyses.uses.of(value).iter().filter(|found| analyses.opcode(found.user) == Opcode::EndBorrow),
                );
            }
        }
        Opcode::BeginApply => coroutine_ends(analyses, borrow.user, into),
        // What cannot escape is itself limited to where it may be used: what it depends on may end before it.
        Opcode::MarkDependence
            if analyses.body.results(borrow.user).any(|value| !analyses.kinds.is_escapable(value)) => {}
        Opcode::PartialApply | Opcode::MarkDependence => {
            let mut seen = Vec::new();
            for value in analyses.body.results(borrow.user) {
                closure_ends(analyses, value, into, &mut seen);
            }
        }
        Opcode::Builtin => {
            for value in analyses.body.results(borrow.user) {
                into.extend(analyses.uses.of(value).iter().filter(|found| ends_async_let(analyses, found.user)));
            }
        }
        _ => {}
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

/// Adds the uses of an address and of all addresses inside it.
pub(super) fn address_uses(analyses: &Analyses<'_>, address: Value, into: &mut Vec<Use>) {
    let mut seen = vec![address];
    let mut next = 0;
    while let Some(current) = seen.get(next).copied() {
        next += 1;
        for found in analyses.uses.of(current) {
            into.push(*found);
            match analyses.opcode(found.user) {
                Opcode::BeginApply => coroutine_ends(analyses, found.user, into),
                Opcode::LoadBorrow => {
                    for value in analyses.body.results(found.user) {
                        let uses = analyses.uses.of(value).iter();
                        into.extend(uses.filter(|found| analyses.kinds.operand(**found).ends_lifetime()));
                    }
                }
                Opcode::StoreBorrow if found.operand == 0 => {}
                _ => {
                    for value in analyses.body.results(found.user) {
                        if analyses.body.ty(value).is_address() && !seen.contains(&value) {
                            seen.push(value);
                        }
                    }
                }
            }
        }
    }
}

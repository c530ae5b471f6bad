//! Copies of noncopyable values that remain after all marks are resolved (lib/SILOptimizer/Mandatory/MoveOnlyUtils.cpp,
//! `emitCheckerMissedCopyOfNonCopyableTypeErrors`).
//!
//! Owns: the set of these copies, and their diagnostics. Copies of unmarked values are errors in Swift as well; a copy
//! of a marked value should have been removed, and is refused as unsupported.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId};
use sil_ir::types::Copyability;

use crate::messages::findings::error_at;
use crate::pass::Environment;

const MISSED: &str =
    "copy of noncopyable typed value. This is a compiler bug. Please file a bug with a small example of the bug";

/// Returns an error for each copy of a noncopyable value in a body without marks.
pub(super) fn errors(environment: Environment<'_>, body: &Body) -> Vec<Diagnostic> {
    copies(environment, body).map(|id| error(body, id)).collect()
}

/// Returns the errors for a body whose marks are resolved, given its state `before`. A copy of a marked value is not
/// supported.
pub(super) fn of_checked(
    environment: Environment<'_>,
    before: &Body,
    body: &Body,
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let mut found = Vec::new();
    for id in copies(environment, body) {
        if !before.placed_instructions().any(|other| other == id) || is_marked(before, id) {
            let span = body.instructions[id].span;
            return Err(Box::new(Diagnostic::unsupported("this copy of a noncopyable value", span)));
        }
        found.push(error(body, id));
    }
    Ok(found)
}

fn error(body: &Body, id: InstructionId) -> Diagnostic {
    error_at(body, id, super::messages::CODE, MISSED)
}

/// Returns the instructions that copy noncopyable values.
fn copies<'b>(environment: Environment<'b>, body: &'b Body) -> impl Iterator<Item = InstructionId> + 'b {
    let Environment { queries, function, .. } = environment;
    body.placed_instructions().filter(move |id| {
        let instruction = &body.instructions[*id];
        let is_copy = match instruction.opcode {
            Opcode::CopyValue => true,
            Opcode::Load => instruction.attributes.contains(Attribute::Copy),
            Opcode::CopyAddr => !instruction.attributes.contains(Attribute::Take),
            _ => false,
        };
        let copied = body.operands(*id).first().filter(|_| is_copy);
        let is_noncopyable = |ty| queries.properties(ty, function.signature).copyability == Copyability::Noncopyable;
        copied.is_some_and(|copied| is_noncopyable(body.ty(*copied).ty))
    })
}

/// Returns whether `copy` copies a marked value, a part of one, or a borrow of one.
fn is_marked(body: &Body, copy: InstructionId) -> bool {
    let mut of = body.operands(copy).first().copied();
    while let Some(id) = of.and_then(|value| body.defining(value)) {
        use Opcode::*;
        of = match body.instructions[id].opcode {
            MarkUnresolvedNonCopyableValue => return true,
            BeginAccess
            | BeginBorrow
            | CopyValue
            | MoveValue
            | LoadBorrow
            | Load
            | DropDeinit
            | StructElementAddr
            | TupleElementAddr
            | StructExtract
            | TupleExtract
            | OpenExistentialAddr
            | UncheckedTakeEnumDataAddr
            | StoreBorrow
            | MarkDependence => body.operands(id).first().copied(),
            _ => None,
        };
    }
    false
}

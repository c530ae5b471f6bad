//! Apply sites: what is called, and which operand passes which argument (include/swift/SIL/ApplySite.h).

use crate::context::Name;
use crate::instructions::Opcode;
use crate::model::{Body, Details, InstructionId, Value};

/// How an apply site calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ApplyKind {
    /// `apply`
    Apply,
    /// `try_apply`
    TryApply,
    /// `begin_apply`
    BeginApply,
    /// `partial_apply`: binds arguments and calls nothing yet.
    PartialApply,
}

impl ApplyKind {
    /// The kind of apply site that `opcode` is.
    pub fn of(opcode: Opcode) -> Option<ApplyKind> {
        match opcode {
            Opcode::Apply => Some(ApplyKind::Apply),
            Opcode::TryApply => Some(ApplyKind::TryApply),
            Opcode::BeginApply => Some(ApplyKind::BeginApply),
            Opcode::PartialApply => Some(ApplyKind::PartialApply),
            _ => None,
        }
    }

    /// Whether the site calls: `partial_apply` does not.
    pub fn is_full(self) -> bool {
        self != ApplyKind::PartialApply
    }
}

/// An instruction that applies a function to arguments.
#[derive(Clone, Copy)]
pub struct ApplySite<'b> {
    body: &'b Body,
    /// The instruction.
    pub instruction: InstructionId,
    /// How it calls.
    pub kind: ApplyKind,
}

impl<'b> ApplySite<'b> {
    /// The apply site that `instruction` is.
    pub fn new(body: &'b Body, instruction: InstructionId) -> Option<Self> {
        ApplyKind::of(body.instructions[instruction].opcode).map(|kind| Self { body, instruction, kind })
    }

    /// The function that is applied: the first operand.
    pub fn callee(self) -> Option<Value> {
        self.body.operands(self.instruction).first().copied()
    }

    /// The symbol of the function that runs, seen through conversions, copies and partial applications of it; none where that is
    /// not known here. A dynamically replaceable function is not looked through.
    pub fn called_function(self) -> Option<Name> {
        let mut site = self;
        // Unreachable code may go round in circles.
        for _ in 0..=self.body.instructions.len() {
            let origin = callee_origin(self.body, site.callee()?);
            let definition = self.body.defining(origin)?;
            match &self.body.instructions[definition].details {
                Details::Function(name) if self.body.instructions[definition].opcode == Opcode::FunctionRef => {
                    return Some(*name);
                }
                _ => site = ApplySite::new(self.body, definition).filter(|inner| !inner.kind.is_full())?,
            }
        }
        None
    }
}

/// The value behind conversions, borrows and copies of a function value (`ApplyInstBase::getCalleeOrigin`).
pub fn callee_origin(body: &Body, callee: Value) -> Value {
    let mut origin = callee;
    for _ in 0..=body.instructions.len() {
        let Some(definition) = body.defining(origin) else { break };
        let passed_on = match body.instructions[definition].opcode {
            Opcode::ThinToThickFunction
            | Opcode::ConvertFunction
            | Opcode::ConvertEscapeToNoescape
            | Opcode::BeginBorrow
            | Opcode::CopyValue => body.operands(definition).first(),
            _ => None,
        };
        match passed_on {
            Some(operand) => origin = *operand,
            None => break,
        }
    }
    origin
}

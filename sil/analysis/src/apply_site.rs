//! Apply sites: the callee, and the argument of each operand (include/swift/SIL/ApplySite.h).
//!
//! An argument has up to four numbers: its operand of the instruction, its place among the applied arguments (the
//! operands after the callee), the SIL argument of the callee that it becomes, and the parameter or result of that.
//! They differ by the callee, by the arguments that a `partial_apply` leaves open, and by the callee's indirect
//! results. They are only computed here and in [`FunctionConventions`].

use sil_ir::context::Name;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, InstructionId, Value};
use sil_ir::types::{FunctionConventions, SilArgument, TypeQueries};

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

    /// The values that are applied, in the order of the operands.
    pub fn arguments(self) -> &'b [Value] {
        self.body.operands(self.instruction).get(FIRST_ARGUMENT..).unwrap_or(&[])
    }

    /// The conventions of the callee, the site's generic arguments applied; none where the callee is no function.
    pub fn conventions<'q>(self, queries: &TypeQueries<'q>) -> Option<FunctionConventions<'q>> {
        let callee = self.body.ty(self.callee()?).ty;
        match &self.body.instructions[self.instruction].details {
            Details::Apply(apply) => queries.applied_conventions(callee, apply.substitutions),
            _ => None,
        }
    }

    /// The mapping from the numbers of the operands to those of the callee's SIL arguments.
    pub fn numbering(self, conventions: FunctionConventions<'_>) -> ArgumentNumbering {
        let applied = self.arguments().len();
        let first = match self.kind {
            ApplyKind::PartialApply => conventions.first_applied_argument(applied).unwrap_or(0),
            ApplyKind::Apply | ApplyKind::TryApply | ApplyKind::BeginApply => 0,
        };
        ArgumentNumbering { first, applied }
    }

    /// The callee's argument for operand number `operand`; none for the callee itself.
    pub fn argument_of_operand(self, conventions: FunctionConventions<'_>, operand: usize) -> Option<SilArgument> {
        conventions.argument(self.numbering(conventions).sil_argument_of_operand(operand)?)
    }

    /// The symbol of the function that runs, seen through conversions, copies and partial applications of it; none
    /// where that is not known here. A dynamically replaceable function is not looked through.
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

/// The operand that is the first applied argument: the callee comes before.
const FIRST_ARGUMENT: usize = 1;

/// How the numberings of an apply site's arguments relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentNumbering {
    /// The SIL argument that the first applied argument becomes.
    first: usize,
    /// How many arguments are applied.
    applied: usize,
}

impl ArgumentNumbering {
    /// The callee's SIL argument that the first applied argument becomes: later than the first where a `partial_apply`
    /// leaves some open.
    pub fn first_sil_argument(self) -> usize {
        self.first
    }

    /// The callee's SIL argument that operand number `operand` becomes; none for the callee itself.
    pub fn sil_argument_of_operand(self, operand: usize) -> Option<usize> {
        let applied = operand.checked_sub(FIRST_ARGUMENT)?;
        (applied < self.applied).then_some(self.first + applied)
    }

    /// The operand that passes the callee's SIL argument number `argument`; none where it is left open.
    pub fn operand_of_sil_argument(self, argument: usize) -> Option<usize> {
        let applied = argument.checked_sub(self.first)?;
        (applied < self.applied).then_some(applied + FIRST_ARGUMENT)
    }
}

/// The value under conversions, borrows and copies of a function value (`ApplyInstBase::getCalleeOrigin`).
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

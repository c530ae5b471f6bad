//! The operands and results of LLVM's intrinsics (LLVM's language reference, "Intrinsic Functions"), and the operands
//! that must be literals because LLVM's code for an intrinsic depends on them.

use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::Intrinsic;
use sil_ir::model::{Body, Value};

use super::Checker;

/// A type in an intrinsic's signature.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The first type of the builtin's name.
    First,
    /// The last type of the builtin's name.
    Last,
    /// `RawPointer`
    Pointer,
    /// An integer of this width.
    Integer(u32),
    /// A bit, or one for each element of a vector.
    Bits,
}

/// The rule for a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing: code does not come back, or goes on with nothing.
    Anything,
    /// No value.
    Nothing,
    /// A value.
    Value(Slot),
    /// A value, and whether it overflowed.
    WithOverflow,
}

/// The signature of an intrinsic; none for those that have no fixed one.
pub(super) fn signature(intrinsic: Intrinsic) -> Option<(&'static [Slot], Outcome)> {
    use Intrinsic::*;
    use Slot::{Bits, First, Integer, Last, Pointer};
    Some(match intrinsic {
        Trap | Debugtrap => (&[], Outcome::Anything),
        Readcyclecounter => (&[], Outcome::Value(Integer(64))),
        Assume => (&[Integer(1)], Outcome::Nothing),
        Expect | Smax | Smin | Umax | Umin | SAddSat | UAddSat | SSubSat | USubSat | Copysign | Pow | Minnum
        | Maxnum | Minimum | Maximum => (&[First, First], Outcome::Value(First)),
        Cttz | Ctlz | Abs => (&[First, Integer(1)], Outcome::Value(First)),
        Ctpop | Bswap | Bitreverse | Fabs | Ceil | Floor | Rint | Trunc | Round | Roundeven | Nearbyint | Sqrt
        | Sin | Cos | Tan | Exp | Exp2 | Exp10 | Log | Log2 | Log10 => (&[First], Outcome::Value(First)),
        Fma | Fmuladd | Fshl | Fshr => (&[First, First, First], Outcome::Value(First)),
        Powi => (&[First, Last], Outcome::Value(First)),
        IsConstant => (&[First], Outcome::Value(Bits)),
        Memmove | Memcpy => (&[Pointer, Pointer, Last, Integer(1)], Outcome::Nothing),
        Memset => (&[Pointer, Integer(8), Last, Integer(1)], Outcome::Nothing),
        SAddWithOverflow | UAddWithOverflow | SSubWithOverflow | USubWithOverflow | SMulWithOverflow
        | UMulWithOverflow => (&[First, First], Outcome::WithOverflow),
        Returnaddress | Frameaddress | LifetimeStart | LifetimeEnd | PtrauthStrip | PtrauthSign | PtrauthResign
        | PtrauthAuth | PtrauthBlend | PtrauthSignGeneric => return None,
    })
}

/// The operand that has to be an integer literal: whether zero may be counted, or memory is volatile.
fn literal_operand(intrinsic: Intrinsic) -> Option<usize> {
    use Intrinsic::*;
    match intrinsic {
        Cttz | Ctlz | Abs => Some(1),
        Memmove | Memcpy | Memset => Some(3),
        _ => None,
    }
}

/// Checks that an operand that must be a literal is one, with nothing but the struct around it that Swift's literals
/// have. In raw SIL, calls of initialisers are still between them.
pub(super) fn verify_literals(checker: &mut Checker<'_, '_>, intrinsic: Intrinsic) {
    let Some(operand) = literal_operand(intrinsic) else { return };
    let body = checker.scope.body;
    // Those of older Swifts had more operands, which the rule of their number allows.
    let fits = signature(intrinsic).is_some_and(|(operands, _)| operands.len() == checker.operands.len());
    if fits && !is_literal(body, checker.operands[operand]) && !checker.scope.is_raw() {
        let name = intrinsic.name();
        let message = format!("operand {} of the builtin `{name}` must be an integer literal", operand + 1);
        checker.fail_at_operand(operand, "operand-literal", message);
    }
}

fn is_literal(body: &Body, value: Value) -> bool {
    let Some(id) = body.defining(value) else { return false };
    match (body.instructions[id].opcode, body.operands(id)) {
        (Opcode::IntegerLiteral, _) => true,
        (Opcode::StructExtract, [whole]) => {
            let whole = body.defining(*whole).filter(|id| body.instructions[*id].opcode == Opcode::Struct);
            whole.is_some_and(|id| matches!(body.operands(id), [field] if is_literal(body, *field)))
        }
        _ => false,
    }
}

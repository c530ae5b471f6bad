//! Literals and references to functions: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, Piece as P, ResultRule as R, instruction};
use super::super::opcode::Opcode::*;
use crate::context::BuiltinType;

pub(super) const ROWS: &[Information] = &[
    instruction(IntegerLiteral, None).result(R::Written(0)),
    instruction(FloatLiteral, None).result(R::Written(0)),
    instruction(StringLiteral, None).result(R::Builtin(BuiltinType::RawPointer)),
    instruction(FunctionRef, None).syntax(&[P::TypedFunction]).result(R::Written(0)),
    instruction(DynamicFunctionRef, None).syntax(&[P::TypedFunction]).result(R::Written(0)),
    instruction(PrevDynamicFunctionRef, None).syntax(&[P::TypedFunction]).result(R::Written(0)),
    instruction(HasSymbol, MayRead).syntax(&[P::Member]).result(R::Builtin(BuiltinType::Integer(1))),
];

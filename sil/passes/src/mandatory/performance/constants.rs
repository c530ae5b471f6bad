//! Known numbers in code for concrete types: comparisons and conversions of literals, through the single field of
//! number structs. Folds conditions that depend on them, and switches over enums with a known case.

use sil_ir::context::{BuiltinType, MemberId, SilType, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, IntegerValue};
use sil_ir::model::{BlockId, Body, InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::inlining::Inliner;
use crate::knowledge::numbers::{WIDEST, evaluated, truncated};

/// Returns the number of a literal; `None` for another value.
pub(super) fn literal(inliner: &Inliner<'_>, value: Value) -> Option<i128> {
    let id = inliner.body.defining(inliner.resolve(value))?;
    match views::IntegerLiteral::get(&inliner.body, id)?.value {
        IntegerValue::Narrow(value) => Some(value),
        IntegerValue::Wide(_) => None,
    }
}

/// Returns the number that is the only field of a struct, or an element of a tuple, made in this body.
pub(super) fn part(queries: &TypeQueries<'_>, inliner: &Inliner<'_>, id: InstructionId) -> Option<Value> {
    let body = &inliner.body;
    let is_number = |ty: TypeId| matches!(queries.get(ty), Type::Builtin(BuiltinType::Integer(_)));
    if !is_number(body.ty(body.result(id)?).ty) {
        return None;
    }
    let (whole, made_by, index) = match body.instructions[id].opcode {
        Opcode::StructExtract => (views::StructExtract::of(body, id).operand, Opcode::Struct, 0),
        Opcode::TupleExtract => {
            let views::TupleExtract { operand, index } = views::TupleExtract::of(body, id);
            (operand, Opcode::Tuple, index as usize)
        }
        _ => return None,
    };
    let made = body.defining(inliner.resolve(whole)).filter(|made| body.instructions[*made].opcode == made_by)?;
    let operands = body.operands(made);
    let is_known = made_by == Opcode::Tuple || operands.len() == 1;
    operands.get(index).filter(|_| is_known).copied()
}

/// Returns the result of a builtin on literals.
pub(super) fn computed(queries: &TypeQueries<'_>, inliner: &mut Inliner<'_>, id: InstructionId) -> Option<Value> {
    let body = &inliner.body;
    let views::Builtin { arguments, builtin } = views::Builtin::of(body, id);
    let operation = builtin.operation()?;
    let literals: Option<Vec<i128>> = arguments.iter().map(|argument| literal(inliner, *argument)).collect();
    let number = evaluated(operation.kind, &operation.types, &literals?)?;
    let ty = body.ty(body.result(id)?);
    let Type::Builtin(BuiltinType::Integer(width)) = *queries.get(ty.ty) else { return None };
    let ty = SilType::object(ty.ty);
    let mut builder = InstructionBuilder::new(&mut inliner.body, Place::Before(id), id);
    Some(builder.integer_literal(truncated(number, Some(width).filter(|width| *width <= WIDEST)?), ty))
}

/// Folds a branch on a literal. Returns whether it was one.
pub(super) fn fold_branch(inliner: &mut Inliner<'_>, branch: InstructionId) -> bool {
    let views::CondBr { condition, true_target, false_target, true_arguments, false_arguments, .. } =
        views::CondBr::of(&inliner.body, branch);
    let Some(value) = literal(inliner, condition) else { return false };
    let (target, arguments) =
        if value != 0 { (true_target, true_arguments.0) } else { (false_target, false_arguments) };
    let arguments = arguments.to_vec();
    InstructionBuilder::new(&mut inliner.body, Place::Before(branch), branch).branch(target, &arguments);
    inliner.body.erase(branch);
    true
}

/// Folds a switch over an enum made in this body, if its payload is trivial: the known case determines later values,
/// such as compared metatypes. Returns whether it was one.
pub(super) fn fold_switch(queries: &TypeQueries<'_>, inliner: &mut Inliner<'_>, switch: InstructionId) -> bool {
    let body = &inliner.body;
    let views::SwitchEnum { operand, targets, cases } = views::SwitchEnum::of(body, switch);
    let made = body.defining(inliner.resolve(operand)).and_then(|id| views::Enum::get(body, id));
    let Some(views::Enum { case, payload }) = made else { return false };
    let is_case = |member: &MemberId| queries.context.get_member(*member).name == queries.context.get_member(case).name;
    let Some(target) = cases.members.iter().position(is_case).and_then(|index| targets.get(index).copied()) else {
        return false;
    };
    let is_trivial = payload.is_none_or(|payload| queries.properties(body.ty(payload).ty, None).is_trivial());
    let is_only_path = others_to(body, switch, target) == 0;
    if !is_trivial || !is_only_path {
        return false;
    }
    let argument = body.blocks[target].arguments.first().copied();
    if let (Some(argument), Some(payload)) = (argument, payload) {
        inliner.replace(argument, payload);
    }
    inliner.body.blocks[target].arguments.clear();
    InstructionBuilder::new(&mut inliner.body, Place::Before(switch), switch).branch(target, &[]);
    inliner.body.erase(switch);
    true
}

/// Returns the number of other branches to a block.
fn others_to(body: &Body, branch: InstructionId, target: BlockId) -> usize {
    let ends = body.blocks.keys().filter_map(|block| body.terminator(block)).filter(|end| *end != branch);
    ends.filter(|end| body.targets(*end).contains(&target)).count()
}

//! Blocks that are made of closures which must not escape by them: `copy_block_without_escaping` becomes a copy of the block, and a check, where that
//! is destroyed, that nobody else has kept the closure.

use super::extension::Extension;
use super::lifetimes::Lifetimes;
use crate::analysis::ApplySite;
use crate::context::{BuiltinType, ParameterConvention, SilType, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::{Body, Details, InstructionId, Place, Replacements, Value};
use crate::transform::InstructionBuilder;
use crate::types::{ArgumentConvention, TypeQueries};

/// Whether an instruction copies a block that its closure must not escape by.
pub(super) fn is_copy_without_escaping(body: &Body, id: InstructionId) -> bool {
    body.instructions[id].opcode == Opcode::CopyBlockWithoutEscaping
}

/// Makes a copy of the block alone of `copy`, and ends the closure where the block ends; where that is not seen, where the function does.
pub(super) fn lower(
    lifetimes: &Lifetimes<'_>,
    extension: &Extension<'_>,
    body: &mut Body,
    copy: InstructionId,
) -> Result<(), Box<Diagnostic>> {
    let [block, closure] = *body.operands(copy) else { return Ok(()) };
    let Some(result) = body.result(copy) else { return Ok(()) };
    let ty = body.ty(result);
    let mut builder = InstructionBuilder::new(body, Place::Before(copy), copy);
    let copied = builder.value(Opcode::CopyBlock, Details::None, &[block], ty);
    let made = body.defining(copied).unwrap_or(copy);
    match end_of(lifetimes, copy, result) {
        Some(end) => check(lifetimes.queries, &mut InstructionBuilder::new(body, Place::After(end), copy), closure),
        None if extension.is_in_entry(copy) => {
            extension.at_exits(body, copy, |builder| check(lifetimes.queries, builder, closure))
        }
        None => {
            let what = "a block that is kept until the function ends, where control comes on ways that nothing can be passed on";
            let unsupported = || Box::new(Diagnostic::unsupported(what, lifetimes.body.instructions[copy].span));
            extension.destroy_at_exits(body, made, closure).ok_or_else(unsupported)?;
        }
    }
    let mut replacements = Replacements::default();
    replacements.replace(result, copied);
    body.replace_values(&replacements);
    body.erase(copy);
    Ok(())
}

/// Destroys a closure, and ends the program where that is kept by others.
fn check(queries: &TypeQueries<'_>, builder: &mut InstructionBuilder<'_>, closure: Value) {
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::ObjC);
    let bit = SilType::object(queries.context.ty(Type::Builtin(BuiltinType::Integer(1))));
    let destroy = Opcode::DestroyNotEscapedClosure;
    let has_escaped = builder.value_with_attributes(destroy, attributes, Details::None, &[closure], bit);
    let message = Details::Message("non-escaping closure has escaped".into());
    builder.instruction(Opcode::CondFail, message, &[has_escaped]);
}

/// The later one of what destroys the block and what frees the memory of its closure, where the block is only destroyed once beside what it is
/// passed to without a promise to keep it.
fn end_of(lifetimes: &Lifetimes<'_>, copy: InstructionId, result: Value) -> Option<InstructionId> {
    let Lifetimes { queries, body, uses, .. } = *lifetimes;
    let mut destroy = None;
    for found in uses.of(result) {
        let opcode = body.instructions[found.user].opcode;
        let site = ApplySite::new(body, found.user).filter(|site| site.kind.is_full());
        match (site, opcode) {
            (Some(site), _) => {
                let argument = site.argument_of_operand(site.conventions(queries)?, found.operand as usize)?;
                let unowned = ArgumentConvention::Parameter(ParameterConvention::Unowned);
                (argument.convention == unowned).then_some(())?;
            }
            (None, Opcode::DebugValue) => {}
            (None, Opcode::DestroyValue | Opcode::ReleaseValue | Opcode::StrongRelease) if destroy.is_none() => {
                destroy = Some(found.user);
            }
            _ => return None,
        }
    }
    let destroy = destroy?;
    let header = body.defining(*body.operands(copy).first()?)?;
    let is_header = body.instructions[header].opcode == Opcode::InitBlockStorageHeader;
    let storage = *body.operands(header).first().filter(|_| is_header)?;
    let frees = uses.of(storage).iter().map(|found| found.user);
    let frees: Vec<InstructionId> = frees.filter(|id| body.instructions[*id].opcode == Opcode::DeallocStack).collect();
    let [free] = frees.as_slice() else { return None };
    let is_here = body.instructions[*free].block == body.instructions[destroy].block;
    let is_later = || body.instructions_up_to(*free).any(|id| id == destroy);
    is_here.then(|| if is_later() { *free } else { destroy })
}

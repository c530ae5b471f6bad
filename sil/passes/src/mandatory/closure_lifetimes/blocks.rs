//! Lowers `copy_block_without_escaping`: makes a copy of the block and, where the copy is destroyed, a check that the
//! closure has not escaped.

use sil_analysis::{ApplySite, Change};
use sil_ir::context::{BuiltinType, ParameterConvention, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::extension::Extension;
use crate::InstructionBuilder;
use crate::editing::editor::Editor;

/// Replaces `copy` by a copy of the block, and ends the closure where the block's lifetime ends, or at the function's
/// exits if that is not known.
pub(super) fn lower(
    editor: &mut Editor<'_>,
    extension: &Extension<'_>,
    copy: InstructionId,
) -> Result<(), Box<Diagnostic>> {
    let [block, closure] = *editor.body().operands(copy) else { return Ok(()) };
    let Some(result) = editor.body().result(copy) else { return Ok(()) };
    let queries = editor.environment.queries;
    let end = end_of(editor, copy, result);
    let span = editor.body().instructions[copy].span;
    let copied = editor.build(Place::Before(copy), copy, |builder| builder.copy_block(block));
    match end {
        Some(end) => editor.build(Place::After(end), copy, |builder| check(queries, builder, closure)),
        None if extension.is_in_entry(copy) => editor.edit_whole(Change::Instructions, |body| {
            extension.at_exits(body, copy, |builder| check(queries, builder, closure));
        }),
        None => {
            let mut is_kept = None;
            let made = editor.body().defining(copied).unwrap_or(copy);
            editor.edit_whole(Change::Instructions, |body| {
                is_kept = extension.destroy_at_exits(body, made, closure);
            });
            let what = "a block that is kept until the function ends, where control comes on ways that nothing can be passed on";
            is_kept.ok_or_else(|| Box::new(Diagnostic::unsupported(what, span)))?;
        }
    }
    editor.replace(copy, copied);
    Ok(())
}

/// Destroys a closure, and traps if it has other references.
fn check(queries: &TypeQueries<'_>, builder: &mut InstructionBuilder<'_>, closure: Value) {
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::ObjC);
    let bit = SilType::object(queries.context.ty(Type::Builtin(BuiltinType::Integer(1))));
    let has_escaped = builder.with(attributes).destroy_not_escaped_closure(closure, bit);
    builder.cond_fail(has_escaped, "non-escaping closure has escaped");
}

/// Returns the later one of the block's destroy and the deallocation of its closure's memory. `None` unless the block
/// has a single destroy and its other uses are unowned arguments.
fn end_of(editor: &Editor<'_>, copy: InstructionId, result: Value) -> Option<InstructionId> {
    let (body, queries) = (editor.body(), editor.environment.queries);
    let mut destroy = None;
    for found in editor.uses(result) {
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
    let users = editor.uses(storage).into_iter().map(|found| found.user);
    let frees: Vec<InstructionId> = users.filter(|id| editor.opcode(*id) == Opcode::DeallocStack).collect();
    let [free] = frees.as_slice() else { return None };
    let is_here = body.instructions[*free].block == body.instructions[destroy].block;
    let is_later = || body.instructions_up_to(*free).any(|id| id == destroy);
    is_here.then(|| if is_later() { *free } else { destroy })
}

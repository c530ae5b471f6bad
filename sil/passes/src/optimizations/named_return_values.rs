//! Named return value optimisation: a stack variable that is moved to an indirect result is created in the memory of
//! the result. Other passes remove the dead variable. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/NamedReturnValueOptimization.swift.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{InstructionId, Value};

use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const NAMED_RETURN_VALUES: Pass = Pass::new(&Description {
    name: "named-return-value-optimization",
    class_name: "NamedReturnValueOptimization",
    summary: "Builds variables that are returned in the memory of the result.",
    gates: Gates::OPEN,
    runner: Runner::Function(make_in_place),
});

/// Replaces the variables that are moved to indirect results before the return.
pub(crate) fn make_in_place(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Some(conventions) = environment.queries.conventions(environment.function.ty) else { return Ok(None) };
    let count = conventions.indirect_results().count();
    let arguments = &environment.body.blocks[environment.body.entry()].arguments;
    let mut editor = Editor::new(environment);
    for result in arguments.iter().copied().take(count) {
        if let Some(id) = final_move(&editor, result) {
            make_at_result(&mut editor, id);
        }
    }
    Ok(editor.finish())
}

/// The `copy_addr` that moves a variable to `result`, if it is the only use of `result` and nothing is written between
/// it and the return.
fn final_move(editor: &Editor<'_>, result: Value) -> Option<InstructionId> {
    let [found] = editor.uses_but_debug(result)[..] else { return None };
    let id = found.user;
    if editor.opcode(id) != Opcode::CopyAddr {
        return None;
    }
    let body = editor.body();
    let CopyAddr { source, destination } = CopyAddr::of(body, id);
    let attributes = body.instructions[id].attributes;
    let initializes = attributes.contains(Attribute::Take) && attributes.contains(Attribute::Init);
    let variable = editor.made_by(source, Opcode::AllocStack)?;
    // The verifier cannot check the ownership of a result that is initialised on some paths only.
    let is_dynamic = body.instructions[variable].attributes.contains(Attribute::DynamicLifetime);
    let is_allowed = destination == result && initializes && !(is_dynamic && editor.has_ownership());
    (is_allowed && returns_unchanged(editor, id)).then_some(id)
}

/// Returns whether the block of `id` returns, and no instruction after `id` writes to memory.
fn returns_unchanged(editor: &Editor<'_>, id: InstructionId) -> bool {
    let mut last = id;
    for following in editor.body().instructions_from(id).skip(1) {
        let writes = editor.memory_behavior(following).may_write();
        if writes && editor.opcode(following) != Opcode::DeallocStack {
            return false;
        }
        last = following;
    }
    editor.opcode(last) == Opcode::Return
}

/// Replaces the source of the move `id` with its destination.
fn make_at_result(editor: &mut Editor<'_>, id: InstructionId) {
    let CopyAddr { source, destination } = CopyAddr::of(editor.body(), id);
    editor.erase(id);
    for found in editor.uses(source) {
        if editor.opcode(found.user) != Opcode::DeallocStack {
            editor.set_operand(found, destination);
        }
    }
}

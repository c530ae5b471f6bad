//! Variables on the stack whose value becomes an indirect result are made in the result's memory
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/NamedReturnValueOptimization.swift). What is left of the variables is for other passes to remove.

use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::CopyAddr;
use crate::model::{InstructionId, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(in crate::transform) const NAMED_RETURN_VALUES: Pass = Pass::new(&Description {
    name: "named-return-value-optimization",
    class_name: "NamedReturnValueOptimization",
    summary: "Builds variables that are returned in the memory of the result.",
    gates: Gates::OPEN,
    runner: Runner::Function(make_in_place),
});

/// Makes values of a function that are moved to its indirect results as it returns in the memory of the results.
pub(in crate::transform) fn make_in_place(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
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

/// The instruction that moves a variable to `result`, where that is all that is done with `result` and nothing is written from there to the return.
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
    // Ownership cannot be checked for a result that is initialised on some ways only.
    let is_dynamic = body.instructions[variable].attributes.contains(Attribute::DynamicLifetime);
    let is_allowed = destination == result && initializes && !(is_dynamic && editor.has_ownership());
    (is_allowed && returns_unchanged(editor, id)).then_some(id)
}

/// Whether the block of `id` returns, and nothing behind `id` writes to memory.
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

/// Puts the destination of the move `id` in the place of its source.
fn make_at_result(editor: &mut Editor<'_>, id: InstructionId) {
    let CopyAddr { source, destination } = CopyAddr::of(editor.body(), id);
    editor.erase(id);
    for found in editor.uses(source) {
        if editor.opcode(found.user) != Opcode::DeallocStack {
            editor.set_operand(found, destination);
        }
    }
}

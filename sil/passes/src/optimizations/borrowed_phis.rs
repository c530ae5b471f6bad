//! Computes the enclosing values of guaranteed phis, which `borrowed %phi from (…)` lists (docs/SIL/Ownership.md,
//! "Borrowed-from").

use sil_analysis::{Use, ValueDependence};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Borrowed;
use sil_ir::model::{BlockId, Definition, InstructionId, Ownership, Place, Value};

use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const UPDATE_BORROWED_FROM: Pass = Pass::new(&Description {
    name: "update-borrowed-from",
    class_name: "UpdateBorrowedFrom",
    summary: "Computes the enclosing values of borrowed block arguments.",
    gates: Gates::OPEN,
    runner: Runner::Function(update),
});

/// Recomputes the `borrowed` instructions of all guaranteed phis of a function.
pub(crate) fn update(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    update_all(&mut editor);
    Ok(editor.finish())
}

/// Recomputes the `borrowed` instructions of a function that is being edited.
pub(crate) fn update_all(editor: &mut Editor<'_>) {
    if editor.has_ownership() {
        forget(editor);
        let body = editor.body();
        let arguments = body.blocks.keys().skip(1).flat_map(|block| body.blocks[block].arguments.clone());
        let arguments = arguments.collect::<Vec<_>>();
        complete(editor, &arguments);
    }
}

/// Removes all `borrowed` instructions, since the enclosing values may have changed.
fn forget(editor: &mut Editor<'_>) {
    let body = editor.body();
    let borrowed = body.placed_instructions().filter(|id| editor.opcode(*id) == Opcode::Borrowed);
    let said: Vec<(InstructionId, Value)> = borrowed.map(|id| (id, Borrowed::of(body, id).value)).collect();
    for (id, argument) in said {
        editor.replace(id, argument);
    }
}

/// Inserts a `borrowed` instruction for each guaranteed phi among the arguments that has none.
pub(crate) fn complete(editor: &mut Editor<'_>, arguments: &[Value]) {
    let view = editor.view();
    let dependence = ValueDependence::new(&view);
    // An unreachable block may have branches to it.
    let is_unreached = |argument: Value| {
        let block = block_of(editor, argument);
        let is_entered = block.is_none_or(|block| !view.cfg.predecessors(block).is_empty());
        !is_entered && view.ownership(argument) == Ownership::Guaranteed
    };
    let is_phi = |argument: Value| dependence.is_guaranteed_phi(argument) || is_unreached(argument);
    // The enclosing value of a value that is borrowed from a phi is the phi itself.
    let found: Vec<(Value, Vec<Value>, Vec<Use>)> = arguments
        .iter()
        .filter(|argument| is_phi(**argument) && !is_complete(editor, **argument))
        .map(|argument| (*argument, dependence.enclosing_values_of_phi(*argument), editor.uses(*argument)))
        .collect();
    for (argument, enclosing, uses) in found {
        let Some(block) = block_of(editor, argument) else { continue };
        let Some(like) = editor.first_located(block) else { continue };
        let borrowed = editor.build(Place::Start(block), like, |builder| builder.borrowed(argument, &enclosing));
        uses.into_iter().for_each(|found| editor.set_operand(found, borrowed));
    }
}

fn block_of(editor: &Editor<'_>, argument: Value) -> Option<BlockId> {
    match editor.body().values[argument].definition {
        Definition::Argument { block, .. } => Some(block),
        Definition::Result { .. } | Definition::Undef => None,
    }
}

fn is_complete(editor: &Editor<'_>, argument: Value) -> bool {
    let uses = editor.uses(argument);
    uses.iter().any(|found| found.operand == 0 && editor.opcode(found.user) == Opcode::Borrowed)
}

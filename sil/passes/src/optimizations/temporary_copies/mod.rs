//! Removes temporary stack copies that are only read. The source of the copy is read instead, or the stored value is
//! used. Follows lib/SILOptimizer/Transforms/TempRValueElimination.cpp.
//!
//! This file owns the order of the work, and the removal of identity copies. `copies` removes copies from memory,
//! `reads` collects their reads, `stores` removes stores.

mod copies;
mod reads;
mod stores;

use sil_analysis::AnalyzedModule;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{Body, InstructionId, Value};

use crate::editing::editor::Editor;
use crate::pass::{
    Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner, change_one_by_one,
    over_analyzed,
};

pub(crate) const TEMPORARY_COPY_ELIMINATION: Pass = Pass::new(&Description {
    name: "temp-rvalue-opt",
    class_name: "TempRValueOpt",
    summary: "Removes short-lived copies that are only read.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate),
});

/// Removes the temporary copies of all functions.
pub(crate) fn eliminate(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    let rewrite = change_one_by_one(environment, analyzed, candidates, |analyzed, id| match analyzed.view.opcode(id) {
        Opcode::Store => stores::without_temporary(analyzed, id),
        _ => copies::without_temporary(analyzed, id),
    });
    let mut rounds = Rounds::after(environment, rewrite);
    let mut editor = Editor::new(rounds.current());
    for id in candidates(editor.body()) {
        remove_identity(&mut editor, id);
    }
    if let Some(Rewrite { body, change, .. }) = editor.finish() {
        rounds.set(body, change);
    }
    rounds.finish()
}

fn candidates(body: &Body) -> Vec<InstructionId> {
    let is_candidate = |id: &InstructionId| matches!(body.instructions[*id].opcode, Opcode::CopyAddr | Opcode::Store);
    body.placed_instructions().filter(is_candidate).collect()
}

/// Removes an identity copy, and the access that was only needed for it.
fn remove_identity(editor: &mut Editor<'_>, id: InstructionId) {
    if !editor.is_placed(id) || editor.opcode(id) != Opcode::CopyAddr {
        return;
    }
    let CopyAddr { source, destination } = CopyAddr::of(editor.body(), id);
    if source != destination {
        return;
    }
    editor.erase(id);
    if let Some(begin) = editor.made_by(source, Opcode::BeginAccess)
        && editor.uses(source).iter().all(|found| is_incidental(editor.opcode(found.user)))
    {
        let accessed = editor.body().operands(begin).first().copied();
        accessed.into_iter().for_each(|accessed| remove_access(editor, begin, accessed));
    }
}

fn is_incidental(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::EndAccess | Opcode::DebugValue | Opcode::FixLifetime)
}

fn remove_access(editor: &mut Editor<'_>, begin: InstructionId, accessed: Value) {
    for found in editor.body().result(begin).map(|address| editor.uses(address)).unwrap_or_default() {
        match editor.opcode(found.user) {
            Opcode::EndAccess => editor.erase(found.user),
            _ => editor.set_operand(found, accessed),
        }
    }
    editor.erase(begin);
}

//! Merges `cond_fail` instructions that no side effect separates (MergeCondFails of SwiftCompilerSources). Overflow
//! checks are not merged, since they lower to jumps on a processor flag.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CondFail, TupleExtract};
use sil_ir::model::{Builtin, InstructionId, Place, Value};

use crate::editing::editor::Editor;
use crate::pass::settings::MergedChecks;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const COND_FAIL_MERGING: Pass = Pass::new(&Description {
    name: "merge-cond_fails",
    class_name: "MergeCondFails",
    summary: "Merges adjacent checks into one.",
    gates: Gates::OPEN,
    runner: Runner::Function(merge),
});

/// Merges the checks of a function.
pub(crate) fn merge(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    for block in editor.body().blocks.keys().collect::<Vec<_>>() {
        let mut checks: Vec<InstructionId> = Vec::new();
        for id in editor.body().instructions_in(block).collect::<Vec<_>>() {
            if editor.opcode(id) == Opcode::CondFail {
                let merges_all = environment.settings.merged_checks == MergedChecks::All;
                let is_like = |first: &InstructionId| merges_all || message(&editor, *first) == message(&editor, id);
                if !checks_overflow(&editor, id) && checks.first().is_none_or(is_like) {
                    checks.push(id);
                }
            } else if editor.may_have_side_effects(id) || editor.memory_behavior(id).may_read() {
                merge_checks(&mut editor, std::mem::take(&mut checks));
            }
        }
        merge_checks(&mut editor, checks);
    }
    Ok(editor.finish())
}

fn message<'e>(editor: &'e Editor<'_>, id: InstructionId) -> &'e str {
    CondFail::of(editor.body(), id).message
}

fn checks_overflow(editor: &Editor<'_>, id: InstructionId) -> bool {
    let body = editor.body();
    let extract = editor.made_by(CondFail::of(body, id).condition, Opcode::TupleExtract);
    extract.is_some_and(|id| editor.made_by(TupleExtract::of(body, id).operand, Opcode::Builtin).is_some())
}

/// Replaces several checks with one after the last of them.
fn merge_checks(editor: &mut Editor<'_>, checks: Vec<InstructionId>) {
    let Some(last) = checks.last().copied().filter(|_| checks.len() > 1) else { return };
    let conditions: Vec<Value> = checks.iter().map(|id| CondFail::of(editor.body(), *id).condition).collect();
    let context = editor.environment.queries.context;
    let bit = SilType::object(context.ty(Type::Builtin(BuiltinType::Integer(1))));
    let or = Builtin::plain(context, "or_Int1");
    let text: Box<str> = message(editor, last).into();
    editor.build(Place::After(last), last, |builder| {
        let mut merged = conditions[0];
        for condition in &conditions[1..] {
            let or = or.clone();
            merged = builder.builtin(or, &[merged, *condition], bit);
        }
        builder.cond_fail(merged, &text);
    });
    checks.into_iter().for_each(|id| editor.erase(id));
}

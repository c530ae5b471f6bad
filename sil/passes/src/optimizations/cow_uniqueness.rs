//! Folds uniqueness checks of copy-on-write buffers: a buffer that was unique at the last `end_cow_mutation` and has
//! not escaped since is still unique. Follows lib/SILOptimizer/Transforms/COWOpts.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::{AnalyzedModule, InstructionEffects, Worklist};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Store, StructExtract, Unary};
use sil_ir::model::{Body, InstructionId, Place, Value};

use crate::editing::editor::Editor;
use crate::pass::{
    Analyzed, Description, Environment, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner,
    change_one_by_one, over_analyzed,
};

pub(crate) const COW_UNIQUENESS_FOLDING: Pass = Pass::new(&Description {
    name: "cow-opts",
    class_name: "COWOpts",
    summary: "Folds uniqueness checks of buffers that are known to be unique.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Module(fold),
});

/// The limit on compared pairs of stores and loads.
const MOST_PAIRS: usize = 128;

/// Folds the uniqueness checks of all functions.
pub(crate) fn fold(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    change_one_by_one(environment, analyzed, checks, |analyzed, begin| {
        let ends = last_mutations(analyzed, begin)?;
        let escapes = escapes(analyzed, &ends);
        (escapes.is_empty() || stays_unique(analyzed, begin, &ends, &escapes)).then(|| folded(analyzed, begin, &ends))
    })
}

fn checks(body: &Body) -> Vec<InstructionId> {
    let is_check = |id: &InstructionId| body.instructions[*id].opcode == Opcode::BeginCowMutation;
    body.placed_instructions().filter(is_check).collect()
}

/// The last `end_cow_mutation`s of the buffer that `begin` checks, or `None` if the buffer may have another origin.
fn last_mutations(analyzed: &Analyzed<'_, '_>, begin: InstructionId) -> Option<Vec<InstructionId>> {
    let view = analyzed.view;
    let mut open = vec![Unary::of(view.body, begin).operand];
    let (mut seen, mut ends) = (FxHashSet::default(), Vec::new());
    while let Some(value) = open.pop() {
        let value = without_structs(analyzed, value);
        if !seen.insert(value) {
            continue;
        }
        match (view.definition(value), view.incoming_values(value)) {
            (Some((id, Opcode::EndCowMutation)), _) => ends.push(id),
            (_, Some(incoming)) => open.extend(incoming),
            _ => return None,
        }
    }
    Some(ends)
}

/// Looks through single-field structs and their extractions.
fn without_structs(analyzed: &Analyzed<'_, '_>, mut value: Value) -> Value {
    let body = analyzed.view.body;
    loop {
        match analyzed.view.definition(value) {
            Some((id, Opcode::Struct)) if body.operands(id).len() == 1 => value = body.operands(id)[0],
            Some((id, Opcode::StructExtract)) => value = StructExtract::of(body, id).operand,
            _ => return value,
        }
    }
}

/// The uses of the buffer after its mutations that may create another reference to it.
fn escapes(analyzed: &Analyzed<'_, '_>, ends: &[InstructionId]) -> FxHashSet<InstructionId> {
    use Opcode::*;
    let view = analyzed.view;
    let mut open = Worklist::new(ends.iter().flat_map(|end| view.body.results(*end)));
    let mut found = FxHashSet::default();
    while let Some(value) = open.pop() {
        for next in view.uses.of(value).iter().copied() {
            match view.opcode(next.user) {
                BeginCowMutation | RefElementAddr | RefTailAddr | DebugValue => {}
                Br | CondBr => open.extend(view.branch_argument(next)),
                Struct | StructExtract | Tuple | TupleExtract | UncheckedRefCast => {
                    open.extend(view.body.results(next.user));
                }
                _ => {
                    found.insert(next.user);
                }
            }
        }
    }
    found
}

/// Returns whether none of `escapes` is between the last mutations and `begin`, except for stores to memory that is not
/// read in between.
fn stays_unique(
    analyzed: &Analyzed<'_, '_>,
    begin: InstructionId,
    ends: &[InstructionId],
    escapes: &FxHashSet<InstructionId>,
) -> bool {
    let Analyzed { view, aliases, environment } = analyzed;
    let effects = InstructionEffects::new(environment.module, environment.queries);
    let body = view.body;
    let mut stored: Vec<Value> = Vec::new();
    let mut reads: Vec<InstructionId> = Vec::new();
    let mut open = Worklist::new([begin]);
    while let Some(last) = open.pop() {
        let mut is_whole = true;
        for id in std::iter::successors(Some(last), |id| body.previous(*id)) {
            if escapes.contains(&id) {
                let Some(Store { destination, .. }) = Store::get(body, id).filter(|_| view.opcode(id) == Opcode::Store)
                else {
                    return false;
                };
                if !stored.contains(&destination) {
                    stored.push(destination);
                }
            }
            if effects.memory_behavior(body, id).may_read() {
                reads.push(id);
            }
            if ends.contains(&id) {
                is_whole = false;
                break;
            }
        }
        if is_whole {
            let before = view.cfg.predecessors(body.instructions[last].block).iter();
            open.extend(before.filter_map(|block| body.terminator(*block)));
        }
    }
    stored.len() * reads.len() <= MOST_PAIRS
        && !reads.iter().any(|read| stored.iter().any(|address| aliases.may_read(*read, *address)))
}

/// Returns the body with the check folded. The buffer is marked to stay unique.
fn folded(analyzed: &Analyzed<'_, '_>, begin: InstructionId, ends: &[InstructionId]) -> Body {
    let mut editor = Editor::new(analyzed.environment);
    if let Some(answer) = editor.body().results(begin).next() {
        let ty = editor.body().ty(answer);
        let yes = editor.build(Place::Before(begin), begin, |builder| builder.integer_literal(-1, ty));
        editor.replace_all(answer, yes);
    }
    for end in ends {
        editor.edit_attributes(*end, |attributes| attributes.insert(Attribute::KeepUnique));
    }
    editor.into_body()
}

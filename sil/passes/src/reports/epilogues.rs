//! Dumps the epilogue retains and releases of functions (lib/SILOptimizer/UtilityPasses/EpilogueARCMatcherDumper.cpp,
//! EpilogueRetainReleaseMatcherDumper.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::ApplySite;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Value};
use sil_text::print::CommentedLines;

use crate::knowledge::epilogue_counting::epilogue_counting;
use crate::knowledge::epilogue_releases::{ArgumentMemory, EpilogueReleases, Exit, Owned};
use crate::knowledge::reference_questions::{Counting, Questions};

/// The limit of Swift's compiler on paths that are followed at once.
const MOST_WAYS: usize = 4;

/// The epilogue retains and releases of each argument, found by the dataflow over all paths.
pub(super) fn on_all_paths(questions: &Questions<'_>, lines: &CommentedLines<'_>) -> String {
    let name = name(questions);
    let body = questions.view.body;
    let mut out = String::new();
    for argument in &body.blocks[body.entry()].arguments {
        let counting = [Counting::Release, Counting::Retain];
        let found = counting.into_iter().flat_map(|counting| epilogue_counting(questions, counting, *argument));
        let found: String = found.map(|id| lines.instruction(id) + "\n").collect();
        out += &format!("START: {name}\n{}{found}FINISH: {name}\n", lines.value(*argument));
    }
    out
}

/// The epilogue retains of the result, and the epilogue releases of each owned argument, found from the return.
pub(super) fn from_return(questions: &Questions<'_>, lines: &CommentedLines<'_>) -> String {
    let name = name(questions);
    let body = questions.view.body;
    let owned = Owned { arguments: &questions.owned_arguments(), memory: ArgumentMemory::Ignored };
    let releases = EpilogueReleases::find(questions.view, owned, Exit::Return);
    let retains: String = retains_of_result(questions).into_iter().map(|id| lines.instruction(id)).collect();
    let mut out = format!("START: sil @{name}\n{retains}");
    for argument in &body.blocks[body.entry()].arguments {
        out += &lines.value(*argument);
        releases.complete(*argument).iter().for_each(|id| out += &lines.instruction(*id));
    }
    out + &format!("END: sil @{name}\n")
}

fn name<'m>(questions: &Questions<'m>) -> &'m str {
    let environment = questions.environment();
    environment.module.context.text(environment.function.name)
}

/// The first relevant instruction of a block for the result, from its end.
enum Found {
    Retain(InstructionId),
    Obstacle,
    Nothing,
}

/// The epilogue retains of the result on all paths to the returning block, with no potential release in between
/// (`ConsumedResultToEpilogueRetainMatcher` in lib/SILOptimizer/Analysis/ARCAnalysis.cpp).
fn retains_of_result(questions: &Questions<'_>) -> Vec<InstructionId> {
    let body = questions.view.body;
    let mut ends = body.blocks.keys().filter_map(|block| body.terminator(block));
    let Some(end) = ends.find(|end| questions.view.opcode(*end) == Opcode::Return) else {
        return Vec::new();
    };
    all_retains(questions, body.instructions[end].block, body.operands(end)[0]).unwrap_or_default()
}

fn all_retains(questions: &Questions<'_>, from: BlockId, result: Value) -> Option<Vec<InstructionId>> {
    let view = questions.view;
    let mut retains = Vec::new();
    let mut free: Vec<BlockId> = Vec::new();
    let mut seen = FxHashSet::from_iter([from]);
    let mut open = vec![(from, result)];
    while let Some((block, value)) = open.pop() {
        if open.len() >= MOST_WAYS {
            return None;
        }
        match last_in_block(questions, block, value) {
            Found::Retain(id) => retains.push(id),
            Found::Obstacle => return None,
            Found::Nothing if view.cfg.predecessors(block).is_empty() => return None,
            Found::Nothing => {
                free.push(block);
                // In Swift's compiler, the branch that was parsed last comes first.
                for way in view.cfg.predecessors(block).iter().rev() {
                    if seen.insert(*way) {
                        open.push((*way, view.passed(*way, value).unwrap_or(value)));
                    }
                }
            }
        }
    }
    // A path that leaves these blocks otherwise would have a surplus retain.
    let ends_free = |block: &BlockId| {
        let end = view.body.terminator(*block);
        end.is_some_and(|end| view.body.targets(end).iter().all(|target| free.contains(target)))
    };
    let with_retain = retains.iter().map(|id| view.body.instructions[*id].block);
    with_retain.chain(free.iter().copied()).all(|block| ends_free(&block)).then_some(retains)
}

fn last_in_block(questions: &Questions<'_>, block: BlockId, value: Value) -> Found {
    let view = questions.view;
    let own_name = questions.environment().function.name;
    for id in view.body.instructions_in(block).collect::<Vec<_>>().into_iter().rev() {
        let called = ApplySite::new(view.body, id).and_then(ApplySite::called_function);
        if view.opcode(id) == Opcode::Apply && called == Some(own_name) {
            return Found::Retain(id);
        }
        if questions.counting(id) != Some(Counting::Retain) {
            if questions.may_decrement(id, value) {
                return Found::Obstacle;
            }
            continue;
        }
        // Another retain may also retain the result, through an unknown relation.
        let is_of_result = questions.counted_root(id) == questions.root(value);
        return if is_of_result { Found::Retain(id) } else { Found::Nothing };
    }
    Found::Nothing
}

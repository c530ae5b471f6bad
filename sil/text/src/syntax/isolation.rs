//! The actor isolation of functions, from the lines above them: `// Isolation: global_actor. type: MainActor`
//! (`SILFunction::print`, lib/SIL/IR/SILPrinter.cpp). The text of a function has no other mark of it.

use rustc_hash::FxHashMap;

use sil_ir::context::{Context, Name};
use sil_ir::model::{FunctionIsolation, Module, StatedIsolation};

/// The prefix of the line.
const MARK: &str = "// Isolation: ";

/// Returns the isolations stated above the functions of `module`, whose text is `text`.
pub(super) fn stated_isolations(context: &Context, module: &Module, text: &str) -> FxHashMap<Name, StatedIsolation> {
    if !text.contains(MARK) {
        return FxHashMap::default();
    }
    let stated = |line: &str| of_line(context, line.strip_prefix(MARK)?);
    let functions = module.functions.values();
    functions
        .filter_map(|function| {
            let comments = comments_above(text, function.span.start);
            Some((function.name, comments.take(MOST_LINES).find_map(stated)?))
        })
        .collect()
}

/// Returns the comments in the lines directly above the byte `start` of `text`, the nearest one first.
pub(super) fn comments_above(text: &str, start: u32) -> impl Iterator<Item = &str> {
    let above = text.get(..start as usize).unwrap_or_default();
    above.lines().rev().take_while(|line| line.starts_with("//"))
}

/// The greatest number of comment lines above a function.
const MOST_LINES: usize = 4;

/// `actor_instance. name: 'self'`, `global_actor. type: MainActor`, `nonisolated`
fn of_line(context: &Context, line: &str) -> Option<StatedIsolation> {
    let (kind, rest) = line.trim_end().split_once(". ").unwrap_or((line.trim_end(), ""));
    let kind = FunctionIsolation::from_name(kind)?;
    let actor = rest.split_once(": ").map(|(_, actor)| context.name(actor.trim_matches('\'')));
    Some(StatedIsolation { kind, actor })
}

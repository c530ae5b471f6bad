//! Marks where pack metadata may be allocated on the stack: `alloc_pack_metadata` in front of each instruction that may
//! need them, and `dealloc_pack_metadata` at the ends of the last blocks that it dominates
//! (lib/IRGen/PackMetadataMarkerInserter.cpp).

use sil_analysis::{Change, ControlFlowGraph, DeadEndBlocks, Dominators, may_need_pack_metadata};
use sil_ir::context::{SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::{BlockId, Body, Details, InstructionId, Place};

use crate::InstructionBuilder;
use crate::editing::{critical_edges, stack_nesting};
use crate::pass::settings::PackMetadata;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const PACK_METADATA_MARKING: Pass = Pass::new(&Description {
    name: "pack-metadata-marker-inserter",
    class_name: "PackMetadataMarkerInserter",
    summary: "Marks where metadata of packs may be allocated on the stack.",
    gates: Gates::OPEN,
    runner: Runner::Function(mark),
});

/// Marks where pack metadata are needed.
pub(crate) fn mark(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, settings, analyses, .. } = environment;
    let needing: Vec<InstructionId> =
        before.placed_instructions().filter(|id| may_need_pack_metadata(environment.queries, before, *id)).collect();
    // An `async let` task may need them after the function returns.
    let is_endless = before.placed_instructions().any(|id| starts_async_let(environment, id));
    if settings.pack_metadata == PackMetadata::OnHeap || needing.is_empty() || is_endless {
        return Ok(None);
    }
    let mut body = before.clone();
    critical_edges::split_in(&mut body, analyses.cfg(before));
    let cfg = ControlFlowGraph::new(&body);
    let dominators = Dominators::new(&body, &cfg);
    let dead_ends = DeadEndBlocks::new(&body, &cfg);
    let unit = environment.queries.context.ty(Type::Tuple(Box::default()));
    for id in needing {
        let block = body.instructions[id].block;
        let mut builder = InstructionBuilder::new(&mut body, Place::Before(id), id);
        let metadata = builder.alloc_pack_metadata(SilType::object(unit));
        for end in boundary(&body, &dominators, block).into_iter().filter(|end| !dead_ends.contains(*end)) {
            let Some(terminator) = body.terminator(end) else { continue };
            InstructionBuilder::new(&mut body, Place::Before(terminator), id).dealloc_pack_metadata(metadata);
        }
    }
    stack_nesting::fix(environment.queries.context, &mut body);
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// Returns the blocks dominated by `root` that exit the function or have a successor outside the dominated region.
fn boundary(body: &Body, dominators: &Dominators, root: BlockId) -> Vec<BlockId> {
    let is_inside = |block: BlockId| dominators.dominates(root, block);
    let is_last = |block: &BlockId| {
        let targets = body.terminator(*block).map(|end| body.targets(end)).unwrap_or_default();
        targets.is_empty() || targets.iter().any(|target| !is_inside(*target) || *target == root)
    };
    body.blocks.keys().filter(|block| is_inside(*block)).filter(is_last).collect()
}

fn starts_async_let(environment: Environment<'_>, id: InstructionId) -> bool {
    let Details::Builtin(builtin) = &environment.body.instructions[id].details else { return false };
    let kind = builtin.kind();
    matches!(kind, Some(BuiltinKind::Named(NamedBuiltin::StartAsyncLet | NamedBuiltin::StartAsyncLetWithLocalBuffer)))
}

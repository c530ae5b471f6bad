//! Whether there may be several of the instructions of a loop: what they begin ends in the loop, and what goes out of it can be a block argument
//! (`canDuplicateLoopInstruction`, lib/SILOptimizer/Utils/LoopUtils.cpp).
//!
//! Does not own: loops that open existentials, whose copies would need archetypes of their own.

use crate::analysis::{BodyView, DeadEndBlocks, LoopId};
use crate::context::Foreign;
use crate::instructions::{Attribute, Opcode};
use crate::model::{Details, InstructionId, Ownership, Value};
use crate::transform::editing::address_projections::Projections;
use crate::transform::editing::instruction_copies::is_duplicable;
use crate::transform::knowledge::loop_graph::LoopGraph;

/// Whether `instruction` of the loop `id` can be copied with it.
pub(in crate::transform) fn can_be_copied(
    view: &BodyView<'_>,
    graph: &LoopGraph,
    id: LoopId,
    instruction: InstructionId,
) -> bool {
    use Opcode::*;
    let body = view.body;
    let is_inside = |other: InstructionId| graph.nest.contains(id, body.instructions[other].block);
    let users = |value: Value| view.uses.of(value).iter().map(|found| found.user);
    let ends = |kinds: &'static [Opcode]| {
        let results = body.results(instruction).flat_map(users);
        results.filter(|user| kinds.contains(&view.opcode(*user))).collect::<Vec<_>>()
    };
    let all_inside = || body.results(instruction).flat_map(users).all(is_inside);
    let attributes = body.instructions[instruction].attributes;
    if has_dead_end_use(view, graph, id, instruction) || Projections::of_results(view, instruction).is_none() {
        return false;
    }
    match view.opcode(instruction) {
        AllocStack | AllocPack | AllocPackMetadata | AllocVector => {
            ends(&[DeallocStack, DeallocPack, DeallocPackMetadata]).into_iter().all(is_inside)
        }
        AllocRef | AllocRefDynamic if attributes.contains(Attribute::Stack) => {
            ends(&[DeallocStackRef]).into_iter().all(is_inside)
        }
        DeallocStack | DeallocPack | DeallocPackMetadata | DeallocStackRef => {
            let allocation = body.operands(instruction).first().and_then(|value| body.defining(*value));
            allocation.is_some_and(is_inside)
        }
        MarkDependence => {
            !attributes.contains(Attribute::NonEscaping)
                || body.result(instruction).is_some_and(|value| body.ty(value).is_address())
        }
        BeginAccess => all_inside(),
        BeginApply => ends(&[EndApply, AbortApply, EndBorrow]).into_iter().all(is_inside),
        // They go with what they end.
        EndAccess | EndApply | AbortApply => true,
        BeginBorrow | LoadBorrow => !ends(&[EndBorrow, Br]).is_empty(),
        ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod | WitnessMethod => {
            let Details::Method(method) = &body.instructions[instruction].details else { return false };
            view.queries.context.get_member(method.member).foreign == Foreign::No || all_inside()
        }
        // What they make goes to blocks that are copied, or get a block in front of them.
        TryApply | CheckedCastBr | CheckedCastAddrBr | SwitchValue => true,
        _ => is_duplicable(body, instruction),
    }
}

/// Whether something borrowed is used where the function is never left: its lifetime need not end there, but a block argument's must.
fn has_dead_end_use(view: &BodyView<'_>, graph: &LoopGraph, id: LoopId, instruction: InstructionId) -> bool {
    let borrowed = view.body.results(instruction).filter(|value| view.ownership(*value) == Ownership::Guaranteed);
    let users = borrowed.flat_map(|value| view.uses.of(value)).map(|found| view.body.instructions[found.user].block);
    let mut outside = users.filter(|block| !graph.nest.contains(id, *block)).peekable();
    outside.peek().is_some() && {
        let dead_ends = DeadEndBlocks::new(view.body, &view.cfg);
        outside.any(|block| dead_ends.contains(block))
    }
}

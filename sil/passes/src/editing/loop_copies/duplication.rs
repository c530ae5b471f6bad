//! Decides whether the instructions of a loop can be duplicated: scopes that they begin end in the loop, and values
//! used outside of it can be block arguments (`canDuplicateLoopInstruction`, lib/SILOptimizer/Utils/LoopUtils.cpp).
//!
//! Does not own: loops that open existentials, whose copies would need new archetypes.

use sil_analysis::{BodyView, DeadEndBlocks, LoopId};
use sil_ir::context::Foreign;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Details, InstructionId, Ownership, Value};

use crate::editing::address_projections::Projections;
use crate::editing::instruction_copies::is_duplicable;
use crate::knowledge::loop_graph::LoopGraph;

/// Returns whether `instruction` can be duplicated with the loop `id`.
pub(crate) fn can_be_copied(view: &BodyView<'_>, graph: &LoopGraph, id: LoopId, instruction: InstructionId) -> bool {
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
        // They are duplicated with the scope that they end.
        EndAccess | EndApply | AbortApply => true,
        BeginBorrow | LoadBorrow => !ends(&[EndBorrow, Br]).is_empty(),
        ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod | WitnessMethod => {
            let Details::Method(method) = &body.instructions[instruction].details else { return false };
            view.queries.context.get_member(method.member).foreign == Foreign::No || all_inside()
        }
        // Their results are arguments of blocks that are duplicated or get a predecessor on a split edge.
        TryApply | CheckedCastBr | CheckedCastAddrBr | SwitchValue => true,
        _ => is_duplicable(body, instruction),
    }
}

/// Returns whether a guaranteed value is used in a dead end outside of the loop. Its lifetime need not end there, but
/// that of a block argument must.
fn has_dead_end_use(view: &BodyView<'_>, graph: &LoopGraph, id: LoopId, instruction: InstructionId) -> bool {
    let borrowed = view.body.results(instruction).filter(|value| view.ownership(*value) == Ownership::Guaranteed);
    let users = borrowed.flat_map(|value| view.uses.of(value)).map(|found| view.body.instructions[found.user].block);
    let mut outside = users.filter(|block| !graph.nest.contains(id, *block)).peekable();
    outside.peek().is_some() && {
        let dead_ends = DeadEndBlocks::new(view.body, &view.cfg);
        outside.any(|block| dead_ends.contains(block))
    }
}

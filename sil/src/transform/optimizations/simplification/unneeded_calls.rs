//! Calls that only read, and whose results nothing needs, are not made (`eraseApply` of lib/SILOptimizer/SILCombiner/SILCombinerApplyVisitors.cpp).

use rustc_hash::FxHashSet;

use super::Simplifier;
use crate::analysis::{ApplySite, ControlFlowGraph};
use crate::context::ParameterConvention;
use crate::instructions::{Opcode, Position};
use crate::model::views::Apply;
use crate::model::{BlockId, Details, Function, FunctionAttribute, FunctionFlag, InstructionId, Place, Value};
use crate::transform::knowledge::counting::Counting;
use crate::transform::knowledge::lifetime_frontier::lifetime_frontier;
use crate::types::ArgumentConvention;

impl Simplifier<'_> {
    /// Takes a call away with what only counts references in its result. What it would consume is destroyed where the result was not needed any more:
    /// without ownership, arguments may be retained behind the call.
    pub(super) fn remove_unneeded_call(&mut self, id: InstructionId) -> Option<()> {
        let called = self.called(id)?;
        if !self.needs_result(called) || self.never_returns(id) {
            return None;
        }
        let mut users = Vec::new();
        let body = self.editor.body();
        body.results(id).all(|result| self.collect_users_that_count(result, &mut users)).then_some(())?;
        let consumed = self.consumed(id)?;
        let places = match users.is_empty() {
            true => vec![Place::Before(id)],
            false => lifetime_frontier(body, id, &users)?,
        };
        if !consumed.is_empty() && self.deallocates(id, &users, &places) {
            return None;
        }
        for place in places {
            for argument in &consumed {
                self.destroy_at(place, id, *argument);
            }
        }
        users.into_iter().rev().for_each(|user| self.editor.erase(user));
        self.editor.erase(id);
        Some(())
    }

    /// Whether a function does nothing but give its result.
    fn needs_result(&self, called: &Function) -> bool {
        let queries = self.editor.environment.queries;
        let makes_buffer = |attribute: &FunctionAttribute| match attribute {
            FunctionAttribute::Semantics(name) => {
                matches!(queries.context.text(*name), "string.init_empty_with_capacity" | "array.uninitialized")
            }
            _ => false,
        };
        let gives_values = queries.conventions(called.ty).is_some_and(|conventions| {
            conventions.indirect_results().next().is_none() && conventions.function.error.is_none()
        });
        let only_reads = called.has(FunctionFlag::ReadNone) || called.has(FunctionFlag::ReadOnly);
        gives_values && (only_reads || called.attributes.iter().any(makes_buffer))
    }

    /// Whether the program ends behind a call.
    fn never_returns(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        let end = body.terminator(body.instructions[id].block);
        end.is_some_and(|end| self.editor.opcode(end) == Opcode::Unreachable)
    }

    /// Collects what uses a value, and what is made of it; those that are made come before what uses them. Whether all of that only counts references.
    fn collect_users_that_count(&self, value: Value, users: &mut Vec<InstructionId>) -> bool {
        use Opcode::*;
        self.editor.uses(value).into_iter().all(|found| {
            let user = found.user;
            if self.editor.opcode(user).information().position == Position::Terminator || users.contains(&user) {
                return false;
            }
            users.push(user);
            match self.editor.opcode(user) {
                StrongRetain
                | StrongRelease
                | RetainValue
                | ReleaseValue
                | UnmanagedRetainValue
                | UnmanagedReleaseValue
                | DestroyValue
                | DebugValue
                | EndBorrow => true,
                TupleExtract | StructExtract | CopyValue | BeginBorrow | PointerToAddress => {
                    self.editor.body().results(user).all(|result| self.collect_users_that_count(result, users))
                }
                _ => false,
            }
        })
    }

    /// The arguments that a call consumes, and that have to be destroyed without it.
    fn consumed(&self, id: InstructionId) -> Option<Vec<Value>> {
        use ParameterConvention::{In, InCxx, Owned, PackOwned};
        let body = self.editor.body();
        let conventions = ApplySite::new(body, id)?.conventions(self.editor.environment.queries)?;
        let mut consumed = Vec::new();
        for (argument, passed) in conventions.arguments().zip(Apply::of(body, id).arguments) {
            match argument.convention {
                ArgumentConvention::Parameter(In | Owned) => {
                    let is_trivial = self.editor.is_trivial(body.ty(*passed).object_type());
                    consumed.extend(Some(*passed).filter(|_| !is_trivial));
                }
                ArgumentConvention::Parameter(PackOwned | InCxx) => return None,
                _ => {}
            }
        }
        Some(consumed)
    }

    /// Whether an object is deallocated between a call and the places where its result is not needed any more: it may be one that the call consumes.
    fn deallocates(&self, id: InstructionId, users: &[InstructionId], places: &[Place]) -> bool {
        use Opcode::{DeallocPartialRef, DeallocRef, DeallocStackRef};
        let body = self.editor.body();
        let cfg = ControlFlowGraph::new(body);
        let defined = body.instructions[id].block;
        let mut blocks: FxHashSet<BlockId> = FxHashSet::from_iter([defined]);
        let mut open: Vec<BlockId> = users.iter().map(|user| body.instructions[*user].block).collect();
        while let Some(block) = open.pop() {
            if blocks.insert(block) {
                open.extend(cfg.predecessors(block));
            }
        }
        let is_end = |found: &InstructionId| places.contains(&Place::After(*found));
        blocks.into_iter().any(|block| {
            let from_call = body.instructions_in(block).skip_while(|found| block == defined && *found != id);
            let mut needed = from_call.take_while(|found| !is_end(found));
            needed.any(|found| matches!(self.editor.opcode(found), DeallocRef | DeallocPartialRef | DeallocStackRef))
        })
    }

    /// Destroys at a place what a call would have consumed.
    fn destroy_at(&mut self, place: Place, like: InstructionId, value: Value) {
        let ty = self.editor.body().ty(value);
        let opcode = match ty.is_address() {
            true => Some(Opcode::DestroyAddr),
            false if self.editor.has_ownership() => Some(Opcode::DestroyValue),
            false => Counting::of(self.editor.environment, ty).release(),
        };
        let Some(opcode) = opcode else { return };
        self.editor.build(place, like, |builder| {
            builder.instruction(opcode, Details::None, &[value]);
        });
    }
}

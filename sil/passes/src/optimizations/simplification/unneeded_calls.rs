//! Removes calls that only read and whose results are unused (`eraseApply` of
//! lib/SILOptimizer/SILCombiner/SILCombinerApplyVisitors.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, ControlFlowGraph};
use sil_ir::context::{BuiltinType, ParameterConvention, SilType, Type};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::views::TryApply;
use sil_ir::model::{BlockId, Function, FunctionAttribute, FunctionFlag, InstructionId, Place, Value};
use sil_ir::types::ArgumentConvention;

use super::Simplifier;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::lifetime_frontier;

impl Simplifier<'_> {
    /// Removes a call with the reference counting of its result. Consumed arguments are destroyed at the end of the
    /// result's lifetime, since without ownership they may be retained after the call.
    pub(super) fn remove_unneeded_call(&mut self, id: InstructionId) -> Option<()> {
        let called = self.called(id)?;
        if !self.needs_result(called) || self.never_returns(id) {
            return None;
        }
        let mut users = Vec::new();
        let body = self.editor.body();
        body.results(id).all(|result| self.collect_users_that_count(result, &mut users)).then_some(())?;
        self.destroy_consumed(id, &users)?;
        users.into_iter().rev().for_each(|user| self.editor.erase(user));
        self.editor.erase(id);
        Some(())
    }

    /// Removes a `try_apply` if both successors behave the same. The choice of successor is left to other
    /// simplifications.
    pub(super) fn remove_unneeded_try(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let TryApply { normal, error, .. } = TryApply::of(body, id);
        let called = self.called(id)?;
        if !self.only_reads(called) || !self.meet(id, normal, error) {
            return None;
        }
        let mut users = Vec::new();
        for block in [normal, error] {
            let [given] = body.blocks[block].arguments[..] else { return None };
            self.collect_users_that_count(given, &mut users).then_some(())?;
        }
        let mut others = [normal, error].into_iter().flat_map(|block| body.instructions_in(block));
        if others.any(|other| !users.contains(&other) && self.editor.opcode(other) != Opcode::Br) {
            return None;
        }
        self.destroy_consumed(id, &users)?;
        users.into_iter().rev().for_each(|user| self.editor.erase(user));
        [normal, error].into_iter().for_each(|block| self.editor.remove_argument(block, 0));
        let bit = SilType::object(self.editor.environment.queries.context.ty(Type::Builtin(BuiltinType::Integer(1))));
        let zero = self.integer(id, 0, bit);
        self.editor.build(Place::Before(id), id, |builder| {
            builder.cond_br(zero, [(normal, &[]), (error, &[])], [None; 2]);
        });
        self.editor.erase(id);
        self.editor.forget_ownership();
        Some(())
    }

    /// Returns whether both successors of a call branch to the same block with the same arguments.
    fn meet(&self, call: InstructionId, normal: BlockId, error: BlockId) -> bool {
        let body = self.editor.body();
        let ends = [normal, error].map(|block| body.terminator(block).filter(|end| *end != call));
        let [Some(first), Some(second)] = ends else { return false };
        let is_jump = |end: InstructionId| self.editor.opcode(end) == Opcode::Br;
        is_jump(first)
            && is_jump(second)
            && normal != error
            && body.targets(first) == body.targets(second)
            && body.operands(first) == body.operands(second)
            && [normal, error].iter().all(|block| self.editor.edges_to(*block) == 1)
    }

    /// Destroys the consumed arguments of a call at the end of its result's lifetime. `users` are the users of the
    /// result. Returns `None` if that is not possible.
    fn destroy_consumed(&mut self, id: InstructionId, users: &[InstructionId]) -> Option<()> {
        let consumed = self.consumed(id)?;
        let places = match users.is_empty() {
            true => vec![Place::Before(id)],
            false => lifetime_frontier(self.editor.body(), id, users)?,
        };
        if !consumed.is_empty() && self.deallocates(id, users, &places) {
            return None;
        }
        for place in places {
            for argument in &consumed {
                self.destroy_at(place, id, *argument);
            }
        }
        Some(())
    }

    /// Returns whether a function has no effects besides its result.
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
        gives_values && (self.only_reads(called) || called.attributes.iter().any(makes_buffer))
    }

    /// Returns whether a function neither writes memory nor ends lifetimes.
    fn only_reads(&self, called: &Function) -> bool {
        called.has(FunctionFlag::ReadNone) || called.has(FunctionFlag::ReadOnly)
    }

    /// Returns whether the program terminates after a call.
    fn never_returns(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        let end = body.terminator(body.instructions[id].block);
        end.is_some_and(|end| self.editor.opcode(end) == Opcode::Unreachable)
    }

    /// Collects the transitive users of a value, definitions before uses. Returns whether all of them only count
    /// references.
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

    /// The consumed arguments of a call, which must be destroyed if it is removed.
    fn consumed(&self, id: InstructionId) -> Option<Vec<Value>> {
        use ParameterConvention::{In, InCxx, Owned, PackOwned};
        let body = self.editor.body();
        let site = ApplySite::new(body, id)?;
        let conventions = site.conventions(self.editor.environment.queries)?;
        if conventions.indirect_results().next().is_some() || conventions.indirect_error().is_some() {
            return None;
        }
        let mut consumed = Vec::new();
        for (argument, passed) in conventions.arguments().zip(site.arguments()) {
            match argument.convention {
                ArgumentConvention::Parameter(In | Owned) => {
                    let is_trivial = self.editor.is_trivial(body.ty(*passed));
                    consumed.extend(Some(*passed).filter(|_| !is_trivial));
                }
                ArgumentConvention::Parameter(PackOwned | InCxx) => return None,
                _ => {}
            }
        }
        Some(consumed)
    }

    /// Returns whether an object is deallocated between a call and the end of its result's lifetime. It may be one that
    /// the call consumes.
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

    /// Destroys a consumed argument at a place.
    fn destroy_at(&mut self, place: Place, like: InstructionId, value: Value) {
        let ty = self.editor.body().ty(value);
        let opcode = match ty.is_address() {
            true => Some(Opcode::DestroyAddr),
            false if self.editor.has_ownership() => Some(Opcode::DestroyValue),
            false => Counting::of(self.editor.environment, ty).release(),
        };
        let Some(opcode) = opcode else { return };
        self.editor.build(place, like, |builder| {
            builder.effect(opcode, value);
        });
    }
}

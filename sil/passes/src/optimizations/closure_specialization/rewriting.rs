//! Rewrites the callers: they pass the captured values, and closures that become dead are removed.

use sil_analysis::{Change, ControlFlowGraph};
use sil_ir::context::{Name, ParameterConvention, SilType, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::MarkDependence;
use sil_ir::model::{Apply, BlockId, Details, InstructionId, Place, Value};

use super::candidates::{Candidate, Site};
use super::{ClosureKind, is_noescape};
use crate::editing::critical_edges::split_edges;
use crate::editing::editor::Editor;
use crate::editing::stack_nesting;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::{frontier_or_edges, lifetime_frontier};
use crate::pass::settings::DeadClosures;
use crate::pass::{Environment, Rewrite};

/// A caller being rewritten.
pub(super) struct Rewriting<'m> {
    editor: Editor<'m>,
    /// The lifetime frontier of the current closure.
    frontier: Vec<Place>,
    /// The closures that rewritten calls took.
    replaced: Vec<InstructionId>,
}

impl<'m> Rewriting<'m> {
    pub(super) fn new(environment: Environment<'m>) -> Self {
        Self { editor: Editor::new(environment), frontier: Vec::new(), replaced: Vec::new() }
    }

    /// Computes the lifetime frontier of a closure. Critical edges on the frontier are split.
    pub(super) fn begin(&mut self, candidate: &Candidate<'_>) {
        let closure = candidate.closure.id;
        let frontier = match frontier_or_edges(self.editor.body(), closure, &candidate.users) {
            Ok(frontier) => frontier,
            Err(edges) => {
                self.split_edges(&edges);
                lifetime_frontier(self.editor.body(), closure, &candidate.users).unwrap_or_default()
            }
        };
        self.frontier = self.in_front(frontier);
    }

    /// Converts places to places before instructions, so that inserted instructions are in the order of their
    /// insertion.
    fn in_front(&self, places: Vec<Place>) -> Vec<Place> {
        let body = self.editor.body();
        let next = |place: &Place| body.instructions_after(*place).next().map_or(*place, Place::Before);
        places.iter().map(next).collect()
    }

    fn split_edges(&mut self, edges: &[(BlockId, BlockId)]) {
        let mut order: Vec<BlockId> = self.editor.body().blocks.keys().collect();
        self.editor.edit_whole(Change::Blocks, |body| {
            let old = body.blocks.len();
            split_edges(body, |from, target| edges.contains(&(from, target)));
            let new: Vec<BlockId> = body.blocks.keys().skip(old).collect();
            let known = ControlFlowGraph::new(body);
            for block in new.into_iter().rev() {
                let from = known.single_predecessor(block);
                let place = from.and_then(|from| order.iter().position(|found| *found == from));
                order.insert(place.map_or(order.len(), |place| place + 1), block);
            }
        });
        self.editor.reorder_blocks(&order);
    }

    /// Redirects `site` to the function `name`.
    pub(super) fn replace_call(&mut self, candidate: &Candidate<'_>, site: &Site<'_>, name: Name, ty: TypeId) {
        let closure = &candidate.closure;
        let (call, made) = (site.call, closure.id);
        let ty = SilType::object(ty);
        let Details::Apply(apply) = self.editor.body().instructions[call].details.clone() else { return };
        let callee = self.editor.build(Place::Before(made), call, |builder| builder.function_ref(name, ty));
        let body = self.editor.body();
        let is_elsewhere = body.instructions[call].block != body.instructions[made].block;
        let mut operands = body.operands(call).to_vec();
        operands.remove(site.argument + 1);
        operands[0] = callee;
        for captured in closure.captured.iter().copied() {
            operands.push(captured);
            if !self.editor.body().ty(captured).is_address() && !self.editor.is_trivial(self.editor.body().ty(captured))
            {
                self.keep(made, call, captured, is_elsewhere);
            }
        }
        self.editor.set_operands(call, &operands);
        self.editor.set_details(call, Details::Apply(Box::new(Apply { callee_type: ty, ..*apply })));
        let queries = self.editor.environment.queries;
        let is_consumed =
            site.parameter.convention == ParameterConvention::Owned && !is_noescape(queries, site.parameter.ty);
        if is_consumed && closure.is_counted() {
            let places: Vec<Place> = match self.editor.opcode(call) {
                Opcode::TryApply => {
                    self.editor.body().targets(call).iter().map(|target| Place::Start(*target)).collect()
                }
                _ => vec![Place::After(call)],
            };
            places.into_iter().for_each(|place| self.count(place, made, Opcode::ReleaseValue, closure.value));
        }
        if !self.replaced.contains(&made) {
            self.replaced.push(made);
        }
    }

    /// Retains a captured value that is passed instead of the closure. If the call may run more often than the closure
    /// is created, or not at all, the captured value must live as long as the closure.
    fn keep(&mut self, made: InstructionId, call: InstructionId, captured: Value, is_elsewhere: bool) {
        self.count(Place::Before(made), made, Opcode::RetainValue, captured);
        if is_elsewhere {
            for place in self.frontier.clone() {
                self.count(place, made, Opcode::ReleaseValue, captured);
            }
            self.count(Place::Before(call), made, Opcode::RetainValue, captured);
        }
    }

    fn count(&mut self, place: Place, like: InstructionId, opcode: Opcode, value: Value) {
        self.editor.build(place, like, |builder| {
            builder.effect(opcode, value);
        });
    }

    /// Returns the rewritten caller without dead closures.
    pub(super) fn finish(mut self, candidates: &[Candidate<'_>]) -> Option<Rewrite> {
        if self.replaced.is_empty() {
            return None;
        }
        let mut breaks_nesting = false;
        if self.editor.environment.settings.dead_closures == DeadClosures::Kept {
            return self.editor.finish();
        }
        let replaced = std::mem::take(&mut self.replaced);
        for candidate in candidates.iter().filter(|candidate| replaced.contains(&candidate.closure.id)) {
            breaks_nesting |= self.remove(candidate) && candidate.closure.kind == ClosureKind::OnStack;
        }
        if breaks_nesting {
            let context = self.editor.environment.queries.context;
            self.editor.edit_whole(Change::Instructions, |body| stack_nesting::fix(context, body));
        }
        self.editor.finish()
    }

    /// Removes a closure that has no uses but reference counting. Returns whether it was removed.
    fn remove(&mut self, candidate: &Candidate<'_>) -> bool {
        let closure = &candidate.closure;
        let mut users = Vec::new();
        if !self.is_only_ended(closure.value, &mut users) {
            return false;
        }
        if closure.kind == ClosureKind::Object {
            let is_counted = |value: &Value| {
                let ty = self.editor.body().ty(*value);
                !ty.is_address() && !self.editor.is_trivial(ty)
            };
            let captured: Vec<Value> = closure.captured.iter().copied().filter(is_counted).collect();
            if !captured.is_empty() {
                let Some(frontier) = lifetime_frontier(self.editor.body(), closure.id, &users) else { return false };
                let frontier = self.in_front(frontier);
                for (value, place) in
                    captured.iter().flat_map(|value| frontier.iter().map(move |place| (*value, *place)))
                {
                    let counting = Counting::of(self.editor.environment, self.editor.body().ty(value));
                    if let Some(release) = counting.release() {
                        self.count(place, closure.id, release, value);
                    }
                }
            }
        }
        users.into_iter().rev().for_each(|user| self.editor.erase(user));
        self.editor.erase(closure.id);
        true
    }

    /// Returns whether a closure and its `mark_dependence` users are only counted, deallocated and used by debug
    /// instructions. Adds these users to `users`.
    fn is_only_ended(&self, value: Value, users: &mut Vec<InstructionId>) -> bool {
        self.editor.uses(value).into_iter().all(|found| {
            let user = found.user;
            match self.editor.opcode(user) {
                Opcode::StrongRelease
                | Opcode::ReleaseValue
                | Opcode::StrongRetain
                | Opcode::RetainValue
                | Opcode::DestroyValue
                | Opcode::DeallocStack
                | Opcode::DebugValue => {
                    users.push(user);
                    true
                }
                Opcode::ConvertEscapeToNoescape => {
                    users.push(user);
                    self.editor.body().result(user).is_some_and(|result| self.is_only_ended(result, users))
                }
                Opcode::MarkDependence if MarkDependence::of(self.editor.body(), user).value == value => {
                    users.push(user);
                    self.editor.body().result(user).is_some_and(|result| self.is_only_ended(result, users))
                }
                _ => false,
            }
        })
    }
}

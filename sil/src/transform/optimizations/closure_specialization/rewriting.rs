//! The callers: they pass what a closure captures, and make the closure no more where nothing else needs it.

use super::candidates::{Candidate, Site};
use super::{ClosureKind, is_noescape};
use crate::analysis::{Change, ControlFlowGraph};
use crate::context::{Name, ParameterConvention, SilType, TypeId};
use crate::instructions::Opcode;
use crate::model::views::MarkDependence;
use crate::model::{Apply, BlockId, Details, InstructionId, Place, Value};
use crate::transform::editing::critical_edges::split_edges;
use crate::transform::editing::editor::Editor;
use crate::transform::editing::stack_nesting;
use crate::transform::knowledge::counting::Counting;
use crate::transform::knowledge::lifetime_frontier::{frontier_or_edges, lifetime_frontier};
use crate::transform::pass::settings::DeadClosures;
use crate::transform::pass::{Environment, Rewrite};

/// A caller in the making.
pub(super) struct Rewriting<'m> {
    editor: Editor<'m>,
    /// Where the lifetime of the closure at hand is over.
    frontier: Vec<Place>,
    /// The closures that calls took.
    replaced: Vec<InstructionId>,
}

impl<'m> Rewriting<'m> {
    pub(super) fn new(environment: Environment<'m>) -> Self {
        Self { editor: Editor::new(environment), frontier: Vec::new(), replaced: Vec::new() }
    }

    /// Finds where the lifetime of a closure is over. Ways that lead nowhere else get blocks of their own for that.
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

    /// The same places, so that what is made there stands in the order in which it is made.
    fn in_front(&self, places: Vec<Place>) -> Vec<Place> {
        let body = self.editor.body();
        let next = |place: &Place| body.instructions_behind(*place).next().map_or(*place, Place::Before);
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

    /// Lets `site` call the function called `name`.
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

    /// Retains what is passed for what a closure captures. Where the call may happen more often than the closure is made, or not at all, what is
    /// captured has to live as long as the closure would.
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

    /// What became of the caller, without the closures that nothing needs any more.
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

    /// Removes a closure that is only counted. Whether it is one.
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

    /// Whether a closure, and what says that it depends on something, is only counted, freed and shown to debuggers. Adds what does so to `users`.
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

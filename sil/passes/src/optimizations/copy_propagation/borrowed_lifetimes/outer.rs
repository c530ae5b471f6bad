//! Rewrites the uses outside of a borrow scope. They use one copy that is created before the scope, and values
//! forwarded from it.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, LiveUse, PrunedLiveness, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Place, Value};

use super::super::rewriting::copy_for;
use super::walk::{Found, Step};
use super::{Plan, copy_or_move, inner, remove_unused_copies};
use crate::editing::deleter::{Deadness, is_dead};
use crate::editing::editor::Editor;

/// Rewrites all uses of the scope of `begin`. Returns the copies outside of the scope.
pub(super) fn rewrite(editor: &mut Editor<'_>, plan: &Plan, begin: InstructionId) -> Vec<InstructionId> {
    let Some(borrowed) = editor.operand(begin, 0) else { return Vec::new() };
    let copy = editor.build(Place::Before(begin), begin, |builder| builder.copy_value(borrowed));
    let copies = editor.body().defining(copy).into_iter().collect();
    let mut rewriting = Rewriting { editor, plan, outside: FxHashMap::default(), copies };
    rewriting.outside.insert(plan.borrow, copy);
    let taken = rewriting.rewrite(&plan.steps);
    rewriting.end(copy, taken);
    rewriting.copies
}

/// The uses that consume a value outside of the scope.
#[derive(Default)]
struct Taken {
    uses: Vec<Use>,
    /// The consuming users that do not consume the value itself but a copy.
    unclaimed: FxHashSet<InstructionId>,
}

impl Taken {
    fn add(&mut self, at: Use) {
        self.uses.push(at);
        self.unclaimed.insert(at.user);
    }
}

struct Rewriting<'r, 'm> {
    editor: &'r mut Editor<'m>,
    plan: &'r Plan,
    /// Maps values of the scope to their replacements outside of it.
    outside: FxHashMap<Value, Value>,
    copies: Vec<InstructionId>,
}

impl Rewriting<'_, '_> {
    /// Rewrites the uses of a value of the scope. Returns the uses that consume its replacement.
    fn rewrite(&mut self, steps: &[Step]) -> Taken {
        let mut taken = Taken::default();
        for step in steps {
            if !self.editor.is_placed(step.found().at.user) {
                continue;
            }
            match step {
                Step::Use(found) if self.is_outer(*found) => self.rewrite_outer(*found, &mut taken),
                Step::Use(found) => inner::rewrite_use(self.editor, *found),
                Step::Forward(found, _) if self.plan.outer.contains(&found.at.user) => {
                    self.rewrite_outer(*found, &mut taken);
                }
                Step::Forward(found, results) => self.rewrite_forward(*found, results, &mut taken),
            }
        }
        taken
    }

    /// Returns whether a use, or the end of a scope that it begins, is outside of the scope.
    fn is_outer(&self, found: Found) -> bool {
        let ends = self.plan.ends.get(&found.at).map_or(&[][..], Vec::as_slice);
        std::iter::once(&found.at.user).chain(ends).any(|id| self.plan.outer.contains(id))
    }

    fn rewrite_outer(&mut self, found: Found, taken: &mut Taken) {
        let value = found.at.value(self.editor.body());
        let Some(outside) = self.outside(value) else { return };
        self.editor.set_operand(found.at, outside);
        remove_unused_copies(self.editor, value);
        if found.does.ends_lifetime() {
            taken.add(found.at);
        }
    }

    /// Rewrites the uses of forwarded values. The forwarding instruction is duplicated outside of the scope if an outer
    /// use needs it.
    fn rewrite_forward(&mut self, found: Found, results: &[(Value, Vec<Step>)], taken: &mut Taken) {
        let passed: Vec<Taken> = results.iter().map(|(_, steps)| self.rewrite(steps)).collect();
        let mut hoisted = None;
        for ((result, _), passed) in results.iter().zip(passed) {
            if let Some(outside) = self.outside.get(result).copied() {
                self.end(outside, passed);
                hoisted = self.editor.body().defining(outside);
            }
        }
        if let Some(hoisted) = hoisted {
            taken.add(Use { user: hoisted, operand: 0 });
        }
        let value = found.at.value(self.editor.body());
        if is_dead(self.editor, found.at.user, Deadness::Scopes) {
            self.editor.erase_with_users(found.at.user);
            remove_unused_copies(self.editor, value);
        } else {
            inner::rewrite_forward(self.editor, found);
        }
    }

    /// The replacement of a value outside of the scope. Creates it if necessary.
    fn outside(&mut self, value: Value) -> Option<Value> {
        let mut value = value;
        while let Some(copy) = copy_or_move(self.editor, value) {
            value = self.editor.operand(copy, 0)?;
        }
        if let Some(outside) = self.outside.get(&value) {
            return Some(*outside);
        }
        let forward = self.editor.body().defining(value)?;
        let passed = self.editor.operand(forward, 0)?;
        let passed = self.outside(passed)?;
        let hoisted = self.editor.build(Place::Before(forward), forward, |builder| builder.again(forward, &[passed]));
        self.editor.forward_owned(hoisted);
        let body = self.editor.body();
        self.outside.extend(body.results(forward).zip(body.results(hoisted)));
        self.outside.get(&value).copied()
    }

    /// Ends the lifetime of a value outside of the scope. On each path one use consumes it, or it is destroyed. Other
    /// consuming uses get copies.
    fn end(&mut self, outside: Value, mut taken: Taken) {
        let Some(definition) = self.editor.body().defining(outside) else { return };
        let places = self.places_of_ends(outside, &mut taken);
        for place in places {
            self.editor.build(place, definition, |builder| {
                builder.destroy_value(outside);
            });
        }
        for at in taken.uses {
            if !taken.unclaimed.insert(at.user) {
                let copy = copy_for(self.editor, at);
                self.copies.extend(self.editor.body().defining(copy));
            }
        }
    }

    fn places_of_ends(&self, outside: Value, taken: &mut Taken) -> Vec<Place> {
        let body = self.editor.body();
        let cfg = ControlFlowGraph::new(body);
        let mut liveness = PrunedLiveness::of(body, &cfg, outside);
        for found in self.editor.uses(outside) {
            liveness.add(found.user, LiveUse::NonEnding);
            let ends = self.plan.ends.get(&found).map_or(&[][..], Vec::as_slice);
            ends.iter().for_each(|end| liveness.add(*end, LiveUse::NonEnding));
        }
        let mut boundary = liveness.boundary();
        boundary.last_users.retain(|user| !taken.unclaimed.remove(user));
        let is_unreachable =
            |block| body.terminator(block).is_some_and(|end| self.editor.opcode(end) == Opcode::Unreachable);
        boundary.boundary_edges.retain(|block| !is_unreachable(*block));
        boundary.insertion_points(body)
    }
}

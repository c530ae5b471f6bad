//! Canonicalisation of OSSA lifetimes, step three: inserts destroys at the boundary and copies for consuming uses
//! before the last one, and removes all other copies and destroys.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{
    ControlFlowGraph, DeadEndBlocks, LifetimeFacts, LiveBoundary, LiveDefinition, LiveUse, PrunedLiveness, Use,
    ValueDependence,
};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode, Position};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Place, Value};
use sil_ir::types::Copyability;

use super::lifetime::{CanonicalLifetime, Canonicalization, LifetimeExtent, Part};
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// Canonicalises the lifetime of an owned value. With `explicit_ends`, the lifetime extends to them. Returns false if
/// the lifetime cannot be canonicalised.
pub(crate) fn canonicalize(
    editor: &mut Editor<'_>,
    canonicalization: Canonicalization,
    definition: Value,
    explicit_ends: &[InstructionId],
) -> bool {
    let Environment { queries, function, .. } = editor.environment;
    if queries.properties(editor.body().ty(definition).ty, function.signature).copyability == Copyability::Noncopyable {
        return false;
    }
    let plan = {
        let view = editor.view();
        let dependence = ValueDependence::new(&view);
        let facts = LifetimeFacts { view: &view, dependence: &dependence };
        let lifetime = CanonicalLifetime::of(facts, view.dead_ends(), canonicalization, definition, explicit_ends);
        lifetime.map(|lifetime| Plan::new(lifetime, canonicalization.extent))
    };
    plan.is_some_and(|plan| {
        plan.carry_out(editor);
        true
    })
}

/// A destroy to insert.
struct NewDestroy {
    before: InstructionId,
    attributes: AttributeSet,
}

/// The planned changes.
struct Plan {
    definition: Value,
    parts: Vec<Part>,
    /// The uses of each value, with whether they end a lifetime.
    uses: FxHashMap<Value, Vec<(Use, bool)>>,
    destroys: FxHashSet<InstructionId>,
    /// The final consuming instruction of each block.
    final_consumes: FxHashMap<BlockId, InstructionId>,
    new_destroys: Vec<NewDestroy>,
    users: Vec<(InstructionId, LiveUse)>,
    debug_values: Vec<InstructionId>,
}

impl Plan {
    fn new(mut lifetime: CanonicalLifetime<'_, '_>, extent: LifetimeExtent) -> Self {
        let mut original = lifetime.liveness.boundary_before(&lifetime.consuming_blocks);
        if extent == LifetimeExtent::Maximal {
            lifetime.maximize(&original);
            original = lifetime.liveness.boundary_before(&lifetime.consuming_blocks);
        }
        let boundary = lifetime.extended_boundary(&original);
        let mut plan = Self {
            definition: lifetime.definition,
            parts: lifetime.parts.clone(),
            uses: lifetime.ending_uses(),
            destroys: lifetime.destroys.iter().copied().collect(),
            final_consumes: FxHashMap::default(),
            new_destroys: Vec::new(),
            users: lifetime.liveness.users().collect(),
            debug_values: lifetime.debug_values.clone(),
        };
        plan.end_on(&lifetime, &boundary);
        plan
    }

    /// Ends the lifetime at its boundary.
    fn end_on(&mut self, lifetime: &CanonicalLifetime<'_, '_>, boundary: &LiveBoundary) {
        let body = lifetime.facts.view.body;
        let mut merge_points = Vec::new();
        for user in &boundary.last_users {
            if self.destroys.contains(user) || lifetime.liveness.user(*user) == Some(LiveUse::Ending) {
                self.final_consumes.insert(body.instructions[*user].block, *user);
            } else if lifetime.opcode(*user).information().position == Position::Terminator {
                for target in body.targets(*user) {
                    if !merge_points.contains(target) {
                        merge_points.push(*target);
                        self.destroy_before(lifetime, first_after_borrowed(body, *target));
                    }
                }
            } else {
                self.destroy_before(lifetime, body.next(*user));
            }
        }
        for block in &boundary.boundary_edges {
            self.destroy_before(lifetime, first_after_borrowed(body, *block));
        }
        for definition in &boundary.dead_definitions {
            let next = match definition {
                LiveDefinition::Instruction(id) => body.next(*id),
                LiveDefinition::Argument(value) => match body.values[*value].definition {
                    Definition::Argument { block, .. } => first_after_borrowed(body, block),
                    Definition::Result { .. } | Definition::Undef => None,
                },
            };
            self.destroy_before(lifetime, next);
        }
    }

    fn destroy_before(&mut self, lifetime: &CanonicalLifetime<'_, '_>, next: Option<InstructionId>) {
        let Some(before) = next.filter(|id| !lifetime.unreachable_ends.contains(id)) else { return };
        let mut attributes = AttributeSet::default();
        if is_dead_end_destroy(lifetime, before) {
            attributes.insert(Attribute::DeadEnd);
        }
        self.new_destroys.push(NewDestroy { before, attributes });
    }

    fn carry_out(mut self, editor: &mut Editor<'_>) {
        let mut ends: Vec<InstructionId> =
            self.final_consumes.values().copied().filter(|id| self.destroys.contains(id)).collect();
        for NewDestroy { before, attributes } in std::mem::take(&mut self.new_destroys) {
            let definition = self.definition;
            ends.push(
                editor
                    .build(Place::Before(before), before, |builder| builder.with(attributes).destroy_value(definition)),
            );
        }
        let mut removed = Vec::new();
        for part in std::mem::take(&mut self.parts) {
            match part {
                Part::Root(value) => self.rewrite_root(editor, value, &mut removed),
                Part::Copy(copy) => self.rewrite_copy(editor, copy, &mut removed),
                Part::Borrowed(_) => {}
            }
        }
        self.prune_debug_values(editor, &ends);
        removed.into_iter().rev().filter(|id| editor.is_placed(*id)).collect::<Vec<_>>().into_iter().for_each(|id| {
            editor.erase_with_debug_uses(id);
        });
    }

    /// Returns whether a use can use the value itself.
    fn fits(&mut self, editor: &Editor<'_>, found: Use, ends_lifetime: bool, removed: &mut Vec<InstructionId>) -> bool {
        if self.destroys.contains(&found.user) {
            if !self.claim(editor, found.user) {
                removed.push(found.user);
            }
            return true;
        }
        !ends_lifetime || self.claim(editor, found.user)
    }

    /// Claims the final consume of a block. It can consume the value with one operand only.
    fn claim(&mut self, editor: &Editor<'_>, id: InstructionId) -> bool {
        let block = editor.body().instructions[id].block;
        let is_final = self.final_consumes.get(&block) == Some(&id);
        if is_final {
            self.final_consumes.remove(&block);
        }
        is_final
    }

    fn rewrite_root(&mut self, editor: &mut Editor<'_>, value: Value, removed: &mut Vec<InstructionId>) {
        for (found, ends_lifetime) in self.uses.remove(&value).unwrap_or_default() {
            if !self.fits(editor, found, ends_lifetime, removed) {
                copy_for(editor, found);
            }
        }
    }

    /// Rewrites the uses of a copy. The copy is reused for the first use in its block that needs one.
    fn rewrite_copy(&mut self, editor: &mut Editor<'_>, copy: InstructionId, removed: &mut Vec<InstructionId>) {
        let (Some(value), Some(original)) = (editor.body().result(copy), editor.operand(copy, 0)) else { return };
        let block = editor.body().instructions[copy].block;
        let mut reused = None;
        for (found, ends_lifetime) in self.uses.remove(&value).unwrap_or_default() {
            if self.fits(editor, found, ends_lifetime, removed) {
                continue;
            }
            if reused.is_none() && editor.body().instructions[found.user].block == block {
                reused = Some(found);
            } else {
                copy_for(editor, found);
            }
        }
        if reused.is_some() && editor.uses(value).len() == 1 {
            return;
        }
        editor.replace_all(value, original);
        match reused {
            Some(found) => editor.set_operand(found, value),
            None => removed.push(copy),
        }
    }

    fn prune_debug_values(&self, editor: &mut Editor<'_>, ends: &[InstructionId]) {
        if self.debug_values.is_empty() {
            return;
        }
        let outside: Vec<InstructionId> = {
            let body = editor.body();
            let cfg = ControlFlowGraph::new(body);
            let dead_ends = DeadEndBlocks::new(body, &cfg);
            let mut liveness = PrunedLiveness::of(body, &cfg, self.definition);
            self.users.iter().for_each(|(user, kind)| liveness.add(*user, *kind));
            ends.iter().for_each(|end| liveness.add(*end, LiveUse::Ending));
            let is_outside = |id: &&InstructionId| !liveness.is_within_extended(**id, &dead_ends);
            self.debug_values.iter().filter(is_outside).copied().collect()
        };
        outside
            .into_iter()
            .filter(|id| editor.is_placed(*id))
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|id| editor.erase(id));
    }
}

/// The first instruction of a block after its `borrowed` instructions.
fn first_after_borrowed(body: &Body, block: BlockId) -> Option<InstructionId> {
    body.instructions_in(block).find(|id| body.instructions[*id].opcode != Opcode::Borrowed)
}

/// Copies the value for a consuming use. Returns the copy.
pub(super) fn copy_for(editor: &mut Editor<'_>, found: Use) -> Value {
    let value = found.value(editor.body());
    let copy = editor.build(Place::Before(found.user), found.user, |builder| builder.copy_value(value));
    editor.set_operand(found, copy);
    copy
}

/// Returns whether a destroy before `id` has the dead-end flag: it is in a dead end, and no real destroy follows it.
fn is_dead_end_destroy(lifetime: &CanonicalLifetime<'_, '_>, id: InstructionId) -> bool {
    let body = lifetime.facts.view.body;
    let block = body.instructions[id].block;
    if !lifetime.dead_ends.contains(block) {
        return false;
    }
    let is_meant = |destroy: &InstructionId| !body.instructions[*destroy].attributes.contains(Attribute::DeadEnd);
    if body.instructions_from(id).any(|after| lifetime.destroys.contains(&after) && is_meant(&after)) {
        return false;
    }
    let meant: Vec<BlockId> =
        lifetime.destroys.iter().filter(|id| is_meant(id)).map(|id| body.instructions[*id].block).collect();
    let mut seen = FxHashSet::default();
    let mut open = lifetime.successors(block).to_vec();
    while let Some(block) = open.pop() {
        if seen.insert(block) {
            if meant.contains(&block) {
                return false;
            }
            open.extend(lifetime.successors(block));
        }
    }
    true
}

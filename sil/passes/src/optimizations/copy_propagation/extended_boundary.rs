//! Canonicalisation of OSSA lifetimes, step two: extends the liveness boundary to existing destroys with only ignored
//! instructions in between. Otherwise overlapping lifetimes would be moved across each other without end.

use sil_analysis::{LiveBoundary, LiveDefinition, LiveUse};
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{BlockId, Definition, InstructionId};

use super::lifetime::CanonicalLifetime;

/// Returns whether destroys are not hoisted across an instruction of this kind for its own sake.
pub(super) fn is_ignored(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, DebugValue | DestroyValue | CopyValue | BeginBorrow | EndBorrow | FunctionRef | Enum | Struct)
}

impl CanonicalLifetime<'_, '_> {
    /// The boundary after the last uses, extended to existing destroys.
    pub(super) fn extended_boundary(&self, original: &LiveBoundary) -> LiveBoundary {
        let mut boundary = LiveBoundary::default();
        for definition in &original.dead_definitions {
            let destroy = match definition {
                LiveDefinition::Instruction(id) => self.destroy_after(*id),
                LiveDefinition::Argument(value) => match self.facts.view.body.values[*value].definition {
                    Definition::Argument { block, .. } => self.destroy_at_start(block),
                    Definition::Result { .. } | Definition::Undef => None,
                },
            };
            match destroy {
                Some(destroy) => boundary.last_users.push(destroy),
                None => boundary.dead_definitions.push(*definition),
            }
        }
        for block in &original.boundary_edges {
            match self.destroy_at_start(*block) {
                Some(destroy) => boundary.last_users.push(destroy),
                None => boundary.boundary_edges.push(*block),
            }
        }
        let mut merge_points = Vec::new();
        for user in &original.last_users {
            self.extend_from_user(*user, &mut merge_points, &mut boundary);
        }
        boundary
    }

    /// The last destroy after an instruction with only ignored instructions in between.
    fn destroy_after(&self, id: InstructionId) -> Option<InstructionId> {
        let body = self.facts.view.body;
        let after = std::iter::successors(body.next(id), |id| body.next(*id));
        let ignored = after.take_while(|id| is_ignored(self.opcode(*id)));
        ignored.filter(|id| self.destroys.contains(id)).last()
    }

    fn destroy_from(&self, id: InstructionId) -> Option<InstructionId> {
        if self.destroys.contains(&id) { Some(id) } else { self.destroy_after(id) }
    }

    fn destroy_at_start(&self, block: BlockId) -> Option<InstructionId> {
        self.destroy_from(self.facts.view.body.first_instruction(block)?)
    }

    fn extend_from_user(&self, user: InstructionId, merge_points: &mut Vec<BlockId>, boundary: &mut LiveBoundary) {
        if self.destroys.contains(&user) || self.liveness.user(user) == Some(LiveUse::Ending) {
            boundary.last_users.push(user);
        } else if self.opcode(user).information().position == Position::Terminator {
            self.extend_from_terminator(user, merge_points, boundary);
        } else {
            boundary.last_users.push(self.destroy_after(user).unwrap_or(user));
        }
    }

    /// If one successor starts with a destroy, the lifetime ends there and at the starts of the other successors.
    fn extend_from_terminator(
        &self,
        user: InstructionId,
        merge_points: &mut Vec<BlockId>,
        boundary: &mut LiveBoundary,
    ) {
        let mut is_found = false;
        let mut without = Vec::new();
        for successor in self.facts.view.body.targets(user) {
            let destroy = self.destroy_at_start(*successor);
            if merge_points.contains(successor) {
                is_found = destroy.is_some();
                continue;
            }
            merge_points.push(*successor);
            match destroy {
                Some(destroy) => {
                    boundary.last_users.push(destroy);
                    is_found = true;
                }
                None => without.push(*successor),
            }
        }
        if is_found {
            boundary.boundary_edges.extend(without);
        } else {
            boundary.last_users.push(user);
        }
    }
}

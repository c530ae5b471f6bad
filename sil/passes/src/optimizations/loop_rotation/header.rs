//! Decides whether a loop header can be cloned, and which of its instructions are invariant and can be hoisted instead.

use rustc_hash::FxHashSet;
use sil_analysis::{BodyView, InstructionEffects, LoopId};
use sil_ir::context::Foreign;
use sil_ir::instructions::{MemoryBehavior, Opcode, Position};
use sil_ir::model::{BlockId, Definition, Details, InstructionId, Ownership, Value};

use super::Rotation;
use crate::editing::address_projections::Projections;
use crate::editing::instruction_copies::is_duplicable;
use crate::knowledge::loop_graph::LoopGraph;
use crate::optimizations::call_inlining::inline_cost;

/// Headers of at least this cost are not cloned.
pub(super) const SIZE_LIMIT: i32 = 20;

/// The header of a loop to rotate.
pub(super) struct Header<'a, 'm> {
    rotation: &'a Rotation<'m>,
    graph: &'a LoopGraph,
    id: LoopId,
    view: BodyView<'a>,
}

impl<'a> Header<'a, 'a> {
    pub(super) fn new(rotation: &'a Rotation<'_>, graph: &'a LoopGraph, id: LoopId) -> Self {
        let environment = rotation.environment;
        let view = BodyView::new(environment.module, environment.queries, environment.function, &rotation.body);
        Self { rotation, graph, id, view }
    }

    /// The instructions that can be hoisted to the preheader. `None` if the others cannot be cloned.
    pub(super) fn moved(&self) -> Option<Vec<InstructionId>> {
        let block: BlockId = self.graph.nest.loops[self.id].header;
        let mut moved = Vec::new();
        let mut invariant = FxHashSet::default();
        let mut cost = 0;
        for id in self.view.body.instructions_in(block) {
            if !self.can_be_copied(id) {
                return None;
            }
            if self.is_invariant(id, &invariant) {
                moved.push(id);
                invariant.insert(id);
                continue;
            }
            Projections::of_results(&self.view, id)?;
            cost += inline_cost(self.rotation.environment.queries, self.view.body, id);
        }
        self.rotation.is_affordable(cost).then_some(moved)
    }

    fn can_be_copied(&self, id: InstructionId) -> bool {
        let view = &self.view;
        let is_foreign = match &view.body.instructions[id].details {
            Details::Method(method) => view.queries.context.get_member(method.member).foreign == Foreign::Yes,
            _ => false,
        };
        let ends = |value: Value, end: Opcode| {
            view.uses
                .of(value)
                .iter()
                .any(|found| matches!(view.opcode(found.user), opcode if opcode == end || opcode == Opcode::Br))
        };
        let is_endless = matches!(view.opcode(id), Opcode::BeginBorrow | Opcode::LoadBorrow)
            && view.body.result(id).is_some_and(|value| !ends(value, Opcode::EndBorrow));
        is_duplicable(view.body, id) && !is_foreign && !is_endless
    }

    fn is_invariant(&self, id: InstructionId, invariant: &FxHashSet<InstructionId>) -> bool {
        use Opcode::*;
        let view = &self.view;
        let is_defined_outside = |value: &Value| match view.body.values[*value].definition {
            Definition::Result { instruction, .. } => {
                !self.graph.nest.contains(self.id, view.body.instructions[instruction].block)
                    || invariant.contains(&instruction)
            }
            Definition::Argument { block, .. } => !self.graph.nest.contains(self.id, block),
            Definition::Undef => false,
        };
        let has_same_operands = || view.body.operands(id).iter().all(is_defined_outside);
        match view.opcode(id) {
            FunctionRef | DynamicFunctionRef | PrevDynamicFunctionRef | IntegerLiteral => true,
            ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod | WitnessMethod => has_same_operands(),
            AllocRef | AllocRefDynamic | AllocBox | AllocExistentialBox => false,
            opcode if opcode.information().position == Position::Terminator => false,
            _ => self.does_nothing(id) && !self.has_ownership(id) && has_same_operands(),
        }
    }

    fn does_nothing(&self, id: InstructionId) -> bool {
        let effects = InstructionEffects::new(self.view.module, self.view.queries);
        let reads = effects.memory_behavior(self.view.body, id) != MemoryBehavior::None;
        !reads && !effects.may_have_side_effects(self.view.body, id)
    }

    fn has_ownership(&self, id: InstructionId) -> bool {
        let results = self.view.body.results(id);
        let mut values = results.chain(self.view.body.operands(id).iter().copied());
        values.any(|value| self.view.ownership(value) != Ownership::None)
    }
}

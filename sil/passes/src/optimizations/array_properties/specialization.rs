//! Clones a loop for arrays with native storage, and inserts the checks before both versions.

use sil_analysis::{Analyses, ControlFlowGraph, Dominators};
use sil_ir::context::{BuiltinType, SilType, Type};

use super::question;

use sil_ir::model::{BlockId, Body, Builtin, InstructionId, Place, Value};

use crate::InstructionBuilder;
use crate::editing::array_call_motion::{ArrayCallMotion, answer_native_type_check};
use crate::editing::editor::Editor;
use crate::editing::loop_copies::{self, LoopCopy};
use crate::knowledge::aggregate_parts::parts;
use crate::knowledge::array_calls::ArrayCall;
use crate::knowledge::loop_graph::LoopGraph;
use crate::pass::Environment;

/// The body being rewritten. Blocks keep their ids; `order` is their layout.
pub(super) struct Specialization<'m> {
    pub(super) environment: Environment<'m>,
    pub(super) body: Body,
    pub(super) order: Vec<BlockId>,
}

/// The blocks inserted before a loop.
#[derive(Clone, Copy)]
struct Front {
    /// The block with the checks.
    check: BlockId,
    /// The preheader of the original loop.
    preheader: BlockId,
}

impl Specialization<'_> {
    /// Clones the loop with the given header. Returns `None` if a value of the loop cannot be passed to its uses
    /// outside.
    pub(super) fn specialize(&mut self, header: BlockId) -> Option<()> {
        let graph = LoopGraph::new(&self.body);
        let id = graph.loop_of(header)?;
        let before = graph.nest.preheader(&self.body, &graph.cfg, id)?;
        let mut blocks = graph.nest.loops[id].blocks.clone();
        blocks.sort_by_key(|block| graph.cfg.number(*block));
        let front = self.make_front(before)?;
        blocks.insert(0, front.preheader);
        loop_copies::sink_projections(self.environment, &mut self.body, &blocks);
        let copied = LoopCopy::of(&mut self.body, &blocks);
        let edges = loop_copies::split_exits(&mut self.body, &blocks, &copied);
        let leaving = loop_copies::values_used_outside(self.environment, &self.body, &blocks);
        let questions = self.questions(&blocks, &copied);
        let is_fast = self.ask_in_front(front, &questions)?;
        self.decide(front, &copied, is_fast)?;
        let first = copied.block(front.preheader);
        copied.place(&self.body, &mut self.order, (first, None), edges)?;
        let copies = [LoopCopy::default(), copied];
        loop_copies::bring_values(&mut self.body, &leaving, &blocks, &copies)?;
        self.answer(first, &questions);
        Some(())
    }

    /// Inserts two blocks between `before` and the header of the loop.
    fn make_front(&mut self, before: BlockId) -> Option<Front> {
        let jump = self.body.terminator(before)?;
        let preheader = self.body.split_block(jump);
        let check = self.body.add_block();
        for (from, to) in [(before, check), (check, preheader)] {
            InstructionBuilder::new(&mut self.body, Place::End(from), jump).branch(to, &[]);
        }
        let place = self.order.iter().position(|block| *block == before)? + 1;
        self.order.splice(place..place, [check, preheader]);
        Some(Front { check, preheader })
    }

    /// The property checks in the clone.
    fn questions(&self, blocks: &[BlockId], copied: &LoopCopy) -> Vec<ArrayCall> {
        let analyses = Analyses::default();
        let environment = self.environment.with_body(&self.body, &analyses);
        let copies = blocks.iter().map(|block| copied.block(*block));
        let instructions = copies.flat_map(|block| self.body.instructions_in(block));
        instructions.filter_map(|id| question(environment, &self.body, id)).collect()
    }

    /// Copies the checks of the clone, which is still unreachable, to the check block. Returns whether all of them
    /// hold, as a value.
    fn ask_in_front(&mut self, front: Front, questions: &[ArrayCall]) -> Option<Value> {
        let analyses = Analyses::default();
        let environment = self.environment.with_body(&self.body, &analyses);
        let dominators = Dominators::new(&self.body, &ControlFlowGraph::new(&self.body));
        let mut editor = Editor::new(environment);
        let mut motion = ArrayCallMotion { editor: &mut editor, dominators: &dominators, to: front.check };
        let requested: Vec<InstructionId> =
            questions.iter().map(|call| motion.copy(*call, None)).collect::<Option<_>>()?;
        let is_fast = all_hold(&mut editor, front.check, &requested)?;
        self.body = editor.into_body();
        Some(is_fast)
    }

    /// Branches from the check block to the clone if all checks hold.
    fn decide(&mut self, front: Front, copied: &LoopCopy, is_fast: Value) -> Option<()> {
        let jump = self.body.terminator(front.check)?;
        let edges: [(BlockId, &[Value]); 2] = [(copied.block(front.preheader), &[]), (front.preheader, &[])];
        InstructionBuilder::new(&mut self.body, Place::Before(jump), jump).cond_br(is_fast, edges, [None; 2]);
        self.body.erase(jump);
        Some(())
    }

    /// Replaces the checks of the clone, whose first block is `first`, with true.
    fn answer(&mut self, first: BlockId, questions: &[ArrayCall]) {
        let analyses = Analyses::default();
        let environment = self.environment.with_body(&self.body, &analyses);
        let mut editor = Editor::new(environment);
        for call in questions {
            if let Some(end) = editor.body().terminator(first) {
                answer_native_type_check(&mut editor, *call, Place::Before(end));
            }
        }
        self.body = editor.into_body();
    }
}

fn bit(environment: Environment<'_>) -> SilType {
    SilType::object(environment.queries.context.ty(Type::Builtin(BuiltinType::Integer(1))))
}

/// Inserts the conjunction of the results of the calls at the end of `block`.
fn all_hold(editor: &mut Editor<'_>, block: BlockId, calls: &[InstructionId]) -> Option<Value> {
    let environment = editor.environment;
    let (end, bit) = (editor.body().terminator(block)?, bit(environment));
    let and = Builtin::plain(environment.queries.context, "and_Int1");
    let like = *calls.first()?;
    let mut holds = editor.build(Place::Before(end), like, |builder| builder.integer_literal(-1, bit));
    for call in calls {
        let answer = editor.body().result(*call)?;
        let part = *parts(environment.queries, editor.body().ty(answer).ty)?.first()?;
        let and = and.clone();
        holds = editor.build(Place::Before(end), *call, |builder| {
            let holds_here = part.extract(builder, answer);
            builder.builtin(and, &[holds, holds_here], bit)
        });
    }
    Some(holds)
}

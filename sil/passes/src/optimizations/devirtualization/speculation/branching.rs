//! Branches on the class of an object: an exact cast splits the path to a call.

use sil_analysis::Change;
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{BlockId, Body, Cast, InstructionId, NewInstruction, Ownership, Place, Replacements, Value};

use super::super::{Devirtualizer, MethodTables};
use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::editor::Editor;
use crate::knowledge::never_returning::NeverReturning;

/// An inserted class check.
pub(super) struct Question {
    /// The checked object.
    pub(super) requested: Value,
    /// The cast.
    cast: InstructionId,
    /// The call on the success edge, on the result of the cast.
    pub(super) direct: InstructionId,
    /// The call on the failure edge.
    pub(super) otherwise: InstructionId,
}

/// A body in which checks are inserted.
pub(super) struct Speculation<'e, 'm> {
    editor: &'e mut Editor<'m>,
    tables: &'e MethodTables,
    /// The block order.
    order: Vec<BlockId>,
}

impl<'e, 'm> Speculation<'e, 'm> {
    pub(super) fn new(editor: &'e mut Editor<'m>, tables: &'e MethodTables) -> Self {
        let order = editor.body().blocks.keys().collect();
        Self { editor, tables, order }
    }

    pub(super) fn editor(&self) -> &Editor<'m> {
        self.editor
    }

    pub(super) fn tables(&self) -> &'e MethodTables {
        self.tables
    }

    pub(super) fn devirtualizer(&mut self) -> Devirtualizer<'_, 'm> {
        Devirtualizer { editor: self.editor, tables: &self.tables.classes, reach: self.tables.reach }
    }

    /// Applies the block order if blocks were added.
    pub(super) fn finish(self) {
        if !self.order.iter().copied().eq(self.editor.body().blocks.keys()) {
            self.editor.reorder_blocks(&self.order);
        }
    }

    /// Inserts a check of whether the receiver of `call` is exactly of type `ty`. Returns `None` for coroutine calls.
    pub(super) fn ask(&mut self, call: InstructionId, ty: SilType) -> Option<Question> {
        let body = self.editor.body();
        let opcode = body.instructions[call].opcode;
        if !matches!(opcode, Opcode::Apply | Opcode::TryApply) {
            return None;
        }
        let lookup = body.defining(*body.operands(call).first()?)?;
        let requested = views::ClassMethod::of(body, lookup).operand;
        let never = NeverReturning::new(self.editor.environment);
        let never_returns = body.result(call).is_some_and(|result| never.is_uninhabited(body.ty(result).ty));
        let before = body.instructions[call].block;
        let place = self.order.iter().position(|block| *block == before)? + 1;
        let mut question = None;
        self.editor.edit_whole(Change::Blocks, |body| {
            let after = body.split_block(call);
            let made = divide(body, call, before, requested, ty);
            if opcode == Opcode::Apply {
                join(body, call, after, &made, never_returns);
                self.order.insert(place, after);
            }
            body.erase(call);
            question = Some(made);
        });
        let body = self.editor.body();
        let is_new = |block: &BlockId| !self.order.contains(block) && body.terminator(*block).is_some();
        let new: Vec<BlockId> = body.blocks.keys().filter(is_new).collect();
        self.order.extend(new);
        question
    }

    /// Replaces a check with an unchecked cast, so that it always succeeds.
    pub(super) fn take_for_granted(&mut self, question: &Question) {
        let views::CheckedCastBr { operand, success, .. } = views::CheckedCastBr::of(self.editor.body(), question.cast);
        let body = self.editor.body();
        let Some(ty) = body.blocks[success].arguments.first().map(|argument| body.ty(*argument)) else { return };
        let opcode = match self.editor.is_trivial(ty) {
            true => Opcode::UncheckedTrivialBitCast,
            false => Opcode::UncheckedRefCast,
        };
        self.editor.build(Place::Before(question.cast), question.cast, |builder| {
            let cast = builder.cast(opcode, operand, ty);
            builder.branch(success, &[cast]);
        });
        self.editor.erase(question.cast);
    }
}

/// Inserts a check of `requested` at the end of `before`, and a copy of `call` on each edge. If the call is not a
/// terminator, the new blocks have no terminators yet.
fn divide(body: &mut Body, call: InstructionId, before: BlockId, requested: Value, ty: SilType) -> Question {
    let (success, failure) = (body.add_block(), body.add_block());
    let object = body.add_argument(success, ty, Ownership::None);
    let source = body.ty(requested).ty;
    let cast = Cast { source: Some(source), target: ty.ty, consumption: None, counts: [None; 2] };
    let mut builder = InstructionBuilder::new(body, Place::End(before), call);
    let cast = builder.with([Attribute::Exact]).checked_cast_br(requested, Box::new(cast), ty, [success, failure]);
    let operands = body.operands(call).to_vec();
    let mut with_object = operands.clone();
    if let Some(last) = with_object.last_mut() {
        *last = object;
    }
    let direct = copy_call(body, call, success, &with_object);
    let otherwise = copy_call(body, call, failure, &operands);
    Question { requested, cast, direct, otherwise }
}

/// Copies the call to the end of `block` with new operands. Its targets get another predecessor.
fn copy_call(body: &mut Body, call: InstructionId, block: BlockId, operands: &[Value]) -> InstructionId {
    let Origin { span, location, traits } = Origin::of(body, call);
    let types = body.types(call).to_vec();
    let results: Vec<SilType> = body.results(call).map(|result| body.ty(result)).collect();
    let targets: Vec<BlockId> =
        body.targets(call).to_vec().into_iter().map(|target| edge_to(body, call, target)).collect();
    let instruction = &body.instructions[call];
    let new = NewInstruction {
        opcode: instruction.opcode,
        attributes: instruction.attributes,
        details: instruction.details.clone(),
        operands,
        types: &types,
        targets: &targets,
        results: &results,
        span,
        location,
        traits,
    };
    body.insert(Place::End(block), new)
}

/// Creates a block that branches to `target` with its own arguments, since the target of a call must have no other
/// predecessors.
fn edge_to(body: &mut Body, call: InstructionId, target: BlockId) -> BlockId {
    let edge = body.add_block();
    let mut passed = Vec::new();
    for argument in body.blocks[target].arguments.clone() {
        let (ty, ownership) = (body.ty(argument), body.values[argument].ownership);
        passed.push(body.add_argument(edge, ty, ownership));
    }
    InstructionBuilder::new(body, Place::End(edge), call).branch(target, &passed);
    edge
}

/// Branches from both copies of the call to `after` with their results, which replace the result of `call`.
fn join(body: &mut Body, call: InstructionId, after: BlockId, question: &Question, never_returns: bool) {
    let released = body.next(call).filter(|next| {
        body.instructions[*next].opcode == Opcode::StrongRelease && Unary::of(body, *next).operand == question.requested
    });
    let Some(result) = body.result(call) else { return };
    let argument = body.add_argument(after, body.ty(result), Ownership::None);
    for copy in [question.direct, question.otherwise] {
        let receiver = body.operands(copy).last().copied();
        let passed = body.result(copy);
        let place = Place::End(body.instructions[copy].block);
        if let (Some(release), Some(receiver)) = (released, receiver) {
            let attributes = body.instructions[release].attributes;
            InstructionBuilder::new(body, place, release).with(attributes).strong_release(receiver);
        }
        let mut builder = InstructionBuilder::new(body, place, call);
        match passed.filter(|_| !never_returns) {
            Some(passed) => builder.branch(after, &[passed]),
            None => builder.unreachable(),
        };
    }
    if let Some(release) = released {
        body.erase(release);
    }
    let mut replacements = Replacements::default();
    replacements.replace(result, argument);
    body.replace_values(&replacements);
}

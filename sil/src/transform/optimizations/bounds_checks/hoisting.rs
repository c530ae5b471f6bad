//! Checks in loops are made in front of them: of a number that is always the same once, of one that the loop counts for the first and the last of these.
//! A loop over all numbers of the elements of an array needs none.

use super::BoundsChecks;
use super::array_places::ArrayPlace;
use super::array_sizes::SizeChanges;
use super::inductions::Induction;
use super::repeated::FixedCheck;
use crate::analysis::LoopId;
use crate::context::{SilType, TupleElement, Type};
use crate::instructions::Opcode;
use crate::model::{BlockId, InstructionId, Place, Value};
use crate::transform::editing::array_call_motion::{ArrayCallMotion, place_callee, remove_call};
use crate::transform::knowledge::array_calls::ArrayCall;

/// What a check asks for: the number that is counted, or the one behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offset {
    Counted,
    Next,
}

/// A number that a loop counts, as a check asks for it.
#[derive(Clone, Copy)]
struct Access<'i> {
    induction: &'i Induction,
    offset: Offset,
    /// The struct around the number.
    index: InstructionId,
}

/// Hoists the checks of one loop.
pub(super) struct Hoisting<'c, 'a, 'm> {
    checks: &'c mut BoundsChecks<'a, 'm>,
    preheader: BlockId,
    inductions: &'c [Induction],
    /// The one block that leaves the loop: what dominates it is done in each round up to the last one.
    only_exit: Option<BlockId>,
}

impl<'c, 'a, 'm> Hoisting<'c, 'a, 'm> {
    /// For the loop `id` that counts `inductions`.
    pub(super) fn new(
        checks: &'c mut BoundsChecks<'a, 'm>,
        id: LoopId,
        preheader: BlockId,
        inductions: &'c [Induction],
    ) -> Self {
        let (graph, body) = (&checks.graph, checks.editor.body());
        let mut leaving = graph.nest.loops[id].blocks.iter().filter(|block| graph.leaves(body, id, **block));
        let only_exit = leaving.next().copied().filter(|_| leaving.next().is_none());
        Self { checks, preheader, inductions, only_exit }
    }

    /// Hoists what can be hoisted, where the loop counts or the numbers of arrays' elements do not change.
    pub(super) fn hoist(&mut self, blocks: &[BlockId], changes: &SizeChanges) {
        for (block, id) in self.checks.instructions_of(blocks) {
            let is_certain = self.only_exit.is_some_and(|exit| self.checks.dominators.dominates(block, exit));
            if let Some(check) = self.checks.fixed_check(id) {
                self.hoist_fixed(id, check, is_certain);
            } else if let Some(call) = self.checks.check(id) {
                self.hoist_check(call, is_certain, changes);
            }
        }
    }

    fn motion(&mut self) -> ArrayCallMotion<'_, 'm> {
        let BoundsChecks { editor, dominators, .. } = &mut *self.checks;
        ArrayCallMotion { editor, dominators, to: self.preheader }
    }

    /// Hoists the check of an array, which is made in each round where that `is_certain`.
    fn hoist_check(&mut self, call: ArrayCall, is_certain: bool, changes: &SizeChanges) -> Option<()> {
        let body = self.checks.editor.body();
        let (array, index) = (call.array(body)?, call.checked_index(body)?);
        let storage = call.storage(body)?;
        let is_outside = |value: Value| self.checks.is_outside(value, self.preheader);
        let keeps_count = is_outside(array) || changes.spare(ArrayPlace::of(body, storage).as_ref());
        if !is_outside(storage) || !keeps_count {
            return None;
        }
        let is_invariant = is_outside(index);
        if !self.motion().can_hoist(call) {
            return None;
        }
        if is_certain && is_invariant {
            self.motion().hoist(call);
            return Some(());
        }
        let access = self.access(index)?;
        let is_array = self.checks.editor.environment.queries.is_array(self.checks.editor.body().ty(array).ty);
        match self.passes(access, array).filter(|_| is_array) {
            Some(Passing::Always) => remove_call(&mut self.checks.editor, call),
            Some(Passing::UntilEnd) if is_certain => {
                self.fail(call.instruction);
                remove_call(&mut self.checks.editor, call);
            }
            _ if is_certain => {
                let first = self.first_index(access, call.instruction)?;
                self.motion().copy(call, Some(first))?;
                let last = self.last_index(access, call.instruction)?;
                self.motion().copy(call, Some(last))?;
                remove_call(&mut self.checks.editor, call);
            }
            _ => return None,
        }
        Some(())
    }

    /// The same of something whose number of elements never changes.
    fn hoist_fixed(&mut self, id: InstructionId, check: FixedCheck, is_certain: bool) -> Option<()> {
        let FixedCheck { storage, index } = check;
        if !self.checks.is_outside(storage, self.preheader) {
            return None;
        }
        let end = self.checks.editor.body().terminator(self.preheader)?;
        if is_certain && self.checks.is_outside(index, self.preheader) {
            self.checks.editor.move_to(id, Place::Before(end));
            place_callee(&mut self.checks.editor, &self.checks.dominators, id);
            return Some(());
        }
        let access = self.access(index)?;
        match self.passes(access, storage) {
            Some(Passing::Always) => {}
            _ if !is_certain => return None,
            Some(Passing::UntilEnd) => self.fail(id),
            None => {
                let first = self.first_index(access, id)?;
                self.copy_fixed(id, first);
                let last = self.last_index(access, id)?;
                self.copy_fixed(id, last);
            }
        }
        self.checks.editor.erase(id);
        Some(())
    }

    fn copy_fixed(&mut self, id: InstructionId, index: Value) -> Option<()> {
        let editor = &mut self.checks.editor;
        let end = editor.body().terminator(self.preheader)?;
        let mut operands = editor.body().operands(id).to_vec();
        operands[1] = index;
        let copy = editor.build(Place::Before(end), id, |builder| builder.again(id, &operands));
        place_callee(editor, &self.checks.dominators, copy);
        Some(())
    }

    /// What a check asks for, if the loop counts that.
    fn access(&self, index: Value) -> Option<Access<'c>> {
        let editor = &self.checks.editor;
        let id = editor.made_by(index, Opcode::Struct)?;
        let &[number] = editor.body().operands(id) else { return None };
        let known = self.inductions.iter().filter(|induction| induction.is_range_known);
        known.into_iter().find_map(|induction| {
            let offset = match number == induction.argument {
                true => Offset::Counted,
                false if self.checks.is_next(induction, number) => Offset::Next,
                false => return None,
            };
            Some(Access { induction, offset, index: id })
        })
    }

    /// Whether a loop from zero to the number of elements of `storage` passes its check.
    fn passes(&self, access: Access<'_>, storage: Value) -> Option<Passing> {
        let counted = self.checks.counted_from_zero(access.induction.start, access.induction.end);
        (counted == Some(storage)).then_some(match access.offset {
            Offset::Counted => Passing::Always,
            Offset::Next => Passing::UntilEnd,
        })
    }

    /// Ends the program in front of the loop, as its last round would.
    fn fail(&mut self, check: InstructionId) {
        let bit = self.checks.bit();
        let Some(end) = self.checks.editor.body().terminator(self.preheader) else { return };
        self.checks.editor.build(Place::Before(end), check, |builder| {
            let fails = builder.integer_literal(-1, bit);
            builder.cond_fail(fails, "Index out of range");
        });
    }

    /// The first number that a check asks for.
    fn first_index(&mut self, access: Access<'_>, check: InstructionId) -> Option<Value> {
        let number = match access.offset {
            Offset::Counted => access.induction.start,
            Offset::Next => self.neighbour(access.induction.start, "sadd_with_overflow", check)?,
        };
        self.index(access, number, check)
    }

    /// The last number that a check asks for.
    fn last_index(&mut self, access: Access<'_>, check: InstructionId) -> Option<Value> {
        let number = match access.offset {
            Offset::Counted => self.neighbour(access.induction.end, "ssub_with_overflow", check)?,
            Offset::Next => access.induction.end,
        };
        self.index(access, number, check)
    }

    fn index(&mut self, access: Access<'_>, number: Value, check: InstructionId) -> Option<Value> {
        let editor = &mut self.checks.editor;
        let end = editor.body().terminator(self.preheader)?;
        let made = editor.build(Place::Before(end), check, |builder| builder.again(access.index, &[number]));
        editor.body().result(made)
    }

    /// The number behind or before another one, which is not the last or first one that there is.
    fn neighbour(&mut self, number: Value, operation: &str, check: InstructionId) -> Option<Value> {
        let (bit, builtin) = (self.checks.bit(), self.checks.comparison_with(operation, number)?);
        let editor = &mut self.checks.editor;
        let end = editor.body().terminator(self.preheader)?;
        let ty = editor.body().ty(number);
        let elements = [ty.ty, bit.ty].map(|ty| TupleElement { label: None, ty });
        let pair = SilType::object(editor.environment.queries.context.ty(Type::Tuple(elements.into())));
        Some(editor.build(Place::Before(end), check, |builder| {
            let one = builder.integer_literal(1, ty);
            let reports = builder.integer_literal(-1, bit);
            let result = builder.builtin(builtin, &[number, one, reports], pair);
            builder.tuple_extract(result, 0, ty)
        }))
    }
}

/// Which rounds pass a check.
enum Passing {
    /// All of them.
    Always,
    /// All but the last one.
    UntilEnd,
}

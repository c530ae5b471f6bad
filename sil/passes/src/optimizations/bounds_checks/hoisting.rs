//! Hoists bounds checks out of loops. The check of an invariant index is done once. The check of an induction variable
//! is done for its first and its last value. A loop over all indices of an array needs no check.

use sil_analysis::LoopId;
use sil_ir::context::{SilType, TupleElement, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Place, Value};

use super::BoundsChecks;
use super::array_places::ArrayPlace;
use super::array_sizes::SizeChanges;
use super::inductions::Induction;
use super::repeated::FixedCheck;
use crate::editing::array_call_motion::{ArrayCallMotion, place_callee, remove_call};
use crate::knowledge::array_calls::ArrayCall;

/// The checked index: the induction variable or its successor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offset {
    Counted,
    Next,
}

/// A checked index that is derived from an induction variable.
#[derive(Clone, Copy)]
struct Access<'i> {
    induction: &'i Induction,
    offset: Offset,
    /// The struct that wraps the number.
    index: InstructionId,
}

/// Hoists the checks of one loop.
pub(super) struct Hoisting<'c, 'a, 'm> {
    checks: &'c mut BoundsChecks<'a, 'm>,
    preheader: BlockId,
    inductions: &'c [Induction],
    /// The only exiting block of the loop. A block that dominates it runs in each iteration up to the last one.
    only_exit: Option<BlockId>,
}

impl<'c, 'a, 'm> Hoisting<'c, 'a, 'm> {
    /// Prepares the loop `id` with the given induction variables.
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

    /// Hoists the checks whose index is an induction variable or whose array does not change in size.
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

    /// Hoists the check of an array. `is_certain` states that each iteration runs it.
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

    /// Hoists the check of storage with a fixed number of elements.
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

    /// The checked index, if it is derived from an induction variable.
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

    /// The iterations that pass the check, if the loop runs from zero to the count of `storage`.
    fn passes(&self, access: Access<'_>, storage: Value) -> Option<Passing> {
        let counted = self.checks.counted_from_zero(access.induction.start, access.induction.end);
        (counted == Some(storage)).then_some(match access.offset {
            Offset::Counted => Passing::Always,
            Offset::Next => Passing::UntilEnd,
        })
    }

    /// Inserts an unconditional failure in the preheader, since the last iteration would fail.
    fn fail(&mut self, check: InstructionId) {
        let bit = self.checks.bit();
        let Some(end) = self.checks.editor.body().terminator(self.preheader) else { return };
        self.checks.editor.build(Place::Before(end), check, |builder| {
            let fails = builder.integer_literal(-1, bit);
            builder.cond_fail(fails, "Index out of range");
        });
    }

    /// The first checked index.
    fn first_index(&mut self, access: Access<'_>, check: InstructionId) -> Option<Value> {
        let number = match access.offset {
            Offset::Counted => access.induction.start,
            Offset::Next => self.neighbour(access.induction.start, "sadd_with_overflow", check)?,
        };
        self.index(access, number, check)
    }

    /// The last checked index.
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

    /// The successor or predecessor of a number, for which the operation does not overflow.
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

/// The iterations that pass a check.
enum Passing {
    /// All iterations.
    Always,
    /// All iterations but the last one.
    UntilEnd,
}

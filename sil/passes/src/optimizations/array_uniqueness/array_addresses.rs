//! Hoists the projections of array addresses out of the loops that mutate the arrays.

use rustc_hash::FxHashSet;
use sil_analysis::Use;
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::IndexAddr;
use sil_ir::model::{Body, InstructionId, Place, Value};
use sil_ir::types::ArgumentConvention;

use super::Candidate;
use crate::editing::array_call_motion::{is_available, place_callee};
use crate::editing::editor::Editor;
use crate::knowledge::array_calls::ArrayCall;
use crate::knowledge::value_paths::without_single_arguments;

impl Candidate<'_, '_> {
    /// Returns whether the address of the array can be computed in the preheader.
    pub(super) fn is_there(&self, loads: &FxHashSet<InstructionId>) -> bool {
        let is_outside = |value| is_available(self.around.dominators, self.view.body, value, self.around.preheader);
        let mut address = without_single_arguments(self.view, self.array);
        while !is_outside(address) {
            let Some((id, opcode)) = self.view.definition(address) else { return false };
            match opcode {
                Opcode::Load if loads.contains(&id) => {}
                Opcode::IndexAddr if !is_outside(IndexAddr::of(self.view.body, id).index) => return false,
                Opcode::IndexAddr
                | Opcode::RefTailAddr
                | Opcode::StructElementAddr
                | Opcode::TupleElementAddr
                | Opcode::RefElementAddr
                | Opcode::UncheckedRefCast
                | Opcode::StructExtract => {}
                _ => return false,
            }
            let Some(operand) = self.view.operand(id, 0) else { return false };
            address = without_single_arguments(self.view, operand);
        }
        !self.is_element() || self.is_element_known()
    }

    /// Returns whether the array is an element of another array, or is in memory that a pointer refers to.
    fn is_element(&self) -> bool {
        let mut address = self.array;
        loop {
            address = without_single_arguments(self.view, address);
            let Some((id, opcode)) = self.view.definition(address) else { return false };
            match opcode {
                Opcode::IndexAddr | Opcode::RefTailAddr | Opcode::PointerToAddress => return true,
                Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::MarkDependence | Opcode::BeginAccess => {
                }
                _ => return false,
            }
            let Some(operand) = self.view.operand(id, 0) else { return false };
            address = operand;
        }
    }

    /// Returns whether the loop checks nothing before it makes the array unique, which it does in each iteration.
    fn is_element_known(&self) -> bool {
        let body = self.view.body;
        let block = body.instructions[self.call.instruction].block;
        let is_check = |id: InstructionId| {
            let check = || ArrayCall::of(self.environment, body, id).is_some_and(|call| call.is_check());
            match self.view.opcode(id) {
                Opcode::CondFail => true,
                Opcode::Apply => check(),
                _ => false,
            }
        };
        let before = self
            .around
            .blocks()
            .iter()
            .copied()
            .filter(|other| *other != block && self.around.dominators.dominates(*other, block));
        let mut instructions =
            before.flat_map(|other| body.instructions_in(other)).chain(body.instructions_up_to(self.call.instruction));
        self.around.dominates_exits(body, block) && !instructions.any(is_check)
    }

    /// Returns whether the container of the array is referenced by this function only (`checkUniqueArrayContainer`).
    pub(super) fn is_only_reference(&self, container: Value, loads: &FxHashSet<InstructionId>) -> bool {
        match self.view.definition(container) {
            Some((_, Opcode::AllocStack)) => true,
            Some((id, Opcode::Load)) => loads.contains(&id),
            Some(_) => false,
            None => {
                let convention = self.view.argument_convention(container);
                convention == Some(ArgumentConvention::Parameter(ParameterConvention::InOut))
            }
        }
    }

    /// Inserts the call, and the call that ends the mutation, in the preheader.
    pub(super) fn make_in_front(&self, end: ArrayCall) -> Body {
        let mut editor = Editor::new(self.environment);
        self.project_in_front(&mut editor);
        let array = self.call.array(editor.body());
        for call in [self.call, end] {
            let Some(place) = editor.body().terminator(self.around.preheader) else { continue };
            let mut operands = editor.body().operands(call.instruction).to_vec();
            if let Some((last, array)) = operands.last_mut().zip(array) {
                *last = array;
            }
            let made = editor
                .build(Place::Before(place), call.instruction, |builder| builder.again(call.instruction, &operands));
            place_callee(&mut editor, self.around.dominators, made);
        }
        editor.into_body()
    }

    /// Hoists the projections of the array address to the preheader.
    fn project_in_front(&self, editor: &mut Editor<'_>) {
        let preheader = self.around.preheader;
        let Some(mut before) = editor.body().terminator(preheader) else { return };
        let (mut user, mut operand) = (self.call.instruction, self.call.array_operand(editor.body()));
        loop {
            let Some(passed) = editor.operand(user, operand) else { return };
            let value = without_single_arguments(self.view, passed);
            if value != passed {
                editor.set_operand(Use { user, operand: operand as u32 }, value);
            }
            if is_available(self.around.dominators, editor.body(), value, preheader) {
                return;
            }
            let Some(id) = editor.body().defining(value) else { return };
            editor.move_to(id, Place::Before(before));
            (user, operand, before) = (id, 0, id);
        }
    }
}

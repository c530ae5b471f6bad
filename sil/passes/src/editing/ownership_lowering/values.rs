//! Lowers copies and destroys of values to retains and releases (lib/SIL/IR/TypeLowering.cpp), and loads and stores.

use sil_analysis::ApplySite;
use sil_ir::context::{ParameterConvention, ResultConvention, SilType};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::FunctionConventions;

use super::{Destroys, Lowering};
use crate::knowledge::counting::Counting;

impl<'m> Lowering<'_, 'm> {
    pub(super) fn counting(&self, ty: SilType) -> Counting {
        Counting::of(self.environment, ty)
    }

    /// Appends the copy of `value`, with the location of `id`.
    pub(super) fn emit_copy(&mut self, id: InstructionId, value: Value) {
        let counting = self.counting(self.body.ty(self.replacements.resolve(value)));
        if let Some(opcode) = counting.retain() {
            self.at(id).effect(opcode, value);
        }
    }

    /// Appends the destroy of `value`, with the location of `id`.
    pub(super) fn emit_destroy(&mut self, id: InstructionId, value: Value) {
        let counting = self.counting(self.body.ty(self.replacements.resolve(value)));
        if let Some(opcode) = counting.release() {
            self.at(id).effect(opcode, value);
        }
    }

    pub(super) fn copy_value(&mut self, id: InstructionId) {
        let Unary { operand } = Unary::of(self.body, id);
        if self.counting(self.body.ty(operand)) == Counting::Memory {
            self.keep(id);
            return;
        }
        self.emit_copy(id, operand);
        self.stand_for_results(id, operand);
    }

    pub(super) fn destroy_value(&mut self, id: InstructionId) -> Result<(), Box<Diagnostic>> {
        let Unary { operand } = Unary::of(self.body, id);
        if self.body.instructions[id].attributes.contains(Attribute::DeadEnd) {
            return Ok(());
        }
        if self.counting(self.body.ty(operand)) == Counting::Memory {
            self.keep(id);
            return Ok(());
        }
        if self.is_without_deinit(operand) {
            return self.destroy_parts(id, operand);
        }
        if self.destroys == Destroys::Values && self.counting(self.body.ty(operand)) != Counting::None {
            self.at(id).release_value(operand);
        } else {
            self.emit_destroy(id, operand);
        }
        Ok(())
    }

    pub(super) fn destroy_addr(&mut self, id: InstructionId) -> Result<(), Box<Diagnostic>> {
        let Unary { operand } = Unary::of(self.body, id);
        if self.is_without_deinit(operand) {
            return self.destroy_parts(id, operand);
        }
        self.keep(id);
        Ok(())
    }

    /// Returns whether `value` is the result of `drop_deinit`, looking through moves and borrows.
    fn is_without_deinit(&self, value: Value) -> bool {
        let Some(definition) = self.body.defining(value) else { return false };
        match self.body.instructions[definition].opcode {
            Opcode::DropDeinit => true,
            Opcode::CopyValue | Opcode::MoveValue | Opcode::BeginBorrow => {
                self.is_without_deinit(Unary::of(self.body, definition).operand)
            }
            _ => false,
        }
    }

    pub(super) fn load(&mut self, id: InstructionId) {
        let copies = self.body.instructions[id].attributes.contains(Attribute::Copy);
        self.keep_without(id, &[Attribute::Copy, Attribute::Take, Attribute::Trivial]);
        if let Some(loaded) = self.body.result(id).filter(|_| copies) {
            self.emit_copy(id, loaded);
        }
    }

    /// Lowers a store. An assignment releases the old value after the new one is stored.
    pub(super) fn store(&mut self, id: InstructionId) {
        let Store { source: value, destination: address } = Store::of(self.body, id);
        let assigns = self.body.instructions[id].attributes.contains(Attribute::Assign);
        let ty = self.body.ty(value);
        let old = (assigns && self.counting(ty) != Counting::None).then(|| self.at(id).load(address));
        self.keep_without(id, &[Attribute::Init, Attribute::Assign, Attribute::Trivial]);
        if let Some(old) = old {
            self.emit_destroy(id, old);
        }
    }

    /// The substituted conventions of the callee of `id`.
    pub(super) fn conventions(&self, id: InstructionId) -> Option<FunctionConventions<'m>> {
        ApplySite::new(self.body, id)?.conventions(self.environment.queries)
    }

    pub(super) fn direct_result_conventions(&self, id: InstructionId) -> Vec<ResultConvention> {
        let Some(conventions) = self.conventions(id) else { return Vec::new() };
        conventions.direct_results().map(|result| result.convention).collect()
    }

    /// Destroys `@in_cxx` arguments after a call, since a C++ function does not.
    pub(super) fn destroy_foreign_arguments(&mut self, id: InstructionId) {
        let Some(conventions) = self.conventions(id) else { return };
        let arguments = ApplySite::new(self.body, id).map_or(Vec::new(), |site| site.arguments().to_vec());
        for (index, parameter) in conventions.function.parameters.iter().enumerate() {
            if parameter.convention == ParameterConvention::InCxx {
                let argument = arguments[conventions.argument_of_parameter(index)];
                self.at(id).destroy_addr(argument);
            }
        }
    }
}

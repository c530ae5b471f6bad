//! Simplifies differentiable functions that are created and taken apart.

use sil_ir::instructions::Opcode;
use sil_ir::model::views::DifferentiableFunctionExtract;
use sil_ir::model::{Extractee, InstructionId, Place, Value};

use super::Simplifier;

impl Simplifier<'_> {
    /// Replaces the extraction of a component of a `differentiable_function` with its operand. If the function was
    /// converted, the component is converted.
    pub(super) fn differentiable_function_extract(&mut self, id: InstructionId) -> Option<()> {
        // With ownership, a copy would be needed.
        if self.editor.has_ownership() {
            return None;
        }
        let body = self.editor.body();
        let DifferentiableFunctionExtract { operand, extractee } = DifferentiableFunctionExtract::of(body, id);
        let made = body.defining(operand)?;
        let conversion = match self.editor.opcode(made) {
            Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape => Some(made),
            _ => None,
        };
        let whole = match conversion {
            Some(conversion) => self.editor.operand(conversion, 0)?,
            None => operand,
        };
        // Other users see the unconverted function.
        let is_seen = conversion
            .is_some_and(|conversion| body.defining(whole).is_none_or(|made| !self.is_only_user(made, conversion)));
        let part = self.part(whole, extractee).filter(|_| !is_seen)?;
        let (from, to) = (body.ty(part), body.ty(body.result(id)?));
        let part = match conversion {
            _ if from == to => part,
            Some(conversion) => {
                let opcode = self.editor.opcode(conversion);
                let attributes = body.instructions[conversion].attributes;
                self.editor.build(Place::Before(id), id, |builder| builder.with(attributes).cast(opcode, part, to))
            }
            None => self.editor.build(Place::Before(id), id, |builder| builder.convert_function(part, to)),
        };
        self.editor.replace(id, part);
        Some(())
    }

    /// The operand of a `differentiable_function` for a component.
    fn part(&self, whole: Value, extractee: Extractee) -> Option<Value> {
        let made = self.editor.body().defining(whole)?;
        let is_whole = matches!(self.editor.opcode(made), Opcode::DifferentiableFunction | Opcode::LinearFunction);
        let index = match extractee {
            Extractee::Original => 0,
            Extractee::Jvp | Extractee::Transpose => 1,
            Extractee::Vjp => 2,
        };
        is_whole.then(|| self.editor.operand(made, index)).flatten()
    }
}

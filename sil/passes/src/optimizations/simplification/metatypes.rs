//! Simplifies metatypes and integer generic arguments.

use sil_ir::context::Type;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Place, views};

use super::Simplifier;
use crate::editing::literals::parameter_value;
use crate::knowledge::metatypes;

impl Simplifier<'_> {
    /// Replaces the metatype of a value type with the metatype argument of the function, since the metatype is unique.
    pub(super) fn metatype(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let ty = body.ty(body.result(id)?);
        let argument = metatypes::passed(self.editor.environment.queries, body, ty)?;
        self.editor.replace(id, argument);
        Some(())
    }

    /// Creates a metatype in its converted representation, and removes pairs of inverse conversions
    /// (`optimizeMetatypeConversion` of lib/SILOptimizer/Utils/CastOptimizer.cpp).
    pub(super) fn convert_metatype(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let (converted, ty) = (self.editor.operand(id, 0)?, body.ty(body.result(id)?));
        let made = body.defining(converted)?;
        let opcode = self.editor.opcode(made);
        if matches!(opcode, Opcode::ThickToObjcMetatype | Opcode::ObjcToThickMetatype)
            && opcode != self.editor.opcode(id)
        {
            let source = self.editor.operand(made, 0)?;
            self.editor.replace(id, source);
            return Some(());
        }
        // The operand of the original may be dead at the conversion.
        let place = match opcode {
            Opcode::Metatype => id,
            Opcode::ValueMetatype | Opcode::ExistentialMetatype => made,
            _ => return None,
        };
        let operand = body.operands(made).first().copied();
        let metatype = self.editor.build(Place::Before(place), id, |builder| match operand {
            Some(value) => builder.cast(opcode, value, ty),
            None => builder.metatype(ty),
        });
        self.editor.replace(id, metatype);
        Some(())
    }

    /// Replaces an integer generic argument with a literal.
    pub(super) fn type_value(&mut self, id: InstructionId) -> Option<()> {
        let queries = self.editor.environment.queries;
        let body = self.editor.body();
        let Type::Integer(value) = *queries.get(views::TypeValue::of(body, id).parameter) else { return None };
        let ty = body.ty(body.result(id)?);
        let fields = queries.field_types(ty.ty)?;
        let [field] = fields[..] else { return None };
        let made = self.editor.build(Place::Before(id), id, |builder| parameter_value(builder, value, ty, field));
        self.editor.replace(id, made);
        Some(())
    }
}

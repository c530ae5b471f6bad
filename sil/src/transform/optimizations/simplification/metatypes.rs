//! What is known of types: their metatypes, and numbers that are generic arguments.

use super::Simplifier;
use crate::context::Type;
use crate::model::{InstructionId, Place, views};
use crate::transform::editing::literals::parameter_value;
use crate::transform::knowledge::metatypes;

impl Simplifier<'_> {
    /// The metatype of a type of values is the one that the function gets, where it gets it: there is no other.
    pub(super) fn metatype(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let ty = body.ty(body.result(id)?);
        let argument = metatypes::passed(self.editor.environment.queries, body, ty)?;
        self.editor.replace(id, argument);
        Some(())
    }

    /// A generic argument that is a number is that.
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

//! What is known of types: their metatypes, and numbers that are generic arguments.

use super::Simplifier;
use crate::context::Type;
use crate::declarations::NominalKind;
use crate::model::{InstructionId, Place, views};
use crate::transform::editing::literals::parameter_value;

impl Simplifier<'_> {
    /// The metatype of a type of values is the one that the function gets, where it gets it: there is no other
    /// (lib/SILOptimizer/Analysis/SimplifyInstruction.cpp).
    pub(super) fn metatype(&mut self, id: InstructionId) -> Option<()> {
        let crate::transform::Environment { module, queries, .. } = self.editor.environment;
        let body = self.editor.body();
        let ty = body.ty(body.result(id)?);
        let Type::Metatype { instance, .. } = *queries.get(ty.ty) else { return None };
        let is_of_values = match queries.get(instance) {
            Type::Tuple(_) => true,
            Type::Nominal(nominal) => {
                let kind = module.declarations.get(nominal.declaration).kind;
                matches!(kind, NominalKind::Struct | NominalKind::Enum)
            }
            _ => false,
        };
        let arguments = &body.blocks[body.entry()].arguments;
        let argument = arguments.iter().copied().find(|argument| is_of_values && body.ty(*argument) == ty)?;
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

//! A declaration in terms of its own generic parameters.

use super::DeclarationTable;
use crate::context::{
    Context, GenericParameter, GenericParameterKind, NominalId, NominalType, PackStorage, Type, TypeId,
};

impl DeclarationTable {
    /// The type that a declaration makes, in terms of its own parameters.
    pub fn identity(&self, context: &Context, nominal: NominalId) -> TypeId {
        let declaration = self.get(nominal);
        let all = declaration.signature.map_or(0, |id| context.get_signature(id).parameters.len());
        let own = self.own_parameters(context, nominal);
        let arguments = own.iter().map(|parameter| parameter_as_argument(context, parameter)).collect();
        let parent = declaration.parent.filter(|_| all > own.len()).map(|parent| self.identity(context, parent));
        context.ty(Type::Nominal(NominalType { declaration: nominal, parent, arguments }))
    }

    /// The generic parameters of a declaration without those of the types around it.
    pub fn own_parameters<'c>(&self, context: &'c Context, nominal: NominalId) -> &'c [GenericParameter] {
        let declaration = self.get(nominal);
        let Some(signature) = declaration.signature else { return &[] };
        let all = &context.get_signature(signature).parameters;
        &all[all.len().saturating_sub(declaration.own_parameters as usize)..]
    }
}

/// A parameter as the argument for itself.
pub fn parameter_as_argument(context: &Context, parameter: &GenericParameter) -> TypeId {
    let plain = context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index });
    if parameter.kind != GenericParameterKind::Pack {
        return plain;
    }
    let pattern = context.ty(Type::PackElement(plain));
    let expansion = context.ty(Type::PackExpansion { pattern });
    context.ty(Type::Pack { elements: [expansion].into(), storage: PackStorage::Formal })
}

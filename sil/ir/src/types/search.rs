//! Searching a type's parts.

use super::*;

impl TypeQueries<'_> {
    /// The first answer that `visit` gives for `ty` or one of its parts, in order. Parts that a signature binds are
    /// left out.
    pub fn find_in<T>(&self, ty: TypeId, visit: &mut dyn FnMut(TypeId) -> Option<T>) -> Option<T> {
        if let Some(found) = visit(ty) {
            return Some(found);
        }
        match self.get(ty) {
            Type::Nominal(nominal) => {
                nominal.parent.iter().chain(&*nominal.arguments).find_map(|part| self.find_in(*part, visit))
            }
            Type::Tuple(elements) => elements.iter().find_map(|element| self.find_in(element.ty, visit)),
            Type::Function(function) => self.find_in_function(function, visit),
            Type::FormalFunction(function) => self.find_in_formal_function(function, visit),
            Type::Metatype { instance, .. } | Type::ExistentialMetatype { instance, .. } => {
                self.find_in(*instance, visit)
            }
            Type::Protocol { arguments, .. }
            | Type::OpaqueResult { arguments, .. }
            | Type::Unresolved { arguments, .. } => arguments.iter().find_map(|part| self.find_in(*part, visit)),
            Type::Composition(composition) => composition.members.iter().find_map(|part| self.find_in(*part, visit)),
            Type::DependentMember { base, .. } => self.find_in(*base, visit),
            Type::OpenedArchetype { existential, .. } => self.find_in(*existential, visit),
            Type::Box(layout) => self.find_in_box(layout, visit),
            Type::Pack { elements, .. } => elements.iter().find_map(|part| self.find_in(*part, visit)),
            Type::Builtin(BuiltinType::FixedArray { count, element }) => {
                [*count, *element].into_iter().find_map(|part| self.find_in(part, visit))
            }
            Type::Existential(inner)
            | Type::Storage { referent: inner, .. }
            | Type::PackExpansion { pattern: inner }
            | Type::PackElement(inner)
            | Type::DynamicSelf(inner)
            | Type::BlockStorage(inner)
            | Type::InOut(inner)
            | Type::MoveOnlyWrapper(inner) => self.find_in(*inner, visit),
            Type::Builtin(_)
            | Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::PackElementArchetype { .. }
            | Type::Integer(_) => None,
        }
    }

    fn find_in_function<T>(&self, function: &FunctionType, visit: &mut dyn FnMut(TypeId) -> Option<T>) -> Option<T> {
        if let Some(found) = function.invocation.and_then(|map| self.find_in_map(map, visit)) {
            return Some(found);
        }
        if function.signature.is_some() {
            return None;
        }
        if let Some(pattern) = function.pattern {
            return self.find_in_map(pattern, visit);
        }
        let parameters = function.parameters.iter().chain(&function.yields).map(|parameter| parameter.ty);
        let results = function.results.iter().chain(&function.error).map(|result| result.ty);
        parameters.chain(results).find_map(|part| self.find_in(part, visit))
    }

    fn find_in_formal_function<T>(
        &self,
        function: &FormalFunctionType,
        visit: &mut dyn FnMut(TypeId) -> Option<T>,
    ) -> Option<T> {
        if function.signature.is_some() {
            return None;
        }
        let error = match function.throws {
            Throws::Typed(error) => Some(error),
            Throws::No | Throws::Any | Throws::Rethrows => None,
        };
        let parameters = function.parameters.iter().map(|parameter| parameter.ty);
        parameters.chain([function.result]).chain(error).find_map(|part| self.find_in(part, visit))
    }

    fn find_in_map<T>(&self, map: SubstitutionMapId, visit: &mut dyn FnMut(TypeId) -> Option<T>) -> Option<T> {
        self.context.replacements(map).iter().find_map(|part| self.find_in(*part, visit))
    }

    fn find_in_box<T>(&self, layout: &BoxType, visit: &mut dyn FnMut(TypeId) -> Option<T>) -> Option<T> {
        if let Some(map) = layout.substitutions {
            return self.find_in_map(map, visit);
        }
        layout.fields.iter().find_map(|field| self.find_in(field.ty, visit))
    }

    /// Whether a generic parameter, or an archetype, is free in `ty`.
    pub fn is_dependent(&self, ty: TypeId) -> bool {
        self.find_in(ty, &mut |part| self.is_type_parameter(part).then_some(())).is_some()
    }

    /// Whether `ty` is a generic parameter, a member of one, or an archetype.
    pub fn is_type_parameter(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::OpenedArchetype { .. }
            | Type::PackElementArchetype { .. }
            | Type::OpaqueResult { .. } => true,
            Type::DependentMember { base, .. } | Type::PackElement(base) => self.is_type_parameter(*base),
            _ => false,
        }
    }
}

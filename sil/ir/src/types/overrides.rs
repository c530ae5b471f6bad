//! Overrides that calls of the overridden method can go to: their interface types are ABI compatible
//! (lib/Sema/TypeCheckDecl.cpp, `IsABICompatibleOverrideRequest`; lib/AST/Type.cpp, `matches` with
//! `AllowABICompatible`). Any other override has a slot of its own.
//!
//! Types that are not understood, and those of generic methods, count as compatible.

use super::TypeQueries;
use crate::context::{FormalFunctionType, NominalId, SubstitutionMapId, Throws, Type, TypeId};

/// A method of a class, with its interface type.
#[derive(Clone, Copy)]
pub(super) struct ClassMethod {
    pub(super) class: NominalId,
    pub(super) ty: TypeId,
}

/// The place of a type in the comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outside,
    InOptional,
}

impl TypeQueries<'_> {
    /// Whether `derived` has an interface type with which calls of `base`, the method that it overrides, may go to it.
    pub(super) fn is_abi_compatible_override(&self, derived: ClassMethod, base: ClassMethod) -> bool {
        let (Some(own), Some(overridden)) = (self.method_type(derived.ty), self.method_type(base.ty)) else {
            return true;
        };
        if !self.has_same_effects(own, overridden) {
            return false;
        }
        let Some(substitutions) = self.substitutions_of_base(derived, base) else { return true };
        let seen = |ty| self.canonical_type(self.substitute(ty, substitutions));
        own.parameters.len() == overridden.parameters.len()
            && own.parameters.iter().zip(&overridden.parameters).all(|(own, overridden)| {
                // Parameters are contravariant.
                self.matches(seen(self.passed_type(overridden)), self.passed_type(own), Depth::Outside)
            })
            && self.matches(own.result, seen(overridden.result), Depth::Outside)
    }

    /// Whether two methods have the same types of parameters.
    pub(super) fn has_same_parameters(&self, derived: ClassMethod, base: ClassMethod) -> bool {
        let (Some(own), Some(overridden)) = (self.method_type(derived.ty), self.method_type(base.ty)) else {
            return false;
        };
        let Some(substitutions) = self.substitutions_of_base(derived, base) else { return false };
        let seen = |ty| self.canonical_type(self.substitute(ty, substitutions));
        let parameters = |method: &FormalFunctionType| -> Vec<TypeId> {
            method.parameters.iter().map(|parameter| self.passed_type(parameter)).collect()
        };
        let overridden: Vec<TypeId> = parameters(overridden).into_iter().map(seen).collect();
        parameters(own) == overridden
    }

    /// The generic arguments of the class of `base`, as the class of `derived` inherits from it. None where that is not
    /// known, and for generic methods.
    fn substitutions_of_base(&self, derived: ClassMethod, base: ClassMethod) -> Option<SubstitutionMapId> {
        if self.is_generic_method(derived) || self.is_generic_method(base) {
            return None;
        }
        let this = self.declarations.identity(self.context, derived.class);
        let ancestor = self.ancestor_declared_by(this, base.class)?;
        Some(self.nominal_substitutions(self.as_nominal(ancestor)?))
    }

    /// The type of a method without its `self` parameter, in canonical form.
    fn method_type(&self, interface: TypeId) -> Option<&FormalFunctionType> {
        let Type::FormalFunction(outer) = self.get(self.canonical_type(interface)) else { return None };
        match self.get(outer.result) {
            Type::FormalFunction(method) => Some(method),
            _ => None,
        }
    }

    /// Whether a method has generic parameters beside those of its class.
    fn is_generic_method(&self, method: ClassMethod) -> bool {
        let Type::FormalFunction(function) = self.get(self.canonical_type(method.ty)) else { return false };
        let count = |signature| self.context.get_signature(signature).parameters.len();
        let of_class = self.declarations.get(method.class).signature.map_or(0, count);
        function.signature.map_or(0, count) > of_class
    }

    fn has_same_effects(&self, first: &FormalFunctionType, second: &FormalFunctionType) -> bool {
        let throws = match (first.throws, second.throws) {
            (Throws::Typed(first), Throws::Typed(second)) => self.same_type(first, second),
            (Throws::Any | Throws::Rethrows, Throws::Any | Throws::Rethrows) | (Throws::No, Throws::No) => true,
            (Throws::Typed(error), Throws::No) | (Throws::No, Throws::Typed(error)) => self.is_never(error),
            (Throws::Typed(error), Throws::Any | Throws::Rethrows)
            | (Throws::Any | Throws::Rethrows, Throws::Typed(error)) => {
                self.any_error().is_some_and(|any| self.same_type(any, error))
            }
            (Throws::No, Throws::Any | Throws::Rethrows) | (Throws::Any | Throws::Rethrows, Throws::No) => false,
        };
        throws && first.attributes == second.attributes
    }

    /// Whether a value of the canonical type `first` may stand where the canonical type `second` is expected.
    fn matches(&self, first: TypeId, second: TypeId, depth: Depth) -> bool {
        if first == second || self.is_reference_of_class(first) && self.is_reference_of_class(second) {
            return true;
        }
        if depth == Depth::Outside
            && let Some(second) = self.optional_object(second)
        {
            return match self.optional_object(first) {
                Some(first) => self.matches(first, second, Depth::InOptional),
                None => self.is_reference_of_class(first) && self.is_reference_of_class(second),
            };
        }
        match (self.get(first), self.get(second)) {
            (Type::Unresolved { .. }, _) | (_, Type::Unresolved { .. }) => true,
            (Type::Tuple(first), Type::Tuple(second)) => {
                first.len() == second.len()
                    && first.iter().zip(second).all(|(first, second)| self.matches(first.ty, second.ty, Depth::Outside))
            }
            (Type::FormalFunction(first), Type::FormalFunction(second)) => {
                first.representation == second.representation
                    && self.has_same_effects(first, second)
                    && first.parameters.len() == second.parameters.len()
                    && first.parameters.iter().zip(&second.parameters).all(|(first, second)| {
                        self.matches(self.passed_type(second), self.passed_type(first), Depth::Outside)
                    })
                    && self.matches(first.result, second.result, Depth::Outside)
            }
            _ => false,
        }
    }

    /// Whether `ty` is a class, or a metatype of one: with and without an `Optional` around it, its values are single
    /// pointers.
    fn is_reference_of_class(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Metatype { instance, .. } => self.is_class(*instance),
            Type::DynamicSelf(_) => true,
            _ => self.is_class(ty),
        }
    }
}

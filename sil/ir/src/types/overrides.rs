//! Overrides that calls of the overridden method can go to: their generic parameters have the requirements of its own
//! (lib/AST/ASTContext.cpp, `overrideGenericSignatureReqsSatisfied`), and their interface types are ABI compatible
//! (lib/Sema/TypeCheckDeclOverride.cpp, `IsABICompatibleOverrideRequest`; lib/AST/Type.cpp, `matches` with
//! `AllowABICompatible`). Any other override has a slot of its own.

use super::TypeQueries;
use crate::context::{
    FormalFunctionType, GenericParameter, GenericParameterKind, GenericSignature, NominalId, Requirement, SignatureId,
    SubstitutionMapId, Throws, Type, TypeId,
};
use crate::declarations::NominalKind;

/// A method of a class, with its interface type.
#[derive(Clone, Copy)]
pub(super) struct ClassMethod {
    pub(super) class: NominalId,
    pub(super) ty: TypeId,
}

/// Whether calls of a method can go to an override of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compatibility {
    Compatible,
    Incompatible,
    /// A part of a type is not understood.
    Unknown,
}

impl Compatibility {
    fn of(holds: bool) -> Self {
        if holds { Self::Compatible } else { Self::Incompatible }
    }

    /// The result of two parts together: the second is only asked where the first does not decide.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Incompatible => Self::Incompatible,
            Self::Compatible => other(),
            Self::Unknown => match other() {
                Self::Incompatible => Self::Incompatible,
                Self::Compatible | Self::Unknown => Self::Unknown,
            },
        }
    }

    fn all(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::Compatible, |all, part| all.and(|| part))
    }
}

/// The place of a type in the comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Outside,
    InOptional,
}

impl TypeQueries<'_> {
    /// Whether `derived` has an interface type with which calls of `base`, the method that it overrides, may go to it.
    pub(super) fn override_compatibility(&self, derived: ClassMethod, base: ClassMethod) -> Compatibility {
        let (Some(own), Some(overridden)) = (self.method_type(derived.ty), self.method_type(base.ty)) else {
            return Compatibility::Unknown;
        };
        if self.own_parameters(derived).len() != self.own_parameters(base).len() {
            return Compatibility::Incompatible;
        }
        let Some(substitutions) = self.substitutions_of_base(derived, base) else { return Compatibility::Unknown };
        let seen = |ty| self.canonical_type(self.substitute(ty, substitutions));
        Compatibility::of(self.has_same_effects(own, overridden) && own.parameters.len() == overridden.parameters.len())
            .and(|| self.has_requirements_of_base(derived, base, substitutions))
            .and(|| {
                // Parameters are contravariant.
                Compatibility::all(own.parameters.iter().zip(&overridden.parameters).map(|(own, overridden)| {
                    self.matches(seen(self.passed_type(overridden)), self.passed_type(own), Depth::Outside)
                }))
            })
            .and(|| self.matches(own.result, seen(overridden.result), Depth::Outside))
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

    /// The replacements of the generic parameters of `base`: those of its class as the class of `derived` inherits from
    /// it, and the generic parameters of `derived` itself in the place of its own (lib/AST/SubstitutionMap.cpp,
    /// `getOverrideSubstitutions`). None where they are not known.
    fn substitutions_of_base(&self, derived: ClassMethod, base: ClassMethod) -> Option<SubstitutionMapId> {
        let this = self.declarations.identity(self.context, derived.class);
        let ancestor = self.ancestor_declared_by(this, base.class)?;
        let of_class = self.nominal_substitutions(self.as_nominal(ancestor)?);
        let own = self.own_parameters(derived);
        if own.is_empty() {
            return Some(of_class);
        }
        if own.iter().any(|parameter| parameter.kind != GenericParameterKind::Type) {
            return None;
        }
        let own = own.iter().map(|parameter| {
            self.context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index })
        });
        let inherited = match self.declarations.get(base.class).signature {
            Some(_) => self.context.replacements(of_class),
            None => &[],
        };
        let replacements: Vec<TypeId> = inherited.iter().copied().chain(own).collect();
        Some(self.context.substitutions(self.signature_of(base)?, replacements))
    }

    /// Whether the signature of `derived` implies the requirements of `base`. Those on types without parameters hold,
    /// as the superclass is valid.
    fn has_requirements_of_base(
        &self,
        derived: ClassMethod,
        base: ClassMethod,
        substitutions: SubstitutionMapId,
    ) -> Compatibility {
        if self.own_parameters(base).is_empty() {
            return Compatibility::Compatible;
        }
        let (Some(own), Some(base)) = (self.signature_of(derived), self.signature_of(base)) else {
            return Compatibility::Unknown;
        };
        let own = self.context.get_signature(own);
        let inherited = self.context.get_signature(base).requirements.iter();
        let inherited = inherited.map(|requirement| self.substitute_requirement(requirement, substitutions));
        let inherited = inherited.filter(|requirement| self.is_about_parameters(requirement));
        let requirements: Vec<Requirement> = own.requirements.iter().cloned().chain(inherited).collect();
        let canonical = |signature| self.generics().canonical_signature(self.context.signature(signature));
        let both = GenericSignature { requirements: requirements.into(), ..own.clone() };
        match (canonical(own.clone()), canonical(both)) {
            (Some(own), Some(both)) => Compatibility::of(own == both),
            _ => Compatibility::Unknown,
        }
    }

    fn substitute_requirement(&self, requirement: &Requirement, by: SubstitutionMapId) -> Requirement {
        let seen = |ty| self.canonical_type(self.substitute(ty, by));
        match requirement {
            Requirement::Conformance { subject, constraint } => {
                Requirement::Conformance { subject: seen(*subject), constraint: *constraint }
            }
            Requirement::Superclass { subject, superclass } => {
                Requirement::Superclass { subject: seen(*subject), superclass: seen(*superclass) }
            }
            Requirement::SameType { first, second } => {
                Requirement::SameType { first: seen(*first), second: seen(*second) }
            }
            Requirement::Layout { subject, constraint } => {
                Requirement::Layout { subject: seen(*subject), constraint: constraint.clone() }
            }
            Requirement::Inverse { subject, inverse } => {
                Requirement::Inverse { subject: seen(*subject), inverse: *inverse }
            }
        }
    }

    fn is_about_parameters(&self, requirement: &Requirement) -> bool {
        match requirement {
            Requirement::SameType { first, second } => {
                self.is_type_parameter(*first) || self.is_type_parameter(*second)
            }
            Requirement::Conformance { subject, .. }
            | Requirement::Superclass { subject, .. }
            | Requirement::Layout { subject, .. }
            | Requirement::Inverse { subject, .. } => self.is_type_parameter(*subject),
        }
    }

    /// The type of a method without its `self` parameter, in canonical form.
    fn method_type(&self, interface: TypeId) -> Option<&FormalFunctionType> {
        let Type::FormalFunction(outer) = self.get(self.canonical_type(interface)) else { return None };
        match self.get(outer.result) {
            Type::FormalFunction(method) => Some(method),
            _ => None,
        }
    }

    /// The generic signature of a method, the parameters of its class included.
    fn signature_of(&self, method: ClassMethod) -> Option<SignatureId> {
        match self.get(self.canonical_type(method.ty)) {
            Type::FormalFunction(function) => function.signature,
            _ => None,
        }
    }

    /// The generic parameters that a method has beside those of its class.
    fn own_parameters(&self, method: ClassMethod) -> &[GenericParameter] {
        let parameters = |signature| &*self.context.get_signature(signature).parameters;
        let of_class = self.declarations.get(method.class).signature.map_or(&[][..], parameters);
        self.signature_of(method).and_then(|signature| parameters(signature).get(of_class.len()..)).unwrap_or_default()
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
        throws && first.attributes == second.attributes && first.global_actor == second.global_actor
    }

    /// Whether a value of the canonical type `first` may stand where the canonical type `second` is expected.
    fn matches(&self, first: TypeId, second: TypeId, depth: Depth) -> Compatibility {
        if first == second || self.is_reference_of_class(first) && self.is_reference_of_class(second) {
            return Compatibility::Compatible;
        }
        if depth == Depth::Outside
            && let Some(second) = self.optional_object(second)
        {
            return match self.optional_object(first) {
                Some(first) => self.matches(first, second, Depth::InOptional),
                None if self.is_reference_of_class(first) && self.is_reference_of_class(second) => {
                    Compatibility::Compatible
                }
                None => self.differ(first, second),
            };
        }
        match (self.get(first), self.get(second)) {
            (Type::Tuple(first), Type::Tuple(second)) => Compatibility::of(first.len() == second.len()).and(|| {
                let elements = first.iter().zip(second);
                Compatibility::all(elements.map(|(first, second)| self.matches(first.ty, second.ty, Depth::Outside)))
            }),
            (Type::FormalFunction(first), Type::FormalFunction(second)) => self.function_matches(first, second),
            _ => self.differ(first, second),
        }
    }

    fn function_matches(&self, first: &FormalFunctionType, second: &FormalFunctionType) -> Compatibility {
        let is_alike = first.representation == second.representation
            && self.has_same_effects(first, second)
            && first.parameters.len() == second.parameters.len();
        Compatibility::of(is_alike)
            .and(|| {
                Compatibility::all(first.parameters.iter().zip(&second.parameters).map(|(first, second)| {
                    self.matches(self.passed_type(second), self.passed_type(first), Depth::Outside)
                }))
            })
            .and(|| self.matches(first.result, second.result, Depth::Outside))
    }

    /// The answer for two types that look different: they are, if both are understood.
    fn differ(&self, first: TypeId, second: TypeId) -> Compatibility {
        match self.is_understood(first) && self.is_understood(second) {
            true => Compatibility::Incompatible,
            false => Compatibility::Unknown,
        }
    }

    /// Whether all parts of `ty` are declared: a name alone may be an alias, or a class.
    fn is_understood(&self, ty: TypeId) -> bool {
        let is_open = |part: TypeId| match self.get(part) {
            Type::Unresolved { .. } => true,
            _ => self.declaration_of(part).is_some_and(|found| found.kind == NominalKind::Unknown),
        };
        self.find_in(ty, &mut |part| is_open(part).then_some(())).is_none()
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

//! When two types are the same as far as declarations show: equal up to sugar and labels, or not known well enough. The
//! reader and the verifier ask this, so that nothing valid is rejected.

use super::*;
use crate::context::{NominalId, Representation, SignatureId};
use crate::declarations::NominalKind;

impl TypeQueries<'_> {
    /// Whether two SIL types are the same, as far as declarations show.
    pub fn agree(&self, first: SilType, second: SilType) -> bool {
        first.category == second.category && self.agree_types(first.ty, second.ty)
    }

    /// Whether two types are the same, as far as declarations show. Members of type parameters agree with all: there is
    /// no signature to resolve them.
    pub fn agree_types(&self, first: TypeId, second: TypeId) -> bool {
        first == second || Agreement { queries: self, signature: None }.types(first, second)
    }

    /// Whether two SIL types are the same in a function of `signature`, as far as declarations show.
    pub fn agree_in(&self, first: SilType, second: SilType, signature: SignatureId) -> bool {
        // A requirement fixes a parameter to a formal type, which is lowered before the comparison.
        let reduced = |ty: SilType| self.lower(self.reduced_type(ty.ty, signature), AbstractionPattern::Opaque);
        let agreement = Agreement { queries: self, signature: Some(signature) };
        first == second || (first.category == second.category && agreement.types(reduced(first), reduced(second)))
    }

    /// Whether declarations do not resolve `ty`, so that it may be any type.
    pub fn is_uncertain(&self, ty: TypeId) -> bool {
        Agreement { queries: self, signature: None }.is_uncertain(ty)
    }

    /// Whether two signatures have the same parameters and require the same, however that is written.
    pub fn same_signature(&self, first: SignatureId, second: SignatureId) -> bool {
        let [first, second] = [first, second].map(|signature| {
            let nameless = canonical::nameless(self.context, signature);
            self.generics().canonical_signature(nameless).unwrap_or(nameless)
        });
        first == second
    }
}

/// The comparison of types in a function.
#[derive(Clone, Copy)]
struct Agreement<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    /// The signature whose type parameters the types are in terms of, and which they are reduced by; none where it is
    /// not known.
    signature: Option<SignatureId>,
}

impl Agreement<'_, '_> {
    /// The comparison of types in terms of a signature of their own.
    fn elsewhere(&self) -> Self {
        Self { signature: None, ..*self }
    }

    fn types(&self, first: TypeId, second: TypeId) -> bool {
        let (first, second) = (self.queries.canonical_type(first), self.queries.canonical_type(second));
        first == second || self.is_uncertain(first) || self.is_uncertain(second) || self.parts(first, second)
    }

    fn is_uncertain(&self, ty: TypeId) -> bool {
        match self.queries.get(ty) {
            Type::DependentMember { .. } => {
                let generics = self.queries.generics();
                !self.signature.is_some_and(|signature| generics.is_archetype(signature, ty))
            }
            Type::Unresolved { .. }
            | Type::OpaqueResult { .. }
            | Type::PackElementArchetype { .. }
            | Type::PackElement(_)
            | Type::PackExpansion { .. } => true,
            // A type that no symbol mentions may be an alias.
            Type::Nominal(nominal) => self.queries.declarations.get(nominal.declaration).kind == NominalKind::Unknown,
            Type::Protocol { protocol, .. } => self.queries.declarations.get(*protocol).kind == NominalKind::Unknown,
            _ => false,
        }
    }

    /// Whether types of one kind have parts that agree.
    fn parts(&self, first: TypeId, second: TypeId) -> bool {
        let agree = |first: TypeId, second: TypeId| self.types(first, second);
        match (self.queries.get(first), self.queries.get(second)) {
            (Type::DynamicSelf(inner), _) => agree(*inner, second),
            (_, Type::DynamicSelf(inner)) => agree(first, *inner),
            (Type::Nominal(first), Type::Nominal(second)) => self.nominals(first, second),
            (Type::Tuple(first), Type::Tuple(second)) => {
                // Labels are lost and won on the way through results and parameters.
                first.len() == second.len()
                    && first.iter().zip(second).all(|(first, second)| agree(first.ty, second.ty))
            }
            (Type::Function(first), Type::Function(second)) => self.functions(first, second),
            (Type::FormalFunction(first), Type::FormalFunction(second)) => self.formal_functions(first, second),
            (
                Type::Metatype { instance: first, representation: one },
                Type::Metatype { instance: second, representation: other },
            )
            | (
                Type::ExistentialMetatype { instance: first, representation: one },
                Type::ExistentialMetatype { instance: second, representation: other },
            ) => one == other && agree(*first, *second),
            (Type::Existential(first), Type::Existential(second)) => agree(*first, *second),
            (
                Type::Protocol { protocol: one, arguments: first },
                Type::Protocol { protocol: other, arguments: second },
            ) => self.declarations(*one, *other) && self.lists(first, second),
            (Type::Composition(first), Type::Composition(second)) => {
                first.class_constraint == second.class_constraint && self.lists(&first.members, &second.members)
            }
            (Type::Storage { kind: one, referent: first }, Type::Storage { kind: other, referent: second }) => {
                one == other && agree(*first, *second)
            }
            (Type::Pack { elements: first, storage: one }, Type::Pack { elements: second, storage: other }) => {
                one == other && self.lists(first, second)
            }
            (Type::Box(first), Type::Box(second)) => self.boxes(first, second),
            (Type::BlockStorage(first), Type::BlockStorage(second))
            | (Type::InOut(first), Type::InOut(second))
            | (Type::MoveOnlyWrapper(first), Type::MoveOnlyWrapper(second)) => agree(*first, *second),
            (
                Type::OpenedArchetype { uuid: one, interface: first, .. },
                Type::OpenedArchetype { uuid: other, interface: second, .. },
            ) => (one == other && agree(*first, *second)) || self.is_member(*first) || self.is_member(*second),
            // A member of an opened archetype may be fixed by the existential that was opened.
            (Type::OpenedArchetype { interface, .. }, _) | (_, Type::OpenedArchetype { interface, .. }) => {
                self.is_member(*interface)
            }
            (Type::Builtin(first), Type::Builtin(second)) => self.builtins(*first, *second),
            _ => false,
        }
    }

    fn builtins(&self, first: BuiltinType, second: BuiltinType) -> bool {
        use BuiltinType::FixedArray;
        match (first, second) {
            (FixedArray { count: one, element: first }, FixedArray { count: other, element: second }) => {
                self.types(one, other) && self.types(first, second)
            }
            _ => false,
        }
    }

    fn is_member(&self, interface: TypeId) -> bool {
        matches!(self.queries.get(interface), Type::DependentMember { .. })
    }

    fn nominals(&self, first: &NominalType, second: &NominalType) -> bool {
        let parents = match (first.parent, second.parent) {
            (Some(first), Some(second)) => self.types(first, second),
            _ => true,
        };
        self.declarations(first.declaration, second.declaration)
            && parents
            && self.lists(&first.arguments, &second.arguments)
    }

    /// Whether two declarations are the same: the stand-in of a name of several types may be any of these.
    fn declarations(&self, first: NominalId, second: NominalId) -> bool {
        first == second || self.queries.declarations.open_names.may_be_same(first, second)
    }

    fn lists(&self, first: &[TypeId], second: &[TypeId]) -> bool {
        first.len() == second.len() && first.iter().zip(second).all(|(first, second)| self.types(*first, *second))
    }

    /// Signatures are compared by their parameters alone: requirements are written in more than one way.
    fn functions(&self, first: &FunctionType, second: &FunctionType) -> bool {
        let parameters =
            first.parameters.iter().chain(&first.yields).zip(second.parameters.iter().chain(&second.yields));
        let results = first.results.iter().chain(&first.error).zip(second.results.iter().chain(&second.error));
        let is_pattern = first.pattern.is_some() || first.signature.is_some();
        let inner = if is_pattern { self.elsewhere() } else { *self };
        self.representations(first.representation, second.representation)
            && first.callee == second.callee
            && first.coroutine == second.coroutine
            && first.differentiability == second.differentiability
            && attributes_agree(first, second)
            && first.parameters.len() == second.parameters.len()
            && first.yields.len() == second.yields.len()
            && first.results.len() == second.results.len()
            && first.error.is_some() == second.error.is_some()
            && first.signature.is_some() == second.signature.is_some()
            && self.maps(first.pattern, second.pattern)
            && self.maps(first.invocation, second.invocation)
            && parameters.into_iter().all(|(first, second)| {
                let same = first.convention == second.convention || self.is_guessed(first.ty);
                same && inner.types(first.ty, second.ty)
            })
            && results.into_iter().all(|(first, second)| {
                let same = first.convention == second.convention || self.is_guessed(first.ty);
                same && inner.types(first.ty, second.ty)
            })
    }

    fn representations(&self, first: Representation, second: Representation) -> bool {
        match (first, second) {
            (Representation::WitnessMethod(first), Representation::WitnessMethod(second)) => {
                self.declarations(first, second)
            }
            _ => first == second,
        }
    }

    /// Whether it is not known how a value of the type is passed.
    fn is_guessed(&self, ty: TypeId) -> bool {
        self.queries.properties(ty, None).is_guessed()
    }

    /// Of maps the replacements are compared: signatures are written in more than one way.
    fn maps(&self, first: Option<SubstitutionMapId>, second: Option<SubstitutionMapId>) -> bool {
        let replacements = |map: SubstitutionMapId| self.queries.context.replacements(map);
        match (first, second) {
            (None, None) => true,
            (Some(first), Some(second)) => self.lists(replacements(first), replacements(second)),
            _ => false,
        }
    }

    fn formal_functions(&self, first: &FormalFunctionType, second: &FormalFunctionType) -> bool {
        let throws = match (first.throws, second.throws) {
            (Throws::Typed(first), Throws::Typed(second)) => self.types(first, second),
            _ => true,
        };
        throws
            && first.parameters.len() == second.parameters.len()
            && self.types(first.result, second.result)
            && first.parameters.iter().zip(&second.parameters).all(|(first, second)| self.types(first.ty, second.ty))
    }

    fn boxes(&self, first: &BoxType, second: &BoxType) -> bool {
        let inner = if first.substitutions.is_some() { self.elsewhere() } else { *self };
        first.fields.len() == second.fields.len()
            && self.maps(first.substitutions, second.substitutions)
            && first
                .fields
                .iter()
                .zip(&second.fields)
                .all(|(first, second)| first.mutability == second.mutability && inner.types(first.ty, second.ty))
    }
}

/// The replacement of a type parameter does not state whether it escapes, if it is a function.
fn attributes_agree(first: &FunctionType, second: &FunctionType) -> bool {
    let (mut one, mut other) = (first.attributes, second.attributes);
    if first.pattern.is_some() && second.pattern.is_some() {
        one.remove(FunctionAttribute::NoEscape);
        other.remove(FunctionAttribute::NoEscape);
    }
    one == other
}

//! When two types are the same as far as declarations tell: equal up to sugar and labels, or not known well enough.
//! The reader and the verifier ask this, so that nothing valid is rejected.

use super::*;
use crate::context::SignatureId;
use crate::declarations::NominalKind;

impl TypeQueries<'_> {
    /// Whether two SIL types are the same, as far as declarations tell.
    pub fn agree(&self, first: SilType, second: SilType) -> bool {
        first.category == second.category && self.agree_types(first.ty, second.ty)
    }

    /// Whether two types are the same, as far as declarations tell. Members of archetypes that could not be resolved agree with all.
    pub fn agree_types(&self, first: TypeId, second: TypeId) -> bool {
        first == second || agree_types(self, first, second)
    }

    /// Whether declarations do not tell what `ty` is, so that it may be any type.
    pub fn is_uncertain(&self, ty: TypeId) -> bool {
        is_uncertain(self, self.get(ty))
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

fn agree_types(queries: &TypeQueries<'_>, first: TypeId, second: TypeId) -> bool {
    let (first, second) = (queries.canonical_type(first), queries.canonical_type(second));
    first == second || parts_agree(queries, queries.get(first), queries.get(second))
}

fn is_uncertain(queries: &TypeQueries<'_>, ty: &Type) -> bool {
    match ty {
        Type::Unresolved { .. }
        | Type::DependentMember { .. }
        | Type::OpaqueResult { .. }
        | Type::PackElementArchetype { .. }
        | Type::PackElement(_)
        | Type::PackExpansion { .. } => true,
        // What no symbol mentions may be an alias.
        Type::Nominal(nominal) => queries.declarations.get(nominal.declaration).kind == NominalKind::Unknown,
        Type::Protocol { protocol, .. } => queries.declarations.get(*protocol).kind == NominalKind::Unknown,
        _ => false,
    }
}

fn parts_agree(queries: &TypeQueries<'_>, first: &Type, second: &Type) -> bool {
    if is_uncertain(queries, first) || is_uncertain(queries, second) {
        return true;
    }
    let agree = |first: TypeId, second: TypeId| agree_types(queries, first, second);
    match (first, second) {
        (Type::DynamicSelf(inner), other) | (other, Type::DynamicSelf(inner)) => {
            let inner = queries.get(*inner);
            inner == other || parts_agree(queries, inner, other)
        }
        (Type::Nominal(first), Type::Nominal(second)) => nominals_agree(queries, first, second),
        (Type::Tuple(first), Type::Tuple(second)) => {
            // Labels are lost and won on the way through results and parameters.
            first.len() == second.len() && first.iter().zip(second).all(|(first, second)| agree(first.ty, second.ty))
        }
        (Type::Function(first), Type::Function(second)) => functions_agree(queries, first, second),
        (Type::FormalFunction(first), Type::FormalFunction(second)) => formal_functions_agree(queries, first, second),
        (
            Type::Metatype { instance: first, representation: one },
            Type::Metatype { instance: second, representation: other },
        )
        | (
            Type::ExistentialMetatype { instance: first, representation: one },
            Type::ExistentialMetatype { instance: second, representation: other },
        ) => one == other && agree(*first, *second),
        (Type::Existential(first), Type::Existential(second)) => agree(*first, *second),
        (Type::Protocol { protocol: one, arguments: first }, Type::Protocol { protocol: other, arguments: second }) => {
            one == other && lists_agree(queries, first, second)
        }
        (Type::Composition(first), Type::Composition(second)) => {
            first.class_constraint == second.class_constraint && lists_agree(queries, &first.members, &second.members)
        }
        (Type::Storage { kind: one, referent: first }, Type::Storage { kind: other, referent: second }) => {
            one == other && agree(*first, *second)
        }
        (Type::Pack { elements: first, storage: one }, Type::Pack { elements: second, storage: other }) => {
            one == other && lists_agree(queries, first, second)
        }
        (Type::Box(first), Type::Box(second)) => boxes_agree(queries, first, second),
        (Type::BlockStorage(first), Type::BlockStorage(second))
        | (Type::InOut(first), Type::InOut(second))
        | (Type::MoveOnlyWrapper(first), Type::MoveOnlyWrapper(second)) => agree(*first, *second),
        (
            Type::OpenedArchetype { uuid: one, interface: first, .. },
            Type::OpenedArchetype { uuid: other, interface: second, .. },
        ) => (one == other && agree(*first, *second)) || is_member(queries, *first) || is_member(queries, *second),
        // A member of an opened archetype may be fixed by the existential that was opened.
        (Type::OpenedArchetype { interface, .. }, _) | (_, Type::OpenedArchetype { interface, .. }) => {
            is_member(queries, *interface)
        }
        (Type::Builtin(first), Type::Builtin(second)) => builtins_agree(queries, *first, *second),
        _ => false,
    }
}

fn builtins_agree(queries: &TypeQueries<'_>, first: BuiltinType, second: BuiltinType) -> bool {
    use BuiltinType::FixedArray;
    match (first, second) {
        (FixedArray { count: one, element: first }, FixedArray { count: other, element: second }) => {
            agree_types(queries, one, other) && agree_types(queries, first, second)
        }
        _ => false,
    }
}

fn is_member(queries: &TypeQueries<'_>, interface: TypeId) -> bool {
    matches!(queries.get(interface), Type::DependentMember { .. })
}

fn nominals_agree(queries: &TypeQueries<'_>, first: &NominalType, second: &NominalType) -> bool {
    let parents = match (first.parent, second.parent) {
        (Some(first), Some(second)) => agree_types(queries, first, second),
        _ => true,
    };
    first.declaration == second.declaration && parents && lists_agree(queries, &first.arguments, &second.arguments)
}

fn lists_agree(queries: &TypeQueries<'_>, first: &[TypeId], second: &[TypeId]) -> bool {
    first.len() == second.len() && first.iter().zip(second).all(|(first, second)| agree_types(queries, *first, *second))
}

/// Signatures are compared by their parameters alone: requirements are written in more than one way.
fn functions_agree(queries: &TypeQueries<'_>, first: &FunctionType, second: &FunctionType) -> bool {
    let parameters = first.parameters.iter().chain(&first.yields).zip(second.parameters.iter().chain(&second.yields));
    let results = first.results.iter().chain(&first.error).zip(second.results.iter().chain(&second.error));
    first.representation == second.representation
        && first.callee == second.callee
        && first.coroutine == second.coroutine
        && attributes_agree(first, second)
        && first.parameters.len() == second.parameters.len()
        && first.yields.len() == second.yields.len()
        && first.results.len() == second.results.len()
        && first.error.is_some() == second.error.is_some()
        && first.signature.is_some() == second.signature.is_some()
        && maps_agree(queries, first.pattern, second.pattern)
        && maps_agree(queries, first.invocation, second.invocation)
        && parameters.into_iter().all(|(first, second)| {
            let same = first.convention == second.convention || is_guessed(queries, first.ty);
            same && agree_types(queries, first.ty, second.ty)
        })
        && results.into_iter().all(|(first, second)| {
            let same = first.convention == second.convention || is_guessed(queries, first.ty);
            same && agree_types(queries, first.ty, second.ty)
        })
}

/// What stands for a type parameter does not say whether it escapes, where it is a function.
fn attributes_agree(first: &FunctionType, second: &FunctionType) -> bool {
    let (mut one, mut other) = (first.attributes, second.attributes);
    if first.pattern.is_some() && second.pattern.is_some() {
        one.remove(FunctionAttribute::NoEscape);
        other.remove(FunctionAttribute::NoEscape);
    }
    one == other
}

/// Whether it is not known how a value of the type is passed.
fn is_guessed(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    queries.properties(ty, None).is_guessed()
}

/// Of maps the replacements are compared: signatures are written in more than one way.
fn maps_agree(queries: &TypeQueries<'_>, first: Option<SubstitutionMapId>, second: Option<SubstitutionMapId>) -> bool {
    let replacements = |map: SubstitutionMapId| queries.context.replacements(map);
    match (first, second) {
        (None, None) => true,
        (Some(first), Some(second)) => lists_agree(queries, replacements(first), replacements(second)),
        _ => false,
    }
}

fn formal_functions_agree(queries: &TypeQueries<'_>, first: &FormalFunctionType, second: &FormalFunctionType) -> bool {
    let throws = match (first.throws, second.throws) {
        (Throws::Typed(first), Throws::Typed(second)) => agree_types(queries, first, second),
        _ => true,
    };
    throws
        && first.parameters.len() == second.parameters.len()
        && agree_types(queries, first.result, second.result)
        && first
            .parameters
            .iter()
            .zip(&second.parameters)
            .all(|(first, second)| agree_types(queries, first.ty, second.ty))
}

fn boxes_agree(queries: &TypeQueries<'_>, first: &BoxType, second: &BoxType) -> bool {
    first.fields.len() == second.fields.len()
        && maps_agree(queries, first.substitutions, second.substitutions)
        && first
            .fields
            .iter()
            .zip(&second.fields)
            .all(|(first, second)| first.mutability == second.mutability && agree_types(queries, first.ty, second.ty))
}

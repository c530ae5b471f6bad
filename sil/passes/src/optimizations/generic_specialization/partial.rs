//! Partial specialisation: specialises a generic function for types that are not all concrete. The specialisation is
//! generic over the rest (`FunctionSignaturePartialSpecializer` in lib/SILOptimizer/Utils/Generics.cpp).

use sil_ir::context::{
    FunctionType, GenericParameter, GenericParameterKind, GenericSignature, Requirement, SignatureId,
    SubstitutionMapId, Type, TypeId,
};
use sil_ir::model::Function;
use sil_ir::types::TypeQueries;

use crate::pass::settings::PartialSpecialization;

/// The generic signature of a partial specialisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Remainder {
    /// The signature. Parameters with a known type have a same-type requirement.
    pub(super) signature: SignatureId,
    /// The substitutions from the original generic parameters.
    pub(super) substitutions: SubstitutionMapId,
    /// The substitutions of the call.
    pub(super) arguments: SubstitutionMapId,
}

impl Remainder {
    /// The signature of a partial specialisation of `callee` for a call in `caller` with `substitutions`. `None` if it
    /// would not differ from `callee`.
    pub(super) fn new(
        queries: &TypeQueries<'_>,
        allowed: PartialSpecialization,
        caller: &Function,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let types = queries.context.replacements(substitutions);
        let is_known = |ty: &TypeId| !queries.is_dependent(*ty);
        let is_plain = |parameter: &GenericParameter| parameter.kind == GenericParameterKind::Type;
        let Type::Function(function) = queries.get(queries.canonical_type(callee.ty)) else { return None };
        let signature = queries.context.get_signature(function.signature?);
        if signature.parameters.len() != types.len() || !signature.parameters.iter().all(is_plain) {
            return None;
        }
        match allowed {
            PartialSpecialization::Disabled => None,
            PartialSpecialization::KnownTypes => {
                types.iter().any(is_known).then(|| Self::of_known_types(queries, function, substitutions)).flatten()
            }
            PartialSpecialization::AllTypes => {
                let is_same = |ty: &TypeId| queries.is_type_parameter(*ty);
                if types.iter().all(is_same) {
                    return None;
                }
                Self::of_all_types(queries, caller, function, substitutions)
            }
        }
    }

    /// Keeps the parameters, and adds same-type requirements for those with concrete types.
    fn of_known_types(
        queries: &TypeQueries<'_>,
        function: &FunctionType,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let GenericSignature { parameters, requirements } = queries.context.get_signature(function.signature?);
        let types = queries.context.replacements(substitutions);
        let mut all = requirements.to_vec();
        let mut replacements = Vec::new();
        for (parameter, ty) in parameters.iter().zip(types) {
            let own = parameter_type(queries, *parameter);
            let is_known = !queries.is_dependent(*ty);
            all.extend(is_known.then_some(Requirement::SameType { first: own, second: *ty }));
            replacements.push(if is_known { *ty } else { own });
        }
        Self::complete(queries, parameters.to_vec(), all, substitutions, (replacements, types.to_vec()))
    }

    /// Creates a parameter for each of the caller's parameters in the types, followed by one for each of the callee's
    /// parameters with a same-type requirement.
    fn of_all_types(
        queries: &TypeQueries<'_>,
        caller: &Function,
        function: &FunctionType,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let callee = queries.context.get_signature(function.signature?);
        let written = queries.context.replacements(substitutions);
        let types: Vec<TypeId> = written.iter().map(|ty| queries.canonical_type(*ty)).collect();
        let outer = caller_signature(queries, caller);
        let bound = written.iter().filter(|ty| is_bound(queries, outer, queries.canonical_type(**ty)));
        let (used, used_as_written) = used_parameters(queries, bound.copied());
        let is_bound = |ty: TypeId| is_bound(queries, outer, ty);
        let count = used.len() + types.len();
        let parameters: Vec<GenericParameter> = (0..count as u32).map(plain_parameter).collect();
        let new: Vec<TypeId> = parameters.iter().map(|parameter| parameter_type(queries, *parameter)).collect();
        let (of_caller, of_callee) = new.split_at(used.len());
        // The caller's types in terms of the new parameters.
        let renamed = outer.map(|outer| {
            let by = |parameter: &GenericParameter| {
                let own = parameter_type(queries, *parameter);
                used.iter().position(|used| *used == own).map_or(own, |index| of_caller[index])
            };
            let parameters = &queries.context.get_signature(outer).parameters;
            queries.context.substitutions(outer, parameters.iter().map(by).collect::<Vec<_>>())
        });
        let rename = |ty: TypeId| renamed.map_or(ty, |map| queries.substitute(ty, map));
        let mut all = Vec::new();
        let mut replacements = Vec::new();
        let mut arguments = used_as_written;
        arguments.extend(written);
        for (ty, own) in types.iter().zip(of_callee) {
            let ty_here = rename(*ty);
            all.extend(is_bound(*ty).then_some(Requirement::SameType { first: *own, second: ty_here }));
            replacements.push(if is_bound(*ty) { ty_here } else { *own });
        }
        let own = queries.context.substitutions(function.signature?, of_callee.to_vec());
        all.extend(
            callee.requirements.iter().map(|requirement| mapped(requirement, &|ty| queries.substitute(ty, own))),
        );
        if let Some(outer) = outer {
            let requirements = queries.context.get_signature(outer).requirements.iter();
            let is_of_used = |requirement: &&Requirement| {
                let roots = roots(queries, requirement);
                !roots.is_empty() && roots.iter().all(|root| used.contains(root))
            };
            all.extend(requirements.filter(is_of_used).map(|requirement| mapped(requirement, &rename)));
        }
        Self::complete(queries, parameters, all, substitutions, (replacements, arguments))
    }

    fn complete(
        queries: &TypeQueries<'_>,
        parameters: Vec<GenericParameter>,
        requirements: Vec<Requirement>,
        substitutions: SubstitutionMapId,
        (replacements, arguments): (Vec<TypeId>, Vec<TypeId>),
    ) -> Option<Self> {
        let context = queries.context;
        let written =
            context.signature(GenericSignature { parameters: parameters.into(), requirements: requirements.into() });
        let signature = queries.generics().canonical_signature(written)?;
        let of_callee = context.get_substitutions(substitutions).signature;
        Some(Self {
            signature,
            substitutions: context.substitutions(of_callee, replacements),
            arguments: context.substitutions(signature, arguments),
        })
    }

    /// The substitutions of the specialisation for a call of another function of the same signature.
    pub(super) fn forwarded(&self, queries: &TypeQueries<'_>) -> SubstitutionMapId {
        let parameters = &queries.context.get_signature(self.signature).parameters;
        let own =
            |parameter: &GenericParameter| queries.reduced_type(parameter_type(queries, *parameter), self.signature);
        queries.context.substitutions(self.signature, parameters.iter().map(own).collect::<Vec<_>>())
    }
}

fn plain_parameter(index: u32) -> GenericParameter {
    GenericParameter { name: None, depth: 0, index, kind: GenericParameterKind::Type }
}

fn parameter_type(queries: &TypeQueries<'_>, parameter: GenericParameter) -> TypeId {
    queries.context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index })
}

/// The canonical signature of a function.
fn caller_signature(queries: &TypeQueries<'_>, caller: &Function) -> Option<SignatureId> {
    match queries.get(queries.canonical_type(caller.ty)) {
        Type::Function(function) => function.signature,
        _ => None,
    }
}

/// The distinct generic parameters in types, in canonical and in written form.
fn used_parameters(queries: &TypeQueries<'_>, types: impl Iterator<Item = TypeId>) -> (Vec<TypeId>, Vec<TypeId>) {
    let (mut used, mut written): (Vec<TypeId>, Vec<TypeId>) = (Vec::new(), Vec::new());
    for ty in types {
        let mut add = |part: TypeId| -> Option<()> {
            let canonical = queries.canonical_type(part);
            if matches!(queries.get(canonical), Type::GenericParameter { .. }) && !used.contains(&canonical) {
                used.push(canonical);
                written.push(part);
            }
            None
        };
        queries.find_in(ty, &mut add);
    }
    (used, written)
}

/// Returns whether a parameter is replaced with a type that another signature can express
/// (`shouldBePartiallySpecialized`).
fn is_bound(queries: &TypeQueries<'_>, outer: Option<SignatureId>, ty: TypeId) -> bool {
    let is_opened = |part: TypeId| {
        let found = queries.get(part);
        matches!(found, Type::OpenedArchetype { .. } | Type::PackElementArchetype { .. } | Type::OpaqueResult { .. })
            .then_some(())
    };
    let depends_on_others = |part: TypeId| {
        let requirements = &queries.context.get_signature(outer?).requirements;
        requirements.iter().find_map(|requirement| {
            let roots = roots(queries, requirement);
            (roots.len() > 1 && roots.contains(&part)).then_some(())
        })
    };
    queries.find_in(ty, &mut { is_opened }).is_none() && queries.find_in(ty, &mut { depends_on_others }).is_none()
}

/// The generic parameters that a requirement refers to.
fn roots(queries: &TypeQueries<'_>, requirement: &Requirement) -> Vec<TypeId> {
    let types = match requirement {
        Requirement::SameType { first, second } => vec![*first, *second],
        Requirement::Conformance { subject, .. }
        | Requirement::Superclass { subject, .. }
        | Requirement::Layout { subject, .. }
        | Requirement::Inverse { subject, .. } => vec![*subject],
    };
    let mut roots = Vec::new();
    for ty in types {
        let mut add = |part: TypeId| -> Option<()> {
            if matches!(queries.get(part), Type::GenericParameter { .. }) && !roots.contains(&part) {
                roots.push(part);
            }
            None
        };
        queries.find_in(ty, &mut add);
    }
    roots
}

/// Maps the types of a requirement.
fn mapped(requirement: &Requirement, map: &dyn Fn(TypeId) -> TypeId) -> Requirement {
    match requirement {
        Requirement::Conformance { subject, constraint } => {
            Requirement::Conformance { subject: map(*subject), constraint: map(*constraint) }
        }
        Requirement::Superclass { subject, superclass } => {
            Requirement::Superclass { subject: map(*subject), superclass: map(*superclass) }
        }
        Requirement::SameType { first, second } => Requirement::SameType { first: map(*first), second: map(*second) },
        Requirement::Layout { subject, constraint } => {
            Requirement::Layout { subject: map(*subject), constraint: constraint.clone() }
        }
        Requirement::Inverse { subject, inverse } => Requirement::Inverse { subject: map(*subject), inverse: *inverse },
    }
}

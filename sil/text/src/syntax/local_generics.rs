//! The types of members of generic local types, in terms of the types' parameters, from the types of their members with
//! arguments in bodies (`local_members`).
//!
//! A body that has the type with its own parameters as arguments determines the member's type exactly. If none is left,
//! as in optimised modules, the result is a type that is valid for all arguments with which the type is used.

use rustc_hash::{FxHashMap, FxHashSet};

use sil_ir::context::{Name, NominalId, NominalType, SubstitutionMapId, TupleElement, Type, TypeId};
use sil_ir::model::Body;
use sil_ir::types::TypeQueries;

/// The evidence of bodies on the type of a placeholder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The type is known.
    One(TypeId),
    /// A box of the type, as payloads of indirect cases have.
    Boxed(TypeId),
    /// The bodies disagree, or their type is not the formal type.
    Nothing,
}

/// The evidence of bodies on types, by placeholder.
pub(super) type FoundTypes = FxHashMap<TypeId, Found>;

/// The types of members that bodies determine, including members of generic types.
pub(super) struct Stated<'q> {
    queries: &'q TypeQueries<'q>,
    found: FoundTypes,
    /// The placeholders for members of generic types with arguments, by name.
    of_generic: FxHashMap<Name, Vec<TypeId>>,
    /// The arguments with which local generic types are used.
    used: FxHashMap<NominalId, Vec<Box<[TypeId]>>>,
}

impl<'q> Stated<'q> {
    /// Creates the table from `found` and the uses of the local `generic` types in `bodies`.
    pub(super) fn new<'b>(
        queries: &'q TypeQueries<'q>,
        bodies: impl Iterator<Item = &'b Body>,
        generic: &FxHashSet<NominalId>,
        found: FoundTypes,
    ) -> Self {
        let mut stated = Self { queries, found, of_generic: FxHashMap::default(), used: FxHashMap::default() };
        for unknown in stated.found.keys() {
            if let Type::Unresolved { name, arguments } = queries.get(*unknown)
                && !arguments.is_empty()
            {
                stated.of_generic.entry(*name).or_default().push(*unknown);
            }
        }
        if !generic.is_empty() {
            bodies.for_each(|body| stated.note_uses(generic, body));
        }
        stated
    }

    fn note_uses(&mut self, generic: &FxHashSet<NominalId>, body: &Body) {
        let queries = self.queries;
        let mut seen = FxHashSet::default();
        let results = body.placed_instructions().flat_map(|id| body.results(id));
        let arguments = body.blocks.values().flat_map(|block| block.arguments.iter().copied());
        for ty in results.chain(arguments).map(|value| body.ty(value).ty).filter(|ty| seen.insert(*ty)) {
            queries.find_in(ty, &mut |part| {
                if let Type::Nominal(nominal) = queries.get(part)
                    && generic.contains(&nominal.declaration)
                {
                    let arguments =
                        nominal.arguments.iter().map(|argument| queries.canonical_type(*argument)).collect();
                    let used = self.used.entry(nominal.declaration).or_default();
                    if !used.contains(&arguments) {
                        used.push(arguments);
                    }
                }
                None::<()>
            });
        }
    }

    /// Returns the type of the member of `nominal` with the placeholder `unknown`.
    pub(super) fn of(&self, nominal: NominalId, unknown: TypeId) -> Found {
        let Type::Unresolved { name, arguments } = self.queries.get(unknown) else { return Found::Nothing };
        if arguments.is_empty() {
            return self.found.get(&unknown).copied().unwrap_or(Found::Nothing);
        }
        let known = self.of_generic.get(name).map_or(&[][..], Vec::as_slice);
        let instances: Vec<Instance<'_>> = known.iter().filter_map(|known| self.instance(*known)).collect();
        let used = self.used.get(&nominal).map_or(&[][..], Vec::as_slice);
        let Some(general) = generalized(self.queries, nominal, &instances, used) else { return Found::Nothing };
        let boxed = known.iter().filter(|known| matches!(self.found.get(known), Some(Found::Boxed(_)))).count();
        match boxed {
            0 => Found::One(general),
            _ if boxed == known.len() => Found::Boxed(general),
            _ => Found::Nothing,
        }
    }

    fn instance(&self, known: TypeId) -> Option<Instance<'_>> {
        let Type::Unresolved { arguments, .. } = self.queries.get(known) else { return None };
        let ty = match self.found.get(&known)? {
            Found::One(ty) | Found::Boxed(ty) => Some(*ty),
            Found::Nothing => None,
        };
        Some(Instance { arguments, ty })
    }
}

/// The type of a member of a type with these arguments.
struct Instance<'a> {
    /// The arguments.
    arguments: &'a [TypeId],
    /// The type of the member; `None` if bodies disagree.
    ty: Option<TypeId>,
}

/// Returns the type of a member of the generic type `nominal` in terms of the type's parameters. `used` are all
/// arguments with which the type is used.
fn generalized(
    queries: &TypeQueries<'_>,
    nominal: NominalId,
    instances: &[Instance<'_>],
    used: &[Box<[TypeId]>],
) -> Option<TypeId> {
    let parameters = parameters_of(queries, nominal)?;
    let (exact, others): (Vec<&Instance<'_>>, Vec<&Instance<'_>>) =
        instances.iter().partition(|instance| are_parameters(queries, instance.arguments));
    let chosen = if exact.is_empty() { &others } else { &exact };
    // Types with a function's own parameters as arguments have other arguments in its callers.
    let is_stated = |arguments: &[TypeId]| {
        are_parameters(queries, arguments)
            || chosen.iter().any(|instance| covers(queries, instance.arguments, arguments))
    };
    if exact.is_empty() && !used.iter().all(|arguments| is_stated(arguments)) {
        return None;
    }
    let stated: Option<Vec<(&[TypeId], TypeId)>> =
        chosen.iter().map(|instance| Some((instance.arguments, instance.ty?))).collect();
    let general = generalize(queries, &parameters, &stated?)?;
    let signature = queries.declarations.get(nominal).signature?;
    let fits = |instance: &&Instance<'_>| {
        let map: SubstitutionMapId = queries.context.substitutions(signature, instance.arguments.to_vec());
        instance.ty.is_none_or(|ty| queries.substitute(general, map) == ty)
    };
    others.iter().all(fits).then_some(general)
}

/// Returns the parameters of a generic type as arguments for itself.
fn parameters_of(queries: &TypeQueries<'_>, nominal: NominalId) -> Option<Box<[TypeId]>> {
    let identity = queries.declarations.identity(queries.context, nominal);
    match queries.get(identity) {
        Type::Nominal(identity) if !identity.arguments.is_empty() => Some(identity.arguments.clone()),
        _ => None,
    }
}

/// Returns whether `arguments` are distinct generic parameters of a function.
fn are_parameters(queries: &TypeQueries<'_>, arguments: &[TypeId]) -> bool {
    let is_parameter = |ty: &TypeId| is_parameter(queries.get(*ty));
    let is_new = |(number, ty): (usize, &TypeId)| !arguments[..number].contains(ty);
    arguments.iter().all(is_parameter) && arguments.iter().enumerate().all(is_new)
}

/// Returns whether `arguments` are an instance of `general` with types substituted for its parameters.
fn covers(queries: &TypeQueries<'_>, general: &[TypeId], arguments: &[TypeId]) -> bool {
    let mut bound = Vec::new();
    let mut pairs: Vec<(TypeId, TypeId)> = general.iter().copied().zip(arguments.iter().copied()).collect();
    while let Some((general, ty)) = pairs.pop() {
        if is_parameter(queries.get(general)) {
            if bound.iter().any(|(parameter, known)| *parameter == general && *known != ty) {
                return false;
            }
            bound.push((general, ty));
        } else if general != ty {
            let (Some(wanted), Some(parts)) = (parts_of(queries, general, general), parts_of(queries, general, ty))
            else {
                return false;
            };
            if wanted.is_empty() || wanted.len() != parts.len() {
                return false;
            }
            pairs.extend(wanted.into_iter().zip(parts));
        }
    }
    true
}

/// Returns whether the type is a generic parameter.
pub(super) fn is_parameter(ty: &Type) -> bool {
    matches!(ty, Type::GenericParameter { .. } | Type::NamedParameter { .. })
}

/// Returns the type in terms of `parameters` whose substitution by each list of arguments in `stated` gives the paired
/// type.
fn generalize(queries: &TypeQueries<'_>, parameters: &[TypeId], stated: &[(&[TypeId], TypeId)]) -> Option<TypeId> {
    let (_, first) = *stated.first()?;
    let is_same = stated.iter().all(|(_, ty)| *ty == first);
    let mut find_parameter = |part| is_parameter(queries.get(part)).then_some(());
    if is_same && queries.find_in(first, &mut find_parameter).is_none() {
        return Some(first);
    }
    let is_argument = |number: usize| stated.iter().all(|(arguments, ty)| arguments.get(number) == Some(ty));
    if let Some(number) = (0..parameters.len()).find(|number| is_argument(*number)) {
        return Some(parameters[number]);
    }
    let parts: Option<Vec<Vec<TypeId>>> = stated.iter().map(|(_, ty)| parts_of(queries, first, *ty)).collect();
    let parts = parts?;
    let count = parts.first()?.len();
    let general = |number: usize| {
        let stated: Option<Vec<_>> =
            stated.iter().zip(&parts).map(|((arguments, _), parts)| Some((*arguments, *parts.get(number)?))).collect();
        generalize(queries, parameters, &stated?)
    };
    let general: Option<Vec<TypeId>> = (0..count).map(general).collect();
    with_parts(queries, first, &general?)
}

/// Returns the parts of `ty`, if it has the same structure as `like`.
fn parts_of(queries: &TypeQueries<'_>, like: TypeId, ty: TypeId) -> Option<Vec<TypeId>> {
    match (queries.get(like), queries.get(ty)) {
        (Type::Nominal(like), Type::Nominal(nominal))
            if like.declaration == nominal.declaration
                && like.arguments.len() == nominal.arguments.len()
                && like.parent.is_some() == nominal.parent.is_some() =>
        {
            Some(nominal.parent.into_iter().chain(nominal.arguments.iter().copied()).collect())
        }
        (Type::Tuple(like), Type::Tuple(elements))
            if like.iter().map(|element| element.label).eq(elements.iter().map(|element| element.label)) =>
        {
            Some(elements.iter().map(|element| element.ty).collect())
        }
        (
            Type::DependentMember { member: like, protocol: of, .. },
            Type::DependentMember { base, member, protocol },
        ) if (like, of) == (member, protocol) => Some(vec![*base]),
        (Type::Storage { kind: like, .. }, Type::Storage { kind, referent }) if like == kind => Some(vec![*referent]),
        _ => None,
    }
}

/// Returns the type with the structure of `like` and the parts `parts`.
fn with_parts(queries: &TypeQueries<'_>, like: TypeId, parts: &[TypeId]) -> Option<TypeId> {
    let ty = match queries.get(like).clone() {
        Type::Nominal(nominal) => {
            let (parent, arguments) = match nominal.parent {
                Some(_) => (Some(*parts.first()?), parts.get(1..)?),
                None => (None, parts),
            };
            Type::Nominal(NominalType { declaration: nominal.declaration, parent, arguments: arguments.into() })
        }
        Type::Tuple(elements) => {
            let with = |(element, part): (&TupleElement, &TypeId)| TupleElement { label: element.label, ty: *part };
            Type::Tuple(elements.iter().zip(parts).map(with).collect())
        }
        Type::DependentMember { member, protocol, .. } => {
            Type::DependentMember { base: *parts.first()?, member, protocol }
        }
        Type::Storage { kind, .. } => Type::Storage { kind, referent: *parts.first()? },
        _ => return None,
    };
    Some(queries.context.ty(ty))
}

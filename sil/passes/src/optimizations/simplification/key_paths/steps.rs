//! The projection steps of a key path literal, computed before anything is changed: the types of the components, and
//! whether each is read or written.
//!
//! Does not own: the instructions.

use sil_ir::context::{
    MemberId, MemberTarget, Name, ParameterConvention as Convention, SilType, SubstitutionMapId, TypeId,
};
use sil_ir::model::{KeyPath, KeyPathComponent, KeyPathComponentKind, KeyPathComputed};
use sil_ir::types::{AbstractionPattern, TypeQueries};

use crate::knowledge::enum_cases::OptionalCases;
use crate::knowledge::key_path_functions::PlaceAccess;
use crate::pass::Environment;

/// The projection of a component.
pub(super) enum Projection {
    /// A stored property of a struct.
    Struct(MemberId),
    /// A stored property of a class. The object is upcast to each of the superclasses first.
    Class { member: MemberId, superclasses: Vec<TypeId> },
    /// An element of a tuple.
    Tuple(u32),
    /// A computed property with its getter and setter.
    Computed { getter: (Name, TypeId), setter: Option<(Name, TypeId)>, substitutions: SubstitutionMapId },
    /// Wraps a value in an optional.
    Wrap(OptionalCases),
    /// The value of an optional, or a trap.
    Force(OptionalCases),
    /// The value of an optional, or `nil` for the whole key path.
    Chain(OptionalCases),
}

/// A projection, with the access of the projected address.
pub(super) struct Step {
    pub(super) projection: Projection,
    pub(super) access: PlaceAccess,
    /// The address type of the projection.
    pub(super) ty: SilType,
}

/// The steps of a key path.
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// The access of the root.
    pub(super) root_access: PlaceAccess,
}

impl Steps {
    /// The steps of `pattern` from a root of type `root` to an address that is accessed with `access`. `None` if a
    /// component needs indices, substitutions of another module's generic function, or an unknown declaration.
    pub(super) fn new(
        environment: Environment<'_>,
        pattern: &KeyPath,
        root: SilType,
        access: PlaceAccess,
    ) -> Option<Self> {
        let mut whole = root;
        let mut found = Vec::with_capacity(pattern.components.len());
        for component in &pattern.components {
            let (projection, ty) = projection(environment, pattern.substitutions, component, whole)?;
            found.push((projection, ty));
            whole = ty;
        }
        let mut access = access;
        let mut steps = Vec::with_capacity(found.len());
        for (projection, ty) in found.into_iter().rev() {
            let whole = projection.access_of_whole(environment.queries, access)?;
            steps.push(Step { projection, access, ty });
            access = whole;
        }
        steps.reverse();
        Some(Self { steps, root_access: access })
    }

    /// The address type of the key path for a root of the type `root`.
    pub(super) fn target(&self, root: SilType) -> SilType {
        self.steps.last().map_or(root, |step| step.ty)
    }

    /// Returns whether the key path is an optional chain.
    pub(super) fn is_optional_chain(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.projection, Projection::Chain(_)))
    }
}

impl Projection {
    /// The access of the component's base, for an access of the component. `None` if it is impossible.
    fn access_of_whole(&self, queries: &TypeQueries<'_>, access: PlaceAccess) -> Option<PlaceAccess> {
        match self {
            // Setting a part modifies the base.
            Self::Struct(_) | Self::Tuple(_) if access == PlaceAccess::Set => Some(PlaceAccess::Modify),
            Self::Struct(_) | Self::Tuple(_) => Some(access),
            Self::Class { .. } => Some(PlaceAccess::Get),
            Self::Computed { setter, .. } => match (access, setter) {
                (PlaceAccess::Get, _) => Some(PlaceAccess::Get),
                (PlaceAccess::Set | PlaceAccess::Modify, Some((_, setter))) => {
                    let whole = queries.conventions(*setter)?.function.parameters.last()?;
                    let is_changed = matches!(whole.convention, Convention::InOut | Convention::InOutAliasable);
                    Some(if is_changed { PlaceAccess::Modify } else { PlaceAccess::Get })
                }
                (PlaceAccess::Set | PlaceAccess::Modify, None) => None,
            },
            Self::Wrap(_) | Self::Chain(_) => (access == PlaceAccess::Get).then_some(PlaceAccess::Get),
            Self::Force(_) => Some(access),
        }
    }
}

/// The projection of a component from a base of type `whole`, and the type of the projected address.
fn projection(
    environment: Environment<'_>,
    substitutions: SubstitutionMapId,
    component: &KeyPathComponent,
    whole: SilType,
) -> Option<(Projection, SilType)> {
    let queries = environment.queries;
    let (projection, ty) = match &component.kind {
        KeyPathComponentKind::StoredProperty(member) => stored(queries, *member, whole.ty)?,
        KeyPathComponentKind::TupleElement(index) => {
            (Projection::Tuple(*index), queries.tuple_element_type(whole.ty, *index)?)
        }
        KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed) => {
            let value = queries.lower(queries.substitute(component.ty, substitutions), AbstractionPattern::Opaque);
            (computed_part(queries, computed, substitutions, [whole.ty, value])?, value)
        }
        KeyPathComponentKind::OptionalWrap => {
            let optional = queries.lower(queries.substitute(component.ty, substitutions), AbstractionPattern::Opaque);
            if !queries.same_type(queries.optional_object(optional)?, whole.ty) {
                return None;
            }
            (Projection::Wrap(OptionalCases::of(environment, optional)?), optional)
        }
        KeyPathComponentKind::OptionalForce => {
            (Projection::Force(OptionalCases::of(environment, whole.ty)?), queries.optional_object(whole.ty)?)
        }
        KeyPathComponentKind::OptionalChain => {
            (Projection::Chain(OptionalCases::of(environment, whole.ty)?), queries.optional_object(whole.ty)?)
        }
    };
    Some((projection, SilType::address(ty)))
}

fn stored(queries: &TypeQueries<'_>, member: MemberId, whole: TypeId) -> Option<(Projection, TypeId)> {
    let reference = queries.context.get_member(member);
    let (parent, MemberTarget::Stored(_)) = (reference.parent?, &reference.target) else { return None };
    let ty = queries.stored_property_type(whole, member)?;
    if !queries.is_class(whole) {
        return Some((Projection::Struct(member), ty));
    }
    let mut superclasses = Vec::new();
    let mut class = whole;
    while queries.as_nominal(class)?.declaration != parent {
        class = queries.superclass_of(class)?;
        superclasses.push(class);
    }
    Some((Projection::Class { member, superclasses }, ty))
}

/// A computed component between these types without captures.
fn computed_part(
    queries: &TypeQueries<'_>,
    computed: &KeyPathComputed,
    substitutions: SubstitutionMapId,
    [whole, value]: [TypeId; 2],
) -> Option<Projection> {
    let KeyPathComputed { getter, setter, indices, external, .. } = computed;
    let is_generic = external.is_some_and(|(_, substitutions)| substitutions != SubstitutionMapId::EMPTY);
    let takes = |function: TypeId| {
        let conventions = queries.applied_conventions(function, substitutions)?;
        let mut arguments = conventions.arguments();
        let is_passed = [value, whole].into_iter().all(|ty| {
            arguments.next().is_some_and(|argument| queries.same_sil_type(argument.ty, SilType::address(ty)))
        });
        Some(is_passed && arguments.next().is_none() && conventions.direct_results().next().is_none())
    };
    if is_generic || !indices.is_empty() || !takes(getter.1)? || !setter.map_or(Some(true), |(_, ty)| takes(ty))? {
        return None;
    }
    Some(Projection::Computed { getter: *getter, setter: *setter, substitutions })
}

//! The enum cases of switches and selects, and those that their defaults cover.

use sil_ir::context::{MemberId, MemberKind, MemberRef, MemberTarget, Name, NominalId, Type, TypeId};
use sil_ir::model::{DefaultCase, EnumCases};

use crate::pass::Environment;

/// Returns the `some` case of an optional.
pub(crate) fn optional_some(environment: Environment<'_>, optional: TypeId) -> Option<MemberId> {
    optional_case(environment, optional, 1, "some")
}

/// Returns the `none` case of an optional.
pub(crate) fn optional_none(environment: Environment<'_>, optional: TypeId) -> Option<MemberId> {
    optional_case(environment, optional, 0, "none")
}

/// Both cases of an optional.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OptionalCases {
    pub(crate) some: MemberId,
    pub(crate) none: MemberId,
}

impl OptionalCases {
    /// Returns the cases of `optional`, or `None` for other types.
    pub(crate) fn of(environment: Environment<'_>, optional: TypeId) -> Option<Self> {
        Some(Self { some: optional_some(environment, optional)?, none: optional_none(environment, optional)? })
    }
}

fn optional_case(environment: Environment<'_>, optional: TypeId, index: u32, name: &str) -> Option<MemberId> {
    let queries = environment.queries;
    queries.optional_object(optional)?;
    let declaration = queries.as_nominal(optional)?.declaration;
    Some(member(environment, declaration, index, queries.context.name(name)))
}

/// Returns the only case of the enum `ty` that the default covers. `None` without a default, or if it covers several
/// cases.
pub(crate) fn case_of_default(environment: Environment<'_>, ty: TypeId, cases: &EnumCases) -> Option<MemberId> {
    if cases.default == DefaultCase::Absent {
        return None;
    }
    let context = environment.queries.context;
    let Type::Nominal(nominal) = context.get(ty) else { return None };
    let declaration = environment.module.declarations.get(nominal.declaration);
    // Such an enum may have more cases at run time.
    if declaration.attributes.resilient && !declaration.attributes.frozen {
        return None;
    }
    let written: Vec<_> = cases.members.iter().map(|member| context.get_member(*member).name).collect();
    let mut left = (0u32..).zip(&declaration.cases).filter(|(_, case)| !written.contains(&case.name));
    match (left.next(), left.next()) {
        (Some((index, case)), None) => Some(member(environment, nominal.declaration, index, case.name)),
        _ => None,
    }
}

/// Returns the cases with the case of the default listed last, and without a default.
pub(crate) fn with_last_case(cases: &EnumCases, last: MemberId) -> EnumCases {
    EnumCases {
        members: cases.members.iter().copied().chain([last]).collect(),
        default: DefaultCase::Absent,
        counts: cases.counts.clone(),
    }
}

/// Returns the case `index` of an enum.
pub(crate) fn enum_case(environment: Environment<'_>, enumeration: NominalId, index: u32) -> Option<MemberId> {
    let case = environment.queries.declarations.get(enumeration).cases.get(index as usize)?;
    Some(member(environment, enumeration, index, case.name))
}

fn member(environment: Environment<'_>, parent: NominalId, index: u32, name: Name) -> MemberId {
    environment.queries.context.member(MemberRef::new(
        Some(parent),
        name,
        MemberKind::EnumElement,
        MemberTarget::Case(index),
    ))
}

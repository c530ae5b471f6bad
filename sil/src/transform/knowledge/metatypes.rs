//! Whether two metatypes are the same one, as far as their types tell (SwiftCompilerSources/Sources/Optimizer/InstructionSimplification/
//! SimplifyBuiltin.swift, `optimizeCompareMetatypes`). Does not own where metatypes come from.

use super::cast_feasibility::{CastFeasibility, SourceType};
use super::casts::Outcome;
use crate::context::{SignatureId, Type, TypeId};
use crate::types::TypeQueries;

/// Whether the metatypes of these two instance types are the same in a function with `signature`, where both are those of the types themselves or
/// perhaps of subclasses (`source`); none where that is not known.
pub(in crate::transform) fn are_same(
    queries: &TypeQueries<'_>,
    signature: Option<SignatureId>,
    [one, other]: [TypeId; 2],
    source: SourceType,
) -> Option<bool> {
    let is_dynamic = |ty: TypeId| matches!(queries.get(ty), Type::DynamicSelf(_));
    if is_dynamic(one) != is_dynamic(other) {
        return None;
    }
    if source == SourceType::Exact {
        if queries.same_type(one, other) {
            return Some(true);
        }
        let declaration = |ty| queries.as_nominal(ty).map(|nominal| nominal.declaration);
        let are_classes = [one, other].into_iter().all(|ty| queries.is_class(ty));
        let is_function = |ty: TypeId| matches!(queries.get(ty), Type::FormalFunction(_)) && !queries.is_dependent(ty);
        if are_classes && declaration(one) != declaration(other) || is_function(one) && is_function(other) {
            return Some(false);
        }
    }
    let casts = CastFeasibility::new(queries, signature);
    let fails = |from, to| casts.outcome(from, to, source) == Some(Outcome::Fails);
    (fails(one, other) || fails(other, one)).then_some(false)
}

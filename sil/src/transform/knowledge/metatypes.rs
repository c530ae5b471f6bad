//! Whether two metatypes are the same one, as far as their types tell (SwiftCompilerSources/Sources/Optimizer/InstructionSimplification/
//! SimplifyBuiltin.swift, `optimizeCompareMetatypes`), and which one a function has already. Does not own where metatypes come from.

use super::cast_feasibility::{CastFeasibility, SourceType};
use super::casts::Outcome;
use crate::context::{SignatureId, SilType, Type, TypeId};
use crate::declarations::NominalKind;
use crate::model::{Body, Value};
use crate::types::TypeQueries;

/// The argument of a function that is the metatype of type `ty`, which a type of values has one of (`InstSimplifier::visitMetatypeInst` in
/// lib/SILOptimizer/Analysis/SimplifyInstruction.cpp).
pub(in crate::transform) fn passed(queries: &TypeQueries<'_>, body: &Body, ty: SilType) -> Option<Value> {
    let Type::Metatype { instance, .. } = *queries.get(ty.ty) else { return None };
    let is_of_values = match queries.get(instance) {
        Type::Tuple(_) => true,
        Type::Nominal(nominal) => {
            let kind = queries.declarations.get(nominal.declaration).kind;
            matches!(kind, NominalKind::Struct | NominalKind::Enum)
        }
        _ => false,
    };
    let arguments = body.blocks[body.entry()].arguments.iter().copied();
    arguments.filter(|_| is_of_values).find(|argument| body.ty(*argument) == ty)
}

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

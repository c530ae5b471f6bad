//! Static equality of metatypes
//! (SwiftCompilerSources/Sources/Optimizer/InstructionSimplification/SimplifyBuiltin.swift,
//! `optimizeCompareMetatypes`), and metatypes that a function receives as arguments. Does not own: the creation of
//! metatypes.

use sil_ir::context::{SignatureId, SilType, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{Body, Value};
use sil_ir::types::TypeQueries;

use super::cast_feasibility::{CastFeasibility, SourceType};
use super::casts::Outcome;

/// Returns the argument that is the metatype of type `ty`, for structs, enums and tuples
/// (`InstSimplifier::visitMetatypeInst` in lib/SILOptimizer/Analysis/SimplifyInstruction.cpp).
pub(crate) fn passed(queries: &TypeQueries<'_>, body: &Body, ty: SilType) -> Option<Value> {
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

/// Returns whether the metatypes of two instance types are equal in a function with `signature`, or `None` if that is
/// not known. `source` is whether the metatypes are exact or may be those of subclasses.
pub(crate) fn are_same(
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

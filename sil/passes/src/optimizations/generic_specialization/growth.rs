//! Prevents infinite specialisation: with types that are too complex, or of a function with types that grow each time
//! (`isTypeTooComplex`, `createsInfiniteSpecializationLoop` in lib/SILOptimizer/Utils/Generics.cpp).

use sil_ir::context::{SpecializationHistory, SpecializationHistoryId, SubstitutionMapId, Type, TypeId};
use sil_ir::types::TypeQueries;

/// The limit on the number of parts of a type.
const TYPE_WIDTH: usize = 2000;
/// Some library functions call themselves once with larger types.
const ACCEPTED_CYCLES: usize = 1;

/// Returns whether a type has too many parts.
pub(super) fn is_too_complex(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let mut count = 0;
    let mut count_part = |_| {
        count += 1;
        (count >= TYPE_WIDTH).then_some(())
    };
    queries.find_in(ty, &mut count_part).is_some()
}

/// Returns whether the history of a call contains more specialisations of the same function with smaller types than
/// accepted.
pub(super) fn is_endless(queries: &TypeQueries<'_>, made: SpecializationHistory) -> bool {
    let get = |id: SpecializationHistoryId| *queries.context.get_specialization_history(id);
    let calls = std::iter::successors(made.call.map(get), |from| from.call.map(get));
    let smaller = |from: &SpecializationHistory| {
        from.callee == made.callee && grows(queries, from.substitutions, made.substitutions)
    };
    calls.filter(smaller).nth(ACCEPTED_CYCLES).is_some()
}

/// Returns whether a type in `after` contains the corresponding type of `before`.
fn grows(queries: &TypeQueries<'_>, before: SubstitutionMapId, after: SubstitutionMapId) -> bool {
    let (before, after) = (queries.context.replacements(before), queries.context.replacements(after));
    before
        .iter()
        .zip(after)
        .any(|(before, after)| !is_partially_in(queries, *after, *before) && is_partially_in(queries, *before, *after))
}

/// Returns whether `part` differs from `whole` and is contained in it, or if that holds for the first components in
/// which the two differ.
fn is_partially_in(queries: &TypeQueries<'_>, part: TypeId, whole: TypeId) -> bool {
    if queries.same_type(part, whole) {
        return false;
    }
    let is_it = |ty: TypeId| queries.same_type(ty, part).then_some(());
    if queries.find_in(whole, &mut { is_it }).is_some() {
        return true;
    }
    let (parts, others): (Vec<TypeId>, Vec<TypeId>) = match (queries.get(part), queries.get(whole)) {
        (Type::Nominal(part), Type::Nominal(whole)) if part.declaration == whole.declaration => {
            let all = |parent: Option<TypeId>, own: &[TypeId]| parent.into_iter().chain(own.iter().copied()).collect();
            (all(part.parent, &part.arguments), all(whole.parent, &whole.arguments))
        }
        (Type::Tuple(part), Type::Tuple(whole)) if part.len() == whole.len() => {
            (part.iter().map(|element| element.ty).collect(), whole.iter().map(|element| element.ty).collect())
        }
        _ => return false,
    };
    let mut pairs = parts.into_iter().zip(others).filter(|(part, whole)| !queries.same_type(*part, *whole));
    pairs.next().is_some_and(|(part, whole)| is_partially_in(queries, part, whole))
}

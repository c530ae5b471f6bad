//! Dependence of a function on the dynamic type of its `self`: SIL writes `@dynamic_self` in types without an operand
//! for it (lib/SILOptimizer/Utils/InstOptUtils.cpp, `mayBindDynamicSelf`).

use sil_ir::context::{SilType, Type, TypeId};
use sil_ir::model::{Body, Function};
use sil_ir::types::TypeQueries;

/// Returns whether a body depends on the dynamic `Self`, which the last argument of its function determines.
pub(crate) fn binds_dynamic_self(queries: &TypeQueries<'_>, function: &Function, body: &Body) -> bool {
    has_dynamic_self(queries, function)
        && body.placed_instructions().any(|id| {
            let mentions = |ty: SilType| mentions_dynamic_self(queries, ty.ty);
            body.types(id).iter().copied().any(mentions) || body.results(id).any(|result| mentions(body.ty(result)))
        })
}

/// Returns whether the last parameter of a function is a class instance, or a class metatype.
fn has_dynamic_self(queries: &TypeQueries<'_>, function: &Function) -> bool {
    let Some(conventions) = queries.conventions(function.ty) else { return false };
    let Some(last) = conventions.function.parameters.last() else { return false };
    let class = match queries.get(last.ty) {
        Type::Metatype { instance, .. } => *instance,
        _ => last.ty,
    };
    matches!(queries.get(class), Type::DynamicSelf(_)) || queries.is_class(class)
}

/// Returns whether a type contains the dynamic `Self`.
pub(crate) fn mentions_dynamic_self(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let mut is_it = |part: TypeId| matches!(queries.get(part), Type::DynamicSelf(_)).then_some(());
    queries.find_in(ty, &mut is_it).is_some()
}

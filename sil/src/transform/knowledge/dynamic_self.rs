//! Whether a function depends on the dynamic type of its `self`: SIL writes `@dynamic_self` in types and no operand for what it is
//! (lib/SILOptimizer/Utils/InstOptUtils.cpp, `mayBindDynamicSelf`).

use crate::context::{SilType, Type, TypeId};
use crate::model::{Body, Function};
use crate::types::TypeQueries;

/// Whether a body needs to know what `Self` is in it, which the last argument of its function says.
pub(in crate::transform) fn binds_dynamic_self(queries: &TypeQueries<'_>, function: &Function, body: &Body) -> bool {
    has_dynamic_self(queries, function)
        && body.placed_instructions().any(|id| {
            let mentions = |ty: SilType| mentions_dynamic_self(queries, ty.ty);
            body.types(id).iter().copied().any(mentions) || body.results(id).any(|result| mentions(body.ty(result)))
        })
}

/// Whether the last parameter of a function is an object of a class, or a metatype of one.
fn has_dynamic_self(queries: &TypeQueries<'_>, function: &Function) -> bool {
    let Some(conventions) = queries.conventions(function.ty) else { return false };
    let Some(last) = conventions.function.parameters.last() else { return false };
    let class = match queries.get(last.ty) {
        Type::Metatype { instance, .. } => *instance,
        _ => last.ty,
    };
    matches!(queries.get(class), Type::DynamicSelf(_)) || queries.is_class(class)
}

/// Whether a type is made of one that only `self` knows.
pub(in crate::transform) fn mentions_dynamic_self(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let mut is_it = |part: TypeId| matches!(queries.get(part), Type::DynamicSelf(_)).then_some(());
    queries.find_in(ty, &mut is_it).is_some()
}

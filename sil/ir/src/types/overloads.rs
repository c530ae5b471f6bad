//! The methods of one name that a formal type can mean. Declarations that swiftc prints have an array for a parameter
//! that takes any number of arguments; calls and tables distinguish the two. Labels are no part of types.

use super::{Type, TypeQueries};
use crate::context::{TypeId, Variadic};

/// Whether two formal types can be of one method. Where only one is known the name decides.
pub(super) fn may_be_same(queries: &TypeQueries<'_>, first: Option<TypeId>, second: Option<TypeId>) -> bool {
    match (first, second) {
        (Some(first), Some(second)) => queries.is_same_overload(first, second),
        _ => true,
    }
}

/// Whether two formal types are the same but for sugar.
pub(super) fn is_same_method(queries: &TypeQueries<'_>, first: Option<TypeId>, second: Option<TypeId>) -> bool {
    first.zip(second).is_some_and(|(first, second)| queries.same_type(first, second))
}

/// Gives methods that may take an array or any number of arguments the types that tables name. `types` are those of the
/// declarations of one name, `named` those of its entries in tables; both are in declared order.
pub(super) fn distinguish_variadics(queries: &TypeQueries<'_>, types: &mut [Option<TypeId>], named: &[TypeId]) {
    let mut open: Vec<usize> = (0..types.len()).filter(|at| types[*at].is_some()).collect();
    while let Some(ty) = open.first().and_then(|first| types[*first]) {
        let is_alike = |other: TypeId| queries.is_same_overload(ty, other);
        let (alike, rest): (Vec<usize>, Vec<usize>) = open.into_iter().partition(|at| types[*at].is_some_and(is_alike));
        let entries: Vec<TypeId> = named.iter().copied().filter(|named| is_alike(*named)).collect();
        if alike.len() == entries.len() {
            for (at, entry) in alike.into_iter().zip(entries) {
                if !is_same_method(queries, types[at], Some(entry)) {
                    types[at] = Some(entry);
                }
            }
        }
        open = rest;
    }
}

impl TypeQueries<'_> {
    fn is_same_overload(&self, first: TypeId, second: TypeId) -> bool {
        first == second || self.overload_type(first) == self.overload_type(second)
    }

    /// The form of a method's formal type that distinguishes it from its overloads: without sugar, and with arrays for
    /// parameters that take any number of arguments.
    fn overload_type(&self, method: TypeId) -> TypeId {
        let known = self.caches.overloads.get(&method);
        known.unwrap_or_else(|| {
            self.caches.overloads.insert(method, self.canonical_type(self.without_variadics(method)))
        })
    }

    /// The same type with those arrays, sugar and all.
    fn without_variadics(&self, method: TypeId) -> TypeId {
        let Type::FormalFunction(function) = self.get(method) else { return method };
        let mut function = function.clone();
        for parameter in function.parameters.iter_mut().filter(|parameter| parameter.variadic == Variadic::Yes) {
            parameter.ty = self.passed_type(parameter);
            parameter.variadic = Variadic::No;
        }
        function.result = self.without_variadics(function.result);
        self.context.ty(Type::FormalFunction(function))
    }

    /// Whether two methods look alike without `self`.
    pub(super) fn is_same_but_self(&self, first: TypeId, second: TypeId) -> bool {
        let result = |ty| match self.get(ty) {
            Type::FormalFunction(function) => function.result,
            _ => ty,
        };
        self.same_type(result(first), result(second))
    }
}

//! The request for a specialisation of a generic function (`GenericFuncSpecializer` in
//! lib/SILOptimizer/Utils/Generics.cpp). All clients use it, so that each specialisation has one name and one
//! convention.

use sil_analysis::ApplyKind;
use sil_ir::context::{Name, SpecializationHistory, SubstitutionMapId, TypeId};
use sil_ir::model::{Function, Linkage, Module, Serialization};
use sil_ir::types::TypeQueries;

use super::body;
use super::closures::{ClosureUser, adaptable_users};
use super::dropping::{Dropping, SpecializedCall};
use super::growth::{is_endless, is_too_complex};
use super::partial::Remainder;
use super::reabstraction::{Reabstraction, specialized_type};
use super::thunks::Thunk;
use crate::editing::specialized_names::{generic_specialized_name, partial_specialized_name};
use crate::knowledge::aggregate_parts::TypePlace;
use crate::knowledge::visibility::may_be_inlined_into;

/// A requested specialisation.
#[derive(Clone, Debug)]
pub(crate) struct Specialization {
    /// The generic function, its substitutions, and the specialisation that contained the call.
    pub(crate) from: SpecializationHistory,
    /// The name.
    pub(crate) name: Name,
    /// The conventions.
    pub(super) reabstraction: Reabstraction,
    serialization: Serialization,
    /// The linkage, unless it is the default of specialisations.
    linkage: Option<Linkage>,
    /// The function that a thunk for closures calls.
    inner: Option<(Reabstraction, Name)>,
}

/// The specialisation for a call.
#[derive(Clone, Debug)]
pub(crate) struct CallSpecialization {
    /// The called specialisation.
    pub(crate) called: Specialization,
    /// The function that it calls, if it is a thunk for closures.
    pub(crate) inner: Option<Specialization>,
    /// The users of a closure that are rewritten too.
    pub(super) users: Vec<ClosureUser>,
}

impl CallSpecialization {
    /// The specialisation of `callee` with `substitutions` for `call` in `caller`. `None` if a type cannot be mangled,
    /// the generic body is not available, or specialisation would not end. A closure keeps its conventions, unless they
    /// do not change or all of its users can be rewritten.
    pub(crate) fn new(
        module: &Module,
        place: TypePlace<'_>,
        caller: &Function,
        callee: &Function,
        substitutions: SubstitutionMapId,
        call: SpecializedCall<'_>,
    ) -> Option<Self> {
        let queries = place.queries;
        let types = queries.context.replacements(substitutions);
        let history = call.history().or(caller.specialized_from);
        let from = SpecializationHistory { callee: callee.name, substitutions, call: history };
        if types.iter().any(|ty| is_too_complex(queries, *ty)) || is_endless(queries, from) {
            return None;
        }
        let in_part = types.iter().any(|ty| queries.is_dependent(*ty));
        let allowed = place.settings.partial_specialization;
        let remainder = match in_part {
            true => Some(Remainder::new(queries, allowed, caller, callee, substitutions)?),
            false => None,
        };
        let place = TypePlace { signature: remainder.map(|remainder| remainder.signature), ..place };
        let replacements = remainder.map_or(substitutions, |remainder| remainder.substitutions);
        let substituted = specialized_type(queries, callee.ty, replacements);
        let conventions = queries.conventions(substituted)?;
        let dropping = Dropping::new(queries, callee, conventions, call)?;
        let reabstraction = Reabstraction::new(place, callee.ty, conventions, Some(&dropping))?;
        let reabstraction = reabstraction.generic_in(queries, remainder);
        if queries.same_type(reabstraction.ty, callee.ty) {
            return None;
        }
        let is_closure = call.kind == ApplyKind::PartialApply && reabstraction.passes_values();
        let users = call
            .uses
            .filter(|_| is_closure)
            .and_then(|uses| adaptable_users(module, queries, (call.body, uses), call.instruction, &reabstraction));
        let needs_thunk = is_closure && users.is_none();
        if needs_thunk && conventions.yields().next().is_some() {
            return None;
        }
        let outer =
            needs_thunk.then(|| reabstraction.keeping_values(queries, conventions).generic_in(queries, remainder));
        let named_for = reabstraction.ty;
        let users = users.unwrap_or_default();
        // A function whose body is visible to clients cannot refer to a hidden function, so the specialisation gets the
        // linkage of the generic function.
        let is_hidden = !may_be_inlined_into(callee, caller);
        let make = |reabstraction: Reabstraction, inner: Option<(Reabstraction, Name)>| {
            let serialization = caller.serialization;
            let name = match remainder {
                None => name(module, queries, callee, substitutions, &reabstraction, serialization)?,
                Some(_) => {
                    let abstraction = reabstraction.abstraction;
                    partial_specialized_name(queries, module, callee.name, named_for, serialization, abstraction)?
                }
            };
            Some(Specialization {
                from,
                name,
                reabstraction,
                serialization: if is_hidden { Serialization::None } else { caller.serialization },
                linkage: is_hidden.then_some(callee.linkage),
                inner,
            })
        };
        let Some(outer) = outer else { return Some(Self { called: make(reabstraction, None)?, inner: None, users }) };
        let inner = make(reabstraction, None)?;
        let called = make(outer, Some((inner.reabstraction.clone(), inner.name)))?;
        Some(Self { called, inner: Some(inner), users })
    }

    /// Returns whether existing functions of these names match.
    pub(crate) fn fits(&self, module: &Module, queries: &TypeQueries<'_>) -> bool {
        self.called.fits(module, queries) && self.inner.as_ref().is_none_or(|inner| inner.fits(module, queries))
    }
}

impl Specialization {
    /// The specialisation of `callee` that is independent of a call. `None` if a type cannot be mangled.
    pub(crate) fn without_call(
        module: &Module,
        place: TypePlace<'_>,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let reabstraction = Reabstraction::of_type(place, callee.ty, substitutions)?;
        let serialization = Serialization::None;
        let name = name(module, place.queries, callee, substitutions, &reabstraction, serialization)?;
        let from = SpecializationHistory { callee: callee.name, substitutions, call: callee.specialized_from };
        Some(Self { from, name, reabstraction, serialization, linkage: None, inner: None })
    }

    /// The specialisation of `callee` for closures that keep its conventions (`getSpecializedWithDeadParams` in
    /// lib/SILOptimizer/IPO/CapturePropagation.cpp).
    pub(crate) fn keeping_values(
        module: &Module,
        place: TypePlace<'_>,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let reabstraction = Reabstraction::unchanged(place.queries, callee.ty, substitutions)?;
        let serialization = callee.serialization;
        let name = name(module, place.queries, callee, substitutions, &reabstraction, serialization)?;
        let from = SpecializationHistory { callee: callee.name, substitutions, call: callee.specialized_from };
        Some(Self { from, name, reabstraction, serialization, linkage: None, inner: None })
    }

    /// The type of the specialisation.
    pub(crate) fn ty(&self) -> TypeId {
        self.reabstraction.ty
    }

    /// Returns whether an existing function of this name has the same type.
    pub(crate) fn fits(&self, module: &Module, queries: &TypeQueries<'_>) -> bool {
        let existing = module.function_named(self.name).map(|id| module.functions[id].ty);
        existing.is_none_or(|ty| queries.same_type(ty, self.reabstraction.ty))
    }

    /// Creates the function, if the generic body is available.
    pub(crate) fn function(&self, module: &Module, queries: &TypeQueries<'_>) -> Option<Function> {
        let callee = &module.functions[module.function_named(self.from.callee)?];
        let Self { reabstraction, name, serialization, .. } = self;
        let substitutions = reabstraction.remainder.map_or(self.from.substitutions, |rest| rest.substitutions);
        let mut function = match &self.inner {
            None => body::function(module, queries, callee, substitutions, reabstraction, *name, *serialization)?,
            Some((inner, inner_name)) => {
                let inner_name = *inner_name;
                let thunk = Thunk { callee, substitutions, outer: reabstraction, inner, inner_name };
                thunk.function(queries, *name, *serialization)?
            }
        };
        function.specialized_from = Some(queries.context.specialization_history(self.from));
        if let Some(linkage) = self.linkage {
            function.linkage = linkage;
        }
        Some(function)
    }
}

/// A nongeneric function with direct arguments and results instead of indirect ones. `None` if it has no body.
pub(crate) fn reabstracted(module: &Module, place: TypePlace<'_>, function: &Function) -> Option<Function> {
    let nothing = SubstitutionMapId::EMPTY;
    let reabstraction = Reabstraction::of_type(place, function.ty, nothing)?;
    let Function { name, serialization, .. } = *function;
    let made = body::function(module, place.queries, function, nothing, &reabstraction, name, serialization)?;
    let Function { ty, attributes, body, .. } = made;
    Some(Function { ty, attributes, body, ..function.clone() })
}

fn name(
    module: &Module,
    queries: &TypeQueries<'_>,
    callee: &Function,
    substitutions: SubstitutionMapId,
    reabstraction: &Reabstraction,
    serialization: Serialization,
) -> Option<Name> {
    let passing = (reabstraction.abstraction, &*reabstraction.dropped());
    generic_specialized_name(queries, module, callee.name, substitutions, serialization, passing)
}

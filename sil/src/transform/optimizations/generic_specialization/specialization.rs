//! A function that is to be made of a generic one for types (`GenericFuncSpecializer` in lib/SILOptimizer/Utils/Generics.cpp): whoever specialises asks
//! for it here, so that it is passed what it needs in one way, and called by one name.

use super::body;
use super::closures::{ClosureUser, adaptable_users};
use super::dropping::{Dropping, SpecializedCall};
use super::growth::{is_endless, is_too_complex};
use super::partial::Remainder;
use super::reabstraction::{Reabstraction, specialized_type};
use super::thunks::Thunk;
use crate::analysis::ApplyKind;
use crate::context::{Name, SpecializationHistory, SubstitutionMapId, TypeId};
use crate::model::{Function, Linkage, Module, Serialization};
use crate::transform::editing::specialized_names::{generic_specialized_name, partial_specialized_name};
use crate::transform::knowledge::aggregate_parts::TypePlace;
use crate::transform::knowledge::visibility::may_be_inlined_into;
use crate::types::TypeQueries;

/// A function that is to be made.
#[derive(Clone, Debug)]
pub(in crate::transform) struct Specialization {
    /// The generic function, what replaces its parameters, and the function for whose call that is done.
    pub(in crate::transform) from: SpecializationHistory,
    /// What it is called.
    pub(in crate::transform) name: Name,
    /// How values go to and from it.
    pub(super) reabstraction: Reabstraction,
    serialization: Serialization,
    /// Its linkage, where that is not the one that specialisations have.
    linkage: Option<Linkage>,
    /// What it calls, where it is a thunk for closures.
    inner: Option<(Reabstraction, Name)>,
}

/// What a call is to call, and what is to be made for that.
#[derive(Clone, Debug)]
pub(in crate::transform) struct CallSpecialization {
    /// What it calls.
    pub(in crate::transform) called: Specialization,
    /// What that calls, where it is a thunk for closures.
    pub(in crate::transform) inner: Option<Specialization>,
    /// What uses a closure that passes values, and is to use it so.
    pub(super) users: Vec<ClosureUser>,
}

impl CallSpecialization {
    /// What `call`, which is in `caller`, calls in the place of `callee` with `substitutions`; none where a type cannot be a part of a symbol,
    /// the body of the generic function is not at hand, or that would not end. A closure keeps how it is called, unless that is the same,
    /// or all that uses it can be changed too.
    pub(in crate::transform) fn new(
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
        // What clients see the body of cannot have in it what they do not see: the function stands where the generic one does.
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

    /// Whether functions of these names can be the ones that are meant.
    pub(in crate::transform) fn fits(&self, module: &Module, queries: &TypeQueries<'_>) -> bool {
        self.called.fits(module, queries) && self.inner.as_ref().is_none_or(|inner| inner.fits(module, queries))
    }
}

impl Specialization {
    /// What becomes of `callee` with these types for all who call it without naming it; none where a type cannot be a part of a symbol.
    pub(in crate::transform) fn without_call(
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

    /// What becomes of `callee` with these types for closures that take and give values as it does (`getSpecializedWithDeadParams` in
    /// lib/SILOptimizer/IPO/CapturePropagation.cpp).
    pub(in crate::transform) fn keeping_values(
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

    /// The type of the function.
    pub(in crate::transform) fn ty(&self) -> TypeId {
        self.reabstraction.ty
    }

    /// Whether a function of this name can be the one that is meant: what is there has the same type.
    pub(in crate::transform) fn fits(&self, module: &Module, queries: &TypeQueries<'_>) -> bool {
        let existing = module.function_named(self.name).map(|id| module.functions[id].ty);
        existing.is_none_or(|ty| queries.same_type(ty, self.reabstraction.ty))
    }

    /// The function, if the body of the generic one is at hand.
    pub(in crate::transform) fn function(&self, module: &Module, queries: &TypeQueries<'_>) -> Option<Function> {
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

/// A function that is not generic as one that takes and gives directly what it does by addresses; none where it has no body.
pub(in crate::transform) fn reabstracted(
    module: &Module,
    place: TypePlace<'_>,
    function: &Function,
) -> Option<Function> {
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

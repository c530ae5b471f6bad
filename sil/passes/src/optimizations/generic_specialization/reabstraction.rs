//! The conventions of a specialisation (`ReabstractionInfo` in lib/SILOptimizer/Utils/Generics.cpp): values of generic
//! type are passed indirectly, values of concrete type may be passed directly. `dropping` decides which arguments are
//! not passed.

use sil_ir::context::{
    FunctionResult, FunctionType, LifetimeDependence, Parameter, ParameterConvention, Representation, ResultConvention,
    SignatureId, SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::symbols::Abstraction;
use sil_ir::types::{
    ArgumentConvention, ArgumentRole, Escapability, FunctionConventions, SilArgument, Triviality, TypeQueries,
};

use super::dropping::Dropping;
use super::partial::Remainder;
use crate::knowledge::aggregate_parts::{TypePlace, is_divided, is_in_memory, is_resilient, may_change};

/// The way in which a SIL argument of the generic function is passed to the specialisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// Unchanged.
    Same,
    /// Directly instead of indirectly.
    Value(Lending),
    /// As a direct result instead of an indirect one.
    Returned,
    /// As a direct error instead of an indirect one.
    Thrown,
    /// Not passed. The specialisation recreates it.
    Dropped,
}

/// The ownership of a value that is passed directly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lending {
    /// None: the value is trivial.
    Trivial,
    /// Guaranteed.
    Lent,
    /// Owned.
    Given,
}

/// The conventions of a specialisation.
#[derive(Clone, Debug)]
pub(crate) struct Reabstraction {
    /// The type of the specialisation.
    pub(crate) ty: TypeId,
    /// The passing of each SIL argument of the generic function.
    pub(super) arguments: Vec<Passing>,
    /// The mangling of the conventions.
    pub(super) abstraction: Abstraction,
    /// The remaining generic signature.
    pub(super) remainder: Option<Remainder>,
}

impl Reabstraction {
    /// The conventions for specialisations of functions of the type `generic`, independent of a call.
    pub(crate) fn of_type(place: TypePlace<'_>, generic: TypeId, substitutions: SubstitutionMapId) -> Option<Self> {
        let substituted = specialized_type(place.queries, generic, substitutions);
        Self::new(place, generic, place.queries.conventions(substituted)?, None)
    }

    /// The conventions for specialisations of functions of the type `generic`, whose specialised type has
    /// `conventions`. `dropping` decides which arguments need not be passed.
    pub(super) fn new(
        place: TypePlace<'_>,
        generic: TypeId,
        conventions: FunctionConventions<'_>,
        dropping: Option<&Dropping<'_>>,
    ) -> Option<Self> {
        let mut arguments = vec![Passing::Same; conventions.argument_count()];
        for (index, passing) in arguments.iter_mut().enumerate() {
            let argument = conventions.argument(index)?;
            if let (ArgumentRole::Parameter(parameter), ArgumentConvention::Parameter(convention)) =
                (argument.role, argument.convention)
            {
                *passing = match passed_value(place, argument.ty, convention) {
                    // A lifetime that depends on the argument's memory needs the memory.
                    Passing::Value(_) if place.queries.is_parameter_addressable(conventions.function, parameter) => {
                        Passing::Same
                    }
                    passing => passing,
                };
                if dropping.is_some_and(|dropping| is_dropped(dropping, index, argument, *passing)) {
                    *passing = Passing::Dropped;
                }
            }
        }
        if let Some(index) = returned(place, conventions, generic) {
            arguments[index] = Passing::Returned;
        }
        if let Some(index) = thrown(place, conventions, generic) {
            arguments[index] = Passing::Thrown;
        }
        let ty = changed_type(place, conventions, &arguments);
        let may_change = |(argument, passing): (SilArgument, &Passing)| {
            matches!(passing, Passing::Value(_)) && may_change(place.queries, place.settings, argument.ty.ty)
        };
        let abstraction = if conventions.arguments().zip(&arguments).any(may_change) {
            Abstraction::ChangedWithinModule
        } else {
            Abstraction::Changed
        };
        Some(Self { ty, arguments, abstraction, remainder: None })
    }

    /// The conventions of a specialisation that passes values like the generic function of type `generic`, but is
    /// mangled as reabstracted.
    pub(super) fn unchanged(
        queries: &TypeQueries<'_>,
        generic: TypeId,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let ty = specialized_type(queries, generic, substitutions);
        let arguments = vec![Passing::Same; queries.conventions(ty)?.argument_count()];
        Some(Self { ty, arguments, abstraction: Abstraction::Changed, remainder: None })
    }

    /// Adds the remaining generic signature.
    pub(super) fn generic_in(self, queries: &TypeQueries<'_>, remainder: Option<Remainder>) -> Self {
        let (Some(Remainder { signature, .. }), Type::Function(function)) = (remainder, queries.get(self.ty)) else {
            return self;
        };
        let function = FunctionType { signature: Some(signature), ..(**function).clone() };
        Self { ty: queries.context.ty(Type::Function(Box::new(function))), remainder, ..self }
    }

    /// The remaining generic signature, if there is one.
    pub(super) fn signature(&self) -> Option<SignatureId> {
        self.remainder.map(|remainder| remainder.signature)
    }

    /// The substitutions of a call of the specialisation.
    pub(super) fn generic_arguments(&self) -> SubstitutionMapId {
        self.remainder.map_or(SubstitutionMapId::EMPTY, |remainder| remainder.arguments)
    }

    /// The conventions of a thunk that passes values like the generic function, but omits dropped arguments
    /// (`createThunkType`).
    pub(super) fn keeping_values(&self, queries: &TypeQueries<'_>, conventions: FunctionConventions<'_>) -> Self {
        let is_dropped = |passing: &Passing| *passing == Passing::Dropped;
        let kept = |passing| if is_dropped(passing) { Passing::Dropped } else { Passing::Same };
        let arguments: Vec<Passing> = self.arguments.iter().map(kept).collect();
        let mut function = conventions.function.clone();
        let passed = function.parameters.iter().zip(&arguments[conventions.first_parameter()..]);
        function.parameters =
            passed.filter(|(_, passing)| !is_dropped(passing)).map(|(parameter, _)| *parameter).collect();
        let ty = queries.context.ty(Type::Function(Box::new(function)));
        Self { ty, arguments, abstraction: Abstraction::Same, remainder: self.remainder }
    }

    /// Returns whether an indirect value is passed directly.
    pub(crate) fn passes_values(&self) -> bool {
        self.arguments.iter().any(|passing| matches!(passing, Passing::Value(_) | Passing::Returned | Passing::Thrown))
    }

    /// The index of the SIL argument with this passing, for unique ones.
    pub(super) fn position(&self, passing: Passing) -> Option<usize> {
        self.arguments.iter().position(|found| *found == passing)
    }

    /// The number of arguments that a closure captures if it passes the SIL arguments from `first` on.
    pub(super) fn captured(&self, first: usize) -> usize {
        self.arguments[first..].iter().filter(|passing| **passing != Passing::Dropped).count()
    }

    /// The conventions of calls of a closure of type `closure`.
    pub(super) fn without_captures(&self, closure: TypeId, captures: usize) -> Self {
        let arguments = self.arguments[..self.arguments.len().saturating_sub(captures)].to_vec();
        Self { ty: closure, arguments, abstraction: self.abstraction, remainder: None }
    }

    /// The indices of the dropped SIL arguments.
    pub(super) fn dropped(&self) -> Vec<usize> {
        (0..self.arguments.len()).filter(|index| self.arguments[*index] == Passing::Dropped).collect()
    }
}

/// The type of a generic function after substitution, without generic parameters.
pub(super) fn specialized_type(queries: &TypeQueries<'_>, ty: TypeId, substitutions: SubstitutionMapId) -> TypeId {
    let applied = queries.apply_substitutions(ty, substitutions);
    let flat = match queries.get(applied) {
        // The type of a coroutine needs no substitution pattern, since no other function is called with it.
        Type::Function(function) if function.pattern.is_some() => queries.unsubstituted(applied),
        _ => applied,
    };
    match queries.get(flat) {
        Type::Function(function) => queries.context.ty(Type::Function(Box::new(FunctionType {
            signature: None,
            invocation: None,
            lifetimes: lifetimes(queries, function),
            ..(**function).clone()
        }))),
        _ => flat,
    }
}

/// The lifetime dependences of results and parameters. Those of types that are now escapable are removed
/// (`filterEscapableLifetimeDependencies` in lib/AST/LifetimeDependence.cpp).
fn lifetimes(queries: &TypeQueries<'_>, function: &FunctionType) -> Box<[LifetimeDependence]> {
    let is_bound = |ty: TypeId| queries.properties(ty, None).escapability == Escapability::Nonescapable;
    let depends = |lifetime: &&LifetimeDependence| match lifetime.parameter {
        Some(parameter) => function.parameters.get(parameter as usize).is_some_and(|parameter| is_bound(parameter.ty)),
        None => function.results.iter().any(|result| is_bound(result.ty)),
    };
    function.lifetimes.iter().filter(depends).cloned().collect()
}

/// The passing of a parameter of known type.
fn passed_value(place: TypePlace<'_>, ty: SilType, convention: ParameterConvention) -> Passing {
    if !matches!(convention, ParameterConvention::In | ParameterConvention::InGuaranteed) {
        return Passing::Same;
    }
    let object = ty.object_type();
    if is_in_memory(place, object) || is_resilient(place.queries, object.ty) {
        return Passing::Same;
    }
    let is_trivial = place.queries.properties(object.ty, place.signature).is_trivial();
    match convention {
        _ if is_trivial => Passing::Value(Lending::Trivial),
        ParameterConvention::InGuaranteed => Passing::Value(Lending::Lent),
        _ => Passing::Value(Lending::Given),
    }
}

/// Returns whether the SIL argument `index` can be dropped.
fn is_dropped(dropping: &Dropping<'_>, index: usize, argument: SilArgument, passing: Passing) -> bool {
    match passing {
        Passing::Value(Lending::Trivial) => dropping.leaves_memory(index, argument.convention, Triviality::Trivial),
        Passing::Value(_) => dropping.leaves_memory(index, argument.convention, Triviality::Nontrivial),
        _ => dropping.knows_metatype(index, argument.ty),
    }
}

/// The indirect result that becomes direct: the first that can, if there is no other direct result.
fn returned(place: TypePlace<'_>, conventions: FunctionConventions<'_>, generic: TypeId) -> Option<usize> {
    let own = place.queries.conventions(generic)?;
    if conventions.direct_results().next().is_some() || own.direct_results().next().is_some() {
        return None;
    }
    let mut results = conventions.indirect_results().enumerate();
    let (index, _) = results.find(|(_, (_, result))| {
        let ty = SilType::object(result.ty);
        let is_void = matches!(place.queries.get(result.ty), Type::Tuple(elements) if elements.is_empty());
        result.convention == ResultConvention::Indirect && !is_void && is_divided(place, ty)
    })?;
    Some(index)
}

/// The indirect error that becomes direct.
fn thrown(place: TypePlace<'_>, conventions: FunctionConventions<'_>, generic: TypeId) -> Option<usize> {
    let error = conventions.indirect_error()?;
    let own = place.queries.conventions(generic)?;
    let index = conventions.indirect_results().count();
    (own.indirect_error().is_some() && is_divided(place, SilType::object(error.ty))).then_some(index)
}

fn changed_type(place: TypePlace<'_>, conventions: FunctionConventions<'_>, arguments: &[Passing]) -> TypeId {
    let TypePlace { queries, .. } = place;
    let mut function = conventions.function.clone();
    let mut result_arguments = arguments.iter();
    let mut results = Vec::with_capacity(function.results.len());
    for result in &function.results {
        match result.convention.is_indirect() && result_arguments.next() == Some(&Passing::Returned) {
            true => results.extend(direct_results(place, *result)),
            false => results.push(*result),
        }
    }
    function.results = results.into();
    if let Some(error) = function.error.as_mut().filter(|_| arguments.contains(&Passing::Thrown)) {
        error.convention = ResultConvention::Owned;
    }
    let first = conventions.first_parameter();
    let last = function.parameters.len().checked_sub(1);
    let self_is_gone = last.is_some_and(|last| arguments.get(first + last) == Some(&Passing::Dropped));
    if self_is_gone && conventions.self_parameter().is_some() {
        function.representation = Representation::Thin;
    }
    if arguments.contains(&Passing::Dropped) {
        // Lifetime dependences of results refer to parameters that no longer exist. Swift ignores them too.
        function.lifetimes =
            function.lifetimes.iter().filter(|lifetime| lifetime.parameter.is_some()).cloned().collect();
    }
    let parameters = function.parameters.iter().zip(&arguments[first..]);
    function.parameters = parameters
        .filter_map(|(parameter, passing)| {
            let convention = match passing {
                Passing::Dropped => return None,
                Passing::Value(Lending::Trivial) => ParameterConvention::Unowned,
                Passing::Value(Lending::Lent) => ParameterConvention::Guaranteed,
                Passing::Value(Lending::Given) => ParameterConvention::Owned,
                // With opaque values, the convention of a value that became trivial is unchanged. It becomes unowned.
                Passing::Same if is_trivial_value(place, parameter) => ParameterConvention::Unowned,
                Passing::Same | Passing::Returned | Passing::Thrown => parameter.convention,
            };
            Some(Parameter { convention, ..*parameter })
        })
        .collect();
    queries.context.ty(Type::Function(Box::new(function)))
}

/// The direct results for a result that was indirect. A trivial tuple becomes one result per element, which SIL writes
/// in the same way.
fn direct_results(place: TypePlace<'_>, result: FunctionResult) -> Vec<FunctionResult> {
    let TypePlace { queries, signature, .. } = place;
    let is_trivial = queries.properties(result.ty, signature).is_trivial();
    let convention = if is_trivial { ResultConvention::Unowned } else { ResultConvention::Owned };
    match queries.get(result.ty) {
        Type::Tuple(elements) if is_trivial && elements.iter().all(|element| element.label.is_none()) => {
            elements.iter().map(|element| FunctionResult { convention, ty: element.ty, ..result }).collect()
        }
        _ => vec![FunctionResult { convention, ..result }],
    }
}

fn is_trivial_value(place: TypePlace<'_>, parameter: &Parameter) -> bool {
    let TypePlace { queries, signature, .. } = place;
    queries.has_opaque_values()
        && matches!(parameter.convention, ParameterConvention::Owned | ParameterConvention::Guaranteed)
        && queries.properties(parameter.ty, signature).is_trivial()
}

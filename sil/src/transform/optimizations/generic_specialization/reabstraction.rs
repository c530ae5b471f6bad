//! How values go to and from a function that is made for types (`ReabstractionInfo` in lib/SILOptimizer/Utils/Generics.cpp): what went by its address
//! because nobody knew its type is passed as the value that it is. Which arguments are not passed any more is the business of `dropping`.

use super::dropping::Dropping;
use super::partial::Remainder;
use crate::context::{
    FunctionResult, FunctionType, LifetimeDependence, Parameter, ParameterConvention, Representation, ResultConvention,
    SignatureId, SilType, SubstitutionMapId, Type, TypeId,
};
use crate::symbols::Abstraction;
use crate::transform::knowledge::aggregate_parts::{TypePlace, is_divided, is_in_memory, is_resilient, may_change};
use crate::types::{
    ArgumentConvention, ArgumentRole, Escapability, FunctionConventions, SilArgument, Triviality, TypeQueries,
};

/// How a SIL argument of the generic function is passed to the one that is made of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// As before.
    Same,
    /// As the value that is behind the address.
    Value(Lending),
    /// It is returned, not put behind the address.
    Returned,
    /// It is thrown, not put behind the address.
    Thrown,
    /// Not at all: the function makes it itself.
    Dropped,
}

/// Who owns a value that is passed in the place of its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lending {
    /// Nobody: it is trivial.
    Trivial,
    /// The caller.
    Lent,
    /// The function that is called.
    Given,
}

/// How values go to and from a function that is made for types.
#[derive(Clone, Debug)]
pub(in crate::transform) struct Reabstraction {
    /// Its type.
    pub(in crate::transform) ty: TypeId,
    /// How each SIL argument of the generic function is passed.
    pub(super) arguments: Vec<Passing>,
    /// What that is called in symbols.
    pub(super) abstraction: Abstraction,
    /// What the function is generic in.
    pub(super) remainder: Option<Remainder>,
}

impl Reabstraction {
    /// That of what is made of functions of the generic type `generic`, whoever calls it.
    pub(in crate::transform) fn of_type(
        place: TypePlace<'_>,
        generic: TypeId,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let substituted = specialized_type(place.queries, generic, substitutions);
        Self::new(place, generic, place.queries.conventions(substituted)?, None)
    }

    /// That of what is made of functions of the generic type `generic`, whose conventions are `conventions` for the types; `dropping` tells what a
    /// call need not pass.
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
                    // What depends on the memory of an argument needs it.
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

    /// That of a function which takes and gives values as the one of the generic type `generic` does, and has the name of one that does not.
    pub(super) fn unchanged(
        queries: &TypeQueries<'_>,
        generic: TypeId,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let ty = specialized_type(queries, generic, substitutions);
        let arguments = vec![Passing::Same; queries.conventions(ty)?.argument_count()];
        Some(Self { ty, arguments, abstraction: Abstraction::Changed, remainder: None })
    }

    /// The same for a function that is generic in `remainder`.
    pub(super) fn generic_in(self, queries: &TypeQueries<'_>, remainder: Option<Remainder>) -> Self {
        let (Some(Remainder { signature, .. }), Type::Function(function)) = (remainder, queries.get(self.ty)) else {
            return self;
        };
        let function = FunctionType { signature: Some(signature), ..(**function).clone() };
        Self { ty: queries.context.ty(Type::Function(Box::new(function))), remainder, ..self }
    }

    /// What the signature of the function is that is made, where it has one.
    pub(super) fn signature(&self) -> Option<SignatureId> {
        self.remainder.map(|remainder| remainder.signature)
    }

    /// The generic arguments of a call of it.
    pub(super) fn generic_arguments(&self) -> SubstitutionMapId {
        self.remainder.map_or(SubstitutionMapId::EMPTY, |remainder| remainder.arguments)
    }

    /// That of a function which takes and gives values as the generic one does, and only makes itself what a call does not pass any more
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

    /// Whether a value is passed in the place of an address.
    pub(in crate::transform) fn passes_values(&self) -> bool {
        self.arguments.iter().any(|passing| matches!(passing, Passing::Value(_) | Passing::Returned | Passing::Thrown))
    }

    /// The number of the SIL argument that is passed so, of those that only one can be.
    pub(super) fn position(&self, passing: Passing) -> Option<usize> {
        self.arguments.iter().position(|found| *found == passing)
    }

    /// How many arguments a closure captures that passes those from SIL argument number `first` on.
    pub(super) fn captured(&self, first: usize) -> usize {
        self.arguments[first..].iter().filter(|passing| **passing != Passing::Dropped).count()
    }

    /// That of calls of a closure of type `closure`.
    pub(super) fn without_captures(&self, closure: TypeId, captures: usize) -> Self {
        let arguments = self.arguments[..self.arguments.len().saturating_sub(captures)].to_vec();
        Self { ty: closure, arguments, abstraction: self.abstraction, remainder: None }
    }

    /// The numbers of the SIL arguments that are not passed any more.
    pub(super) fn dropped(&self) -> Vec<usize> {
        (0..self.arguments.len()).filter(|index| self.arguments[*index] == Passing::Dropped).collect()
    }
}

/// The type of a generic function once its parameters are replaced: no generic arguments are left to apply.
pub(super) fn specialized_type(queries: &TypeQueries<'_>, ty: TypeId, substitutions: SubstitutionMapId) -> TypeId {
    let applied = queries.apply_substitutions(ty, substitutions);
    let flat = match queries.get(applied) {
        // A function that is a coroutine's own needs no pattern: nothing else is called the same way.
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

/// The lifetimes that results and parameters depend on. What turned out to be escapable depends on none (`filterEscapableLifetimeDependencies` in
/// lib/AST/LifetimeDependence.cpp).
fn lifetimes(queries: &TypeQueries<'_>, function: &FunctionType) -> Box<[LifetimeDependence]> {
    let is_bound = |ty: TypeId| queries.properties(ty, None).escapability == Escapability::Nonescapable;
    let depends = |lifetime: &&LifetimeDependence| match lifetime.parameter {
        Some(parameter) => function.parameters.get(parameter as usize).is_some_and(|parameter| is_bound(parameter.ty)),
        None => function.results.iter().any(|result| is_bound(result.ty)),
    };
    function.lifetimes.iter().filter(depends).cloned().collect()
}

/// How a parameter is passed of which the type is known.
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

/// Whether the function makes itself what is its SIL argument number `index`, which would be passed so.
fn is_dropped(dropping: &Dropping<'_>, index: usize, argument: SilArgument, passing: Passing) -> bool {
    match passing {
        Passing::Value(Lending::Trivial) => dropping.leaves_memory(index, argument.convention, Triviality::Trivial),
        Passing::Value(_) => dropping.leaves_memory(index, argument.convention, Triviality::Nontrivial),
        _ => dropping.knows_metatype(index, argument.ty),
    }
}

/// The result that is returned and was put behind an address: the first one that can be, where nothing else is returned.
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

/// The address of the error that is thrown as a value now.
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
        // Lifetimes of results count parameters that are not there any more: Swift does not find them either.
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
                // Where values are opaque, one of a type that became trivial is passed as it was. Nobody owns it now.
                Passing::Same if is_trivial_value(place, parameter) => ParameterConvention::Unowned,
                Passing::Same | Passing::Returned | Passing::Thrown => parameter.convention,
            };
            Some(Parameter { convention, ..*parameter })
        })
        .collect();
    queries.context.ty(Type::Function(Box::new(function)))
}

/// What is returned of a result that is not put behind an address any more. A trivial tuple is as many results as it has elements: SIL writes both in
/// the same way.
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

//! How values go to and from a function that is made for types (`ReabstractionInfo` in lib/SILOptimizer/Utils/Generics.cpp): what went by its address
//! because nobody knew its type is passed as the value that it is.

use crate::analysis::{ApplyKind, ApplySite, Uses};
use crate::context::{
    FunctionResult, FunctionType, Parameter, ParameterConvention, Representation, ResultConvention, SilType,
    SubstitutionMapId, Type, TypeId,
};
use crate::instructions::Opcode;
use crate::model::{Body, Function, Value};
use crate::symbols::Abstraction;
use crate::transform::knowledge::aggregate_parts::{is_divided, is_in_memory, is_resilient, may_change};
use crate::transform::pipeline::Environment;
use crate::types::{ArgumentConvention, ArgumentRole, FunctionConventions, SilArgument, TypeQueries};

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
    /// Not at all: it is a metatype, which the function knows.
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
pub(in crate::transform) struct Reabstraction {
    /// Its type.
    pub(in crate::transform) ty: TypeId,
    /// How each SIL argument of the generic function is passed.
    pub(super) arguments: Vec<Passing>,
    /// What that is called in symbols.
    pub(super) abstraction: Abstraction,
}

impl Reabstraction {
    /// That of what `site` calls with `substitutions`.
    pub(super) fn new(
        environment: Environment<'_>,
        site: ApplySite<'_>,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let queries = environment.queries;
        let substituted = specialized_type(queries, callee.ty, substitutions);
        let body = callee.body.as_ref()?;
        let conventions = queries.conventions(substituted)?;
        let count = conventions.argument_count();
        if count != body.blocks[body.entry()].arguments.len() {
            return None;
        }
        let mut arguments = vec![Passing::Same; count];
        let is_call = site.kind != ApplyKind::PartialApply;
        let uses = Uses::new(body);
        for (index, passing) in arguments.iter_mut().enumerate() {
            let argument = conventions.argument(index)?;
            *passing = match (argument.role, argument.convention) {
                // What depends on the memory of an argument needs it.
                (ArgumentRole::Parameter(parameter), _)
                    if is_call && queries.is_parameter_addressable(conventions.function, parameter) =>
                {
                    Passing::Same
                }
                (ArgumentRole::Parameter(_), ArgumentConvention::Parameter(convention)) => {
                    let value = body.blocks[body.entry()].arguments[index];
                    let passed = if is_call { site.arguments().get(index).copied() } else { None };
                    match passed_value(environment, argument.ty, convention) {
                        Passing::Same
                            if passed.is_some_and(|passed| {
                                is_known_metatype(environment, &uses, body, value, argument.ty, passed)
                            }) =>
                        {
                            Passing::Dropped
                        }
                        passing => passing,
                    }
                }
                _ => Passing::Same,
            };
        }
        if let Some(index) = returned(environment, conventions, callee) {
            arguments[index] = Passing::Returned;
        }
        if let Some(index) = thrown(environment, conventions, callee) {
            arguments[index] = Passing::Thrown;
        }
        let ty = changed_type(queries, conventions, &arguments);
        let may_change = |(argument, passing): (SilArgument, &Passing)| {
            matches!(passing, Passing::Value(_)) && may_change(queries, environment.settings, argument.ty.ty)
        };
        let abstraction = if conventions.arguments().zip(&arguments).any(may_change) {
            Abstraction::ChangedWithinModule
        } else {
            Abstraction::Changed
        };
        Some(Self { ty, arguments, abstraction })
    }

    /// That of a function which takes and gives values as the generic one does.
    pub(super) fn unchanged(
        queries: &TypeQueries<'_>,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let ty = specialized_type(queries, callee.ty, substitutions);
        let arguments = vec![Passing::Same; queries.conventions(ty)?.argument_count()];
        Some(Self { ty, arguments, abstraction: Abstraction::Same })
    }

    /// Whether a value is passed in the place of an address.
    pub(super) fn passes_values(&self) -> bool {
        self.arguments.iter().any(|passing| matches!(passing, Passing::Value(_) | Passing::Returned | Passing::Thrown))
    }

    /// The numbers of the SIL arguments that are not passed any more.
    pub(super) fn dropped(&self) -> Vec<usize> {
        (0..self.arguments.len()).filter(|index| self.arguments[*index] == Passing::Dropped).collect()
    }
}

/// The type of a generic function once its parameters are replaced: no generic arguments are left to apply.
pub(in crate::transform) fn specialized_type(
    queries: &TypeQueries<'_>,
    ty: TypeId,
    substitutions: SubstitutionMapId,
) -> TypeId {
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
            ..(**function).clone()
        }))),
        _ => flat,
    }
}

/// How a parameter is passed of which the type is known.
fn passed_value(environment: Environment<'_>, ty: SilType, convention: ParameterConvention) -> Passing {
    let object = ty.object_type();
    if is_in_memory(environment, object) || is_resilient(environment.queries, object.ty) {
        return Passing::Same;
    }
    let is_trivial = environment.queries.properties(object.ty, None).is_trivial();
    match convention {
        ParameterConvention::In | ParameterConvention::InGuaranteed if is_trivial => Passing::Value(Lending::Trivial),
        ParameterConvention::InGuaranteed => Passing::Value(Lending::Lent),
        ParameterConvention::In => Passing::Value(Lending::Given),
        _ => Passing::Same,
    }
}

/// Whether a metatype is passed that the callee can make as well: it is that of just this type, or nothing reads it.
fn is_known_metatype(
    environment: Environment<'_>,
    uses: &Uses,
    callee: &Body,
    argument: Value,
    ty: SilType,
    passed: Value,
) -> bool {
    let Type::Metatype { instance, .. } = environment.queries.get(ty.ty) else { return false };
    let is_made = |id| environment.body.instructions[id].opcode == Opcode::Metatype;
    let is_read = |user| callee.instructions[user].opcode != Opcode::DebugValue;
    // The metatype of a class may be what `Self` stands for, or that of a subclass.
    !environment.queries.is_dependent(*instance)
        && !environment.queries.is_class(*instance)
        && !ty.is_address()
        && (environment.body.defining(passed).is_some_and(is_made)
            || !uses.of(argument).iter().any(|found| is_read(found.user)))
}

/// The result that is returned and was put behind an address: the first one that can be, where nothing else is returned.
fn returned(environment: Environment<'_>, conventions: FunctionConventions<'_>, callee: &Function) -> Option<usize> {
    let own = environment.queries.conventions(callee.ty)?;
    if conventions.direct_results().next().is_some() || own.direct_results().next().is_some() {
        return None;
    }
    let mut results = conventions.indirect_results().enumerate();
    let (index, _) = results.find(|(_, (_, result))| {
        let ty = SilType::object(result.ty);
        let is_void = matches!(environment.queries.get(result.ty), Type::Tuple(elements) if elements.is_empty());
        result.convention == ResultConvention::Indirect && !is_void && is_divided(environment, ty)
    })?;
    Some(index)
}

/// The address of the error that is thrown as a value now.
fn thrown(environment: Environment<'_>, conventions: FunctionConventions<'_>, callee: &Function) -> Option<usize> {
    let error = conventions.indirect_error()?;
    let own = environment.queries.conventions(callee.ty)?;
    let index = conventions.indirect_results().count();
    (own.indirect_error().is_some() && is_divided(environment, SilType::object(error.ty))).then_some(index)
}

fn changed_type(queries: &TypeQueries<'_>, conventions: FunctionConventions<'_>, arguments: &[Passing]) -> TypeId {
    let mut function = conventions.function.clone();
    let mut result_arguments = arguments.iter();
    for result in function.results.iter_mut().filter(|result| result.convention.is_indirect()) {
        if result_arguments.next() == Some(&Passing::Returned) {
            let is_trivial = queries.properties(result.ty, None).is_trivial();
            let convention = if is_trivial { ResultConvention::Unowned } else { ResultConvention::Owned };
            *result = FunctionResult { convention, ..*result };
        }
    }
    if let Some(error) = function.error.as_mut().filter(|_| arguments.contains(&Passing::Thrown)) {
        error.convention = ResultConvention::Owned;
    }
    let first = conventions.first_parameter();
    let last = function.parameters.len().checked_sub(1);
    let self_is_gone = last.is_some_and(|last| arguments.get(first + last) == Some(&Passing::Dropped));
    if self_is_gone && conventions.self_parameter().is_some() {
        function.representation = Representation::Thin;
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
                Passing::Same if is_trivial_value(queries, parameter) => ParameterConvention::Unowned,
                Passing::Same | Passing::Returned | Passing::Thrown => parameter.convention,
            };
            Some(Parameter { convention, ..*parameter })
        })
        .collect();
    queries.context.ty(Type::Function(Box::new(function)))
}

fn is_trivial_value(queries: &TypeQueries<'_>, parameter: &Parameter) -> bool {
    queries.has_opaque_values()
        && matches!(parameter.convention, ParameterConvention::Owned | ParameterConvention::Guaranteed)
        && queries.properties(parameter.ty, None).is_trivial()
}

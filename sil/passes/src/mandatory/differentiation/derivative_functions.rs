//! The functions that differentiation creates: their names, types and attributes, and the bodies of those that only
//! trap (lib/SILOptimizer/Mandatory/Differentiation.cpp, `createEmptyJVP`, `createEmptyVJP`, `emitFatalError`;
//! VJPCloner.cpp, `createEmptyPullback`).

use sil_ir::context::{
    CalleeConvention, DerivativeKind, FunctionResult, FunctionType, Name, NominalType, Parameter, ParameterConvention,
    ParameterOptions, Representation, ResultConvention, SignatureId, Type, TypeId,
};

use super::emitter::Emitter;

use sil_ir::model::{
    Body, DebugLocation, DerivativeConfiguration, DifferentiabilityWitness, Function, FunctionAttribute, FunctionFlag,
    Linkage, Module, Ownership, Serialization, Value,
};
use sil_ir::symbols::Derivative;
use sil_ir::types::TypeQueries;

use crate::editing::builder::Origin;

/// The function that a program calls for a derivative that does not exist.
pub(super) const NO_FORWARD_MODE: &str = "_fatalErrorForwardModeDifferentiationDisabled";

/// Creates a derivative of `original` for `witness` without a body; `None` if its name or its type is not known.
pub(super) fn empty_derivative(
    queries: &TypeQueries<'_>,
    original: &Function,
    witness: &DifferentiabilityWitness,
    (kind, serialization): (DerivativeKind, Serialization),
) -> Option<Function> {
    let configuration = &witness.configuration;
    let Type::Function(function) = queries.get(original.ty) else { return None };
    let ty = queries.derivative_type(function, &configuration.indices, kind, configuration.signature)?;
    let derivative = match kind {
        DerivativeKind::Jvp => Derivative::ForwardMode,
        DerivativeKind::Vjp => Derivative::ReverseMode,
    };
    let name = queries.derivative_name(derivative, configuration)?;
    Some(made_of(original, name, (ty, configuration.signature), (witness.linkage, serialization)))
}

/// Creates a function without a body that is derived from another one.
fn made_of(
    original: &Function,
    name: Name,
    (ty, signature): (TypeId, Option<SignatureId>),
    (linkage, serialization): (Linkage, Serialization),
) -> Function {
    Function {
        name,
        ty,
        signature,
        linkage,
        serialization,
        attributes: vec![FunctionAttribute::Flag(FunctionFlag::Ossa)],
        body: None,
        entry_count: None,
        specialized_from: None,
        scope: original.scope,
        span: original.span,
    }
}

/// Creates the pullback of `derivative` without a body. Its parameters are the tangent vectors of the results and the
/// linear maps of calls, `captured`.
pub(super) fn empty_pullback(
    queries: &TypeQueries<'_>,
    original: &Function,
    derivative: &Function,
    configuration: &DerivativeConfiguration,
    captured: &[TypeId],
) -> Option<Function> {
    let Type::Function(function) = queries.get(original.ty) else { return None };
    let linear_map = returned_linear_map(queries, derivative.ty)?;
    let captured = captured.iter().map(|ty| Parameter {
        convention: ParameterConvention::Owned,
        ty: *ty,
        options: ParameterOptions::default(),
    });
    let ty = FunctionType {
        representation: Representation::Thin,
        callee: function.callee,
        parameters: linear_map.parameters.iter().copied().chain(captured).collect(),
        ..linear_map.clone()
    };
    let name = queries.derivative_name(Derivative::Pullback, configuration)?;
    let linkage = match derivative.serialization {
        Serialization::None => Linkage::Private,
        _ => Linkage::Public,
    };
    let ty = queries.context.ty(Type::Function(Box::new(ty)));
    Some(made_of(original, name, (ty, derivative.signature), (linkage, derivative.serialization)))
}

/// Returns the type of the linear map that a derivative of this type returns.
pub(super) fn returned_linear_map<'q>(queries: &TypeQueries<'q>, derivative: TypeId) -> Option<&'q FunctionType> {
    let Type::Function(function) = queries.get(derivative) else { return None };
    match queries.get(function.results.last()?.ty) {
        Type::Function(linear_map) => Some(linear_map),
        _ => None,
    }
}

/// Returns the source location of functions derived from `original`.
pub(super) fn origin_of_function(module: &Module, original: &Function) -> Origin {
    let location = original.scope.map(|scope| DebugLocation {
        place: module.scopes[scope].place,
        scope: Some(scope),
        automatic: false,
    });
    Origin { location, ..Origin::nowhere(original.span) }
}

/// Adds the arguments of a function to the first block of `body`.
pub(super) fn add_arguments(queries: &TypeQueries<'_>, body: &mut Body, function: &Function) -> Option<Vec<Value>> {
    let entry = body.add_block();
    let conventions = queries.conventions(function.ty)?;
    let arguments = conventions.arguments().map(|argument| {
        let ownership = match argument.convention {
            _ if argument.ty.is_address() => Ownership::None,
            _ if queries.properties(argument.ty.ty, function.signature).is_trivial() => Ownership::None,
            convention if convention.is_consumed() => Ownership::Owned,
            convention if convention.is_guaranteed() => Ownership::Guaranteed,
            _ => Ownership::Unowned,
        };
        body.add_argument(entry, argument.ty, ownership)
    });
    Some(arguments.collect())
}

/// Creates the declaration of [`NO_FORWARD_MODE`].
pub(super) fn fatal_error(queries: &TypeQueries<'_>, original: &Function) -> Option<Function> {
    let context = queries.context;
    let never = queries.declarations.top_level(context.name("Never"))?;
    let never = FunctionResult {
        convention: ResultConvention::Unowned,
        ty: context.ty(Type::Nominal(NominalType { declaration: never, parent: None, arguments: Box::default() })),
        options: ParameterOptions::default(),
    };
    let ty = FunctionType {
        representation: Representation::Thin,
        results: Box::new([never]),
        ..FunctionType::thick(CalleeConvention::None)
    };
    let ty = context.ty(Type::Function(Box::new(ty)));
    let name = context.name(NO_FORWARD_MODE);
    let function = made_of(original, name, (ty, None), (Linkage::PublicExternal, Serialization::None));
    Some(Function { attributes: Vec::new(), scope: None, ..function })
}

/// Creates the body of a derivative that does not exist: it calls `fatal`.
pub(super) fn fatal_body(
    queries: &TypeQueries<'_>,
    derivative: &Function,
    origin: Origin,
    fatal: &Function,
) -> Option<Body> {
    let mut body = Body::default();
    let arguments = add_arguments(queries, &mut body, derivative)?;
    let entry = body.entry();
    let owned = arguments.into_iter().filter(|argument| body.values[*argument].ownership == Ownership::Owned);
    let owned: Vec<Value> = owned.collect();
    let mut emitter = Emitter::at_end(queries, &mut body, entry, origin);
    owned.into_iter().for_each(|argument| emitter.destroy(argument));
    let callee = emitter.function_ref(fatal.name, fatal.ty);
    emitter.apply(callee, &[])?;
    emitter.at().unreachable();
    Some(body)
}

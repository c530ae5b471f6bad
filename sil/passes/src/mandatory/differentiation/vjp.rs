//! Reverse-mode derivatives (VJPs): clones of functions that call the derivatives of their callees and also return the
//! linear map (lib/SILOptimizer/Differentiation/VJPCloner.cpp). Supports functions of one block with active values in
//! registers; others are refused.

use sil_analysis::ApplySite;
use sil_ir::context::{
    CalleeConvention, DerivativeKind, Differentiability, DifferentiabilityIndices, FunctionType, ParameterConvention,
    ResultConvention, SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{
    Apply, BlockId, Body, DerivativeConfiguration, Details, Extractee, Function, FunctionFlag, InstructionId,
    Ownership, Value,
};
use sil_ir::types::{ClosureStorage, TypeQueries};

use super::derivative_functions::{add_arguments, empty_pullback, returned_linear_map};
use super::emitter::{Emitter, origin_of};
use super::invoker::Location;
use super::linear_maps::LinearMaps;
use super::pullback;
use super::values::{formal_results, return_instruction};
use crate::editing::cloning::{ClonePlaces, Cloner};

/// A call of a function that takes part in its derivative.
pub(super) struct NestedCall {
    /// The call in the original.
    pub(super) call: InstructionId,
    /// The differentiability indices of the callee.
    pub(super) indices: DifferentiabilityIndices,
    /// The type of the linear map that the callee's derivative returns.
    pub(super) linear_map: TypeId,
}

/// A derivative with its pullback.
pub(super) struct Made {
    pub(super) derivative: Function,
    pub(super) pullback: Function,
    /// The instructions of the derivative that make functions differentiable and lack derivatives.
    pub(super) open: Vec<InstructionId>,
    /// The instructions among them that were created for calls.
    pub(super) for_calls: Vec<InstructionId>,
}

/// Creates the body of `derivative`, and its pullback.
pub(super) fn make(
    maps: &LinearMaps<'_, '_>,
    configuration: &DerivativeConfiguration,
    derivative: Function,
) -> Result<Made, Box<Diagnostic>> {
    let view = maps.view;
    refuse_unsupported(maps, configuration)?;
    if !returned_linear_map(view.queries, derivative.ty).is_some_and(|linear_map| is_plain(view.queries, linear_map)) {
        return Err(unsupported(maps, None, "differentiating functions with linear maps that take or give addresses"));
    }
    let calls = nested_calls(maps)?;
    let captured: Vec<TypeId> = calls.iter().map(|call| call.linear_map).collect();
    let no_type = || unsupported(maps, None, "the type of this derivative");
    let mut pullback =
        empty_pullback(view.queries, view.function, &derivative, configuration, &captured).ok_or_else(no_type)?;
    let mut body = Body::default();
    let arguments = add_arguments(view.queries, &mut body, &derivative).ok_or_else(no_type)?;
    let (from, entry) = (view.body, body.entry());
    let site = from.terminator(from.entry()).ok_or_else(no_type)?;
    let places = ClonePlaces::Kept;
    let signature = derivative.signature;
    let mut cloner = Cloner::new(view.queries, from, SubstitutionMapId::EMPTY, signature, places, site);
    cloner.map_block(from.entry(), entry);
    for (argument, made) in from.blocks[from.entry()].arguments.iter().zip(arguments) {
        cloner.map_value(*argument, made);
        body.values[made].flags = from.values[*argument].flags;
    }
    let linear_maps = Vec::new();
    let (open, for_calls) = (Vec::new(), Vec::new());
    let mut this = VjpCloner { maps, calls: &calls, cloner, body, entry, linear_maps, open, for_calls };
    for id in from.instructions_in(from.entry()) {
        this.instruction(id, &derivative, &pullback)?;
    }
    let VjpCloner { body, open, for_calls, .. } = this;
    pullback.body = Some(pullback::make(maps, &calls, &pullback)?);
    Ok(Made { derivative: Function { body: Some(body), ..derivative }, pullback, open, for_calls })
}

fn unsupported(maps: &LinearMaps<'_, '_>, id: Option<InstructionId>, what: &str) -> Box<Diagnostic> {
    let view = maps.view;
    let at = match id {
        Some(id) => Location::of_instruction(view.module, view.function, view.body, id),
        None => Location::of_function(view.module, view.function),
    };
    Box::new(Diagnostic::unsupported(what, at.span).in_source(at.place))
}

/// Refuses functions that this file and `pullback` do not support yet.
fn refuse_unsupported(
    maps: &LinearMaps<'_, '_>,
    configuration: &DerivativeConfiguration,
) -> Result<(), Box<Diagnostic>> {
    let view = maps.view;
    let Type::Function(function) = view.queries.get(view.function.ty) else {
        return Err(unsupported(maps, None, "differentiating this function"));
    };
    if function.signature.is_some() || configuration.signature.is_some() || function.pattern.is_some() {
        return Err(unsupported(maps, None, "differentiating generic functions"));
    }
    let is_counted = |value: Value| !view.queries.properties(view.body.ty(value).ty, None).is_trivial();
    if !view.function.has(FunctionFlag::Ossa) && view.body.values.keys().any(is_counted) {
        return Err(unsupported(maps, None, "differentiating functions without ownership"));
    }
    if view.cfg.reverse_post_order().len() > 1 {
        return Err(unsupported(maps, None, "differentiating functions with control flow"));
    }
    if function.results.iter().any(|result| result.convention.is_indirect()) || function.error.is_some() {
        return Err(unsupported(maps, None, "differentiating functions with indirect results or errors"));
    }
    if formal_results(view).len() < function.semantic_result_count() {
        let at = return_instruction(view);
        return Err(unsupported(maps, at, "differentiating functions that return a tuple which they do not make"));
    }
    for id in view.body.instructions_in(view.body.entry()) {
        if super::checks::is_array_literal(view, id) {
            return Err(unsupported(maps, Some(id), "differentiating functions with array literals"));
        }
        let mut values = view.body.operands(id).iter().copied().chain(view.body.results(id));
        if values.any(|value| maps.is_active(value) && view.body.ty(value).is_address()) {
            return Err(unsupported(maps, Some(id), "differentiating what is in memory"));
        }
        if maps.takes_part(id) && !pullback::is_supported(view.body.instructions[id].opcode) {
            let name = view.body.instructions[id].opcode.name();
            return Err(unsupported(maps, Some(id), &format!("differentiating '{name}'")));
        }
    }
    Ok(())
}

/// Returns the calls that take part, in order.
fn nested_calls(maps: &LinearMaps<'_, '_>) -> Result<Vec<NestedCall>, Box<Diagnostic>> {
    let view = maps.view;
    let mut calls = Vec::new();
    for id in view.body.instructions_in(view.body.entry()) {
        let Some(call) = maps.differentiated_call(id) else { continue };
        let linear_map = maps.call_indices(call).and_then(|indices| {
            let conventions = call.conventions(view.queries)?;
            let original = conventions.function.without_differentiability();
            let indices = match conventions.function.differentiability {
                Some(_) => DifferentiabilityIndices {
                    results: indices.results,
                    ..conventions.function.differentiability_indices()
                },
                None => indices,
            };
            let derivative = view.queries.derivative_type(&original, &indices, DerivativeKind::Vjp, None)?;
            let Type::Function(derivative) = view.queries.get(derivative) else { return None };
            Some((derivative.results.last()?.ty, indices))
        });
        let Some((linear_map, indices)) = linear_map.filter(|(ty, _)| is_plain_type(view.queries, *ty)) else {
            return Err(unsupported(
                maps,
                Some(id),
                "differentiating calls with linear maps that take or give addresses",
            ));
        };
        calls.push(NestedCall { call: id, indices, linear_map });
    }
    Ok(calls)
}

/// Returns whether a linear map has direct parameters and results with the conventions of Swift functions.
fn is_plain_type(queries: &TypeQueries<'_>, linear_map: TypeId) -> bool {
    matches!(queries.get(linear_map), Type::Function(function) if is_plain(queries, function))
}

/// Returns whether a linear map of this type has direct parameters and results with the conventions of Swift functions.
pub(super) fn is_plain(queries: &TypeQueries<'_>, linear_map: &FunctionType) -> bool {
    let FunctionType { parameters, results, pattern: None, .. } = linear_map else { return false };
    let is_trivial = |ty| queries.properties(ty, None).is_trivial();
    let plain_parameters = parameters.iter().all(|parameter| match parameter.convention {
        ParameterConvention::Unowned => is_trivial(parameter.ty),
        ParameterConvention::Guaranteed => !is_trivial(parameter.ty),
        _ => false,
    });
    let plain_results = results.iter().all(|result| match result.convention {
        ResultConvention::Unowned => is_trivial(result.ty),
        ResultConvention::Owned => !is_trivial(result.ty),
        _ => false,
    });
    plain_parameters && plain_results
}

struct VjpCloner<'c, 'v, 'm> {
    maps: &'c LinearMaps<'v, 'm>,
    calls: &'c [NestedCall],
    cloner: Cloner<'c>,
    body: Body,
    entry: BlockId,
    /// The linear maps of the calls so far.
    linear_maps: Vec<Value>,
    open: Vec<InstructionId>,
    for_calls: Vec<InstructionId>,
}

impl VjpCloner<'_, '_, '_> {
    fn instruction(
        &mut self,
        id: InstructionId,
        derivative: &Function,
        pullback: &Function,
    ) -> Result<(), Box<Diagnostic>> {
        let from = self.maps.view.body;
        let calls = self.calls;
        if let Some(nested) = calls.iter().find(|nested| nested.call == id) {
            return self.call(nested).ok_or_else(|| unsupported(self.maps, Some(id), "differentiating this call"));
        }
        match from.instructions[id].opcode {
            Opcode::Return => {
                let returned = self.return_with(id, derivative, pullback);
                returned.ok_or_else(|| unsupported(self.maps, Some(id), "the type of this derivative"))
            }
            Opcode::LinearFunction => Err(unsupported(self.maps, Some(id), "differentiating 'linear_function'")),
            opcode => {
                let clone = self.cloner.instruction(&mut self.body, self.entry, id);
                if opcode == Opcode::DifferentiableFunction && from.operands(id).len() == 1 {
                    self.open.push(clone);
                }
                Ok(())
            }
        }
    }

    /// Emits a call of the derivative of a call's callee, and records the linear map.
    fn call(&mut self, nested: &NestedCall) -> Option<()> {
        let view = self.maps.view;
        let (queries, from) = (view.queries, view.body);
        let site = ApplySite::new(from, nested.call)?;
        let Details::Apply(apply) = &from.instructions[nested.call].details else { return None };
        let original = site.callee()?;
        let callee = self.cloner.value(&mut self.body, original);
        let arguments: Vec<Value> =
            site.arguments().iter().map(|argument| self.cloner.value(&mut self.body, *argument)).collect();
        let is_owned = view.ownership(original) != Ownership::None;
        let origin = origin_of(from, nested.call);
        let mut emitter = Emitter::at_end(queries, &mut self.body, self.entry, origin);
        let Type::Function(function) = queries.get(emitter.ty(callee).ty) else { return None };
        let derivative = match function.differentiability {
            Some(_) => extract(&mut emitter, callee, is_owned)?,
            None => {
                let (value, is_owned) = match apply.substitutions == SubstitutionMapId::EMPTY {
                    true if is_owned => (emitter.copy(callee), true),
                    true => (callee, false),
                    false => (specialize(&mut emitter, callee, apply)?, true),
                };
                let (whole, made) = make_differentiable(&mut emitter, value, &nested.indices)?;
                self.open.push(made);
                self.for_calls.push(made);
                let part = extract(&mut emitter, whole, is_owned)?;
                if is_owned {
                    emitter.destroy(whole);
                }
                part
            }
        };
        let result = emitter.apply(derivative, &arguments)?;
        if is_owned || apply.substitutions != SubstitutionMapId::EMPTY {
            emitter.destroy(derivative);
        }
        let mut parts = emitter.elements(result);
        let linear_map = parts.pop()?;
        if emitter.ty(linear_map).ty != nested.linear_map {
            return None;
        }
        let result = emitter.joined(&parts);
        self.linear_maps.push(linear_map);
        self.cloner.map_value(from.result(nested.call)?, result);
        Some(())
    }

    /// Emits the return of the original results and of the pullback with its captured linear maps.
    fn return_with(&mut self, id: InstructionId, derivative: &Function, pullback: &Function) -> Option<()> {
        let view = self.maps.view;
        let returned = self.cloner.value(&mut self.body, Unary::of(view.body, id).operand);
        let queries = view.queries;
        let origin = origin_of(view.body, id);
        let mut emitter = Emitter::at_end(queries, &mut self.body, self.entry, origin);
        let mut results = emitter.elements(returned);
        let callee = emitter.function_ref(pullback.name, pullback.ty);
        let (count, convention) = (self.linear_maps.len(), CalleeConvention::Guaranteed);
        let substitutions = SubstitutionMapId::EMPTY;
        let ty = queries.partial_apply_type(pullback.ty, substitutions, count, convention, ClosureStorage::Heap)?;
        let Type::Function(function) = queries.get(derivative.ty) else { return None };
        if function.results.last()?.ty != ty {
            return None;
        }
        results.push(bind(&mut emitter, callee, &self.linear_maps, (substitutions, ty)));
        let whole = emitter.joined(&results);
        emitter.at().return_value(whole);
        Some(())
    }
}

/// Emits a partial application that binds the last arguments of a function.
pub(super) fn bind(
    emitter: &mut Emitter<'_, '_>,
    callee: Value,
    arguments: &[Value],
    (substitutions, ty): (SubstitutionMapId, TypeId),
) -> Value {
    let apply = Apply::new(emitter.ty(callee), substitutions);
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::CalleeGuaranteed);
    let operands: Vec<Value> = std::iter::once(callee).chain(arguments.iter().copied()).collect();
    emitter.at().with(attributes).partial_apply(apply, &operands, SilType::object(ty))
}

/// Returns the callee of a call, specialised for the call's generic arguments.
fn specialize(emitter: &mut Emitter<'_, '_>, callee: Value, apply: &Apply) -> Option<Value> {
    let (queries, generic) = (emitter.queries, emitter.ty(callee).ty);
    let (substitutions, convention) = (apply.substitutions, CalleeConvention::Guaranteed);
    let ty = queries.partial_apply_type(generic, substitutions, 0, convention, ClosureStorage::Heap)?;
    Some(bind(emitter, callee, &[], (substitutions, ty)))
}

/// Emits a differentiable function without derivatives, and returns its instruction.
fn make_differentiable(
    emitter: &mut Emitter<'_, '_>,
    function: Value,
    indices: &DifferentiabilityIndices,
) -> Option<(Value, InstructionId)> {
    let queries = emitter.queries;
    let Type::Function(original) = queries.get(emitter.ty(function).ty) else { return None };
    let ty = original.with_differentiability(Differentiability::Reverse, indices);
    let ty = SilType::object(queries.context.ty(Type::Function(Box::new(ty))));
    let whole = emitter.at().differentiable_function(function, Box::new(indices.clone()), ty);
    Some((whole, emitter.body.defining(whole)?))
}

/// Extracts the reverse-mode derivative of a differentiable function, as an owned value.
fn extract(emitter: &mut Emitter<'_, '_>, whole: Value, is_owned: bool) -> Option<Value> {
    let queries = emitter.queries;
    let Type::Function(function) = queries.get(emitter.ty(whole).ty) else { return None };
    let original = function.without_differentiability();
    let indices = function.differentiability_indices();
    let ty = SilType::object(queries.derivative_type(&original, &indices, DerivativeKind::Vjp, None)?);
    if !is_owned {
        return Some(emitter.at().differentiable_function_extract(whole, Extractee::Vjp, ty));
    }
    let borrowed = emitter.at().begin_borrow(whole);
    let part = emitter.at().differentiable_function_extract(borrowed, Extractee::Vjp, ty);
    let copy = emitter.copy(part);
    emitter.at().end_borrow(borrowed);
    Some(copy)
}

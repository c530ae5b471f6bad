//! Subset thunks: derivatives with respect to some parameters from those with respect to more. Pullbacks drop unwanted
//! results, differentials pass zero for unwanted parameters (lib/SILOptimizer/Differentiation/Thunk.cpp). Linear maps
//! must have direct parameters and results.

use sil_ir::context::{
    CalleeConvention, DerivativeKind, DifferentiabilityIndices, FunctionType, Name, Parameter, ParameterConvention,
    ParameterOptions, Representation, SilType, SubstitutionMapId, Type, TypeId,
};

use super::derivative_functions::{add_arguments, returned_linear_map};
use super::emitter::Emitter;
use super::vjp::{bind, is_plain};

use sil_ir::model::{
    Body, DerivativeConfiguration, Extractee, Function, FunctionAttribute, FunctionFlag, Linkage, Serialization, Value,
};
use sil_ir::symbols::Derivative;
use sil_ir::types::{ClosureStorage, TypeQueries};

use crate::editing::builder::Origin;

/// A derivative with respect to fewer parameters, and its linear map thunk.
pub(super) struct Thunks {
    pub(super) derivative: Function,
    pub(super) linear_map: Function,
}

/// The parameters of the thunks.
pub(super) struct Subset<'s> {
    /// The witness that has the derivatives.
    pub(super) configuration: &'s DerivativeConfiguration,
    /// The type of the function value that is made differentiable.
    pub(super) original: TypeId,
    /// The wanted indices.
    pub(super) indices: &'s DifferentiabilityIndices,
    /// The serialisation of the function that contains the value.
    pub(super) serialization: Serialization,
    pub(super) origin: Origin,
}

impl Subset<'_> {
    /// Creates the thunks of this kind; `None` if a linear map has addresses, or a type is not known.
    pub(super) fn thunks(&self, queries: &TypeQueries<'_>, kind: DerivativeKind) -> Option<Thunks> {
        let Type::Function(whole) = queries.get(self.configuration.ty) else { return None };
        let Type::Function(value) = queries.get(self.original) else { return None };
        if whole.signature.is_some() || self.configuration.signature.is_some() {
            return None;
        }
        let from = queries.derivative_type(whole, &self.configuration.indices, kind, None)?;
        let target = queries.derivative_type(value, self.indices, kind, None)?;
        let [from_map, target_map] = [returned_linear_map(queries, from)?, returned_linear_map(queries, target)?];
        if !is_plain(queries, from_map) || !is_plain(queries, target_map) {
            return None;
        }
        let linear_map = self.linear_map(queries, kind, (from_map, target_map))?;
        let derivative = self.derivative(queries, kind, (from, target), &linear_map)?;
        Some(Thunks { derivative, linear_map })
    }

    fn function(
        &self,
        name: Name,
        ty: FunctionType,
        serialization: Serialization,
        queries: &TypeQueries<'_>,
    ) -> Function {
        let flags = [FunctionFlag::Transparent, FunctionFlag::Thunk, FunctionFlag::Ossa];
        Function {
            name,
            ty: queries.context.ty(Type::Function(Box::new(ty))),
            signature: None,
            linkage: Linkage::Shared,
            serialization,
            attributes: flags.into_iter().map(FunctionAttribute::Flag).collect(),
            body: None,
            entry_count: None,
            specialized_from: None,
            scope: self.origin.location.and_then(|location| location.scope),
            span: self.origin.span,
        }
    }

    /// Creates the derivative thunk, which calls the derivative and wraps its linear map in `linear_map`.
    fn derivative(
        &self,
        queries: &TypeQueries<'_>,
        kind: DerivativeKind,
        (from, target): (TypeId, TypeId),
        linear_map: &Function,
    ) -> Option<Function> {
        let (derivative, extractee) = match kind {
            DerivativeKind::Jvp => (Derivative::ForwardMode, Extractee::Jvp),
            DerivativeKind::Vjp => (Derivative::ReverseMode, Extractee::Vjp),
        };
        let name = queries.subset_thunk_name(derivative, self.configuration, (target, &self.indices.parameters))?;
        let Type::Function(function) = queries.get(target) else { return None };
        let mut ty = (**function).clone();
        if ty.representation == Representation::Thick {
            (ty.representation, ty.callee) = (Representation::Thin, CalleeConvention::None);
        }
        let mut made = self.function(name, ty, self.serialization, queries);
        let mut body = Body::default();
        let arguments = add_arguments(queries, &mut body, &made)?;
        let entry = body.entry();
        let mut emitter = Emitter::at_end(queries, &mut body, entry, self.origin);
        let witness = (extractee, Box::new(self.configuration.clone()));
        let callee = emitter.at().differentiability_witness_function(witness, SilType::object(from));
        let result = emitter.apply(callee, &arguments)?;
        let mut results = emitter.elements(result);
        let inner = results.pop()?;
        let thunk = emitter.function_ref(linear_map.name, linear_map.ty);
        let (none, convention) = (SubstitutionMapId::EMPTY, CalleeConvention::Guaranteed);
        let bound = queries.partial_apply_type(linear_map.ty, none, 1, convention, ClosureStorage::Heap)?;
        if function.results.last()?.ty != bound {
            return None;
        }
        results.push(bind(&mut emitter, thunk, &[inner], (none, bound)));
        let whole = emitter.joined(&results);
        emitter.at().return_value(whole);
        made.body = Some(body);
        Some(made)
    }

    /// Creates the linear map thunk, which passes zeros for unwanted parameters or drops unwanted results.
    fn linear_map(
        &self,
        queries: &TypeQueries<'_>,
        kind: DerivativeKind,
        (from, target): (&FunctionType, &FunctionType),
    ) -> Option<Function> {
        let derivative = match kind {
            DerivativeKind::Jvp => Derivative::Differential,
            DerivativeKind::Vjp => Derivative::Pullback,
        };
        let from_type = queries.context.ty(Type::Function(Box::new(from.clone())));
        let name = queries.subset_thunk_name(derivative, self.configuration, (from_type, &self.indices.parameters))?;
        let (convention, options) = (ParameterConvention::Guaranteed, ParameterOptions::default());
        let inner = Parameter { convention, ty: from_type, options };
        let ty = FunctionType {
            representation: Representation::Thin,
            callee: CalleeConvention::None,
            parameters: target.parameters.iter().copied().chain([inner]).collect(),
            ..target.clone()
        };
        let mut made = self.function(name, ty, Serialization::Serialized, queries);
        let mut body = Body::default();
        let mut arguments = add_arguments(queries, &mut body, &made)?;
        let inner = arguments.pop()?;
        let entry = body.entry();
        let mut emitter = Emitter::at_end(queries, &mut body, entry, self.origin);
        let whole = match kind {
            DerivativeKind::Jvp => self.differential(&mut emitter, inner, (from, &arguments))?,
            DerivativeKind::Vjp => self.pullback(&mut emitter, inner, &arguments)?,
        };
        emitter.at().return_value(whole);
        made.body = Some(body);
        Some(made)
    }

    fn is_left(&self, parameter: &u32) -> bool {
        self.indices.parameters.contains(parameter)
    }

    fn differential(
        &self,
        emitter: &mut Emitter<'_, '_>,
        inner: Value,
        (from, arguments): (&FunctionType, &[Value]),
    ) -> Option<Value> {
        let (mut given, mut zeros, mut passed) = (arguments.iter(), Vec::new(), Vec::new());
        for (index, parameter) in self.configuration.indices.parameters.iter().zip(&from.parameters) {
            passed.push(match self.is_left(index) {
                true => *given.next()?,
                false => emitter.zero(parameter.ty)?,
            });
            zeros.extend(passed.last().filter(|_| !self.is_left(index)));
        }
        let result = emitter.apply(inner, &passed)?;
        zeros.into_iter().for_each(|zero| emitter.destroy(zero));
        Some(result)
    }

    fn pullback(&self, emitter: &mut Emitter<'_, '_>, inner: Value, arguments: &[Value]) -> Option<Value> {
        let result = emitter.apply(inner, arguments)?;
        let parts = emitter.elements(result);
        let mut left = Vec::new();
        for (index, part) in self.configuration.indices.parameters.iter().zip(parts) {
            match self.is_left(index) {
                true => left.push(part),
                false => emitter.destroy(part),
            }
        }
        Some(emitter.joined(&left))
    }
}

//! Finds the sources of the derivatives of a function value: witnesses, tables, differentiable functions, or a new
//! witness (lib/SILOptimizer/Mandatory/Differentiation.cpp, `emitDerivativeFunctionReference`; Common.cpp,
//! `findMinimalDerivativeConfiguration`).

use sil_ir::context::{Differentiability, DifferentiabilityIndices, FunctionType, Name, Type};
use sil_ir::declarations::{DeclaredDerivative, DerivativeParameters};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{DifferentiableFunctionExtract, FunctionRef};
use sil_ir::model::{
    Body, DerivativeConfiguration, Derivatives, Details, DifferentiabilityWitness, Extractee, FunctionId,
    InstructionId, Linkage, Method, Serialization, Value,
};
use sil_ir::types::TypeQueries;
use sil_text::print::Printer;

use super::Differentiation;
use super::checks::{ARGUMENT, RESULT};
use super::invoker::{Invoker, Location};
use super::references::{DerivativeSource, MethodDerivative, after_conversions};

/// The `@_semantics` of functions that must not be differentiated.
const OPAQUE: &str = "autodiff.opaque";

/// The message for an unknown function.
const UNKNOWN: &str = "opaque non-'@differentiable' function is not differentiable";

/// Returns whether a function value is the result of a call of a curry thunk, applied to its receiver.
pub(super) fn is_curried(queries: &TypeQueries<'_>, body: &Body, value: Value) -> bool {
    let call = body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::Apply);
    let callee = call.and_then(|call| body.defining(*body.operands(call).first()?));
    callee.is_some_and(|callee| body.instructions[callee].opcode == Opcode::FunctionRef)
        && matches!(queries.get(body.ty(value).ty), Type::Function(_))
}

impl Differentiation<'_> {
    /// Returns the source of derivatives of `original` with respect to `wanted` or a superset of its parameters, with
    /// the indices. Creates a witness if there is none.
    pub(super) fn source(
        &mut self,
        function: FunctionId,
        original: Value,
        (wanted, invoker): (&DifferentiabilityIndices, Invoker),
    ) -> Result<(DerivativeSource, DifferentiabilityIndices), Box<Diagnostic>> {
        let body = super::body_of(self.module, function);
        let original = after_extraction(body, original);
        let at = Location::of_value(self.module, &self.module.functions[function], body, original);
        let Type::Function(ty) = self.queries.get(body.ty(original).ty) else {
            return Err(invoker.nondifferentiable(at, UNKNOWN));
        };
        if ty.differentiability.is_some() {
            let found = ty.differentiability_indices();
            if wanted.parameters.iter().any(|parameter| !found.parameters.contains(parameter)) {
                let reason = "cannot differentiate with respect to a '@noDerivative' parameter";
                return Err(invoker.nondifferentiable(at, reason));
            }
            return Ok((DerivativeSource::Differentiable(original), wanted.clone()));
        }
        if let Some(reference) = after_conversions(body, original, Opcode::FunctionRef) {
            let callee = FunctionRef::of(body, reference).function;
            let configuration = self.witnessed(callee, wanted, (at, invoker))?;
            if self.is_hidden(function, &configuration) {
                let what = "derivatives that other modules do not see in functions that they do";
                return Err(Box::new(Diagnostic::unsupported(what, at.span).in_source(at.place)));
            }
            let indices = configuration.indices.clone();
            return Ok((DerivativeSource::Witness(reference, Box::new(configuration)), indices));
        }
        let words = [
            (
                Opcode::WitnessMethod,
                "member is not differentiable because the corresponding protocol requirement is not '@differentiable'",
            ),
            (
                Opcode::ClassMethod,
                "member is not differentiable because the corresponding class member is not '@differentiable'",
            ),
        ];
        for (opcode, reason) in words {
            if let Some(lookup) = after_conversions(body, original, opcode) {
                return self.method(body, lookup, wanted, (at, invoker, reason));
            }
        }
        Err(invoker.nondifferentiable(at, UNKNOWN))
    }

    /// Returns the configuration of a witness of `callee` with derivatives with respect to `wanted` or a superset.
    fn witnessed(
        &mut self,
        callee: Name,
        wanted: &DifferentiabilityIndices,
        (at, invoker): (Location, Invoker),
    ) -> Result<DerivativeConfiguration, Box<Diagnostic>> {
        let own = self.module.differentiability_witnesses.iter().map(|witness| &witness.configuration);
        let mut of_callee = own.filter(|configuration| configuration.original == callee);
        if let Some(exact) = of_callee.find(|configuration| configuration.indices == *wanted) {
            return Ok(exact.clone());
        }
        if let Some(found) = self.smallest_declared(callee, wanted) {
            return Ok(found);
        }
        let Some(id) = self.module.function_named(callee) else {
            return Err(invoker.nondifferentiable(at, UNKNOWN));
        };
        self.check_callee(id, wanted, (at, invoker))?;
        let function = &self.module.functions[id];
        if function.signature.is_some() {
            return Err(Box::new(
                Diagnostic::unsupported("differentiating generic functions", at.span).in_source(at.place),
            ));
        }
        let configuration = DerivativeConfiguration {
            kind: Differentiability::Reverse,
            indices: wanted.clone(),
            signature: None,
            original: callee,
            ty: function.ty,
        };
        let index = self.module.differentiability_witnesses.len();
        self.module.differentiability_witnesses.push(DifferentiabilityWitness {
            linkage: Linkage::Private,
            serialization: Serialization::None,
            configuration: configuration.clone(),
            derivatives: Some(Derivatives { jvp: None, vjp: None }),
            span: function.span,
        });
        self.complete(index, invoker)?;
        Ok(configuration)
    }

    /// Returns whether `function` is serialised but the witness that it would refer to is not public.
    fn is_hidden(&self, function: FunctionId, configuration: &DerivativeConfiguration) -> bool {
        let is_public = |witness: &DifferentiabilityWitness| {
            matches!(witness.linkage, Linkage::Public | Linkage::PublicExternal | Linkage::PublicNonAbi)
                && self.queries.same_derivatives(&witness.configuration, configuration)
        };
        self.module.functions[function].serialization != Serialization::None
            && !self.module.differentiability_witnesses.iter().any(is_public)
    }

    /// Returns the configuration of the declared witness, of the program or another module, with the fewest parameters
    /// that include the wanted ones. A witness of another module is added to this one.
    fn smallest_declared(
        &mut self,
        callee: Name,
        wanted: &DifferentiabilityIndices,
    ) -> Option<DerivativeConfiguration> {
        let own = self.module.differentiability_witnesses.iter().take(self.declared);
        let external = self.external.get(&callee).into_iter().flatten();
        let fits = |witness: &&DifferentiabilityWitness| {
            let DerivativeConfiguration { original, indices, .. } = &witness.configuration;
            *original == callee && wanted.parameters.iter().all(|parameter| indices.parameters.contains(parameter))
        };
        let smallest =
            own.chain(external).filter(fits).min_by_key(|witness| witness.configuration.indices.parameters.len())?;
        let configuration = smallest.configuration.clone();
        let mut known = self.module.differentiability_witnesses.iter();
        if !known.any(|witness| self.queries.same_derivatives(&witness.configuration, &configuration)) {
            let declaration = DifferentiabilityWitness {
                linkage: Linkage::PublicExternal,
                serialization: Serialization::None,
                derivatives: None,
                ..smallest.clone()
            };
            self.module.differentiability_witnesses.push(declaration);
        }
        Some(configuration)
    }

    /// Reports why no witness can be created for a function.
    fn check_callee(
        &self,
        id: FunctionId,
        wanted: &DifferentiabilityIndices,
        (at, invoker): (Location, Invoker),
    ) -> Result<(), Box<Diagnostic>> {
        let (function, queries) = (&self.module.functions[id], self.queries);
        let fails = |reason: &str| Err(invoker.nondifferentiable(at, reason));
        if function.semantics(&self.module.context).any(|semantics| semantics == OPAQUE) {
            return fails(UNKNOWN);
        }
        let Type::Function(ty) = queries.get(function.ty) else { return fails(UNKNOWN) };
        let ty: &FunctionType = ty;
        let is_differentiable = |ty| queries.is_differentiable(ty, function.signature);
        let is_argument =
            |index: &u32| ty.parameters.get(*index as usize).is_some_and(|found| is_differentiable(found.ty));
        if !wanted.parameters.iter().all(is_argument) {
            return fails(ARGUMENT);
        }
        let is_result = |index: &u32| ty.semantic_result_type(*index as usize).is_some_and(is_differentiable);
        if !wanted.results.iter().all(is_result) {
            return fails(RESULT);
        }
        if function.body.is_none() {
            return fails(
                "cannot differentiate functions that have not been marked '@differentiable' and that are defined in other files",
            );
        }
        Ok(())
    }

    /// Returns the derivative of a method in a table.
    fn method(
        &self,
        body: &Body,
        lookup: InstructionId,
        wanted: &DifferentiabilityIndices,
        (at, invoker, reason): (Location, Invoker, &str),
    ) -> Result<(DerivativeSource, DifferentiabilityIndices), Box<Diagnostic>> {
        let unsupported =
            || Box::new(Diagnostic::unsupported("derivatives of this method", at.span).in_source(at.place));
        let Details::Method(method) = &body.instructions[lookup].details else { return Err(unsupported()) };
        let declared = self.declared_derivatives(method);
        if declared.is_empty() {
            return Err(invoker.nondifferentiable(at, reason));
        }
        let type_of = |id: InstructionId| body.result(id).map(|value| self.queries.get(body.ty(value).ty));
        let Some(Type::Function(function)) = type_of(lookup) else { return Err(unsupported()) };
        let first = declared[0];
        // Tuples become several parameters of the lowered function; overloads share a name.
        if first.parameter_count as usize != function.parameters.len()
            || declared.iter().any(|other| other.method != first.method)
        {
            return Err(unsupported());
        }
        let mut candidates = Vec::new();
        for derivative in declared {
            candidates.push((derivative, self.parameters_of(derivative, function).ok_or_else(unsupported)?));
        }
        candidates.retain(|(_, parameters)| wanted.parameters.iter().all(|parameter| parameters.contains(parameter)));
        let Some((derivative, parameters)) = candidates.into_iter().min_by_key(|(_, parameters)| parameters.len())
        else {
            let reason = "member is differentiable only with respect to a smaller subset of arguments";
            return Err(invoker.nondifferentiable(at, reason));
        };
        let words = self.words(derivative, &parameters);
        let results = (0..function.semantic_result_count() as u32).collect();
        let indices = DifferentiabilityIndices { parameters: parameters.into(), results };
        let derivative = MethodDerivative { words, indices: indices.clone() };
        Ok((DerivativeSource::Method(lookup, Box::new(derivative)), indices))
    }

    /// Returns the declared derivatives of a method.
    fn declared_derivatives(&self, method: &Method) -> Vec<&DeclaredDerivative> {
        let member = self.queries.context.get_member(method.member);
        let Some(parent) = member.parent else { return Vec::new() };
        let declared = self.queries.declarations.get(parent).derivatives.iter();
        declared.filter(|derivative| derivative.member == member.name).collect()
    }

    /// Returns the parameters of the lowered method for a derivative.
    fn parameters_of(&self, derivative: &DeclaredDerivative, function: &FunctionType) -> Option<Vec<u32>> {
        match &derivative.parameters {
            DerivativeParameters::Stated(numbers) => Some(numbers.to_vec()),
            DerivativeParameters::Differentiable => {
                let is_differentiable = |index: &u32| {
                    self.queries.is_differentiable(function.parameters[*index as usize].ty, function.signature)
                };
                Some((0..function.parameters.len() as u32).filter(is_differentiable).collect())
            }
            DerivativeParameters::Unknown => None,
        }
    }

    /// Returns the name of a derivative in a table: `SU.<Self where Self : P>`.
    fn words(&self, derivative: &DeclaredDerivative, parameters: &[u32]) -> Name {
        let context = self.queries.context;
        let letters = (0..derivative.parameter_count).map(|index| if parameters.contains(&index) { 'S' } else { 'U' });
        let mut words: String = letters.collect();
        if let Some(signature) = derivative.signature {
            let mut printer = Printer::new(context, self.queries.declarations);
            printer.signature(signature);
            words.push('.');
            words.push_str(&printer.out);
        }
        context.name(&words)
    }
}

/// Returns the differentiable function whose original is extracted as `value`, or `value` itself.
fn after_extraction(body: &Body, value: Value) -> Value {
    let extraction = body.defining(value).filter(|id| {
        body.instructions[*id].opcode == Opcode::DifferentiableFunctionExtract
            && DifferentiableFunctionExtract::of(body, *id).extractee == Extractee::Original
    });
    extraction.map_or(value, |id| DifferentiableFunctionExtract::of(body, id).operand)
}

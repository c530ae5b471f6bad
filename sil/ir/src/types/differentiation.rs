//! Types of automatic differentiation: `@differentiable` functions, their derivatives and transposes
//! (docs/DifferentiableProgramming.md, docs/SIL/Instructions.md "Differentiable Programming").

use super::*;
use crate::context::{ConformanceKind, DerivativeKind, SignatureId};
use crate::model::DerivativeConfiguration;

/// A result in the numbering of [`DifferentiabilityIndices`].
enum SemanticResult<'t> {
    Formal(&'t FunctionResult),
    InOut { parameter: u32, info: &'t Parameter },
    Yield(&'t Parameter),
}

fn semantic_results(function: &FunctionType) -> impl Iterator<Item = SemanticResult<'_>> {
    let mutating = |parameter: &Parameter| {
        matches!(parameter.convention, ParameterConvention::InOut | ParameterConvention::InOutAliasable)
    };
    let parameters = (0..).zip(&function.parameters).filter(move |(_, info)| mutating(info));
    let formal = function.results.iter().map(SemanticResult::Formal);
    let mutated = parameters.map(|(parameter, info)| SemanticResult::InOut { parameter, info });
    formal.chain(mutated).chain(function.yields.iter().map(SemanticResult::Yield))
}

impl SemanticResult<'_> {
    fn ty(&self) -> TypeId {
        match self {
            Self::Formal(result) => result.ty,
            Self::InOut { info, .. } => info.ty,
            Self::Yield(info) => info.ty,
        }
    }

    fn is_differentiable(&self) -> bool {
        let options = match self {
            Self::Formal(result) => result.options,
            Self::InOut { info, .. } | Self::Yield(info) => info.options,
        };
        !options.contains(ParameterOption::NotDifferentiable)
    }
}

impl FunctionType {
    /// How many results there are in the numbering of [`DifferentiabilityIndices`].
    pub fn semantic_result_count(&self) -> usize {
        semantic_results(self).count()
    }

    /// Whether the function has all parameters and results that `indices` name.
    pub fn has_indices(&self, indices: &DifferentiabilityIndices) -> bool {
        let is_there = |indices: &[u32], count: usize| indices.last().is_none_or(|last| (*last as usize) < count);
        is_there(&indices.parameters, self.parameters.len()) && is_there(&indices.results, self.semantic_result_count())
    }

    /// The type of a result in the numbering of [`DifferentiabilityIndices`].
    pub fn semantic_result_type(&self, index: usize) -> Option<TypeId> {
        semantic_results(self).nth(index).map(|result| result.ty())
    }

    /// The parameters and results that are not `@noDerivative`.
    pub fn differentiability_indices(&self) -> DifferentiabilityIndices {
        let differentiable = |info: &Parameter| !info.options.contains(ParameterOption::NotDifferentiable);
        let parameters = (0..).zip(&self.parameters).filter(|(_, info)| differentiable(info));
        let results = (0..).zip(semantic_results(self)).filter(|(_, result)| result.is_differentiable());
        DifferentiabilityIndices {
            parameters: parameters.map(|(index, _)| index).collect(),
            results: results.map(|(index, _)| index).collect(),
        }
    }

    /// This type as a `@differentiable` one: parameters and results outside of `indices` are `@noDerivative`.
    pub fn with_differentiability(&self, kind: Differentiability, indices: &DifferentiabilityIndices) -> Self {
        let mut function = self.clone();
        function.differentiability = Some(kind);
        for (index, parameter) in (0..).zip(&mut function.parameters) {
            if !indices.parameters.contains(&index) {
                parameter.options.insert(ParameterOption::NotDifferentiable);
            }
        }
        for (index, result) in (0..).zip(&mut function.results) {
            if !indices.results.contains(&index) {
                result.options.insert(ParameterOption::NotDifferentiable);
            }
        }
        function
    }

    /// The original function of a `@differentiable` one: nothing in it is `@noDerivative`.
    pub fn without_differentiability(&self) -> Self {
        let mut function = self.clone();
        function.differentiability = None;
        for parameter in function.parameters.iter_mut().chain(&mut function.yields) {
            parameter.options.remove(ParameterOption::NotDifferentiable);
        }
        for result in &mut function.results {
            result.options.remove(ParameterOption::NotDifferentiable);
        }
        function
    }
}

impl TypeQueries<'_> {
    /// Whether two differentiability witnesses or references to them mean the same one.
    pub fn same_derivatives(&self, first: &DerivativeConfiguration, second: &DerivativeConfiguration) -> bool {
        let signatures = match (first.signature, second.signature) {
            (Some(first), Some(second)) => self.same_signature(first, second),
            (first, second) => first == second,
        };
        signatures && first.original == second.original && first.kind == second.kind && first.indices == second.indices
    }

    /// The type of a derivative of `original` by `indices`, where `signature` is the derivative's own generic signature
    /// if it has one. None where a parameter or result has no tangent space that the module shows.
    pub fn derivative_type(
        &self,
        original: &FunctionType,
        indices: &DifferentiabilityIndices,
        derivative: DerivativeKind,
        signature: Option<SignatureId>,
    ) -> Option<TypeId> {
        let mut function = self.constrained(original, indices, signature, Linearity::Differentiable)?;
        let signature = self.inner_signature(&function);
        let mut map = LinearMap {
            queries: self,
            signature,
            replaced: Vec::new(),
            function: FunctionType::thick(CalleeConvention::Guaranteed),
        };
        match derivative {
            DerivativeKind::Jvp => map.differential(&function, indices)?,
            DerivativeKind::Vjp => map.pullback(&function, indices)?,
        }
        let ty = map.finish();
        let closure = FunctionResult { convention: ResultConvention::Owned, ty, options: ParameterOptions::default() };
        function.results = function.results.iter().copied().chain([closure]).collect();
        if function.representation == Representation::C {
            function.representation = Representation::Thin;
        }
        Some(self.context.ty(Type::Function(Box::new(function))))
    }

    /// The type of a derivative of the same kind as `derivative`, which is of a function, of a reabstraction thunk: its
    /// last parameter, the function that it reabstracts, is differentiable by `indices`
    /// (lib/SIL/IR/SILFunctionType.cpp, `getAutoDiffDerivativeFunctionType`). None if the last parameter is no
    /// function.
    pub fn derivative_type_of_thunk(&self, derivative: TypeId, indices: &DifferentiabilityIndices) -> Option<TypeId> {
        let Type::Function(derivative) = self.get(derivative) else { return None };
        let mut derivative = derivative.clone();
        let reabstracted = derivative.parameters.last_mut()?;
        let Type::Function(callee) = self.get(reabstracted.ty) else { return None };
        let callee = callee.with_differentiability(Differentiability::Reverse, indices);
        reabstracted.ty = self.context.ty(Type::Function(Box::new(callee)));
        Some(self.context.ty(Type::Function(derivative)))
    }

    /// The type of the transpose of `original` by the parameters in `indices`.
    pub fn transpose_type(
        &self,
        original: &FunctionType,
        indices: &DifferentiabilityIndices,
        signature: Option<SignatureId>,
    ) -> Option<TypeId> {
        let function = self.constrained(original, indices, signature, Linearity::Linear)?;
        let signature = self.inner_signature(&function);
        let triviality = |ty| self.properties(ty, signature).triviality();
        let mut transposed = original.clone();
        let (mut parameters, mut results) = (Vec::new(), Vec::new());
        for (index, parameter) in (0..).zip(&original.parameters) {
            if indices.parameters.contains(&index) {
                let convention = transposed_result(parameter.convention, triviality(parameter.ty));
                results.push(FunctionResult { convention, ty: parameter.ty, options: ParameterOptions::default() });
            } else {
                parameters.push(*parameter);
            }
        }
        for result in &original.results {
            let convention = transposed_parameter(result.convention, triviality(result.ty));
            parameters.push(Parameter { convention, ty: result.ty, options: ParameterOptions::default() });
        }
        transposed.parameters = parameters.into();
        transposed.results = results.into();
        Some(self.context.ty(Type::Function(Box::new(transposed))))
    }

    /// `original` with the signature `signature` or its own, in which its differentiated types conform to
    /// `Differentiable`.
    fn constrained(
        &self,
        original: &FunctionType,
        indices: &DifferentiabilityIndices,
        signature: Option<SignatureId>,
        linearity: Linearity,
    ) -> Option<FunctionType> {
        let mut function = original.clone();
        let constrain = |signature| self.differentiable_signature(original, indices, signature, linearity);
        if let Some(own) = original.signature {
            function.signature = Some(constrain(signature.unwrap_or(own))?);
        } else if let Some(pattern) = function.pattern {
            let SubstitutionMap { signature, replacements } = self.context.get_substitutions(pattern).clone();
            function.pattern = Some(self.context.substitutions(constrain(signature)?, replacements));
        }
        Some(function)
    }

    /// The signature that parameters and results of a function are written in.
    fn inner_signature(&self, function: &FunctionType) -> Option<SignatureId> {
        let pattern = function.pattern.map(|pattern| self.context.get_substitutions(pattern).signature);
        pattern.or(function.signature)
    }

    fn differentiable_signature(
        &self,
        original: &FunctionType,
        indices: &DifferentiabilityIndices,
        signature: SignatureId,
        linearity: Linearity,
    ) -> Option<SignatureId> {
        let protocol = self.differentiable()?;
        let constraint = self.context.ty(Type::Protocol { protocol, arguments: Box::default() });
        let mut signature = self.context.get_signature(canonical::nameless(self.context, signature)).clone();
        let parameters = (0..).zip(&original.parameters).filter(|(index, _)| indices.parameters.contains(index));
        let results = (0..).zip(semantic_results(original)).filter(|(index, _)| indices.results.contains(index));
        let types = parameters.map(|(_, info)| info.ty).chain(results.map(|(_, result)| result.ty()));
        let mut requirements = signature.requirements.to_vec();
        for subject in types.filter(|ty| self.is_type_parameter(*ty)) {
            let conforms = |known: &Requirement| match known {
                Requirement::Conformance { subject: known, constraint } => {
                    *known == subject && self.protocols_in(*constraint).contains(&protocol)
                }
                _ => false,
            };
            if !requirements.iter().any(conforms) {
                requirements.push(Requirement::Conformance { subject, constraint });
            }
            let second = self.tangent_member(subject, protocol);
            if linearity == Linearity::Linear && !requirements.iter().any(|known| equates(known, subject, second)) {
                requirements.push(Requirement::SameType { first: subject, second });
            }
        }
        signature.requirements = requirements.into();
        Some(self.context.signature(signature))
    }

    /// Whether values of `ty` have a tangent space under `signature` (`TypeBase::getAutoDiffTangentSpace`).
    pub fn is_differentiable(&self, ty: TypeId, signature: Option<SignatureId>) -> bool {
        if let Type::Tuple(elements) = self.get(ty) {
            return elements.iter().any(|element| self.is_differentiable(element.ty, signature));
        }
        let Some(protocol) = self.differentiable() else { return false };
        if self.is_type_parameter(ty) {
            return signature.is_some_and(|signature| {
                let generics = self.generics();
                let bounds = generics.machine(signature).bounds(&generics, ty);
                bounds
                    .protocols
                    .iter()
                    .any(|bound| *bound == protocol || generics.inherited(*bound).contains(&protocol))
            });
        }
        let conformance = self.conformance(ty, protocol);
        let kind = &self.context.get_conformance(conformance).kind;
        let conforms = matches!(
            kind,
            ConformanceKind::Normal { .. } | ConformanceKind::Specialized { .. } | ConformanceKind::Inherited { .. }
        );
        conforms && self.conditions_hold(kind, signature)
    }

    /// Whether the arguments that a conditional conformance requires to be differentiable are.
    fn conditions_hold(&self, kind: &ConformanceKind, signature: Option<SignatureId>) -> bool {
        let ConformanceKind::Specialized { substitutions, .. } = kind else { return true };
        let condition = self.context.get_substitutions(*substitutions).signature;
        let protocol = self.differentiable();
        self.context.get_signature(condition).requirements.iter().all(|requirement| match requirement {
            Requirement::Conformance { subject, constraint }
                if self.protocols_in(*constraint).iter().any(|required| Some(*required) == protocol) =>
            {
                self.is_differentiable(self.substitute(*subject, *substitutions), signature)
            }
            _ => true,
        })
    }

    /// The protocol `Differentiable`, where the module knows it.
    fn differentiable(&self) -> Option<NominalId> {
        self.declarations.top_level(self.context.name("Differentiable"))
    }

    fn tangent_member(&self, ty: TypeId, protocol: NominalId) -> TypeId {
        self.member_type(ty, self.context.name("TangentVector"), Some(protocol))
    }

    /// The tangent space of `ty` under `signature`: the witness of its associated type `TangentVector`; of a tuple the
    /// tuple of its elements' ones.
    pub fn tangent_space(&self, ty: TypeId, signature: Option<SignatureId>) -> Option<TypeId> {
        if let Type::Tuple(elements) = self.get(ty) {
            let spaces = elements.iter().filter_map(|element| {
                let ty = self.tangent_space(element.ty, signature)?;
                Some(TupleElement { label: element.label, ty })
            });
            let spaces: Vec<_> = spaces.collect();
            return Some(match &spaces[..] {
                [] => return None,
                [only] => only.ty,
                _ => self.context.ty(Type::Tuple(spaces.into())),
            });
        }
        let member = self.tangent_member(ty, self.differentiable()?);
        let unresolved = matches!(self.get(member), Type::DependentMember { .. });
        if unresolved && !self.is_dependent(ty) {
            return None;
        }
        let requirements = signature.map_or(&[][..], |signature| &self.context.get_signature(signature).requirements);
        let equal = requirements.iter().find_map(|requirement| match requirement {
            Requirement::SameType { first, second } if *first == member => Some(*second),
            Requirement::SameType { first, second } if *second == member => Some(*first),
            _ => None,
        });
        Some(equal.unwrap_or(member))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Linearity {
    Differentiable,
    Linear,
}

fn equates(requirement: &Requirement, one: TypeId, other: TypeId) -> bool {
    match requirement {
        Requirement::SameType { first, second } => {
            (*first, *second) == (one, other) || (*first, *second) == (other, one)
        }
        _ => false,
    }
}

fn transposed_result(convention: ParameterConvention, triviality: Triviality) -> ResultConvention {
    use ParameterConvention::*;
    match convention {
        Owned | Guaranteed | Unowned if triviality == Triviality::Trivial => ResultConvention::Unowned,
        Owned | Guaranteed | Unowned => ResultConvention::Owned,
        PackOwned | PackGuaranteed | PackInOut => ResultConvention::Pack,
        In | InConstant | InGuaranteed | InCxx | InOut | InOutAliasable => ResultConvention::Indirect,
    }
}

fn transposed_parameter(convention: ResultConvention, triviality: Triviality) -> ParameterConvention {
    match convention {
        ResultConvention::Owned | ResultConvention::Autoreleased => match triviality {
            Triviality::Trivial => ParameterConvention::Unowned,
            Triviality::Nontrivial => ParameterConvention::Guaranteed,
        },
        ResultConvention::Unowned | ResultConvention::UnownedInnerPointer => ParameterConvention::Unowned,
        ResultConvention::Pack => ParameterConvention::PackGuaranteed,
        ResultConvention::Guaranteed => ParameterConvention::Guaranteed,
        ResultConvention::InOut => ParameterConvention::InOut,
        ResultConvention::Indirect | ResultConvention::GuaranteedAddress => ParameterConvention::InGuaranteed,
    }
}

/// A differential or a pullback that is being made. Tangent spaces that depend on generic parameters become parameters
/// of its pattern.
struct LinearMap<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    signature: Option<SignatureId>,
    replaced: Vec<TypeId>,
    function: FunctionType,
}

impl LinearMap<'_, '_> {
    fn differential(&mut self, original: &FunctionType, indices: &DifferentiabilityIndices) -> Option<()> {
        let mut parameters = Vec::new();
        for (_, info) in (0..).zip(&original.parameters).filter(|(index, _)| indices.parameters.contains(index)) {
            let convention = match (info.convention, self.passing(info.ty)?) {
                (ParameterConvention::Guaranteed, Passing::AddressOnly) => ParameterConvention::InGuaranteed,
                (ParameterConvention::Owned | ParameterConvention::Unowned, Passing::AddressOnly) => {
                    ParameterConvention::In
                }
                (convention, _) => convention,
            };
            parameters.push(self.parameter(info.ty, convention)?);
        }
        let mut results = Vec::new();
        for (_, result) in (0..).zip(semantic_results(original)).filter(|(index, _)| indices.results.contains(index)) {
            match result {
                SemanticResult::Formal(info) => {
                    let convention = match (info.convention, self.passing(info.ty)?) {
                        (ResultConvention::Unowned | ResultConvention::Owned, Passing::AddressOnly) => {
                            ResultConvention::Indirect
                        }
                        (convention, _) => convention,
                    };
                    results.push(self.result(info.ty, convention)?);
                }
                // It is a parameter of the differential already.
                SemanticResult::InOut { parameter, .. } if indices.parameters.contains(&parameter) => {}
                SemanticResult::InOut { info, .. } => results.push(self.result(info.ty, ResultConvention::Indirect)?),
                SemanticResult::Yield(info) => parameters.push(self.parameter(info.ty, info.convention)?),
            }
        }
        self.function.parameters = parameters.into();
        self.function.results = results.into();
        Some(())
    }

    fn pullback(&mut self, original: &FunctionType, indices: &DifferentiabilityIndices) -> Option<()> {
        let (mut parameters, mut yields) = (Vec::new(), Vec::new());
        for (_, result) in (0..).zip(semantic_results(original)).filter(|(index, _)| indices.results.contains(index)) {
            match result {
                SemanticResult::Formal(info) => {
                    let convention = match (info.convention, self.passing(info.ty)?) {
                        (ResultConvention::Pack, _) => ParameterConvention::PackGuaranteed,
                        (ResultConvention::Indirect, _) | (_, Passing::AddressOnly) => {
                            ParameterConvention::InGuaranteed
                        }
                        (_, Passing::Loadable(Triviality::Trivial)) => ParameterConvention::Unowned,
                        (_, Passing::Loadable(Triviality::Nontrivial)) => ParameterConvention::Guaranteed,
                    };
                    parameters.push(self.parameter(info.ty, convention)?);
                }
                SemanticResult::InOut { parameter, info } => {
                    let convention = match indices.parameters.contains(&parameter) {
                        true => info.convention,
                        false => ParameterConvention::InGuaranteed,
                    };
                    parameters.push(self.parameter(info.ty, convention)?);
                }
                SemanticResult::Yield(info) => yields.push(self.parameter(info.ty, info.convention)?),
            }
        }
        let mut results = Vec::new();
        for (_, info) in (0..).zip(&original.parameters).filter(|(index, _)| indices.parameters.contains(index)) {
            use ParameterConvention::*;
            let convention = match (info.convention, self.passing(info.ty)?) {
                // It is a parameter of the pullback already.
                (InOut | InOutAliasable, _) => continue,
                (PackOwned | PackGuaranteed | PackInOut, _) => ResultConvention::Pack,
                (In | InConstant | InGuaranteed | InCxx, _) | (_, Passing::AddressOnly) => ResultConvention::Indirect,
                (_, Passing::Loadable(Triviality::Trivial)) => ResultConvention::Unowned,
                (_, Passing::Loadable(Triviality::Nontrivial)) => ResultConvention::Owned,
            };
            results.push(self.result(info.ty, convention)?);
        }
        self.function.coroutine = original.coroutine;
        self.function.parameters = parameters.into();
        self.function.yields = yields.into();
        self.function.results = results.into();
        Some(())
    }

    /// How the tangent space of `ty` is passed.
    fn passing(&self, ty: TypeId) -> Option<Passing> {
        let space = self.queries.tangent_space(ty, self.signature)?;
        Some(self.queries.properties(space, self.signature).passing)
    }

    fn tangent(&mut self, ty: TypeId) -> Option<TypeId> {
        let space = self.queries.tangent_space(ty, self.signature)?;
        if !self.queries.is_dependent(space) {
            return Some(space);
        }
        let index = self.replaced.len() as u32;
        self.replaced.push(space);
        Some(self.queries.context.ty(Type::GenericParameter { depth: 0, index }))
    }

    fn parameter(&mut self, ty: TypeId, convention: ParameterConvention) -> Option<Parameter> {
        Some(Parameter { convention, ty: self.tangent(ty)?, options: ParameterOptions::default() })
    }

    fn result(&mut self, ty: TypeId, convention: ResultConvention) -> Option<FunctionResult> {
        Some(FunctionResult { convention, ty: self.tangent(ty)?, options: ParameterOptions::default() })
    }

    fn finish(mut self) -> TypeId {
        let context = self.queries.context;
        if !self.replaced.is_empty() {
            let signature = context.unconstrained_signature(self.replaced.len());
            self.function.pattern = Some(context.substitutions(signature, self.replaced));
        }
        context.ty(Type::Function(Box::new(self.function)))
    }
}

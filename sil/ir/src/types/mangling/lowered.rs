//! Lowered types in symbols: boxes with their layouts, and functions with their conventions (docs/ABI/Mangling.rst,
//! "Function Signature" and the section on `impl-function-type`). Symbols of functions that are specialised for
//! closures name the captures so.
//!
//! Does not own: functions that are not called in Swift's own way.

use super::SymbolTypes;
use crate::context::{
    BoxField, BoxType, CalleeConvention, CoroutineKind, FunctionAttribute, FunctionAttributes, FunctionResult,
    FunctionType, Mutability, Parameter, ParameterConvention, ParameterOption, ParameterOptions, Representation,
    ResultConvention,
};
use crate::symbols::{self, Kind, NodeId, ValueOption};

/// The options of parameters that symbols have, in their order.
const OPTIONS: [(ParameterOption, ValueOption); 4] = [
    (ParameterOption::NotDifferentiable, ValueOption::NoDerivative),
    (ParameterOption::Sending, ValueOption::Sending),
    (ParameterOption::Isolated, ValueOption::Isolated),
    (ParameterOption::ImplicitLeading, ValueOption::ImplicitLeading),
];

impl SymbolTypes<'_> {
    /// A box with its layout. The signature of a generic one has parameters alone.
    pub(super) fn box_type(&mut self, layout: &BoxType) -> Option<NodeId> {
        let fields = layout.fields.iter().map(|field| self.field(field)).collect::<Option<Vec<_>>>()?;
        let mut children = vec![self.tree.add(Kind::BoxLayout, &fields)];
        if let Some(substitutions) = layout.substitutions {
            let map = self.queries.context.get_substitutions(substitutions);
            let signature = self.queries.context.get_signature(map.signature);
            if !signature.requirements.is_empty() || signature.parameters.iter().any(|parameter| parameter.depth > 0) {
                return None;
            }
            let count = self.tree.add_index(Kind::GenericParamCount, signature.parameters.len() as i64);
            children.push(self.tree.add(Kind::GenericSignature, &[count]));
            let arguments = map.replacements.iter().map(|ty| self.ty(*ty)).collect::<Option<Vec<_>>>()?;
            children.push(self.tree.add(Kind::TypeList, &arguments));
        }
        Some(self.tree.add(Kind::BoxType, &children))
    }

    fn field(&mut self, field: &BoxField) -> Option<NodeId> {
        let kind = match field.mutability {
            Mutability::Var => Kind::MutableField,
            Mutability::Let => Kind::ImmutableField,
        };
        let ty = self.ty(field.ty)?;
        Some(self.tree.add(kind, &[ty]))
    }

    /// A function with its conventions.
    pub(super) fn lowered_function(&mut self, function: &FunctionType) -> Option<NodeId> {
        use FunctionAttribute::{Async, NoEscape, Sendable};
        let callee = match (function.representation, function.callee) {
            (Representation::Thin | Representation::Method | Representation::WitnessMethod(_), _) => {
                symbols::CalleeConvention::Thin
            }
            (Representation::Thick, CalleeConvention::Owned) => symbols::CalleeConvention::Owned,
            (Representation::Thick, CalleeConvention::Guaranteed) => symbols::CalleeConvention::Guaranteed,
            (Representation::Thick, CalleeConvention::Unowned) => symbols::CalleeConvention::Unowned,
            _ => return None,
        };
        let mut others = function.attributes;
        [Async, NoEscape, Sendable].into_iter().for_each(|attribute| others.remove(attribute));
        let is_plain = function.pattern.is_none()
            && function.invocation.is_none()
            && function.coroutine == CoroutineKind::None
            && function.differentiability.is_none()
            && function.lifetimes.is_empty()
            && others == FunctionAttributes::default();
        if !is_plain {
            return None;
        }
        // Requirements on members of its parameters name the protocols that declare these.
        self.signature = function.signature.or(self.signature);
        let mut children = Vec::new();
        if !function.attributes.contains(NoEscape) {
            children.push(self.tree.add(Kind::ImplEscaping, &[]));
        }
        children.push(self.tree.add(Kind::ImplCallee(callee), &[]));
        let convention = match function.representation {
            Representation::Method => Some(symbols::FunctionConvention::Method),
            Representation::WitnessMethod(_) => Some(symbols::FunctionConvention::WitnessMethod),
            _ => None,
        };
        children.extend(convention.map(|convention| self.tree.add(Kind::ImplConvention(convention), &[])));
        for (attribute, kind) in [(Sendable, Kind::ImplSendable), (Async, Kind::ImplAsync)] {
            if function.attributes.contains(attribute) {
                children.push(self.tree.add(kind, &[]));
            }
        }
        for parameter in &function.parameters {
            children.push(self.lowered_parameter(parameter)?);
        }
        for result in &function.results {
            children.push(self.lowered_result(result, Kind::ImplResult)?);
        }
        if let Some(error) = &function.error {
            children.push(self.lowered_result(error, Kind::ImplErrorResult)?);
        }
        if let Some(signature) = function.signature {
            children.push(self.whole_signature(signature)?);
        }
        Some(self.tree.add(Kind::ImplFunctionType, &children))
    }

    fn lowered_parameter(&mut self, parameter: &Parameter) -> Option<NodeId> {
        use symbols::ParameterConvention as Written;
        let convention = match parameter.convention {
            ParameterConvention::Unowned => Written::Unowned,
            ParameterConvention::Owned => Written::Owned,
            ParameterConvention::Guaranteed => Written::Guaranteed,
            ParameterConvention::In => Written::In,
            ParameterConvention::InConstant => Written::InConstant,
            ParameterConvention::InGuaranteed => Written::InGuaranteed,
            ParameterConvention::InCxx => Written::InCxx,
            ParameterConvention::InOut => Written::InOut,
            ParameterConvention::InOutAliasable => Written::InOutAliasable,
            ParameterConvention::PackOwned => Written::PackOwned,
            ParameterConvention::PackGuaranteed => Written::PackGuaranteed,
            ParameterConvention::PackInOut => Written::PackInOut,
        };
        let mut others = parameter.options;
        let mut children = Vec::new();
        for (option, written) in OPTIONS {
            if others.contains(option) {
                others.remove(option);
                children.push(self.tree.add(Kind::ImplOption(written), &[]));
            }
        }
        if others != ParameterOptions::default() {
            return None;
        }
        children.push(self.ty(parameter.ty)?);
        Some(self.tree.add(Kind::ImplParameter(convention), &children))
    }

    fn lowered_result(
        &mut self,
        result: &FunctionResult,
        kind: fn(symbols::ResultConvention) -> Kind,
    ) -> Option<NodeId> {
        use symbols::ResultConvention as Written;
        let convention = match result.convention {
            ResultConvention::Indirect => Written::Out,
            ResultConvention::Owned => Written::Owned,
            ResultConvention::Unowned => Written::Unowned,
            ResultConvention::UnownedInnerPointer => Written::UnownedInnerPointer,
            ResultConvention::Autoreleased => Written::Autoreleased,
            ResultConvention::Pack => Written::PackOut,
            ResultConvention::GuaranteedAddress | ResultConvention::Guaranteed | ResultConvention::InOut => {
                return None;
            }
        };
        if result.options != ParameterOptions::default() {
            return None;
        }
        let ty = self.ty(result.ty)?;
        Some(self.tree.add(kind(convention), &[ty]))
    }
}

//! Writes function types, lowered and formal.

use super::Printer;
use crate::context::{SignatureId, TypeId};
use crate::types::*;

impl Printer<'_> {
    /// Writes the type of a `sil` function behind the dollar, its generic parameters named as in `signature`.
    pub fn function_type(&mut self, ty: TypeId, signature: Option<SignatureId>) {
        match self.context.get(ty) {
            Type::Function(function) => self.lowered_function(function, signature.or(function.signature)),
            _ => self.lowered_type(ty),
        }
    }

    /// Writes a lowered function type with `signature` for its generic parameters.
    pub(super) fn lowered_function(&mut self, function: &FunctionType, signature: Option<SignatureId>) {
        self.text(match function.coroutine {
            CoroutineKind::None => "",
            CoroutineKind::YieldOnce => "@yield_once ",
            CoroutineKind::YieldOnce2 => "@yield_once_2 ",
            CoroutineKind::YieldMany => "@yield_many ",
        });
        self.differentiability(function.differentiability);
        self.convention(function.representation);
        self.function_attributes(function.attributes);
        self.text(if function.attributes.contains(FunctionAttribute::Async) { "@async " } else { "" });
        self.text(match function.callee {
            CalleeConvention::None => "",
            CalleeConvention::Owned => "@callee_owned ",
            CalleeConvention::Guaranteed => "@callee_guaranteed ",
            CalleeConvention::Unowned => "@callee_unowned ",
        });
        let mark = self.parameters.len();
        if let Some(signature) = signature {
            self.signature(signature);
            self.text(" ");
            self.enter(signature);
        }
        let invocation = self.parameters.len();
        if let Some(pattern) = &function.pattern {
            self.text("@substituted ");
            self.signature(pattern.signature);
            self.text(" ");
            self.enter(pattern.signature);
        }
        self.lowered_components(function);
        self.parameters.truncate(invocation);
        if let Some(pattern) = &function.pattern {
            self.text(" for ");
            self.substitutions(&pattern.arguments);
        }
        self.parameters.truncate(mark);
        if !function.invocation_arguments.is_empty() {
            self.text(" for ");
            self.substitutions(&function.invocation_arguments);
        }
    }

    fn lowered_components(&mut self, function: &FunctionType) {
        self.text("(");
        for (index, parameter) in function.parameters.iter().enumerate() {
            self.text(if index > 0 { ", " } else { "" });
            self.lifetime(function, Some(index as u32));
            self.lowered_parameter(parameter);
        }
        self.text(") -> ");
        self.lifetime(function, None);
        let error = function.error.iter();
        let plain = |result: &FunctionResult| {
            result.convention == ResultConvention::Unowned && result.options == ParameterOptions::default()
        };
        let count = function.yields.len() + function.results.len() + error.len();
        let tuple = |ty: TypeId| matches!(self.context.get(ty), Type::Tuple(_));
        let lone_tuple = function.results.first().is_some_and(|result| plain(result) && tuple(result.ty));
        let bracketed = count != 1 || lone_tuple;
        self.text(if bracketed { "(" } else { "" });
        let mut first = true;
        let mut separate = |printer: &mut Self| {
            printer.text(if first { "" } else { ", " });
            first = false;
        };
        for yielded in &function.yields {
            separate(self);
            self.text("@yields ");
            self.lowered_parameter(yielded);
        }
        for result in &function.results {
            separate(self);
            self.text(result_word(result.convention));
            self.options(result.options);
            self.lowered_type(result.ty);
        }
        if let Some(error) = &function.error {
            separate(self);
            self.text(match error.convention {
                ResultConvention::Indirect => "@error_indirect ",
                ResultConvention::Unowned => "@error_unowned ",
                _ => "@error ",
            });
            self.lowered_type(error.ty);
        }
        self.text(if bracketed { ")" } else { "" });
    }

    fn lifetime(&mut self, function: &FunctionType, parameter: Option<u32>) {
        for lifetime in function.lifetimes.iter().filter(|lifetime| lifetime.parameter == parameter) {
            self.number(format_args!("@lifetime({}) ", self.context.text(lifetime.text)));
        }
    }

    fn lowered_parameter(&mut self, parameter: &Parameter) {
        self.options(parameter.options);
        self.text(parameter_word(parameter.convention));
        self.lowered_type(parameter.ty);
    }

    fn options(&mut self, options: ParameterOptions) {
        let words = [
            (ParameterOption::NotDifferentiable, "@noDerivative "),
            (ParameterOption::Isolated, "@sil_isolated "),
            (ParameterOption::Sending, "@sil_sending "),
            (ParameterOption::ImplicitLeading, "@sil_implicit_leading_param "),
            (ParameterOption::Const, "@const "),
        ];
        for (_, word) in words.iter().filter(|(option, _)| options.contains(*option)) {
            self.text(word);
        }
    }

    fn differentiability(&mut self, differentiability: Option<Differentiability>) {
        self.text(match differentiability {
            None => "",
            Some(Differentiability::Normal) => "@differentiable ",
            Some(Differentiability::Forward) => "@differentiable(_forward) ",
            Some(Differentiability::Reverse) => "@differentiable(reverse) ",
            Some(Differentiability::Linear) => "@differentiable(_linear) ",
        });
    }

    fn convention(&mut self, representation: Representation) {
        let word = match representation {
            Representation::Thick => return,
            Representation::WitnessMethod(protocol) => {
                self.text("@convention(witness_method: ");
                self.path(protocol);
                self.text(") ");
                return;
            }
            Representation::Thin => "thin",
            Representation::Method => "method",
            Representation::C => "c",
            Representation::ObjCMethod => "objc_method",
            Representation::Block => "block",
            Representation::Closure => "closure",
            Representation::CxxMethod => "cxx_method",
            Representation::KeyPathGetter => "keypath_accessor_getter",
            Representation::KeyPathSetter => "keypath_accessor_setter",
            Representation::KeyPathEquals => "keypath_accessor_equals",
            Representation::KeyPathHash => "keypath_accessor_hash",
        };
        self.number(format_args!("@convention({word}) "));
    }

    fn function_attributes(&mut self, attributes: FunctionAttributes) {
        let words = [
            (FunctionAttribute::Pseudogeneric, "@pseudogeneric "),
            (FunctionAttribute::NoEscape, "@noescape "),
            (FunctionAttribute::Sendable, "@Sendable "),
            (FunctionAttribute::Unimplementable, "@unimplementable "),
            (FunctionAttribute::IsolatedAny, "@isolated(any) "),
            (FunctionAttribute::CallerIsolated, "nonisolated(nonsending) "),
        ];
        for (_, word) in words.iter().filter(|(attribute, _)| attributes.contains(*attribute)) {
            self.text(word);
        }
    }

    /// Writes a formal function type.
    pub(super) fn formal_function(&mut self, function: &FormalFunctionType) {
        let mark = self.parameters.len();
        if let Some(signature) = function.signature {
            self.signature(signature);
            self.text(" ");
            self.enter(signature);
        }
        if let Some(actor) = function.global_actor {
            self.text("@");
            self.lowered_type(actor);
            self.text(" ");
        }
        self.differentiability(function.differentiability);
        self.convention(function.representation);
        self.function_attributes(function.attributes);
        self.text("(");
        self.list(&function.parameters, |printer, parameter| printer.formal_parameter(parameter));
        self.text(")");
        self.text(if function.attributes.contains(FunctionAttribute::Async) { " async" } else { "" });
        match function.throws {
            Throws::No => {}
            Throws::Any => self.text(" throws"),
            Throws::Rethrows => self.text(" rethrows"),
            Throws::Typed(error) => {
                self.text(" throws(");
                self.lowered_type(error);
                self.text(")");
            }
        }
        self.text(" -> ");
        self.text(if function.attributes.contains(FunctionAttribute::SendingResult) { "sending " } else { "" });
        self.lowered_type(function.result);
        self.parameters.truncate(mark);
    }

    fn formal_parameter(&mut self, parameter: &FormalParameter) {
        if let Some(label) = parameter.label {
            self.name(label);
            self.text(": ");
        }
        let words = [
            (ParameterOption::NotDifferentiable, "@noDerivative "),
            (ParameterOption::Autoclosure, "@autoclosure "),
            (ParameterOption::Isolated, "isolated "),
            (ParameterOption::Sending, "sending "),
            (ParameterOption::Const, "_const "),
        ];
        for (_, word) in words.iter().filter(|(option, _)| parameter.options.contains(*option)) {
            self.text(word);
        }
        self.text(match parameter.specifier {
            FormalSpecifier::Default => "",
            FormalSpecifier::LegacyOwned => "__owned ",
            FormalSpecifier::LegacyShared => "__shared ",
            FormalSpecifier::Borrowing => "borrowing ",
            FormalSpecifier::Consuming => "consuming ",
        });
        self.lowered_type(parameter.ty);
        self.text(if parameter.variadic == Variadic::Yes { "..." } else { "" });
    }
}

/// The word before a parameter's type, with a space behind it; nothing for one without.
pub(crate) fn parameter_word(convention: ParameterConvention) -> &'static str {
    match convention {
        ParameterConvention::Unowned => "",
        ParameterConvention::Owned => "@owned ",
        ParameterConvention::Guaranteed => "@guaranteed ",
        ParameterConvention::In => "@in ",
        ParameterConvention::InConstant => "@in_constant ",
        ParameterConvention::InGuaranteed => "@in_guaranteed ",
        ParameterConvention::InCxx => "@in_cxx ",
        ParameterConvention::InOut => "@inout ",
        ParameterConvention::InOutAliasable => "@inout_aliasable ",
        ParameterConvention::PackOwned => "@pack_owned ",
        ParameterConvention::PackGuaranteed => "@pack_guaranteed ",
        ParameterConvention::PackInOut => "@pack_inout ",
    }
}

/// The word before a result's type, with a space behind it; nothing for one without.
pub(crate) fn result_word(convention: ResultConvention) -> &'static str {
    match convention {
        ResultConvention::Indirect => "@out ",
        ResultConvention::Owned => "@owned ",
        ResultConvention::Unowned => "",
        ResultConvention::UnownedInnerPointer => "@unowned_inner_pointer ",
        ResultConvention::Autoreleased => "@autoreleased ",
        ResultConvention::Pack => "@pack_out ",
        ResultConvention::GuaranteedAddress => "@guaranteed_address ",
        ResultConvention::Guaranteed => "@guaranteed ",
    }
}

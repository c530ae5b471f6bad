//! Writes function types, lowered and formal.

use super::Printer;
use crate::context::{Name, SignatureId, TypeId};
use crate::types::*;

impl Printer<'_> {
    /// Writes the type of a `sil` function behind the dollar, its generic parameters named as in `signature`.
    pub fn function_type(&mut self, ty: TypeId, signature: Option<SignatureId>) {
        match (self.context.get(ty), signature) {
            (Type::Function(function), Some(named)) => self.lowered_function_named(function, Some(named)),
            _ => self.lowered_type(ty),
        }
    }

    pub(super) fn lowered_function(&mut self, function: &FunctionType) {
        self.lowered_function_named(function, function.signature);
    }

    /// `signature` is the function's own, with or without names.
    fn lowered_function_named(&mut self, function: &FunctionType, signature: Option<SignatureId>) {
        self.function_attributes(function);
        self.in_own_signature(signature, |this| {
            if let Some(signature) = signature {
                this.signature(signature);
                this.text(" ");
            }
            let pattern = function.pattern.as_ref();
            this.in_own_signature(pattern.map(|pattern| pattern.signature), |this| {
                if let Some(pattern) = pattern {
                    this.text("@substituted ");
                    this.signature(pattern.signature);
                    this.text(" ");
                }
                this.parameters_and_results(function);
            });
            if let Some(pattern) = pattern {
                this.bound_arguments(&pattern.arguments);
            }
        });
        if !function.invocation_arguments.is_empty() {
            self.bound_arguments(&function.invocation_arguments);
        }
    }

    fn bound_arguments(&mut self, arguments: &[TypeId]) {
        self.text(" for ");
        self.substitutions(arguments);
    }

    fn function_attributes(&mut self, function: &FunctionType) {
        self.text(match function.coroutine {
            CoroutineKind::None => "",
            CoroutineKind::YieldOnce => "@yield_once ",
            CoroutineKind::YieldOnce2 => "@yield_once_2 ",
            CoroutineKind::YieldMany => "@yield_many ",
        });
        self.differentiability(function.differentiability);
        self.convention(function.representation);
        self.flags(
            function.attributes,
            &[
                (FunctionAttribute::IsolatedAny, "@isolated(any) "),
                (FunctionAttribute::CallerIsolated, "nonisolated(nonsending) "),
                (FunctionAttribute::Unimplementable, "@unimplementable "),
                (FunctionAttribute::Pseudogeneric, "@pseudogeneric "),
                (FunctionAttribute::NoEscape, "@noescape "),
                (FunctionAttribute::Sendable, "@Sendable "),
                (FunctionAttribute::Async, "@async "),
            ],
        );
        self.text(match function.callee {
            CalleeConvention::None => "",
            CalleeConvention::Owned => "@callee_owned ",
            CalleeConvention::Guaranteed => "@callee_guaranteed ",
            CalleeConvention::Unowned => "@callee_unowned ",
        });
    }

    fn flags(&mut self, attributes: FunctionAttributes, texts: &[(FunctionAttribute, &str)]) {
        for (attribute, text) in texts {
            if attributes.contains(*attribute) {
                self.text(text);
            }
        }
    }

    fn differentiability(&mut self, differentiability: Option<Differentiability>) {
        self.text(match differentiability {
            None => "",
            Some(Differentiability::Normal) => "@differentiable ",
            Some(Differentiability::Linear) => "@differentiable(_linear) ",
            Some(Differentiability::Forward) => "@differentiable(_forward) ",
            Some(Differentiability::Reverse) => "@differentiable(reverse) ",
        });
    }

    fn convention(&mut self, representation: Representation) {
        let word = match representation {
            Representation::Thick => return,
            Representation::Thin => "thin",
            Representation::Method => "method",
            Representation::WitnessMethod(protocol) => {
                self.text("@convention(witness_method: ");
                self.nominal_name(protocol);
                return self.text(") ");
            }
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

    fn parameters_and_results(&mut self, function: &FunctionType) {
        let lifetime = |parameter| {
            let mut all = function.lifetimes.iter();
            all.find(|lifetime| lifetime.parameter == parameter).map(|lifetime| lifetime.text)
        };
        self.text("(");
        self.list(function.parameters.iter().zip(0..), |this, (parameter, index)| {
            this.parameter(parameter, lifetime(Some(index)));
        });
        self.text(") -> ");
        self.lifetime(lifetime(None));
        let count = function.yields.len() + function.results.len() + usize::from(function.error.is_some());
        let bound = function.pattern.is_some() || !function.invocation_arguments.is_empty();
        let is_function = |ty: TypeId| matches!(self.context.get(ty), Type::Function(_) | Type::Tuple(_));
        let ambiguous = match (&function.results[..], count) {
            // The arguments behind `for` would belong to the result; a tuple would be several results.
            ([only], 1) => {
                let plain = only.convention == ResultConvention::Unowned;
                is_function(only.ty) && (bound || (plain && matches!(self.context.get(only.ty), Type::Tuple(_))))
            }
            _ => false,
        };
        let in_parens = count != 1 || ambiguous;
        if in_parens {
            self.text("(");
        }
        let mut first = true;
        let mut separate = |this: &mut Self| {
            if !std::mem::take(&mut first) {
                this.text(", ");
            }
        };
        for yielded in &function.yields {
            separate(self);
            self.text("@yields ");
            self.parameter(yielded, None);
        }
        for result in &function.results {
            separate(self);
            self.options(result.options);
            self.text(result_convention(result.convention));
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
        if in_parens {
            self.text(")");
        }
    }

    fn parameter(&mut self, parameter: &Parameter, lifetime: Option<Name>) {
        self.options(parameter.options);
        self.lifetime(lifetime);
        if parameter.options.contains(ParameterOption::ImplicitLeading) {
            self.text("@sil_implicit_leading_param ");
        }
        self.text(parameter_convention(parameter.convention));
        self.lowered_type(parameter.ty);
    }

    fn options(&mut self, options: ParameterOptions) {
        let texts = [
            (ParameterOption::NotDifferentiable, "@noDerivative "),
            (ParameterOption::Sending, "@sil_sending "),
            (ParameterOption::Isolated, "@sil_isolated "),
            (ParameterOption::Const, "@const "),
        ];
        for (option, text) in texts {
            if options.contains(option) {
                self.text(text);
            }
        }
    }

    fn lifetime(&mut self, text: Option<Name>) {
        if let Some(text) = text {
            self.text("@lifetime(");
            self.name(text);
            self.text(") ");
        }
    }

    pub(super) fn formal_function(&mut self, function: &FormalFunctionType) {
        if let Some(actor) = function.global_actor {
            self.text("@");
            self.lowered_type(actor);
            self.text(" ");
        }
        self.differentiability(function.differentiability);
        self.convention(function.representation);
        self.flags(
            function.attributes,
            &[
                (FunctionAttribute::CallerIsolated, "nonisolated(nonsending) "),
                (FunctionAttribute::IsolatedAny, "@isolated(any) "),
                (FunctionAttribute::NoEscape, "@noescape "),
                (FunctionAttribute::Sendable, "@Sendable "),
            ],
        );
        self.in_own_signature(function.signature, |this| {
            if let Some(signature) = function.signature {
                this.signature(signature);
                this.text(" ");
            }
            this.text("(");
            this.list(&function.parameters, |this, parameter| this.formal_parameter(parameter));
            this.text(")");
            if function.attributes.contains(FunctionAttribute::Async) {
                this.text(" async");
            }
            match function.throws {
                Throws::No => {}
                Throws::Any => this.text(" throws"),
                Throws::Rethrows => this.text(" rethrows"),
                Throws::Typed(error) => {
                    this.text(" throws(");
                    this.lowered_type(error);
                    this.text(")");
                }
            }
            this.text(" -> ");
            if function.attributes.contains(FunctionAttribute::SendingResult) {
                this.text("sending ");
            }
            this.lowered_type(function.result);
        });
    }

    fn formal_parameter(&mut self, parameter: &FormalParameter) {
        if let Some(label) = parameter.label {
            self.identifier(label);
            self.text(": ");
        }
        let texts = [
            (ParameterOption::NotDifferentiable, "@noDerivative "),
            (ParameterOption::Autoclosure, "@autoclosure "),
            (ParameterOption::Isolated, "isolated "),
            (ParameterOption::Sending, "sending "),
            (ParameterOption::Const, "_const "),
        ];
        for (option, text) in texts {
            if parameter.options.contains(option) {
                self.text(text);
            }
        }
        self.text(match parameter.specifier {
            FormalSpecifier::Default => "",
            FormalSpecifier::LegacyOwned => "__owned ",
            FormalSpecifier::LegacyShared => "__shared ",
            FormalSpecifier::Borrowing => "borrowing ",
            FormalSpecifier::Consuming => "consuming ",
        });
        self.lowered_type(parameter.ty);
        if parameter.variadic == Variadic::Yes {
            self.text("...");
        }
    }
}

fn parameter_convention(convention: ParameterConvention) -> &'static str {
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

fn result_convention(convention: ResultConvention) -> &'static str {
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

//! Writes function types, lowered and formal.

use sil_ir::context::*;

use super::Printer;

/// The options of a parameter or result that stand in front of its lifetime dependence, in order.
const LEADING_OPTIONS: [(ParameterOption, &str); 4] = [
    (ParameterOption::NotDifferentiable, "@noDerivative "),
    (ParameterOption::Sending, "@sil_sending "),
    (ParameterOption::Isolated, "@sil_isolated "),
    (ParameterOption::Const, "@const "),
];

/// The options that stand after it.
const TRAILING_OPTIONS: [(ParameterOption, &str); 1] =
    [(ParameterOption::ImplicitLeading, "@sil_implicit_leading_param ")];

/// The attributes of a lowered function type after its convention, in order.
const LOWERED_ATTRIBUTES: [(FunctionAttribute, &str); 8] = [
    (FunctionAttribute::IsolatedAny, "@isolated(any) "),
    (FunctionAttribute::CallerIsolated, "nonisolated(nonsending) "),
    (FunctionAttribute::Unimplementable, "@unimplementable "),
    (FunctionAttribute::Pseudogeneric, "@pseudogeneric "),
    (FunctionAttribute::NoEscape, "@noescape "),
    (FunctionAttribute::Sendable, "@Sendable "),
    (FunctionAttribute::CalledAtMostOnce, "@called(atMostOnce) "),
    (FunctionAttribute::CalledExactlyOnce, "@called(exactlyOnce) "),
];

/// The attributes of a formal function type in front of its convention, in order.
const FORMAL_ATTRIBUTES: [(FunctionAttribute, &str); 8] = [
    (FunctionAttribute::IsolatedAny, "@isolated(any) "),
    (FunctionAttribute::CallerIsolated, "nonisolated(nonsending) "),
    (FunctionAttribute::Sendable, "@Sendable "),
    (FunctionAttribute::Unimplementable, "@unimplementable "),
    (FunctionAttribute::Pseudogeneric, "@pseudogeneric "),
    (FunctionAttribute::NoEscape, "@noescape "),
    (FunctionAttribute::CalledAtMostOnce, "@called(atMostOnce) "),
    (FunctionAttribute::CalledExactlyOnce, "@called(exactlyOnce) "),
];

impl Printer<'_> {
    /// Writes the type of a `sil` function after the dollar, its generic parameters named as in `signature`.
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
        self.function_attributes(function.attributes, &LOWERED_ATTRIBUTES);
        self.text(if function.attributes.contains(FunctionAttribute::Async) { "@async " } else { "" });
        self.text(match function.callee {
            CalleeConvention::None => "",
            CalleeConvention::Owned => "@callee_owned ",
            CalleeConvention::Guaranteed => "@callee_guaranteed ",
            CalleeConvention::Unowned => "@callee_unowned ",
        });
        let mark = self.parameters.len();
        if let Some(signature) = signature {
            self.enter_with_names_around(signature);
            self.entered_signature(signature);
            self.text(" ");
        }
        let invocation = self.parameters.len();
        let pattern = function.pattern.map(|pattern| self.context.get_substitutions(pattern));
        if let Some(pattern) = pattern {
            self.text("@substituted ");
            self.signature(pattern.signature);
            self.text(" ");
            self.enter(pattern.signature);
        }
        self.lowered_components(function);
        self.parameters.truncate(invocation);
        if let Some(pattern) = pattern {
            self.text(" for ");
            self.types_in_angles(&pattern.replacements);
        }
        self.parameters.truncate(mark);
        if let Some(invocation) = function.invocation {
            self.text(" for ");
            self.substitutions(invocation);
        }
    }

    fn lowered_components(&mut self, function: &FunctionType) {
        self.text("(");
        for (index, parameter) in function.parameters.iter().enumerate() {
            self.text(if index > 0 { ", " } else { "" });
            self.options(parameter.options, &LEADING_OPTIONS);
            self.lifetime(function, Some(index as u32));
            self.options(parameter.options, &TRAILING_OPTIONS);
            self.lowered_parameter(parameter);
        }
        self.text(") -> ");
        self.lifetime(function, None);
        let bracketed = self.brackets_results(function);
        self.text(if bracketed { "(" } else { "" });
        let mut first = true;
        let mut separate = |printer: &mut Self| {
            printer.text(if first { "" } else { ", " });
            first = false;
        };
        for yielded in &function.yields {
            separate(self);
            self.text("@yields ");
            self.options(yielded.options, &LEADING_OPTIONS);
            self.options(yielded.options, &TRAILING_OPTIONS);
            self.lowered_parameter(yielded);
        }
        for result in &function.results {
            separate(self);
            self.options(result.options, &LEADING_OPTIONS);
            self.text(result_word(result.convention));
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

    /// Whether the results of a function stand in brackets: unless there is one, and where the function has
    /// substitutions of its own, which would be read as those of a function that it returns.
    fn brackets_results(&self, function: &FunctionType) -> bool {
        let yields = function.yields.iter().map(|yielded| yielded.ty);
        let results = function.results.iter().map(|result| result.ty);
        let mut types = yields.chain(results).chain(function.error.iter().map(|error| error.ty));
        let (Some(only), None) = (types.next(), types.next()) else { return true };
        match self.context.get(only) {
            Type::Function(_) => function.pattern.is_some() || function.invocation.is_some(),
            // Without brackets the elements of an unlabelled tuple would be results. One element alone is written `_:
            // Int`.
            Type::Tuple(elements) if elements.len() != 1 => {
                let plain = |result: &FunctionResult| {
                    result.convention == ResultConvention::Unowned && result.options == ParameterOptions::default()
                };
                function.results.first().is_some_and(plain) && elements.iter().all(|element| element.label.is_none())
            }
            _ => false,
        }
    }

    fn lifetime(&mut self, function: &FunctionType, parameter: Option<u32>) {
        for lifetime in function.lifetimes.iter().filter(|lifetime| lifetime.parameter == parameter) {
            let written: Vec<String> = lifetime.sources.iter().map(lifetime_source).collect();
            let immortal = if written.is_empty() { "immortal" } else { "" };
            self.number(format_args!("@lifetime({immortal}{}) ", written.join(", ")));
        }
    }

    /// Writes a parameter after its options.
    fn lowered_parameter(&mut self, parameter: &Parameter) {
        self.text(parameter_word(parameter.convention));
        self.lowered_type(parameter.ty);
    }

    fn options(&mut self, options: ParameterOptions, words: &[(ParameterOption, &str)]) {
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

    fn function_attributes(&mut self, attributes: FunctionAttributes, words: &[(FunctionAttribute, &str)]) {
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
        self.differentiability(function.differentiability);
        if let Some(actor) = function.global_actor {
            self.text("@");
            self.lowered_type(actor);
            self.text(" ");
        }
        self.function_attributes(function.attributes, &FORMAL_ATTRIBUTES);
        self.convention(function.representation);
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
        self.text(if parameter.options.contains(ParameterOption::Escaping) { "@escaping " } else { "" });
        self.lowered_type(parameter.ty);
        self.text(if parameter.variadic == Variadic::Yes { "..." } else { "" });
    }
}

/// The word before a parameter's type, with a space after it; nothing for one without.
pub fn parameter_word(convention: ParameterConvention) -> &'static str {
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

/// The word before a result's type, with a space after it; nothing for one without.
pub fn result_word(convention: ResultConvention) -> &'static str {
    match convention {
        ResultConvention::Indirect => "@out ",
        ResultConvention::Owned => "@owned ",
        ResultConvention::Unowned => "",
        ResultConvention::UnownedInnerPointer => "@unowned_inner_pointer ",
        ResultConvention::Autoreleased => "@autoreleased ",
        ResultConvention::Pack => "@pack_out ",
        ResultConvention::GuaranteedAddress => "@guaranteed_address ",
        ResultConvention::Guaranteed => "@guaranteed ",
        ResultConvention::InOut => "@inout ",
    }
}

/// `borrow 0`
fn lifetime_source(source: &LifetimeSource) -> String {
    let kind = match source.kind {
        LifetimeDependenceKind::Inherited => "copy",
        LifetimeDependenceKind::Scoped(Addressability::NotAddressable) => "borrow",
        LifetimeDependenceKind::Scoped(Addressability::Addressable) => "borrow address",
        LifetimeDependenceKind::Scoped(Addressability::ForDependencies) => "borrow address_for_deps",
    };
    format!("{kind} {}", source.parameter)
}

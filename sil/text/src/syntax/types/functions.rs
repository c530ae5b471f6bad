//! Function types, lowered and formal, and boxes that have a generic signature.

use sil_ir::context::*;
use sil_ir::declarations::NominalKind;

use super::Position;
use super::namesakes::as_reference;
use super::resolve::Resolver;
use super::signatures::Naming;
use super::tree::{Attribute, Effect, Element, NodeId, NodeKind, SignatureLevel};
use crate::syntax::Parsed;
use crate::syntax::names::plain_name;

/// The parts of a written function type.
pub(crate) struct FunctionSyntax<'r, 'a> {
    attributes: Vec<&'r Attribute<'a>>,
    signature: &'r [SignatureLevel<'a>],
    arguments: &'r [NodeId],
    pattern: &'r [SignatureLevel<'a>],
    pattern_arguments: &'r [NodeId],
    parameters: &'r [Element<'a>],
    effects: &'r [Effect],
    result: NodeId,
}

/// The attributes that only a lowered function type has.
const LOWERED_ONLY: [&str; 10] = [
    "async",
    "callee_guaranteed",
    "callee_owned",
    "callee_unowned",
    "pseudogeneric",
    "substituted",
    "unimplementable",
    "yield_many",
    "yield_once",
    "yield_once_2",
];

/// The attributes that state the convention of a function. The last two are of older SIL.
const CONVENTIONS: [&str; 3] = ["convention", "thin", "thick"];

impl<'r, 'a> FunctionSyntax<'r, 'a> {
    /// Returns whether `id` is a function type, ignoring generic signatures and attributes.
    pub(crate) fn is_function(resolver: &Resolver<'r, 'a>, id: NodeId) -> bool {
        match &resolver.node(id).kind {
            NodeKind::Function { .. } => true,
            NodeKind::Generic { body, .. } => Self::is_function(resolver, *body),
            NodeKind::Attributed { body, .. } => Self::is_function(resolver, *body),
            _ => false,
        }
    }

    fn new(resolver: &Resolver<'r, 'a>, id: NodeId, attributes: &[&'r Attribute<'a>]) -> Parsed<Self> {
        let mut attributes = attributes.to_vec();
        let (mut signature, mut arguments) = (&[][..], &[][..]);
        let (mut pattern, mut pattern_arguments) = (&[][..], &[][..]);
        let mut next = id;
        loop {
            match &resolver.node(next).kind {
                NodeKind::Attributed { attributes: more, body } => {
                    attributes.extend(more);
                    next = *body;
                }
                NodeKind::Generic { signature: levels, body, arguments: bound } => {
                    let bound = bound.as_deref().unwrap_or_default();
                    if let Some(at) = attributes.iter().position(|attribute| attribute.name == "substituted") {
                        attributes.remove(at);
                        (pattern, pattern_arguments) = (levels, bound);
                    } else {
                        (signature, arguments) = (levels, bound);
                    }
                    next = *body;
                }
                NodeKind::Function { parameters, effects, result } => {
                    let parameters = match &resolver.node(*parameters).kind {
                        NodeKind::Elements(elements) => &elements[..],
                        _ => &[],
                    };
                    let result = *result;
                    return Ok(Self {
                        attributes,
                        signature,
                        arguments,
                        pattern,
                        pattern_arguments,
                        parameters,
                        effects,
                        result,
                    });
                }
                _ => return resolver.error(id, "syntax", "a function type is expected here"),
            }
        }
    }

    /// Returns whether the type has parts that formal types lack.
    fn is_lowered(&self, resolver: &Resolver<'r, 'a>) -> bool {
        let lowered = |attributes: &[Attribute<'_>]| {
            attributes.iter().any(|found| parameter_convention(found).is_some() || result_convention(found).is_some())
        };
        let element = |id: NodeId| match &resolver.node(id).kind {
            NodeKind::Attributed { attributes, .. } => lowered(attributes),
            _ => false,
        };
        let results = match &resolver.node(self.result).kind {
            NodeKind::Elements(elements) => elements.iter().any(|result| element(result.ty)),
            _ => element(self.result),
        };
        results
            || !self.pattern.is_empty()
            || self.attributes.iter().any(|attribute| LOWERED_ONLY.contains(&attribute.name))
            || self.parameters.iter().any(|parameter| element(parameter.ty))
    }
}

impl<'r, 'a> Resolver<'r, 'a> {
    /// Returns a function type, or a box, with the attributes in front of it.
    pub(crate) fn function(
        &mut self,
        id: NodeId,
        attributes: &[&'r Attribute<'a>],
        position: Position,
    ) -> Parsed<TypeId> {
        if !FunctionSyntax::is_function(self, id) {
            return self.box_of(id, CapturesGenerics::No);
        }
        let syntax = FunctionSyntax::new(self, id, attributes)?;
        // `async` and `throws` are words of formal types, also where a lowered type is expected.
        if (position == Position::Lowered && syntax.effects.is_empty()) || syntax.is_lowered(self) {
            let function = self.deeper(id, |resolver| resolver.lowered_function(id, &syntax))?;
            Ok(self.context.ty(Type::Function(Box::new(function))))
        } else {
            self.formal_function(id, &syntax)
        }
    }

    /// Returns the type of a `sil` function, and its signature with names.
    pub(crate) fn named_function(&mut self, id: NodeId) -> Parsed<(TypeId, Option<SignatureId>)> {
        let syntax = FunctionSyntax::new(self, id, &[])?;
        let mut function = self.lowered_function(id, &syntax)?;
        // A function of the module without a convention is thin (lib/SIL/Parser/ParseSIL.cpp, `parseSILType`).
        if !syntax.attributes.iter().any(|attribute| CONVENTIONS.contains(&attribute.name)) {
            function.representation = Representation::Thin;
            function.attributes.remove(FunctionAttribute::NoEscape);
        }
        let signature = match function.signature {
            Some(_) => Some(self.scoped(|this| this.signature(syntax.signature, 0, Naming::Named))?),
            None => None,
        };
        Ok((self.context.ty(Type::Function(Box::new(function))), signature))
    }

    /// Runs `read` in a nested scope of names.
    pub(crate) fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let names = self.scope.names.len();
        let result = read(self);
        self.scope.names.truncate(names);
        result
    }

    /// `<T> { var T } <Int>`
    pub(crate) fn box_of(&mut self, id: NodeId, captures_generics: CapturesGenerics) -> Parsed<TypeId> {
        let (levels, body) = match &self.node(id).kind {
            NodeKind::Generic { signature, body, .. } => (&signature[..], *body),
            _ => (&[][..], id),
        };
        if let NodeKind::Attributed { attributes, body } = &self.node(body).kind
            && let [only] = &attributes[..]
            && only.name == "captures_generics"
        {
            return self.box_with(levels, *body, CapturesGenerics::Yes);
        }
        self.box_with(levels, body, captures_generics)
    }

    fn box_with(
        &mut self,
        levels: &'r [SignatureLevel<'a>],
        body: NodeId,
        captures_generics: CapturesGenerics,
    ) -> Parsed<TypeId> {
        let NodeKind::Box { fields, arguments } = &self.node(body).kind else {
            return self.error(body, "syntax", "a function type or a box is expected here");
        };
        let arguments = self.types(arguments, Position::Formal)?;
        self.scoped(|this| {
            let signature = match levels {
                [] => SignatureId::EMPTY,
                _ => this.signature(levels, 0, Naming::Positional)?,
            };
            this.boxed(fields, this.bound(signature, arguments), captures_generics)
        })
    }

    fn lowered_function(&mut self, id: NodeId, syntax: &FunctionSyntax<'r, 'a>) -> Parsed<FunctionType> {
        if !syntax.effects.is_empty() {
            return self.error(
                id,
                "syntax",
                "a lowered function type says '@async' and '@error', not 'async' and 'throws'",
            );
        }
        let arguments = self.types(syntax.arguments, Position::Formal)?;
        let mut function = FunctionType::thick(CalleeConvention::None);
        for attribute in &syntax.attributes {
            self.lowered_attribute(attribute, &mut function)?;
        }
        // A function without a context never escapes (lib/Sema/TypeCheckType.cpp).
        if !matches!(function.representation, Representation::Thick | Representation::Block) {
            function.attributes.remove(FunctionAttribute::NoEscape);
        }
        self.scoped(|this| {
            if !syntax.signature.is_empty() {
                function.signature = Some(this.signature(syntax.signature, 0, Naming::Positional)?);
            }
            if !syntax.pattern.is_empty() {
                let arguments = this.types(syntax.pattern_arguments, Position::Formal)?;
                let signature = this.signature(syntax.pattern, 0, Naming::Positional)?;
                function.pattern = Some(this.context.substitutions(signature, arguments));
            }
            if !arguments.is_empty() {
                function.invocation = this.bound(function.signature.unwrap_or_default(), arguments);
            }
            this.lowered_components(syntax, &mut function)
        })?;
        Ok(function)
    }

    fn lowered_attribute(&mut self, attribute: &Attribute<'a>, function: &mut FunctionType) -> Parsed<()> {
        if let Some(flag) = function_flag(attribute) {
            function.attributes.insert(flag);
            return Ok(());
        }
        match attribute.name {
            "callee_owned" => function.callee = CalleeConvention::Owned,
            "callee_guaranteed" => function.callee = CalleeConvention::Guaranteed,
            "callee_unowned" => function.callee = CalleeConvention::Unowned,
            "yield_once" => function.coroutine = CoroutineKind::YieldOnce,
            "yield_once_2" => function.coroutine = CoroutineKind::YieldOnce2,
            "yield_many" => function.coroutine = CoroutineKind::YieldMany,
            "convention" => function.representation = self.representation(attribute)?,
            "differentiable" => function.differentiability = Some(self.differentiability(attribute)?),
            "escaping" => {}
            // Older SIL marks functions that way.
            "thin" => function.representation = Representation::Thin,
            "thick" => function.representation = Representation::Thick,
            _ => return self.misplaced(attribute),
        }
        Ok(())
    }

    /// `@convention(…)`
    fn representation(&mut self, attribute: &Attribute<'a>) -> Parsed<Representation> {
        let text = attribute.text.unwrap_or_default();
        let word = text.split(',').next().unwrap_or_default().trim();
        Ok(match word {
            "thick" => Representation::Thick,
            "thin" => Representation::Thin,
            "method" => Representation::Method,
            "witness_method" => Representation::WitnessMethod(self.witness_protocol(attribute)?),
            "c" => Representation::C,
            "objc_method" => Representation::ObjCMethod,
            "block" => Representation::Block,
            "closure" => Representation::Closure,
            "cxx_method" => Representation::CxxMethod,
            "keypath_accessor_getter" => Representation::KeyPathGetter,
            "keypath_accessor_setter" => Representation::KeyPathSetter,
            "keypath_accessor_equals" => Representation::KeyPathEquals,
            "keypath_accessor_hash" => Representation::KeyPathHash,
            _ => {
                let message = format!("unknown convention '{word}'");
                let error = sil_ir::diagnostic::Diagnostic::error("attribute", message, self.attribute_span(attribute));
                return Err(Box::new(error));
            }
        })
    }

    fn witness_protocol(&mut self, attribute: &Attribute<'a>) -> Parsed<NominalId> {
        let Some(id) = attribute.ty else { return self.misplaced(attribute) };
        // The protocol's name is resolved separately: its errors are no errors of the whole type yet.
        let mut nested = Resolver {
            outer_names: self.outer_names,
            pending: self.pending,
            depth: self.depth,
            ..Resolver::new(self.context, self.declarations, self.tree, self.file, self.scope.clone())
        };
        let constraint = nested.constraint(id);
        self.used_place |= nested.used_place;
        let constraint = match constraint {
            Ok(constraint) => constraint,
            Err(unknown) => return self.nested_protocol(id).ok_or(unknown),
        };
        match self.context.get(constraint) {
            Type::Protocol { protocol, .. } => Ok(*protocol),
            _ => self.error(id, "unknown-type", "a protocol is expected here"),
        }
    }

    /// Returns the only nested protocol with this name. Swift's printer omits the outer types.
    fn nested_protocol(&self, id: NodeId) -> Option<NominalId> {
        let NodeKind::Name { name, .. } = &self.node(id).kind else { return None };
        let name = self.context.name(plain_name(name));
        let nested = self.declarations.iter().filter(|(_, declaration)| {
            declaration.name == name && declaration.kind == NominalKind::Protocol && declaration.parent.is_some()
        });
        let mut found = nested.map(|(id, _)| id);
        found.next().filter(|_| found.next().is_none())
    }

    fn differentiability(&self, attribute: &Attribute<'a>) -> Parsed<Differentiability> {
        match attribute.text {
            None => Ok(Differentiability::Normal),
            Some("reverse") => Ok(Differentiability::Reverse),
            Some("_forward") => Ok(Differentiability::Forward),
            Some("_linear") => Ok(Differentiability::Linear),
            Some(_) => self.misplaced(attribute),
        }
    }

    fn lowered_components(&mut self, syntax: &FunctionSyntax<'r, 'a>, function: &mut FunctionType) -> Parsed<()> {
        let mut lifetimes = Vec::new();
        let mut parameters = Vec::with_capacity(syntax.parameters.len());
        for (element, index) in syntax.parameters.iter().zip(0..) {
            let (attributes, body) = self.split(element.ty);
            lifetimes.extend(self.lifetime(&attributes, Some(index))?);
            parameters.push(self.parameter(element.ty, &attributes, body)?);
        }
        function.parameters = parameters.into();
        let mut results = Results::default();
        let (attributes, body) = self.split(syntax.result);
        lifetimes.extend(self.lifetime(&attributes, None)?);
        let only_lifetime = attributes.iter().all(|attribute| is_lifetime(attribute));
        match &self.node(body).kind {
            // Several results have no labels; the elements of one tuple may.
            NodeKind::Elements(elements) if only_lifetime && elements.iter().all(|element| element.label.is_none()) => {
                for element in elements {
                    let (attributes, body) = self.split(element.ty);
                    self.result(element.ty, &attributes, body, &mut results)?;
                }
            }
            _ => self.result(syntax.result, &attributes, body, &mut results)?,
        }
        function.results = results.results.into();
        function.yields = results.yields.into();
        function.error = results.error;
        function.lifetimes = lifetimes.into();
        Ok(())
    }

    fn split(&self, id: NodeId) -> (Vec<&'r Attribute<'a>>, NodeId) {
        match &self.node(id).kind {
            NodeKind::Attributed { attributes, body } => (attributes.iter().collect(), *body),
            _ => (Vec::new(), id),
        }
    }

    fn lifetime(&self, attributes: &[&Attribute<'a>], parameter: Option<u32>) -> Parsed<Option<LifetimeDependence>> {
        let Some(found) = attributes.iter().find(|attribute| is_lifetime(attribute)) else { return Ok(None) };
        match lifetime_sources(found.text.unwrap_or_default()) {
            Some(sources) => Ok(Some(LifetimeDependence { parameter, sources })),
            None => self.misplaced(found),
        }
    }

    fn parameter(&mut self, id: NodeId, attributes: &[&'r Attribute<'a>], body: NodeId) -> Parsed<Parameter> {
        let mut convention = ParameterConvention::Unowned;
        let mut options = ParameterOptions::default();
        let mut rest = Vec::new();
        for attribute in attributes {
            if let Some(found) = parameter_convention(attribute) {
                convention = found;
            } else if let Some(option) = parameter_option(attribute) {
                options.insert(option);
            } else if !is_lifetime(attribute) {
                rest.push(*attribute);
            }
        }
        let ty = self.with_attributes(id, &rest, body, Position::Lowered)?;
        let is_counted = matches!(convention, ParameterConvention::Owned | ParameterConvention::Guaranteed);
        let ty = if is_counted { as_reference(self.context, self.declarations, ty) } else { ty };
        Ok(Parameter { convention, ty, options })
    }

    fn result(&mut self, id: NodeId, attributes: &[&'r Attribute<'a>], body: NodeId, into: &mut Results) -> Parsed<()> {
        if attributes.iter().any(|attribute| attribute.name == "yields") {
            let others: Vec<_> = attributes.iter().copied().filter(|attribute| attribute.name != "yields").collect();
            into.yields.push(self.parameter(id, &others, body)?);
            return Ok(());
        }
        let mut convention = ResultConvention::Unowned;
        let mut options = ParameterOptions::default();
        let mut is_error = false;
        let mut rest = Vec::new();
        for attribute in attributes {
            if let Some(found) = result_convention(attribute) {
                convention = found;
            } else if let Some(found) = error_convention(attribute) {
                is_error = true;
                convention = found;
            } else if let Some(option) = parameter_option(attribute) {
                options.insert(option);
            } else if !is_lifetime(attribute) {
                rest.push(*attribute);
            }
        }
        let ty = self.with_attributes(id, &rest, body, Position::Lowered)?;
        let is_counted = convention == ResultConvention::Owned;
        let ty = if is_counted { as_reference(self.context, self.declarations, ty) } else { ty };
        let result = FunctionResult { convention, ty, options };
        if !is_error {
            into.results.push(result);
        } else if into.error.replace(result).is_some() {
            return self.error(id, "syntax", "a function type has at most one error result");
        }
        Ok(())
    }

    fn formal_function(&mut self, id: NodeId, syntax: &FunctionSyntax<'r, 'a>) -> Parsed<TypeId> {
        let mut function = FormalFunctionType {
            signature: None,
            representation: Representation::Thick,
            attributes: FunctionAttributes::default(),
            differentiability: None,
            parameters: Box::default(),
            result: self.context.ty(Type::Tuple(Box::default())),
            throws: Throws::No,
            global_actor: None,
        };
        for attribute in &syntax.attributes {
            self.formal_attribute(id, attribute, &mut function)?;
        }
        self.scoped(|this| {
            if !syntax.signature.is_empty() {
                function.signature = Some(this.signature(syntax.signature, 0, Naming::Named)?);
            }
            for effect in syntax.effects {
                match effect {
                    Effect::Async => function.attributes.insert(FunctionAttribute::Async),
                    Effect::Throws => function.throws = Throws::Any,
                    Effect::Rethrows => function.throws = Throws::Rethrows,
                    Effect::ThrowsTyped(error) => {
                        function.throws = Throws::Typed(this.ty(*error, Position::Formal)?);
                    }
                }
            }
            let parameters: Parsed<Vec<_>> =
                syntax.parameters.iter().map(|element| this.formal_parameter(element)).collect();
            function.parameters = parameters?.into();
            let (attributes, _) = this.split(syntax.result);
            if attributes.iter().any(|attribute| attribute.name == "sending") {
                function.attributes.insert(FunctionAttribute::SendingResult);
            }
            function.result = this.ty(syntax.result, Position::Formal)?;
            Ok(())
        })?;
        Ok(self.context.ty(Type::FormalFunction(Box::new(function))))
    }

    fn formal_attribute(
        &mut self,
        id: NodeId,
        attribute: &'r Attribute<'a>,
        function: &mut FormalFunctionType,
    ) -> Parsed<()> {
        if let Some(flag) = function_flag(attribute) {
            function.attributes.insert(flag);
            return Ok(());
        }
        match attribute.name {
            "convention" => function.representation = self.representation(attribute)?,
            "differentiable" => function.differentiability = Some(self.differentiability(attribute)?),
            "thin" => function.representation = Representation::Thin,
            // The default, and attributes that do not affect the type itself.
            "escaping"
            | "autoclosure"
            | "preconcurrency"
            | "sending"
            | "inout"
            | "__owned"
            | "__shared"
            | "isolated"
            | "borrowing"
            | "consuming"
            | "_const"
            | "noDerivative"
            | "unsafe"
            | "lifetime"
            | "_addressable"
            | "_inheritActorContext"
            | "_implicitSelfCapture"
            | "concurrent" => {}
            name if name.starts_with(char::is_uppercase) => {
                let found = self.find(id, name)?;
                function.global_actor = Some(self.found(id, found, &[], Position::Formal)?);
            }
            _ => return self.misplaced(attribute),
        }
        Ok(())
    }

    fn formal_parameter(&mut self, element: &Element<'a>) -> Parsed<FormalParameter> {
        let mut specifier = FormalSpecifier::Default;
        let mut options = ParameterOptions::default();
        let (attributes, _) = self.split(element.ty);
        for attribute in attributes {
            match attribute.name {
                "__owned" => specifier = FormalSpecifier::LegacyOwned,
                "__shared" => specifier = FormalSpecifier::LegacyShared,
                "borrowing" => specifier = FormalSpecifier::Borrowing,
                "consuming" => specifier = FormalSpecifier::Consuming,
                "autoclosure" => options.insert(ParameterOption::Autoclosure),
                "escaping" => options.insert(ParameterOption::Escaping),
                "sending" => options.insert(ParameterOption::Sending),
                "isolated" if attribute.text.is_none() => options.insert(ParameterOption::Isolated),
                "_const" => options.insert(ParameterOption::Const),
                "noDerivative" => options.insert(ParameterOption::NotDifferentiable),
                _ => {}
            }
        }
        let ty = self.ty(element.ty, Position::Formal)?;
        let variadic = if element.variadic { Variadic::Yes } else { Variadic::No };
        let label = element.label.and_then(|label| self.label(label));
        Ok(FormalParameter { label, ty, specifier, variadic, options })
    }
}

/// The results of a function type, by kind.
#[derive(Default)]
struct Results {
    results: Vec<FunctionResult>,
    yields: Vec<Parameter>,
    error: Option<FunctionResult>,
}

fn is_lifetime(attribute: &Attribute<'_>) -> bool {
    matches!(attribute.name, "lifetime" | "_lifetime")
}

/// `copy 0, borrow address 1`; `immortal` for none.
fn lifetime_sources(text: &str) -> Option<Box<[LifetimeSource]>> {
    if text.trim() == "immortal" {
        return Some(Box::default());
    }
    text.split(',').map(lifetime_source).collect()
}

fn lifetime_source(text: &str) -> Option<LifetimeSource> {
    use LifetimeDependenceKind::{Inherited, Scoped};
    let words: Vec<&str> = text.split_whitespace().collect();
    let (kind, parameter) = match *words.as_slice() {
        ["copy", parameter] => (Inherited, parameter),
        ["borrow", parameter] => (Scoped(Addressability::NotAddressable), parameter),
        ["borrow", "address", parameter] => (Scoped(Addressability::Addressable), parameter),
        ["borrow", "address_for_deps", parameter] => (Scoped(Addressability::ForDependencies), parameter),
        _ => return None,
    };
    Some(LifetimeSource { parameter: parameter.parse().ok()?, kind })
}

fn function_flag(attribute: &Attribute<'_>) -> Option<FunctionAttribute> {
    match (attribute.name, attribute.text) {
        ("async", None) => Some(FunctionAttribute::Async),
        ("noescape", None) => Some(FunctionAttribute::NoEscape),
        ("pseudogeneric", None) => Some(FunctionAttribute::Pseudogeneric),
        ("Sendable", None) => Some(FunctionAttribute::Sendable),
        ("unimplementable", None) => Some(FunctionAttribute::Unimplementable),
        ("isolated", Some("any")) => Some(FunctionAttribute::IsolatedAny),
        ("called", Some("atMostOnce")) => Some(FunctionAttribute::CalledAtMostOnce),
        ("called", Some("exactlyOnce")) => Some(FunctionAttribute::CalledExactlyOnce),
        ("execution", Some("caller")) | ("nonisolated", _) => Some(FunctionAttribute::CallerIsolated),
        _ => None,
    }
}

fn parameter_convention(attribute: &Attribute<'_>) -> Option<ParameterConvention> {
    if is_formal_specifier(attribute) {
        return None;
    }
    Some(match attribute.name {
        "owned" => ParameterConvention::Owned,
        "guaranteed" => ParameterConvention::Guaranteed,
        "unowned" => ParameterConvention::Unowned,
        "in" => ParameterConvention::In,
        "in_constant" => ParameterConvention::InConstant,
        "in_guaranteed" => ParameterConvention::InGuaranteed,
        "in_cxx" => ParameterConvention::InCxx,
        "inout" => ParameterConvention::InOut,
        "inout_aliasable" => ParameterConvention::InOutAliasable,
        "pack_owned" => ParameterConvention::PackOwned,
        "pack_guaranteed" => ParameterConvention::PackGuaranteed,
        "pack_inout" => ParameterConvention::PackInOut,
        _ => return None,
    })
}

/// Returns whether the attribute is `inout` without the sign, as in formal types.
fn is_formal_specifier(attribute: &Attribute<'_>) -> bool {
    attribute.name.len() == (attribute.end - attribute.start) as usize
}

fn parameter_option(attribute: &Attribute<'_>) -> Option<ParameterOption> {
    match attribute.name {
        "noDerivative" => Some(ParameterOption::NotDifferentiable),
        "sil_isolated" => Some(ParameterOption::Isolated),
        "sil_sending" => Some(ParameterOption::Sending),
        "sil_implicit_leading_param" => Some(ParameterOption::ImplicitLeading),
        "const" => Some(ParameterOption::Const),
        _ => None,
    }
}

fn result_convention(attribute: &Attribute<'_>) -> Option<ResultConvention> {
    if is_formal_specifier(attribute) {
        return None;
    }
    match attribute.name {
        "out" => Some(ResultConvention::Indirect),
        "owned" => Some(ResultConvention::Owned),
        "unowned" => Some(ResultConvention::Unowned),
        "unowned_inner_pointer" => Some(ResultConvention::UnownedInnerPointer),
        "autoreleased" => Some(ResultConvention::Autoreleased),
        "pack_out" => Some(ResultConvention::Pack),
        // The former spelling, from before the release of 6.3.
        "guaranteed_address" | "guaranteed_addr" => Some(ResultConvention::GuaranteedAddress),
        "guaranteed" => Some(ResultConvention::Guaranteed),
        "inout" => Some(ResultConvention::InOut),
        _ => None,
    }
}

fn error_convention(attribute: &Attribute<'_>) -> Option<ResultConvention> {
    match attribute.name {
        "error" => Some(ResultConvention::Owned),
        "error_indirect" => Some(ResultConvention::Indirect),
        "error_unowned" => Some(ResultConvention::Unowned),
        _ => None,
    }
}

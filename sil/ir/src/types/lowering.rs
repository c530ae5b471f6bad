//! Lowering: the SIL type that a value of a formal type has, under an abstraction pattern (docs/SIL/Types.md,
//! "Abstraction Difference").

use super::substitution::generic_parameter;
use super::*;
use crate::context::SignatureId;
use crate::declarations::{NominalKind, RawLayout};

/// The generality that a value is stored or passed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbstractionPattern {
    /// Through a generic parameter: the most general form.
    Opaque,
    /// As a declaration writes it: free generic parameters of `signature` in it are opaque.
    Type {
        /// The formal type.
        formal: TypeId,
        /// The signature that its generic parameters belong to.
        signature: Option<SignatureId>,
    },
}

impl TypeQueries<'_> {
    /// Lowers a formal type as itself.
    pub fn lower_formal(&self, formal: TypeId) -> TypeId {
        self.lower(formal, AbstractionPattern::Type { formal, signature: None })
    }

    /// The lowered type that the storage of `ty` is laid out like, where its declaration has `@_rawLayout(like: T)`.
    pub fn raw_layout_like(&self, ty: TypeId) -> Option<TypeId> {
        let nominal = self.as_nominal(ty)?;
        match self.declarations.get(nominal.declaration).attributes.raw_layout {
            Some(RawLayout::Like(formal)) => {
                Some(self.lower_formal(self.substitute(formal, self.nominal_substitutions(nominal))))
            }
            _ => None,
        }
    }

    /// Lowers a formal type under `pattern`, which has the same structure where it is not opaque. A lowered type stays
    /// as it is.
    pub fn lower(&self, formal: TypeId, pattern: AbstractionPattern) -> TypeId {
        let pattern = self.opaque_if_parameter(pattern);
        match self.get(formal) {
            Type::FormalFunction(function) => self.lower_function(function, pattern),
            Type::Tuple(elements) => self.lower_tuple(elements, pattern),
            Type::Metatype { instance, representation: None } => {
                let representation = Some(self.metatype_representation(*instance, pattern));
                self.context.ty(Type::Metatype { instance: *instance, representation })
            }
            Type::ExistentialMetatype { instance, representation: None } => {
                let representation = Some(MetatypeRepresentation::Thick);
                self.context.ty(Type::ExistentialMetatype { instance: *instance, representation })
            }
            Type::DynamicSelf(inner) => self.lower(*inner, pattern),
            Type::Storage { kind, referent } => {
                let referent = self.lower(*referent, pattern);
                self.context.ty(Type::Storage { kind: *kind, referent })
            }
            Type::Nominal(_) => match self.optional_object(formal) {
                Some(object) => self.lower_optional(formal, object, pattern),
                None => formal,
            },
            Type::PackExpansion { pattern: element } => {
                let inner = self.part(pattern, |ty| match ty {
                    Type::PackExpansion { pattern } => Some(*pattern),
                    _ => None,
                });
                let element = self.lower(*element, inner);
                self.context.ty(Type::PackExpansion { pattern: element })
            }
            _ => formal,
        }
    }

    fn opaque_if_parameter(&self, pattern: AbstractionPattern) -> AbstractionPattern {
        match pattern {
            AbstractionPattern::Type { formal, .. } if self.is_type_parameter(formal) => AbstractionPattern::Opaque,
            other => other,
        }
    }

    /// The pattern for a part of the type that `pattern` describes.
    fn part(&self, pattern: AbstractionPattern, find: impl FnOnce(&Type) -> Option<TypeId>) -> AbstractionPattern {
        match pattern {
            AbstractionPattern::Opaque => AbstractionPattern::Opaque,
            AbstractionPattern::Type { formal, signature } => match find(self.get(formal)) {
                Some(formal) => AbstractionPattern::Type { formal, signature },
                None => AbstractionPattern::Opaque,
            },
        }
    }

    /// The parameter pack that `ty` is the expansion of as it stands.
    fn expanded_pack(&self, ty: TypeId) -> Option<TypeId> {
        let Type::PackExpansion { pattern } = *self.get(ty) else { return None };
        match *self.get(pattern) {
            Type::PackElement(pack) if generic_parameter(self.get(pack)).is_some() => Some(pack),
            _ => None,
        }
    }

    /// The elements of the one expansion in a tuple, if `ty` is the tuple after substitution.
    fn elements_of_expanded(&self, ty: TypeId) -> Box<[TypeId]> {
        match self.get(ty) {
            Type::Tuple(elements) => elements.iter().map(|element| element.ty).collect(),
            _ => [ty].into(),
        }
    }

    fn lower_optional(&self, formal: TypeId, object: TypeId, pattern: AbstractionPattern) -> TypeId {
        let inner = match pattern {
            AbstractionPattern::Opaque => AbstractionPattern::Opaque,
            AbstractionPattern::Type { formal, signature } => match self.optional_object(formal) {
                Some(formal) => AbstractionPattern::Type { formal, signature },
                None => AbstractionPattern::Opaque,
            },
        };
        let lowered = self.lower(object, inner);
        if lowered == object { formal } else { self.optional_of(lowered).unwrap_or(formal) }
    }

    fn lower_tuple(&self, elements: &[TupleElement], pattern: AbstractionPattern) -> TypeId {
        let lowered = elements.iter().enumerate().map(|(index, element)| {
            let inner = self.part(pattern, |ty| match ty {
                Type::Tuple(patterns) if patterns.len() == elements.len() => Some(patterns[index].ty),
                // Expansions have become elements: the pattern of each is the expansion's pattern.
                Type::Tuple(patterns) => patterns.iter().find_map(|part| match self.get(part.ty) {
                    Type::PackExpansion { pattern } => Some(*pattern),
                    _ => None,
                }),
                _ => None,
            });
            TupleElement { label: element.label, ty: self.lower(element.ty, inner) }
        });
        self.context.ty(Type::Tuple(lowered.collect()))
    }

    fn metatype_representation(&self, instance: TypeId, pattern: AbstractionPattern) -> MetatypeRepresentation {
        let original = match pattern {
            AbstractionPattern::Opaque => return MetatypeRepresentation::Thick,
            AbstractionPattern::Type { formal, .. } => match self.get(formal) {
                Type::Metatype { instance, .. } => *instance,
                _ => return MetatypeRepresentation::Thick,
            },
        };
        if self.has_single_metatype(instance) && self.has_single_metatype(original) {
            MetatypeRepresentation::Thin
        } else {
            MetatypeRepresentation::Thick
        }
    }

    /// Whether a value of the metatype of `instance` can only be that type itself: no class, no parameter.
    pub fn has_single_metatype(&self, instance: TypeId) -> bool {
        match self.get(instance) {
            Type::Nominal(_) => self.declaration_of(instance).is_some_and(|declaration| match declaration.kind {
                NominalKind::Struct | NominalKind::Enum | NominalKind::Protocol => true,
                NominalKind::Class | NominalKind::Actor | NominalKind::Unknown => false,
            }),
            Type::DynamicSelf(_) => false,
            Type::Metatype { .. } | Type::ExistentialMetatype { .. } => false,
            _ => !self.is_type_parameter(instance),
        }
    }

    fn lower_function(&self, function: &FormalFunctionType, pattern: AbstractionPattern) -> TypeId {
        let thick = function.representation == Representation::Thick;
        let generic = match pattern {
            AbstractionPattern::Opaque => thick,
            AbstractionPattern::Type { formal, .. } => thick && self.is_dependent(formal),
        };
        let lowered = if generic {
            let mut generalizer = Generalizer { queries: self, fresh: Vec::new() };
            let general = generalizer.function(function, pattern);
            let (signature, arguments) = generalizer.into_signature();
            let mut lowered = self.lower_components(&general, Some(signature));
            lowered.pattern = Some(self.context.substitutions(signature, arguments));
            lowered
        } else {
            self.lower_components(function, None)
        };
        self.context.ty(Type::Function(Box::new(lowered)))
    }

    /// The type of a parameter's argument: an array if it takes any number of arguments, a function that does not
    /// escape unless it is marked as escaping.
    pub(super) fn passed_type(&self, parameter: &FormalParameter) -> TypeId {
        if let (Variadic::Yes, Some(declaration)) = (parameter.variadic, self.caches.known.array) {
            let arguments = Box::new([parameter.ty]);
            return self.context.ty(Type::Nominal(NominalType { declaration, parent: None, arguments }));
        }
        self.unless_escaping(parameter)
    }

    /// The type of a parameter: a function does not escape unless the parameter is marked as escaping.
    pub fn unless_escaping(&self, parameter: &FormalParameter) -> TypeId {
        match self.get(self.canonical_type(parameter.ty)) {
            Type::FormalFunction(function)
                if function.representation == Representation::Thick
                    && !parameter.options.contains(ParameterOption::Escaping) =>
            {
                let mut function = function.clone();
                function.attributes.insert(FunctionAttribute::NoEscape);
                self.context.ty(Type::FormalFunction(function))
            }
            _ => parameter.ty,
        }
    }

    /// Lowers a function type as itself; `signature` is that of the generic parameters in it.
    pub(super) fn lower_components(
        &self,
        function: &FormalFunctionType,
        signature: Option<SignatureId>,
    ) -> FunctionType {
        let mut parameters = Vec::new();
        let mut attributes = function.attributes;
        if attributes.contains(FunctionAttribute::CallerIsolated) {
            attributes.remove(FunctionAttribute::CallerIsolated);
            parameters.push(self.implicit_actor());
        }
        for parameter in &function.parameters {
            self.lower_parameter(parameter, self.passed_type(parameter), signature, &mut parameters);
        }
        let mut results = Vec::new();
        self.lower_result(function.result, signature, &mut results);
        if attributes.contains(FunctionAttribute::SendingResult) {
            attributes.remove(FunctionAttribute::SendingResult);
            results.iter_mut().for_each(|result| result.options.insert(ParameterOption::Sending));
        }
        let callee = match function.representation {
            Representation::Thick => CalleeConvention::Guaranteed,
            _ => CalleeConvention::None,
        };
        FunctionType {
            signature: None,
            representation: function.representation,
            callee,
            coroutine: CoroutineKind::None,
            attributes,
            differentiability: function.differentiability,
            parameters: parameters.into(),
            yields: Box::default(),
            results: results.into(),
            error: self.lower_error(function.throws, signature),
            pattern: None,
            invocation: None,
            lifetimes: Box::default(),
        }
    }

    /// The actor that a function runs on which runs where its caller does
    /// (lib/SIL/IR/SILFunctionType.cpp, DestructureInputs).
    fn implicit_actor(&self) -> Parameter {
        let mut options = ParameterOptions::default();
        options.insert(ParameterOption::Isolated);
        options.insert(ParameterOption::ImplicitLeading);
        let ty = self.context.ty(Type::Builtin(BuiltinType::ImplicitActor));
        Parameter { convention: ParameterConvention::Guaranteed, ty, options }
    }

    pub(super) fn lower_parameter(
        &self,
        parameter: &FormalParameter,
        ty: TypeId,
        signature: Option<SignatureId>,
        into: &mut Vec<Parameter>,
    ) {
        let mut options = parameter.options;
        options.remove(ParameterOption::Escaping);
        match self.get(ty) {
            Type::Tuple(elements) => {
                for element in elements {
                    self.lower_parameter(parameter, element.ty, signature, into);
                }
            }
            Type::InOut(inner) => {
                let ty = self.lower_formal(*inner);
                into.push(Parameter { convention: ParameterConvention::InOut, ty, options });
            }
            Type::PackExpansion { pattern: element } => {
                let (convention, element) = match (self.get(*element), consumed(parameter.passing())) {
                    (Type::InOut(inner), _) => (ParameterConvention::PackInOut, *inner),
                    (_, Consumed::Yes) => (ParameterConvention::PackOwned, *element),
                    (_, Consumed::No) => (ParameterConvention::PackGuaranteed, *element),
                };
                into.push(Parameter { convention, ty: self.pack_of_expansion(element), options });
            }
            _ => {
                let ty = self.lower_formal(ty);
                let consumed = consumed(parameter.passing());
                let convention = parameter_convention(self.properties(ty, signature), consumed);
                into.push(Parameter { convention, ty, options });
            }
        }
    }

    fn lower_result(&self, ty: TypeId, signature: Option<SignatureId>, into: &mut Vec<FunctionResult>) {
        if let Type::Tuple(elements) = self.get(ty) {
            for element in elements {
                self.lower_result(element.ty, signature, into);
            }
            return;
        }
        if let Type::PackExpansion { pattern } = *self.get(ty) {
            let (convention, ty) = (ResultConvention::Pack, self.pack_of_expansion(pattern));
            return into.push(FunctionResult { convention, ty, options: ParameterOptions::default() });
        }
        let ty = self.lower_formal(ty);
        let convention = match self.properties(ty, signature).passing {
            Passing::AddressOnly => ResultConvention::Indirect,
            Passing::Loadable(Triviality::Trivial) => ResultConvention::Unowned,
            Passing::Loadable(Triviality::Nontrivial) => ResultConvention::Owned,
        };
        into.push(FunctionResult { convention, ty, options: ParameterOptions::default() });
    }

    /// The pack that the values of the expansion of `element` are passed as.
    fn pack_of_expansion(&self, element: TypeId) -> TypeId {
        let expansion = self.context.ty(Type::PackExpansion { pattern: self.lower_formal(element) });
        self.context.ty(Type::Pack { elements: [expansion].into(), storage: PackStorage::Formal })
    }

    fn lower_error(&self, throws: Throws, signature: Option<SignatureId>) -> Option<FunctionResult> {
        let ty = match throws {
            Throws::No => return None,
            Throws::Any | Throws::Rethrows => self.any_error()?,
            Throws::Typed(error) if self.is_never(error) => return None,
            Throws::Typed(error) => self.lower_formal(error),
        };
        let convention = match self.properties(ty, signature).passing {
            Passing::AddressOnly => ResultConvention::Indirect,
            Passing::Loadable(_) => ResultConvention::Owned,
        };
        Some(FunctionResult { convention, ty, options: ParameterOptions::default() })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Consumed {
    Yes,
    No,
}

fn consumed(specifier: FormalSpecifier) -> Consumed {
    match specifier {
        FormalSpecifier::LegacyOwned | FormalSpecifier::Consuming => Consumed::Yes,
        FormalSpecifier::Default | FormalSpecifier::LegacyShared | FormalSpecifier::Borrowing => Consumed::No,
    }
}

fn parameter_convention(properties: TypeProperties, consumed: Consumed) -> ParameterConvention {
    match (properties.passing, consumed) {
        (Passing::AddressOnly, Consumed::Yes) => ParameterConvention::In,
        (Passing::AddressOnly, Consumed::No) => ParameterConvention::InGuaranteed,
        (Passing::Loadable(Triviality::Trivial), _) => ParameterConvention::Unowned,
        (Passing::Loadable(Triviality::Nontrivial), Consumed::Yes) => ParameterConvention::Owned,
        (Passing::Loadable(Triviality::Nontrivial), Consumed::No) => ParameterConvention::Guaranteed,
    }
}

/// Replaces each occurrence of a generic parameter in a pattern by a fresh one, and notes its replacement.
struct Generalizer<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    fresh: Vec<Fresh>,
}

struct Fresh {
    replacement: TypeId,
    kind: GenericParameterKind,
    class_bound: Option<AnyObject>,
}

impl Generalizer<'_, '_> {
    fn function(&mut self, function: &FormalFunctionType, pattern: AbstractionPattern) -> FormalFunctionType {
        let original = match pattern {
            AbstractionPattern::Type { formal, .. } => match self.queries.get(formal) {
                Type::FormalFunction(original) => Some(&**original),
                _ => None,
            },
            AbstractionPattern::Opaque => None,
        };
        let mut general = function.clone();
        match original.and_then(|original| self.parameters_with_pack(function, original, pattern)) {
            Some(parameters) => general.parameters = parameters,
            None => {
                for (index, parameter) in general.parameters.iter_mut().enumerate() {
                    let queries = self.queries;
                    let find = |_: &Type| original?.parameters.get(index).map(|original| queries.passed_type(original));
                    let passed = queries.passed_type(parameter);
                    parameter.variadic = Variadic::No;
                    parameter.ty = self.visit(passed, queries.part(pattern, find));
                }
            }
        }
        if let (Throws::Typed(error), Some(original)) = (function.throws, original) {
            let inner = self.queries.part(pattern, |_| match original.throws {
                Throws::Typed(error) => Some(error),
                Throws::No | Throws::Any | Throws::Rethrows => Some(error),
            });
            general.throws = Throws::Typed(self.visit(error, inner));
        } else if let (Throws::No, Some(FormalFunctionType { throws: Throws::Typed(original), .. })) =
            (function.throws, original)
            && let Some(never) = self.queries.caches.known.never
        {
            // A function that cannot throw stands where the pattern throws a parameter: it throws `Never`.
            let never = NominalType { declaration: never, parent: None, arguments: Box::default() };
            let never = self.queries.context.ty(Type::Nominal(never));
            let inner = self.queries.part(pattern, |_| Some(*original));
            general.throws = Throws::Typed(self.visit(never, inner));
        } else if function.throws == Throws::No
            && let Some(original) = original
        {
            general.throws = original.throws;
        }
        let result = self.queries.part(pattern, |_| original.map(|original| original.result));
        general.result = self.visit(function.result, result);
        general
    }

    /// The parameters of `function` if `original`, which `pattern` describes, has an expansion of a parameter pack
    /// among its own: its elements are one expansion of a fresh pack.
    fn parameters_with_pack(
        &mut self,
        function: &FormalFunctionType,
        original: &FormalFunctionType,
        pattern: AbstractionPattern,
    ) -> Option<Box<[FormalParameter]>> {
        let queries = self.queries;
        let place = original.parameters.iter().position(|parameter| queries.expanded_pack(parameter.ty).is_some())?;
        let after = original.parameters.len() - place - 1;
        let end = function.parameters.len().checked_sub(after).filter(|end| *end >= place)?;
        let mut parameters = Vec::with_capacity(original.parameters.len());
        for (index, written) in original.parameters.iter().enumerate() {
            let at = if index < place { index } else { end + index.saturating_sub(place + 1) };
            parameters.push(if index == place {
                let elements = function.parameters[place..end].iter().map(|parameter| parameter.ty).collect();
                FormalParameter { ty: self.visit_pack(elements), ..*written }
            } else {
                let inner = queries.part(pattern, |_| Some(written.ty));
                FormalParameter { ty: self.visit(function.parameters[at].ty, inner), ..*written }
            });
        }
        Some(parameters.into())
    }

    /// An expansion of a fresh parameter pack that stands for `elements`.
    fn visit_pack(&mut self, elements: Box<[TypeId]>) -> TypeId {
        let context = self.queries.context;
        let replacement = context.ty(Type::Pack { elements, storage: PackStorage::Formal });
        let pack = self.fresh(Fresh { replacement, kind: GenericParameterKind::Pack, class_bound: None });
        context.ty(Type::PackExpansion { pattern: context.ty(Type::PackElement(pack)) })
    }

    /// A new generic parameter.
    fn fresh(&mut self, fresh: Fresh) -> TypeId {
        let index = self.fresh.len() as u32;
        self.fresh.push(fresh);
        self.queries.context.ty(Type::GenericParameter { depth: 0, index })
    }

    fn visit(&mut self, ty: TypeId, pattern: AbstractionPattern) -> TypeId {
        let (formal, signature) = match self.queries.opaque_if_parameter(pattern) {
            AbstractionPattern::Opaque => return self.visit_opaque(ty, pattern),
            AbstractionPattern::Type { formal, signature } => (formal, signature),
        };
        let queries = self.queries;
        if !queries.is_dependent(formal) {
            return ty;
        }
        if let Type::Tuple(originals) = queries.get(formal)
            && let [only] = &**originals
            && queries.expanded_pack(only.ty).is_some()
        {
            let ty = self.visit_pack(queries.elements_of_expanded(ty));
            return queries.context.ty(Type::Tuple([TupleElement { label: only.label, ty }].into()));
        }
        let mut visit = |ty: TypeId, formal: TypeId| self.visit(ty, AbstractionPattern::Type { formal, signature });
        let rebuilt = match (queries.get(ty), queries.get(formal)) {
            (Type::Tuple(elements), Type::Tuple(originals)) if elements.len() == originals.len() => {
                let pairs = elements.iter().zip(originals);
                Type::Tuple(
                    pairs
                        .map(|(element, original)| TupleElement { ty: visit(element.ty, original.ty), ..*element })
                        .collect(),
                )
            }
            (Type::Nominal(nominal), Type::Nominal(original)) if nominal.declaration == original.declaration => {
                let parent = match (nominal.parent, original.parent) {
                    (Some(parent), Some(original)) => Some(visit(parent, original)),
                    (parent, _) => parent,
                };
                let arguments = nominal.arguments.iter().zip(&original.arguments);
                let arguments = arguments.map(|(argument, original)| visit(*argument, *original)).collect();
                Type::Nominal(NominalType { declaration: nominal.declaration, parent, arguments })
            }
            (Type::Metatype { instance, representation }, Type::Metatype { instance: original, .. }) => {
                Type::Metatype { instance: visit(*instance, *original), representation: *representation }
            }
            (
                Type::ExistentialMetatype { instance, representation },
                Type::ExistentialMetatype { instance: original, .. },
            ) => Type::ExistentialMetatype { instance: visit(*instance, *original), representation: *representation },
            (Type::Existential(constraint), Type::Existential(original)) => {
                Type::Existential(visit(*constraint, *original))
            }
            (Type::Protocol { protocol, arguments }, Type::Protocol { arguments: originals, .. })
                if arguments.len() == originals.len() =>
            {
                let pairs = arguments.iter().zip(originals);
                let arguments = pairs.map(|(argument, original)| visit(*argument, *original)).collect();
                Type::Protocol { protocol: *protocol, arguments }
            }
            (Type::Composition(composition), Type::Composition(original))
                if composition.members.len() == original.members.len() =>
            {
                let pairs = composition.members.iter().zip(&original.members);
                let members = pairs.map(|(member, original)| visit(*member, *original)).collect();
                Type::Composition(Box::new(Composition { members, ..(**composition).clone() }))
            }
            (Type::InOut(inner), Type::InOut(original)) => Type::InOut(visit(*inner, *original)),
            (Type::FormalFunction(function), Type::FormalFunction(_)) => {
                Type::FormalFunction(Box::new(self.function(function, pattern)))
            }
            _ => return ty,
        };
        queries.context.ty(rebuilt)
    }

    fn visit_opaque(&mut self, ty: TypeId, pattern: AbstractionPattern) -> TypeId {
        // `inout` is the parameter's, not the type's.
        if let Type::InOut(inner) = *self.queries.get(ty) {
            let fresh = self.visit_opaque(inner, pattern);
            return self.queries.context.ty(Type::InOut(fresh));
        }
        let class_bound = match pattern {
            AbstractionPattern::Type { formal, signature } => {
                self.queries.properties(formal, signature).is_reference().then_some(AnyObject)
            }
            AbstractionPattern::Opaque => None,
        };
        self.fresh(Fresh { replacement: ty, kind: GenericParameterKind::Type, class_bound })
    }

    fn into_signature(self) -> (SignatureId, Box<[TypeId]>) {
        let context = self.queries.context;
        let parameter =
            |(fresh, index): (&Fresh, u32)| GenericParameter { name: None, depth: 0, index, kind: fresh.kind };
        let requirements = self.fresh.iter().zip(0..).filter_map(|(fresh, index)| {
            let subject = context.ty(Type::GenericParameter { depth: 0, index });
            fresh.class_bound.map(|bound| Requirement::Layout { subject, constraint: LayoutConstraint::Class(bound) })
        });
        let requirements = requirements.collect();
        let parameters = self.fresh.iter().zip(0..).map(parameter).collect();
        let arguments = self.fresh.iter().map(|fresh| fresh.replacement).collect();
        (context.signature(GenericSignature { parameters, requirements }), arguments)
    }
}

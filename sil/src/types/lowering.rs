//! Lowering: the SIL type that a value of a formal type has, under an abstraction pattern (docs/SIL/Types.md, "Abstraction Difference").

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

    /// Lowers a formal type under `pattern`, which has the same structure where it is not opaque. A lowered type stays as it is.
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

    /// The pattern for a part of what `pattern` describes.
    fn part(&self, pattern: AbstractionPattern, find: impl FnOnce(&Type) -> Option<TypeId>) -> AbstractionPattern {
        match pattern {
            AbstractionPattern::Opaque => AbstractionPattern::Opaque,
            AbstractionPattern::Type { formal, signature } => match find(self.get(formal)) {
                Some(formal) => AbstractionPattern::Type { formal, signature },
                None => AbstractionPattern::Opaque,
            },
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
                // Expansions have become elements: what each of them is written as is the expansion's pattern.
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

    /// Lowers a function type as itself; `signature` is that of the generic parameters in it.
    fn lower_components(&self, function: &FormalFunctionType, signature: Option<SignatureId>) -> FunctionType {
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            self.lower_parameter(parameter, parameter.ty, signature, &mut parameters);
        }
        let mut results = Vec::new();
        self.lower_result(function.result, signature, &mut results);
        let callee = match function.representation {
            Representation::Thick => CalleeConvention::Guaranteed,
            _ => CalleeConvention::None,
        };
        FunctionType {
            signature: None,
            representation: function.representation,
            callee,
            coroutine: CoroutineKind::None,
            attributes: function.attributes,
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

    fn lower_parameter(
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
            _ => {
                let ty = self.lower_formal(ty);
                let consumed = match parameter.specifier {
                    FormalSpecifier::LegacyOwned | FormalSpecifier::Consuming => Consumed::Yes,
                    FormalSpecifier::Default | FormalSpecifier::LegacyShared | FormalSpecifier::Borrowing => {
                        Consumed::No
                    }
                };
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
        let ty = self.lower_formal(ty);
        let convention = match self.properties(ty, signature).passing {
            Passing::AddressOnly => ResultConvention::Indirect,
            Passing::Loadable(Triviality::Trivial) => ResultConvention::Unowned,
            Passing::Loadable(Triviality::Nontrivial) => ResultConvention::Owned,
        };
        into.push(FunctionResult { convention, ty, options: ParameterOptions::default() });
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

fn parameter_convention(properties: TypeProperties, consumed: Consumed) -> ParameterConvention {
    match (properties.passing, consumed) {
        (Passing::AddressOnly, Consumed::Yes) => ParameterConvention::In,
        (Passing::AddressOnly, Consumed::No) => ParameterConvention::InGuaranteed,
        (Passing::Loadable(Triviality::Trivial), _) => ParameterConvention::Unowned,
        (Passing::Loadable(Triviality::Nontrivial), Consumed::Yes) => ParameterConvention::Owned,
        (Passing::Loadable(Triviality::Nontrivial), Consumed::No) => ParameterConvention::Guaranteed,
    }
}

/// Replaces each occurrence of a generic parameter in a pattern by a fresh one, and notes what it stands for.
struct Generalizer<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    fresh: Vec<Fresh>,
}

struct Fresh {
    replacement: TypeId,
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
        for (index, parameter) in general.parameters.iter_mut().enumerate() {
            let inner = self.queries.part(pattern, |_| original?.parameters.get(index).map(|original| original.ty));
            parameter.ty = self.visit(parameter.ty, inner);
        }
        if let (Throws::Typed(error), Some(original)) = (function.throws, original) {
            let inner = self.queries.part(pattern, |_| match original.throws {
                Throws::Typed(error) => Some(error),
                Throws::No | Throws::Any | Throws::Rethrows => Some(error),
            });
            general.throws = Throws::Typed(self.visit(error, inner));
        } else if let (Throws::No, Some(FormalFunctionType { throws: Throws::Typed(original), .. })) =
            (function.throws, original)
            && let Some(never) = self.queries.known.never
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

    fn visit(&mut self, ty: TypeId, pattern: AbstractionPattern) -> TypeId {
        let (formal, signature) = match self.queries.opaque_if_parameter(pattern) {
            AbstractionPattern::Opaque => return self.visit_opaque(ty, pattern),
            AbstractionPattern::Type { formal, signature } => (formal, signature),
        };
        let queries = self.queries;
        if !queries.is_dependent(formal) {
            return ty;
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
        let index = self.fresh.len() as u32;
        self.fresh.push(Fresh { replacement: ty, class_bound });
        self.queries.context.ty(Type::GenericParameter { depth: 0, index })
    }

    fn into_signature(self) -> (SignatureId, Box<[TypeId]>) {
        let context = self.queries.context;
        let parameter = |index| GenericParameter { name: None, depth: 0, index, kind: GenericParameterKind::Type };
        let requirements = self.fresh.iter().zip(0..).filter_map(|(fresh, index)| {
            let subject = context.ty(Type::GenericParameter { depth: 0, index });
            fresh.class_bound.map(|bound| Requirement::Layout { subject, constraint: LayoutConstraint::Class(bound) })
        });
        let requirements = requirements.collect();
        let parameters = (0..self.fresh.len() as u32).map(parameter).collect();
        let arguments = self.fresh.iter().map(|fresh| fresh.replacement).collect();
        (context.signature(GenericSignature { parameters, requirements }), arguments)
    }
}

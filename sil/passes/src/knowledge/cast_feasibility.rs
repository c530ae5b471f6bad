//! The outcome of dynamic casts that are known at compile time (lib/SIL/Utils/DynamicCasts.cpp,
//! docs/DynamicCasting.md).
//!
//! Owns: the outcome for two formal types. Does not own: the replacement of casts (`casts`).

use sil_ir::context::{
    Conformance, ConformanceId, ConformanceKind, FormalFunctionType, FunctionAttribute, LayoutConstraint, NominalId,
    Requirement, SignatureId, Throws, TupleElement, Type, TypeId,
};
use sil_ir::declarations::{Access, NominalKind, Origin};
use sil_ir::types::TypeQueries;

use super::casts::Outcome;

/// Whether values of the source type may have more specific types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SourceType {
    /// The source type is the dynamic type.
    Exact,
    /// The source type is a static type.
    Bound,
}

/// The limit for nested types and chains of superclasses, which invalid input may make circular.
const DEPTH_LIMIT: u32 = 64;

/// The outcomes of casts in a function with this generic signature.
#[derive(Clone, Copy)]
pub(crate) struct CastFeasibility<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    signature: Option<SignatureId>,
}

impl<'q, 'a> CastFeasibility<'q, 'a> {
    pub(crate) fn new(queries: &'q TypeQueries<'a>, signature: Option<SignatureId>) -> Self {
        Self { queries, signature }
    }

    /// Returns the outcome of a cast from `from` to `to`, or `None` if it is only known at run time.
    pub(crate) fn outcome(self, from: TypeId, to: TypeId, source: SourceType) -> Option<Outcome> {
        self.within(from, to, source, 0)
    }

    fn within(self, from: TypeId, to: TypeId, source: SourceType, depth: u32) -> Option<Outcome> {
        let queries = self.queries;
        if queries.same_type(from, to) {
            return Some(Outcome::Succeeds);
        }
        if depth > DEPTH_LIMIT || self.is_unknown(from) || self.is_unknown(to) {
            return None;
        }
        let again = |from, to| self.within(from, to, SourceType::Bound, depth + 1);
        match (queries.optional_object(from), queries.optional_object(to)) {
            // `nil` is of both types.
            (Some(from), Some(to)) => again(from, to).filter(|outcome| *outcome == Outcome::Succeeds),
            (None, Some(to)) => {
                again(from, to).filter(|outcome| *outcome == Outcome::Succeeds || !self.may_hold_optional(from))
            }
            (Some(object), None) => {
                let outcome = again(object, to).filter(|outcome| *outcome == Outcome::Fails);
                if !self.is_existential(to) {
                    return outcome;
                }
                match self.to_protocol(from, to) {
                    Some(Outcome::Succeeds) => Some(Outcome::Succeeds),
                    Some(Outcome::Fails) => outcome,
                    None => None,
                }
            }
            (None, None) => self.between_objects(from, to, source, depth),
        }
    }

    /// Returns the outcome for types that are not optionals.
    fn between_objects(self, from: TypeId, to: TypeId, source: SourceType, depth: u32) -> Option<Outcome> {
        let queries = self.queries;
        match (self.is_existential(from), self.is_existential(to)) {
            (false, true) => return self.to_protocol(from, to),
            // Bridging may turn any value into an object.
            (true, _) => return None,
            (false, false) => {}
        }
        if queries.is_dependent(from) || queries.is_dependent(to) {
            return None;
        }
        // `AnyHashable` may hold any value.
        if [from, to].into_iter().any(|ty| self.is_any_hashable(ty)) {
            return None;
        }
        match (queries.get(from), queries.get(to)) {
            (Type::Metatype { .. } | Type::ExistentialMetatype { .. }, _) => self.of_metatypes(from, to, source),
            (Type::FormalFunction(from), Type::FormalFunction(to)) => self.of_functions(from, to),
            (Type::Tuple(from), Type::Tuple(to)) => self.of_tuples(from, to, source, depth),
            _ => self.of_values(from, to),
        }
    }

    /// Returns whether a type is only partly known.
    fn is_unknown(self, ty: TypeId) -> bool {
        let is_unknown = |part: TypeId| match self.queries.get(part) {
            Type::OpaqueResult { .. } | Type::Unresolved { .. } | Type::DynamicSelf(_) => true,
            Type::Nominal(nominal) => self.queries.declarations.get(nominal.declaration).kind == NominalKind::Unknown,
            _ => false,
        };
        self.queries.find_in(ty, &mut |part| is_unknown(part).then_some(())).is_some()
    }

    fn is_existential(self, ty: TypeId) -> bool {
        matches!(self.queries.get(ty), Type::Existential(_))
    }

    /// Returns whether a value of a non-optional type may hold an optional.
    fn may_hold_optional(self, ty: TypeId) -> bool {
        match self.queries.get(ty) {
            Type::Existential(constraint) => !self.queries.has_class_bound(*constraint),
            _ => self.queries.is_type_parameter(ty) && !self.is_class_parameter(ty),
        }
    }

    fn is_class_parameter(self, ty: TypeId) -> bool {
        self.signature.is_some() && self.queries.properties(ty, self.signature).is_reference()
    }

    fn is_any_hashable(self, ty: TypeId) -> bool {
        self.queries.declaration_of(ty).is_some_and(|declaration| {
            let text = |name| self.queries.context.text(name);
            (text(declaration.module), text(declaration.name)) == ("Swift", "AnyHashable")
        })
    }

    /// Returns the outcome of a cast to an existential: it succeeds if the type conforms, and fails if it does not and
    /// no later conformance is possible.
    fn to_protocol(self, from: TypeId, to: TypeId) -> Option<Outcome> {
        let protocol = self.only_protocol(to)?;
        let queries = self.queries;
        match self.conforms(from, protocol, 0) {
            Some(true) => return Some(Outcome::Succeeds),
            Some(false) => {}
            None => return None,
        }
        let declaration = queries.declaration_of(from)?;
        // A subclass may conform.
        if queries.is_class(from) && !declaration.attributes.is_final {
            return None;
        }
        let is_private = |access: Access| access <= Access::FilePrivate;
        let protocol = &queries.declarations.get(protocol).attributes;
        let is_known = is_private(declaration.attributes.access) || is_private(protocol.access);
        is_known.then_some(Outcome::Fails)
    }

    /// Returns the protocol of `any P`, or `None` for compositions and other constraints.
    pub(crate) fn only_protocol(self, existential: TypeId) -> Option<NominalId> {
        let Type::Existential(constraint) = self.queries.get(existential) else { return None };
        match self.queries.get(*constraint) {
            Type::Protocol { protocol, arguments } if arguments.is_empty() => Some(*protocol),
            _ => None,
        }
    }

    /// Returns whether a type conforms to a protocol, or `None` if that is not known.
    pub(crate) fn conforms(self, ty: TypeId, protocol: NominalId, depth: u32) -> Option<bool> {
        let queries = self.queries;
        if depth > DEPTH_LIMIT || self.is_existential(ty) {
            return None;
        }
        if queries.is_type_parameter(ty) {
            let generics = queries.generics();
            let machine = generics.machine(self.signature?);
            return machine.requires_protocol(&generics, ty, protocol).then_some(true);
        }
        self.holds(queries.conformance(ty, protocol), depth)
    }

    fn holds(self, conformance: ConformanceId, depth: u32) -> Option<bool> {
        let queries = self.queries;
        let Conformance { kind, ty, protocol } = queries.context.get_conformance(conformance);
        if self.queries.isolating_actor(*ty, *protocol).is_some() {
            return None;
        }
        match kind {
            ConformanceKind::Normal { .. } => Some(true),
            ConformanceKind::Inherited { base } => self.holds(*base, depth + 1),
            ConformanceKind::Specialized { substitutions, .. } => {
                let signature = queries.context.get_substitutions(*substitutions).signature;
                let requirements = &queries.context.get_signature(signature).requirements;
                let all = requirements.iter().all(|requirement| match requirement {
                    Requirement::Conformance { subject, constraint } => {
                        let subject = queries.substitute(*subject, *substitutions);
                        let protocols = queries.protocols_in(*constraint).into_iter();
                        protocols.into_iter().all(|protocol| self.conforms(subject, protocol, depth + 1) == Some(true))
                    }
                    Requirement::SameType { first, second } => {
                        let [first, second] = [first, second].map(|ty| queries.substitute(*ty, *substitutions));
                        queries.same_type(first, second)
                    }
                    Requirement::Superclass { subject, superclass } => {
                        let [class, from] = [subject, superclass].map(|ty| queries.substitute(*ty, *substitutions));
                        queries.is_class(class) && (queries.same_type(class, from) || queries.is_subclass(class, from))
                    }
                    Requirement::Inverse { .. } => true,
                    Requirement::Layout { subject, constraint: LayoutConstraint::Class(_) } => {
                        queries.is_class(queries.substitute(*subject, *substitutions))
                    }
                    Requirement::Layout { .. } => false,
                });
                all.then_some(true)
            }
            ConformanceKind::Missing => Some(false),
            _ => None,
        }
    }

    /// Returns whether a value of this type may be an existential.
    pub(crate) fn can_be_existential(self, ty: TypeId) -> bool {
        let queries = self.queries;
        if !queries.is_type_parameter(ty) {
            return self.is_existential(ty) || matches!(queries.get(ty), Type::ExistentialMetatype { .. });
        }
        let Some(signature) = self.signature else { return true };
        let generics = queries.generics();
        let bounds = generics.machine(signature).bounds(&generics, ty);
        // Other existentials do not conform to these protocols.
        let conforms_itself = |protocol: &NominalId| {
            let declaration = queries.declarations.get(*protocol);
            let attributes = &declaration.attributes;
            queries.known_error() == Some(*protocol) || attributes.objc || attributes.marker
        };
        bounds.protocols.iter().all(conforms_itself)
    }

    fn of_metatypes(self, from: TypeId, to: TypeId, source: SourceType) -> Option<Outcome> {
        let queries = self.queries;
        let (from_instance, is_from_any) = instance(queries, from)?;
        let Some((to_instance, is_to_any)) = instance(queries, to) else { return Some(Outcome::Fails) };
        if queries.same_type(from_instance, to_instance) && is_from_any == is_to_any {
            return Some(Outcome::Succeeds);
        }
        if self.is_existential(from_instance) && !is_from_any && is_to_any {
            let is_any = self.is_plain_any(to_instance);
            return Some(if is_any { Outcome::Succeeds } else { Outcome::Fails });
        }
        if is_to_any && self.is_existential(to_instance) {
            let outcome = self.to_protocol(from_instance, to_instance);
            if outcome != Some(Outcome::Fails) || !is_from_any {
                return outcome;
            }
        }
        let is_existential = self.is_existential(from_instance) || self.is_existential(to_instance);
        if source == SourceType::Exact && is_existential {
            return Some(Outcome::Fails);
        }
        let is_class = |ty| queries.is_class(ty);
        if self.is_existential(from_instance)
            && queries.has_class_bound(from_instance)
            && !self.is_existential(to_instance)
            && !is_class(to_instance)
        {
            return Some(Outcome::Fails);
        }
        if is_from_any || is_to_any {
            return None;
        }
        let kind = |ty| queries.declaration_of(ty).map(|declaration| declaration.kind);
        match (kind(from_instance), kind(to_instance)) {
            _ if is_class(from_instance) && is_class(to_instance) => self.of_classes(from_instance, to_instance),
            (Some(NominalKind::Struct), Some(NominalKind::Struct))
            | (Some(NominalKind::Enum), Some(NominalKind::Enum)) => Some(Outcome::Fails),
            _ => None,
        }
    }

    fn is_plain_any(self, ty: TypeId) -> bool {
        let Type::Existential(constraint) = self.queries.get(ty) else { return false };
        let Type::Composition(composition) = self.queries.get(*constraint) else { return false };
        composition.members.is_empty() && !self.queries.has_class_bound(*constraint)
    }

    /// Returns the outcome of a cast between functions, which can only make a non-throwing function a throwing one.
    fn of_functions(self, from: &FormalFunctionType, to: &FormalFunctionType) -> Option<Outcome> {
        let is_async = |function: &FormalFunctionType| function.attributes.contains(FunctionAttribute::Async);
        let throws = |function: &FormalFunctionType| function.throws != Throws::No;
        if is_async(from) != is_async(to) || throws(from) && !throws(to) || from.representation != to.representation {
            return Some(Outcome::Fails);
        }
        let is_same = from.parameters == to.parameters && self.queries.same_type(from.result, to.result);
        is_same.then_some(Outcome::Succeeds)
    }

    fn of_tuples(self, from: &[TupleElement], to: &[TupleElement], source: SourceType, depth: u32) -> Option<Outcome> {
        if from.len() != to.len() {
            return Some(Outcome::Fails);
        }
        let mut all = Some(Outcome::Succeeds);
        for (from, to) in from.iter().zip(to) {
            if from.label.is_some() && to.label.is_some() && from.label != to.label {
                return Some(Outcome::Fails);
            }
            match self.within(from.ty, to.ty, source, depth + 1) {
                Some(Outcome::Succeeds) => {}
                Some(Outcome::Fails) => return Some(Outcome::Fails),
                None => all = None,
            }
        }
        all
    }

    /// Returns the outcome for classes: the cast succeeds if the source inherits from the target, and fails if neither
    /// inherits from the other.
    fn of_classes(self, from: TypeId, to: TypeId) -> Option<Outcome> {
        match (self.inherits(from, to)?, self.inherits(to, from)?) {
            (true, _) => Some(Outcome::Succeeds),
            (false, false) => Some(Outcome::Fails),
            (false, true) => None,
        }
    }

    /// Returns whether `class` is `other` or inherits from it. `None` if its superclasses are not all known.
    fn inherits(self, class: TypeId, other: TypeId) -> Option<bool> {
        let mut current = Some(class);
        for _ in 0..DEPTH_LIMIT * 4 {
            let Some(ty) = current else { return Some(false) };
            if self.queries.same_type(ty, other) {
                return Some(true);
            }
            let declaration = self.queries.declaration_of(ty)?;
            if declaration.origin == Origin::Named || declaration.attributes.objc {
                return None;
            }
            current = self.queries.superclass_of(ty);
        }
        None
    }

    /// Returns the outcome for other types: not both metatypes, not both functions and not both tuples.
    fn of_values(self, from: TypeId, to: TypeId) -> Option<Outcome> {
        let queries = self.queries;
        match (queries.is_class(from), queries.is_class(to)) {
            (true, true) => self.of_classes(from, to),
            // Bridged values become objects.
            (true, false) => self.is_never_bridged(to).then_some(Outcome::Fails),
            (false, true) => self.is_never_bridged(from).then_some(Outcome::Fails),
            (false, false) if instance(queries, to).is_some() => Some(Outcome::Fails),
            // Each may be bridged to an error of the other kind.
            (false, false) if self.is_error(from) == Some(true) && self.is_error(to) == Some(true) => None,
            (false, false) if self.are_collections(from, to) => None,
            (false, false) => Some(Outcome::Fails),
        }
    }

    /// Returns whether values of this type are never bridged to objects: bridged types are errors or belong to other
    /// modules.
    fn is_never_bridged(self, ty: TypeId) -> bool {
        let queries = self.queries;
        let Some(declaration) = queries.declaration_of(ty) else { return false };
        declaration.origin == Origin::Module && declaration.is_complete() && self.is_error(ty) == Some(false)
    }

    fn is_error(self, ty: TypeId) -> Option<bool> {
        match self.queries.known_error() {
            Some(error) => self.conforms(ty, error, 0),
            None => Some(false),
        }
    }

    /// Returns whether both are arrays, sets or dictionaries of the same kind: empty ones can be cast to any element
    /// type.
    fn are_collections(self, from: TypeId, to: TypeId) -> bool {
        let declaration = |ty| self.queries.as_nominal(ty).map(|nominal| nominal.declaration);
        let is_collection = self.queries.declaration_of(from).is_some_and(|declaration| {
            let text = |name| self.queries.context.text(name);
            text(declaration.module) == "Swift" && matches!(text(declaration.name), "Array" | "Set" | "Dictionary")
        });
        is_collection && declaration(from) == declaration(to)
    }
}

/// Returns the instance type of a metatype, and whether the metatype is existential.
fn instance(queries: &TypeQueries<'_>, ty: TypeId) -> Option<(TypeId, bool)> {
    match queries.get(ty) {
        Type::Metatype { instance, .. } => Some((*instance, false)),
        Type::ExistentialMetatype { instance, .. } => Some((*instance, true)),
        _ => None,
    }
}

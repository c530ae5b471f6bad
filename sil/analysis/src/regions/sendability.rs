//! The `Sendable` types, whose values several isolation domains may use at once ("Sendable Types", SE-0302;
//! `SILIsolationInfo::isNonSendableType`, lib/SILOptimizer/Utils/SILIsolationInfo.cpp).

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use sil_ir::context::{
    BuiltinType, ConformanceKind, FunctionAttribute, NominalId, NominalType, Requirement, SignatureId,
    SubstitutionMapId, Type, TypeId,
};
use sil_ir::declarations::{Access, NominalKind, Origin};
use sil_ir::types::TypeQueries;

use super::actors;

/// Answers for the types of one function.
pub struct Sendability<'m> {
    queries: &'m TypeQueries<'m>,
    signature: Option<SignatureId>,
    sendable: Option<NominalId>,
    sendable_metatype: Option<NominalId>,
    known: RefCell<FxHashMap<TypeId, bool>>,
}

impl<'m> Sendability<'m> {
    /// Answers for types in terms of the generic parameters of `signature`.
    pub fn new(queries: &'m TypeQueries<'m>, signature: Option<SignatureId>) -> Self {
        let marker = |name: &str| {
            let (library, name) = (queries.context.find_name("Swift")?, queries.context.find_name(name)?);
            let found = queries.declarations.in_module(library, name);
            found.or_else(|| queries.declarations.top_level(name))
        };
        let (sendable, sendable_metatype) = (marker("Sendable"), marker("SendableMetatype"));
        Self { queries, signature, sendable, sendable_metatype, known: RefCell::default() }
    }

    /// Whether the module has `Sendable`. Nothing can be reported without it.
    pub fn is_known(&self) -> bool {
        self.sendable.is_some()
    }

    /// Whether values of `ty` may be used by several actors at once. Types that are known by name only count as such:
    /// nothing is reported about them.
    pub fn is_sendable(&self, ty: TypeId) -> bool {
        if let Some(known) = self.known.borrow().get(&ty) {
            return *known;
        }
        // A type that contains itself follows the rest of it.
        self.known.borrow_mut().insert(ty, true);
        let found = self.find(ty);
        self.known.borrow_mut().insert(ty, found);
        found
    }

    fn find(&self, ty: TypeId) -> bool {
        match self.queries.get(ty) {
            Type::Builtin(BuiltinType::RawPointer | BuiltinType::NativeObject | BuiltinType::BridgeObject) => false,
            Type::Builtin(_) | Type::Integer(_) | Type::Unresolved { .. } => true,
            Type::Tuple(elements) => elements.iter().all(|element| self.is_sendable(element.ty)),
            Type::Function(function) => function.attributes.contains(FunctionAttribute::Sendable),
            Type::FormalFunction(function) => function.attributes.contains(FunctionAttribute::Sendable),
            Type::Metatype { instance, .. } => self.has_sendable_metatype(*instance),
            Type::ExistentialMetatype { instance, .. } => self.has_sendable_metatype(*instance),
            Type::Existential(constraint) => self.constrains(*constraint, self.sendable),
            Type::OpenedArchetype { existential, .. } => self.constrains(*existential, self.sendable),
            Type::DynamicSelf(inner)
            | Type::MoveOnlyWrapper(inner)
            | Type::PackExpansion { pattern: inner }
            | Type::PackElement(inner)
            | Type::InOut(inner) => self.is_sendable(*inner),
            Type::Storage { referent, .. } => self.is_sendable(*referent),
            Type::Pack { elements, .. } => elements.iter().all(|element| self.is_sendable(*element)),
            Type::Nominal(nominal) => self.is_nominal_sendable(ty, nominal),
            // The underlying type of `some P` is not examined here.
            Type::OpaqueResult { .. } => true,
            Type::Box(_) | Type::BlockStorage(_) | Type::Protocol { .. } | Type::Composition(_) => false,
            Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::DependentMember { .. }
            | Type::PackElementArchetype { .. } => self.is_required(ty, self.sendable),
        }
    }

    /// Whether the metatype of a type may be used by several actors: none of the conformances that are known of the
    /// type alone holds on an actor (`metatypeWithInstanceTypeIsSendable`, lib/AST/ConformanceLookup.cpp).
    pub fn has_sendable_metatype(&self, instance: TypeId) -> bool {
        match self.queries.get(instance) {
            _ if self.queries.is_type_parameter(instance) => {
                !self.carry_conformances(&self.required_protocols(instance))
                    || self.is_required(instance, self.sendable_metatype)
            }
            Type::OpenedArchetype { existential: constraint, .. } | Type::Existential(constraint) => {
                self.has_sendable_metatype(*constraint)
            }
            Type::Protocol { .. } => {
                !self.carry_conformances(&self.queries.protocols_in(instance))
                    || self.constrains(instance, self.sendable_metatype)
            }
            Type::Composition(composition) => {
                let is_class = |member: &TypeId| matches!(self.queries.get(*member), Type::Nominal(_));
                composition.members.iter().any(is_class)
                    || !self.carry_conformances(&self.queries.protocols_in(instance))
                    || self.constrains(instance, self.sendable_metatype)
            }
            _ => true,
        }
    }

    /// Whether conformances to one of the protocols can hold on an actor alone: it is none that stands for nothing at
    /// run time.
    fn carry_conformances(&self, protocols: &[NominalId]) -> bool {
        let is_marker = |protocol: NominalId| self.queries.declarations.get(protocol).attributes.marker;
        protocols.iter().any(|protocol| !is_marker(*protocol))
    }

    fn required_protocols(&self, parameter: TypeId) -> Vec<NominalId> {
        let Some(signature) = self.signature else { return Vec::new() };
        let generics = self.queries.generics();
        generics.machine(signature).bounds(&generics, parameter).protocols
    }

    /// Whether the function requires of a type parameter that it conforms to `protocol`.
    pub fn requires(&self, parameter: TypeId, protocol: NominalId) -> bool {
        match self.queries.get(parameter) {
            Type::OpenedArchetype { existential, .. } => self.constrains(*existential, Some(protocol)),
            _ => self.is_required(parameter, Some(protocol)),
        }
    }

    /// Whether a protocol has no conformances that hold on an actor alone.
    pub fn inherits_sendable_metatype(&self, protocol: NominalId) -> bool {
        let inherited = self.queries.generics().inherited(protocol);
        self.sendable_metatype.is_some_and(|metatype| inherited.contains(&metatype))
    }

    fn is_required(&self, parameter: TypeId, protocol: Option<NominalId>) -> bool {
        let (Some(signature), Some(protocol)) = (self.signature, protocol) else { return false };
        let generics = self.queries.generics();
        generics.machine(signature).requires_protocol(&generics, parameter, protocol)
    }

    /// Whether the types of a constraint conform to `protocol`.
    fn constrains(&self, constraint: TypeId, protocol: Option<NominalId>) -> bool {
        let Some(protocol) = protocol else { return true };
        let generics = self.queries.generics();
        let implies = |stated: &NominalId| *stated == protocol || generics.inherited(*stated).contains(&protocol);
        if self.queries.protocols_in(constraint).iter().any(implies) {
            return true;
        }
        match self.queries.get(constraint) {
            Type::Composition(composition) => composition
                .members
                .iter()
                .any(|member| matches!(self.queries.get(*member), Type::Nominal(_)) && self.is_sendable(*member)),
            Type::Existential(inner) => self.constrains(*inner, Some(protocol)),
            _ => false,
        }
    }

    fn is_nominal_sendable(&self, ty: TypeId, nominal: &NominalType) -> bool {
        let queries = self.queries;
        let declaration = queries.declarations.get(nominal.declaration);
        // Of types that functions declare too little is in the text.
        let is_known = declaration.origin != Origin::Named && declaration.attributes.local.is_none();
        if declaration.kind == NominalKind::Actor || !is_known {
            return true;
        }
        let mut unavailable = queries.declarations.isolations.unavailable_conformances(nominal.declaration);
        if unavailable.any(|protocol| self.constrains(protocol, self.sendable)) {
            return false;
        }
        if actors::of_type(queries, nominal.declaration).is_some() {
            return true;
        }
        let Some(sendable) = self.sendable else { return true };
        let conformance = queries.conformance(ty, sendable);
        match &queries.context.get_conformance(conformance).kind {
            ConformanceKind::Normal { .. } | ConformanceKind::Inherited { .. } => return true,
            ConformanceKind::Specialized { substitutions, .. } => return self.requirements_hold(*substitutions),
            _ => {}
        }
        let is_value = matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum);
        let is_public = queries.declarations.access_of(nominal.declaration) == Access::Public;
        let may_be_implied = declaration.origin == Origin::Module && (!is_public || declaration.attributes.frozen);
        is_value && may_be_implied && self.parts_are_sendable(ty, nominal)
    }

    /// Whether the requirements of a conditional conformance hold, as far as they are about `Sendable`.
    fn requirements_hold(&self, substitutions: SubstitutionMapId) -> bool {
        let queries = self.queries;
        let map = queries.context.get_substitutions(substitutions);
        let requirements = &queries.context.get_signature(map.signature).requirements;
        requirements.iter().all(|requirement| match requirement {
            Requirement::Conformance { subject, constraint } if self.constrains(*constraint, self.sendable) => {
                self.is_sendable(queries.substitute(*subject, substitutions))
            }
            _ => true,
        })
    }

    fn parts_are_sendable(&self, ty: TypeId, nominal: &NominalType) -> bool {
        let queries = self.queries;
        let cases = queries.declarations.get(nominal.declaration).cases.len() as u32;
        let fields = queries.field_types(ty);
        fields.is_none_or(|fields| fields.iter().all(|field| self.is_sendable(*field)))
            && (0..cases).filter_map(|case| queries.case_payload(ty, case)).all(|payload| self.is_sendable(payload))
    }
}

//! The witnesses of the associated types of a conforming type.
//!
//! Sources, in this order: witness tables, type aliases and nested types and generic parameters of that name in the
//! declaration and its extensions, the same of the superclass, and defaults in the protocols.

use std::cell::RefCell;

use crate::context::{ConformanceId, ConformanceKind, Name, NominalId, NominalType, SubstitutionMapId, Type, TypeId};
use crate::declarations::{ConformanceIsolation, StatedConformance, TypeAlias};
use crate::types::TypeQueries;

/// Superclasses are followed this far: wrong input may make them circular.
const DEPTH_LIMIT: u32 = 64;

/// Defaults that lead to others are followed this far.
const DEFAULT_LIMIT: usize = 8;

thread_local! {
    /// The defaults that are being applied: one may lead to itself, by way of others of the same type.
    static OPEN_DEFAULTS: RefCell<Vec<(TypeId, Name)>> = const { RefCell::new(Vec::new()) };
}

impl TypeQueries<'_> {
    /// The type of `base.member`, if `base` is concrete; else the dependent type itself.
    pub fn member_type(&self, base: TypeId, member: Name, protocol: Option<NominalId>) -> TypeId {
        if let Some(found) = self.concrete_member(base, member, protocol) {
            return found;
        }
        // A member of an archetype is an archetype of the same opening, unless the existential fixes it.
        match *self.get(base) {
            Type::OpenedArchetype { uuid, existential, interface } => {
                if let Some(argument) = self.argument_of_existential(existential, interface, member) {
                    return argument;
                }
                let interface = self.context.ty(Type::DependentMember { base: interface, member, protocol });
                let fixed = self.fixed_by_existential(existential, interface);
                fixed.unwrap_or_else(|| self.context.ty(Type::OpenedArchetype { uuid, existential, interface }))
            }
            Type::PackElementArchetype { uuid, interface } => {
                let interface = self.context.ty(Type::DependentMember { base: interface, member, protocol });
                self.context.ty(Type::PackElementArchetype { uuid, interface })
            }
            _ => {
                let described = self.opaque_member(base, member);
                described.unwrap_or_else(|| self.context.ty(Type::DependentMember { base, member, protocol }))
            }
        }
    }

    /// The archetype or generic parameter that `ty` is an associated type of, and the name of the associated type.
    pub fn associated_of_archetype(&self, ty: TypeId) -> Option<(TypeId, Name)> {
        match *self.get(ty) {
            Type::OpenedArchetype { uuid, existential, interface } => {
                let Type::DependentMember { base, member, .. } = *self.get(interface) else { return None };
                Some((self.context.ty(Type::OpenedArchetype { uuid, existential, interface: base }), member))
            }
            Type::DependentMember { base, member, .. } => Some((base, member)),
            _ => None,
        }
    }

    /// The argument of an existential for the associated type `member` of its opened type: `Int` of `Element` in `any
    /// Collection<Int>`. There are none for members of members, which `interface` then is.
    fn argument_of_existential(&self, existential: TypeId, interface: TypeId, member: Name) -> Option<TypeId> {
        let (Type::Existential(constraint), false) =
            (self.get(existential), matches!(self.get(interface), Type::DependentMember { .. }))
        else {
            return None;
        };
        self.argument_of_constraint(*constraint, member)
    }

    /// The concrete type of `interface`, a member of the type in an existential, by the requirements of the
    /// existential's protocols: `Int` of `Element` where a protocol states `SubSequence == ArraySlice<Int>`.
    fn fixed_by_existential(&self, existential: TypeId, interface: TypeId) -> Option<TypeId> {
        let Type::Existential(constraint) = *self.get(existential) else { return None };
        let reduced = self.reduced_type(interface, self.generics().existential_signature(constraint));
        (!self.is_dependent(reduced)).then_some(reduced)
    }

    fn argument_of_constraint(&self, constraint: TypeId, member: Name) -> Option<TypeId> {
        match self.get(constraint) {
            Type::Protocol { protocol, arguments } => {
                let names = &self.declarations.get(*protocol).primary_associated_types;
                names.iter().zip(arguments).find(|(name, _)| **name == member).map(|(_, argument)| *argument)
            }
            Type::Composition(composition) => {
                composition.members.iter().find_map(|constraint| self.argument_of_constraint(*constraint, member))
            }
            _ => None,
        }
    }

    /// The type of `base.member`, if `base` is concrete: by its conformance to the protocol that has the associated
    /// type. A member that no protocol has is an alias or a nested type.
    fn concrete_member(&self, base: TypeId, member: Name, protocol: Option<NominalId>) -> Option<TypeId> {
        let nominal = self.as_nominal(base)?;
        let key = (base, member, protocol);
        if let Some(found) = self.caches.members.get(&key) {
            return found;
        }
        let protocol = protocol.or_else(|| self.protocol_with(nominal.declaration, member));
        let witness = protocol.and_then(|protocol| self.type_witness(self.conformance(base, protocol), member));
        let found = witness.or_else(|| self.written_witness(base, member, protocol, 0));
        let is_whole = OPEN_DEFAULTS.with_borrow(|open| open.is_empty());
        if is_whole { self.caches.members.insert(key, found) } else { found }
    }

    /// The witness of the associated type `name` in a conformance; none if the conformance is not concrete, or does not
    /// show it.
    pub fn type_witness(&self, conformance: ConformanceId, name: Name) -> Option<TypeId> {
        let conformance = self.context.get_conformance(conformance);
        match conformance.kind {
            // Names and defaults determine the associated types, whatever states the conformance.
            ConformanceKind::Normal { .. } | ConformanceKind::Specialized { .. } | ConformanceKind::Unknown => {
                let (ty, protocol) = (conformance.ty, conformance.protocol);
                let written = self.written_witness(ty, name, Some(protocol), 0);
                written.or_else(|| self.default_witness(ty, name, protocol))
            }
            ConformanceKind::Inherited { base } => self.type_witness(base, name),
            ConformanceKind::Abstract
            | ConformanceKind::SelfConformance
            | ConformanceKind::Builtin
            | ConformanceKind::Pack(_)
            | ConformanceKind::Missing => None,
        }
    }

    /// The witness of an associated type in tables, and in declarations of `ty` and of its superclasses.
    fn written_witness(&self, ty: TypeId, name: Name, protocol: Option<NominalId>, depth: u32) -> Option<TypeId> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        if let Some(concrete) = self.conformances.concrete_witness(ty, name, protocol) {
            return Some(concrete);
        }
        let nominal = self.as_nominal(ty)?;
        let arguments = self.nominal_substitutions(nominal);
        if let Some(witness) = self.conformances.declared_witness(nominal.declaration, name, protocol) {
            return Some(self.substitute(witness, arguments));
        }
        self.implementing_type(nominal, (protocol, name), arguments)
            .or_else(|| self.declared_type(nominal, name, arguments))
            .or_else(|| self.written_witness(self.superclass_of(ty)?, name, protocol, depth + 1))
    }

    /// The type alias for an associated type of a protocol, which swiftc declares if it infers one that no lookup of
    /// its name may find (lib/Sema/AssociatedTypeInference.cpp, `recordTypeWitness`).
    fn implementing_type(
        &self,
        nominal: &NominalType,
        (protocol, name): (Option<NominalId>, Name),
        arguments: SubstitutionMapId,
    ) -> Option<TypeId> {
        let implemented = Some((self.declarations.get(protocol?).name, name));
        let mut aliases = self.declarations.get(nominal.declaration).aliases.iter();
        let alias = aliases.find(|alias| alias.implements == implemented && self.condition_holds(alias, arguments))?;
        Some(self.substitute(alias.ty, arguments))
    }

    /// A type alias, nested type or generic parameter that is called `member`.
    fn declared_type(&self, nominal: &NominalType, member: Name, arguments: SubstitutionMapId) -> Option<TypeId> {
        let declaration = self.declarations.get(nominal.declaration);
        let aliases = declaration.aliases.iter();
        let mut matching = aliases.filter(|alias| alias.name == member && self.condition_holds(alias, arguments));
        if let Some(alias) = matching.next() {
            return Some(self.substitute(alias.ty, arguments));
        }
        if let Some(nested) = self.declarations.nested(nominal.declaration, member) {
            let parent = (nominal.parent.is_some() || !nominal.arguments.is_empty())
                .then(|| self.context.ty(Type::Nominal(nominal.clone())));
            let nested = NominalType { declaration: nested, parent, arguments: Box::default() };
            return Some(self.context.ty(Type::Nominal(nested)));
        }
        let parameters = &self.context.get_signature(declaration.signature?).parameters;
        let at = parameters.iter().position(|parameter| parameter.name == Some(member))?;
        self.context.replacements(arguments).get(at).copied()
    }

    fn condition_holds(&self, alias: &TypeAlias, arguments: SubstitutionMapId) -> bool {
        alias.condition.is_none_or(|condition| {
            let arguments = self.context.replacements(arguments);
            self.requirements_hold(self.context.substitutions(condition, arguments))
        })
    }

    /// The default of an associated type, from `protocol` or from others that `ty` conforms to.
    fn default_witness(&self, ty: TypeId, name: Name, protocol: NominalId) -> Option<TypeId> {
        let default = self.default_type(self.as_nominal(ty)?.declaration, name, protocol)?;
        let is_open = OPEN_DEFAULTS.with_borrow_mut(|open| {
            let is_open = open.contains(&(ty, name)) || open.len() >= DEFAULT_LIMIT;
            if !is_open {
                open.push((ty, name));
            }
            is_open
        });
        if is_open {
            return None;
        }
        let this = self.context.substitutions(self.context.unconstrained_signature(1), [ty]);
        let found = self.substitute(default, this);
        OPEN_DEFAULTS.with_borrow_mut(|open| open.pop());
        Some(found)
    }

    /// The default of an associated type, in the protocol's `Self`.
    fn default_type(&self, nominal: NominalId, member: Name, protocol: NominalId) -> Option<TypeId> {
        let mut found = None;
        let mut consider = |id: NominalId| {
            let declaration = self.declarations.get(id);
            let associated = declaration.associated_types.iter().find(|ty| ty.name == member && ty.default.is_some());
            let default = associated.and_then(|ty| ty.default);
            let alias = declaration.aliases.iter().find(|alias| alias.name == member && alias.condition.is_none());
            found = found.or(default).or(alias.map(|alias| alias.ty));
        };
        consider(protocol);
        self.each_protocol(nominal, &mut consider);
        found
    }

    /// The protocol with an associated type of this name, among those that a declaration, or a superclass of it,
    /// conforms to.
    fn protocol_with(&self, nominal: NominalId, member: Name) -> Option<NominalId> {
        let mut current = Some(nominal);
        for _ in 0..DEPTH_LIMIT {
            let mut found = None;
            let has = |id: NominalId| {
                let declaration = self.declarations.get(id);
                let is_associated = declaration.associated_types.iter().any(|ty| ty.name == member);
                is_associated || declaration.aliases.iter().any(|alias| alias.name == member)
            };
            self.each_protocol(current?, &mut |id| found = found.or(has(id).then_some(id)));
            if found.is_some() {
                return found;
            }
            let superclass = self.declarations.get(current?).superclass;
            current = superclass.and_then(|class| self.as_nominal(class)).map(|class| class.declaration);
        }
        None
    }

    /// The actor that a type states to conform to a protocol with: only where that runs (`: @MainActor P`).
    pub fn isolating_actor(&self, ty: TypeId, protocol: NominalId) -> Option<TypeId> {
        let actor = |stated: &StatedConformance| {
            let inherits = |base: NominalId| {
                let mut found = base == protocol;
                self.each_protocol(base, &mut |inherited| found |= inherited == protocol);
                found
            };
            let ConformanceIsolation::GlobalActor(actor) = stated.isolation else { return None };
            self.protocols_in(stated.protocol).into_iter().any(inherits).then_some(actor)
        };
        self.declaration_of(ty)?.conformances.iter().find_map(actor)
    }

    /// The protocol of global actors, where the module knows it.
    pub fn known_global_actor(&self) -> Option<NominalId> {
        self.caches.known.global_actor
    }

    /// Calls `visit` for each protocol that `nominal` states or that one of those inherits from, superclasses left out.
    pub fn each_protocol(&self, nominal: NominalId, visit: &mut dyn FnMut(NominalId)) {
        let mut seen = Vec::new();
        let mut open = vec![nominal];
        while let Some(id) = open.pop() {
            let declared = self.declarations.get(id).conformances.iter();
            let declared = declared.flat_map(|stated| self.protocols_in(stated.protocol));
            let in_tables = self.conformances.stated(id).iter().map(|id| self.context.get_conformance(*id).protocol);
            for protocol in declared.chain(in_tables) {
                if !seen.contains(&protocol) {
                    seen.push(protocol);
                    visit(protocol);
                    open.push(protocol);
                }
            }
        }
    }

    /// The protocols of a constraint.
    pub fn protocols_in(&self, constraint: TypeId) -> Vec<NominalId> {
        match self.get(constraint) {
            Type::Protocol { protocol, .. } => vec![*protocol],
            Type::Composition(composition) => {
                composition.members.iter().flat_map(|member| self.protocols_in(*member)).collect()
            }
            Type::Existential(inner) => self.protocols_in(*inner),
            _ => Vec::new(),
        }
    }
}

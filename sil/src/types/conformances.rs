//! Conformances: which type stands for an associated type, and whether a type conforms to a protocol.
//!
//! Sources, in this order: the module's witness tables, type aliases and nested types and generic parameters of that name in the
//! declaration and its extensions, the superclass, and defaults in the protocols.

use rustc_hash::FxHashMap;

use super::*;
use crate::context::{Context, SignatureId};
use crate::declarations::{Origin, TypeAlias};
use crate::model::{ConformanceRef, WitnessEntry, WitnessTable};

/// Associated types by the nominal type that has them, from a module's witness tables.
#[derive(Default)]
pub struct ConformanceTable {
    generic: FxHashMap<(NominalId, Name), Vec<Witness>>,
    specialized: FxHashMap<(TypeId, Name), TypeId>,
    conforming: FxHashMap<NominalId, Vec<NominalId>>,
}

/// A type that a witness table gives for an associated type, in the conforming declaration's generic parameters.
struct Witness {
    protocol: NominalId,
    ty: TypeId,
}

/// Whether a type conforms to a protocol, as far as a module shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conforms {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Declarations that would tell are not known.
    Unknown,
}

impl ConformanceTable {
    /// Collects what the witness tables of a module say.
    pub fn new(context: &Context, witness_tables: &[WitnessTable]) -> Self {
        let mut table = Self::default();
        for witness_table in witness_tables {
            table.add(context, witness_table);
        }
        table
    }

    fn add(&mut self, context: &Context, table: &WitnessTable) {
        let entries = table.entries.as_deref().unwrap_or_default();
        let types = entries.iter().filter_map(|entry| match entry {
            WitnessEntry::AssociatedType { name, ty } => Some((*name, *ty)),
            _ => None,
        });
        match &table.conformance {
            ConformanceRef::Normal { ty, protocol, .. } => {
                let Type::Nominal(nominal) = context.get(*ty) else { return };
                self.conforming.entry(nominal.declaration).or_default().push(*protocol);
                for (name, witness) in types {
                    let witnesses = self.generic.entry((nominal.declaration, name)).or_default();
                    witnesses.push(Witness { protocol: *protocol, ty: witness });
                }
            }
            ConformanceRef::Specialized { ty, .. } => {
                for (name, witness) in types {
                    self.specialized.insert((*ty, name), witness);
                }
            }
            ConformanceRef::Inherited { .. } | ConformanceRef::Dependent(_) => {}
        }
    }

    fn witness(&self, nominal: NominalId, name: Name, protocol: Option<NominalId>) -> Option<TypeId> {
        let found = self.generic.get(&(nominal, name))?;
        let exact = found.iter().find(|witness| Some(witness.protocol) == protocol);
        exact.or(found.first()).map(|witness| witness.ty)
    }
}

/// Superclasses and protocols are followed this far: wrong input may make them circular.
const DEPTH_LIMIT: u32 = 64;

impl<'a> TypeQueries<'a> {
    /// `base.member`: what it stands for, where `base` is concrete; else the dependent type itself.
    pub fn member_type(&self, base: TypeId, member: Name, protocol: Option<NominalId>) -> TypeId {
        if let Some(found) = self.associated_type(base, member, protocol, 0) {
            return found;
        }
        // A member of an archetype is an archetype of the same opening.
        match *self.get(base) {
            Type::OpenedArchetype { uuid, existential, interface } => {
                let interface = self.context.ty(Type::DependentMember { base: interface, member, protocol });
                self.context.ty(Type::OpenedArchetype { uuid, existential, interface })
            }
            Type::PackElementArchetype { uuid, interface } => {
                let interface = self.context.ty(Type::DependentMember { base: interface, member, protocol });
                self.context.ty(Type::PackElementArchetype { uuid, interface })
            }
            _ => self.context.ty(Type::DependentMember { base, member, protocol }),
        }
    }

    /// The type that stands for the associated type `member` of the concrete type `base`.
    fn associated_type(&self, base: TypeId, member: Name, protocol: Option<NominalId>, depth: u32) -> Option<TypeId> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let nominal = self.as_nominal(base)?;
        if let Some(ty) = self.conformances.specialized.get(&(base, member)) {
            return Some(*ty);
        }
        let substitutions = self.nominal_substitutions(nominal);
        let resolve = |ty| Some(self.substitute(ty, substitutions));
        if let Some(ty) = self.conformances.witness(nominal.declaration, member, protocol) {
            return resolve(ty);
        }
        if let Some(ty) = self.declared_type(nominal, member, substitutions) {
            return Some(ty);
        }
        if let Some(superclass) = self.superclass_of(base)
            && let Some(found) = self.associated_type(superclass, member, protocol, depth + 1)
        {
            return Some(found);
        }
        let default = self.default_type(nominal.declaration, member, protocol)?;
        self.substitute_self(default, base, depth)
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

    /// A type alias, nested type or generic parameter that is called `member`.
    fn declared_type(&self, nominal: &NominalType, member: Name, by: SubstitutionMapId) -> Option<TypeId> {
        let declaration = self.declarations.get(nominal.declaration);
        let aliases = declaration.aliases.iter();
        let mut matching = aliases.filter(|alias| alias.name == member && self.condition_holds(alias, by));
        if let Some(alias) = matching.next() {
            return Some(self.substitute(alias.ty, by));
        }
        if let Some(nested) = self.declarations.nested(nominal.declaration, member) {
            let parent = (nominal.parent.is_some() || !nominal.arguments.is_empty())
                .then(|| self.context.ty(Type::Nominal(nominal.clone())));
            let nested = NominalType { declaration: nested, parent, arguments: Box::default() };
            return Some(self.context.ty(Type::Nominal(nested)));
        }
        let parameters = &self.context.get_signature(declaration.signature?).parameters;
        let parameter = parameters.iter().find(|parameter| parameter.name == Some(member))?;
        let parameter = Type::GenericParameter { depth: parameter.depth, index: parameter.index };
        Some(self.substitute(self.context.ty(parameter), by))
    }

    fn condition_holds(&self, alias: &TypeAlias, by: SubstitutionMapId) -> bool {
        alias.condition.is_none_or(|condition| self.requirements_hold(condition, by))
    }

    /// Whether no requirement of `signature` is known to be broken by `by`.
    pub fn requirements_hold(&self, signature: SignatureId, by: SubstitutionMapId) -> bool {
        let holds = |requirement: &Requirement| match requirement {
            Requirement::SameType { first, second } => {
                let (first, second) = (self.substitute(*first, by), self.substitute(*second, by));
                self.is_dependent(first) || self.is_dependent(second) || self.same_type(first, second)
            }
            Requirement::Conformance { subject, constraint } => {
                let subject = self.substitute(*subject, by);
                match self.get(*constraint) {
                    Type::Protocol { protocol, .. } => self.conforms(subject, *protocol) != Conforms::No,
                    _ => true,
                }
            }
            Requirement::Superclass { .. } | Requirement::Layout { .. } | Requirement::Inverse { .. } => true,
        };
        self.context.get_signature(signature).requirements.iter().all(holds)
    }

    /// The default of an associated type, in the protocol's `Self`, from the protocols that `nominal` conforms to.
    fn default_type(&self, nominal: NominalId, member: Name, protocol: Option<NominalId>) -> Option<TypeId> {
        let mut found = None;
        let mut consider = |id: NominalId| {
            let declaration = self.declarations.get(id);
            let associated = declaration.associated_types.iter().find(|ty| ty.name == member && ty.default.is_some());
            let default = associated.and_then(|ty| ty.default);
            let alias = declaration.aliases.iter().find(|alias| alias.name == member && alias.condition.is_none());
            if let Some(ty) = default.or(alias.map(|alias| alias.ty)) {
                found = found.or(Some(ty));
            }
        };
        if let Some(protocol) = protocol {
            consider(protocol);
        }
        self.each_protocol(nominal, &mut consider);
        found
    }

    /// `ty` with a protocol's `Self` replaced by `base`.
    fn substitute_self(&self, ty: TypeId, base: TypeId, depth: u32) -> Option<TypeId> {
        if depth >= DEPTH_LIMIT {
            return None;
        }
        let this = self.context.substitutions(self.context.unconstrained_signature(1), [base]);
        let substituted = self.substitute(ty, this);
        // A default may name the very member that it is the default of.
        (substituted != base).then_some(substituted)
    }

    /// Calls `visit` for each protocol that `nominal` states or that one of those inherits from, superclasses left out.
    pub fn each_protocol(&self, nominal: NominalId, visit: &mut dyn FnMut(NominalId)) {
        let mut seen = Vec::new();
        let mut open = vec![nominal];
        while let Some(id) = open.pop() {
            let stated =
                self.declarations.get(id).conformances.iter().flat_map(|stated| self.protocols_in(stated.protocol));
            let listed = self.conformances.conforming.get(&id).into_iter().flatten().copied();
            for protocol in stated.chain(listed) {
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

    /// Whether `ty` conforms to `protocol`, conditions left aside.
    pub fn conforms(&self, ty: TypeId, protocol: NominalId) -> Conforms {
        let mut open = Some(ty);
        for _ in 0..DEPTH_LIMIT {
            let Some(current) = open else { return Conforms::No };
            let Some(nominal) = self.as_nominal(current) else { return Conforms::Unknown };
            let mut found = false;
            self.each_protocol(nominal.declaration, &mut |id| found |= id == protocol);
            if found {
                return Conforms::Yes;
            }
            let declaration = self.declarations.get(nominal.declaration);
            if declaration.origin != Origin::Module || !declaration.is_complete() {
                return Conforms::Unknown;
            }
            open = self.superclass_of(current);
        }
        Conforms::Unknown
    }
}

//! The entries of witness tables: their subjects and their order come from the declaration of the protocol: its
//! requirements on conforming types, then its associated types, then its members
//! (include/swift/SIL/SILWitnessVisitor.h). Tables serve only to distinguish overloads whose types are not understood.
//! A protocol that is known by name only has no entries that anyone could number.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::TypeQueries;
use super::class_slots::{MethodRef, NoSlot};
use super::overloads::{distinguish_variadics, is_same_method, may_be_same};
use crate::cache::Cache;
use crate::context::{Distribution, MemberKind, Name, NominalId, Requirement, Type, TypeId};
use crate::declarations::{DispatchedMember, Overriding};
use crate::model::{Module, WitnessEntry};

/// The subject of an entry of witness tables, in terms of `τ_0_0`, the protocol's `Self`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessSlot {
    /// The witness table for a protocol that this one inherits from.
    BaseProtocol(NominalId),
    /// The witness table of a member of `Self`.
    AssociatedConformance {
        /// The member.
        subject: TypeId,
        /// The protocol of the conformance.
        protocol: NominalId,
    },
    /// An associated type.
    AssociatedType(Name),
    /// A function, an initialiser or an accessor.
    Method {
        /// The name of the member.
        name: Name,
        /// The part of it.
        kind: MemberKind,
        /// The part of it, if it is distributed.
        distribution: Distribution,
        /// Its formal type, where it is understood.
        ty: Option<TypeId>,
        /// The labels of its parameters.
        labels: Box<[Name]>,
    },
}

/// The entries of the witness tables of all protocols of a module.
#[derive(Default)]
pub struct WitnessSlots {
    slots: Cache<NominalId, Result<Arc<[WitnessSlot]>, NoSlot>>,
    /// The types that tables name for each member, in the order of the entries.
    named: FxHashMap<NamedMember, Vec<TypeId>>,
}

/// A member as references name it: its protocol, its name, its part, and whether the thunk of a distributed member is
/// meant.
type NamedMember = (NominalId, Name, MemberKind, bool);

impl WitnessSlots {
    /// The entries of the protocols that `module` knows.
    pub fn new(module: &Module) -> Self {
        let mut named: FxHashMap<_, Vec<TypeId>> = FxHashMap::default();
        for entry in module.witness_tables.iter().flat_map(|table| table.entries.iter().flatten()) {
            if let WitnessEntry::Method { member, formal_type: Some(ty), .. } = entry {
                let member = module.context.get_member(*member);
                let Some(protocol) = member.parent else { continue };
                let types =
                    named.entry((protocol, member.name, member.kind, is_thunk(member.distribution))).or_default();
                if !types.contains(ty) {
                    types.push(*ty);
                }
            }
        }
        Self { slots: Cache::default(), named }
    }

    /// The entries of witness tables of `protocol`.
    pub fn of(&self, queries: &TypeQueries<'_>, protocol: NominalId) -> Result<Arc<[WitnessSlot]>, NoSlot> {
        match self.slots.get(&protocol) {
            Some(found) => found,
            None => self.slots.insert(protocol, self.declared(queries, protocol)),
        }
    }

    /// The number of the entry for `method` in the witness tables of its protocol.
    pub fn method(&self, queries: &TypeQueries<'_>, protocol: NominalId, method: MethodRef) -> Result<usize, NoSlot> {
        match candidates(queries, &self.of(queries, protocol)?, method)[..] {
            [] => Err(NoSlot::Unknown),
            [only] => Ok(only),
            _ => Err(NoSlot::Ambiguous),
        }
    }

    /// The entry of a table of `protocol` in each slot; none for those that the table lacks. Entries of the table
    /// beyond the declaration belong to no slot.
    pub fn entries<'t>(
        &self,
        queries: &TypeQueries<'_>,
        protocol: NominalId,
        table: &'t [WitnessEntry],
    ) -> Result<Vec<Option<&'t WitnessEntry>>, NoSlot> {
        let slots = self.of(queries, protocol)?;
        let mut entries = vec![None; slots.len()];
        for entry in table {
            // Of several that its name can mean the entries stand in the order of their declarations.
            let fitting = match entry {
                WitnessEntry::Method { member, formal_type, .. } => {
                    candidates(queries, &slots, MethodRef { member: *member, formal_type: *formal_type })
                }
                _ => (0..slots.len()).filter(|number| slots[*number].is_of(queries, entry)).collect(),
            };
            let mut free = fitting.into_iter().filter(|number| entries[*number].is_none());
            let Some(slot) = free.next() else { return Err(NoSlot::Unknown) };
            entries[slot] = Some(entry);
        }
        Ok(entries)
    }

    fn declared(&self, queries: &TypeQueries<'_>, protocol: NominalId) -> Result<Arc<[WitnessSlot]>, NoSlot> {
        let generics = queries.generics();
        let declaration = queries.declarations.get(protocol);
        if !generics.is_declared(protocol) {
            return Err(NoSlot::Unknown);
        }
        let mut slots = Vec::new();
        for requirement in generics.requirement_signature(protocol).iter() {
            if let Requirement::Conformance { subject, constraint } = requirement {
                let required = queries.protocols_in(*constraint).into_iter();
                let conformance = |required| match queries.get(*subject) {
                    Type::DependentMember { .. } => {
                        WitnessSlot::AssociatedConformance { subject: *subject, protocol: required }
                    }
                    _ => WitnessSlot::BaseProtocol(required),
                };
                slots.extend(required.filter(|required| queries.has_witness_table(*required)).map(conformance));
            }
        }
        let inherited = generics.inherited(protocol);
        let is_new = |name: Name| {
            let has = |base: &NominalId| {
                queries.declarations.get(*base).associated_types.iter().any(|associated| associated.name == name)
            };
            !inherited.iter().any(has)
        };
        let associated = declaration.associated_types.iter().map(|associated| associated.name);
        slots.extend(associated.filter(|name| is_new(*name)).map(WitnessSlot::AssociatedType));
        let types = self.types(queries, protocol);
        for (member, ty) in declaration.dispatched.iter().zip(types) {
            let overrides = |base: &NominalId| self.is_overridden(queries, (protocol, *base), member, ty);
            if !inherited.iter().any(overrides) {
                let labels = member.labels.clone();
                let (name, kind, distribution) = (member.name, member.kind, member.distribution);
                slots.push(WitnessSlot::Method { name, kind, distribution, ty, labels });
            }
        }
        Ok(slots.into())
    }

    /// The formal type of each member that `protocol` declares, where it is understood; of overloads that are not,
    /// those that tables name.
    fn types(&self, queries: &TypeQueries<'_>, protocol: NominalId) -> Vec<Option<TypeId>> {
        let members = &queries.declarations.get(protocol).dispatched;
        let mut types: Vec<Option<TypeId>> = members.iter().map(|member| member.ty).collect();
        for (position, member) in members.iter().enumerate() {
            let overloads = members.iter().enumerate();
            let overloads = overloads.filter(|(_, other)| other.is_overload_of(member));
            let overloads: Vec<usize> = overloads.map(|(number, _)| number).collect();
            let is_unclear = overloads.len() > 1 && overloads.iter().any(|number| types[*number].is_none());
            let named = self.named.get(&named_member(protocol, member)).map_or(&[][..], Vec::as_slice);
            if is_unclear && overloads.len() == named.len() {
                for (number, ty) in overloads.into_iter().zip(named) {
                    types[number] = Some(*ty);
                }
            } else if overloads[0] == position {
                let mut declared: Vec<Option<TypeId>> = overloads.iter().map(|number| types[*number]).collect();
                distinguish_variadics(queries, &mut declared, named);
                for (number, ty) in overloads.into_iter().zip(declared) {
                    types[number] = ty;
                }
            }
        }
        types
    }

    /// Whether `member` of `protocol`, whose type is `ty`, overrides a requirement of `base`: it states so, or looks
    /// the same and no table has an entry for it. The text does not show `@_nonoverride`.
    fn is_overridden(
        &self,
        queries: &TypeQueries<'_>,
        (protocol, base): (NominalId, NominalId),
        member: &DispatchedMember,
        ty: Option<TypeId>,
    ) -> bool {
        let same_name = |other: &&DispatchedMember| other.is_overload_of(member) && other.labels == member.labels;
        let named = self.named.get(&named_member(protocol, member)).map_or(&[][..], Vec::as_slice);
        let has_entry = named.iter().any(|named| may_be_same(queries, ty, Some(*named)));
        let looks_the_same = |other: &DispatchedMember| match (other.ty, ty) {
            _ if has_entry => false,
            (Some(other), Some(ty)) => queries.is_same_but_self(other, ty),
            _ => true,
        };
        let mut known = queries.declarations.get(base).dispatched.iter().filter(same_name);
        known.any(|other| member.overriding == Overriding::Yes || looks_the_same(other))
    }
}

impl WitnessSlot {
    /// Whether `entry`, which is no method, stands here.
    fn is_of(&self, queries: &TypeQueries<'_>, entry: &WitnessEntry) -> bool {
        match entry {
            WitnessEntry::BaseProtocol { protocol, .. } => *self == Self::BaseProtocol(*protocol),
            WitnessEntry::AssociatedConformance { subject, protocol, .. } => match self {
                Self::AssociatedConformance { subject: member, protocol: required } => {
                    required == protocol && queries.same_type(*member, *subject)
                }
                _ => false,
            },
            WitnessEntry::AssociatedType { name, .. } => *self == Self::AssociatedType(*name),
            WitnessEntry::Method { .. } => false,
        }
    }
}

fn is_thunk(distribution: Distribution) -> bool {
    distribution == Distribution::Thunk
}

fn named_member(protocol: NominalId, member: &DispatchedMember) -> NamedMember {
    (protocol, member.name, member.kind, is_thunk(member.distribution))
}

/// The numbers of the entries that `method` can mean. If its name alone decides, its type does not count.
fn candidates(queries: &TypeQueries<'_>, slots: &[WitnessSlot], method: MethodRef) -> Vec<usize> {
    let member = queries.context.get_member(method.member);
    if member.derivative.is_some() {
        return Vec::new();
    }
    let named = slots.iter().enumerate().filter_map(|(number, slot)| match slot {
        WitnessSlot::Method { name, kind, distribution, ty, labels }
            if (*name, *kind) == (member.name, member.kind)
                && is_thunk(*distribution) == is_thunk(member.distribution) =>
        {
            member.labels.as_ref().is_none_or(|own| own == labels).then_some((number, *ty))
        }
        _ => None,
    });
    let named: Vec<(usize, Option<TypeId>)> = named.collect();
    if let [(only, _)] = named[..] {
        return vec![only];
    }
    let fits = |(_, ty): &(usize, Option<TypeId>)| may_be_same(queries, *ty, method.formal_type);
    let mut fitting: Vec<(usize, Option<TypeId>)> = named.into_iter().filter(fits).collect();
    // One may take an array, another one any number of arguments.
    let is_exact = |(_, ty): &(usize, Option<TypeId>)| is_same_method(queries, *ty, method.formal_type);
    if fitting.len() > 1 && fitting.iter().any(is_exact) {
        fitting.retain(is_exact);
    }
    fitting.into_iter().map(|(number, _)| number).collect()
}

impl TypeQueries<'_> {
    /// Whether conformances to `protocol` have witness tables: those to markers and to Objective-C's protocols have
    /// none.
    pub fn has_witness_table(&self, protocol: NominalId) -> bool {
        let attributes = &self.declarations.get(protocol).attributes;
        !attributes.objc && !attributes.marker
    }
}

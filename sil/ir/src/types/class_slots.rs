//! The slots of classes: their numbers in class metadata come from the declarations, those of the superclass first,
//! then a slot for each member that the class introduces (include/swift/SIL/SILVTableVisitor.h). Declarations of
//! libraries do not list all members: further members that tables name follow. Methods that differ in labels alone look
//! alike in SIL; the symbols in vtables have the labels.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::TypeQueries;
use super::overloads::{distinguish_variadics, is_same_method, may_be_same};
use super::overrides::{ClassMethod, Compatibility};
use crate::cache::Cache;
use crate::context::{Derivative, MemberId, MemberKind, MemberRef, Name, NominalId, TypeId};
use crate::declarations::{Access, DispatchedMember, NominalKind, Overriding};
use crate::model::{Method, Module, VTable, VTableEntry};
use crate::symbols::Symbol;

/// A reference to a method of a class: a member, and the formal type that distinguishes overloads, if it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodRef {
    /// The member.
    pub member: MemberId,
    /// Its formal type.
    pub formal_type: Option<TypeId>,
}

impl From<&Method> for MethodRef {
    fn from(method: &Method) -> Self {
        Self { member: method.member, formal_type: method.formal_type }
    }
}

/// Why a method has no slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSlot {
    /// Neither the declaration nor a table has it.
    Unknown,
    /// Several that can be called have this name and this type: their labels differ, which SIL does not write.
    Ambiguous,
}

/// Why a method of a class has no slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoClassSlot {
    /// It is not found.
    Method(NoSlot),
    /// An override in its class or in a superclass may have a slot of its own before it.
    Override(UnknownOverride),
}

/// An override with a type that is not understood. It is unknown whether it has a slot of its own, and so are the
/// numbers of the later slots of its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownOverride {
    /// The class that declares the override.
    pub class: NominalId,
    /// The name of the override.
    pub name: Name,
}

/// The slots of all classes of a module.
#[derive(Default)]
pub struct ClassSlots {
    counts: FxHashMap<NominalId, Number>,
    members: FxHashMap<Key, Vec<Member>>,
    /// By the class of a table and the type that it is specialised for, the position of the entry that stands in each
    /// slot.
    positions: Cache<(NominalId, Option<TypeId>), Positions>,
}

/// The position in a table of the entry that stands in each slot.
type Positions = Arc<[Option<usize>]>;

/// The number of a slot, or a number of slots.
type Number = Result<u32, UnknownOverride>;

/// The contents of references: the class, the member, the accessor, the derivative.
type Key = (NominalId, Name, MemberKind, Option<Derivative>);

/// A member with the slot that calls of it go through.
struct Member {
    slot: Number,
    ty: Option<TypeId>,
    labels: Option<Box<[Name]>>,
    /// Its visibility, if its declaration is known.
    scope: Option<Access>,
    implementation: Implementation,
}

/// Whether any vtable has an entry for a member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Implementation {
    /// One has, as far as symbols show.
    Present,
    /// None has: the member has no callers, and dead function elimination has removed its entries.
    Removed,
}

fn key(member: &MemberRef) -> Option<Key> {
    Some((member.parent?, member.name, member.kind, member.derivative))
}

impl ClassSlots {
    /// The slots of the classes that `module` declares or has tables of.
    pub fn new(module: &Module, queries: &TypeQueries<'_>) -> Self {
        let mut named: FxHashMap<NominalId, Vec<MethodRef>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for entry in module.vtables.iter().flat_map(|table| &table.entries) {
            let member = module.context.get_member(entry.member);
            if let Some(class) = member.parent
                && !is_lifetime_entry(member.kind)
                && seen.insert((entry.member, entry.formal_type))
            {
                let method = MethodRef { member: entry.member, formal_type: entry.formal_type };
                named.entry(class).or_default().push(method);
            }
        }
        let mut builder = Builder { queries, named, slots: Self::default() };
        for (id, declaration) in module.declarations.iter() {
            if matches!(declaration.kind, NominalKind::Class | NominalKind::Actor) {
                builder.number(id, 0);
            }
        }
        let mut slots = builder.slots;
        slots.mark_implementations(module, queries);
        slots
    }

    /// Finds which of the members that look alike have entries in vtables.
    fn mark_implementations(&mut self, module: &Module, queries: &TypeQueries<'_>) {
        for entry in module.vtables.iter().flat_map(|table| &table.entries) {
            let Some(members) = key(module.context.get_member(entry.member)).and_then(|key| self.members.get_mut(&key))
            else {
                continue;
            };
            if members.len() > 1 {
                let labels = CallLabels::of(queries, entry);
                let tells = members.iter().any(|member| labels.may_be_of(member));
                for member in members.iter_mut().filter(|member| !tells || labels.may_be_of(member)) {
                    member.implementation = Implementation::Present;
                }
            }
        }
    }

    /// How many slots the metadata of a class has, those of its superclasses included.
    pub fn count(&self, class: NominalId) -> Result<u32, UnknownOverride> {
        self.counts.get(&class).copied().unwrap_or(Ok(0))
    }

    /// The slot that calls of `method` go through: that of the method which it overrides, unless it has its own.
    pub fn slot(&self, queries: &TypeQueries<'_>, method: MethodRef) -> Result<u32, NoClassSlot> {
        let found = self.candidates(queries, method);
        if found.is_empty() {
            return Err(NoClassSlot::Method(NoSlot::Unknown));
        }
        // A called method has an implementation.
        let present = found.iter().filter(|member| member.implementation == Implementation::Present);
        let slot = only_slot(found.iter().copied()).or_else(|| only_slot(present.copied()));
        slot.ok_or(NoClassSlot::Method(NoSlot::Ambiguous))?.map_err(NoClassSlot::Override)
    }

    /// The labels that distinguish the member with `slot` from the others that `method` can mean; none where it is the
    /// only one.
    pub fn labels(&self, queries: &TypeQueries<'_>, method: MethodRef, slot: u32) -> Option<Box<[Name]>> {
        let candidates = self.candidates(queries, method);
        let found = candidates.iter().find(|member| member.slot == Ok(slot)).filter(|_| candidates.len() > 1);
        found.and_then(|member| member.labels.clone())
    }

    /// All members that `method` can mean.
    fn candidates(&self, queries: &TypeQueries<'_>, method: MethodRef) -> Vec<&Member> {
        let referred = queries.context.get_member(method.member);
        let members = key(referred).and_then(|key| self.members.get(&key));
        let members = members.map_or(&[][..], Vec::as_slice);
        let fits = |member: &&Member| members.len() == 1 || may_be_same(queries, member.ty, method.formal_type);
        let mut found: Vec<&Member> = members.iter().filter(fits).collect();
        if found.len() > 1 && referred.labels.is_some() {
            found.retain(|member| member.labels.is_none() || member.labels == referred.labels);
        }
        // One may take an array, another one any number of arguments.
        let is_exact = |member: &&Member| is_same_method(queries, member.ty, method.formal_type);
        if found.len() > 1 && found.iter().any(is_exact) {
            found.retain(is_exact);
        }
        found
    }

    /// The members that the class of `table` introduces and that have no entry there, by their numbers among those that
    /// the class dispatches.
    pub fn removed(&self, queries: &TypeQueries<'_>, table: &VTable) -> Vec<u32> {
        let Ok(entries) = self.entries(queries, table) else { return Vec::new() };
        let dispatched = &queries.declarations.get(table.class).dispatched;
        let is_removed = |declared: &DispatchedMember| {
            let known = self.members.get(&(table.class, declared.name, declared.kind, None));
            let is_it = |member: &&Member| member.ty == declared.ty && member.labels.as_ref() == Some(&declared.labels);
            let slot = known.and_then(|known| known.iter().find(is_it)).and_then(|member| member.slot.ok());
            let is_empty = |slot| matches!(entries.get(slot as usize), Some(None));
            declared.overriding == Overriding::No && slot.is_some_and(is_empty)
        };
        let numbered = dispatched.iter().zip(0..);
        numbered.filter(|(declared, _)| is_removed(declared)).map(|(_, number)| number).collect()
    }

    /// The entry of `table` that stands in each slot, where there is one: methods without callers have lost theirs.
    pub fn entries<'t>(
        &self,
        queries: &TypeQueries<'_>,
        table: &'t VTable,
    ) -> Result<Vec<Option<&'t VTableEntry>>, UnknownOverride> {
        self.count(table.class)?;
        Ok(self.positions(queries, table).iter().map(|position| table.entries.get((*position)?)).collect())
    }

    /// The slot of the entry at `position` of `table`, whose slots are known.
    pub fn slot_of_entry(&self, queries: &TypeQueries<'_>, table: &VTable, position: usize) -> Option<u32> {
        let slot = self.positions(queries, table).iter().position(|found| *found == Some(position))?;
        u32::try_from(slot).ok()
    }

    fn positions(&self, queries: &TypeQueries<'_>, table: &VTable) -> Positions {
        let key = (table.class, table.specialized);
        let known = self.positions.get(&key);
        known.unwrap_or_else(|| self.positions.insert(key, self.find_positions(queries, table)))
    }

    fn find_positions(&self, queries: &TypeQueries<'_>, table: &VTable) -> Positions {
        let mut positions = vec![None; self.count(table.class).map_or(0, |count| count as usize)];
        for (position, entry) in table.entries.iter().enumerate() {
            let method = MethodRef { member: entry.member, formal_type: entry.formal_type };
            let mut candidates = self.candidates(queries, method);
            if candidates.len() > 1 {
                let labels = CallLabels::of(queries, entry);
                if candidates.iter().any(|member| labels.may_be_of(member)) {
                    candidates.retain(|member| labels.may_be_of(member));
                }
            }
            // Of several that it can still mean the entries stand in the order of their declarations.
            let free = candidates.into_iter().filter_map(|member| member.slot.ok()).map(|slot| slot as usize);
            let slot = free.filter(|slot| *slot < positions.len()).find(|slot| positions[*slot].is_none());
            if let Some(slot) = slot {
                positions[slot] = Some(position);
            }
        }
        positions.into()
    }
}

/// The labels of a method as a symbol has them.
struct CallLabels {
    known: Option<Vec<Name>>,
    missing: Name,
}

impl CallLabels {
    fn new(queries: &TypeQueries<'_>, labels: Option<Vec<Option<&str>>>) -> Self {
        let name = |label: Option<&str>| queries.context.name(label.unwrap_or(MISSING));
        let known = labels.map(|labels| labels.into_iter().map(name).collect());
        Self { known, missing: queries.context.name(MISSING) }
    }

    /// Those of an entry of a vtable, by the symbol of its implementation.
    fn of(queries: &TypeQueries<'_>, entry: &VTableEntry) -> Self {
        let symbol = Symbol::demangle(queries.context.text(entry.function));
        Self::new(queries, symbol.as_ref().and_then(Symbol::labels))
    }

    /// Whether they may be those of `member`: if either has no labels, they may.
    fn may_be_of(&self, member: &Member) -> bool {
        match (&self.known, &member.labels) {
            // A symbol does not count parameters without labels.
            (Some(known), Some(labels)) if known.is_empty() => labels.iter().all(|label| *label == self.missing),
            (Some(known), Some(labels)) => **known == **labels,
            _ => true,
        }
    }
}

/// The label of a parameter without one.
const MISSING: &str = "_";

struct Builder<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    /// The members of each class that vtables name.
    named: FxHashMap<NominalId, Vec<MethodRef>>,
    slots: ClassSlots,
}

/// Superclasses are followed this far: wrong input may make them circular.
const DEPTH_LIMIT: u32 = 256;

impl Builder<'_, '_> {
    /// Numbers the slots of `class`, whose superclasses come first.
    fn number(&mut self, class: NominalId, depth: u32) {
        if self.slots.counts.contains_key(&class) {
            return;
        }
        let superclass = self.superclass(class).filter(|_| depth < DEPTH_LIMIT);
        if let Some(superclass) = superclass {
            self.number(superclass, depth + 1);
        }
        let mut count = superclass.map_or(Ok(0), |superclass| self.slots.count(superclass));
        let queries = self.queries;
        for member in &queries.declarations.get(class).dispatched {
            let slot = match self.overridden(class, member) {
                Overridden::Slot(slot) => slot,
                Overridden::None => introduce(&mut count),
                Overridden::Unknown => {
                    count = count.and(Err(UnknownOverride { class, name: member.name }));
                    count
                }
            };
            let known = Member {
                slot,
                ty: member.ty,
                labels: Some(member.labels.clone()),
                scope: Some(self.scope(class, member)),
                implementation: Implementation::Removed,
            };
            self.slots.members.entry((class, member.name, member.kind, None)).or_default().push(known);
        }
        let named = self.named.get(&class).cloned().unwrap_or_default();
        let mut completed = FxHashSet::default();
        for method in named {
            let Some(key) = key(queries.context.get_member(method.member)) else { continue };
            if completed.insert(key) {
                self.complete(key);
            }
            let known = self.slots.members.entry(key).or_default();
            if !known.iter().any(|member| may_be_same(queries, member.ty, method.formal_type)) {
                known.push(Member {
                    slot: introduce(&mut count),
                    ty: method.formal_type,
                    labels: None,
                    scope: None,
                    implementation: Implementation::Removed,
                });
            }
        }
        self.slots.counts.insert(class, count);
    }

    /// Gives overloads whose types are not understood, or are not as tables have them, the types that tables name: both
    /// are in declared order.
    fn complete(&mut self, overloads: Key) {
        let Some(known) = self.slots.members.get_mut(&overloads) else { return };
        let named = self.named.get(&overloads.0).into_iter().flatten();
        let is_it = |method: &&MethodRef| key(self.queries.context.get_member(method.member)) == Some(overloads);
        let named: Vec<TypeId> = named.filter(is_it).filter_map(|method| method.formal_type).collect();
        if known.len() > 1 && known.len() == named.len() && known.iter().any(|member| member.ty.is_none()) {
            for (member, ty) in known.iter_mut().zip(named) {
                member.ty = Some(ty);
            }
            return;
        }
        let mut types: Vec<Option<TypeId>> = known.iter().map(|member| member.ty).collect();
        distinguish_variadics(self.queries, &mut types, &named);
        for (member, ty) in known.iter_mut().zip(types) {
            member.ty = ty;
        }
        // The only members left over on both sides are the same, whatever the two texts show: an additional slot
        // without a declaration would move the later ones.
        let queries = self.queries;
        let fits = |member: &Member, ty: &TypeId| may_be_same(queries, member.ty, Some(*ty));
        let tables: Vec<TypeId> =
            named.iter().copied().filter(|ty| !known.iter().any(|member| fits(member, ty))).collect();
        let declared: Vec<&mut Member> =
            known.iter_mut().filter(|member| !named.iter().any(|ty| fits(member, ty))).collect();
        if declared.len() == tables.len() {
            for (member, ty) in declared.into_iter().zip(tables) {
                member.ty = Some(ty);
            }
        }
    }

    fn superclass(&self, class: NominalId) -> Option<NominalId> {
        let superclass = self.queries.declarations.get(class).superclass?;
        Some(self.queries.as_nominal(superclass)?.declaration)
    }

    /// The slot of the member that `member` of `class` overrides, unless it needs one of its own.
    fn overridden(&self, class: NominalId, member: &DispatchedMember) -> Overridden {
        if member.overriding == Overriding::No || self.is_introduced(class, member) {
            return Overridden::None;
        }
        let mut ancestor = self.superclass(class);
        for _ in 0..DEPTH_LIMIT {
            let Some(current) = ancestor else { break };
            let known = self.slots.members.get(&(current, member.name, member.kind, None));
            if let Some(base) = self.base((class, member), (current, known.map_or(&[][..], Vec::as_slice))) {
                if self.is_more_visible((class, member), (current, base)) {
                    return Overridden::None;
                }
                // Code calls the methods of a class that evolves without the numbers of its slots.
                let is_numbered = !self.queries.declarations.get(class).attributes.evolving;
                return match self.compatibility((class, member), (current, base)) {
                    Compatibility::Incompatible => Overridden::None,
                    Compatibility::Unknown if is_numbered => Overridden::Unknown,
                    Compatibility::Compatible | Compatibility::Unknown => Overridden::Slot(base.slot),
                };
            }
            ancestor = self.superclass(current);
        }
        Overridden::None
    }

    /// The visibility of `member` of `class`. An `open` one counts as `public` (lib/AST/Decl.cpp,
    /// `getFormalAccessScope`).
    fn scope(&self, class: NominalId, member: &DispatchedMember) -> Access {
        member.access_from_inline.min(self.queries.declarations.access_of(class)).min(Access::Public)
    }

    /// Whether code may see `member` that does not see `base`, which it overrides (lib/AST/Decl.cpp,
    /// `isMoreVisibleThan`). Whoever overrides a member of another module sees it as everybody does.
    fn is_more_visible(
        &self,
        (class, member): (NominalId, &DispatchedMember),
        (ancestor, base): (NominalId, &Member),
    ) -> bool {
        let module = |id| self.queries.declarations.get(id).module;
        let scope = self.scope(class, member);
        module(class) == module(ancestor) && scope >= Access::Internal && base.scope.is_some_and(|base| scope > base)
    }

    /// Whether calls of `base` may go to the `member` that overrides it.
    fn compatibility(
        &self,
        (class, member): (NominalId, &DispatchedMember),
        (ancestor, base): (NominalId, &Member),
    ) -> Compatibility {
        member.ty.zip(base.ty).map_or(Compatibility::Unknown, |(ty, base)| {
            let derived = ClassMethod { class, ty };
            self.queries.override_compatibility(derived, ClassMethod { class: ancestor, ty: base })
        })
    }

    /// The member among `known`, which `ancestor` declares with the same name, that `member` of `class` overrides.
    fn base<'m>(
        &self,
        (class, member): (NominalId, &DispatchedMember),
        (ancestor, known): (NominalId, &'m [Member]),
    ) -> Option<&'m Member> {
        let labelled = |base: &&Member| base.labels.as_ref().is_none_or(|labels| *labels == member.labels);
        let bases: Vec<&Member> = known.iter().filter(labelled).collect();
        if bases.len() < 2 {
            return bases.first().copied();
        }
        let methods = |base: &Member| {
            let (derived, base) = member.ty.zip(base.ty)?;
            Some((ClassMethod { class, ty: derived }, ClassMethod { class: ancestor, ty: base }))
        };
        let same = |base: &&&Member| {
            methods(base).is_some_and(|(derived, base)| self.queries.is_same_but_self(base.ty, derived.ty))
        };
        let alike = |base: &&&Member| {
            methods(base).is_some_and(|(derived, base)| self.queries.has_same_parameters(derived, base))
        };
        let compatible = |base: &&&Member| {
            methods(base).is_some_and(|(derived, base)| {
                self.queries.override_compatibility(derived, base) == Compatibility::Compatible
            })
        };
        let found = bases.iter().find(same).or_else(|| bases.iter().find(alike));
        found.or_else(|| bases.iter().find(compatible)).or(bases.first()).copied()
    }

    /// Whether a table names `member` as one that `class` introduces: an override of another type does so.
    fn is_introduced(&self, class: NominalId, member: &DispatchedMember) -> bool {
        let is_it = |method: &MethodRef| {
            let named = self.queries.context.get_member(method.member);
            named.name == member.name
                && named.kind == member.kind
                && may_be_same(self.queries, member.ty, method.formal_type)
        };
        self.named.get(&class).is_some_and(|named| named.iter().any(is_it))
    }
}

/// The slot of a member that states that it overrides another one.
enum Overridden {
    /// That of the overridden member.
    Slot(Number),
    /// One of its own.
    None,
    /// Either: a type is not understood.
    Unknown,
}

/// Adds a slot to `count`, and gives its number.
fn introduce(count: &mut Number) -> Number {
    let slot = *count;
    *count = slot.map(|slot| slot + 1);
    slot
}

/// The slot that all of `members` have; none where they have several.
fn only_slot<'m>(mut members: impl Iterator<Item = &'m Member>) -> Option<Number> {
    let first = members.next()?.slot;
    members.all(|other| other.slot == first).then_some(first)
}

/// Whether an entry of this kind ends an object's life: it has a fixed place before the slots.
pub fn is_lifetime_entry(kind: MemberKind) -> bool {
    matches!(
        kind,
        MemberKind::Deallocator | MemberKind::IsolatedDeallocator | MemberKind::Destroyer | MemberKind::IvarDestroyer
    )
}

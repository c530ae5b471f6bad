//! The entities of the classes that this module declares (lib/IRGen/GenMeta.cpp, lib/IRGen/ClassMetadataVisitor.h):
//! metadata with generic arguments, offsets of stored properties and methods, and descriptors. If a class inherits from
//! one of a resilient library, the runtime creates the metadata, and its members are addressed relative to the start of
//! each class's part.

use sil_ir::context::{MemberKind, NominalId, TypeId};
use sil_ir::declarations::{NominalDeclaration, NominalKind, Origin};
use sil_ir::model::{VTable, VTableEntry};

use crate::generation::constants::ConstantStruct;
use crate::generation::{
    Entity, IRGenModule, LibraryWitnesses, MetadataStrategy, NominalPart, RuntimeFunction, TypePart,
};
use crate::layout::ActorStorage;
use crate::refusal::{Generated, unsupported_without_place};

/// The number of words before the address point of class metadata: layout string, destroyer, value witnesses.
pub(super) const WORDS_BEFORE: u64 = 3;

/// The number of words from the address point to the members of the classes: kind, superclass, flags, sizes,
/// descriptor, ivar destroyer.
const HEADER_WORDS: u64 = 7;

/// The kind of descriptor (include/swift/ABI/MetadataValues.h, `ContextDescriptorKind`).
pub(super) const CLASS_DESCRIPTOR: u64 = 16;

/// Reference counting is Swift's own (`ClassFlags::UsesSwiftRefcounting`).
const USES_SWIFT_REFERENCE_COUNTING: u64 = 2;

/// The replacement of a method without code.
const DELETED_METHOD: Entity = Entity::Runtime(RuntimeFunction::DeletedMethodError);

/// The descriptor's flags for a resilient superclass or ancestor, and for an indirect reference to the superclass's
/// descriptor (`TypeContextDescriptorFlags`).
const HAS_RESILIENT_SUPERCLASS: u64 = 1 << 29;
const SUPERCLASS_BY_ADDRESS: u64 = 1 << 25;

/// The descriptor's flags for actors.
const IS_ACTOR: u64 = 1 << 23;
const IS_DEFAULT_ACTOR: u64 = 1 << 24;

/// A position in the metadata of a class and its subclasses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassPlace {
    /// A number of words after the address point.
    Fixed(u64),
    /// A number of words after the start of this class's own members, which is only known at run time.
    Added(NominalId, u64),
}

impl ClassPlace {
    /// Returns the position `more` words further.
    pub fn after(self, more: u64) -> Self {
        match self {
            ClassPlace::Fixed(words) => ClassPlace::Fixed(words + more),
            ClassPlace::Added(class, words) => ClassPlace::Added(class, words + more),
        }
    }

    /// Returns the number of words from its base, as in descriptors.
    pub fn words(self) -> u64 {
        match self {
            ClassPlace::Fixed(words) | ClassPlace::Added(_, words) => words,
        }
    }
}

/// A class and its superclasses, up to the first resilient one.
struct Hierarchy {
    /// The resilient class that the first level inherits from.
    foundation: Option<NominalId>,
    /// The number of its slots.
    foundation_slots: u32,
    /// The classes, the root first.
    levels: Vec<Level>,
}

/// A class of the hierarchy, with the cumulated method slots.
struct Level {
    class: TypeId,
    nominal: NominalId,
    /// The number of slots, including inherited ones.
    slots: u32,
    /// The number of generic arguments in its metadata.
    arguments: u64,
    /// The number of offsets in its metadata: of the runtime's storage in an actor, and of stored properties.
    offsets: usize,
}

impl Level {
    /// Returns the number of words before its methods.
    fn words_before_methods(&self) -> u64 {
        self.arguments + self.offsets as u64
    }
}

impl Hierarchy {
    /// Returns the number of slots that the class at `index` inherits.
    fn slots_above(&self, index: usize) -> u32 {
        index.checked_sub(1).map_or(self.foundation_slots, |above| self.levels[above].slots)
    }

    /// Returns the number of words that the class at `index` adds.
    fn members(&self, index: usize) -> u64 {
        self.levels[index].words_before_methods() + u64::from(self.levels[index].slots - self.slots_above(index))
    }

    /// Returns the position of the first member that the class at `index` adds.
    fn start(&self, index: usize) -> ClassPlace {
        match self.foundation {
            Some(_) => ClassPlace::Added(self.levels[index].nominal, 0),
            None => {
                let above = self.levels[..index].iter().map(Level::words_before_methods).sum::<u64>();
                ClassPlace::Fixed(HEADER_WORDS + above + u64::from(self.slots_above(index)))
            }
        }
    }
}

impl IRGenModule<'_, '_> {
    /// Returns whether `ty` is a class that the module declares.
    pub(super) fn is_own_class(&self, ty: TypeId) -> bool {
        let declaration = self.types.queries.declaration_of(ty);
        declaration.is_some_and(|found| found.origin == Origin::Module && is_class(found))
    }

    fn hierarchy(&self, class: TypeId) -> Generated<Hierarchy> {
        let queries = self.types.queries;
        let mut hierarchy = Hierarchy { foundation: None, foundation_slots: 0, levels: Vec::new() };
        let mut next = Some(class);
        while let Some(class) = next {
            let nominal = queries.as_nominal(class);
            let nominal = nominal.map(|nominal| (nominal.declaration, queries.declarations.get(nominal.declaration)));
            let Some((id, declaration)) = nominal.filter(|(_, found)| found.origin != Origin::Named) else {
                let what = "classes that inherit from classes of other modules";
                return Err(Box::new(unsupported_without_place(what)));
            };
            let slots = self.slot_count(id)?;
            if declaration.attributes.evolving {
                hierarchy.foundation = Some(id);
                hierarchy.foundation_slots = slots;
                break;
            }
            let arguments = self.argument_count(id)?;
            let storage = usize::from(self.types.actor_storage(class).is_some());
            let offsets = storage + declaration.stored.len();
            hierarchy.levels.push(Level { class, nominal: id, slots, arguments, offsets });
            next = queries.superclass_of(class).map(|superclass| queries.canonical_type(superclass));
        }
        hierarchy.levels.reverse();
        Ok(hierarchy)
    }

    /// Returns whether `class` inherits from a resilient class.
    pub(super) fn has_resilient_superclass(&self, class: TypeId) -> Generated<bool> {
        Ok(self.hierarchy(class)?.foundation.is_some())
    }

    /// Returns the class and its superclasses, from the root or from a resilient class, each with its cumulated number
    /// of slots.
    pub(super) fn slots_by_class(&self, class: TypeId) -> Generated<Vec<(NominalId, u32)>> {
        let hierarchy = self.hierarchy(class)?;
        let foundation = hierarchy.foundation.map(|nominal| (nominal, hierarchy.foundation_slots));
        let levels = hierarchy.levels.iter().map(|level| (level.nominal, level.slots));
        Ok(foundation.into_iter().chain(levels).collect())
    }

    /// Returns the position of slot number `slot` of `class` in metadata.
    pub(in crate::generation) fn class_slot_place(&self, class: NominalId, slot: u32) -> Generated<ClassPlace> {
        let hierarchy = self.hierarchy(self.identity(class))?;
        let found = hierarchy.levels.iter().position(|level| slot < level.slots);
        match found.filter(|index| slot >= hierarchy.slots_above(*index)) {
            Some(index) => {
                let number = u64::from(slot - hierarchy.slots_above(index));
                Ok(hierarchy.start(index).after(hierarchy.levels[index].words_before_methods() + number))
            }
            None => Err(Box::new(unsupported_without_place("a method without a slot in the metadata of its class"))),
        }
    }

    /// Returns the position of a class's generic arguments in metadata.
    pub(super) fn class_arguments_place(&self, class: NominalId) -> Generated<ClassPlace> {
        let hierarchy = self.hierarchy(self.identity(class))?;
        Ok(match hierarchy.levels.len().checked_sub(1) {
            Some(last) => hierarchy.start(last),
            None => ClassPlace::Added(class, 0),
        })
    }

    /// Returns the position of the offsets of a class's stored properties in metadata.
    pub(crate) fn class_offsets_place(&self, class: NominalId) -> Generated<ClassPlace> {
        Ok(self.class_arguments_place(class)?.after(self.argument_count(class)?))
    }

    /// Returns the full metadata: no layout string, the destroyer, the value witnesses of objects; kind, superclass,
    /// flags, sizes, descriptor, ivar destroyer; then for each class of the hierarchy the offsets of its stored
    /// properties and its methods.
    pub(super) fn full_class_metadata(&self, class: TypeId) -> Generated<ConstantStruct> {
        let Hierarchy { foundation: None, levels, .. } = self.hierarchy(class)? else {
            return Err(self.unsupported_type(class));
        };
        let nominal = levels.last().map(|level| level.nominal).ok_or_else(|| self.unsupported_type(class))?;
        let layout = self.types.fixed_class_layout(self.erased_identity(nominal))?;
        let is_static = self.metadata_strategy(nominal)? == MetadataStrategy::Static;
        let Some(vtable) = self.vtable(class) else { return Err(self.unsupported_type(class)) };
        let entries = self.slot_entries(vtable)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words.add_address(self.lifetime_method(vtable, MemberKind::Deallocator).unwrap_or(DELETED_METHOD));
        words.add_optional_address(is_static.then_some(Entity::LibraryWitnesses(LibraryWitnesses::NativeObject)));
        words.add_integer(self.pointer_bits(), 0);
        let superclass = superclass(&levels).filter(|_| is_static);
        words.add_optional_address(superclass.map(|class| Entity::OfType(TypePart::Metadata, class)));
        words.add_integer(32, USES_SWIFT_REFERENCE_COUNTING);
        words.add_integer(32, 0);
        words.add_integer(32, layout.as_ref().map_or(0, |layout| layout.size));
        words.add_integer(16, layout.as_ref().map_or(0, |layout| layout.alignment - 1));
        words.add_integer(16, 0);
        let size = words.add_placeholder(32);
        words.add_integer(32, WORDS_BEFORE * self.pointer_size());
        words.add_address(Entity::OfNominal(NominalPart::Descriptor, nominal));
        words.add_optional_address(self.lifetime_method(vtable, MemberKind::IvarDestroyer));
        let mut fields = layout.iter().flat_map(|layout| &layout.fields);
        let mut methods = entries.into_iter();
        let mut before = 0;
        for level in &levels {
            (0..level.arguments).for_each(|_| words.add_null());
            let storage = self.types.actor_storage(level.class);
            if storage.is_some() {
                words.add_integer(self.pointer_bits(), self.types.object_header_size());
            }
            for _ in usize::from(storage.is_some())..level.offsets {
                words.add_integer(self.pointer_bits(), fields.next().map_or(0, |field| field.offset));
            }
            for method in methods.by_ref().take((level.slots - before) as usize) {
                words.add_address(method.map_or(DELETED_METHOD, |entry| self.method_entity(entry)));
            }
            before = level.slots;
        }
        let whole = words.size();
        words.fill(size, whole);
        Ok(words)
    }

    /// The function that destroys the instances of a class that the module declares, or their stored properties.
    pub(super) fn lifetime_method_of(&self, class: NominalId, kind: MemberKind) -> Option<Entity> {
        self.program.vtables.get(&(class, None)).and_then(|vtable| self.lifetime_method(vtable, kind))
    }

    fn lifetime_method(&self, vtable: &VTable, kind: MemberKind) -> Option<Entity> {
        let is_it = |entry: &&VTableEntry| self.sil.context.get_member(entry.member).kind == kind;
        vtable.entries.iter().find(is_it).map(|entry| self.method_entity(entry))
    }

    fn method_entity(&self, entry: &VTableEntry) -> Entity {
        self.sil.function_named(entry.function).map_or(DELETED_METHOD, |function| self.function_entity(function))
    }

    /// Adds the class-specific part of a descriptor: the superclass's name, the metadata size or the runtime's cache of
    /// it, the number of members that the class adds, the number of stored properties, and the position of their
    /// offsets.
    pub(super) fn add_class_description(&self, words: &mut ConstantStruct, class: TypeId) -> Generated<()> {
        let hierarchy = self.hierarchy(class)?;
        let Some((own, last)) = hierarchy.levels.last().zip(hierarchy.levels.len().checked_sub(1)) else {
            return Err(self.unsupported_type(class));
        };
        match self.superclass_name(class) {
            Some(superclass) => words.add_relative(superclass),
            None => words.add_integer(32, 0),
        }
        let start = hierarchy.start(last);
        let members = hierarchy.members(last);
        match start {
            ClassPlace::Fixed(start) => {
                words.add_integer(32, WORDS_BEFORE);
                words.add_integer(32, start + members);
            }
            ClassPlace::Added(class, _) => {
                words.add_relative(Entity::OfNominal(NominalPart::MetadataBounds, class));
                words.add_integer(32, 0);
            }
        }
        words.add_integer(32, members);
        words.add_integer(32, own.offsets as u64);
        words.add_integer(32, start.after(own.arguments).words());
        Ok(())
    }

    /// Returns the position of the members that a class adds to metadata, and their size in words.
    pub(super) fn own_class_members(&self, class: TypeId) -> Generated<(ClassPlace, u64)> {
        let hierarchy = self.hierarchy(class)?;
        let Some(last) = hierarchy.levels.len().checked_sub(1) else { return Err(self.unsupported_type(class)) };
        Ok((hierarchy.start(last), hierarchy.members(last)))
    }

    /// The flags of a class's descriptor for actors.
    pub(super) fn actor_flags(&self, class: TypeId) -> u64 {
        let declaration = self.types.queries.declaration_of(class);
        let is_actor = declaration.is_some_and(|declaration| declaration.kind == NominalKind::Actor);
        let flag = |flag, is_set| if is_set { flag } else { 0 };
        flag(IS_ACTOR, is_actor)
            | flag(IS_DEFAULT_ACTOR, self.types.actor_storage(class) == Some(ActorStorage::Default))
    }

    /// The flags of a class's descriptor for its superclass.
    pub(super) fn superclass_flags(&self, class: TypeId) -> Generated<u64> {
        let is_resilient = self.has_resilient_superclass(class)?;
        Ok(match self.types.queries.superclass_of(class).filter(|_| is_resilient) {
            Some(superclass) if self.is_own_class(superclass) => HAS_RESILIENT_SUPERCLASS,
            Some(_) => HAS_RESILIENT_SUPERCLASS | SUPERCLASS_BY_ADDRESS,
            None => 0,
        })
    }

    /// Adds the descriptor of the superclass, if the class has resilient ancestors.
    pub(super) fn add_resilient_superclass(&self, words: &mut ConstantStruct, class: TypeId) -> Generated<()> {
        let queries = self.types.queries;
        if self.has_resilient_superclass(class)?
            && let Some(superclass) = queries.superclass_of(class)
            && let Some(nominal) = queries.as_nominal(superclass)
        {
            let descriptor = Entity::OfNominal(NominalPart::Descriptor, nominal.declaration);
            let is_own = self.is_own_class(superclass);
            words.add_relative(if is_own { descriptor } else { Entity::GotEquivalent(Box::new(descriptor)) });
        }
        Ok(())
    }

    /// The canonical superclass of a class that the module declares.
    pub(super) fn superclass_name(&self, class: TypeId) -> Option<Entity> {
        let superclass = self.types.queries.superclass_of(class)?;
        let signature = self.types.queries.declaration_of(class).and_then(|declaration| declaration.signature);
        Some(self.name_of_type(superclass, signature))
    }
}

fn is_class(declaration: &NominalDeclaration) -> bool {
    matches!(declaration.kind, NominalKind::Class | NominalKind::Actor)
}

fn superclass(levels: &[Level]) -> Option<TypeId> {
    levels.len().checked_sub(2).map(|index| levels[index].class)
}

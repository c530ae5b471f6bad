//! What this module has of the classes that it declares (lib/IRGen/GenMeta.cpp, lib/IRGen/ClassMetadataVisitor.h): metadata with offsets of
//! generic arguments, stored properties and methods, and descriptors. Neither a class nor one that it inherits from is of a library that may
//! change it here.

use sil::context::{MemberKind, NominalId, TypeId};
use sil::declarations::{NominalDeclaration, NominalKind, Origin};
use sil::model::{VTable, VTableEntry};

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, MetadataStrategy, NominalPart, RuntimeFunction, TypePart};
use crate::refusal::{Generated, unsupported_without_place};

/// Words before the place that references to class metadata lead to: layout string, destroyer, value witnesses.
pub(super) const WORDS_BEFORE: u64 = 3;

/// Words from there to what classes of the hierarchy add: kind, superclass, flags, sizes, descriptor, ivar destroyer.
const HEADER_WORDS: u64 = 7;

/// The kind of descriptor (include/swift/ABI/MetadataValues.h, `ContextDescriptorKind`).
pub(super) const CLASS_DESCRIPTOR: u64 = 16;

/// Reference counting is Swift's own (`ClassFlags::UsesSwiftRefcounting`).
const USES_SWIFT_REFERENCE_COUNTING: u64 = 2;

/// What stands for a method without code.
const DELETED_METHOD: Entity = Entity::Runtime(RuntimeFunction::DeletedMethodError);

/// A class of the hierarchy, with the slots that methods have up to it.
struct Level {
    class: TypeId,
    nominal: NominalId,
    /// How many slots there are, inherited ones first.
    slots: u32,
    /// How many generic arguments its metadata have.
    arguments: u64,
    stored: usize,
}

impl Level {
    /// How many words it has before its methods.
    fn words_before_methods(&self) -> u64 {
        self.arguments + self.stored as u64
    }
}

impl IRGenModule<'_, '_> {
    /// Whether `ty` is a class that the module declares.
    pub(super) fn is_own_class(&self, ty: TypeId) -> bool {
        let declaration = self.types.queries.declaration_of(ty);
        declaration.is_some_and(|found| found.origin == Origin::Module && is_class(found))
    }

    /// The class and those that it inherits from, the root first.
    fn levels(&self, class: TypeId) -> Generated<Vec<Level>> {
        let queries = self.types.queries;
        let mut levels = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            let nominal = queries.as_nominal(class);
            let nominal = nominal.map(|nominal| (nominal.declaration, queries.declarations.get(nominal.declaration)));
            let is_fixed = |found: &NominalDeclaration| found.origin != Origin::Named && !found.attributes.evolving;
            let Some((id, declaration)) = nominal.filter(|(_, found)| is_fixed(found)) else {
                let what = "classes that inherit from classes of other modules";
                return Err(Box::new(unsupported_without_place(what)));
            };
            if declaration.kind == NominalKind::Actor {
                return Err(Box::new(unsupported_without_place("actors")));
            }
            let slots = self.program.class_slots.count(id);
            let arguments = self.argument_count(id)?;
            levels.push(Level { class, nominal: id, slots, arguments, stored: declaration.stored.len() });
            next = queries.superclass_of(class).map(|superclass| queries.canonical_type(superclass));
        }
        levels.reverse();
        Ok(levels)
    }

    /// The class and those that it inherits from, the root first, each with how many slots there are up to it.
    pub(super) fn slots_by_class(&self, class: TypeId) -> Generated<Vec<(NominalId, u32)>> {
        Ok(self.levels(class)?.iter().map(|level| (level.nominal, level.slots)).collect())
    }

    /// How far slot number `slot` lies behind what references to the metadata of `class` lead to, in words.
    pub(in crate::generation) fn class_slot_words(&self, class: NominalId, slot: u32) -> Generated<u64> {
        let mut words = HEADER_WORDS;
        for level in self.levels(self.identity(class))? {
            words += level.words_before_methods();
            if slot < level.slots {
                return Ok(words + u64::from(slot));
            }
        }
        Err(Box::new(unsupported_without_place("a method without a slot in the metadata of its class")))
    }

    /// Where the generic arguments of a class are in its metadata, in words.
    pub(super) fn class_arguments_words(&self, class: NominalId) -> Generated<u64> {
        let levels = self.levels(self.identity(class))?;
        let Some((_, above)) = levels.split_last() else { return Ok(HEADER_WORDS) };
        let slots = above.last().map_or(0, |level| u64::from(level.slots));
        Ok(HEADER_WORDS + above.iter().map(Level::words_before_methods).sum::<u64>() + slots)
    }

    /// Where the offsets of the stored properties of a class are in its metadata, in words.
    pub(crate) fn class_offsets_words(&self, class: NominalId) -> Generated<u64> {
        Ok(self.class_arguments_words(class)? + self.argument_count(class)?)
    }

    /// No layout string, the destroyer, the value witnesses of objects; kind, superclass, flags, sizes, descriptor, ivar destroyer; then for
    /// each class of the hierarchy the offsets of its stored properties and its methods.
    pub(super) fn full_class_metadata(&self, class: TypeId) -> Generated<ConstantStruct> {
        let levels = self.levels(class)?;
        let nominal = levels.last().map(|level| level.nominal).ok_or_else(|| self.unsupported_type(class))?;
        let layout = self.types.fixed_class_layout(self.erased_identity(nominal))?;
        let is_static = self.metadata_strategy(nominal)? == MetadataStrategy::Static;
        let Some(vtable) = self.vtable(class) else { return Err(self.unsupported_type(class)) };
        let entries = self.program.class_slots.entries(self.types.queries, vtable);
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words.add_address(self.lifetime_method(vtable, MemberKind::Deallocator).unwrap_or(DELETED_METHOD));
        words.add_optional_address(is_static.then_some(Entity::ObjectValueWitnesses));
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
            for _ in 0..level.stored {
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

    /// What destroys the instances of a class that the module declares, or their stored properties.
    pub(super) fn lifetime_method_of(&self, class: NominalId, kind: MemberKind) -> Option<Entity> {
        self.program.vtables.get(&(class, None)).and_then(|vtable| self.lifetime_method(vtable, kind))
    }

    fn lifetime_method(&self, vtable: &VTable, kind: MemberKind) -> Option<Entity> {
        let is_it = |entry: &&VTableEntry| self.sil.context.get_member(entry.member).kind == kind;
        vtable.entries.iter().find(is_it).map(|entry| self.method_entity(entry))
    }

    fn method_entity(&self, entry: &VTableEntry) -> Entity {
        self.sil.function_named(entry.function).map_or(DELETED_METHOD, Entity::Function)
    }

    /// What the descriptor of a class has behind that of any type: the superclass's name, how large its metadata are, how many members the
    /// class adds to them, how many stored properties, and where their offsets are.
    pub(super) fn add_class_description(&self, words: &mut ConstantStruct, class: TypeId) -> Generated<()> {
        let levels = self.levels(class)?;
        let Some((own, above)) = levels.split_last() else { return Err(self.unsupported_type(class)) };
        match above.last() {
            Some(superclass) => {
                let signature = self.sil.declarations.get(own.nominal).signature;
                words.add_relative(self.name_of_type(superclass.class, signature));
            }
            None => words.add_integer(32, 0),
        }
        let slots_above = above.last().map_or(0, |level| level.slots);
        let start = self.class_arguments_words(own.nominal)?;
        let members = own.words_before_methods() + u64::from(own.slots - slots_above);
        words.add_integer(32, WORDS_BEFORE);
        words.add_integer(32, start + members);
        words.add_integer(32, members);
        words.add_integer(32, own.stored as u64);
        words.add_integer(32, start + own.arguments);
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

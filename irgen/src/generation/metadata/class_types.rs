//! What this module has of the classes that it declares (lib/IRGen/GenMeta.cpp, lib/IRGen/ClassMetadataVisitor.h): metadata with offsets of
//! stored properties and methods, and descriptors. A class has no generic parameters here, and neither it nor a class that it inherits from
//! is of a library that may change it.

use sil::context::{MemberKind, NominalId, TypeId};
use sil::declarations::{NominalDeclaration, NominalKind, Origin};
use sil::model::{VTable, VTableEntry};

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, NominalPart, RuntimeFunction, TypePart};
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
    stored: usize,
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
            let nominal = queries.as_nominal(class).filter(|_| !self.is_specialized(class));
            let nominal = nominal.map(|nominal| (nominal.declaration, queries.declarations.get(nominal.declaration)));
            let is_plain = |found: &NominalDeclaration| found.origin == Origin::Module && found.signature.is_none();
            let Some((id, declaration)) = nominal.filter(|(_, found)| is_plain(found)) else {
                let what = "classes with generic parameters, or that inherit from classes of other modules";
                return Err(Box::new(unsupported_without_place(what)));
            };
            if declaration.kind == NominalKind::Actor {
                return Err(Box::new(unsupported_without_place("actors")));
            }
            let slots = self.program.class_slots.count(id);
            levels.push(Level { class, nominal: id, slots, stored: declaration.stored.len() });
            next = queries.superclass_of(class).map(|superclass| queries.canonical_type(superclass));
        }
        levels.reverse();
        Ok(levels)
    }

    /// How far slot number `slot` lies behind what references to the metadata of `class` lead to, in words.
    pub(in crate::generation) fn class_slot_words(&self, class: NominalId, slot: u32) -> Generated<u64> {
        let mut words = HEADER_WORDS;
        for level in self.levels(self.type_of(class))? {
            words += level.stored as u64;
            if slot < level.slots {
                return Ok(words + u64::from(slot));
            }
        }
        Err(Box::new(unsupported_without_place("a method without a slot in the metadata of its class")))
    }

    /// No layout string, the destroyer, the value witnesses of objects; kind, superclass, flags, sizes, descriptor, ivar destroyer; then for
    /// each class of the hierarchy the offsets of its stored properties and its methods.
    pub(super) fn full_class_metadata(&self, class: TypeId) -> Generated<ConstantStruct> {
        let levels = self.levels(class)?;
        let layout = self.types.class_layout(class)?;
        let Some(vtable) = self.vtable(class) else { return Err(self.unsupported_type(class)) };
        let entries = self.program.class_slots.entries(self.types.queries, vtable);
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words.add_address(self.lifetime_method(vtable, MemberKind::Deallocator).unwrap_or(DELETED_METHOD));
        words.add_address(Entity::ObjectValueWitnesses);
        words.add_integer(self.pointer_bits(), 0);
        words.add_optional_address(superclass(&levels).map(|class| Entity::OfType(TypePart::Metadata, class)));
        words.add_integer(32, USES_SWIFT_REFERENCE_COUNTING);
        words.add_integer(32, 0);
        words.add_integer(32, layout.size);
        words.add_integer(16, layout.alignment - 1);
        words.add_integer(16, 0);
        let size = words.add_placeholder(32);
        words.add_integer(32, WORDS_BEFORE * self.pointer_size());
        let nominal = levels.last().map(|level| level.nominal).ok_or_else(|| self.unsupported_type(class))?;
        words.add_address(Entity::OfNominal(NominalPart::Descriptor, nominal));
        words.add_optional_address(self.lifetime_method(vtable, MemberKind::IvarDestroyer));
        let mut fields = layout.fields.iter();
        let mut methods = entries.into_iter();
        let mut before = 0;
        for level in &levels {
            for field in fields.by_ref().take(level.stored) {
                words.add_integer(self.pointer_bits(), field.offset);
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
        let inherited: Vec<u64> = levels.iter().map(|level| level.stored as u64).collect();
        let Some((own, above)) = levels.split_last() else { return Err(self.unsupported_type(class)) };
        match above.last() {
            Some(superclass) => words.add_relative(Entity::OfType(TypePart::MangledName, superclass.class)),
            None => words.add_integer(32, 0),
        }
        let slots_above = above.last().map_or(0, |level| level.slots);
        let stored_above: u64 = inherited[..above.len()].iter().sum();
        let offsets = HEADER_WORDS + stored_above + u64::from(slots_above);
        let members = own.stored as u64 + u64::from(own.slots - slots_above);
        words.add_integer(32, WORDS_BEFORE);
        words.add_integer(32, offsets + members);
        words.add_integer(32, members);
        words.add_integer(32, own.stored as u64);
        words.add_integer(32, offsets);
        Ok(())
    }

    /// The canonical superclass of a class that the module declares.
    pub(super) fn superclass_name(&self, class: TypeId) -> Option<Entity> {
        let superclass = self.types.queries.superclass_of(class)?;
        Some(Entity::OfType(TypePart::MangledName, self.types.queries.canonical_type(superclass)))
    }
}

fn is_class(declaration: &NominalDeclaration) -> bool {
    matches!(declaration.kind, NominalKind::Class | NominalKind::Actor)
}

fn superclass(levels: &[Level]) -> Option<TypeId> {
    levels.len().checked_sub(2).map(|index| levels[index].class)
}

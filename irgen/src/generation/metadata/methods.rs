//! The methods in the descriptor of a class (lib/IRGen/GenMeta.cpp, `ClassContextDescriptorBuilder`), from which the
//! runtime builds the tables of generic classes.

use inkwell::values::PointerValue;
use rustc_hash::FxHashSet;
use sil_ir::context::{MemberId, MemberKind, MemberRef, Name, NominalId, Type, TypeId};
use sil_ir::declarations::{Access, Origin};
use sil_ir::model::{Function, FunctionId, Linkage, VTable, VTableEntry, VTableEntryKind};
use sil_ir::types::MethodRef;

use crate::generation::constants::ConstantStruct;
use crate::generation::{Definition, Entity, IRGenModule, MetadataStrategy, NominalPart, RequirementKey};
use crate::refusal::{Generated, unsupported_without_place};

/// The descriptor's flags for methods (`TypeContextDescriptorFlags`): those that the class introduces, and those that
/// it overrides.
const HAS_METHODS: u64 = 1 << 31;
const HAS_OVERRIDES: u64 = 1 << 30;

/// Kinds of methods, and the flags for instance methods and async methods (`MethodDescriptorFlags`). For coroutines the
/// latter means kind `@yield_once_2`.
const METHOD: u64 = 0;
const INITIALIZER: u64 = 1;
const GETTER: u64 = 2;
const SETTER: u64 = 3;
const MODIFY_COROUTINE: u64 = 4;
const READ_COROUTINE: u64 = 5;
const OF_INSTANCES: u64 = 1 << 4;
const IS_ASYNC: u64 = 1 << 6;

/// The size of a method descriptor: flags and the function.
const METHOD_SIZE: u64 = 8;

/// The methods in the descriptor of a class.
struct Methods<'a> {
    /// The number of the first slot that the class introduces.
    first: u32,
    /// The entries in those slots.
    introduced: Vec<Option<&'a VTableEntry>>,
    /// The overrides of inherited methods: the class that introduces the slot, the slot, the entry.
    overrides: Vec<(NominalId, u32, &'a VTableEntry)>,
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    fn methods(&self, class: NominalId) -> Generated<Methods<'_>> {
        let ty = self.identity(class);
        let mut levels = self.slots_by_class(ty)?;
        let (_, count) = levels.pop().ok_or_else(|| self.unsupported_type(ty))?;
        let first = levels.last().map_or(0, |(_, slots)| *slots);
        let vtable = self.program.vtables.get(&(class, None));
        let entries = match vtable {
            Some(vtable) => self.slot_entries(vtable)?,
            None => vec![None; count as usize],
        };
        let mut overrides = Vec::new();
        for (slot, entry) in entries.iter().enumerate().take(first as usize) {
            let slot = slot as u32;
            let introducing = levels.iter().find(|(_, slots)| slot < *slots);
            if let (Some((introducing, _)), Some(entry)) = (introducing, *entry)
                && entry.kind == VTableEntryKind::Override
            {
                // Slots do not contain the inherited methods of a library's class, but tables name them.
                let named = self.sil.context.get_member(entry.member).parent;
                let introducing = named.filter(|_| !self.numbers_members(*introducing)).unwrap_or(*introducing);
                overrides.push((introducing, slot, entry));
            }
        }
        Ok(Methods { first, introduced: entries[(first as usize).min(entries.len())..].to_vec(), overrides })
    }

    /// Returns the method of a resilient library that `method` of `class` is or overrides: the class, the member of it,
    /// its formal type.
    pub(crate) fn method_of_library(
        &self,
        class: NominalId,
        method: MethodRef,
    ) -> Generated<Option<(NominalId, MemberId, Option<TypeId>)>> {
        if !self.numbers_members(class) {
            return Ok(Some(self.introduced_by_library(class, method)));
        }
        if !self.is_own_class(self.identity(class)) {
            return Ok(None);
        }
        let Some(slot) = self.slot_of_method(method)? else { return Ok(None) };
        let overrides = self.methods(class)?.overrides;
        let found =
            overrides.into_iter().find(|(introducing, known, _)| *known == slot && !self.numbers_members(*introducing));
        Ok(found.map(|(introducing, _, entry)| (introducing, entry.member, entry.formal_type)))
    }

    /// The method of another module's class that `method` of `class` is or overrides, if it is one.
    pub(super) fn overridden_elsewhere(
        &self,
        class: NominalId,
        method: MethodRef,
    ) -> Generated<Option<RequirementKey>> {
        let Some(slot) = self.slot_of_method(method)? else { return Ok(None) };
        let is_elsewhere = |introducing: NominalId| self.sil.declarations.get(introducing).origin != Origin::Module;
        let overrides = self.methods(class)?.overrides;
        let found = overrides.into_iter().find(|(introducing, known, _)| *known == slot && is_elsewhere(*introducing));
        Ok(found.and_then(|(introducing, _, entry)| {
            Some(RequirementKey::ClassMethod(introducing, self.labelled(entry, slot), entry.formal_type?, None))
        }))
    }

    /// The member that `entry` names, with the labels of its slot: other members may have the same name and type.
    fn labelled(&self, entry: &VTableEntry, slot: u32) -> MemberId {
        let method = MethodRef { member: entry.member, formal_type: entry.formal_type };
        match self.program.class_slots.labels(self.types.queries, method, slot) {
            Some(labels) => {
                let member = self.sil.context.get_member(entry.member).clone();
                self.sil.context.member(MemberRef { labels: Some(labels), ..member })
            }
            None => entry.member,
        }
    }

    /// The functions of the methods that `class` introduces.
    pub(super) fn introduced_methods(&self, class: NominalId) -> Generated<Vec<FunctionId>> {
        let introduced = self.methods(class)?.introduced.into_iter().flatten();
        Ok(introduced.filter_map(|entry| self.sil.function_named(entry.function)).collect())
    }

    /// Returns the linkage of a function for other modules: the metadata of their subclasses of an `open` class
    /// contains all of its methods (include/swift/SIL/SILLinkage.h, `effectiveLinkageForClassMember`).
    pub(in crate::generation) fn effective_linkage(&self, function: &Function) -> Linkage {
        let may_be_inherited = matches!(function.linkage, Linkage::Private | Linkage::Hidden);
        if may_be_inherited
            && !self.program.mode.defines_imported()
            && self.program.inheritable_methods.get_or_init(|| self.inheritable_methods()).contains(&function.name)
        {
            return Linkage::Public;
        }
        function.linkage
    }

    /// Returns the functions that implement methods of classes which other modules may inherit from.
    fn inheritable_methods(&self) -> FxHashSet<Name> {
        let is_open = |table: &&VTable| {
            let mut around = Some(table.class);
            let mut accesses = std::iter::from_fn(|| {
                let declaration = self.sil.declarations.get(around?);
                around = declaration.parent;
                Some(declaration.attributes.access)
            });
            let declaration = self.sil.declarations.get(table.class);
            declaration.origin == Origin::Module
                && declaration.attributes.access == Access::Open
                && accesses.all(|access| access >= Access::Public)
        };
        let entries = self.sil.vtables.iter().filter(is_open).flat_map(|table| &table.entries);
        let own = entries.filter(|entry| {
            entry.kind != VTableEntryKind::Inherited
                && !matches!(
                    self.sil.context.get_member(entry.member).kind,
                    MemberKind::Deallocator | MemberKind::IvarDestroyer
                )
        });
        own.map(|entry| entry.function).collect()
    }

    /// The flags of a class's descriptor for methods.
    pub(super) fn method_flags(&self, class: NominalId) -> Generated<u64> {
        let Methods { introduced, overrides, .. } = self.methods(class)?;
        let flag = |flag, is_empty: bool| if is_empty { 0 } else { flag };
        Ok(flag(HAS_METHODS, introduced.is_empty()) | flag(HAS_OVERRIDES, overrides.is_empty()))
    }

    /// Adds the position of the methods in metadata and their number, then each: flags, function. Then the overrides:
    /// the class that introduces the method, its descriptor there, the function.
    pub(super) fn add_methods(&self, words: &mut ConstantStruct, class: NominalId) -> Generated<()> {
        let Methods { first, introduced, overrides } = self.methods(class)?;
        if !introduced.is_empty() {
            words.add_integer(32, self.class_slot_place(class, first)?.words());
            words.add_integer(32, introduced.len() as u64);
        }
        for entry in introduced {
            let flags = entry.map_or(METHOD, |entry| method_flags(self.sil.context.get_member(entry.member)));
            let flags = flags | if self.is_async_method(entry) { IS_ASYNC } else { 0 };
            words.add_integer(32, flags);
            self.add_implementation(words, class, entry)?;
        }
        if !overrides.is_empty() {
            words.add_integer(32, overrides.len() as u64);
        }
        for (introducing, slot, entry) in overrides {
            words.add_relative(Entity::OfNominal(NominalPart::Descriptor, introducing));
            if self.is_own_class(self.identity(introducing)) {
                let place = self.method_descriptor_offset(introducing, slot)?;
                words.add_relative_with(Entity::OfNominal(NominalPart::Descriptor, introducing), place);
            } else {
                let requirement = Entity::Requirement(self.method_of_other_module(introducing, slot, entry)?);
                self.require_symbol(&requirement)?;
                words.add_relative(requirement);
            }
            self.add_implementation(words, class, Some(entry))?;
        }
        Ok(())
    }

    fn is_async_method(&self, entry: Option<&VTableEntry>) -> bool {
        let function = entry.and_then(|entry| self.sil.function_named(entry.function));
        function.is_some_and(|function| self.is_async(self.sil.functions[function].ty))
    }

    /// The descriptor of the method that another module's class introduces with `slot` and `entry` overrides.
    fn method_of_other_module(
        &self,
        introducing: NominalId,
        slot: u32,
        entry: &VTableEntry,
    ) -> Generated<RequirementKey> {
        let unknown = || Box::new(unsupported_without_place("an override of a method whose type is not written"));
        let formal = entry.formal_type.ok_or_else(unknown)?;
        let function = self.sil.function_named(entry.function).map(|function| self.sil.functions[function].ty);
        let declared = self.yielded_as_declared(introducing, self.sil.context.get_member(entry.member), formal);
        let yielded = declared.or_else(|| function.and_then(|function| self.yielded_type(function)));
        Ok(RequirementKey::ClassMethod(introducing, self.labelled(entry, slot), formal, yielded))
    }

    /// Returns the yielded type of a coroutine of a property or a subscript, in terms of the declaring class or
    /// protocol: the result type of its getter, whether or not tables contain it. Overrides have parameters of their
    /// own.
    pub(super) fn yielded_as_declared(
        &self,
        nominal: NominalId,
        coroutine: &MemberRef,
        formal: TypeId,
    ) -> Option<TypeId> {
        if !matches!(coroutine.kind, MemberKind::Read | MemberKind::Modify | MemberKind::Read2 | MemberKind::Modify2) {
            return None;
        }
        let queries = self.types.queries;
        let of_self = |ty| match queries.get(ty) {
            Type::FormalFunction(outer) => match queries.get(outer.result) {
                Type::FormalFunction(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        };
        let indices = |ty| of_self(ty).map(|inner| &inner.parameters);
        let declared = self.sil.declarations.get(nominal).interfaces.iter();
        let getters = declared.filter(|known| known.name == coroutine.name && known.kind == MemberKind::Getter);
        let values = getters.filter_map(|getter| getter.ty).map(|(ty, _)| ty);
        let mut values = values.filter(|ty| indices(*ty) == indices(formal));
        let only = values.next().filter(|_| values.next().is_none())?;
        of_self(only).map(|getter| getter.result)
    }

    /// Declares symbols for the descriptors of the overridable methods that the class introduces. The class's
    /// descriptor is at `descriptor`.
    pub(super) fn declare_method_descriptors(&self, class: NominalId, descriptor: PointerValue<'ctx>) -> Generated<()> {
        let Methods { first, introduced, .. } = self.methods(class)?;
        for (slot, entry) in (first..).zip(introduced) {
            let function = entry.and_then(|entry| self.sil.function_named(entry.function));
            let is_seen = |id: &FunctionId| {
                matches!(self.effective_linkage(&self.sil.functions[*id]), Linkage::Public | Linkage::Package)
                    && self.definition_of(&Entity::MethodDescriptor(*id)) == Definition::Here
                    && self.declared_address(&Entity::MethodDescriptor(*id)).is_none()
            };
            if let Some(function) = function.filter(is_seen) {
                let place = self.method_descriptor_offset(class, slot)?;
                let target = self.builder.address_in(descriptor, place);
                self.declare_alias(Entity::MethodDescriptor(function), target);
            }
        }
        Ok(())
    }

    /// Returns the class that introduces a method of `class`, and the offset of the method's descriptor in its
    /// descriptor, in bytes.
    pub(super) fn method_descriptor(&self, class: NominalId, method: MethodRef) -> Generated<(NominalId, u64)> {
        let unknown = || Box::new(unsupported_without_place("a method without a slot in the metadata of its class"));
        let slot = self.slot_of_method(method)?.ok_or_else(unknown)?;
        let levels = self.slots_by_class(self.identity(class))?;
        let introducing = levels.iter().find(|(_, slots)| slot < *slots).ok_or_else(unknown)?.0;
        Ok((introducing, self.method_descriptor_offset(introducing, slot)?))
    }

    /// Returns the offset of the descriptor of the method in `slot` in the descriptor of `class`, which introduces it,
    /// in bytes.
    fn method_descriptor_offset(&self, class: NominalId, slot: u32) -> Generated<u64> {
        let head = self.descriptor_head(class)?.size();
        let first = self.methods(class)?.first;
        Ok(head + METHOD_SIZE + u64::from(slot - first) * METHOD_SIZE)
    }

    /// Adds the function of a method. A method without callers has lost its function. The definition of another module
    /// is only in the metadata, which the runtime does not create if the class is not generic.
    fn add_implementation(
        &self,
        words: &mut ConstantStruct,
        class: NominalId,
        entry: Option<&VTableEntry>,
    ) -> Generated<()> {
        let function = entry
            .and_then(|entry| self.sil.function_named(entry.function))
            .map(|function| self.function_entity(function));
        let is_here = |function: &Entity| self.definition_of(function) != Definition::Elsewhere;
        match function {
            Some(function) if is_here(&function) => words.add_relative(function),
            Some(_) if self.metadata_strategy(class)? == MetadataStrategy::Generic => {
                return Err(Box::new(unsupported_without_place("a method that another module defines")));
            }
            Some(_) | None => words.add_integer(32, 0),
        }
        Ok(())
    }
}

fn method_flags(member: &MemberRef) -> u64 {
    match member.kind {
        MemberKind::Allocator => INITIALIZER,
        MemberKind::Getter => GETTER | OF_INSTANCES,
        MemberKind::Setter => SETTER | OF_INSTANCES,
        MemberKind::Modify => MODIFY_COROUTINE | OF_INSTANCES,
        MemberKind::Read => READ_COROUTINE | OF_INSTANCES,
        MemberKind::Modify2 => MODIFY_COROUTINE | OF_INSTANCES | IS_ASYNC,
        MemberKind::Read2 => READ_COROUTINE | OF_INSTANCES | IS_ASYNC,
        _ => METHOD | OF_INSTANCES,
    }
}

//! Class metadata of Embedded Swift: superclass, deallocating deinit, ivar destroyer, then a slot per virtual method, those of the
//! superclass first (Swift's `ClassMetadataVisitor`). Owns the numbers of the slots and the LLVM globals.

use std::rc::Rc;

use inkwell::GlobalVisibility;
use inkwell::module::Linkage as LlvmLinkage;
use inkwell::values::{BasicValueEnum, GlobalValue, PointerValue};
use rustc_hash::FxHashMap;
use sil::context::{MemberId, TypeId};
use sil::declarations::{MemberKind, NominalId, Origin};
use sil::model::{Function, LanguageMode, Module, VTable, VTableEntry, VTableEntryKind};
use sil::types::TypeQueries;

use super::{Generated, IRGenModule, RuntimeFunction};
use crate::mangling;

/// Superclass, deallocating deinit, ivar destroyer.
const HEADER_WORDS: u64 = 3;

/// The vtables of a module by class; those of specialised classes by type.
pub(super) type VTables<'a> = FxHashMap<(NominalId, Option<TypeId>), &'a VTable>;

/// The vtables of `module`, to be looked up.
pub(super) fn index_vtables<'a>(module: &'a Module, queries: &TypeQueries<'_>) -> VTables<'a> {
    let key = |table: &VTable| (table.class, table.specialized.map(|ty| queries.canonical_type(ty)));
    module.vtables.iter().map(|table| (key(table), table)).collect()
}

/// A virtual method: the one that introduced it, with the formal type that tells overloads apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VirtualMethod {
    /// The method, as the class that introduces it names it.
    pub member: MemberId,
    /// Its formal type, where written.
    pub formal_type: Option<TypeId>,
}

/// The virtual methods of a class in the order of their slots.
#[derive(Debug, Default)]
pub struct VTableLayout {
    methods: Vec<VirtualMethod>,
}

impl VirtualMethod {
    /// Whether both are one method. Where only one has a formal type the name decides.
    pub fn is_same(self, queries: &TypeQueries<'_>, other: VirtualMethod) -> bool {
        let same_type = match (self.formal_type, other.formal_type) {
            (Some(first), Some(second)) => queries.same_type(first, second),
            _ => true,
        };
        self.member == other.member && same_type
    }
}

impl VTableLayout {
    /// The number of the method's slot after the header.
    fn slot(&self, queries: &TypeQueries<'_>, method: VirtualMethod) -> Option<u64> {
        self.methods.iter().position(|found| method.is_same(queries, *found)).map(|slot| slot as u64)
    }
}

impl<'a, 'ctx> IRGenModule<'a, 'ctx> {
    /// The metadata of a class, emitted where this module has its vtable, declared otherwise.
    pub fn class_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let ty = self.types.queries.canonical_type(ty);
        if self.sil.mode == LanguageMode::Full || !self.types.queries.is_class(ty) {
            return Err(self.unsupported_type(ty));
        }
        if let Some(found) = self.class_metadata.borrow().get(&ty) {
            return Ok(found.as_pointer_value());
        }
        let vtable = self.vtable(ty);
        let symbol = self.class_metadata_symbol(ty, vtable)?;
        let global = self.llvm.get_global(&symbol).unwrap_or_else(|| self.declare_metadata(&symbol, vtable, ty));
        self.class_metadata.borrow_mut().insert(ty, global);
        if let Some(vtable) = vtable {
            self.define_class_metadata(global, ty, vtable)?;
        }
        Ok(global.as_pointer_value())
    }

    /// The offset of a method's slot in the metadata of `class`, in bytes.
    pub fn method_offset(&self, class: TypeId, method: VirtualMethod) -> Generated<u64> {
        let layout = self.vtable_layout(class)?;
        match layout.slot(self.types.queries, method) {
            Some(slot) => Ok((HEADER_WORDS + slot) * self.pointer_size()),
            None => {
                let name = self.sil.context.text(self.sil.context.get_member(method.member).name);
                Err(Box::new(super::unsupported_without_place(format!("the method {name}, which is in no vtable"))))
            }
        }
    }

    fn vtable(&self, class: TypeId) -> Option<&'a VTable> {
        let nominal = self.types.queries.as_nominal(class)?;
        let is_generic = !self.types.queries.nominal_substitutions(nominal).is_empty();
        let specialized = is_generic.then(|| self.types.queries.canonical_type(class));
        self.vtables.get(&(nominal.declaration, specialized)).copied()
    }

    /// The slots of a class: those of its superclass, then those of the methods that it introduces.
    fn vtable_layout(&self, class: TypeId) -> Generated<Rc<VTableLayout>> {
        let class = self.types.queries.canonical_type(class);
        if let Some(found) = self.vtable_layouts.borrow().get(&class) {
            return Ok(found.clone());
        }
        let Some(vtable) = self.vtable(class) else { return Err(self.unsupported_type(class)) };
        let mut methods = match self.types.queries.superclass_of(class) {
            Some(superclass) => self.vtable_layout(superclass)?.methods.clone(),
            None => Vec::new(),
        };
        let introduced = vtable.entries.iter().filter(|entry| self.is_introduced(entry));
        methods.extend(introduced.map(|entry| VirtualMethod { member: entry.member, formal_type: entry.formal_type }));
        let layout = Rc::new(VTableLayout { methods });
        self.vtable_layouts.borrow_mut().insert(class, layout.clone());
        Ok(layout)
    }

    fn is_introduced(&self, entry: &VTableEntry) -> bool {
        entry.kind == VTableEntryKind::Normal && !is_lifetime_entry(self.member_kind(entry))
    }

    fn member_kind(&self, entry: &VTableEntry) -> MemberKind {
        self.sil.context.get_member(entry.member).kind
    }

    /// The deallocating deinit's symbol is the class's with `fD` behind it; what has none is mangled.
    fn class_metadata_symbol(&self, class: TypeId, vtable: Option<&VTable>) -> Generated<String> {
        let queries = self.types.queries;
        if let Some(vtable) = vtable.filter(|vtable| vtable.specialized.is_none()) {
            let deallocator = vtable.entries.iter().find(|entry| self.member_kind(entry) == MemberKind::Deallocator);
            let symbol = deallocator.and_then(|entry| self.sil.context.text(entry.function).strip_suffix("fD"));
            if let Some(class) = symbol {
                return Ok(format!("{class}N"));
            }
        }
        mangling::class_metadata(queries, self.mangling_flavor(), class).ok_or_else(|| self.unsupported_type(class))
    }

    fn declare_metadata(&self, symbol: &str, vtable: Option<&VTable>, class: TypeId) -> GlobalValue<'ctx> {
        let slots = vtable.and_then(|_| self.vtable_layout(class).ok()).map_or(0, |layout| layout.methods.len() as u64);
        let ty = self.builder.ptr_type().array_type((HEADER_WORDS + slots) as u32);
        let global = self.llvm.add_global(ty, None, symbol);
        global.set_alignment(self.pointer_size() as u32);
        global
    }

    fn define_class_metadata(&self, global: GlobalValue<'ctx>, class: TypeId, vtable: &VTable) -> Generated<()> {
        let mut words = vec![
            match self.types.queries.superclass_of(class) {
                Some(superclass) => self.class_metadata(superclass)?,
                None => self.builder.null(),
            },
            self.lifetime_function(vtable, MemberKind::Deallocator)?.unwrap_or_else(|| self.deleted_method()),
            self.lifetime_function(vtable, MemberKind::IvarDestroyer)?.unwrap_or_else(|| self.builder.null()),
        ];
        for method in &self.vtable_layout(class)?.methods {
            words.push(self.implementation(vtable, *method)?);
        }
        global.set_initializer(&self.builder.ptr_type().const_array(&words));
        global.set_constant(true);
        let (linkage, visibility) = self.class_metadata_linkage(class, vtable);
        global.set_linkage(linkage);
        global.set_visibility(visibility);
        Ok(())
    }

    /// Several modules may specialise a generic class or use one of the standard library.
    fn class_metadata_linkage(&self, class: TypeId, vtable: &VTable) -> (LlvmLinkage, GlobalVisibility) {
        let origin = self.types.queries.declaration_of(class).map(|declaration| declaration.origin);
        if vtable.specialized.is_some() || origin == Some(Origin::Imported) {
            (LlvmLinkage::LinkOnceODR, GlobalVisibility::Hidden)
        } else {
            (LlvmLinkage::External, GlobalVisibility::Protected)
        }
    }

    fn lifetime_function(&self, vtable: &VTable, kind: MemberKind) -> Generated<Option<PointerValue<'ctx>>> {
        let entry = vtable.entries.iter().find(|entry| self.member_kind(entry) == kind);
        entry.map(|entry| self.entry_function(entry)).transpose()
    }

    /// What stands in a method's slot: a method that dead code elimination took away is never called.
    fn implementation(&self, vtable: &VTable, method: VirtualMethod) -> Generated<PointerValue<'ctx>> {
        let is_it = |entry: &&VTableEntry| {
            let found = VirtualMethod { member: entry.member, formal_type: entry.formal_type };
            method.is_same(self.types.queries, found)
        };
        match vtable.entries.iter().find(is_it) {
            Some(entry) => self.entry_function(entry),
            None => Ok(self.deleted_method()),
        }
    }

    fn entry_function(&self, entry: &VTableEntry) -> Generated<PointerValue<'ctx>> {
        match self.function_named(entry.function)? {
            Some(function) => Ok(function.as_global_value().as_pointer_value()),
            None => Ok(self.deleted_method()),
        }
    }

    fn deleted_method(&self) -> PointerValue<'ctx> {
        self.runtime_function(RuntimeFunction::DeletedMethodError).as_global_value().as_pointer_value()
    }

    /// The global array of `words`, private to the module.
    pub(super) fn private_words(&self, name: &str, words: &[PointerValue<'ctx>]) -> PointerValue<'ctx> {
        let array = self.builder.ptr_type().const_array(words);
        let global = self.llvm.add_global(array.get_type(), None, name);
        global.set_initializer(&BasicValueEnum::from(array));
        global.set_constant(true);
        global.set_linkage(LlvmLinkage::Private);
        global.set_alignment(self.pointer_size() as u32);
        global.as_pointer_value()
    }
}

/// Whether the entry ends an object's life, and stands in the header.
fn is_lifetime_entry(kind: MemberKind) -> bool {
    matches!(
        kind,
        MemberKind::Deallocator | MemberKind::IsolatedDeallocator | MemberKind::Destroyer | MemberKind::IvarDestroyer
    )
}

/// How the module's symbols begin: Embedded Swift has a prefix of its own from 6.2 on.
pub(super) fn mangling_flavor(module: &Module) -> mangling::Flavor {
    let is_embedded = |function: &Function| module.context.text(function.name).starts_with("$e");
    if module.functions.values().any(is_embedded) { mangling::Flavor::Embedded } else { mangling::Flavor::Default }
}

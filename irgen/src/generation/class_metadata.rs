//! Class metadata: the metadata of each class, and the positions of its slots. The contents are the
//! [`Mode`](super::mode::Mode)'s; the numbers of the slots come from [`ClassSlots`](sil_ir::types::ClassSlots).

use inkwell::values::{BasicValueEnum, PointerValue};
use rustc_hash::FxHashMap;
use sil_ir::context::{NominalId, SubstitutionMapId, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{GlobalId, Module, VTable, VTableEntry};
use sil_ir::types::{MethodRef, NoClassSlot, NoSlot, TypeQueries, UnknownOverride};

use super::{ClassPlace, IRGenFunction, IRGenModule, RuntimeFunction};
use crate::refusal::{Generated, unsupported_without_place};

/// The vtables of a module by class; those of specialised classes by type.
pub(super) type VTables<'a> = FxHashMap<(NominalId, Option<TypeId>), &'a VTable>;

/// Indexes the vtables of `module`.
pub(super) fn index_vtables<'a>(module: &'a Module, queries: &TypeQueries<'_>) -> VTables<'a> {
    let key = |table: &VTable| (table.class, table.specialized.map(|ty| queries.canonical_type(ty)));
    module.vtables.iter().map(|table| (key(table), table)).collect()
}

impl<'a, 'ctx> IRGenModule<'a, 'ctx> {
    /// Returns the metadata of a class, which this module defines if it has its vtable.
    pub fn class_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let ty = self.types.queries.canonical_type(ty);
        if !self.types.queries.is_class(ty) {
            return Err(self.unsupported_type(ty));
        }
        self.program.mode.class_metadata(self, ty)
    }

    /// Returns whether types such as `ty` have metadata.
    pub fn has_metadata(&self, ty: TypeId) -> bool {
        self.program.mode.has_metadata(self, ty)
    }

    /// Requires the metadata of a class to be usable for instances.
    pub(super) fn require_instances(&self, ty: TypeId) -> Generated<()> {
        match self.vtable(ty) {
            None if self.is_specialized(ty) && self.program.mode.defines_imported() => Err(Box::new(
                crate::refusal::unsupported_without_place("instances of a specialised class without a vtable"),
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn is_specialized(&self, class: TypeId) -> bool {
        let nominal = self.types.queries.as_nominal(class);
        nominal.is_some_and(|nominal| self.types.queries.nominal_substitutions(nominal) != SubstitutionMapId::EMPTY)
    }

    /// The slot of the entry of `table` at `position`, in the metadata of its class and of its subclasses.
    pub fn entry_place(&self, table: &VTable, position: usize) -> Generated<ClassPlace> {
        self.slot_count(table.class)?;
        let slot = self.program.class_slots.slot_of_entry(self.types.queries, table, position);
        let unknown = || Box::new(unsupported_without_place("a method without a slot in the metadata of its class"));
        self.program.mode.slot_place(self, table.class, slot.ok_or_else(unknown)?)
    }

    /// The number of slots in the metadata of a class.
    pub(super) fn slot_count(&self, class: NominalId) -> Generated<u32> {
        self.program.class_slots.count(class).map_err(|unknown| self.unknown_override(unknown))
    }

    /// The entry in each slot of `table`'s class.
    pub(super) fn slot_entries<'t>(&self, table: &'t VTable) -> Generated<Vec<Option<&'t VTableEntry>>> {
        let entries = self.program.class_slots.entries(self.types.queries, table);
        entries.map_err(|unknown| self.unknown_override(unknown))
    }

    /// The slot of a method; none if none or several can be meant.
    pub(super) fn slot_of_method(&self, method: MethodRef) -> Generated<Option<u32>> {
        match self.program.class_slots.slot(self.types.queries, method) {
            Ok(slot) => Ok(Some(slot)),
            Err(NoClassSlot::Override(unknown)) => Err(self.unknown_override(unknown)),
            Err(NoClassSlot::Method(NoSlot::Unknown | NoSlot::Ambiguous)) => Ok(None),
        }
    }

    /// The error for slots whose numbers depend on an override that is not understood.
    fn unknown_override(&self, UnknownOverride { class, name }: UnknownOverride) -> Box<Diagnostic> {
        let class = self.sil.context.text(self.sil.declarations.get(class).name);
        let name = self.sil.context.text(name);
        let what = format!("the override {class}.{name}, of which a type is not known: it may have a slot of its own");
        Box::new(unsupported_without_place(what))
    }

    /// Returns the position of a method's slot in the metadata of each class with the method.
    pub fn method_place(&self, method: MethodRef) -> Generated<ClassPlace> {
        let error = match self.program.class_slots.slot(self.types.queries, method) {
            Ok(slot) => {
                let class = self.sil.context.get_member(method.member).parent;
                let class = class.ok_or_else(|| Box::new(unsupported_without_place("a method outside of a class")))?;
                return self.program.mode.slot_place(self, class, slot);
            }
            Err(error) => error,
        };
        let name = self.sil.context.text(self.sil.context.get_member(method.member).name);
        match error {
            NoClassSlot::Method(NoSlot::Unknown) => {
                Err(Box::new(unsupported_without_place(format!("the method {name}, which is in no vtable"))))
            }
            NoClassSlot::Method(NoSlot::Ambiguous) => Err(self.lacks_labels(method)),
            NoClassSlot::Override(unknown) => Err(self.unknown_override(unknown)),
        }
    }

    /// Returns the error for an ambiguous method: several have this name and type.
    pub fn lacks_labels(&self, method: MethodRef) -> Box<Diagnostic> {
        let names = self.types.queries.names_with_labels(method);
        let what = format!("a call of {names}: labels alone tell which one, and nothing tells them");
        let hint =
            "print the SIL with its locations (-Xllvm -sil-print-debuginfo), and leave the Swift source where they say";
        Box::new(Diagnostic { hint: Some(hint.into()), ..crate::refusal::unsupported_without_place(what) })
    }

    pub(super) fn vtable(&self, class: TypeId) -> Option<&'a VTable> {
        let nominal = self.types.queries.as_nominal(class)?;
        let specialized = self.is_specialized(class).then(|| self.types.queries.canonical_type(class));
        self.program.vtables.get(&(nominal.declaration, specialized)).copied()
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of a class for its instances.
    pub fn instance_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        self.module.require_instances(ty)?;
        self.type_metadata(ty)
    }

    /// Returns the statically initialised object in the global `id`, without access to its metadata and reference
    /// count.
    pub fn bare_static_object(&self, id: GlobalId) -> Generated<PointerValue<'ctx>> {
        let variable = self.module.global(id)?.as_pointer_value();
        let offset = self.module.offset_of_static_object(&self.module.sil.globals[id])?;
        Ok(if offset == 0 { variable } else { self.module.builder.address_in(variable, offset) })
    }

    /// The statically initialised object of type `class` in the global `id`.
    pub fn static_object(&self, id: GlobalId, class: TypeId) -> Generated<BasicValueEnum<'ctx>> {
        let object = self.bare_static_object(id)?;
        if self.module.offset_of_static_object(&self.module.sil.globals[id])? == 0 {
            return Ok(object.into());
        }
        let metadata = self.instance_metadata(class)?;
        Ok(self.call_runtime_for(RuntimeFunction::InitStaticObject, &[metadata.into(), object.into()]))
    }
}

//! Types with members: structs, tuples, objects, and synthesised values of several words.

use sil_ir::context::{TupleElement, TypeId};
use sil_ir::declarations::NominalKind;

use super::TypeDescriber;
use crate::layout::{BitRange, Field, TypeInfo};
use crate::llvm::debug_types::{DebugType, Member, OpenStructure, Shape};

impl<'ctx> TypeDescriber<'_, '_, 'ctx> {
    /// Describes a struct, whose members are added later.
    pub(super) fn structure(&self, ty: TypeId, info: &TypeInfo) -> Option<DebugType<'ctx>> {
        let structure = self.open(Shape::Structure, &self.name(ty), info)?;
        self.debug.types.pending.borrow_mut().push((structure, ty));
        Some(structure.ty())
    }

    /// Adds the members of a struct or a class instance: the stored properties; for an instance those after its header,
    /// inherited ones first.
    pub(super) fn fill(&self, structure: &OpenStructure<'ctx>, ty: TypeId) {
        let queries = self.types.queries;
        let mut lineage: Vec<TypeId> = std::iter::successors(Some(ty), |ty| queries.superclass_of(*ty)).collect();
        lineage.reverse();
        let names: Vec<String> = lineage.iter().flat_map(|ty| self.property_names(*ty)).collect();
        let types: Vec<TypeId> =
            lineage.iter().flat_map(|ty| queries.stored_property_types(*ty).unwrap_or_default()).collect();
        let members = self.members(&names, &types, &self.fields(ty).unwrap_or_default());
        structure.fill(&self.debug.builder, &members);
    }

    fn fields(&self, ty: TypeId) -> Option<Vec<Field>> {
        match self.types.queries.declaration_of(ty)?.kind {
            NominalKind::Class | NominalKind::Actor => Some(self.types.class_layout(ty).ok()?.fields.clone()),
            _ => Some(self.types.info(ty).ok()?.fields().to_vec()),
        }
    }

    /// Members without a label are called `_0`, `_1`…, since C's names are not numbers.
    pub(super) fn tuple(&self, ty: TypeId, elements: &[TupleElement], info: &TypeInfo) -> Option<DebugType<'ctx>> {
        let name = |(index, element): (usize, &TupleElement)| match element.label {
            Some(label) => self.types.queries.context.text(label).to_owned(),
            None => format!("_{index}"),
        };
        let names: Vec<String> = elements.iter().enumerate().map(name).collect();
        let types: Vec<TypeId> = elements.iter().map(|element| element.ty).collect();
        let structure = self.open(Shape::Structure, &self.name(ty), info)?;
        structure.fill(&self.debug.builder, &self.members(&names, &types, info.fields()));
        Some(structure.ty())
    }

    /// Describes a type with a layout but without named members: one or several pointers.
    pub(super) fn opaque(&self, ty: TypeId, info: &TypeInfo) -> Option<DebugType<'ctx>> {
        let name = self.name(ty);
        let pointer = self.pointer(None);
        match info.fields() {
            [] if info.size == self.types.target.pointer_size => Some(self.named(&name, pointer)),
            fields => {
                let structure = self.open(Shape::Structure, &name, info)?;
                let names: Vec<String> = (0..fields.len()).map(|index| format!("_{index}")).collect();
                let named = fields.iter().zip(&names);
                let members: Vec<Member> = named.map(|(field, name)| member(name, pointer, field)).collect();
                structure.fill(&self.debug.builder, &members);
                Some(structure.ty())
            }
        }
    }

    /// Describes a reference to a class instance, whose members are added later.
    pub(super) fn class(&self, ty: TypeId) -> Option<DebugType<'ctx>> {
        let layout = self.types.class_layout(ty).ok();
        let size = layout.map_or(self.types.object_header_size(), |layout| layout.size);
        let structure = OpenStructure::new(self.debug.context, Shape::Structure, &self.name(ty), size * 8)?;
        self.debug.types.pending.borrow_mut().push((structure, ty));
        Some(self.pointer(Some(structure.ty())))
    }

    fn property_names(&self, ty: TypeId) -> Vec<String> {
        let text = |name| self.types.queries.context.text(name).to_owned();
        let declaration = self.types.queries.declaration_of(ty);
        declaration.map_or_else(Vec::new, |found| found.stored.iter().map(|property| text(property.name)).collect())
    }

    /// Returns the fields that have a description.
    fn members<'n>(&self, names: &'n [String], types: &[TypeId], fields: &[Field]) -> Vec<Member<'n, 'ctx>> {
        let described = names.iter().zip(types).zip(fields);
        described.filter_map(|((name, ty), field)| Some(member(name, self.ty(*ty)?, field))).collect()
    }
}

fn member<'n, 'ctx>(name: &'n str, ty: DebugType<'ctx>, field: &Field) -> Member<'n, 'ctx> {
    Member { name, ty, bits: BitRange { offset: field.offset * 8, width: field.info.size * 8 } }
}

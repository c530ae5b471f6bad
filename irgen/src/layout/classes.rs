//! Layout of class instances: the object header, the inherited stored properties, then the class's own.

use std::sync::Arc;

use sil::context::TypeId;

use super::converter::{Conversion, Subject};
use super::records::layout_record;
use super::{Field, TypeConverter};
use crate::refusal::Generated;

/// The layout of an instance, without tail elements.
#[derive(Debug)]
pub struct ClassLayout {
    /// The size in bytes, header included.
    pub size: u64,
    /// The alignment in bytes.
    pub alignment: u64,
    /// All stored properties, inherited ones first.
    pub fields: Vec<Field>,
    /// How many of `fields` the class itself declares.
    pub own_fields: usize,
}

impl TypeConverter<'_> {
    /// The size of the header of every object: metadata pointer and reference counts.
    pub fn object_header_size(&self) -> u64 {
        self.target.pointer_size * 2
    }

    /// The layout of instances of the class type `class`.
    pub fn class_layout(&self, class: TypeId) -> Generated<Arc<ClassLayout>> {
        self.conversion().class_layout(class)
    }
}

impl Conversion<'_, '_> {
    fn class_layout(&self, class: TypeId) -> Generated<Arc<ClassLayout>> {
        match self.converter.classes.get(&class) {
            Some(found) => Ok(found),
            None => {
                let layout = self.within(Subject::Instances(class), || self.lay_out_class(class).map(Arc::new))?;
                Ok(self.converter.classes.insert(class, layout))
            }
        }
    }

    fn lay_out_class(&self, class: TypeId) -> Generated<ClassLayout> {
        let superclass = self.converter.queries.superclass_of(class);
        let inherited = superclass.map(|superclass| self.class_layout(superclass)).transpose()?;
        let start = inherited.as_ref().map_or(self.converter.object_header_size(), |layout| layout.size);
        let own =
            self.converter.queries.stored_property_types(class).ok_or_else(|| self.converter.unsupported(class))?;
        let infos: Generated<Vec<_>> = own.iter().map(|ty| self.info(*ty)).collect();
        let record = layout_record(&infos?, start);
        let mut fields = inherited.as_ref().map_or_else(Vec::new, |layout| layout.fields.clone());
        fields.extend_from_slice(record.fields());
        let alignment = inherited.map_or(self.converter.target.pointer_size, |layout| layout.alignment);
        Ok(ClassLayout {
            size: record.size,
            alignment: alignment.max(record.alignment),
            own_fields: record.fields().len(),
            fields,
        })
    }
}

//! Layout of records: structs, tuples and the stored properties of objects (docs/ABI/TypeLayout.rst, "Fragile Struct
//! and Tuple Layout").

use std::sync::Arc;

use super::{Bits, Copying, Element, Field, TypeInfo, TypeKind};

/// Lays out `fields` in order, each at the next offset with its alignment, from `start` on (bytes). Padding counts as
/// spare bits; the size of the result ends with the last field.
pub fn layout_record(fields: &[Arc<TypeInfo>], start: u64) -> TypeInfo {
    let mut layout = RecordBuilder::new(start);
    for field in fields {
        layout.add(field.clone());
    }
    layout.finish()
}

struct RecordBuilder {
    size: u64,
    alignment: u64,
    elements: Vec<Element>,
    fields: Vec<Field>,
    copying: Copying,
    padding: Vec<(u64, u64)>,
}

impl RecordBuilder {
    fn new(start: u64) -> Self {
        Self {
            size: start,
            alignment: 1,
            elements: Vec::new(),
            fields: Vec::new(),
            copying: Copying::Trivial,
            padding: Vec::new(),
        }
    }

    fn add(&mut self, info: Arc<TypeInfo>) {
        let offset = self.size.next_multiple_of(info.alignment);
        self.padding.push((self.size, offset));
        let first_element = self.elements.len();
        let moved = |element: &Element| Element { offset: element.offset + offset, ..*element };
        self.elements.extend(info.elements.iter().map(moved));
        self.size = offset + info.size;
        self.alignment = self.alignment.max(info.alignment);
        self.copying = self.copying.max(info.copying);
        self.fields.push(Field { offset, info, first_element });
    }

    fn spare_bits(&self) -> Bits {
        let mut spare = Bits::zero(self.size * 8);
        for (start, end) in &self.padding {
            spare.set_range(start * 8, end * 8);
        }
        for field in &self.fields {
            spare.insert(field.offset * 8, &field.info.spare_bits);
        }
        spare
    }

    fn finish(mut self) -> TypeInfo {
        if self.copying == Copying::AddressOnly {
            self.elements.clear();
        }
        let spare_bits = self.spare_bits();
        let inhabitants = self.fields.iter().map(|field| field.info.extra_inhabitant_count).max();
        TypeInfo {
            size: self.size,
            alignment: self.alignment,
            elements: self.elements,
            kind: TypeKind::Record(self.fields),
            copying: self.copying,
            spare_bits,
            deinit: None,
            extra_inhabitant_count: inhabitants.unwrap_or(0),
        }
    }
}

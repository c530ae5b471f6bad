//! Packed structs, described field by field. Independent of LLVM.

use super::image::Image;
use crate::generation::Entity;
use crate::layout::{Bits, Element, Scalar};

/// A packed struct under construction. Fields are adjacent.
#[derive(Debug)]
pub struct ConstantStruct {
    pub(super) fields: Vec<Field>,
    pub(super) pointer_size: u64,
    size: u64,
}

/// A field.
#[derive(Debug)]
pub(super) enum Field {
    /// A scalar with these bits, which fill its memory.
    Scalar(Scalar, Bits),
    /// The address of an entity with an addend, in a pointer or in an integer of the same width.
    Address { scalar: Scalar, entity: Entity, addend: u64 },
    /// The distance of an entity from this field, in 32 bits. If another module defines the entity, the field refers to
    /// a word with its address, and its lowest bit is set.
    Relative { entity: Entity, addend: u64 },
    /// Bytes.
    Bytes(Vec<u8>),
    /// Zero bytes.
    Zeros(u64),
}

impl Field {
    /// Its size in bytes.
    pub(super) fn size(&self, pointer_size: u64) -> u64 {
        match self {
            Field::Scalar(_, bits) => bits.width() / 8,
            Field::Address { .. } => pointer_size,
            Field::Relative { .. } => 4,
            Field::Bytes(bytes) => bytes.len() as u64,
            Field::Zeros(count) => *count,
        }
    }
}

/// A field whose value is set later.
#[derive(Clone, Copy, Debug)]
pub struct Placeholder(usize);

impl ConstantStruct {
    /// A struct without fields, for a target with pointers of `pointer_size` bytes.
    pub fn new(pointer_size: u64) -> Self {
        Self { fields: Vec::new(), pointer_size, size: 0 }
    }

    /// The size of the fields so far in bytes, which is the offset of the next one.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// A number of `bits` bits, which are whole bytes and a power of two.
    pub fn add_integer(&mut self, bits: u32, value: u64) {
        self.push(Field::Scalar(Scalar::Integer(bits), Bits::from_u64(u64::from(bits), value)));
    }

    /// A null pointer.
    pub fn add_null(&mut self) {
        self.push(Field::Scalar(Scalar::Pointer, Bits::zero(self.pointer_size * 8)));
    }

    /// The address of `entity`.
    pub fn add_address(&mut self, entity: Entity) {
        self.push(Field::Address { scalar: Scalar::Pointer, entity, addend: 0 });
    }

    /// The address of `entity` with a number added.
    pub fn add_address_with(&mut self, entity: Entity, addend: u64) {
        self.push(Field::Address { scalar: Scalar::Pointer, entity, addend });
    }

    /// The address of `entity`, or null.
    pub fn add_optional_address(&mut self, entity: Option<Entity>) {
        match entity {
            Some(entity) => self.add_address(entity),
            None => self.add_null(),
        }
    }

    /// Adds the distance of `entity` from the field: direct if this module defines it, otherwise through a word with
    /// its address (include/swift/Basic/RelativePointer.h).
    pub fn add_relative(&mut self, entity: Entity) {
        self.push(Field::Relative { entity, addend: 0 });
    }

    /// Adds the distance of `entity`, which this module defines, from the field, with an addend.
    pub fn add_relative_with(&mut self, entity: Entity, addend: u64) {
        self.push(Field::Relative { entity, addend });
    }

    /// Adds bytes.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        match bytes.iter().all(|byte| *byte == 0) {
            true => self.add_zeros(bytes.len() as u64),
            false => self.push(Field::Bytes(bytes.to_vec())),
        }
    }

    /// Zeros up to the next multiple of `alignment` bytes.
    pub fn align_to(&mut self, alignment: u64) {
        self.add_zeros(self.size.next_multiple_of(alignment) - self.size);
    }

    /// Adds zeros up to `offset` bytes from the beginning, if the struct is shorter.
    pub fn pad_to(&mut self, offset: u64) {
        self.add_zeros(offset.saturating_sub(self.size));
    }

    /// Adds room for a number of `bits` bits that is not known yet, such as a size that includes later fields. It is
    /// zero until it is filled.
    pub fn add_placeholder(&mut self, bits: u32) -> Placeholder {
        self.add_integer(bits, 0);
        Placeholder(self.fields.len() - 1)
    }

    /// Sets the number of a placeholder.
    pub fn fill(&mut self, placeholder: Placeholder, value: u64) {
        if let Some(Field::Scalar(_, bits)) = self.fields.get_mut(placeholder.0) {
            *bits = Bits::from_u64(bits.width(), value);
        }
    }

    /// Adds a value with the scalars `elements`. Scalars that LLVM would store differently from Swift are stored as
    /// bytes.
    pub fn add_value(&mut self, image: &Image, elements: &[Element]) {
        let is_scalar = |offset: u64, size: u64| {
            let is_it =
                |element: &Element| element.offset == offset && byte_size(element) == size && holds_address(element);
            elements.iter().any(is_it)
        };
        let fits = image.addresses().iter().all(|address| is_scalar(address.offset, address.size));
        let mut end = 0;
        for element in if fits { elements } else { &[] } {
            self.add_untyped(image, end, element.offset);
            end = element.offset + byte_size(element);
            self.add_scalar(image, element);
        }
        self.add_untyped(image, end, image.size());
    }

    fn add_scalar(&mut self, image: &Image, element: &Element) {
        let size = byte_size(element);
        let bits = image.bits(element.offset, size);
        let scalar = match element.scalar {
            Scalar::Integer(_) => Scalar::Integer(size as u32 * 8),
            other => other,
        };
        match image.addresses().iter().find(|address| address.offset == element.offset) {
            Some(address) => {
                let addend = bits.words().first().copied().unwrap_or(0);
                self.push(Field::Address { scalar, entity: address.entity.clone(), addend });
            }
            None if size.is_power_of_two() => self.push(Field::Scalar(scalar, bits)),
            None => self.add_untyped(image, element.offset, element.offset + size),
        }
    }

    /// Adds the bytes from `start` up to `end` in a value without types for them: padding, or memory without parts.
    fn add_untyped(&mut self, image: &Image, start: u64, end: u64) {
        let mut position = start;
        for address in image.addresses().iter().filter(|address| (start..end).contains(&address.offset)) {
            self.add_raw(image, position, address.offset);
            let addend = image.bits(address.offset, address.size).words().first().copied().unwrap_or(0);
            let entity = address.entity.clone();
            self.push(Field::Address { scalar: Scalar::Pointer, entity, addend });
            position = address.offset + address.size;
        }
        self.add_raw(image, position, end);
    }

    fn add_raw(&mut self, image: &Image, start: u64, end: u64) {
        if start < end {
            self.add_bytes(&image.bits(start, end - start).to_bytes());
        }
    }

    fn add_zeros(&mut self, count: u64) {
        if count > 0 {
            self.push(Field::Zeros(count));
        }
    }

    fn push(&mut self, field: Field) {
        self.size += field.size(self.pointer_size);
        self.fields.push(field);
    }
}

fn byte_size(element: &Element) -> u64 {
    u64::from(element.bits.div_ceil(8))
}

fn holds_address(element: &Element) -> bool {
    matches!(element.scalar, Scalar::Integer(_) | Scalar::Pointer)
}

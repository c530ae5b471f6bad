//! Layout of C structures, with the offsets of clang (`ClangRecordLowering`, lib/IRGen/GenStruct.cpp).

use std::sync::Arc;

use sil_ir::declarations::CLayout;

use super::{Bits, Copying, Element, Field, Scalar, TypeInfo, TypeKind};

/// A part of a structure.
enum Part {
    /// The stored property with this number.
    Stored(usize, Arc<TypeInfo>),
    /// Bytes without a name.
    Opaque(u64),
}

impl Part {
    fn size(&self) -> u64 {
        match self {
            Part::Stored(_, info) => info.size,
            Part::Opaque(size) => *size,
        }
    }
}

/// Lays out a structure whose stored properties are `fields`. Its size is that of C, with the padding after its last
/// field. `None` if the layout is invalid: parts that overlap or exceed the structure.
pub fn layout_c_record(layout: &CLayout, fields: &[Arc<TypeInfo>], pointer_size: u64) -> Option<TypeInfo> {
    let parts = parts_in_order(layout, fields)?;
    let mut spare_bits = Bits::zero(layout.size * 8);
    let mut elements = Vec::new();
    let mut laid_out: Vec<Option<Field>> = vec![None; fields.len()];
    let mut end = 0;
    for (offset, part) in parts {
        spare_bits.set_range(end * 8, offset * 8);
        end = offset + part.size();
        match part {
            Part::Stored(number, info) => {
                spare_bits.insert(offset * 8, &info.spare_bits);
                let first_element = elements.len();
                elements.extend(info.elements.iter().map(|it| Element { offset: it.offset + offset, ..*it }));
                laid_out[number] = Some(Field { offset, info, first_element });
            }
            Part::Opaque(size) => elements.extend(integers_in(offset, size, pointer_size)),
        }
    }
    spare_bits.set_range(end * 8, layout.size * 8);
    Some(TypeInfo {
        size: layout.size,
        alignment: layout.alignment,
        elements,
        extra_inhabitant_count: fields.iter().map(|field| field.extra_inhabitant_count).max().unwrap_or(0),
        kind: TypeKind::Record(laid_out.into_iter().collect::<Option<_>>()?),
        copying: Copying::Trivial,
        spare_bits,
        deinit: None,
    })
}

/// Returns the parts by their offsets, without overlaps.
fn parts_in_order(layout: &CLayout, fields: &[Arc<TypeInfo>]) -> Option<Vec<(u64, Part)>> {
    const LARGEST: u64 = 1 << 31;
    let is_sound = layout.size <= LARGEST && layout.alignment.is_power_of_two() && layout.alignment <= LARGEST;
    let are_trivial = fields.iter().all(|field| field.copying == Copying::Trivial);
    if !is_sound || !are_trivial || layout.offsets.len() != fields.len() {
        return None;
    }
    let stored = layout.offsets.iter().zip(fields).enumerate();
    let stored = stored.map(|(number, (offset, info))| (*offset, Part::Stored(number, info.clone())));
    let opaque = layout.opaque.iter().map(|bytes| (bytes.offset, Part::Opaque(bytes.size)));
    let mut parts: Vec<(u64, Part)> = stored.chain(opaque).collect();
    parts.sort_by_key(|(offset, part)| (*offset, part.size()));
    let mut end = 0;
    for (offset, part) in &parts {
        if *offset < end {
            return None;
        }
        end = offset.checked_add(part.size())?;
    }
    (end <= layout.size).then_some(parts)
}

/// Returns bytes without a name as integers, each the largest that is aligned to its size.
fn integers_in(mut offset: u64, size: u64, pointer_size: u64) -> Vec<Element> {
    let end = offset + size;
    let mut integers = Vec::new();
    while offset < end {
        let mut bytes = pointer_size;
        while !offset.is_multiple_of(bytes) || bytes > end - offset {
            bytes /= 2;
        }
        integers.push(Element { scalar: Scalar::Integer(bytes as u32 * 8), offset, bits: bytes as u32 * 8 });
        offset += bytes;
    }
    integers
}

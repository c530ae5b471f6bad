//! Limits of type sizes. One line of text can require more memory than there is, or more scalars than can be handled in
//! reasonable time; both are counted before a layout is computed.

use sil_ir::context::TypeId;

use super::TypeInfo;
use super::converter::TypeConverter;
use crate::refusal::{Generated, error_without_place, unsupported_without_place};

/// The widest integer: LLVM's code for a multiplication is quadratic in the width.
pub(super) const WIDEST_INTEGER: u32 = 4096;

/// The maximum number of scalars in a type, each of which is a separate value.
const MOST_SCALARS: u64 = 1 << 20;

/// The largest type in bytes: bit sets of its size are allocated.
const LARGEST: u64 = 1 << 30;

/// An upper bound of the size and number of scalars of a type, rounded up before its layout is known.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    bytes: Option<u64>,
    scalars: u64,
}

impl Extent {
    /// The extent of an empty type.
    pub(super) const NONE: Extent = Extent { bytes: Some(0), scalars: 0 };

    /// The extent of memory of this size, or of an uncountable one for `None`.
    pub(super) fn of_memory(bytes: Option<u64>) -> Self {
        Self { bytes, scalars: 0 }
    }

    /// Adds the extent of a value of another type.
    pub(super) fn and(self, info: &TypeInfo) -> Self {
        self.and_many(1, info)
    }

    /// Adds the extent of `count` values of another type.
    pub(super) fn and_many(self, count: u64, info: &TypeInfo) -> Self {
        let stride = info.stride().max(info.size).checked_add(info.alignment);
        let added = stride.and_then(|stride| stride.checked_mul(count));
        let scalars = (info.elements.len() as u64).saturating_mul(count);
        Self {
            bytes: self.bytes.zip(added).and_then(|(before, added)| before.checked_add(added)),
            scalars: self.scalars.saturating_add(scalars),
        }
    }
}

impl TypeConverter<'_> {
    /// Returns an error for a type that exceeds the address space or the limits.
    pub(super) fn require_room(&self, ty: Option<TypeId>, extent: Extent) -> Generated<()> {
        let addressable = if self.target.pointer_size >= 8 { 1 << 47 } else { 1u64 << (self.target.pointer_size * 8) };
        let name = || ty.map_or_else(|| "a record".to_owned(), |ty| format!("the type '{}'", self.type_name(ty)));
        if extent.bytes.is_none_or(|bytes| bytes > addressable) {
            let message = format!("{} is larger than the address space", name());
            return Err(Box::new(error_without_place("type-size", message)));
        }
        if extent.bytes.is_some_and(|bytes| bytes > LARGEST) {
            let what = format!("{}, which is larger than {LARGEST} bytes", name());
            return Err(Box::new(unsupported_without_place(what)));
        }
        if extent.scalars > MOST_SCALARS {
            let what = format!("{}, which has more than {MOST_SCALARS} scalars", name());
            return Err(Box::new(unsupported_without_place(what)));
        }
        Ok(())
    }

    /// Returns an error for an integer that is too wide.
    pub(super) fn require_width(&self, bits: u32) -> Generated<()> {
        if bits <= WIDEST_INTEGER {
            return Ok(());
        }
        let what = format!("integers of {bits} bits, which are wider than {WIDEST_INTEGER}");
        Err(Box::new(unsupported_without_place(what)))
    }

    fn type_name(&self, ty: TypeId) -> String {
        let mut printer = sil_text::print::Printer::new(self.queries.context, self.queries.declarations);
        printer.lowered_type(ty);
        printer.out
    }
}

//! How large types may be. One line of text can ask for more memory than there is, or for more scalars than anything
//! handles in the time that a line may take; both are counted before a layout is made.

use sil::context::TypeId;

use super::TypeInfo;
use super::converter::TypeConverter;
use crate::refusal::{Generated, error_without_place, unsupported_without_place};

/// The widest integer: LLVM's code for a multiplication grows with the square of the width.
pub(super) const WIDEST_INTEGER: u32 = 4096;

/// The most scalars of a type, all of which are values of their own where the type is one.
const MOST_SCALARS: u64 = 1 << 20;

/// The largest type that is laid out, in bytes: the sets of its bits take as much memory.
const LARGEST: u64 = 1 << 30;

/// An upper bound of the size and scalars of a type, rounded up where its layout is not known yet.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    bytes: Option<u64>,
    scalars: u64,
}

impl Extent {
    /// That of nothing.
    pub(super) const NONE: Extent = Extent { bytes: Some(0), scalars: 0 };

    /// That of memory of this size; none where it cannot be counted.
    pub(super) fn of_memory(bytes: Option<u64>) -> Self {
        Self { bytes, scalars: 0 }
    }

    /// The sum of this and the bound of a value of another type.
    pub(super) fn and(self, info: &TypeInfo) -> Self {
        self.and_many(1, info)
    }

    /// The sum of this and the bound of `count` values of another type.
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
    /// An error for a type that takes more than there is, or more than is handled.
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

    /// An error for an integer that is too wide.
    pub(super) fn require_width(&self, bits: u32) -> Generated<()> {
        if bits <= WIDEST_INTEGER {
            return Ok(());
        }
        let what = format!("integers of {bits} bits, which are wider than {WIDEST_INTEGER}");
        Err(Box::new(unsupported_without_place(what)))
    }

    fn type_name(&self, ty: TypeId) -> String {
        let mut printer = sil::print::Printer::new(self.queries.context, self.queries.declarations);
        printer.lowered_type(ty);
        printer.out
    }
}

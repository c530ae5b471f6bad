//! IRGen's knowledge of a type: its layout in memory, its explosion into scalars, and the operations that copy and
//! destroy its values.
//!
//! Nothing here depends on LLVM: a [`TypeInfo`] is data shared by threads, which [`TypeConverter`] creates once for
//! each type. The code that moves, copies, destroys and destructures values is in `values`. Memory is addressed by
//! bytes. Only types of fixed layout have a `TypeInfo`; a [`TypeLayout`] distinguishes these from types of dynamic
//! layout.

mod bits;
mod c_records;
mod classes;
mod converter;
mod dynamic;
pub mod enums;
mod inhabitants;
mod limits;
mod records;
mod refused_types;
mod structure;

use std::sync::Arc;

use sil_ir::context::{Name, TypeId, VectorElement};

pub use bits::{BitRange, Bits};
pub use classes::ActorStorage;
pub use converter::{Clients, EXISTENTIAL_BUFFER_WORDS, ParameterValues, TargetFacts, TypeConverter};
pub use dynamic::{IS_NOT_BITWISE_TAKABLE, IS_NOT_COPYABLE, IS_NOT_INLINE, IS_NOT_TRIVIAL, TypeLayout};
pub use inhabitants::{BitRun, InhabitantSeries, Rotation, low_ones};
pub use records::layout_record;

/// The properties of a type of fixed layout.
#[derive(Debug)]
pub struct TypeInfo {
    /// The size in bytes, without tail padding.
    pub size: u64,
    /// The alignment in bytes.
    pub alignment: u64,
    /// The explosion: the scalars of a loaded value with their offsets in memory. Empty for address-only types.
    pub elements: Vec<Element>,
    /// The structure of the type.
    pub kind: TypeKind,
    /// The operations that copy and destroy a value.
    pub copying: Copying,
    /// The user's `deinit` of a noncopyable type, which destroys a value including its fields.
    pub deinit: Option<Deinit>,
    /// Bits that no value uses, as wide as `size`. Padding between fields is spare (docs/ABI/TypeLayout.rst).
    pub spare_bits: Bits,
    /// The number of bit patterns that are not values, in the order in which enums use them.
    pub extra_inhabitant_count: u32,
}

/// The `deinit` of a noncopyable type.
#[derive(Clone, Debug)]
pub struct Deinit {
    /// Its callee.
    pub function: DeinitFunction,
    /// The type of the value.
    pub ty: TypeId,
    /// Its symbol, and for a generic one the type of the value, which identify the deinit.
    pub symbol: Arc<str>,
}

/// The callee of a `deinit`.
#[derive(Clone, Copy, Debug)]
pub enum DeinitFunction {
    /// The SIL function.
    Known(Name),
    /// The value witness in the metadata of the type, since another module has the function.
    ValueWitness,
}

/// A scalar of an explosion.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The scalar's type.
    pub scalar: Scalar,
    /// Its offset in memory, in bytes.
    pub offset: u64,
    /// Its width in bits.
    pub bits: u32,
}

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer of this many bits.
    Integer(u32),
    /// A float of this many bits.
    Float(u32),
    /// An address.
    Pointer,
    /// `count` elements in one register.
    Vector { element: VectorElement, count: u32 },
}

impl Scalar {
    /// Returns its width in bits, for pointers with `pointer_bits`.
    pub fn bits(self, pointer_bits: u32) -> u32 {
        match self {
            Scalar::Integer(bits) | Scalar::Float(bits) => bits,
            Scalar::Pointer => pointer_bits,
            Scalar::Vector { element: VectorElement::Integer(bits) | VectorElement::Float(bits), count } => {
                count * bits
            }
            Scalar::Vector { element: VectorElement::RawPointer, count } => count * pointer_bits,
        }
    }
}

/// The operations that copy and destroy a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Copying {
    /// No operation: the value is only bits.
    Trivial,
    /// Retains and releases, on a loaded value.
    Loadable,
    /// The value is only in memory, because its address matters (weak references) or its layout is opaque.
    AddressOnly,
}

/// The structure of a type.
#[derive(Debug)]
pub enum TypeKind {
    /// One scalar without ownership: integers, floats, raw pointers, thin functions, vectors.
    Scalar(ScalarKind),
    /// One pointer with a reference count.
    Reference(ReferenceKind),
    /// Fields in order: structs, tuples, thick functions, class-bound existentials.
    Record(Vec<Field>),
    /// An enum.
    Enum(Box<enums::EnumLayout>),
    /// An existential container that may hold a value of any type: a buffer of three words, metadata, witness tables.
    Existential(Vec<Field>),
    /// A weak reference: memory managed by the runtime.
    Weak,
    /// The storage of a `@_rawLayout` type: memory without parts.
    Raw,
    /// An inline array: `count` elements with the stride of `element`.
    FixedArray { count: u64, element: Arc<TypeInfo> },
}

/// A scalar without ownership; its kind determines the extra inhabitants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarKind {
    /// An integer, a float or a vector. `Builtin.Int1` has spare bits.
    Number,
    /// A raw pointer: null is its only extra inhabitant.
    RawPointer,
    /// A pointer to code: each invalid address is an extra inhabitant.
    ValidPointer,
    /// A pointer to metadata, or an uncounted reference: like a code pointer, but with spare bits.
    AlignedPointer,
    /// A nullable uncounted reference: like a non-null one, except that null is a value.
    OptionalPointer,
}

/// The number of fields in the header of a block, before its capture.
pub const BLOCK_HEADER_FIELDS: usize = 5;

/// The kind of reference counting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceKind {
    /// A native object: `swift_retain`, `swift_release`. Null is allowed and ignored.
    Native,
    /// A bridge object.
    Bridge,
    /// `@sil_unowned C`: the unowned reference count.
    Unowned,
    /// `@sil_unowned Optional<C>`: null is a value.
    OptionalUnowned,
    /// A block: `_Block_copy`, `_Block_release`.
    Block,
}

/// A field of a record.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its offset in bytes.
    pub offset: u64,
    /// Its type.
    pub info: Arc<TypeInfo>,
    /// The index of its first scalar in the record's explosion.
    pub first_element: usize,
}

impl TypeInfo {
    /// The distance of elements in an array, in bytes: at least 1.
    pub fn stride(&self) -> u64 {
        self.size.next_multiple_of(self.alignment).max(1)
    }

    /// Returns whether a copy of the bits is a copy of the value.
    pub fn is_trivial(&self) -> bool {
        self.copying == Copying::Trivial
    }

    /// Returns whether values can be loaded.
    pub fn is_loadable(&self) -> bool {
        self.copying != Copying::AddressOnly
    }

    /// Returns whether values can be moved bitwise: all except weak references and memory that only its own code knows.
    pub fn is_bitwise_takable(&self) -> bool {
        match &self.kind {
            TypeKind::Weak | TypeKind::Raw => false,
            TypeKind::Scalar(_) | TypeKind::Reference(_) | TypeKind::Existential(_) => true,
            TypeKind::Record(fields) => fields.iter().all(|field| field.info.is_bitwise_takable()),
            TypeKind::Enum(layout) => {
                layout.cases.iter().all(|case| case.payload.as_ref().is_none_or(|payload| payload.is_bitwise_takable()))
            }
            TypeKind::FixedArray { element, .. } => element.is_bitwise_takable(),
        }
    }

    /// Returns whether the value, or a part of it, has a `deinit` of a type for which `is_it` holds.
    pub fn has_deinit_where(&self, is_it: &dyn Fn(TypeId) -> bool) -> bool {
        let own = self.deinit.as_ref().is_some_and(|deinit| is_it(deinit.ty));
        own || match &self.kind {
            TypeKind::Record(fields) => fields.iter().any(|field| field.info.has_deinit_where(is_it)),
            TypeKind::Enum(layout) => {
                let payloads = layout.cases.iter().filter_map(|case| case.payload.as_ref());
                payloads.into_iter().any(|payload| payload.has_deinit_where(is_it))
            }
            TypeKind::FixedArray { element, .. } => element.has_deinit_where(is_it),
            TypeKind::Scalar(_)
            | TypeKind::Reference(_)
            | TypeKind::Existential(_)
            | TypeKind::Weak
            | TypeKind::Raw => false,
        }
    }

    /// Returns whether an existential container stores a value inline, rather than in a box.
    pub fn fits_existential_buffer(&self, pointer_size: u64) -> bool {
        let fits = self.size <= EXISTENTIAL_BUFFER_WORDS * pointer_size && self.alignment <= pointer_size;
        fits && self.is_bitwise_takable()
    }

    /// The size of the payload area of an enum, in bytes.
    pub fn payload_size(&self) -> u64 {
        match &self.kind {
            TypeKind::Enum(layout) => layout.payload_size,
            _ => 0,
        }
    }

    /// The fields, if it is a record.
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            TypeKind::Record(fields) | TypeKind::Existential(fields) => fields,
            _ => &[],
        }
    }
}

impl Field {
    /// The offset of its address as a stored property: 0 if it is empty (lib/IRGen/StructLayout.h,
    /// `completeEmpty`).
    pub fn projected_offset(&self) -> u64 {
        if self.info.size == 0 { 0 } else { self.offset }
    }

    /// The indices of its scalars in the record's explosion.
    pub fn elements(&self) -> std::ops::Range<usize> {
        self.first_element..self.first_element + self.info.elements.len()
    }
}

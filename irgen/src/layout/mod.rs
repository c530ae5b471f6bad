//! IRGen's knowledge of a type: its layout in memory, its explosion into scalars, the operations that copy and destroy
//! its values.
//!
//! Nothing here is LLVM's: a [`TypeInfo`] is data that threads share, which [`TypeConverter`] makes once for each type.
//! The code that moves, copies, destroys and takes apart values is in `values`. Memory is addressed by bytes. Only
//! types of fixed layout have a `TypeInfo`; a [`TypeLayout`] distinguishes these from types of dynamic layout.

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

use sil::context::{Name, TypeId, VectorElement};

pub use bits::{BitRange, Bits};
pub use converter::{Clients, EXISTENTIAL_BUFFER_WORDS, ParameterValues, TargetFacts, TypeConverter};
pub use dynamic::{IS_NOT_BITWISE_TAKABLE, IS_NOT_COPYABLE, IS_NOT_INLINE, IS_NOT_TRIVIAL, TypeLayout};
pub use inhabitants::{BitRun, InhabitantSeries, Rotation, low_ones};
pub use records::layout_record;

/// Everything about a type of fixed layout.
#[derive(Debug)]
pub struct TypeInfo {
    /// The size in bytes, without tail padding.
    pub size: u64,
    /// The alignment in bytes.
    pub alignment: u64,
    /// The explosion: the scalars of a loaded value with their places in memory. Empty for address-only types.
    pub elements: Vec<Element>,
    /// The structure of the type.
    pub kind: TypeKind,
    /// The operations that copy and destroy a value.
    pub copying: Copying,
    /// The user's `deinit` of a noncopyable type: it destroys a value, fields and all.
    pub deinit: Option<Deinit>,
    /// Bits that no value uses, as wide as `size`. Padding between fields is spare (docs/ABI/TypeLayout.rst).
    pub spare_bits: Bits,
    /// How many bit patterns are no value, in the order that enums use them up.
    pub extra_inhabitant_count: u32,
}

/// The `deinit` of a noncopyable type.
#[derive(Clone, Debug)]
pub struct Deinit {
    /// Its callee.
    pub function: DeinitFunction,
    /// The type of the value.
    pub ty: TypeId,
    /// Its symbol, and for a generic one the type of the value: the identity of the deinit.
    pub symbol: Arc<str>,
}

/// The callee of a `deinit`.
#[derive(Clone, Copy, Debug)]
pub enum DeinitFunction {
    /// The SIL function.
    Known(Name),
    /// The value witness in the metadata of the type: another module has the function.
    ValueWitness,
}

/// A scalar of an explosion.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The scalar's type.
    pub scalar: Scalar,
    /// Where it lies in memory, in bytes.
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
    /// An address, of whatever.
    Pointer,
    /// `count` elements in one register.
    Vector { element: VectorElement, count: u32 },
}

impl Scalar {
    /// Its width in bits, where pointers have `pointer_bits`.
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
    /// Nothing: bits are bits.
    Trivial,
    /// Retains and releases, on a loaded value.
    Loadable,
    /// The value lives in memory only, because its address matters (weak references) or its layout is opaque.
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
    /// A weak reference: memory that the runtime knows.
    Weak,
    /// The storage of a `@_rawLayout` type: memory without parts.
    Raw,
    /// An inline array: `count` elements with the stride of `element`.
    FixedArray { count: u64, element: Arc<TypeInfo> },
}

/// A scalar without ownership; it decides about extra inhabitants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarKind {
    /// An integer, a float or a vector. `Builtin.Int1` has spare bits.
    Number,
    /// A raw pointer: null is its only extra inhabitant.
    RawPointer,
    /// A pointer to code: as many as there are invalid addresses.
    ValidPointer,
    /// A pointer to metadata, or a reference that is not counted: like one to code, with spare bits.
    AlignedPointer,
    /// A reference that is not counted and may be null: like one that may not, but for null.
    OptionalPointer,
}

/// The number of fields in the header of a block, before its capture.
pub const BLOCK_HEADER_FIELDS: usize = 5;

/// How a reference is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceKind {
    /// A native object: `swift_retain`, `swift_release`. Null is allowed and does nothing.
    Native,
    /// A bridge object.
    Bridge,
    /// `@sil_unowned C`: the unowned count.
    Unowned,
    /// `@sil_unowned Optional<C>`: null is a value.
    OptionalUnowned,
    /// A block: `_Block_copy`, `_Block_release`.
    Block,
}

/// A field of a record.
#[derive(Debug, Clone)]
pub struct Field {
    /// Where it lies, in bytes.
    pub offset: u64,
    /// Its type.
    pub info: Arc<TypeInfo>,
    /// The number of its first scalar in the record's explosion.
    pub first_element: usize,
}

impl TypeInfo {
    /// The distance of elements in an array, in bytes: at least 1.
    pub fn stride(&self) -> u64 {
        self.size.next_multiple_of(self.alignment).max(1)
    }

    /// Whether a copy of the bits is a copy of the value.
    pub fn is_trivial(&self) -> bool {
        self.copying == Copying::Trivial
    }

    /// Whether values can be taken out of memory.
    pub fn is_loadable(&self) -> bool {
        self.copying != Copying::AddressOnly
    }

    /// Whether a value is the same wherever its bits lie: but for weak references and memory that only its own code
    /// knows, it is.
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

    /// Whether the value, or a part of it, has a `deinit`, of a type for which `is_it` holds.
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

    /// Whether an existential container holds a value itself; else it has the reference to a box.
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

    /// The fields, where it is a record.
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            TypeKind::Record(fields) | TypeKind::Existential(fields) => fields,
            _ => &[],
        }
    }
}

impl Field {
    /// The numbers of its scalars in the record's explosion.
    pub fn elements(&self) -> std::ops::Range<usize> {
        self.first_element..self.first_element + self.info.elements.len()
    }
}

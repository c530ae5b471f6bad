//! The declarations of headers, as far as Swift can name them. Nothing here is libclang's.

use std::collections::BTreeSet;

/// The declarations of headers.
#[derive(Default, Debug)]
pub struct Declarations {
    /// Structs and unions; those without a name come after the ones that they are nested in.
    pub records: Vec<Record>,
    /// Enums with a name.
    pub enumerations: Vec<Enumeration>,
    /// Typedefs that Swift imports as structs of their own: `swift_newtype`.
    pub newtypes: Vec<Alias>,
    /// Typedefs that are more than the name of a record or an enum.
    pub aliases: Vec<Alias>,
    /// The functions whose bodies the headers have.
    pub functions: BTreeSet<String>,
    /// The variables that the headers define.
    pub variables: BTreeSet<String>,
}

/// The name of a type in Swift, after the names of the types that it is a member of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeName {
    /// The outermost first; nothing for a type that is no member.
    pub outer: Vec<String>,
    /// The name itself.
    pub name: String,
}

impl TypeName {
    /// The name of a type that is no member of another.
    pub fn plain(name: String) -> Self {
        Self { outer: Vec::new(), name }
    }

    /// The rest of a path of names after this name; none if the path begins otherwise.
    pub fn strip_from<'p>(&self, path: &'p [String]) -> Option<&'p [String]> {
        let (name, rest) = path.strip_prefix(&self.outer[..])?.split_first()?;
        (*name == self.name).then_some(rest)
    }
}

/// The number of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordId(pub usize);

/// The number of a typedef that is a struct in Swift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewtypeId(pub usize);

/// The number of an enum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnumerationId(pub usize);

/// A struct or union.
#[derive(Debug)]
pub struct Record {
    /// Its name in Swift.
    pub name: TypeName,
    /// How it is called in C.
    pub spelling: Spelling,
    /// Its name in C, if it has one.
    pub c_name: Option<CName>,
    /// Its size in bytes, with the padding after its last field.
    pub size: u64,
    /// Its alignment in bytes.
    pub alignment: u64,
    /// Its kind.
    pub kind: RecordKind,
    /// Its fields in order, those without a name too.
    pub fields: Vec<Field>,
}

/// The name of a type in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CName {
    /// The name.
    pub name: String,
    /// The name space.
    pub space: NameSpace,
}

/// The name spaces of types in C (ISO C 6.2.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameSpace {
    /// `s` of `struct s`
    Tags,
    /// `s` of `typedef struct { … } s`
    Ordinary,
}

/// A struct or a union.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// Fields one after the other.
    Struct,
    /// Fields in the same place.
    Union,
}

/// How a record is called in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `struct s` or the name of a typedef.
    Named(String),
    /// Nothing: it is the type of field number `field` of `parent`.
    TypeOfField { parent: RecordId, field: usize },
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    /// Its name in C. None of anonymous records, and of bits that only keep a distance.
    pub name: Option<String>,
    /// Its name in Swift.
    pub swift_name: String,
    /// Where it lies.
    pub place: Place,
    /// Its type.
    pub ty: CType,
}

/// Where a field lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Whole bytes.
    Bytes { offset: u64, size: u64 },
    /// Bits of a record.
    Bits { offset: u64, width: u64 },
}

/// An enum with a name.
#[derive(Debug)]
pub struct Enumeration {
    /// Its name in Swift.
    pub name: TypeName,
    /// Its name in C, if it has one.
    pub c_name: Option<CName>,
    /// Its form in Swift.
    pub kind: EnumerationKind,
    /// The record whose field's type it is, if it has no name of its own.
    pub parent: Option<RecordId>,
    /// The integers that its values are.
    pub raw_type: CType,
}

/// The form of an enum in Swift.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnumerationKind {
    /// A struct around an integer.
    Struct,
    /// An option set.
    OptionSet,
    /// An enum whose cases have these names and values, in so many bytes.
    Enum { cases: Vec<(String, u64)>, size: u64 },
}

/// A typedef.
#[derive(Debug)]
pub struct Alias {
    /// Its name in Swift.
    pub name: TypeName,
    /// The aliased type.
    pub ty: CType,
}

/// A type as Swift imports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// Nothing, as the result of a function.
    Void,
    /// A type of Swift's library.
    Library(&'static str),
    /// A pointer to memory of a type; to anything where that is `void`.
    Pointer { pointee: Box<CType>, mutability: Mutability },
    /// A pointer to something that Swift cannot name.
    OpaquePointer,
    /// A pointer to a function.
    FunctionPointer { parameters: Vec<CType>, result: Box<CType> },
    /// A struct or union.
    Record(RecordId),
    /// An enum.
    Enumeration(EnumerationId),
    /// A typedef that is a struct in Swift.
    Newtype(NewtypeId),
    /// So many elements.
    Array(Box<CType>, u64),
    /// So many elements in one register, each a type of Swift's library.
    Vector(&'static str, u64),
    /// Nothing that Swift imports.
    Unknown,
}

/// Whether the pointee may be changed through the pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutability {
    Mutable,
    Const,
}

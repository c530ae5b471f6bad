//! Access storage: the object that memory belongs to, seen through projections, casts, pointers and phis, with the path
//! from there.
//!
//! Where [`AccessBase`](super::AccessBase) stops at the instruction that projects from an object, this goes on to the
//! root of the reference, so that two projections from one object have one storage. The rules are those of
//! lib/SIL/Utils/MemAccessUtils.cpp and docs/SIL/SILMemoryAccess.md.

use rustc_hash::FxHashSet;
use sil_ir::context::{BuiltinType, Name, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Details, InstructionId, Value};

use super::base::{Addressed, addressed_global, is_exclusive};
use crate::BodyView;

/// The object that memory belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessStorage {
    /// A box, by the root of its reference.
    Box(Value),
    /// `alloc_stack`
    Stack(Value),
    /// A global variable.
    Global(Name),
    /// A stored property of an object, by the root of its reference.
    Class { object: Value, property: u32 },
    /// The tail elements of an object, by the root of its reference.
    Tail(Value),
    /// An argument of the function.
    Argument(Value),
    /// A yield of `begin_apply`.
    Yield(Value),
    /// A formal access, where the storage around it does not matter.
    Nested(Value),
    /// An address or a pointer that nothing more is known of.
    Unidentified(Value),
}

/// Whether a storage may be the same memory as another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StorageIdentity {
    /// It is not.
    Unique,
    /// It may be.
    Shared,
}

/// The number of elements from the start of its storage to the memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementOffset {
    /// So many: less than 2^30 forwards or backwards.
    Known(i64),
    /// An unknown number.
    Unknown,
}

/// A place in a storage.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StoragePath {
    /// The storage.
    pub storage: AccessStorage,
    /// The address at which projections within the storage start; none where there are several, as a global has.
    pub base: Option<Value>,
    /// The element.
    pub offset: ElementOffset,
    /// The fields of structs and elements of tuples, the outermost first.
    pub fields: Vec<u32>,
}

/// How the memory of a use relates to the memory that is asked about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UseRelation {
    /// It is the same.
    Exact,
    /// It is a part of it.
    Inner,
    /// It holds it, or may share memory with it.
    Overlapping,
}

/// The treatment of formal accesses by a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NestedAccess {
    /// It looks through them.
    Ignore,
    /// It stops at the innermost one.
    Stop,
}

impl ElementOffset {
    /// The offset `by` elements after this.
    fn plus(self, by: ElementOffset) -> ElementOffset {
        match (self, by) {
            (ElementOffset::Known(before), ElementOffset::Known(by)) => ElementOffset::from(before + by),
            _ => ElementOffset::Unknown,
        }
    }
}

impl From<i64> for ElementOffset {
    /// Offsets that no array has are not distinguished.
    fn from(elements: i64) -> Self {
        if elements.unsigned_abs() < 1 << 30 { ElementOffset::Known(elements) } else { ElementOffset::Unknown }
    }
}

impl AccessStorage {
    /// The storage that `address` leads to, wherever in it; none where it comes from nothing that an access may start
    /// at, or from different storages.
    pub fn of(view: &BodyView<'_>, address: Value, nested: NestedAccess) -> Option<AccessStorage> {
        let mut search = Search::new(view, nested, Places::Ignore);
        search.visit(address, NESTING);
        search.found.storage?
    }

    /// Whether no other storage can be the same memory.
    pub fn is_uniquely_identified(self, view: &BodyView<'_>) -> bool {
        self.identity(view) == StorageIdentity::Unique
    }

    /// Whether other storages may be the same memory.
    pub fn identity(self, view: &BodyView<'_>) -> StorageIdentity {
        let is_unique = match self {
            AccessStorage::Box(root) => view.definition(root).is_some_and(|(_, opcode)| opcode == Opcode::AllocBox),
            AccessStorage::Stack(_) | AccessStorage::Global(_) => true,
            AccessStorage::Argument(argument) => is_exclusive(view, argument),
            _ => false,
        };
        if is_unique { StorageIdentity::Unique } else { StorageIdentity::Shared }
    }

    fn is_object(self) -> bool {
        matches!(self, AccessStorage::Class { .. } | AccessStorage::Tail(_))
    }

    /// Whether the two are certainly different memory.
    pub fn is_distinct(self, view: &BodyView<'_>, other: AccessStorage) -> bool {
        Self::are_distinct((self, self.identity(view)), (other, other.identity(view)))
    }

    /// Whether two storages are certainly different memory.
    pub(crate) fn are_distinct(
        (first, first_identity): (AccessStorage, StorageIdentity),
        (second, second_identity): (AccessStorage, StorageIdentity),
    ) -> bool {
        use StorageIdentity::{Shared, Unique};
        match (first_identity, second_identity) {
            (Unique, Unique) => first != second,
            (Unique, Shared) => second.is_object(),
            (Shared, Unique) => first.is_object(),
            (Shared, Shared) => match (first, second) {
                (AccessStorage::Class { property: first, .. }, AccessStorage::Class { property: second, .. }) => {
                    first != second
                }
                _ => first.is_object() && second.is_object() && first.kind_name() != second.kind_name(),
            },
        }
    }

    /// The reference or the address that identifies it; none for a global.
    pub fn root(self) -> Option<Value> {
        use AccessStorage::*;
        match self {
            Global(_) => None,
            Class { object, .. } => Some(object),
            Box(root) | Stack(root) | Tail(root) | Argument(root) | Yield(root) | Nested(root) | Unidentified(root) => {
                Some(root)
            }
        }
    }

    /// The object or box that it is a part of.
    pub fn object(self) -> Option<Value> {
        match self {
            AccessStorage::Box(root) | AccessStorage::Tail(root) => Some(root),
            AccessStorage::Class { object, .. } => Some(object),
            _ => None,
        }
    }

    /// The kind's name.
    pub fn kind_name(self) -> &'static str {
        match self {
            AccessStorage::Box(_) => "Box",
            AccessStorage::Stack(_) => "Stack",
            AccessStorage::Global(_) => "Global",
            AccessStorage::Class { .. } => "Class",
            AccessStorage::Tail(_) => "Tail",
            AccessStorage::Argument(_) => "Argument",
            AccessStorage::Yield(_) => "Yield",
            AccessStorage::Nested(_) => "Nested",
            AccessStorage::Unidentified(_) => "Unidentified",
        }
    }
}

impl StoragePath {
    /// The place that `address` leads to; none where it comes from nothing that an access may start at, or from
    /// different places. `address` may also be a raw pointer or a box.
    pub fn of(view: &BodyView<'_>, address: Value, nested: NestedAccess) -> Option<StoragePath> {
        let mut search = Search::new(view, nested, Places::Follow);
        search.visit(address, NESTING);
        let storage = search.found.storage??;
        search.fields.reverse();
        Some(StoragePath { storage, base: search.found.base, offset: search.offset, fields: search.fields })
    }

    /// How memory at `other` relates to this; none where they share nothing, or where that is only seen from their
    /// storages.
    pub fn relation_of(&self, other: &StoragePath) -> Option<UseRelation> {
        if self.storage != other.storage {
            return None;
        }
        let certain = match (self.offset, other.offset) {
            (ElementOffset::Known(first), ElementOffset::Known(second)) if first != second => return None,
            (ElementOffset::Known(_), ElementOffset::Known(_)) => true,
            _ => false,
        };
        let relation = if self.fields == other.fields {
            UseRelation::Exact
        } else if other.fields.starts_with(&self.fields) {
            UseRelation::Inner
        } else if self.fields.starts_with(&other.fields) {
            UseRelation::Overlapping
        } else {
            return None;
        };
        Some(if certain { relation } else { UseRelation::Overlapping })
    }

    /// Whether the memory at `other` is certainly this memory or a part of it.
    pub fn contains(&self, other: &StoragePath) -> bool {
        matches!(self.relation_of(other), Some(UseRelation::Exact | UseRelation::Inner))
    }

    /// Whether the two may share memory.
    pub fn may_overlap(&self, view: &BodyView<'_>, other: &StoragePath) -> bool {
        if self.storage == other.storage {
            return self.relation_of(other).is_some();
        }
        !self.storage.is_distinct(view, other.storage)
    }
}

/// Phis of pointers nest this deep at most.
const NESTING: usize = 32;

/// The result of a search: no storage yet, none that holds for all, or one.
#[derive(Clone, Copy, Default)]
struct Found {
    storage: Option<Option<AccessStorage>>,
    base: Option<Value>,
}

/// Whether a search follows the place within the storage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    Follow,
    Ignore,
}

struct Search<'v, 'm> {
    view: &'v BodyView<'m>,
    nested: NestedAccess,
    places: Places,
    found: Found,
    /// The fields, the innermost first.
    fields: Vec<u32>,
    offset: ElementOffset,
    phis: FxHashSet<Value>,
}

/// Where the chain of definitions leads from a value.
enum Origin {
    /// To another value, by a conversion that keeps the place.
    Same(Value),
    /// To another value, by a projection.
    Projected(Value, Part),
    /// To the values that a phi takes.
    Phi(Vec<Value>),
    /// To the storage.
    Storage(AccessStorage),
    /// To nothing that an access may start at.
    Nothing,
}

/// The effect of a projection on the path.
enum Part {
    Field(u32),
    Element(ElementOffset),
    /// The payload of an enum or of an existential has the place of the whole.
    Whole,
}

impl<'v, 'm> Search<'v, 'm> {
    fn new(view: &'v BodyView<'m>, nested: NestedAccess, places: Places) -> Self {
        let (found, fields, phis) = (Found::default(), Vec::new(), FxHashSet::default());
        Self { view, nested, places, found, fields, offset: ElementOffset::Known(0), phis }
    }

    fn visit(&mut self, start: Value, nesting: usize) {
        let mut value = start;
        // Unreachable code may go round in circles.
        for _ in 0..=self.view.body.values.len() {
            match self.origin(value) {
                Origin::Same(next) => value = next,
                Origin::Projected(next, part) => {
                    if !self.project(part) {
                        return self.set(None, None);
                    }
                    value = next;
                }
                Origin::Storage(storage) => return self.set(Some(storage), Some(value)),
                Origin::Nothing => return self.set(None, None),
                Origin::Phi(incoming) => return self.visit_phi(value, incoming, nesting),
            }
        }
        self.set(None, None);
    }

    /// Adds a step to the path; false where it leads from an element of a field on to another one, which no path has.
    fn project(&mut self, part: Part) -> bool {
        match part {
            _ if self.places == Places::Ignore => {}
            Part::Whole => {}
            Part::Field(_) if self.offset != ElementOffset::Known(0) => return false,
            Part::Field(field) => self.fields.push(field),
            Part::Element(by) => self.offset = self.offset.plus(by),
        }
        true
    }

    fn set(&mut self, storage: Option<AccessStorage>, base: Option<Value>) {
        match self.found.storage {
            None => self.found = Found { storage: Some(storage), base },
            Some(before) => {
                if before != storage {
                    self.found.storage = Some(None);
                }
                if self.found.base != base {
                    self.found.base = None;
                }
            }
        }
    }

    /// Goes on from a phi, where all that it takes leads to one place: either to one projection, or to one storage
    /// without any.
    fn visit_phi(&mut self, phi: Value, incoming: Vec<Value>, nesting: usize) {
        let before = (self.found, self.offset, self.fields.len());
        let Some(nesting) = nesting.checked_sub(1).filter(|_| self.phis.insert(phi)) else {
            return self.set(None, None);
        };
        let mut work = incoming;
        let mut projections: Vec<Value> = Vec::new();
        let mut seen = FxHashSet::from_iter([phi]);
        while let Some(value) = work.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.origin(value) {
                Origin::Same(next) => work.push(next),
                Origin::Projected(next, Part::Element(_)) => {
                    self.offset = ElementOffset::Unknown;
                    work.push(next);
                }
                Origin::Projected(..) => projections.push(value),
                Origin::Phi(incoming) => work.extend(incoming),
                Origin::Storage(storage) => self.set(Some(storage), Some(value)),
                Origin::Nothing => self.set(None, None),
            }
        }
        match projections.as_slice() {
            [] => {}
            [common, others @ ..] if others.iter().all(|other| other == common) => self.visit(*common, nesting),
            _ => self.set(None, None),
        }
        if !matches!(self.found.storage, Some(Some(_))) {
            (self.found, self.offset) = (before.0, before.1);
            self.fields.truncate(before.2);
            self.set(None, None);
        }
    }

    fn origin(&self, value: Value) -> Origin {
        use Opcode::*;
        let view = self.view;
        if view.argument_convention(value).is_some() {
            return Origin::Storage(AccessStorage::Argument(value));
        }
        let Some((id, opcode)) = view.definition(value) else { return self.argument_origin(value) };
        let Some(operand) = view.operand(id, 0) else { return self.allocation_origin(value, id, opcode) };
        let reference_root = || reference_root_through_phis(view, operand);
        match opcode {
            StructElementAddr | TupleElementAddr => match view.field_number(id) {
                Some(field) => Origin::Projected(operand, Part::Field(field)),
                None => Origin::Nothing,
            },
            IndexAddr => {
                let index = view.integer(views::IndexAddr::of(view.body, id).index);
                let by = index.and_then(|index| i64::try_from(index).ok());
                let by = by.map_or(ElementOffset::Unknown, ElementOffset::from);
                Origin::Projected(operand, Part::Element(by))
            }
            // The elements of a vector and the vector itself overlap.
            TailAddr | VectorBaseAddr => Origin::Projected(operand, Part::Element(ElementOffset::Unknown)),
            InitEnumDataAddr | OpenExistentialAddr | UncheckedTakeEnumDataAddr => {
                Origin::Projected(operand, Part::Whole)
            }
            ProjectBox => match view.definition(operand) {
                // The box of an indirect case: the payload has the place of the enum.
                Some((load, Load)) => Origin::Projected(views::Unary::of(view.body, load).operand, Part::Whole),
                _ => Origin::Storage(AccessStorage::Box(reference_root())),
            },
            RefElementAddr => match view.field_number(id) {
                Some(property) => Origin::Storage(AccessStorage::Class { object: reference_root(), property }),
                None => Origin::Nothing,
            },
            RefTailAddr => Origin::Storage(AccessStorage::Tail(reference_root())),
            BeginAccess if self.nested == NestedAccess::Stop => Origin::Storage(AccessStorage::Nested(value)),
            BeginAccess => Origin::Same(operand),
            StoreBorrow => Origin::Same(views::Store::of(view.body, id).destination),
            BeginApply => Origin::Storage(AccessStorage::Yield(value)),
            Apply => match addressed_global(view, id) {
                Some(Addressed::Global(name)) => Origin::Storage(AccessStorage::Global(name)),
                Some(Addressed::Elsewhere) => Origin::Storage(AccessStorage::Unidentified(value)),
                None => Origin::Nothing,
            },
            StructExtract if is_unsafe_pointer(view, value) => Origin::Storage(AccessStorage::Unidentified(value)),
            OpenExistentialBox | ProjectExistentialBox | InitExistentialAddr => {
                Origin::Storage(AccessStorage::Unidentified(value))
            }
            _ if is_storage_cast(opcode) => Origin::Same(operand),
            AllocStack => Origin::Storage(AccessStorage::Stack(value)),
            AllocExistentialBox => Origin::Storage(AccessStorage::Unidentified(value)),
            GlobalAddr => self.allocation_origin(value, id, opcode),
            _ => Origin::Nothing,
        }
    }

    fn allocation_origin(&self, value: Value, id: InstructionId, opcode: Opcode) -> Origin {
        match (opcode, &self.view.body.instructions[id].details) {
            (Opcode::AllocStack, _) => Origin::Storage(AccessStorage::Stack(value)),
            (Opcode::AllocExistentialBox, _) => Origin::Storage(AccessStorage::Unidentified(value)),
            (Opcode::GlobalAddr, Details::Global(name, _)) => Origin::Storage(AccessStorage::Global(*name)),
            _ => Origin::Nothing,
        }
    }

    fn argument_origin(&self, value: Value) -> Origin {
        if let Some(incoming) = self.view.incoming_values(value) {
            return Origin::Phi(incoming);
        }
        if self.view.body.ty(value).is_address() {
            return Origin::Nothing;
        }
        // A box out of a switch, or `undef`.
        Origin::Storage(AccessStorage::Unidentified(value))
    }
}

/// Whether the instruction makes of its first operand another address, pointer or box of the same place.
pub fn is_storage_cast(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        ProjectBlockStorage
            | MoveonlywrapperToCopyableAddr
            | CopyableToMoveonlywrapperAddr
            | MoveonlywrapperToCopyableBox
            | UncheckedAddrCast
            | AddressToPointer
            | PointerToAddress
            | MarkUninitialized
            | MarkUnresolvedNonCopyableValue
            | DropDeinit
            | MarkUnresolvedReferenceBinding
            | MarkDependence
            | CopyValue
            | BeginBorrow
    )
}

/// Whether `value` is the pointer in an `UnsafePointer` or an `UnsafeMutablePointer`.
pub(super) fn is_unsafe_pointer(view: &BodyView<'_>, value: Value) -> bool {
    let pointer = matches!(view.queries.get(view.body.ty(value).ty), Type::Builtin(BuiltinType::RawPointer));
    let whole = view.body.defining(value).and_then(|id| view.operand(id, 0));
    let declaration = whole.and_then(|whole| view.queries.declaration_of(view.body.ty(whole).ty));
    pointer
        && declaration.is_some_and(|declaration| {
            matches!(view.module.context.text(declaration.name), "UnsafePointer" | "UnsafeMutablePointer")
        })
}

/// Whether the instruction makes of its first operand another reference to the same object.
pub(super) fn is_reference_cast(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        CopyValue
            | BeginBorrow
            | Borrowed
            | EndInitLetRef
            | BeginDeallocRef
            | EndCowMutation
            | Upcast
            | UncheckedRefCast
            | RefToBridgeObject
            | BridgeObjectToRef
            | MarkUninitialized
            | MarkDependence
            | MarkUnresolvedReferenceBinding
    )
}

/// The value that a reference, or all that a phi of references takes, is a copy, a borrow or a cast of.
pub(crate) fn reference_root_through_phis(view: &BodyView<'_>, reference: Value) -> Value {
    common_root(view, reference, &mut FxHashSet::default(), NESTING).unwrap_or(reference)
}

/// None for a phi that is being visited.
fn common_root(view: &BodyView<'_>, reference: Value, open: &mut FxHashSet<Value>, nesting: usize) -> Option<Value> {
    let mut root = reference;
    for _ in 0..=view.body.instructions.len() {
        match view.definition(root) {
            Some((id, opcode)) if is_reference_cast(opcode) => root = view.operand(id, 0)?,
            _ => break,
        }
    }
    let Some(incoming) = view.incoming_values(root) else { return Some(root) };
    if !open.insert(root) {
        return None;
    }
    let Some(nesting) = nesting.checked_sub(1) else { return Some(root) };
    let mut common = None;
    for value in incoming {
        let Some(found) = common_root(view, value, open, nesting) else { continue };
        match common {
            None => common = Some(found),
            Some(before) if before != found => return Some(root),
            Some(_) => {}
        }
    }
    common
}

//! Finds the base of an address, the path from there, and the formal accesses that the address lies in.

use rustc_hash::FxHashSet;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views;
use sil_ir::model::{Body, InstructionId, Value};

use super::AccessBase;
use crate::walk::{self, Step};
use crate::{BodyView, Projection, ProjectionPath};

/// An address as a base and the projections from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AccessPath {
    /// The memory.
    pub base: AccessBase,
    /// Where in it.
    pub path: ProjectionPath,
}

/// A scope around an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessScope {
    /// A formal access: `begin_access`.
    Access(InstructionId),
    /// `mark_dependence`
    Dependence(InstructionId),
}

/// The facts about an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocatedAccess {
    /// The base and the path.
    pub access: AccessPath,
    /// The scopes that the address lies in, the innermost first.
    pub scopes: Vec<AccessScope>,
}

impl LocatedAccess {
    /// The innermost formal access around the address.
    pub fn innermost_access(&self) -> Option<InstructionId> {
        self.scopes.iter().find_map(|scope| match scope {
            AccessScope::Access(begin) => Some(*begin),
            AccessScope::Dependence(_) => None,
        })
    }
}

/// Which indices a path may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indices {
    /// All: those that are not constant are `i*`.
    All,
    /// Constant ones: an `index_addr` by another one is a base.
    Constant,
}

impl AccessPath {
    /// The access path of `address`.
    pub fn of(view: &BodyView<'_>, address: Value) -> AccessPath {
        Self::of_part(view, address, ProjectionPath::EMPTY)
    }

    /// The access path of the part `part` of the memory at `address`.
    pub fn of_part(view: &BodyView<'_>, address: Value, part: ProjectionPath) -> AccessPath {
        locate(view, (address, part), Indices::All).access
    }

    /// The access path of `address` without indices that are not constant: an `index_addr` by one is the base.
    pub fn constant(view: &BodyView<'_>, address: Value) -> AccessPath {
        locate(view, (address, ProjectionPath::EMPTY), Indices::Constant).access
    }

    /// Whether the two certainly do not share memory.
    pub fn is_distinct(self, view: &BodyView<'_>, other: AccessPath) -> bool {
        if self.base.is_distinct(view, other.base) {
            return true;
        }
        // Where it is one kind of memory each, the same field of two objects may be the same memory, different fields
        // are not.
        let comparable =
            self.base.is_same(view, other.base) || self.base.has_known_storage() && other.base.has_known_storage();
        comparable && !self.path.may_overlap(other.path)
    }

    /// Whether the two may share memory.
    pub fn may_overlap(self, view: &BodyView<'_>, other: AccessPath) -> bool {
        !self.is_distinct(view, other)
    }

    /// The projection from the memory of this access to that of `other`; none if `other` is not certainly a part of it.
    pub fn projection_to(self, view: &BodyView<'_>, other: AccessPath) -> Option<ProjectionPath> {
        if !self.base.is_same(view, other.base) {
            return None;
        }
        let rest = self.path.remainder_of(other.path)?;
        // The memory some elements further on is no part of an element.
        let elsewhere = matches!(rest.first(), Some(Projection::Index(_) | Projection::AnyIndex));
        (!elsewhere).then_some(rest)
    }

    /// Whether the memory of `other` is certainly this memory or a part of it.
    pub fn contains(self, view: &BodyView<'_>, other: AccessPath) -> bool {
        self.projection_to(view, other).is_some()
    }

    /// The values that the reference to the object comes from, with the path from there to the memory; none where the
    /// base is no part of an object, or where they are not all known.
    pub fn storage_roots(self, view: &BodyView<'_>) -> Option<Vec<(Value, ProjectionPath)>> {
        let (reference, path) = self.object_path(view)?;
        Some(value_roots(view, reference, path))
    }

    /// The reference to the object that the memory lies in, and the path from there.
    pub fn object_path(self, view: &BodyView<'_>) -> Option<(Value, ProjectionPath)> {
        let step = match self.base {
            AccessBase::Box(_) | AccessBase::Class(_) => Projection::ClassField(self.base.field_number(view)?),
            AccessBase::Tail(_) => Projection::TailElements,
            _ => return None,
        };
        Some((self.base.reference(view)?, self.path.push(step)))
    }
}

/// The values that the object `value` comes from, each with the path from there to the part `path` of it.
pub fn value_roots(view: &BodyView<'_>, value: Value, path: ProjectionPath) -> Vec<(Value, ProjectionPath)> {
    let mut roots = Vec::new();
    let mut work = vec![(value, path)];
    let mut seen = FxHashSet::default();
    while let Some((value, path)) = work.pop() {
        if !seen.insert((value, path)) {
            continue;
        }
        match walk::value_up(view, value, path) {
            Step::To(value, path) => work.push((value, path)),
            // The last predecessor of a phi comes first, as in Swift.
            Step::ToEach(next) if view.body.defining(value).is_none() => work.extend(next),
            Step::ToEach(next) => work.extend(next.into_iter().rev()),
            Step::Unmatched => {}
            Step::End => roots.push((value, path)),
        }
    }
    roots
}

impl LocatedAccess {
    /// All that is known of `address`.
    pub fn of(view: &BodyView<'_>, address: Value) -> LocatedAccess {
        locate(view, (address, ProjectionPath::EMPTY), Indices::All)
    }
}

fn locate(view: &BodyView<'_>, (address, part): (Value, ProjectionPath), indices: Indices) -> LocatedAccess {
    let mut scopes = Vec::new();
    let mut current = (address, part);
    let mut after_index = false;
    let nowhere = |address| AccessPath { base: AccessBase::Unidentified(address), path: ProjectionPath::EMPTY };
    // Unreachable code may go round in circles; pointers lead back to addresses.
    for _ in 0..=2 * view.body.instructions.len() {
        let (value, path) = current;
        let definition = view.definition(value);
        match definition {
            Some((id, Opcode::IndexAddr)) => {
                if indices == Indices::Constant && walk::constant_index(view, id).is_none() {
                    let base = AccessBase::Index(value);
                    return LocatedAccess { access: AccessPath { base, path }, scopes };
                }
                after_index = true;
            }
            // Indexing starts at elements, never at a projection of something else.
            _ if after_index && !can_be_indexed(definition.map(|(_, opcode)| opcode)) => {
                return LocatedAccess { access: nowhere(address), scopes };
            }
            Some((id, Opcode::BeginAccess)) => scopes.push(AccessScope::Access(id)),
            Some((id, Opcode::MarkDependence)) => scopes.push(AccessScope::Dependence(id)),
            _ => {}
        }
        after_index &= definition.is_some_and(|(_, opcode)| opcode == Opcode::IndexAddr);
        current = match walk::address_up(view, value, path) {
            Step::To(next, path) => (next, path),
            _ => match originating_address(view, value) {
                Some(origin) => (origin, path),
                None => {
                    return LocatedAccess { access: AccessPath { base: AccessBase::of(view, value), path }, scopes };
                }
            },
        };
    }
    LocatedAccess { access: nowhere(address), scopes }
}

fn can_be_indexed(opcode: Option<Opcode>) -> bool {
    matches!(opcode, Some(Opcode::IndexAddr | Opcode::RefTailAddr | Opcode::PointerToAddress))
}

/// The address that a `pointer_to_address` restores, if all its pointers come from the same one of the same type.
fn originating_address(view: &BodyView<'_>, value: Value) -> Option<Value> {
    let (id, Opcode::PointerToAddress) = view.definition(value)? else { return None };
    let mut origin = None;
    let mut seen = FxHashSet::default();
    let mut work = vec![(views::Unary::of(view.body, id).operand, ProjectionPath::EMPTY)];
    while let Some((pointer, path)) = work.pop() {
        if !seen.insert((pointer, path)) {
            continue;
        }
        if let Some((made, opcode)) = view.definition(pointer) {
            use Opcode::*;
            match opcode {
                AddressToPointer if path.is_empty() => {
                    let address = views::Unary::of(view.body, made).operand;
                    if view.body.ty(address) != view.body.ty(value) || origin.is_some_and(|origin| origin != address) {
                        return None;
                    }
                    origin = Some(address);
                    continue;
                }
                MarkDependence | CopyValue | StructExtract | TupleExtract | Struct | Tuple => {}
                _ => return None,
            }
        }
        match walk::value_up(view, pointer, path) {
            Step::To(next, path) => work.push((next, path)),
            Step::ToEach(next) => work.extend(next),
            Step::Unmatched => {}
            Step::End => return None,
        }
    }
    origin
}

/// The kind of formal access that `begin_access` begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessKind {
    /// `[init]`
    Init,
    /// `[read]`
    Read,
    /// `[modify]`
    Modify,
    /// `[deinit]`
    Deinit,
}

impl AccessKind {
    /// The kind of the formal access that `begin` begins.
    pub fn of(body: &Body, begin: InstructionId) -> AccessKind {
        let attributes = body.instructions[begin].attributes;
        let kinds = [
            (Attribute::Read, AccessKind::Read),
            (Attribute::Init, AccessKind::Init),
            (Attribute::Deinit, AccessKind::Deinit),
        ];
        let written = kinds.iter().find(|(attribute, _)| attributes.contains(*attribute));
        written.map_or(AccessKind::Modify, |(_, kind)| *kind)
    }
}

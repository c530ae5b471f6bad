//! The memory of a `mark_uninitialized`, and its elements: the stored properties of the value of an initialiser, the
//! elements of tuples, or else the whole. Each element has a bit.

use rustc_hash::FxHashSet;
use sil_ir::context::{Mutability, Type, TypeId};
use sil_ir::declarations::{NominalKind, StoredProperty};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{AllocVariable, Unary};
use sil_ir::model::{Body, InstructionId, Value};
use sil_ir::types::TypeQueries;

use crate::knowledge::elements::{Elements, Node, Step, divided_where, each_element, property_of};
use crate::knowledge::init_accessors::set_by_accessors_alone;

/// The greatest number of elements with a bit, besides those of a subclass's initialiser.
const MOST_ELEMENTS: usize = 125;

/// The kind of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A variable.
    Variable,
    /// The value of an initialiser, property by property.
    RootSelf,
    /// The object of a subclass's initialiser: own properties, then the superclass's part.
    DerivedSelf,
    /// The value of a delegating initialiser.
    DelegatingSelf,
    /// The object of a delegating initialiser that is passed on to the other one.
    AllocatedSelf,
}

impl Kind {
    /// Returns whether another initialiser of the same type makes the value.
    pub(super) fn is_delegating(self) -> bool {
        matches!(self, Kind::DelegatingSelf | Kind::AllocatedSelf)
    }

    /// Returns whether an initialiser gets an object and passes it on to another one.
    pub(super) fn passes_object_on(self) -> bool {
        matches!(self, Kind::DerivedSelf | Kind::AllocatedSelf)
    }
}

/// The kind of the marked value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A box.
    Box,
    /// The memory itself.
    Address,
    /// An object whose properties are the elements.
    Object,
}

/// The memory of a `mark_uninitialized`.
pub(super) struct Memory {
    pub(super) mark: InstructionId,
    /// The marked value.
    pub(super) value: Value,
    pub(super) kind: Kind,
    pub(super) owner: Owner,
    pub(super) root: Node,
}

impl Memory {
    /// Returns the memory of `mark`; `None` if its kind is not supported, or it has too many elements.
    pub(super) fn new(queries: &TypeQueries<'_>, body: &Body, mark: InstructionId) -> Option<Self> {
        let attributes = body.instructions[mark].attributes;
        let kind = [
            (Attribute::Var, Kind::Variable),
            (Attribute::Out, Kind::Variable),
            (Attribute::RootSelf, Kind::RootSelf),
            (Attribute::DerivedSelf, Kind::DerivedSelf),
            (Attribute::DelegatingSelf, Kind::DelegatingSelf),
            (Attribute::DelegatingSelfAllocated, Kind::AllocatedSelf),
        ];
        let (_, kind) = kind.into_iter().find(|(attribute, _)| attributes.contains(*attribute))?;
        let value = body.result(mark)?;
        let ty = body.ty(Unary::of(body, mark).operand);
        let (owner, ty) = match queries.get(ty.ty) {
            _ if ty.is_address() => (Owner::Address, ty.ty),
            Type::Box(_) => (Owner::Box, queries.box_field_type(ty.ty, 0)?),
            _ => (Owner::Object, ty.ty),
        };
        let divided = |is_divided: &dyn Fn(TypeId) -> bool| match kind {
            Kind::Variable => divided_where(queries, ty, 0, is_divided),
            Kind::DelegatingSelf => Node::whole(ty, 0),
            Kind::AllocatedSelf => Node { ty, first: 0, count: 0, parts: Vec::new() },
            Kind::RootSelf | Kind::DerivedSelf => of_properties(queries, ty, is_divided),
        };
        let mut root = divided(&|_| true);
        if root.count as usize > MOST_ELEMENTS {
            // C arrays are large tuples, which code initialises as a whole.
            let projected = projected_tuples(queries, body);
            root = divided(&|tuple| projected.contains(&queries.canonical_type(tuple)));
        }
        (root.count as usize <= MOST_ELEMENTS).then_some(Self { mark, value, kind, owner, root })
    }

    /// Returns the stored property that contains an element.
    pub(super) fn property<'q>(&self, queries: &TypeQueries<'q>, element: Elements) -> Option<&'q StoredProperty> {
        let leaves = self.root.leaves();
        let (path, _) = leaves.iter().find(|(_, leaf)| leaf.elements() & element != 0)?;
        let Some(Step::Property(member)) = path.first() else { return None };
        let member = queries.context.get_member(*member);
        let stored = &queries.declarations.get(member.parent?).stored;
        stored.iter().find(|property| property.name == member.name)
    }

    /// Returns whether all properties of an initialiser's value are constants.
    pub(super) fn is_constant(&self, queries: &TypeQueries<'_>) -> bool {
        let is_let = |element| self.property(queries, element).is_some_and(|found| found.mutability == Mutability::Let);
        each_element(self.root.elements()).all(is_let)
    }

    /// Returns whether the memory was a box, which SILGen makes for each `var`, and was promoted to the stack.
    pub(super) fn is_promoted(&self, body: &Body) -> bool {
        let variable = || {
            let allocation = body.defining(Unary::of(body, self.mark).operand)?;
            AllocVariable::get(body, allocation)?.variable
        };
        let is_var = || variable().is_some_and(|variable| variable.mutability == Some(Mutability::Var));
        self.owner == Owner::Address && is_var()
    }

    /// Returns the bit for the call of the initialiser that the object is passed on to.
    pub(super) fn delegated(&self) -> Elements {
        if self.kind.passes_object_on() { 1 << self.root.count } else { 0 }
    }

    /// Returns the bit for the object that this initialiser returned.
    pub(super) fn superclass(&self) -> Elements {
        self.delegated() << 1
    }

    /// Returns the bit for the reference in its box, which is absent while the other initialiser runs.
    pub(super) fn slot(&self) -> Elements {
        self.delegated() << 2
    }

    /// Returns whether `address` is that of the whole memory, or of an access to it
    /// (lib/SILOptimizer/Mandatory/DIMemoryUseCollector.cpp, `getAccessedPointer`).
    pub(super) fn is_whole(body: &Body, mut address: Value) -> bool {
        while let Some(id) = body.defining(address) {
            match body.instructions[id].opcode {
                Opcode::BeginAccess => address = Unary::of(body, id).operand,
                Opcode::ProjectBox | Opcode::MarkUninitialized => return true,
                _ => return false,
            }
        }
        false
    }

    /// Returns the bits of complete initialisation.
    pub(super) fn all(&self) -> Elements {
        self.root.elements() | self.superclass()
    }
}

/// Returns the types of the tuples in memory with projected elements.
fn projected_tuples(queries: &TypeQueries<'_>, body: &Body) -> FxHashSet<TypeId> {
    let projections = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::TupleElementAddr);
    projections.map(|id| queries.canonical_type(body.ty(Unary::of(body, id).operand).ty)).collect()
}

/// The stored properties of a struct or a class, the superclass's left out, and those that accessors alone set; of an
/// enum the whole.
fn of_properties(queries: &TypeQueries<'_>, ty: TypeId, is_divided: &dyn Fn(TypeId) -> bool) -> Node {
    let Some(nominal) = queries.as_nominal(ty) else { return Node::whole(ty, 0) };
    let declaration = queries.declarations.get(nominal.declaration);
    if declaration.kind == NominalKind::Enum {
        return Node::whole(ty, 0);
    }
    let mut node = Node { ty, first: 0, count: 0, parts: Vec::new() };
    for (index, property) in (0..).zip(&declaration.stored) {
        let member = property_of(queries, nominal.declaration, property.name, index);
        let Some(property) = queries.stored_property_type(ty, member) else { return Node::whole(ty, 0) };
        let part = divided_where(queries, property, node.count, is_divided);
        node.count += part.count;
        node.parts.push((Step::Property(member), part));
    }
    // Nothing is stored for these, so that nothing is destroyed.
    let nothing = queries.void();
    for member in set_by_accessors_alone(queries, nominal.declaration) {
        node.parts.push((Step::Property(member), Node::whole(nothing, node.count)));
        node.count += 1;
    }
    node
}

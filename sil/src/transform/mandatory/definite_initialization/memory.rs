//! The memory that a `mark_uninitialized` begins, and its elements: the stored properties of the value that an initialiser makes, the elements of
//! tuples; else the whole. Each element has a bit.

use rustc_hash::FxHashSet;

use crate::context::{Mutability, Type, TypeId};
use crate::declarations::{NominalKind, StoredProperty};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{AllocVariable, Unary};
use crate::model::{Body, InstructionId, Value};
use crate::transform::knowledge::elements::{Elements, Node, Step, divided_where, each_element, property_of};
use crate::transform::knowledge::init_accessors::set_by_accessors_alone;
use crate::types::TypeQueries;

/// So many elements have a bit, beside those of an initialiser of a subclass.
const MOST_ELEMENTS: usize = 125;

/// What is initialised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A variable.
    Variable,
    /// What an initialiser makes, property by property.
    RootSelf,
    /// What the initialiser of a subclass makes: own properties, then what the superclass does.
    DerivedSelf,
    /// What another initialiser makes.
    DelegatingSelf,
    /// What another initialiser makes of an object that this one is given.
    AllocatedSelf,
}

impl Kind {
    /// Whether another initialiser of the same type does it all.
    pub(super) fn is_delegating(self) -> bool {
        matches!(self, Kind::DelegatingSelf | Kind::AllocatedSelf)
    }

    /// Whether an initialiser gets an object, and passes it on to another one.
    pub(super) fn passes_object_on(self) -> bool {
        matches!(self, Kind::DerivedSelf | Kind::AllocatedSelf)
    }
}

/// What the marked value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A box.
    Box,
    /// The memory itself.
    Address,
    /// An object whose properties are the elements.
    Object,
}

/// What a `mark_uninitialized` marks.
pub(super) struct Memory {
    pub(super) mark: InstructionId,
    /// The marked value.
    pub(super) value: Value,
    pub(super) kind: Kind,
    pub(super) owner: Owner,
    pub(super) root: Node,
}

impl Memory {
    /// The memory that `mark` begins; none where its kind is not known here, or it has too many elements.
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
            // C's arrays are large tuples, which code initialises as a whole.
            let projected = projected_tuples(queries, body);
            root = divided(&|tuple| projected.contains(&queries.canonical_type(tuple)));
        }
        (root.count as usize <= MOST_ELEMENTS).then_some(Self { mark, value, kind, owner, root })
    }

    /// The stored property that an element is, or is a part of.
    pub(super) fn property<'q>(&self, queries: &TypeQueries<'q>, element: Elements) -> Option<&'q StoredProperty> {
        let leaves = self.root.leaves();
        let (path, _) = leaves.iter().find(|(_, leaf)| leaf.elements() & element != 0)?;
        let Some(Step::Property(member)) = path.first() else { return None };
        let member = queries.context.get_member(*member);
        let stored = &queries.declarations.get(member.parent?).stored;
        stored.iter().find(|property| property.name == member.name)
    }

    /// Whether all that an initialiser makes never changes once it is made.
    pub(super) fn is_constant(&self, queries: &TypeQueries<'_>) -> bool {
        let is_let = |element| self.property(queries, element).is_some_and(|found| found.mutability == Mutability::Let);
        each_element(self.root.elements()).all(is_let)
    }

    /// Whether this was a box, as SILGen makes one for each `var`, and is memory on the stack now.
    pub(super) fn is_promoted(&self, body: &Body) -> bool {
        let variable = || {
            let allocation = body.defining(Unary::of(body, self.mark).operand)?;
            AllocVariable::get(body, allocation)?.variable
        };
        let is_var = || variable().is_some_and(|variable| variable.mutability == Some(Mutability::Var));
        self.owner == Owner::Address && is_var()
    }

    /// The bit that says that the initialiser which the object is passed on to was called.
    pub(super) fn delegated(&self) -> Elements {
        if self.kind.passes_object_on() { 1 << self.root.count } else { 0 }
    }

    /// The bit that says that this initialiser has given an object.
    pub(super) fn superclass(&self) -> Elements {
        self.delegated() << 1
    }

    /// The bit that says that the reference is in its box: it is not while the other initialiser runs.
    pub(super) fn slot(&self) -> Elements {
        self.delegated() << 2
    }

    /// Whether `address` is that of all of the memory, or of an access to it
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

    /// The bits that say that all there is to initialise is.
    pub(super) fn all(&self) -> Elements {
        self.root.elements() | self.superclass()
    }
}

/// The types of the tuples in memory that a function has to do with an element of.
fn projected_tuples(queries: &TypeQueries<'_>, body: &Body) -> FxHashSet<TypeId> {
    let projections = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::TupleElementAddr);
    projections.map(|id| queries.canonical_type(body.ty(Unary::of(body, id).operand).ty)).collect()
}

/// The stored properties of a struct or a class, the superclass's left out, and those that accessors alone set; of an enum the whole.
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

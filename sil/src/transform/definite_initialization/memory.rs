//! The memory that a `mark_uninitialized` begins, and its elements: the stored properties of the value that an initialiser makes, the elements of
//! tuples; else the whole. Each element has a bit.

use crate::context::{
    Distribution, Foreign, MemberId, MemberKind, MemberRef, MemberTarget, Name, NominalId, SilType, Type, TypeId,
};
use crate::declarations::NominalKind;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, Details, InstructionId, Value};
use crate::transform::InstructionBuilder;
use crate::types::TypeQueries;

/// Elements by their bits.
pub(super) type Elements = u128;

/// So many elements have a bit, beside those of an initialiser of a subclass.
const MOST_ELEMENTS: usize = 126;

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

/// How an element or a group of them is reached from what is around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Property(MemberId),
    Tuple(u32),
}

/// An element, or a group of elements that memory is divided into.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) ty: TypeId,
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) parts: Vec<(Step, Node)>,
}

impl Node {
    /// The bits of its elements.
    pub(super) fn elements(&self) -> Elements {
        if self.count == 0 { 0 } else { (u128::MAX >> (128 - self.count)) << self.first }
    }

    /// The part that a step leads to.
    pub(super) fn part(&self, step: Step) -> Option<&Node> {
        self.parts.iter().find(|(found, _)| *found == step).map(|(_, node)| node)
    }
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
        ];
        let (_, kind) = kind.into_iter().find(|(attribute, _)| attributes.contains(*attribute))?;
        let value = body.result(mark)?;
        let ty = body.ty(Unary::of(body, mark).operand);
        let (owner, ty) = match queries.get(ty.ty) {
            _ if ty.is_address() => (Owner::Address, ty.ty),
            Type::Box(_) => (Owner::Box, queries.box_field_type(ty.ty, 0)?),
            _ => (Owner::Object, ty.ty),
        };
        let root = match kind {
            Kind::Variable => divided(queries, ty, 0),
            Kind::DelegatingSelf => whole(ty, 0),
            Kind::RootSelf | Kind::DerivedSelf => of_properties(queries, ty),
        };
        (root.count as usize <= MOST_ELEMENTS).then_some(Self { mark, value, kind, owner, root })
    }

    /// The bit that says that the initialiser of the superclass has run.
    pub(super) fn superclass(&self) -> Elements {
        if self.kind == Kind::DerivedSelf { 1 << self.root.count } else { 0 }
    }

    /// The bit that says that the reference is in its box: it is not while the initialiser of the superclass runs.
    pub(super) fn slot(&self) -> Elements {
        if self.kind == Kind::DerivedSelf { 2 << self.root.count } else { 0 }
    }

    /// The bits that say that all there is to initialise is.
    pub(super) fn all(&self) -> Elements {
        self.root.elements() | self.superclass()
    }

    /// The elements, each with the way to it.
    pub(super) fn leaves(&self) -> Vec<(Vec<Step>, &Node)> {
        let mut leaves = Vec::new();
        collect(&self.root, &mut Vec::new(), &mut leaves);
        leaves
    }
}

fn collect<'n>(node: &'n Node, path: &mut Vec<Step>, into: &mut Vec<(Vec<Step>, &'n Node)>) {
    if node.parts.is_empty() {
        if node.count == 1 {
            into.push((path.clone(), node));
        }
        return;
    }
    for (step, part) in &node.parts {
        path.push(*step);
        collect(part, path, into);
        path.pop();
    }
}

fn whole(ty: TypeId, first: u32) -> Node {
    Node { ty, first, count: 1, parts: Vec::new() }
}

/// Tuples are divided into their elements. An empty one counts as one element, which something must be stored to all the same.
fn divided(queries: &TypeQueries<'_>, ty: TypeId, first: u32) -> Node {
    let Type::Tuple(elements) = queries.get(ty) else { return whole(ty, first) };
    if elements.is_empty() {
        return whole(ty, first);
    }
    let mut node = Node { ty, first, count: 0, parts: Vec::new() };
    for (index, element) in (0..).zip(elements.iter()) {
        let part = divided(queries, element.ty, first + node.count);
        node.count += part.count;
        node.parts.push((Step::Tuple(index), part));
    }
    node
}

/// The stored properties of a struct or a class, the superclass's left out; of an enum the whole.
fn of_properties(queries: &TypeQueries<'_>, ty: TypeId) -> Node {
    let Some(nominal) = queries.as_nominal(ty) else { return whole(ty, 0) };
    let declaration = queries.declarations.get(nominal.declaration);
    if declaration.kind == NominalKind::Enum {
        return whole(ty, 0);
    }
    let mut node = Node { ty, first: 0, count: 0, parts: Vec::new() };
    for (index, property) in (0..).zip(&declaration.stored) {
        let member = property_of(queries, nominal.declaration, property.name, index);
        let Some(property) = queries.stored_property_type(ty, member) else { return whole(ty, 0) };
        let part = divided(queries, property, node.count);
        node.count += part.count;
        node.parts.push((Step::Property(member), part));
    }
    node
}

fn property_of(queries: &TypeQueries<'_>, parent: NominalId, name: Name, index: u32) -> MemberId {
    queries.context.member(MemberRef {
        parent: Some(parent),
        name,
        kind: MemberKind::Plain,
        target: MemberTarget::Stored(index),
        uncurry_level: None,
        distribution: Distribution::None,
        foreign: Foreign::No,
        derivative: None,
        overload: None,
    })
}

/// The address of an element, from the address of the whole or the object that has it.
pub(super) fn project(
    queries: &TypeQueries<'_>,
    builder: &mut InstructionBuilder<'_>,
    base: Value,
    base_type: SilType,
    path: &[Step],
) -> Option<Value> {
    let (mut value, mut ty) = (base, base_type);
    for step in path {
        let (opcode, details, part) = match *step {
            Step::Property(member) => {
                let opcode = if ty.is_address() { Opcode::StructElementAddr } else { Opcode::RefElementAddr };
                (opcode, Details::Member(member), queries.stored_property_type(ty.ty, member)?)
            }
            Step::Tuple(index) => {
                (Opcode::TupleElementAddr, Details::Index(index), queries.tuple_element_type(ty.ty, index)?)
            }
        };
        ty = SilType::address(part);
        value = builder.value(opcode, details, &[value], ty);
    }
    Some(value)
}

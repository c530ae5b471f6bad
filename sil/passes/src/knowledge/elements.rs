//! Memory divided into elements: the parts that a pass distinguishes, each with a bit, and their projection paths.

use sil_ir::context::{MemberId, MemberKind, MemberRef, MemberTarget, Name, NominalId, SilType, Type, TypeId};
use sil_ir::declarations::StoredProperty;
use sil_ir::model::{Body, Details, InstructionId, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;

/// A set of elements, by their bits.
pub(crate) type Elements = u128;

/// Iterates over the elements of a set.
pub(crate) fn each_element(elements: Elements) -> impl Iterator<Item = Elements> {
    (0..Elements::BITS).map(|number| 1 << number).filter(move |element| elements & element != 0)
}

/// A projection from a value to a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Property(MemberId),
    Tuple(u32),
}

/// A tree of elements that memory is divided into.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) ty: TypeId,
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) parts: Vec<(Step, Node)>,
}

impl Node {
    /// Returns the set of its elements.
    pub(crate) fn elements(&self) -> Elements {
        if self.count == 0 { 0 } else { (u128::MAX >> (128 - self.count)) << self.first }
    }

    /// Returns the part at a step.
    pub(crate) fn part(&self, step: Step) -> Option<&Node> {
        self.parts.iter().find(|(found, _)| *found == step).map(|(_, node)| node)
    }

    /// Returns the leaves, each with its projection path.
    pub(crate) fn leaves(&self) -> Vec<(Vec<Step>, &Node)> {
        let mut leaves = Vec::new();
        collect(self, &mut Vec::new(), &mut leaves);
        leaves
    }

    /// Returns a single element of type `ty`.
    pub(crate) fn whole(ty: TypeId, first: u32) -> Node {
        Node { ty, first, count: 1, parts: Vec::new() }
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

/// Divides tuples into their elements. An empty tuple counts as one element, since it must be initialised too.
pub(crate) fn divided(queries: &TypeQueries<'_>, ty: TypeId, first: u32) -> Node {
    divided_where(queries, ty, first, &|_| true)
}

/// The same, restricted to the tuple types that `is_divided` accepts.
pub(crate) fn divided_where(
    queries: &TypeQueries<'_>,
    ty: TypeId,
    first: u32,
    is_divided: &dyn Fn(TypeId) -> bool,
) -> Node {
    let Type::Tuple(elements) = queries.get(ty) else { return Node::whole(ty, first) };
    if elements.is_empty() || !is_divided(ty) {
        return Node::whole(ty, first);
    }
    let mut node = Node { ty, first, count: 0, parts: Vec::new() };
    for (index, element) in (0..).zip(elements.iter()) {
        let part = divided_where(queries, element.ty, first + node.count, is_divided);
        node.count += part.count;
        node.parts.push((Step::Tuple(index), part));
    }
    node
}

/// Divides a type along projection paths, whose ends become separate elements.
pub(crate) fn divide(queries: &TypeQueries<'_>, ty: TypeId, first: u32, paths: &[&[Step]]) -> Node {
    let paths: Vec<&[Step]> = paths.iter().copied().filter(|path| !path.is_empty()).collect();
    let Some(parts) = (!paths.is_empty()).then(|| parts_of(queries, ty)).flatten() else {
        return Node::whole(ty, first);
    };
    let mut node = Node { ty, first, count: 0, parts: Vec::new() };
    for (step, part) in parts {
        let inner: Vec<&[Step]> = paths.iter().filter(|path| path[0] == step).map(|path| &path[1..]).collect();
        let part = divide(queries, part, first + node.count, &inner);
        node.count += part.count;
        node.parts.push((step, part));
    }
    node
}

fn parts_of(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Vec<(Step, TypeId)>> {
    let tuple = match queries.get(ty) {
        Type::MoveOnlyWrapper(inner) => *inner,
        _ => ty,
    };
    if let Type::Tuple(_) = queries.get(tuple) {
        let node = divided(queries, tuple, 0);
        return Some(node.parts.into_iter().map(|(step, part)| (step, part.ty)).collect());
    }
    let nominal = queries.as_nominal(ty)?;
    let declaration = queries.declarations.get(nominal.declaration);
    let mut parts = Vec::new();
    for (index, property) in (0..).zip(&declaration.stored) {
        let member = property_of(queries, nominal.declaration, property.name, index);
        parts.push((Step::Property(member), queries.stored_property_type(ty, member)?));
    }
    Some(parts)
}

/// Returns the stored property that an instruction projects, with the reference to it.
pub(crate) fn projected_property<'q>(
    queries: &TypeQueries<'q>,
    body: &Body,
    id: InstructionId,
) -> Option<(&'q MemberRef, &'q StoredProperty)> {
    let Details::Member(member) = body.instructions[id].details else { return None };
    let member = queries.context.get_member(member);
    let MemberTarget::Stored(index) = member.target else { return None };
    Some((member, queries.declarations.get(member.parent?).stored.get(index as usize)?))
}

/// Returns the member id of the stored property `index` of `parent`.
pub(crate) fn property_of(queries: &TypeQueries<'_>, parent: NominalId, name: Name, index: u32) -> MemberId {
    queries.context.member(MemberRef::new(Some(parent), name, MemberKind::Plain, MemberTarget::Stored(index)))
}

/// Emits the projection of an element from the address of the whole, or from the object that contains it.
pub(crate) fn project(
    queries: &TypeQueries<'_>,
    builder: &mut InstructionBuilder<'_>,
    base: Value,
    base_type: SilType,
    path: &[Step],
) -> Option<Value> {
    let (mut value, mut ty) = (base, base_type);
    for step in path {
        let whole = ty;
        ty = SilType::address(match *step {
            Step::Property(member) => queries.stored_property_type(whole.ty, member)?,
            Step::Tuple(index) => queries.tuple_element_type(whole.ty, index)?,
        });
        value = match *step {
            Step::Property(member) if whole.is_address() => builder.struct_element_addr(value, member, ty),
            Step::Property(member) => builder.ref_element_addr(value, member, ty),
            Step::Tuple(index) => builder.tuple_element_addr(value, index, ty),
        };
    }
    Some(value)
}

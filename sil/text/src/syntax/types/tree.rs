//! The tree that the grammar of types builds: the written types before name lookup.
//!
//! Nodes are in one list and refer to each other by number, so that a deeply nested text is freed without recursion.

use std::cmp::Reverse;

use sil_ir::context::{Spelling, Sugar};

/// The types of the standard library that have a short form.
const SHORTENED: [&str; 4] = ["Optional", "Array", "Dictionary", "InlineArray"];

/// The number of a node in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeId(u32);

/// The nodes of one type or signature.
#[derive(Default, Debug)]
pub(crate) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
}

/// A written type with its place in the text.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: NodeKind<'a>,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A written type.
#[derive(Debug)]
pub(crate) enum NodeKind<'a> {
    /// `Int`, `Array<T>`
    Name { name: &'a str, arguments: Vec<NodeId> },
    /// `Swift.Int`, `T.Element`, `T.Type`
    Member { base: NodeId, name: &'a str, arguments: Vec<NodeId> },
    /// `(A, b: B)`: a tuple, or the parameters or results of a function.
    Elements(Vec<Element<'a>>),
    /// `(A) async throws(E) -> B`; `parameters` is always [`NodeKind::Elements`].
    Function { parameters: NodeId, effects: Vec<Effect>, result: NodeId },
    /// `<T><U> …`, with `for <…>` from the end of the type.
    Generic { signature: Vec<SignatureLevel<'a>>, body: NodeId, arguments: Option<Vec<NodeId>> },
    /// `@thick T.Type`, `inout T`
    Attributed { attributes: Vec<Attribute<'a>>, body: NodeId },
    /// `T?`, `T!`
    Optional(NodeId),
    /// `[T]`
    Array(NodeId),
    /// `[K : V]`
    Dictionary(NodeId, NodeId),
    /// `[4 of T]`
    InlineArray(NodeId, NodeId),
    /// `P & Q`
    Composition(Vec<NodeId>),
    /// `any P`
    Existential(NodeId),
    /// `some P`
    Opaque,
    /// `~Copyable`
    Inverse(NodeId),
    /// `each T`
    Each(NodeId),
    /// `repeat each T`
    Repeat(NodeId),
    /// `Pack{A, B}`
    Pack(Vec<NodeId>),
    /// `{ var A, let B } <Arguments>`
    Box { fields: Vec<(BoxFieldKind, NodeId)>, arguments: Vec<NodeId> },
    /// `4`, in generic arguments
    Integer(&'a str),
    /// `_Trivial(64, 8)`, in requirements
    Layout { name: &'a str, numbers: Vec<&'a str> },
}

/// `var` or `let`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoxFieldKind {
    Var,
    Let,
}

/// An element in parentheses.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    pub(crate) label: Option<&'a str>,
    pub(crate) ty: NodeId,
    pub(crate) variadic: bool,
}

/// An effect between the parameters of a function and its arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    Async,
    Throws,
    ThrowsTyped(NodeId),
    Rethrows,
}

/// One `<…>` of a generic signature.
#[derive(Debug)]
pub(crate) struct SignatureLevel<'a> {
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) requirements: Vec<Requirement>,
}

/// A written generic parameter.
#[derive(Debug)]
pub(crate) struct Parameter<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: ParameterKind,
    /// `T : P`; for a value parameter its type.
    pub(crate) constraint: Option<NodeId>,
}

/// The kind of a generic parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParameterKind {
    /// `T`
    Type,
    /// `each T`
    Pack,
    /// `let n: Int`
    Value,
}

/// A written requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Requirement {
    /// `T : P`
    Constraint(NodeId, NodeId),
    /// `T == U`
    SameType(NodeId, NodeId),
}

/// A written attribute or specifier.
#[derive(Debug)]
pub(crate) struct Attribute<'a> {
    /// The name without `@`; the word itself for `inout` and other specifiers.
    pub(crate) name: &'a str,
    /// The text in parentheses, if it contains no type.
    pub(crate) text: Option<&'a str>,
    /// The type in parentheses.
    pub(crate) ty: Option<NodeId>,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl<'a> Tree<'a> {
    /// Returns the extents of opaque types (`some P`), in the order of the text.
    pub(crate) fn opaque_places(&self) -> Vec<(u32, u32)> {
        let opaque = self.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Opaque));
        let mut places: Vec<(u32, u32)> = opaque.map(|node| (node.start, node.end)).collect();
        places.sort_unstable();
        places
    }

    /// Returns the spellings of the types in the tree that have a short form.
    pub(crate) fn sugar(&self) -> Sugar {
        let mut found: Vec<(u32, Reverse<u32>, Spelling)> = Vec::new();
        for node in &self.nodes {
            let spelling = match &node.kind {
                NodeKind::Optional(_) | NodeKind::Array(_) | NodeKind::Dictionary(..) | NodeKind::InlineArray(..) => {
                    Spelling::Short
                }
                NodeKind::Name { name, .. } | NodeKind::Member { name, .. } if SHORTENED.contains(name) => {
                    Spelling::Full
                }
                _ => continue,
            };
            found.push((node.start, Reverse(node.end), spelling));
        }
        found.sort_unstable_by_key(|(start, end, _)| (*start, *end));
        Sugar::new(found.into_iter().map(|(_, _, spelling)| spelling))
    }

    /// Adds a node that covers the bytes from `start` to `end`.
    pub(crate) fn add(&mut self, kind: NodeKind<'a>, start: u32, end: u32) -> NodeId {
        self.nodes.push(Node { kind, start, end });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Returns the node.
    pub(crate) fn get(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0 as usize]
    }

    /// Adds a node from the beginning of `first` to the byte `end`.
    pub(crate) fn extend(&mut self, kind: NodeKind<'a>, first: NodeId, end: u32) -> NodeId {
        self.add(kind, self.get(first).start, end)
    }

    /// Adds a node from the beginning of `first` to the end of `last`.
    pub(crate) fn join(&mut self, kind: NodeKind<'a>, first: NodeId, last: NodeId) -> NodeId {
        self.extend(kind, first, self.get(last).end)
    }

    /// Adds `attributes` to `body`.
    pub(crate) fn attributed(&mut self, attributes: Vec<Attribute<'a>>, body: NodeId) -> NodeId {
        let Node { start, end, .. } = *self.get(body);
        let start = attributes.first().map_or(start, |first| first.start);
        self.add(NodeKind::Attributed { attributes, body }, start, end)
    }

    /// Adds `P & Q`.
    pub(crate) fn composition(&mut self, first: NodeId, others: Vec<NodeId>) -> NodeId {
        let last = others.last().copied().unwrap_or(first);
        let parts = std::iter::once(first).chain(others).collect();
        self.join(NodeKind::Composition(parts), first, last)
    }

    /// Assigns the lists after `for` at the end of `ty` to the generic types on its right edge, the innermost first.
    /// Returns the number of remaining lists.
    pub(crate) fn bind_arguments(&mut self, ty: NodeId, lists: Vec<Vec<NodeId>>) -> usize {
        if lists.is_empty() {
            return 0;
        }
        let mut generics = Vec::new();
        let mut next = Some(ty);
        while let Some(id) = next {
            next = match &self.get(id).kind {
                NodeKind::Generic { body, .. } => {
                    generics.push(id);
                    Some(*body)
                }
                NodeKind::Attributed { body, .. } | NodeKind::Repeat(body) => Some(*body),
                NodeKind::Function { result, .. } => Some(*result),
                _ => None,
            };
        }
        let mut left = lists.len();
        for list in lists {
            let Some(id) = generics.pop() else { return left };
            if let NodeKind::Generic { arguments, .. } = &mut self.nodes[id.0 as usize].kind {
                *arguments = Some(list);
                left -= 1;
            }
        }
        left
    }
}

//! The tree that a mangled symbol describes: nodes in an arena, a node may be the child of several.

use cranelift_entity::{PrimaryMap, entity_impl};

use super::kind::Kind;
use super::spelling::Nominal;

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);
entity_impl!(NodeId);

/// The tree of a symbol.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Its name, where it is one.
    pub text: Box<str>,
    /// Its number, where it has one.
    pub index: i64,
    /// Its parts.
    pub children: Vec<NodeId>,
}

/// The nodes of a symbol.
#[derive(Clone, Default, Debug)]
pub struct Tree {
    nodes: PrimaryMap<NodeId, Node>,
}

impl Tree {
    /// Adds a node with these children.
    pub fn add(&mut self, kind: Kind, children: &[NodeId]) -> NodeId {
        self.nodes.push(Node { kind, text: Box::default(), index: 0, children: children.to_vec() })
    }

    /// Adds a node that is a text.
    pub fn add_text(&mut self, kind: Kind, text: &str) -> NodeId {
        self.nodes.push(Node { kind, text: text.into(), index: 0, children: Vec::new() })
    }

    /// Adds a node that is a number.
    pub fn add_index(&mut self, kind: Kind, index: i64) -> NodeId {
        self.nodes.push(Node { kind, text: Box::default(), index, children: Vec::new() })
    }

    /// Adds a type of this kind: the node and the wrapper around it.
    pub fn add_type(&mut self, kind: Kind, children: &[NodeId]) -> NodeId {
        let content = self.add(kind, children);
        self.add(Kind::Type, &[content])
    }

    /// Adds a builtin vector of `count` elements.
    pub fn add_vector(&mut self, element: NodeId, count: i64) -> NodeId {
        self.nodes.push(Node { kind: Kind::BuiltinVector, text: Box::default(), index: count, children: vec![element] })
    }

    /// Adds a type of the standard library.
    pub(super) fn add_swift_type(&mut self, nominal: Nominal, name: &str) -> NodeId {
        let module = self.add_text(Kind::Module, "Swift");
        let name = self.add_text(Kind::Identifier, name);
        self.add_type(Kind::Nominal(nominal), &[module, name])
    }

    /// Adds a node with the contents of `node`, but these children.
    pub(super) fn add_with_children(&mut self, node: NodeId, children: Vec<NodeId>) -> NodeId {
        let Node { kind, text, index, .. } = self.nodes[node].clone();
        self.nodes.push(Node { kind, text, index, children })
    }

    /// Adds `node` of another tree and all of its children.
    pub(super) fn add_copy(&mut self, other: &Tree, node: NodeId) -> NodeId {
        let Node { kind, text, index, children } = other.nodes[node].clone();
        let children = children.into_iter().map(|child| self.add_copy(other, child)).collect();
        self.nodes.push(Node { kind, text, index, children })
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id].kind
    }

    pub(super) fn children(&self, id: NodeId) -> &[NodeId] {
        &self.nodes[id].children
    }

    pub(super) fn child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        self.nodes[id].children.get(index).copied()
    }

    /// The first child of `id` of kind `kind`.
    pub(super) fn child_of_kind(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(id).iter().copied().find(|child| self.kind(*child) == kind)
    }

    /// The content of `id` if it is a type, else `id`.
    pub(super) fn content(&self, id: NodeId) -> NodeId {
        match self.kind(id) {
            Kind::Type => self.child(id, 0).unwrap_or(id),
            _ => id,
        }
    }

    /// Whether `id` is a type of the standard library, or a declaration right in it, and its name if so.
    pub(super) fn swift_name(&self, declaration: NodeId) -> Option<&str> {
        let (module, name) = (self.child(declaration, 0)?, self.child(declaration, 1)?);
        let in_swift = self.kind(module) == Kind::Module && &*self.get(module).text == "Swift";
        (in_swift && self.kind(name) == Kind::Identifier).then_some(&*self.get(name).text)
    }

    /// Whether the type `id` needs no parentheses in front of `?` or `.Type`.
    pub(super) fn is_simple_type(&self, id: NodeId) -> bool {
        let protocols = |list| self.child(list, 0).map_or(0, |list| self.children(list).len());
        match self.kind(id) {
            Kind::Type => self.child(id, 0).is_none_or(|content| self.is_simple_type(content)),
            Kind::ProtocolList => protocols(id) <= 1,
            Kind::ProtocolListWithAnyObject => self.child(id, 0).is_none_or(|list| protocols(list) == 0),
            kind => kind.is_simple_type(),
        }
    }

    /// All nodes, in the order in which they were made.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.keys()
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

//! Writes trees as mangled symbols. The rules are those of docs/ABI/Mangling.rst: earlier names of the symbol are
//! referred to, words of identifiers are shared, and everything else is postfix: operands, then the letters of the
//! operator.

mod buffer;
mod entities;
mod generics;
mod lowered;
mod names;
mod specializations;
mod thunks;
mod types;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::kind::Kind;
use super::operations::{Operand, Operation, Trailing};
use super::spelling::Spelled;
use super::tree::{NodeId, Tree};
use buffer::Buffer;

/// Trees are written this deep.
const DEPTH_LIMIT: u32 = 512;

/// Symbols are not longer than this.
const LENGTH_LIMIT: usize = 1 << 20;

/// The symbol that `tree` describes, without its prefix, and where the addresses of references stand in it. None if the
/// tree has a form that no compiler makes.
pub(super) fn remangle(tree: Tree, root: NodeId) -> Option<(Vec<u8>, Vec<usize>)> {
    let mut remangler = Remangler {
        tree,
        buffer: Buffer::default(),
        substitutions: FxHashMap::default(),
        classes: SecondaryMap::new(),
        forms: FxHashMap::default(),
        depth: 0,
    };
    remangler.node(root)?;
    Some(remangler.buffer.finish())
}

/// Nodes that have the same form have the same number.
type Class = u32;

/// The identity of a node: all that makes it differ from others.
type Form = (Kind, Box<str>, i64, Vec<Class>);

/// A target of a substitution.
#[derive(PartialEq, Eq, Hash)]
enum Entry {
    /// Names of different kinds refer to each other.
    Identifier(Box<str>),
    Node(Class),
}

struct Remangler {
    tree: Tree,
    buffer: Buffer,
    substitutions: FxHashMap<Entry, usize>,
    classes: SecondaryMap<NodeId, Option<Class>>,
    forms: FxHashMap<Form, Class>,
    depth: u32,
}

impl Remangler {
    fn kind(&self, id: NodeId) -> Kind {
        self.tree.kind(id)
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        self.tree.children(id).to_vec()
    }

    /// The number of a node as the letters write it.
    fn index_of(&self, id: NodeId) -> Option<usize> {
        self.tree.get(id).index.try_into().ok()
    }

    fn push(&mut self, text: &str) {
        self.buffer.push(text);
    }

    /// Writes child number `index` of `id`.
    fn child(&mut self, id: NodeId, index: usize) -> Option<()> {
        let child = self.tree.child(id, index)?;
        self.node(child)
    }

    /// Writes child number `index` of `id`, if it has so many.
    fn optional_child(&mut self, id: NodeId, index: usize) -> Option<()> {
        match self.tree.child(id, index) {
            Some(child) => self.node(child),
            None => Some(()),
        }
    }

    fn all(&mut self, nodes: &[NodeId]) -> Option<()> {
        nodes.iter().try_for_each(|node| self.node(*node))
    }

    fn all_children(&mut self, id: NodeId) -> Option<()> {
        let children = self.children(id);
        self.all(&children)
    }

    fn children_reversed(&mut self, id: NodeId) -> Option<()> {
        let mut children = self.children(id);
        children.reverse();
        self.all(&children)
    }

    /// Writes a list: `_` after its first element, `y` for none.
    fn list(&mut self, nodes: &[NodeId]) -> Option<()> {
        self.list_by(nodes, Self::node)
    }

    fn list_by(&mut self, nodes: &[NodeId], mut element: impl FnMut(&mut Self, NodeId) -> Option<()>) -> Option<()> {
        for (number, node) in nodes.iter().enumerate() {
            element(self, *node)?;
            if number == 0 {
                self.push("_");
            }
        }
        if nodes.is_empty() {
            self.push("y");
        }
        Some(())
    }

    // Substitutions

    /// The number of all nodes of the form of `id`.
    fn class(&mut self, id: NodeId, depth: u32) -> Option<Class> {
        if let Some(class) = self.classes[id] {
            return Some(class);
        }
        if depth > DEPTH_LIMIT {
            return None;
        }
        let children = self.children(id);
        let children = children.into_iter().map(|child| self.class(child, depth + 1)).collect::<Option<_>>()?;
        let node = self.tree.get(id);
        let form = (node.kind, node.text.clone(), node.index, children);
        let next = self.forms.len() as Class;
        let class = *self.forms.entry(form).or_insert(next);
        self.classes[id] = Some(class);
        Some(class)
    }

    fn entry(&mut self, id: NodeId) -> Option<Entry> {
        self.class(id, 0).map(Entry::Node)
    }

    /// Writes a reference to `entry`, if the symbol has it already.
    fn refer_back(&mut self, entry: &Entry) -> bool {
        let found = self.substitutions.get(entry).copied();
        if let Some(index) = found {
            self.buffer.back_reference(index);
        }
        found.is_some()
    }

    fn remember(&mut self, entry: Entry) {
        let index = self.substitutions.len();
        self.substitutions.entry(entry).or_insert(index);
    }

    /// Writes `id` by `write`, or a reference to it if the symbol has it already.
    fn substitutable(&mut self, id: NodeId, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if self.standard_type(id) {
            return Some(());
        }
        let entry = self.entry(id)?;
        if !self.refer_back(&entry) {
            write(self)?;
            self.remember(entry);
        }
        Some(())
    }

    // Nodes

    fn node(&mut self, id: NodeId) -> Option<()> {
        if self.buffer.len() >= LENGTH_LIMIT {
            return None;
        }
        self.nested(|this| this.node_of_kind(id))
    }

    /// Goes one level deeper into the tree; none where it is too deep.
    fn nested<R>(&mut self, work: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        if self.depth >= DEPTH_LIMIT {
            return None;
        }
        self.depth += 1;
        let made = work(self);
        self.depth -= 1;
        made
    }

    fn node_of_kind(&mut self, id: NodeId) -> Option<()> {
        match self.kind(id) {
            Kind::Global => self.global(id)?,
            Kind::Suffix | Kind::IndexSubset => {
                let text = self.tree.get(id).text.clone();
                self.push(&text);
            }
            Kind::Type => self.child(id, 0)?,
            Kind::TypeMangling => {
                self.all_children(id)?;
                self.push("D");
            }
            Kind::Operation(operation) => self.operation(id, operation)?,
            Kind::Number => {
                let index = self.index_of(id)?;
                self.buffer.index(index);
            }
            kind if kind.is_function_attribute() => self.attribute(id, kind)?,
            kind if kind.is_name() => self.name(id, kind)?,
            kind => self.entity(id, kind)?,
        }
        Some(())
    }

    /// The attributes of a function come after it, the last one first.
    fn global(&mut self, id: NodeId) -> Option<()> {
        let children = self.children(id);
        let is_attribute = |child: &&NodeId| self.kind(**child).is_reported_of_function();
        let count = children.iter().take_while(is_attribute).count();
        let (attributes, rest) = children.split_at(count);
        let suffixes = rest.iter().filter(|child| self.kind(**child) == Kind::Suffix).count();
        let (rest, suffix) = rest.split_at(rest.len() - suffixes);
        self.all(rest)?;
        attributes.iter().rev().try_for_each(|attribute| self.node(*attribute))?;
        self.all(suffix)
    }

    fn operation(&mut self, id: NodeId, operation: Operation) -> Option<()> {
        let children = self.children(id);
        let operands = operation.operands();
        let optional = operands.iter().filter(|operand| **operand == Operand::OptionalSignature).count();
        if !(operands.len() - optional..=operands.len()).contains(&children.len()) {
            return None;
        }
        for (operand, child) in operands.iter().zip(children) {
            match operand {
                Operand::Protocol => self.protocol(child)?,
                _ => self.node(child)?,
            }
        }
        self.push(operation.letters());
        if operation.trailing() == Trailing::Index {
            let index = self.index_of(id)?;
            self.buffer.index(index);
        }
        Some(())
    }
}

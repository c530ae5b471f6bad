//! The stack machine that mangled symbols are programs for (docs/ABI/Mangling.rst): one letter after another pushes
//! nodes, or pops nodes and pushes the node that they form.

mod entities;
mod generics;
mod lowered;
mod names;
mod operations;
mod specializations;
mod thunks;
mod types;

use generics::ParameterCounts;

use super::kind::{Kind, Reference};
use super::operations::Operation;
use super::spelling::{FunctionKind, Nominal, Spelled};
use super::tree::{Node, NodeId, Tree};

/// Symbols may not make more nodes, or a deeper stack, than this.
const NODE_LIMIT: usize = 1 << 18;

/// The tree of a symbol, given the text after its prefix, and its root.
pub(super) fn demangle(text: &[u8], label_place: Labels) -> Option<(Tree, NodeId)> {
    let mut demangler = Demangler::new(text, label_place);
    demangler.run()?;
    demangler.global()
}

/// The tree of a type as metadata names it, with references by address and without a prefix, and its root.
pub(super) fn demangle_type(text: &[u8]) -> Option<(Tree, NodeId)> {
    let mut demangler = Demangler::new(text, Labels::BesideTypes);
    demangler.run()?;
    let ty = demangler.pop()?;
    demangler.stack.is_empty().then_some((demangler.tree, ty))
}

/// Where a symbol has the labels of a function's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Labels {
    /// In the types of the parameters, as in Swift 4.0.
    InTypes,
    /// In a list of their own.
    BesideTypes,
}

struct Demangler<'a> {
    text: &'a [u8],
    at: usize,
    tree: Tree,
    stack: Vec<NodeId>,
    substitutions: Vec<NodeId>,
    words: Vec<&'a str>,
    label_place: Labels,
}

impl<'a> Demangler<'a> {
    fn new(text: &'a [u8], label_place: Labels) -> Self {
        Demangler {
            text,
            at: 0,
            tree: Tree::default(),
            stack: Vec::new(),
            substitutions: Vec::new(),
            words: Vec::new(),
            label_place,
        }
    }

    fn run(&mut self) -> Option<()> {
        while self.at < self.text.len() {
            let node = self.operator()?;
            self.push(node)?;
        }
        Some(())
    }

    /// The tree of the whole symbol: the attributes of a function, the function, the suffix.
    fn global(mut self) -> Option<(Tree, NodeId)> {
        let root = self.tree.add(Kind::Global, &[]);
        let suffix = self.pop_kind(Kind::Suffix);
        let mut parent = root;
        while let Some(attribute) = self.pop_if(Kind::is_function_attribute) {
            self.append(parent, attribute);
            if matches!(self.tree.kind(attribute), Kind::PartialApply(_)) {
                parent = attribute;
            }
        }
        for node in std::mem::take(&mut self.stack) {
            let node = match self.tree.kind(node) {
                Kind::Type => self.tree.child(node, 0)?,
                _ => node,
            };
            self.append(parent, node);
        }
        if let Some(suffix) = suffix {
            self.append(root, suffix);
        }
        (!self.tree.children(root).is_empty()).then_some((self.tree, root))
    }

    // The text

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn next(&mut self) -> u8 {
        let byte = self.peek();
        self.at += usize::from(self.at < self.text.len());
        byte
    }

    fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.text.len();
        self.at += usize::from(found);
        found
    }

    /// The choice whose letters stand here.
    fn eat_spelled<T: Spelled>(&mut self) -> Option<T> {
        let choice = T::at_start_of(self.rest())?;
        self.at += choice.letters().len();
        Some(choice)
    }

    /// The next `length` bytes, if they are a text.
    fn take(&mut self, length: usize) -> Option<&'a str> {
        let end = self.at.checked_add(length)?;
        let taken = std::str::from_utf8(self.text.get(self.at..end)?).ok()?;
        self.at = end;
        Some(taken)
    }

    /// The text from here as long as `wanted` holds.
    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> Option<&'a str> {
        let length = self.rest().iter().take_while(|byte| wanted(**byte)).count();
        self.take(length)
    }

    /// A decimal number.
    fn natural(&mut self) -> Option<u32> {
        let digits = self.take_while(|byte| byte.is_ascii_digit())?;
        digits.parse().ok().filter(|number| *number <= i32::MAX as u32)
    }

    /// `_` for 0, `0_` for 1, `1_` for 2…
    fn index(&mut self) -> Option<u32> {
        if self.eat(b'_') {
            return Some(0);
        }
        let number = self.natural()?;
        self.eat(b'_').then(|| number.checked_add(1)).flatten()
    }

    fn number(&mut self) -> Option<NodeId> {
        let index = self.index()?;
        Some(self.tree.add_index(Kind::Number, index.into()))
    }

    // The stack

    fn push(&mut self, node: NodeId) -> Option<()> {
        self.stack.push(node);
        (self.stack.len() + self.tree.len() < NODE_LIMIT).then_some(())
    }

    fn pop(&mut self) -> Option<NodeId> {
        self.stack.pop()
    }

    fn pop_if(&mut self, wanted: impl FnOnce(Kind) -> bool) -> Option<NodeId> {
        let top = *self.stack.last()?;
        if !wanted(self.tree.kind(top)) {
            return None;
        }
        self.stack.pop()
    }

    fn pop_kind(&mut self, kind: Kind) -> Option<NodeId> {
        self.pop_if(|found| found == kind)
    }

    fn pop_operation(&mut self, operation: Operation) -> Option<NodeId> {
        self.pop_kind(Kind::Operation(operation))
    }

    fn pop_type(&mut self) -> Option<NodeId> {
        self.pop_kind(Kind::Type)
    }

    /// The types on top of the stack, in the order of the text.
    fn pop_types(&mut self) -> Vec<NodeId> {
        let mut types: Vec<_> = std::iter::from_fn(|| self.pop_type()).collect();
        types.reverse();
        types
    }

    fn pop_name(&mut self) -> Option<NodeId> {
        self.pop_if(Kind::is_name)
    }

    fn pop_entity(&mut self) -> Option<NodeId> {
        self.pop_if(Kind::is_entity)
    }

    fn pop_signature(&mut self) -> Option<NodeId> {
        self.pop_kind(Kind::GenericSignature)
    }

    fn pop_module(&mut self) -> Option<NodeId> {
        match self.pop_kind(Kind::Identifier) {
            Some(name) => Some(self.tree.add_text(Kind::Module, &self.tree.get(name).text.clone())),
            None => self.pop_kind(Kind::Module),
        }
    }

    fn pop_context(&mut self) -> Option<NodeId> {
        if let Some(module) = self.pop_module() {
            return Some(module);
        }
        match self.pop_type() {
            Some(ty) => self.tree.child(ty, 0).filter(|child| self.tree.kind(*child).is_context()),
            None => self.pop_if(Kind::is_context),
        }
    }

    /// The content of a type on the stack.
    fn pop_type_content(&mut self) -> Option<NodeId> {
        let ty = self.pop_type()?;
        self.tree.child(ty, 0)
    }

    /// Whether elements of a list, popped by `element`, are on the stack; they come in the order of the text.
    fn pop_list(&mut self, mut element: impl FnMut(&mut Self) -> Option<NodeId>) -> Option<Vec<NodeId>> {
        if self.pop_kind(Kind::EmptyList).is_some() {
            return Some(Vec::new());
        }
        let mut list = Vec::new();
        loop {
            let first = self.pop_kind(Kind::FirstElementMarker).is_some();
            list.push(element(self)?);
            if first {
                break;
            }
        }
        list.reverse();
        Some(list)
    }

    // Nodes

    fn add(&mut self, kind: Kind, children: &[NodeId]) -> NodeId {
        self.tree.add(kind, children)
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.tree.get_mut(parent).children.push(child);
    }

    fn node(&self, id: NodeId) -> &Node {
        self.tree.get(id)
    }

    /// A type of this kind.
    fn ty(&mut self, kind: Kind, children: &[NodeId]) -> NodeId {
        self.tree.add_type(kind, children)
    }

    /// `content` as a type.
    fn wrap(&mut self, content: NodeId) -> NodeId {
        self.add(Kind::Type, &[content])
    }

    /// `node`, which the symbol can refer to again.
    fn substitutable(&mut self, node: NodeId) -> NodeId {
        self.substitutions.push(node);
        node
    }

    fn operator(&mut self) -> Option<NodeId> {
        while self.eat(0xFF) {
            // Padding in front of references.
        }
        if let Some(operation) = self.eat_spelled::<Operation>() {
            return self.operation(operation);
        }
        match self.next() {
            control @ 0x01..=0x1F => self.symbolic_reference(control),
            b'A' => self.substitution(),
            b'B' => self.builtin_type(),
            b'C' => self.nominal(Nominal::Class),
            b'D' => self.type_mangling(),
            b'E' => self.extension(),
            b'F' => self.plain_function(),
            b'G' => self.bound_generic_type(),
            b'H' => self.conformance(),
            b'I' => self.impl_function_type(),
            b'L' => self.local_name(),
            b'O' => self.nominal(Nominal::Enum),
            b'P' => self.nominal(Nominal::Protocol),
            b'Q' => self.archetype(),
            b'R' => self.requirement(),
            b'S' => self.standard_substitution(),
            b'T' => self.thunk_or_specialization(),
            b'V' => self.nominal(Nominal::Structure),
            b'W' => self.eat(b'J').then(|| self.differentiability_witness()).flatten(),
            b'X' => self.special_type(),
            b'Y' => self.differentiable_annotation(),
            b'Z' => {
                let entity = self.pop_entity()?;
                Some(self.add(Kind::Static, &[entity]))
            }
            b'a' => self.nominal(Nominal::TypeAlias),
            b'c' => self.function_type(FunctionKind::Plain, None),
            b'd' => Some(self.add(Kind::VariadicMarker, &[])),
            b'f' => self.function_entity(),
            b'g' => self.retroactive_conformance(),
            b'i' => self.subscript(),
            b'l' => self.generic_signature(ParameterCounts::One),
            b'm' => {
                let ty = self.pop_type()?;
                Some(self.ty(Kind::Metatype, &[ty]))
            }
            b'o' => self.operator_name(),
            b'p' => {
                let list = self.protocol_list()?;
                Some(self.wrap(list))
            }
            b'q' => {
                let parameter = self.generic_parameter()?;
                Some(self.wrap(parameter))
            }
            b'r' => self.generic_signature(ParameterCounts::Written),
            b's' => Some(self.tree.add_text(Kind::Module, "Swift")),
            b't' => self.tuple(),
            b'u' => {
                let signature = self.pop_signature()?;
                let ty = self.pop_type()?;
                Some(self.ty(Kind::GenericType, &[signature, ty]))
            }
            b'v' => self.variable(),
            b'w' => self.value_witness(),
            b'x' => {
                let parameter = self.generic_parameter_at(0, 0);
                Some(self.wrap(parameter))
            }
            b'y' => Some(self.add(Kind::EmptyList, &[])),
            b'_' => Some(self.add(Kind::FirstElementMarker, &[])),
            b'.' => {
                self.back();
                let suffix = self.take(self.rest().len())?;
                Some(self.tree.add_text(Kind::Suffix, suffix))
            }
            b'$' => self.integer_type(),
            _ => {
                self.back();
                self.identifier()
            }
        }
    }

    /// A reference by address: the index of the node is the four bytes after the control byte.
    fn symbolic_reference(&mut self, control: u8) -> Option<NodeId> {
        let reference = Reference::with_control_byte(control)?;
        let address = self.rest().first_chunk::<4>()?;
        self.at += address.len();
        let node = self.tree.add_index(Kind::SymbolicReference(reference), i32::from_le_bytes(*address).into());
        let node = self.wrap(node);
        Some(if reference.is_substitutable() { self.substitutable(node) } else { node })
    }
}

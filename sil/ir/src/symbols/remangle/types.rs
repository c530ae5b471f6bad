//! Formal types.

use super::super::kind::Kind;
use super::super::spelling::{FunctionKind, Nominal, Spelled};
use super::super::tree::NodeId;
use super::Remangler;

/// The separator before the generic arguments of each level.
pub(super) struct Separator(&'static str);

impl Separator {
    pub(super) fn new() -> Self {
        Self("y")
    }

    fn next(&mut self) -> &'static str {
        std::mem::replace(&mut self.0, "_")
    }
}

/// Which contexts of a declaration have a list of arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Levels {
    /// Types.
    Types,
    /// Types and functions.
    All,
}

impl Remangler {
    pub(super) fn ty(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::Builtin(builtin) => {
                self.push("B");
                self.push(builtin.letters());
            }
            Kind::BuiltinInteger => self.sized_builtin(id, "Bi")?,
            Kind::BuiltinFloat => self.sized_builtin(id, "Bf")?,
            Kind::BuiltinVector => {
                self.child(id, 0)?;
                self.sized_builtin(id, "Bv")?;
            }
            Kind::BuiltinTuple => self.push("BT"),
            Kind::Nominal(_) | Kind::BoundGeneric(_) => self.nominal(id)?,
            Kind::BoundReference => self.bound_reference(id)?,
            Kind::SymbolicReference(reference) => {
                let address = self.tree.get(id).index.try_into().ok()?;
                if !reference.is_substitutable() {
                    self.buffer.reference(reference, address);
                    return Some(());
                }
                self.substitutable(id, |this| {
                    this.buffer.reference(reference, address);
                    Some(())
                })?;
            }
            Kind::Tuple => {
                let elements = self.children(id);
                self.list(&elements)?;
                self.push("t");
            }
            Kind::TupleElement => self.children_reversed(id)?,
            Kind::TupleElementName => self.text_as_identifier(id)?,
            Kind::TypeList | Kind::ConformanceList | Kind::ConstrainedExistentialRequirements => {
                let types = self.children(id);
                self.list(&types)?;
            }
            Kind::RetroactiveConformances => self.all_children(id)?,
            Kind::FunctionType(function) => self.function_type(id, function)?,
            Kind::ArgumentTuple | Kind::ReturnType => {
                let content = self.tree.content(self.tree.child(id, 0)?);
                if self.kind(content) == Kind::Tuple && self.tree.children(content).is_empty() {
                    self.push("y");
                } else {
                    self.node(content)?;
                }
            }
            Kind::ClangType => {
                let text = self.tree.get(id).text.clone();
                self.push(&text.len().to_string());
                self.push(&text);
            }
            Kind::Differentiable(how) => {
                self.push("Yj");
                self.push(how.letters());
            }
            Kind::Metatype => self.metatype(id, "m", "XM")?,
            Kind::ExistentialMetatype => self.metatype(id, "Xp", "Xm")?,
            Kind::MetatypeRepresentation(representation) => self.push(representation.letters()),
            Kind::ProtocolList => self.protocols(id, "p")?,
            Kind::ProtocolListWithClass => {
                let list = self.tree.child(id, 0)?;
                self.protocols(list, "")?;
                self.child(id, 1)?;
                self.push("Xc");
            }
            Kind::ProtocolListWithAnyObject => {
                let list = self.tree.child(id, 0)?;
                self.protocols(list, "Xl")?;
            }
            Kind::ConstrainedExistential => self.postfix(id, "XP")?,
            Kind::ExtendedExistential => {
                self.all_children(id)?;
                self.push("Xj");
            }
            Kind::ConstrainedExistentialSelf => self.push("s"),
            Kind::Pack(pack) => {
                let types = self.children(id);
                self.list(&types)?;
                self.push(pack.letters());
            }
            Kind::Integer => self.integer(id, "$")?,
            Kind::NegativeInteger => self.integer(id, "$n")?,
            Kind::OpaqueType => self.opaque_type(id)?,
            _ => self.generic(id, kind)?,
        }
        Some(())
    }

    fn sized_builtin(&mut self, id: NodeId, letters: &str) -> Option<()> {
        let size = self.index_of(id)?;
        self.push(letters);
        self.push(&size.to_string());
        self.push("_");
        Some(())
    }

    fn integer(&mut self, id: NodeId, letters: &str) -> Option<()> {
        let value = self.index_of(id)?;
        self.push(letters);
        self.buffer.index(value);
        Some(())
    }

    fn function_type(&mut self, id: NodeId, function: FunctionKind) -> Option<()> {
        let clang = self.tree.child(id, 0).filter(|child| self.kind(*child) == Kind::ClangType);
        let Some(clang) = clang else {
            self.children_reversed(id)?;
            self.push(function.letters());
            return Some(());
        };
        let mut parts = self.children(id).split_off(1);
        parts.reverse();
        self.all(&parts)?;
        self.push(match function {
            FunctionKind::C => "XzC",
            FunctionKind::Block => "XzB",
            _ => return None,
        });
        self.node(clang)
    }

    fn metatype(&mut self, id: NodeId, letters: &str, letters_with_representation: &str) -> Option<()> {
        if let [representation, ty] = self.children(id)[..] {
            self.node(ty)?;
            self.push(letters_with_representation);
            self.node(representation)
        } else {
            self.postfix(id, letters)
        }
    }

    /// A protocol where only a protocol can stand: without the letter for its kind.
    pub(super) fn protocol(&mut self, id: NodeId) -> Option<()> {
        let id = self.tree.content(id);
        match self.kind(id) {
            _ if self.standard_type(id) => Some(()),
            Kind::Nominal(_) => self.all_children(id),
            _ => self.node(id),
        }
    }

    fn protocols(&mut self, id: NodeId, letters: &str) -> Option<()> {
        let list = self.tree.child(id, 0).filter(|list| self.kind(*list) == Kind::TypeList)?;
        let protocols = self.children(list);
        self.list_by(&protocols, Self::protocol)?;
        self.push(letters);
        Some(())
    }

    /// The list that is child number `index` of `id`, or an empty one.
    pub(super) fn child_list(&mut self, id: NodeId, index: usize) -> Option<()> {
        let list = self.tree.child(id, index).map_or(Vec::new(), |list| self.children(list));
        self.list(&list)
    }

    // Nominal types and their arguments

    fn nominal(&mut self, id: NodeId) -> Option<()> {
        match self.kind(id) {
            Kind::BoundGeneric(Nominal::Enum) if self.is_optional(id) => {
                let arguments = self.tree.child(id, 1)?;
                self.substitutable(id, |this| this.postfix(arguments, "Sg"))
            }
            _ if self.is_specialized(id) => self.substitutable(id, |this| this.bound(id, Self::node)),
            Kind::Nominal(nominal) => self.substitutable(id, |this| this.postfix(id, nominal.letters())),
            _ => None,
        }
    }

    fn is_optional(&self, id: NodeId) -> bool {
        let bound = self.tree.child(id, 0).map(|ty| self.tree.content(ty));
        bound.and_then(|bound| self.tree.swift_name(bound)) == Some("Optional")
    }

    /// The bound entity, written by `write`, then the arguments.
    fn bound(&mut self, id: NodeId, write: impl FnOnce(&mut Self, NodeId) -> Option<()>) -> Option<()> {
        let unbound = self.unspecialized(id)?;
        write(self, unbound)?;
        self.generic_arguments(id, &mut Separator::new(), Levels::Types)?;
        if let (Kind::BoundGeneric(_), Some(conformances)) = (self.kind(id), self.tree.child(id, 2)) {
            self.node(conformances)?;
        }
        self.push("G");
        Some(())
    }

    pub(super) fn bound_function(&mut self, id: NodeId) -> Option<()> {
        self.substitutable(id, |this| this.bound(id, Self::node))
    }

    /// A reference with a list of arguments for each level that has one.
    fn bound_reference(&mut self, id: NodeId) -> Option<()> {
        self.substitutable(id, |this| {
            let children = this.children(id);
            let (reference, lists) = children.split_first()?;
            this.node(*reference)?;
            let mut separator = Separator::new();
            for list in lists {
                if this.kind(*list) == Kind::TypeList {
                    this.push(separator.next());
                }
                this.all_children(*list)?;
            }
            this.push("G");
            Some(())
        })
    }

    /// Whether arguments are bound to `id` or to its context.
    fn is_specialized(&self, id: NodeId) -> bool {
        let mut level = Some(id);
        while let Some(id) = level {
            level = match self.kind(id) {
                Kind::BoundGeneric(_) | Kind::BoundGenericFunction | Kind::ConstrainedExistential => return true,
                Kind::Extension => self.tree.child(id, 1),
                kind if is_level(kind) => self.tree.child(id, 0),
                _ => None,
            };
        }
        false
    }

    /// `id` without the arguments that are bound to it and to its context.
    fn unspecialized(&mut self, id: NodeId) -> Option<NodeId> {
        let first = self.tree.child(id, 0)?;
        match self.kind(id) {
            Kind::BoundGeneric(_) | Kind::BoundGenericFunction => {
                let bound = self.tree.content(first);
                if self.is_specialized(bound) { self.nested(|this| this.unspecialized(bound)) } else { Some(bound) }
            }
            Kind::ConstrainedExistential => Some(first),
            Kind::Extension => {
                let extended = self.tree.child(id, 1)?;
                self.with_unspecialized(id, 1, extended)
            }
            kind if is_level(kind) => self.with_unspecialized(id, 0, first),
            _ => None,
        }
    }

    /// `id` with child number `index`, which is `context`, without arguments.
    fn with_unspecialized(&mut self, id: NodeId, index: usize, context: NodeId) -> Option<NodeId> {
        if !self.is_specialized(context) {
            return Some(id);
        }
        let mut children = self.children(id);
        children[index] = self.nested(|this| this.unspecialized(context))?;
        Some(self.tree.add_with_children(id, children))
    }

    fn generic_arguments(&mut self, id: NodeId, separator: &mut Separator, levels: Levels) -> Option<()> {
        let first = self.tree.child(id, 0);
        match self.kind(id) {
            Kind::Nominal(nominal) => {
                let levels = if nominal == Nominal::TypeAlias { Levels::All } else { levels };
                self.nested(|this| this.generic_arguments(first?, separator, levels))?;
                self.push(separator.next());
            }
            Kind::BoundGeneric(nominal) => {
                let levels = if nominal == Nominal::TypeAlias { Levels::All } else { levels };
                self.bound_arguments(id, separator, levels)?;
            }
            Kind::BoundGenericFunction => self.bound_arguments(id, separator, Levels::All)?,
            Kind::ConstrainedExistential => {
                self.push(separator.next());
                let arguments = self.tree.child(id, 1)?;
                self.all_children(arguments)?;
            }
            Kind::Extension => {
                let extended = self.tree.child(id, 1)?;
                self.nested(|this| this.generic_arguments(extended, separator, levels))?;
            }
            kind if is_level(kind) && levels == Levels::All => {
                self.nested(|this| this.generic_arguments(first?, separator, levels))?;
                if kind.consumes_generic_arguments() {
                    self.push(separator.next());
                }
            }
            _ => {}
        }
        Some(())
    }

    fn bound_arguments(&mut self, id: NodeId, separator: &mut Separator, levels: Levels) -> Option<()> {
        let bound = self.tree.content(self.tree.child(id, 0)?);
        let context = self.tree.child(bound, 0)?;
        self.generic_arguments(context, separator, levels)?;
        self.push(separator.next());
        let arguments = self.tree.child(id, 1)?;
        self.all_children(arguments)
    }

    fn opaque_type(&mut self, id: NodeId) -> Option<()> {
        self.substitutable(id, |this| {
            let name = this.tree.child(id, 0)?;
            match this.kind(name) {
                // The runtime does not count it as a target of later substitutions.
                Kind::SymbolicReference(reference) => {
                    let address = this.tree.get(name).index.try_into().ok()?;
                    this.buffer.reference(reference, address);
                }
                _ => this.node(name)?,
            }
            let lists = this.tree.child(id, 2)?;
            let mut separator = Separator::new();
            for list in this.children(lists) {
                this.push(separator.next());
                this.all_children(list)?;
            }
            this.optional_child(id, 3)?;
            this.push("Qo");
            this.child(id, 1)
        })
    }
}

/// Whether generic arguments can be bound to the context of a declaration of this kind.
fn is_level(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Nominal(_)
            | Kind::Function
            | Kind::Accessor(_)
            | Kind::Allocator
            | Kind::Constructor
            | Kind::Variable
            | Kind::Subscript
            | Kind::ExplicitClosure
            | Kind::ImplicitClosure
            | Kind::DefaultArgument
            | Kind::Implicit(_)
            | Kind::Static
    )
}

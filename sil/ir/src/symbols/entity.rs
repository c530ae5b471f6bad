//! The declaration in a function's symbol: its kind, its name, its context.

use super::Symbol;
use super::kind::Kind;
use super::spelling::{Accessor, Implicit};
use super::tree::{NodeId, Tree};

/// The declaration of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entity {
    /// The kind of declaration.
    pub kind: EntityKind,
    /// Its name; of an accessor that of the property.
    pub name: String,
    /// Where it stands.
    pub place: EntityPlace,
    /// `static` or `class`
    pub is_static: bool,
}

/// The kind of a function's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntityKind {
    /// `func`
    Function,
    /// `func` with the name of an operator.
    Operator,
    /// `init`
    Initializer,
    /// `deinit`
    Deinitializer,
    /// An accessor of a property.
    PropertyAccessor(Accessor),
    /// An accessor of a subscript.
    SubscriptAccessor(Accessor),
    /// `{ … }`
    Closure,
    /// An expression for an `@autoclosure` parameter, or the partial application of a method.
    ImplicitClosure,
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntityPlace {
    /// In a file.
    Module,
    /// In a type or its extension.
    Type,
    /// In a function.
    Local,
}

impl Symbol {
    /// The declaration of the symbol's function; none for thunks and other functions that compilers synthesise.
    pub fn entity(&self) -> Option<Entity> {
        let tree = &self.tree;
        let mut parts = tree.children(self.root).iter().filter(|part| !tree.kind(**part).is_reported_of_function());
        let (mut node, mut is_static) = (*parts.next()?, false);
        if tree.kind(node) == Kind::Static {
            (node, is_static) = (tree.child(node, 0)?, true);
        }
        let storage = match tree.kind(node) {
            Kind::Accessor(_) => tree.child(node, 0)?,
            _ => node,
        };
        let kind = match (tree.kind(node), tree.kind(storage)) {
            (Kind::Accessor(accessor), Kind::Subscript) => EntityKind::SubscriptAccessor(accessor),
            (Kind::Accessor(accessor), _) => EntityKind::PropertyAccessor(accessor),
            (Kind::Function, _) => match name(tree, node) {
                Some((Kind::Operator(_), _)) => EntityKind::Operator,
                _ => EntityKind::Function,
            },
            (Kind::Allocator | Kind::Constructor, _) => EntityKind::Initializer,
            (Kind::Implicit(Implicit::Deallocator | Implicit::Destructor), _) => EntityKind::Deinitializer,
            (Kind::ExplicitClosure, _) => EntityKind::Closure,
            (Kind::ImplicitClosure, _) => EntityKind::ImplicitClosure,
            _ => return None,
        };
        let name = match tree.kind(storage) {
            Kind::Subscript => "subscript".to_owned(),
            _ => name(tree, storage).map(|(_, text)| text.to_owned()).unwrap_or_default(),
        };
        let place = match tree.kind(tree.child(storage, 0)?) {
            Kind::Module => EntityPlace::Module,
            Kind::Nominal(_) | Kind::Extension => EntityPlace::Type,
            _ => EntityPlace::Local,
        };
        Some(Entity { kind, name, place, is_static })
    }

    /// Whether the symbol is of an initialiser that makes the object itself.
    pub fn is_allocator(&self) -> bool {
        self.tree.child(self.root, 0).is_some_and(|entity| self.tree.kind(entity) == Kind::Allocator)
    }

    /// Whether the symbol is of a function that gives the value that a stored property is declared with.
    pub fn is_initial_value(&self) -> bool {
        let is_initial = |entity| self.tree.kind(entity) == Kind::Implicit(Implicit::Initializer);
        self.tree.child(self.root, 0).is_some_and(is_initial)
    }

    /// The name of the variable that the symbol is of; none where it is of something else.
    pub fn variable_name(&self) -> Option<&str> {
        let [entity] = self.tree.children(self.root) else { return None };
        let is_static = self.tree.kind(*entity) == Kind::Static;
        let variable = if is_static { self.tree.child(*entity, 0)? } else { *entity };
        let is_variable = self.tree.kind(variable) == Kind::Variable;
        name(&self.tree, variable).filter(|_| is_variable).map(|(_, text)| text)
    }
}

/// The name of a declaration, with the kind of node that has it.
fn name(tree: &Tree, declaration: NodeId) -> Option<(Kind, &str)> {
    let mut open: Vec<NodeId> = tree.children(declaration).iter().skip(1).copied().collect();
    while let Some(node) = open.pop() {
        match tree.kind(node) {
            kind @ (Kind::Identifier | Kind::Operator(_)) => return Some((kind, &tree.get(node).text)),
            Kind::LocalDeclName | Kind::PrivateDeclName => open.extend(tree.children(node)),
            _ => {}
        }
    }
    None
}

//! How symbols name associated types: without a protocol where the type that they are members of has but one
//! (lib/AST/ASTMangler.cpp, `dropProtocolFromAssociatedType`). The symbols that the text of opaque types has always
//! name it.

use super::kind::Kind;
use super::tree::NodeId;
use super::{Symbol, Tree};

/// A type parameter, by its depth and index, or a member of one.
pub struct ParameterMember<'t> {
    /// The depth of the parameter.
    pub depth: u32,
    /// Its index.
    pub index: u32,
    /// The names on the way from it to the member.
    pub path: Vec<&'t str>,
}

impl Symbol {
    /// The symbol without the protocols of associated types whose base has one alone, by `is_clear`.
    pub fn without_clear_protocols(mut self, is_clear: &dyn Fn(&ParameterMember<'_>) -> bool) -> Symbol {
        let tree = &self.tree;
        let clear_name = |id| {
            let name = tree.child(id, 1).filter(|_| tree.kind(id) == Kind::DependentMember)?;
            let base = tree.parameter_member(tree.child(id, 0)?)?;
            (tree.kind(name) == Kind::AssociatedTypeName && is_clear(&base)).then_some(name)
        };
        let names: Vec<NodeId> = tree.ids().filter_map(clear_name).collect();
        for name in names {
            self.tree.get_mut(name).children.truncate(1);
        }
        self
    }
}

impl Tree {
    /// The type parameter, or the member of one, that `id` is.
    fn parameter_member(&self, id: NodeId) -> Option<ParameterMember<'_>> {
        let id = self.content(id);
        match self.kind(id) {
            Kind::GenericParam { depth, index } => Some(ParameterMember { depth, index, path: Vec::new() }),
            Kind::DependentMember => {
                let mut base = self.parameter_member(self.child(id, 0)?)?;
                let name = self.child(self.child(id, 1)?, 0)?;
                base.path.push(&self.get(name).text);
                Some(base)
            }
            _ => None,
        }
    }
}

//! Declarations: functions, variables, subscripts, accessors, initialisers, closures, macros.

use super::super::kind::Kind;
use super::super::spelling::Spelled;
use super::super::tree::NodeId;
use super::Remangler;

impl Remangler {
    pub(super) fn entity(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::Module => self.module(id)?,
            Kind::Extension => {
                self.child(id, 1)?;
                self.child(id, 0)?;
                self.optional_child(id, 2)?;
                self.push("E");
            }
            Kind::AnonymousContext => {
                self.child(id, 1)?;
                self.child(id, 0)?;
                self.child_list(id, 2)?;
                self.push("XZ");
            }
            Kind::Function => self.function(id)?,
            Kind::BoundGenericFunction => self.bound_function(id)?,
            Kind::Variable | Kind::Subscript => self.storage(id, "p")?,
            Kind::Accessor(accessor) => {
                let storage = self.tree.child(id, 0)?;
                self.storage(storage, accessor.letters())?;
            }
            Kind::Static => self.postfix(id, "Z")?,
            Kind::Allocator => self.postfix(id, "fC")?,
            Kind::Constructor => self.postfix(id, "fc")?,
            Kind::Macro => self.postfix(id, "fm")?,
            Kind::GenericTypeParamDecl => self.postfix(id, "fp")?,
            Kind::OpaqueReturnTypeOf => self.postfix(id, "QO")?,
            Kind::Implicit(implicit) => {
                self.postfix(id, "f")?;
                self.push(implicit.letters());
            }
            Kind::ExplicitClosure => self.closure(id, "fU")?,
            Kind::ImplicitClosure => self.closure(id, "fu")?,
            Kind::DefaultArgument => {
                self.child(id, 0)?;
                self.push("fA");
                self.child(id, 1)?;
            }
            Kind::AttachedMacro(role) => {
                let children = self.children(id);
                let (discriminator, names) = children.split_last()?;
                self.all(names)?;
                self.push("fM");
                self.push(role.letters());
                self.node(*discriminator)?;
            }
            Kind::FreestandingMacro(role) => {
                self.child(id, 0)?;
                self.optional_child(id, 3)?;
                self.child(id, 1)?;
                self.push("fM");
                self.push(role.letters());
                self.child(id, 2)?;
            }
            Kind::MacroLocation => {
                self.child(id, 0)?;
                self.child(id, 1)?;
                self.push("fMX");
                self.child(id, 2)?;
                self.child(id, 3)?;
            }
            Kind::LabelList => match self.children(id)[..] {
                [] => self.push("y"),
                ref labels => self.all(labels)?,
            },
            Kind::EmptyList => self.push("y"),
            Kind::FirstElementMarker => self.push("_"),
            Kind::VariadicMarker => self.push("d"),
            Kind::DeclList => {
                for name in self.children(id) {
                    self.node(name)?;
                    self.push("_");
                }
            }
            _ => self.ty(id, kind)?,
        }
        Some(())
    }

    /// The children of `id`, then `letters`.
    pub(super) fn postfix(&mut self, id: NodeId, letters: &str) -> Option<()> {
        self.all_children(id)?;
        self.push(letters);
        Some(())
    }

    fn storage(&mut self, id: NodeId, accessor: &str) -> Option<()> {
        self.all_children(id)?;
        self.push(match self.kind(id) {
            Kind::Variable => "v",
            Kind::Subscript => "i",
            _ => return None,
        });
        self.push(accessor);
        Some(())
    }

    /// A function's type has no letters of its own, its signature comes after it.
    fn function(&mut self, id: NodeId) -> Option<()> {
        let children = self.children(id);
        let (ty, before) = children.split_last()?;
        self.all(before)?;
        let ty = self.tree.content(*ty);
        let (function, signature) = match self.kind(ty) {
            Kind::GenericType => (self.tree.content(self.tree.child(ty, 1)?), self.tree.child(ty, 0)),
            _ => (ty, None),
        };
        self.children_reversed(function)?;
        if let Some(signature) = signature {
            self.node(signature)?;
        }
        self.push("F");
        Some(())
    }

    fn closure(&mut self, id: NodeId, letters: &str) -> Option<()> {
        self.child(id, 0)?;
        self.child(id, 2)?;
        self.push(letters);
        self.child(id, 1)
    }
}

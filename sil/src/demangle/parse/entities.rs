//! Declarations: functions, variables, subscripts, accessors, initialisers, closures, macros.

use super::super::node::{FunctionKind, Kind, NodeId};
use super::Parser;

impl Parser<'_> {
    pub(super) fn extension(&mut self) -> Option<NodeId> {
        let signature = self.pop_signature();
        let module = self.pop_module()?;
        let extended = self.pop_type_content().filter(|content| self.tree.kind(*content).is_nominal())?;
        let children: Vec<_> = [module, extended].into_iter().chain(signature).collect();
        Some(self.add(Kind::Extension, &children))
    }

    pub(super) fn plain_function(&mut self) -> Option<NodeId> {
        let signature = self.pop_signature();
        let mut ty = self.function_type(FunctionKind::Plain, None)?;
        let labels = self.labels(ty);
        if let Some(signature) = signature {
            ty = self.ty(Kind::GenericType, &[signature, ty]);
        }
        self.named_entity(Kind::Function, labels, ty)
    }

    /// An entity with a type and labels on the stack.
    fn entity(&mut self, kind: Kind) -> Option<NodeId> {
        let ty = self.pop_type()?;
        let labels = self.labels(ty);
        self.named_entity(kind, labels, ty)
    }

    fn named_entity(&mut self, kind: Kind, labels: Option<NodeId>, ty: NodeId) -> Option<NodeId> {
        let name = self.pop_name()?;
        let context = self.pop_context()?;
        let children: Vec<_> = [context, name].into_iter().chain(labels).chain([ty]).collect();
        Some(self.add(kind, &children))
    }

    pub(super) fn variable(&mut self) -> Option<NodeId> {
        let variable = self.entity(Kind::Variable)?;
        self.accessor(variable)
    }

    pub(super) fn subscript(&mut self) -> Option<NodeId> {
        let private = self.pop_kind(Kind::PrivateDeclName);
        let ty = self.pop_type()?;
        let labels = self.labels(ty);
        let context = self.pop_context()?;
        let children: Vec<_> = [context].into_iter().chain(labels).chain([ty]).chain(private).collect();
        let subscript = self.add(Kind::Subscript, &children);
        self.accessor(subscript)
    }

    fn accessor(&mut self, storage: NodeId) -> Option<NodeId> {
        let name = match self.next() {
            b'm' => "materializeForSet",
            b's' => "setter",
            b'g' | b'G' => "getter",
            b'w' => "willset",
            b'W' => "didset",
            b'r' => "read",
            b'y' => "read2",
            b'M' => "modify",
            b'x' => "modify2",
            b'b' => "borrow",
            b'z' => "mutate",
            b'i' => "init",
            b'a' => match self.next() {
                b'O' => "owningMutableAddressor",
                b'o' => "nativeOwningMutableAddressor",
                b'P' => "nativePinningMutableAddressor",
                b'u' => "unsafeMutableAddressor",
                _ => return None,
            },
            b'l' => match self.next() {
                b'O' => "owningAddressor",
                b'o' => "nativeOwningAddressor",
                b'p' => "nativePinningAddressor",
                b'u' => "unsafeAddressor",
                _ => return None,
            },
            b'p' => return Some(storage),
            _ => return None,
        };
        Some(self.add(Kind::Accessor(name), &[storage]))
    }

    pub(super) fn function_entity(&mut self) -> Option<NodeId> {
        let letter = self.next();
        let kind = match letter {
            b'D' => Kind::Deallocator("__deallocating_deinit"),
            b'd' => Kind::Destructor,
            b'Z' => Kind::Deallocator("__isolated_deallocating_deinit"),
            b'E' => Kind::IVar("__ivar_destroyer"),
            b'e' => Kind::IVar("__ivar_initializer"),
            b'i' => Kind::Initializer("variable initialization expression"),
            b'P' => Kind::Initializer("property wrapper backing initializer"),
            b'W' => Kind::Initializer("property wrapper init from projected value"),
            b'C' => Kind::Allocator,
            b'c' => Kind::Constructor,
            b'U' => Kind::ExplicitClosure,
            b'u' => Kind::ImplicitClosure,
            b'A' => Kind::DefaultArgument,
            b'm' => return self.entity(Kind::Macro),
            b'M' => return self.macro_expansion(),
            b'p' => return self.entity(Kind::GenericTypeParamDecl),
            _ => return None,
        };
        let children = match kind {
            Kind::Allocator | Kind::Constructor => {
                let private = self.pop_kind(Kind::PrivateDeclName);
                let ty = self.pop_type()?;
                let labels = self.labels(ty);
                let context = self.pop_context()?;
                [context].into_iter().chain(labels).chain([ty]).chain(private).collect()
            }
            Kind::ExplicitClosure | Kind::ImplicitClosure => {
                let index = self.number()?;
                let ty = self.pop_type()?;
                let context = self.pop_context()?;
                vec![context, index, ty]
            }
            Kind::DefaultArgument => {
                let index = self.number()?;
                let context = self.pop_context()?;
                vec![context, index]
            }
            _ => vec![self.pop_context()?],
        };
        Some(self.add(kind, &children))
    }

    fn macro_expansion(&mut self) -> Option<NodeId> {
        let (name, attached) = match self.next() {
            b'a' => ("accessor macro @", true),
            b'r' => ("memberAttribute macro @", true),
            b'm' => ("member macro @", true),
            b'p' => ("peer macro @", true),
            b'c' => ("conformance macro @", true),
            b'e' => ("extension macro @", true),
            b'q' => ("preamble macro @", true),
            b'b' => ("body macro @", true),
            b'f' => ("freestanding macro expansion #", false),
            b'u' => ("unique name #", false),
            b'X' => return self.macro_location(),
            _ => return None,
        };
        let macro_name = self.pop_kind(Kind::Identifier)?;
        let private = if name.starts_with("free") { self.pop_kind(Kind::PrivateDeclName) } else { None };
        let attached_name = if attached { self.pop_name() } else { None };
        let context = match self.pop_if(|kind| matches!(kind, Kind::MacroExpansion(_))) {
            Some(expansion) => expansion,
            None => self.pop_context()?,
        };
        let discriminator = self.number()?;
        let children: Vec<_> =
            [context].into_iter().chain(attached_name).chain([macro_name, discriminator]).chain(private).collect();
        Some(self.add(Kind::MacroExpansion(name), &children))
    }

    fn macro_location(&mut self) -> Option<NodeId> {
        let line = i64::from(self.index()?);
        let column = i64::from(self.index()?);
        let line = self.tree.add_index(Kind::Index, line);
        let column = self.tree.add_index(Kind::Index, column);
        let buffer = self.pop_kind(Kind::Identifier)?;
        let module = self.pop_kind(Kind::Identifier)?;
        Some(self.add(Kind::MacroExpansion(""), &[module, buffer, line, column]))
    }
}

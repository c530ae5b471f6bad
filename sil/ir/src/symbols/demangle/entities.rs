//! Declarations: functions, variables, subscripts, accessors, initialisers, closures, macros.

use super::super::kind::Kind;
use super::super::spelling::*;
use super::super::tree::NodeId;
use super::Demangler;

impl Demangler<'_> {
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
        if self.eat(b'p') {
            return Some(storage);
        }
        let accessor = self.eat_spelled::<Accessor>()?;
        Some(self.add(Kind::Accessor(accessor), &[storage]))
    }

    pub(super) fn function_entity(&mut self) -> Option<NodeId> {
        if let Some(implicit) = self.eat_spelled::<Implicit>() {
            let context = self.pop_context()?;
            return Some(self.add(Kind::Implicit(implicit), &[context]));
        }
        match self.next() {
            b'C' => self.constructor(Kind::Allocator),
            b'c' => self.constructor(Kind::Constructor),
            b'U' => self.closure(Kind::ExplicitClosure),
            b'u' => self.closure(Kind::ImplicitClosure),
            b'A' => {
                let index = self.number()?;
                let context = self.pop_context()?;
                Some(self.add(Kind::DefaultArgument, &[context, index]))
            }
            b'm' => self.entity(Kind::Macro),
            b'M' => self.macro_expansion(),
            b'p' => self.entity(Kind::GenericTypeParamDecl),
            _ => None,
        }
    }

    fn constructor(&mut self, kind: Kind) -> Option<NodeId> {
        let private = self.pop_kind(Kind::PrivateDeclName);
        let ty = self.pop_type()?;
        let labels = self.labels(ty);
        let context = self.pop_context()?;
        let children: Vec<_> = [context].into_iter().chain(labels).chain([ty]).chain(private).collect();
        Some(self.add(kind, &children))
    }

    fn closure(&mut self, kind: Kind) -> Option<NodeId> {
        let index = self.number()?;
        let ty = self.pop_type()?;
        let context = self.pop_context()?;
        Some(self.add(kind, &[context, index, ty]))
    }

    fn macro_expansion(&mut self) -> Option<NodeId> {
        if self.eat(b'X') {
            return self.macro_location();
        }
        if let Some(role) = self.eat_spelled::<AttachedMacro>() {
            let name = self.pop_kind(Kind::Identifier)?;
            let attached = self.pop_name();
            let context = self.pop_macro_context()?;
            let discriminator = self.number()?;
            let children: Vec<_> = [context].into_iter().chain(attached).chain([name, discriminator]).collect();
            return Some(self.add(Kind::AttachedMacro(role), &children));
        }
        let role = self.eat_spelled::<FreestandingMacro>()?;
        let name = self.pop_kind(Kind::Identifier)?;
        let private = self.pop_kind(Kind::PrivateDeclName);
        let context = self.pop_macro_context()?;
        let discriminator = self.number()?;
        let children: Vec<_> = [context, name, discriminator].into_iter().chain(private).collect();
        Some(self.add(Kind::FreestandingMacro(role), &children))
    }

    fn pop_macro_context(&mut self) -> Option<NodeId> {
        let expansion =
            |kind| matches!(kind, Kind::AttachedMacro(_) | Kind::FreestandingMacro(_) | Kind::MacroLocation);
        self.pop_if(expansion).or_else(|| self.pop_context())
    }

    fn macro_location(&mut self) -> Option<NodeId> {
        let line = self.number()?;
        let column = self.number()?;
        let buffer = self.pop_kind(Kind::Identifier)?;
        let module = self.pop_kind(Kind::Identifier)?;
        Some(self.add(Kind::MacroLocation, &[module, buffer, line, column]))
    }
}

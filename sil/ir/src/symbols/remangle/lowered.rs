//! Lowered types: function types with conventions, boxes.

use super::super::kind::Kind;
use super::super::spelling::Spelled;
use super::super::tree::NodeId;
use super::Remangler;

impl Remangler {
    pub(super) fn lowered(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::ImplFunctionType => self.impl_function_type(id),
            Kind::BoxType => self.box_type(id),
            _ => self.thunk(id, kind),
        }
    }

    /// Types, signatures and substitutions, then a letter for everything else.
    fn impl_function_type(&mut self, id: NodeId) -> Option<()> {
        let (mut signature, mut pattern, mut invocation) = (None, None, None);
        for child in self.children(id) {
            match self.kind(child) {
                kind if is_value(kind) => {
                    let ty = self.children(child).pop()?;
                    self.node(ty)?;
                }
                kind if kind.is_signature() => signature = Some(child),
                Kind::ImplPatternSubstitutions => pattern = Some(child),
                Kind::ImplInvocationSubstitutions => invocation = Some(child),
                _ => {}
            }
        }
        if let Some(signature) = signature {
            self.node(signature)?;
        }
        if let Some(invocation) = invocation {
            self.substitutions(&self.children(invocation))?;
        }
        if let Some(pattern) = pattern {
            let children = self.children(pattern);
            let (signature, arguments) = children.split_first()?;
            self.node(*signature)?;
            self.substitutions(arguments)?;
        }
        self.push("I");
        self.push(if pattern.is_some() { "s" } else { "" });
        self.push(if invocation.is_some() { "I" } else { "" });
        let is_pseudogeneric = |signature| self.kind(signature) == Kind::PseudogenericSignature;
        self.push(if signature.is_some_and(is_pseudogeneric) { "P" } else { "" });
        for child in self.children(id) {
            self.impl_part(child)?;
        }
        self.push("_");
        Some(())
    }

    /// The generic arguments, and the retroactive conformances that they need.
    fn substitutions(&mut self, lists: &[NodeId]) -> Option<()> {
        self.push("y");
        lists.iter().try_for_each(|list| self.all_children(*list))
    }

    fn impl_part(&mut self, id: NodeId) -> Option<()> {
        let letters = match self.kind(id) {
            Kind::ImplEscaping => "e",
            Kind::ImplErasedIsolation => "A",
            Kind::ImplSendable => "h",
            Kind::ImplAsync => "H",
            Kind::ImplSendingResult => "T",
            Kind::ImplDifferentiability(how) => how.letters(),
            Kind::ImplCallee(convention) => convention.letters(),
            Kind::ImplConvention(convention) => {
                let clang = self.tree.child(id, 0);
                self.push(if clang.is_some() { "z" } else { "" });
                self.push(convention.letters());
                return self.optional_child(id, 0);
            }
            Kind::ImplCoroutine(coroutine) => coroutine.letters(),
            Kind::ImplParameter(convention) => convention.letters(),
            Kind::ImplResult(convention) => convention.letters(),
            Kind::ImplYield(convention) => {
                self.push("Y");
                convention.letters()
            }
            Kind::ImplErrorResult(convention) => {
                self.push("z");
                convention.letters()
            }
            _ => return Some(()),
        };
        self.push(letters);
        for child in self.children(id) {
            if let Kind::ImplOption(option) = self.kind(child) {
                self.push(option.letters());
            }
        }
        Some(())
    }

    /// A mutable field is `inout` in the list.
    fn box_type(&mut self, id: NodeId) -> Option<()> {
        let layout = self.tree.child(id, 0)?;
        let fields = self.children(layout);
        self.list_by(&fields, |this, field| {
            this.child(field, 0)?;
            this.push(if this.kind(field) == Kind::MutableField { "z" } else { "" });
            Some(())
        })?;
        let Some(signature) = self.tree.child(id, 1) else {
            self.push("Xx");
            return Some(());
        };
        self.child_list(id, 2)?;
        self.node(signature)?;
        self.push("XX");
        Some(())
    }
}

/// Whether it is a parameter, a result, a yield or an error, whose last child is its type.
fn is_value(kind: Kind) -> bool {
    matches!(kind, Kind::ImplParameter(_) | Kind::ImplResult(_) | Kind::ImplYield(_) | Kind::ImplErrorResult(_))
}

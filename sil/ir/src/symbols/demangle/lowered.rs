//! Lowered types: function types with conventions, boxes.

use super::super::kind::Kind;
use super::super::operations::Operation;
use super::super::spelling::*;
use super::super::tree::NodeId;
use super::Demangler;

impl Demangler<'_> {
    pub(super) fn impl_function_type(&mut self) -> Option<NodeId> {
        let mut children = Vec::new();
        if self.eat(b's') {
            let (lists, conformances) = self.bound_generics()?;
            let signature = self.pop_signature()?;
            let arguments: Vec<_> = [signature, *lists.first()?].into_iter().chain(conformances).collect();
            children.push(self.add(Kind::ImplPatternSubstitutions, &arguments));
        }
        if self.eat(b'I') {
            let (lists, conformances) = self.bound_generics()?;
            let [list] = lists[..] else { return None };
            let arguments: Vec<_> = [list].into_iter().chain(conformances).collect();
            children.push(self.add(Kind::ImplInvocationSubstitutions, &arguments));
        }
        let mut signature = self.pop_signature();
        if let Some(found) = signature
            && self.eat(b'P')
        {
            let parts = self.tree.children(found).to_vec();
            signature = Some(self.add(Kind::PseudogenericSignature, &parts));
        }
        self.impl_attributes(&mut children)?;
        children.extend(signature);
        self.impl_values(&mut children)?;
        Some(self.ty(Kind::ImplFunctionType, &children))
    }

    fn impl_attributes(&mut self, children: &mut Vec<NodeId>) -> Option<()> {
        if self.eat(b'e') {
            children.push(self.add(Kind::ImplEscaping, &[]));
        }
        if self.eat(b'A') {
            children.push(self.add(Kind::ImplErasedIsolation, &[]));
        }
        if let Some(how) = self.eat_spelled::<Differentiability>() {
            children.push(self.add(Kind::ImplDifferentiability(how), &[]));
        }
        let callee = self.eat_spelled::<CalleeConvention>()?;
        children.push(self.add(Kind::ImplCallee(callee), &[]));
        self.impl_convention(children)?;
        if let Some(coroutine) = self.eat_spelled::<Coroutine>() {
            children.push(self.add(Kind::ImplCoroutine(coroutine), &[]));
        }
        for (letter, kind) in [(b'h', Kind::ImplSendable), (b'H', Kind::ImplAsync), (b'T', Kind::ImplSendingResult)] {
            if self.eat(letter) {
                children.push(self.add(kind, &[]));
            }
        }
        Some(())
    }

    fn impl_convention(&mut self, children: &mut Vec<NodeId>) -> Option<()> {
        let has_type = matches!(self.rest(), [b'z', b'B' | b'C', ..]) && self.eat(b'z');
        if let Some(convention) = self.eat_spelled::<FunctionConvention>() {
            let clang = if has_type { vec![self.clang_type()?] } else { Vec::new() };
            children.push(self.add(Kind::ImplConvention(convention), &clang));
        }
        Some(())
    }

    /// Parameters, results, yields and the error, whose types are on the stack.
    fn impl_values(&mut self, children: &mut Vec<NodeId>) -> Option<()> {
        let first = children.len();
        while let Some(convention) = self.eat_spelled() {
            let options = self.impl_options(ValueOption::ALL);
            children.push(self.add(Kind::ImplParameter(convention), &options));
        }
        while let Some(convention) = self.eat_spelled() {
            let options = self.impl_options(&[ValueOption::NoDerivative]);
            children.push(self.add(Kind::ImplResult(convention), &options));
        }
        while self.eat(b'Y') {
            let convention = self.eat_spelled()?;
            children.push(self.add(Kind::ImplYield(convention), &[]));
        }
        if self.eat(b'z') {
            let convention = self.eat_spelled()?;
            children.push(self.add(Kind::ImplErrorResult(convention), &[]));
        }
        if !self.eat(b'_') {
            return None;
        }
        for value in children[first..].iter().rev() {
            let ty = self.pop_type()?;
            self.append(*value, ty);
        }
        Some(())
    }

    fn impl_options(&mut self, known: &[ValueOption]) -> Vec<NodeId> {
        let mut options = Vec::new();
        for option in known {
            if self.eat(option.letters().as_bytes()[0]) {
                options.push(self.add(Kind::ImplOption(*option), &[]));
            }
        }
        options
    }

    pub(super) fn generic_box_type(&mut self) -> Option<NodeId> {
        let generics = [self.pop_signature()?, self.type_list()?];
        self.box_type(&generics)
    }

    /// A box with a layout, in which `generics` are the signature and its arguments; a mutable field is `inout` in the
    /// list.
    pub(super) fn box_type(&mut self, generics: &[NodeId]) -> Option<NodeId> {
        let list = self.type_list()?;
        let mut fields = Vec::new();
        for field in self.tree.children(list).to_vec() {
            let content = self.content(field)?;
            let (kind, ty) = match self.tree.kind(content) {
                Kind::Operation(Operation::InOut) => {
                    let inner = self.tree.child(content, 0)?;
                    (Kind::MutableField, self.wrap(inner))
                }
                _ => (Kind::ImmutableField, field),
            };
            fields.push(self.add(kind, &[ty]));
        }
        let layout = self.add(Kind::BoxLayout, &fields);
        let children: Vec<_> = [layout].iter().chain(generics).copied().collect();
        Some(self.ty(Kind::BoxType, &children))
    }
}

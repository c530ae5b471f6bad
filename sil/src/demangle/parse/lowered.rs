//! Lowered types: function types with conventions, boxes.

use super::super::node::{Kind, NodeId};
use super::Parser;

impl Parser<'_> {
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
        let signature = self.pop_signature();
        if signature.is_some() {
            // A pseudogeneric signature looks like any other.
            self.eat(b'P');
        }
        self.impl_attributes(&mut children)?;
        children.extend(signature);
        self.impl_values(&mut children)?;
        Some(self.ty(Kind::ImplFunctionType, &children))
    }

    fn impl_attribute(&mut self, text: &str, children: &mut Vec<NodeId>) {
        children.push(self.tree.add_text(Kind::ImplAttribute, text));
    }

    fn impl_attributes(&mut self, children: &mut Vec<NodeId>) -> Option<()> {
        if self.eat(b'e') {
            self.impl_attribute("@escaping", children);
        }
        if self.eat(b'A') {
            self.impl_attribute("@isolated(any)", children);
        }
        let differentiable = match self.peek() {
            b'd' => Some("@differentiable"),
            b'l' => Some("@differentiable(_linear)"),
            b'f' => Some("@differentiable(_forward)"),
            b'r' => Some("@differentiable(reverse)"),
            _ => None,
        };
        if let Some(text) = differentiable {
            self.next();
            self.impl_attribute(text, children);
        }
        let context = match self.next() {
            b'y' => "@callee_unowned",
            b'g' => "@callee_guaranteed",
            b'x' => "@callee_owned",
            b't' => "@convention(thin)",
            _ => return None,
        };
        self.impl_attribute(context, children);
        self.impl_convention(children)?;
        let coroutine = match self.peek() {
            b'A' => Some("@yield_once"),
            b'I' => Some("@yield_once_2"),
            b'G' => Some("@yield_many"),
            _ => None,
        };
        if let Some(text) = coroutine {
            self.next();
            self.impl_attribute(text, children);
        }
        if self.eat(b'h') {
            self.impl_attribute("@Sendable", children);
        }
        if self.eat(b'H') {
            self.impl_attribute("@async", children);
        }
        if self.eat(b'T') {
            children.push(self.add(Kind::ImplSendingResult, &[]));
        }
        Some(())
    }

    fn impl_convention(&mut self, children: &mut Vec<NodeId>) -> Option<()> {
        let start = self.at;
        let name = match self.next() {
            b'B' => "block",
            b'C' => "c",
            b'M' => "method",
            b'O' => "objc_method",
            b'K' => "closure",
            b'W' => "witness_method",
            b'z' if matches!(self.peek(), b'B' | b'C') => {
                let name = if self.next() == b'B' { "block" } else { "c" };
                let clang = self.clang_type()?;
                let text = format!("@convention({name}, mangledCType: \"{}\")", self.node(clang).text);
                self.impl_attribute(&text, children);
                return Some(());
            }
            _ => {
                self.at = start;
                return Some(());
            }
        };
        self.impl_attribute(&format!("@convention({name})"), children);
        Some(())
    }

    /// Parameters, results, yields and the error, whose types are on the stack.
    fn impl_values(&mut self, children: &mut Vec<NodeId>) -> Option<()> {
        let first = children.len();
        while let Some(convention) = self.parameter_convention() {
            let mut parts = vec![self.tree.add_text(Kind::ImplConvention, convention)];
            let derivative = if self.eat(b'w') { "@noDerivative " } else { "" };
            parts.push(self.tree.add_text(Kind::ImplConvention, derivative));
            for (letter, option) in [(b'T', "sending "), (b'I', "isolated "), (b'L', "sil_implicit_leading_param ")] {
                if self.eat(letter) {
                    parts.push(self.tree.add_text(Kind::ImplConvention, option));
                }
            }
            children.push(self.add(Kind::ImplParameter, &parts));
        }
        while let Some(convention) = self.result_convention() {
            let mut parts = vec![self.tree.add_text(Kind::ImplConvention, convention)];
            if self.eat(b'w') {
                parts.push(self.tree.add_text(Kind::ImplConvention, "@noDerivative "));
            }
            children.push(self.add(Kind::ImplResult(""), &parts));
        }
        while self.eat(b'Y') {
            let convention = self.parameter_convention()?;
            let convention = self.tree.add_text(Kind::ImplConvention, convention);
            children.push(self.add(Kind::ImplResult("@yields "), &[convention]));
        }
        if self.eat(b'z') {
            let convention = self.result_convention()?;
            let convention = self.tree.add_text(Kind::ImplConvention, convention);
            children.push(self.add(Kind::ImplResult("@error "), &[convention]));
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

    fn parameter_convention(&mut self) -> Option<&'static str> {
        let convention = match self.peek() {
            b'i' => "@in",
            b'c' => "@in_constant",
            b'l' => "@inout",
            b'b' => "@inout_aliasable",
            b'n' => "@in_guaranteed",
            b'X' => "@in_cxx",
            b'x' => "@owned",
            b'g' => "@guaranteed",
            b'e' => "@deallocating",
            b'y' => "@unowned",
            b'v' => "@pack_owned",
            b'p' => "@pack_guaranteed",
            b'm' => "@pack_inout",
            _ => return None,
        };
        self.next();
        Some(convention)
    }

    fn result_convention(&mut self) -> Option<&'static str> {
        let convention = match self.peek() {
            b'r' => "@out",
            b'o' => "@owned",
            b'd' => "@unowned",
            b'u' => "@unowned_inner_pointer",
            b'a' => "@autoreleased",
            b'k' => "@pack_out",
            _ => return None,
        };
        self.next();
        Some(convention)
    }

    pub(super) fn generic_box_type(&mut self) -> Option<NodeId> {
        let generics = [self.pop_signature()?, self.type_list()?];
        self.box_type(&generics)
    }

    /// A box with a layout, in which `generics` are the signature and its arguments; a mutable field is `inout` in the list.
    pub(super) fn box_type(&mut self, generics: &[NodeId]) -> Option<NodeId> {
        let list = self.type_list()?;
        let mut fields = Vec::new();
        for field in self.tree.children(list).to_vec() {
            let content = self.content(field)?;
            let (template, ty) = match self.tree.kind(content) {
                Kind::InOut => {
                    let inner = self.tree.child(content, 0)?;
                    ("var {0}", self.wrap(inner))
                }
                _ => ("let {0}", field),
            };
            fields.push(self.add(Kind::Phrase(template), &[ty]));
        }
        let layout = self.add(Kind::BoxLayout, &fields);
        let children: Vec<_> = [layout].iter().chain(generics).copied().collect();
        Some(self.ty(Kind::BoxType, &children))
    }
}

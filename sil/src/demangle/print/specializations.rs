//! Writes specializations and automatic differentiation.

use super::super::node::{Kind, NodeId, Specialization};
use super::super::parse::parameter_kind::*;
use super::Printer;

impl Printer<'_> {
    pub(super) fn specialization(&mut self, id: NodeId, specialization: Specialization) {
        if !self.is_full() {
            if !self.specialized {
                self.text("specialized ");
                self.specialized = true;
            }
            return;
        }
        self.text(specialization.description);
        self.text(" <");
        let (mut first, mut argument) = (true, 0);
        for child in self.children(id) {
            let kind = self.kind(*child);
            if matches!(kind, Kind::PassId | Kind::DroppedArgument) {
                continue;
            }
            if kind == Kind::IsSerialized || !self.children(*child).is_empty() {
                self.text(if first { "" } else { ", " });
                first = false;
            }
            if kind == Kind::IsSerialized {
                self.print(*child);
                continue;
            }
            if !self.children(*child).is_empty() {
                self.text(specialization.parameter_prefix);
                match kind {
                    Kind::SignatureParam => {
                        self.number(format_args!("Arg[{argument}] = "));
                        self.specialized_value(*child);
                    }
                    Kind::SignatureReturn => {
                        self.text("Return = ");
                        self.specialized_value(*child);
                    }
                    _ => self.print(*child),
                }
            }
            argument += 1;
        }
        self.text("> of ");
    }

    fn specialized_value(&mut self, id: NodeId) {
        let children = self.children(id);
        let Some(kind) = children.first().map(|kind| self.tree.get(*kind).index) else { return };
        let payloads = &children[1..];
        match (kind, payloads) {
            (FUNCTION | GLOBAL | INTEGER | FLOAT, [payload]) => {
                self.text("[");
                self.specialization_kind(kind);
                self.text(" : ");
                self.payload(*payload);
                self.text("]");
            }
            (STRING, [encoding, payload]) => {
                self.text("[");
                self.specialization_kind(kind);
                self.text(" : ");
                self.payload(*encoding);
                self.text("'");
                self.payload(*payload);
                self.text("']");
            }
            (KEY_PATH, [payload, root, value, ..]) => {
                self.text("[");
                self.specialization_kind(kind);
                self.text(" : ");
                self.payload(*payload);
                self.text("<");
                self.print(*root);
                self.text(",");
                self.print(*value);
                self.text(">]");
            }
            (CLOSURE, [payload, types @ ..]) => {
                self.text("[");
                self.specialization_kind(kind);
                self.text(" : ");
                self.payload(*payload);
                self.text(", Argument Types : [");
                // The reference writes no separator here.
                self.print_list(types, "");
                self.text("]");
            }
            (FUNCTION | GLOBAL | INTEGER | FLOAT | STRING | KEY_PATH | CLOSURE, _) => {}
            _ => self.specialization_kind(kind),
        }
    }

    /// Writes what a constant or a closure is: a symbol by its name.
    fn payload(&mut self, id: NodeId) {
        let text = &self.tree.get(id).text;
        match super::super::demangle_nested(text, self.style, self.symbols + 1) {
            Some(name) => self.text(&name),
            None => self.text(text),
        }
    }

    fn specialization_kind(&mut self, kind: i64) {
        let flags = [
            (EXISTENTIAL_TO_GENERIC, "Existential To Protocol Constrained Generic"),
            (DEAD, "Dead"),
            (OWNED_TO_GUARANTEED, "Owned To Guaranteed"),
            (GUARANTEED_TO_OWNED, "Guaranteed To Owned"),
            (EXPLODED, "Exploded"),
        ];
        let names: Vec<_> = flags.iter().filter(|(flag, _)| kind & flag != 0).map(|(_, name)| *name).collect();
        if !names.is_empty() {
            return self.text(&names.join(" and "));
        }
        self.text(match kind {
            BOX_TO_VALUE => "Value Promoted from Box",
            BOX_TO_STACK => "Stack Promoted from Box",
            INOUT_TO_OUT => "InOut Converted to Out",
            FUNCTION => "Constant Propagated Function",
            GLOBAL => "Constant Propagated Global",
            INTEGER => "Constant Propagated Integer",
            FLOAT => "Constant Propagated Float",
            STRING => "Constant Propagated String",
            KEY_PATH => "Constant Propagated KeyPath",
            _ => "Closure Propagated",
        });
    }

    pub(super) fn derivative_function(&mut self, id: NodeId, what: &str) {
        self.text(what);
        let children = self.children(id);
        let Some(end) = children.iter().position(|child| self.kind(*child) == Kind::DerivativeName) else { return };
        self.print(children[end]);
        self.text(" of ");
        let (mut original, mut signature) = (&children[..end], None);
        if let Some((last, before)) = original.split_last()
            && self.kind(*last) == Kind::GenericSignature
        {
            (original, signature) = (before, Some(*last));
        }
        self.print_list(original, "");
        if !self.is_full() {
            return;
        }
        self.text(" with respect to parameters ");
        self.print_child(id, end + 1);
        self.text(" and results ");
        self.print_child(id, end + 2);
        if let Some(signature) = signature {
            self.text(" with ");
            self.print(signature);
        }
    }

    pub(super) fn self_reordering_thunk(&mut self, id: NodeId) {
        self.text("autodiff self-reordering reabstraction thunk ");
        if !self.is_full() {
            self.template(id, "for {0}");
        } else if self.children(id).len() == 4 {
            self.template(id, "for {3}{2}  from {0} to {1}");
        } else {
            self.template(id, "for {2} from {0} to {1}");
        }
    }

    pub(super) fn subset_parameters_thunk(&mut self, id: NodeId) {
        let children = self.children(id);
        let Some(kind) = children.len().checked_sub(4) else { return };
        self.text("autodiff subset parameters thunk for ");
        self.print_child(id, kind);
        self.text(" from ");
        let last = kind.saturating_sub(1);
        self.print_list(&children[..last.max(1).min(kind)], "");
        if !self.is_full() {
            return;
        }
        self.text(" with respect to parameters ");
        self.print_child(id, kind + 1);
        self.text(" and results ");
        self.print_child(id, kind + 2);
        self.text(" to parameters ");
        self.print_child(id, kind + 3);
        if last > 0 {
            self.text(" of type ");
            self.print_child(id, last);
        }
    }

    pub(super) fn differentiability_witness(&mut self, id: NodeId) {
        let children = self.children(id);
        let Some(kind) = children.iter().position(|child| self.kind(*child) == Kind::DerivativeName) else { return };
        self.print(children[kind]);
        self.text(" differentiability witness for ");
        self.print_list(&children[..kind], "");
        self.text(" with respect to parameters ");
        self.print_child(id, kind + 1);
        self.text(" and results ");
        self.print_child(id, kind + 2);
        if let Some(signature) = self.child(id, kind + 3) {
            self.text(" with ");
            self.print(signature);
        }
    }

    pub(super) fn index_subset(&mut self, letters: &str) {
        let indices = letters.bytes().enumerate().filter(|(_, letter)| *letter == b'S');
        let indices: Vec<_> = indices.map(|(index, _)| index.to_string()).collect();
        self.number(format_args!("{{{}}}", indices.join(", ")));
    }
}

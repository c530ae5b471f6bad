//! Writes specializations and automatic differentiation.

use super::super::kind::{Kind, SignatureChange, ValueChanges};
use super::super::tree::NodeId;
use super::Printer;

impl Printer<'_> {
    pub(super) fn specialization(&mut self, id: NodeId, description: &str, parameter_prefix: &str) {
        if !self.is_full() {
            if !self.specialized {
                self.text("specialized ");
                self.specialized = true;
            }
            return;
        }
        self.text(description);
        self.text(" <");
        let (mut first, mut argument) = (true, 0);
        for child in self.children(id) {
            let kind = self.kind(*child);
            if matches!(kind, Kind::PassId | Kind::DroppedArgument | Kind::MetatypeParametersRemoved) {
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
                self.text(parameter_prefix);
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
        use SignatureChange::*;
        let Some((change, payloads)) = self.children(id).split_first() else { return };
        let Kind::SignatureChange(change) = self.kind(*change) else { return };
        match (change, payloads) {
            (ConstantFunction | ConstantGlobal | ConstantInteger | ConstantFloat, [payload]) => {
                self.change(change);
                self.payload(*payload);
                self.text("]");
            }
            (ConstantString, [encoding, payload]) => {
                self.change(change);
                if let Kind::StringEncoding(encoding) = self.kind(*encoding) {
                    self.text(encoding.text());
                }
                self.text("'");
                self.payload(*payload);
                self.text("']");
            }
            (ConstantKeyPath, [payload, root, value, ..]) => {
                self.change(change);
                self.payload(*payload);
                self.text("<");
                self.print(*root);
                self.text(",");
                self.print(*value);
                self.text(">]");
            }
            (Closure, [payload, types @ ..]) => {
                self.change(change);
                self.payload(*payload);
                self.text(", Argument Types : [");
                // The reference writes no separator here.
                self.print_list(types, "");
                self.text("]");
            }
            (BoxToValue | BoxToStack | InOutToOut, _) => self.text(name_of_change(change)),
            (Value(changes), _) => self.value_changes(changes),
            _ => {}
        }
    }

    /// Writes the replacement of a parameter, up to the payload.
    fn change(&mut self, change: SignatureChange) {
        self.number(format_args!("[{} : ", name_of_change(change)));
    }

    fn value_changes(&mut self, changes: ValueChanges) {
        let names = [
            (changes.existential_to_generic, "Existential To Protocol Constrained Generic"),
            (changes.dead, "Dead"),
            (changes.owned_to_guaranteed, "Owned To Guaranteed"),
            (changes.guaranteed_to_owned, "Guaranteed To Owned"),
            (changes.exploded, "Exploded"),
        ];
        let names: Vec<_> = names.iter().filter(|(done, _)| *done).map(|(_, name)| *name).collect();
        self.text(&names.join(" and "));
    }

    /// Writes a constant or a closure: a symbol by its name.
    fn payload(&mut self, id: NodeId) {
        let text = &self.tree.get(id).text;
        match super::super::demangle_nested(text, self.style, self.symbols + 1) {
            Some(name) => self.text(&name),
            None => self.text(text),
        }
    }

    pub(super) fn derivative_function(&mut self, id: NodeId, what: &str) {
        self.text(what);
        let children = self.children(id);
        let is_kind = |child: &NodeId| matches!(self.kind(*child), Kind::Derivative(_));
        let Some(end) = children.iter().position(is_kind) else { return };
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
        let is_kind = |child: &NodeId| matches!(self.kind(*child), Kind::WitnessedDerivative(_));
        let Some(kind) = children.iter().position(is_kind) else { return };
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

/// The text of names for a replaced parameter.
fn name_of_change(change: SignatureChange) -> &'static str {
    use SignatureChange::*;
    match change {
        ConstantFunction => "Constant Propagated Function",
        ConstantGlobal => "Constant Propagated Global",
        ConstantInteger => "Constant Propagated Integer",
        ConstantFloat => "Constant Propagated Float",
        ConstantString => "Constant Propagated String",
        ConstantKeyPath => "Constant Propagated KeyPath",
        Closure => "Closure Propagated",
        BoxToValue => "Value Promoted from Box",
        BoxToStack => "Stack Promoted from Box",
        InOutToOut => "InOut Converted to Out",
        Value(_) => "",
    }
}

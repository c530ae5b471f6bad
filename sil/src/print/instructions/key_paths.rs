//! Writes key path patterns.

use super::BodyPrinter;
use crate::context::{Name, TypeId};
use crate::model::{
    Details, InstructionId, KeyPathComponent, KeyPathComponentKind, KeyPathComputed, KeyPathIdentifier,
};
use crate::types::SilType;

impl BodyPrinter<'_, '_> {
    pub(super) fn key_path(&mut self, id: InstructionId) {
        let Details::KeyPath(pattern) = self.details(id) else { return };
        self.written_type(id, 0);
        self.printer.text(", ");
        if let Some(signature) = pattern.signature {
            self.printer.signature(signature);
            self.printer.text(" ");
        }
        self.printer.text("(");
        if let Some(objc) = pattern.objc {
            self.printer.text("objc ");
            self.printer.quoted(self.printer.context.text(objc));
            self.printer.text("; ");
        }
        self.printer.text("root $");
        self.printer.formal_type(pattern.root);
        for component in &pattern.components {
            self.printer.text("; ");
            self.component(component);
        }
        self.printer.text(")");
        if !pattern.substitutions.is_empty() {
            self.printer.text(" ");
            self.printer.substitutions(&pattern.substitutions);
        }
        if !self.operands(id).is_empty() {
            self.printer.text(" ");
            self.untyped_values(self.operands(id));
        }
    }

    fn component(&mut self, component: &KeyPathComponent) {
        match &component.kind {
            KeyPathComponentKind::StoredProperty(member) => {
                self.printer.text("stored_property ");
                self.printer.member(*member);
            }
            KeyPathComponentKind::TupleElement(index) => self.printer.number(format_args!("tuple_element #{index}")),
            KeyPathComponentKind::OptionalChain => self.printer.text("optional_chain"),
            KeyPathComponentKind::OptionalForce => self.printer.text("optional_force"),
            KeyPathComponentKind::OptionalWrap => self.printer.text("optional_wrap"),
            KeyPathComponentKind::Computed(computed) => {
                let settable = computed.setter.is_some();
                self.printer.text(if settable { "settable_property $" } else { "gettable_property $" });
                self.printer.formal_type(component.ty);
                return self.computed(computed);
            }
            KeyPathComponentKind::Method(computed) => {
                self.printer.text("method $");
                self.printer.formal_type(component.ty);
                return self.computed(computed);
            }
        }
        self.printer.text(" : $");
        self.printer.formal_type(component.ty);
    }

    fn computed(&mut self, computed: &KeyPathComputed) {
        self.printer.text(",  id ");
        match &computed.identifier {
            KeyPathIdentifier::Member(member, ty) => {
                self.printer.member(*member);
                if let Some(ty) = ty {
                    self.printer.text(" : ");
                    self.printer.formal_type(*ty);
                }
            }
            KeyPathIdentifier::Function(name, ty) => self.symbol_and_type((*name, *ty)),
            KeyPathIdentifier::Property(member) => {
                self.printer.text("#");
                self.printer.member(*member);
            }
        }
        self.printer.text(", getter ");
        self.symbol_and_type(computed.getter);
        if let Some(setter) = computed.setter {
            self.printer.text(", setter ");
            self.symbol_and_type(setter);
        }
        if !computed.indices.is_empty() {
            self.printer.text(", indices [");
            self.printer.list(&computed.indices, |printer, (operand, formal, lowered)| {
                printer.number(format_args!("%${operand} : $"));
                printer.formal_type(*formal);
                printer.text(" : ");
                printer.sil_type(*lowered);
            });
            self.printer.text("]");
        }
        for (word, function) in [("indices_equals", computed.equals), ("indices_hash", computed.hash)] {
            if let Some(function) = function {
                self.printer.number(format_args!(", {word} "));
                self.symbol_and_type(function);
            }
        }
        if let Some((member, substitutions)) = &computed.external {
            self.printer.text(", external ");
            self.printer.member(*member);
            self.printer.substitutions(substitutions);
        }
    }

    fn symbol_and_type(&mut self, (name, ty): (Name, TypeId)) {
        self.printer.symbol(name);
        self.printer.text(" : ");
        self.printer.sil_type(SilType::object(ty));
    }
}

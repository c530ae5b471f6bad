//! Writes the components of key paths: the twin of `syntax::key_path_components`.

use sil_ir::context::{Name, SilType, Sugar, TypeId};
use sil_ir::model::{KeyPathComponent, KeyPathComponentKind, KeyPathComputed, KeyPathIdentifier};

use super::Printer;

impl Printer<'_> {
    /// Writes a component.
    pub fn key_path_component(&mut self, component: &KeyPathComponent) {
        match &component.kind {
            KeyPathComponentKind::StoredProperty(member) => {
                self.text("stored_property ");
                self.member(*member);
            }
            KeyPathComponentKind::TupleElement(index) => self.number(format_args!("tuple_element #{index}")),
            KeyPathComponentKind::OptionalChain => self.text("optional_chain"),
            KeyPathComponentKind::OptionalForce => self.text("optional_force"),
            KeyPathComponentKind::OptionalWrap => self.text("optional_wrap"),
            KeyPathComponentKind::Computed(computed) => {
                let settable = computed.setter.is_some();
                self.text(if settable { "settable_property $" } else { "gettable_property $" });
                self.formal_type(component.ty);
                return self.computed(computed);
            }
            KeyPathComponentKind::Method(computed) => {
                self.text("method $");
                self.formal_type(component.ty);
                return self.computed(computed);
            }
        }
        self.text(" : $");
        self.formal_type(component.ty);
    }

    fn computed(&mut self, computed: &KeyPathComputed) {
        self.text(",  id ");
        match &computed.identifier {
            KeyPathIdentifier::Member(member, ty) => {
                self.member(*member);
                if let Some(interface) = self.interface(*member, ty.map(|ty| (ty, Sugar::default()))) {
                    self.text(" : ");
                    self.interface_type(interface);
                }
            }
            KeyPathIdentifier::Function(name, ty) => self.symbol_and_type((*name, *ty)),
            KeyPathIdentifier::Property(member) => {
                self.text("#");
                self.member(*member);
            }
        }
        self.text(", getter ");
        self.symbol_and_type(computed.getter);
        if let Some(setter) = computed.setter {
            self.text(", setter ");
            self.symbol_and_type(setter);
        }
        if !computed.indices.is_empty() {
            self.text(", indices [");
            self.list(&computed.indices, |printer, (operand, formal, lowered)| {
                printer.number(format_args!("%${operand} : $"));
                printer.formal_type(*formal);
                printer.text(" : ");
                printer.sil_type(*lowered);
            });
            self.text("]");
        }
        for (word, function) in [("indices_equals", computed.equals), ("indices_hash", computed.hash)] {
            if let Some(function) = function {
                self.number(format_args!(", {word} "));
                self.symbol_and_type(function);
            }
        }
        if let Some((member, substitutions)) = &computed.external {
            self.text(", external ");
            self.member(*member);
            self.substitutions(*substitutions);
        }
    }

    /// Writes `@symbol : $T`.
    pub(super) fn symbol_and_type(&mut self, (name, ty): (Name, TypeId)) {
        self.symbol(name);
        self.text(" : ");
        self.sil_type(SilType::object(ty));
    }
}

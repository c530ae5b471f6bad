//! Writes key path patterns.

use sil_ir::context::SubstitutionMapId;
use sil_ir::model::{Details, InstructionId};

use super::BodyPrinter;

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
            self.printer.key_path_component(component);
        }
        self.printer.text(")");
        if pattern.substitutions != SubstitutionMapId::EMPTY {
            self.printer.text(" ");
            self.printer.substitutions(pattern.substitutions);
        }
        if !self.operands(id).is_empty() {
            self.printer.text(" ");
            self.untyped_values(self.operands(id));
        }
    }
}

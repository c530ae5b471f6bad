//! Writes the description of a variable.

use sil_ir::context::{Mutability, SilType};
use sil_ir::model::{DebugLocation, DebugOperator, DebugVariable};
use sil_ir::source::Span;

use super::BodyPrinter;
use crate::print::DebugInformation;

impl BodyPrinter<'_, '_> {
    /// Writes the description of a variable, in an instruction at `here` in the source, and at `span` in the text.
    pub(super) fn variable(&mut self, variable: &DebugVariable, here: Option<DebugLocation>, span: Span) {
        if variable.name.is_some() {
            self.printer.text(match variable.mutability {
                Some(Mutability::Let) => ", let",
                Some(Mutability::Var) | None => ", var",
            });
        }
        if variable.implicit {
            self.printer.text(", implicit");
        }
        if let Some(name) = variable.name {
            let written = self.printer.options.debug_information != DebugInformation::Omit;
            let location = variable.location.filter(|_| written).and_then(|location| location.beside(here));
            let is_complete = self.printer.options.debug_information == DebugInformation::Complete;
            let is_elsewhere = |declared: &Span| *declared != span && variable.location.is_none();
            let declared = variable.declared.filter(|declared| is_complete && is_elsewhere(declared));
            self.printer.text(if location.is_some() || declared.is_some() { ", (name " } else { ", name " });
            self.printer.quoted(self.printer.context.text(name));
            if let Some(location) = location {
                self.variable_location(location);
                self.printer.text(")");
            } else if let Some(declared) = declared {
                self.text_place(declared);
                self.printer.text(")");
            }
        }
        // Arguments are counted from one.
        if let Some(argument) = variable.argument.filter(|argument| *argument > 0) {
            self.printer.number(format_args!(", argno {argument}"));
        }
        if let Some(ty) = variable.ty {
            self.printer.text(", type ");
            self.printer.sil_type(ty);
        }
        for (index, operator) in variable.expression.iter().enumerate() {
            self.printer.text(if index == 0 { ", expr " } else { ":" });
            self.operator(operator);
        }
    }

    fn operator(&mut self, operator: &DebugOperator) {
        match operator {
            DebugOperator::Dereference => self.printer.text("op_deref"),
            DebugOperator::Plus => self.printer.text("op_plus"),
            DebugOperator::Minus => self.printer.text("op_minus"),
            DebugOperator::Fragment(member) => {
                self.printer.text("op_fragment:");
                self.printer.member(*member);
            }
            DebugOperator::TupleFragment(ty, index) => {
                self.printer.text("op_tuple_fragment:");
                self.printer.sil_type(SilType::object(*ty));
                self.printer.number(format_args!(":{index}"));
            }
            DebugOperator::ConstantUnsigned(value) => self.printer.number(format_args!("op_constu:{value}")),
            DebugOperator::ConstantSigned(value) => self.printer.number(format_args!("op_consts:{value}")),
        }
    }
}

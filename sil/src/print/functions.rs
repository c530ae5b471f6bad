//! Writes functions and globals.

use super::Printer;
use super::body::BodyPrinter;
use crate::model::{Function, FunctionAttribute, FunctionFlag, Global, Linkage, Module, Serialization};
use crate::types::{Mutability, SilType, TypeQueries};

impl Printer<'_> {
    /// Writes a function.
    pub(super) fn function(&mut self, module: &Module, queries: &TypeQueries, function: &Function) {
        self.symbol_line("", function.name);
        self.text("sil ");
        let default = if function.body.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        self.linkage(function.linkage, default);
        let transparent = FunctionAttribute::Flag(FunctionFlag::Transparent);
        if function.attributes.contains(&transparent) {
            self.function_attribute(&transparent);
        }
        self.serialization(function.serialization);
        for attribute in function.attributes.iter().filter(|attribute| **attribute != transparent) {
            self.function_attribute(attribute);
        }
        self.symbol(function.name);
        self.text(" : $");
        self.function_type(function.ty, function.signature);
        if let Some(count) = function.entry_count {
            self.number(format_args!(" !function_entry_count({count})"));
        }
        let effects = || {
            function.attributes.iter().filter_map(|attribute| match attribute {
                FunctionAttribute::Effects(text) => Some(*text),
                _ => None,
            })
        };
        if function.body.is_none() && effects().next().is_none() {
            self.text("\n\n");
            return;
        }
        self.text(" {\n");
        for effect in effects() {
            self.text("[");
            self.name(effect);
            self.text("]\n");
        }
        if let Some(body) = &function.body {
            BodyPrinter::new(self, module, body).commented(queries).function_body();
        }
        self.text("} // end sil function '");
        self.name(function.name);
        self.text("'\n\n");
    }

    fn function_attribute(&mut self, attribute: &FunctionAttribute) {
        use FunctionAttribute::*;
        let (word, text, quoted) = match attribute {
            Flag(flag) => {
                self.number(format_args!("[{}] ", flag.name()));
                return;
            }
            Effects(_) => return,
            Semantics(text) => ("_semantics ", text, true),
            AsmName(text) => ("asmname ", text, true),
            Section(text) => ("section ", text, true),
            DynamicReplacementFor(text) => ("dynamic_replacement_for ", text, true),
            ObjCReplacementFor(text) => ("objc_replacement_for ", text, true),
            AdHocRequirementWitness(text) => ("ref_adhoc_requirement_witness ", text, true),
            Specialize(text) => ("_specialize ", text, false),
            Clang(text) => ("clang ", text, false),
            Extern(text) => ("extern ", text, false),
            Available(text) => ("available ", text, false),
            Expose(text) => ("expose ", text, false),
            Other(text) => ("", text, false),
        };
        let quote = if quoted { "\"" } else { "" };
        self.number(format_args!("[{word}{quote}{}{quote}] ", self.context.text(*text)));
    }

    /// Writes a linkage and a space, unless it is the default.
    pub(super) fn linkage(&mut self, linkage: Linkage, default: Linkage) {
        if linkage != default {
            self.text(linkage.name());
            self.text(" ");
        }
    }

    /// Writes `[serialized] ` and its like.
    pub(super) fn serialization(&mut self, serialization: Serialization) {
        self.text(match serialization {
            Serialization::None => "",
            Serialization::Serialized | Serialization::Serializable => "[serialized] ",
            Serialization::SerializedForPackage => "[serialized_for_package] ",
        });
    }

    /// Writes a global with its initialiser.
    pub(super) fn global(&mut self, module: &Module, queries: &TypeQueries, global: &Global) {
        self.symbol_line("", global.name);
        self.text("sil_global ");
        self.linkage(global.linkage, Linkage::Public);
        self.serialization(global.serialization);
        if global.mutability == Mutability::Let {
            self.text("[let] ");
        }
        if global.used {
            self.text("[used] ");
        }
        for (word, text) in [("asmname", global.asm_name), ("section", global.section)] {
            if let Some(text) = text {
                self.number(format_args!("[{word} \"{}\"] ", self.context.text(text)));
            }
        }
        for attribute in &global.other_attributes {
            self.number(format_args!("[{}] ", self.context.text(*attribute)));
        }
        self.symbol(global.name);
        self.text(" : ");
        self.sil_type(SilType::object(global.ty));
        if let Some(body) = &global.initializer {
            self.text(" = {\n");
            BodyPrinter::new(self, module, body).commented(queries).initializer();
            self.text("}\n");
        }
        self.text("\n\n");
    }
}

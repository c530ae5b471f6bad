//! Rules about functions, globals and tables as a whole: linkage, references between them, tables against declarations.

use super::show;
use crate::context::Name;
use crate::diagnostic::Diagnostic;
use crate::model::{
    Function, FunctionAttribute, Global, LanguageMode, Linkage, Module, Serialization, Stage, WitnessEntry,
};
use crate::source::Span;
use crate::types::TypeQueries;

/// All findings outside of function bodies.
pub(super) fn verify(module: &Module, queries: &TypeQueries<'_>) -> Vec<Diagnostic> {
    let mut verifier = EntityVerifier { module, queries, diagnostics: Vec::new() };
    for function in module.functions.values() {
        verifier.function(function);
    }
    for global in module.globals.values() {
        verifier.global(global);
    }
    verifier.tables();
    verifier.diagnostics
}

struct EntityVerifier<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    diagnostics: Vec<Diagnostic>,
}

impl EntityVerifier<'_> {
    fn fail(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, message, span));
    }

    fn function(&mut self, function: &Function) {
        let name = self.module.context.text(function.name);
        let foreign = function.attributes.iter().any(|attribute| {
            matches!(
                attribute,
                FunctionAttribute::Clang(_) | FunctionAttribute::Extern(_) | FunctionAttribute::AsmName(_)
            )
        });
        let serialized = function.serialization != Serialization::None;
        let embedded = self.module.mode == LanguageMode::Embedded;
        match (&function.body, function.linkage) {
            (None, Linkage::PublicNonAbi | Linkage::PackageNonAbi) => {
                self.fail(
                    "missing-body",
                    function.span,
                    format!("`@{name}` needs a body: its linkage makes every user emit it"),
                );
            }
            (None, Linkage::Hidden | Linkage::Private) if !foreign && self.module.stage != Stage::Raw => {
                self.fail(
                    "missing-body",
                    function.span,
                    format!("`@{name}` needs a body: its linkage says that it is defined here"),
                );
            }
            (Some(_), Linkage::Private | Linkage::Hidden) if serialized && !embedded => {
                self.fail(
                    "serialized-private",
                    function.span,
                    format!("`@{name}` cannot be serialized: others cannot see it"),
                );
            }
            (Some(_), Linkage::HiddenExternal) if !embedded && !serialized => {
                self.fail(
                    "external-body",
                    function.span,
                    format!("`@{name}` belongs to another file of its module and cannot have a body"),
                );
            }
            _ => {}
        }
    }

    fn global(&mut self, global: &Global) {
        let Some(body) = &global.initializer else { return };
        let Some(last) = body.instructions.values().last() else { return };
        let name = self.module.context.text(global.name);
        for instruction in body.instructions.values() {
            if instruction.opcode.information().position == crate::instructions::Position::Terminator {
                let message = format!(
                    "the static initializer of `@{name}` is a list of values, without `{}`",
                    instruction.opcode.name()
                );
                self.fail("static-initializer", instruction.span, message);
            }
        }
        let value = body.values.values().next_back();
        if let Some(value) = value
            && !value.ty.is_address()
            && !self.queries.agree_types(value.ty.ty, global.ty)
        {
            let expected = show(self.queries, crate::types::SilType::object(global.ty));
            let found = show(self.queries, value.ty);
            let message = format!(
                "the static initializer of `@{name}` must end with a value of type `{expected}`, not `{found}`"
            );
            self.fail("static-initializer", last.span, message);
        }
    }

    fn tables(&mut self) {
        for table in &self.module.vtables {
            for entry in &table.entries {
                self.implementation(entry.function, entry.span);
            }
        }
        for table in &self.module.witness_tables {
            for entry in table.entries.iter().flatten() {
                if let WitnessEntry::Method { function: Some(function), span, .. } = entry {
                    self.implementation(*function, *span);
                }
            }
        }
        for deinit in &self.module.deinits {
            self.implementation(deinit.function, deinit.span);
        }
    }

    fn implementation(&mut self, function: Name, span: Span) {
        if self.module.function_named(function).is_none() {
            let name = self.module.context.text(function);
            self.fail("unknown-function", span, format!("the module has no function `@{name}`"));
        }
    }
}

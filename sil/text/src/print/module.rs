//! Writes a module: its stage, imports, declarations, and its entities kind by kind.

use sil_ir::context::Name;
use sil_ir::declarations::Origin;
use sil_ir::model::{Function, Module, Stage};
use sil_ir::source::SourceMap;
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::{Declarations, Order, PrintOptions, Printer};
use crate::syntax::{statement, swift_declares};

/// The modules that Swift's printer imports in each module.
const IMPORTED: [&str; 3] = ["Builtin", "Swift", "SwiftShims"];

/// The beginning of the first line.
const STAGE: &str = "sil_stage ";

fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Raw => "raw",
        Stage::Canonical => "canonical",
        Stage::Lowered => "lowered",
    }
}

/// Whether the names of Swift's library mean something of the module itself, which does not import that.
fn hides_swift(module: &Module) -> bool {
    let text = |name| module.context.text(name);
    let own = module.declarations.iter().map(|(_, declaration)| declaration);
    let mut own = own.filter(|own| own.origin == Origin::Module && own.parent.is_none());
    module.imports.iter().all(|import| text(import.module) == IMPORTED[0])
        && own.any(|own| swift_declares(text(own.name)))
}

/// The text of `module`. `sources` has the files that its declarations were read from.
///
/// Reading it again and writing that gives the same text.
pub fn print_module(module: &Module, sources: &SourceMap) -> String {
    print_module_with(module, sources, PrintOptions::default())
}

/// The text of `module`, like [`print_module`], with `options`.
pub fn print_module_with(module: &Module, sources: &SourceMap, options: PrintOptions) -> String {
    let mut printer = Printer::with_options(&module.context, &module.declarations, options);
    printer.sources = Some(sources);
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    printer.header(module);
    if options.declarations == Declarations::Write {
        printer.declarations(module, sources);
    }
    for global in printer.ordered(module.globals.values(), |global| global.name) {
        printer.scopes(module, global.initializer.as_deref());
        printer.global(module, &queries, global);
    }
    for witness in &module.differentiability_witnesses {
        printer.differentiability_witness(witness);
    }
    for function in printer.ordered(module.functions.values(), |function| function.name) {
        printer.scopes(module, function.body.as_ref());
        printer.function(module, &queries, function);
    }
    printer.tables(module);
    let statement = statement(&printer.out, module.provenance);
    printer.out.insert_str(STAGE.len() + stage_word(module.stage).len(), &statement);
    printer.out
}

/// The text of a function of `module`, with `options`.
pub fn print_function(
    module: &Module,
    queries: &TypeQueries<'_>,
    function: &Function,
    options: PrintOptions,
) -> String {
    let mut printer = Printer::with_options(&module.context, &module.declarations, options);
    printer.first_scopes(module, function.body.as_ref());
    printer.function(module, queries, function);
    printer.out
}

impl Printer<'_> {
    /// `items` in the order that the options ask for.
    pub(super) fn ordered<'i, T>(
        &self,
        items: impl IntoIterator<Item = &'i T>,
        name: impl Fn(&T) -> Name,
    ) -> Vec<&'i T> {
        let mut items: Vec<&T> = items.into_iter().collect();
        if self.options.order == Order::Sorted {
            items.sort_by_key(|item| self.context.text(name(item)));
        }
        items
    }

    fn header(&mut self, module: &Module) {
        self.text(STAGE);
        self.text(stage_word(module.stage));
        self.text("\n\n");
        let imported = if hides_swift(module) { &IMPORTED[..1] } else { &IMPORTED };
        for known in imported {
            self.number(format_args!("import {known}\n"));
        }
        self.text("\n");
        for import in &module.imports {
            if IMPORTED.contains(&self.context.text(import.module)) {
                continue;
            }
            for attribute in &import.attributes {
                self.name(*attribute);
                self.text(" ");
            }
            self.text("import ");
            self.name(import.module);
            self.text("\n\n");
        }
    }
}

//! Writes a module: its stage, imports, declarations, and its entities kind by kind.

use rustc_hash::FxHashSet;

use super::{DebugInformation, Declarations, Order, PrintOptions, Printer};
use crate::context::Name;
use crate::model::{Details, Function, Module, Scope, ScopeId, ScopeParent, Stage};
use crate::source::SourceMap;
use crate::types::{ConformanceTable, TypeQueries};

/// What Swift's printer imports in each module.
const IMPORTED: [&str; 3] = ["Builtin", "Swift", "SwiftShims"];

/// The text of `module`. `sources` has the files that its declarations were read from.
///
/// Reading it again and writing that gives the same text.
pub fn print_module(module: &Module, sources: &SourceMap) -> String {
    print_module_with(module, sources, PrintOptions::default())
}

/// The text of `module`, like [`print_module`], with what `options` say.
pub fn print_module_with(module: &Module, sources: &SourceMap, options: PrintOptions) -> String {
    let mut printer = Printer::with_options(&module.context, &module.declarations, options);
    printer.sources = Some(sources);
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    printer.header(module);
    if options.declarations == Declarations::Write {
        printer.declarations(module, sources);
    }
    let mut scopes = FirstUses::new(module, options.debug_information);
    printer.scopes(module, scopes.unused());
    for global in printer.ordered(module.globals.values(), |global| global.name) {
        printer.global(module, &queries, global);
    }
    for witness in &module.differentiability_witnesses {
        printer.differentiability_witness(witness);
    }
    for function in printer.ordered(module.functions.values(), |function| function.name) {
        printer.scopes(module, scopes.first_used_in(function));
        printer.function(module, &queries, function);
    }
    printer.tables(module);
    printer.out
}

/// The text of a function of `module`, with what `options` say.
pub(crate) fn print_function(
    module: &Module,
    queries: &TypeQueries<'_>,
    function: &Function,
    options: PrintOptions,
) -> String {
    let mut printer = Printer::with_options(&module.context, &module.declarations, options);
    printer.function(module, queries, function);
    printer.out
}

/// Which functions are the first ones that use debug scopes, in the order in which functions are written.
struct FirstUses<'m> {
    module: &'m Module,
    debug_information: DebugInformation,
    /// Those that are written already.
    written: FxHashSet<ScopeId>,
}

impl<'m> FirstUses<'m> {
    fn new(module: &'m Module, debug_information: DebugInformation) -> Self {
        Self { module, debug_information, written: FxHashSet::default() }
    }

    /// The scopes that no function uses, in the module's order.
    fn unused(&self) -> Vec<ScopeId> {
        let mut used = Self::new(self.module, self.debug_information);
        self.module.functions.values().for_each(|function| drop(used.first_used_in(function)));
        if self.debug_information == DebugInformation::Omit {
            return Vec::new();
        }
        self.module.scopes.keys().filter(|scope| !used.written.contains(scope)).collect()
    }

    /// The scopes that `function` is the first to use, each behind those that enclose it.
    fn first_used_in(&mut self, function: &Function) -> Vec<ScopeId> {
        let mut found = Vec::new();
        let Some(body) = function.body.as_ref().filter(|_| self.debug_information != DebugInformation::Omit) else {
            return found;
        };
        for id in body.placed_instructions() {
            let instruction = &body.instructions[id];
            let own = instruction.location;
            let variable = match &instruction.details {
                Details::Variable(variable) => variable.location,
                _ => None,
            };
            for scope in [own, variable].into_iter().flatten().filter_map(|location| location.scope) {
                self.add(scope, &mut found);
            }
        }
        found
    }

    fn add(&mut self, scope: ScopeId, found: &mut Vec<ScopeId>) {
        if !self.written.insert(scope) {
            return;
        }
        let data = &self.module.scopes[scope];
        if let ScopeParent::Scope(parent) = data.parent {
            self.add(parent, found);
        }
        if let Some(inlined) = data.inlined_at {
            self.add(inlined, found);
        }
        found.push(scope);
    }
}

impl Printer<'_> {
    /// Writes scopes, and an empty line behind them.
    fn scopes(&mut self, module: &Module, scopes: Vec<ScopeId>) {
        for scope in &scopes {
            self.scope(module, &module.scopes[*scope]);
        }
        if !scopes.is_empty() {
            self.text("\n");
        }
    }

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
        self.text("sil_stage ");
        self.text(match module.stage {
            Stage::Raw => "raw",
            Stage::Canonical => "canonical",
            Stage::Lowered => "lowered",
        });
        self.text("\n\n");
        for known in IMPORTED {
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

    fn scope(&mut self, module: &Module, scope: &Scope) {
        self.text("sil_scope ");
        self.number(scope.number);
        self.text(" {");
        if let Some(place) = scope.place {
            self.text(" loc ");
            self.place(place);
        }
        match &scope.parent {
            ScopeParent::None => {}
            ScopeParent::Scope(parent) => {
                self.text(" parent ");
                self.number(module.scopes[*parent].number);
            }
            ScopeParent::Function { name, ty, function } => {
                self.text(" parent ");
                self.symbol(*name);
                self.text(" : $");
                let signature = function.and_then(|function| module.functions[function].signature);
                self.function_type(*ty, signature);
            }
        }
        if let Some(inlined) = scope.inlined_at {
            self.text(" inlined_at ");
            self.number(module.scopes[inlined].number);
        }
        self.text(" }\n");
    }
}

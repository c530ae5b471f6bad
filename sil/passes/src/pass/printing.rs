//! Prints functions before and after passes: `-sil-print-before`, `-sil-print-after`, `-sil-print-around`,
//! `-sil-print-all`, for the functions of `-sil-print-function` and `-sil-print-functions` (`doPrintBefore` and
//! `doPrintAfter` in lib/SILOptimizer/PassManager/PassManager.cpp). Printing does not affect the passes or their order.
//!
//! Does not own: the text form of SIL (`print`), and the destination of the text, which is a listener.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sil_ir::context::Name;
use sil_ir::model::{Function, Module};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::print::{PrintOptions, print_function};

use super::description::Pass;

/// The functions to print, and the passes to print them before and after.
#[derive(Clone, Default, Debug)]
pub struct PassPrinting {
    /// The printing for passes that no list names.
    pub others: OtherPasses,
    /// Functions are printed before passes whose name on the command line or in Swift's compiler contains one of these.
    pub before: Vec<String>,
    /// Functions are printed after these passes, changed or not.
    pub after: Vec<String>,
    /// Functions are printed before and after these passes.
    pub around: Vec<String>,
    /// The functions to print, with or without the `$` of mangled names. Empty for all.
    pub functions: Vec<String>,
    /// A part of the names of the functions to print.
    pub part: String,
    /// The print options.
    pub options: PrintOptions,
    /// The receiver of the text. Nothing is printed without one.
    pub listener: Option<Listener>,
}

/// The printing for passes that no list names.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OtherPasses {
    /// Nothing, unless functions are named.
    #[default]
    Nothing,
    /// The changed functions.
    Changes,
}

/// A receiver of the printed text.
#[derive(Clone)]
pub struct Listener(Arc<dyn Fn(&str) + Send + Sync>);

impl Listener {
    /// Creates a listener that calls `listen` with each piece of text.
    pub fn new(listen: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listen))
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Listener")
    }
}

/// The unit that a pass runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// One function.
    Function(Name),
    /// All functions of the module.
    Module,
}

/// The texts of functions before a pass.
pub(crate) struct Before {
    texts: Vec<(Name, String)>,
}

/// The condition for printing functions after a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Always,
    WhereChanged,
    Never,
}

impl PassPrinting {
    /// Prints the functions before a pass, if requested. Returns their texts for the comparison after the pass, or
    /// `None` if nothing is printed then.
    pub(crate) fn before(&self, pass: Pass, module: &Module, unit: Unit) -> Option<Before> {
        self.listener.as_ref()?;
        let (is_printed, behind) = (self.prints_before(pass), self.prints_after(pass));
        if !is_printed && behind == After::Never {
            return None;
        }
        let texts = self.texts(module, unit);
        if is_printed {
            texts.iter().for_each(|(_, text)| self.say("before", pass, text));
        }
        Some(Before { texts })
    }

    /// Prints the functions after a pass, if requested.
    pub(crate) fn after(&self, before: Option<Before>, pass: Pass, module: &Module, unit: Unit) {
        let behind = self.prints_after(pass);
        let Some(Before { texts }) = before.filter(|_| behind != After::Never) else { return };
        let known: FxHashMap<Name, String> = texts.into_iter().collect();
        for (name, text) in self.texts(module, unit) {
            if behind == After::Always || known.get(&name) != Some(&text) {
                self.say("after", pass, &text);
            }
        }
    }

    fn say(&self, when: &str, pass: Pass, text: &str) {
        if let Some(Listener(listen)) = &self.listener {
            listen(&format!("  *** SIL function {when} {} ({})\n{text}\n", pass.class_name(), pass.name()));
        }
    }

    fn prints_before(&self, pass: Pass) -> bool {
        let names = if self.before.is_empty() { &self.around } else { &self.before };
        pass.is_named(names)
    }

    /// A list of passes overrides the default for all passes.
    fn prints_after(&self, pass: Pass) -> After {
        let names = if self.after.is_empty() { &self.around } else { &self.after };
        let prints_changes = self.others == OtherPasses::Changes || !self.functions.is_empty() || !self.part.is_empty();
        match () {
            () if pass.is_named(names) => After::Always,
            () if names.is_empty() && prints_changes => After::WhereChanged,
            () => After::Never,
        }
    }

    fn is_selected(&self, name: &str) -> bool {
        let is_name = |wanted: &String| wanted == name || name.strip_prefix('$') == Some(wanted);
        (self.functions.is_empty() || self.functions.iter().any(is_name)) && name.contains(&self.part)
    }

    fn texts(&self, module: &Module, unit: Unit) -> Vec<(Name, String)> {
        let is_selected =
            |function: &&Function| function.body.is_some() && self.is_selected(module.context.text(function.name));
        let selected: Vec<&Function> = match unit {
            Unit::Module => module.functions.values().filter(is_selected).collect(),
            Unit::Function(name) => {
                let function = module.function_named(name).map(|id| &module.functions[id]);
                function.filter(is_selected).into_iter().collect()
            }
        };
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = TypeQueries::of(module, &conformances);
        let text = |function: &Function| print_function(module, &queries, function, self.options);
        selected.into_iter().map(|function| (function.name, text(function))).collect()
    }
}

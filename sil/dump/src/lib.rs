//! Analyses as text, for tests and for people: one line per answer, functions in textual order. The text of values and
//! instructions is that of `silc print`.
#![forbid(unsafe_code)]

mod access;
mod aliases;
mod calls;
mod effects;
mod graph;
mod sil_opt;
mod values;

pub use sil_opt::{LocationList, PrintingOptions, PrintingPass, StorageUseList, Stream};

use sil_analysis::{AnalyzedModule, BodyView};
use sil_ir::model::{Body, Function, FunctionId, InstructionId, Module, Value};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::print::{BodyText, symbol_text};

macro_rules! dumps {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// An analysis whose answers can be written as text.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Dump {
            $($(#[$doc])* $name,)*
        }

        impl Dump {
            /// All of them.
            pub const ALL: &'static [Dump] = &[$(Dump::$name,)*];

            /// The name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Dump::$name => $text,)*
                }
            }

            /// The analysis that is called `name`.
            pub fn from_name(name: &str) -> Option<Dump> {
                Self::ALL.iter().copied().find(|dump| dump.name() == name)
            }
        }
    };
}

dumps! {
    /// Predecessors and successors of each block.
    Cfg = "cfg",
    /// Immediate dominators and post-dominators, and the branches that decide whether a block runs.
    Dominators = "dominators",
    /// The blocks from which no path leaves the function.
    DeadEnds = "dead-ends",
    /// The uses of each value.
    Uses = "uses",
    /// The ownership of each value and the use of each operand.
    Ownership = "ownership",
    /// The effect of each instruction on memory: by itself, and on the memory at each address.
    MemoryBehavior = "memory-behavior",
    /// The instructions with effects beyond their results.
    MayHaveSideEffects = "may-have-side-effects",
    /// Which addresses may lead to the same memory.
    Alias = "alias",
    /// Addresses that types distinguish.
    Tbaa = "tbaa",
    /// The storage of each access to memory, and all uses of it.
    AccessStorage = "access-storage",
    /// The base, the path and the formal access of each address.
    AccessPath = "access-path",
    /// The relation of the memory at each two addresses, by their access paths.
    AccessOverlap = "access-overlap",
    /// The values that each value needs alive.
    ValueDependence = "value-dependence",
    /// The arguments of each apply site in all their numberings.
    ApplySites = "apply-sites",
    /// The SIL arguments and results of each function.
    FunctionConventions = "function-conventions",
}

/// The answers of an analysis about the functions of `module`, in textual order; about `only` one of them where it is
/// given.
pub fn dump(module: &Module, dump: Dump, only: Option<FunctionId>) -> String {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let analyzed = AnalyzedModule::new(module, &queries);
    let mut out = String::new();
    for (id, function) in &module.functions {
        if only.is_some_and(|only| only != id) {
            continue;
        }
        if let Dump::FunctionConventions = dump {
            calls::function_conventions(&queries, function, &mut out);
        } else if let Some(body) = &function.body {
            let text = BodyText::new(module, body);
            let mut dumper =
                Dumper { module, analyzed: &analyzed, queries: &queries, function, body, text, out: &mut out };
            dumper.line(format_args!("{} of {}:", dump.name(), symbol_text(module, function.name)));
            dumper.body(dump);
        }
    }
    out
}

/// Writes the answers about one body.
struct Dumper<'m, 'o> {
    module: &'m Module,
    analyzed: &'m AnalyzedModule<'m>,
    queries: &'m TypeQueries<'m>,
    function: &'m Function,
    body: &'m Body,
    text: BodyText<'m>,
    out: &'o mut String,
}

impl<'m> Dumper<'m, '_> {
    fn body(&mut self, dump: Dump) {
        match dump {
            Dump::Cfg => self.cfg(),
            Dump::Dominators => self.dominators(),
            Dump::DeadEnds => self.dead_ends(),
            Dump::Uses => self.uses(),
            Dump::Ownership => self.ownership(),
            Dump::MemoryBehavior => self.memory_behavior(),
            Dump::MayHaveSideEffects => self.side_effects(),
            Dump::Alias => self.aliases(),
            Dump::Tbaa => self.type_aliases(),
            Dump::AccessStorage => self.access_storage(),
            Dump::AccessPath => self.access_paths(),
            Dump::AccessOverlap => self.access_overlaps(),
            Dump::ValueDependence => self.dependences(),
            Dump::ApplySites => self.apply_sites(),
            Dump::FunctionConventions => {}
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        write_line(self.out, line);
    }

    fn view(&self) -> BodyView<'m> {
        BodyView::new(self.module, self.queries, self.function, self.body)
    }

    /// The addresses, in textual order.
    fn addresses(&self) -> Vec<Value> {
        let mut values = self.values();
        values.retain(|value| self.body.ty(*value).is_address());
        values
    }

    /// The instructions of all blocks, in textual order.
    fn instructions(&self) -> Vec<InstructionId> {
        self.body.placed_instructions().collect()
    }

    /// All values, in textual order.
    fn values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        for (block_id, block) in &self.body.blocks {
            values.extend_from_slice(&block.arguments);
            for id in self.body.instructions_in(block_id) {
                values.extend(self.body.results(id));
            }
        }
        values
    }
}

fn write_line(out: &mut String, line: std::fmt::Arguments<'_>) {
    use std::fmt::Write;
    // Writing to a string does not fail.
    let _ = writeln!(out, "{line}");
}

/// Texts with commas between them; `none` where there are none.
fn listed(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

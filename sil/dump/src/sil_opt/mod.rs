//! sil-opt's passes that change nothing: analyses as text, in Swift's words, for its tests
//! (lib/SILOptimizer/UtilityPasses).

mod access_summaries;
mod accessed_storage;
mod accesses;
mod callers;
mod calls;
mod inductions;
mod loops;
mod memory;
mod ranges;

use std::fmt::Write;

pub use self::accesses::StorageUseList;
use sil_analysis::{
    BodyView, ControlFlowGraph, DeadEndBlocks, ModuleExtent, OperandOwnership, OwnershipKinds, RcIdentity, Use,
};
use sil_ir::context::TypeId;
use sil_ir::model::{Body, Function, Module, Value};
use sil_ir::source::SourceMap;
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::print::{CommentedLines, Printer};
use sil_verify as verify;

macro_rules! printing_passes {
    ($($(#[$doc:meta])* $name:ident = $text:literal to $stream:ident,)*) => {
        /// A pass that writes text and changes nothing.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum PrintingPass {
            $($(#[$doc])* $name,)*
        }

        impl PrintingPass {
            /// The pass that sil-opt calls `name`.
            pub fn from_name(name: &str) -> Option<PrintingPass> {
                match name {
                    $($text => Some(PrintingPass::$name),)*
                    _ => None,
                }
            }

            /// Where it writes.
            pub fn stream(self) -> Stream {
                match self {
                    $(PrintingPass::$name => Stream::$stream,)*
                }
            }
        }
    };
}

printing_passes! {
    /// The constraint of each operand, and the ownership of each result.
    OwnershipDumper = "ownership-dumper" to Output,
    /// The value that has the reference count of each value.
    RcIdentityDumper = "rc-id-dumper" to Output,
    /// Which values may lead to the same memory.
    AliasInfo = "dump-alias-info" to Output,
    /// The effects of instructions on memory.
    MemoryBehavior = "dump-mem-behavior" to Output,
    /// Where objects go.
    EscapeInfo = "dump-escape-info" to Output,
    /// The effects of instructions by themselves.
    InstructionProperties = "basic-instruction-property-dump" to Output,
    /// The access paths of loads and stores.
    AccessPaths = "dump-access" to Output,
    /// The storage of accesses.
    AccessStorage = "access-storage-dump" to Output,
    /// The storage that functions access, their callees included.
    AccessStorageAnalysis = "access-storage-analysis-dump" to Output,
    /// The accesses of functions to the variables that they capture by address.
    AccessSummaries = "access-summary-dump" to Output,
    /// Where the uses of storage are not consistent.
    AccessPathVerification = "access-path-verification" to Errors,
    /// The blocks from which no path leaves the function.
    DeadEndBlocks = "dump-deadendblocks" to Output,
    /// Ranges of instructions and blocks.
    Ranges = "dump-ranges" to Output,
    /// Loops and how they nest.
    Loops = "loop-info-printer" to Errors,
    /// Variables of loops that grow by a constant.
    Inductions = "iv-info-printer" to Errors,
    /// The functions that calls may reach.
    Callees = "basic-callee-printer" to Output,
    /// The callers of functions.
    Callers = "caller-analysis-printer" to Output,
    /// The instructions that refer to functions.
    FunctionUses = "dump-function-uses" to Output,
    /// Functions, callees first.
    FunctionOrder = "function-order-printer" to Output,
    /// Errors in the lifetimes of values.
    OwnershipErrors = "ownership-verifier-textual-error-dumper" to Errors,
}

/// Where a pass writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// The standard output.
    Output,
    /// Where errors are written.
    Errors,
}

/// The options of printing passes beside the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct PrintingOptions {
    /// How much of a program the module is.
    pub extent: ModuleExtent,
    /// Whether the uses of storage are written with it.
    pub storage_uses: StorageUseList,
    /// Whether calls are written with the places that they come from.
    pub locations: LocationList,
}

/// Whether places are written (`-sil-print-debuginfo`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LocationList {
    #[default]
    Omit,
    Write,
}

impl PrintingPass {
    /// The output of the pass for `module`, which was read from `sources`: its functions with bodies, in textual order.
    pub fn text(self, module: &Module, sources: &SourceMap, options: PrintingOptions) -> String {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let each = |text: &dyn Fn(&Subject<'_>) -> String| each_body(module, queries, text);
        match self {
            PrintingPass::OwnershipDumper => each(&ownership),
            PrintingPass::RcIdentityDumper => each(&rc_identities),
            PrintingPass::OwnershipErrors => verify::lifetime_errors(module),
            PrintingPass::AliasInfo => each(&memory::aliases),
            PrintingPass::MemoryBehavior => each(&memory::behavior),
            PrintingPass::EscapeInfo => each(&memory::escapes),
            PrintingPass::InstructionProperties => each(&memory::properties),
            PrintingPass::AccessPaths => each(&accesses::paths),
            PrintingPass::AccessStorage => each(&|subject| accesses::storage(subject, options.storage_uses)),
            PrintingPass::AccessStorageAnalysis => accessed_storage::summaries(module, queries, options.extent),
            PrintingPass::AccessSummaries => access_summaries::summaries(module, queries),
            PrintingPass::AccessPathVerification => each(&accesses::inconsistencies),
            PrintingPass::DeadEndBlocks => each(&dead_end_blocks),
            PrintingPass::Ranges => each(&ranges::ranges),
            PrintingPass::Loops => loops::loops(module),
            PrintingPass::Inductions => each(&inductions::inductions),
            PrintingPass::Callees => {
                let subjects = subjects(module, queries).into_iter();
                let located = subjects.map(|subject| match options.locations {
                    LocationList::Write => Subject { lines: subject.lines.with_locations(sources), ..subject },
                    LocationList::Omit => subject,
                });
                located.map(|subject| calls::callees(&subject, options.extent)).collect()
            }
            PrintingPass::Callers => callers::callers(module, queries, options.extent),
            PrintingPass::FunctionUses => callers::uses(module, &subjects(module, queries), options.extent),
            PrintingPass::FunctionOrder => calls::order(module, queries, options.extent),
        }
    }
}

/// A function with a body, and its text.
struct Subject<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    function: &'m Function,
    body: &'m Body,
    lines: CommentedLines<'m>,
}

impl<'m> Subject<'m> {
    fn name(&self) -> &'m str {
        self.module.context.text(self.function.name)
    }

    fn view(&self) -> BodyView<'m> {
        BodyView::new(self.module, self.queries, self.function, self.body)
    }

    /// All values, in textual order.
    fn values(&self) -> Vec<Value> {
        let blocks = self.body.blocks.iter();
        let values = blocks.flat_map(|(id, block)| {
            let results = self.body.instructions_in(id).flat_map(|instruction| self.body.results(instruction));
            block.arguments.iter().copied().chain(results)
        });
        values.collect()
    }

    fn type_text(&self, ty: TypeId) -> String {
        let mut printer = Printer::new(&self.module.context, &self.module.declarations);
        printer.formal_type(ty);
        printer.out
    }
}

fn subjects<'m>(module: &'m Module, queries: &'m TypeQueries<'m>) -> Vec<Subject<'m>> {
    let bodies = module.functions.values().filter_map(|function| Some((function, function.body.as_ref()?)));
    let subject = |(function, body)| {
        let lines = CommentedLines::new(module, queries, body);
        Subject { module, queries, function, body, lines }
    };
    bodies.map(subject).collect()
}

fn each_body(module: &Module, queries: &TypeQueries<'_>, text: &dyn Fn(&Subject<'_>) -> String) -> String {
    subjects(module, queries).iter().map(text).collect()
}

/// The blocks from which no path leaves the function
/// (SwiftCompilerSources/Sources/Optimizer/TestPasses/DeadEndBlockDumper.swift).
fn dead_end_blocks(subject: &Subject<'_>) -> String {
    let dead_ends = DeadEndBlocks::new(subject.body, &ControlFlowGraph::new(subject.body));
    let blocks = subject.body.blocks.keys().filter(|block| dead_ends.contains(*block));
    let names: Vec<String> = blocks.map(|block| format!("bb{}", block.as_u32())).collect();
    let name = subject.name();
    format!("Function {name}\n[{}]\nend function {name}\n", names.join(","))
}

fn ownership(subject: &Subject<'_>) -> String {
    let Subject { queries, function, body, lines, .. } = subject;
    let kinds = OwnershipKinds::new(queries, function, body, &ControlFlowGraph::new(body));
    let mut out = format!("*** Dumping Function: '{}'\n", subject.name());
    // Writing to a string does not fail.
    let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
    for id in body.placed_instructions() {
        write(format_args!("Visiting: {}", lines.instruction(id)));
        let operands = body.operands(id);
        let taken = (0..).zip(operands).map(|(operand, _)| kinds.operand(Use { user: id, operand }));
        let mentioned = lines.dependences(id).iter().map(|_| OperandOwnership::Mention);
        for (number, does) in taken.chain(mentioned).enumerate() {
            let heading = if number == 0 { "Ownership Constraint:\n" } else { "" };
            write(format_args!("{heading}Op #: {number}\nConstraint: {}\n", does.constraint()));
        }
        for (number, value) in body.results(id).enumerate() {
            let heading = if number == 0 { "Results Ownership Kinds:\n" } else { "" };
            write(format_args!("{heading}Result: {}Kind: {}\n", lines.value(value), kinds.kind(value).name()));
        }
    }
    out
}

fn rc_identities(subject: &Subject<'_>) -> String {
    let body = subject.body;
    let view = subject.view();
    let identity = RcIdentity::new(&view);
    let mut out = format!("@{}@\nValueMap:\n", subject.name());
    // Writing to a string does not fail.
    let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
    let mut values: Vec<Value> = Vec::new();
    for block in body.blocks.keys() {
        values.extend(&body.blocks[block].arguments);
        values.extend(body.instructions_in(block).flat_map(|id| body.results(id)));
    }
    for (number, value) in values.iter().enumerate() {
        write(format_args!("\tValueMap[{number}] = {}", subject.lines.value(*value)));
    }
    for (number, value) in values.iter().enumerate() {
        let root = identity.root(*value);
        // Swift replaces a value that is not among them by the first.
        let root = values.iter().position(|other| *other == root).unwrap_or(0);
        write(format_args!("RESULT #{number}: {number} = {root}\n"));
    }
    write(format_args!("\n"));
    out
}

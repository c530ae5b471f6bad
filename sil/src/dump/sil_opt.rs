//! What sil-opt has as passes that change nothing: analyses as text, in Swift's words, for its tests
//! (lib/SILOptimizer/UtilityPasses).

use crate::analysis::{BodyView, ControlFlowGraph, OperandOwnership, OwnershipKinds, RcIdentity, Use};
use crate::model::{Body, Function, Module, Value};
use crate::print::CommentedLines;
use crate::types::{ConformanceTable, TypeQueries};
use crate::verify;
use std::fmt::Write;

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
    /// What each operand takes, and which ownership each result has.
    OwnershipDumper = "ownership-dumper" to Output,
    /// The value that has the reference count of each value.
    RcIdentityDumper = "rc-id-dumper" to Output,
    /// What is wrong with the lifetimes of values.
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

impl PrintingPass {
    /// What the pass writes about `module`: its functions with bodies, in textual order.
    pub fn text(self, module: &Module) -> String {
        match self {
            PrintingPass::OwnershipDumper => {
                each_body(module, |queries, function, body| ownership(module, queries, function, body))
            }
            PrintingPass::RcIdentityDumper => {
                each_body(module, |queries, function, body| rc_identities(module, queries, function, body))
            }
            PrintingPass::OwnershipErrors => verify::lifetime_errors(module),
        }
    }
}

fn each_body(module: &Module, text: impl Fn(&TypeQueries<'_>, &Function, &Body) -> String) -> String {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let bodies = module.functions.values().filter_map(|function| Some((function, function.body.as_ref()?)));
    bodies.map(|(function, body)| text(&queries, function, body)).collect()
}

fn ownership(module: &Module, queries: &TypeQueries<'_>, function: &Function, body: &Body) -> String {
    let kinds = OwnershipKinds::new(queries, function, body, &ControlFlowGraph::new(body));
    let lines = CommentedLines::new(module, queries, body);
    let mut out = format!("*** Dumping Function: '{}'\n", queries.context.text(function.name));
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

fn rc_identities(module: &Module, queries: &TypeQueries<'_>, function: &Function, body: &Body) -> String {
    let view = BodyView::new(module, queries, function, body);
    let identity = RcIdentity::new(&view);
    let lines = CommentedLines::new(module, queries, body);
    let mut out = format!("@{}@\nValueMap:\n", queries.context.text(function.name));
    // Writing to a string does not fail.
    let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
    let mut values: Vec<Value> = Vec::new();
    for block in body.blocks.keys() {
        values.extend(&body.blocks[block].arguments);
        values.extend(body.instructions_in(block).flat_map(|id| body.results(id)));
    }
    for (number, value) in values.iter().enumerate() {
        write(format_args!("\tValueMap[{number}] = {}", lines.value(*value)));
    }
    for (number, value) in values.iter().enumerate() {
        let root = identity.root(*value);
        // Swift takes what is not among them for the first.
        let root = values.iter().position(|other| *other == root).unwrap_or(0);
        write(format_args!("RESULT #{number}: {number} = {root}\n"));
    }
    write(format_args!("\n"));
    out
}

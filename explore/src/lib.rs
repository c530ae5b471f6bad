//! Explorer pages: SIL, LLVM IR and assembly of one module side by side in one self-contained HTML page, with the
//! relations of their lines.
//!
//! Owns the reading of provenance from LLVM's text output and the page. It compiles nothing: callers bring the texts,
//! made with debug locations that name lines of the SIL text.
#![forbid(unsafe_code)]

mod assembly;
mod llvm_ir;
mod page;
mod provenance;

use serde::Serialize;

pub use page::page;

/// A module to explore.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The title of the page: the name of the file.
    pub title: String,
    /// The SIL text, as its author wrote it.
    pub sil: String,
    /// The functions of the module that have a body, in the order of the text.
    pub functions: Vec<Function>,
    /// The diagnostics of the module.
    pub findings: Vec<Finding>,
    /// The results of compilation, in the order of the tabs.
    pub variants: Vec<Variant>,
}

/// A function in the SIL text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Function {
    /// Its symbol.
    pub symbol: String,
    /// Its readable name.
    pub name: String,
    /// The line that it begins in, from 1.
    pub first_line: u32,
    /// The line that it ends in.
    pub last_line: u32,
    /// The lines of its blocks' labels.
    pub block_lines: Vec<u32>,
    /// The picture of its control-flow graph, SVG with an element of the class `block` for each block, in order.
    #[serde(skip)]
    pub graph: String,
}

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The module cannot be compiled.
    Error,
    /// It can.
    Warning,
    /// Said in addition to another finding.
    Note,
}

/// A finding at a line of the SIL text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The line, from 1; 0 where it is about the whole module.
    pub line: u32,
}

/// The module compiled for one target at one level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The text of the tab, such as `x86_64 -O2`.
    pub name: String,
    /// LLVM's printed IR, with debug locations that are lines of the SIL text.
    pub llvm_ir: String,
    /// The assembly, with `.loc` directives that are lines of the SIL text.
    pub assembly: String,
}

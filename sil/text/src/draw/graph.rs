//! The graph to draw: boxes with lines of text, and labelled edges between them.

use cranelift_entity::EntityRef;
use sil_ir::model::{Body, Function, Module};

use crate::print::print_blocks;

/// Lines longer than this many characters are shortened.
const LONGEST_LINE: usize = 88;

/// A control-flow graph.
pub struct Graph {
    /// The function's symbol.
    pub title: String,
    /// A box per block, the entry's first.
    pub boxes: Vec<TextBox>,
    /// The edges, in the order of the blocks they leave.
    pub edges: Vec<Edge>,
}

/// A block.
pub struct TextBox {
    /// The label with the arguments.
    pub label: String,
    /// The instructions.
    pub lines: Vec<String>,
}

/// An edge, from one box to another by their numbers.
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// When it is taken; empty where it always is.
    pub label: String,
}

impl Graph {
    pub fn new(module: &Module, function: &Function, body: &Body) -> Self {
        let mut boxes = Vec::new();
        let mut edges = Vec::new();
        for (from, block) in print_blocks(module, function, body).into_iter().enumerate() {
            let found = block.edges.into_iter();
            edges.extend(found.map(|edge| Edge { from, to: edge.target.index(), label: shortened(&edge.label) }));
            let lines = block.instructions.iter().map(|line| shortened(line)).collect();
            boxes.push(TextBox { label: shortened(&block.label), lines });
        }
        Self { title: module.context.text(function.name).to_owned(), boxes, edges }
    }
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= LONGEST_LINE {
        return line.to_owned();
    }
    line.chars().take(LONGEST_LINE - 1).chain(['…']).collect()
}

//! A graph as Graphviz text.

use std::fmt::Write;

use super::graph::Graph;

/// The text, for `dot -Tsvg` and its like.
pub fn write(graph: &Graph) -> String {
    let mut out = String::new();
    line(&mut out, format_args!("digraph \"{}\" {{", escaped(&graph.title)));
    line(&mut out, format_args!("  graph [label=\"{}\", labelloc=t, fontname=monospace]", escaped(&graph.title)));
    line(&mut out, "  node [shape=box, fontname=monospace, fontsize=10]");
    line(&mut out, "  edge [fontname=monospace, fontsize=10]");
    for (number, found) in graph.boxes.iter().enumerate() {
        // `\l` ends a line that stands at the left.
        let mut text = format!("{}:\\l", escaped(&found.label));
        for instruction in &found.lines {
            text.push_str("  ");
            text.push_str(&escaped(instruction));
            text.push_str("\\l");
        }
        line(&mut out, format_args!("  bb{number} [label=\"{text}\"]"));
    }
    for edge in &graph.edges {
        match edge.label.as_str() {
            "" => line(&mut out, format_args!("  bb{} -> bb{}", edge.from, edge.to)),
            label => line(&mut out, format_args!("  bb{} -> bb{} [label=\"{}\"]", edge.from, edge.to, escaped(label))),
        }
    }
    out.push_str("}\n");
    out
}

fn line(out: &mut String, text: impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

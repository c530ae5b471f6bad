//! The pass that splits all critical edges.

use sil_analysis::Change;
use sil_ir::diagnostic::Diagnostic;

use crate::editing::critical_edges;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const CRITICAL_EDGE_SPLITTING: Pass = Pass::new(&Description {
    name: "split-critical-edges",
    class_name: "SplitAllCriticalEdges",
    summary: "Splits critical edges of `cond_br`.",
    gates: Gates::OPEN,
    runner: Runner::Function(split),
});

/// Splits all critical edges of a function.
pub(crate) fn split(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    let mut body = before.clone();
    critical_edges::split_in(&mut body, analyses.cfg(before));
    if body.blocks.len() == before.blocks.len() {
        return Ok(None);
    }
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

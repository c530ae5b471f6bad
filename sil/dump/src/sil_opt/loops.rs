//! Loops and how they nest, in LLVM's words (lib/SILOptimizer/UtilityPasses/LoopInfoPrinter.cpp).

use sil_analysis::{ControlFlowGraph, Dominators, LoopId, LoopNest};
use sil_ir::model::{BlockId, Body, Module};

/// The loops of the functions in front of the first one without any.
pub(super) fn loops(module: &Module) -> String {
    let mut out = String::new();
    for function in module.functions.values() {
        let Some(body) = &function.body else { continue };
        let name = module.context.text(function.name);
        let cfg = ControlFlowGraph::new(body);
        let nest = LoopNest::new(body, &cfg, &Dominators::new(body, &cfg));
        if nest.loops.is_empty() {
            return out + &format!("No loops in {name}\n");
        }
        out += &format!("Loops in {name}\n");
        let text = Text { body, cfg: &cfg, nest: &nest };
        text.nested(None, 0).into_iter().rev().for_each(|lines| out += &lines);
    }
    out
}

struct Text<'b> {
    body: &'b Body,
    cfg: &'b ControlFlowGraph,
    nest: &'b LoopNest,
}

impl Text<'_> {
    /// The lines of each loop right in `parent`.
    fn nested(&self, parent: Option<LoopId>, indent: usize) -> Vec<String> {
        let inner = (0..self.nest.loops.len()).filter(|id| self.nest.loops[*id].parent == parent);
        inner.map(|id| self.line(id, indent) + &self.nested(Some(id), indent + 4).concat()).collect()
    }

    fn line(&self, id: LoopId, indent: usize) -> String {
        let header = self.nest.loops[id].header;
        let others =
            self.cfg.reverse_post_order().iter().filter(|block| **block != header && self.nest.contains(id, **block));
        let blocks: Vec<String> = std::iter::once(&header).chain(others).map(|block| self.block(id, *block)).collect();
        let depth = self.nest.loops[id].depth;
        format!("{:indent$}Loop at depth {depth} containing: {}\n", "", blocks.join(","))
    }

    fn block(&self, id: LoopId, block: BlockId) -> String {
        let targets = self.body.terminator(block).map(|end| self.body.targets(end)).unwrap_or_default();
        let header = self.nest.loops[id].header;
        let marks = [
            ("<header>", block == header),
            ("<latch>", targets.contains(&header)),
            ("<exiting>", targets.iter().any(|target| !self.nest.contains(id, *target))),
        ];
        let marks = marks.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark);
        format!("bb{}{}", block.as_u32(), marks.collect::<String>())
    }
}

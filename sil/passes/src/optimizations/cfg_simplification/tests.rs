//! Single steps of the simplification, which unit tests request.

use sil_analysis::Dominators;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId};

use super::super::borrowed_phis;
use super::super::phi_arguments::PhiArguments;
use super::{CfgSimplifier, Paths};
use crate::pass::{Environment, Rewrite};

/// A step of the simplification.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Simplifies a block argument.
    Argument { block: BlockId, index: usize },
    /// Simplifies the arguments of all blocks.
    Arguments,
    /// Threads a `br` by cloning its target.
    Threading(InstructionId),
    /// Replaces a terminator whose successors all meet at once.
    IdenticalTargets(BlockId),
    /// Folds a `switch_enum` with a known case.
    KnownCase(InstructionId),
    /// Folds a `switch_enum` of which all cases but one are unreachable.
    UnreachableCases(InstructionId),
}

/// Performs one step. Returns `None` if there is nothing to do.
pub(crate) fn run(environment: Environment<'_>, step: Step) -> Option<Rewrite> {
    let mut simplifier = CfgSimplifier::new(environment, Paths::OfArguments);
    let block_of = |id: InstructionId| environment.body.instructions[id].block;
    match step {
        Step::Argument { block, index } => simplifier.simplify_received(block, index),
        Step::Arguments => {
            let dominators = Dominators::new(environment.body, &simplifier.cfg());
            simplifier.simplify_all_arguments(&dominators);
        }
        Step::Threading(jump) if simplifier.simplifier.editor.opcode(jump) == Opcode::Br => {
            let _ = simplifier.thread_jump(block_of(jump), jump);
        }
        Step::IdenticalTargets(block) => simplifier.join_cases(block),
        Step::KnownCase(switch) => drop(simplifier.fold_switch(block_of(switch))),
        Step::UnreachableCases(switch) if simplifier.simplifier.editor.opcode(switch) == Opcode::SwitchEnum => {
            let _ = simplifier.simplifier.switch_to_reachable(switch);
        }
        Step::Threading(_) | Step::UnreachableCases(_) => {}
    }
    let editor = &mut simplifier.simplifier.editor;
    let body = editor.body();
    let arguments = body.blocks.keys().skip(1).flat_map(|block| body.blocks[block].arguments.clone());
    let arguments = arguments.collect::<Vec<_>>();
    if editor.has_ownership() {
        borrowed_phis::complete(editor, &arguments);
    }
    simplifier.simplifier.finish()
}

impl CfgSimplifier<'_> {
    fn simplify_received(&mut self, block: BlockId, index: usize) {
        if let Some(argument) = self.body().blocks[block].arguments.get(index).copied() {
            let _ = PhiArguments { editor: &mut self.simplifier.editor }.pass_part(argument);
        }
    }
}

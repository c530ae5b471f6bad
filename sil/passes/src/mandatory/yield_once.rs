//! Checks that accessor coroutines yield exactly once on every path (lib/SILOptimizer/Mandatory/YieldOnceCheck.cpp).

use std::collections::VecDeque;

use cranelift_entity::SecondaryMap;
use sil_analysis::ControlFlowGraph;
use sil_ir::context::{CoroutineKind, MemberTarget, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CondBr, SwitchEnum, SwitchValue, TryApply};
use sil_ir::model::{BlockId, Body, DefaultCase, InstructionId};
use sil_ir::types::TypeQueries;

use crate::messages::findings::{error_at, note_at};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const YIELD_ONCE_CHECK: Pass = Pass::new(&Description {
    name: "yield-once-check",
    class_name: "YieldOnceCheck",
    summary: "Diagnoses accessors that yield twice, or not on every path.",
    gates: Gates::OPEN,
    runner: Runner::Function(diagnose),
});

const CODE: &str = "yield-once";

/// Reports a yield-once coroutine that yields repeatedly, or not on every path.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body, analyses, .. } = environment;
    let yields_once = match queries.get(function.ty) {
        Type::Function(function) => function.coroutine == CoroutineKind::YieldOnce,
        _ => false,
    };
    if !yields_once || body.blocks.is_empty() {
        return Ok(None);
    }
    let mut check = Check { queries, body, cfg: analyses.cfg(body), states: SecondaryMap::new() };
    let diagnostics = check.run().into_iter().collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// The yields on the paths to a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No yield.
    Before,
    /// This yield.
    After(InstructionId),
    /// This yield on some paths, through one block, and none on others, through the other block.
    Either { yielded: InstructionId, over: BlockId, silent: BlockId },
}

impl State {
    fn is_of_kind(self, other: State) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

struct Check<'c> {
    queries: &'c TypeQueries<'c>,
    body: &'c Body,
    cfg: &'c ControlFlowGraph,
    /// The state at the start of each reached block.
    states: SecondaryMap<BlockId, Option<State>>,
}

impl Check<'_> {
    /// Returns the first diagnostic. Other faults take precedence over a path without any yield.
    fn run(&mut self) -> Option<Diagnostic> {
        let entry = self.body.entry();
        self.states[entry] = Some(State::Before);
        let mut open = VecDeque::from([entry]);
        let mut silent_return = None;
        while let Some(block) = open.pop_front() {
            let (Some(state), Some(end)) = (self.states[block], self.body.terminator(block)) else { continue };
            let after = match (self.body.instructions[end].opcode, state) {
                (Opcode::Return, State::Before) => {
                    silent_return = silent_return.or(Some(end));
                    continue;
                }
                (Opcode::Return, State::Either { over, silent, .. }) => return Some(self.missing(end, over, silent)),
                (Opcode::Yield, State::Before) => State::After(end),
                (Opcode::Yield, State::After(before) | State::Either { yielded: before, .. }) => {
                    let message = "accessor must not yield more than once";
                    let error = error_at(self.body, end, CODE, message);
                    return Some(note_at(error, self.body, before, "previous yield was here"));
                }
                _ => state,
            };
            for target in self.body.targets(end) {
                let merged = match self.states[*target] {
                    None => after,
                    Some(before) => {
                        let merged = self.merge(*target, before, after, block);
                        if merged.is_of_kind(before) {
                            continue;
                        }
                        merged
                    }
                };
                self.states[*target] = Some(merged);
                open.push_back(*target);
            }
        }
        silent_return.map(|end| error_at(self.body, end, CODE, "accessor must yield before returning"))
    }

    /// Returns the state of `block`, merged from `before` of other predecessors and `new` of `from`.
    fn merge(&self, block: BlockId, before: State, new: State, from: BlockId) -> State {
        let is_other = |other: &&BlockId| **other != from && self.states[**other].is_some();
        let other = self.cfg.predecessors(block).iter().find(is_other).copied().unwrap_or(from);
        match (before, new) {
            (State::Before, State::After(yielded)) => State::Either { yielded, over: from, silent: other },
            (State::After(yielded), State::Before) => State::Either { yielded, over: other, silent: from },
            (_, State::Either { .. }) if !before.is_of_kind(new) => new,
            _ => before,
        }
    }

    /// Reports an end that is reached with and without a yield, with a note where the paths diverge.
    fn missing(&self, end: InstructionId, over: BlockId, silent: BlockId) -> Diagnostic {
        let error = error_at(self.body, end, CODE, "accessor must yield on all paths before returning");
        let yielding = self.reached_backwards(over, |_| false);
        let silent = self.reached_backwards(silent, |block| yielding.contains(&block));
        let Some((parting, before)) = silent.split_last() else { return error };
        let Some(branch) = self.body.terminator(*parting) else { return error };
        let target = self.body.targets(branch).iter().copied().find(|target| before.contains(target));
        let Some(target) = target else { return error };
        match self.reason(branch, target) {
            Some((place, message)) => note_at(error, self.body, place, message),
            None => error,
        }
    }

    /// Returns the reached blocks from which `block` can be reached, the nearest first, up to one that is `last`.
    fn reached_backwards(&self, block: BlockId, last: impl Fn(BlockId) -> bool) -> Vec<BlockId> {
        let mut seen = Vec::new();
        let mut open = VecDeque::from([block]);
        while let Some(block) = open.pop_front() {
            if self.states[block].is_none() || seen.contains(&block) {
                continue;
            }
            seen.push(block);
            if last(block) {
                break;
            }
            open.extend(self.cfg.predecessors(block));
        }
        seen
    }

    /// Returns the reason why a branch has the successor `target`, and its place.
    fn reason(&self, branch: InstructionId, target: BlockId) -> Option<(InstructionId, String)> {
        let body = self.body;
        let case = |name: &str| format!("missing yield in the {name} case");
        let in_target = |message: String| body.first_instruction(target).map(|place| (place, message));
        match body.instructions[branch].opcode {
            Opcode::CondBr => {
                let is_true = CondBr::of(body, branch).true_target == target;
                Some((branch, format!("missing yield when the condition is {is_true}")))
            }
            Opcode::TryApply => {
                let is_thrown = TryApply::of(body, branch).error == target;
                let not = if is_thrown { "" } else { "not " };
                Some((branch, format!("missing yield when error is {not}thrown")))
            }
            Opcode::SwitchEnum | Opcode::SwitchEnumAddr => {
                let view = SwitchEnum::of(body, branch);
                let number = view.targets.iter().position(|found| *found == target)?;
                match view.cases.members.get(number) {
                    None => in_target("missing yield in this case".into()),
                    Some(member) => in_target(case(&self.case_name(body.ty(view.operand).ty, *member))),
                }
            }
            Opcode::SwitchValue => {
                let view = SwitchValue::of(body, branch);
                let number = view.targets.iter().position(|found| *found == target)?;
                let is_default = view.default == DefaultCase::Present && number + 1 == view.targets.len();
                in_target(if is_default { "missing yield in this case".into() } else { case(&ordinal(number + 1)) })
            }
            _ => None,
        }
    }

    /// Returns the name of a case of an enum of type `ty` in words.
    fn case_name(&self, ty: sil_ir::context::TypeId, member: sil_ir::context::MemberId) -> String {
        let member = self.queries.context.get_member(member);
        match (self.queries.optional_object(ty), member.target) {
            (Some(_), MemberTarget::Case(_)) => {
                let is_some = self.queries.context.text(member.name) == "some";
                if is_some { "non-nil" } else { "nil" }.into()
            }
            _ => format!("'{}'", self.queries.context.text(member.name)),
        }
    }
}

/// Returns a number as an ordinal.
fn ordinal(number: usize) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

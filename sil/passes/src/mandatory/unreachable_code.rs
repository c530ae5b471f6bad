//! Removes code that is unreachable by literals: folds branches on literals and on enum cases made before, and replaces
//! block arguments that always have the same value (lib/SILOptimizer/Mandatory/DiagnoseUnreachable.cpp).
//!
//! Does not own: code after calls that never return (`noreturn_folding`), and computations (`constant_folding`).

use sil_analysis::{Change, ControlFlowGraph, Dominators, Uses};
use sil_ir::context::MemberId;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CondBr, Enum, SwitchEnum, SwitchValue};
use sil_ir::model::{BlockId, Body, DefaultCase, Details, InstructionId, Place, Replacements, Value};

use super::unavailable_cases;
use crate::InstructionBuilder;
use crate::editing::deleter::{Deadness, without_dead};
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const UNREACHABLE_BLOCK_ELIMINATION: Pass = Pass::new(&Description {
    name: "unreachable-block-elimination",
    class_name: "UnreachableBlockElimination",
    summary: "Removes unreachable blocks. A pass of silc alone.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(remove_blocks),
});

pub(crate) const UNREACHABLE_CODE: Pass = Pass::new(&Description {
    name: "diagnose-unreachable",
    class_name: "DiagnoseUnreachable",
    summary: "Removes unreachable code and warns of it.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[
        Runner::Function(fold),
        Runner::Function(super::noreturn_folding::fold),
        Runner::Function(propagate_arguments),
        Runner::Function(fold),
        Runner::Function(super::noreturn_folding::fold),
    ]),
});

/// Folds branches with a known target, and removes the blocks that become unreachable.
pub(crate) fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    let (cfg, uses) = (analyses.cfg(before), analyses.uses(before));
    let mut folding = Folding { cfg, uses, before, body: before.clone(), unused: Vec::new() };
    let is_reduced = unavailable_cases::remove(environment, &mut folding.body);
    let ends: Vec<InstructionId> = before.blocks.keys().filter_map(|block| before.terminator(block)).collect();
    let folded = ends.into_iter().filter(|end| folding.fold(*end).is_some()).count();
    let is_cut_off = before.blocks.keys().any(|block| !cfg.is_reachable(block));
    if folded == 0 && !is_cut_off && !is_reduced {
        return Ok(None);
    }
    let Folding { mut body, mut unused, .. } = folding;
    let reached = ControlFlowGraph::new(&body);
    for block in body.blocks.keys().filter(|block| !reached.is_reachable(*block)) {
        unused.extend(body.instructions_in(block).flat_map(|id| body.operands(id).to_vec()));
    }
    body.remove_unreachable_blocks();
    let body = without_dead(environment, &body, &unused, Deadness::Unused);
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// Removes the unreachable blocks of a function of the program.
pub(crate) fn remove_blocks(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    if before.blocks.len() == 1 {
        return Ok(None);
    }
    let cfg = analyses.cfg(before);
    let is_connected = before.blocks.keys().all(|block| cfg.is_reachable(block));
    if is_connected && !unavailable_cases::are_removed(environment) {
        return Ok(None);
    }
    let mut body = before.clone();
    let is_reduced = unavailable_cases::remove(environment, &mut body);
    if is_connected && !is_reduced {
        return Ok(None);
    }
    body.remove_unreachable_blocks();
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// Replaces block arguments by the operands that all predecessors pass.
pub(crate) fn propagate_arguments(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    let cfg = analyses.cfg(before);
    let mut body = before.clone();
    let mut unused = Vec::new();
    for block in before.blocks.keys() {
        let Some(passed) = always_passed(&body, cfg, block) else { continue };
        unused.extend(&passed);
        let mut replacements = Replacements::default();
        let arguments = body.blocks[block].arguments.clone();
        for (argument, value) in arguments.into_iter().zip(passed) {
            let borrowed = borrowed_from(&body, argument);
            replacements.replace(argument, value);
            if let Some((id, result)) = borrowed {
                replacements.replace(result, value);
                body.erase(id);
            }
        }
        for index in (0..body.blocks[block].arguments.len()).rev() {
            body.remove_argument(block, index);
        }
        body.replace_values(&replacements);
    }
    if unused.is_empty() {
        return Ok(None);
    }
    let body = without_dead(environment, &body, &unused, Deadness::Unused);
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// Returns the operands that all predecessors of a block pass, if all are unconditional branches.
fn always_passed(body: &Body, cfg: &ControlFlowGraph, block: BlockId) -> Option<Vec<Value>> {
    if body.blocks[block].arguments.is_empty() {
        return None;
    }
    let mut passed: Option<Vec<Value>> = None;
    for predecessor in cfg.predecessors(block) {
        let branch = body.terminator(*predecessor).filter(|id| body.instructions[*id].opcode == Opcode::Br)?;
        let operands = body.operands(branch);
        if passed.as_ref().is_some_and(|passed| passed != operands) {
            return None;
        }
        passed = Some(operands.to_vec());
    }
    passed
}

/// Returns the `borrowed` instruction of an argument.
fn borrowed_from(body: &Body, argument: Value) -> Option<(InstructionId, Value)> {
    let reports_it =
        |id: &InstructionId| body.instructions[*id].opcode == Opcode::Borrowed && body.operands(*id)[0] == argument;
    let id = body.placed_instructions().find(reports_it)?;
    Some((id, body.result(id)?))
}

struct Folding<'f> {
    cfg: &'f ControlFlowGraph,
    uses: &'f Uses,
    before: &'f Body,
    body: Body,
    /// Possibly unused values.
    unused: Vec<Value>,
}

impl Folding<'_> {
    /// Replaces a terminator with a known target by a `br`; `None` if the target is not known.
    fn fold(&mut self, end: InstructionId) -> Option<()> {
        let (target, arguments) = match self.before.instructions[end].opcode {
            Opcode::CondBr => self.cond_br(end)?,
            Opcode::SwitchEnum => self.switch_enum(end)?,
            Opcode::SwitchEnumAddr => self.switch_enum_addr(end)?,
            Opcode::SwitchValue => self.switch_value(end)?,
            _ => return None,
        };
        self.unused.extend(self.before.operands(end));
        InstructionBuilder::new(&mut self.body, Place::Before(end), end).branch(target, &arguments);
        self.body.erase(end);
        Some(())
    }

    fn integer(&self, value: Value) -> Option<&Details> {
        let id = self.before.defining(value)?;
        let is_literal = self.before.instructions[id].opcode == Opcode::IntegerLiteral;
        is_literal.then_some(&self.before.instructions[id].details)
    }

    fn cond_br(&self, end: InstructionId) -> Option<(BlockId, Vec<Value>)> {
        let view = CondBr::of(self.before, end);
        let Details::Integer(value) = self.integer(view.condition)? else { return None };
        Some(match value {
            0 => (view.false_target, view.false_arguments.to_vec()),
            _ => (view.true_target, view.true_arguments.0.to_vec()),
        })
    }

    fn switch_value(&self, end: InstructionId) -> Option<(BlockId, Vec<Value>)> {
        let view = SwitchValue::of(self.before, end);
        let value = self.integer(view.operand)?;
        let found = view.cases.iter().rposition(|case| self.integer(*case) == Some(value));
        let number = match (found, view.default) {
            (Some(number), _) => number,
            (None, DefaultCase::Absent) => return None,
            (None, _) => view.cases.len(),
        };
        Some((*view.targets.get(number)?, Vec::new()))
    }

    /// Returns the target for a case, and whether it is that of the case itself.
    fn way(&self, end: InstructionId, case: MemberId) -> Option<(BlockId, bool)> {
        let view = SwitchEnum::of(self.before, end);
        let found = view.cases.members.iter().position(|member| *member == case);
        let target = *view.targets.get(found.unwrap_or(view.cases.members.len()))?;
        Some((target, found.is_some()))
    }

    fn switch_enum(&mut self, end: InstructionId) -> Option<(BlockId, Vec<Value>)> {
        let operand = SwitchEnum::of(self.before, end).operand;
        let made = self.before.defining(operand).filter(|id| self.before.instructions[*id].opcode == Opcode::Enum)?;
        let Enum { case, payload } = Enum::of(self.before, made);
        let (target, is_case) = self.way(end, case)?;
        let arguments = match (self.before.blocks[target].arguments.first(), payload) {
            (None, _) => Vec::new(),
            (Some(_), Some(payload)) if is_case => {
                let ty = self.before.ty(payload);
                let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(end), end);
                vec![builder.unchecked_enum_data(operand, case, ty)]
            }
            (Some(_), _) => vec![operand],
        };
        Some((target, arguments))
    }

    fn switch_enum_addr(&self, end: InstructionId) -> Option<(BlockId, Vec<Value>)> {
        let address = SwitchEnum::of(self.before, end).operand;
        let injection = self.only_injection(address)?;
        let dominators = Dominators::new(self.before, self.cfg);
        if !dominators.instruction_dominates(self.before, injection, end) {
            return None;
        }
        let Details::Member(case) = self.before.instructions[injection].details else { return None };
        Some((self.way(end, case)?.0, Vec::new()))
    }

    /// Returns the only instruction that injects a case into a stack variable without other writes.
    fn only_injection(&self, address: Value) -> Option<InstructionId> {
        let before = self.before;
        let allocation = before.defining(address)?;
        if before.instructions[allocation].opcode != Opcode::AllocStack {
            return None;
        }
        let (mut injection, mut payloads) = (None, 0);
        for found in self.uses.of(address) {
            let attributes = before.instructions[found.user].attributes;
            match before.instructions[found.user].opcode {
                Opcode::InjectEnumAddr if injection.is_none() => injection = Some(found.user),
                Opcode::InitEnumDataAddr => {
                    payloads += 1;
                    let stores = self.uses.of(before.result(found.user)?);
                    let is_store = |user: InstructionId, operand: u32| {
                        operand == 1 && matches!(before.instructions[user].opcode, Opcode::Store | Opcode::CopyAddr)
                    };
                    if stores.len() != 1 || !is_store(stores[0].user, stores[0].operand) {
                        return None;
                    }
                }
                Opcode::Load if !attributes.contains(Attribute::Take) => {}
                Opcode::SwitchEnumAddr | Opcode::DestroyAddr | Opcode::DeallocStack | Opcode::DebugValue => {}
                _ => return None,
            }
        }
        injection.filter(|_| payloads < 2)
    }
}

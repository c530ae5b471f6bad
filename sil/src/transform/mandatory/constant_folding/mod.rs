//! Constant folding: branches whose conditions are known lead one way, and what is wrong with operations whose operands are known is said
//! (lib/SILOptimizer/Mandatory/ConstantPropagation.cpp, DiagnoseUnreachable.cpp).
//!
//! Owns: which branches are folded, and what is said of code that is not reached then. `evaluation` finds what is known, with `places` for variables,
//! `memory` for what they hold and `knowledge::operations` for builtins; `messages` has the words for operations; `propagation` puts
//! literals in the places of what is computed of them, with `editing::cast_folding` for casts and `strings` for what takes string literals.

mod evaluation;
mod memory;
mod messages;
mod places;
mod propagation;
mod strings;

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use self::evaluation::Evaluation;
pub(in crate::transform) use self::propagation::{propagate, propagate_own};
use crate::analysis::{ApplySite, Change, ControlFlowGraph};
use crate::context::Name;
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::{self, CondBr, SwitchEnum};
use crate::model::{BlockId, Body, FunctionFlag, InstructionId, Module, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::endings::end_block;
use crate::transform::knowledge::constants::Known;
use crate::transform::messages::findings::{note_at, source_place, warning_at};
use crate::transform::messages::written_code::WrittenCode;
use crate::transform::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(in crate::transform) const DIAGNOSTIC_CONSTANT_PROPAGATION: Pass = Pass::new(&Description {
    name: "diagnostic-constant-propagation",
    class_name: "DiagnosticConstantPropagation",
    summary: "Diagnoses arithmetic on constants, and folds it.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(diagnose), Runner::Function(propagate_own)]),
});

pub(in crate::transform) const CONSTANT_FOLDING: Pass = Pass::new(&Description {
    name: "diagnostic-constant-folding",
    class_name: "DiagnosticConstantPropagation",
    summary: "Diagnoses arithmetic on constants, folds it and folds branches on it. A pass of silc alone.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(fold), Runner::Function(propagate_own)]),
});

pub(in crate::transform) const CONSTANT_PROPAGATION: Pass = Pass::new(&Description {
    name: "performance-constant-propagation",
    class_name: "PerformanceConstantPropagation",
    summary: "Folds constants.",
    gates: Gates::OPEN,
    runner: Runner::Function(propagate),
});

/// Says what is wrong with the operations of a function.
pub(in crate::transform) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body, .. } = environment;
    if !may_be_known(environment) {
        return Ok(None);
    }
    let mut evaluation = Evaluation::new(module, queries);
    evaluation.of_program(body);
    Ok(Rewrite::diagnostics_alone(function, body, faults(environment, &evaluation)))
}

/// Whether something may be known in a function of the program itself: what is written there, or given by what is inlined, such as `Int.min`.
fn may_be_known(environment: Environment<'_>) -> bool {
    use Opcode::{Apply, Enum, FloatLiteral, IntegerLiteral};
    let Environment { module, function, body, .. } = environment;
    let is_known = |id| match body.instructions[id].opcode {
        IntegerLiteral | FloatLiteral | Enum => true,
        Apply => {
            let callee = ApplySite::new(body, id).and_then(ApplySite::called_function);
            callee.is_some_and(|callee| is_transparent(module, callee))
        }
        _ => false,
    };
    !function.has(FunctionFlag::Canonical) && body.placed_instructions().any(is_known)
}

fn is_transparent(module: &Module, function: Name) -> bool {
    let function = module.function_named(function).map(|function| &module.functions[function]);
    function.is_some_and(|function| function.has(FunctionFlag::Transparent))
}

/// What is to be said of what is wrong.
fn faults(environment: Environment<'_>, evaluation: &Evaluation<'_>) -> Vec<Diagnostic> {
    let found = evaluation.faults.iter();
    found.filter_map(|(id, fault)| messages::message(environment, *id, fault)).collect()
}

/// Folds the branches of a function.
pub(in crate::transform) fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body: before, .. } = environment;
    if !may_be_known(environment) {
        return Ok(None);
    }
    let mut evaluation = Evaluation::new(module, queries);
    let known = evaluation.of_program(before);
    let mut diagnostics = faults(environment, &evaluation);
    let blocks = before.blocks.keys().filter_map(|block| before.terminator(block));
    let folds: Vec<Fold> = blocks.filter_map(|end| Fold::new(environment, &known, end)).collect();
    let mut body = before.clone();
    let ended = end_at_traps(&mut body, &evaluation);
    if folds.is_empty() && ended.is_empty() {
        return Ok(Rewrite::diagnostics_alone(function, before, diagnostics));
    }
    let is_left = |fold: &&Fold| !ended.contains(&before.instructions[fold.branch].block);
    for fold in folds.iter().filter(is_left) {
        InstructionBuilder::new(&mut body, Place::Before(fold.branch), fold.branch)
            .branch(fold.target, &fold.arguments);
        body.erase(fold.branch);
    }
    let cfg = ControlFlowGraph::new(&body);
    let traps = evaluation.faults.iter().filter(|(_, fault)| fault.traps()).map(|(trap, _)| *trap).collect();
    let mut unreached = Unreached { environment, cfg: &cfg, traps, reported: SecondaryMap::new() };
    diagnostics.extend(folds.iter().filter_map(|fold| unreached.warning(fold)));
    body.remove_unreachable_blocks();
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

/// Ends blocks behind what is known to stop the program, and gives these blocks.
fn end_at_traps(body: &mut Body, evaluation: &Evaluation<'_>) -> BTreeSet<BlockId> {
    let mut ended = BTreeSet::new();
    for (trap, _) in evaluation.faults.iter().filter(|(_, fault)| fault.traps()) {
        let block = body.instructions[*trap].block;
        if ended.insert(block) {
            let dead: Vec<InstructionId> = body.instructions_from(*trap).skip(1).collect();
            end_block(body, block, *trap, &dead);
        }
    }
    ended
}

/// A branch of which it is known where it leads.
struct Fold {
    branch: InstructionId,
    target: BlockId,
    arguments: Vec<Value>,
    /// The first block that it never leads to.
    never: BlockId,
    cause: Cause,
}

/// What decides a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Condition {
        is_true: bool,
    },
    /// What people do not write, such as the question which version of a system there is.
    Literal,
    Case,
}

impl Fold {
    /// None where it is not known where the branch leads.
    fn new(environment: Environment<'_>, known: &FxHashMap<Value, Known>, branch: InstructionId) -> Option<Self> {
        let Environment { queries, function, body, .. } = environment;
        match body.instructions[branch].opcode {
            Opcode::CondBr => {
                let view = CondBr::of(body, branch);
                let is_true = known.get(&view.condition)?.integer()? != 0;
                let made = body.defining(view.condition).map(|id| body.instructions[id].opcode);
                let cause = match made {
                    Some(Opcode::IntegerLiteral) => Cause::Literal,
                    _ => Cause::Condition { is_true },
                };
                let ways = [
                    (view.true_target, view.true_arguments.0.to_vec()),
                    (view.false_target, view.false_arguments.to_vec()),
                ];
                let [(first, first_arguments), (second, second_arguments)] = ways;
                let (target, arguments, never) = match is_true {
                    true => (first, first_arguments, second),
                    false => (second, second_arguments, first),
                };
                Some(Self { branch, target, arguments, never, cause })
            }
            Opcode::SwitchEnum => {
                let view = SwitchEnum::of(body, branch);
                let Known::Case(case) = known.get(&view.operand)? else { return None };
                // What is borrowed, copied or moved is not looked through.
                let is_made_here =
                    || body.defining(view.operand).is_some_and(|id| body.instructions[id].opcode == Opcode::Enum);
                if !queries.properties(body.ty(view.operand).ty, function.signature).is_trivial() && !is_made_here() {
                    return None;
                }
                let found = view.cases.members.iter().position(|member| member == case);
                let leads = found.unwrap_or(view.cases.members.len());
                let target = *view.targets.get(leads)?;
                // A case without payload passes nothing, a default the whole.
                let arguments = match (body.blocks[target].arguments.len(), found) {
                    (0, _) => Vec::new(),
                    (1, None) => vec![view.operand],
                    _ => return None,
                };
                let is_end =
                    body.terminator(target).is_some_and(|end| body.instructions[end].opcode == Opcode::Unreachable);
                let never = *view.targets.iter().enumerate().find(|(number, _)| *number != leads)?.1;
                (found.is_some() || !is_end).then_some(Self { branch, target, arguments, never, cause: Cause::Case })
            }
            _ => None,
        }
    }
}

/// What is said of code that is not reached.
struct Unreached<'u> {
    environment: Environment<'u>,
    /// That of the folded body.
    cfg: &'u ControlFlowGraph,
    /// What is known to stop the program.
    traps: BTreeSet<InstructionId>,
    /// The blocks of which something was said.
    reported: SecondaryMap<BlockId, bool>,
}

impl Unreached<'_> {
    /// The warning that code which people wrote is never reached; none where there is none.
    fn warning(&mut self, fold: &Fold) -> Option<Diagnostic> {
        if self.cfg.is_reachable(fold.never) || fold.cause == Cause::Literal || !self.is_written(fold.branch) {
            return None;
        }
        let code = self.first_written(fold.never)?;
        let before = self.environment.body;
        Some(match fold.cause {
            Cause::Case => {
                if self.may_be_synthesized(fold.branch) {
                    return None;
                }
                let place = WrittenCode::new(self.environment).switch_statement(fold.branch)?;
                let message = "switch condition evaluates to a constant";
                let warning = warning_at(before, fold.branch, "unreachable-code", message).in_source(place);
                note_at(warning, before, code, "will never be executed")
            }
            Cause::Condition { is_true } => {
                let place = WrittenCode::new(self.environment).place(code);
                let warning = warning_at(before, code, "unreachable-code", "will never be executed").in_source(place);
                note_at(warning, before, fold.branch, format!("condition always evaluates to {is_true}"))
            }
            Cause::Literal => return None,
        })
    }

    /// Whether a switch may be the compiler's: conversions of functions take optionals apart, and without locations nothing tells them from
    /// statements.
    fn may_be_synthesized(&self, switch: InstructionId) -> bool {
        let Environment { queries, body, .. } = self.environment;
        let switched = body.operands(switch).first().map(|value| body.ty(*value).ty);
        let is_optional = switched.is_some_and(|ty| queries.optional_object(ty).is_some());
        is_optional && body.instructions[switch].location.is_none()
    }

    fn is_written(&self, id: InstructionId) -> bool {
        let location = self.environment.body.instructions[id].location;
        location.is_none_or(|location| !location.automatic)
    }

    /// The first instruction that people wrote, in a block or in one that only leads on from it.
    fn first_written(&mut self, start: BlockId) -> Option<InstructionId> {
        let body = self.environment.body;
        let code = WrittenCode::new(self.environment);
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut open = vec![start];
        'blocks: while let Some(block) = open.pop() {
            if std::mem::replace(&mut seen[block], true) || self.cfg.is_reachable(block) {
                continue;
            }
            for id in body.instructions_in(block) {
                if code.is_explicit_return(id) {
                    return self.first_of(block, id);
                }
                if self.traps.contains(&id) {
                    continue 'blocks;
                }
                let location = body.instructions[id].location;
                let is_automatic = location.is_some_and(|location| location.automatic);
                if is_automatic && self.is_temporary(id) {
                    continue;
                }
                if is_automatic || code.is_implicit_return(id) {
                    continue 'blocks;
                }
                if code.contains(id) && !self.is_folded_away(id) {
                    return self.first_of(block, id);
                }
            }
            let targets = body.terminator(block).map(|end| body.targets(end)).unwrap_or_default();
            open.extend(targets.iter().rev());
        }
        None
    }

    /// `id`, if nothing was said of its block.
    fn first_of(&mut self, block: BlockId, id: InstructionId) -> Option<InstructionId> {
        let is_new = !std::mem::replace(&mut self.reported[block], true);
        is_new.then_some(id)
    }

    /// Whether an instruction allocates memory for results of what is transparent alone: nothing is left of it once that is inlined.
    fn is_temporary(&self, id: InstructionId) -> bool {
        use Opcode::*;
        let Environment { body, analyses, .. } = self.environment;
        if body.instructions[id].opcode != AllocStack {
            return false;
        }
        let is_gone = |user: InstructionId| match body.instructions[user].opcode {
            Store | Load | DeallocStack => true,
            Apply => self.calls_transparent(user),
            _ => false,
        };
        body.result(id).is_some_and(|memory| analyses.uses(body).of(memory).iter().all(|found| is_gone(found.user)))
    }

    fn calls_transparent(&self, call: InstructionId) -> bool {
        let Environment { module, body, .. } = self.environment;
        let callee = ApplySite::new(body, call).and_then(ApplySite::called_function);
        callee.is_some_and(|callee| is_transparent(module, callee))
    }

    /// Whether nothing is left of an instruction once what is transparent is inlined.
    fn is_folded_away(&self, id: InstructionId) -> bool {
        use Opcode::*;
        let Environment { module, body, analyses, .. } = self.environment;
        match body.instructions[id].opcode {
            IntegerLiteral | FloatLiteral | StringLiteral | StructExtract | IgnoredUse => true,
            // One that nobody uses is not found to be unneeded.
            Metatype => body.result(id).is_some_and(|value| !analyses.uses(body).of(value).is_empty()),
            // Without locations the call says more.
            FunctionRef => {
                let found = views::FunctionRef::get(body, id);
                body.instructions[id].location.is_none()
                    || found.is_some_and(|found| is_transparent(module, found.function))
            }
            Apply => self.calls_transparent(id),
            _ => source_place(body, id).is_none() && body.instructions[id].location.is_some(),
        }
    }
}

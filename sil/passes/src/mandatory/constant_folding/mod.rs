//! Constant folding: folds branches with known conditions, and diagnoses faulty operations with known operands
//! (lib/SILOptimizer/Mandatory/ConstantPropagation.cpp, DiagnoseUnreachable.cpp).
//!
//! Owns: the folding of branches, and the diagnostics of unreachable code. `evaluation` computes known values, with
//! `places` for variables, `memory` for their contents and `knowledge::operations` for builtins; `messages` has the
//! diagnostics of operations; `propagation` replaces computations by literals, with `editing::cast_folding` for casts
//! and `strings` for builtins on string literals.

mod evaluation;
mod memory;
mod messages;
mod places;
mod propagation;
mod strings;

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_analysis::{ApplySite, Change, ControlFlowGraph};
use sil_ir::context::{MemberId, Name};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, CondBr, SwitchEnum};
use sil_ir::model::{BlockId, Body, FunctionFlag, InstructionId, Module, Place, Value};

use self::evaluation::Evaluation;
pub(crate) use self::propagation::{propagate, propagate_own};
use crate::InstructionBuilder;
use crate::editing::endings::end_block;
use crate::knowledge::constants::Known;
use crate::messages::findings::{note_at, source_place, warning_at};
use crate::messages::written_code::WrittenCode;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const DIAGNOSTIC_CONSTANT_PROPAGATION: Pass = Pass::new(&Description {
    name: "diagnostic-constant-propagation",
    class_name: "DiagnosticConstantPropagation",
    summary: "Diagnoses arithmetic on constants, and folds it.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(diagnose), Runner::Function(propagate_own)]),
});

pub(crate) const CONSTANT_FOLDING: Pass = Pass::new(&Description {
    name: "diagnostic-constant-folding",
    class_name: "DiagnosticConstantPropagation",
    summary: "Diagnoses arithmetic on constants, folds it and folds branches on it. A pass of silc alone.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(fold), Runner::Function(propagate_own)]),
});

pub(crate) const CONSTANT_PROPAGATION: Pass = Pass::new(&Description {
    name: "performance-constant-propagation",
    class_name: "PerformanceConstantPropagation",
    summary: "Folds constants.",
    gates: Gates::OPEN,
    runner: Runner::Function(propagate),
});

/// Diagnoses the operations of a function.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body, .. } = environment;
    if !may_be_known(environment) {
        return Ok(None);
    }
    let mut evaluation = Evaluation::new(module, queries);
    evaluation.of_program(body);
    Ok(Rewrite::diagnostics_alone(function, body, faults(environment, &evaluation)))
}

/// Returns whether a function of the program may contain known values: literals, or results of transparent functions
/// such as `Int.min`.
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

/// Returns the diagnostics of the faults.
fn faults(environment: Environment<'_>, evaluation: &Evaluation<'_>) -> Vec<Diagnostic> {
    let found = evaluation.faults.iter();
    found.filter_map(|(id, fault)| messages::message(environment, *id, fault)).collect()
}

/// Folds the branches of a function.
pub(crate) fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
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
        let passed = fold.passed.values(&mut body, fold);
        InstructionBuilder::new(&mut body, Place::Before(fold.branch), fold.branch).branch(fold.target, &passed);
        body.erase(fold.branch);
    }
    let cfg = ControlFlowGraph::new(&body);
    let traps = evaluation.faults.iter().filter(|(_, fault)| fault.traps()).map(|(trap, _)| *trap).collect();
    let mut unreached = Unreached { environment, cfg: &cfg, traps, reported: SecondaryMap::new() };
    diagnostics.extend(folds.iter().filter_map(|fold| unreached.warning(fold)));
    body.remove_unreachable_blocks();
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

/// Ends blocks after instructions that are known to trap, and returns these blocks.
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

/// A branch with a known target.
struct Fold {
    branch: InstructionId,
    target: BlockId,
    passed: Passed,
    /// The first block that it never branches to.
    never: BlockId,
    cause: Cause,
}

/// The values that a branch passes to its target.
enum Passed {
    Values(Vec<Value>),
    /// The payload of an enum, which is in this case.
    Payload(Value, MemberId),
}

impl Passed {
    /// The values themselves: a payload is taken out of its enum before the branch
    /// (lib/SILOptimizer/Mandatory/DiagnoseUnreachable.cpp, `constantFoldEnumTerminator`).
    fn values(&self, body: &mut Body, fold: &Fold) -> Vec<Value> {
        match self {
            Passed::Values(values) => values.clone(),
            Passed::Payload(whole, case) => {
                let Some(argument) = body.blocks[fold.target].arguments.first() else { return Vec::new() };
                let ty = body.ty(*argument);
                let mut builder = InstructionBuilder::new(body, Place::Before(fold.branch), fold.branch);
                vec![builder.unchecked_enum_data(*whole, *case, ty)]
            }
        }
    }
}

/// The reason for a known target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Condition {
        is_true: bool,
    },
    /// A literal without a source, such as that of an availability check.
    Literal,
    Case,
}

impl Fold {
    /// Returns the fold of a branch; `None` if its target is not known.
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
                let (target, passed, never) = match is_true {
                    true => (first, first_arguments, second),
                    false => (second, second_arguments, first),
                };
                Some(Self { branch, target, passed: Passed::Values(passed), never, cause })
            }
            Opcode::SwitchEnum => {
                let view = SwitchEnum::of(body, branch);
                let Known::Case(case) = known.get(&view.operand)? else { return None };
                // Borrows, copies and moves are not looked through.
                let is_made_here =
                    || body.defining(view.operand).is_some_and(|id| body.instructions[id].opcode == Opcode::Enum);
                if !queries.properties(body.ty(view.operand).ty, function.signature).is_trivial() && !is_made_here() {
                    return None;
                }
                let found = view.cases.members.iter().position(|member| member == case);
                let leads = found.unwrap_or(view.cases.members.len());
                let target = *view.targets.get(leads)?;
                // A case without payload passes nothing, a default the whole enum.
                let passed = match (body.blocks[target].arguments.len(), found) {
                    (0, _) => Passed::Values(Vec::new()),
                    (1, None) => Passed::Values(vec![view.operand]),
                    (1, Some(_)) => Passed::Payload(view.operand, *case),
                    _ => return None,
                };
                let is_end =
                    body.terminator(target).is_some_and(|end| body.instructions[end].opcode == Opcode::Unreachable);
                let never = *view.targets.iter().enumerate().find(|(number, _)| *number != leads)?.1;
                (found.is_some() || !is_end).then_some(Self { branch, target, passed, never, cause: Cause::Case })
            }
            _ => None,
        }
    }
}

/// Diagnoses unreachable code.
struct Unreached<'u> {
    environment: Environment<'u>,
    /// The control flow graph of the folded body.
    cfg: &'u ControlFlowGraph,
    /// The instructions that are known to trap.
    traps: BTreeSet<InstructionId>,
    /// The blocks with a diagnostic.
    reported: SecondaryMap<BlockId, bool>,
}

impl Unreached<'_> {
    /// Returns the warning for unreachable source code; `None` if there is no such code.
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

    /// Returns whether a switch may be compiler-generated: function conversions switch over optionals, and without
    /// locations they look like statements.
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

    /// Returns the first instruction of source code in a block or its transitive successors.
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

    /// Returns `id` if its block has no diagnostic yet.
    fn first_of(&mut self, block: BlockId, id: InstructionId) -> Option<InstructionId> {
        let is_new = !std::mem::replace(&mut self.reported[block], true);
        is_new.then_some(id)
    }

    /// Returns whether an instruction allocates memory for results of transparent functions only. It is removed after
    /// inlining.
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

    /// Returns whether an instruction is removed after the inlining of transparent functions.
    fn is_folded_away(&self, id: InstructionId) -> bool {
        use Opcode::*;
        let Environment { module, body, analyses, .. } = self.environment;
        match body.instructions[id].opcode {
            IntegerLiteral | FloatLiteral | StringLiteral | StructExtract | IgnoredUse => true,
            // An unused one is not removed.
            Metatype => body.result(id).is_some_and(|value| !analyses.uses(body).of(value).is_empty()),
            // Without locations the call is reported instead.
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

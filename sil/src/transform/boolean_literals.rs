//! Branches on `true` and `false` as they are written in the source lead one way (BooleanLiteralFolding of SwiftCompilerSources). Nothing is said
//! of what is no longer reached: people write that on purpose.

use super::InstructionBuilder;
use super::analyses::Change;
use super::pipeline::{Environment, Rewrite};
use super::unused::remove_unused;
use crate::analysis::{ApplySite, Uses};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::CondBr;
use crate::model::{Body, Details, FunctionFlag, InstructionId, Place, Value};
use crate::symbols::Symbol;

/// Folds the branches of a function.
pub(super) fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    if function.has(FunctionFlag::Canonical) {
        return Ok(None);
    }
    let branches: Vec<(InstructionId, Literal)> = before
        .placed_instructions()
        .filter(|id| before.instructions[*id].opcode == Opcode::CondBr)
        .filter_map(|id| Some((id, literal(environment, id)?)))
        .collect();
    if branches.is_empty() {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut unused = Vec::new();
    for (id, literal) in branches {
        let branch = CondBr::of(before, id);
        let (target, arguments) = match literal.is_true {
            true => (branch.true_target, branch.true_arguments.0),
            false => (branch.false_target, branch.false_arguments),
        };
        let place = Place::Before(id);
        InstructionBuilder::new(&mut body, place, id).branch(target, arguments);
        body.erase(id);
        unused.extend(erase_unused(&mut body, literal));
    }
    remove_unused(&mut body, unused);
    body.remove_unreachable_blocks();
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// A literal that a branch depends on.
struct Literal {
    extract: InstructionId,
    call: InstructionId,
    is_true: bool,
}

/// The literal that a `cond_br` depends on.
fn literal(environment: Environment<'_>, branch: InstructionId) -> Option<Literal> {
    let body = environment.body;
    let extract = body.defining(*body.operands(branch).first()?)?;
    let is_extract = body.instructions[extract].opcode == Opcode::StructExtract;
    let call = body.defining(*body.operands(extract).first().filter(|_| is_extract)?)?;
    let site = ApplySite::new(body, call).filter(|_| body.instructions[call].opcode == Opcode::Apply)?;
    let context = &environment.module.context;
    let name = context.text(site.called_function()?);
    // The initialiser that literals of `Bool` call.
    let is_literal = Symbol::demangle(name).is_some_and(|symbol| {
        symbol.declaring_module() == Some("Swift") && symbol.labels() == Some(vec![Some("_builtinBooleanLiteral")])
    });
    let value = body.defining(*site.arguments().first().filter(|_| is_literal)?)?;
    match body.instructions[value].details {
        Details::Integer(value) => Some(Literal { extract, call, is_true: value != 0 }),
        _ => None,
    }
}

/// Erases what made a literal where nothing else uses it, and gives what that was made of.
fn erase_unused(body: &mut Body, literal: Literal) -> Vec<Value> {
    let mut unused = Vec::new();
    for id in [literal.extract, literal.call] {
        let uses = Uses::new(body);
        if body.results(id).all(|value| uses.of(value).is_empty()) {
            unused.extend(body.operands(id));
            body.erase(id);
        }
    }
    unused
}

//! Folds branches on `true` and `false` literals of the source (BooleanLiteralFolding of SwiftCompilerSources). The
//! blocks that become unreachable are not diagnosed: such code is intentional.

use sil_analysis::{ApplySite, Change};
use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::CondBr;
use sil_ir::model::{Details, InstructionId, Module, Place};
use sil_ir::symbols::Symbol;

use crate::InstructionBuilder;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const BOOLEAN_LITERAL_FOLDING: Pass = Pass::new(&Description {
    name: "boolean-literal-folding",
    class_name: "BooleanLiteralFolding",
    summary: "Folds branches on `true` and `false`.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(fold),
});

/// Folds the branches of a function.
pub(crate) fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let branches: Vec<(InstructionId, bool)> = before
        .placed_instructions()
        .filter(|id| before.instructions[*id].opcode == Opcode::CondBr)
        .filter_map(|id| Some((id, literal(environment, id)?)))
        .collect();
    if branches.is_empty() {
        return Ok(None);
    }
    let mut body = before.clone();
    for (id, is_true) in branches {
        let branch = CondBr::of(before, id);
        let (target, arguments) = match is_true {
            true => (branch.true_target, branch.true_arguments.0),
            false => (branch.false_target, branch.false_arguments),
        };
        let place = Place::Before(id);
        InstructionBuilder::new(&mut body, place, id).branch(target, arguments);
        body.erase(id);
    }
    body.remove_unreachable_blocks();
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// Returns the literal that is the condition of a `cond_br`.
fn literal(environment: Environment<'_>, branch: InstructionId) -> Option<bool> {
    let body = environment.body;
    let extract = body.defining(*body.operands(branch).first()?)?;
    let is_extract = body.instructions[extract].opcode == Opcode::StructExtract;
    let call = body.defining(*body.operands(extract).first().filter(|_| is_extract)?)?;
    let site = ApplySite::new(body, call).filter(|_| body.instructions[call].opcode == Opcode::Apply)?;
    let [value, _] = site.arguments() else { return None };
    if !makes_literals(environment.module, site.called_function()?) {
        return None;
    }
    let value = body.defining(*value)?;
    match body.instructions[value].details {
        Details::Integer(value) => Some(value != 0),
        _ => None,
    }
}

/// Returns whether a function is the initialiser for literals of `Bool`: by its semantics attribute, or by its symbol.
fn makes_literals(module: &Module, function: Name) -> bool {
    let known = module.function_named(function).map(|id| &module.functions[id]);
    known.is_some_and(|function| function.semantics(&module.context).any(|name| name == "bool.literal_init"))
        || Symbol::demangle(module.context.text(function)).is_some_and(|symbol| {
            symbol.declaring_module() == Some("Swift") && symbol.labels() == Some(vec![Some("_builtinBooleanLiteral")])
        })
}

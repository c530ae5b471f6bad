//! Values that must be known at compile time: `@const` globals, and arguments of `@const` parameters
//! (SwiftCompilerSources/Sources/Optimizer/ModulePasses/DiagnoseUnknownConstValues.swift).
//!
//! Owns: the diagnostics, and those of globals without a static initial value whose declarations demand one
//! (lib/SILOptimizer/Mandatory/PerformanceDiagnostics.cpp). Does not own: static initialisation (`static_globals`).
//! `@const` local variables are not examined: SIL text does not state the attribute.

use sil_analysis::{ApplyKind, ApplySite};
use sil_ir::context::{Name, ParameterOption};
use sil_ir::declarations::StaticDemand;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, FunctionFlag, Global, InstructionId, Module, Serialization};
use sil_text::syntax::Libraries;

use crate::constant_evaluation::{EvaluationLimits, Evaluator, FunctionState};
use crate::messages::findings::error_at;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const CONSTANT_VALUES: Pass = Pass::new(&Description {
    name: "diagnose-unknown-const-values",
    class_name: "DiagnoseUnknownConstValues",
    summary: "Diagnoses `@const` values that are not known at compile time.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[
        Runner::Program(|module, libraries, _| globals(module, libraries)),
        Runner::Function(call_arguments),
    ]),
});

/// The diagnostic group.
const CODE: &str = "compile-time-values";

/// Reports `@const` globals without a static initial value.
fn globals(module: &mut Module, _: &Libraries<'_>) -> Vec<Diagnostic> {
    let is_const = |global: &Global| module.placement(global).demand == Some(StaticDemand::Const);
    let wrong = without_initial_value(module).filter(|(global, ..)| is_const(global));
    wrong
        .map(|(_, body, id)| error_at(body, id, CODE, "'@const' value should be initialized with a compile-time value"))
        .collect()
}

/// Reports globals without a static initial value that must have one
/// (`SILGlobalVariable::mustBeInitializedStatically`).
pub(super) fn globals_initialized_at_run_time(module: &Module) -> Vec<Diagnostic> {
    let message = |global: &Global| {
        let placement = module.placement(global);
        Some(match (placement.section, placement.demand) {
            (Some(_), _) => "global variable must be a compile-time constant to use @_section attribute",
            (None, Some(StaticDemand::Symbol)) => {
                "global variable must be a compile-time constant to use @_silgen_name attribute"
            }
            (None, Some(StaticDemand::Const | StaticDemand::ConstInitialized)) => {
                "global variable must be a compile-time constant"
            }
            (None, None) => return None,
        })
    };
    let wrong = without_initial_value(module);
    wrong.filter_map(|(global, body, id)| Some(error_at(body, id, CODE, message(global)?))).collect()
}

/// Returns the globals that the module defines without a static initial value, each with the instruction that begins
/// its initialisation. It has the location of the declaration, which SIL text does not state.
fn without_initial_value(module: &Module) -> impl Iterator<Item = (&Global, &Body, InstructionId)> {
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    let instructions = bodies.flat_map(|body| body.placed_instructions().map(move |id| (body, id)));
    instructions.filter_map(|(body, id)| {
        let name = allocated_global(body, id)?;
        let global = &module.globals[*module.global_names.get(&name)?];
        (global.initializer.is_none() && !lacks_bodies(module, body)).then_some((global, body, id))
    })
}

/// Returns whether a function calls inlinable functions of libraries that are not given: values may be constant with
/// their bodies.
fn lacks_bodies(module: &Module, body: &Body) -> bool {
    let called = body.placed_instructions().filter_map(|id| ApplySite::new(body, id)?.called_function());
    let mut called = called.filter_map(|name| module.function_named(name)).map(|id| &module.functions[id]);
    called.any(|function| {
        let is_inlinable = function.serialization != Serialization::None || function.has(FunctionFlag::Transparent);
        function.body.is_none() && is_inlinable
    })
}

fn allocated_global(body: &Body, id: InstructionId) -> Option<Name> {
    match &body.instructions[id].details {
        Details::Global(name, _) if body.instructions[id].opcode == Opcode::AllocGlobal => Some(*name),
        _ => None,
    }
}

/// Reports the calls of a function whose arguments of `@const` parameters are not constant.
fn call_arguments(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let diagnostics = body.placed_instructions().flat_map(|id| wrong_arguments(environment, id)).collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// Returns an error for each argument of a `@const` parameter that is not constant.
fn wrong_arguments(environment: Environment<'_>, id: InstructionId) -> Vec<Diagnostic> {
    let Environment { module, queries, function, body, analyses, settings, .. } = environment;
    let site = ApplySite::new(body, id).filter(|site| site.kind != ApplyKind::PartialApply);
    let Some((site, conventions)) = site.and_then(|site| Some((site, site.conventions(queries)?))) else {
        return Vec::new();
    };
    let is_const = |index: &usize| {
        let parameter = conventions.parameter_of_argument(*index).map(|at| &conventions.function.parameters[at]);
        parameter.is_some_and(|parameter| parameter.options.contains(ParameterOption::Const))
    };
    let is_constant = |index: &usize| {
        let Some(caller) = module.function_named(function.name) else { return false };
        let mut evaluator = Evaluator::new(module, queries, EvaluationLimits::of(settings));
        let mut state = FunctionState::on_demand(caller, body, analyses.uses(body));
        evaluator.evaluate(&mut state, site.arguments()[*index]).is_ok()
    };
    if site.called_function().is_none() || lacks_bodies(module, body) {
        return Vec::new();
    }
    let wrong = (0..site.arguments().len()).filter(is_const).filter(|index| !is_constant(index));
    wrong.map(|_| error_at(body, id, CODE, "expected a compile-time value argument for a '@const' parameter")).collect()
}

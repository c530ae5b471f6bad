//! Optimises messages for the system's log: evaluates the interpolation of constant parts at compile time, and
//! eliminates the message itself (lib/SILOptimizer/Mandatory/OSLogOptimization.cpp).
//!
//! Owns: the order of the steps, and the diagnostics of messages. `extent` finds the code of a message, `constants`
//! emits constants, `elimination` removes the message. Does not own: the evaluation of code
//! (`transform::constant_evaluation`).

mod constants;
mod elimination;
mod extent;

use sil_analysis::ApplySite;
use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{
    Body, Details, FunctionId, InstructionId, Module, Place as BodyPlace, StringEncoding, StringLiteral,
};
use sil_ir::symbols::{Style, demangle_as};

use self::constants::{Constants, StringInitializer};
use crate::constant_evaluation::{
    Evaluation, EvaluationLimits, Place, StepEvaluator, SymbolicValue, Unknown, UnknownReason, is_evaluable,
};
use crate::editing::editor::Editor;
use crate::messages::findings::error_at;
use crate::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const OS_LOG_OPTIMIZATION: Pass = Pass::new(&Description {
    name: "os-log-optimization",
    class_name: "OSLogOptimization",
    summary: "Evaluates the constant parts of messages for the system's log.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(optimize),
});

const CODE: &str = "os-log";

/// The prefix of the `@_semantics` of functions that make messages.
const MESSAGE_INITIALIZER: &str = "oslog.message.init";

/// Folds the messages of a function.
pub(crate) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, function, body, .. } = environment;
    if makes_messages(module, function.name) {
        return Ok(None);
    }
    let messages: Vec<InstructionId> = body.placed_instructions().filter(|id| is_message(module, body, *id)).collect();
    if messages.is_empty() {
        return Ok(None);
    }
    let mut editor = Editor::new(environment);
    let mut diagnostics = Vec::new();
    for message in messages {
        let found = Folding { message }.fold(&mut editor)?;
        if !found.is_empty() {
            without_string_pointers(&mut editor, message);
        }
        diagnostics.extend(found);
    }
    Ok(match editor.finish() {
        Some(rewrite) => Some(Rewrite { diagnostics, ..rewrite }),
        None => Rewrite::diagnostics_alone(function, body, diagnostics),
    })
}

fn function_id(module: &Module, name: Name) -> Option<FunctionId> {
    module.function_named(name)
}

/// Returns whether a function makes messages itself.
fn makes_messages(module: &Module, name: Name) -> bool {
    function_id(module, name).is_some_and(|id| has_semantics(module, id, |name| name.starts_with(MESSAGE_INITIALIZER)))
}

fn has_semantics(module: &Module, function: FunctionId, is_wanted: impl Fn(&str) -> bool) -> bool {
    module.functions[function].semantics(&module.context).any(is_wanted)
}

/// Returns the function that a call references.
fn called(module: &Module, body: &Body, id: InstructionId) -> Option<FunctionId> {
    let site = ApplySite::new(body, id).filter(|_| body.instructions[id].opcode == Opcode::Apply)?;
    module.function_named(site.called_function()?)
}

/// Returns whether an instruction makes a message. Functions for the default arguments of such functions have the same
/// semantics, but no arguments.
fn is_message(module: &Module, body: &Body, id: InstructionId) -> bool {
    let makes = called(module, body, id)
        .is_some_and(|function| has_semantics(module, function, |name| name.starts_with(MESSAGE_INITIALIZER)));
    makes && body.operands(id).len() > 1
}

/// The folding of one message.
struct Folding {
    /// The call that makes it.
    message: InstructionId,
}

impl Folding {
    /// Folds the message and returns its diagnostics.
    fn fold(&self, editor: &mut Editor<'_>) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
        let Environment { module, queries, function, settings, .. } = editor.environment;
        // The body changes while its evaluation is queried.
        let body = editor.body().clone();
        let Some(id) = function_id(module, function.name) else { return Ok(Vec::new()) };
        let Some(start) = extent::beginning(&body, self.message) else { return Ok(Vec::new()) };
        let ends = extent::ends(&body, self.message);
        let mut steps = StepEvaluator::new(module, queries, EvaluationLimits::of(settings), (id, &body));
        let mut found = Constants { values: Vec::new(), initializer: None };
        let mut at = Some(start);
        while let Some(id) = at.filter(|id| !ends.contains(id)) {
            found.initializer = found.initializer.or_else(|| StringInitializer::of(module, &body, id));
            let Evaluation { next, unknown } = match is_attempted(module, &body, id) {
                true => steps.try_to_evaluate(id),
                false => Evaluation { next: steps.pass_over(id), unknown: None },
            };
            if let Some(wrong) = unknown.and_then(|unknown| misevaluated(module, &body, id, &unknown)) {
                return Ok(vec![wrong]);
            }
            let known = body.results(id).filter(|result| {
                next.is_some() && constants::is_foldable(editor, *result) && steps.constant(*result).is_some()
            });
            found.values.extend(known);
            at = next;
        }
        let wrong = self.not_constant(editor, &steps, &found);
        if !wrong.is_empty() {
            return Ok(wrong);
        }
        found.substitute(editor, &steps)?;
        let is_gone = elimination::eliminate(editor, self.message);
        let message = "string interpolation cannot be used in this context; if you are calling an os_log function, try a different \
                       overload";
        Ok(if is_gone { Vec::new() } else { vec![error_at(&body, self.message, CODE, message)] })
    }

    /// Reports the parts of a message that are not constant.
    fn not_constant(&self, editor: &Editor<'_>, steps: &StepEvaluator<'_>, found: &Constants) -> Vec<Diagnostic> {
        let body = editor.body();
        let queries = editor.environment.queries;
        let error = |message: String| vec![error_at(body, self.message, CODE, message)];
        let result = body.result(self.message);
        let Some(SymbolicValue::Aggregate(message)) = result.and_then(|result| steps.constant(result)) else {
            return error("'OSLogMessage' instance passed to the log call is not a constant".into());
        };
        let Some(SymbolicValue::Aggregate(properties)) = message.first() else {
            return error("'OSLogInterpolation' instance passed to 'OSLogMessage.init' is not a constant".into());
        };
        let ty = result.and_then(|result| queries.field_types(body.ty(result).ty)?.first().copied());
        let names = ty.and_then(|ty| {
            let declaration = queries.as_nominal(ty)?.declaration;
            Some(queries.declarations.get(declaration).stored.iter().map(|property| property.name).collect::<Vec<_>>())
        });
        if let Some(number) = properties.iter().position(|property| !property.is_constant()) {
            let name = names.and_then(|names| Some(queries.context.text(*names.get(number)?)));
            return error(format!("'OSLogInterpolation.{}' is not a constant", name.unwrap_or("_")));
        }
        let is_text = matches!(properties.last(), Some(SymbolicValue::String(_)));
        if is_text && found.initializer.is_none() {
            return error("'OSLogMessage' must be  created from a string interpolation or string literal".into());
        }
        Vec::new()
    }
}

/// Returns whether an instruction is evaluated. Among calls, those of evaluable functions are.
fn is_attempted(module: &Module, body: &Body, id: InstructionId) -> bool {
    body.instructions[id].opcode != Opcode::Apply
        || called(module, body, id).is_some_and(|function| is_evaluable(module, function))
}

/// Reports an instruction that could not be evaluated. An instruction that may not concern the message is not reported.
fn misevaluated(module: &Module, body: &Body, id: InstructionId, unknown: &Unknown) -> Option<Diagnostic> {
    let error = |message: String| error_at(body, id, CODE, message);
    match &unknown.reason {
        UnknownReason::Trap(message) => return Some(error(message.clone())),
        UnknownReason::TooManyInstructions(_) => {
            return Some(error("interpolated expression and arguments are too complex".into()));
        }
        _ => {}
    }
    let invalid = "invalid log message; extending types defined in the os module is not supported";
    let explained = |error: Diagnostic| {
        let notes = unknown.notes(Place::of(body, id)).into_iter();
        notes.fold(error, |error, (place, note)| error.note_in_source(note, Some(place.span), place.source))
    };
    if let Some(function) = called(module, body, id).filter(|function| is_evaluable(module, *function)) {
        let symbol = module.context.text(module.functions[function].name);
        let name = demangle_as(symbol, Style::Simplified).unwrap_or_else(|| symbol.to_owned());
        let place = Place::of(body, id);
        let failed = format!("'{name}' failed evaluation");
        return Some(explained(error(invalid.into()).note_in_source(failed, Some(place.span), place.source)));
    }
    unknown.reason.stops().then(|| explained(error(invalid.into())))
}

/// Replaces the string pointers that depend on a faulty message by an empty string, as the fault is reported already.
fn without_string_pointers(editor: &mut Editor<'_>, message: InstructionId) {
    for id in extent::transitive_users(editor.body(), message) {
        let Details::Builtin(builtin) = &editor.body().instructions[id].details else { continue };
        let kind = builtin.kind();
        let result = editor.body().result(id);
        let (Some(result), Some(BuiltinKind::Named(NamedBuiltin::GlobalStringTablePointer))) = (result, kind) else {
            continue;
        };
        let ty = editor.body().ty(result);
        let literal = StringLiteral { encoding: StringEncoding::OsLog, bytes: Box::default() };
        let empty = editor.build(BodyPlace::Before(id), id, |builder| builder.string_literal(Box::new(literal), ty));
        editor.replace(id, empty);
    }
}

/// Returns whether a store initialises memory.
fn is_no_assignment(body: &Body, store: InstructionId) -> bool {
    !body.instructions[store].attributes.contains(Attribute::Assign)
}

//! Marks the results of calls as dependent on their arguments by the function types: the pass
//! `lifetime-dependence-insertion`
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LifetimeDependenceInsertion.swift).

use sil_analysis::{AccessPath, ApplySite, Use};
use sil_ir::context::LifetimeDependenceKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Place, Value};

use super::facts::{Facts, unresolved};
use super::introducers::{TrivialCopies, variable_introducers};
use super::scope::Scope;
use crate::editing::editor::Editor;
use crate::messages::findings::error_at;
use crate::pass::settings::{AddressDependencies, Settings};
use crate::pass::{Environment, Rewrite};

/// Marks the results and `inout` arguments of all calls of a function that depend on arguments.
pub(crate) fn insert(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let function = environment.function;
    let depends = |id: &InstructionId| {
        let site = ApplySite::new(environment.body, *id).filter(|site| site.kind.is_full());
        let conventions = site.and_then(|site| site.conventions(environment.queries));
        conventions.is_some_and(|conventions| !conventions.function.lifetimes.is_empty())
    };
    let calls: Vec<InstructionId> = environment.body.placed_instructions().filter(depends).collect();
    if calls.is_empty() {
        return Ok(None);
    }
    let Settings { address_dependencies, variable_names, .. } = environment.settings;
    let mut editor = Editor::new(environment);
    let mut diagnostics = Vec::new();
    for call in calls {
        let marks = {
            let view = editor.view();
            Marks::of(&Facts::with_names(&view, *variable_names), call, *address_dependencies)
        };
        marks.insert(&mut editor, call);
        if marks.is_unknown {
            let message = "lifetime-dependent value escapes its scope";
            diagnostics.push(error_at(editor.body(), call, "lifetime-dependence", message));
        }
    }
    let rewrite = editor.finish();
    if diagnostics.is_empty() {
        return Ok(rewrite);
    }
    let unchanged = || Rewrite::diagnostics_alone(function, environment.body, diagnostics.clone());
    Ok(rewrite.map(|rewrite| Rewrite { diagnostics: diagnostics.clone(), ..rewrite }).or_else(unchanged))
}

/// The marks of one call.
struct Marks {
    /// The dependent values and addresses, with the places of their marks and their bases.
    marked: Vec<(Value, Vec<Place>, Vec<Value>)>,
    /// Whether the destination of a result is not known.
    is_unknown: bool,
}

impl Marks {
    fn of(facts: &Facts<'_, '_>, call: InstructionId, addresses: AddressDependencies) -> Marks {
        let mut marks = Marks { marked: Vec::new(), is_unknown: false };
        let after = places_after(facts, call);
        for target in facts.parameter_operands(call) {
            let bases = argument_bases(facts, target, addresses);
            if !bases.is_empty() {
                marks.marked.push((facts.view.used_value(target), after.clone(), bases));
            }
        }
        let Some(bases) = result_bases(facts, call, addresses).filter(|bases| !bases.is_empty()) else { return marks };
        for value in facts.result_or_yields(call) {
            let place = match facts.view.body.defining(value) {
                Some(definition) => Place::After(definition),
                // A result that is defined by no instruction belongs to a `try_apply`, which has successors.
                None => after[0],
            };
            marks.marked.push((value, vec![place], bases.clone()));
        }
        for result in facts.indirect_result_operands(call) {
            match AccessPath::of(facts.view, facts.view.used_value(result)).base.address() {
                Some(address) => marks.marked.push((address, after.clone(), bases.clone())),
                None => {
                    marks.is_unknown = true;
                    return marks;
                }
            }
        }
        marks
    }

    fn insert(&self, editor: &mut Editor<'_>, call: InstructionId) {
        for (value, places, bases) in &self.marked {
            for place in places {
                if editor.body().ty(*value).is_address() {
                    mark_address(editor, *value, *place, bases, call);
                } else {
                    mark_value(editor, *value, *place, bases, call);
                }
            }
        }
    }
}

/// Returns the places after a call.
fn places_after(facts: &Facts<'_, '_>, call: InstructionId) -> Vec<Place> {
    match facts.view.body.targets(call) {
        [] => vec![Place::After(call)],
        targets => targets.iter().map(|target| Place::Start(*target)).collect(),
    }
}

fn mark_address(editor: &mut Editor<'_>, address: Value, place: Place, bases: &[Value], call: InstructionId) {
    editor.build(place, call, |builder| {
        for base in bases {
            builder.with(unresolved()).mark_dependence_addr(address, *base);
        }
    });
}

fn mark_value(editor: &mut Editor<'_>, value: Value, place: Place, bases: &[Value], call: InstructionId) {
    let mut current = value;
    let mut place = place;
    for base in bases {
        let uses: Vec<Use> =
            editor.uses(current).into_iter().filter(|found| is_marked(editor.opcode(found.user))).collect();
        let like = editor.body().instructions_after(place).next().unwrap_or(call);
        let marked = editor.build(place, like, |builder| builder.with(unresolved()).mark_dependence(current, *base));
        uses.into_iter().for_each(|found| editor.set_operand(found, marked));
        editor.forget_ownership();
        if let Some(mark) = editor.body().defining(marked) {
            place = Place::After(mark);
        }
        current = marked;
    }
}

/// Returns whether a use becomes one of the mark: it does more than end a scope or deallocate memory.
fn is_marked(opcode: Opcode) -> bool {
    use Opcode::*;
    !matches!(
        opcode,
        EndBorrow
            | EndAccess
            | EndApply
            | AbortApply
            | DeallocStack
            | DeallocBox
            | DeallocRef
            | DeallocPartialRef
            | DeallocStackRef
            | DeallocExistentialBox
    )
}

/// Returns the bases of the results or yields of a call; `None` without a declared dependence.
fn result_bases(facts: &Facts<'_, '_>, call: InstructionId, addresses: AddressDependencies) -> Option<Vec<Value>> {
    let (_, conventions) = facts.full_apply(call)?;
    conventions.result_dependence()?;
    let scoped: Vec<(Use, LifetimeDependenceKind)> = facts
        .parameter_operands(call)
        .into_iter()
        .filter_map(|found| Some((found, facts.result_dependence(found)?)))
        .filter(|(_, kind)| matches!(kind, LifetimeDependenceKind::Scoped(_)))
        .collect();
    if facts.view.opcode(call) != Opcode::BeginApply {
        let bases = scoped.into_iter().flat_map(|(found, kind)| scoped_bases(facts, found, kind, addresses));
        return Some(bases.collect());
    }
    // A coroutine borrows its arguments for its duration.
    let mut bases: Vec<Value> = facts.token(call).filter(|_| !scoped.is_empty()).into_iter().collect();
    for (found, _) in scoped {
        bases.extend(facts.yields(call).iter().map(|_| facts.view.used_value(found)));
    }
    Some(bases)
}

/// Returns the bases of the argument `target` after the call.
fn argument_bases(facts: &Facts<'_, '_>, target: Use, addresses: AddressDependencies) -> Vec<Value> {
    let Some((site, conventions)) = facts.full_apply(target.user) else { return Vec::new() };
    let numbering = site.numbering(conventions);
    let number = |found: Use| numbering.sil_argument_of_operand(found.operand as usize);
    let Some(argument) = number(target) else { return Vec::new() };
    let mut bases = Vec::new();
    for source in facts.parameter_operands(target.user) {
        let kind = number(source).and_then(|source| conventions.argument_dependence_on(argument, source));
        if let Some(kind @ LifetimeDependenceKind::Scoped(_)) = kind {
            bases.extend(scoped_bases(facts, source, kind, addresses));
        }
    }
    bases
}

/// Returns the bases for a scoped dependence on the argument `source`: its memory, or its variable introducers.
fn scoped_bases(
    facts: &Facts<'_, '_>,
    source: Use,
    kind: LifetimeDependenceKind,
    addresses: AddressDependencies,
) -> Vec<Value> {
    let value = facts.view.used_value(source);
    if addresses == AddressDependencies::Heeded && facts.is_addressable(kind, value) {
        return vec![value];
    }
    let is_inout = facts.convention_of(source).is_some_and(|convention| convention.is_inout());
    let copies = if is_inout { TrivialCopies::Heed } else { TrivialCopies::Ignore };
    let introducers = variable_introducers(facts, value, copies);
    introducers.into_iter().filter_map(|introducer| Scope::of(facts, introducer).parent(facts)).collect()
}

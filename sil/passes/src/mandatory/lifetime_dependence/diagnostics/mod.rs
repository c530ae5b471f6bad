//! Diagnoses values that outlive their dependencies, and resolves unresolved marks: the pass
//! `lifetime-dependence-diagnostics`
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LifetimeDependenceDiagnostics.swift).
//!
//! Owns: the set of checked values, and the rules. `variables` finds the variables of values, `messages` has the
//! diagnostics.

mod messages;
mod variables;

use sil_analysis::walk::{self, Step};
use sil_analysis::{Change, InstructionRange, ProjectionPath, Use};
use sil_ir::context::LifetimeDependenceKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Definition, FunctionFlag, InstructionId, Value};
use std::ops::ControlFlow;

use super::dependent_uses::{DependenceVisitor, DependentUses, Flow};
use super::facts::{Facts, MarkKind};
use super::has_nonescapable_values;
use super::initializers::Initializer;
use super::reachability::Reachabilities;
use super::scope::{LifetimeDependence, Scope};
use crate::pass::{Environment, Rewrite};
use messages::{Messages, Misuse};

/// Checks a function.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let is_unresolved = |id| body.instructions[id].attributes.contains(Attribute::Unresolved);
    let is_checked = has_nonescapable_values(environment) || body.placed_instructions().any(is_unresolved);
    if !is_checked {
        return Ok(None);
    }
    let view = environment.view();
    let facts = Facts::with_names(&view, environment.settings.variable_names);
    let mut check = Check { facts: &facts, variables: Reachabilities::default(), diagnostics: Vec::new() };
    check.function();
    let diagnostics = check.diagnostics;
    let decisions = facts.decisions();
    if decisions.is_empty() {
        return Ok(Rewrite::diagnostics_alone(function, body, diagnostics));
    }
    let mut body = body.clone();
    for (mark, kind) in decisions {
        let attributes = &mut body.instructions[mark].attributes;
        attributes.remove(Attribute::Unresolved);
        if kind == MarkKind::NonEscaping {
            attributes.insert(Attribute::NonEscaping);
        }
    }
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Instructions) }))
}

struct Check<'f, 'v, 'm> {
    facts: &'f Facts<'v, 'm>,
    variables: Reachabilities,
    diagnostics: Vec<Diagnostic>,
}

impl Check<'_, '_, '_> {
    fn function(&mut self) {
        let facts = self.facts;
        let body = facts.view.body;
        for argument in &body.blocks[body.entry()].arguments {
            if !facts.is_escapable(*argument)
                && let Some(dependence) = LifetimeDependence::of_argument(facts, *argument)
            {
                _ = self.check(&dependence);
            }
        }
        for id in body.placed_instructions() {
            match facts.view.opcode(id) {
                Opcode::MarkDependence | Opcode::MarkDependenceAddr if facts.mark_kind(id) == MarkKind::Unresolved => {
                    self.mark(id);
                }
                Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => self.call(id),
                _ => {}
            }
        }
    }

    /// Checks a mark. A mark whose value may outlive its base becomes escaping, which is not always an error.
    fn mark(&mut self, mark: InstructionId) {
        let dependence = LifetimeDependence::of_mark(self.facts, mark);
        let is_right = dependence.is_some_and(|dependence| self.check(&dependence).is_continue());
        self.facts.decide(mark, if is_right { MarkKind::NonEscaping } else { MarkKind::Escaping });
    }

    /// Checks the results of a call without a declared dependence.
    fn call(&mut self, call: InstructionId) {
        let facts = self.facts;
        let is_silent =
            |(_, conventions): (_, sil_ir::types::FunctionConventions<'_>)| conventions.result_dependence().is_none();
        if !facts.full_apply(call).is_some_and(is_silent) {
            return;
        }
        let results = facts.indirect_result_operands(call).into_iter().map(|found| facts.view.used_value(found));
        for value in facts.result_or_yields(call).into_iter().chain(results) {
            if let Some(dependence) = LifetimeDependence::of_unsafe_result(facts, value) {
                _ = self.check(&dependence);
            }
        }
    }

    /// Breaks if a use is faulty or unknown.
    fn check(&mut self, dependence: &LifetimeDependence) -> Flow {
        let facts = self.facts;
        let diagnosis = Diagnosis { facts, dependence: *dependence, range: dependence.range(facts), found: Vec::new() };
        let (diagnosis, flow) = DependentUses::visit(facts, &self.variables, dependence, diagnosis);
        self.diagnostics.extend(diagnosis.found);
        flow
    }
}

/// The check of the uses of values that depend on one value.
struct Diagnosis<'f, 'v, 'm> {
    facts: &'f Facts<'v, 'm>,
    dependence: LifetimeDependence,
    /// The lifetime of that value; `None` if it is the whole function.
    range: Option<InstructionRange<'f>>,
    found: Vec<Diagnostic>,
}

impl Diagnosis<'_, '_, '_> {
    fn report(&mut self, found: Use, misuse: Misuse) {
        // An escaping mark of an escapable value is no error.
        if !self.facts.is_escapable(self.dependence.dependent) {
            self.found.extend(Messages { facts: self.facts }.outlives(&self.dependence, found, misuse));
        }
    }

    fn in_scope(&mut self, found: Use) -> Flow {
        if self.range.as_ref().is_some_and(|range| !range.contains_or_ends(found.user)) {
            self.report(found, Misuse::OutOfScope);
            return Flow::Break(());
        }
        Flow::Continue(())
    }

    fn escaping(&mut self, found: Use) -> Flow {
        self.report(found, Misuse::Escape);
        Flow::Break(())
    }

    fn reported(&mut self, right: Flow, found: Use) -> Flow {
        match right {
            ControlFlow::Continue(()) => right,
            ControlFlow::Break(()) => self.escaping(found),
        }
    }

    /// Returns the index of the function argument `value`.
    fn argument_number(&self, value: Value) -> Option<usize> {
        self.facts.view.argument_convention(value)?;
        match self.facts.view.body.values[value].definition {
            Definition::Argument { index, .. } => Some(index as usize),
            Definition::Result { .. } | Definition::Undef => None,
        }
    }

    /// Returns whether the dependent value may be in an `inout` argument at the end of the function.
    fn inout_result(&self, argument: Value) -> Flow {
        let view = self.facts.view;
        let source = self.dependence.scope.parent(self.facts);
        if source == Some(argument) {
            return Flow::Continue(());
        }
        let conventions = view.queries.conventions(view.function.ty);
        let numbers = source.and_then(|source| Some((self.argument_number(argument)?, self.argument_number(source)?)));
        let dependence = conventions
            .zip(numbers)
            .and_then(|(conventions, (target, source))| conventions.argument_dependence_on(target, source));
        if dependence.is_some() { Flow::Continue(()) } else { Flow::Break(()) }
    }

    /// Returns whether the dependent value may be returned.
    fn function_result(&self) -> Flow {
        let view = self.facts.view;
        let scope = self.dependence.scope;
        let is_void = |value| view.body.ty(value).ty == view.queries.void();
        let lives_on = match scope {
            Scope::Global(_) => true,
            Scope::Unknown(value) => is_void(value),
            _ => false,
        };
        if lives_on || view.function.has(FunctionFlag::UnsafeNonEscapableResult) {
            return Flow::Continue(());
        }
        let argument = scope.parent(self.facts).and_then(|parent| self.argument_number(parent));
        let conventions = view.queries.conventions(view.function.ty);
        let kind =
            conventions.zip(argument).and_then(|(conventions, argument)| conventions.result_dependence_on(argument));
        match kind {
            Some(LifetimeDependenceKind::Scoped(_)) => Flow::Continue(()),
            // A value that depends on the argument itself does not inherit its dependencies.
            Some(LifetimeDependenceKind::Inherited) if self.dependence.mark.is_none() => Flow::Continue(()),
            _ => Flow::Break(()),
        }
    }

    /// Returns whether the dependent value may be stored to a yielded address: the address must depend on the caller's
    /// memory.
    fn store_to_yield(&self, address: Value) -> Flow {
        let view = self.facts.view;
        let mut current = address;
        for _ in 0..=view.body.instructions.len() {
            if let Some((mark, Opcode::MarkDependence)) = view.definition(current) {
                match LifetimeDependence::of_mark(self.facts, mark).map(|dependence| dependence.scope) {
                    Some(Scope::Caller(argument)) => return self.inout_result(argument),
                    Some(Scope::Owned(_) | Scope::Initialized(Initializer::Argument(_) | Initializer::Yield(_)))
                    | Some(Scope::Initialized(Initializer::Store { .. })) => return Flow::Break(()),
                    _ => {}
                }
            }
            match walk::address_up(view, current, ProjectionPath::EMPTY) {
                Step::To(next, _) => current = next,
                _ => break,
            }
        }
        Flow::Continue(())
    }
}

impl DependenceVisitor for Diagnosis<'_, '_, '_> {
    fn leaf_use(&mut self, found: Use) -> Flow {
        self.in_scope(found)
    }

    fn dead_value(&mut self, from: Option<Use>) -> Flow {
        from.map_or(Flow::Continue(()), |found| self.in_scope(found))
    }

    fn escape(&mut self, found: Use) -> Flow {
        self.escaping(found)
    }

    fn inout_dependence(&mut self, argument: Value, found: Use) -> Flow {
        self.reported(self.inout_result(argument), found)
    }

    fn returned(&mut self, found: Use) -> Flow {
        self.reported(self.function_result(), found)
    }

    fn yielded(&mut self, found: Use) -> Flow {
        match self.dependence.scope {
            Scope::Caller(_) => self.reported(self.function_result(), found),
            _ => Flow::Continue(()),
        }
    }

    fn stored_to_yield(&mut self, address: Value, found: Use) -> Flow {
        self.reported(self.store_to_yield(address), found)
    }

    fn unknown_address_use(&mut self, found: Use) -> Flow {
        self.report(found, Misuse::Escape);
        Flow::Continue(())
    }
}

//! Diagnoses sends of values that belong to an actor or to the current task (`SentNeverSendableDiagnosticInferrer`,
//! lib/SILOptimizer/Mandatory/SendNonSendable.cpp).

use sil_analysis::regions::crossings::{Crossing, Evidence, actor_type, crossing_of};
use sil_analysis::regions::{ClosureUse, Isolation, begins_async_let, closure_isolation, is_sending};
use sil_analysis::thunks::is_thunk;
use sil_analysis::{ApplySite, BodyView, CallsOfMethods, Use, variable_name};
use sil_ir::context::{ParameterOption, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{ArgumentFlag, Details, InstructionId, Value};
use sil_ir::symbols::{EntityKind, Symbol};

use super::report::Report;
use crate::messages::callees::called_declaration;
use crate::messages::findings::note_at;

impl Report<'_, '_, '_> {
    /// Reports that `by` sends a value of an actor or of the current task.
    pub(super) fn never_sendable(&mut self, by: Use, isolation: Isolation) {
        match self.message_of_never_sendable(by, isolation) {
            Some(finding) => {
                let finding = self.with_conformance(finding, isolation);
                let finding = self.limited(finding, &self.sent_values(by), isolation);
                self.say(finding);
            }
            None => self.unknown(by.user),
        }
    }

    /// Returns the values that an operand sends: the captures of a closure, or the value itself.
    fn sent_values(&self, by: Use) -> Vec<Value> {
        let body = self.view().body;
        match self.closure_literal(by) {
            Some(closure) => body.operands(closure).iter().skip(1).copied().collect(),
            None => vec![by.value(body)],
        }
    }

    /// Adds a note at the conformance that isolates a value.
    fn with_conformance(&self, finding: Diagnostic, isolation: Isolation) -> Diagnostic {
        let view = self.view();
        let place = isolation.value.and_then(|value| view.body.defining(value));
        match (isolation.conformance, place) {
            (Some(protocol), Some(place)) => {
                let name = view.queries.context.text(view.queries.declarations.get(protocol).name);
                self.note(finding, place, format!("isolated conformance to protocol '{name}' can be introduced here"))
            }
            _ => finding,
        }
    }

    fn message_of_never_sendable(&self, by: Use, isolation: Isolation) -> Option<Diagnostic> {
        let view = self.view();
        let crossing = crossing_of(view, by.user);
        if self.has_expressions() && is_sending(view, by) {
            return self.passed_as_sending(by, isolation);
        }
        let inferred = crossing.filter(|crossing| crossing.evidence == Evidence::Inferred);
        let is_isolated = closure_isolation(view, by.user).is_some_and(|isolation| isolation.is_isolated());
        if is_isolated && let Some(finding) = self.captured_by_isolated(by, isolation) {
            return Some(finding);
        }
        if let Some(crossing) = inferred {
            return Some(self.passed_to_callee(by, isolation, crossing));
        }
        if let Some(crossing) = crossing {
            return Some(self.passed_with_type(by, isolation, crossing));
        }
        if let Some(finding) = self.given_back(by, isolation) {
            return Some(finding);
        }
        if begins_async_let(view, by.user) {
            return self.captured_by_async_let(by, isolation);
        }
        Some(self.error(view, by.user, "task or actor isolated value cannot be sent"))
    }

    fn passed_as_sending(&self, by: Use, isolation: Isolation) -> Option<Diagnostic> {
        if let Some(closure) = self.closure_literal(by) {
            return self.closure_passed_as_sending(by, closure, isolation);
        }
        let (id, words) = (by.user, self.words(isolation));
        if let Some(name) = self.name(by.value(self.view().body)) {
            let described = self.described(isolation);
            let message = format!(
                "{described}'{name}' is passed as a 'sending' parameter; Uses in callee may race with later {words} uses"
            );
            return Some(self.note(self.named_race(self.view(), id, &name), id, message));
        }
        let ty = self.type_of(by);
        let message = match called_declaration(self.view(), id) {
            Some(callee) => {
                let name = callee.find('\'').map_or(callee.as_str(), |at| &callee[at..]);
                format!(
                    "Passing {words} value of non-Sendable type '{ty}' as a 'sending' parameter to {callee} risks causing races \
                     inbetween {words} uses and uses reachable from {name}"
                )
            }
            None => format!(
                "Passing {words} value of non-Sendable type '{ty}' as a 'sending' parameter risks causing races inbetween {words} \
                 uses and uses reachable from the callee"
            ),
        };
        Some(self.note(self.typed_race(id, &ty), id, message))
    }

    /// Returns the closure literal of an argument, looking through conversions and thunks.
    fn closure_literal(&self, by: Use) -> Option<InstructionId> {
        let view = self.view();
        let mut value = by.value(view.body);
        for _ in 0..=view.body.values.len() {
            let (id, opcode) = view.definition(value)?;
            match opcode {
                Opcode::ThinToThickFunction | Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape => {
                    value = view.operand(id, 0)?;
                }
                Opcode::PartialApply => {
                    let site = ApplySite::new(view.body, id)?;
                    match site.arguments().first() {
                        Some(inner) if is_thunk(view, site.callee()) => value = *inner,
                        _ => return is_closure_literal(view, site).then_some(id),
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// Reports the captures that prevent a closure from being sent.
    fn closure_passed_as_sending(&self, by: Use, closure: InstructionId, isolation: Isolation) -> Option<Diagnostic> {
        let view = self.view();
        let captures: Vec<Use> =
            (1..view.body.operands(closure).len() as u32).map(|operand| Use { user: closure, operand }).collect();
        for capture in &captures {
            if self.is_own_actor(capture.value(view.body)) {
                let found = self.closure_use(*capture)?;
                let words = self.words(isolation);
                return self.closure_finding(closure, &found, isolation, |name, _| {
                    format!("closure captures '{name}' allowing access to {words} state within the closure")
                });
            }
        }
        let tracked = |capture: &Use| self.analysis.borrow_mut().tracked.lookup(capture.value(view.body)).value;
        let unsendable: Vec<Use> = captures.into_iter().filter(|capture| !tracked(capture).is_sendable).collect();
        for capture in &unsendable {
            let found = tracked(capture);
            let is_itself = found.value().is_some() && found.value() == isolation.value;
            if (found.isolation().is_task() || is_itself)
                && let Some(found) = self.closure_use(*capture)
            {
                let kind = if self.is_parameter(capture.value(view.body)) { "parameter" } else { "var" };
                return self.closure_finding(by.user, &found, isolation, |name, capture| match (isolation.is_task(), capture) {
                    (true, Capture::Box) => format!(
                        "closure captures reference to mutable {kind} '{name}' which is accessible to code in the current task"
                    ),
                    (true, Capture::Value) => captured_of_task(name),
                    (false, _) => format!("closure captures {} '{name}'", self.words(isolation)),
                });
            }
        }
        self.closure_of_several(by, &unsendable, isolation)
    }

    fn closure_of_several(&self, by: Use, captures: &[Use], isolation: Isolation) -> Option<Diagnostic> {
        if let [only] = captures {
            let found = self.closure_use(*only)?;
            return self.closure_finding(by.user, &found, isolation, |name, _| match isolation.is_task() {
                true => captured_of_task(name),
                false => {
                    format!("closure captures '{name}' which is accessible to {} code", self.words(isolation))
                }
            });
        }
        let mut finding = self.closure_error(by.user, isolation);
        let uses: Vec<ClosureUse> = captures.iter().filter_map(|capture| self.closure_use(*capture)).collect();
        if uses.is_empty() {
            return None;
        }
        for found in uses {
            let message = |name: &str, _: Capture| format!("closure captures non-Sendable '{name}'");
            finding = self.with_capture(finding, &found, message)?;
        }
        Some(finding)
    }

    fn closure_error(&self, id: InstructionId, isolation: Isolation) -> Diagnostic {
        let code = isolation.words_for_code(self.view());
        let message = format!(
            "passing closure as a 'sending' parameter risks causing data races between {code} and concurrent execution of the \
             closure"
        );
        self.error(self.view(), id, &message)
    }

    fn closure_finding(
        &self,
        id: InstructionId,
        found: &ClosureUse,
        isolation: Isolation,
        message: impl FnOnce(&str, Capture) -> String,
    ) -> Option<Diagnostic> {
        self.with_capture(self.closure_error(id, isolation), found, message)
    }

    /// Adds a note about a capture of a closure; `message` gets its name and kind.
    fn with_capture(
        &self,
        finding: Diagnostic,
        found: &ClosureUse,
        message: impl FnOnce(&str, Capture) -> String,
    ) -> Option<Diagnostic> {
        self.in_closure(found, |inner| {
            let name =
                variable_name(inner, found.argument, CallsOfMethods::All).map(|name| name.name).or_else(|| {
                    variable_name(inner, found.found.value(inner.body), CallsOfMethods::All).map(|name| name.name)
                })?;
            let is_box = matches!(inner.queries.get(inner.body.ty(found.argument).ty), Type::Box(_));
            let is_capture = inner.body.values[found.argument].flags.contains(ArgumentFlag::ClosureCapture);
            Some(note_at(
                finding,
                inner.body,
                found.found.user,
                message(&name, if is_box && is_capture { Capture::Box } else { Capture::Value }),
            ))
        })?
    }

    /// Returns whether the variable of a value is a parameter.
    fn is_parameter(&self, value: Value) -> bool {
        let view = self.view();
        let variable = variable_name(view, value, CallsOfMethods::All).and_then(|found| view.body.defining(found.root));
        match variable.map(|id| &view.body.instructions[id].details) {
            Some(Details::Variable(variable)) => variable.argument.is_some(),
            _ => false,
        }
    }

    /// Returns whether a value is the method's own actor.
    fn is_own_actor(&self, value: Value) -> bool {
        let view = self.view();
        let mut value = value;
        while let Some((id, Opcode::CopyValue | Opcode::MoveValue | Opcode::BeginBorrow)) = view.definition(value) {
            match view.operand(id, 0) {
                Some(operand) => value = operand,
                None => return false,
            }
        }
        let own = view.queries.conventions(view.function.ty).and_then(|conventions| {
            let arguments = &view.body.blocks[view.body.entry()].arguments;
            arguments.get(conventions.argument_of_parameter(conventions.self_parameter()?)).copied()
        });
        own == Some(value) && actor_type(view, value).is_some()
    }

    fn passed_to_callee(&self, by: Use, isolation: Isolation, crossing: Crossing) -> Diagnostic {
        let Some(name) = self.name(by.value(self.view().body)) else {
            return self.passed_with_type(by, isolation, crossing);
        };
        let (id, callee) = (by.user, self.actor(crossing.callee));
        let (described, words) = (self.described(isolation), self.words(isolation));
        let called = called_declaration(self.view(), id).unwrap_or_else(|| "callee".to_owned());
        let message = format!(
            "sending {described}'{name}' to {callee} {called} risks causing data races between {callee} and {words} uses"
        );
        self.note(self.named_race(self.view(), id, &name), id, message)
    }

    fn passed_with_type(&self, by: Use, isolation: Isolation, crossing: Crossing) -> Diagnostic {
        let (id, ty) = (by.user, self.type_of(by));
        let (callee, words) = (self.actor(crossing.callee), self.words(isolation));
        let called = called_declaration(self.view(), id).unwrap_or_else(|| "callee".to_owned());
        let message = format!(
            "sending {words} value of non-Sendable type '{ty}' to {callee} {called} risks causing races in between {words} and \
             {callee} uses"
        );
        self.note(self.typed_race(id, &ty), id, message)
    }

    fn captured_by_isolated(&self, by: Use, isolation: Isolation) -> Option<Diagnostic> {
        let found = self.closure_use(by)?;
        let name = self.name(by.value(self.view().body))?;
        let crossing = self.closure_crossing(&found)?;
        let (callee, caller) = (self.actor(crossing.callee), self.actor(crossing.caller));
        let described = self.described(isolation);
        let message = format!(
            "{described}'{name}' is captured by a {callee} closure. {callee} uses in closure may race against later {caller} uses"
        );
        let id = found.found.user;
        self.in_closure(&found, |inner| note_at(self.named_race(inner, id, &name), inner.body, id, message))
    }

    fn given_back(&self, by: Use, isolation: Isolation) -> Option<Diagnostic> {
        let view = self.view();
        let results = &view.queries.conventions(view.function.ty)?.function.results;
        let is_sent = results.first().is_some_and(|result| result.options.contains(ParameterOption::Sending));
        if view.opcode(by.user) != Opcode::Return || !is_sent {
            return None;
        }
        let name = self.name(by.value(view.body))?;
        let (described, words) = (self.described(isolation), self.words(isolation));
        let message =
            format!("{described}'{name}' cannot be a 'sending' result. {words} uses may race with caller uses");
        Some(self.note(self.named_race(view, by.user, &name), by.user, message))
    }

    fn captured_by_async_let(&self, by: Use, isolation: Isolation) -> Option<Diagnostic> {
        let found = self.closure_use(by)?;
        let words = self.words(isolation);
        let id = found.found.user;
        self.in_closure(&found, |inner| {
            let name = variable_name(inner, found.argument, CallsOfMethods::All)?.name;
            let message = format!(
                "sending {words} '{name}' into async let risks causing data races between nonisolated and {words} uses"
            );
            Some(note_at(self.named_race(inner, id, &name), inner.body, id, message))
        })?
    }
}

/// The kind of a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Capture {
    /// A variable in a box.
    Box,
    /// A value.
    Value,
}

fn captured_of_task(name: &str) -> String {
    format!("closure captures '{name}' which is accessible to code in the current task")
}

/// Returns whether a `partial_apply` makes a closure of the source.
fn is_closure_literal(view: &BodyView<'_>, site: ApplySite<'_>) -> bool {
    let reference = site.callee().and_then(|callee| view.definition(callee));
    let Some((id, Opcode::FunctionRef)) = reference else { return false };
    let Details::Function(name) = view.body.instructions[id].details else { return false };
    let symbol = Symbol::demangle(view.module.context.text(name));
    symbol.and_then(|symbol| symbol.entity()).is_some_and(|entity| entity.kind == EntityKind::Closure)
}

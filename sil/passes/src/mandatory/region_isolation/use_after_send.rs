//! Diagnoses uses of sent values (`UseAfterSendDiagnosticInferrer`, lib/SILOptimizer/Mandatory/SendNonSendable.cpp).

use sil_analysis::regions::crossings::{Crossing, Evidence, crossing_of, isolation_of_caller};
use sil_analysis::regions::{
    ClosureUse, Isolation, begins_async_let, called_with_capture, closure_isolation, closure_use, is_sending,
};
use sil_analysis::{BodyView, Use};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::InstructionId;

use super::LaterUse;
use super::report::Report;
use crate::messages::callees::called_declaration;

impl Report<'_, '_, '_> {
    /// Reports that `sent` sends a value with later uses.
    pub(super) fn use_after_send(&mut self, sent: Use, later: &[LaterUse]) {
        if later.is_empty() {
            return self.unknown(sent.user);
        }
        match self.message_of_sending(sent) {
            Some(finding) => {
                let finding = self.with_later_uses(finding, later);
                let value = sent.value(self.view().body);
                let finding = self.limited(finding, &[value], Isolation::DISCONNECTED);
                self.say(finding);
            }
            None => self.unknown(sent.user),
        }
    }

    fn with_later_uses(&self, mut finding: Diagnostic, later: &[LaterUse]) -> Diagnostic {
        for later in later.iter().rev() {
            finding = match later {
                LaterUse::Use(id) => self.note(finding, *id, "access can happen concurrently"),
                LaterUse::Exit(id) => self.note(
                    finding,
                    *id,
                    "'inout sending' parameter must be reinitialized before function exit with a non-actor isolated value",
                ),
            };
        }
        finding
    }

    fn message_of_sending(&self, sent: Use) -> Option<Diagnostic> {
        let view = self.view();
        if is_sending(view, sent) {
            return Some(self.sent_to_parameter(sent));
        }
        if let Some(crossing) = crossing_of(view, sent.user) {
            return Some(self.sent_to_callee(sent, crossing));
        }
        if closure_isolation(view, sent.user).is_some_and(|isolation| isolation.is_isolated())
            && let Some(found) = self.closure_use(sent)
        {
            return Some(self.sent_to_closure(sent, &found));
        }
        begins_async_let(view, sent.user).then(|| self.sent_to_async_let(sent)).flatten()
    }

    pub(super) fn named_race(&self, view: &BodyView<'_>, id: InstructionId, name: &str) -> Diagnostic {
        self.error(view, id, &format!("sending '{name}' risks causing data races"))
    }

    pub(super) fn typed_race(&self, id: InstructionId, ty: &str) -> Diagnostic {
        self.error(self.view(), id, &format!("sending value of non-Sendable type '{ty}' risks causing data races"))
    }

    fn sent_to_parameter(&self, sent: Use) -> Diagnostic {
        let id = sent.user;
        if let Some(name) = self.name(sent.value(self.view().body)) {
            let finding = self.named_race(self.view(), id, &name);
            let message = format!("'{name}' used after being passed as a 'sending' parameter; Later uses could race");
            return self.note(finding, id, message);
        }
        let ty = self.type_of(sent);
        let callee = called_declaration(self.view(), id).map_or_else(String::new, |callee| format!(" to {callee}"));
        let message = format!(
            "Passing value of non-Sendable type '{ty}' as a 'sending' argument{callee} risks causing races in between local \
             and caller code"
        );
        self.note(self.typed_race(id, &ty), id, message)
    }

    /// Returns the use in a closure that a diagnostic concerns, with its function.
    pub(super) fn closure_use(&self, operand: Use) -> Option<ClosureUse> {
        closure_use(self.view(), operand)
    }

    /// Runs `run` with a view of a closure's function.
    pub(super) fn in_closure<T>(&self, found: &ClosureUse, run: impl FnOnce(&BodyView<'_>) -> T) -> Option<T> {
        let view = self.view();
        let function = &view.module.functions[view.module.function_named(found.function)?];
        let body = function.body.as_ref()?;
        Some(run(&BodyView::new(view.module, view.queries, function, body)))
    }

    /// Returns the isolations of the function and of a closure in it.
    pub(super) fn closure_crossing(&self, found: &ClosureUse) -> Option<Crossing> {
        let caller = isolation_of_caller(self.view())?;
        let callee = self.in_closure(found, isolation_of_caller)??;
        Some(Crossing { caller, callee, evidence: Evidence::Inferred })
    }

    /// Returns the isolation of a sent operand.
    fn sent_isolation(&self, sent: Use) -> Isolation {
        self.analysis.borrow().sent_by(sent).map_or(Isolation::DISCONNECTED, |state| state.isolation)
    }

    fn sent_to_closure(&self, sent: Use, found: &ClosureUse) -> Diagnostic {
        let id = found.found.user;
        let name = self.name(sent.value(self.view().body));
        let ty = self.type_of(sent);
        let race = match &name {
            Some(name) => format!("sending '{name}' risks causing data races"),
            None => format!("sending value of non-Sendable type '{ty}' risks causing data races"),
        };
        let words = self.closure_crossing(found).map(|found| (self.actor(found.callee), self.actor(found.caller)));
        let (callee, caller) = words.unwrap_or_default();
        let message = match name {
            Some(name) => {
                let described = self.described(self.sent_isolation(sent));
                format!(
                    "{described}'{name}' is captured by a {callee} closure. {callee} uses in closure may race against later \
                     {caller} uses"
                )
            }
            None => format!(
                "sending value of non-Sendable type '{ty}' to {callee} closure due to closure capture risks causing races in \
                 between {callee} and {caller} uses"
            ),
        };
        let said = self.in_closure(found, |inner| {
            let finding = self.error(inner, id, &race);
            crate::messages::findings::note_at(finding, inner.body, id, message)
        });
        said.unwrap_or_else(|| self.error(self.view(), sent.user, &race))
    }

    fn sent_to_callee(&self, sent: Use, crossing: Crossing) -> Diagnostic {
        let id = sent.user;
        // Diagnostics of calls in tests name no variables.
        let name = self.name(sent.value(self.view().body)).filter(|_| crossing.evidence == Evidence::Inferred);
        if let Some(name) = name {
            let isolation = self.sent_isolation(sent);
            return self.named_crossing(id, &name, isolation, crossing, called_declaration(self.view(), id));
        }
        let (ty, callee, caller) = (self.type_of(sent), self.actor(crossing.callee), self.actor(crossing.caller));
        let called = called_declaration(self.view(), id).unwrap_or_else(|| "callee".to_owned());
        let message = format!(
            "sending value of non-Sendable type '{ty}' to {callee} {called} risks causing data races between {callee} and local \
             {caller} uses"
        );
        self.note(self.typed_race(id, &ty), id, message)
    }

    fn named_crossing(
        &self,
        id: InstructionId,
        name: &str,
        isolation: Isolation,
        crossing: Crossing,
        called: Option<String>,
    ) -> Diagnostic {
        let (described, callee, caller) =
            (self.described(isolation), self.actor(crossing.callee), self.actor(crossing.caller));
        let called = called.unwrap_or_else(|| "callee".to_owned());
        let message = format!(
            "sending {described}'{name}' to {callee} {called} risks causing data races between {callee} and local {caller} uses"
        );
        self.note(self.named_race(self.view(), id, name), id, message)
    }

    fn sent_to_async_let(&self, sent: Use) -> Option<Diagnostic> {
        let name = self.name(sent.value(self.view().body))?;
        let called = called_with_capture(self.view(), sent, |inner, call| {
            crossing_of(inner, call).map(|crossing| (crossing, called_declaration(inner, call)))
        });
        let id = sent.user;
        Some(match called.flatten() {
            Some((crossing, called)) => self.named_crossing(id, &name, self.sent_isolation(sent), crossing, called),
            None => {
                let message = format!(
                    "sending '{name}' into async let risks causing data races between async let uses and local uses"
                );
                self.note(self.named_race(self.view(), id, &name), id, message)
            }
        })
    }
}

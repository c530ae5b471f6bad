//! Diagnoses results and `inout sending` parameters that belong to an actor or to the current task although the
//! receiver may send them (lib/SILOptimizer/Mandatory/SendNonSendable.cpp).

use sil_analysis::regions::Isolation;
use sil_analysis::regions::crossings::{Evidence, crossing_of};
use sil_analysis::{ApplySite, Use};
use sil_ir::context::{Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use super::report::Report;
use crate::messages::callees::called_declaration;

impl Report<'_, '_, '_> {
    /// Reports that `by` puts an isolated value into a `sending` result.
    pub(super) fn sending_result(&mut self, by: Use, result: Value, source: Option<Value>, isolation: Isolation) {
        let view = self.view();
        let (id, words) = (by.user, self.words(isolation));
        let finding = match self.name(by.value(view.body)) {
            Some(name) => {
                let name = self.name_of_part(by, result, name);
                let error = format!("returning {words} '{name}' as a 'sending' result risks causing data races");
                let message = format!(
                    "returning {words} '{name}' risks causing data races since the caller assumes that '{name}' can be safely \
                     sent to other isolation domains"
                );
                self.note(self.error(view, id, &error), id, message)
            }
            None => {
                let ty = self.canonical_type_name(view.body.ty(source.unwrap_or(by.value(view.body))).ty);
                let error = format!("returning a {words} '{ty}' value as a 'sending' result risks causing data races");
                let message = format!(
                    "returning a {words} '{ty}' value risks causing races since the caller assumes the value can be safely sent \
                     to other isolation domains"
                );
                let finding = self.note(self.error(view, id, &error), id, message);
                self.note(finding, id, format!("'{ty}' is a non-Sendable type"))
            }
        };
        self.say(finding);
    }

    /// Returns the name of a part of `name`, if a method of that value writes directly to the result.
    fn name_of_part(&self, by: Use, result: Value, name: String) -> String {
        let view = self.view();
        let body = view.body;
        if body.ty(by.value(body)) == body.ty(result) {
            return name;
        }
        let gives = |site: &ApplySite<'_>| {
            let place = site.arguments().first();
            place.is_some_and(|place| *place == result || self.optional_around(*place) == Some(result))
        };
        let Some(site) = ApplySite::new(body, by.user).filter(gives) else { return name };
        let method = site.callee().and_then(|callee| body.defining(callee)).map(|id| &body.instructions[id].details);
        match method {
            Some(sil_ir::model::Details::Method(method)) => {
                let member = view.queries.context.get_member(method.member);
                format!("{name}.{}", view.queries.context.text(member.name))
            }
            _ => name,
        }
    }

    /// Returns the optional whose payload is at an address.
    fn optional_around(&self, address: Value) -> Option<Value> {
        let view = self.view();
        let (id, Opcode::InitEnumDataAddr) = view.definition(address)? else { return None };
        let whole = view.operand(id, 0)?;
        view.queries.optional_object(view.body.ty(whole).ty).and(Some(whole))
    }

    /// Reports that an `inout sending` parameter is isolated at the end of the function.
    pub(super) fn not_disconnected(&mut self, exit: InstructionId, parameter: Value, isolation: Isolation) {
        let Some(name) = self.name(parameter) else { return self.unknown(exit) };
        let words = self.words(isolation);
        let error = format!("'inout sending' parameter '{name}' cannot be {words} at end of function");
        let message = format!(
            "{words} '{name}' risks causing races in between {words} uses and caller uses since caller assumes value is not actor \
             isolated"
        );
        let finding = self.note(self.error(self.view(), exit, &error), exit, message);
        self.say(finding);
    }

    /// Reports that a call returns a value isolated to the callee's actor.
    pub(super) fn crossing_result(&mut self, call: InstructionId) {
        let view = self.view();
        let (Some(crossing), Some(ty)) = (crossing_of(view, call), self.result_type(call)) else {
            return self.unknown(call);
        };
        let (callee, caller) = (self.actor(crossing.callee), self.actor(crossing.caller));
        let called = called_declaration(view, call).filter(|_| crossing.evidence == Evidence::Inferred);
        let called = called.unwrap_or_else(|| "function".to_owned());
        let words = self.type_name(ty);
        let error = format!(
            "non-Sendable '{words}'-typed result can not be returned from {callee} {called} to {caller} context"
        );
        let finding = self.error(view, call, &error);
        let finding = self.with_type(finding, call, ty);
        self.say(finding);
    }

    /// Returns all results of a call as one type.
    fn result_type(&self, call: InstructionId) -> Option<TypeId> {
        let view = self.view();
        let conventions = ApplySite::new(view.body, call)?.conventions(view.queries)?;
        match &*conventions.function.results {
            [only] => Some(only.ty),
            results => {
                let element = |ty| sil_ir::context::TupleElement { label: None, ty };
                let elements = results.iter().map(|result| element(result.ty)).collect();
                Some(view.queries.context.ty(Type::Tuple(elements)))
            }
        }
    }

    /// Adds a note on how to make a type `Sendable`.
    fn with_type(&self, finding: Diagnostic, call: InstructionId, ty: TypeId) -> Diagnostic {
        let queries = self.view().queries;
        if let Type::Function(_) = queries.get(ty) {
            let message = "a function type must be marked '@Sendable' to conform to 'Sendable'";
            return self.note(finding, call, message);
        }
        let Some(declaration) = queries.declaration_of(ty) else { return finding };
        let kind = match declaration.kind {
            NominalKind::Struct => "struct",
            NominalKind::Enum => "enum",
            NominalKind::Class => "class",
            NominalKind::Actor => "actor",
            NominalKind::Protocol => "protocol",
            NominalKind::Unknown => return finding,
        };
        let name = queries.context.text(declaration.name);
        let is_own_value =
            declaration.origin == Origin::Module && matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum);
        let message = match is_own_value {
            true => format!("consider making {kind} '{name}' conform to the 'Sendable' protocol"),
            false => format!("{kind} '{name}' does not conform to the 'Sendable' protocol"),
        };
        finding.note(message, (declaration.origin == Origin::Module).then_some(declaration.span))
    }
}

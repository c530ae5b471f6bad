//! The diagnostics of sends, and their parts.

use sil_analysis::regions::actors::{ActorIsolation, Wording};
use sil_analysis::regions::crossings::has_expressions;
use sil_analysis::regions::{Isolation, IsolationKind, RegionAnalysis, RegionError, ValueIsolation};
use sil_analysis::thunks::is_thunk;
use sil_analysis::{BodyView, CallsOfMethods, Use, variable_name};
use sil_ir::context::{FunctionAttribute, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::{Diagnostic, Level};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, InstructionId, Value};
use sil_ir::types::FunctionConventions;
use std::cell::RefCell;

use crate::messages::callees::variadic_element;
use crate::messages::findings::{error_at, note_at, warning_at};
use crate::messages::type_names::{canonical_type_name, type_name};
use crate::pass::settings::{AsynchronousDefault, ConcurrencyChecking, Settings};

/// The diagnostic group.
const CODE: &str = "region-isolation";

/// The diagnostics of a function.
pub(super) struct Report<'r, 'v, 'm> {
    pub(super) values: &'r ValueIsolation<'v, 'm>,
    pub(super) analysis: RefCell<RegionAnalysis<'r, 'v, 'm>>,
    checking: ConcurrencyChecking,
    asynchronous: AsynchronousDefault,
    findings: Vec<Diagnostic>,
}

impl<'r, 'v, 'm> Report<'r, 'v, 'm> {
    pub(super) fn new(
        values: &'r ValueIsolation<'v, 'm>,
        analysis: RegionAnalysis<'r, 'v, 'm>,
        settings: &Settings,
    ) -> Self {
        let (checking, asynchronous) = (settings.concurrency, settings.asynchronous);
        Self { values, analysis: RefCell::new(analysis), checking, asynchronous, findings: Vec::new() }
    }

    pub(super) fn view(&self) -> &'v BodyView<'m> {
        self.values.view
    }

    /// Returns all diagnostics.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.findings
    }

    pub(super) fn say(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    /// Returns an error at `id` in the function of `view`, or a warning in older language modes.
    pub(super) fn error(&self, view: &BodyView<'_>, id: InstructionId, message: &str) -> Diagnostic {
        match self.checking {
            ConcurrencyChecking::Swift6 => error_at(view.body, id, CODE, message),
            ConcurrencyChecking::Minimal | ConcurrencyChecking::Complete => self.warning(view, id, message),
        }
    }

    /// Limits a finding about a sent, isolated `value`. One caused by a metatype, or by an isolated conformance, is a
    /// warning until the next language mode (`TypeBase::getConcurrencyDiagnosticBehaviorLimit`, lib/AST/Type.cpp;
    /// `getBehaviorLimit`, lib/SILOptimizer/Mandatory/SendNonSendable.cpp).
    pub(super) fn limited(&self, finding: Diagnostic, values: &[Value], isolation: Isolation) -> Diagnostic {
        let body = self.view().body;
        let has_metatype = values.iter().any(|value| self.holds_metatype(body.ty(*value).ty, &mut Vec::new()));
        if has_metatype || isolation.conformance.is_some() { finding.at_level(Level::Warning) } else { finding }
    }

    /// Returns whether a value of a type contains a metatype, itself or in a field.
    fn holds_metatype(&self, ty: TypeId, open: &mut Vec<TypeId>) -> bool {
        if open.contains(&ty) {
            return false;
        }
        open.push(ty);
        let queries = self.view().queries;
        match queries.get(ty) {
            Type::Metatype { .. } | Type::ExistentialMetatype { .. } => true,
            Type::Tuple(elements) => elements.iter().any(|element| self.holds_metatype(element.ty, open)),
            Type::Nominal(nominal) if queries.declarations.get(nominal.declaration).kind == NominalKind::Struct => {
                let fields = queries.field_types(ty);
                fields.is_some_and(|fields| fields.iter().any(|field| self.holds_metatype(*field, open)))
            }
            _ => false,
        }
    }

    /// Returns a warning that is an error in later language modes.
    pub(super) fn warning(&self, view: &BodyView<'_>, id: InstructionId, message: &str) -> Diagnostic {
        warning_at(view.body, id, CODE, format!("{message}; this is an error in the Swift 6 language mode"))
    }

    pub(super) fn note(&self, finding: Diagnostic, id: InstructionId, message: impl Into<String>) -> Diagnostic {
        note_at(finding, self.view().body, id, message)
    }

    /// Reports that the treatment of values by an instruction is unknown.
    pub(super) fn unknown(&mut self, id: InstructionId) {
        let message =
            "pattern that the region based isolation checker does not understand how to check. Please file a bug";
        let finding = self.error(self.view(), id, message);
        self.say(finding);
    }

    /// Returns the source name of a value.
    pub(super) fn name(&self, value: Value) -> Option<String> {
        variable_name(self.view(), value, CallsOfMethods::All).map(|found| found.name)
    }

    /// Returns the name of a type.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        type_name(self.view().queries, ty, self.view().function.signature)
    }

    /// Returns the canonical name of a type that is not written in the source.
    pub(super) fn canonical_type_name(&self, ty: TypeId) -> String {
        canonical_type_name(self.view().queries, ty, self.view().function.signature)
    }

    /// Returns the name of the type that an operand uses. For a function or an object, it is the type before
    /// conversions.
    pub(super) fn type_of(&self, found: Use) -> String {
        let view = self.view();
        let mut value = found.value(view.body);
        if !self.has_expressions() {
            return self.canonical_type_name(view.body.ty(value).ty);
        }
        if let Some(element) = variadic_element(view, found) {
            return format!("{}...", self.type_name(element));
        }
        for _ in 0..=view.body.values.len() {
            let Some((id, opcode)) = view.definition(value) else { break };
            let after = match opcode {
                Opcode::ConvertFunction
                | Opcode::ConvertEscapeToNoescape
                | Opcode::Upcast
                | Opcode::CopyValue
                | Opcode::MoveValue
                | Opcode::BeginBorrow => view.operand(id, 0),
                Opcode::PartialApply if is_thunk(view, view.operand(id, 0)) => view.operand(id, 1),
                _ => None,
            };
            match after {
                Some(after) => value = after,
                None => break,
            }
        }
        self.type_name(self.erased_type(value).unwrap_or(view.body.ty(value).ty))
    }

    /// Returns the type of the value that an expression puts into an existential container.
    fn erased_type(&self, value: Value) -> Option<TypeId> {
        let view = self.view();
        let made = view.body.defining(value)?;
        let mut users = view.uses.of(value).iter().map(|found| found.user).chain([made]);
        let puts = users.find(|id| {
            let is_address = view.opcode(made) == Opcode::AllocStack;
            view.opcode(*id) == if is_address { Opcode::InitExistentialAddr } else { Opcode::InitExistentialRef }
        })?;
        match view.body.instructions[puts].details {
            Details::FormalType(ty) => Some(ty),
            _ => None,
        }
    }

    /// Returns the name of the isolation of code.
    pub(super) fn actor(&self, isolation: ActorIsolation) -> String {
        match isolation {
            ActorIsolation::CallerInheriting if self.is_callers_by_default() => "nonisolated".to_owned(),
            _ if isolation.is_nonisolated() && self.is_callers_by_default() => "@concurrent".to_owned(),
            _ => self.words_of_actor(isolation),
        }
    }

    fn words_of_actor(&self, isolation: ActorIsolation) -> String {
        isolation.words(self.view().queries.context, Wording::Adjective)
    }

    /// Returns whether asynchronous functions inherit the isolation of their caller by default
    /// (`printActorIsolationForDiagnostics`).
    fn is_callers_by_default(&self) -> bool {
        let conventions = self.view().queries.conventions(self.view().function.ty);
        let is_async = |found: FunctionConventions<'_>| found.function.attributes.contains(FunctionAttribute::Async);
        self.asynchronous == AsynchronousDefault::Callers && conventions.is_some_and(is_async)
    }

    /// Returns the name of the isolation of a value.
    pub(super) fn words(&self, isolation: Isolation) -> String {
        match isolation.kind {
            IsolationKind::Task if self.is_callers_by_default() => match isolation.flags.nonsending {
                true => "task-isolated".to_owned(),
                false => "@concurrent task-isolated".to_owned(),
            },
            _ => isolation.words(self.view()),
        }
    }

    /// Returns the isolation of a value as a prefix of its name; empty for a disconnected value.
    pub(super) fn described(&self, isolation: Isolation) -> String {
        if isolation.is_disconnected() { String::new() } else { format!("{} ", self.words(isolation)) }
    }

    /// Returns whether calls come from expressions of a Swift program, which have more specific diagnostics than
    /// instructions of tests.
    pub(super) fn has_expressions(&self) -> bool {
        has_expressions(self.view())
    }

    /// Reports an error that needs no later uses.
    pub(super) fn error_itself(&mut self, error: &RegionError) {
        match *error {
            RegionError::SentNeverSendable { by, isolation } => self.never_sendable(by, isolation),
            RegionError::IntoSendingResult { by, result, source, isolation } => {
                self.sending_result(by, result, source, isolation);
            }
            RegionError::InOutNotDisconnected { exit, parameter, isolation } => {
                self.not_disconnected(exit, parameter, isolation);
            }
            RegionError::CrossingResult { call, .. } => self.crossing_result(call),
            RegionError::UseAfterSend { .. }
            | RegionError::InOutNotInitialized { .. }
            | RegionError::Unknown { .. } => {}
        }
    }
}

//! Flow isolation: initialisers and deinitialisers that do not run on the actor that they initialise or destroy may use
//! its stored properties only until the object escapes (lib/SILOptimizer/Mandatory/FlowIsolation.cpp, SE-0327).
//!
//! Owns: the set of these functions, and the diagnostics. Does not own: the uses of `self` and the points of escape
//! (`self_uses`).
//!
//! The text lacks the places of type declarations, for notes about them, and the isolation of classes by property
//! wrappers.

mod self_uses;

use sil_analysis::BodyView;
use sil_analysis::regions::Sendability;
use sil_analysis::regions::actors::{self, ActorIsolation};
use sil_ir::context::{Name, NominalId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};
use sil_ir::symbols::{Accessor, EntityKind, Symbol};
use sil_ir::types::TypeQueries;

use self::self_uses::SelfUses;
use crate::messages::callees::{Callee, callee};
use crate::messages::findings::{error_at, note_at, warning_at};
use crate::messages::type_names::type_name;
use crate::pass::settings::ConcurrencyChecking;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const FLOW_ISOLATION: Pass = Pass::new(&Description {
    name: "flow-isolation",
    class_name: "FlowIsolation",
    summary: "Diagnoses uses of isolated state in initialisers and deinitialisers of actors after `self` escapes.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// The diagnostic group.
const CODE: &str = "flow-isolation";

/// The role of a function in the lifetime of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// A designated initialiser.
    Initializer,
    /// A deinitialiser.
    Deinitializer,
}

/// Diagnoses uses of stored properties after the object may have escaped.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body, settings, .. } = environment;
    let Some((role, object)) = flow_isolated_role(environment) else { return Ok(None) };
    // Deinitialisers are diagnosed only with complete checking.
    if role == Role::Deinitializer && settings.concurrency == ConcurrencyChecking::Minimal {
        return Ok(None);
    }
    let view = environment.view();
    let sendability = Sendability::new(queries, function.signature);
    let mut report = Report { role, checking: settings.concurrency, findings: Vec::new() };
    let mut uses = SelfUses::of(view, object, &sendability);
    if role == Role::Deinitializer {
        report.properties_that_stay_with_the_actor(&mut uses, &sendability);
    }
    uses.solve();
    uses.wrong_uses(&mut |wrong| report.wrong_use(wrong));
    Ok(Rewrite::diagnostics_alone(function, body, report.findings))
}

/// A use of a stored property after the object may have escaped.
pub(super) struct WrongUse<'u, 'm> {
    /// The function that contains the use.
    pub(super) view: &'u BodyView<'m>,
    /// The using instruction.
    pub(super) user: InstructionId,
    /// The cause of the escape.
    pub(super) blame: Blame<'u, 'm>,
}

/// The cause of an escape of the object.
#[derive(Clone, Copy)]
pub(super) struct Blame<'u, 'm> {
    /// The function that contains it.
    pub(super) view: &'u BodyView<'m>,
    /// The instruction.
    pub(super) id: InstructionId,
}

/// Returns the role of a function with flow-sensitive isolation, and its object (`usesFlowSensitiveIsolation`,
/// lib/Sema/TypeCheckConcurrency.cpp).
fn flow_isolated_role(environment: Environment<'_>) -> Option<(Role, Value)> {
    let Environment { module, queries, function, body, .. } = environment;
    let symbol = Symbol::demangle(module.context.text(function.name))?;
    let role = match symbol.entity()?.kind {
        // A delegating initialiser allocates the object itself.
        EntityKind::Initializer if !symbol.is_allocator() => Role::Initializer,
        EntityKind::Deinitializer => Role::Deinitializer,
        _ => return None,
    };
    let own = actors::of_function(module, function)?;
    queries.conventions(function.ty)?.self_parameter()?;
    let object = *body.blocks[body.entry()].arguments.last()?;
    let of_self = queries.as_nominal(body.ty(object).ty)?.declaration;
    let is_flow_isolated = match (role, actors::is_actor(queries, of_self)) {
        (Role::Deinitializer, true) => !own.is_isolated(),
        (Role::Deinitializer, false) => !own.is_isolated() && isolation_of_class(queries, of_self).is_some(),
        // Synchronous initialisers never run on the actor that they make; asynchronous ones do by default.
        (Role::Initializer, true) => !matches!(own, ActorIsolation::Instance(_)),
        (Role::Initializer, false) => {
            isolation_of_class(queries, of_self).is_some_and(|actor| own != ActorIsolation::Global(Some(actor)))
        }
    };
    is_flow_isolated.then_some((role, object))
}

/// Returns the global actor of a class or of a superclass.
fn isolation_of_class(queries: &TypeQueries<'_>, class: NominalId) -> Option<Name> {
    let mut current = class;
    // An invalid class may be its own superclass.
    for _ in 0..256 {
        if let Some(actor) = actors::of_type(queries, current) {
            return Some(actor);
        }
        if queries.declarations.isolations.of_type(current).is_some() {
            return None;
        }
        current = queries.as_nominal(queries.declarations.get(current).superclass?)?.declaration;
    }
    None
}

/// The diagnostics of a function.
struct Report {
    role: Role,
    checking: ConcurrencyChecking,
    findings: Vec<Diagnostic>,
}

impl Report {
    /// Returns an error at `id`, or a warning in older language modes.
    fn error(&self, view: &BodyView<'_>, id: InstructionId, message: &str) -> Diagnostic {
        match self.checking {
            ConcurrencyChecking::Swift6 => error_at(view.body, id, CODE, message),
            ConcurrencyChecking::Minimal | ConcurrencyChecking::Complete => {
                warning_at(view.body, id, CODE, format!("{message}; this is an error in the Swift 6 language mode"))
            }
        }
    }

    /// Reports the non-Sendable properties that a deinitialiser uses. They get no other diagnostics.
    fn properties_that_stay_with_the_actor(&mut self, uses: &mut SelfUses<'_>, sendability: &Sendability<'_>) {
        for (id, field) in uses.take_fields(|field| !sendability.is_sendable(field.ty)) {
            let view = uses.view();
            let name = view.queries.context.text(field.name);
            let ty = type_name(view.queries, field.ty, view.function.signature);
            let message =
                format!("cannot access property '{name}' with a non-Sendable type '{ty}' from nonisolated deinit");
            self.findings.push(self.error(view, id, &message));
        }
    }

    fn wrong_use(&mut self, wrong: WrongUse<'_, '_>) {
        let WrongUse { view, user, blame } = wrong;
        let Some(field) = self_uses::field_of(view, user) else {
            self.setter_or_getter(view, user);
            return;
        };
        let name = view.queries.context.text(field.name);
        let (place, function) = match self.role {
            Role::Initializer => ("nonisolated initializer", "this init"),
            Role::Deinitializer => ("deinitializer", "a deinit"),
        };
        let error = self.error(view, user, &format!("cannot access property '{name}' here in {place}"));
        let note = format!(
            "after {}, only nonisolated properties of 'self' can be accessed from {function}",
            words_for_blame(blame)
        );
        self.findings.push(note_at(error, blame.view.body, blame.id, note));
    }

    /// Reports an access to a property with an `init` accessor.
    fn setter_or_getter(&mut self, view: &BodyView<'_>, user: InstructionId) {
        let Some((name, accessor)) = self_uses::called_accessor(view, user) else { return };
        let what = if accessor == Accessor::Setter { "mutated" } else { "referenced" };
        let message = format!("actor-isolated property '{name}' can not be {what} from a nonisolated context");
        self.findings.push(self.error(view, user, &message));
    }
}

/// Returns the cause of the escape in words.
fn words_for_blame(Blame { view, id }: Blame<'_, '_>) -> String {
    use Opcode::{Apply, BeginApply, CopyValue, PartialApply, TryApply};
    match view.opcode(id) {
        Apply | TryApply | BeginApply | PartialApply => match callee(view, id) {
            Some(Callee::Function(words)) => format!("calling {words}"),
            Some(Callee::Storage(words)) => format!("accessing {words}"),
            Some(Callee::Closure) => "this closure involving 'self'".to_owned(),
            None => "a call involving 'self'".to_owned(),
        },
        CopyValue => "making a copy of 'self'".to_owned(),
        _ => "this use of 'self'".to_owned(),
    }
}

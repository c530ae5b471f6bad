//! Initialisers and deinitialisers that do not run on the actor that they make or end: they may use its stored properties as long as nobody else
//! can know it, and not behind that (lib/SILOptimizer/Mandatory/FlowIsolation.cpp, SE-0327).
//!
//! Owns which functions these are and what is said of them. `self_uses` finds what they do with `self`, and behind which of it others may know it.
//!
//! The text does not have where types are declared, for notes about them, and the isolation of classes that property wrappers give them.

mod self_uses;

use self::self_uses::SelfUses;
use crate::analysis::BodyView;
use crate::analysis::regions::Sendability;
use crate::analysis::regions::actors::{self, ActorIsolation};
use crate::context::{Name, NominalId};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::{InstructionId, Value};
use crate::symbols::{Accessor, EntityKind, Symbol};
use crate::transform::messages::callees::{Callee, callee};
use crate::transform::messages::findings::{error_at, note_at, warning_at};
use crate::transform::messages::type_names::type_name;
use crate::transform::pass::settings::ConcurrencyChecking;
use crate::transform::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};
use crate::types::TypeQueries;

pub(in crate::transform) const FLOW_ISOLATION: Pass = Pass::new(&Description {
    name: "flow-isolation",
    class_name: "FlowIsolation",
    summary: "Diagnoses uses of isolated state in initialisers and deinitialisers of actors after `self` escapes.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// The name by which people turn messages off.
const CODE: &str = "flow-isolation";

/// What a function does with the life of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It is a designated initialiser.
    Initializer,
    /// It is a deinitialiser.
    Deinitializer,
}

/// Says which stored properties a function uses when others may know the object already.
pub(in crate::transform) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body, settings, .. } = environment;
    let Some((role, object)) = flow_isolated_role(environment) else { return Ok(None) };
    // What is wrong with deinitialisers is said where everything is checked alone.
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

/// A stored property that is used where others may know the object.
pub(super) struct WrongUse<'u, 'm> {
    /// The function that uses it.
    pub(super) view: &'u BodyView<'m>,
    /// What uses it.
    pub(super) user: InstructionId,
    /// What lets others know the object.
    pub(super) blame: Blame<'u, 'm>,
}

/// What lets others know the object.
#[derive(Clone, Copy)]
pub(super) struct Blame<'u, 'm> {
    /// The function that it is in.
    pub(super) view: &'u BodyView<'m>,
    /// The instruction.
    pub(super) id: InstructionId,
}

/// What a function is and what it does that for, where its isolation depends on the flow of control (`usesFlowSensitiveIsolation`, lib/Sema/TypeCheckConcurrency.cpp).
fn flow_isolated_role(environment: Environment<'_>) -> Option<(Role, Value)> {
    let Environment { module, queries, function, body, .. } = environment;
    let symbol = Symbol::demangle(module.context.text(function.name))?;
    let role = match symbol.entity()?.kind {
        // Initialisers that call others of the class make the object themselves.
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
        // Synchronous ones never run on the actor that they make; asynchronous ones do, where nothing else is said.
        (Role::Initializer, true) => !matches!(own, ActorIsolation::Instance(_)),
        (Role::Initializer, false) => {
            isolation_of_class(queries, of_self).is_some_and(|actor| own != ActorIsolation::Global(Some(actor)))
        }
    };
    is_flow_isolated.then_some((role, object))
}

/// The global actor that a class belongs to, itself or because a superclass does.
fn isolation_of_class(queries: &TypeQueries<'_>, class: NominalId) -> Option<Name> {
    let mut current = class;
    // Wrong input may make a class its own superclass.
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

/// What is said of a function.
struct Report {
    role: Role,
    checking: ConcurrencyChecking,
    findings: Vec<Diagnostic>,
}

impl Report {
    /// An error about `id`; of programs in older modes a warning.
    fn error(&self, view: &BodyView<'_>, id: InstructionId, message: &str) -> Diagnostic {
        match self.checking {
            ConcurrencyChecking::Swift6 => error_at(view.body, id, CODE, message),
            ConcurrencyChecking::Minimal | ConcurrencyChecking::Complete => {
                warning_at(view.body, id, CODE, format!("{message}; this is an error in the Swift 6 language mode"))
            }
        }
    }

    /// Says which properties a deinitialiser uses whose values only the actor may use; of these nothing else is said.
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

    /// A property with an `init` accessor is read or written.
    fn setter_or_getter(&mut self, view: &BodyView<'_>, user: InstructionId) {
        let Some((name, accessor)) = self_uses::called_accessor(view, user) else { return };
        let what = if accessor == Accessor::Setter { "mutated" } else { "referenced" };
        let message = format!("actor-isolated property '{name}' can not be {what} from a nonisolated context");
        self.findings.push(self.error(view, user, &message));
    }
}

/// What an instruction does with `self` that lets others know it.
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

//! The isolation of a value: none, so that it may be sent to any code, the current task, or an actor; and the common
//! isolation of a group of values (`SILIsolationInfo`, include/swift/SILOptimizer/Utils/SILIsolationInfo.h).
//!
//! Owns the facts, how they merge, and the words for them. How they are found is in `isolated_values`.

use sil_ir::context::NominalId;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, Value};
use sil_ir::symbols::{EntityKind, Symbol};

use super::actors::{ActorIsolation, Wording};
use crate::{BodyView, CallsOfMethods, variable_name};

/// The kind of a value's isolation. Later kinds win where values meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IsolationKind {
    /// Nothing is known.
    Unknown,
    /// It is in no isolation domain, and may be sent.
    Disconnected,
    /// It belongs to the current task.
    Task,
    /// It belongs to an actor.
    Actor {
        /// Which one.
        isolation: ActorIsolation,
        /// The value that is the actor, where there is one.
        instance: Option<ActorInstance>,
    },
}

/// The actor of an isolation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActorInstance {
    /// This value.
    Value(Value),
    /// `self` of an accessor that initialises a property of it, which is not passed.
    AccessorInit,
}

/// Whether anybody checks where a value goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checks {
    /// It is checked.
    On,
    /// `nonisolated(unsafe)`
    Off,
}

/// Whether something about an isolation holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct IsolationFlags {
    /// The value is `nonisolated(unsafe)`: its uses are not checked.
    pub unchecked: bool,
    /// The actor is a parameter that is not passed yet, so that any other actor is more specific.
    pub unapplied: bool,
    /// It is that of a task that runs where its caller runs.
    pub nonsending: bool,
}

/// The isolation of a value, and its origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Isolation {
    /// Its kind.
    pub kind: IsolationKind,
    /// The value that brought it.
    pub value: Option<Value>,
    /// Further facts about it.
    pub flags: IsolationFlags,
    /// The protocol whose conformance holds on the actor alone.
    pub conformance: Option<NominalId>,
}

impl Isolation {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self::of_kind(IsolationKind::Unknown, None);
    /// It is in no isolation domain.
    pub const DISCONNECTED: Self = Self::of_kind(IsolationKind::Disconnected, None);

    const fn of_kind(kind: IsolationKind, value: Option<Value>) -> Self {
        let flags = IsolationFlags { unchecked: false, unapplied: false, nonsending: false };
        Self { kind, value, flags, conformance: None }
    }

    /// It belongs to the current task.
    pub fn task(value: Value) -> Self {
        Self::of_kind(IsolationKind::Task, Some(value))
    }

    /// It belongs to an actor.
    pub fn actor(isolation: ActorIsolation, value: Option<Value>, instance: Option<ActorInstance>) -> Self {
        Self::of_kind(IsolationKind::Actor { isolation, instance }, value)
    }

    /// The same, checked or not.
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.flags.unchecked = checks == Checks::Off;
        self
    }

    /// The same of an actor that is not passed yet.
    pub fn unapplied(mut self) -> Self {
        self.flags.unapplied = true;
        self
    }

    /// The same of a task that runs where its caller runs.
    pub fn nonsending(mut self) -> Self {
        self.flags.nonsending = true;
        self
    }

    /// The same, brought by a conformance.
    pub fn with_conformance(mut self, conformance: Option<NominalId>) -> Self {
        self.conformance = conformance;
        self
    }

    /// Whether anything is known.
    pub fn is_known(self) -> bool {
        self.kind != IsolationKind::Unknown
    }

    /// Itself, where anything is known.
    pub fn known(self) -> Option<Self> {
        self.is_known().then_some(self)
    }

    /// Whether it may be sent.
    pub fn is_disconnected(self) -> bool {
        self.kind == IsolationKind::Disconnected
    }

    /// Whether it belongs to the current task.
    pub fn is_task(self) -> bool {
        self.kind == IsolationKind::Task
    }

    /// The actor that it belongs to.
    pub fn actor_isolation(self) -> Option<ActorIsolation> {
        match self.kind {
            IsolationKind::Actor { isolation, .. } => Some(isolation),
            _ => None,
        }
    }

    fn rank(self) -> u8 {
        match self.kind {
            IsolationKind::Unknown => 0,
            IsolationKind::Disconnected => 1,
            IsolationKind::Task => 2,
            IsolationKind::Actor { .. } => 3,
        }
    }

    /// Whether both belong to the same.
    pub fn is_same(self, other: Self) -> bool {
        match (self.kind, other.kind) {
            (IsolationKind::Task, IsolationKind::Task) => self.value == other.value,
            (first, second) => first == second,
        }
    }

    /// The common isolation of two values that meet; none if they belong to different actors. An unchecked value is so
    /// for itself alone.
    pub fn merge(self, other: Self) -> Option<Self> {
        if self.rank() > other.rank() {
            return Some(self);
        }
        let conformance = self.conformance.zip(other.conformance).map(|(first, second)| first.min(second));
        if let (Some(first), Some(second)) = (self.actor_isolation(), other.actor_isolation()) {
            if self.is_same(other) {
                return Some(self.with_conformance(conformance));
            }
            let are_instances = matches!((first, second), (ActorIsolation::Instance(_), ActorIsolation::Instance(_)));
            return match (self.flags.unapplied, other.flags.unapplied) {
                (true, _) if are_instances => Some(other.with_conformance(conformance)),
                (false, true) if are_instances => Some(self.with_conformance(conformance)),
                _ => None,
            };
        }
        if other.is_disconnected() {
            return Some(other.with_checks(Checks::On));
        }
        if self.is_task() && other.is_task() && (self.flags.nonsending || other.flags.nonsending) {
            return Some(other.nonsending());
        }
        Some(other)
    }

    /// The name of the actor that is a value, as in `'self'-isolated`.
    fn instance_name(self, view: &BodyView<'_>) -> Option<String> {
        let IsolationKind::Actor { isolation, instance } = self.kind else { return None };
        match instance {
            Some(ActorInstance::Value(value)) => {
                variable_name(view, value, CallsOfMethods::All).map(|found| found.name)
            }
            Some(ActorInstance::AccessorInit) => Some("self".to_owned()),
            None if matches!(isolation, ActorIsolation::Instance(_)) => self.closure_parameter(view),
            None => None,
        }
    }

    /// The name of the parameter or the capture that a closure runs on, where the value is one that is not applied.
    fn closure_parameter(self, view: &BodyView<'_>) -> Option<String> {
        let (id, Opcode::FunctionRef) = view.definition(self.value?)? else { return None };
        let Details::Function(name) = view.body.instructions[id].details else { return None };
        let entity = Symbol::demangle(view.module.context.text(name))?.entity()?;
        let actor = view.module.isolations.get(&name)?.actor.filter(|_| entity.kind == EntityKind::Closure)?;
        Some(view.module.context.text(actor).to_owned())
    }

    /// The words for it in messages: `main actor-isolated` (`printForDiagnostics`).
    pub fn words(self, view: &BodyView<'_>) -> String {
        match self.kind {
            IsolationKind::Unknown => "unknown".to_owned(),
            IsolationKind::Disconnected => "disconnected".to_owned(),
            IsolationKind::Task if self.flags.nonsending => "nonisolated(nonsending) task-isolated".to_owned(),
            IsolationKind::Task => "task-isolated".to_owned(),
            IsolationKind::Actor { isolation, .. } => match self.instance_name(view) {
                Some(name) => format!("'{name}'-isolated"),
                None => isolation.words(view.queries.context, Wording::Adjective),
            },
        }
    }

    /// The words for the code that it belongs to: `main actor-isolated code`.
    pub fn words_for_code(self, view: &BodyView<'_>) -> String {
        match self.kind {
            IsolationKind::Task => "code in the current task".to_owned(),
            _ => format!("{} code", self.words(view)),
        }
    }

    /// One line with all of it, for tests (`printForOneLineLogging`).
    pub fn line(self, view: &BodyView<'_>) -> String {
        let is_init = matches!(self.kind, IsolationKind::Actor { instance: Some(ActorInstance::AccessorInit), .. });
        let mut line = match self.kind {
            IsolationKind::Unknown => return "unknown".to_owned(),
            IsolationKind::Task => "task-isolated".to_owned(),
            _ if is_init => "'self'-isolated (actor-accessor-init)".to_owned(),
            _ => self.words(view),
        };
        if let Some(conformance) = self.conformance {
            let name = view.queries.context.text(view.queries.declarations.get(conformance).name);
            line.push_str(&format!("isolated-conformance-to({name})"));
        }
        let flags =
            [(self.flags.unchecked, "nonisolated(unsafe)"), (self.flags.unapplied, "unapplied_isolated_any_parameter")];
        let flags: Vec<&str> = flags.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect();
        if !flags.is_empty() {
            line.push_str(&format!(": {}", flags.join(", ")));
        }
        line
    }
}

//! The diagnostics of noncopyable values, in Swift's words (lib/SILOptimizer/Mandatory/MoveOnlyDiagnostics.cpp).

use sil_analysis::{CallsOfMethods, Use, variable_name};
use sil_ir::context::{ParameterConvention, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{ArgumentFlag, Body, Definition, InstructionId, Value};
use sil_ir::source::Span;
use sil_ir::types::ArgumentConvention;
use std::cell::OnceCell;

use super::later_uses::{self, Holder};
use super::{Known, Permission};
use crate::knowledge::element_flow::{Event, EventKind};
use crate::knowledge::elements::Step;
use crate::messages::findings::error_at;
use crate::messages::variable_names::debug_name;

pub(super) const CODE: &str = "noncopyable";

/// The subject of diagnostics.
pub(super) struct Subject<'k> {
    known: &'k Known<'k>,
    /// The mark.
    mark: InstructionId,
    /// The source name of the marked value; computed for the first diagnostic.
    name: OnceCell<String>,
}

impl<'k> Subject<'k> {
    /// Creates the subject for the value of `mark`.
    pub(super) fn new(known: &'k Known<'k>, mark: InstructionId) -> Self {
        Self { known, mark, name: OnceCell::new() }
    }

    /// Returns whether the value is copyable with a move-only wrapper.
    pub(super) fn is_wrapped(&self) -> bool {
        let Known { environment, before, .. } = self.known;
        let marked = before.result(self.mark).map(|value| environment.queries.get(before.ty(value).ty));
        matches!(marked, Some(Type::MoveOnlyWrapper(_)))
    }

    fn name(&self) -> &str {
        self.name.get_or_init(|| name(self.known, self.mark).unwrap_or_else(|| "unknown".to_owned()))
    }

    /// Returns the name of a part of the value.
    fn part(&self, path: &[Step]) -> String {
        let context = self.known.environment.queries.context;
        path.iter().fold(self.name().to_owned(), |name, step| match step {
            Step::Property(member) => format!("{name}.{}", context.text(context.get_member(*member).name)),
            Step::Tuple(index) => format!("{name}.{index}"),
        })
    }

    fn error(&self, message: String) -> Diagnostic {
        error_at(self.known.before, self.mark, CODE, message)
    }
}

fn span(body: &Body, id: InstructionId) -> Option<Span> {
    Some(body.instructions[id].span)
}

/// Reports each consume with a later need of the consumed elements.
pub(super) fn used_after_consume(
    known: &Known<'_>,
    subject: &Subject<'_>,
    events: &[Event],
    holder: Holder,
) -> Vec<Diagnostic> {
    let (body, cfg) = (known.before, known.cfg);
    let mut found = Vec::new();
    let mut consuming: Vec<&Event> = events.iter().filter(|event| event.kind == EventKind::Consume).collect();
    let position = |event: &&Event| {
        let block = body.instructions[event.instruction].block;
        let place = body.instructions_in(block).position(|id| id == event.instruction);
        (cfg.number(block), place)
    };
    consuming.sort_by_key(position);
    for (event, next) in later_uses::of_consumes(body, cfg, &consuming, events, holder) {
        let name = subject.name();
        let consumed = span(body, event.cause);
        found.push(match next {
            next if std::ptr::eq(next, event) => {
                subject.error(format!("'{name}' consumed in a loop")).note("consumed in loop here", consumed)
            }
            next if next.kind == EventKind::GiveBack => {
                subject.error(not_given_back(body, subject, next.instruction)).note("consumed here", consumed)
            }
            next if next.instruction == event.instruction => {
                let other = if next.kind == EventKind::Consume { Other::Consumes } else { Other::Uses };
                used_twice_at_once(known, subject, event.cause, other)
            }
            next if next.kind == EventKind::Consume => subject
                .error(format!("'{name}' consumed more than once"))
                .note("consumed here", consumed)
                .note("consumed again here", span(body, next.cause)),
            next => subject
                .error(format!("'{name}' used after consume"))
                .note("consumed here", consumed)
                .note("used here", span(body, next.cause)),
        });
    }
    found
}

/// Reports a use of a part that was consumed at `consume`.
pub(super) fn used_after_partial_consume(
    known: &Known<'_>,
    subject: &Subject<'_>,
    consume: InstructionId,
) -> Diagnostic {
    let message = format!("cannot use '{}' after partial consume", subject.name());
    subject.error(message).note("partially consumed here", span(known.before, consume))
}

/// Reports an instruction that consumes a value twice, or consumes and uses it.
pub(super) fn used_twice_at_once(
    known: &Known<'_>,
    subject: &Subject<'_>,
    user: InstructionId,
    other: Other,
) -> Diagnostic {
    let name = subject.name();
    let (message, note) = match other {
        Other::Consumes => (format!("'{name}' consumed more than once"), "multiple consumes here"),
        Other::Uses => (format!("'{name}' consumed and used at the same time"), "consumed and used here"),
    };
    subject.error(message).note(note, span(known.before, user))
}

/// The effect of another operand of an instruction on the value that one operand consumes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    Consumes,
    Uses,
}

/// Reports consumes of a borrowed value: by escaping closures that capture it, or by other consuming uses.
pub(super) fn borrowed_is_consumed(known: &Known<'_>, subject: &Subject<'_>, consumed: &[Use]) -> Vec<Diagnostic> {
    let (body, name) = (known.before, &subject.name());
    let is_closure = |found: &&Use| is_capture(known, found.user);
    let (closures, others): (Vec<&Use>, Vec<&Use>) = consumed.iter().partition(is_closure);
    let captured = format!("'{name}' cannot be captured by an escaping closure since it is a borrowed parameter");
    let given_away = match is_captured(body, subject.mark) {
        true => consumed_capture(name),
        false => format!("'{name}' is borrowed and cannot be consumed"),
    };
    let mut found = Vec::new();
    for (message, remark, users) in
        [(captured, format!("closure capturing '{name}' here"), closures), (given_away, "consumed here".into(), others)]
    {
        if !users.is_empty() {
            let noted = |error: Diagnostic, user: &&Use| error.note(remark.clone(), span(body, user.user));
            found.push(users.iter().fold(subject.error(message), noted));
        }
    }
    found
}

/// Returns whether a closure captures a value, with or without its wrapper.
fn is_capture(known: &Known<'_>, user: InstructionId) -> bool {
    let is_closure = |id: InstructionId| known.before.instructions[id].opcode == Opcode::PartialApply;
    match known.before.instructions[user].opcode {
        Opcode::MoveonlywrapperToCopyable => {
            let unwrapped = known.before.results(user).flat_map(|value| known.uses.of(value));
            unwrapped.into_iter().any(|found| is_closure(found.user))
        }
        _ => is_closure(user),
    }
}

fn consumed_capture(name: &str) -> String {
    format!(
        "noncopyable '{name}' cannot be consumed when captured by an escaping closure or borrowed by a non-Escapable type"
    )
}

/// Returns whether the marked value, or the original of a marked copy, is a closure capture.
fn is_captured(body: &Body, mark: InstructionId) -> bool {
    let mut marked = Unary::of(body, mark).operand;
    while let Some(copy) = body.defining(marked)
        && body.instructions[copy].opcode == Opcode::CopyValue
    {
        marked = Unary::of(body, copy).operand;
    }
    body.values[marked].flags.contains(ArgumentFlag::ClosureCapture)
}

/// A way of taking a value from memory that must keep it.
#[derive(Clone, Copy)]
pub(super) enum Taking<'t> {
    /// A load whose value these uses consume.
    Load(&'t [Use]),
    /// A copy from the memory.
    Copy(InstructionId),
    /// A consume of the memory itself.
    Memory(InstructionId),
}

/// Reports a consume of memory that must keep its value.
pub(super) fn consumed_in_place(
    known: &Known<'_>,
    subject: &Subject<'_>,
    permission: Permission,
    taking: Taking<'_>,
) -> Vec<Diagnostic> {
    let body = known.before;
    let name = subject.name();
    let is_closure = |found: &Use| is_capture(known, found.user);
    let shared = shared(body, subject.mark);
    let takes_apart = |found: &Use| body.instructions[found.user].opcode == Opcode::DestructureStruct;
    if let Taking::Load(users) = taking
        && !users.is_empty()
        && users.iter().all(takes_apart)
    {
        // A destructured value may be borrowed in parts.
        let what = "taking a noncopyable value that is only lent apart";
        return vec![Diagnostic::unsupported(what, body.instructions[users[0].user].span)];
    }
    let (what, causes) = match (taking, shared) {
        (Taking::Load(users), Shared::Argument(argument)) if argument.is_capture_by_reference(known) => {
            return borrowed_is_consumed(known, subject, users);
        }
        (Taking::Load(users), Shared::Argument(_) | Shared::Pointer)
            if permission == Permission::Borrow && !users.iter().any(is_closure) =>
        {
            return borrowed_is_consumed(known, subject, users);
        }
        (Taking::Load(users), shared) => {
            let what = match shared {
                Shared::Class => format!("cannot consume noncopyable stored property '{name}' of a class"),
                Shared::Global => format!("cannot consume noncopyable stored property '{name}' that is global"),
                _ => return vec![subject.error(consumed_capture(name))],
            };
            (what, users.iter().map(|found| found.user).collect())
        }
        (Taking::Copy(id), shared) if permission == Permission::Borrow && !matches!(shared, Shared::Box) => {
            (format!("'{name}' is borrowed and cannot be consumed"), vec![id])
        }
        (Taking::Copy(id) | Taking::Memory(id), _) => (consumed_capture(name), vec![id]),
    };
    let noted = |error: Diagnostic, cause: &InstructionId| error.note("consumed here", span(body, *cause));
    vec![causes.iter().fold(subject.error(what), noted)]
}

/// The kind of shared memory.
#[derive(Clone, Copy)]
enum Shared {
    Class,
    Global,
    Box,
    Pointer,
    Argument(Argument),
    Other,
}

/// An argument of the function.
#[derive(Clone, Copy)]
struct Argument {
    value: Value,
    index: usize,
}

impl Argument {
    fn is_capture(self, body: &Body) -> bool {
        body.values[self.value].flags.contains(ArgumentFlag::ClosureCapture)
    }

    fn is_capture_by_reference(self, known: &Known<'_>) -> bool {
        let conventions = known.environment.queries.conventions(known.environment.function.ty);
        let convention = conventions.and_then(|conventions| Some(conventions.argument(self.index)?.convention));
        let by_reference = [ParameterConvention::InOut, ParameterConvention::InOutAliasable];
        self.is_capture(known.before)
            && by_reference.into_iter().any(|by| convention == Some(ArgumentConvention::Parameter(by)))
    }
}

fn shared(body: &Body, mark: InstructionId) -> Shared {
    let mut marked = Unary::of(body, mark).operand;
    loop {
        let id = match body.values[marked].definition {
            Definition::Result { instruction, .. } => instruction,
            Definition::Argument { block, index } if block == body.entry() => {
                return Shared::Argument(Argument { value: marked, index: index as usize });
            }
            Definition::Argument { .. } | Definition::Undef => return Shared::Other,
        };
        match body.instructions[id].opcode {
            Opcode::RefElementAddr | Opcode::RefTailAddr => return Shared::Class,
            Opcode::GlobalAddr => return Shared::Global,
            Opcode::ProjectBox => return Shared::Box,
            Opcode::PointerToAddress => return Shared::Pointer,
            Opcode::BeginAccess
            | Opcode::MarkDependence
            | Opcode::MarkUninitialized
            | Opcode::MarkUnresolvedNonCopyableValue => marked = body.operands(id)[0],
            _ => return Shared::Other,
        }
    }
}

/// Returns whether the marked memory is captured by address or in a box.
fn is_capture_in_place(body: &Body, mark: InstructionId) -> bool {
    let mut marked = Unary::of(body, mark).operand;
    while let Some(id) = body.defining(marked)
        && matches!(body.instructions[id].opcode, Opcode::BeginAccess | Opcode::MarkDependence | Opcode::ProjectBox)
    {
        marked = body.operands(id)[0];
    }
    body.values[marked].flags.contains(ArgumentFlag::ClosureCapture)
}

/// Returns the message for memory that is uninitialised at the end `end` of its borrow.
fn not_given_back(body: &Body, subject: &Subject<'_>, end: InstructionId) -> String {
    let name = subject.name();
    let what = if is_capture_in_place(body, subject.mark) { "closure capture" } else { "inout parameter" };
    match body.instructions[end].opcode {
        Opcode::EndApply | Opcode::AbortApply => format!(
            "field '{name}' was consumed but not reinitialized; the field must be reinitialized during the access"
        ),
        Opcode::EndAccess => {
            format!("missing reinitialization of {what} '{name}' after consume while accessing memory")
        }
        _ => format!("missing reinitialization of {what} '{name}' after consume"),
    }
}

/// Reports a partial consume of a value with a `deinit`; `owner` is its path.
pub(super) fn partial_consume(
    known: &Known<'_>,
    subject: &Subject<'_>,
    owner: &[Step],
    cause: InstructionId,
) -> Diagnostic {
    let message = format!("cannot partially consume '{}' when it has a deinitializer", subject.part(owner));
    error_at(known.before, cause, CODE, message)
}

/// Reports a consume of the whole value in its `deinit`.
pub(super) fn consumed_in_deinit(known: &Known<'_>, cause: InstructionId) -> Diagnostic {
    error_at(known.before, cause, CODE, "'self' cannot be consumed during 'deinit'")
}

/// Reports an exit at which a value is not consumed that is discarded elsewhere, at `discard`.
pub(super) fn not_consumed_before(body: &Body, exit: InstructionId, discard: InstructionId) -> Diagnostic {
    error_at(body, exit, CODE, "must consume 'self' before exiting method that discards self")
        .note("discarded self here", span(body, discard))
}

/// Reports a reinitialisation of a value that was discarded at `discard`.
pub(super) fn reinitialized_after_discard(body: &Body, again: InstructionId, discard: InstructionId) -> Diagnostic {
    error_at(body, again, CODE, "cannot reinitialize 'self' after 'discard self'")
        .note("discarded self here", span(body, discard))
}

/// Reports a partial reinitialisation of a value that `consume` consumed.
pub(super) fn partial_reinitialization(
    known: &Known<'_>,
    subject: &Subject<'_>,
    cause: InstructionId,
    consume: InstructionId,
) -> Diagnostic {
    let name = subject.name();
    let message = format!(
        "cannot partially reinitialize '{name}' after it has been consumed; only full reinitialization is allowed"
    );
    error_at(known.before, cause, CODE, message).note("consumed here", span(known.before, consume))
}

/// Returns the source name of the value of `mark`: the debug value of the mark itself comes first. Names are searched
/// in the original function, as resolved marks obscure the origin of values.
fn name(known: &Known<'_>, mark: InstructionId) -> Option<String> {
    let view = known.environment.view();
    let own = view.body.result(mark).and_then(|marked| debug_name(view.queries.context, view.body, &view.uses, marked));
    own.or_else(|| {
        let operand = Unary::of(view.body, mark).operand;
        variable_name(&view, operand, CallsOfMethods::Coroutines).map(|found| found.name)
    })
}

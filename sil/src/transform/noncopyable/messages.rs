//! What is wrong with the uses of noncopyable values, in Swift's words (lib/SILOptimizer/Mandatory/MoveOnlyDiagnostics.cpp).

use rustc_hash::FxHashSet;

use super::flow::{Event, EventKind};
use super::{Known, Permission};
use crate::analysis::{ApplySite, Use};
use crate::context::MemberKind;
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::{AllocVariable, DebugValue, RefElementAddr, StructExtract, Unary};
use crate::model::{ArgumentFlag, BlockId, Body, Definition, Details, InstructionId, SourcePlace, Value};
use crate::source::Span;
use crate::symbols::{EntityKind, Symbol};
use crate::transform::elements::{Elements, Step};
use crate::transform::findings::{error_at, source_place};

const CODE: &str = "noncopyable";

/// What messages are about.
pub(super) struct Subject {
    name: String,
    span: Span,
    /// The place in the Swift source.
    place: Option<SourcePlace>,
    /// The mark.
    mark: InstructionId,
}

impl Subject {
    /// What `mark` marks.
    pub(super) fn new(known: &Known<'_>, mark: InstructionId) -> Self {
        let body = known.before;
        let marked = body.result(mark).map_or_else(String::new, |value| name(known, value));
        Self { name: marked, span: body.instructions[mark].span, place: source_place(body, mark), mark }
    }

    /// The name of a part of it.
    fn part(&self, known: &Known<'_>, path: &[Step]) -> String {
        let context = known.environment.queries.context;
        path.iter().fold(self.name.clone(), |name, step| match step {
            Step::Property(member) => format!("{name}.{}", context.text(context.get_member(*member).name)),
            Step::Tuple(index) => format!("{name}.{index}"),
        })
    }

    fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(CODE, message, self.span).in_source(self.place)
    }
}

fn span(body: &Body, id: InstructionId) -> Option<Span> {
    Some(body.instructions[id].span)
}

/// For each event that consumes: the next one that needs what is gone then.
pub(super) fn used_after_consume(known: &Known<'_>, subject: &Subject, events: &[Event]) -> Vec<Diagnostic> {
    let (body, cfg) = (known.before, known.cfg);
    let mut found = Vec::new();
    let mut consuming: Vec<&Event> = events.iter().filter(|event| event.kind == EventKind::Consume).collect();
    let position = |event: &&Event| {
        let block = body.instructions[event.instruction].block;
        let place = body.instructions_in(block).position(|id| id == event.instruction);
        (cfg.number(block), place)
    };
    consuming.sort_by_key(position);
    for event in consuming {
        let Some(next) = next_use(body, events, event) else { continue };
        let name = &subject.name;
        let consumed = span(body, event.cause);
        found.push(match next {
            next if std::ptr::eq(next, event) => {
                subject.error(format!("'{name}' consumed in a loop")).note("consumed in loop here", consumed)
            }
            next if next.kind == EventKind::GiveBack => {
                subject.error(not_given_back(body, subject, next.instruction)).note("consumed here", consumed)
            }
            next if next.instruction == event.instruction && next.kind == EventKind::Consume => {
                subject.error(format!("'{name}' consumed more than once")).note("multiple consumes here", consumed)
            }
            next if next.instruction == event.instruction => subject
                .error(format!("'{name}' consumed and used at the same time"))
                .note("consumed and used here", consumed),
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

/// The next event behind `from` that needs elements which that consumes.
fn next_use<'e>(body: &Body, events: &'e [Event], from: &'e Event) -> Option<&'e Event> {
    // Another one of the same instruction.
    let same = events.iter().find(|event| {
        event.instruction == from.instruction
            && !std::ptr::eq(*event, from)
            && event.elements & from.elements != 0
            && event.kind == EventKind::Consume
    });
    if same.is_some() {
        return same;
    }
    onward(body, from, |id, elements| {
        for event in events.iter().filter(|event| event.instruction == id) {
            match event.kind {
                _ if event.elements & *elements == 0 => {}
                kind if kind.needs_value() => return Some(event),
                _ => *elements &= !event.elements,
            }
        }
        None
    })
}

/// What `look` first finds behind `from`, on the ways on which elements that this consumes are still gone: it is given each instruction and these
/// elements, and takes away those that are there again.
fn onward<R>(body: &Body, from: &Event, mut look: impl FnMut(InstructionId, &mut Elements) -> Option<R>) -> Option<R> {
    let start = body.instructions[from.instruction].block;
    let rest: Vec<InstructionId> =
        body.instructions_in(start).skip_while(|id| *id != from.instruction).skip(1).collect();
    let mut seen: FxHashSet<(BlockId, Elements)> = FxHashSet::default();
    // Of several ways on, the last one is looked at first: it is the one that leaves a loop.
    let mut open = vec![(start, rest, from.elements)];
    while let Some((block, instructions, mut elements)) = open.pop() {
        for id in instructions {
            let found = look(id, &mut elements);
            if found.is_some() {
                return found;
            }
        }
        if elements == 0 {
            continue;
        }
        let targets = body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
        for target in targets {
            if seen.insert((*target, elements)) {
                open.push((*target, body.instructions_in(*target).collect(), elements));
            }
        }
    }
    None
}

/// A value that is only lent is consumed.
pub(super) fn borrowed_is_consumed(body: &Body, subject: &Subject, consumed: &[Use]) -> Vec<Diagnostic> {
    let mut error = subject.error(format!("'{}' is borrowed and cannot be consumed", subject.name));
    for found in consumed {
        error = error.note("consumed here", span(body, found.user));
    }
    vec![error]
}

/// What memory is that others see as well.
enum Shared {
    Class,
    Global,
    Captured,
    Borrowed,
}

/// Memory is consumed that must keep its value.
pub(super) fn consumed_in_place(
    known: &Known<'_>,
    subject: &Subject,
    permission: Permission,
    causes: &[InstructionId],
) -> Vec<Diagnostic> {
    let name = &subject.name;
    let mut error = subject.error(match shared(known.before, subject.mark) {
        Shared::Class => format!("cannot consume noncopyable stored property '{name}' of a class"),
        Shared::Global => format!("cannot consume noncopyable stored property '{name}' that is global"),
        Shared::Borrowed if permission == Permission::Borrow => {
            format!("'{name}' is borrowed and cannot be consumed")
        }
        Shared::Captured | Shared::Borrowed => format!(
            "noncopyable '{name}' cannot be consumed when captured by an escaping closure or borrowed by a non-Escapable type"
        ),
    });
    for cause in causes {
        error = error.note("consumed here", span(known.before, *cause));
    }
    vec![error]
}

fn shared(body: &Body, mark: InstructionId) -> Shared {
    let mut id = mark;
    loop {
        match body.instructions[id].opcode {
            Opcode::RefElementAddr | Opcode::RefTailAddr => return Shared::Class,
            Opcode::GlobalAddr => return Shared::Global,
            Opcode::ProjectBox => return Shared::Captured,
            _ => {}
        }
        let Some(operand) = body.operands(id).first().copied() else { return Shared::Borrowed };
        match body.values[operand].definition {
            Definition::Result { instruction, .. } => id = instruction,
            Definition::Argument { .. } if body.values[operand].flags.contains(ArgumentFlag::ClosureCapture) => {
                return Shared::Captured;
            }
            _ => return Shared::Borrowed,
        }
    }
}

/// What is to be said of memory that holds no value where `end` ends what it was lent for.
fn not_given_back(body: &Body, subject: &Subject, end: InstructionId) -> String {
    let name = &subject.name;
    let what = match shared(body, subject.mark) {
        Shared::Captured => "closure capture",
        _ => "inout parameter",
    };
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

/// Whether such an instruction is come to from `from` before what that consumes is there again.
pub(super) fn reaches(body: &Body, events: &[Event], from: &Event, is_wanted: impl Fn(InstructionId) -> bool) -> bool {
    let found = onward(body, from, |id, elements| {
        if *elements != 0 && is_wanted(id) {
            return Some(());
        }
        for event in events.iter().filter(|event| event.instruction == id) {
            if matches!(event.kind, EventKind::Assign | EventKind::Initialize) {
                *elements &= !event.elements;
            }
        }
        None
    });
    found.is_some()
}

/// A part is consumed of what has a `deinit`: `owner` is the way to that.
pub(super) fn partial_consume(
    known: &Known<'_>,
    subject: &Subject,
    owner: &[Step],
    cause: InstructionId,
) -> Diagnostic {
    let message = format!("cannot partially consume '{}' when it has a deinitializer", subject.part(known, owner));
    error_at(known.before, cause, CODE, message)
}

/// Whether what parts are put back into has a `deinit`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deinitializer {
    There,
    None,
}

/// A part is put back into what was consumed.
pub(super) fn partial_reinitialization(
    known: &Known<'_>,
    subject: &Subject,
    owner: &[Step],
    deinitializer: Deinitializer,
    cause: InstructionId,
) -> Diagnostic {
    let name = subject.part(known, owner);
    let why = match deinitializer {
        Deinitializer::There => "when it has a deinitializer",
        Deinitializer::None => "after it has been consumed",
    };
    let message = format!("cannot partially reinitialize '{name}' {why}; only full reinitialization is allowed");
    error_at(known.before, cause, CODE, message)
}

/// What people call a value or memory.
fn name(known: &Known<'_>, value: Value) -> String {
    let body = known.before;
    let context = known.environment.queries.context;
    let text = |name| context.text(name).to_owned();
    let mut value = value;
    loop {
        if let Some(name) = debug_name(known, value) {
            return name;
        }
        let Some(id) = body.defining(value) else { return "unknown".into() };
        let field = match body.instructions[id].opcode {
            Opcode::AllocStack | Opcode::AllocBox => {
                let variable = AllocVariable::get(body, id).and_then(|view| view.variable);
                return variable.and_then(|variable| variable.name).map_or("unknown".into(), text);
            }
            Opcode::RefElementAddr => Some(RefElementAddr::of(body, id).field),
            Opcode::StructElementAddr | Opcode::StructExtract => Some(StructExtract::of(body, id).field),
            _ => None,
        };
        if let Details::Global(global, _) = &body.instructions[id].details {
            return global_name(context.text(*global));
        }
        if body.instructions[id].opcode == Opcode::PointerToAddress {
            value = pointer_source(body, id);
            continue;
        }
        if let Some((owner, storage)) = accessed(known, id) {
            return format!("{}.{storage}", name(known, owner));
        }
        let Some(operand) = body.operands(id).first().copied() else { return "unknown".into() };
        if let Some(field) = field {
            return format!("{}.{}", name(known, operand), context.text(context.get_member(field).name));
        }
        value = operand;
    }
}

/// What the pointer that `conversion` makes an address of is taken out of.
fn pointer_source(body: &Body, conversion: InstructionId) -> Value {
    let mut pointer = Unary::of(body, conversion).operand;
    while let Some(extract) = body.defining(pointer)
        && body.instructions[extract].opcode == Opcode::StructExtract
    {
        pointer = StructExtract::of(body, extract).operand;
    }
    pointer
}

/// What a call of an accessor is made on, and the name of the property.
fn accessed(known: &Known<'_>, id: InstructionId) -> Option<(Value, String)> {
    let body = known.before;
    let site = ApplySite::new(body, id)?;
    let owner = *site.arguments().last()?;
    let callee = body.defining(site.callee()?)?;
    let text = |name| known.environment.queries.context.text(name);
    let storage = match &body.instructions[callee].details {
        Details::Function(function) => {
            let entity = Symbol::demangle(text(*function))?.entity()?;
            matches!(entity.kind, EntityKind::PropertyAccessor(_)).then_some(entity.name)?
        }
        Details::Method(method) => {
            let member = known.environment.queries.context.get_member(method.member);
            (member.kind != MemberKind::Plain).then(|| text(member.name).to_owned())?
        }
        _ => return None,
    };
    Some((owner, storage))
}

/// The variable that `debug_value` says a value is.
fn debug_name(known: &Known<'_>, value: Value) -> Option<String> {
    let body = known.before;
    known.uses.of(value).iter().find_map(|found| {
        let variable = DebugValue::get(body, found.user)?.variable?;
        Some(known.environment.queries.context.text(variable.name?).to_owned())
    })
}

/// The name of a global variable in the source.
fn global_name(symbol: &str) -> String {
    let printed = crate::symbols::demangle(symbol).unwrap_or_else(|| symbol.to_owned());
    let path = printed.split(" : ").next().unwrap_or(&printed);
    path.rsplit('.').next().unwrap_or(path).to_owned()
}

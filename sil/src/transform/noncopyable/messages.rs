//! What is wrong with the uses of noncopyable values, in Swift's words (lib/SILOptimizer/Mandatory/MoveOnlyDiagnostics.cpp).

use rustc_hash::FxHashSet;

use super::flow::{Event, EventKind, Flow};
use super::{Known, Permission};
use crate::analysis::{ControlFlowGraph, Use};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::{AllocVariable, DebugValue, RefElementAddr, StructExtract};
use crate::model::{ArgumentFlag, BlockId, Body, Definition, Details, InstructionId, SourcePlace, Value};
use crate::source::Span;
use crate::transform::elements::Elements;
use crate::transform::findings::source_place;

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

    fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(CODE, message, self.span).in_source(self.place)
    }
}

fn span(body: &Body, id: InstructionId) -> Option<Span> {
    Some(body.instructions[id].span)
}

/// For each event that consumes: the next one that needs what is gone then.
pub(super) fn used_after_consume(
    body: &Body,
    cfg: &ControlFlowGraph,
    subject: &Subject,
    events: &[Event],
) -> Vec<Diagnostic> {
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
        let needs = matches!(event.kind, EventKind::Borrow | EventKind::Consume);
        event.instruction == from.instruction
            && needs
            && !std::ptr::eq(*event, from)
            && event.elements & from.elements != 0
            && event.kind == EventKind::Consume
    });
    if same.is_some() {
        return same;
    }
    let start = body.instructions[from.instruction].block;
    let rest: Vec<InstructionId> =
        body.instructions_in(start).skip_while(|id| *id != from.instruction).skip(1).collect();
    let mut seen: FxHashSet<(BlockId, Elements)> = FxHashSet::default();
    let mut open = std::collections::VecDeque::from([(start, rest, from.elements)]);
    while let Some((block, instructions, mut elements)) = open.pop_front() {
        for id in instructions {
            for event in events.iter().filter(|event| event.instruction == id) {
                match event.kind {
                    _ if event.elements & elements == 0 => {}
                    EventKind::Borrow | EventKind::Consume => return Some(event),
                    EventKind::Destroy | EventKind::Assign | EventKind::Initialize => elements &= !event.elements,
                }
            }
        }
        if elements == 0 {
            continue;
        }
        let targets = body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
        for target in targets {
            if seen.insert((*target, elements)) {
                open.push_back((*target, body.instructions_in(*target).collect(), elements));
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

/// What a function must give back is not there where it ends.
pub(super) fn not_reinitialized(
    known: &Known<'_>,
    subject: &Subject,
    events: &[Event],
    flow: &Flow,
    all: Elements,
) -> Vec<Diagnostic> {
    let body = known.before;
    let is_exit = |opcode| {
        matches!(opcode, Opcode::Return | Opcode::ReturnBorrow | Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind)
    };
    let is_missing = |block: &&BlockId| {
        let exit = body.terminator(**block).filter(|id| is_exit(body.instructions[*id].opcode));
        exit.is_some() && flow.at_end[**block] & all != all
    };
    if !known.cfg.reverse_post_order().iter().any(|block| is_missing(&block)) {
        return Vec::new();
    }
    let what = match shared(body, subject.mark) {
        Shared::Captured => "closure capture",
        _ => "inout parameter",
    };
    let message = format!("missing reinitialization of {what} '{}' after consume", subject.name);
    let consuming = events.iter().filter(|event| event.kind == EventKind::Consume);
    let reaches = |event: &&Event| reaches(body, events, event, |id| is_exit(body.instructions[id].opcode));
    consuming
        .filter(reaches)
        .map(|event| subject.error(message.clone()).note("consumed here", span(body, event.cause)))
        .collect()
}

/// Whether such an instruction is come to from `from` before what that consumes is there again.
pub(super) fn reaches(body: &Body, events: &[Event], from: &Event, is_wanted: impl Fn(InstructionId) -> bool) -> bool {
    let start = body.instructions[from.instruction].block;
    let rest: Vec<InstructionId> =
        body.instructions_in(start).skip_while(|id| *id != from.instruction).skip(1).collect();
    let mut seen: FxHashSet<(BlockId, Elements)> = FxHashSet::default();
    let mut open = vec![(start, rest, from.elements)];
    while let Some((block, instructions, mut elements)) = open.pop() {
        for id in instructions {
            if elements != 0 && is_wanted(id) {
                return true;
            }
            for event in events.iter().filter(|event| event.instruction == id) {
                if matches!(event.kind, EventKind::Assign | EventKind::Initialize) {
                    elements &= !event.elements;
                }
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
    false
}

/// A part is consumed of what has a `deinit`.
pub(super) fn partial_consume(known: &Known<'_>, subject: &Subject, cause: InstructionId) -> Diagnostic {
    let message = format!("cannot partially consume '{}' when it has a deinitializer", subject.name);
    Diagnostic::error(CODE, message, subject.span).note("partially consumed here", span(known.before, cause))
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
    deinitializer: Deinitializer,
    cause: InstructionId,
) -> Diagnostic {
    let why = match deinitializer {
        Deinitializer::There => "when it has a deinitializer",
        Deinitializer::None => "after it has been consumed",
    };
    let message =
        format!("cannot partially reinitialize '{}' {why}; only full reinitialization is allowed", subject.name);
    let place = known.before.instructions[cause].span;
    Diagnostic::error(CODE, message, place)
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
        let Some(operand) = body.operands(id).first().copied() else { return "unknown".into() };
        if let Some(field) = field {
            return format!("{}.{}", name(known, operand), context.text(context.get_member(field).name));
        }
        value = operand;
    }
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

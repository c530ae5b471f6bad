//! Rules about paths: stack allocations nest, scopes end once, coroutines yield once.

use rustc_hash::FxHashMap;
use sil_ir::context::{CoroutineKind, FunctionAttribute};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views;
use sil_ir::model::{BlockId, Details, InstructionId, Stage, Value};

use super::checker::{FunctionVerifier, OwnershipForm};
use super::failures::{BrokenRule, Complaint};

/// The open scopes at a place of a path.
#[derive(Clone, PartialEq, Eq, Default)]
struct State {
    /// Stack allocations, the latest last.
    stack: Vec<Value>,
    /// Accesses, coroutine calls and stored borrows that have begun and not ended, in order of their beginning.
    active: Vec<InstructionId>,
    /// The continuation that has been got and not awaited.
    continuation: Option<InstructionId>,
    coroutine: CoroutineState,
}

/// Where a coroutine is on its path.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum CoroutineState {
    /// On a path that may yield any number of times, or none.
    #[default]
    Uncounted,
    BeforeYield,
    Resumed,
    Unwinding,
}

/// Checks every path. Raw SIL may still be wrong about how often a coroutine yields: diagnostic passes report it.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    if !needs_walk(verifier) {
        return;
    }
    match (yields_once(verifier), verifier.module.stage) {
        (false, _) | (true, Stage::Raw) => walk(verifier, CoroutineState::Uncounted),
        (true, _) => walk(verifier, CoroutineState::BeforeYield),
    }
}

/// Follows every path once, up to the first finding other than scopes that are open at the end of the function.
fn walk(verifier: &mut FunctionVerifier<'_>, coroutine: CoroutineState) {
    let body = verifier.body;
    let mut entered: FxHashMap<BlockId, State> = FxHashMap::default();
    let mut open = vec![body.entry()];
    entered.insert(body.entry(), State { coroutine, ..State::default() });
    while let Some(block) = open.pop() {
        let Some(mut state) = entered.get(&block).cloned() else { continue };
        for id in body.instructions_in(block) {
            if !visit(verifier, id, &mut state) {
                return;
            }
        }
        let Some(terminator) = body.terminator(block) else { continue };
        for (index, target) in body.targets(terminator).iter().enumerate() {
            let mut next = state.clone();
            if body.instructions[terminator].opcode == Opcode::Yield {
                next.coroutine = after_yield(state.coroutine, index);
            }
            match entered.get(target) {
                None => {
                    entered.insert(*target, next);
                    open.push(*target);
                }
                Some(found) => {
                    if !agrees(verifier, terminator, *target, found, &next) {
                        return;
                    }
                }
            }
        }
    }
}

/// Most small functions open nothing.
fn needs_walk(verifier: &FunctionVerifier<'_>) -> bool {
    let body = verifier.body;
    is_coroutine(verifier)
        || body.instructions.values().any(|instruction| {
            matches!(
                instruction.opcode,
                Opcode::AllocStack
                    | Opcode::AllocVector
                    | Opcode::AllocPack
                    | Opcode::AllocPackMetadata
                    | Opcode::AllocRef
                    | Opcode::AllocRefDynamic
                    | Opcode::PartialApply
                    | Opcode::Builtin
                    | Opcode::DeallocStack
                    | Opcode::DeallocStackRef
                    | Opcode::BeginAccess
                    | Opcode::EndAccess
                    | Opcode::BeginApply
                    | Opcode::EndApply
                    | Opcode::AbortApply
                    | Opcode::StoreBorrow
                    | Opcode::GetAsyncContinuation
                    | Opcode::GetAsyncContinuationAddr
                    | Opcode::AwaitAsyncContinuation
            )
        })
}

fn is_coroutine(verifier: &FunctionVerifier<'_>) -> bool {
    verifier.conventions.is_some_and(|conventions| conventions.function.coroutine != CoroutineKind::None)
}

fn yields_once(verifier: &FunctionVerifier<'_>) -> bool {
    let kind = verifier.conventions.map(|conventions| conventions.function.coroutine);
    kind == Some(CoroutineKind::YieldOnce)
}

fn after_yield(before: CoroutineState, successor: usize) -> CoroutineState {
    match (successor, before) {
        (0, CoroutineState::Uncounted) => CoroutineState::Uncounted,
        (0, _) => CoroutineState::Resumed,
        _ => CoroutineState::Unwinding,
    }
}

fn visit(verifier: &mut FunctionVerifier<'_>, id: InstructionId, state: &mut State) -> bool {
    let body = verifier.body;
    let instruction = &body.instructions[id];
    if !continuation(verifier, id, state) {
        return false;
    }
    match instruction.opcode {
        Opcode::DeallocStack | Opcode::DeallocPack | Opcode::DeallocPackMetadata | Opcode::DeallocStackRef => {
            return deallocate(verifier, id, state);
        }
        Opcode::Builtin if deallocates(verifier, id) => return deallocate(verifier, id, state),
        Opcode::BeginAccess | Opcode::BeginApply | Opcode::StoreBorrow => state.active.push(id),
        Opcode::EndAccess | Opcode::EndApply | Opcode::AbortApply | Opcode::EndBorrow => {
            return end(verifier, id, state);
        }
        opcode if opcode.leaves_function() => return exit(verifier, id, state),
        Opcode::Yield => return yield_once(verifier, id, state),
        _ => {}
    }
    if let Some(value) = stack_allocation(verifier, id) {
        state.stack.push(value);
    }
    true
}

/// Between getting a continuation and awaiting it, a task can neither suspend nor leave.
fn continuation(verifier: &mut FunctionVerifier<'_>, id: InstructionId, state: &mut State) -> bool {
    let body = verifier.body;
    let instruction = &body.instructions[id];
    let name = instruction.opcode.name();
    let gets = matches!(instruction.opcode, Opcode::GetAsyncContinuation | Opcode::GetAsyncContinuationAddr);
    let awaited = match instruction.opcode {
        Opcode::AwaitAsyncContinuation => body.defining(views::AwaitAsyncContinuation::of(body, id).continuation),
        _ => None,
    };
    let message = match (state.continuation, awaited) {
        (Some(got), Some(awaited)) if got == awaited => {
            state.continuation = None;
            return true;
        }
        (_, Some(_)) => "`await_async_continuation` of a continuation that is not there to be awaited here".to_owned(),
        (None, None) => {
            state.continuation = gets.then_some(id);
            return true;
        }
        (Some(_), None) if gets || leaves(instruction.opcode) || suspends(verifier, id) => {
            format!("`{name}` before the continuation that was got is awaited")
        }
        (Some(_), None) => return true,
    };
    let got = state.continuation.or(awaited).map(|got| body.instructions[got].span);
    let diagnostic = Diagnostic::error("continuation", message, instruction.span);
    verifier.report(diagnostic.note("the continuation is got here", got));
    false
}

fn leaves(opcode: Opcode) -> bool {
    opcode.leaves_function() || opcode == Opcode::Yield
}

/// Whether the task may be suspended in the instruction.
fn suspends(verifier: &FunctionVerifier<'_>, id: InstructionId) -> bool {
    let body = verifier.body;
    match body.instructions[id].opcode {
        Opcode::HopToExecutor => true,
        Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => {
            let callee = body.operands(id).first().and_then(|callee| verifier.queries.conventions(body.ty(*callee).ty));
            callee.is_some_and(|callee| callee.function.attributes.contains(FunctionAttribute::Async))
        }
        _ => false,
    }
}

/// The stack allocation of an instruction.
fn stack_allocation(verifier: &FunctionVerifier<'_>, id: InstructionId) -> Option<Value> {
    let body = verifier.body;
    let instruction = &body.instructions[id];
    let allocates = match instruction.opcode {
        Opcode::AllocStack | Opcode::AllocVector | Opcode::AllocPack | Opcode::AllocPackMetadata => true,
        Opcode::AllocRef | Opcode::AllocRefDynamic => instruction.attributes.contains(Attribute::Stack),
        // With ownership, a closure on the stack is a value that `destroy_value` ends.
        Opcode::PartialApply => {
            instruction.attributes.contains(Attribute::OnStack) && verifier.ownership == OwnershipForm::Lowered
        }
        Opcode::Builtin => {
            builtin_name(verifier, id).is_some_and(|name| matches!(name, "stackAlloc" | "unprotectedStackAlloc"))
        }
        _ => false,
    };
    if allocates { body.results(id).next() } else { None }
}

fn builtin_name<'m>(verifier: &FunctionVerifier<'m>, id: InstructionId) -> Option<&'m str> {
    match &verifier.body.instructions[id].details {
        Details::Builtin(builtin) => Some(verifier.module.context.text(builtin.name())),
        _ => None,
    }
}

fn deallocates(verifier: &FunctionVerifier<'_>, id: InstructionId) -> bool {
    builtin_name(verifier, id) == Some("stackDealloc")
}

/// A deallocation must be of the latest allocation that is still there. False ends the walk: later findings would be
/// consequences.
fn deallocate(verifier: &mut FunctionVerifier<'_>, id: InstructionId, state: &mut State) -> bool {
    let body = verifier.body;
    let Some(mut value) = body.operands(id).first().copied() else { return true };
    while let Some(maker) = body.defining(value) {
        match (body.instructions[maker].opcode, body.operands(maker).first()) {
            (Opcode::MoveValue, Some(operand)) => value = *operand,
            _ => break,
        }
    }
    // A coroutine that its callee allocates is on the stack as well, as the last result of `begin_apply`.
    if body.defining(value).is_none_or(|maker| body.instructions[maker].opcode == Opcode::BeginApply) {
        return true;
    }
    if state.stack.last() == Some(&value) {
        state.stack.pop();
        return true;
    }
    let name = body.instructions[id].opcode.name();
    let message = match state.stack.last() {
        None => format!("`{name}`: nothing is left on the stack"),
        Some(_) => format!("`{name}` must free the latest stack allocation that is still there"),
    };
    let broken = state.stack.last().map(|latest| BrokenRule::DeallocationOrder { latest: *latest, freed: value });
    let mut diagnostic = Diagnostic::error("stack-nesting", message, body.instructions[id].span);
    if let Some(span) = verifier.definition_span(value) {
        diagnostic = diagnostic.note("this is what it frees", Some(span));
    }
    if let Some(latest) = state.stack.last().and_then(|latest| verifier.definition_span(*latest)) {
        diagnostic = diagnostic.note("the latest allocation is this", Some(latest));
    }
    match broken {
        Some(broken) => verifier.report_as(Complaint::Rule { broken, at: id }, diagnostic),
        None => verifier.report(diagnostic),
    }
    false
}

fn end(verifier: &mut FunctionVerifier<'_>, id: InstructionId, state: &mut State) -> bool {
    let body = verifier.body;
    let Some(begin) = body.operands(id).first().and_then(|operand| body.defining(*operand)) else { return true };
    let opcode = body.instructions[begin].opcode;
    if !matches!(opcode, Opcode::BeginAccess | Opcode::BeginApply | Opcode::StoreBorrow) {
        return true;
    }
    if let Some(at) = state.active.iter().rposition(|active| *active == begin) {
        state.active.remove(at);
        return true;
    }
    let name = body.instructions[id].opcode.name();
    let message = format!("`{name}`: the scope has already ended here");
    let diagnostic = Diagnostic::error("scope-ended-twice", message, body.instructions[id].span);
    let begun = Some(body.instructions[begin].span);
    verifier.report(diagnostic.note("it began here", begun));
    false
}

fn exit(verifier: &mut FunctionVerifier<'_>, id: InstructionId, state: &State) -> bool {
    let body = verifier.body;
    let instruction = &body.instructions[id];
    let name = instruction.opcode.name();
    if let Some(left) = state.stack.last() {
        let message = format!("`{name}` leaves a stack allocation behind");
        let diagnostic = Diagnostic::error("stack-leak", message, instruction.span);
        let span = verifier.definition_span(*left);
        let complaint = Complaint::Rule { broken: BrokenRule::AllocationsLeft, at: id };
        verifier.report_as(complaint, diagnostic.note("it is never freed on this path", span));
        return true;
    }
    if let Some(active) = state.active.last() {
        let begin = &body.instructions[*active];
        let message = format!("`{name}` while the scope of a `{}` is still open", begin.opcode.name());
        let diagnostic = Diagnostic::error("open-scope", message, instruction.span);
        let complaint = Complaint::Rule { broken: BrokenRule::ScopesLeft, at: id };
        verifier.report_as(complaint, diagnostic.note("it began here", Some(begin.span)));
        return true;
    }
    let unwinds = instruction.opcode == Opcode::Unwind;
    match state.coroutine {
        CoroutineState::Unwinding if !unwinds => {
            verifier.fail("coroutine-path", instruction.span, format!("`{name}` on the unwind path of a `yield`"));
            false
        }
        CoroutineState::Uncounted | CoroutineState::BeforeYield | CoroutineState::Resumed if unwinds => {
            verifier.fail("coroutine-path", instruction.span, "`unwind` needs the unwind path of a `yield`");
            false
        }
        CoroutineState::BeforeYield if instruction.opcode.returns() => {
            verifier.fail("coroutine-path", instruction.span, "a `@yield_once` coroutine must yield before it returns");
            false
        }
        _ => true,
    }
}

fn yield_once(verifier: &mut FunctionVerifier<'_>, id: InstructionId, state: &State) -> bool {
    let span = verifier.body.instructions[id].span;
    match state.coroutine {
        CoroutineState::Uncounted | CoroutineState::BeforeYield => true,
        CoroutineState::Resumed => {
            verifier.fail("coroutine-path", span, "a `@yield_once` coroutine can yield only once on a path");
            false
        }
        CoroutineState::Unwinding => {
            verifier.fail("coroutine-path", span, "`yield` on the unwind path of another `yield`");
            false
        }
    }
}

fn agrees(
    verifier: &mut FunctionVerifier<'_>,
    branch: InstructionId,
    target: BlockId,
    found: &State,
    next: &State,
) -> bool {
    let mut active = (found.active.clone(), next.active.clone());
    active.0.sort_unstable();
    active.1.sort_unstable();
    // In raw SIL code continues after calls that never return.
    let is_folded = verifier.module.stage != Stage::Raw;
    let (what, broken) = if found.coroutine != next.coroutine && is_folded {
        ("the coroutine has yielded on one path, but not on another", None)
    } else if (found.stack == next.stack && active.0 == active.1 && found.continuation == next.continuation)
        || is_dead_end(verifier, target)
    {
        return true;
    } else if found.continuation != next.continuation {
        ("a continuation has been got on one path, but not on another", None)
    } else if found.stack != next.stack {
        ("paths meet here with different stack allocations", Some(BrokenRule::DifferentStacks))
    } else {
        ("paths meet here with different open scopes", Some(BrokenRule::DifferentScopes))
    };
    let body = verifier.body;
    let span = body.instructions[branch].span;
    let mut diagnostic = Diagnostic::error("path-mismatch", what, span).note("in this block", body.blocks[target].span);
    let differing = found.stack.iter().find(|value| !next.stack.contains(value));
    if let Some(value) = differing.or(next.stack.iter().find(|value| !found.stack.contains(value))) {
        let span = verifier.definition_span(*value);
        diagnostic = diagnostic.note("on one of the paths only, this is still allocated", span);
    }
    match broken {
        Some(broken) => verifier.report_as(Complaint::Rule { broken, at: branch }, diagnostic),
        None => verifier.report(diagnostic),
    }
    false
}

/// Whether no path from `block` leaves the function.
fn is_dead_end(verifier: &FunctionVerifier<'_>, block: BlockId) -> bool {
    let body = verifier.body;
    let mut seen = vec![block];
    let mut next = 0;
    while let Some(block) = seen.get(next).copied() {
        next += 1;
        let Some(terminator) = body.terminator(block) else { continue };
        let opcode = body.instructions[terminator].opcode;
        if opcode.leaves_function() {
            return false;
        }
        for target in body.targets(terminator) {
            if !seen.contains(target) {
                seen.push(*target);
            }
        }
    }
    true
}

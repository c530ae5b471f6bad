//! Marked memory: loads become borrows or takes, and partially or conditionally consumed memory is destroyed as far as
//! it is initialised (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp).

use super::copies::Copies;
use super::discarding;
use super::early_ends::{consumed_and_defined_again, early_ends};
use super::later_uses::Holder;
use super::messages::{self, Subject, Taking};
use super::objects;
use super::uses::{Load, MemoryUse, MemoryUses, access_around};
use super::variable::Variable;
use super::{Known, Permission, UNCHECKED, has_deinit, misuses, partial_consumes, partial_reinitializations, unmark};

use sil_analysis::ApplySite;
use sil_ir::context::{ParameterConvention, SignatureId, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, Definition, Details, FunctionAttribute, InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use crate::InstructionBuilder;
use crate::knowledge::captured_boxes::captured_box;
use crate::knowledge::element_flow::{Event, EventKind, Flow, Start, dropped_on_edges, sort};
use crate::knowledge::elements::{Elements, Node, Step, divide, project};
use crate::pass::Environment;

/// The greatest number of elements, each of which has a bit.
const MOST_ELEMENTS: u32 = 128;

/// Resolves the mark of memory, and returns the diagnostics of its uses.
pub(super) fn resolve(
    known: &Known<'_>,
    body: &mut Body,
    mark: InstructionId,
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let before = known.before;
    let Some(address) = before.result(mark) else { return Ok(Vec::new()) };
    let queries = known.environment.queries;
    let signature = known.environment.function.signature;
    let uses = MemoryUses::collect(queries, known.kinds, signature, before, known.uses, address)?;
    if uses.closures.iter().any(|closure| is_unchecked(known, *closure)) {
        unmark(body, mark);
        return Ok(Vec::new());
    }
    let subject = Subject::new(known, mark);
    let permission = Permission::of(before, mark);
    if permission != Permission::Consume {
        let found = consumed_in_place(known, &subject, permission, &uses);
        if !found.is_empty() {
            unmark(body, mark);
            return Ok(found);
        }
    }
    let memory = Memory::new(queries, signature, address, before.ty(address).ty, &uses, Variable::marked(known, mark));
    if memory.root.count > MOST_ELEMENTS {
        let what = "a noncopyable value of so many parts";
        return Err(Box::new(Diagnostic::unsupported(what, before.instructions[mark].span)));
    }
    let mut events: Vec<Event> = uses.found.iter().map(|found| memory.event(found)).collect();
    let on_entry: Vec<_> = uses.on_entry.iter().map(|(block, path)| (*block, memory.elements(path))).collect();
    let origin = Origin::of(known, mark);
    let all = memory.root.elements();
    let give_back = |end| Event { instruction: end, kind: EventKind::GiveBack, elements: all, cause: end };
    events.extend(ends_of_lending(known, mark, permission, origin).into_iter().map(give_back));
    sort(&mut events);
    join_consumes(&mut events);
    let is_empty = origin == Origin::Uninitialized && !uses.holds_borrow;
    let initial = if is_empty || permission == Permission::Initialize { 0 } else { all };
    let start = Start { instruction: Some(mark), initial, outside: initial, all };
    let follow = |events: &[Event]| Flow::new(before, known.cfg, start, events, &on_entry);
    let flow = follow(&events);
    let mut wrong = wrong_at_once(known, &subject, &memory, &uses);
    let makes = |used: &&MemoryUse| matches!(used.kind, EventKind::Assign | EventKind::Initialize);
    let partly = uses.found.iter().filter(makes).filter(|used| !used.is_whole && !memory.drops_deinit);
    let partly_made: Vec<Event> = partly.map(|used| memory.event(used)).collect();
    if wrong.is_empty() {
        wrong = partial_reinitializations::misuses(known, &subject, start, &partly_made, &events);
    }
    if wrong.is_empty() {
        wrong = misuses(known, &subject, &events, &flow, Holder::Memory);
    }
    for (load, kind) in &uses.loads {
        if let (Load::Borrow(copies), true) = (kind, wrong.is_empty()) {
            wrong.extend(objects::outlived(known, &subject, *load, copies));
        }
    }
    if wrong.is_empty() {
        wrong = consumed_in_deinit(known, &uses);
    }
    if wrong.is_empty() {
        let again = consumed_and_defined_again(&events);
        if again != 0 {
            events.extend(memory.ends_of_accesses(known, &uses));
            sort(&mut events);
            let flow = follow(&events);
            events.extend(early_ends(before, known.cfg, &events, &flow, again));
            sort(&mut events);
        }
        let flow = follow(&events);
        wrong = discarding::unconsumed(known, &uses, &events, &flow);
        wrong.extend(discarding::reinitialized(known, &uses));
        memory.lower(known, body, &uses, &events, &flow);
    }
    unmark(body, mark);
    for (_, load) in &uses.loads {
        if let (Load::Take(copies), true) = (load, wrong.is_empty())
            && let Some(definition) = before.defining(copies.value)
            && !copies.copies.is_empty()
        {
            wrong.extend(objects::resolve_owned(known, body, &subject, definition, copies));
        }
    }
    Ok(wrong)
}

/// Returns whether a closure's function has another error about its captures.
fn is_unchecked(known: &Known<'_>, closure: InstructionId) -> bool {
    let Environment { module, queries, .. } = known.environment;
    let callee = ApplySite::new(known.before, closure).and_then(|site| site.callee());
    let reference = callee.and_then(|callee| known.before.defining(callee));
    let Some(Details::Function(name)) = reference.map(|id| &known.before.instructions[id].details) else {
        return false;
    };
    let function = module.function_named(*name).map(|function| &module.functions[function]);
    let unchecked = FunctionAttribute::Semantics(queries.context.name(UNCHECKED));
    function.is_some_and(|function| function.attributes.contains(&unchecked))
}

/// Merges the consumes of one instruction by several operands.
fn join_consumes(events: &mut Vec<Event>) {
    events.dedup_by(|event, kept| {
        let is_same = event.instruction == kept.instruction && event.kind == kept.kind;
        let joins = is_same && event.kind == EventKind::Consume;
        if joins {
            kept.elements |= event.elements;
        }
        joins
    });
}

/// Reports consumes of `self` in a `deinit`: parts may be consumed, the whole may not.
fn consumed_in_deinit(known: &Known<'_>, uses: &MemoryUses<'_>) -> Vec<Diagnostic> {
    let this = known.environment.function.name;
    if !known.environment.module.deinits.iter().any(|deinit| deinit.function == this) {
        return Vec::new();
    }
    let is_taken = |id: InstructionId| known.before.instructions[id].attributes.contains(Attribute::Take);
    let consumed = uses.found.iter().filter(|found| found.kind == EventKind::Consume);
    let whole = consumed.filter(|found| found.is_whole && found.is_dropped && !is_taken(found.instruction));
    whole.map(|found| messages::consumed_in_deinit(known, found.instruction)).collect()
}

/// Reports consumes of memory that must keep its value.
fn consumed_in_place(
    known: &Known<'_>,
    subject: &Subject<'_>,
    permission: Permission,
    uses: &MemoryUses<'_>,
) -> Vec<Diagnostic> {
    let consumed = uses.found.iter().filter(|found| found.kind == EventKind::Consume);
    let mut wrong = Vec::new();
    for id in consumed.map(|found| found.instruction) {
        let is_load = known.before.instructions[id].opcode == Opcode::Load;
        let loaded = known.before.result(id).filter(|_| is_load);
        let loaded = loaded.map(|value| Copies::of(known.kinds, known.before, known.uses, value));
        let taking = match &loaded {
            Some(copies) => Taking::Load(&copies.consumed),
            // Mutable memory may be moved out of, if that happens before the end of the access.
            None if uses.moves.contains(&id) && permission != Permission::Borrow => continue,
            None if uses.moves.contains(&id) => Taking::Copy(id),
            None => Taking::Memory(id),
        };
        wrong.extend(messages::consumed_in_place(known, subject, permission, taking));
    }
    wrong
}

/// Returns the instructions at which borrowed memory must be initialised again: the exits of the function, or the ends
/// of an access or a coroutine (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp,
/// visitScopeEndsRequiringInit).
fn ends_of_lending(
    known: &Known<'_>,
    mark: InstructionId,
    permission: Permission,
    origin: Origin,
) -> Vec<InstructionId> {
    let body = known.before;
    if !matches!(permission, Permission::Consume | Permission::Assign) {
        return Vec::new();
    }
    if origin == Origin::InOut {
        let terminators = known.cfg.reverse_post_order().iter().filter_map(|block| body.terminator(*block));
        return terminators.filter(|id| is_exit(body.instructions[*id].opcode)).collect();
    }
    let Some(lender) = body.defining(Unary::of(body, mark).operand) else { return Vec::new() };
    let ends: &[Opcode] = match &body.instructions[lender] {
        access if access.opcode == Opcode::BeginAccess && access.attributes.contains(Attribute::Modify) => {
            &[Opcode::EndAccess]
        }
        coroutine if coroutine.opcode == Opcode::BeginApply => &[Opcode::EndApply, Opcode::AbortApply],
        _ => &[],
    };
    let users = body.results(lender).flat_map(|value| known.uses.of(value)).map(|found| found.user);
    users.filter(|id| ends.contains(&body.instructions[*id].opcode)).collect()
}

fn is_exit(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Return | Opcode::ReturnBorrow | Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind)
}

/// The origin of marked memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Stack memory or memory for a result, which is uninitialised at the mark.
    Uninitialized,
    /// An `inout` argument or capture, which must be initialised at the exits.
    InOut,
    /// Any other memory, which is initialised.
    Initialized,
}

impl Origin {
    fn of(known: &Known<'_>, mark: InstructionId) -> Origin {
        let body = known.before;
        let mut marked = Unary::of(body, mark).operand;
        if let Some(wrapper) = body.defining(marked)
            && body.instructions[wrapper].opcode == Opcode::CopyableToMoveonlywrapperAddr
        {
            marked = Unary::of(body, wrapper).operand;
        }
        match body.values[marked].definition {
            Definition::Result { instruction, .. } if body.instructions[instruction].opcode == Opcode::AllocStack => {
                Origin::Uninitialized
            }
            Definition::Result { instruction, .. } if captured_box(body, instruction).is_some() => Origin::InOut,
            Definition::Argument { block, index } if block == body.entry() => {
                let conventions = known.environment.queries.conventions(known.environment.function.ty);
                let argument = conventions.and_then(|conventions| conventions.argument(index as usize));
                match argument.map(|argument| argument.convention) {
                    Some(ArgumentConvention::Result(_) | ArgumentConvention::Error) => Origin::Uninitialized,
                    Some(ArgumentConvention::Parameter(
                        ParameterConvention::InOut | ParameterConvention::InOutAliasable,
                    )) => Origin::InOut,
                    _ => Origin::Initialized,
                }
            }
            _ => Origin::Initialized,
        }
    }
}

/// Marked memory with its elements.
struct Memory<'m> {
    queries: &'m TypeQueries<'m>,
    signature: Option<SignatureId>,
    address: Value,
    root: Node,
    drops_deinit: bool,
    /// The variable of the memory.
    variable: Option<Variable>,
}

impl<'m> Memory<'m> {
    fn new(
        queries: &'m TypeQueries<'m>,
        signature: Option<SignatureId>,
        address: Value,
        ty: TypeId,
        uses: &MemoryUses<'_>,
        variable: Option<Variable>,
    ) -> Self {
        // Parts that are only read need no bits of their own.
        let splits = |found: &&MemoryUse| found.kind != EventKind::Borrow;
        let paths: Vec<&[Step]> = uses.found.iter().filter(splits).map(|found| found.path.as_slice()).collect();
        let entered = uses.on_entry.iter().map(|(_, path)| path.as_slice());
        let paths: Vec<&[Step]> = paths.into_iter().chain(entered).collect();
        let root = divide(queries, ty, 0, &paths);
        Self { queries, signature, address, root, drops_deinit: uses.drops_deinit, variable }
    }

    /// Returns the node at a path, or the innermost node that contains it.
    fn node(&self, path: &[Step]) -> &Node {
        let mut node = &self.root;
        for step in path {
            match node.part(*step) {
                Some(part) => node = part,
                None => break,
            }
        }
        node
    }

    fn elements(&self, path: &[Step]) -> Elements {
        self.node(path).elements()
    }

    fn event(&self, found: &MemoryUse) -> Event {
        let elements = self.elements(&found.path);
        Event { instruction: found.instruction, kind: found.kind, elements, cause: found.cause }
    }

    /// Returns the ends of the accesses that contain reads: the memory is needed until then.
    fn ends_of_accesses(&self, known: &Known<'_>, uses: &MemoryUses<'_>) -> Vec<Event> {
        let (body, mut ends) = (known.before, Vec::new());
        for read in uses.found.iter().filter(|found| found.kind == EventKind::Borrow) {
            let accesses = access_around(body, read.address).into_iter().flat_map(|access| body.results(access));
            let users = accesses.flat_map(|access| known.uses.of(access)).map(|found| found.user);
            let is_end = |user: &InstructionId| body.instructions[*user].opcode == Opcode::EndAccess;
            ends.extend(users.filter(is_end).map(|end| Event { instruction: end, ..self.event(read) }));
        }
        ends
    }

    /// Rewrites the instructions by the state of the memory.
    fn lower(&self, known: &Known<'_>, body: &mut Body, uses: &MemoryUses<'_>, events: &[Event], flow: &Flow) {
        let state = |found: &MemoryUse| {
            let event = self.event(found);
            let is_same = |other: &Event| other.instruction == event.instruction && other.kind == event.kind;
            events.iter().position(is_same).map_or(0, |number| flow.before[number])
        };
        let consumed = uses.found.iter().filter(|found| found.kind == EventKind::Consume);
        let mut consumed: Vec<InstructionId> = consumed.map(|found| found.instruction).collect();
        consumed.sort_unstable();
        consumed.dedup();
        if let Some(variable) = &self.variable {
            consumed.iter().for_each(|taking| variable.end_after(body, *taking));
        }
        for found in &uses.found {
            match found.kind {
                EventKind::Destroy => self.lower_destroy(body, found, state(found)),
                EventKind::Assign => self.lower_assign(body, found, state(found)),
                _ => {}
            }
        }
        for (event, before) in events.iter().zip(&flow.before) {
            let (place, like) = match event.kind {
                EventKind::EndBefore => (Place::Before(event.instruction), event.instruction),
                EventKind::EndAfter => (Place::After(event.instruction), event.instruction),
                _ => continue,
            };
            self.drop(body, place, like, event.elements & before);
        }
        for (place, elements) in dropped_on_edges(known.before, known.cfg, flow) {
            let like = match place {
                Place::Before(id) => id,
                Place::Start(block) => known.before.first_instruction(block).unwrap_or(uses.found[0].instruction),
                Place::After(id) => id,
                Place::End(_) => uses.found[0].instruction,
            };
            self.drop(body, place, like, elements);
        }
        for (load, kind) in &uses.loads {
            match kind {
                Load::Borrow(copies) => objects::borrow_loaded(body, *load, copies),
                Load::Take(_) => {
                    objects::take_loaded(body, *load);
                    modify_in_access(body, *load);
                }
            }
        }
        for id in &uses.moves {
            body.instructions[*id].attributes.insert(Attribute::Take);
            modify_in_access(body, *id);
        }
        for id in &uses.unchecked {
            body.instructions[*id].attributes.remove(Attribute::Unchecked);
        }
    }

    /// Destroys the `elements` that are not destroyed yet, and ends the debug value of the variable.
    fn drop(&self, body: &mut Body, place: Place, like: InstructionId, elements: Elements) {
        if elements == 0 {
            return;
        }
        // At other places than in front of an instruction, later insertions precede earlier ones.
        let (ahead, after) = match place {
            Place::Before(_) | Place::End(_) => (None, self.variable.as_ref()),
            Place::Start(_) | Place::After(_) => (self.variable.as_ref(), None),
        };
        ahead.into_iter().for_each(|variable| variable.end(body, place));
        let (address, place_of_destroy) = self.dropping_deinit(body, place, like);
        self.destroy(body, place_of_destroy, like, address, &self.root, elements);
        after.into_iter().for_each(|variable| variable.end(body, place));
    }

    /// Returns the address to destroy at, and the place after its definition: a dropped `deinit` must not run for the
    /// remaining parts.
    fn dropping_deinit(&self, body: &mut Body, place: Place, like: InstructionId) -> (Value, Place) {
        if !self.drops_deinit || !self.root.parts.is_empty() {
            return (self.address, place);
        }
        let mut builder = InstructionBuilder::new(body, place, like);
        let dropped = builder.drop_deinit(self.address);
        let after = body.defining(dropped).map_or(place, Place::After);
        (dropped, if matches!(place, Place::Before(_)) { place } else { after })
    }

    fn lower_destroy(&self, body: &mut Body, found: &MemoryUse, state: Elements) {
        let node = self.node(&found.path);
        let needed = node.elements();
        if state & needed == needed && needed != 0 {
            self.variable.iter().for_each(|variable| variable.end(body, Place::Before(found.instruction)));
            return;
        }
        self.destroy(body, Place::Before(found.instruction), found.instruction, found.address, node, state);
        body.erase(found.instruction);
    }

    /// Destroys the previous value directly in front of an assignment, which becomes an initialisation.
    fn lower_assign(&self, body: &mut Body, found: &MemoryUse, state: Elements) {
        let instruction = &body.instructions[found.instruction];
        let is_convertible = matches!(instruction.opcode, Opcode::Store | Opcode::CopyAddr);
        if !is_convertible || instruction.attributes.contains(Attribute::Trivial) {
            return;
        }
        let replaced = state & self.node(&found.path).elements();
        let place = Place::Before(found.instruction);
        self.destroy(body, place, found.instruction, self.address, &self.root, replaced);
        if replaced != 0 {
            self.variable.iter().for_each(|variable| variable.end(body, place));
        }
        let attributes = &mut body.instructions[found.instruction].attributes;
        attributes.remove(Attribute::Assign);
        attributes.insert(Attribute::Init);
        self.variable.iter().for_each(|variable| variable.begin(body, Place::After(found.instruction)));
    }

    /// Destroys the `elements` of `node` at `address`.
    fn destroy(
        &self,
        body: &mut Body,
        place: Place,
        like: InstructionId,
        address: Value,
        node: &Node,
        elements: Elements,
    ) {
        let wanted = node.elements();
        if elements & wanted == 0 || self.queries.properties(node.ty, self.signature).is_trivial() {
            return;
        }
        let mut builder = InstructionBuilder::new(body, place, like).automatic();
        let is_one = node.parts.is_empty() || !self.drops_deinit;
        if elements & wanted == wanted && is_one {
            builder.destroy_addr(address);
            return;
        }
        let ty = body.ty(address);
        let mut place = place;
        // Properties are destroyed in reverse declaration order.
        for (step, part) in node.parts.iter().rev() {
            if elements & part.elements() == 0 {
                continue;
            }
            let mut builder = InstructionBuilder::new(body, place, like).automatic();
            let Some(projected) = project(self.queries, &mut builder, address, ty, &[*step]) else { continue };
            if let (Place::Start(_) | Place::After(_), Some(projection)) = (place, body.defining(projected)) {
                place = Place::After(projection);
            }
            self.destroy(body, place, like, projected, part, elements);
        }
    }
}

/// Changes the kind of an access in which a copy became a move to modify.
fn modify_in_access(body: &mut Body, taking: InstructionId) {
    let access = body.operands(taking).first().and_then(|address| access_around(body, *address));
    if let Some(access) = access {
        let attributes = &mut body.instructions[access].attributes;
        [Attribute::Read, Attribute::Deinit].into_iter().for_each(|kind| attributes.remove(kind));
        attributes.insert(Attribute::Modify);
    }
}

/// Reports errors of single uses: of loaded values, and partial consumes of values with a `deinit`.
fn wrong_at_once(
    known: &Known<'_>,
    subject: &Subject<'_>,
    memory: &Memory<'_>,
    uses: &MemoryUses<'_>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (load, kind) in &uses.loads {
        let parts = known.before.result(*load).map(|value| partial_consumes::misuses(known, subject, value));
        found.extend(parts.into_iter().flatten());
        if let (Load::Take(copies), true) = (kind, found.is_empty()) {
            found.extend(objects::outlived(known, subject, *load, copies));
        }
    }
    let consumed = uses.found.iter().filter(|used| used.kind == EventKind::Consume);
    for used in consumed {
        if let Some(depth) = owner_of_deinit(known, memory, &used.path) {
            found.push(messages::partial_consume(known, subject, &used.path[..depth], used.instruction));
        }
    }
    found
}

/// Returns the number of steps along `path` to the outermost enclosing type with a `deinit` that is not dropped.
fn owner_of_deinit(known: &Known<'_>, memory: &Memory<'_>, path: &[Step]) -> Option<usize> {
    let nominal = |ty| known.environment.queries.as_nominal(ty).map(|nominal| nominal.declaration);
    let dropped = nominal(memory.root.ty).filter(|_| memory.drops_deinit);
    let mut node = &memory.root;
    for (depth, step) in path.iter().enumerate() {
        let found = nominal(node.ty).filter(|found| Some(*found) != dropped);
        if found.is_some_and(|nominal| has_deinit(known, nominal)) {
            return Some(depth);
        }
        node = node.part(*step)?;
    }
    None
}

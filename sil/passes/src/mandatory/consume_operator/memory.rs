//! `consume` of variables in memory: moves the value out of the memory
//! (lib/SILOptimizer/Mandatory/ConsumeOperatorCopyableAddressesChecker.cpp).

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, Change, ControlFlowGraph, Use, Uses};
use sil_ir::context::{Mutability, ParameterConvention};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::AllocVariable;
use sil_ir::model::{Body, DebugVariable, Details, InstructionId, Module, Place, Value};
use sil_ir::symbols::Symbol;
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::dataflow::Dataflow;
use super::ignored_uses;
use super::messages::{self, Variable};
use crate::InstructionBuilder;
use crate::editing::critical_edges;
use crate::knowledge::element_flow::{Event, EventKind, Flow, Start, dropped_on_edges, search_after, search_all, sort};
use crate::pass::{Environment, Rewrite};

/// The memory is one element.
const WHOLE: u128 = 1;

/// The greatest nesting depth of followed `defer` calls.
const DEEPEST_DEFER: u32 = 16;

/// Checks and resolves each `consume` of memory.
pub(crate) fn check(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, analyses, .. } = environment;
    if !before.placed_instructions().any(|id| is_consume(before, id)) {
        return Ok(None);
    }
    let mut body = before.clone();
    ignored_uses(&body).into_iter().for_each(|id| body.erase(id));
    critical_edges::split_in(&mut body, analyses.cfg(before));
    let mut diagnostics = Vec::new();
    for (address, lender) in variables(environment, &body) {
        if let Err(unsupported) = check_variable(environment, &mut body, address, lender, &mut diagnostics) {
            // The earlier diagnostics still count.
            diagnostics.push(*unsupported);
            return Ok(Rewrite::diagnostics_alone(function, before, diagnostics));
        }
    }
    let rest: Vec<InstructionId> = body.placed_instructions().filter(|id| is_consume(&body, *id)).collect();
    for consume in rest {
        diagnostics.push(messages::not_understood(&body, consume, body.operands(consume)[0]));
        copy(&mut body, consume, Transfer::Copy);
    }
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

fn is_consume(body: &Body, id: InstructionId) -> bool {
    body.instructions[id].opcode == Opcode::MarkUnresolvedMoveAddr
}

/// The owner of the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A variable of the function.
    Local,
    /// A parameter that the function owns.
    Given,
    /// An `inout` parameter, which is returned to the caller.
    Lent,
    /// A borrowed parameter, which may only be read.
    Borrowed,
}

/// Returns the parameters and variables in memory.
fn variables(environment: Environment<'_>, body: &Body) -> Vec<(Value, Owner)> {
    let conventions = environment.queries.conventions(environment.function.ty);
    let parameters = (0..).zip(&body.blocks[body.entry()].arguments).filter_map(|(index, value)| {
        let ArgumentConvention::Parameter(convention) = conventions?.argument(index)?.convention else { return None };
        let owner = match convention {
            _ if !body.ty(*value).is_address() => return None,
            ParameterConvention::InOut => Owner::Lent,
            ParameterConvention::InGuaranteed => Owner::Borrowed,
            ParameterConvention::In | ParameterConvention::InOutAliasable => Owner::Given,
            _ => return None,
        };
        Some((*value, owner))
    });
    let is_variable = |id: &InstructionId| {
        let instruction = &body.instructions[*id];
        instruction.opcode == Opcode::AllocStack && instruction.attributes.contains(Attribute::VarDecl)
    };
    let declared = body.placed_instructions().filter(is_variable);
    parameters.chain(declared.filter_map(|id| Some((body.result(id)?, Owner::Local)))).collect()
}

fn check_variable(
    environment: Environment<'_>,
    body: &mut Body,
    address: Value,
    owner: Owner,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), Box<Diagnostic>> {
    let snapshot = body.clone();
    let uses = Uses::new(&snapshot);
    let visitor =
        Visitor { module: environment.module, queries: environment.queries, body: &snapshot, uses: &uses, depth: 0 };
    let Some(mut events) = visitor.events(address) else { return Ok(()) };
    let mut consumes: Vec<InstructionId> =
        events.iter().map(|event| event.instruction).filter(|id| is_consume(&snapshot, *id)).collect();
    if consumes.is_empty() {
        return Ok(());
    }
    let cfg = ControlFlowGraph::new(&snapshot);
    if owner == Owner::Lent {
        let terminators = cfg.reverse_post_order().iter().filter_map(|block| snapshot.terminator(*block));
        let ends = terminators.filter(|id| snapshot.targets(*id).is_empty());
        let ends = ends.filter(|id| snapshot.instructions[*id].opcode != Opcode::Unreachable);
        events.extend(ends.map(|id| Event { instruction: id, kind: EventKind::GiveBack, elements: WHOLE, cause: id }));
    }
    sort(&mut events);
    consumes.sort_by_key(|id| {
        let block = snapshot.instructions[*id].block;
        (cfg.number(block), snapshot.instructions_in(block).position(|found| found == *id))
    });
    let is_boxed = AllocVariable::get(&snapshot, snapshot.defining(address).unwrap_or(consumes[0]))
        .and_then(|view| view.variable?.mutability)
        .is_some_and(|mutability| mutability == Mutability::Var);
    if is_boxed {
        // Swift visits the uses of promoted boxes in the opposite order.
        consumes.reverse();
    }
    let variable = Variable::of(environment.queries.context, &snapshot, &uses, address);
    let checked = Checked { body: &snapshot, events: &events, consumes: &consumes, owner };
    let (found, unresolved) = checked.misuses(&variable);
    if found.is_empty() && !checked.is_used_after() {
        return checked.lower(body, &cfg, address, &visitor);
    }
    // A consume that is accepted despite a later use becomes a copy, so that the value remains.
    diagnostics.extend(found);
    consumes.iter().filter(|id| !unresolved.contains(id)).for_each(|id| copy(body, *id, Transfer::Copy));
    Ok(())
}

/// A variable with its events.
struct Checked<'c> {
    body: &'c Body,
    events: &'c [Event],
    consumes: &'c [InstructionId],
    owner: Owner,
}

impl Checked<'_> {
    /// Returns the diagnostics, and the consumes whose result is then unknown.
    fn misuses(&self, variable: &Variable) -> (Vec<Diagnostic>, Vec<InstructionId>) {
        let (illegal, legal): (Vec<_>, Vec<_>) = self.consumes.iter().copied().partition(|id| self.is_illegal(*id));
        let mut found: Vec<Diagnostic> = illegal.iter().map(|id| variable.borrowed(self.body, *id)).collect();
        let gone = |event: &&Event| !illegal.contains(&event.instruction);
        let events: Vec<Event> = self.events.iter().filter(gone).copied().collect();
        let used = Dataflow::new(self.body, &events).follow(&legal);
        found.extend(used.used.iter().map(|misuse| variable.used_after_consume(self.body, misuse)));
        (found, used.unresolved)
    }

    /// Returns whether the memory is used after a `consume`, whatever Swift's checker finds.
    fn is_used_after(&self) -> bool {
        self.consumes.iter().any(|consume| self.next_use(*consume).is_some())
    }

    /// Returns whether the memory of a `consume` is read-only.
    fn is_illegal(&self, consume: InstructionId) -> bool {
        let source = self.body.operands(consume)[0];
        let access = self.body.defining(source).filter(|id| self.body.instructions[*id].opcode == Opcode::BeginAccess);
        match access {
            Some(access) => {
                let attributes = self.body.instructions[access].attributes;
                attributes.contains(Attribute::Read) || attributes.contains(Attribute::Init)
            }
            None => self.owner == Owner::Borrowed,
        }
    }

    /// Returns the next use of the memory after `consume` and before its reinitialisation.
    fn next_use(&self, consume: InstructionId) -> Option<InstructionId> {
        search_after(self.body, consume, WHOLE, |id, elements| {
            for event in self.events.iter().filter(|event| event.instruction == id) {
                match event.kind {
                    kind if kind.needs_value() && *elements != 0 => return ControlFlow::Break(id),
                    EventKind::Borrow | EventKind::GiveBack | EventKind::Consume => {}
                    _ => *elements = 0,
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Moves the value out of the memory, and rewrites the destroys and assignments of consumed memory.
    fn lower(
        &self,
        body: &mut Body,
        cfg: &ControlFlowGraph,
        address: Value,
        visitor: &Visitor<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let start = match self.body.defining(address) {
            definition @ Some(_) => Start { instruction: definition, initial: 0, outside: 0, all: WHOLE },
            None => Start { instruction: None, initial: WHOLE, outside: WHOLE, all: WHOLE },
        };
        let on_entry: Vec<_> = visitor.entered(address).into_iter().map(|block| (block, WHOLE)).collect();
        let kept: Vec<Event> = self.events.iter().copied().filter(|event| event.kind != EventKind::Consume).collect();
        let unsupported = |id: InstructionId| {
            let what = "'consume' of a variable that is not always initialised, or that a 'defer' sets again";
            Err(Box::new(Diagnostic::unsupported(what, self.body.instructions[id].span)))
        };
        let as_written = Flow::new(self.body, cfg, start, &kept, &on_entry);
        let is_missing = |(event, state): (&Event, &u128)| event.kind == EventKind::Destroy && *state == 0;
        if kept.iter().zip(&as_written.before).any(is_missing)
            || !dropped_on_edges(self.body, cfg, &as_written).is_empty()
        {
            return unsupported(self.consumes[0]);
        }
        let flow = Flow::new(self.body, cfg, start, self.events, &on_entry);
        let stated = Stated::of(self.body, visitor.uses, address);
        for (event, state) in self.events.iter().zip(&flow.before) {
            match event.kind {
                EventKind::Destroy if *state == 0 => body.erase(event.instruction),
                EventKind::Assign if *state == 0 => match self.body.instructions[event.instruction].opcode {
                    Opcode::Store | Opcode::CopyAddr => {
                        let attributes = &mut body.instructions[event.instruction].attributes;
                        attributes.remove(Attribute::Assign);
                        attributes.insert(Attribute::Init);
                        stated.iter().for_each(|stated| stated.tell(body, Place::After(event.instruction), address));
                    }
                    _ => return unsupported(event.instruction),
                },
                _ => {}
            }
        }
        for (place, _) in dropped_on_edges(self.body, cfg, &flow) {
            stated.iter().for_each(|stated| stated.report_end(body, place, address));
            let mut builder = InstructionBuilder::new(body, place, self.consumes[0]);
            builder.destroy_addr(address);
        }
        for consume in self.consumes {
            copy(body, *consume, Transfer::Take);
            stated.iter().for_each(|stated| stated.report_end(body, Place::After(*consume), address));
        }
        stated.iter().for_each(|stated| stated.mark(body));
        Ok(())
    }
}

/// The instruction that describes the variable in memory to debuggers.
struct Stated {
    instruction: InstructionId,
    variable: Box<DebugVariable>,
}

impl Stated {
    /// Returns the instruction; `None` if there is none.
    fn of(body: &Body, uses: &Uses, address: Value) -> Option<Self> {
        let users = uses.of(address).iter().map(|found| found.user);
        let tells = |id: &InstructionId| match body.instructions[*id].opcode {
            Opcode::AllocStack => Some(*id) == body.defining(address),
            opcode => opcode == Opcode::DebugValue,
        };
        let instruction = body.defining(address).filter(tells).or_else(|| users.into_iter().find(tells))?;
        match &body.instructions[instruction].details {
            Details::Variable(variable) => Some(Self { instruction, variable: variable.clone() }),
            _ => None,
        }
    }

    /// Emits a debug value of the variable at `place`.
    fn tell(&self, body: &mut Body, place: Place, address: Value) {
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::MoveableValueDebugInfo);
        let mut builder = InstructionBuilder::new(body, place, self.instruction);
        builder.with(attributes).debug_value(address, Some(self.variable.clone()));
    }

    /// Emits a debug value without a value at `place`.
    fn report_end(&self, body: &mut Body, place: Place, address: Value) {
        let nothing = body.undef(body.ty(address));
        self.tell(body, place, nothing);
    }

    /// Marks the first debug instruction of the variable as moveable.
    fn mark(&self, body: &mut Body) {
        body.instructions[self.instruction].attributes.insert(Attribute::MoveableValueDebugInfo);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Copy,
    Take,
}

/// Turns `consume` into a `copy_addr`.
fn copy(body: &mut Body, consume: InstructionId, transfer: Transfer) {
    let instruction = &mut body.instructions[consume];
    instruction.opcode = Opcode::CopyAddr;
    instruction.attributes.insert(Attribute::Init);
    if transfer == Transfer::Take {
        instruction.attributes.insert(Attribute::Take);
    }
}

/// The extent of an address within the memory of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Part,
}

/// Collects the events of memory.
struct Visitor<'v> {
    module: &'v Module,
    queries: &'v TypeQueries<'v>,
    body: &'v Body,
    uses: &'v Uses,
    /// The nesting depth of `defer` calls around the body.
    depth: u32,
}

impl Visitor<'_> {
    /// Returns the events of the memory at `address`; `None` for an unknown use.
    fn events(&self, address: Value) -> Option<Vec<Event>> {
        let mut events = Vec::new();
        self.visit(address, |found, extent| {
            if let Some(kind) = self.kind(found, extent)? {
                let id = found.user;
                events.push(Event { instruction: id, kind, elements: WHOLE, cause: id });
            }
            Some(())
        })?;
        Some(events)
    }

    /// Returns the normal successors of `try_apply`s that initialise the memory.
    fn entered(&self, address: Value) -> Vec<sil_ir::model::BlockId> {
        let mut blocks = Vec::new();
        self.visit(address, |found, _| {
            if self.body.instructions[found.user].opcode == Opcode::TryApply
                && self.passed(found) == Some(Passed::Result)
            {
                blocks.push(self.body.targets(found.user)[0]);
            }
            Some(())
        });
        blocks
    }

    fn visit(&self, address: Value, mut each: impl FnMut(Use, Extent) -> Option<()>) -> Option<()> {
        let mut open = vec![(address, Extent::Whole)];
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        while let Some((value, extent)) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            for found in self.uses.of(value) {
                let inner = match self.body.instructions[found.user].opcode {
                    Opcode::BeginAccess => extent,
                    Opcode::StructElementAddr
                    | Opcode::TupleElementAddr
                    | Opcode::UncheckedTakeEnumDataAddr
                    | Opcode::OpenExistentialAddr => Extent::Part,
                    _ => {
                        each(*found, extent)?;
                        continue;
                    }
                };
                open.extend(self.body.result(found.user).map(|result| (result, inner)));
            }
        }
        Some(())
    }

    /// Returns the event of a use, if it is one; `None` for an unknown use.
    fn kind(&self, found: Use, extent: Extent) -> Option<Option<EventKind>> {
        let instruction = &self.body.instructions[found.user];
        let initializes = instruction.attributes.contains(Attribute::Init);
        let of_whole = |kind| (extent == Extent::Whole).then_some(Some(kind));
        match instruction.opcode {
            Opcode::DeallocStack | Opcode::EndAccess | Opcode::DebugValue => Some(None),
            Opcode::MarkUnresolvedMoveAddr if found.operand == 0 => Some(Some(EventKind::Consume)),
            Opcode::MarkUnresolvedMoveAddr
            | Opcode::InitExistentialAddr
            | Opcode::InitEnumDataAddr
            | Opcode::InjectEnumAddr => of_whole(EventKind::Initialize),
            Opcode::Store if found.operand == 1 && initializes => of_whole(EventKind::Initialize),
            Opcode::Store if found.operand == 1 && instruction.attributes.contains(Attribute::Assign) => {
                of_whole(EventKind::Assign)
            }
            Opcode::CopyAddr | Opcode::ExplicitCopyAddr if found.operand == 1 => {
                of_whole(if initializes { EventKind::Initialize } else { EventKind::Assign })
            }
            Opcode::DestroyAddr => of_whole(EventKind::Destroy),
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => match self.passed(found) {
                Some(Passed::InOut) => Some(Some(EventKind::Borrow)),
                Some(_) if extent == Extent::Part => None,
                Some(Passed::Result) if instruction.opcode == Opcode::TryApply => Some(None),
                Some(Passed::Result) => Some(Some(EventKind::Initialize)),
                Some(Passed::Captured) => Some(Some(self.captured(found)?)),
                Some(Passed::Other) | None => Some(Some(EventKind::Borrow)),
            },
            _ => Some(Some(EventKind::Borrow)),
        }
    }

    fn passed(&self, found: Use) -> Option<Passed> {
        let site = ApplySite::new(self.body, found.user)?;
        let argument = site.argument_of_operand(site.conventions(self.queries)?, found.operand as usize)?;
        Some(match argument.convention {
            ArgumentConvention::Result(_) | ArgumentConvention::Error => Passed::Result,
            ArgumentConvention::Parameter(ParameterConvention::InOut) => Passed::InOut,
            ArgumentConvention::Parameter(ParameterConvention::InOutAliasable) => Passed::Captured,
            ArgumentConvention::Parameter(_) => Passed::Other,
        })
    }

    /// Returns the effect of a `defer` on a captured variable: a use or a replacement.
    fn captured(&self, found: Use) -> Option<EventKind> {
        let site = ApplySite::new(self.body, found.user)?;
        let name = site.called_function()?;
        let symbol = Symbol::demangle(self.queries.context.text(name))?;
        if symbol.entity()?.name != "$defer" || self.depth >= DEEPEST_DEFER {
            return None;
        }
        let callee = self.module.functions[self.module.function_named(name)?].body.as_ref()?;
        let index = site.numbering(site.conventions(self.queries)?).sil_argument_of_operand(found.operand as usize)?;
        let parameter = *callee.blocks[callee.entry()].arguments.get(index)?;
        let uses = Uses::new(callee);
        let events = Visitor { body: callee, uses: &uses, depth: self.depth + 1, ..*self }.events(parameter)?;
        let kinds =
            |id: InstructionId| events.iter().filter(move |event| event.instruction == id).map(|event| event.kind);
        match callee.targets(callee.terminator(callee.entry())?) {
            [] => callee.instructions_in(callee.entry()).find_map(|id| kinds(id).next()).map(as_of_single_block),
            _ => kind_of_blocks(callee, &events),
        }
    }
}

/// Returns the effect of a single-block `defer`, by its first event.
fn as_of_single_block(first: EventKind) -> EventKind {
    if first.needs_value() { EventKind::Borrow } else { EventKind::Assign }
}

/// Returns the effect of a multi-block `defer`: one that assigns the variable counts as a use, one that only destroys
/// it as a replacement (lib/SILOptimizer/Mandatory/ConsumeOperatorCopyableAddressesChecker.cpp,
/// `ClosureArgDataflowState`). `None` if there is no effect.
fn kind_of_blocks(callee: &Body, events: &[Event]) -> Option<EventKind> {
    let is_use = |kind: EventKind| kind.needs_value() || kind == EventKind::Assign;
    let found = search_all(callee, WHOLE, |id, elements| {
        for event in events.iter().filter(|event| event.instruction == id) {
            if is_use(event.kind) && *elements != 0 {
                return ControlFlow::Break(EventKind::Borrow);
            }
            *elements = 0;
        }
        ControlFlow::Continue(())
    });
    let destroys = events.iter().any(|event| event.kind == EventKind::Destroy);
    found.or(destroys.then_some(EventKind::Assign))
}

/// The convention by which an address is passed to a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passed {
    Result,
    InOut,
    Captured,
    Other,
}

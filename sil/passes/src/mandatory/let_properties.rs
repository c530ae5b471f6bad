//! Stored `let` properties of classes, which are immutable after initialisation. Inserts `end_init_let_ref` where the
//! initialisation ends, and marks projections elsewhere as `[immutable]`
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LetPropertyLowering.swift).
//!
//! Runs before the marks of uninitialised memory are removed.

use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::FxHashMap;
use sil_analysis::{AccessBase, AccessPath, BodyView, Change, Use, Worklist};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, RefElementAddr, Store, Unary};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Ownership, Place, Value};
use sil_ir::symbols::{EntityKind, Symbol};
use sil_ir::types::Copyability;

use crate::InstructionBuilder;
use crate::editing::value_flow::{Point, ValueFlow};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const LET_PROPERTY_LOWERING: Pass = Pass::new(&Description {
    name: "let-property-lowering",
    class_name: "LetPropertyLowering",
    summary: "Marks the places where `let` properties of objects are initialised.",
    gates: Gates::OPEN,
    runner: Runner::Function(lower),
});

/// Marks the ends of initialisation of `let` properties of the function's objects.
pub(crate) fn lower(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module: _, queries: _, function, body: before, .. } = environment;
    let is_wanted = |id: InstructionId| {
        matches!(before.instructions[id].opcode, Opcode::MarkUninitialized | Opcode::RefElementAddr)
    };
    if !before.placed_instructions().any(is_wanted) || is_deinitializer(environment) {
        return Ok(None);
    }
    let view = environment.view();
    let mut body = before.clone();
    let mut is_changed = false;
    for id in before.placed_instructions() {
        match before.instructions[id].opcode {
            Opcode::MarkUninitialized if marks_object(environment, id) => {
                is_changed |= end_initialization(&view, &mut body, id).is_some();
            }
            _ => {}
        }
    }
    for id in before.placed_instructions() {
        if before.instructions[id].opcode == Opcode::RefElementAddr && is_immutable(environment, &view, &body, id) {
            body.instructions[id].attributes.insert(Attribute::Immutable);
            is_changed = true;
        }
    }
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Instructions)))
}

fn is_deinitializer(environment: Environment<'_>) -> bool {
    let symbol = Symbol::demangle(environment.module.context.text(environment.function.name));
    symbol.and_then(|symbol| symbol.entity()).is_some_and(|entity| entity.kind == EntityKind::Deinitializer)
}

fn is_noncopyable(environment: Environment<'_>, value: Value) -> bool {
    let ty = environment.body.ty(value).ty;
    environment.queries.properties(ty, environment.function.signature).copyability == Copyability::Noncopyable
}

/// Returns whether an instruction marks an object of a class that is initialised as a whole.
fn marks_object(environment: Environment<'_>, id: InstructionId) -> bool {
    let body = environment.body;
    let Some(object) = body.result(id) else { return false };
    let is_root = body.instructions[id].attributes.contains(Attribute::RootSelf);
    let ty = body.ty(object);
    is_root && !ty.is_address() && environment.queries.is_class(ty.ty) && !is_noncopyable(environment, object)
}

/// Returns whether an instruction projects a `let` property of an initialised object, given the ends of initialisation
/// in `body`.
fn is_immutable(environment: Environment<'_>, view: &BodyView<'_>, body: &Body, id: InstructionId) -> bool {
    let Some(address) = body.result(id) else { return false };
    let object = RefElementAddr::of(body, id).object;
    let mut root = object;
    while let Some(made) = body.defining(root) {
        match body.instructions[made].opcode {
            Opcode::BeginBorrow | Opcode::LoadBorrow => root = Unary::of(body, made).operand,
            Opcode::MarkUninitialized => return false,
            _ => break,
        }
    }
    AccessBase::Class(address).is_let(view)
        && !is_noncopyable(environment, RefElementAddr::of(environment.body, id).object)
}

/// The region of an object's initialisation: from its mark to the last initialising instruction on all paths.
struct Region<'b> {
    body: &'b Body,
    begin: InstructionId,
    inserted: EntitySet<InstructionId>,
    /// The blocks that it enters from predecessors.
    entered: EntitySet<BlockId>,
    /// The blocks whose ends it includes.
    left: EntitySet<BlockId>,
}

impl<'b> Region<'b> {
    fn new(view: &'b BodyView<'_>, begin: InstructionId) -> Self {
        let (inserted, entered, left) = Default::default();
        let mut region = Self { body: view.body, begin, inserted, entered, left };
        region.insert(view, begin);
        region
    }

    fn insert(&mut self, view: &BodyView<'_>, id: InstructionId) {
        self.inserted.insert(id);
        let first = self.body.instructions[self.begin].block;
        let mut open = vec![self.body.instructions[id].block];
        while let Some(block) = open.pop() {
            if block == first || !self.entered.insert(block) {
                continue;
            }
            for predecessor in view.cfg.predecessors(block) {
                self.left.insert(*predecessor);
                open.push(*predecessor);
            }
        }
    }

    fn contains(&self, id: InstructionId) -> bool {
        let block = self.body.instructions[id].block;
        let first = self.body.instructions[self.begin].block;
        let instructions: Vec<InstructionId> = self.body.instructions_in(block).collect();
        let at = |wanted: &dyn Fn(InstructionId) -> bool| instructions.iter().rposition(|found| wanted(*found));
        let Some(place) = at(&|found| found == id) else { return false };
        let start = if block == first { at(&|found| found == self.begin) } else { Some(0) };
        let end = match self.left.contains(block) {
            true => Some(instructions.len()),
            false => at(&|found| self.inserted.contains(found)),
        };
        let is_in = self.entered.contains(block) || block == first;
        is_in && start.is_some_and(|start| start <= place) && end.is_some_and(|end| place <= end)
    }

    /// Returns the ends of the region: the last instructions, and the blocks directly after it.
    fn ends(&self) -> (Vec<InstructionId>, Vec<BlockId>) {
        let first = self.body.instructions[self.begin].block;
        let (mut last, mut exits) = (Vec::new(), Vec::new());
        for block in self.body.blocks.keys() {
            if self.left.contains(block) {
                let targets = self.body.terminator(block).map(|end| self.body.targets(end)).unwrap_or_default();
                exits.extend(targets.iter().filter(|target| !self.entered.contains(**target) && **target != first));
            } else if self.entered.contains(block) || block == first {
                last.extend(self.body.instructions_in(block).rev().find(|id| self.inserted.contains(*id)));
            }
        }
        exits.sort_unstable();
        exits.dedup();
        (last, exits)
    }
}

/// Inserts the ends of initialisation of the object of `mark`; later uses of the object use their results.
fn end_initialization(view: &BodyView<'_>, body: &mut Body, mark: InstructionId) -> Option<()> {
    let before = view.body;
    let object = before.result(mark)?;
    let ty = before.ty(object);
    let region = region(view, mark, object);
    let (last, exits) = region.ends();
    let mut available: FxHashMap<BlockId, Value> = FxHashMap::default();
    available.insert(before.instructions[mark].block, object);
    let mut places: Vec<(Place, InstructionId, BlockId)> = Vec::new();
    for id in last {
        let block = before.instructions[id].block;
        match before.terminator(block) == Some(id) {
            // If a branch ends the region, it ends in all its successors.
            true => places.extend(before.targets(id).iter().map(|target| (Place::Start(*target), id, *target))),
            false => places.push((Place::After(id), id, block)),
        }
    }
    places.extend(
        exits.into_iter().filter_map(|block| Some((Place::Start(block), before.first_instruction(block)?, block))),
    );
    let after: Vec<Use> = view.uses.of(object).iter().copied().filter(|found| !region.contains(found.user)).collect();
    let wanted: Vec<Point> = after.iter().map(|found| Point::End(before.instructions[found.user].block)).collect();
    let kind = (ty, Ownership::Owned);
    let blocks = available.keys().copied().chain(places.iter().map(|(_, _, block)| *block)).collect();
    if !ValueFlow::is_possible(body, &view.cfg, &blocks, &wanted, kind) {
        return None;
    }
    for (place, like, block) in places {
        let ended = InstructionBuilder::new(body, place, like).end_init_let_ref(object);
        available.insert(block, ended);
    }
    let arriving = ValueFlow::new(body, &view.cfg, &available, &wanted, kind)?.apply(body);
    for (found, value) in after.into_iter().zip(arriving) {
        body.operands_mut(found.user)[found.operand as usize] = value;
    }
    Some(())
}

fn region<'b>(view: &'b BodyView<'_>, mark: InstructionId, object: Value) -> Region<'b> {
    let body = view.body;
    let mut region = Region::new(view, mark);
    let mut borrows = Vec::new();
    for id in body.placed_instructions() {
        let initialized = match body.instructions[id].opcode {
            Opcode::Assign | Opcode::Store => Some(Store::of(body, id).destination),
            Opcode::CopyAddr => Some(CopyAddr::of(body, id).destination),
            Opcode::BeginAccess if body.instructions[id].attributes.contains(Attribute::Deinit) => {
                Some(Unary::of(body, id).operand)
            }
            Opcode::BeginBorrow if is_derived(body, Unary::of(body, id).operand, object) => {
                borrows.push(id);
                None
            }
            Opcode::StoreBorrow if is_derived(body, Store::of(body, id).source, object) => {
                borrows.push(id);
                None
            }
            _ => None,
        };
        if initialized.is_some_and(|address| is_property_of(view, address, object)) {
            region.insert(view, id);
        }
    }
    for borrow in borrows {
        if region.contains(borrow) {
            scope_ends(view, borrow).into_iter().for_each(|end| region.insert(view, end));
        }
    }
    region
}

/// Returns the ends of a borrow scope, including those of block arguments that continue it.
fn scope_ends(view: &BodyView<'_>, borrow: InstructionId) -> Vec<InstructionId> {
    let body = view.body;
    let mut ends = Vec::new();
    let mut open = Worklist::new(body.result(borrow));
    while let Some(scope) = open.pop() {
        for found in view.uses.of(scope) {
            match body.instructions[found.user].opcode {
                Opcode::EndBorrow => ends.push(found.user),
                Opcode::Br => {
                    ends.push(found.user);
                    let target = body.targets(found.user).first();
                    open.extend(target.and_then(|target| body.blocks[*target].arguments.get(found.operand as usize)));
                }
                Opcode::Borrowed if found.operand == 0 => open.extend(body.result(found.user)),
                _ => {}
            }
        }
    }
    ends
}

fn is_property_of(view: &BodyView<'_>, address: Value, object: Value) -> bool {
    let base = AccessPath::of(view, address).base;
    let reference = base.reference(view);
    matches!(base, AccessBase::Class(_))
        && base.is_let(view)
        && reference.is_some_and(|reference| is_derived(view.body, reference, object))
}

/// Returns whether a reference is `root`, borrowed, copied or cast.
fn is_derived(body: &Body, reference: Value, root: Value) -> bool {
    let mut reference = reference;
    let mut steps = body.instructions.len();
    while reference != root && steps > 0 {
        steps -= 1;
        let Definition::Result { instruction, .. } = body.values[reference].definition else { return false };
        let passes_on = matches!(
            body.instructions[instruction].opcode,
            Opcode::BeginBorrow
                | Opcode::CopyValue
                | Opcode::MoveValue
                | Opcode::Borrowed
                | Opcode::Upcast
                | Opcode::UncheckedRefCast
                | Opcode::EndInitLetRef
        );
        match body.operands(instruction).first().filter(|_| passes_on) {
            Some(operand) => reference = *operand,
            None => return false,
        }
    }
    reference.index() == root.index()
}

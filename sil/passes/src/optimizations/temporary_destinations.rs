//! Initialises stack variables that are moved to their destination once complete directly in the destination, and turns
//! a copy whose source is destroyed directly after it into a move. Follows
//! lib/SILOptimizer/Transforms/TempLValueOpt.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::{AnalyzedModule, ApplySite, Change, is_deinit_barrier};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{Body, InstructionId, Place, Value};

use crate::editing::editor::Editor;
use crate::pass::{
    Analyzed, Description, Environment, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner,
    change_one_by_one, over_analyzed,
};

pub(crate) const TEMPORARY_DESTINATION_ELIMINATION: Pass = Pass::new(&Description {
    name: "temp-lvalue-opt",
    class_name: "TempLValueOpt",
    summary: "Builds temporary values in their final destination.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Module(make_in_place),
});

/// Replaces the temporary variables of all functions with their destinations.
pub(crate) fn make_in_place(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    let body = environment.body;
    let mut moving = Editor::new(environment);
    copies(body).into_iter().for_each(|id| take_what_is_destroyed(&mut moving, id));
    let mut rounds = Rounds::after(environment, moving.finish());
    let further = change_one_by_one(rounds.current(), analyzed, copies, without_temporary);
    if let Some(Rewrite { body, change, .. }) = further {
        rounds.set(body, change);
    }
    rounds.finish()
}

fn copies(body: &Body) -> Vec<InstructionId> {
    let is_copy = |id: &InstructionId| body.instructions[*id].opcode == Opcode::CopyAddr;
    body.placed_instructions().filter(is_copy).collect()
}

/// Turns the copy `id` into a take if its source is destroyed after it, with no memory access in between.
fn take_what_is_destroyed(editor: &mut Editor<'_>, id: InstructionId) {
    if editor.body().instructions[id].attributes.contains(Attribute::Take) {
        return;
    }
    let CopyAddr { source, .. } = CopyAddr::of(editor.body(), id);
    let mut shown = Vec::new();
    for next in editor.body().instructions_from(id).skip(1) {
        let is_of_source = editor.operand(next, 0) == Some(source);
        match editor.opcode(next) {
            Opcode::DestroyAddr if is_of_source => {
                editor.edit_attributes(id, |attributes| attributes.insert(Attribute::Take));
                editor.erase(next);
                shown.into_iter().for_each(|shown| editor.erase(shown));
                return;
            }
            Opcode::DebugValue if is_of_source => shown.push(next),
            _ if editor.memory_behavior(next) != MemoryBehavior::None => return,
            _ => {}
        }
    }
}

/// Returns the body without the variable that the copy `id` moves, or `None` if it is needed.
fn without_temporary(analyzed: &Analyzed<'_, '_>, id: InstructionId) -> Option<Body> {
    let body = analyzed.view.body;
    let CopyAddr { source, destination } = CopyAddr::of(body, id);
    let allocation = body.defining(source).filter(|found| body.instructions[*found].opcode == Opcode::AllocStack)?;
    if !body.instructions[id].attributes.contains(Attribute::Take) {
        return None;
    }
    let block = body.instructions[allocation].block;
    let users: FxHashSet<InstructionId> = analyzed.view.uses.of(source).iter().map(|found| found.user).collect();
    if users.iter().any(|user| body.instructions[*user].block != block) {
        return None;
    }
    let projections = Projections::of(analyzed, destination);
    if projections.steps.iter().any(|step| users.contains(step)) {
        return None;
    }
    let temporary = Temporary { analyzed, id, allocation, users, projections };
    let first = temporary.first_use()?;
    Some(temporary.replaced(first))
}

/// The projections of the destination, which may be hoisted.
struct Projections {
    /// Last to first.
    steps: Vec<InstructionId>,
    root: Option<InstructionId>,
}

impl Projections {
    fn of(analyzed: &Analyzed<'_, '_>, address: Value) -> Self {
        let body = analyzed.view.body;
        let mut steps = Vec::new();
        let mut root = body.defining(address);
        while let Some(step) = root.filter(|id| is_movable(body.instructions[*id].opcode)) {
            steps.push(step);
            root = body.operands(step).first().and_then(|operand| body.defining(*operand));
        }
        Self { steps, root }
    }
}

/// Returns whether an instruction projects an address from a single operand.
fn is_movable(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        InitExistentialAddr
            | StructElementAddr
            | TupleElementAddr
            | RefElementAddr
            | RefTailAddr
            | InitEnumDataAddr
            | UncheckedTakeEnumDataAddr
            | ProjectBox
    )
}

/// A variable, and the move to its destination.
struct Temporary<'a, 'v, 'm> {
    analyzed: &'a Analyzed<'v, 'm>,
    /// The move.
    id: InstructionId,
    allocation: InstructionId,
    users: FxHashSet<InstructionId>,
    projections: Projections,
}

impl Temporary<'_, '_, '_> {
    fn copied(&self) -> CopyAddr {
        CopyAddr::of(self.analyzed.view.body, self.id)
    }

    fn initializes(&self) -> bool {
        self.analyzed.view.body.instructions[self.id].attributes.contains(Attribute::Init)
    }

    /// The first use of the variable. `None` if the destination cannot replace the variable from there on.
    fn first_use(&self) -> Option<InstructionId> {
        let body = self.analyzed.view.body;
        let mut first = None;
        let mut is_moved = false;
        for next in body.instructions_from(self.allocation).skip(1) {
            let is_use = self.users.contains(&next);
            if is_use && body.instructions[next].opcode == Opcode::DeallocStack {
                break;
            }
            if is_use && is_moved {
                return None;
            }
            first = first.or(is_use.then_some(next));
            is_moved |= next == self.id;
            if first.is_some() && !is_moved && self.hinders(next) {
                return None;
            }
        }
        first.filter(|_| is_moved)
    }

    /// Returns whether the value must not be in the destination yet at an instruction.
    fn hinders(&self, id: InstructionId) -> bool {
        let Analyzed { view, aliases, .. } = self.analyzed;
        let destination = self.copied().destination;
        let accesses = aliases.memory_effect(id, destination) != MemoryBehavior::None;
        self.projections.root == Some(id)
            || accesses && !self.projections.steps.contains(&id)
            || self.passes_both(id)
            || !self.initializes() && is_deinit_barrier(view, id)
    }

    /// Returns whether a call takes both the variable and the destination and may modify one of them, so that they must
    /// not alias.
    fn passes_both(&self, id: InstructionId) -> bool {
        let Analyzed { view, aliases, .. } = self.analyzed;
        let Some(site) = ApplySite::new(view.body, id).filter(|site| site.kind.is_full()) else { return false };
        let Some(conventions) = site.conventions(view.queries) else { return true };
        let CopyAddr { source, destination } = self.copied();
        let [mut passes_source, mut passes_destination, mut changes] = [false; 3];
        for (operand, value) in view.body.operands(id).iter().enumerate().skip(1) {
            let Some(argument) = site.argument_of_operand(conventions, operand) else { continue };
            if !argument.convention.is_exclusive_indirect() {
                continue;
            }
            let is_source = aliases.may_alias(source, *value);
            let is_destination = !is_source && aliases.may_alias(destination, *value);
            passes_source |= is_source;
            passes_destination |= is_destination;
            changes |= (is_source || is_destination) && !argument.convention.is_guaranteed();
        }
        changes && passes_source && passes_destination
    }

    /// Returns the body with the variable replaced with the destination from its first use on.
    fn replaced(&self, first: InstructionId) -> Body {
        let CopyAddr { source, destination } = self.copied();
        let mut editor = Editor::new(self.analyzed.environment);
        let order = self.analyzed.view.body.instructions_from(first);
        let late: Vec<InstructionId> =
            order.take_while(|id| *id != self.id).filter(|id| self.projections.steps.contains(id)).collect();
        editor.edit_whole(Change::Instructions, |body| {
            late.iter().for_each(|id| body.move_to(*id, Place::Before(first)));
        });
        if !self.initializes() {
            editor.build(Place::Before(first), self.id, |builder| {
                builder.destroy_addr(destination);
            });
        }
        for found in editor.uses(source) {
            match editor.opcode(found.user) {
                Opcode::DeallocStack => editor.erase(found.user),
                _ => editor.set_operand(found, destination),
            }
        }
        editor.erase(self.id);
        editor.erase(self.allocation);
        editor.into_body()
    }
}

//! Semantic ARC: removes redundant copies, borrows, moves and ownership conversions. Follows
//! lib/SILOptimizer/SemanticARC.
//!
//! This file owns the worklist of values, and the small transformations. `copies` eliminates copies, `joining` joins
//! lifetimes of copies with those of their originals, `live_range` computes ownership live ranges, `phis` converts
//! owned phis and aggregates of copies to guaranteed ones.

mod copies;
mod joining;
mod live_range;
mod phis;

use rustc_hash::FxHashSet;
use sil_analysis::{DeadEndBlocks, LifetimeFacts, LiveUse, OperandOwnership, PrunedLiveness, Use, ValueDependence};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Definition, InstructionId, Ownership, Value};

use crate::editing::deleter::{Deadness, is_dead};
use crate::editing::editor::Editor;
use crate::optimizations::copy_propagation::is_redundant;
use crate::pass::settings::ArcTransformation;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const SEMANTIC_ARC: Pass = Pass::new(&Description {
    name: "semantic-arc-opts",
    class_name: "SemanticARCOpts",
    summary: "Removes redundant copies, borrows and moves of owned values.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(optimize), Runner::Function(super::borrowed_phis::update)]),
});

/// Optimises a function with ownership: the transformations of the settings one by one, or all of them together.
pub(crate) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    if !editor.has_ownership() {
        return Ok(None);
    }
    match environment.settings.arc_transformations.as_slice() {
        [] => {
            Peepholes::new(&mut editor, ArcTransformation::ALL).run();
            phis::borrow(&mut editor);
        }
        chosen => {
            for transformation in chosen {
                Peepholes::new(&mut editor, std::slice::from_ref(transformation)).run();
            }
        }
    }
    Ok(editor.finish())
}

/// Analyses of the current body.
struct Snapshot<'v, 'm> {
    facts: LifetimeFacts<'v, 'm>,
    dead_ends: &'v DeadEndBlocks,
}

fn with_snapshot<R>(editor: &Editor<'_>, ask: impl FnOnce(&Snapshot<'_, '_>) -> R) -> R {
    let view = editor.view();
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    ask(&Snapshot { facts, dead_ends: view.dead_ends() })
}

impl Snapshot<'_, '_> {
    fn does(&self, found: Use) -> OperandOwnership {
        self.facts.dependence.ownership_kinds().operand(found)
    }

    /// The uses of a value, newest first.
    fn uses(&self, value: Value) -> Vec<Use> {
        let uses = self.facts.view.uses.of(value).iter().rev().copied();
        uses.filter(|found| self.does(*found) != OperandOwnership::Mention).collect()
    }

    fn consuming_uses(&self, value: Value) -> Vec<Use> {
        self.uses(value).into_iter().filter(|found| self.does(*found).ends_lifetime()).collect()
    }

    /// The only use that ends the lifetime of a value.
    fn single_consuming_use(&self, value: Value) -> Option<Use> {
        match self.consuming_uses(value).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn opcode(&self, id: InstructionId) -> Opcode {
        self.facts.view.opcode(id)
    }

    /// Returns whether `uses` are within the lifetime of `value` that ends with exactly these consumes. With
    /// `dead_ends`, no end is required in dead ends.
    fn are_within(&self, value: Value, consumes: &[Use], uses: &[Use], dead_ends: Option<&DeadEndBlocks>) -> bool {
        let view = self.facts.view;
        let is_dead_end = |block| dead_ends.is_some_and(|dead_ends| dead_ends.contains(block));
        if consumes.is_empty() {
            return match view.body.values[value].definition {
                Definition::Result { instruction, .. } => is_dead_end(view.body.instructions[instruction].block),
                Definition::Argument { block, .. } => is_dead_end(block),
                Definition::Undef => false,
            };
        }
        let mut liveness = PrunedLiveness::of(view.body, &view.cfg, value);
        consumes.iter().for_each(|found| liveness.add(found.user, LiveUse::Ending));
        let boundary = liveness.boundary();
        let is_complete = consumes.iter().all(|found| boundary.last_users.contains(&found.user))
            && boundary.boundary_edges.iter().all(|block| is_dead_end(*block));
        let is_within = |found: &Use| match dead_ends {
            Some(dead_ends) => liveness.is_within_extended(found.user, dead_ends),
            None => liveness.is_within(found.user),
        };
        is_complete && uses.iter().all(is_within)
    }
}

/// The change of a transformation: the erased instructions and a replaced result.
struct Elimination {
    erased: Vec<InstructionId>,
    /// An instruction with the replacement of its result, or `None` if it has no uses.
    replaced: (InstructionId, Option<Value>),
    /// Block arguments that become guaranteed.
    borrowed_arguments: Vec<Value>,
    /// Forwarding instructions that become guaranteed.
    borrowing: Vec<InstructionId>,
}

impl Elimination {
    fn new(erased: Vec<InstructionId>, replaced: InstructionId, by: Option<Value>) -> Self {
        Self { erased, replaced: (replaced, by), borrowed_arguments: Vec::new(), borrowing: Vec::new() }
    }
}

struct Peepholes<'e, 'm> {
    editor: &'e mut Editor<'m>,
    chosen: &'e [ArcTransformation],
    /// The worklist. The last element is next.
    open: Vec<Value>,
    /// The values visited since the last change.
    seen: Vec<Value>,
}

impl<'e, 'm> Peepholes<'e, 'm> {
    fn new(editor: &'e mut Editor<'m>, chosen: &'e [ArcTransformation]) -> Self {
        Self { editor, chosen, open: Vec::new(), seen: Vec::new() }
    }

    fn is_chosen(&self, transformation: ArcTransformation) -> bool {
        self.chosen.contains(&transformation)
    }

    fn run(&mut self) {
        let body = self.editor.body();
        let is_visited = |id: &InstructionId| {
            use Opcode::*;
            let opcode = body.instructions[*id].opcode;
            matches!(opcode, CopyValue | BeginBorrow | Load | MoveValue | UncheckedOwnershipConversion)
        };
        self.open = body.placed_instructions().filter(is_visited).flat_map(|id| body.results(id)).collect();
        while let Some(value) = self.open.pop() {
            let maker = self.editor.body().defining(value).filter(|id| self.editor.is_placed(*id));
            if self.seen.contains(&value) {
                continue;
            }
            self.seen.push(value);
            let Some(maker) = maker else { continue };
            if is_dead(self.editor, maker, Deadness::Unused) {
                self.push_operands(maker);
                self.editor.erase_with_debug_uses(maker);
                self.reopen();
            } else {
                self.visit(maker);
            }
        }
    }

    fn push(&mut self, value: Value) {
        if !self.open.contains(&value) {
            self.open.push(value);
        }
    }

    fn push_operands(&mut self, id: InstructionId) {
        self.editor.body().operands(id).to_vec().into_iter().for_each(|value| self.push(value));
    }

    /// Adds all visited values to the worklist again.
    fn reopen(&mut self) {
        while let Some(value) = self.seen.pop() {
            self.push(value);
        }
    }

    fn visit(&mut self, id: InstructionId) {
        let elimination = match self.editor.opcode(id) {
            Opcode::CopyValue => self.with_snapshot(|chosen, snapshot| copies::eliminate(chosen, snapshot, id)),
            Opcode::BeginBorrow if self.is_chosen(ArcTransformation::RedundantBorrowScopes) => {
                self.with_snapshot(|_, snapshot| redundant_borrow(snapshot, id))
            }
            Opcode::MoveValue if self.is_chosen(ArcTransformation::RedundantMoves) => {
                self.with_snapshot(|_, snapshot| redundant_move(snapshot, id))
            }
            Opcode::UncheckedOwnershipConversion if self.is_chosen(ArcTransformation::OwnershipConversions) => {
                self.with_snapshot(|_, snapshot| redundant_conversion(snapshot, id))
            }
            Opcode::BeginBorrow | Opcode::MoveValue | Opcode::UncheckedOwnershipConversion => None,
            _ => {
                // A forwarding instruction may make its results worth visiting.
                let results: Vec<Value> = self.editor.body().results(id).collect();
                results.into_iter().filter(|value| !self.seen.contains(value)).for_each(|value| self.open.push(value));
                None
            }
        };
        if let Some(elimination) = elimination {
            self.carry_out(elimination);
        }
    }

    fn with_snapshot<R>(&self, ask: impl FnOnce(&[ArcTransformation], &Snapshot<'_, '_>) -> Option<R>) -> Option<R> {
        with_snapshot(self.editor, |snapshot| ask(self.chosen, snapshot))
    }

    fn carry_out(&mut self, elimination: Elimination) {
        let Elimination { erased, replaced: (id, by), borrowed_arguments, borrowing } = elimination;
        erased.into_iter().for_each(|id| self.editor.erase(id));
        if let (Some(result), Some(by)) = (self.editor.body().result(id), by) {
            self.push(by);
            for found in self.editor.uses(result) {
                let results: Vec<Value> = self.editor.body().results(found.user).collect();
                results.into_iter().for_each(|value| self.push(value));
            }
            self.editor.replace_all(result, by);
        }
        self.push_operands(id);
        self.editor.erase_with_debug_uses(id);
        let borrowed: FxHashSet<Value> = borrowed_arguments.into_iter().collect();
        borrowed.into_iter().for_each(|argument| self.editor.set_argument_ownership(argument, Ownership::Guaranteed));
        borrowing.into_iter().for_each(|id| self.editor.forward_borrowed(id));
        self.editor.forget_ownership();
        self.reopen();
    }
}

fn redundant_move(snapshot: &Snapshot<'_, '_>, id: InstructionId) -> Option<Elimination> {
    let original = snapshot.facts.view.operand(id, 0);
    is_redundant(snapshot.facts, id).then(|| Elimination::new(Vec::new(), id, original))
}

/// Removes a conversion to unowned if the operand is alive at all uses of the result.
fn redundant_conversion(snapshot: &Snapshot<'_, '_>, id: InstructionId) -> Option<Elimination> {
    let view = snapshot.facts.view;
    let (operand, result) = (view.operand(id, 0)?, view.body.result(id)?);
    let kind = view.ownership(operand);
    if view.ownership(result) != Ownership::Unowned || !matches!(kind, Ownership::Owned | Ownership::Guaranteed) {
        return None;
    }
    let uses = snapshot.uses(result);
    let fits = |found: &Use| {
        let does = snapshot.does(*found);
        !does.ends_lifetime() && does != OperandOwnership::ForwardUnowned && does.accepts(kind)
    };
    let consumes = snapshot.consuming_uses(operand);
    let is_redundant =
        uses.iter().all(fits) && snapshot.are_within(operand, &consumes, &uses, Some(snapshot.dead_ends));
    is_redundant.then(|| Elimination::new(Vec::new(), id, Some(operand)))
}

/// Removes a borrow if all uses can use the borrowed value.
fn redundant_borrow(snapshot: &Snapshot<'_, '_>, id: InstructionId) -> Option<Elimination> {
    let view = snapshot.facts.view;
    let (operand, result) = (view.operand(id, 0)?, view.body.result(id)?);
    let is_lexical = |id: InstructionId| view.body.instructions[id].attributes.contains(Attribute::Lexical);
    if is_lexical(id) {
        let introducers = snapshot.facts.dependence.borrow_introducers(operand);
        let [introducer] = introducers.as_slice() else { return None };
        let is_nested = match view.definition(*introducer) {
            Some((outer, Opcode::BeginBorrow)) => is_lexical(outer),
            Some(_) => false,
            None => view.argument_convention(*introducer).is_some(),
        };
        if !is_nested {
            return None;
        }
    }
    let kind = view.ownership(operand);
    let mut ends = Vec::new();
    for found in snapshot.uses(result) {
        let does = snapshot.does(found);
        match does {
            OperandOwnership::EndBorrow if snapshot.opcode(found.user) == Opcode::EndBorrow => ends.push(found.user),
            _ if does.ends_lifetime() || !does.accepts(kind) => return None,
            _ => {}
        }
    }
    Some(Elimination::new(ends, id, Some(operand)))
}

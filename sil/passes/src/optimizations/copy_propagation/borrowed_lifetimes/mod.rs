//! Canonicalises borrow scopes: uses of copies within the scope use the borrowed value, and only consuming uses get a
//! copy. Uses outside of the scope use a copy that is created before it. Follows
//! lib/SILOptimizer/Utils/CanonicalizeBorrowScope.cpp.
//!
//! This file owns the choice of borrowed values and the facts about their uses. `walk` finds the uses, `inner` rewrites
//! those within the scope, `outer` the others.

mod inner;
mod outer;
mod walk;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{LifetimeFacts, LiveUse, PrunedLiveness, Use, ValueDependence, ownership_scopes};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Definition, InstructionId, Ownership, Value};
use sil_ir::types::Copyability;

use self::walk::{Step, Walk};
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// Rewrites the uses of a borrowed value, a function argument or the result of a `begin_borrow`, and of its copies.
/// Returns the new copies outside of the scope, or `None` if the uses cannot be rewritten.
pub(crate) fn canonicalize_borrow(editor: &mut Editor<'_>, borrow: Value) -> Option<Vec<InstructionId>> {
    let plan = Plan::new(editor, borrow)?;
    let copies = match (plan.scope, plan.outer.is_empty()) {
        (Scope::Borrow(begin), false) => outer::rewrite(editor, &plan, begin),
        _ => {
            inner::rewrite(editor, &plan.steps);
            Vec::new()
        }
    };
    editor.forget_ownership();
    Some(copies)
}

/// The borrowed value whose forwarded uses include the guaranteed value `value`. The uses of both are rewritten
/// together.
pub(crate) fn canonical_borrow(editor: &Editor<'_>, value: Value) -> Option<Value> {
    let mut value = value;
    loop {
        if editor.ownership(value) != Ownership::Guaranteed {
            return None;
        }
        if Scope::of(editor, value).is_some() {
            return Some(value);
        }
        let id = editor.body().defining(value).filter(|id| is_rewritable_forward(editor, *id))?;
        value = editor.operand(id, 0)?;
    }
}

/// Returns whether an instruction forwards the ownership of its single operand, owned or guaranteed, and can be
/// duplicated.
pub(super) fn is_rewritable_forward(editor: &Editor<'_>, id: InstructionId) -> bool {
    forwards_either(editor.opcode(id))
        && matches!(*editor.body().operands(id), [value] if has_ownership(editor.ownership(value)))
}

fn forwards_either(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Struct
            | Tuple
            | Enum
            | UncheckedEnumData
            | DestructureStruct
            | DestructureTuple
            | ConvertFunction
            | Upcast
            | UncheckedRefCast
            | UncheckedValueCast
            | BridgeObjectToRef
            | UnconditionalCheckedCast
            | InitExistentialRef
    )
}

fn has_ownership(ownership: Ownership) -> bool {
    matches!(ownership, Ownership::Owned | Ownership::Guaranteed)
}

/// The scope of a borrowed value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The whole function, for a function argument.
    Function,
    /// The scope of this `begin_borrow`.
    Borrow(InstructionId),
}

impl Scope {
    /// Returns `None` for other borrowed values.
    fn of(editor: &Editor<'_>, value: Value) -> Option<Self> {
        let body = editor.body();
        match body.values[value].definition {
            Definition::Argument { block, .. } => {
                let is_borrowed = block == body.entry() && editor.ownership(value) == Ownership::Guaranteed;
                is_borrowed.then_some(Scope::Function)
            }
            Definition::Result { instruction, .. } => {
                (editor.opcode(instruction) == Opcode::BeginBorrow).then_some(Scope::Borrow(instruction))
            }
            Definition::Undef => None,
        }
    }
}

/// The uses to rewrite.
struct Plan {
    borrow: Value,
    scope: Scope,
    steps: Vec<Step>,
    /// The users of copies outside of the scope.
    outer: FxHashSet<InstructionId>,
    /// The ends of the scope that a use begins.
    ends: FxHashMap<Use, Vec<InstructionId>>,
}

impl Plan {
    fn new(editor: &Editor<'_>, borrow: Value) -> Option<Self> {
        let Environment { queries, function, .. } = editor.environment;
        let scope = Scope::of(editor, borrow)?;
        if queries.properties(editor.body().ty(borrow).ty, function.signature).copyability == Copyability::Noncopyable {
            return None;
        }
        let view = editor.view();
        let dependence = ValueDependence::new(&view);
        let facts = LifetimeFacts { view: &view, dependence: &dependence };
        let steps = Walk::new(facts, borrow, scope).steps(borrow)?;
        let mut plan = Self { borrow, scope, steps, outer: FxHashSet::default(), ends: FxHashMap::default() };
        if let Scope::Borrow(_) = scope {
            plan.find_outer(facts)?;
        }
        Some(plan)
    }

    /// Finds the users of copies outside of the scope. Returns `None` if the ends of a copy's inner scope are not
    /// known.
    fn find_outer(&mut self, facts: LifetimeFacts<'_, '_>) -> Option<()> {
        let kinds = facts.dependence.ownership_kinds();
        let mut liveness = PrunedLiveness::of(facts.view.body, &facts.view.cfg, self.borrow);
        let uses = facts.view.uses.of(self.borrow).iter();
        uses.filter(|found| kinds.operand(**found).ends_lifetime())
            .for_each(|end| liveness.add(end.user, LiveUse::Ending));
        let mut open: Vec<&Step> = self.steps.iter().collect();
        while let Some(step) = open.pop() {
            if let Step::Forward(_, results) = step {
                open.extend(results.iter().flat_map(|(_, steps)| steps));
            }
            let found = step.found();
            if kinds.kind(found.at.value(facts.view.body)) == Ownership::Guaranteed {
                continue;
            }
            let ends = scope_ends(facts, found.at)?;
            let users = ends.iter().chain([&found.at.user]);
            self.outer.extend(users.filter(|user| !liveness.is_within(**user)));
            self.ends.insert(found.at, ends);
        }
        Some(())
    }
}

/// The ends of the scope that a use begins, empty if it begins none. `None` if they are not known or the scope is
/// reborrowed by a phi.
fn scope_ends(facts: LifetimeFacts<'_, '_>, found: Use) -> Option<Vec<InstructionId>> {
    use sil_analysis::OperandOwnership::{Borrow, Reborrow};
    let kinds = facts.dependence.ownership_kinds();
    if kinds.operand(found) != Borrow {
        return Some(Vec::new());
    }
    let mut ends = Vec::new();
    ownership_scopes::scope_ends(facts.uses(), found, &mut ends);
    let is_known = !ends.is_empty() && ends.iter().all(|end| *end != found && kinds.operand(*end) != Reborrow);
    is_known.then(|| ends.into_iter().map(|end| end.user).collect())
}

/// Looks through copies and moves.
fn original(editor: &Editor<'_>, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = copy_or_move(editor, value)
        && let Some(of) = editor.operand(id, 0)
    {
        value = of;
    }
    value
}

fn copy_or_move(editor: &Editor<'_>, value: Value) -> Option<InstructionId> {
    editor.made_by(value, Opcode::CopyValue).or_else(|| editor.made_by(value, Opcode::MoveValue))
}

/// Removes a copy or move that has only debug uses, and then its operand's definition if that is dead.
fn remove_unused_copies(editor: &mut Editor<'_>, value: Value) {
    let mut value = value;
    while let Some(id) = copy_or_move(editor, value)
        && editor.is_placed(id)
        && editor.uses_but_debug(value).is_empty()
        && let Some(of) = editor.operand(id, 0)
    {
        editor.erase_with_debug_uses(id);
        value = of;
    }
}

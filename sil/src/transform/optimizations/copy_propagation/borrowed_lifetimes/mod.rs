//! Borrowed lifetimes: what a borrowed value is copied for within its scope uses the value itself, and is copied only where it is taken over. What outlives
//! the scope uses a copy that is made before it (lib/SILOptimizer/Utils/CanonicalizeBorrowScope.cpp).
//!
//! Here: which values, and what is known of their uses. `walk` finds those, `inner` rewrites the ones in the scope, `outer` the others.

mod inner;
mod outer;
mod walk;

use rustc_hash::{FxHashMap, FxHashSet};

use self::walk::{Step, Walk};
use crate::analysis::{LifetimeFacts, LiveUse, PrunedLiveness, Use, ValueDependence, ownership_scopes};
use crate::instructions::Opcode;
use crate::model::{Definition, InstructionId, Ownership, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::pass::Environment;
use crate::types::Copyability;

/// Rewrites the uses of a borrowed value, an argument of the function or the result of a `begin_borrow`, and of its copies. Gives the copies outside of the
/// scope that were made; none where the uses cannot be rewritten.
pub(in crate::transform) fn canonicalize_borrow(editor: &mut Editor<'_>, borrow: Value) -> Option<Vec<InstructionId>> {
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

/// The borrowed value whose uses are rewritten together with those of `value`, which is borrowed: it was only passed on to that.
pub(in crate::transform) fn canonical_borrow(editor: &Editor<'_>, value: Value) -> Option<Value> {
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

/// Whether an instruction passes on the ownership of its one operand, whatever that is, and there may be two of it at other places.
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

/// Where a value is borrowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// In the whole function, whose argument it is.
    Function,
    /// From this `begin_borrow` on.
    Borrow(InstructionId),
}

impl Scope {
    /// None where it is borrowed otherwise.
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

/// What is to be rewritten.
struct Plan {
    borrow: Value,
    scope: Scope,
    steps: Vec<Step>,
    /// What uses copies behind the scope.
    outer: FxHashSet<InstructionId>,
    /// By use, what ends the scope that it begins.
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

    /// Finds what uses copies behind the scope. None where the end of a scope that begins with a copy is not known.
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

/// What ends the scope that a use begins; nothing where it begins none. None where that is not known, or the scope goes on behind a block argument.
fn scope_ends(facts: LifetimeFacts<'_, '_>, found: Use) -> Option<Vec<InstructionId>> {
    use crate::analysis::OperandOwnership::{Borrow, Reborrow};
    let kinds = facts.dependence.ownership_kinds();
    if kinds.operand(found) != Borrow {
        return Some(Vec::new());
    }
    let mut ends = Vec::new();
    ownership_scopes::scope_ends(facts.uses(), found, &mut ends);
    let is_known = !ends.is_empty() && ends.iter().all(|end| *end != found && kinds.operand(*end) != Reborrow);
    is_known.then(|| ends.into_iter().map(|end| end.user).collect())
}

/// The value that a value is a copy of a copy of, or was moved from.
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

/// Removes a copy or move that nothing but debuggers need, and then what that was made of.
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

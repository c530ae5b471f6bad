//! Inserts the ends of extended scopes: after their last uses, and on the edges that leave them.

use rustc_hash::FxHashSet;
use sil_analysis::Worklist;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, InstructionId, Place, Value};

use super::super::facts::Facts;
use super::super::initializers::Initializer;
use super::super::scope::{Scope, range_to};
use super::extension::{ExtendableScope, Extension};
use crate::editing::editor::Editor;

/// Extends the scopes of an extension. Returns whether the deallocation of stack memory moves.
pub(super) fn extend(editor: &mut Editor<'_>, extension: &Extension) -> bool {
    let mut inserted = extension.uses.clone();
    let mut dead = Vec::new();
    for scope in &extension.extended {
        let plan = {
            let view = editor.view();
            let facts = Facts::new(&view);
            Plan::of(&facts, scope, extension.begin, &mut inserted)
        };
        for (place, like) in &plan.places {
            inserted.extend(end_scope(editor, &plan, *place, *like));
        }
        dead.extend(plan.dead);
    }
    let mut seen = FxHashSet::default();
    let mut frees_elsewhere = false;
    for id in dead.into_iter().filter(|id| seen.insert(*id)) {
        frees_elsewhere |= editor.opcode(id) == Opcode::DeallocStack;
        editor.erase(id);
    }
    frees_elsewhere
}

/// The changes of one scope.
struct Plan {
    /// The end instructions in order, with their operands.
    ends: Vec<(Opcode, Value)>,
    /// The places of the ends, with the instructions that they belong to.
    places: Vec<(Place, InstructionId)>,
    /// The ends that are removed.
    dead: Vec<InstructionId>,
}

impl Plan {
    fn of(
        facts: &Facts<'_, '_>,
        scope: &ExtendableScope,
        begin: InstructionId,
        inserted: &mut Vec<InstructionId>,
    ) -> Plan {
        let original = scope.ends(facts);
        inserted.extend(&original);
        let range = range_to(facts, begin, inserted);
        let deallocations = scope.deallocations(facts);
        // Deallocations are recreated, so that the deallocations in between need not be known.
        let mut unused: FxHashSet<InstructionId> = original.iter().copied().collect();
        deallocations.iter().for_each(|id| _ = unused.remove(id));
        let mut places = Vec::new();
        for end in range.ends() {
            let opcode = facts.view.opcode(end);
            if opcode == Opcode::Br || opcode.returns() {
                places.push((Place::Before(end), end));
            } else if !unused.remove(&end) {
                match facts.view.body.targets(end) {
                    [] => places.push((Place::After(end), end)),
                    targets => places.extend(targets.iter().map(|target| (Place::Start(*target), end))),
                }
            }
        }
        places.extend(range.exits().into_iter().map(|exit| (Place::Before(exit), exit)));
        let mut dead = deallocations;
        dead.extend(original.into_iter().filter(|id| unused.contains(id)));
        Plan { ends: ends_of(facts, scope), places, dead }
    }
}

/// Returns the end instructions of a scope.
fn ends_of(facts: &Facts<'_, '_>, scope: &ExtendableScope) -> Vec<(Opcode, Value)> {
    let result = || facts.view.body.result(scope.first);
    let one = |opcode, value: Option<Value>| value.map(|value| (opcode, value)).into_iter().collect();
    match scope.scope {
        Scope::Access(_) => one(Opcode::EndAccess, result()),
        Scope::Borrowed(borrow) => one(Opcode::EndBorrow, Some(borrow)),
        Scope::Yield(_) => one(Opcode::EndApply, facts.token(scope.first)),
        Scope::Initialized(Initializer::Store { store, .. }) => {
            let is_borrow = facts.view.opcode(store) == Opcode::StoreBorrow;
            let borrow = facts.view.body.result(store).filter(|_| is_borrow).map(|value| (Opcode::EndBorrow, value));
            let allocation = scope.scope.allocation(facts).map(|value| (Opcode::DeallocStack, value));
            borrow.into_iter().chain(allocation).collect()
        }
        Scope::Owned(owner) => one(Opcode::DestroyValue, Some(owner)),
        Scope::Local(variable) => {
            let is_borrow = facts.view.opcode(scope.first) == Opcode::BeginBorrow;
            one(if is_borrow { Opcode::EndBorrow } else { Opcode::DestroyValue }, Some(variable))
        }
        Scope::Caller(_) | Scope::Global(_) | Scope::Unknown(_) | Scope::Initialized(_) => Vec::new(),
    }
}

/// Ends a scope at `place` and returns the new instructions.
fn end_scope(editor: &mut Editor<'_>, plan: &Plan, place: Place, like: InstructionId) -> Vec<InstructionId> {
    let block = editor.body().block_of_place(place);
    let ends: Vec<(Opcode, Value)> = plan
        .ends
        .iter()
        .map(|(opcode, value)| match opcode {
            Opcode::EndApply => (coroutine_end(editor, *value, block), *value),
            _ => (*opcode, *value),
        })
        .collect();
    let void = sil_ir::context::SilType::object(editor.environment.queries.void());
    let made = editor.build(place, like, |builder| {
        let made = ends.iter().map(|(opcode, value)| match opcode {
            Opcode::EndApply => builder.void_end_apply(*value, void),
            _ => builder.effect(*opcode, *value),
        });
        made.collect::<Vec<_>>()
    });
    made.iter().for_each(|id| editor.locate_instruction_automatically(*id));
    editor.forget_ownership();
    made
}

fn coroutine_end(editor: &Editor<'_>, token: Value, block: BlockId) -> Opcode {
    let view = editor.view();
    let facts = Facts::new(&view);
    let begin = view.body.defining(token);
    begin.and_then(|begin| end_reaching(&facts, begin, block)).unwrap_or(Opcode::EndApply)
}

/// Returns whether a coroutine call can end in a block in the same way as before it.
pub(super) fn can_end_coroutine(facts: &Facts<'_, '_>, begin: InstructionId, block: BlockId) -> bool {
    end_reaching(facts, begin, block).is_some()
}

/// Returns the end of a coroutine call that is common to all paths to a block; `None` if it does not end on a path, or
/// in different ways.
fn end_reaching(facts: &Facts<'_, '_>, begin: InstructionId, block: BlockId) -> Option<Opcode> {
    let body = facts.view.body;
    let ends: Vec<(BlockId, Opcode)> =
        facts.scope_ends(begin).into_iter().map(|end| (body.instructions[end].block, facts.view.opcode(end))).collect();
    let gives_result = |end: InstructionId| {
        let result = body.result(end).filter(|_| facts.view.opcode(end) == Opcode::EndApply);
        result.is_some_and(|value| body.ty(value).ty != facts.view.queries.void())
    };
    if facts.scope_ends(begin).into_iter().any(gives_result) {
        return None;
    }
    let mut reaching = None;
    let mut open = Worklist::new([block]);
    while let Some(block) = open.pop() {
        match ends.iter().find(|(ending, _)| *ending == block) {
            Some((_, opcode)) if reaching.is_some_and(|before| before != *opcode) => return None,
            Some((_, opcode)) => reaching = Some(*opcode),
            None if block == body.instructions[begin].block => return None,
            None => open.extend(facts.view.cfg.predecessors(block)),
        }
    }
    reaching
}

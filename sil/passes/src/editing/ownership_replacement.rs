//! Replaces an instruction's result with an equal value, in functions with ownership too. If the value is not alive at
//! the uses, a copy or a borrow is inserted (include/swift/SILOptimizer/Utils/OwnershipOptUtils.h).
//!
//! Does not own: the equality of values. The replacing value must dominate the replaced one.

use sil_analysis::{
    AccessBase, AddressEscape, BlockLiveness, DeadEndBlocks, InnerBorrows, LifetimeFacts, LiveUse, LocatedAccess,
    OperandOwnership, OwnershipKinds, PrunedLiveness, Use, ValueDependence,
};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Ownership, Place, Stage, Value};
use sil_ir::types::Copyability;

use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// Whether a guaranteed result may be borrowed from a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BorrowedCopies {
    /// If the value is not kept alive otherwise.
    Allowed,
    /// Never, since nothing would remove these copies again.
    Avoided,
}

/// Replaces the single result of `id` with `by`, and erases `id`. Consumed operands are destroyed. Returns whether that
/// is possible.
pub(crate) fn replace(editor: &mut Editor<'_>, id: InstructionId, by: Value, copies: BorrowedCopies) -> bool {
    replace_by_made(editor, id, by, copies, |_, value| value)
}

/// Replaces the single result of `id` with a value that `make` creates from `source`, with the ownership of the result,
/// and erases `id`. Returns whether that is possible.
pub(crate) fn replace_by_made(
    editor: &mut Editor<'_>,
    id: InstructionId,
    source: Value,
    copies: BorrowedCopies,
    make: impl FnOnce(&mut InstructionBuilder<'_>, Value) -> Value,
) -> bool {
    let Some(result) = editor.body().result(id) else { return false };
    let Some(plan) = Replacement::plan(editor, id, (result, source), copies) else { return false };
    plan.perform(editor, id, source, make);
    true
}

/// Creates a copy of a value at its definition for `id` to consume, and destroys it on paths that do not reach `id`
/// (`makeValueAvailable` in lib/SILOptimizer/Utils/InstOptUtils.cpp). Returns `None` for `undef`.
pub(crate) fn copy_taken_by(editor: &mut Editor<'_>, id: InstructionId, value: Value) -> Option<Value> {
    let copy = {
        let view = editor.view();
        let dependence = ValueDependence::new(&view);
        let facts = LifetimeFacts { view: &view, dependence: &dependence };
        Lifetimes { facts, dead_ends: view.dead_ends() }.owned_copy(id, value)?
    };
    let copied = copy_to(editor, id, value, copy);
    editor.forget_ownership();
    Some(copied)
}

/// The way in which a value replaces another one.
enum Replacement {
    /// Directly.
    Direct,
    /// Directly, and the forwarding instructions between the two are removed, last one first.
    Unforwarded(Vec<InstructionId>),
    /// With a copy that is consumed by its uses.
    ConsumedCopy(OwnedCopy),
    /// With a copy that is destroyed at these places.
    UsedCopy(Vec<Place>),
    /// With a borrow.
    Borrow { of: Borrowed, ends: Vec<Place> },
}

/// The operand of a new borrow.
enum Borrowed {
    /// The owned value, which is alive long enough.
    Itself,
    /// A copy of the value, which is destroyed at these places.
    Copy(Vec<Place>),
}

/// A copy that is made at the definition of a value for a use elsewhere.
struct OwnedCopy {
    /// The blocks at whose starts the copy is destroyed, because their paths do not consume it.
    unused_in: Vec<BlockId>,
    /// Whether it is consumed in a loop that does not contain the definition.
    taking: Taking,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taking {
    Once,
    Repeatedly,
}

impl Replacement {
    /// Plans the replacement of `result`, which `id` defines, with `by`.
    fn plan(
        editor: &Editor<'_>,
        id: InstructionId,
        (result, by): (Value, Value),
        copies: BorrowedCopies,
    ) -> Option<Replacement> {
        if !editor.has_ownership() || editor.uses(result).is_empty() {
            return Some(Replacement::Direct);
        }
        let kinds = (editor.ownership(result), editor.ownership(by));
        let is_address = editor.body().ty(by).is_address();
        let Environment { module, queries, function, .. } = editor.environment;
        if !is_address && kinds == (Ownership::None, Ownership::None) {
            return Some(Replacement::Direct);
        }
        let view = editor.view();
        let dependence = ValueDependence::new(&view);
        let lifetimes =
            Lifetimes { facts: LifetimeFacts { view: &view, dependence: &dependence }, dead_ends: view.dead_ends() };
        if !is_address && let Some(chain) = forwarding_chain(editor, id, by) {
            match kinds {
                (Ownership::Guaranteed, Ownership::Guaranteed) => {
                    return lifetimes.users(result).map(|_| Replacement::Direct);
                }
                (Ownership::Owned, Ownership::Owned) if is_used_alone(editor, &chain) => {
                    return Some(Replacement::Unforwarded(chain));
                }
                _ => {}
            }
        }
        if is_address {
            return lifetimes.is_address_alive(result, by).then_some(Replacement::Direct);
        }
        let is_copyable = queries.properties(view.body.ty(by).ty, function.signature).copyability;
        match kinds {
            _ if !lifetimes.keeps_lexical(result, by) => None,
            (_, Ownership::None) => Some(Replacement::Direct),
            (Ownership::None, _) => None,
            _ if module.stage == Stage::Raw || is_copyable == Copyability::Noncopyable => None,
            (Ownership::Owned, _) => lifetimes.owned_copy(id, by).map(Replacement::ConsumedCopy),
            (Ownership::Guaranteed, _) => lifetimes.borrow(id, (result, by), copies),
            (Ownership::Unowned, Ownership::Unowned) => Some(Replacement::Direct),
            (Ownership::Unowned, Ownership::Guaranteed) if lifetimes.is_argument(by) => Some(Replacement::Direct),
            (Ownership::Unowned, kind) => {
                let users: Vec<InstructionId> = view.uses.of(result).iter().map(|found| found.user).collect();
                let leaves = |user: &InstructionId| view.opcode(*user).leaves_function();
                let ends = lifetimes.ends(by, users.iter().copied().chain(std::iter::once(id)));
                match kind {
                    _ if copies == BorrowedCopies::Avoided || users.iter().any(leaves) => None,
                    Ownership::Owned => Some(Replacement::UsedCopy(ends)),
                    _ => {
                        let (of, ends) = (Borrowed::Copy(ends), lifetimes.ends(result, users.into_iter()));
                        Some(Replacement::Borrow { of, ends })
                    }
                }
            }
        }
    }
}

/// The forwarding instructions from `source` to the first operand of `id`, last one first. `None` if other instructions
/// are between.
fn forwarding_chain(editor: &Editor<'_>, id: InstructionId, source: Value) -> Option<Vec<InstructionId>> {
    let mut chain = Vec::new();
    let mut current = editor.operand(id, 0)?;
    while current != source {
        let made = editor.body().defining(current)?;
        editor.body().result(made)?;
        let forwards = made != id && !matches!(editor.opcode(made), Opcode::BeginBorrow | Opcode::CopyValue);
        chain.push(made);
        current = editor.operand(made, 0).filter(|_| forwards)?;
    }
    Some(chain)
}

fn is_used_alone(editor: &Editor<'_>, chain: &[InstructionId]) -> bool {
    let mut results = chain.iter().map(|link| editor.body().result(*link));
    results.all(|result| result.is_some_and(|result| editor.uses_but_debug(result).len() == 1))
}

/// Liveness queries.
struct Lifetimes<'v, 'm> {
    facts: LifetimeFacts<'v, 'm>,
    dead_ends: &'v DeadEndBlocks,
}

impl<'v, 'm> Lifetimes<'v, 'm> {
    fn body(&self) -> &'v Body {
        self.facts.view.body
    }

    fn kinds(&self) -> &OwnershipKinds<'m> {
        self.facts.dependence.ownership_kinds()
    }

    fn is_argument(&self, value: Value) -> bool {
        self.facts.view.argument_convention(value).is_some()
    }

    fn block(&self, id: InstructionId) -> BlockId {
        self.body().instructions[id].block
    }

    /// The users of a value, of its borrows and of its interior pointers. `None` if not all are known.
    fn users(&self, value: Value) -> Option<Vec<InstructionId>> {
        let (liveness, summary) = self.facts.simple_liveness(value);
        let is_complete = summary.addresses == AddressEscape::None && summary.borrows == InnerBorrows::Contained;
        let users: Vec<InstructionId> = liveness.users().map(|(user, _)| user).collect();
        // A phi may be borrowed from other values as well.
        let is_passed_on =
            users.iter().any(|user| matches!(self.facts.view.opcode(*user), Opcode::Br | Opcode::CondBr));
        (is_complete && !is_passed_on).then_some(users)
    }

    /// Returns whether the owned value or borrow `root` is alive at and after each of `users`.
    fn is_alive_at(&self, root: Value, users: &[InstructionId]) -> bool {
        if self.is_argument(root) && self.kinds().kind(root) == Ownership::Guaranteed {
            return true;
        }
        let (liveness, _) = self.facts.simple_liveness(root);
        users.iter().all(|user| {
            liveness.user(*user) != Some(LiveUse::Ending) && liveness.is_within_extended(*user, self.dead_ends)
        })
    }

    /// Returns whether the lifetime introducers of `value` are alive at each of `users`.
    fn is_kept_alive_at(&self, value: Value, users: &[InstructionId]) -> bool {
        match self.kinds().kind(value) {
            Ownership::None => true,
            Ownership::Owned => self.is_alive_at(value, users),
            Ownership::Guaranteed => {
                let introducers = self.facts.dependence.borrow_introducers(value);
                !introducers.is_empty() && introducers.into_iter().all(|root| self.is_alive_at(root, users))
            }
            Ownership::Unowned => false,
        }
    }

    /// Returns whether lexical lifetimes are preserved.
    fn keeps_lexical(&self, result: Value, by: Value) -> bool {
        let [is_lexical, is_by_lexical] =
            [result, by].map(|value| self.kinds().is_lexical(&self.facts.view.cfg, value));
        if !is_by_lexical {
            return !is_lexical;
        }
        let is_borrow = self.kinds().kind(by) == Ownership::Guaranteed;
        self.is_argument(by) || is_borrow && self.users(result).is_some_and(|users| self.is_alive_at(by, &users))
    }

    /// Returns whether the object that contains the address `by` is alive at the uses of the address `result`.
    fn is_address_alive(&self, result: Value, by: Value) -> bool {
        use AccessBase::{Argument, Box, Class, Global, Index, Pointer, Stack, StoreBorrow, Tail, Unidentified, Yield};
        let base = LocatedAccess::of(self.facts.view, self.projected_from(by)).access.base;
        match base {
            Argument(_) | Stack(_) | Global(_) | StoreBorrow(_) | Yield(_) => return true,
            Pointer(_) | Index(_) | Unidentified(_) => return false,
            Box(_) | Class(_) | Tail(_) => {}
        }
        let Some(reference) = base.reference(self.facts.view) else { return false };
        if self.kinds().kind(reference) == Ownership::None {
            return true;
        }
        let within = self.facts.uses().transitive_address_uses(result);
        let users: Vec<InstructionId> = within.uses.iter().map(|found| found.user).collect();
        within.escape == AddressEscape::None && self.is_kept_alive_at(reference, &users)
    }

    /// The base of an address, looking through projections.
    fn projected_from(&self, address: Value) -> Value {
        use Opcode::{IndexAddr, StructElementAddr, TupleElementAddr, UncheckedAddrCast};
        let mut address = address;
        while let Some((id, IndexAddr | StructElementAddr | TupleElementAddr | UncheckedAddrCast)) =
            self.facts.view.definition(address)
            && let Some(operand) = self.facts.view.operand(id, 0)
        {
            address = operand;
        }
        address
    }

    /// Plans a copy of `by` at `id`.
    fn owned_copy(&self, id: InstructionId, by: Value) -> Option<OwnedCopy> {
        let defined_in = self.body().defining_block(by)?;
        let liveness = self.liveness(by, std::iter::once(id));
        let is_local = defined_in == self.block(id);
        let is_live_out = liveness.block(self.block(id)) == BlockLiveness::LiveOut;
        let taking = if is_live_out && !is_local { Taking::Repeatedly } else { Taking::Once };
        let unused_in = if is_local { Vec::new() } else { distinct(liveness.boundary().boundary_edges) };
        Some(OwnedCopy { unused_in, taking })
    }

    /// Plans a borrow of `by` for the guaranteed `result` of `id`.
    fn borrow(&self, id: InstructionId, (result, by): (Value, Value), copies: BorrowedCopies) -> Option<Replacement> {
        if self.kinds().begins_scope(result) {
            return None;
        }
        let users = self.users(result)?;
        let is_kept_alive = self.is_kept_alive_at(by, &users);
        let is_borrowed = self.kinds().kind(by) == Ownership::Guaranteed;
        if users.is_empty() || is_kept_alive && is_borrowed {
            return Some(Replacement::Direct);
        }
        if users.iter().any(|user| self.facts.view.opcode(*user).leaves_function()) {
            return None;
        }
        let ends = self.ends(result, users.iter().copied());
        let of = match copies {
            _ if is_kept_alive => Borrowed::Itself,
            BorrowedCopies::Avoided => return None,
            BorrowedCopies::Allowed => Borrowed::Copy(self.ends(by, users.into_iter().chain(std::iter::once(id)))),
        };
        Some(Replacement::Borrow { of, ends })
    }

    /// The liveness of a value that is defined together with `value` and used by `users`.
    fn liveness(&self, value: Value, users: impl Iterator<Item = InstructionId>) -> PrunedLiveness<'v> {
        let mut liveness = PrunedLiveness::of(self.body(), &self.facts.view.cfg, value);
        users.for_each(|user| liveness.add(user, LiveUse::NonEnding));
        liveness
    }

    /// The places to end a value that is defined together with `value` and used by `users`.
    fn ends(&self, value: Value, users: impl Iterator<Item = InstructionId>) -> Vec<Place> {
        distinct(self.liveness(value, users).boundary().insertion_points(self.body()))
    }
}

fn distinct<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut found = Vec::with_capacity(all.len());
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

impl Replacement {
    /// Performs the replacement with a value that `make` creates from `source`.
    fn perform(
        self,
        editor: &mut Editor<'_>,
        id: InstructionId,
        source: Value,
        make: impl FnOnce(&mut InstructionBuilder<'_>, Value) -> Value,
    ) {
        let chain = match &self {
            Replacement::Unforwarded(chain) => chain.clone(),
            _ => {
                destroy_consumed(editor, id, source);
                Vec::new()
            }
        };
        let value = match self {
            Replacement::Direct | Replacement::Unforwarded(_) => source,
            Replacement::ConsumedCopy(copy) => copy_to(editor, id, source, copy),
            Replacement::UsedCopy(ends) => copy_up_to(editor, id, source, &ends),
            Replacement::Borrow { of, ends } => borrow_at(editor, id, source, of, &ends),
        };
        let made = editor.build(Place::Before(id), id, |builder| make(builder, value));
        editor.replace(id, made);
        chain.into_iter().for_each(|link| editor.erase_with_debug_uses(link));
        editor.forget_ownership();
    }
}

/// Ends the lifetimes of the consumed operands of an erased instruction.
fn destroy_consumed(editor: &mut Editor<'_>, id: InstructionId, by: Value) {
    if !editor.has_ownership() {
        return;
    }
    let operands = editor.body().operands(id).to_vec();
    let uses: Vec<Use> = (0..operands.len() as u32).map(|operand| Use { user: id, operand }).collect();
    let ownership = editor.operand_ownerships(&uses);
    for (operand, does) in operands.into_iter().zip(ownership) {
        let end = match does {
            OperandOwnership::EndBorrow => Opcode::EndBorrow,
            _ if does.ends_lifetime() && editor.ownership(operand) == Ownership::Owned && operand != by => {
                Opcode::DestroyValue
            }
            _ => continue,
        };
        end_lifetime(editor, end, operand, Place::Before(id), id);
    }
}

fn end_lifetime(editor: &mut Editor<'_>, end: Opcode, value: Value, place: Place, like: InstructionId) {
    editor.build(place, like, |builder| {
        builder.effect(end, value);
    });
}

fn copy_value(editor: &mut Editor<'_>, place: Place, like: InstructionId, value: Value) -> Value {
    editor.build(place, like, |builder| builder.copy_value(value))
}

/// The place directly after the definition of a value.
fn after_definition(body: &Body, value: Value) -> Option<Place> {
    match body.values[value].definition {
        Definition::Result { instruction, .. } => Some(Place::After(instruction)),
        Definition::Argument { block, .. } => Some(Place::Start(block)),
        Definition::Undef => None,
    }
}

/// Copies a value at its definition for the replacement of `id`.
fn copy_to(editor: &mut Editor<'_>, id: InstructionId, value: Value, copy: OwnedCopy) -> Value {
    let Some(place) = after_definition(editor.body(), value) else { return value };
    let copied = copy_value(editor, place, id, value);
    for block in copy.unused_in {
        end_lifetime(editor, Opcode::DestroyValue, copied, Place::Start(block), id);
    }
    match copy.taking {
        Taking::Once => copied,
        Taking::Repeatedly => copy_value(editor, Place::Before(id), id, copied),
    }
}

/// Copies a value at its definition and destroys the copy at some places.
fn copy_up_to(editor: &mut Editor<'_>, id: InstructionId, value: Value, ends: &[Place]) -> Value {
    let Some(place) = after_definition(editor.body(), value) else { return value };
    let copied = copy_value(editor, place, id, value);
    ends.iter().for_each(|place| end_lifetime(editor, Opcode::DestroyValue, copied, *place, id));
    copied
}

/// Borrows a value before `id` for the replacement of `id`.
fn borrow_at(editor: &mut Editor<'_>, id: InstructionId, value: Value, of: Borrowed, ends: &[Place]) -> Value {
    let borrowed = match of {
        Borrowed::Itself => value,
        // A later insertion at a place precedes earlier ones.
        Borrowed::Copy(places) => copy_up_to(editor, id, value, &places),
    };
    let borrow = editor.build(Place::Before(id), id, |builder| builder.begin_borrow(borrowed));
    for place in ends {
        end_lifetime(editor, Opcode::EndBorrow, borrow, *place, id);
    }
    borrow
}

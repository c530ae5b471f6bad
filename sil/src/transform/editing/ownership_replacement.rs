//! One value in the place of an instruction's result, in functions with ownership as well: where the value would not be there as it must be, a copy or
//! a borrow of it is (include/swift/SILOptimizer/Utils/OwnershipOptUtils.h).
//!
//! Does not own: which value is the same as which. Values that are used where the other one is known to be dominate what they replace.

use crate::analysis::{
    AccessBase, AddressEscape, BlockLiveness, DeadEndBlocks, InnerBorrows, LifetimeFacts, LiveUse, LocatedAccess,
    OperandOwnership, OwnershipKinds, PrunedLiveness, Use, ValueDependence,
};
use crate::instructions::Opcode;
use crate::model::{BlockId, Body, Definition, InstructionId, Ownership, Place, Stage, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::editor::Editor;
use crate::transform::pass::Environment;
use crate::types::Copyability;

/// Whether what is borrowed may be borrowed from a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::transform) enum BorrowedCopies {
    /// Where nothing else keeps the value alive.
    Allowed,
    /// Never: nothing would take these copies away again.
    Avoided,
}

/// Puts `by` in the place of the one result of `id`, which goes with what it consumes. Whether that may be.
pub(in crate::transform) fn replace(
    editor: &mut Editor<'_>,
    id: InstructionId,
    by: Value,
    copies: BorrowedCopies,
) -> bool {
    replace_by_made(editor, id, by, copies, |_, value| value)
}

/// Puts what is made of `source` in the place of the one result of `id`, which goes with what it consumes. Whether that may be. What is made has the
/// ownership of the result.
pub(in crate::transform) fn replace_by_made(
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

/// A copy of a value that `id` may take, made where the value is defined and destroyed on ways that do not lead to `id`
/// (`makeValueAvailable` in lib/SILOptimizer/Utils/InstOptUtils.cpp). None where nothing defines the value.
pub(in crate::transform) fn copy_taken_by(editor: &mut Editor<'_>, id: InstructionId, value: Value) -> Option<Value> {
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

/// How a value takes the place of another one.
enum Replacement {
    /// As it is.
    Direct,
    /// As it is, without the instructions that only passed it on to what it replaces, the last one first.
    Unforwarded(Vec<InstructionId>),
    /// By a copy that is consumed in its place.
    ConsumedCopy(OwnedCopy),
    /// By a copy that is destroyed at these places.
    UsedCopy(Vec<Place>),
    /// By a borrow.
    Borrow { of: Borrowed, ends: Vec<Place> },
}

/// What a new borrow is one of.
enum Borrowed {
    /// The owned value, which is there long enough.
    Itself,
    /// A copy of the value, with where that is destroyed.
    Copy(Vec<Place>),
}

/// A copy from where a value is defined to where another one is.
struct OwnedCopy {
    /// The blocks on whose way nothing takes the copy.
    unused_in: Vec<BlockId>,
    /// Whether it is taken in a loop that the value is defined outside of.
    taking: Taking,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taking {
    Once,
    Repeatedly,
}

impl Replacement {
    /// How `by` may take the place of `result`, which `id` makes.
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

/// The instructions that pass `source` on until it is the first operand of `id`, the last one first; none where something else passes it on.
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

/// Where values live.
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

    /// What uses a value, borrows of it and addresses within it. None where not all of that is known.
    fn users(&self, value: Value) -> Option<Vec<InstructionId>> {
        let (liveness, summary) = self.facts.simple_liveness(value);
        let is_complete = summary.addresses == AddressEscape::None && summary.borrows == InnerBorrows::Contained;
        let users: Vec<InstructionId> = liveness.users().map(|(user, _)| user).collect();
        // What a block argument is borrowed from may be other values as well.
        let is_passed_on =
            users.iter().any(|user| matches!(self.facts.view.opcode(*user), Opcode::Br | Opcode::CondBr));
        (is_complete && !is_passed_on).then_some(users)
    }

    /// Whether the owned value or the borrow `root` is alive at each of `users`, and goes on behind them.
    fn is_alive_at(&self, root: Value, users: &[InstructionId]) -> bool {
        if self.is_argument(root) && self.kinds().kind(root) == Ownership::Guaranteed {
            return true;
        }
        let (liveness, _) = self.facts.simple_liveness(root);
        users.iter().all(|user| {
            liveness.user(*user) != Some(LiveUse::Ending) && liveness.is_within_extended(*user, self.dead_ends)
        })
    }

    /// Whether what keeps `value` alive does so at each of `users`.
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

    /// Whether lifetimes that the program sees stay what they are.
    fn keeps_lexical(&self, result: Value, by: Value) -> bool {
        let [is_lexical, is_by_lexical] =
            [result, by].map(|value| self.kinds().is_lexical(&self.facts.view.cfg, value));
        if !is_by_lexical {
            return !is_lexical;
        }
        let is_borrow = self.kinds().kind(by) == Ownership::Guaranteed;
        self.is_argument(by) || is_borrow && self.users(result).is_some_and(|users| self.is_alive_at(by, &users))
    }

    /// Whether the object that `by` is an address in is there as long as the address `result` is used.
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

    /// The address that `address` was projected from, in whatever way.
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

    /// How a copy of `by` gets to `id`.
    fn owned_copy(&self, id: InstructionId, by: Value) -> Option<OwnedCopy> {
        let defined_in = self.body().defining_block(by)?;
        let liveness = self.liveness(by, std::iter::once(id));
        let is_local = defined_in == self.block(id);
        let is_live_out = liveness.block(self.block(id)) == BlockLiveness::LiveOut;
        let taking = if is_live_out && !is_local { Taking::Repeatedly } else { Taking::Once };
        let unused_in = if is_local { Vec::new() } else { distinct(liveness.boundary().boundary_edges) };
        Some(OwnedCopy { unused_in, taking })
    }

    /// How a borrow of `by` is there for the borrowed `result` of `id`.
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

    /// The liveness of something that is defined where `value` is, as far as some users.
    fn liveness(&self, value: Value, users: impl Iterator<Item = InstructionId>) -> PrunedLiveness<'v> {
        let mut liveness = PrunedLiveness::of(self.body(), &self.facts.view.cfg, value);
        users.for_each(|user| liveness.add(user, LiveUse::NonEnding));
        liveness
    }

    /// The places where something that is defined where `value` is can end behind some users.
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
    /// Makes something of `source`, which takes the place of what `id` makes.
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

/// Ends the lifetimes of what an instruction takes that goes.
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

/// Right behind where a value is defined.
fn behind_definition(body: &Body, value: Value) -> Option<Place> {
    match body.values[value].definition {
        Definition::Result { instruction, .. } => Some(Place::After(instruction)),
        Definition::Argument { block, .. } => Some(Place::Start(block)),
        Definition::Undef => None,
    }
}

/// Copies a value where it is defined, for `id` to be replaced by the copy.
fn copy_to(editor: &mut Editor<'_>, id: InstructionId, value: Value, copy: OwnedCopy) -> Value {
    let Some(place) = behind_definition(editor.body(), value) else { return value };
    let copied = copy_value(editor, place, id, value);
    for block in copy.unused_in {
        end_lifetime(editor, Opcode::DestroyValue, copied, Place::Start(block), id);
    }
    match copy.taking {
        Taking::Once => copied,
        Taking::Repeatedly => copy_value(editor, Place::Before(id), id, copied),
    }
}

/// Copies a value where it is defined, and destroys the copy at some places.
fn copy_up_to(editor: &mut Editor<'_>, id: InstructionId, value: Value, ends: &[Place]) -> Value {
    let Some(place) = behind_definition(editor.body(), value) else { return value };
    let copied = copy_value(editor, place, id, value);
    ends.iter().for_each(|place| end_lifetime(editor, Opcode::DestroyValue, copied, *place, id));
    copied
}

/// Borrows a value before `id`, for that to be replaced by the borrow.
fn borrow_at(editor: &mut Editor<'_>, id: InstructionId, value: Value, of: Borrowed, ends: &[Place]) -> Value {
    let borrowed = match of {
        Borrowed::Itself => value,
        // What is put at a place later comes before what is there already.
        Borrowed::Copy(places) => copy_up_to(editor, id, value, &places),
    };
    let borrow = editor.build(Place::Before(id), id, |builder| builder.begin_borrow(borrowed));
    for place in ends {
        end_lifetime(editor, Opcode::EndBorrow, borrow, *place, id);
    }
    borrow
}

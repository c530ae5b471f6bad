//! Where scopes end: borrows, coroutine calls, closures on the stack, and the uses of addresses inside borrowed values.

use rustc_hash::FxHashSet;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Opcode, OperandUse};
use sil_ir::model::{Body, Details, InstructionId, Ownership, Value};

use super::{AddressEscape, AddressUses, OperandOwnership, OwnershipKinds, Use, Uses, escapes_as_bits};

/// The uses of a body's values with their effects on ownership.
#[derive(Clone, Copy)]
pub struct OwnershipUses<'a, 'm> {
    /// The body.
    pub body: &'a Body,
    /// The uses of its values.
    pub uses: &'a Uses,
    /// The effects of the uses.
    pub kinds: &'a OwnershipKinds<'m>,
}

impl OwnershipUses<'_, '_> {
    fn opcode(&self, id: InstructionId) -> Opcode {
        self.body.instructions[id].opcode
    }

    /// The builtin that `id` is.
    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return None };
        builtin.kind()
    }

    /// The uses of an address and of all addresses within, as far as they are known.
    pub fn address_uses(&self, address: Value) -> AddressUses {
        AddressUses::of(self.body, self.uses, address, |id| self.builtin(id))
    }

    /// The same, with the uses of borrowed values in the place of the borrows, and the ends of coroutine calls in that
    /// of their beginnings: the address is used as long as these last (`findTransitiveUsesForAddress`,
    /// include/swift/SIL/OwnershipUtils.h).
    pub fn transitive_address_uses(&self, address: Value) -> AddressUses {
        let AddressUses { uses, mut escape } = self.address_uses(address);
        let mut all = Vec::with_capacity(uses.len());
        for found in uses {
            let before = all.len();
            match self.opcode(found.user) {
                Opcode::LoadBorrow => {
                    for borrow in self.body.results(found.user) {
                        escape = escape.max(self.add_uses_of_borrow(borrow, &mut all));
                    }
                    continue;
                }
                Opcode::BeginApply => coroutine_ends(*self, found.user, &mut all),
                _ => {}
            }
            if all.len() == before {
                all.push(found);
            }
        }
        AddressUses { uses: all, escape }
    }

    /// Adds the uses of a borrow and of the values that it is passed on to; for inner borrows, their ends. Returns
    /// whether these are all (`findInnerTransitiveGuaranteedUses`, lib/SIL/Utils/OwnershipUtils.cpp).
    fn add_uses_of_borrow(&self, borrow: Value, into: &mut Vec<Use>) -> AddressEscape {
        let mut escape = AddressEscape::None;
        let mut seen = FxHashSet::default();
        let mut open: Vec<Use> = self.uses.of(borrow).iter().rev().copied().collect();
        while let Some(next) = open.pop() {
            let does = self.kinds.operand(next);
            if does == OperandOwnership::Mention || !seen.insert(next) {
                continue;
            }
            match does {
                OperandOwnership::ForwardBorrowed => {
                    let passed = self.kinds.forwarded_to(next).into_iter();
                    let is_borrowed = |value: &Value| self.kinds.kind(*value) != Ownership::None;
                    let within: Vec<Use> =
                        passed.filter(is_borrowed).flat_map(|value| self.uses.of(value).iter().copied()).collect();
                    // The values that a jump passes on need not be dominated by the borrow.
                    let is_jump = self.opcode(next.user) == Opcode::Br;
                    if is_jump || within.is_empty() {
                        into.push(next);
                    }
                    if is_jump {
                        escape = AddressEscape::Pointer;
                    } else {
                        open.extend(within);
                    }
                }
                OperandOwnership::Borrow => {
                    let before = into.len();
                    scope_ends(*self, next, into);
                    let is_reborrow = |end: &Use| self.kinds.operand(*end) == OperandOwnership::Reborrow;
                    if into.len() == before {
                        into.push(next);
                        escape = AddressEscape::Pointer;
                    } else if into[before..].iter().any(is_reborrow) {
                        escape = AddressEscape::Pointer;
                    }
                }
                OperandOwnership::InteriorPointer | OperandOwnership::Escape | OperandOwnership::ForwardUnowned => {
                    into.push(next);
                    // The uses of bits are not followed.
                    if does != OperandOwnership::Escape || !escapes_as_bits(self.opcode(next.user)) {
                        escape = AddressEscape::Pointer;
                    }
                }
                _ => into.push(next),
            }
        }
        escape
    }
}

/// Adds the uses that end the scope that a borrowing use begins. A borrow without end counts as ending where it begins.
pub fn scope_ends(analyses: OwnershipUses<'_, '_>, borrow: Use, into: &mut Vec<Use>) {
    let before = into.len();
    let results = || analyses.body.results(borrow.user);
    // The newest first.
    let uses = || results().flat_map(|value| analyses.uses.of(value).iter().rev().copied());
    let ends_where_it_begins = match analyses.opcode(borrow.user) {
        Opcode::BeginBorrow | Opcode::Borrowed => {
            into.extend(uses().filter(|found| analyses.kinds.operand(*found).ends_lifetime()));
            true
        }
        Opcode::StoreBorrow => {
            into.extend(uses().filter(|found| analyses.opcode(found.user) == Opcode::EndBorrow));
            true
        }
        Opcode::BeginApply => {
            coroutine_ends(analyses, borrow.user, into);
            false
        }
        // A value that cannot escape is itself limited in its uses: its base may end before it.
        Opcode::MarkDependence if results().any(|value| !analyses.kinds.is_escapable(value)) => false,
        opcode @ (Opcode::PartialApply | Opcode::MarkDependence) => {
            let mut seen = Vec::new();
            let copies = if opcode == Opcode::PartialApply { Copies::Follow } else { Copies::Ignore };
            results().for_each(|value| closure_ends(analyses, value, copies, into, &mut seen));
            false
        }
        Opcode::Builtin => {
            into.extend(uses().filter(|found| ends_async_let(analyses, found.user)));
            false
        }
        _ => false,
    };
    if ends_where_it_begins && into.len() == before {
        into.push(borrow);
    }
}

fn ends_async_let(analyses: OwnershipUses<'_, '_>, id: InstructionId) -> bool {
    analyses.builtin(id) == Some(BuiltinKind::Named(NamedBuiltin::EndAsyncLetLifetime))
}

/// Adds the ends of a coroutine call.
pub fn coroutine_ends(analyses: OwnershipUses<'_, '_>, begin: InstructionId, into: &mut Vec<Use>) {
    for value in analyses.body.results(begin) {
        let ends = analyses.uses.of(value).iter();
        into.extend(ends.filter(|found| matches!(analyses.opcode(found.user), Opcode::EndApply | Opcode::AbortApply)));
    }
}

/// Whether the copies of a value count as itself: a copy of a closure on the stack needs the captures of that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    Follow,
    Ignore,
}

/// Adds where a value and all that it is passed on to are consumed.
fn closure_ends(
    analyses: OwnershipUses<'_, '_>,
    value: Value,
    copies: Copies,
    into: &mut Vec<Use>,
    seen: &mut Vec<Value>,
) {
    if seen.contains(&value) {
        return;
    }
    seen.push(value);
    for found in analyses.uses.of(value) {
        match analyses.kinds.operand(*found) {
            _ if copies == Copies::Follow && analyses.opcode(found.user) == Opcode::CopyValue => {
                for copy in analyses.body.results(found.user) {
                    closure_ends(analyses, copy, copies, into, seen);
                }
            }
            OperandOwnership::ForwardOwned if analyses.opcode(found.user) == Opcode::Br => into.push(*found),
            OperandOwnership::ForwardOwned => {
                let passed = analyses.kinds.forwarded_to(*found);
                if passed.is_empty() {
                    into.push(*found);
                }
                for value in passed {
                    closure_ends(analyses, value, copies, into, seen);
                }
            }
            OperandOwnership::Consume => into.push(*found),
            OperandOwnership::Borrow => scope_ends(analyses, *found, into),
            _ => {}
        }
    }
}

/// Adds the uses of an address and of all addresses inside it, but for those that only lead to such an address.
pub fn address_uses(analyses: OwnershipUses<'_, '_>, address: Value, into: &mut Vec<Use>) {
    let mut seen = FxHashSet::from_iter([address]);
    let mut open: Vec<Use> = analyses.uses.of(address).iter().rev().copied().collect();
    while let Some(found) = open.pop() {
        // A type that an address opens is no use of the memory there.
        if analyses.opcode(found.user).information().operand_use(found.operand as usize) == OperandUse::Mention {
            continue;
        }
        let inner = inner_addresses(analyses, found);
        if inner.is_empty() {
            into.push(found);
            inner_scope_ends(analyses, found, into);
        }
        for address in inner.into_iter().filter(|address| seen.insert(*address)) {
            open.extend(analyses.uses.of(address).iter().rev());
        }
    }
}

/// The addresses that an instruction makes of one.
fn inner_addresses(analyses: OwnershipUses<'_, '_>, found: Use) -> Vec<Value> {
    match analyses.opcode(found.user) {
        Opcode::BeginApply | Opcode::LoadBorrow => Vec::new(),
        Opcode::StoreBorrow if found.operand == 0 => Vec::new(),
        Opcode::MarkDependence if found.operand == 1 => Vec::new(),
        _ => analyses.body.results(found.user).filter(|value| analyses.body.ty(*value).is_address()).collect(),
    }
}

fn inner_scope_ends(analyses: OwnershipUses<'_, '_>, found: Use, into: &mut Vec<Use>) {
    match analyses.opcode(found.user) {
        Opcode::BeginApply => coroutine_ends(analyses, found.user, into),
        Opcode::LoadBorrow => {
            for value in analyses.body.results(found.user) {
                let uses = analyses.uses.of(value).iter();
                into.extend(uses.filter(|found| analyses.kinds.operand(**found).ends_lifetime()));
            }
        }
        _ => {}
    }
}

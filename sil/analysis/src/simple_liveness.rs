//! Simple liveness: the direct uses of a value, those in borrow scopes around it and through instructions that pass a
//! borrow of it on, but not those of its copies and reborrows (`PrunedLiveRange::updateForDef`,
//! lib/SIL/Utils/PrunedLiveness.cpp).

use rustc_hash::FxHashSet;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership, Value};

use super::ownership::escapes_as_bits;
use super::ownership_scopes;
use super::{AddressEscape, BodyView, LiveDefinition, LiveUse, OperandOwnership, PrunedLiveness, Use, ValueDependence};

/// The treatment of the borrows directly within a lifetime.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InnerBorrows {
    /// They end within it.
    Contained,
    /// One is passed on to a block argument, which may live on.
    Reborrowed,
    /// The end of one is not known.
    Escaped,
}

/// How much of a lifetime liveness shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LivenessSummary {
    /// The borrows in it.
    pub borrows: InnerBorrows,
    /// The addresses in it.
    pub addresses: AddressEscape,
}

impl LivenessSummary {
    /// All of it is shown.
    pub const COMPLETE: LivenessSummary =
        LivenessSummary { borrows: InnerBorrows::Contained, addresses: AddressEscape::None };

    fn meet(&mut self, other: LivenessSummary) {
        self.borrows = self.borrows.max(other.borrows);
        self.addresses = self.addresses.max(other.addresses);
    }
}

/// The analyses of a body for simple liveness.
#[derive(Clone, Copy)]
pub struct LifetimeFacts<'v, 'm> {
    /// The body.
    pub view: &'v BodyView<'m>,
    /// The sources of its borrowed values.
    pub dependence: &'v ValueDependence<'v, 'm>,
}

impl<'v, 'm> LifetimeFacts<'v, 'm> {
    /// The uses with their effects on ownership.
    pub fn uses(self) -> ownership_scopes::OwnershipUses<'v, 'm> {
        ownership_scopes::OwnershipUses {
            body: self.view.body,
            uses: &self.view.uses,
            kinds: self.dependence.ownership_kinds(),
        }
    }

    /// The simple liveness of `value`, and how much of its lifetime that shows.
    pub fn simple_liveness(self, value: Value) -> (PrunedLiveness<'v>, LivenessSummary) {
        let mut liveness = PrunedLiveness::of(self.view.body, &self.view.cfg, value);
        let summary = self.add_uses_of(&mut liveness, value);
        (liveness, summary)
    }

    /// Adds the uses of `value`, one of the definitions of `liveness`.
    pub fn add_uses_of(self, liveness: &mut PrunedLiveness<'_>, value: Value) -> LivenessSummary {
        self.add_uses_within(liveness, value, value, &mut FxHashSet::default())
    }

    fn add_uses_within(
        self,
        liveness: &mut PrunedLiveness<'_>,
        definition: Value,
        value: Value,
        seen: &mut FxHashSet<Value>,
    ) -> LivenessSummary {
        let mut summary = LivenessSummary::COMPLETE;
        if !seen.insert(value) {
            return summary;
        }
        for found in self.view.uses.of(value).iter().rev().copied() {
            match self.dependence.ownership_kinds().operand(found) {
                OperandOwnership::Mention => {}
                OperandOwnership::Borrow => summary.borrows = summary.borrows.max(self.add_borrow(liveness, found)),
                OperandOwnership::Escape if !escapes_as_bits(self.view.opcode(found.user)) => {
                    summary.addresses = summary.addresses.max(AddressEscape::Pointer);
                }
                OperandOwnership::InteriorPointer => {
                    summary.addresses = summary.addresses.max(self.add_interior_pointer(liveness, found));
                }
                OperandOwnership::ForwardBorrowed => {
                    liveness.add(found.user, LiveUse::NonEnding);
                    for passed in self.passed_on_within(definition, found) {
                        summary.meet(self.add_uses_within(liveness, definition, passed, seen));
                    }
                }
                OperandOwnership::Trivial => {
                    self.add_ends_of_address_scope(liveness, found);
                    liveness.add(found.user, LiveUse::NonEnding);
                }
                does if does.ends_lifetime() => liveness.add(found.user, LiveUse::Ending),
                _ => liveness.add(found.user, LiveUse::NonEnding),
            }
        }
        summary
    }

    /// The values that a use passes a borrow of `definition` on to, without another source.
    fn passed_on_within(self, definition: Value, found: Use) -> Vec<Value> {
        match self.view.branch_argument(found) {
            Some(phi) => {
                let is_within = self.dependence.enclosing_values(phi).contains(&definition);
                if is_within { vec![phi] } else { Vec::new() }
            }
            None => self.dependence.ownership_kinds().forwarded_to(found),
        }
    }

    /// Adds the ends of the borrow scope that a use begins.
    pub fn add_borrow(self, liveness: &mut PrunedLiveness<'_>, found: Use) -> InnerBorrows {
        let mut ends = Vec::new();
        ownership_scopes::scope_ends(self.uses(), found, &mut ends);
        // A scope without end ends where it begins; liveness does not know that.
        if !self.has_known_ends(found) || ends == [found] {
            liveness.add(found.user, LiveUse::NonEnding);
            return InnerBorrows::Escaped;
        }
        let mut kind = InnerBorrows::Contained;
        for end in ends {
            if self.dependence.ownership_kinds().operand(end) == OperandOwnership::Reborrow {
                kind = InnerBorrows::Reborrowed;
            }
            liveness.add(end.user, LiveUse::NonEnding);
        }
        kind
    }

    /// Whether the ends of the scope that a use begins can be found: a value that depends on the value must be an owned
    /// value itself, and not be limited elsewhere.
    fn has_known_ends(self, found: Use) -> bool {
        if self.view.opcode(found.user) != Opcode::MarkDependence {
            return true;
        }
        let kinds = self.dependence.ownership_kinds();
        self.view
            .body
            .results(found.user)
            .all(|value| kinds.kind(value) == Ownership::Owned && kinds.is_escapable(value))
    }

    /// Adds the uses of the address that a use takes within its value.
    pub fn add_interior_pointer(self, liveness: &mut PrunedLiveness<'_>, found: Use) -> AddressEscape {
        if self.add_ends_of_address_scope(liveness, found) {
            return AddressEscape::None;
        }
        let mut escape = AddressEscape::None;
        let mut users: Vec<InstructionId> = Vec::new();
        for address in self.view.body.results(found.user) {
            let within = self.uses().transitive_address_uses(address);
            escape = escape.max(within.escape);
            users.extend(within.uses.iter().map(|found| found.user));
        }
        if users.is_empty() {
            users.push(found.user);
        }
        users.into_iter().for_each(|user| liveness.add(user, LiveUse::NonEnding));
        escape
    }

    /// Adds the ends of the scope of an address that a use begins. Whether it begins one.
    fn add_ends_of_address_scope(self, liveness: &mut PrunedLiveness<'_>, found: Use) -> bool {
        let end = match self.view.opcode(found.user) {
            Opcode::StoreBorrow => Opcode::EndBorrow,
            Opcode::BeginAccess => Opcode::EndAccess,
            _ => return false,
        };
        for address in self.view.body.results(found.user) {
            let ends = self.view.uses.of(address).iter().rev().filter(|found| self.view.opcode(found.user) == end);
            ends.for_each(|end| liveness.add(end.user, LiveUse::NonEnding));
        }
        true
    }

    /// The simple liveness of several definitions together.
    pub fn simple_liveness_of_several(self, definitions: &[LiveDefinition]) -> PrunedLiveness<'v> {
        let mut liveness = PrunedLiveness::new(self.view.body, &self.view.cfg);
        definitions.iter().for_each(|definition| liveness.define(Some(*definition)));
        for definition in definitions {
            let values: Vec<Value> = match definition {
                LiveDefinition::Argument(value) => vec![*value],
                LiveDefinition::Instruction(id) => self.view.body.results(*id).collect(),
            };
            values.into_iter().for_each(|value| _ = self.add_uses_of(&mut liveness, value));
        }
        liveness
    }
}

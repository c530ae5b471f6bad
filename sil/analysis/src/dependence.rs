//! Value dependence: the values that a value needs alive. A borrowed value needs its source, a value of
//! `mark_dependence` needs its base, an address in an object needs the object, a closure on the stack needs its
//! captures.
//!
//! Borrow introducers and enclosing values are those of
//! SwiftCompilerSources/Sources/Optimizer/Utilities/BorrowUtils.swift; a guaranteed phi without `borrowed … from` gets
//! its enclosing values from the branches to it.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Borrowed, MarkDependence, Unary};
use sil_ir::model::{Definition, InstructionId, Ownership, Value};

use super::access::{AccessPath, AccessScope, LocatedAccess};
use super::{BodyView, OwnershipKinds, Use};
use crate::Worklist;

/// Why a value needs another one alive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependenceKind {
    /// It is borrowed from it, or forwards a value that is.
    Borrow,
    /// `mark_dependence` states it.
    Marked,
    /// It is an address within the object.
    Interior,
    /// It is a closure on the stack that captured the value or the address.
    Captured,
}

/// The dependences between the values of a body.
pub struct ValueDependence<'v, 'm> {
    view: &'v BodyView<'m>,
    ownership: Kinds<'v, 'm>,
    /// For each guaranteed phi that no `borrowed` is about, its enclosing values.
    phis: FxHashMap<Value, Vec<Value>>,
}

/// The ownership that the view has, or, of a function without ownership, that the values would have.
enum Kinds<'v, 'm> {
    OfView(&'v OwnershipKinds<'m>),
    Computed(OwnershipKinds<'m>),
}

impl<'v, 'm> ValueDependence<'v, 'm> {
    /// Finds the enclosing values of all phis of the body that `view` shows.
    pub fn new(view: &'v BodyView<'m>) -> Self {
        let ownership = match view.ownership_kinds() {
            Some(kinds) => Kinds::OfView(kinds),
            None => Kinds::Computed(OwnershipKinds::new(view.queries, view.function, view.body, &view.cfg)),
        };
        let mut this = Self { view, ownership, phis: FxHashMap::default() };
        this.find_enclosing_values_of_phis();
        this
    }

    /// The ownership of the values, and the effects of their uses on it.
    pub fn ownership_kinds(&self) -> &OwnershipKinds<'m> {
        match &self.ownership {
            Kinds::OfView(kinds) => kinds,
            Kinds::Computed(kinds) => kinds,
        }
    }

    fn find_enclosing_values_of_phis(&mut self) {
        let blocks = self.view.body.blocks.keys().filter(|block| *block != self.view.body.entry());
        let arguments = blocks.flat_map(|block| self.view.body.blocks[block].arguments.iter().copied());
        let phis: Vec<Value> = arguments.filter(|value| self.is_guaranteed_phi(*value)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for phi in &phis {
                for enclosing in self.enclosing_values_of_incoming(*phi) {
                    let known = self.phis.entry(*phi).or_default();
                    if !known.contains(&enclosing) {
                        known.push(enclosing);
                        changed = true;
                    }
                }
            }
        }
    }

    /// Whether `value` is a block argument that branches pass borrowed values for.
    pub fn is_guaranteed_phi(&self, value: Value) -> bool {
        self.view.ownership(value) == Ownership::Guaranteed && self.view.incoming_values(value).is_some()
    }

    /// The values that enclose the values that branches pass to `phi`, as its block knows them; in the order in which
    /// Swift finds them, the last branch first.
    fn enclosing_values_of_incoming(&self, phi: Value) -> Vec<Value> {
        let Definition::Argument { block, index } = self.view.body.values[phi].definition else { return Vec::new() };
        let mut found = Vec::new();
        for predecessor in self.view.cfg.predecessors(block).iter().rev() {
            let Some(branch) = self.view.body.terminator(*predecessor) else { continue };
            let Some(incoming) = self.view.operand(branch, index as usize) else { continue };
            for enclosing in self.enclosing_values(incoming).into_iter().rev() {
                let enclosing = self.passed_on(branch, enclosing);
                if enclosing != phi && !found.contains(&enclosing) {
                    found.push(enclosing);
                }
            }
        }
        found
    }

    /// The block argument that `branch` passes `value` to, where its lifetime ends there; else `value` itself.
    fn passed_on(&self, branch: InstructionId, value: Value) -> Value {
        let operands = (0..).zip(self.view.body.operands(branch));
        let mut ending = operands.filter(|(operand, passed)| {
            let ends = self.ownership_kinds().operand(Use { user: branch, operand: *operand }).ends_lifetime();
            ends && self.borrowed_phi(**passed) == value
        });
        let argument = ending.next().and_then(|(operand, _)| self.view.branch_argument(Use { user: branch, operand }));
        argument.unwrap_or(value)
    }

    /// The phi that `borrowed` is about, where `value` is one.
    fn borrowed_phi(&self, value: Value) -> Value {
        match self.view.definition(value) {
            Some((id, Opcode::Borrowed)) => Borrowed::of(self.view.body, id).value,
            _ => value,
        }
    }

    /// Whether `value` begins a borrow: one that must be ended, or one that a caller or a coroutine holds.
    pub fn introduces_borrow(&self, value: Value) -> bool {
        if self.view.ownership(value) != Ownership::Guaranteed {
            return false;
        }
        if self.view.argument_convention(value).is_some() || self.ownership_kinds().begins_scope(value) {
            return true;
        }
        let opcode = self.view.definition(value).map(|(_, opcode)| opcode);
        use Opcode::{BeginApply, UncheckedOwnership, UncheckedOwnershipConversion};
        matches!(opcode, Some(BeginApply | UncheckedOwnershipConversion | UncheckedOwnership))
    }

    /// The values whose borrows the guaranteed value `value` lives in; none for other values. A value that begins a
    /// borrow is its own.
    pub fn borrow_introducers(&self, value: Value) -> Vec<Value> {
        let mut found = self.lifetimes_of(vec![value]);
        found.retain(|value| self.view.ownership(*value) == Ownership::Guaranteed);
        found
    }

    /// The values whose lifetimes directly enclose the guaranteed value `value`: of a borrow its source, of a forwarded
    /// borrow the borrow. None for values that no other value of the function keeps alive.
    pub fn enclosing_values(&self, value: Value) -> Vec<Value> {
        if self.view.ownership(value) != Ownership::Guaranteed {
            return Vec::new();
        }
        let introduced = self.borrowed_phi(value);
        if !self.introduces_borrow(introduced) {
            return self.lifetimes_of(vec![value]);
        }
        match self.view.definition(introduced) {
            Some((id, Opcode::BeginBorrow)) => self.lifetimes_of(vec![Unary::of(self.view.body, id).operand]),
            None if self.view.argument_convention(introduced).is_none() => {
                self.lifetimes_of(self.enclosing_values_of_phi(introduced))
            }
            _ => Vec::new(),
        }
    }

    /// The values that `borrowed phi from …` names, or those that were found for a phi without.
    pub fn enclosing_values_of_phi(&self, phi: Value) -> Vec<Value> {
        for found in self.view.uses.of(phi) {
            if found.operand == 0 && self.view.opcode(found.user) == Opcode::Borrowed {
                return Borrowed::of(self.view.body, found.user).enclosing.to_vec();
            }
        }
        self.phis.get(&phi).cloned().unwrap_or_default()
    }

    /// The owned values and the borrows that keep `values` alive, looking through instructions that forward borrowed
    /// values.
    fn lifetimes_of(&self, values: Vec<Value>) -> Vec<Value> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = values;
        work.reverse();
        while let Some(value) = work.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.view.ownership(value) {
                Ownership::None | Ownership::Unowned => {}
                Ownership::Owned => found.push(value),
                Ownership::Guaranteed => {
                    let introduced = self.borrowed_phi(value);
                    if self.introduces_borrow(introduced) {
                        if seen.insert(introduced) || introduced == value {
                            found.push(introduced);
                        }
                    } else {
                        work.extend(self.forwarded_from(value).into_iter().rev());
                    }
                }
            }
        }
        found
    }

    /// The sources of a guaranteed value that begins no borrow.
    fn forwarded_from(&self, value: Value) -> Vec<Value> {
        match self.view.definition(value) {
            Some((id, Opcode::Borrowed)) => self.enclosing_values_of_phi(Borrowed::of(self.view.body, id).value),
            Some((id, Opcode::Apply)) => self.view.body.operands(id).last().copied().into_iter().collect(),
            Some((id, Opcode::MarkDependence)) => vec![MarkDependence::of(self.view.body, id).value],
            Some((id, _)) => self.view.body.operands(id).to_vec(),
            None if self.view.incoming_values(value).is_some() => self.enclosing_values_of_phi(value),
            None => self.switched_from(value),
        }
    }

    /// The value whose payload, or cast, a terminator passes to the block argument `value`.
    fn switched_from(&self, value: Value) -> Vec<Value> {
        let Definition::Argument { block, .. } = self.view.body.values[value].definition else { return Vec::new() };
        let predecessor = self.view.cfg.single_predecessor(block);
        let terminator = predecessor.and_then(|predecessor| self.view.body.terminator(predecessor));
        terminator.and_then(|id| self.view.operand(id, 0)).into_iter().collect()
    }

    /// The values that `value` directly needs alive, with the reasons, without doubles.
    pub fn dependences(&self, value: Value) -> Vec<(DependenceKind, Value)> {
        let mut found: Vec<(DependenceKind, Value)> = Vec::new();
        let mut add = |kind, values: Vec<Value>| {
            for other in values {
                if other != value && !found.contains(&(kind, other)) {
                    found.push((kind, other));
                }
            }
        };
        add(DependenceKind::Borrow, self.enclosing_values(value));
        if self.view.body.ty(value).is_address() {
            let located = LocatedAccess::of(self.view, value);
            add(DependenceKind::Marked, located.scopes.iter().filter_map(|scope| self.marked_base(*scope)).collect());
            add(DependenceKind::Interior, self.holder(located.access));
        } else if let Some((id, opcode)) = self.view.definition(value) {
            let operands = self.view.body.operands(id);
            let on_stack = self.view.body.instructions[id].attributes.contains(Attribute::OnStack);
            match opcode {
                Opcode::MarkDependence => add(DependenceKind::Marked, operands[1..].to_vec()),
                Opcode::PartialApply if on_stack => add(DependenceKind::Captured, operands[1..].to_vec()),
                _ => {}
            }
        }
        found
    }

    fn marked_base(&self, scope: AccessScope) -> Option<Value> {
        match scope {
            AccessScope::Dependence(mark) => MarkDependence::get(self.view.body, mark).map(|mark| mark.base),
            AccessScope::Access(_) => None,
        }
    }

    /// The object or box that the memory of `access` lies in.
    fn holder(&self, access: AccessPath) -> Vec<Value> {
        access.base.reference(self.view).into_iter().collect()
    }

    /// All values that `value` needs alive, directly or through others, and that need no other themselves.
    pub fn roots(&self, value: Value) -> Vec<Value> {
        let mut roots = Vec::new();
        let mut work = Worklist::new([value]);
        while let Some(value) = work.pop() {
            let needed = self.dependences(value);
            if needed.is_empty() {
                roots.push(value);
            }
            work.extend(needed.into_iter().rev().map(|(_, other)| other));
        }
        roots
    }
}

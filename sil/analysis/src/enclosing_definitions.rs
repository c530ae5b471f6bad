//! The scopes that directly enclose borrowed values, as Swift's passes in C++ find them (`FindEnclosingDefs` in
//! lib/SIL/Utils/OwnershipUtils.cpp): from the values that branches pass for block arguments, each of which is followed
//! once, whatever `borrowed … from` states.
//!
//! Does not own the use of `borrowed … from` by passes in Swift, which is in `dependence`.

use rustc_hash::FxHashSet;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Borrowed, Unary};
use sil_ir::model::{BlockId, Definition, Ownership, Value};

use super::forwarding::forwarded_from;
use super::{BodyView, OwnershipKinds};

/// The values in the scopes of which a borrowed value lives: of one that begins a scope itself those around that.
pub fn enclosing_definitions(view: &BodyView<'_>, value: Value) -> Vec<Value> {
    let Some(mut search) = Search::new(view) else { return Vec::new() };
    if view.ownership(value) != Ownership::Guaranteed {
        return Vec::new();
    }
    let mut found = Vec::new();
    if search.is_reborrow(value) {
        search.around_reborrow(value, &mut found);
    } else if search.begins_scope(value) {
        search.around_begin(value, &mut found);
    } else {
        search.introducers(value, &mut found, &mut FxHashSet::default());
    }
    found
}

/// The owned values and the beginnings of scopes that a value comes from by forwarding.
pub fn scope_introducers(view: &BodyView<'_>, value: Value) -> Vec<Value> {
    let mut found = Vec::new();
    if let Some(mut search) = Search::new(view) {
        search.introducers(value, &mut found, &mut FxHashSet::default());
    }
    found
}

struct Search<'v, 'm> {
    view: &'v BodyView<'m>,
    kinds: &'v OwnershipKinds<'m>,
    seen_phis: FxHashSet<Value>,
}

impl<'v, 'm> Search<'v, 'm> {
    /// None in functions without ownership, where nothing is borrowed.
    fn new(view: &'v BodyView<'m>) -> Option<Self> {
        Some(Self { view, kinds: view.ownership_kinds()?, seen_phis: FxHashSet::default() })
    }

    /// Whether a value is a block argument that continues the scope of the values that branches pass (a reborrow).
    fn is_reborrow(&self, value: Value) -> bool {
        matches!(self.view.body.values[value].definition, Definition::Argument { .. }) && self.kinds.begins_scope(value)
    }

    /// Whether a borrowed value begins a scope, or lives in one of the caller.
    fn begins_scope(&self, value: Value) -> bool {
        let is_passed_in = self.view.argument_convention(value).is_some();
        let opcode = self.view.definition(value).map(|(_, opcode)| opcode);
        is_passed_in || matches!(opcode, Some(Opcode::BeginBorrow | Opcode::LoadBorrow)) || self.is_reborrow(value)
    }

    /// Adds the introducers of `value`. Returns whether there are any.
    fn introducers(&mut self, value: Value, found: &mut Vec<Value>, seen: &mut FxHashSet<Value>) -> bool {
        if !seen.insert(value) {
            return false;
        }
        match self.view.ownership(value) {
            Ownership::None | Ownership::Unowned => return false,
            Ownership::Guaranteed if !self.begins_scope(value) => {}
            Ownership::Owned | Ownership::Guaranteed => {
                found.push(value);
                return true;
            }
        }
        if self.view.incoming_values(value).is_some() {
            return self.introducers_of_phi(value, found, seen);
        }
        let mut is_found = false;
        for forwarded in forwarded_from(self.view, value) {
            if self.view.ownership(*forwarded) == Ownership::Guaranteed {
                is_found |= self.introducers(*forwarded, found, seen);
            }
        }
        is_found
    }

    fn introducers_of_phi(&mut self, phi: Value, found: &mut Vec<Value>, seen: &mut FxHashSet<Value>) -> bool {
        if !self.seen_phis.insert(phi) {
            return false;
        }
        let mut is_found = false;
        for (from, incoming) in self.incoming(phi) {
            let mut introducers = Vec::new();
            if self.introducers(incoming, &mut introducers, &mut FxHashSet::default()) {
                is_found = true;
                self.add_passed(from, introducers, found, seen);
            }
        }
        is_found
    }

    /// Adds the scopes around a reborrow.
    fn around_reborrow(&mut self, phi: Value, found: &mut Vec<Value>) {
        if !self.seen_phis.insert(phi) {
            return;
        }
        let mut seen = FxHashSet::default();
        for (from, incoming) in self.incoming(phi) {
            let incoming = match self.view.definition(incoming) {
                Some((id, Opcode::Borrowed)) => Borrowed::of(self.view.body, id).value,
                _ => incoming,
            };
            let mut around = Vec::new();
            if self.view.incoming_values(incoming).is_some() {
                self.around_reborrow(incoming, &mut around);
            } else {
                self.around_begin(incoming, &mut around);
            }
            self.add_passed(from, around, found, &mut seen);
        }
    }

    /// Adds the scopes around the operand of a borrow: a value that is passed in or loaded has no known one.
    fn around_begin(&mut self, value: Value, found: &mut Vec<Value>) {
        if let Some((id, Opcode::BeginBorrow)) = self.view.definition(value) {
            let borrowed = Unary::of(self.view.body, id).operand;
            self.introducers(borrowed, found, &mut FxHashSet::default());
        }
    }

    /// The values that branches pass for an argument. In Swift's compiler the branch that was read last comes first.
    fn incoming(&self, phi: Value) -> Vec<(BlockId, Value)> {
        let Definition::Argument { block, .. } = self.view.body.values[phi].definition else { return Vec::new() };
        let predecessors = self.view.cfg.predecessors(block).iter().rev();
        predecessors.filter_map(|from| Some((*from, self.view.passed(*from, phi)?))).collect()
    }

    /// Adds the values after the branch at the end of a block: the arguments that it passes them for, or themselves.
    fn add_passed(&self, from: BlockId, values: Vec<Value>, found: &mut Vec<Value>, seen: &mut FxHashSet<Value>) {
        let targets = self.view.body.terminator(from).map_or(&[][..], |end| self.view.body.targets(end));
        let arguments = targets.iter().flat_map(|target| self.view.body.blocks[*target].arguments.iter().copied());
        let arguments: Vec<Value> = arguments.collect();
        for value in values {
            let passed = arguments.iter().find(|argument| self.view.passed(from, **argument) == Some(value));
            let after = passed.copied().unwrap_or(value);
            if seen.insert(after) {
                found.push(after);
            }
        }
    }
}

//! Hoists `destroy_value` to the last use of a value if another copy of the value stays alive until the original
//! destroy, so that no object's lifetime becomes shorter. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/DestroyHoisting.swift.
//!
//! The other copy may be a value, or memory that the value is stored to.

use rustc_hash::FxHashSet;
use sil_analysis::{
    AccessBase, AccessPath, AddressEscape, AnalyzedModule, DeadEndBlocks, Dominators, InnerBorrows, InstructionRange,
    LifetimeFacts, OperandOwnership, OwnershipKinds, Use, ValueDependence, Worklist, lifetime_introducers,
};
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Borrowed, Store, Unary};
use sil_ir::model::{BlockId, Body, InstructionId, Ownership, Place, Value};
use sil_ir::types::ArgumentConvention;

use crate::InstructionBuilder;
use crate::pass::{
    Analyzed, Description, Environment, Gates, ModuleEnvironment, OwnershipGate, Pass, Rewrite, Rewrites, Runner,
    change_one_by_one, over_analyzed,
};

pub(crate) const DESTROY_HOISTING: Pass = Pass::new(&Description {
    name: "destroy-hoisting",
    class_name: "DestroyHoisting",
    summary: "Hoists destructions of values that were copied.",
    gates: Gates { ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Module(hoist),
});

/// Hoists the destroys of all functions.
pub(crate) fn hoist(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    change_one_by_one(environment, analyzed, destroyed_values, |analyzed, value| {
        let dependence = ValueDependence::new(analyzed.view);
        Lifetime::new(analyzed, &dependence, value)?.shortened()
    })
}

/// The destroyed values, in the order of their definitions.
fn destroyed_values(body: &Body) -> Vec<Value> {
    let is_destroy = |id: &InstructionId| body.instructions[*id].opcode == Opcode::DestroyValue;
    let destroys = body.placed_instructions().filter(is_destroy);
    let destroyed: FxHashSet<Value> = destroys.map(|id| Unary::of(body, id).operand).collect();
    let mut values = Vec::new();
    for block in body.blocks.keys() {
        values.extend(body.blocks[block].arguments.iter().copied());
        values.extend(body.instructions_in(block).flat_map(|id| body.results(id)));
    }
    values.retain(|value| destroyed.contains(value));
    values
}

/// A value whose destroys may be hoisted.
struct Lifetime<'a, 'v, 'm> {
    analyzed: &'a Analyzed<'v, 'm>,
    dependence: &'a ValueDependence<'v, 'm>,
    dead_ends: DeadEndBlocks,
    dominators: Dominators,
    value: Value,
    destroys: Vec<InstructionId>,
}

impl<'a, 'v, 'm> Lifetime<'a, 'v, 'm> {
    fn new(analyzed: &'a Analyzed<'v, 'm>, dependence: &'a ValueDependence<'v, 'm>, value: Value) -> Option<Self> {
        let view = analyzed.view;
        let users = view.uses.of(value).iter().map(|found| found.user);
        let destroys: Vec<InstructionId> = users.filter(|user| view.opcode(*user) == Opcode::DestroyValue).collect();
        (view.ownership(value) == Ownership::Owned && !destroys.is_empty()).then(|| Self {
            analyzed,
            dependence,
            dead_ends: DeadEndBlocks::new(view.body, &view.cfg),
            dominators: Dominators::new(view.body, &view.cfg),
            value,
            destroys,
        })
    }

    fn kinds(&self) -> &OwnershipKinds<'m> {
        self.dependence.ownership_kinds()
    }

    /// Returns the body with the destroys hoisted, or `None` if no destroy moves.
    fn shortened(&self) -> Option<Body> {
        let hoisted = self.hoistable()?;
        let minimal = self.minimal_range(&hoisted)?;
        Some(self.destroyed_after(&minimal, hoisted))
    }

    /// The destroys at which another copy of the value is alive.
    fn hoistable(&self) -> Option<FxHashSet<InstructionId>> {
        let body = self.analyzed.view.body;
        let extended = self.extended_range()?;
        let is_hoistable = |destroy: &&InstructionId| {
            extended.contains(**destroy) && !self.dead_ends.contains(body.instructions[**destroy].block)
        };
        let found: FxHashSet<InstructionId> = self.destroys.iter().filter(is_hoistable).copied().collect();
        (!found.is_empty()).then_some(found)
    }

    /// The range in which the value, a copy of it, or memory that holds it is alive.
    fn extended_range(&self) -> Option<InstructionRange<'v>> {
        let view = self.analyzed.view;
        let mut range = InstructionRange::new(view.body, &view.cfg, self.value)?;
        let mut open = Worklist::new([self.value]);
        while let Some(value) = open.pop() {
            for found in view.uses.of(value).iter().copied() {
                open.extend(self.forwarded(&mut range, value, found));
            }
        }
        Some(range)
    }

    /// The values that a use copies or forwards its operand to. If the use ends the lifetime, the range is extended to
    /// it.
    fn forwarded(&self, range: &mut InstructionRange<'_>, value: Value, found: Use) -> Vec<Value> {
        let view = self.analyzed.view;
        let has_ownership = |value: &Value| view.ownership(*value) != Ownership::None;
        let opcode = view.opcode(found.user);
        if !self.kinds().operand(found).ends_lifetime() {
            return if opcode == Opcode::CopyValue { view.body.results(found.user).collect() } else { Vec::new() };
        }
        match opcode {
            Opcode::Store => {
                self.extend_in_memory(range, found.user);
                Vec::new()
            }
            Opcode::SwitchEnum | Opcode::CheckedCastBr => {
                let targets = view.body.targets(found.user).iter();
                targets.flat_map(|target| &view.body.blocks[*target].arguments).copied().filter(has_ownership).collect()
            }
            _ if opcode == Opcode::MoveValue || !self.kinds().forwarded_to(found).is_empty() => {
                let results: Vec<Value> = view.body.results(found.user).filter(has_ownership).collect();
                if results.len() == 1 { results } else { Vec::new() }
            }
            // A lexical lifetime must not end earlier than the lifetime of the other copy, which may be shortened
            // unless it is lexical too.
            _ => {
                if !self.is_lexical(self.value) || self.is_lexical(value) {
                    range.insert(found.user);
                }
                Vec::new()
            }
        }
    }

    /// Returns whether a lifetime introducer of `value` is lexical.
    fn is_lexical(&self, value: Value) -> bool {
        let view = self.analyzed.view;
        let mut open = vec![value];
        let mut seen = FxHashSet::default();
        while let Some(value) = open.pop() {
            for origin in lifetime_introducers(view, value) {
                if view.ownership(origin) == Ownership::None || !seen.insert(origin) {
                    continue;
                }
                if self.kinds().is_lexical(&view.cfg, origin) {
                    return true;
                }
                match view.definition(origin) {
                    Some((id, Opcode::BeginBorrow)) => open.push(Unary::of(view.body, id).operand),
                    Some((id, Opcode::Borrowed)) => open.push(Borrowed::of(view.body, id).value),
                    _ => {}
                }
            }
        }
        false
    }

    /// Extends the range to the destroys that are dominated by `store` while its memory still holds the value.
    fn extend_in_memory(&self, range: &mut InstructionRange<'_>, store: InstructionId) {
        let view = self.analyzed.view;
        let block = view.body.instructions[store].block;
        let is_dominated =
            |destroy: &&InstructionId| self.dominators.dominates(block, view.body.instructions[**destroy].block);
        let dominated: Vec<InstructionId> = self.destroys.iter().filter(is_dominated).copied().collect();
        let destination = Store::of(view.body, store).destination;
        if dominated.is_empty()
            || self.is_lexical(self.value) && !self.is_lexical_memory(destination)
            || self.may_change(destination, store)
        {
            return;
        }
        for destroy in dominated {
            view.body.next(destroy).into_iter().for_each(|next| range.insert(next));
        }
    }

    fn is_lexical_memory(&self, address: Value) -> bool {
        let view = self.analyzed.view;
        let base = AccessPath::of(view, address).base;
        match base {
            AccessBase::Box(_) | AccessBase::Class(_) | AccessBase::Tail(_) => {
                base.reference(view).is_some_and(|reference| self.is_lexical(reference))
            }
            AccessBase::Stack(address) => {
                let allocation = view.body.defining(address);
                allocation.is_some_and(|id| view.body.instructions[id].attributes.contains(Attribute::Lexical))
            }
            AccessBase::Global(_) => true,
            AccessBase::Argument(argument) => {
                use ParameterConvention::{In, InGuaranteed, InOut, InOutAliasable};
                let convention = view.argument_convention(argument);
                let is_in_memory = matches!(
                    convention,
                    Some(ArgumentConvention::Parameter(In | InGuaranteed | InOut | InOutAliasable))
                );
                is_in_memory && self.kinds().is_lexical(&view.cfg, argument)
            }
            AccessBase::Yield(_)
            | AccessBase::StoreBorrow(_)
            | AccessBase::Pointer(_)
            | AccessBase::Index(_)
            | AccessBase::Unidentified(_) => false,
        }
    }

    /// Returns whether the memory that `store` writes may change before the value is destroyed.
    fn may_change(&self, address: Value, store: InstructionId) -> bool {
        let Analyzed { view, aliases, .. } = self.analyzed;
        let body = view.body;
        let origin = body.instructions[store].block;
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut open: Vec<Option<InstructionId>> = vec![body.next(store)];
        while let Some(first) = open.pop() {
            let mut last = None;
            for id in std::iter::successors(first, |id| body.next(*id)) {
                if self.ends_lifetime(id) {
                    last = None;
                    break;
                }
                let is_scope = matches!(view.opcode(id), Opcode::BeginAccess | Opcode::EndAccess | Opcode::EndBorrow);
                if !is_scope && aliases.may_write(id, address) {
                    return true;
                }
                last = Some(id);
            }
            for target in last.map_or(&[][..], |last| body.targets(last)) {
                if self.dominators.dominates(origin, *target) && seen.insert(*target) {
                    open.push(body.first_instruction(*target));
                }
            }
        }
        false
    }

    fn ends_lifetime(&self, id: InstructionId) -> bool {
        let operands = (0..).zip(self.analyzed.view.body.operands(id));
        let mut uses = operands.filter(|(_, value)| **value == self.value);
        uses.any(|(operand, _)| self.kinds().operand(Use { user: id, operand }).ends_lifetime())
    }

    /// The range of the uses without the hoisted destroys, or `None` if not all uses are known.
    fn minimal_range(&self, hoisted: &FxHashSet<InstructionId>) -> Option<InstructionRange<'v>> {
        let view = self.analyzed.view;
        let facts = LifetimeFacts { view, dependence: self.dependence };
        let (mut liveness, mut summary) = facts.simple_liveness(self.value);
        let mut seen = FxHashSet::default();
        while summary.addresses == AddressEscape::None && summary.borrows == InnerBorrows::Reborrowed {
            summary.borrows = InnerBorrows::Contained;
            let users: Vec<InstructionId> = liveness.users().map(|(user, _)| user).collect();
            for phi in users.into_iter().flat_map(|user| self.reborrows(user)).collect::<Vec<_>>() {
                // A phi that is also borrowed from another value would outlive this one.
                if self.dependence.enclosing_values(phi) != [self.value] {
                    return None;
                }
                if seen.insert(phi) {
                    let inner = facts.add_uses_of(&mut liveness, phi);
                    summary.addresses = summary.addresses.max(inner.addresses);
                    summary.borrows = summary.borrows.max(inner.borrows);
                }
            }
        }
        if summary.addresses != AddressEscape::None || summary.borrows != InnerBorrows::Contained {
            return None;
        }
        let mut range = InstructionRange::new(view.body, &view.cfg, self.value)?;
        // The range includes the start of a borrow scope that never ends.
        let direct = view.uses.of(self.value).iter().map(|found| found.user);
        let users = liveness.users().map(|(user, _)| user).chain(direct);
        users.filter(|user| !hoisted.contains(user)).for_each(|user| range.insert(user));
        Some(range)
    }

    /// The phis that a branch reborrows, and their `borrowed` values.
    fn reborrows(&self, user: InstructionId) -> Vec<Value> {
        let view = self.analyzed.view;
        let operands = 0..view.body.operands(user).len() as u32;
        let uses = operands.map(|operand| Use { user, operand });
        let passing = uses.filter(|found| self.kinds().operand(*found) == OperandOwnership::Reborrow);
        let mut found: Vec<Value> = passing.filter_map(|found| view.branch_argument(found)).collect();
        for phi in found.clone() {
            let users = view.uses.of(phi).iter().map(|found| found.user);
            let borrowed = users.filter(|user| view.opcode(*user) == Opcode::Borrowed);
            found.extend(borrowed.filter_map(|borrowed| view.body.result(borrowed)));
        }
        found
    }

    /// Returns the body with the value destroyed at the ends of `range`. Destroys of `old` are reused there, and new
    /// ones are inserted.
    fn destroyed_after(&self, range: &InstructionRange<'_>, mut old: FxHashSet<InstructionId>) -> Body {
        let before = self.analyzed.view.body;
        let mut places: Vec<Place> = Vec::new();
        for end in range.ends().into_iter().filter(|end| !self.ends_lifetime(*end)) {
            match before.targets(end) {
                [] => places.push(Place::After(end)),
                targets => places.extend(targets.iter().map(|target| Place::Start(*target))),
            }
        }
        places.extend(range.blocks().exits(before).into_iter().map(Place::Start));
        let mut body = before.clone();
        for place in places {
            let Some(next) = before.instructions_after(place).next() else { continue };
            if self.dead_ends.contains(before.block_of_place(place)) || old.remove(&next) {
                continue;
            }
            let like = if let Place::After(end) = place { end } else { next };
            InstructionBuilder::new(&mut body, place, like).destroy_value(self.value);
        }
        self.destroys.iter().filter(|destroy| old.contains(destroy)).for_each(|destroy| body.erase(*destroy));
        body
    }
}

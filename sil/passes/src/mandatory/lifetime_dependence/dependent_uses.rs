//! Walks over all values and memory that depend on a value with a lifetime dependence: uses, copies, memory that it is
//! stored to (SwiftCompilerSources/Sources/Optimizer/Utilities/LifetimeDependenceUtils.swift,
//! `LifetimeDependenceDefUseWalker`).
//!
//! Does not own: the handling of the uses (visitors).

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use sil_analysis::{
    AccessBase, AccessPath, AccessScope, LocatedAccess, OperandOwnership, Use, escapes_as_bits, reference_root,
};
use sil_ir::context::LifetimeDependenceKind;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::MarkDependence;
use sil_ir::model::{InstructionId, Ownership, Value};

use super::address_use::AddressUse;
use super::facts::{Facts, MarkKind, is_ownership_transition, is_storing};
use super::local_accesses::{LocalAccess, LocalAccessKind};
use super::reachability::Reachabilities;
use super::scope::LifetimeDependence;

/// Whether a walk continues.
pub(super) type Flow = ControlFlow<()>;

/// Handles the uses of dependent values.
pub(super) trait DependenceVisitor {
    /// A use that does not forward the value.
    fn leaf_use(&mut self, found: Use) -> Flow;

    /// An unused value, and the use that made it.
    fn dead_value(&mut self, from: Option<Use>) -> Flow;

    /// A use after which the value is not tracked.
    fn escape(&mut self, found: Use) -> Flow;

    /// The value is in an `inout` argument at the end of the function.
    fn inout_dependence(&mut self, argument: Value, found: Use) -> Flow;

    /// The value is returned, or stored to the address of a result.
    fn returned(&mut self, found: Use) -> Flow;

    /// The value is yielded.
    fn yielded(&mut self, found: Use) -> Flow;

    /// The value is stored to a yielded address.
    fn stored_to_yield(&mut self, address: Value, found: Use) -> Flow;

    /// An unknown use of an address.
    fn unknown_address_use(&mut self, found: Use) -> Flow;
}

/// A walk over the values that depend on one value.
pub(super) struct DependentUses<'f, 'v, 'm, V> {
    facts: &'f Facts<'v, 'm>,
    variables: &'f Reachabilities,
    visitor: V,
    seen: FxHashSet<Value>,
}

impl<'f, 'v, 'm, V: DependenceVisitor> DependentUses<'f, 'v, 'm, V> {
    /// Visits all uses of the dependent value of `dependence`. Breaks if the visitor does, or if a use is not known.
    pub(super) fn visit(
        facts: &'f Facts<'v, 'm>,
        variables: &'f Reachabilities,
        dependence: &LifetimeDependence,
        visitor: V,
    ) -> (V, Flow) {
        let mut walk = Self { facts, variables, visitor, seen: FxHashSet::default() };
        let flow = walk.visit_dependence(dependence);
        (walk.visitor, flow)
    }

    fn visit_dependence(&mut self, dependence: &LifetimeDependence) -> Flow {
        let marked_address = dependence.mark.filter(|mark| self.opcode(*mark) == Opcode::MarkDependenceAddr);
        if let Some(mark) = marked_address {
            return self.stored(Use { user: mark, operand: 1 }, dependence.dependent);
        }
        if self.facts.view.body.ty(dependence.dependent).is_address() {
            return self.visit_address(dependence.dependent);
        }
        self.visit_value(dependence.dependent, None)
    }

    fn opcode(&self, id: InstructionId) -> Opcode {
        self.facts.view.opcode(id)
    }

    fn visit_value(&mut self, value: Value, from: Option<Use>) -> Flow {
        if self.facts.may_escape(value) || !self.seen.insert(value) {
            return Flow::Continue(());
        }
        let uses = self.facts.uses(value);
        if uses.is_empty() {
            return self.visitor.dead_value(from);
        }
        uses.into_iter().try_for_each(|found| self.visit_use(value, found))
    }

    fn visit_use(&mut self, value: Value, found: Use) -> Flow {
        use OperandOwnership::*;
        let view = self.facts.view;
        let ownership = view.ownership(value);
        if !matches!(ownership, Ownership::Owned | Ownership::Guaranteed) {
            return Flow::Continue(());
        }
        let opcode = self.opcode(found.user);
        if opcode == Opcode::MarkDependence && found.operand == 1 {
            return match self.facts.mark_kind(found.user) {
                MarkKind::Unresolved | MarkKind::NonEscaping => self.visit_result(found),
                MarkKind::Escaping => self.visitor.escape(found),
            };
        }
        match self.facts.kinds().operand(found) {
            Mention => Flow::Continue(()),
            Consume | Instantaneous | InstantaneousOrUnowned | ForwardUnowned | EndBorrow | Trivial => {
                self.leaf(found, opcode)
            }
            Reborrow => self.leaf(found, opcode),
            Escape if escapes_as_bits(opcode) => self.leaf(found, opcode),
            Escape if opcode == Opcode::ProjectBox && ownership == Ownership::Guaranteed => self.interior(found),
            Escape if opcode == Opcode::MarkDependenceAddr && found.operand == 1 => {
                self.dependent_address(found, MarkDependence::of(view.body, found.user).value)
            }
            Escape => self.visitor.escape(found),
            ForwardOwned | ForwardBorrowed => self.forwarded(found),
            Borrow => self.borrowed(found, opcode),
            InteriorPointer => self.interior(found),
        }
    }

    fn interior(&mut self, found: Use) -> Flow {
        use Opcode::{OpenExistentialBox, ProjectBox, RefElementAddr, RefTailAddr};
        let projects =
            matches!(self.opcode(found.user), RefTailAddr | RefElementAddr | ProjectBox | OpenExistentialBox);
        match self.facts.view.body.result(found.user).filter(|_| projects) {
            Some(address) => self.visit_address(address),
            None => self.visitor.escape(found),
        }
    }

    fn leaf(&mut self, found: Use, opcode: Opcode) -> Flow {
        use Opcode::*;
        let view = self.facts.view;
        if self.facts.kinds().operand(found) == OperandOwnership::EndBorrow {
            return self.visitor.leaf_use(found);
        }
        match opcode {
            _ if is_ownership_transition(opcode) => self.visit_result(found),
            ExistentialMetatype
            | FixLifetime
            | WitnessMethod
            | DynamicMethodBr
            | ValueMetatype
            | DestroyNotEscapedClosure
            | ClassMethod
            | SuperMethod
            | ClassifyBridgeObject
            | DebugValue
            | ObjCMethod
            | ObjCSuperMethod
            | UnmanagedRetainValue
            | UnmanagedReleaseValue
            | SelectEnum
            | IgnoredUse => self.visitor.leaf_use(found),
            DestroyValue | EndLifetime | DeallocRef | DeallocBox | DeallocExistentialBox | DeallocPartialRef => {
                self.visitor.leaf_use(found)
            }
            TupleAddrConstructor => match view.operand(found.user, 0) {
                Some(destination) => self.stored(found, destination),
                None => self.visitor.escape(found),
            },
            _ if is_storing(opcode) => match destination(view.body.operands(found.user), opcode, found.operand) {
                Some(destination) => self.stored(found, destination),
                None => self.not_forwarded(found),
            },
            _ => self.not_forwarded(found),
        }
    }

    fn visit_result(&mut self, found: Use) -> Flow {
        match self.facts.view.body.result(found.user) {
            Some(result) => self.visit_value(result, Some(found)),
            None => self.visitor.escape(found),
        }
    }

    fn forwarded(&mut self, found: Use) -> Flow {
        let view = self.facts.view;
        let opcode = self.opcode(found.user);
        // A store forwards its source.
        if is_storing(opcode) || opcode == Opcode::TupleAddrConstructor {
            return self.leaf(found, opcode);
        }
        if let Some(argument) = view.branch_argument(found) {
            let returns = |user: &Use| self.opcode(user.user).returns();
            if view.uses.of(argument).iter().any(returns) {
                return self.visitor.returned(found);
            }
            return self.visit_value(argument, Some(found));
        }
        if is_ownership_transition(opcode) {
            return self.visit_result(found);
        }
        let is_base = opcode == Opcode::MarkDependence && found.operand == 1;
        let is_call = matches!(opcode, Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply);
        let results = if is_base || is_call { Vec::new() } else { self.results(found.user) };
        if results.is_empty() {
            return self.not_forwarded(found);
        }
        results.into_iter().try_for_each(|value| self.visit_value(value, Some(found)))
    }

    /// Returns the results of an instruction, or the block arguments of a switch or a cast.
    fn results(&self, id: InstructionId) -> Vec<Value> {
        let body = self.facts.view.body;
        match self.opcode(id) {
            Opcode::SwitchEnum | Opcode::CheckedCastBr => {
                body.targets(id).iter().flat_map(|target| &body.blocks[*target].arguments).copied().collect()
            }
            _ => body.results(id).collect(),
        }
    }

    fn not_forwarded(&mut self, found: Use) -> Flow {
        if self.facts.full_apply(found.user).is_some() {
            return self.applied(found);
        }
        let is_escapable = self.facts.is_escapable(self.facts.view.used_value(found));
        match self.opcode(found.user) {
            opcode if opcode.returns() && !is_escapable => self.visitor.returned(found),
            Opcode::Yield if !is_escapable => self.visitor.yielded(found),
            _ => self.visitor.escape(found),
        }
    }

    fn borrowed(&mut self, found: Use, opcode: Opcode) -> Flow {
        let view = self.facts.view;
        match opcode {
            Opcode::PartialApply | Opcode::BeginBorrow | Opcode::Borrowed => self.visit_result(found),
            Opcode::StoreBorrow => match view.body.result(found.user) {
                Some(address) => self.visit_address(address),
                None => self.visitor.escape(found),
            },
            Opcode::BeginApply => {
                for yielded in self.facts.yields(found.user) {
                    self.visit_value(yielded, Some(found))?;
                }
                self.scope_token_uses(found)
            }
            _ => self.visitor.escape(found),
        }
    }

    fn scope_token_uses(&mut self, found: Use) -> Flow {
        let token = self.facts.token(found.user);
        let ends = token.map_or_else(Vec::new, |token| self.facts.uses(token));
        ends.into_iter().try_for_each(|end| self.visitor.leaf_use(end))
    }

    fn visit_address(&mut self, address: Value) -> Flow {
        if !self.seen.insert(address) {
            return Flow::Continue(());
        }
        self.facts.uses(address).into_iter().try_for_each(|found| self.visit_address_use(found))
    }

    fn visit_address_use(&mut self, found: Use) -> Flow {
        match AddressUse::of(self.facts, found) {
            AddressUse::Projection(value) => self.visit_address(value),
            AddressUse::Scope => self.scoped_address(found),
            AddressUse::ScopeEnd | AddressUse::Leaf => self.visitor.leaf_use(found),
            AddressUse::Applied => self.applied(found),
            AddressUse::LoadedValue(value) => self.loaded(found, value),
            AddressUse::LoadedAddress(to) => self.loaded_to_address(found, self.facts.view.used_value(to)),
            AddressUse::Yielded if self.facts.is_escapable(self.facts.view.used_value(found)) => {
                self.visitor.leaf_use(found)
            }
            AddressUse::Yielded => self.visitor.yielded(found),
            AddressUse::DependentValue(value) => self.visit_value(value, Some(found)),
            AddressUse::DependentAddress(address) => self.dependent_address(found, address),
            AddressUse::Escaping => self.visitor.escape(found),
            AddressUse::Unrecognized => Flow::Break(()),
            AddressUse::Unknown => self.visitor.unknown_address_use(found),
        }
    }

    fn scoped_address(&mut self, found: Use) -> Flow {
        let result = self.facts.view.body.result(found.user);
        match (self.opcode(found.user), result) {
            (Opcode::BeginAccess, Some(access)) => self.visit_address(access),
            (Opcode::LoadBorrow, Some(loaded)) => self.visit_value(loaded, Some(found)),
            (Opcode::BeginApply, _) => self.scope_token_uses(found),
            _ => self.visitor.leaf_use(found),
        }
    }

    fn loaded(&mut self, found: Use, value: Value) -> Flow {
        self.visitor.leaf_use(found)?;
        self.visit_value(value, Some(found))
    }

    fn loaded_to_address(&mut self, found: Use, address: Value) -> Flow {
        self.visitor.leaf_use(found)?;
        self.stored(found, address)
    }

    fn dependent_address(&mut self, found: Use, address: Value) -> Flow {
        self.visitor.leaf_use(found)?;
        self.stored(found, address)
    }

    /// Visits the uses of a value that `found` stores at `address`. A variable depends as a whole if a part of it does.
    fn stored(&mut self, found: Use, address: Value) -> Flow {
        let view = self.facts.view;
        let convention = |argument| view.argument_convention(argument);
        let base = AccessPath::of(view, address).base;
        let variable = match base {
            AccessBase::Box(_) => base.reference(view).map(|reference| reference_root(view, reference)),
            AccessBase::Stack(allocation) => Some(allocation),
            AccessBase::Argument(argument) => match convention(argument) {
                Some(found) if found.is_indirect_in() || found.is_inout() => Some(argument),
                Some(passed) if passed.is_indirect_out() && !self.facts.is_escapable(argument) => {
                    return self.visitor.returned(found);
                }
                _ => None,
            },
            AccessBase::Yield(_) => return self.visitor.stored_to_yield(address, found),
            _ => None,
        };
        match variable.filter(|variable| !self.facts.is_escapable(*variable)) {
            Some(variable) => self.stored_to_variable(variable, found, address),
            None if self.facts.is_escapable(address) => Flow::Continue(()),
            None => self.visitor.escape(found),
        }
    }

    fn stored_to_variable(&mut self, variable: Value, found: Use, address: Value) -> Flow {
        let Some(reachability) = self.variables.of(self.facts, variable) else { return self.visitor.escape(found) };
        let scope = LocatedAccess::of(self.facts.view, address).scopes.first().copied();
        let store = match scope {
            Some(AccessScope::Access(begin)) => begin,
            _ => found.user,
        };
        let Some(accesses) = reachability.uses_of(self.facts, store) else { return self.visitor.escape(found) };
        accesses.into_iter().try_for_each(|access| self.accessed(variable, access, found))
    }

    fn accessed(&mut self, variable: Value, access: LocalAccess, stored: Use) -> Flow {
        use LocalAccessKind::*;
        let (Some(operand), Some(id)) = (access.operand, access.instruction) else {
            return match access.kind {
                OutgoingArgument => self.visitor.inout_dependence(variable, stored),
                _ => Flow::Continue(()),
            };
        };
        match access.kind {
            BeginAccess => self.scoped_address(operand),
            Load => match AddressUse::of(self.facts, operand) {
                AddressUse::LoadedValue(value) => self.loaded(operand, value),
                AddressUse::LoadedAddress(to) => self.loaded_to_address(operand, self.facts.view.used_value(to)),
                AddressUse::Scope => match self.facts.view.body.result(id) {
                    Some(value) => self.loaded(operand, value),
                    None => Flow::Break(()),
                },
                // The targets of a switch over the memory use its address.
                _ if self.opcode(id) == Opcode::SwitchEnumAddr => Flow::Continue(()),
                _ => Flow::Break(()),
            },
            DependenceSource => {
                let marked = MarkDependence::get(self.facts.view.body, id).map(|mark| mark.value);
                match (self.facts.view.body.result(id), marked) {
                    (Some(value), _) if !self.facts.view.body.ty(value).is_address() => self.loaded(operand, value),
                    (_, Some(address)) => self.loaded_to_address(operand, address),
                    _ => Flow::Break(()),
                }
            }
            Apply => self.applied(operand),
            Escape => self.visitor.escape(operand),
            InoutYield => self.visitor.yielded(operand),
            DependenceDest | Store | StoreBorrow | DeadEnd | IncomingArgument | OutgoingArgument => Flow::Continue(()),
        }
    }

    fn applied(&mut self, found: Use) -> Flow {
        let convention = self.facts.convention_of(found);
        if convention.is_some_and(|convention| convention.is_indirect_out()) {
            return self.dependent_address(found, self.facts.view.used_value(found));
        }
        if found.operand == 0 {
            return self.visitor.leaf_use(found);
        }
        if self.facts.result_dependence(found) == Some(LifetimeDependenceKind::Inherited) {
            self.inherited(found)?;
        }
        if self.opcode(found.user) == Opcode::BeginApply {
            return self.scope_token_uses(found);
        }
        self.visitor.leaf_use(found)
    }

    /// Visits the results of a call, which depend on the dependencies of its argument.
    fn inherited(&mut self, found: Use) -> Flow {
        if let Some(result) = self.facts.direct_result(found.user)
            && !self.facts.is_escapable(result)
        {
            self.visit_value(result, Some(found))?;
        }
        for result in self.facts.indirect_result_operands(found.user) {
            let address = self.facts.view.used_value(result);
            if !self.facts.is_escapable(address) {
                self.dependent_address(found, address)?;
            }
        }
        Flow::Continue(())
    }
}

/// Returns the address to which an instruction stores the operand number `operand`; `None` if that is no stored value.
fn destination(operands: &[Value], opcode: Opcode, operand: u32) -> Option<Value> {
    // `assign_or_init` has the place of the property first.
    let (source, destination) = if opcode == Opcode::AssignOrInit { (1, 0) } else { (0, 1) };
    (operand == source).then(|| operands.get(destination).copied()).flatten()
}

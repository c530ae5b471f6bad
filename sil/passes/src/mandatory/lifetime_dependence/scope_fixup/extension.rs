//! Determines the scopes that must be extended for their dependent values, and the extent.

use rustc_hash::FxHashSet;
use sil_analysis::{AccessScope, InstructionRange, LocatedAccess, PathOverlap, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{InstructionId, Value};

use super::super::dependent_uses::{DependenceVisitor, DependentUses, Flow};
use super::super::facts::Facts;
use super::super::initializers::{Initializer, first_instruction};
use super::super::owner_range::OwnerRange;
use super::super::reachability::Reachabilities;
use super::super::scope::{LifetimeDependence, Scope, range_to};
use super::ends::can_end_coroutine;
use crate::editing::editor::Editor;

/// A scope that may be extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExtendableScope {
    pub(super) scope: Scope,
    /// The instruction that begins it.
    pub(super) first: InstructionId,
    kind: Introducer,
}

/// The begin of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Introducer {
    /// An instruction with explicit ends.
    Scoped,
    /// The initialisation of stack memory.
    Stack(Value),
    /// An owned value.
    Owned(Value),
}

impl ExtendableScope {
    /// Returns the scope of an instruction; `None` if that begins a variable.
    fn begun(facts: &Facts<'_, '_>, scope: Scope, begin: InstructionId) -> Option<Self> {
        if facts.is_variable_scope(begin) {
            return None;
        }
        let kind = match scope.allocation(facts) {
            _ if facts.begins_scope(begin) => Introducer::Scoped,
            Some(allocation) => Introducer::Stack(allocation),
            None => return None,
        };
        Some(Self { scope, first: begin, kind })
    }

    /// Returns the scope of an owned temporary whose ends are destroys.
    fn owned(facts: &Facts<'_, '_>, scope: Scope, owner: Value) -> Option<Self> {
        let ends = facts.uses(owner).into_iter().filter(|found| facts.kinds().operand(*found).ends_lifetime());
        let is_destroy = |found: Use| facts.view.opcode(found.user) == Opcode::DestroyValue;
        let is_variable = facts.view.body.defining(owner).is_some_and(|id| facts.is_variable_scope(id));
        if !facts.is_escapable(owner) || is_variable || !ends.into_iter().all(is_destroy) {
            return None;
        }
        Some(Self { scope, first: first_instruction(facts, owner)?, kind: Introducer::Owned(owner) })
    }

    /// Returns the ends of the scope.
    pub(super) fn ends(&self, facts: &Facts<'_, '_>) -> Vec<InstructionId> {
        let users = |value, is_end: &dyn Fn(&Use) -> bool| {
            let uses = facts.uses(value).into_iter();
            uses.filter(|found| is_end(found)).map(|found| found.user).collect()
        };
        match self.kind {
            Introducer::Scoped => facts.scope_ends(self.first),
            Introducer::Stack(allocation) => {
                users(allocation, &|found| facts.view.opcode(found.user) == Opcode::DeallocStack)
            }
            Introducer::Owned(owner) => users(owner, &|found| facts.kinds().operand(*found).ends_lifetime()),
        }
    }

    /// Returns the deallocations of its memory.
    pub(super) fn deallocations(&self, facts: &Facts<'_, '_>) -> Vec<InstructionId> {
        let uses = self.scope.allocation(facts).map_or_else(Vec::new, |allocation| facts.uses(allocation));
        let is_dealloc = |id: &InstructionId| facts.view.opcode(*id) == Opcode::DeallocStack;
        uses.into_iter().map(|found| found.user).filter(is_dealloc).collect()
    }
}

/// The nested scopes of a dependence, and their extension.
pub(super) struct Extension {
    /// The owners of the outermost scopes.
    owners: Vec<Value>,
    /// The scopes, the outermost first.
    scopes: Vec<ExtendableScope>,
    /// Whether the dependent value leaves the function.
    depends_on_caller: bool,
    /// The begin of the innermost scope, and the uses of the dependent value.
    pub(super) begin: InstructionId,
    pub(super) uses: Vec<InstructionId>,
    /// The extended scopes, the innermost first.
    pub(super) extended: Vec<ExtendableScope>,
}

impl Extension {
    /// Plans the extension; `None` if the scopes do not change.
    pub(super) fn plan(
        facts: &Facts<'_, '_>,
        variables: &Reachabilities,
        dependence: &LifetimeDependence,
    ) -> Option<Self> {
        let mut gathering = Gathering { facts, seen: FxHashSet::default(), owners: Vec::new(), scopes: Vec::new() };
        gathering.add_scope(dependence.scope);
        let Gathering { owners, scopes, .. } = gathering;
        let (outermost, innermost) = (*scopes.first()?, *scopes.last()?);
        let collector = UseCollector::default();
        let (collector, flow) = DependentUses::visit(facts, variables, dependence, collector);
        if flow.is_break() {
            return None;
        }
        let mut uses = collector.users;
        for owner in &owners {
            let range = OwnerRange::of(facts, variables, *owner, outermost.first)?;
            uses.retain(|id| range.covers(*id));
        }
        let begin = innermost.first;
        let range = range_to(facts, begin, &uses);
        let first = facts.view.body.instructions_in(facts.view.body.entry()).next()?;
        if first != begin && range.contains(first) {
            return None;
        }
        let extended = extended_scopes(facts, &scopes, range)?;
        let depends_on_caller = collector.depends_on_caller;
        Some(Self { owners, scopes, depends_on_caller, begin, uses, extended })
    }

    /// Returns the arguments that a dependent value may depend on when it leaves the function: none if it does not
    /// leave it, or depends on a scope that ends here.
    pub(super) fn caller_arguments(&self, editor: &Editor<'_>) -> Vec<Value> {
        let is_access = |scope: &ExtendableScope| matches!(scope.scope, Scope::Access(_));
        if !self.depends_on_caller || !self.scopes.iter().all(is_access) {
            return Vec::new();
        }
        let view = editor.view();
        let is_exclusive = |owner: &Value| {
            let convention = view.argument_convention(*owner);
            convention.is_some_and(|convention| convention.is_indirect_in() || convention.is_inout())
        };
        if self.owners.iter().all(is_exclusive) { self.owners.clone() } else { Vec::new() }
    }
}

/// Returns the scopes that must be extended to `range`, the innermost first; `None` if one cannot be.
fn extended_scopes(
    facts: &Facts<'_, '_>,
    scopes: &[ExtendableScope],
    mut range: InstructionRange<'_>,
) -> Option<Vec<ExtendableScope>> {
    range.exits().into_iter().for_each(|exit| range.insert(exit));
    let mut extended = Vec::new();
    for scope in scopes.iter().rev() {
        let mut must_extend = false;
        for end in scope.ends(facts) {
            match range.overlap(scope.first, end) {
                PathOverlap::ContainsPath | PathOverlap::ContainsEnd | PathOverlap::Disjoint => must_extend = true,
                PathOverlap::ContainsBegin | PathOverlap::OverlappedByPath => range.insert(end),
            }
        }
        if !must_extend {
            continue;
        }
        extended.push(*scope);
        if !can_extend(facts, scope, &range) {
            return None;
        }
    }
    Some(extended)
}

/// Returns whether a scope can end at the ends of `range`.
fn can_extend(facts: &Facts<'_, '_>, scope: &ExtendableScope, range: &InstructionRange<'_>) -> bool {
    match scope.scope {
        Scope::Yield(_) => {
            let mut boundary = range.ends().into_iter().chain(range.exits());
            boundary.all(|id| can_end_coroutine(facts, scope.first, facts.view.body.instructions[id].block))
        }
        Scope::Initialized(Initializer::Store { .. }) => scope.scope.allocation(facts).is_some(),
        _ => true,
    }
}

struct Gathering<'f, 'v, 'm> {
    facts: &'f Facts<'v, 'm>,
    seen: FxHashSet<Value>,
    owners: Vec<Value>,
    scopes: Vec<ExtendableScope>,
}

impl Gathering<'_, '_, '_> {
    fn add_value(&mut self, value: Value) {
        if self.seen.insert(value) {
            self.add_scope(Scope::of(self.facts, value));
        }
    }

    fn add_scope(&mut self, scope: Scope) {
        if !self.add_extendable(scope) {
            self.owners.extend(scope.parent(self.facts));
        }
    }

    /// Adds a scope after its enclosing ones. Returns false if it cannot be extended.
    fn add_extendable(&mut self, scope: Scope) -> bool {
        let facts = self.facts;
        let begin = scope.parent(facts).and_then(|parent| facts.view.body.defining(parent));
        match (scope, begin) {
            (Scope::Access(begin), _) => self.add_access(begin),
            (Scope::Borrowed(_) | Scope::Local(_), Some(begin)) if facts.begins_scope(begin) => {
                let Some(extendable) = ExtendableScope::begun(facts, scope, begin) else { return false };
                self.add_value(Unary::of(facts.view.body, begin).operand);
                self.scopes.push(extendable);
            }
            (Scope::Yield(_), Some(begin)) => {
                for operand in facts.parameter_operands(begin) {
                    self.add_value(facts.view.used_value(operand));
                }
                self.scopes.extend(ExtendableScope::begun(facts, scope, begin));
            }
            (Scope::Initialized(Initializer::Store { store, .. }), _) => {
                if facts.view.opcode(store) == Opcode::StoreBorrow
                    && let Some(source) = facts.view.operand(store, 0)
                {
                    self.add_value(source);
                }
                let Some(extendable) = ExtendableScope::begun(facts, scope, store) else { return false };
                self.scopes.push(extendable);
            }
            (Scope::Owned(owner) | Scope::Local(owner), _) => {
                let Some(extendable) = ExtendableScope::owned(facts, scope, owner) else { return false };
                self.scopes.push(extendable);
            }
            _ => return false,
        }
        true
    }

    fn add_access(&mut self, begin: InstructionId) {
        let Some(address) = self.facts.view.body.result(begin) else { return };
        let located = LocatedAccess::of(self.facts.view, address);
        if let Some(base) = located.access.base.address() {
            self.add_value(base);
        }
        for scope in located.scopes.iter().rev() {
            if let AccessScope::Access(begin) = scope {
                self.scopes.extend(ExtendableScope::begun(self.facts, Scope::Access(*begin), *begin));
            }
        }
    }
}

/// Collects the uses of a dependent value, and whether it leaves the function.
#[derive(Default)]
struct UseCollector {
    users: Vec<InstructionId>,
    depends_on_caller: bool,
}

impl UseCollector {
    fn add(&mut self, found: Use) -> Flow {
        self.users.push(found.user);
        Flow::Continue(())
    }

    fn leave(&mut self, found: Use) -> Flow {
        self.depends_on_caller = true;
        self.add(found)
    }
}

impl DependenceVisitor for UseCollector {
    fn leaf_use(&mut self, found: Use) -> Flow {
        self.add(found)
    }

    fn dead_value(&mut self, from: Option<Use>) -> Flow {
        from.map_or(Flow::Continue(()), |found| self.add(found))
    }

    fn escape(&mut self, found: Use) -> Flow {
        self.add(found)
    }

    fn inout_dependence(&mut self, _argument: Value, found: Use) -> Flow {
        self.leave(found)
    }

    fn returned(&mut self, found: Use) -> Flow {
        self.leave(found)
    }

    fn yielded(&mut self, found: Use) -> Flow {
        self.add(found)
    }

    fn stored_to_yield(&mut self, _address: Value, _found: Use) -> Flow {
        Flow::Continue(())
    }

    fn unknown_address_use(&mut self, _found: Use) -> Flow {
        Flow::Break(())
    }
}

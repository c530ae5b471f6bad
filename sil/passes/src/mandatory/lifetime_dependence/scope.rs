//! Lifetime dependences: a dependent value, and the scope of the value that it must not outlive
//! (SwiftCompilerSources/Sources/Optimizer/Utilities/LifetimeDependenceUtils.swift, `LifetimeDependence`).

use sil_analysis::{
    AccessBase, AccessScope, ApplyKind, InstructionRange, LocatedAccess, Use, Worklist, forwarded_from,
};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{MarkDependence, Store, Unary};
use sil_ir::model::{InstructionId, Ownership, Value};

use super::facts::{Facts, MarkKind, moves_memory};
use super::initializers::Initializer;

/// The scope of a dependency. Each kind has its value, or the begin of its scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// An argument that the caller keeps alive.
    Caller(Value),
    /// A formal access.
    Access(InstructionId),
    /// A value that a coroutine yields.
    Yield(Value),
    /// An owned value.
    Owned(Value),
    /// A borrow: `begin_borrow` or `load_borrow`.
    Borrowed(Value),
    /// A variable that is a trivial value.
    Local(Value),
    /// The address of a global that is accessed without a formal access.
    Global(Value),
    /// Memory with a single initialisation.
    Initialized(Initializer),
    /// An unknown scope.
    Unknown(Value),
}

impl Scope {
    /// Returns the scope of a dependence on `base`.
    pub(super) fn of(facts: &Facts<'_, '_>, base: Value) -> Scope {
        if facts.view.body.ty(base).is_address() {
            return Self::of_address(facts, base);
        }
        match facts.view.ownership(base) {
            Ownership::Owned => Scope::Owned(base),
            Ownership::Guaranteed => Self::of_guaranteed(facts, base),
            Ownership::None => Self::of_trivial(facts, base),
            Ownership::Unowned => Scope::Unknown(base),
        }
    }

    fn of_address(facts: &Facts<'_, '_>, address: Value) -> Scope {
        let located = LocatedAccess::of(facts.view, address);
        match located.scopes.first() {
            Some(AccessScope::Access(begin)) => Scope::Access(*begin),
            Some(AccessScope::Dependence(mark)) => {
                facts.view.body.result(*mark).map_or(Scope::Unknown(address), Scope::Unknown)
            }
            None => Self::of_base(facts, located.access.base, address),
        }
    }

    fn of_base(facts: &Facts<'_, '_>, base: AccessBase, address: Value) -> Scope {
        match base {
            AccessBase::Box(_) => {
                base.reference(facts.view).map_or(Scope::Unknown(address), |held| Self::of(facts, held))
            }
            AccessBase::Class(found)
            | AccessBase::Tail(found)
            | AccessBase::Pointer(found)
            | AccessBase::Index(found) => Scope::Unknown(found),
            AccessBase::Unidentified(_) => Scope::Unknown(address),
            AccessBase::Stack(allocation) => match Initializer::single(facts, base) {
                Some(Initializer::Store { store, .. }) => {
                    Scope::Initialized(Initializer::Store { store, address: allocation })
                }
                _ => Scope::Unknown(allocation),
            },
            AccessBase::Global(_) => {
                let definition = facts.view.definition(address).map(|(_, opcode)| opcode);
                let is_whole = matches!(definition, Some(Opcode::GlobalAddr | Opcode::PointerToAddress));
                if is_whole { Scope::Global(address) } else { Scope::Unknown(address) }
            }
            AccessBase::Argument(argument) => Self::of_argument(facts, argument, address),
            AccessBase::Yield(yielded) => Self::of_yield(facts, yielded),
            AccessBase::StoreBorrow(stored) => match facts.view.body.defining(stored) {
                Some(store) => Scope::Initialized(Initializer::Store { store, address: stored }),
                None => Scope::Unknown(stored),
            },
        }
    }

    fn of_argument(facts: &Facts<'_, '_>, argument: Value, address: Value) -> Scope {
        match facts.view.argument_convention(argument) {
            Some(convention) if convention.is_indirect_in() && !convention.is_guaranteed() => {
                Scope::Initialized(Initializer::Argument(argument))
            }
            Some(convention)
                if convention.is_indirect_in() || convention.is_indirect_out() || convention.is_inout() =>
            {
                Scope::Caller(argument)
            }
            _ => Scope::Unknown(address),
        }
    }

    fn of_guaranteed(facts: &Facts<'_, '_>, base: Value) -> Scope {
        let introducers = facts.dependence.borrow_introducers(base);
        let Some(introducer) = introducers.first().copied() else { return Self::of_trivial(facts, base) };
        if facts.view.argument_convention(introducer).is_some() {
            return Scope::Caller(introducer);
        }
        match facts.view.definition(introducer) {
            Some((_, Opcode::BeginBorrow | Opcode::LoadBorrow)) => Scope::Borrowed(introducer),
            Some((_, Opcode::BeginApply)) => Self::of_yield(facts, introducer),
            _ => Scope::Unknown(base),
        }
    }

    fn of_trivial(facts: &Facts<'_, '_>, value: Value) -> Scope {
        if facts.view.argument_convention(value).is_some() {
            return Scope::Caller(value);
        }
        match facts.view.definition(value) {
            Some((id, _)) if facts.is_variable_scope(id) => Scope::Local(value),
            // The token of a coroutine represents its scope.
            Some((begin, Opcode::BeginApply)) if facts.token(begin) == Some(value) => Scope::Yield(value),
            _ => Scope::Unknown(value),
        }
    }

    fn of_yield(facts: &Facts<'_, '_>, yielded: Value) -> Scope {
        let is_in = facts.yield_convention(yielded).is_some_and(|convention| convention.is_indirect_in());
        if is_in { Scope::Initialized(Initializer::Yield(yielded)) } else { Scope::Yield(yielded) }
    }

    /// Returns the dependency.
    pub(super) fn parent(self, facts: &Facts<'_, '_>) -> Option<Value> {
        match self {
            Scope::Access(begin) => facts.view.body.result(begin),
            Scope::Initialized(initializer) => Some(initializer.address()),
            Scope::Caller(value)
            | Scope::Yield(value)
            | Scope::Owned(value)
            | Scope::Borrowed(value)
            | Scope::Local(value)
            | Scope::Global(value)
            | Scope::Unknown(value) => Some(value),
        }
    }

    /// Returns the `alloc_stack` of memory that a store initialises.
    pub(super) fn allocation(self, facts: &Facts<'_, '_>) -> Option<Value> {
        let Scope::Initialized(Initializer::Store { store, address }) = self else { return None };
        if matches!(facts.view.definition(address), Some((_, Opcode::AllocStack))) {
            return Some(address);
        }
        let destination =
            Store::get(facts.view.body, store).filter(|_| facts.view.opcode(store) == Opcode::StoreBorrow);
        destination.map(|stored| stored.destination)
    }

    /// Returns the scope under borrows that begin no variable; `None` if this is no such borrow
    /// (`LifetimeDependence.Scope.ignoreBorrowScope`).
    pub(super) fn without_borrow(self, facts: &Facts<'_, '_>) -> Option<Scope> {
        let Scope::Borrowed(borrow) = self else { return None };
        let (id, opcode) = facts.view.definition(borrow)?;
        let operand = Unary::of(facts.view.body, id).operand;
        match opcode {
            Opcode::BeginBorrow if facts.is_variable_scope(id) => None,
            Opcode::BeginBorrow => Scope::of(facts, operand).without_borrow(facts),
            _ => Some(Scope::of(facts, operand)),
        }
    }

    /// Returns the range of the scope; `None` if it is the whole function.
    pub(super) fn range<'f>(self, facts: &'f Facts<'_, '_>) -> Option<InstructionRange<'f>> {
        match self {
            Scope::Caller(_) | Scope::Global(_) => None,
            Scope::Access(begin) => Some(scope_range(facts, begin)),
            Scope::Yield(value) => Some(scope_range(facts, facts.view.body.defining(value)?)),
            Scope::Owned(value) | Scope::Borrowed(value) | Scope::Local(value) => linear_range(facts, value),
            Scope::Initialized(initializer) => initialized_range(facts, initializer),
            Scope::Unknown(value) if facts.has_trivial_type(value) => None,
            Scope::Unknown(value) => InstructionRange::new(facts.view.body, &facts.view.cfg, value),
        }
    }
}

/// Returns the range from `begin` to `ends`.
pub(super) fn range_to<'f>(
    facts: &'f Facts<'_, '_>,
    begin: InstructionId,
    ends: &[InstructionId],
) -> InstructionRange<'f> {
    let mut range = InstructionRange::beginning_with(facts.view.body, &facts.view.cfg, begin);
    ends.iter().for_each(|end| range.insert(*end));
    range
}

/// Returns the range of the scope that `begin` begins.
pub(super) fn scope_range<'f>(facts: &'f Facts<'_, '_>, begin: InstructionId) -> InstructionRange<'f> {
    range_to(facts, begin, &facts.scope_ends(begin))
}

/// Returns the range of an owned value, a borrow or a variable up to its lifetime-ending uses
/// (`computeLinearLiveness`).
pub(super) fn linear_range<'f>(facts: &'f Facts<'_, '_>, value: Value) -> Option<InstructionRange<'f>> {
    let mut range = InstructionRange::new(facts.view.body, &facts.view.cfg, value)?;
    facts.variable_scope_ends(value).into_iter().for_each(|end| range.insert(end));
    Some(range)
}

fn initialized_range<'f>(facts: &'f Facts<'_, '_>, initializer: Initializer) -> Option<InstructionRange<'f>> {
    let address = initializer.address();
    if let Initializer::Argument(argument) = initializer
        && facts.view.argument_convention(argument).is_some_and(|convention| convention.is_inout())
    {
        return None;
    }
    if facts.has_trivial_type(address) {
        return addressable_range(facts, initializer);
    }
    let mut range = match initializer {
        Initializer::Argument(_) | Initializer::Yield(_) => {
            InstructionRange::new(facts.view.body, &facts.view.cfg, address)?
        }
        Initializer::Store { store, .. } => InstructionRange::beginning_with(facts.view.body, &facts.view.cfg, store),
    };
    let ends = facts.uses(address).into_iter().filter(|found| ends_memory(facts, *found));
    ends.for_each(|found| range.insert(found.user));
    Some(range)
}

/// Returns whether a use takes or destroys the value at an address, or ends the borrow there.
fn ends_memory(facts: &Facts<'_, '_>, found: Use) -> bool {
    let opcode = facts.view.opcode(found.user);
    match opcode {
        Opcode::DestroyAddr | Opcode::EndBorrow => true,
        Opcode::Load => facts.view.body.instructions[found.user].attributes.contains(Attribute::Take),
        Opcode::UnconditionalCheckedCastAddr | Opcode::UncheckedRefCastAddr => found.operand == 0,
        _ if moves_memory(opcode) && found.operand == 0 => {
            facts.view.body.instructions[found.user].attributes.contains(Attribute::Take)
        }
        _ => false,
    }
}

/// Returns the range in which the address of a trivial value in memory may be used; `None` if no use takes the address.
fn addressable_range<'f>(facts: &'f Facts<'_, '_>, initializer: Initializer) -> Option<InstructionRange<'f>> {
    let Initializer::Store { store, address } = initializer else { return None };
    facts.view.definition(address).filter(|(_, opcode)| *opcode == Opcode::AllocStack)?;
    let uses = facts.uses(address);
    let is_addressable = uses.iter().any(|found| passes_addressable(facts, *found));
    let is_dealloc = |found: &&Use| facts.view.opcode(found.user) == Opcode::DeallocStack;
    let ends: Vec<InstructionId> = uses.iter().filter(is_dealloc).map(|found| found.user).collect();
    if !is_addressable || ends.is_empty() {
        return None;
    }
    let mut range = range_to(facts, store, &ends);
    let mut open = Worklist::new(range.blocks().exits(facts.view.body));
    while let Some(block) = open.pop() {
        let Some(terminator) = facts.view.body.terminator(block) else { continue };
        if facts.view.opcode(terminator) == Opcode::Unreachable {
            range.insert(terminator);
        }
        open.extend(facts.view.body.targets(terminator));
    }
    Some(range)
}

/// Returns whether a call passes a value by its memory, so that its results may point into it
/// (`ApplySite.isAddressable`).
fn passes_addressable(facts: &Facts<'_, '_>, found: Use) -> bool {
    if ApplyKind::of(facts.view.opcode(found.user)).is_none() {
        return false;
    }
    facts.result_dependence(found).is_some_and(|kind| facts.is_addressable(kind, facts.view.used_value(found)))
}

/// A dependence of a value on another one, which it must not outlive.
#[derive(Clone, Copy, Debug)]
pub(super) struct LifetimeDependence {
    /// The scope of the dependency.
    pub(super) scope: Scope,
    /// The dependent value, or the address of dependent memory.
    pub(super) dependent: Value,
    /// The mark of the dependence.
    pub(super) mark: Option<InstructionId>,
}

impl LifetimeDependence {
    /// Returns the dependence of a function's argument on its caller. `None` for the address of a result.
    pub(super) fn of_argument(facts: &Facts<'_, '_>, argument: Value) -> Option<Self> {
        let convention = facts.view.argument_convention(argument)?;
        (!convention.is_indirect_out()).then(|| Self::unmarked(facts, argument))
    }

    /// Returns the dependence of a nonescapable call result without a declared dependence.
    pub(super) fn of_unsafe_result(facts: &Facts<'_, '_>, value: Value) -> Option<Self> {
        (!facts.is_escapable(value)).then(|| Self::unmarked(facts, value))
    }

    fn unmarked(facts: &Facts<'_, '_>, dependent: Value) -> Self {
        Self { scope: Scope::of(facts, dependent), dependent, mark: None }
    }

    /// Returns the dependence of a `mark_dependence` or `mark_dependence_addr`; `None` for an escaping mark.
    pub(super) fn of_mark(facts: &Facts<'_, '_>, mark: InstructionId) -> Option<Self> {
        let base = MarkDependence::get(facts.view.body, mark)?.base;
        Self::with_scope(facts, mark, Scope::of(facts, base))
    }

    /// Returns the dependence of a mark with this scope.
    pub(super) fn with_scope(facts: &Facts<'_, '_>, mark: InstructionId, scope: Scope) -> Option<Self> {
        let marked = MarkDependence::get(facts.view.body, mark)?;
        if facts.mark_kind(mark) == MarkKind::Escaping {
            return None;
        }
        let dependent = facts.view.body.result(mark).unwrap_or(marked.value);
        Some(Self { scope, dependent, mark: Some(mark) })
    }

    /// Returns the range of the dependency; `None` if it is the whole function, or if the dependent value is forwarded
    /// from it.
    pub(super) fn range<'f>(&self, facts: &'f Facts<'_, '_>) -> Option<InstructionRange<'f>> {
        let is_forwarded = self.scope.parent(facts).is_some_and(|parent| is_forwarded(facts, self.dependent, parent));
        if is_forwarded { None } else { self.scope.range(facts) }
    }
}

/// Returns whether `value` is forwarded from `from` only (`Value.isForwarded`).
fn is_forwarded(facts: &Facts<'_, '_>, value: Value, from: Value) -> bool {
    let mut current = value;
    loop {
        if current == from {
            return true;
        }
        match *forwarded_from(facts.view, current) {
            [only] => current = only,
            _ => return false,
        }
    }
}

//! Finds the variables that a value comes from, through copies, borrows and temporaries
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LifetimeDependenceInsertion.swift,
//! `VariableIntroducerUseDefWalker`).

use rustc_hash::FxHashSet;
use sil_analysis::{AccessBase, AccessKind, AccessScope, ApplySite, LocatedAccess, forwarded_from};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{AllocVariable, MarkDependence, Store, Unary};
use sil_ir::model::{InstructionId, Value};
use sil_ir::symbols::Symbol;

use super::facts::{Facts, is_ownership_transition, is_storing, moves_memory};
use super::initializers::Initializer;

/// The treatment of accesses to variables for trivial values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TrivialCopies {
    /// Accesses are ignored: a copy lives as long as the scope of the variable.
    Ignore,
    /// Accesses are introducers.
    Heed,
}

/// Returns the introducers of `value`: the begins of variables and of accesses to them, or values of unknown origin.
pub(super) fn variable_introducers(facts: &Facts<'_, '_>, value: Value, copies: TrivialCopies) -> Vec<Value> {
    let is_trivial = copies == TrivialCopies::Ignore && facts.is_trivial(value);
    let mut search = Search { facts, is_trivial, seen: FxHashSet::default(), found: Vec::new() };
    search.visit(value);
    search.found
}

struct Search<'f, 'v, 'm> {
    facts: &'f Facts<'v, 'm>,
    is_trivial: bool,
    seen: FxHashSet<Value>,
    found: Vec<Value>,
}

impl Search<'_, '_, '_> {
    fn visit(&mut self, value: Value) {
        if self.facts.view.body.ty(value).is_address() {
            self.visit_address(value);
        } else {
            self.visit_value(value);
        }
    }

    fn visit_value(&mut self, value: Value) {
        let view = self.facts.view;
        if let Some((id, opcode)) = view.definition(value) {
            if self.facts.is_variable_scope(id) {
                return self.found.push(value);
            }
            let loads = matches!(opcode, Opcode::Load | Opcode::LoadBorrow | Opcode::LoadWeak | Opcode::LoadUnowned);
            if (loads || is_ownership_transition(opcode) || opcode == Opcode::MarkUninitialized)
                && let Some(operand) = view.operand(id, 0)
            {
                return self.visit(operand);
            }
        }
        match forwarded_from(view, value) {
            [] => self.found.push(value),
            operands => {
                for operand in operands {
                    if self.seen.insert(*operand) {
                        self.visit_value(*operand);
                    }
                }
            }
        }
    }

    fn visit_address(&mut self, address: Value) {
        let view = self.facts.view;
        let located = LocatedAccess::of(view, address);
        let access = located.innermost_access();
        if let (None, AccessBase::Stack(allocation)) = (access, located.access.base)
            && is_named(self.facts, allocation)
        {
            return self.found.push(allocation);
        }
        if !self.seen.insert(address) {
            return;
        }
        if let Some(begin) = access {
            return self.visit_access(begin);
        }
        match located.access.base {
            AccessBase::Stack(allocation) => return self.visit_stack(allocation, address),
            AccessBase::Argument(argument)
                if view.argument_convention(argument).is_some_and(|found| found.is_exclusive_indirect()) =>
            {
                return self.found.push(argument);
            }
            AccessBase::Yield(yielded) => {
                let is_in = self.facts.yield_convention(yielded).is_some_and(|found| found.is_indirect_in());
                if is_in && located.scopes.iter().all(|scope| is_read(self.facts, *scope)) {
                    return self.found.push(yielded);
                }
            }
            AccessBase::StoreBorrow(stored) if located.scopes.is_empty() => {
                let store = view.body.defining(stored).and_then(|id| Store::get(view.body, id));
                let on_stack = |store: &Store| {
                    let base = LocatedAccess::of(view, store.destination).access.base;
                    matches!(base, AccessBase::Stack(_))
                };
                if let Some(store) = store.filter(on_stack) {
                    return self.visit(store.source);
                }
            }
            _ => {}
        }
        let enclosing = match located.scopes.first() {
            Some(AccessScope::Access(id) | AccessScope::Dependence(id)) => view.body.result(*id),
            None => located.access.base.address(),
        };
        self.found.push(enclosing.unwrap_or(address));
    }

    fn visit_access(&mut self, begin: InstructionId) {
        let view = self.facts.view;
        if let Some(owner) = addressor_self(self.facts, begin) {
            return self.visit(owner);
        }
        if self.is_trivial {
            return self.visit(Unary::of(view.body, begin).operand);
        }
        self.found.extend(view.body.result(begin));
    }

    /// Visits a temporary by its initial value.
    fn visit_stack(&mut self, allocation: Value, address: Value) {
        match initial_value(self.facts, allocation) {
            Some(source) => self.visit(source),
            None => self.found.push(address),
        }
    }
}

/// Returns the single initial value of a temporary, or its source address.
fn initial_value(facts: &Facts<'_, '_>, allocation: Value) -> Option<Value> {
    let view = facts.view;
    let initializer = Initializer::single(facts, AccessBase::Stack(allocation))?;
    let Initializer::Store { store, .. } = initializer else { return None };
    let opcode = view.opcode(store);
    if opcode == Opcode::AssignOrInit {
        return view.operand(store, 1);
    }
    if is_storing(opcode) || moves_memory(opcode) {
        return view.operand(store, 0);
    }
    converts_pointer(facts, store)
        .then(|| facts.parameter_operands(store).first().copied())
        .flatten()
        .map(|found| view.used_value(found))
}

/// Returns whether a call only converts its pointer argument to another type.
fn converts_pointer(facts: &Facts<'_, '_>, call: InstructionId) -> bool {
    let called = ApplySite::new(facts.view.body, call).and_then(ApplySite::called_function);
    let symbol = called.and_then(|name| Symbol::demangle(facts.view.module.context.text(name)));
    symbol.and_then(|symbol| symbol.entity()).is_some_and(|entity| entity.name == POINTER_CONVERSION)
}

/// The library's function that converts pointer arguments (lib/AST/ASTContext.cpp).
const POINTER_CONVERSION: &str = "_convertPointerToPointerArgument";

/// Returns whether an allocation belongs to a variable.
pub(super) fn is_named(facts: &Facts<'_, '_>, allocation: Value) -> bool {
    let made = facts.view.body.defining(allocation).and_then(|id| AllocVariable::get(facts.view.body, id));
    made.is_some_and(|made| facts.declared(made.variable).is_some())
}

fn is_read(facts: &Facts<'_, '_>, scope: AccessScope) -> bool {
    matches!(scope, AccessScope::Access(begin) if AccessKind::of(facts.view.body, begin) == AccessKind::Read)
}

/// Returns the `self` whose addressor returned the accessed address (`BeginAccessInst.unsafeAddressorSelf`).
fn addressor_self(facts: &Facts<'_, '_>, begin: InstructionId) -> Option<Value> {
    let view = facts.view;
    view.body.instructions[begin].attributes.contains(Attribute::Unsafe).then_some(())?;
    let located = LocatedAccess::of(view, Unary::of(view.body, begin).operand);
    let Some(AccessScope::Dependence(mark)) = located.scopes.first().copied() else { return None };
    let marked = MarkDependence::of(view.body, mark);
    let within = LocatedAccess::of(view, marked.value);
    (within.scopes.is_empty() && matches!(within.access.base, AccessBase::Pointer(_))).then_some(marked.base)
}

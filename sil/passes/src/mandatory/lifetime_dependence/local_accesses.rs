//! The accesses to a local variable: a box, a stack allocation, or an argument in memory
//! (SwiftCompilerSources/Sources/Optimizer/Utilities/LocalVariableUtils.swift, `LocalVariableAccessMap`).

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{AccessKind, AccessPath, Use, forwarded_from};
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use super::address_use::AddressUse;
use super::facts::{Facts, is_incidental, is_ownership_transition, is_storing, moves_memory};
use super::initializers::Initializer;

/// The kind of an access to a local variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalAccessKind {
    /// The initial value of an argument.
    IncomingArgument,
    /// The end of the function, which leaves its value to the caller.
    OutgoingArgument,
    /// Its address is yielded.
    InoutYield,
    /// A formal access.
    BeginAccess,
    /// A read.
    Load,
    /// Another value depends on its value.
    DependenceSource,
    /// Its value depends on another one from here on.
    DependenceDest,
    /// An initialisation or destroy.
    Store,
    /// A scoped store of a borrowed value.
    StoreBorrow,
    /// The variable is passed to a function.
    Apply,
    /// The variable escapes.
    Escape,
    /// The function never returns from here.
    DeadEnd,
}

/// One access to a local variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalAccess {
    pub(super) kind: LocalAccessKind,
    /// The accessing operand, except for incoming and outgoing arguments.
    pub(super) operand: Option<Use>,
    /// The instruction; `None` for an incoming argument.
    pub(super) instruction: Option<InstructionId>,
}

/// The effect of an access on the variable, in increasing order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Effect {
    /// A read without changes.
    Read,
    /// A change of a part.
    Modify,
    /// The variable may be changed by other code.
    Escape,
    /// A new value for the whole variable.
    Assign,
}

/// The accesses to one variable.
pub(super) struct LocalAccesses {
    /// The allocation or the argument.
    pub(super) allocation: Value,
    pub(super) is_argument: bool,
    pub(super) is_boxed: bool,
    pub(super) may_alias: bool,
    /// All accesses with their effects.
    pub(super) accesses: Vec<(LocalAccess, Effect)>,
    /// The index of the access of each instruction.
    by_instruction: FxHashMap<InstructionId, usize>,
}

impl LocalAccesses {
    /// Returns the accesses to `allocation`; `None` if it is no local variable, or not all accesses are known.
    pub(super) fn of(facts: &Facts<'_, '_>, allocation: Value) -> Option<Self> {
        use ParameterConvention::{In, InOut, InOutAliasable};
        let convention = facts.view.argument_convention(allocation);
        let opcode = facts.view.definition(allocation).map(|(_, opcode)| opcode);
        let is_argument = matches!(convention, Some(ArgumentConvention::Parameter(In | InOut | InOutAliasable)));
        if !is_argument && !matches!(opcode, Some(Opcode::AllocBox | Opcode::AllocStack)) {
            return None;
        }
        let mut walk = Walk { facts, seen: FxHashSet::default(), accesses: Vec::new() };
        if facts.view.body.ty(allocation).is_address() {
            walk.visit_address(allocation)?;
        } else {
            walk.visit_value(allocation)?;
        }
        let accesses: Vec<_> = walk.accesses.into_iter().map(|access| (access, effect(facts, &access))).collect();
        let numbered = accesses.iter().enumerate();
        let by_instruction = numbered.filter_map(|(index, (access, _))| Some((access.instruction?, index))).collect();
        let may_alias = convention == Some(ArgumentConvention::Parameter(InOutAliasable));
        let is_boxed = opcode == Some(Opcode::AllocBox);
        Some(Self { allocation, is_argument, is_boxed, may_alias, accesses, by_instruction })
    }

    /// Returns the access of an instruction.
    pub(super) fn at(&self, id: InstructionId) -> Option<&(LocalAccess, Effect)> {
        self.by_instruction.get(&id).map(|index| &self.accesses[*index])
    }
}

fn effect(facts: &Facts<'_, '_>, access: &LocalAccess) -> Effect {
    if is_fully_assigned(facts, access) {
        Effect::Assign
    } else if access.kind == LocalAccessKind::Escape {
        Effect::Escape
    } else if is_modification(facts, access) {
        Effect::Modify
    } else {
        Effect::Read
    }
}

fn is_modification(facts: &Facts<'_, '_>, access: &LocalAccess) -> bool {
    use LocalAccessKind::*;
    match (access.kind, access.instruction) {
        (BeginAccess, Some(begin)) => {
            matches!(AccessKind::of(facts.view.body, begin), AccessKind::Init | AccessKind::Modify)
        }
        (BeginAccess, None) => true,
        (Load | DependenceSource | DependenceDest | DeadEnd, _) => false,
        (IncomingArgument | OutgoingArgument | Store | StoreBorrow | InoutYield | Escape, _) => true,
        (Apply, _) => {
            let convention = access.operand.and_then(|operand| facts.convention_of(operand));
            !convention.is_some_and(|convention| convention.is_indirect_in())
        }
    }
}

/// Returns whether an access replaces the whole value of the variable.
fn is_fully_assigned(facts: &Facts<'_, '_>, access: &LocalAccess) -> bool {
    use LocalAccessKind::*;
    let Some(id) = access.instruction else { return false };
    match access.kind {
        BeginAccess => {
            let result = facts.view.body.result(id).filter(|_| is_modification(facts, access));
            result.is_some_and(|access| Initializer::of_address(facts, access).is_some())
        }
        Store | StoreBorrow if is_storing(facts.view.opcode(id)) => {
            let destination = access.operand.map(|operand| facts.view.used_value(operand));
            destination.is_some_and(|destination| is_base(facts, destination))
        }
        Store | StoreBorrow => true,
        Apply => {
            let convention = access.operand.and_then(|operand| facts.convention_of(operand));
            convention.is_some_and(|convention| convention.is_indirect_out())
        }
        IncomingArgument | OutgoingArgument | InoutYield | Load | DependenceSource | DependenceDest | Escape
        | DeadEnd => false,
    }
}

/// Returns whether `address` is that of a whole local variable.
fn is_base(facts: &Facts<'_, '_>, address: Value) -> bool {
    let path = AccessPath::of(facts.view, address);
    path.base.is_local(facts.view) && path.path.is_empty()
}

struct Walk<'f, 'v, 'm> {
    facts: &'f Facts<'v, 'm>,
    seen: FxHashSet<Value>,
    accesses: Vec<LocalAccess>,
}

impl Walk<'_, '_, '_> {
    fn access(&mut self, kind: LocalAccessKind, operand: Use) {
        self.accesses.push(LocalAccess { kind, operand: Some(operand), instruction: Some(operand.user) });
    }

    /// Follows a box. `None` if a use is not known.
    fn visit_value(&mut self, value: Value) -> Option<()> {
        if !self.seen.insert(value) {
            return Some(());
        }
        for found in self.facts.uses(value) {
            self.visit_value_use(value, found)?;
        }
        Some(())
    }

    fn visit_value_use(&mut self, value: Value, found: Use) -> Option<()> {
        let view = self.facts.view;
        let opcode = view.opcode(found.user);
        if let Some(argument) = view.branch_argument(found) {
            return self.visit_value(argument);
        }
        let results: Vec<Value> = view.body.results(found.user).collect();
        let forwarded = results.iter().find(|result| forwarded_from(view, **result).contains(&value));
        match opcode {
            _ if forwarded.is_some() && !(opcode == Opcode::MarkDependence && found.operand == 1) => {
                results.into_iter().try_for_each(|result| self.visit_value(result))?;
            }
            _ if is_incidental(opcode) => {}
            Opcode::ProjectBox => self.visit_address(view.body.result(found.user)?)?,
            Opcode::MarkUninitialized => self.visit_value(view.body.result(found.user)?)?,
            _ if is_ownership_transition(opcode) => self.visit_value(view.body.result(found.user)?)?,
            Opcode::DestroyValue => self.access(LocalAccessKind::Store, found),
            Opcode::DeallocBox => {}
            Opcode::MarkDependence => self.access(LocalAccessKind::DependenceSource, found),
            _ => self.access(LocalAccessKind::Escape, found),
        }
        Some(())
    }

    fn visit_address(&mut self, address: Value) -> Option<()> {
        self.facts.uses(address).into_iter().try_for_each(|found| self.visit_address_use(found))
    }

    fn visit_address_use(&mut self, found: Use) -> Option<()> {
        use LocalAccessKind::*;
        let opcode = self.facts.view.opcode(found.user);
        match AddressUse::of(self.facts, found) {
            AddressUse::Projection(value) => {
                if opcode == Opcode::MarkDependence {
                    let is_base = found.operand == 1;
                    self.access(if is_base { DependenceSource } else { DependenceDest }, found);
                    if is_base {
                        return Some(());
                    }
                }
                return self.visit_address(value);
            }
            AddressUse::Scope => match opcode {
                Opcode::BeginAccess => self.access(BeginAccess, found),
                Opcode::LoadBorrow => self.access(Load, found),
                _ => self.access(StoreBorrow, found),
            },
            AddressUse::Leaf => self.visit_leaf(found, opcode),
            AddressUse::Applied => self.access(Apply, found),
            AddressUse::Yielded => self.access(InoutYield, found),
            AddressUse::DependentValue(value) => return self.visit_dependent(value),
            AddressUse::DependentAddress(_) => {}
            AddressUse::LoadedValue(_) | AddressUse::LoadedAddress(_) => self.access(Load, found),
            AddressUse::Escaping => self.access(Escape, found),
            AddressUse::ScopeEnd | AddressUse::Unrecognized | AddressUse::Unknown => return None,
        }
        Some(())
    }

    fn visit_leaf(&mut self, found: Use, opcode: Opcode) {
        use Opcode::*;
        match opcode {
            DestroyAddr
            | DeinitExistentialAddr
            | InjectEnumAddr
            | TupleAddrConstructor
            | InitBlockStorageHeader
            | PackElementSet => self.access(LocalAccessKind::Store, found),
            _ if is_storing(opcode) || moves_memory(opcode) => self.access(LocalAccessKind::Store, found),
            MarkDependenceAddr => self.access(LocalAccessKind::DependenceDest, found),
            SwitchEnumAddr => self.access(LocalAccessKind::Load, found),
            DeallocStack => {}
            _ if is_incidental(opcode) => {}
            _ => self.access(LocalAccessKind::Escape, found),
        }
    }

    /// Visits the calls of a non-escaping closure that refers to the variable.
    fn visit_dependent(&mut self, value: Value) -> Option<()> {
        if !matches!(self.facts.view.definition(value), Some((_, Opcode::PartialApply))) {
            return Some(());
        }
        let mut calls = Vec::new();
        closure_calls(self.facts, value, &mut FxHashSet::default(), &mut calls)?;
        calls.into_iter().for_each(|call| self.access(LocalAccessKind::Apply, call));
        Some(())
    }
}

/// Collects the call operands that call or forward a closure; `None` if not all its uses are known
/// (`NonEscapingClosureDefUseWalker`).
fn closure_calls(
    facts: &Facts<'_, '_>,
    closure: Value,
    seen: &mut FxHashSet<Value>,
    calls: &mut Vec<Use>,
) -> Option<()> {
    if !seen.insert(closure) {
        return Some(());
    }
    for found in facts.uses(closure) {
        let view = facts.view;
        let opcode = view.opcode(found.user);
        if let Some(argument) = view.branch_argument(found) {
            closure_calls(facts, argument, seen, calls)?;
            continue;
        }
        let results: Vec<Value> = view.body.results(found.user).collect();
        let is_forwarded = results.iter().any(|result| forwarded_from(view, *result).contains(&closure));
        match opcode {
            Opcode::MarkDependence if found.operand == 1 => {}
            _ if is_forwarded || is_ownership_transition(opcode) || opcode == Opcode::ConvertEscapeToNoescape => {
                results.into_iter().try_for_each(|result| closure_calls(facts, result, seen, calls))?;
            }
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => calls.push(found),
            Opcode::FixLifetime | Opcode::DestroyValue => {}
            _ if is_incidental(opcode) => {}
            _ => return None,
        }
    }
    Some(())
}

//! Scopes in which memory cannot change, though an instruction in them might write: formal accesses, borrows of objects
//! with immutable fields, and the whole function for arguments that are lent to it
//! (SwiftCompilerSources/Sources/Optimizer/Analysis/AliasAnalysis.swift).

use std::cell::RefCell;

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, BlockInstructions, ENTRY_POINT_NAMES, FunctionFlag, InstructionId, Ownership, Value};

use super::access::{AccessBase, AccessKind, AccessPath, LocatedAccess};
use super::alias::{AliasAnalysis, Location};
use super::walk::{self, Step};
use super::{BodyView, ProjectionPath};

/// The scopes of a body that were asked about. They are computed once each.
#[derive(Default)]
pub(super) struct ImmutableScopes {
    /// By the instruction that begins a scope, those in it that would write but cannot.
    harmless: RefCell<FxHashMap<InstructionId, FxHashSet<InstructionId>>>,
}

#[derive(Clone, Copy)]
enum Scope {
    WholeFunction,
    /// From an instruction to those that end its scope.
    From(InstructionId, ScopeKind),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScopeKind {
    ReadAccess,
    ModifyAccess,
    Borrow,
}

impl ImmutableScopes {
    /// Whether `id` lies in a scope in which nothing unknown changes the memory at `address`.
    pub(super) fn protects(&self, analysis: &AliasAnalysis<'_, '_>, address: Value, id: InstructionId) -> bool {
        match scope_of(analysis.view, address) {
            None => false,
            Some(Scope::WholeFunction) => true,
            Some(Scope::From(begin, kind)) => {
                if !self.harmless.borrow().contains_key(&begin) {
                    let found = harmless_in(analysis, begin, kind);
                    self.harmless.borrow_mut().insert(begin, found);
                }
                self.harmless.borrow().get(&begin).is_some_and(|harmless| harmless.contains(&id))
            }
        }
    }

    /// Whether the memory of `access` may lie in an object that the borrow `begin` keeps alive.
    pub(super) fn may_lie_within(&self, analysis: &AliasAnalysis<'_, '_>, access: AccessPath, begin: Value) -> bool {
        let view = analysis.view;
        let Some((reference, path)) = access.object_path(view) else { return true };
        let mut seen = FxHashSet::default();
        let mut work = vec![(reference, path)];
        while let Some((value, path)) = work.pop() {
            if value == begin {
                return true;
            }
            if !seen.insert((value, path)) || view.ownership(value) != Ownership::Guaranteed {
                // An owned value is not the borrowed one.
                continue;
            }
            match walk::value_up(view, value, path) {
                Step::To(next, path) => work.push((next, path)),
                Step::ToEach(next) => work.extend(next),
                Step::Unmatched => {}
                Step::End => {
                    let loaded = view.definition(value).is_some_and(|(_, opcode)| opcode == Opcode::LoadBorrow);
                    if !loaded && view.argument_convention(value).is_none() {
                        return true;
                    }
                }
            }
        }
        false
    }
}

fn scope_of(view: &BodyView<'_>, address: Value) -> Option<Scope> {
    let located = LocatedAccess::of(view, address);
    if let Some(begin) = located.innermost_access() {
        if view.body.instructions[begin].attributes.contains(Attribute::Unsafe) {
            return None;
        }
        return match AccessKind::of(view.body, begin) {
            AccessKind::Read => Some(Scope::From(begin, ScopeKind::ReadAccess)),
            AccessKind::Modify => Some(Scope::From(begin, ScopeKind::ModifyAccess)),
            AccessKind::Init | AccessKind::Deinit => None,
        };
    }
    let object = match located.access.base {
        AccessBase::Global(name) if view.is_let_global(name) && !may_initialize_globals(view) => {
            return Some(Scope::WholeFunction);
        }
        AccessBase::Class(address) | AccessBase::Tail(address) => {
            let (id, _) = view.definition(address)?;
            let immutable = view.body.instructions[id].attributes.contains(Attribute::Immutable);
            view.operand(id, 0).filter(|_| immutable)?
        }
        _ => return None,
    };
    if view.function.has(FunctionFlag::Ossa) { borrow_scope(view, object) } else { lent_scope(view, object) }
}

/// Globals are initialised in functions of their own, or in `main` where the module is a script.
fn may_initialize_globals(view: &BodyView<'_>) -> bool {
    view.function.has(FunctionFlag::GlobalInitOnce)
        || ENTRY_POINT_NAMES.contains(&view.module.context.text(view.function.name))
}

/// Without ownership, only values that the caller lends are known to live.
fn lent_scope(view: &BodyView<'_>, object: Value) -> Option<Scope> {
    let mut seen = FxHashSet::default();
    let mut work = vec![(object, ProjectionPath::EMPTY)];
    while let Some((value, path)) = work.pop() {
        if !seen.insert((value, path)) {
            continue;
        }
        match walk::value_up(view, value, path) {
            Step::To(next, path) => work.push((next, path)),
            Step::ToEach(next) => work.extend(next),
            Step::Unmatched => {}
            Step::End => {
                view.argument_convention(value).filter(|convention| convention.is_guaranteed())?;
            }
        }
    }
    Some(Scope::WholeFunction)
}

/// The borrow that alone keeps `object` alive.
fn borrow_scope(view: &BodyView<'_>, object: Value) -> Option<Scope> {
    let mut introducer = object;
    for _ in 0..=view.body.instructions.len() {
        if view.ownership(introducer) != Ownership::Guaranteed {
            return None;
        }
        if let Some(convention) = view.argument_convention(introducer) {
            return convention.is_guaranteed().then_some(Scope::WholeFunction);
        }
        let (id, opcode) = view.definition(introducer)?;
        match opcode {
            Opcode::BeginBorrow | Opcode::LoadBorrow => return Some(Scope::From(id, ScopeKind::Borrow)),
            // A phi that goes on with several borrows is one itself.
            Opcode::Borrowed => return Some(Scope::From(id, ScopeKind::Borrow)),
            Opcode::BeginApply
            | Opcode::UncheckedOwnershipConversion
            | Opcode::UncheckedOwnership
            | Opcode::Struct
            | Opcode::Tuple => return None,
            _ => introducer = view.operand(id, 0)?,
        }
    }
    None
}

/// The instructions between `begin` and its ends that would write, and do not write to the memory that `begin`
/// protects.
fn harmless_in(analysis: &AliasAnalysis<'_, '_>, begin: InstructionId, kind: ScopeKind) -> FxHashSet<InstructionId> {
    let view = analysis.view;
    let mut found = FxHashSet::default();
    let Some(scope) = view.body.result(begin) else { return found };
    let effects = analysis.module.instruction_effects();
    for id in instructions_before(view, begin, &ends_of(view, scope, kind)) {
        let writes = effects.memory_behavior(view.body, id).may_write();
        let into_scope =
            || kind == ScopeKind::ModifyAccess && analysis.effect(id, Location::ModifyScope(scope)).may_write();
        if writes && !into_scope() {
            found.insert(id);
        }
    }
    found
}

fn ends_of(view: &BodyView<'_>, scope: Value, kind: ScopeKind) -> Vec<InstructionId> {
    let ends = |opcode| match kind {
        ScopeKind::ReadAccess | ScopeKind::ModifyAccess => opcode == Opcode::EndAccess,
        // A branch passes the borrow on to a phi.
        ScopeKind::Borrow => matches!(opcode, Opcode::EndBorrow | Opcode::Br),
    };
    view.uses.of(scope).iter().map(|found| found.user).filter(|id| ends(view.opcode(*id))).collect()
}

/// The instructions on the paths from `begin` to `ends`, without those themselves.
fn instructions_before(view: &BodyView<'_>, begin: InstructionId, ends: &[InstructionId]) -> Vec<InstructionId> {
    let mut found = Vec::new();
    let mut seen = vec![false; view.body.instructions.len()];
    let mut whole = vec![false; view.body.blocks.len()];
    let mut work: Vec<(BlockId, BlockInstructions<'_>)> = Vec::new();
    for end in ends {
        let mut before = view.body.instructions_up_to(*end);
        before.next_back();
        work.push((view.body.instructions[*end].block, before));
    }
    while let Some((block, before)) = work.pop() {
        let mut begun = false;
        for id in before.rev() {
            begun = id == begin;
            if begun {
                break;
            }
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
            }
        }
        if begun {
            continue;
        }
        for predecessor in view.cfg.predecessors(block) {
            if !std::mem::replace(&mut whole[predecessor.index()], true) {
                work.push((*predecessor, view.body.instructions_in(*predecessor)));
            }
        }
    }
    found
}

//! Error boxes with a known value: removes dead boxes, and folds casts of boxes to the type of their value
//! (`visitAllocExistentialBoxInst`, `visitUnconditionalCheckedCastAddrInst`, `visitCheckedCastAddrBranchInst` of
//! lib/SILOptimizer/SILCombiner).

use rustc_hash::FxHashSet;
use sil_analysis::{ControlFlowGraph, Dominators, Use};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CastAddr, CheckedCastAddrBr, Store};
use sil_ir::model::{Body, CastConsumption, InstructionId, Place, Value};

use super::Simplifier;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::lifetime_frontier;

/// A box with a single store, whose other uses only count references.
struct KnownBox {
    /// The store of its value.
    store: InstructionId,
    /// The ends of its lifetime.
    ends: Vec<InstructionId>,
}

/// A cast of an error in memory.
struct ErrorCast {
    source: Value,
    destination: Value,
    /// Whether it takes the error from memory.
    takes: bool,
}

impl Simplifier<'_> {
    /// Removes a box that is only destroyed. Its value is destroyed instead.
    pub(super) fn remove_error_box(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let known = self.known_box(body.result(id)?, None)?;
        let [end] = known.ends[..] else { return None };
        let value = Store::of(body, known.store).source;
        Order::new(body).dominates(body, known.store, end).then_some(())?;
        let destroy = self.destroying(value);
        self.editor.build(Place::Before(end), id, |builder| {
            if let Some(opcode) = destroy {
                builder.effect(opcode, value);
            }
        });
        self.editor.erase_with_users(id);
        self.editor.forget_ownership();
        // The value may be dead now.
        self.editor.body().defining(value).into_iter().for_each(|made| self.push(made));
        Some(())
    }

    /// Replaces the cast of a known box with a copy of its value.
    pub(super) fn cast_boxed_error(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let cast = self.error_cast(id)?;
        let store = self.boxing_store(cast.source, id)?;
        let value = Store::of(body, store).source;
        let ty = body.ty(value);
        let order = Order::new(body);
        if ty != body.ty(cast.destination).object_type() || !order.happens_once_for(body, store, id) {
            return None;
        }
        let targets = body.targets(id).to_vec();
        // In a block with other predecessors, the existence of the copy would be unknown.
        let is_after_cast = |place: &Place| match place {
            Place::After(last) => *last == id,
            Place::Start(block) => targets.contains(block),
            _ => false,
        };
        let elsewhere: Vec<Place> =
            lifetime_frontier(body, store, &[id])?.into_iter().filter(|place| !is_after_cast(place)).collect();
        if targets.iter().any(|target| order.cfg.single_predecessor(*target).is_none()) {
            return None;
        }
        let copy = self.copy_in_front(store, value);
        let destroy = self.destroying(value);
        for place in elsewhere {
            self.editor.build(place, id, |builder| {
                if let Some(opcode) = destroy {
                    builder.effect(opcode, copy);
                }
            });
        }
        self.store_instead(id, &cast, copy);
        self.editor.erase(id);
        self.editor.forget_ownership();
        Some(())
    }

    fn error_cast(&self, id: InstructionId) -> Option<ErrorCast> {
        let body = self.editor.body();
        match self.editor.opcode(id) {
            Opcode::CheckedCastAddrBr => {
                let CheckedCastAddrBr { source, destination, cast, .. } = CheckedCastAddrBr::of(body, id);
                let takes = cast.consumption? != CastConsumption::CopyOnSuccess;
                Some(ErrorCast { source, destination, takes })
            }
            _ => {
                let CastAddr { source, destination, .. } = CastAddr::of(body, id);
                Some(ErrorCast { source, destination, takes: true })
            }
        }
    }

    /// Replaces a cast with a store of its result and a branch to the success block. Swift keeps the failure edge, on
    /// which the memory would be initialised although it must not be.
    fn store_instead(&mut self, id: InstructionId, cast: &ErrorCast, value: Value) {
        let is_trivial = self.editor.is_trivial(self.editor.body().ty(value));
        let mut attributes = AttributeSet::default();
        if self.editor.has_ownership() {
            attributes.insert(if is_trivial { Attribute::Trivial } else { Attribute::Init });
        }
        let success = self.editor.body().targets(id).first().copied();
        self.editor.build(Place::Before(id), id, |builder| {
            if cast.takes {
                builder.destroy_addr(cast.source);
            }
            builder.with(attributes).store(value, cast.destination);
            if let Some(success) = success {
                builder.branch(success, &[]);
            }
        });
    }

    /// The store of the box's value, for a box that is stored to stack memory. `None` if either has other uses.
    fn boxing_store(&self, memory: Value, cast: InstructionId) -> Option<InstructionId> {
        use Opcode::{DeallocStack, DebugValue, DestroyAddr, Load};
        let body = self.editor.body();
        self.editor.made_by(memory, Opcode::AllocStack)?;
        let mut stores = Vec::new();
        for Use { user, operand } in self.editor.uses(memory) {
            match self.editor.opcode(user) {
                Opcode::Store if operand == 1 => stores.push(user),
                DestroyAddr | DeallocStack | DebugValue => {}
                Load if !body.instructions[user].attributes.contains(Attribute::Take) => {}
                _ if user == cast => {}
                _ => return None,
            }
        }
        let [store] = stores[..] else { return None };
        let mut error = Store::of(body, store).source;
        while let Some(copy) = self.editor.made_by(error, Opcode::CopyValue) {
            error = self.editor.operand(copy, 0)?;
        }
        self.editor.made_by(error, Opcode::AllocExistentialBox)?;
        self.known_box(error, Some(store)).map(|known| known.store)
    }

    /// The uses of a box. `None` if an instruction other than `stored` may access its contents.
    fn known_box(&self, error: Value, stored: Option<InstructionId>) -> Option<KnownBox> {
        use Opcode::*;
        let body = self.editor.body();
        let (mut stores, mut ends, mut open) = (Vec::new(), Vec::new(), vec![error]);
        while let Some(value) = open.pop() {
            for Use { user, .. } in self.editor.uses(value) {
                match self.editor.opcode(user) {
                    StrongRelease | ReleaseValue | DestroyValue if value == error => ends.push(user),
                    StrongRetain | StrongRelease | DestroyValue | EndBorrow | DebugValue => {}
                    CopyValue | BeginBorrow => open.extend(body.results(user)),
                    ProjectExistentialBox => {
                        for inner in self.editor.uses_but_debug(body.result(user)?) {
                            let is_store = self.editor.opcode(inner.user) == Store && inner.operand == 1;
                            is_store.then(|| stores.push(inner.user))?;
                        }
                    }
                    Builtin if self.builtin(user) == Some(BuiltinKind::Named(NamedBuiltin::WillThrow)) => {}
                    _ if Some(user) == stored => {}
                    _ => return None,
                }
            }
        }
        let [store] = stores[..] else { return None };
        Some(KnownBox { store, ends })
    }

    /// Copies a value before `id`.
    fn copy_in_front(&mut self, id: InstructionId, value: Value) -> Value {
        let ty = self.editor.body().ty(value);
        if self.editor.is_trivial(ty) {
            return value;
        }
        let has_ownership = self.editor.has_ownership();
        let retain = Counting::of(self.editor.environment, ty).retain();
        self.editor.build(Place::Before(id), id, |builder| match (has_ownership, retain) {
            (true, _) => builder.copy_value(value),
            (false, Some(retain)) => {
                builder.effect(retain, value);
                value
            }
            (false, None) => value,
        })
    }

    /// The opcode that destroys a value.
    fn destroying(&self, value: Value) -> Option<Opcode> {
        let ty = self.editor.body().ty(value);
        match self.editor.has_ownership() {
            _ if self.editor.is_trivial(ty) => None,
            true => Some(Opcode::DestroyValue),
            false => Counting::of(self.editor.environment, ty).release(),
        }
    }
}

/// The dominance order of instructions.
struct Order {
    cfg: ControlFlowGraph,
    dominators: Dominators,
}

impl Order {
    fn new(body: &Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let dominators = Dominators::new(body, &cfg);
        Self { cfg, dominators }
    }

    fn dominates(&self, body: &Body, before: InstructionId, id: InstructionId) -> bool {
        self.dominators.instruction_dominates(body, before, id)
    }

    /// Returns whether `id` runs at most once after each run of `before`, and never otherwise.
    fn happens_once_for(&self, body: &Body, before: InstructionId, id: InstructionId) -> bool {
        let block = |id: InstructionId| body.instructions[id].block;
        let (mut seen, mut open) = (FxHashSet::default(), vec![block(id)]);
        while let Some(current) = open.pop() {
            for target in body.terminator(current).map_or(&[][..], |end| body.targets(end)) {
                if *target != block(before) && seen.insert(*target) {
                    open.push(*target);
                }
            }
        }
        self.dominates(body, before, id) && !seen.contains(&block(id))
    }
}

//! The elements of regions: one element for all values with one representative, with its isolation
//! (`RegionAnalysisValueMap`, include/swift/SILOptimizer/Analysis/RegionAnalysis.h).

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use super::isolated_values::ValueIsolation;
use super::isolation::Isolation;
use super::roots::{Root, Roots};
use crate::{AccessStorage, NestedAccess, StoragePath};

/// The number of a tracked value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Element(pub u32);

/// The subject of an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Representative {
    /// All values that this one stands for.
    Value(Value),
    /// Nothing: that an instruction makes values belong to an actor.
    Introducer(InstructionId),
}

/// An element, with its facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackedValue {
    /// Its number.
    pub element: Element,
    /// Its representative.
    pub representative: Representative,
    /// Whether other values may be the same memory.
    pub may_alias: bool,
    /// Whether several actors may use it at once: nothing is followed then.
    pub is_sendable: bool,
    isolation: Option<Isolation>,
}

impl TrackedValue {
    /// Its isolation.
    pub fn isolation(&self) -> Isolation {
        self.isolation.unwrap_or(Isolation::DISCONNECTED)
    }

    /// The value that stands for all others.
    pub fn value(&self) -> Option<Value> {
        match self.representative {
            Representative::Value(value) => Some(value),
            Representative::Introducer(_) => None,
        }
    }
}

/// The tracked value of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// Its representative.
    pub value: TrackedValue,
    /// The whole that it was taken out of, if it differs.
    pub base: Option<TrackedValue>,
}

/// How an address is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// By this function alone.
    None,
    /// By a closure too.
    ByAddress,
}

/// The elements of a function.
pub struct TrackedValues<'f, 'v, 'm> {
    /// The isolation of values.
    pub values: &'f ValueIsolation<'v, 'm>,
    elements: Vec<TrackedValue>,
    numbers: FxHashMap<Representative, Element>,
    roots: FxHashMap<Value, Root>,
}

impl<'f, 'v, 'm> TrackedValues<'f, 'v, 'm> {
    /// No elements yet.
    pub fn new(values: &'f ValueIsolation<'v, 'm>) -> Self {
        Self { values, elements: Vec::new(), numbers: FxHashMap::default(), roots: FxHashMap::default() }
    }

    /// The element of this number.
    pub fn get(&self, element: Element) -> TrackedValue {
        self.elements[element.0 as usize]
    }

    /// The representative of a value.
    pub fn root(&mut self, value: Value) -> Root {
        let values = self.values;
        *self.roots.entry(value).or_insert_with(|| Roots { values }.of(value))
    }

    /// The tracked value of a value.
    pub fn lookup(&mut self, value: Value) -> Lookup {
        self.lookup_captured(value, Capture::None)
    }

    /// The tracked value of a value that a closure may use.
    pub fn lookup_captured(&mut self, value: Value, capture: Capture) -> Lookup {
        let root = self.root(value);
        let value = self.tracked(root.value, capture);
        Lookup { value, base: root.base.map(|base| self.tracked(base, capture)) }
    }

    /// The tracked value of a value, if any part of it is not `Sendable`.
    pub fn track(&mut self, value: Value) -> Option<Lookup> {
        let found = self.lookup(value);
        let is_tracked = !found.value.is_sendable || found.base.is_some_and(|base| !base.is_sendable);
        is_tracked.then_some(found)
    }

    /// Tracks a value of known isolation; returns whether it is new. None if it is `Sendable`.
    pub fn track_as(&mut self, value: Value, isolation: Isolation) -> Option<(TrackedValue, Novelty)> {
        let value = self.root(value).value;
        let is_new = !self.numbers.contains_key(&Representative::Value(value));
        let is_sendable = is_new && self.values.is_sendable(value);
        let stated = (is_new && !is_sendable).then_some(isolation);
        let element = self.add(Representative::Value(value), |tracked| {
            (tracked.is_sendable, tracked.isolation) = (is_sendable, stated);
        });
        let novelty = if is_new { Novelty::New } else { Novelty::Known };
        (!element.is_sendable).then_some((element, novelty))
    }

    /// The element for the instruction that isolates others.
    pub fn introducer(&mut self, id: InstructionId, isolation: Isolation) -> TrackedValue {
        self.add(Representative::Introducer(id), |tracked| tracked.isolation = Some(isolation))
    }

    fn add(&mut self, representative: Representative, complete: impl FnOnce(&mut TrackedValue)) -> TrackedValue {
        let element = Element(self.elements.len() as u32);
        match self.numbers.entry(representative) {
            Entry::Occupied(known) => self.elements[known.get().0 as usize],
            Entry::Vacant(vacant) => {
                vacant.insert(element);
                let mut tracked =
                    TrackedValue { element, representative, may_alias: true, is_sendable: false, isolation: None };
                complete(&mut tracked);
                self.elements.push(tracked);
                tracked
            }
        }
    }

    fn tracked(&mut self, value: Value, capture: Capture) -> TrackedValue {
        let values = self.values;
        self.add(Representative::Value(value), |tracked| complete(values, value, capture, tracked))
    }
}

/// Whether a value was tracked before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Novelty {
    /// It was not.
    New,
    /// It was, as it is.
    Known,
}

/// The facts about a value that is tracked from now on.
fn complete(values: &ValueIsolation<'_, '_>, value: Value, capture: Capture, tracked: &mut TrackedValue) {
    let view = values.view;
    let opcode = view.definition(value).map(|(_, opcode)| opcode);
    if matches!(opcode, Some(Opcode::FunctionRef | Opcode::ClassMethod)) {
        tracked.isolation = values.of(value).known();
        tracked.is_sendable = tracked.isolation.is_none();
        return;
    }
    if values.is_sendable(value) {
        tracked.is_sendable = true;
        return;
    }
    let of_memory = |address: Value| {
        let base = StoragePath::of(view, address, NestedAccess::Ignore).and_then(|path| path.base);
        base.and_then(|base| values.of(base).known())
    };
    if view.body.ty(value).is_address()
        && let Some(storage) = AccessStorage::of(view, value, NestedAccess::Ignore)
    {
        tracked.may_alias = capture == Capture::ByAddress || !storage.is_uniquely_identified(view);
        tracked.isolation = of_memory(value);
    }
    if let Some((id, Opcode::Load | Opcode::LoadBorrow)) = view.definition(value) {
        tracked.isolation = view.operand(id, 0).and_then(of_memory);
        return;
    }
    tracked.isolation = tracked.isolation.or_else(|| values.of(value).known());
}

//! Temporary memory of values: values are stored to it, as a whole or in parts, and are loaded from it or destroyed in
//! it.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{Analyses, BodyView, OperandOwnership, OwnershipKinds, Use, Uses};
use sil_ir::context::{SignatureId, SilType, Type, TypeId};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{MarkDependence, Store, StructExtract, TupleExtract};
use sil_ir::model::{BlockId, Body, InstructionId, Ownership, Place, Replacements, Value};
use sil_ir::types::TypeQueries;

use super::salvage_stores;
use crate::InstructionBuilder;
use crate::editing::lifetime_completion::{availability, liveness};
use crate::editing::unused::{remove_idle, remove_unused};
use crate::editing::value_flow::{Point, ValueFlow};
use crate::knowledge::aggregate_parts::has_enum;
use crate::knowledge::elements::{Node, Step, divide};
use crate::pass::Environment;

/// An operation on a part of memory.
#[derive(Clone, Copy)]
enum Deed {
    /// A store of this value to uninitialised memory.
    Store(Value),
    /// A load that takes the value.
    Take,
    Destroy,
    /// The value in memory depends on this value from here on.
    Depend(Value),
    /// Another value depends on the value in memory.
    Base,
}

impl Deed {
    fn stored(&self) -> Option<Value> {
        match self {
            Deed::Store(value) => Some(*value),
            Deed::Take | Deed::Destroy | Deed::Depend(_) | Deed::Base => None,
        }
    }
}

/// The contents of an element of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The contents at the start of the block.
    Before,
    Nothing,
    Value(Value),
}

/// Memory with stores and takes of the whole or of parts.
pub(super) struct Holder {
    /// The operation of each instruction, with the path of its part.
    deeds: FxHashMap<InstructionId, (Vec<Step>, Deed)>,
    /// Projections and other instructions that are removed with the memory.
    others: Vec<InstructionId>,
    /// The memory, divided as far as its parts are used.
    root: Node,
}

impl Holder {
    /// Collects the operations; `None` for another use of the memory.
    pub(super) fn of(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, memory: Value, ty: TypeId) -> Option<Self> {
        let mut found = Self { deeds: FxHashMap::default(), others: Vec::new(), root: Node::whole(ty, 0) };
        found.collect(body, uses, memory, &mut Vec::new())?;
        let paths: Vec<&[Step]> = found.deeds.values().map(|(path, _)| path.as_slice()).collect();
        found.root = divide(queries, ty, 0, &paths);
        let stores = found.deeds.values().any(|(_, deed)| matches!(deed, Deed::Store(_)));
        stores.then_some(found)
    }

    fn collect(&mut self, body: &Body, uses: &Uses, address: Value, path: &mut Vec<Step>) -> Option<()> {
        for Use { user, operand } in uses.of(address).iter().copied() {
            let attributes = body.instructions[user].attributes;
            let deed = match body.instructions[user].opcode {
                Opcode::Store
                    if operand == 1
                        && (attributes.contains(Attribute::Init) || attributes.contains(Attribute::Trivial)) =>
                {
                    Deed::Store(Store::of(body, user).source)
                }
                Opcode::Load if attributes.contains(Attribute::Take) => Deed::Take,
                Opcode::DestroyAddr => Deed::Destroy,
                Opcode::MarkDependence if operand == 1 => Deed::Base,
                Opcode::MarkDependence => {
                    self.collect(body, uses, body.result(user)?, path)?;
                    Deed::Depend(MarkDependence::of(body, user).base)
                }
                Opcode::DeallocStack | Opcode::DebugValue | Opcode::EndAccess => {
                    self.others.push(user);
                    continue;
                }
                Opcode::BeginAccess => {
                    self.collect(body, uses, body.result(user)?, path)?;
                    self.others.push(user);
                    continue;
                }
                Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                    path.push(step(body, user));
                    self.collect(body, uses, body.result(user)?, path)?;
                    path.pop();
                    self.others.push(user);
                    continue;
                }
                _ => return None,
            };
            // An instruction has one operation on the memory.
            if self.deeds.insert(user, (path.clone(), deed)).is_some() {
                return None;
            }
        }
        Some(())
    }

    /// Returns the part at a path.
    fn node(&self, path: &[Step]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, step| node.part(*step))
    }

    /// Returns the body with the memory replaced by the values.
    pub(super) fn forwarded(
        &self,
        environment: Environment<'_>,
        view: &BodyView<'_>,
        allocation: InstructionId,
    ) -> Option<Body> {
        let Environment { queries, function, .. } = environment;
        let is_trivial = |node: &Node| queries.properties(node.ty, function.signature).is_trivial();
        if !is_trivial(&self.root) && !self.is_owned(view) {
            return None;
        }
        let leaves: Vec<&Node> = self.root.leaves().into_iter().map(|(_, leaf)| leaf).collect();
        let is_trivial: Vec<bool> = leaves.iter().map(|leaf| is_trivial(leaf)).collect();
        let mut forwarding = Forwarding {
            holder: self,
            queries,
            signature: function.signature,
            body: view.body.clone(),
            is_trivial,
            values: FxHashMap::default(),
            arriving: Vec::new(),
            dependent: Vec::new(),
            unowned: self.unowned(view),
            available: vec![FxHashMap::default(); leaves.len()],
        };
        for block in view.body.blocks.keys() {
            forwarding.block(view.body, block, allocation)?;
        }
        forwarding.join(view, &leaves)?;
        let body = forwarding.rewrite(view.body, allocation);
        Some(self.completed(environment, &body).unwrap_or(body))
    }

    /// Returns the body with destroys of stored values on paths on which the memory may not be emptied: dead-end paths,
    /// and paths on which an enum is known to have no payload. `None` if no destroy is missing.
    fn completed(&self, environment: Environment<'_>, body: &Body) -> Option<Body> {
        let stored: BTreeSet<Value> = self.deeds.values().filter_map(|(_, deed)| deed.stored()).collect();
        let (enums, others): (BTreeSet<Value>, BTreeSet<Value>) =
            stored.into_iter().partition(|value| has_enum(environment.queries, body.ty(*value).ty));
        let analyses = Analyses::default();
        let available =
            availability::complete_of(environment.with_body(body, &analyses), |value| others.contains(&value));
        let mut completed = available.map(|rewrite| rewrite.body);
        for value in enums {
            let analyses = Analyses::default();
            let environment = environment.with_body(completed.as_ref().unwrap_or(body), &analyses);
            completed = Some(liveness::complete(environment, value));
        }
        completed
    }

    /// Returns the stored values without ownership.
    fn unowned(&self, view: &BodyView<'_>) -> FxHashSet<Value> {
        let stored = self.deeds.values().filter_map(|(_, deed)| deed.stored());
        stored.filter(|value| view.ownership(*value) == Ownership::None).collect()
    }

    /// Returns whether all stored values are owned and consumed on all paths.
    fn is_owned(&self, view: &BodyView<'_>) -> bool {
        let kinds = OwnershipKinds::new(view.queries, view.function, view.body, &view.cfg);
        let is_plain = |value: Value| {
            let uses = view.uses.of(value);
            matches!(kinds.kind(value), Ownership::Owned | Ownership::None)
                && uses.iter().all(|found| kinds.operand(*found) != OperandOwnership::ForwardUnowned)
        };
        self.deeds.values().all(|(_, deed)| match deed {
            Deed::Store(value) => is_plain(*value),
            _ => true,
        })
    }
}

fn step(body: &Body, projection: InstructionId) -> Step {
    match body.instructions[projection].opcode {
        Opcode::TupleElementAddr => Step::Tuple(TupleExtract::of(body, projection).index),
        _ => Step::Property(StructExtract::of(body, projection).field),
    }
}

/// The replacement of one memory.
struct Forwarding<'f> {
    holder: &'f Holder,
    queries: &'f TypeQueries<'f>,
    signature: Option<SignatureId>,
    body: Body,
    /// Whether each element is trivial.
    is_trivial: Vec<bool>,
    /// The values that instructions read from elements.
    values: FxHashMap<(InstructionId, u32), Value>,
    /// The reads of the contents at the start of their block.
    arriving: Vec<(InstructionId, BlockId, u32)>,
    /// The dependences of values that replace those of the memory.
    dependent: Vec<InstructionId>,
    /// The stored values without ownership.
    unowned: FxHashSet<Value>,
    /// The value of each element at the ends of blocks.
    available: Vec<FxHashMap<BlockId, Value>>,
}

impl Forwarding<'_> {
    /// Tracks the elements through a block; `None` if an uninitialised element is read or an initialised one is
    /// overwritten.
    fn block(&mut self, before: &Body, block: BlockId, allocation: InstructionId) -> Option<()> {
        let mut held = vec![Held::Before; self.is_trivial.len()];
        for id in before.instructions_in(block) {
            if id == allocation {
                held.fill(Held::Nothing);
            }
            let Some((path, deed)) = self.holder.deeds.get(&id) else { continue };
            let node = self.holder.node(path)?;
            let elements = node.first..node.first + node.count;
            match *deed {
                Deed::Store(value) => {
                    let element = node.first as usize;
                    let is_replaced = matches!(held[element], Held::Value(_)) && !self.is_trivial[element];
                    if node.count != 1 || !node.parts.is_empty() || is_replaced {
                        return None;
                    }
                    held[element] = Held::Value(value);
                }
                Deed::Take | Deed::Destroy => {
                    for element in elements {
                        self.find(id, block, element, held[element as usize])?;
                        held[element as usize] = Held::Nothing;
                    }
                }
                Deed::Base if node.count == 1 => self.find(id, block, node.first, held[node.first as usize])?,
                Deed::Base => return None,
                Deed::Depend(base) => {
                    if elements.clone().all(|element| held[element as usize] == Held::Nothing) {
                        continue;
                    }
                    // A divided memory is only destroyed as a whole.
                    if self.holder.root.count != 1 {
                        return None;
                    }
                    held[0] = Held::Value(self.depend(id, block, held[0], base)?);
                }
            }
        }
        for (available, held) in self.available.iter_mut().zip(held) {
            if let Held::Value(value) = held {
                available.insert(block, value);
            }
        }
        Some(())
    }

    fn find(&mut self, id: InstructionId, block: BlockId, element: u32, held: Held) -> Option<()> {
        match held {
            Held::Nothing => return None,
            Held::Value(value) => {
                self.values.insert((id, element), value);
            }
            Held::Before => self.arriving.push((id, block, element)),
        }
        Some(())
    }

    /// Makes a dependence of a value in place of that of its memory.
    fn depend(&mut self, id: InstructionId, block: BlockId, held: Held, base: Value) -> Option<Value> {
        let attributes = self.body.instructions[id].attributes;
        let ty = SilType::object(self.holder.root.ty);
        let value = match held {
            Held::Value(value) => value,
            Held::Before => self.body.undef(ty),
            Held::Nothing => return None,
        };
        let dependent = InstructionBuilder::new(&mut self.body, Place::Before(id), id)
            .with(attributes)
            .mark_dependence(value, base);
        let made = self.body.defining(dependent)?;
        self.dependent.push(made);
        if held == Held::Before {
            self.arriving.push((made, block, 0));
        }
        Some(dependent)
    }

    /// Passes values to the blocks that read them at their start.
    fn join(&mut self, view: &BodyView<'_>, leaves: &[&Node]) -> Option<()> {
        for (element, leaf) in (0..).zip(leaves) {
            let arriving: Vec<(InstructionId, BlockId, u32)> =
                self.arriving.iter().copied().filter(|(.., found)| *found == element).collect();
            let points: Vec<Point> = arriving.iter().map(|(_, block, _)| Point::Start(*block)).collect();
            let ownership = if self.is_trivial[element as usize] { Ownership::None } else { Ownership::Owned };
            let what = (SilType::object(leaf.ty), ownership);
            let flow = ValueFlow::new(&self.body, &view.cfg, &self.available[element as usize], &points, what)?;
            // Different values at a merge of paths stay in memory.
            if flow.makes_arguments() {
                return None;
            }
            for ((id, ..), value) in arriving.into_iter().zip(flow.apply(&mut self.body)) {
                // A dependence was made for the value.
                if self.holder.deeds.contains_key(&id) {
                    self.values.insert((id, element), value);
                } else {
                    self.body.operands_mut(id)[0] = value;
                }
            }
        }
        Some(())
    }

    /// Replaces the reads by values and removes the memory.
    fn rewrite(mut self, before: &Body, allocation: InstructionId) -> Body {
        let holder = self.holder;
        let mut replacements = Replacements::default();
        for id in before.placed_instructions() {
            let Some((path, deed)) = holder.deeds.get(&id) else { continue };
            let Some(node) = holder.node(path) else { continue };
            match (deed, self.body.result(id)) {
                (Deed::Take, Some(result)) => {
                    if let Some(value) = self.compose(id, node) {
                        replacements.replace(result, value);
                    }
                }
                (Deed::Destroy, _) if !self.queries.properties(node.ty, self.signature).is_trivial() => {
                    // A value without ownership, such as a case without payload, needs no destroy.
                    let value = self.compose(id, node).filter(|value| !self.unowned.contains(value));
                    if let Some(value) = value {
                        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(id), id);
                        builder.destroy_value(value);
                    }
                }
                (Deed::Base, _) => {
                    if let Some(value) = self.values.get(&(id, node.first)) {
                        self.body.operands_mut(id)[1] = *value;
                    }
                }
                _ => {}
            }
        }
        self.body.replace_values(&replacements);
        let mut stored: Vec<Value> = holder.deeds.values().filter_map(|(_, deed)| deed.stored()).collect();
        stored.sort_unstable();
        stored.dedup();
        if let Some(memory) = before.result(allocation) {
            salvage_stores(self.queries, &mut self.body, &Uses::new(before), memory);
        }
        let is_done = |deed: &Deed| !matches!(deed, Deed::Base);
        let done = holder.deeds.iter().filter(|(_, (_, deed))| is_done(deed)).map(|(id, _)| *id);
        let erased: Vec<InstructionId> = done.chain(holder.others.iter().copied()).chain([allocation]).collect();
        erased.into_iter().for_each(|id| self.body.erase(id));
        self.remove_unused_dependences();
        stored.iter().for_each(|value| remove_idle(&mut self.body, *value));
        remove_unused(&mut self.body, stored);
        self.body
    }

    /// Removes unused dependences: trivial values are not taken out of memory.
    fn remove_unused_dependences(&mut self) {
        if self.dependent.is_empty() {
            return;
        }
        let uses = Uses::new(&self.body);
        for id in std::mem::take(&mut self.dependent) {
            if self.body.result(id).is_some_and(|result| uses.of(result).is_empty()) {
                self.body.erase(id);
            }
        }
    }

    /// Returns the value of a part, composed of its elements.
    fn compose(&mut self, id: InstructionId, node: &Node) -> Option<Value> {
        if node.parts.is_empty() {
            return self.values.get(&(id, node.first)).copied();
        }
        let parts: Vec<Value> = node.parts.iter().map(|(_, part)| self.compose(id, part)).collect::<Option<_>>()?;
        let ty = SilType::object(node.ty);
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(id), id);
        Some(match self.queries.get(node.ty) {
            Type::Tuple(_) => builder.tuple(&parts, ty),
            _ => builder.structure(&parts, ty),
        })
    }
}

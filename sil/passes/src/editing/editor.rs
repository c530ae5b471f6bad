//! A body with up-to-date uses, for passes that query the uses of values between changes.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{
    Analyses, BodyView, Change, ControlFlowGraph, InstructionEffects, OperandOwnership, OwnershipKinds, Use, Uses,
};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, MemoryBehavior, Opcode};
use sil_ir::model::{
    ArgumentFlag, ArgumentFlags, BlockId, Body, Details, FunctionFlag, InstructionId, Ownership, Place, Value,
};

use crate::InstructionBuilder;
use crate::editing::flow_builder::FlowBuilder;
use crate::pass::{Environment, Outcome, Remark, RemarkPart, Rewrite};

/// A body and its uses. All changes go through the editor.
pub(crate) struct Editor<'m> {
    pub(crate) environment: Environment<'m>,
    body: Cow<'m, Body>,
    /// The uses at the time of creation or of the last whole-body change.
    indexed: Arc<Uses>,
    /// The uses that were added since then.
    added: FxHashMap<Value, Vec<Use>>,
    /// Whether an instruction is in a block.
    placed: SecondaryMap<InstructionId, bool>,
    /// The number of incoming edges of each block.
    edges: SecondaryMap<BlockId, u32>,
    /// The predecessors of each block, like in the control flow graph. Computed on demand and updated with the edges.
    predecessors: OnceCell<SecondaryMap<BlockId, Vec<BlockId>>>,
    /// The instructions that are new or have changed operands since the last call of `take_touched`.
    touched: Vec<InstructionId>,
    /// The analyses of the current body.
    analyses: Analyses,
    /// The cached ownership of values.
    kinds: RefCell<Vec<Ownership>>,
    change: Option<Change>,
    remarks: Vec<Remark>,
}

impl<'m> Editor<'m> {
    /// Creates an editor of the function's body.
    pub(crate) fn new(environment: Environment<'m>) -> Self {
        debug_assert!(environment.analyses.fit(environment.body));
        let mut editor = Self {
            environment,
            body: Cow::Borrowed(environment.body),
            indexed: environment.analyses.uses(environment.body).clone(),
            added: FxHashMap::default(),
            placed: SecondaryMap::new(),
            edges: SecondaryMap::new(),
            predecessors: OnceCell::new(),
            touched: Vec::new(),
            analyses: environment.analyses.clone(),
            kinds: RefCell::default(),
            change: None,
            remarks: Vec::new(),
        };
        editor.index_places();
        editor
    }

    /// Returns the rewrite, or `None` if nothing changed.
    pub(crate) fn finish(self) -> Option<Rewrite> {
        let change = self.change?;
        Some(Rewrite {
            remarks: self.remarks,
            ..Rewrite::new(self.environment.function, self.body.into_owned(), change)
        })
    }

    /// Returns whether anything changed.
    pub(crate) fn is_changed(&self) -> bool {
        self.change.is_some()
    }

    /// Returns the body, changed or not.
    pub(crate) fn into_body(self) -> Body {
        self.body.into_owned()
    }

    /// Adds a remark about an instruction.
    pub(crate) fn remark(
        &mut self,
        kind: (Outcome, &'static str, &'static str),
        id: InstructionId,
        parts: Vec<RemarkPart>,
    ) {
        self.remarks.extend(Remark::new(kind, self.environment.function, &self.body.instructions[id], parts));
    }

    /// The current body.
    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    /// Returns whether the function has ownership.
    pub(crate) fn has_ownership(&self) -> bool {
        self.environment.function.has(FunctionFlag::Ossa)
    }

    fn index(&mut self) {
        self.indexed = self.analyses.uses(&self.body).clone();
        self.added = FxHashMap::default();
        self.placed = SecondaryMap::new();
        self.edges = SecondaryMap::new();
        self.predecessors = OnceCell::new();
        self.index_places();
    }

    fn index_places(&mut self) {
        let body = &*self.body;
        self.placed.resize(body.instructions.len());
        for id in body.placed_instructions() {
            self.placed[id] = true;
            for target in body.targets(id) {
                self.edges[*target] += 1;
            }
        }
    }

    fn register(&mut self, id: InstructionId) {
        self.placed[id] = true;
        self.note_operands(id);
        self.note_edges(id, self.body.instructions[id].block);
    }

    /// Adds the operands of `id` as uses.
    fn note_operands(&mut self, id: InstructionId) {
        for (operand, value) in (0..).zip(self.body.operands(id)) {
            self.added.entry(*value).or_default().push(Use { user: id, operand });
        }
    }

    /// Adds the edges of the terminator `id` from `block`.
    fn note_edges(&mut self, id: InstructionId, block: BlockId) {
        for target in self.body.targets(id) {
            self.edges[*target] += 1;
            if let Some(predecessors) = self.predecessors.get_mut() {
                let known = &mut predecessors[*target];
                known.insert(known.partition_point(|other| *other <= block), block);
            }
        }
    }

    /// Removes the edges of the terminator `id` from `block`.
    fn forget_edges(&mut self, id: InstructionId, block: BlockId) {
        for target in self.body.targets(id) {
            self.edges[*target] -= 1;
            if let Some(predecessors) = self.predecessors.get_mut() {
                let known = &mut predecessors[*target];
                if let Ok(index) = known.binary_search(&block) {
                    known.remove(index);
                }
            }
        }
    }

    /// The predecessors of `block`, one per edge, in block order.
    pub(crate) fn predecessors(&self, block: BlockId) -> &[BlockId] {
        let collect = || {
            let cfg = self.analyses.cfg(&self.body);
            let mut predecessors: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
            for block in self.body.blocks.keys() {
                predecessors[block] = cfg.predecessors(block).to_vec();
            }
            predecessors
        };
        &self.predecessors.get_or_init(collect)[block]
    }

    /// The predecessor of `block` if there is exactly one incoming edge.
    pub(crate) fn single_predecessor(&self, block: BlockId) -> Option<BlockId> {
        match self.predecessors(block) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns whether `id` is in a block.
    pub(crate) fn is_placed(&self, id: InstructionId) -> bool {
        self.placed[id]
    }

    /// The number of incoming edges of `block`.
    pub(crate) fn edges_to(&self, block: BlockId) -> u32 {
        self.edges[block]
    }

    /// The control flow graph of the current body.
    pub(crate) fn cfg(&self) -> Arc<ControlFlowGraph> {
        self.analyses.cfg(&self.body).clone()
    }

    /// The opcode of an instruction.
    pub(crate) fn opcode(&self, id: InstructionId) -> Opcode {
        self.body.instructions[id].opcode
    }

    /// The instruction with the given opcode that defines `value`.
    pub(crate) fn made_by(&self, value: Value, opcode: Opcode) -> Option<InstructionId> {
        self.body.defining(value).filter(|id| self.opcode(*id) == opcode)
    }

    /// An operand of an instruction.
    pub(crate) fn operand(&self, id: InstructionId, index: usize) -> Option<Value> {
        self.body.operands(id).get(index).copied()
    }

    /// The instruction that determines the location of code at the start of `block`: the first that is neither a
    /// `debug_value` nor an allocation.
    pub(crate) fn first_located(&self, block: BlockId) -> Option<InstructionId> {
        let is_located = |id: &InstructionId| {
            !matches!(self.opcode(*id), Opcode::DebugValue | Opcode::AllocStack | Opcode::AllocBox)
        };
        self.body.instructions_in(block).find(is_located)
    }

    /// The uses of `value`.
    pub(crate) fn uses(&self, value: Value) -> Vec<Use> {
        let added = self.added.get(&value).map_or(&[][..], Vec::as_slice);
        let is_current = |found: &Use| {
            self.placed[found.user] && self.body.operands(found.user).get(found.operand as usize) == Some(&value)
        };
        let mut seen = SeenUses::default();
        let all = self.indexed.of(value).iter().chain(added).copied();
        all.filter(|found| is_current(found) && seen.insert(*found)).collect()
    }

    /// The uses of `value` without debug uses.
    pub(crate) fn uses_but_debug(&self, value: Value) -> Vec<Use> {
        self.uses(value).into_iter().filter(|found| self.opcode(found.user) != Opcode::DebugValue).collect()
    }

    /// The ownership of `value`.
    pub(crate) fn ownership(&self, value: Value) -> Ownership {
        if !self.has_ownership() {
            return Ownership::None;
        }
        let mut known = self.kinds.borrow_mut();
        if known.len() <= value.as_u32() as usize {
            let kinds = self.ownership_kinds();
            *known = self.body.values.keys().map(|value| kinds.kind(value)).collect();
        }
        known[value.as_u32() as usize]
    }

    fn ownership_kinds(&self) -> OwnershipKinds<'_> {
        let Environment { queries, function, .. } = self.environment;
        self.analyses.ownership(queries, function, &self.body)
    }

    /// A view of the current body.
    pub(crate) fn view(&self) -> BodyView<'_> {
        self.current().view()
    }

    /// The environment with the current body.
    pub(crate) fn current(&self) -> Environment<'_> {
        self.environment.with_body(&self.body, &self.analyses)
    }

    /// The operand ownership of each use, in a function with ownership.
    pub(crate) fn operand_ownerships(&self, uses: &[Use]) -> Vec<OperandOwnership> {
        let kinds = self.ownership_kinds();
        uses.iter().map(|found| kinds.operand(*found)).collect()
    }

    /// Invalidates the cached ownership of values.
    pub(crate) fn forget_ownership(&mut self) {
        self.kinds.borrow_mut().clear();
    }

    /// Returns whether values of a type are trivial.
    pub(crate) fn is_trivial(&self, ty: SilType) -> bool {
        let Environment { queries, function, .. } = self.environment;
        !ty.is_address() && queries.properties(ty.ty, function.signature).is_trivial()
    }

    /// The memory behaviour of an instruction.
    pub(crate) fn memory_behavior(&self, id: InstructionId) -> MemoryBehavior {
        InstructionEffects::new(self.environment.module, self.environment.queries).memory_behavior(&self.body, id)
    }

    /// Returns whether an instruction has side effects.
    pub(crate) fn may_have_side_effects(&self, id: InstructionId) -> bool {
        InstructionEffects::new(self.environment.module, self.environment.queries).may_have_side_effects(&self.body, id)
    }

    /// Returns the instructions that are new or have changed operands since the last call.
    pub(crate) fn take_touched(&mut self) -> Vec<InstructionId> {
        std::mem::take(&mut self.touched)
    }

    fn changed(&mut self, change: Change) {
        self.analyses.forget(change);
        self.change = self.change.max(Some(change));
    }

    /// Builds instructions at `place` with the location of `like`.
    pub(crate) fn build<R>(
        &mut self,
        place: Place,
        like: InstructionId,
        make: impl FnOnce(&mut InstructionBuilder<'_>) -> R,
    ) -> R {
        self.grow(|body| make(&mut InstructionBuilder::new(body, place, like)))
    }

    /// Builds instructions with control flow before `before`, with the location of `like`. Also returns the new blocks,
    /// each with the block that it is to be placed after, in the order of insertion.
    pub(crate) fn build_flow<R>(
        &mut self,
        before: InstructionId,
        like: InstructionId,
        make: impl FnOnce(&mut FlowBuilder<'_>) -> R,
    ) -> (R, Vec<(BlockId, BlockId)>) {
        let made = self.grow(|body| {
            let mut flow = FlowBuilder::new(body, before, like);
            let made = make(&mut flow);
            (made, flow.finish())
        });
        if !made.1.is_empty() {
            self.forget_ownership();
        }
        made
    }

    /// Adds instructions and blocks to the body.
    fn grow<R>(&mut self, make: impl FnOnce(&mut Body) -> R) -> R {
        let (first, blocks) = (self.body.instructions.next_key(), self.body.blocks.len());
        let made = make(self.body.to_mut());
        for id in (first.as_u32()..self.body.instructions.len() as u32).map(InstructionId::from_u32) {
            let change = if self.body.targets(id).is_empty() { Change::Instructions } else { Change::Blocks };
            self.changed(change);
            self.register(id);
            self.touched.push(id);
        }
        if self.body.blocks.len() > blocks {
            // Existing instructions may have moved to the new blocks.
            self.predecessors = OnceCell::new();
            self.changed(Change::Blocks);
        }
        made
    }

    /// Moves an instruction that is not a terminator.
    pub(crate) fn move_to(&mut self, id: InstructionId, place: Place) {
        self.body.to_mut().move_to(id, place);
        self.changed(Change::Instructions);
        self.touched.push(id);
    }

    /// Erases an instruction whose results have no uses.
    pub(crate) fn erase(&mut self, id: InstructionId) {
        debug_assert!(self.placed[id]);
        self.forget_edges(id, self.body.instructions[id].block);
        let change = if self.body.targets(id).is_empty() { Change::Instructions } else { Change::Blocks };
        self.changed(change);
        self.placed[id] = false;
        self.body.to_mut().erase(id);
    }

    /// Erases an instruction whose results have only debug uses, together with these.
    pub(crate) fn erase_with_debug_uses(&mut self, id: InstructionId) {
        for result in self.body.results(id) {
            self.uses(result).into_iter().for_each(|found| self.erase(found.user));
        }
        self.erase(id);
    }

    /// Erases an instruction with all transitive users of its results.
    pub(crate) fn erase_with_users(&mut self, id: InstructionId) {
        for result in self.body.results(id) {
            for found in self.uses(result) {
                if self.is_placed(found.user) {
                    self.erase_with_users(found.user);
                }
            }
        }
        self.erase(id);
    }

    /// Sets an operand.
    pub(crate) fn set_operand(&mut self, found: Use, value: Value) {
        self.body.to_mut().operands_mut(found.user)[found.operand as usize] = value;
        self.added.entry(value).or_default().push(found);
        self.changed(Change::Instructions);
        self.touched.push(found.user);
    }

    /// Sets all operands of an instruction.
    pub(crate) fn set_operands(&mut self, id: InstructionId, operands: &[Value]) {
        self.body.to_mut().set_operands(id, operands);
        self.note_operands(id);
        self.changed(Change::Instructions);
        self.touched.push(id);
    }

    /// Replaces all uses of `value` with `by`.
    pub(crate) fn replace_all(&mut self, value: Value, by: Value) {
        for found in self.uses(value) {
            self.set_operand(found, by);
        }
    }

    /// Replaces all uses of an instruction's single result with `by`, and erases the instruction.
    pub(crate) fn replace(&mut self, id: InstructionId, by: Value) {
        if let Some(result) = self.body.result(id) {
            self.replace_all(result, by);
        }
        self.erase(id);
    }

    /// Changes the attributes of an instruction.
    pub(crate) fn edit_attributes(&mut self, id: InstructionId, edit: impl FnOnce(&mut AttributeSet)) {
        edit(&mut self.body.to_mut().instructions[id].attributes);
        self.forget_ownership();
        self.changed(Change::Instructions);
        self.touched.push(id);
    }

    /// Marks an instruction's location as auto-generated.
    pub(crate) fn locate_instruction_automatically(&mut self, id: InstructionId) {
        self.body.to_mut().instructions[id].locate_automatically();
    }

    /// Marks the location of a value's definition as auto-generated.
    pub(crate) fn locate_automatically(&mut self, value: Value) {
        if let Some(definition) = self.body.defining(value) {
            self.body.to_mut().instructions[definition].locate_automatically();
        }
    }

    /// Sets the details of an instruction.
    pub(crate) fn set_details(&mut self, id: InstructionId, details: Details) {
        self.body.to_mut().instructions[id].details = details;
        self.changed(Change::Instructions);
        self.touched.push(id);
    }

    /// Sets the forwarding ownership of an instruction to `owned`, if it has one.
    pub(crate) fn forward_owned(&mut self, id: InstructionId) {
        self.edit_attributes(id, |attributes| {
            if attributes.contains(Attribute::Forwarding) {
                attributes.remove(Attribute::Guaranteed);
                attributes.insert(Attribute::Owned);
            }
        });
    }

    /// Sets the forwarding ownership of an instruction to `guaranteed`, if it has one.
    pub(crate) fn forward_borrowed(&mut self, id: InstructionId) {
        self.edit_attributes(id, |attributes| {
            if attributes.contains(Attribute::Forwarding) {
                attributes.remove(Attribute::Owned);
                attributes.insert(Attribute::Guaranteed);
            }
        });
    }

    /// Sets the ownership of a block argument. The incoming values must match.
    pub(crate) fn set_argument_ownership(&mut self, argument: Value, ownership: Ownership) {
        self.body.to_mut().values[argument].ownership = ownership;
        self.forget_ownership();
        self.changed(Change::Instructions);
    }

    /// Appends an empty block.
    pub(crate) fn add_block(&mut self) -> BlockId {
        let block = self.body.to_mut().add_block();
        self.changed(Change::Blocks);
        block
    }

    /// Replaces the only argument of a block, which has no uses, with a new one.
    pub(crate) fn exchange_argument(&mut self, block: BlockId, ty: SilType, ownership: Ownership) -> Value {
        self.body.to_mut().blocks[block].arguments.clear();
        self.changed(Change::Instructions);
        self.body.to_mut().add_argument(block, ty, ownership)
    }

    /// Appends a block argument.
    pub(crate) fn add_argument(&mut self, block: BlockId, ty: SilType, ownership: Ownership) -> Value {
        self.changed(Change::Instructions);
        self.body.to_mut().add_argument(block, ty, ownership)
    }

    /// Inserts a function argument at `index`. The block must be the entry, since no branch passes a value for it.
    pub(crate) fn insert_argument(&mut self, block: BlockId, index: usize, ty: SilType, ownership: Ownership) -> Value {
        self.forget_ownership();
        self.changed(Change::Instructions);
        self.body.to_mut().insert_argument(block, index, ty, ownership)
    }

    /// Adds a flag to a block argument.
    pub(crate) fn flag_argument(&mut self, argument: Value, flag: ArgumentFlag) {
        self.body.to_mut().values[argument].flags.insert(flag);
        self.changed(Change::Instructions);
    }

    /// Changes a function argument to the address of its value, and clears its flags.
    pub(crate) fn exchange_for_address(&mut self, argument: Value, ty: SilType) {
        self.body.to_mut().values[argument].flags = ArgumentFlags::default();
        self.set_argument_ownership(argument, Ownership::None);
        self.set_value_type(argument, ty);
    }

    /// Appends an operand to those that a branch passes to its successor `target`.
    pub(crate) fn pass_also(&mut self, branch: InstructionId, target: usize, value: Value) {
        let mut operands = self.body.operands(branch).to_vec();
        match &mut self.body.to_mut().instructions[branch].details {
            Details::CondBranch { true_arguments, .. } if target == 0 => {
                operands.insert(1 + *true_arguments as usize, value);
                *true_arguments += 1;
            }
            _ => operands.push(value),
        }
        self.body.to_mut().set_operands(branch, &operands);
        self.note_operands(branch);
        self.changed(Change::Instructions);
        self.touched.push(branch);
    }

    /// Creates an `undef`.
    pub(crate) fn undef(&mut self, ty: SilType) -> Value {
        self.analyses.forget(Change::Instructions);
        self.body.to_mut().undef(ty)
    }

    /// Removes a block argument without uses, and the operands that `br` and `cond_br` pass for it.
    pub(crate) fn remove_argument(&mut self, block: BlockId, index: usize) {
        let mut branches: Vec<InstructionId> =
            self.predecessors(block).iter().filter_map(|before| self.body.terminator(*before)).collect();
        branches.dedup();
        self.body.to_mut().remove_passed_argument(block, index, &branches);
        branches.into_iter().for_each(|branch| self.note_operands(branch));
        self.changed(Change::Instructions);
    }

    /// Sets the type of a value. Its definition or incoming values, and its uses, must be updated too.
    pub(crate) fn set_value_type(&mut self, value: Value, ty: SilType) {
        self.body.to_mut().values[value].ty = ty;
        self.forget_ownership();
        self.changed(Change::Instructions);
    }

    /// Moves the instructions of `target` to the end of `block`, whose `br` is the only incoming edge of `target`. The
    /// arguments of `target` must have no uses.
    pub(crate) fn merge_into(&mut self, block: BlockId, target: BlockId) {
        if let Some(jump) = self.body.terminator(block) {
            self.erase(jump);
        }
        self.body.to_mut().blocks[target].arguments.clear();
        let end = self.body.terminator(target);
        for id in self.body.to_mut().take_instructions(target) {
            self.body.to_mut().push(block, id);
        }
        if let Some(end) = end {
            self.forget_edges(end, target);
            self.note_edges(end, block);
        }
    }

    /// Moves the instructions of `block`, without its `br`, to the start of `target`, which has no other incoming edge.
    /// `target` takes over the incoming edges and the arguments of `block`. Its own arguments must have no uses.
    pub(crate) fn merge_in_front(&mut self, block: BlockId, target: BlockId) {
        if let Some(jump) = self.body.terminator(block) {
            self.erase(jump);
        }
        for before in self.predecessors(block).to_vec() {
            self.redirect(before, block, target);
        }
        let body = self.body.to_mut();
        body.move_arguments(block, target);
        for id in body.instructions_in(block).collect::<Vec<_>>().into_iter().rev() {
            body.move_to(id, Place::Start(target));
        }
        self.changed(Change::Blocks);
    }

    /// Redirects the edges from `from` to `target` to `by`.
    fn redirect(&mut self, from: BlockId, target: BlockId, by: BlockId) {
        let Some(end) = self.body.terminator(from) else { return };
        self.forget_edges(end, from);
        for found in self.body.to_mut().targets_mut(end).iter_mut().filter(|found| **found == target) {
            *found = by;
        }
        self.note_edges(end, from);
    }

    /// Clears an unreachable block. Uses of its values, which are unreachable too, become `undef`.
    pub(crate) fn clear_block(&mut self, block: BlockId) {
        let all: Vec<InstructionId> = self.body.instructions_in(block).collect();
        for id in all.into_iter().rev() {
            self.body.results(id).collect::<Vec<_>>().into_iter().for_each(|result| self.undefine(result));
            self.erase(id);
        }
        self.body.blocks[block].arguments.clone().into_iter().for_each(|argument| self.undefine(argument));
        self.body.to_mut().blocks[block].arguments.clear();
        self.changed(Change::Blocks);
    }

    /// Replaces all uses of a value with `undef`.
    fn undefine(&mut self, value: Value) {
        if !self.uses(value).is_empty() {
            let undefined = self.undef(self.body.ty(value));
            self.replace_all(value, undefined);
        }
    }

    /// Reorders the blocks. The order must contain each block once.
    pub(crate) fn reorder_blocks(&mut self, order: &[BlockId]) {
        self.body.to_mut().keep_blocks(order);
        self.changed(Change::Blocks);
        self.index();
    }

    /// Removes the unreachable blocks. Returns whether there were any.
    pub(crate) fn remove_dead_blocks(&mut self) -> bool {
        let cfg = self.analyses.cfg(&self.body);
        if self.body.blocks.keys().all(|block| cfg.is_reachable(block)) {
            return false;
        }
        let before = self.body.blocks.len();
        self.body.to_mut().remove_unreachable_blocks();
        let removed = self.body.blocks.len() < before;
        if removed {
            self.forget_ownership();
            self.changed(Change::Blocks);
            self.index();
        }
        removed
    }

    /// Changes the body as a whole.
    pub(crate) fn edit_whole(&mut self, change: Change, edit: impl FnOnce(&mut Body)) {
        edit(self.body.to_mut());
        self.forget_ownership();
        self.changed(change);
        self.index();
    }
}

/// A set of visited uses. It is usually small, but some values have thousands of uses.
#[derive(Default)]
struct SeenUses {
    first: Vec<Use>,
    others: FxHashSet<Use>,
}

impl SeenUses {
    const FEW: usize = 16;

    /// Adds a use. Returns whether it is new.
    fn insert(&mut self, found: Use) -> bool {
        if self.first.contains(&found) {
            return false;
        }
        if self.first.len() < Self::FEW {
            self.first.push(found);
            return true;
        }
        self.others.insert(found)
    }
}

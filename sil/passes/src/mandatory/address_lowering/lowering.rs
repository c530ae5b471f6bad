//! The state that all steps of the pass share: the body under construction, its analyses, the opaque values, and
//! builders for instructions on memory.

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ControlFlowGraph, DeadEndBlocks, Dominators, Use, opening};
use sil_ir::context::{Name, SilType};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Ownership, Place, Value};
use sil_ir::types::TypeQueries;

use super::storage::Storages;
use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// The result of a step; an error if the function cannot be lowered.
pub(super) type Lowered<T> = Result<T, Box<Diagnostic>>;

/// A function that is being lowered.
pub(super) struct Lowering<'e> {
    pub(super) editor: Editor<'e>,
    /// Queries on types and conventions with lowered addresses. Those of the environment are for opaque values.
    pub(super) lowered: &'e TypeQueries<'e>,
    /// Neither blocks nor edges change until stack nesting is fixed.
    pub(super) cfg: ControlFlowGraph,
    pub(super) dominators: Dominators,
    pub(super) dead_ends: DeadEndBlocks,
    pub(super) storages: Storages,
    /// The instructions that open archetypes, by name; those of values, which are kept to the end.
    pub(super) openings: FxHashMap<Name, InstructionId>,
    /// The ownership of the original values, from before the rewriting.
    kinds: Vec<Ownership>,
    /// The ownership of values that replace original ones.
    later_kinds: FxHashMap<Value, Ownership>,
    /// The lifetime-ending uses of the original opaque values.
    pub(super) ending_uses: FxHashSet<Use>,
    /// Instructions that return or throw.
    pub(super) exits: Vec<InstructionId>,
    /// `yield`s.
    pub(super) yields: Vec<InstructionId>,
    /// Apply sites with arguments or results that are indirect after lowering and are not rewritten yet.
    pub(super) calls: Vec<InstructionId>,
    /// Casts between loadable values that have no scalar form.
    pub(super) loadable_casts: Vec<InstructionId>,
    /// Copies whose only use is a store. The copied value is copied to memory directly.
    pub(super) stored_copies: FxHashSet<Value>,
    /// Stack memory of opaque values.
    pub(super) allocations: Vec<Allocation>,
    /// The projections into aggregates for their operands, the outer ones first.
    pub(super) use_projections: Vec<Value>,
    /// Moves of branch operands to block arguments.
    pub(super) phi_moves: FxHashSet<InstructionId>,
}

/// The memory of an opaque value.
#[derive(Clone, Copy)]
pub(super) struct Allocation {
    /// Its address.
    pub(super) address: Value,
    /// Its final position.
    pub(super) position: AllocationPosition,
}

/// The final position of an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AllocationPosition {
    /// After the opening of the archetype in its type, where it was made.
    Fixed,
    /// At the start of the block that dominates its uses.
    NearUses,
}

/// Whether an instruction takes or copies the value that it reads from memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    Take,
    Copy,
}

/// The state of the memory that a store writes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    Uninitialized,
    Initialized,
}

/// An insertion point and the instruction that the new instructions belong to.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) place: Place,
    /// The instruction that provides location and scope.
    pub(super) like: InstructionId,
}

impl Site {
    /// In front of `id`, as a part of it.
    pub(super) fn before(id: InstructionId) -> Self {
        Self { place: Place::Before(id), like: id }
    }

    /// After `id`, as a part of it.
    pub(super) fn after(id: InstructionId) -> Self {
        Self { place: Place::After(id), like: id }
    }

    /// At the start of `block`, as a part of `like`.
    pub(super) fn start(block: BlockId, like: InstructionId) -> Self {
        Self { place: Place::Start(block), like }
    }
}

impl<'e> Lowering<'e> {
    /// Creates the state for a function. Unreachable blocks are removed.
    pub(super) fn new(environment: Environment<'e>, lowered: &'e TypeQueries<'e>) -> Self {
        let mut editor = Editor::new(environment);
        editor.remove_dead_blocks();
        let body = editor.body();
        let cfg = ControlFlowGraph::new(body);
        let (dominators, dead_ends) = (Dominators::new(body, &cfg), DeadEndBlocks::new(body, &cfg));
        let opened = |id| opening(lowered, body, id).map(|(name, _)| (name, id));
        let openings = body.placed_instructions().filter_map(opened).collect();
        let terminators = body.blocks.keys().filter_map(|block| body.terminator(block));
        let exits = terminators.filter(|id| body.instructions[*id].opcode.leaves_function()).collect();
        Self {
            editor,
            lowered,
            cfg,
            dominators,
            dead_ends,
            storages: Storages::default(),
            openings,
            kinds: Vec::new(),
            later_kinds: FxHashMap::default(),
            ending_uses: FxHashSet::default(),
            exits,
            yields: Vec::new(),
            calls: Vec::new(),
            loadable_casts: Vec::new(),
            stored_copies: FxHashSet::default(),
            allocations: Vec::new(),
            use_projections: Vec::new(),
            phi_moves: FxHashSet::default(),
        }
    }

    pub(super) fn into_body(self) -> Body {
        self.editor.into_body()
    }

    pub(super) fn body(&self) -> &Body {
        self.editor.body()
    }

    pub(super) fn opcode(&self, id: InstructionId) -> Opcode {
        self.editor.opcode(id)
    }

    pub(super) fn ty(&self, value: Value) -> SilType {
        self.body().ty(value)
    }

    /// Returns the queries for SIL with opaque values.
    pub(super) fn opaque(&self) -> &'e TypeQueries<'e> {
        self.editor.environment.queries
    }

    /// Returns whether a type is address-only.
    pub(super) fn is_address_only(&self, ty: SilType) -> bool {
        self.lowered.properties(ty.ty, self.editor.environment.function.signature).is_address_only()
    }

    /// Returns whether a value, which is no address, is address-only after lowering.
    pub(super) fn is_opaque(&self, value: Value) -> bool {
        let ty = self.ty(value);
        !ty.is_address() && self.is_address_only(ty)
    }

    /// Returns whether a type is trivial.
    pub(super) fn is_trivial(&self, ty: SilType) -> bool {
        self.editor.is_trivial(ty.object_type())
    }

    /// Returns the block of which `value` is an argument, and its index.
    pub(super) fn argument(&self, value: Value) -> Option<(BlockId, u32)> {
        match self.body().values[value].definition {
            Definition::Argument { block, index } => Some((block, index)),
            Definition::Result { .. } | Definition::Undef => None,
        }
    }

    /// Returns whether `value` is an argument of the function.
    pub(super) fn is_function_argument(&self, value: Value) -> bool {
        self.argument(value).is_some_and(|(block, _)| block == self.body().entry())
    }

    /// Returns the terminator that defines `value` as an argument of its successor with one predecessor.
    pub(super) fn giving_terminator(&self, value: Value) -> Option<InstructionId> {
        let (block, _) = self.argument(value)?;
        let terminator = self.body().terminator(self.cfg.single_predecessor(block)?)?;
        (!matches!(self.opcode(terminator), Opcode::Br | Opcode::CondBr)).then_some(terminator)
    }

    /// Returns whether `value` is a phi, an argument that branches pass operands for.
    pub(super) fn is_phi(&self, value: Value) -> bool {
        let Some((block, _)) = self.argument(value) else { return false };
        block != self.body().entry() && self.giving_terminator(value).is_none()
    }

    /// Returns the uses of `value`, in the order of Swift's use lists: the newest first.
    pub(super) fn uses(&self, value: Value) -> Vec<Use> {
        let mut uses = self.editor.uses(value);
        uses.reverse();
        uses
    }

    /// Returns the only use of `value`.
    pub(super) fn single_use(&self, value: Value) -> Option<Use> {
        match self.editor.uses(value)[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Replaces all uses of `value` by `by`, the newest first.
    pub(super) fn replace_all(&mut self, value: Value, by: Value) {
        for found in self.uses(value) {
            self.editor.set_operand(found, by);
        }
    }

    /// Returns the ownership of a value: its ownership before rewriting, or that of its new definition.
    pub(super) fn ownership(&self, value: Value) -> Ownership {
        if let Some(kind) = self.kinds.get(value.index()).or_else(|| self.later_kinds.get(&value)) {
            return *kind;
        }
        match self.ty(value) {
            ty if ty.is_address() || self.is_trivial(ty) => Ownership::None,
            _ if self.editor.made_by(value, Opcode::LoadBorrow).is_some() => Ownership::Guaranteed,
            _ => Ownership::Owned,
        }
    }

    /// Replaces a value by an unused one of the same ownership.
    pub(super) fn exchange(&mut self, value: Value, by: Value) {
        let kind = self.ownership(value);
        self.later_kinds.insert(by, kind);
        self.replace_all(value, by);
    }

    /// Records the ownership of all values and the lifetime-ending uses. During rewriting the body is in neither form,
    /// so that ownership cannot be computed.
    pub(super) fn keep_ownership(&mut self) {
        let values: Vec<Value> = self.body().values.keys().collect();
        self.kinds = values.into_iter().map(|value| self.editor.ownership(value)).collect();
        let opaque = self.storages.ordinals().map(|ordinal| self.storages.get(ordinal).value);
        let uses: Vec<Use> = opaque.flat_map(|value| self.editor.uses(value)).collect();
        let does = self.editor.operand_ownerships(&uses);
        let ending = uses.into_iter().zip(does).filter(|(_, does)| does.ends_lifetime());
        self.ending_uses = ending.map(|(found, _)| found).collect();
    }

    /// Returns the block that defines `value`.
    pub(super) fn block_of(&self, value: Value) -> BlockId {
        match self.body().values[value].definition {
            Definition::Argument { block, .. } => block,
            Definition::Result { instruction, .. } => self.body().instructions[instruction].block,
            Definition::Undef => self.body().entry(),
        }
    }

    /// Returns the first instruction after the definition of `value`.
    pub(super) fn first_after(&self, value: Value) -> Option<InstructionId> {
        match self.body().values[value].definition {
            Definition::Argument { block, .. } => self.body().first_instruction(block),
            Definition::Result { instruction, .. } => self.body().next(instruction),
            Definition::Undef => self.body().first_instruction(self.body().entry()),
        }
    }

    /// Returns the instruction that defines `value`, or the first instruction after its definition if it is an
    /// argument.
    pub(super) fn maker_or_first(&self, value: Value) -> Option<InstructionId> {
        self.body().defining(value).or_else(|| self.first_after(value))
    }

    /// Returns whether `first` dominates `second`, or is the same instruction.
    pub(super) fn dominates(&self, first: InstructionId, second: InstructionId) -> bool {
        let [before, behind] = [first, second].map(|id| self.body().instructions[id].block);
        if before != behind {
            return self.dominators.dominates(before, behind);
        }
        let found = self.body().instructions_in(before).find(|id| *id == first || *id == second);
        found == Some(first)
    }

    /// Returns whether the definition of `value` properly dominates `id`.
    pub(super) fn value_dominates(&self, value: Value, id: InstructionId) -> bool {
        match self.body().values[value].definition {
            Definition::Argument { block, .. } => self.dominators.dominates(block, self.body().instructions[id].block),
            Definition::Result { instruction, .. } => instruction != id && self.dominates(instruction, id),
            Definition::Undef => true,
        }
    }

    /// Returns the nearest common dominator of two blocks.
    pub(super) fn common_dominator(&self, first: BlockId, second: BlockId) -> BlockId {
        let mut found = first;
        while !self.dominators.dominates(found, second) {
            match self.dominators.immediate_dominator(found) {
                Some(outer) => found = outer,
                None => break,
            }
        }
        found
    }

    /// Returns the error that an instruction is not supported.
    pub(super) fn unsupported<T>(&self, id: InstructionId, what: impl std::fmt::Display) -> Lowered<T> {
        Err(Box::new(Diagnostic::unsupported(what, self.body().instructions[id].span)))
    }

    /// Returns the address of an opaque value that is in memory already.
    pub(super) fn address_of(&mut self, value: Value, user: InstructionId) -> Lowered<Value> {
        if self.body().values[value].definition == Definition::Undef {
            let ty = SilType::address(self.ty(value).ty);
            return Ok(self.editor.undef(ty));
        }
        match self.storages.of(value).and_then(|storage| storage.address) {
            Some(address) => Ok(address),
            None => self.unsupported(user, "an opaque value that is used before it has an address"),
        }
    }
}

/// Builders for instructions on memory.
impl Lowering<'_> {
    /// Makes instructions at a site.
    pub(super) fn build<R>(&mut self, site: Site, make: impl FnOnce(&mut InstructionBuilder<'_>) -> R) -> R {
        self.editor.build(site.place, site.like, make)
    }

    /// Makes an instruction with one result and a compiler-generated location.
    pub(super) fn generate(&mut self, site: Site, make: impl FnOnce(&mut InstructionBuilder<'_>) -> Value) -> Value {
        let value = self.build(site, make);
        self.editor.locate_automatically(value);
        value
    }

    /// Allocates stack memory for a value of type `ty`.
    pub(super) fn allocate_stack(&mut self, site: Site, ty: SilType) -> Value {
        self.build(site, |builder| builder.alloc_stack(ty.object_type(), None))
    }

    pub(super) fn deallocate_stack(&mut self, site: Site, address: Value) {
        self.build(site, |builder| builder.dealloc_stack(address));
    }

    /// Copies or moves the value at `source` to `destination`.
    pub(super) fn copy(
        &mut self,
        site: Site,
        source: (Value, Transfer),
        destination: (Value, Destination),
    ) -> InstructionId {
        let mut attributes = AttributeSet::default();
        if source.1 == Transfer::Take {
            attributes.insert(Attribute::Take);
        }
        if destination.1 == Destination::Uninitialized {
            attributes.insert(Attribute::Init);
        }
        self.build(site, |builder| builder.with(attributes).copy_addr(source.0, destination.0))
    }

    /// Moves the value at `source` to uninitialised memory.
    pub(super) fn move_to_memory(&mut self, site: Site, source: Value, destination: Value) -> InstructionId {
        self.copy(site, (source, Transfer::Take), (destination, Destination::Uninitialized))
    }

    /// Loads a loadable value; a trivial one with `[trivial]`.
    pub(super) fn load(&mut self, site: Site, address: Value, transfer: Transfer) -> Value {
        let ty = self.ty(address).object_type();
        let attribute = match transfer {
            _ if self.is_trivial(ty) => Attribute::Trivial,
            Transfer::Take => Attribute::Take,
            Transfer::Copy => Attribute::Copy,
        };
        self.build(site, |builder| builder.with(with(attribute)).load(address))
    }

    /// Borrows the value at an address, or loads it if it is trivial.
    pub(super) fn load_borrow(&mut self, site: Site, address: Value) -> Value {
        let ty = self.ty(address).object_type();
        if self.is_trivial(ty) {
            return self.load(site, address, Transfer::Copy);
        }
        self.build(site, |builder| builder.load_borrow(address))
    }

    pub(super) fn end_borrow(&mut self, site: Site, value: Value) {
        self.build(site, |builder| builder.end_borrow(value));
    }

    /// Stores a loadable value in uninitialised memory.
    pub(super) fn store(&mut self, site: Site, value: Value, address: Value) {
        let attribute = if self.is_trivial(self.ty(value)) { Attribute::Trivial } else { Attribute::Init };
        self.build(site, |builder| builder.with([attribute]).store(value, address));
    }
}

/// Returns a set of one attribute.
pub(super) fn with(attribute: Attribute) -> AttributeSet {
    let mut attributes = AttributeSet::default();
    attributes.insert(attribute);
    attributes
}

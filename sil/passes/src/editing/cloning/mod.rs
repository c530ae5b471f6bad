//! Clones the instructions of one body into another, with mapped values, blocks and types. The clients choose the
//! instructions and the insertion points. `details` clones the types in details, `openings` renames opened archetypes.

mod details;
mod openings;

pub(crate) use self::openings::{fresh as fresh_opening, rename as rename_openings};

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use sil_analysis::{opened_archetypes, opening};
use sil_ir::context::{Name, SignatureId, SilType, SpecializationHistoryId, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{BlockId, Body, Definition, Details, InstructionId, NewInstruction, Ownership, Place, Value};
use sil_ir::types::TypeQueries;

use crate::editing::builder::Origin;

/// Maps the types of the original body to types of the destination body.
pub(crate) struct TypeCloner<'c> {
    queries: &'c TypeQueries<'c>,
    /// The replacements of the original function's generic parameters.
    substitutions: SubstitutionMapId,
    /// The signature of the destination function.
    signature: Option<SignatureId>,
    /// The new names of opened archetypes.
    opened: FxHashMap<Name, Name>,
    /// The specialisation history of calls that were not inlined before.
    history: Option<SpecializationHistoryId>,
}

impl TypeCloner<'_> {
    /// Maps the type of a value.
    fn sil_type(&self, ty: SilType) -> SilType {
        let substituted = self.queries.substitute_lowered(ty.ty, self.substitutions);
        SilType { ty: self.queries.reopen(substituted, &self.opened), ..ty }
    }

    /// The index of an element of a pack type after the elements before it are substituted.
    fn element_index(&self, pack: TypeId, index: u32) -> u32 {
        let Type::Pack { elements, storage } = self.queries.get(pack) else { return index };
        let before: Box<[TypeId]> = elements.iter().take(index as usize).copied().collect();
        let before = self.queries.context.ty(Type::Pack { elements: before, storage: *storage });
        match self.queries.get(self.sil_type(SilType::object(before)).ty) {
            Type::Pack { elements, .. } => elements.len() as u32,
            _ => index,
        }
    }

    /// The ownership of a value of type `ty`, whose original had `ownership` before substitution.
    fn ownership(&self, ty: SilType, ownership: Ownership) -> Ownership {
        if self.is_trivial(ty) { Ownership::None } else { ownership }
    }

    fn is_trivial(&self, ty: SilType) -> bool {
        self.queries.properties(ty.ty, self.signature).is_trivial()
    }
}

/// The locations of clones.
#[derive(Clone, Copy)]
pub(crate) enum ClonePlaces {
    /// The location of the call, for inlining.
    Call(Origin),
    /// The original location, for new functions.
    Kept,
}

/// Cloned blocks.
pub(crate) struct ClonedBlocks {
    /// The original blocks, dominators first.
    pub(crate) order: Vec<BlockId>,
    /// The created blocks, in the order in which they are to be placed.
    pub(crate) made: Vec<BlockId>,
}

/// Clones instructions of one body into another.
pub(crate) struct Cloner<'c> {
    from: &'c Body,
    places: ClonePlaces,
    types: TypeCloner<'c>,
    values: SecondaryMap<Value, PackedOption<Value>>,
    blocks: SecondaryMap<BlockId, PackedOption<BlockId>>,
}

impl<'c> Cloner<'c> {
    /// Creates a cloner of `from` for a function with the signature `signature`.
    ///
    /// `site` distinguishes this cloning from others into the same function.
    pub(crate) fn new(
        queries: &'c TypeQueries<'c>,
        from: &'c Body,
        substitutions: SubstitutionMapId,
        signature: Option<SignatureId>,
        places: ClonePlaces,
        site: InstructionId,
    ) -> Self {
        let opened = openings::opened_anew(queries, from, site);
        let types = TypeCloner { queries, substitutions, signature, opened, history: None };
        Self { from, places, types, values: SecondaryMap::new(), blocks: SecondaryMap::new() }
    }

    /// Sets the specialisation that the original function results from, which becomes the history of its calls.
    pub(crate) fn come_from(&mut self, history: Option<SpecializationHistoryId>) {
        self.types.history = history;
    }

    /// Maps a value of the original body.
    pub(crate) fn map_value(&mut self, value: Value, to: Value) {
        self.values[value] = to.into();
    }

    /// The mapped value, if there is one.
    pub(crate) fn cloned(&self, value: Value) -> Option<Value> {
        self.values[value].expand()
    }

    /// The mapped value in `to`. A value without a mapping is `undef`.
    pub(crate) fn value(&mut self, to: &mut Body, value: Value) -> Value {
        if let Some(mapped) = self.values[value].expand() {
            return mapped;
        }
        debug_assert_eq!(self.from.values[value].definition, Definition::Undef, "definitions are cloned before uses");
        let mapped = to.undef(self.types.sil_type(self.from.ty(value)));
        self.values[value] = mapped.into();
        mapped
    }

    /// The mapped values, with their originals.
    pub(crate) fn cloned_values(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        self.from.values.keys().filter_map(|value| Some((value, self.values[value].expand()?)))
    }

    /// Maps a block of the original body.
    pub(crate) fn map_block(&mut self, block: BlockId, to: BlockId) {
        self.blocks[block] = to.into();
    }

    /// The mapped block in `to`. Creates an empty block with the same arguments if there is none.
    pub(crate) fn block(&mut self, to: &mut Body, block: BlockId) -> BlockId {
        if let Some(mapped) = self.blocks[block].expand() {
            return mapped;
        }
        let mapped = to.add_block();
        self.blocks[block] = mapped.into();
        for argument in &self.from.blocks[block].arguments {
            self.argument(to, mapped, *argument);
        }
        mapped
    }

    /// Adds an argument to `block` and maps the original argument to it.
    pub(crate) fn argument(&mut self, to: &mut Body, block: BlockId, argument: Value) -> Value {
        let data = &self.from.values[argument];
        let ty = self.types.sil_type(data.ty);
        let clone = to.add_argument(block, ty, self.types.ownership(ty, data.ownership));
        to.values[clone].flags = data.flags;
        self.values[argument] = clone.into();
        clone
    }

    /// The mapped type of a value.
    pub(crate) fn value_type(&self, value: Value) -> SilType {
        self.types.sil_type(self.from.ty(value))
    }

    /// Returns whether values of a type are trivial in the destination body.
    pub(crate) fn is_trivial(&self, ty: SilType) -> bool {
        self.types.is_trivial(ty)
    }

    /// The details of an instruction with all types mapped.
    pub(crate) fn details(&self, details: &Details) -> Details {
        self.types.details(details)
    }

    /// The details of an instruction. The index of a pack element is adjusted to the substituted pack
    /// (include/swift/SIL/SILCloner.h, `getOpStructuralPackIndex`).
    fn instruction_details(&self, id: InstructionId) -> Details {
        let instruction = &self.from.instructions[id];
        match (instruction.opcode, &instruction.details, self.from.types(id)) {
            (Opcode::PackPackIndex | Opcode::ScalarPackIndex, Details::Index(index), [pack, ..]) => {
                Details::Index(self.types.element_index(pack.ty, *index))
            }
            _ => self.types.details(&instruction.details),
        }
    }

    /// Clones all blocks that are reachable from the entry. The entry must be mapped before.
    pub(crate) fn whole(&mut self, to: &mut Body) {
        let from = self.from;
        let cloned = self.blocks(to, |cloner, to, into, id| {
            cloner.instruction(to, into, id);
        });
        for block in cloned.order {
            let into = self.block(to, block);
            if let Some(terminator) = from.terminator(block) {
                self.instruction(to, into, terminator);
            }
        }
    }

    /// Clones the blocks that are reachable from the entry, without their terminators. `instruction` clones or omits
    /// the other instructions. The entry must be mapped before.
    pub(crate) fn blocks(
        &mut self,
        to: &mut Body,
        mut instruction: impl FnMut(&mut Self, &mut Body, BlockId, InstructionId),
    ) -> ClonedBlocks {
        let from = self.from;
        let mut cloned = ClonedBlocks { order: Vec::new(), made: Vec::new() };
        let mut open = vec![from.entry()];
        while let Some(block) = open.pop() {
            cloned.order.push(block);
            let clone = self.block(to, block);
            let terminator = from.terminator(block);
            for id in from.instructions_in(block).filter(|id| Some(*id) != terminator) {
                instruction(self, to, clone, id);
            }
            let first = open.len();
            for target in terminator.map_or(&[][..], |terminator| from.targets(terminator)) {
                if self.blocks[*target].is_none() {
                    let made = self.block(to, *target);
                    cloned.made.push(made);
                    open.insert(first, *target);
                }
            }
        }
        cloned
    }

    /// Returns whether an instruction copies or ends a value whose type became trivial, or upcasts to the same class.
    /// It is not cloned, and its result is mapped to its operand.
    pub(crate) fn is_needless(&mut self, to: &mut Body, id: InstructionId) -> bool {
        use Opcode::{CopyValue, DestroyValue, EndLifetime, ExplicitCopyValue, ExtendLifetime};
        if let Some(result) = self.from.result(id).filter(|_| self.from.instructions[id].opcode == Opcode::Upcast) {
            let operand = Unary::of(self.from, id).operand;
            let is_same = self.types.queries.same_sil_type(self.value_type(operand), self.value_type(result));
            if is_same {
                let value = self.value(to, operand);
                self.map_value(result, value);
            }
            return is_same;
        }
        let is_counting = matches!(
            self.from.instructions[id].opcode,
            CopyValue | DestroyValue | EndLifetime | ExplicitCopyValue | ExtendLifetime
        );
        let Some(counted) = self.from.operands(id).first().copied().filter(|_| is_counting) else { return false };
        let ty = self.value_type(counted);
        if ty.is_address() || !self.is_trivial(ty) {
            return false;
        }
        if let Some(copy) = self.from.result(id) {
            let value = self.value(to, counted);
            self.map_value(copy, value);
        }
        true
    }

    /// The origin of the clone of an instruction.
    fn origin(&self, id: InstructionId) -> Origin {
        match self.places {
            ClonePlaces::Call(origin) => origin,
            ClonePlaces::Kept => Origin::of(self.from, id),
        }
    }

    /// Clones an instruction to the end of `block`. Its operands must be mapped before.
    pub(crate) fn instruction(&mut self, to: &mut Body, block: BlockId, id: InstructionId) -> InstructionId {
        let from = self.from;
        let operands: Vec<Value> = from.operands(id).iter().map(|operand| self.value(to, *operand)).collect();
        let targets: Vec<BlockId> = from.targets(id).iter().map(|target| self.block(to, *target)).collect();
        let types: Vec<SilType> = from.types(id).iter().map(|ty| self.types.sil_type(*ty)).collect();
        let results: Vec<SilType> = from.results(id).map(|result| self.types.sil_type(from.ty(result))).collect();
        let instruction = &from.instructions[id];
        if let Some(clone) = self.instruction_of_element(to, block, id, &operands, &results) {
            return clone;
        }
        let Origin { span, location, traits } = self.origin(id);
        let new = NewInstruction {
            opcode: instruction.opcode,
            attributes: self.attributes(id),
            details: self.instruction_details(id),
            operands: &operands,
            types: &types,
            targets: &targets,
            results: &results,
            span,
            location,
            traits,
        };
        let clone = to.insert(Place::End(block), new);
        if instruction.opcode == Opcode::WitnessMethod && operands.is_empty() {
            self.name_opening(to, clone);
        }
        for (result, cloned) in from.results(id).zip(to.results(clone)) {
            to.values[cloned].flags = from.values[result].flags;
            self.values[result] = cloned.into();
        }
        clone
    }

    /// Clones the projection of a tuple element by pack index if the substituted pack has one element. The tuple is
    /// then the element itself (include/swift/SIL/SILCloner.h, `doesOpTupleDisappear`).
    fn instruction_of_element(
        &mut self,
        to: &mut Body,
        block: BlockId,
        id: InstructionId,
        operands: &[Value],
        results: &[SilType],
    ) -> Option<InstructionId> {
        let opcode = match self.from.instructions[id].opcode {
            Opcode::TuplePackElementAddr => Opcode::UncheckedAddrCast,
            Opcode::TuplePackExtract => Opcode::UncheckedValueCast,
            _ => return None,
        };
        let (&[_, tuple, ..], &[ty]) = (operands, results) else { return None };
        if matches!(self.types.queries.get(to.ty(tuple).ty), Type::Tuple(_)) {
            return None;
        }
        let Origin { span, location, traits } = self.origin(id);
        let new = NewInstruction {
            opcode,
            attributes: AttributeSet::default(),
            details: Details::None,
            operands: &[tuple],
            types: &[ty],
            targets: &[],
            results: &[ty],
            span,
            location,
            traits,
        };
        let clone = to.insert(Place::End(block), new);
        for (result, cloned) in self.from.results(id).zip(to.results(clone)) {
            self.values[result] = cloned.into();
        }
        Some(clone)
    }

    /// Adds the type-dependent operand, the value that opens the archetype, to a method lookup on an opened archetype.
    fn name_opening(&self, to: &mut Body, method: InstructionId) {
        let queries = self.types.queries;
        let Details::Method(details) = &to.instructions[method].details else { return };
        let Some(uuid) = details.lookup.and_then(|ty| opened_archetypes(queries, ty).first().copied()) else { return };
        let found = {
            let mut openings = to.placed_instructions().filter_map(|id| opening(queries, to, id));
            openings.find(|(found, _)| *found == uuid)
        };
        if let Some((_, value)) = found {
            to.set_operands(method, &[value]);
        }
    }

    /// The attributes of a clone. Loads and stores of a value whose type became trivial get the trivial qualifier.
    fn attributes(&self, id: InstructionId) -> AttributeSet {
        let instruction = &self.from.instructions[id];
        let mut attributes = instruction.attributes;
        let (moved, kinds) = match instruction.opcode {
            Opcode::Load => (self.from.result(id), [Attribute::Copy, Attribute::Take]),
            Opcode::Store => (Some(Store::of(self.from, id).source), [Attribute::Init, Attribute::Assign]),
            _ => return attributes,
        };
        let is_trivial = moved.is_some_and(|value| self.types.is_trivial(self.types.sil_type(self.from.ty(value))));
        if is_trivial && kinds.iter().any(|kind| attributes.contains(*kind)) {
            kinds.iter().for_each(|kind| attributes.remove(*kind));
            attributes.insert(Attribute::Trivial);
        }
        attributes
    }
}

//! Assigns storage to each opaque value. An operand of an aggregate is made in the memory of the aggregate, if that is
//! allocated before it. A value that is projected from another stays in its memory. All other values have memory of
//! their own on the stack.

use sil_analysis::{Use, opened_archetypes};
use sil_ir::context::{SilType, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use super::lowering::{Allocation, AllocationPosition, Lowered, Lowering, Site};
use super::storage::{Ordinal, Projection, Storage};

/// The definition of a value that is made in the memory of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    /// One instruction.
    Definition,
    /// Several branches to a block argument.
    Branches,
}

impl Lowering<'_> {
    /// Assigns storage to all opaque values: aggregates before their operands, block arguments last.
    pub(super) fn allocate(&mut self) -> Lowered<()> {
        let ordinals: Vec<Ordinal> = self.storages.ordinals().rev().collect();
        for ordinal in &ordinals {
            let value = self.storages.get(*ordinal).value;
            if !self.is_phi(value) {
                self.allocate_value(*ordinal)?;
            }
        }
        for ordinal in ordinals {
            if self.is_phi(self.storages.get(ordinal).value) {
                self.allocate_phi(ordinal)?;
            }
        }
        Ok(())
    }

    fn allocate_value(&mut self, ordinal: Ordinal) -> Lowered<()> {
        let Storage { value, is_rewritten, .. } = *self.storages.get(ordinal);
        if is_rewritten || self.reused(value).is_some() || self.needs_no_memory(value) {
            return Ok(());
        }
        if let Some(origin) = self.taken_from(value) {
            return match self.storages.ordinal(origin.value(self.body())) {
                Some(whole) => {
                    self.storages.get_mut(ordinal).projection = Projection::Definition(whole);
                    Ok(())
                }
                None => self.unsupported(origin.user, "taking an opaque value out of one that is none"),
            };
        }
        if self.ownership(value) == Ownership::Guaranteed {
            let definition = self.body().defining(value).or_else(|| self.giving_terminator(value));
            let definition = definition.or_else(|| self.first_after(value));
            return match definition {
                Some(id) => self.unsupported(id, "a borrowed opaque value that is made like this"),
                None => Ok(()),
            };
        }
        if !self.put_into_use(ordinal, &[value], Maker::Definition) {
            let address = self.make_memory(value);
            self.storages.get_mut(ordinal).address = Some(address);
        }
        Ok(())
    }

    /// Makes a value in the memory of the aggregate that uses it, if that memory is available before each of `makers`.
    /// Returns whether it is.
    fn put_into_use(&mut self, ordinal: Ordinal, makers: &[Value], maker: Maker) -> bool {
        let value = self.storages.get(ordinal).value;
        for found in self.uses(value) {
            let Some(whole) = self.put_into(found) else { continue };
            if maker == Maker::Branches && self.storages.projections(whole).any(|storage| self.initializes(storage)) {
                continue;
            }
            if self.dominates_all(whole, makers)
                && let Some(whole) = self.storages.ordinal(whole)
            {
                self.storages.get_mut(ordinal).projection = Projection::Use(whole, found.operand);
                return true;
            }
        }
        false
    }

    /// Returns whether the projection into the memory of the using aggregate initialises a part of it: an enum or an
    /// existential. A block argument with several predecessors has no single address there.
    fn initializes(&self, storage: &Storage) -> bool {
        let Projection::Use(whole, _) = storage.projection else { return false };
        let ty = self.ty(self.storages.get(whole).value).ty;
        let is_enum = |ty| self.lowered.declaration_of(ty).is_some_and(|found| found.kind == NominalKind::Enum);
        matches!(self.lowered.get(ty), Type::Existential(_)) || is_enum(ty)
    }

    /// Returns whether the memory of `whole`, and the archetypes in the types of all enclosing aggregates, are
    /// available before each of `makers`.
    fn dominates_all(&self, whole: Value, makers: &[Value]) -> bool {
        let mut needed = Vec::new();
        for storage in self.storages.projections(whole) {
            needed.extend(self.latest_opening(self.ty(storage.value)).and_then(|id| self.body().result(id)));
            if storage.projection == Projection::None {
                match storage.address {
                    Some(address) => needed.push(address),
                    None => return false,
                }
            }
        }
        needed.iter().all(|needed| makers.iter().all(|maker| self.is_made_before(*needed, *maker)))
    }

    fn is_made_before(&self, needed: Value, maker: Value) -> bool {
        if let Some(id) = self.body().defining(maker) {
            return self.value_dominates(needed, id);
        }
        let (before, after) = (self.block_of(needed), self.block_of(maker));
        self.is_function_argument(maker) || before != after && self.dominators.dominates(before, after)
    }

    /// Returns the last of the instructions that open archetypes in a type.
    pub(super) fn latest_opening(&self, ty: SilType) -> Option<InstructionId> {
        let mut latest: Option<InstructionId> = None;
        for name in opened_archetypes(self.lowered, ty.ty) {
            let Some(found) = self.openings.get(&name).copied() else { continue };
            if latest.is_none_or(|before| self.dominates(before, found)) {
                latest = Some(found);
            }
        }
        latest
    }

    /// Allocates memory for an owned value, at the start of the function or after the opening of its type.
    fn make_memory(&mut self, value: Value) -> Value {
        let ty = self.ty(value);
        let opening = self.latest_opening(ty);
        let entry = self.body().entry();
        let place = match opening.and_then(|opening| self.body().next(opening)) {
            Some(next) => Place::Before(next),
            None => Place::Start(entry),
        };
        let position = if opening.is_some() { AllocationPosition::Fixed } else { AllocationPosition::NearUses };
        // Both places have an instruction: each block has a terminator.
        let like = match place {
            Place::Before(next) => Some(next),
            _ => self.body().first_instruction(entry),
        };
        let Some(like) = like else { return value };
        let address = self.allocate_stack(Site { place: Place::Before(like), like }, ty);
        self.editor.locate_automatically(address);
        self.allocations.push(Allocation { address, position });
        address
    }

    fn allocate_phi(&mut self, ordinal: Ordinal) -> Lowered<()> {
        let phi = self.storages.get(ordinal).value;
        if self.ownership(phi) == Ownership::Guaranteed
            && let Some(first) = self.first_after(phi)
        {
            return self.unsupported(first, "a borrowed opaque value that branches pass on");
        }
        let shared = self.coalesced_operands(phi)?;
        let makers: Vec<Value> = shared.iter().map(|found| found.value(self.body())).collect();
        if !self.put_into_use(ordinal, &makers, Maker::Branches) {
            let address = self.make_memory(phi);
            self.storages.get_mut(ordinal).address = Some(address);
        }
        for value in makers {
            self.free_memory(value);
            if let Some(passed) = self.storages.ordinal(value) {
                self.storages.get_mut(passed).projection = Projection::Phi(ordinal);
            }
        }
        Ok(())
    }

    /// Removes the unused memory of a value.
    fn free_memory(&mut self, value: Value) {
        let Some(ordinal) = self.storages.ordinal(value) else { return };
        let Some(address) = self.storages.get_mut(ordinal).address.take() else { return };
        self.allocations.retain(|allocation| allocation.address != address);
        if let Some(id) = self.body().defining(address) {
            self.editor.erase(id);
        }
    }

    /// Returns whether the use's value is stored in the memory of its using aggregate `whole`.
    pub(super) fn is_put_into(&self, found: Use, whole: Ordinal) -> bool {
        let storage = self.storages.of(found.value(self.body()));
        storage.is_some_and(|storage| storage.projection == Projection::Use(whole, found.operand))
    }
}

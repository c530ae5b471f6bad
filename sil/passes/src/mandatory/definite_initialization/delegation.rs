//! The ends of an object in an initialiser that passes it on to another initialiser, of the superclass or of the same
//! class. The object that the other initialiser returned is complete; before the call only its own properties exist;
//! during the call nothing does (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp, `handleConditionalDestroys`).

use sil_ir::context::{MetatypeRepresentation, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, InstructionId, Place, Value};

use super::flow::State;
use super::lowering::Lowering;
use super::memory::{Kind, Owner};
use super::unsupported;
use super::uses::MemoryUse;
use crate::InstructionBuilder;
use crate::knowledge::elements::Elements;

impl Lowering<'_> {
    /// Returns whether a use ends the variable or the object in it, and not only some of its properties.
    pub(super) fn ends_object(&self, found: &MemoryUse) -> bool {
        found.address.is_none() || self.memory.owner == Owner::Address
    }

    /// Returns the elements whose state at such an end is known only at run time.
    pub(super) fn unclear_where_ending(&self, state: State) -> Elements {
        let (made, given) = (self.memory.root.elements() | self.memory.delegated(), self.memory.superclass());
        let is_given_clear = state.may_be & state.may_not_be & given == 0;
        let is_clear =
            state.may_not_be & made == 0 && is_given_clear || state.may_be & made == 0 && state.may_be & given == 0;
        if is_clear { 0 } else { state.may_be & state.may_not_be & (made | given) }
    }

    /// Destroys the variable, or its contents.
    pub(super) fn destroy_passed_on(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        let (id, memory) = (found.instruction, self.memory);
        let made = memory.root.elements() | memory.delegated();
        if state.may_not_be & (made | memory.superclass()) == 0 {
            return Ok(());
        }
        let may_be_passed_on = state.may_be & memory.delegated() != 0;
        let may_be_kept = state.may_not_be & memory.delegated() != 0;
        match (may_be_passed_on, may_be_kept) {
            (true, true) => {
                let [passed_on, kept] = self.guard(id, memory.delegated())?;
                self.destroy_given(found, state, self.end(passed_on, id))?;
                self.destroy_kept(found, state, self.end(kept, id))?;
            }
            (true, false) => self.destroy_given(found, state, id)?,
            _ => self.destroy_kept(found, state, id)?,
        }
        self.body.erase(id);
        Ok(())
    }

    fn end(&self, block: BlockId, otherwise: InstructionId) -> InstructionId {
        self.body.terminator(block).unwrap_or(otherwise)
    }

    /// Destroys the object that the other initialiser returned, if it returned one.
    fn destroy_given(&mut self, found: &MemoryUse, state: State, at: InstructionId) -> Result<(), Box<Diagnostic>> {
        let given = self.memory.superclass();
        if state.may_be & given == 0 {
            self.free(found, at);
            return Ok(());
        }
        let [there, consumed] = self.guard(at, given)?;
        let operands = self.body.operands(found.instruction).to_vec();
        let mut builder = InstructionBuilder::new(self.body, Place::Start(there), found.instruction);
        builder.again(found.instruction, &operands);
        self.free(found, self.end(consumed, at));
        Ok(())
    }

    /// Destroys the own properties of an object that was not passed on, and deallocates it.
    fn destroy_kept(&mut self, found: &MemoryUse, state: State, at: InstructionId) -> Result<(), Box<Diagnostic>> {
        let root = self.memory.root.elements();
        let object = match self.released_object(found) {
            Some(object) if state.may_be & root == 0 => self.given_object(at, object),
            Some(_) => {
                let what = "destroying an object with properties that was to be passed on";
                return Err(unsupported(self.body, found.instruction, what));
            }
            None => {
                let address = found.address.or_else(|| self.only_projection());
                let address = address.unwrap_or_else(|| self.project(at));
                self.destroy_elements(at, state, address, root)?;
                let mut take = AttributeSet::default();
                take.insert(Attribute::Take);
                let mut builder = InstructionBuilder::new(self.body, Place::Before(at), at);
                builder.with(take).load(address)
            }
        };
        self.deallocate_partial(Place::Before(at), at, object);
        self.free(found, at);
        Ok(())
    }

    /// Returns the address in the box, if it is projected once, next to the mark.
    pub(super) fn only_projection(&self) -> Option<Value> {
        let body = &*self.body;
        let is_projection = |id: &InstructionId| {
            body.instructions[*id].opcode == Opcode::ProjectBox && body.operands(*id) == [self.memory.value]
        };
        let mut projections = body.placed_instructions().filter(is_projection);
        let only = projections.next().filter(|_| projections.next().is_none())?;
        let is_early = body.instructions[only].block == body.instructions[self.memory.mark].block;
        body.result(only).filter(|_| is_early)
    }

    /// Returns the object, if the use destroys it itself and not its variable.
    fn released_object(&self, found: &MemoryUse) -> Option<Value> {
        found.address.filter(|value| !self.body.ty(*value).is_address())
    }

    /// Casts an object to its own class, as the initialiser got it.
    fn given_object(&mut self, at: InstructionId, object: Value) -> Value {
        let Some(upcast) = self.body.defining(object).filter(|id| self.body.instructions[*id].opcode == Opcode::Upcast)
        else {
            return object;
        };
        let ty = self.body.ty(Unary::of(self.body, upcast).operand);
        let mut builder = InstructionBuilder::new(self.body, Place::Before(at), at);
        builder.unchecked_ref_cast(object, ty)
    }

    /// Deallocates the box, if the object is in one.
    fn free(&mut self, found: &MemoryUse, at: InstructionId) {
        if found.address.is_none() {
            let owner = Unary::of(self.body, found.instruction).operand;
            let mut builder = InstructionBuilder::new(self.body, Place::Before(at), found.instruction);
            builder.dealloc_box(owner);
        }
    }

    /// Deallocates an object without its `deinit`. An object for another initialiser of its class may be of a subclass.
    pub(super) fn deallocate_partial(&mut self, place: Place, like: InstructionId, object: Value) {
        let ty = self.body.ty(object);
        let representation = Some(MetatypeRepresentation::Thick);
        let metatype = self.queries.context.ty(Type::Metatype { instance: ty.ty, representation });
        let metatype = SilType::object(metatype);
        let mut builder = InstructionBuilder::new(self.body, place, like);
        let class = match self.memory.kind {
            Kind::AllocatedSelf => builder.value_metatype(object, metatype),
            _ => builder.metatype(metatype),
        };
        builder.dealloc_partial_ref(object, class);
    }
}

//! Writes the state of initialisation into the instructions: stores become initialisations or assignments, and
//! uninitialised elements are not destroyed.

use sil_analysis::Uses;
use sil_ir::context::SilType;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, Body, Details, InstructionId, Place, Replacements, Value};
use sil_ir::types::TypeQueries;

use super::control::{ControlVariable, Known};
use super::flow::State;
use super::memory::{Memory, Owner};
use super::self_isolation::{self, Presence};
use super::unsupported;
use super::uses::{MemoryUse, UseKind};
use crate::InstructionBuilder;
use crate::knowledge::elements::{Elements, Node, Step, project};
use crate::knowledge::init_accessors::AccessedProperties;

pub(super) struct Lowering<'l> {
    pub(super) queries: &'l TypeQueries<'l>,
    pub(super) body: &'l mut Body,
    pub(super) memory: &'l Memory,
    /// The control variable, if there is one.
    control: Option<ControlVariable>,
}

/// Rewrites each use by its state.
pub(super) fn lower(
    queries: &TypeQueries<'_>,
    body: &mut Body,
    memory: &Memory,
    found: &[(MemoryUse, State)],
    on_entry: &[(BlockId, Elements)],
    uses: &Uses,
) -> Result<(), Box<Diagnostic>> {
    let mut lowering = Lowering { queries, body, memory, control: None };
    let unclear = lowering.unclear(found);
    if unclear != 0 {
        lowering.keep_notes(unclear, found, on_entry);
    }
    for (found, state) in found {
        match found.kind {
            UseKind::Assign => lowering.assign(found, *state)?,
            UseKind::Destroy => lowering.destroy(found, *state)?,
            UseKind::Release => lowering.destroy_passed_on(found, *state)?,
            UseKind::TypeOf => lowering.ask_for_class(found, *state, uses),
            UseKind::SelfIsolation => {
                let is_there = state.may_not_be & found.elements == 0;
                let presence = if is_there { Presence::Initialized } else { Presence::Missing };
                self_isolation::resolve(queries, lowering.body, found.instruction, presence)?;
            }
            _ => {}
        }
    }
    Ok(())
}

impl Lowering<'_> {
    /// Replaces the type of an object that may not exist yet by the metatype that the initialiser was called with.
    fn ask_for_class(&mut self, found: &MemoryUse, state: State, uses: &Uses) {
        let body = &mut *self.body;
        let entry = body.entry();
        let (Some(object), Some(class)) =
            (body.result(found.instruction), body.blocks[entry].arguments.last().copied())
        else {
            return;
        };
        if state.may_not_be & found.elements == 0 {
            return;
        }
        let mut replacements = Replacements::default();
        for user in uses.of(object).iter().map(|found| found.user) {
            if let Some(requested) = body.result(user) {
                let ty = body.ty(requested);
                let mut builder = InstructionBuilder::new(body, Place::Before(user), user);
                let class = match self.queries.same_sil_type(builder.ty(class), ty) {
                    true => class,
                    false => builder.unchecked_trivial_bit_cast(class, ty),
                };
                replacements.replace(requested, class);
            }
            body.erase(user);
        }
        body.erase(found.instruction);
        body.replace_values(&replacements);
    }

    pub(super) fn is_trivial(&self, node: &Node) -> bool {
        self.queries.properties(node.ty, None).is_trivial()
    }

    /// Returns the elements whose destruction depends on the run time.
    fn unclear(&self, found: &[(MemoryUse, State)]) -> Elements {
        let mut unclear = 0;
        for (found, state) in found {
            unclear |= match found.kind {
                UseKind::Release => self.unclear_where_ending(*state),
                UseKind::Destroy if self.memory.kind.passes_object_on() && self.ends_object(found) => {
                    self.unclear_where_ending(*state)
                }
                UseKind::Assign if !self.touches_nontrivial(found) => 0,
                UseKind::Destroy if self.is_trivial(&self.memory.root) => 0,
                UseKind::Assign | UseKind::Destroy => state.may_be & state.may_not_be & found.elements,
                _ => 0,
            };
        }
        unclear
    }

    /// Makes a control variable with a bit for each element, and writes it at each change.
    fn keep_notes(&mut self, unclear: Elements, found: &[(MemoryUse, State)], on_entry: &[(BlockId, Elements)]) {
        let memory = self.memory;
        let noted = memory.root.elements() | memory.delegated() | unclear & memory.superclass();
        let control = ControlVariable::new(self.queries, self.body, memory.mark, noted.count_ones());
        let delegates = found.iter().any(|(found, _)| found.kind == UseKind::Delegate);
        for (found, state) in found {
            let (mut place, like) = (Place::Before(found.instruction), found.instruction);
            let mut elements = found.elements;
            if found.kind == UseKind::Delegate {
                elements |= memory.root.elements();
            } else if delegates && elements & memory.superclass() != 0 {
                place = Place::Start(self.body.instructions[like].block);
                elements = memory.superclass();
            }
            let known = match found.kind {
                // Elements that stay initialised need no write; partial assignments write where they find out.
                UseKind::Assign if state.may_be & found.elements != 0 => continue,
                UseKind::Assign | UseKind::Initialize if self.is_noted(found) => Known::Yes,
                UseKind::Delegate => Known::Yes,
                UseKind::Take if found.elements & unclear != 0 => Known::No,
                _ => continue,
            };
            control.write(self.body, place, like, elements, known);
        }
        for (block, elements) in on_entry {
            control.write(self.body, Place::Start(*block), memory.mark, *elements, Known::Yes);
        }
        self.control = Some(control);
        self.mark_dynamic_lifetime();
    }

    /// Returns whether an initialisation must be recorded. A trivial element needs no destroy, but an object is
    /// complete only with all its elements.
    fn is_noted(&self, found: &MemoryUse) -> bool {
        self.memory.owner == Owner::Object || self.touches_nontrivial(found)
    }

    /// Returns whether a use affects nontrivial elements. Assignments by functions always count.
    fn touches_nontrivial(&self, found: &MemoryUse) -> bool {
        let leaves = self.memory.root.leaves();
        let trivial = leaves.iter().filter(|(_, leaf)| self.is_trivial(leaf));
        let trivial = trivial.fold(0, |elements, (_, leaf)| elements | leaf.elements());
        let opcode = self.body.instructions[found.instruction].opcode;
        matches!(opcode, Opcode::AssignByWrapper | Opcode::AssignOrInit) || found.elements & !trivial != 0
    }

    /// Marks the memory as having a dynamic lifetime.
    fn mark_dynamic_lifetime(&mut self) {
        let allocation = self.body.defining(Unary::of(self.body, self.memory.mark).operand);
        let Some(allocation) = allocation else { return };
        if matches!(self.body.instructions[allocation].opcode, Opcode::AllocStack | Opcode::AllocBox) {
            self.body.instructions[allocation].attributes.insert(Attribute::DynamicLifetime);
        }
    }

    fn assign(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        let elements = found.elements;
        if self.body.instructions[found.instruction].opcode == Opcode::AssignOrInit {
            return self.assign_or_init(found, state);
        }
        if state.may_be & elements == 0 {
            self.mark(found.instruction, Attribute::Init);
        } else if state.may_not_be & elements == 0 {
            let is_complete = state.may_not_be & (self.memory.all() | self.memory.slot()) == 0;
            self.mark_replacement(found.instruction, is_complete);
        } else {
            self.assign_in_part(found, state)?;
        }
        Ok(())
    }

    /// Selects the setter if everything is initialised, or else the `init` accessor, in front of which its initialised
    /// properties are destroyed.
    fn assign_or_init(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        let id = found.instruction;
        if state.may_not_be & (self.memory.all() | self.memory.slot()) == 0 {
            let set = self.queries.context.name("set");
            if let Details::Assign(assignment) = &mut self.body.instructions[id].details {
                assignment.mode = Some(set);
            }
            return Ok(());
        }
        self.body.instructions[id].attributes.insert(Attribute::Init);
        let Some(accessed) = AccessedProperties::of(self.queries, self.body, id) else { return Ok(()) };
        let mut assigned = Vec::new();
        for (number, property) in (0..).zip(&accessed.initializes) {
            let Some(part) = self.memory.root.part(Step::Property(*property)) else { continue };
            let elements = part.elements();
            if state.may_be & elements == 0 {
                continue;
            }
            if state.may_not_be & elements != 0 && !self.is_trivial(part) {
                return Err(unsupported(self.body, id, "initialisation by an accessor of what is initialised in part"));
            }
            assigned.push(number);
        }
        if let Details::Assign(assignment) = &mut self.body.instructions[id].details {
            assignment.assigned = assigned.into();
        }
        if state.may_be & found.elements != 0
            && let Some(control) = &self.control
        {
            control.write(self.body, Place::Before(id), id, found.elements, Known::Yes);
        }
        Ok(())
    }

    /// Marks an `assign` as a reassignment. A property wrapper gets the new value through the property's setter only if
    /// the object `is_complete`.
    fn mark_replacement(&mut self, id: InstructionId, is_complete: bool) {
        if self.body.instructions[id].opcode != Opcode::AssignByWrapper {
            return self.mark(id, Attribute::Reassign);
        }
        let how = if is_complete { Attribute::AssignWrappedValue } else { Attribute::Assign };
        self.body.instructions[id].attributes.insert(how);
    }

    /// Marks the mode of an `assign`; other instructions are marked as initialisations.
    fn mark(&mut self, id: InstructionId, attribute: Attribute) {
        if attribute == Attribute::Init
            && let Some(destination) = destination(self.body, id)
        {
            self.mark_address(destination);
        }
        let instruction = &mut self.body.instructions[id];
        if instruction.opcode == Opcode::Assign {
            instruction.attributes.insert(attribute);
        } else if attribute == Attribute::Init {
            instruction.attributes.remove(Attribute::Assign);
            instruction.attributes.insert(Attribute::Init);
        }
    }

    /// Marks the accesses of an address that is initialised: no other code has access to it, and there is no value to
    /// consume.
    fn mark_address(&mut self, mut address: Value) {
        while let Some(id) = self.body.defining(address) {
            let instruction = &mut self.body.instructions[id];
            let attributes = &mut instruction.attributes;
            match instruction.opcode {
                Opcode::BeginAccess if attributes.contains(Attribute::Dynamic) => {
                    exchange(attributes, Attribute::Dynamic, Attribute::Static);
                    exchange(attributes, Attribute::Modify, Attribute::Init);
                }
                Opcode::BeginAccess => {}
                Opcode::MarkUnresolvedNonCopyableValue => {
                    let (old, new) = (Attribute::AssignableButNotConsumable, Attribute::InitableButNotConsumable);
                    return exchange(attributes, old, new);
                }
                _ => return,
            }
            address = Unary::of(self.body, id).operand;
        }
    }

    /// Destroys the initialised elements, then initialises.
    fn assign_in_part(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        let (memory, id) = (self.memory, found.instruction);
        let leaves = memory.root.leaves();
        let may_be = |leaf: &Node| state.may_be & found.elements & leaf.elements() != 0 && !self.is_trivial(leaf);
        let destroyed: Vec<_> = leaves.into_iter().filter(|(_, leaf)| may_be(leaf)).collect();
        if !destroyed.is_empty() {
            let base = match memory.owner {
                Owner::Box => self.only_projection().unwrap_or_else(|| self.project(id)),
                Owner::Address | Owner::Object => memory.value,
            };
            for (path, leaf) in destroyed {
                let place = self.where_initialized(id, state, leaf.elements())?;
                self.destroy_element(id, place, base, &path)?;
            }
        }
        if let Some(control) = self.control.as_ref().filter(|_| self.is_noted(found)) {
            control.write(self.body, Place::Before(id), id, found.elements, Known::Yes);
        }
        self.mark(id, Attribute::Init);
        Ok(())
    }

    /// Returns the place in front of `id` that is reached only if an element is initialised.
    fn where_initialized(
        &mut self,
        id: InstructionId,
        state: State,
        element: Elements,
    ) -> Result<Place, Box<Diagnostic>> {
        if state.may_not_be & element == 0 {
            return Ok(Place::Before(id));
        }
        self.guard(id, element).map(|[initialized, _]| Place::Start(initialized))
    }

    /// Splits the block in front of `id` by whether an element is initialised.
    pub(super) fn guard(&mut self, id: InstructionId, element: Elements) -> Result<[BlockId; 2], Box<Diagnostic>> {
        match self.control.as_ref().filter(|control| control.notes(element)) {
            Some(control) => Ok(control.guard(self.body, id, element)),
            None => Err(unsupported(self.body, id, "memory of which nothing notes whether it is initialised")),
        }
    }

    fn destroy(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        let memory = self.memory;
        let is_slot = self.ends_object(found);
        if memory.kind.passes_object_on() && is_slot {
            return self.destroy_passed_on(found, state);
        }
        if state.may_not_be & found.elements == 0 || self.is_trivial(&memory.root) {
            return Ok(());
        }
        let leaves = memory.root.leaves();
        let is_there = |leaf: &Node| found.elements & leaf.elements() != 0;
        if memory.owner == Owner::Object {
            return self.destroy_object(found, state);
        }
        let is_nothing = leaves.iter().all(|(_, leaf)| !is_there(leaf) || self.is_trivial(leaf));
        let is_box = memory.owner == Owner::Box && found.address.is_none();
        if is_nothing {
            if is_box {
                self.deallocate_box(found.instruction);
            } else {
                self.body.erase(found.instruction);
            }
            return Ok(());
        }
        let base = match found.address {
            Some(address) if leaves.len() == 1 => address,
            Some(_) => return self.destroy_part(found, state),
            None => self.project(found.instruction),
        };
        self.destroy_elements(found.instruction, state, base, found.elements)?;
        if is_box {
            self.deallocate_box(found.instruction);
        } else {
            self.body.erase(found.instruction);
        }
        Ok(())
    }

    /// Destroys the memory itself, or a group of its elements.
    fn destroy_part(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        match found.address {
            Some(address) if found.elements == self.memory.root.elements() => {
                self.destroy_elements(found.instruction, state, address, found.elements)?;
                self.body.erase(found.instruction);
                Ok(())
            }
            _ => Err(unsupported(self.body, found.instruction, "destroying memory that is initialised in part")),
        }
    }

    /// Projects the address in the box.
    pub(super) fn project(&mut self, before: InstructionId) -> Value {
        let ty = SilType::address(self.memory.root.ty);
        let owner = self.memory.value;
        let mut builder = InstructionBuilder::new(self.body, Place::Before(before), before);
        builder.project_box(owner, 0, ty)
    }

    /// Destroys the initialised elements, from the address of the whole or the object.
    pub(super) fn destroy_elements(
        &mut self,
        id: InstructionId,
        state: State,
        base: Value,
        elements: Elements,
    ) -> Result<(), Box<Diagnostic>> {
        let memory = self.memory;
        for (path, leaf) in memory.root.leaves() {
            let element = leaf.elements();
            if elements & element == 0 || state.may_be & element == 0 {
                continue;
            }
            let place = self.where_initialized(id, state, element)?;
            self.destroy_element(id, place, base, &path)?;
        }
        Ok(())
    }

    fn destroy_element(
        &mut self,
        id: InstructionId,
        place: Place,
        base: Value,
        path: &[Step],
    ) -> Result<(), Box<Diagnostic>> {
        let ty = self.body.ty(base);
        let is_object = self.queries.is_class(ty.ty) && !path.is_empty();
        let mut builder = InstructionBuilder::new(self.body, place, id);
        let (borrowed, ty) = match (is_object, ty.is_address()) {
            (true, true) => {
                let ty = ty.object_type();
                (builder.load_borrow(base), ty)
            }
            (true, false) => (builder.begin_borrow(base), ty),
            (false, _) => (base, ty),
        };
        let Some(address) = project(self.queries, &mut builder, borrowed, ty, path) else {
            return Err(unsupported(self.body, id, "destroying an element of this type"));
        };
        if !is_object {
            builder.destroy_addr(address);
            return Ok(());
        }
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Deinit);
        attributes.insert(Attribute::Static);
        let access = builder.with(attributes).begin_access(address);
        builder.destroy_addr(access);
        builder.end_access(access);
        builder.end_borrow(borrowed);
        Ok(())
    }

    pub(super) fn deallocate_box(&mut self, destroy: InstructionId) {
        let owner = Unary::of(self.body, destroy).operand;
        let mut builder = InstructionBuilder::new(self.body, Place::Before(destroy), destroy);
        builder.dealloc_box(owner);
        self.body.erase(destroy);
    }

    /// Destroys an object whose class has no superclass. A complete object is released, which runs its `deinit`: other
    /// code may have references. For an incomplete one the initialised parts are destroyed, and it is deallocated.
    fn destroy_object(&mut self, found: &MemoryUse, state: State) -> Result<(), Box<Diagnostic>> {
        let (memory, id) = (self.memory, found.instruction);
        let mut part = id;
        let is_unclear = found.elements & state.may_be & state.may_not_be != 0;
        if let Some(control) = self.control.as_ref().filter(|_| is_unclear) {
            let [whole, rest] = control.guard_all(self.body, id);
            let mut builder = InstructionBuilder::new(self.body, Place::Start(whole), id);
            builder.destroy_value(memory.value);
            part = self.body.terminator(rest).unwrap_or(id);
        }
        self.destroy_elements(part, state, memory.value, found.elements)?;
        self.deallocate_partial(Place::Before(part), part, memory.value);
        self.body.erase(id);
        Ok(())
    }
}

/// Returns the address that an instruction stores to.
fn destination(body: &Body, id: InstructionId) -> Option<Value> {
    let number = match body.instructions[id].opcode {
        Opcode::Assign | Opcode::CopyAddr => 1,
        Opcode::TupleAddrConstructor => 0,
        _ => return None,
    };
    body.operands(id).get(number).copied()
}

fn exchange(attributes: &mut AttributeSet, old: Attribute, new: Attribute) {
    if attributes.contains(old) {
        attributes.remove(old);
        attributes.insert(new);
    }
}

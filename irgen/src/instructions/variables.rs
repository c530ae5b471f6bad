//! The locations of variables' values for debuggers. `debug` has their names and types.
//!
//! Without optimisation each variable is in memory for the whole call: an SSA value is copied into a stack slot, and so
//! is the address of other memory, since LLVM keeps registers only as long as the code needs them. With optimisation
//! the code does not change, and LLVM receives the value of a variable at each change. A variable in two places uses
//! the first.

use inkwell::values::{BasicValueEnum, InstructionOpcode, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{AllocVariable, DebugValue};
use sil_ir::model::{Body, Definition, InstructionId, Value};

use crate::debug::{DescribedVariable, ValueKind, VariableRole};
use crate::generation::{Explosion, Home, IRGenFunction};
use crate::layout::{BitRange, Scalar, TypeInfo};
use crate::llvm::debug_variables::{DebugVariable, Expression, declare, set_value};
use crate::refusal::Generated;

/// The memory of a variable: an address, and an offset in bytes.
#[derive(Clone, Copy)]
struct Place<'ctx> {
    address: PointerValue<'ctx>,
    offset: u64,
}

/// Emits the debug information of an instruction for a variable: a `debug_value`, or an allocation whose result is
/// bound.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let body = function.body;
    let (Some(debug), Some(locations)) = (&function.module.debug, &function.locations) else { return Ok(()) };
    let Some((value, variable)) = subject(body, instruction) else { return Ok(()) };
    let Some(ty) = variable_type(function, instruction, value) else { return Ok(()) };
    let types = &function.module.types;
    let described = debug.describe_variable(types, locations, &body.instructions[instruction], variable, ty);
    let Some(described) = described else { return Ok(()) };
    match (body.instructions[instruction].opcode, described.value) {
        (Opcode::AllocBox, _) => emit_boxed(function, value, &described),
        (_, ValueKind::Constant(constant)) => emit_constant(function, value, constant, &described),
        (Opcode::DebugValue, ValueKind::Value) if !body.ty(value).is_address() => {
            emit_value(function, value, &described)
        }
        _ => {
            let place = Place { address: function.address(value)?, offset: 0 };
            function.show_memory(value, place, &described);
            Ok(())
        }
    }
}

/// Returns the value that an instruction describes, and the variable.
fn subject(body: &Body, instruction: InstructionId) -> Option<(Value, &sil_ir::model::DebugVariable)> {
    match DebugValue::get(body, instruction) {
        Some(DebugValue { operand, variable }) => Some((operand, variable?)),
        None => Some((body.result(instruction)?, AllocVariable::of(body, instruction).variable?)),
    }
}

/// The type of the variable if the instruction does not have it.
fn variable_type(function: &IRGenFunction<'_, '_>, instruction: InstructionId, value: Value) -> Option<TypeId> {
    let ty = function.body.ty(value).ty;
    match function.body.instructions[instruction].opcode {
        Opcode::AllocBox => function.module.types.queries.box_field_type(ty, 0),
        _ => Some(ty),
    }
}

fn emit_boxed<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    value: Value,
    described: &DescribedVariable<'ctx>,
) -> Generated<()> {
    let layout = function.module.box_layout(function.body.ty(value).ty)?;
    if let (Some(field), BasicValueEnum::PointerValue(address)) = (layout.fields.first(), function.scalar(value)?) {
        function.show_memory(value, Place { address, offset: field.offset }, described);
    }
    Ok(())
}

fn emit_value<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    value: Value,
    described: &DescribedVariable<'ctx>,
) -> Generated<()> {
    let info = function.info_of(value)?;
    let explosion = function.explosion(value)?;
    function.show_value(Some(value), &info, &explosion, described)
}

fn emit_constant<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    value: Value,
    constant: u64,
    described: &DescribedVariable<'ctx>,
) -> Generated<()> {
    let info = function.info_of(value)?;
    let [element] = info.elements.as_slice() else { return Ok(()) };
    let Scalar::Integer(bits) = element.scalar else { return Ok(()) };
    let number = function.builder.int(bits, constant).into();
    function.show_value(None, &info, &vec![number], described)
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Records that a part of a variable is a value from here on. `source` is the SIL value, if it is one.
    fn show_value(
        &mut self,
        source: Option<Value>,
        info: &TypeInfo,
        explosion: &Explosion<'ctx>,
        described: &DescribedVariable<'ctx>,
    ) -> Generated<()> {
        if info.size * 8 != described.part.width {
            return Ok(());
        }
        if self.module.optimizes() {
            return self.track_value(info, explosion, described);
        }
        if source.is_some_and(|value| self.body.values[value].definition == Definition::Undef) {
            return Ok(());
        }
        let Some(slot) = self.variable_slot(described)? else { return Ok(()) };
        self.store_for_debugger(source, described, |function| {
            let address = function.builder.offset(slot, described.part.offset / 8);
            function.store_explosion(info, explosion, address);
        });
        Ok(())
    }

    /// Returns the slot of a variable, or `None` if it is somewhere else.
    fn variable_slot(&mut self, described: &DescribedVariable<'ctx>) -> Generated<Option<PointerValue<'ctx>>> {
        match self.state.variables.get(&key(described)) {
            Some(Home::Slot(slot)) => return Ok(Some(*slot)),
            Some(Home::Memory(_)) => return Ok(None),
            None => {}
        }
        let whole = self.module.types.info(described.ty)?;
        let slot = self.temporary(&whole);
        self.state.variables.insert(key(described), Home::Slot(slot));
        self.declare_variable(described, slot, Expression::default());
        Ok(Some(slot))
    }

    /// Passes each scalar of the value to LLVM.
    fn track_value(
        &self,
        info: &TypeInfo,
        explosion: &Explosion<'ctx>,
        described: &DescribedVariable<'ctx>,
    ) -> Generated<()> {
        let Some(debug) = &self.module.debug else { return Ok(()) };
        let whole = self.module.types.info(described.ty)?.size * 8;
        for (element, value) in info.elements.iter().zip(explosion) {
            let bits = BitRange {
                offset: described.part.offset + element.offset * 8,
                width: u64::from(element.bits).next_multiple_of(8),
            };
            if bits.offset + bits.width <= whole && !self.moves_to_context(*value) {
                let expression = Expression::default().fragment(part_of(bits, whole));
                let variable = (described.variable, expression);
                set_value(debug.builder(), variable, *value, described.location, self.builder.block());
            }
        }
        Ok(())
    }

    /// Records that a part of a variable is in memory.
    fn show_memory(&mut self, value: Value, place: Place<'ctx>, described: &DescribedVariable<'ctx>) {
        if self.body.values[value].definition == Definition::Undef || described.part.width == 0 {
            return;
        }
        let key = key(described);
        let known = match self.state.variables.get(&key) {
            Some(Home::Slot(_)) => return,
            Some(Home::Memory(parts)) => parts.iter().find(|(part, _)| overlap(*part, described.part)).copied(),
            None => None,
        };
        let slot = match known {
            Some((part, slot)) => return self.move_memory(value, place, described, (part, slot)),
            None => self.declare_memory(value, place, described),
        };
        let home = self.state.variables.entry(key).or_insert_with(|| Home::Memory(Vec::new()));
        if let Home::Memory(parts) = home {
            parts.push((described.part, slot));
        }
    }

    /// Declares the memory of a part of a variable at its first use. Returns the slot for its address, if it has one.
    fn declare_memory(
        &self,
        value: Value,
        place: Place<'ctx>,
        described: &DescribedVariable<'ctx>,
    ) -> Option<PointerValue<'ctx>> {
        let part = self.fragment(described);
        if self.is_stack_slot(place.address) {
            self.declare_variable(described, place.address, Expression::default().offset(place.offset).fragment(part));
            return None;
        }
        if self.module.optimizes() {
            self.track_memory(place, described);
            return None;
        }
        let size = self.module.pointer_size();
        let slot = self.stack_slot(size, size);
        let expression = Expression::default().dereference().offset(place.offset).fragment(part);
        self.declare_variable(described, slot, expression);
        self.store_address(value, place, slot, described);
        Some(slot)
    }

    /// Records that a part of a variable is in other memory from here on.
    fn move_memory(
        &self,
        value: Value,
        place: Place<'ctx>,
        described: &DescribedVariable<'ctx>,
        (part, slot): (BitRange, Option<PointerValue<'ctx>>),
    ) {
        match slot {
            _ if self.module.optimizes() => self.track_memory(place, described),
            Some(slot) if part == described.part => self.store_address(value, place, slot, described),
            _ => {}
        }
    }

    fn store_address(
        &self,
        value: Value,
        place: Place<'ctx>,
        slot: PointerValue<'ctx>,
        described: &DescribedVariable<'ctx>,
    ) {
        self.store_for_debugger(Some(value), described, |function| {
            function.builder.store(place.address, slot, function.module.pointer_size());
        });
    }

    fn track_memory(&self, place: Place<'ctx>, described: &DescribedVariable<'ctx>) {
        let Some(debug) = &self.module.debug else { return };
        let expression = Expression::default().offset(place.offset);
        if self.moves_to_context(place.address.into()) {
            return self.declare_variable(described, place.address, expression.fragment(self.fragment(described)));
        }
        let expression = expression.dereference().fragment(self.fragment(described));
        let variable = (described.variable, expression);
        set_value(debug.builder(), variable, place.address.into(), described.location, self.builder.block());
    }

    fn declare_variable(
        &self,
        described: &DescribedVariable<'ctx>,
        storage: PointerValue<'ctx>,
        expression: Expression,
    ) {
        let Some(debug) = &self.module.debug else { return };
        declare(debug.builder(), (described.variable, expression), storage, described.location, self.builder.block());
    }

    /// Stores a value for debuggers. Arguments are stored in the function's prologue, before the first breakpoint
    /// location.
    fn store_for_debugger(
        &self,
        source: Option<Value>,
        described: &DescribedVariable<'ctx>,
        store: impl FnOnce(&Self),
    ) {
        let entry = self.body.entry();
        let definition = source.map(|value| self.body.values[value].definition);
        match definition {
            Some(Definition::Argument { block, .. }) if block == entry && described.role == VariableRole::Argument => {
                self.in_prologue(|_| store(self));
            }
            _ => store(self),
        }
    }

    /// Returns the described bits of the variable, or `None` for all of it.
    fn fragment(&self, described: &DescribedVariable<'ctx>) -> Option<BitRange> {
        let whole = self.module.types.info(described.ty).map_or(described.part.width, |whole| whole.size * 8);
        part_of(described.part, whole)
    }

    /// Returns whether `value` is an address in the frame of an async function, which LLVM moves to the context when it
    /// splits the function. LLVM then expresses the address by the initial value of the context's register, and cannot
    /// emit the locations of variables with such a value for a part of the function, once it has moved the register's
    /// value elsewhere (`DwarfExpression::addExpression`). Locations in memory are not affected.
    fn moves_to_context(&self, value: BasicValueEnum<'ctx>) -> bool {
        let BasicValueEnum::PointerValue(mut address) = value else { return false };
        if !self.module.is_async(self.function.ty) {
            return false;
        }
        while let Some(instruction) = address.as_instruction() {
            match instruction.get_opcode() {
                InstructionOpcode::Alloca => return true,
                InstructionOpcode::GetElementPtr => match instruction.get_operand(0).and_then(|base| base.value()) {
                    Some(BasicValueEnum::PointerValue(base)) => address = base,
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Returns whether `address` is a slot of the frame: an allocation of dynamic size is not.
    fn is_stack_slot(&self, address: PointerValue<'ctx>) -> bool {
        address.as_instruction().is_some_and(|instruction| {
            let size = instruction.get_operand(0).and_then(|operand| operand.value());
            instruction.get_opcode() == InstructionOpcode::Alloca
                && instruction.get_parent() == Some(self.first_block)
                && size.is_some_and(|size| size.is_int_value() && size.into_int_value().is_const())
        })
    }
}

fn key<'ctx>(described: &DescribedVariable<'ctx>) -> (DebugVariable<'ctx>, usize) {
    (described.variable, described.call)
}

fn part_of(bits: BitRange, whole: u64) -> Option<BitRange> {
    (bits != BitRange { offset: 0, width: whole }).then_some(bits)
}

fn overlap(a: BitRange, b: BitRange) -> bool {
    a.offset < b.offset + b.width && b.offset < a.offset + a.width
}

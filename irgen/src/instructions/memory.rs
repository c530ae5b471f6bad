//! Loads, stores, copies, address arithmetic, formal accesses, addresses of globals.

use sil::instructions::{Attribute, Opcode};
use sil::model::{Details, InstructionId};

use crate::generation::{Generated, IRGenFunction, Lowered};

/// Emits one instruction of this family.
pub fn emit<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let opcode = function.body.instructions[instruction].opcode;
    match opcode {
        Opcode::Load => emit_load(function, instruction),
        Opcode::Store => emit_store(function, instruction),
        Opcode::CopyAddr => emit_copy_address(function, instruction),
        Opcode::DestroyAddr => {
            let operand = function.body.operands(instruction)[0];
            let info = function.info_of(operand)?;
            function.destroy_at(&info, function.address(operand)?);
            Ok(())
        }
        Opcode::IndexAddr => emit_index_address(function, instruction),
        Opcode::TailAddr => emit_tail_address(function, instruction),
        Opcode::IndexRawPointer => emit_index_raw_pointer(function, instruction),
        Opcode::BeginAccess | Opcode::MarkUninitialized | Opcode::VectorBaseAddr => {
            forward_address(function, instruction)
        }
        Opcode::BindMemory | Opcode::RebindMemory => {
            // Binding memory to a type tells alias analysis; the token that it gives is a word that nobody looks at.
            let zero = function.module.word_type().const_zero();
            if let Some(result) = function.body.result(instruction) {
                function.bind(result, Lowered::Explosion(vec![zero.into()]));
            }
            Ok(())
        }
        Opcode::EndAccess => Ok(()),
        Opcode::GlobalAddr => emit_global_address(function, instruction),
        Opcode::GlobalValue => emit_global_value(function, instruction),
        Opcode::BaseAddrForOffset => {
            let base = function.builder.null();
            function.bind_address(instruction, base);
            Ok(())
        }
        Opcode::TupleAddrConstructor => emit_tuple_address_constructor(function, instruction),
        _ => Err(function.unsupported(instruction, format_args!("the instruction {}", opcode.name()))),
    }
}

fn has(function: &IRGenFunction<'_, '_>, instruction: InstructionId, attribute: Attribute) -> bool {
    function.body.instructions[instruction].attributes.contains(attribute)
}

fn forward_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let operand = function.body.operands(instruction)[0];
    let scalars = function.flatten(&[operand])?;
    match function.body.ty(operand).is_address() {
        true => function.bind_address(instruction, scalars[0].into_pointer_value()),
        false => function.bind_result(instruction, scalars),
    }
    Ok(())
}

fn emit_load<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let operand = function.body.operands(instruction)[0];
    let info = function.info_of(operand)?;
    if !info.is_loadable() {
        return Err(function.unsupported(instruction, "loading a value that can only live in memory"));
    }
    let value = function.load_explosion(&info, function.address(operand)?);
    function.bind_result(instruction, value);
    Ok(())
}

fn emit_store<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let [source, destination] = *function.body.operands(instruction) else {
        return Err(function.unsupported(instruction, "a store of this form"));
    };
    let info = function.info_of(source)?;
    let value = function.explosion(source)?;
    let address = function.address(destination)?;
    function.store_explosion(&info, &value, address);
    Ok(())
}

fn emit_copy_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let [source, destination] = *function.body.operands(instruction) else {
        return Err(function.unsupported(instruction, "a copy of this form"));
    };
    let info = function.info_of(source)?;
    let (from, to) = (function.address(source)?, function.address(destination)?);
    match (has(function, instruction, Attribute::Take), has(function, instruction, Attribute::Init)) {
        (true, true) => function.initialize_with_take(&info, to, from),
        (true, false) => function.assign_with_take(&info, to, from),
        (false, true) => function.initialize_with_copy(&info, to, from),
        (false, false) => function.assign_with_copy(&info, to, from),
    }
    Ok(())
}

/// Elements of an array lie a stride apart.
fn emit_index_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let [base, index] = *function.body.operands(instruction) else {
        return Err(function.unsupported(instruction, "an index of this form"));
    };
    let info = function.info_of(base)?;
    let index = function.scalar(index)?.into_int_value();
    let element = crate::values::bytes_of(function.module.context, info.stride());
    let address = function.builder.element_pointer(element, function.address(base)?, index);
    function.bind_address(instruction, address);
    Ok(())
}

/// The address behind `index` elements, aligned for the next type.
fn emit_tail_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let [base, index] = *function.body.operands(instruction) else {
        return Err(function.unsupported(instruction, "an index of this form"));
    };
    let info = function.info_of(base)?;
    let next = function.info(function.body.types(instruction)[0])?;
    let index = function.scalar(index)?.into_int_value();
    let builder = &function.builder;
    let bits = function.module.pointer_bits();
    let element = crate::values::bytes_of(function.module.context, info.stride());
    let end = builder.element_pointer(element, function.address(base)?, builder.resize_signed(index, bits));
    let mask = next.alignment - 1;
    let raised = builder.add(builder.pointer_to_int(end, bits), builder.int(bits, mask));
    let address = builder.int_to_pointer(builder.and(raised, builder.int(bits, !mask)));
    function.bind_address(instruction, address);
    Ok(())
}

fn emit_index_raw_pointer<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let [base, index] = *function.body.operands(instruction) else {
        return Err(function.unsupported(instruction, "an index of this form"));
    };
    let base = function.scalar(base)?.into_pointer_value();
    let index = function.scalar(index)?.into_int_value();
    let address = function.builder.raw_index_bytes(base, index);
    function.bind_result(instruction, vec![address.into()]);
    Ok(())
}

fn emit_global_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Details::Global(name, _) = function.body.instructions[instruction].details else {
        return Err(function.unsupported(instruction, "a global reference of this form"));
    };
    let address = function.module.global_address(name)?;
    function.bind_address(instruction, address);
    Ok(())
}

/// A statically initialised object: its address is the reference.
fn emit_global_value<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Details::Global(name, _) = function.body.instructions[instruction].details else {
        return Err(function.unsupported(instruction, "a global reference of this form"));
    };
    let address = function.module.global_address(name)?;
    function.bind_result(instruction, vec![address.into()]);
    Ok(())
}

/// Writes each operand to its place in a tuple; operand 0 is the tuple's address.
fn emit_tuple_address_constructor<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let operands = function.body.operands(instruction).to_vec();
    let tuple = function.info_of(operands[0])?;
    let base = function.address(operands[0])?;
    let initializes = has(function, instruction, Attribute::Init);
    for (field, operand) in tuple.fields().iter().zip(&operands[1..]) {
        let place = function.builder.offset(base, field.offset);
        if function.body.ty(*operand).is_address() {
            let from = function.address(*operand)?;
            match initializes {
                true => function.initialize_with_take(&field.info, place, from),
                false => function.assign_with_take(&field.info, place, from),
            }
        } else {
            let value = function.explosion(*operand)?;
            match initializes {
                true => function.store_explosion(&field.info, &value, place),
                false => function.assign_explosion(&field.info, &value, place),
            }
        }
    }
    Ok(())
}

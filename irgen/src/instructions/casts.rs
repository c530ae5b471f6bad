//! Conversions of references, pointers and bits, and checked casts.

use std::sync::Arc;

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::{MetatypeRepresentation, Type, TypeId};
use sil_ir::instructions::Attribute;
use sil_ir::instructions::families::Casts;
use sil_ir::model::views::{
    CastAddr, CheckedCastAddrBr, CheckedCastBr, RefToBridgeObject, Unary, UnconditionalCheckedCast,
};
use sil_ir::model::{BlockId, Cast, CastConsumption, InstructionId, Value};
use sil_ir::types::ExistentialKind;

use super::{Emit, Lowering};
use crate::generation::{Explosion, IRGenFunction, RuntimeFunction};
use crate::layout::TypeInfo;
use crate::llvm::stack::raise_alignment;
use crate::refusal::Generated;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Casts) -> Lowering {
    use Casts::*;
    let emit: Emit = match opcode {
        ThinToThickFunction => super::closures::thin_to_thick,
        Upcast | ConvertFunction | ConvertEscapeToNoescape => super::ownership::forward,
        AddressToPointer => address_to_pointer,
        PointerToAddress | UncheckedAddrCast => cast_address,
        UncheckedRefCast | RefToRawPointer | RawPointerToRef => reference_cast,
        UncheckedRefCastAddr => reference_cast_in_memory,
        UncheckedTrivialBitCast | UncheckedBitwiseCast | UncheckedValueCast | ValueToBridgeObject => bit_cast,
        RefToBridgeObject => ref_to_bridge_object,
        BridgeObjectToRef => bridge_object_to_ref,
        BridgeObjectToWord => bridge_object_to_word,
        UnconditionalCheckedCast => unconditional_cast,
        UnconditionalCheckedCastAddr => unconditional_cast_in_memory,
        ImplicitactorToOpaqueisolationCast => super::concurrency::opaque_isolation,
        Thunk | ClassifyBridgeObject => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// `address_to_pointer`
pub(super) fn address_to_pointer<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let address = function.address(Unary::of(function.body, instruction).operand)?;
    function.bind_result(instruction, vec![address.into()]);
    Ok(())
}

/// `bridge_object_to_word`
pub(super) fn bridge_object_to_word<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let object = function.scalar(Unary::of(function.body, instruction).operand)?;
    let bits = function.module.pointer_bits();
    let word = function.builder.to_bits(object, bits);
    function.bind_result(instruction, vec![word.into()]);
    Ok(())
}

pub(super) fn result_info<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<Arc<TypeInfo>> {
    match function.body.result(instruction) {
        Some(result) => function.info_of(result),
        None => Err(function.unsupported(instruction, "a cast without a result")),
    }
}

/// Casts an address to another type. Loads and stores through it assume the alignment of its type: a slot or a global
/// of this module gets that alignment.
pub(super) fn cast_address<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let address = function.address(Unary::of(function.body, instruction).operand)?;
    // A type without a layout is reported at the access.
    if let Ok(info) = result_info(function, instruction) {
        raise_alignment(address, info.alignment as u32, |variable| function.module.owns_variable(variable));
    }
    function.bind_address(instruction, address);
    Ok(())
}

/// Casts a reference or pointer. The witness tables of an existential are dropped.
pub(super) fn reference_cast<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let info = result_info(function, instruction)?;
    let explosion = function.explosion(Unary::of(function.body, instruction).operand)?;
    let ([reference, ..], [element]) = (explosion.as_slice(), info.elements.as_slice()) else {
        return Err(function.unsupported(instruction, "a cast between references of these types"));
    };
    let bits = function.module.pointer_bits();
    let cast = function.builder.coerce(*reference, element.scalar, bits);
    function.bind_result(instruction, vec![cast]);
    Ok(())
}

pub(super) fn reference_cast_in_memory<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let CastAddr { source, destination, .. } = CastAddr::of(function.body, instruction);
    let (from_info, to_info) = (function.info_of(source)?, function.info_of(destination)?);
    if from_info.size != to_info.size {
        return Err(function.unsupported(instruction, "a cast between references of these types"));
    }
    let value = function.load_explosion(&from_info, function.address(source)?);
    let cast = cast_bits(function, &from_info, &to_info, value);
    function.store_explosion(&to_info, &cast, function.address(destination)?);
    Ok(())
}

pub(super) fn bit_cast<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let value = Unary::of(function.body, instruction).operand;
    let (from, to) = (function.info_of(value)?, result_info(function, instruction)?);
    if !from.is_loadable() || !to.is_loadable() {
        return Err(function.unsupported(instruction, "a cast of values that live in memory only"));
    }
    let explosion = function.explosion(value)?;
    let cast = cast_bits(function, &from, &to, explosion);
    function.bind_result(instruction, cast);
    Ok(())
}

/// Casts the bits of a value to another type: scalar by scalar if both have the same layout, otherwise through memory.
pub(super) fn cast_bits<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    from: &TypeInfo,
    to: &TypeInfo,
    explosion: Explosion<'ctx>,
) -> Explosion<'ctx> {
    let alike = from.elements.len() == to.elements.len()
        && from.elements.iter().zip(&to.elements).all(|(from, to)| from.offset == to.offset && from.bits == to.bits);
    if alike {
        let bits = function.module.pointer_bits();
        let cast = |(scalar, element): (BasicValueEnum<'ctx>, &crate::layout::Element)| {
            if scalar.get_type() == function.builder.scalar_type(element.scalar) {
                return scalar;
            }
            function
                .builder
                .scalar_of_bits(function.builder.to_bits(scalar, bits), function.builder.scalar_type(element.scalar))
        };
        return explosion.into_iter().zip(&to.elements).map(cast).collect();
    }
    let memory = function.stack_slot(from.size.max(to.size), from.alignment.max(to.alignment));
    function.store_explosion(from, &explosion, memory);
    function.load_explosion(to, memory)
}

pub(super) fn ref_to_bridge_object<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let RefToBridgeObject { reference, bits } = RefToBridgeObject::of(function.body, instruction);
    let width = function.module.pointer_bits();
    let object = function.builder.to_bits(function.scalar(reference)?, width);
    let word = function.builder.or(object, function.scalar(bits)?.into_int_value());
    let bridged = function.builder.int_to_pointer(word);
    function.bind_result(instruction, vec![bridged.into()]);
    Ok(())
}

/// Without Objective-C, a bridge object is a reference with flags in its spare bits.
pub(super) fn bridge_object_to_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let width = function.module.pointer_bits();
    let object = function.builder.to_bits(function.scalar(Unary::of(function.body, instruction).operand)?, width);
    let mask = function.builder.int(width, !function.module.options.target.heap_object_spare_bits);
    let reference = function.builder.int_to_pointer(function.builder.and(object, mask));
    function.bind_result(instruction, vec![reference.into()]);
    Ok(())
}

/// A cast of a single pointer by the runtime.
struct PointerCast<'ctx> {
    conditional: RuntimeFunction,
    unconditional: RuntimeFunction,
    /// The metadata of the target class of a reference, or of the target instance type of a metatype.
    target: PointerValue<'ctx>,
}

/// Returns the cast of a reference to a class, or of a metatype to a concrete one, or `None` for other casts, which the
/// runtime performs on values in memory.
fn pointer_cast<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    value: Value,
    target: TypeId,
) -> Generated<Option<PointerCast<'ctx>>> {
    let types = &function.module.types;
    let source = function.body.ty(value);
    let is_metatype = match types.queries.get(source.ty) {
        Type::Metatype { representation, .. } => *representation == Some(MetatypeRepresentation::Thick),
        Type::ExistentialMetatype { .. } => true,
        _ => false,
    };
    if let (Type::Metatype { instance, .. }, true) = (types.queries.get(target), is_metatype) {
        let (conditional, unconditional) =
            (RuntimeFunction::DynamicCastMetatype, RuntimeFunction::DynamicCastMetatypeUnconditional);
        return Ok(Some(PointerCast { conditional, unconditional, target: function.type_metadata(*instance)? }));
    }
    let is_reference = types.is_single_reference(source.ty)
        || types.queries.existential_kind(source.ty) == ExistentialKind::Class
            && !types.is_error_existential(source.ty);
    if source.is_address() || !types.queries.is_class(target) || !is_reference {
        return Ok(None);
    }
    let (conditional, unconditional) =
        (RuntimeFunction::DynamicCastClass, RuntimeFunction::DynamicCastClassUnconditional);
    Ok(Some(PointerCast { conditional, unconditional, target: function.type_metadata(target)? }))
}

pub(super) fn unconditional_cast<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let UnconditionalCheckedCast { operand, target } = UnconditionalCheckedCast::of(function.body, instruction);
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let Some(pointer) = pointer_cast(function, operand, function.body.ty(result).ty)? else {
        let source = formal_type(function, function.body.ty(operand).ty);
        let cast = ValueCast { operand, source, target, into: function.body.ty(result).ty };
        let (_, place) =
            cast.emit(function, instruction, CAST_UNCONDITIONALLY | TAKE_ON_SUCCESS | DESTROY_ON_FAILURE)?;
        let info = function.module.types.info(function.erased(cast.into))?;
        let value = function.load_explosion(&info, place);
        function.bind_result(instruction, value);
        return Ok(());
    };
    let object = first_scalar(function, operand)?;
    let (null, zero) = (function.builder.null().into(), function.builder.int(32, 0).into());
    let arguments = [object, pointer.target.into(), null, zero, zero];
    let cast = function.call_runtime_for(pointer.unconditional, &arguments);
    function.bind_result(instruction, vec![cast]);
    Ok(())
}

/// Returns the reference or the metadata in a value that may be followed by witness tables.
fn first_scalar<'ctx>(function: &IRGenFunction<'_, 'ctx>, value: Value) -> Generated<BasicValueEnum<'ctx>> {
    let scalars = function.explosion(value)?;
    scalars.first().copied().ok_or_else(|| function.module.unsupported_type(function.body.ty(value).ty))
}

/// Returns the formal type of a lowered type, as in its metadata.
fn formal_type(function: &IRGenFunction<'_, '_>, ty: TypeId) -> TypeId {
    let context = &function.module.sil.context;
    match *context.get(ty) {
        Type::Metatype { instance, .. } => context.ty(Type::Metatype { instance, representation: None }),
        Type::ExistentialMetatype { instance, .. } => {
            context.ty(Type::ExistentialMetatype { instance, representation: None })
        }
        _ => ty,
    }
}

/// A checked cast of a loaded value by the runtime.
struct ValueCast {
    operand: Value,
    /// The formal types.
    source: TypeId,
    target: TypeId,
    /// The lowered type of the result.
    into: TypeId,
}

impl ValueCast {
    /// Casts in temporaries. Returns whether the cast succeeds, and the address of the result.
    fn emit<'ctx>(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        instruction: InstructionId,
        flags: u64,
    ) -> Generated<(BasicValueEnum<'ctx>, PointerValue<'ctx>)> {
        let (from, into) = (function.info_of(self.operand)?, function.module.types.info(function.erased(self.into))?);
        let is_value = |info: &TypeInfo| info.is_loadable() && !info.elements.is_empty();
        if function.body.ty(self.operand).is_address() || !is_value(&from) || !is_value(&into) {
            return Err(function.unsupported(instruction, "a checked cast of values of such a type"));
        }
        let (source, place) = (function.temporary(&from), function.temporary(&into));
        function.store_explosion(&from, &function.explosion(self.operand)?, source);
        let types = [function.type_metadata(self.source)?, function.type_metadata(self.target)?];
        let flags = cast_flags(function, instruction, flags);
        let arguments = [place.into(), source.into(), types[0].into(), types[1].into(), flags.into()];
        Ok((function.call_runtime_for(RuntimeFunction::DynamicCast, &arguments), place))
    }
}

/// The mode of `swift_dynamicCast` (include/swift/ABI/MetadataValues.h, `DynamicCastFlags`).
const CAST_UNCONDITIONALLY: u64 = 1;
const TAKE_ON_SUCCESS: u64 = 2;
const DESTROY_ON_FAILURE: u64 = 4;
const PROHIBIT_ISOLATED_CONFORMANCES: u64 = 8;

/// Returns these flags, with the instruction's own for conformances.
fn cast_flags<'ctx>(function: &IRGenFunction<'_, 'ctx>, instruction: InstructionId, flags: u64) -> IntValue<'ctx> {
    let attributes = &function.body.instructions[instruction].attributes;
    let isolation = match attributes.contains(Attribute::ProhibitIsolatedConformances) {
        true => PROHIBIT_ISOLATED_CONFORMANCES,
        false => 0,
    };
    function.module.word_type().const_int(flags | isolation, false)
}

/// `unconditional_checked_cast_addr`: consumes the source, and ends the program if the cast fails.
pub(super) fn unconditional_cast_in_memory<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let CastAddr { source, destination, cast } = CastAddr::of(function.body, instruction);
    let flags = CAST_UNCONDITIONALLY | TAKE_ON_SUCCESS | DESTROY_ON_FAILURE;
    cast_in_memory(function, instruction, source, destination, cast, flags)?;
    Ok(())
}

/// `checked_cast_addr_br`
pub(super) fn cast_in_memory_and_branch<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let CheckedCastAddrBr { source, destination, success, failure, cast } =
        CheckedCastAddrBr::of(function.body, instruction);
    let flags = match cast.consumption {
        Some(CastConsumption::TakeAlways) => TAKE_ON_SUCCESS | DESTROY_ON_FAILURE,
        Some(CastConsumption::TakeOnSuccess) => TAKE_ON_SUCCESS,
        Some(CastConsumption::CopyOnSuccess) | None => 0,
    };
    let succeeds = cast_in_memory(function, instruction, source, destination, cast, flags)?;
    function.builder.branch_if(succeeds.into_int_value(), function.block(success), function.block(failure));
    Ok(())
}

/// Casts between formal types by the runtime.
fn cast_in_memory<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    source: Value,
    destination: Value,
    cast: &Cast,
    flags: u64,
) -> Generated<BasicValueEnum<'ctx>> {
    let Some(formal_source) = cast.source else {
        return Err(function.unsupported(instruction, "a checked cast whose source type is not written"));
    };
    let (to, from) = (function.address(destination)?, function.address(source)?);
    let (source_type, target_type) = (function.type_metadata(formal_source)?, function.type_metadata(cast.target)?);
    let flags = cast_flags(function, instruction, flags);
    let arguments = [to.into(), from.into(), source_type.into(), target_type.into(), flags.into()];
    Ok(function.call_runtime_for(RuntimeFunction::DynamicCast, &arguments))
}

/// Branches to the first target with the cast reference, or to the second one, with the operand if it takes an
/// argument.
pub(super) fn cast_and_branch<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let CheckedCastBr { operand, success, failure, cast } = CheckedCastBr::of(function.body, instruction);
    let Some(pointer) = pointer_cast(function, operand, cast.target)? else {
        return cast_value_and_branch(function, instruction);
    };
    let object = first_scalar(function, operand)?;
    let bits = function.module.pointer_bits();
    let is_exact = function.body.instructions[instruction].attributes.contains(Attribute::Exact);
    let (succeeds, cast) = if is_exact {
        let metadata = match pointer.conditional {
            RuntimeFunction::DynamicCastMetatype => object.into_pointer_value(),
            _ => function.load_heap_metadata(object.into_pointer_value()),
        };
        let word = |pointer| function.builder.pointer_to_int(pointer, bits);
        (function.builder.equal(word(metadata), word(pointer.target)), object)
    } else {
        let cast = function.call_runtime_for(pointer.conditional, &[object, pointer.target.into()]);
        let fails = function.builder.is_null(cast.into_pointer_value());
        (function.builder.not(fails), cast)
    };
    function.add_incoming(success, &[cast]);
    add_original(function, operand, failure)?;
    function.builder.branch_if(succeeds, function.block(success), function.block(failure));
    Ok(())
}

/// Passes the value to the failure block, if it takes an argument.
fn add_original(function: &IRGenFunction<'_, '_>, operand: Value, failure: BlockId) -> Generated<()> {
    match function.body.blocks[failure].arguments.is_empty() {
        true => function.add_incoming(failure, &[]),
        false => function.add_incoming(failure, &function.explosion(operand)?),
    }
    Ok(())
}

/// The same for values that are not references, or casts to types that are not.
fn cast_value_and_branch<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let CheckedCastBr { operand, success, failure, cast } = CheckedCastBr::of(function.body, instruction);
    let is_exact = function.body.instructions[instruction].attributes.contains(Attribute::Exact);
    let into = function.body.blocks[success].arguments.first().map(|argument| function.body.ty(*argument).ty);
    let (Some(into), false) = (into, is_exact) else {
        return Err(function.unsupported(instruction, "a checked cast of this form"));
    };
    let source = cast.source.unwrap_or_else(|| formal_type(function, function.body.ty(operand).ty));
    let value = ValueCast { operand, source, target: cast.target, into };
    let (succeeds, place) = value.emit(function, instruction, TAKE_ON_SUCCESS)?;
    let loaded = function.new_block("cast");
    add_original(function, operand, failure)?;
    function.builder.branch_if(succeeds.into_int_value(), loaded, function.block(failure));
    function.builder.position_at_end(loaded);
    let info = function.module.types.info(function.erased(into))?;
    let cast = function.load_explosion(&info, place);
    function.add_incoming(success, &cast);
    function.builder.branch(function.block(success));
    Ok(())
}

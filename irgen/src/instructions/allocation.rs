//! Allocation and deallocation: stack slots, objects, boxes; and projections of boxes.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::{SilType, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::Attribute;
use sil_ir::instructions::families::Allocation;
use sil_ir::model::views::{
    AllButLast, AllocRef, AllocRefDynamic, AllocVariable, BeginDeallocRef, DeallocPartialRef, Leading, ProjectBox,
    Unary,
};
use sil_ir::model::{InstructionId, Value};

use super::{Emit, Lowering};
use crate::generation::{CaptureDescription, HeapLayout, IRGenFunction, Lowered, RuntimeFunction};
use crate::layout::{ActorStorage, TypeLayout};
use crate::llvm::attributes::{self, Place};
use crate::refusal::Generated;
use crate::values::opaque::LayoutFact;

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Allocation) -> Lowering {
    use Allocation::*;
    let emit: Emit = match opcode {
        AllocStack => alloc_stack,
        AllocRef => alloc_ref,
        AllocBox => alloc_box,
        DeallocStackRef => dealloc_stack_ref,
        DeallocRef => dealloc_ref,
        DeallocPartialRef => dealloc_partial_ref,
        DeallocBox => dealloc_box,
        BeginDeallocRef => begin_dealloc_ref,
        EndInitLetRef => super::ownership::forward,
        ProjectBox => project_box,
        AllocExistentialBox => super::errors::alloc_box,
        ProjectExistentialBox => super::errors::project_box,
        DeallocExistentialBox => super::errors::dealloc_box,
        DeallocStack => dealloc_stack,
        AllocGlobal => super::memory::alloc_global,
        AllocRefDynamic => alloc_ref_dynamic,
        AllocPack => super::packs::alloc_pack,
        // Arrays of metadata are allocated for the whole call.
        AllocPackMetadata | DeallocPackMetadata => return Lowering::NoCode,
        DeallocPack => dealloc_stack,
        AllocVector => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

/// The size limit for stack promoted objects in bytes.
const STACK_PROMOTION_LIMIT: u64 = 1024;

/// `begin_dealloc_ref`: forwards the object.
pub(super) fn begin_dealloc_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let BeginDeallocRef { object, .. } = BeginDeallocRef::of(function.body, instruction);
    super::ownership::forward_value(function, instruction, object)
}

pub(super) fn alloc_stack<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let AllocVariable { ty, .. } = AllocVariable::of(function.body, instruction);
    let slot = match function.layout(ty.ty)? {
        TypeLayout::Fixed(info) => function.temporary(&info),
        TypeLayout::Dynamic(ty) => function.enter_dynamic_slot(ty)?,
    };
    function.bind_address(instruction, slot);
    super::variables::emit(function, instruction)
}

/// `dealloc_stack`: a slot of fixed size is allocated for the whole call.
pub(super) fn dealloc_stack<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    if let Some(Lowered::Address(slot)) = function.lowered(operand) {
        function.leave_dynamic_slot(*slot);
    }
    Ok(())
}

/// Returns the size and alignment mask of an object with its tail elements, as constants if possible. `class` has those
/// of instances without tail elements.
fn object_size<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    class: [IntValue<'ctx>; 2],
    tails: &[SilType],
    counts: &[Value],
) -> Generated<[IntValue<'ctx>; 2]> {
    let [mut size, mut mask] = class;
    let bits = function.module.pointer_bits();
    let builder = &function.builder;
    for (tail, count) in tails.iter().zip(counts) {
        let (stride, element_mask) = match function.layout(tail.ty)? {
            TypeLayout::Fixed(info) => (builder.int(bits, info.stride()), builder.int(bits, info.alignment - 1)),
            TypeLayout::Dynamic(ty) => {
                let metadata = function.type_metadata(ty)?;
                (function.layout_fact(metadata, LayoutFact::Stride), function.alignment_mask(metadata))
            }
        };
        size = builder.and(builder.add(size, element_mask), builder.not(element_mask));
        let count = builder.resize_signed(function.scalar(*count)?.into_int_value(), bits);
        size = builder.add(size, builder.mul(count, stride));
        mask = builder.or(mask, element_mask);
    }
    Ok([size, mask])
}

/// Returns the size and alignment mask of instances of `class`, from the metadata if they are not known.
pub(super) fn class_size<'ctx>(function: &IRGenFunction<'_, 'ctx>, class: TypeId) -> Generated<[IntValue<'ctx>; 2]> {
    match function.module.types.fixed_class_layout(function.erased(class))? {
        Some(layout) => {
            let word = |number| function.module.word_type().const_int(number, false);
            Ok([word(layout.size), word(layout.alignment - 1)])
        }
        None => Ok(function.instance_size(function.instance_metadata(class)?)),
    }
}

pub(super) fn alloc_ref<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let attributes = function.body.instructions[instruction].attributes;
    if attributes.contains(Attribute::ObjC) {
        return Err(function.unsupported(instruction, "Objective-C objects"));
    }
    let allocation = AllocRef::of(function.body, instruction);
    let class = allocation.class;
    let AllocRef { tail_counts: Leading(counts), tail_types: AllButLast(tails), .. } = allocation;
    let [size, mask] = object_size(function, class_size(function, class.ty)?, tails, counts)?;
    let constants = (size.get_zero_extended_constant(), mask.get_zero_extended_constant());
    if let (true, (Some(size), Some(mask))) = (attributes.contains(Attribute::Stack), constants)
        && size <= STACK_PROMOTION_LIMIT
    {
        let slot = function.stack_slot(size, mask + 1);
        function.state.stack_objects.insert(instruction, slot);
        if !attributes.contains(Attribute::Bare) {
            let metadata = function.instance_metadata(class.ty)?;
            function.call_runtime(RuntimeFunction::InitStackObject, &[metadata.into(), slot.into()]);
        }
        function.bind_result(instruction, vec![slot.into()]);
        return Ok(());
    }
    let metadata = function.instance_metadata(class.ty)?;
    let object = allocate_object(function, metadata, size, mask);
    function.bind_result(instruction, vec![object]);
    Ok(())
}

/// `alloc_ref_dynamic`: the metadata contains the size of instances.
pub(super) fn alloc_ref_dynamic<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    if function.body.instructions[instruction].attributes.contains(Attribute::ObjC) {
        return Err(function.unsupported(instruction, "Objective-C objects"));
    }
    let AllocRefDynamic { tail_counts: Leading(counts), metatype, tail_types: AllButLast(tails), .. } =
        AllocRefDynamic::of(function.body, instruction);
    let metadata = function.scalar(metatype)?.into_pointer_value();
    let [size, mask] = object_size(function, function.instance_size(metadata), tails, counts)?;
    let object = allocate_object(function, metadata, size, mask);
    function.bind_result(instruction, vec![object]);
    Ok(())
}

/// Allocates an object of `size` bytes. LLVM may inline the allocation.
pub(in crate::instructions) fn allocate_object<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    metadata: PointerValue<'ctx>,
    size: IntValue<'ctx>,
    mask: IntValue<'ctx>,
) -> BasicValueEnum<'ctx> {
    let call = function.call_runtime(RuntimeFunction::AllocObject, &[metadata.into(), size.into(), mask.into()]);
    attributes::add(call, Place::Result, &[attributes::Attribute::NoAlias]);
    if function.keeps_runtime_calls() {
        attributes::add(call, Place::Function, &[attributes::Attribute::NoInline]);
    }
    #[expect(clippy::expect_used, reason = "the row of swift_allocObject has a result")]
    call.try_as_basic_value().basic().expect("swift_allocObject gives an object")
}

/// Returns the instruction that allocated an object on the stack, looking through `begin_dealloc_ref`.
fn stack_allocation(function: &IRGenFunction<'_, '_>, value: Value) -> Option<InstructionId> {
    let mut defining = function.body.defining(value)?;
    while let Some(BeginDeallocRef { allocation, .. }) = BeginDeallocRef::get(function.body, defining) {
        defining = function.body.defining(allocation)?;
    }
    function.state.stack_objects.contains_key(&defining).then_some(defining)
}

/// Frees an object whose fields are destroyed. A stack promoted object is freed by its `dealloc_stack_ref`.
pub(super) fn dealloc_ref<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    if stack_allocation(function, operand).is_some() {
        return Ok(());
    }
    let object = function.scalar(operand)?;
    let class = function.body.ty(operand).ty;
    if let Some(deallocate) = deallocation_of_actor(function, class) {
        function.call_runtime(deallocate, &[object]);
        return Ok(());
    }
    let [size, mask] = class_size(function, class)?;
    function.call_runtime(RuntimeFunction::DeallocClassInstance, &[object, size.into(), mask.into()]);
    Ok(())
}

/// Returns the function that frees an actor that may be running jobs: a class without its own executor may be one.
fn deallocation_of_actor(function: &IRGenFunction<'_, '_>, class: TypeId) -> Option<RuntimeFunction> {
    let types = function.module.types;
    let declaration = types.queries.declaration_of(class)?;
    match declaration.kind {
        NominalKind::Actor if declaration.attributes.evolving => Some(RuntimeFunction::DefaultActorDeallocateResilient),
        NominalKind::Actor if types.actor_storage(class) == Some(ActorStorage::Default) => {
            Some(RuntimeFunction::DefaultActorDeallocate)
        }
        _ => None,
    }
}

/// Ends the lifetime of the slot. The use prevents LLVM from turning the last release into a tail call, which would run
/// without the slot.
pub(super) fn dealloc_stack_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    if stack_allocation(function, operand).is_some() {
        let slot = function.scalar(operand)?.into_pointer_value();
        function.emit_lifetime_end(slot);
    }
    Ok(())
}

pub(super) fn dealloc_partial_ref<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let DeallocPartialRef { object, metatype } = DeallocPartialRef::of(function.body, instruction);
    let class = function.body.ty(object).ty;
    let metadata = match function.explosion(metatype)?.as_slice() {
        [metadata] => *metadata,
        _ => function.type_metadata(class)?.into(),
    };
    let [size, mask] = class_size(function, class)?;
    let object = function.scalar(object)?;
    function.call_runtime(RuntimeFunction::DeallocPartialClassInstance, &[object, metadata, size.into(), mask.into()]);
    Ok(())
}

pub(super) fn alloc_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let ty = function.body.ty(result).ty;
    let object = match dynamic_content(function, ty)? {
        Some(content) => function.allocate_box_of(function.type_metadata(content)?).0.into(),
        None => {
            let captures = CaptureDescription { signature: function.generics, ..Default::default() };
            allocate_box(function, &function.module.box_layout(function.erased(ty))?, captures)?
        }
    };
    function.bind_result(instruction, vec![object]);
    super::variables::emit(function, instruction)
}

/// Returns the only field of a box of type `ty`, if its layout is dynamic, or if its destruction needs metadata of the
/// function's own types.
fn dynamic_content(function: &IRGenFunction<'_, '_>, ty: TypeId) -> Generated<Option<TypeId>> {
    let content = function.module.types.queries.box_field_type(ty, 0);
    let Some(content) = content else { return Ok(None) };
    let queries = function.module.types.queries;
    Ok(match function.layout(content)? {
        TypeLayout::Dynamic(content) => Some(content),
        TypeLayout::Fixed(info) if info.has_deinit_where(&|ty| queries.is_dependent(ty)) => {
            Some(queries.canonical_type(content))
        }
        TypeLayout::Fixed(_) => None,
    })
}

/// Allocates a box or a closure context.
pub(in crate::instructions) fn allocate_box<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    layout: &HeapLayout,
    captures: CaptureDescription,
) -> Generated<BasicValueEnum<'ctx>> {
    let word = |value| function.module.word_type().const_int(value, false);
    let metadata = function.module.heap_metadata(layout, captures)?;
    Ok(allocate_object(function, metadata, word(layout.size), word(layout.alignment_mask())))
}

/// Frees a box whose content is destroyed or was never initialised.
pub(super) fn dealloc_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Unary { operand } = Unary::of(function.body, instruction);
    let ty = function.body.ty(operand).ty;
    if dynamic_content(function, ty)?.is_some() {
        function.call_runtime(RuntimeFunction::DeallocBox, &[function.scalar(operand)?]);
        return Ok(());
    }
    let layout = function.module.box_layout(function.erased(ty))?;
    let size = function.module.word_type().const_int(layout.size, false);
    let mask = function.module.word_type().const_int(layout.alignment - 1, false);
    let object = function.scalar(operand)?;
    function.call_runtime(RuntimeFunction::DeallocObject, &[object, size.into(), mask.into()]);
    Ok(())
}

pub(super) fn project_box<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let ProjectBox { operand, field } = ProjectBox::of(function.body, instruction);
    let ty = function.body.ty(operand).ty;
    if let Some(content) = dynamic_content(function, ty)? {
        let object = function.scalar(operand)?.into_pointer_value();
        let address = function.value_in_box(object, function.type_metadata(content)?);
        function.bind_address(instruction, address);
        return Ok(());
    }
    let layout = function.module.box_layout(function.erased(ty))?;
    let Some(field) = layout.fields.get(field as usize) else {
        return Err(function.unsupported(instruction, "a projection of this box"));
    };
    let object = function.scalar(operand)?.into_pointer_value();
    let address = function.builder.offset(object, field.offset);
    function.bind_address(instruction, address);
    Ok(())
}

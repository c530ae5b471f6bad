//! A thin builder over inkwell's: values are [`BasicValueEnum`]s, memory is addressed by bytes, and building does not
//! fail. Arithmetic is in `arithmetic`, atomic accesses are in `atomics`, coroutines in `coroutines`.
//!
//! inkwell's builder returns an error if it has no position or if the kinds of values do not match. Both are internal
//! errors of silc, not errors in the input, so they panic, which the program reports as an internal error.

use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder as InkwellBuilder, BuilderError};
use inkwell::context::Context;
use inkwell::debug_info::DILocation;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;
use inkwell::module::Module;
use inkwell::types::{
    BasicMetadataTypeEnum, BasicType, BasicTypeEnum, FloatType, FunctionType, IntType, PointerType, StructType,
    VectorType,
};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue, FunctionValue, InstructionValue, IntValue,
    PointerValue,
};
use sil_ir::context::VectorElement;

use super::intrinsics;
use super::stack::SwiftErrorSlots;
use crate::layout::Scalar;

/// Builds instructions at the end of a block.
pub struct Builder<'ctx> {
    /// LLVM's context.
    pub context: &'ctx Context,
    inner: InkwellBuilder<'ctx>,
}

/// Returns the built instruction.
#[expect(clippy::expect_used, reason = "the builder fails only when silc itself uses it wrongly")]
pub(super) fn built<T>(result: Result<T, BuilderError>) -> T {
    result.expect("LLVM's builder was used wrongly")
}

impl<'ctx> Builder<'ctx> {
    /// A builder without a position.
    pub fn new(context: &'ctx Context) -> Self {
        Self { context, inner: context.create_builder() }
    }

    /// inkwell's own builder.
    pub(super) fn inkwell(&self) -> &InkwellBuilder<'ctx> {
        &self.inner
    }

    /// LLVM's own builder.
    pub(super) fn raw(&self) -> LLVMBuilderRef {
        self.inner.as_mut_ptr()
    }

    /// Moves to the end of `block`.
    pub fn position_at_end(&self, block: BasicBlock<'ctx>) {
        self.inner.position_at_end(block);
    }

    /// Moves to before `instruction`, without changing the debug location.
    pub fn position_before(&self, instruction: &InstructionValue<'ctx>) {
        let location = self.location();
        self.inner.position_before(instruction);
        self.set_location(location);
    }

    /// Returns the debug location of the next instructions.
    pub fn location(&self) -> Option<DILocation<'ctx>> {
        self.inner.get_current_debug_location()
    }

    /// Sets the debug location of the next instructions.
    pub fn set_location(&self, location: Option<DILocation<'ctx>>) {
        match location {
            Some(location) => self.inner.set_current_debug_location(location),
            None => self.inner.unset_current_debug_location(),
        }
    }

    /// Returns the current block.
    #[expect(clippy::expect_used, reason = "every emitting function positions the builder first")]
    pub fn block(&self) -> BasicBlock<'ctx> {
        self.inner.get_insert_block().expect("the builder has a position")
    }

    // Types

    /// `iN`
    #[expect(clippy::expect_used, reason = "LLVM has integers of 1 to 2^23 bits; layouts never ask for others")]
    pub fn int_type(&self, bits: u32) -> IntType<'ctx> {
        let bits = std::num::NonZeroU32::new(bits).expect("an integer has at least a bit");
        self.context.custom_width_int_type(bits).expect("the width is LLVM's")
    }

    /// `ptr`
    pub fn ptr_type(&self) -> PointerType<'ctx> {
        self.context.ptr_type(AddressSpace::default())
    }

    /// LLVM's type of a scalar.
    pub fn scalar_type(&self, scalar: Scalar) -> BasicTypeEnum<'ctx> {
        match scalar {
            Scalar::Integer(bits) => self.int_type(bits).into(),
            Scalar::Float(bits) => self.float_type(bits).into(),
            Scalar::Pointer => self.ptr_type().into(),
            Scalar::Vector { element, count } => self.vector_type(element, count).into(),
        }
    }

    /// Returns the type of a function that returns these scalars: void, a single scalar, or a first-class struct of
    /// them.
    pub fn function_type(
        &self,
        context: &'ctx Context,
        returned: &[Scalar],
        parameters: &[BasicMetadataTypeEnum<'ctx>],
    ) -> FunctionType<'ctx> {
        match returned {
            [] => context.void_type().fn_type(parameters, false),
            [only] => self.scalar_type(*only).fn_type(parameters, false),
            several => self.scalars_type(several).fn_type(parameters, false),
        }
    }

    /// The first-class struct of these scalars.
    pub fn scalars_type(&self, scalars: &[Scalar]) -> StructType<'ctx> {
        self.struct_type(&scalars.iter().map(|scalar| self.scalar_type(*scalar)).collect::<Vec<_>>())
    }

    /// LLVM's type of a builtin vector.
    pub fn vector_type(&self, element: VectorElement, count: u32) -> VectorType<'ctx> {
        match element {
            VectorElement::Integer(bits) => self.int_type(bits).vec_type(count),
            VectorElement::Float(bits) => self.float_type(bits).vec_type(count),
            VectorElement::RawPointer => self.ptr_type().vec_type(count),
        }
    }

    /// `half`, `float`, `double`, `x86_fp80`, `fp128` by their width in bits.
    pub fn float_type(&self, bits: u32) -> FloatType<'ctx> {
        match bits {
            16 => self.context.f16_type(),
            32 => self.context.f32_type(),
            80 => self.context.x86_f80_type(),
            128 => self.context.f128_type(),
            _ => self.context.f64_type(),
        }
    }

    /// `{ a, b }`
    pub fn struct_type(&self, fields: &[BasicTypeEnum<'ctx>]) -> StructType<'ctx> {
        self.context.struct_type(fields, false)
    }

    // Constants

    /// The integer `value`, truncated to `bits`.
    pub fn int(&self, bits: u32, value: u64) -> IntValue<'ctx> {
        self.int_type(bits).const_int(value, false)
    }

    /// The integer with these 64-bit words, least significant first.
    pub fn wide_int(&self, bits: u32, words: &[u64]) -> IntValue<'ctx> {
        self.int_type(bits).const_int_arbitrary_precision(words)
    }

    /// `i1 true` or `i1 false`
    pub fn bool(&self, value: bool) -> IntValue<'ctx> {
        self.int(1, u64::from(value))
    }

    /// `ptr null`
    pub fn null(&self) -> PointerValue<'ctx> {
        self.ptr_type().const_null()
    }

    // Memory

    /// `load T, ptr, align A` (bytes)
    #[expect(clippy::expect_used, reason = "layouts have alignments that are powers of two")]
    pub fn load(&self, ty: BasicTypeEnum<'ctx>, address: PointerValue<'ctx>, alignment: u64) -> BasicValueEnum<'ctx> {
        let value = built(self.inner.build_load(ty, address, ""));
        if let Some(instruction) = value.as_instruction_value() {
            instruction.set_alignment(alignment as u32).expect("the alignment is a power of two");
        }
        value
    }

    /// A load from memory that never changes while the program can access it.
    #[expect(clippy::expect_used, reason = "a load is an instruction that takes metadata")]
    pub fn load_invariant(
        &self,
        ty: BasicTypeEnum<'ctx>,
        address: PointerValue<'ctx>,
        alignment: u64,
    ) -> BasicValueEnum<'ctx> {
        let value = self.load(ty, address, alignment);
        if let Some(instruction) = value.as_instruction_value() {
            let kind = self.context.get_kind_id("invariant.load");
            instruction.set_metadata(self.context.metadata_node(&[]), kind).expect("loads take metadata");
        }
        value
    }

    /// `store V, ptr, align A` (bytes)
    #[expect(clippy::expect_used, reason = "layouts have alignments that are powers of two")]
    pub fn store(
        &self,
        value: impl BasicValue<'ctx>,
        address: PointerValue<'ctx>,
        alignment: u64,
    ) -> InstructionValue<'ctx> {
        let instruction = built(self.inner.build_store(address, value));
        instruction.set_alignment(alignment as u32).expect("the alignment is a power of two");
        instruction
    }

    /// Returns the address `offset` bytes after `base`, in the same object.
    pub fn offset(&self, base: PointerValue<'ctx>, offset: u64) -> PointerValue<'ctx> {
        if offset == 0 {
            return base;
        }
        let index = self.int(64, offset);
        self.index_bytes(base, index)
    }

    /// The address `offset` (an integer value) bytes after `base`, in the same object.
    pub fn index_bytes(&self, base: PointerValue<'ctx>, offset: IntValue<'ctx>) -> PointerValue<'ctx> {
        self.element_pointer(self.context.i8_type().into(), base, offset)
    }

    /// The address of element `index` of an array of `element`s at `base`: `getelementptr inbounds`.
    pub fn element_pointer(
        &self,
        element: BasicTypeEnum<'ctx>,
        base: PointerValue<'ctx>,
        index: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        // SAFETY: inkwell marks every getelementptr unsafe; a single index does not index into the type, and SIL
        // guarantees that the address is inside of the object.
        built(unsafe { self.inner.build_in_bounds_gep(element, base, &[index], "") })
    }

    /// Returns the address `offset` bytes after `base`, not necessarily in the same object.
    pub fn raw_index_bytes(&self, base: PointerValue<'ctx>, offset: IntValue<'ctx>) -> PointerValue<'ctx> {
        // SAFETY: as `element_pointer`; this one makes no promise.
        built(unsafe { self.inner.build_gep(self.context.i8_type(), base, &[offset], "") })
    }

    /// `memcpy` of `size` bytes between memory ranges that do not overlap.
    #[expect(clippy::expect_used, reason = "layouts have alignments that are powers of two")]
    pub fn memcpy(&self, to: PointerValue<'ctx>, from: PointerValue<'ctx>, size: IntValue<'ctx>, alignment: u64) {
        self.inner
            .build_memcpy(to, alignment as u32, from, alignment as u32, size)
            .expect("the alignment is a power of two");
    }

    /// `memset` of `size` bytes to zero.
    #[expect(clippy::expect_used, reason = "one is a power of two")]
    pub fn zero_memory(&self, place: PointerValue<'ctx>, size: IntValue<'ctx>) {
        let zero = self.context.i8_type().const_zero();
        self.inner.build_memset(place, 1, zero, size).expect("the alignment is a power of two");
    }

    /// `memmove` of `size` bytes.
    #[expect(clippy::expect_used, reason = "layouts have alignments that are powers of two")]
    pub fn memmove(&self, to: PointerValue<'ctx>, from: PointerValue<'ctx>, size: IntValue<'ctx>, alignment: u64) {
        self.inner
            .build_memmove(to, alignment as u32, from, alignment as u32, size)
            .expect("the alignment is a power of two");
    }

    /// A stack slot at the builder's position. Slots belong into the entry block.
    #[expect(clippy::expect_used, reason = "layouts have alignments that are powers of two")]
    pub fn alloca(&self, ty: BasicTypeEnum<'ctx>, alignment: u64) -> PointerValue<'ctx> {
        let slot = built(self.inner.build_alloca(ty, ""));
        if let Some(instruction) = slot.as_instruction() {
            instruction.set_alignment(alignment as u32).expect("the alignment is a power of two");
        }
        slot
    }

    /// Allocates a slot for the error register, at the builder's position in the entry block of a function.
    pub fn swift_error_slot(&self, slots: &SwiftErrorSlots<'ctx>, alignment: u64) -> PointerValue<'ctx> {
        slots.slot(self, alignment)
    }

    /// Allocates `count` bytes of stack at the builder's position, until the stack is restored.
    #[expect(clippy::expect_used, reason = "layouts have alignments that are powers of two")]
    pub fn dynamic_alloca(&self, count: IntValue<'ctx>, alignment: u64) -> PointerValue<'ctx> {
        let slot = built(self.inner.build_array_alloca(self.context.i8_type(), count, ""));
        if let Some(instruction) = slot.as_instruction() {
            instruction.set_alignment(alignment as u32).expect("the alignment is a power of two");
        }
        slot
    }

    /// Returns the stack pointer: `llvm.stacksave`.
    #[expect(clippy::expect_used, reason = "every LLVM has the intrinsic, which has a result")]
    pub fn save_stack(&self, module: &Module<'ctx>) -> BasicValueEnum<'ctx> {
        let save = intrinsics::declare(module, "llvm.stacksave", &[self.ptr_type().into()]);
        let call = self.call(save.expect("LLVM has llvm.stacksave"), &[]);
        call.try_as_basic_value().basic().expect("it gives the address")
    }

    /// Ends all allocations since `stack` was saved: `llvm.stackrestore`.
    #[expect(clippy::expect_used, reason = "every LLVM has the intrinsic")]
    pub fn restore_stack(&self, module: &Module<'ctx>, stack: BasicValueEnum<'ctx>) {
        let restore = intrinsics::declare(module, "llvm.stackrestore", &[self.ptr_type().into()]);
        self.call(restore.expect("LLVM has llvm.stackrestore"), &[stack]);
    }

    // Conversions

    /// `ptrtoint` to an integer of `bits`.
    pub fn pointer_to_int(&self, pointer: PointerValue<'ctx>, bits: u32) -> IntValue<'ctx> {
        built(self.inner.build_ptr_to_int(pointer, self.int_type(bits), ""))
    }

    /// `inttoptr`
    pub fn int_to_pointer(&self, value: IntValue<'ctx>) -> PointerValue<'ctx> {
        built(self.inner.build_int_to_ptr(value, self.ptr_type(), ""))
    }

    /// Returns the bits of a scalar or vector as an integer of the same width, for pointers with `pointer_bits`.
    pub fn to_bits(&self, value: BasicValueEnum<'ctx>, pointer_bits: u32) -> IntValue<'ctx> {
        match value {
            BasicValueEnum::IntValue(value) => value,
            BasicValueEnum::PointerValue(pointer) => self.pointer_to_int(pointer, pointer_bits),
            other => {
                let bits = scalar_bits(other.get_type(), pointer_bits);
                built(self.inner.build_bit_cast(other, self.int_type(bits), "")).into_int_value()
            }
        }
    }

    /// The scalar or vector of type `ty` whose bits are `value`'s; `value` is as wide as `ty`.
    pub fn scalar_of_bits(&self, value: IntValue<'ctx>, ty: BasicTypeEnum<'ctx>) -> BasicValueEnum<'ctx> {
        match ty {
            BasicTypeEnum::IntType(_) => value.into(),
            BasicTypeEnum::PointerType(_) => self.int_to_pointer(value).into(),
            _ => built(self.inner.build_bit_cast(value, ty, "")),
        }
    }

    /// Converts an integer or a pointer to another one: zero-extended, truncated, or bitwise. Other scalars are
    /// unchanged.
    pub fn coerce(&self, value: BasicValueEnum<'ctx>, scalar: Scalar, pointer_bits: u32) -> BasicValueEnum<'ctx> {
        let ty = self.scalar_type(scalar);
        if value.get_type() == ty {
            return value;
        }
        let bits = self.resize(self.to_bits(value, pointer_bits), scalar.bits(pointer_bits));
        self.scalar_of_bits(bits, ty)
    }

    /// `bitcast`
    pub fn bit_cast(&self, value: BasicValueEnum<'ctx>, ty: BasicTypeEnum<'ctx>) -> BasicValueEnum<'ctx> {
        built(self.inner.build_bit_cast(value, ty, ""))
    }

    // Aggregates

    /// Field `index` of a first-class struct.
    pub fn extract(&self, aggregate: BasicValueEnum<'ctx>, index: u32) -> BasicValueEnum<'ctx> {
        built(self.inner.build_extract_value(aggregate.into_struct_value(), index, ""))
    }

    /// The first-class struct of type `ty` with these fields.
    pub fn aggregate(&self, ty: StructType<'ctx>, fields: &[BasicValueEnum<'ctx>]) -> BasicValueEnum<'ctx> {
        let mut whole = ty.get_poison();
        for (index, field) in fields.iter().enumerate() {
            whole = built(self.inner.build_insert_value(whole, *field, index as u32, "")).into_struct_value();
        }
        whole.into()
    }

    // Calls and control flow

    /// `call` of a known function with its own convention.
    pub fn call(&self, function: FunctionValue<'ctx>, arguments: &[BasicValueEnum<'ctx>]) -> CallSiteValue<'ctx> {
        let arguments: Vec<BasicMetadataValueEnum> = arguments.iter().map(|argument| (*argument).into()).collect();
        let call = built(self.inner.build_call(function, &arguments, ""));
        call.set_call_convention(function.get_call_conventions());
        call
    }

    /// `llvm.trap`: ends the program with SIGILL or SIGTRAP.
    #[expect(clippy::expect_used, reason = "every LLVM has the intrinsic")]
    pub fn trap(&self, module: &Module<'ctx>) {
        self.call(intrinsics::declare(module, "llvm.trap", &[]).expect("LLVM has llvm.trap"), &[]);
    }

    /// `call` through a pointer; the caller sets the convention.
    pub fn call_indirect(
        &self,
        ty: FunctionType<'ctx>,
        callee: PointerValue<'ctx>,
        arguments: &[BasicValueEnum<'ctx>],
    ) -> CallSiteValue<'ctx> {
        let arguments: Vec<BasicMetadataValueEnum> = arguments.iter().map(|argument| (*argument).into()).collect();
        built(self.inner.build_indirect_call(ty, callee, &arguments, ""))
    }

    /// Uses `pointer` opaquely, by an empty inline assembly: no pass can analyse the use or move references across it.
    pub fn opaque_use(&self, pointer: PointerValue<'ctx>) {
        let ty = self.context.void_type().fn_type(&[self.ptr_type().into()], false);
        let constraints = "r,~{memory}".to_owned();
        let assembly = self.context.create_inline_asm(ty, String::new(), constraints, true, false, None, false);
        self.call_indirect(ty, assembly, &[pointer.into()]);
    }

    /// `br`
    pub fn branch(&self, to: BasicBlock<'ctx>) {
        built(self.inner.build_unconditional_branch(to));
    }

    /// `br i1`
    pub fn branch_if(
        &self,
        condition: IntValue<'ctx>,
        yes: BasicBlock<'ctx>,
        no: BasicBlock<'ctx>,
    ) -> InstructionValue<'ctx> {
        built(self.inner.build_conditional_branch(condition, yes, no))
    }

    /// `switch`
    pub fn switch(
        &self,
        value: IntValue<'ctx>,
        default: BasicBlock<'ctx>,
        cases: &[(IntValue<'ctx>, BasicBlock<'ctx>)],
    ) -> InstructionValue<'ctx> {
        built(self.inner.build_switch(value, default, cases))
    }

    /// Sets the execution count of each successor of a branch or switch: `!prof`, scaled to LLVM's 32 bits.
    #[expect(clippy::expect_used, reason = "a node of metadata is what LLVM takes")]
    pub fn set_branch_weights(&self, terminator: InstructionValue<'ctx>, counts: &[u64]) {
        let scale = counts.iter().max().copied().unwrap_or(0) / u64::from(u32::MAX) + 1;
        let weight = |count: &u64| self.int(32, count / scale).into();
        let name = self.context.metadata_string("branch_weights");
        let operands: Vec<BasicMetadataValueEnum> =
            std::iter::once(name.into()).chain(counts.iter().map(weight)).collect();
        let kind = self.context.get_kind_id("prof");
        terminator.set_metadata(self.context.metadata_node(&operands), kind).expect("the node is metadata");
    }

    /// `unreachable`
    pub fn unreachable(&self) {
        built(self.inner.build_unreachable());
    }

    /// `ret void` or `ret V`
    pub fn ret(&self, value: Option<BasicValueEnum<'ctx>>) {
        built(self.inner.build_return(value.as_ref().map(|value| value as &dyn BasicValue)));
    }

    /// An empty phi of type `ty`.
    pub fn phi(&self, ty: BasicTypeEnum<'ctx>) -> inkwell::values::PhiValue<'ctx> {
        built(self.inner.build_phi(ty, ""))
    }
}

/// Returns the width of a scalar or vector type in bits, for pointers with `pointer_bits`.
pub fn scalar_bits(ty: BasicTypeEnum<'_>, pointer_bits: u32) -> u32 {
    match ty {
        BasicTypeEnum::IntType(ty) => ty.get_bit_width(),
        BasicTypeEnum::FloatType(ty) => ty.get_bit_width(),
        BasicTypeEnum::PointerType(_) => pointer_bits,
        BasicTypeEnum::VectorType(ty) => ty.get_size() * scalar_bits(ty.get_element_type(), pointer_bits),
        BasicTypeEnum::ArrayType(ty) => ty.len() * scalar_bits(ty.get_element_type(), pointer_bits),
        BasicTypeEnum::ScalableVectorType(_) | BasicTypeEnum::StructType(_) => 0,
    }
}

/// `[size x i8]`: the type of memory that is addressed by bytes.
pub fn bytes_type<'ctx>(context: &'ctx Context, size: u64) -> BasicTypeEnum<'ctx> {
    context.i8_type().array_type(size as u32).as_basic_type_enum()
}

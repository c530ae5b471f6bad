//! Loads, stores, atomics, and addresses of elements. Stack slots are in `stack`.

use inkwell::builder::Builder;
use inkwell::llvm_sys::core::{
    LLVMBuildAtomicCmpXchg, LLVMBuildAtomicRMW, LLVMBuildFence, LLVMBuildGEPWithNoWrapFlags, LLVMBuildLoad2,
    LLVMBuildStore, LLVMSetAlignment, LLVMSetAtomicSingleThread, LLVMSetOrdering, LLVMSetVolatile, LLVMSetWeak,
};
use inkwell::llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMGEPFlagInBounds, LLVMGEPFlagNUW, LLVMGEPNoWrapFlags,
};
use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicValue, BasicValueEnum, InstructionValue, IntValue, PointerValue, StructValue};

use super::{BuildResult, basic_value, c_string, check_positioned};

/// Orderings of atomic accesses, by C11's names (`relaxed` is LLVM's `monotonic`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordering {
    /// No tearing, nothing else (`Builtin.atomicload_unordered_…`).
    Unordered,
    /// Atomic, without order among different addresses.
    Relaxed,
    /// What comes after stays after.
    Acquire,
    /// What comes before stays before.
    Release,
    /// Both.
    AcquireRelease,
    /// One total order.
    SequentiallyConsistent,
}

impl Ordering {
    fn raw(self) -> LLVMAtomicOrdering {
        match self {
            Ordering::Unordered => LLVMAtomicOrdering::LLVMAtomicOrderingUnordered,
            Ordering::Relaxed => LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic,
            Ordering::Acquire => LLVMAtomicOrdering::LLVMAtomicOrderingAcquire,
            Ordering::Release => LLVMAtomicOrdering::LLVMAtomicOrderingRelease,
            Ordering::AcquireRelease => LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease,
            Ordering::SequentiallyConsistent => LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent,
        }
    }
}

/// With whom an atomic access synchronises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncScope {
    /// All threads.
    #[default]
    System,
    /// Signal handlers of the same thread only.
    SingleThread,
}

/// Whether the compiler may drop or repeat an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Volatility {
    /// An ordinary access.
    #[default]
    Ordinary,
    /// The access happens exactly as written (device memory).
    Volatile,
}

/// How memory is loaded or stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Alignment of the address in bytes, a power of two.
    pub alignment: u32,
    /// Ordinary or volatile.
    pub volatility: Volatility,
    /// The ordering of an atomic access.
    pub atomic: Option<(Ordering, SyncScope)>,
}

impl Access {
    /// An ordinary access at this alignment in bytes.
    pub fn aligned(alignment: u32) -> Access {
        Access { alignment, volatility: Volatility::Ordinary, atomic: None }
    }

    /// A volatile access at this alignment in bytes.
    pub fn volatile(alignment: u32) -> Access {
        Access { volatility: Volatility::Volatile, ..Access::aligned(alignment) }
    }

    /// An atomic access at this alignment in bytes; it has to be the natural one.
    pub fn atomic(alignment: u32, ordering: Ordering) -> Access {
        Access { atomic: Some((ordering, SyncScope::System)), ..Access::aligned(alignment) }
    }

    /// # Safety
    /// `instruction` is a load or store.
    unsafe fn apply(self, instruction: inkwell::llvm_sys::prelude::LLVMValueRef) {
        debug_assert!(self.alignment.is_power_of_two());
        // SAFETY: each is valid on loads and stores.
        unsafe {
            LLVMSetAlignment(instruction, self.alignment);
            LLVMSetVolatile(instruction, i32::from(self.volatility == Volatility::Volatile));
            if let Some((ordering, scope)) = self.atomic {
                LLVMSetOrdering(instruction, ordering.raw());
                LLVMSetAtomicSingleThread(instruction, i32::from(scope == SyncScope::SingleThread));
            }
        }
    }
}

/// Loads a value of type `ty`.
pub fn load<'ctx>(
    builder: &Builder<'ctx>,
    ty: impl BasicType<'ctx>,
    address: PointerValue<'ctx>,
    access: Access,
    name: &str,
) -> BuildResult<BasicValueEnum<'ctx>> {
    check_positioned(builder)?;
    let name = c_string(name);
    // SAFETY: the builder has a block; a basic type is first class, so the result is a basic value.
    unsafe {
        let load = LLVMBuildLoad2(builder.as_mut_ptr(), ty.as_type_ref(), address.as_value_ref(), name.as_ptr());
        access.apply(load);
        Ok(basic_value(load))
    }
}

/// Stores a value.
pub fn store<'ctx>(
    builder: &Builder<'ctx>,
    value: impl BasicValue<'ctx>,
    address: PointerValue<'ctx>,
    access: Access,
) -> BuildResult<InstructionValue<'ctx>> {
    check_positioned(builder)?;
    // SAFETY: the builder has a block; a store is an instruction.
    unsafe {
        let store = LLVMBuildStore(builder.as_mut_ptr(), value.as_value_ref(), address.as_value_ref());
        access.apply(store);
        Ok(InstructionValue::new(store))
    }
}

/// What a read-modify-write does with the old value and the operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadModifyWrite {
    /// The operand.
    Exchange,
    /// Integer sum.
    Add,
    /// Old minus operand.
    Subtract,
    /// Bitwise and.
    And,
    /// Complement of bitwise and.
    Nand,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Greater of both, signed.
    Maximum,
    /// Less of both, signed.
    Minimum,
    /// Greater of both, unsigned.
    UnsignedMaximum,
    /// Less of both, unsigned.
    UnsignedMinimum,
}

impl ReadModifyWrite {
    fn raw(self) -> LLVMAtomicRMWBinOp {
        match self {
            ReadModifyWrite::Exchange => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg,
            ReadModifyWrite::Add => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd,
            ReadModifyWrite::Subtract => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub,
            ReadModifyWrite::And => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd,
            ReadModifyWrite::Nand => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpNand,
            ReadModifyWrite::Or => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr,
            ReadModifyWrite::Xor => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor,
            ReadModifyWrite::Maximum => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMax,
            ReadModifyWrite::Minimum => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMin,
            ReadModifyWrite::UnsignedMaximum => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMax,
            ReadModifyWrite::UnsignedMinimum => LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMin,
        }
    }
}

/// How an atomic read-modify-write or compare-exchange is ordered beyond its orderings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AtomicMode {
    /// Ordinary or volatile.
    pub volatility: Volatility,
    /// With whom it synchronises.
    pub scope: SyncScope,
}

/// Changes memory atomically and gives the old value. The operand is an integer, or a pointer for `Exchange`.
pub fn read_modify_write<'ctx>(
    builder: &Builder<'ctx>,
    operation: ReadModifyWrite,
    address: PointerValue<'ctx>,
    operand: impl BasicValue<'ctx>,
    ordering: Ordering,
    mode: AtomicMode,
) -> BuildResult<BasicValueEnum<'ctx>> {
    check_positioned(builder)?;
    // SAFETY: the builder has a block; the result has the operand's type, a basic one.
    unsafe {
        let old = LLVMBuildAtomicRMW(
            builder.as_mut_ptr(),
            operation.raw(),
            address.as_value_ref(),
            operand.as_value_ref(),
            ordering.raw(),
            i32::from(mode.scope == SyncScope::SingleThread),
        );
        LLVMSetVolatile(old, i32::from(mode.volatility == Volatility::Volatile));
        Ok(basic_value(old))
    }
}

/// Whether a compare-exchange may fail without reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareExchangeStrength {
    /// Fails only when the values differ.
    Strong,
    /// May fail spuriously; for loops.
    Weak,
}

/// The orderings of a compare-exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompareExchangeOrdering {
    /// When the exchange happens.
    pub success: Ordering,
    /// When it does not; neither `Release` nor `AcquireRelease`.
    pub failure: Ordering,
}

/// Stores `new` if memory holds `expected`; gives the pair of the old value and an `i1` that says whether it stored.
pub fn compare_exchange<'ctx, V: BasicValue<'ctx>>(
    builder: &Builder<'ctx>,
    address: PointerValue<'ctx>,
    expected: V,
    new: V,
    ordering: CompareExchangeOrdering,
    strength: CompareExchangeStrength,
    mode: AtomicMode,
) -> BuildResult<StructValue<'ctx>> {
    check_positioned(builder)?;
    // SAFETY: the builder has a block; the result is a struct.
    unsafe {
        let pair = LLVMBuildAtomicCmpXchg(
            builder.as_mut_ptr(),
            address.as_value_ref(),
            expected.as_value_ref(),
            new.as_value_ref(),
            ordering.success.raw(),
            ordering.failure.raw(),
            i32::from(mode.scope == SyncScope::SingleThread),
        );
        LLVMSetWeak(pair, i32::from(strength == CompareExchangeStrength::Weak));
        LLVMSetVolatile(pair, i32::from(mode.volatility == Volatility::Volatile));
        Ok(StructValue::new(pair))
    }
}

/// A fence; the ordering is `Acquire` or stronger.
pub fn fence<'ctx>(
    builder: &Builder<'ctx>,
    ordering: Ordering,
    scope: SyncScope,
) -> BuildResult<InstructionValue<'ctx>> {
    check_positioned(builder)?;
    // SAFETY: the builder has a block.
    unsafe {
        let single_thread = i32::from(scope == SyncScope::SingleThread);
        let fence = LLVMBuildFence(builder.as_mut_ptr(), ordering.raw(), single_thread, c"".as_ptr());
        Ok(InstructionValue::new(fence))
    }
}

/// What is known of an address computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// It stays within its object and does not go backwards: fields and elements.
    InObjectForward,
    /// It stays within its object, in either direction.
    InObject,
    /// Nothing.
    Unknown,
}

impl Bounds {
    fn raw(self) -> LLVMGEPNoWrapFlags {
        match self {
            Bounds::InObjectForward => LLVMGEPFlagInBounds | LLVMGEPFlagNUW,
            Bounds::InObject => LLVMGEPFlagInBounds,
            Bounds::Unknown => 0,
        }
    }
}

/// `base` moved by `offset` bytes (an integer of any width, taken as signed).
pub fn byte_offset<'ctx>(
    builder: &Builder<'ctx>,
    base: PointerValue<'ctx>,
    offset: IntValue<'ctx>,
    bounds: Bounds,
    name: &str,
) -> BuildResult<PointerValue<'ctx>> {
    let byte = base.get_type().get_context().i8_type();
    element_address(builder, byte, base, &[offset], bounds, name)
}

/// The address that indices of `element` types lead to from `base` (LLVM's `getelementptr`): the first counts whole
/// `element`s, each further one goes into the type. Indices into structs are `i32` constants within the struct.
pub fn element_address<'ctx>(
    builder: &Builder<'ctx>,
    element: impl BasicType<'ctx>,
    base: PointerValue<'ctx>,
    indices: &[IntValue<'ctx>],
    bounds: Bounds,
    name: &str,
) -> BuildResult<PointerValue<'ctx>> {
    check_positioned(builder)?;
    check_indices(element.as_basic_type_enum(), indices)?;
    let name = c_string(name);
    let mut indices: Vec<_> = indices.iter().map(|index| index.as_value_ref()).collect();
    // SAFETY: the builder has a block and the indices lead somewhere in the type.
    unsafe {
        Ok(PointerValue::new(LLVMBuildGEPWithNoWrapFlags(
            builder.as_mut_ptr(),
            element.as_type_ref(),
            base.as_value_ref(),
            indices.as_mut_ptr(),
            indices.len() as u32,
            name.as_ptr(),
            bounds.raw(),
        )))
    }
}

/// LLVM crashes on indices that lead nowhere, so they are checked first.
pub(super) fn check_indices<'ctx>(element: BasicTypeEnum<'ctx>, indices: &[IntValue<'ctx>]) -> BuildResult<()> {
    let mut ty = element;
    for index in indices.iter().skip(1) {
        ty = match ty {
            BasicTypeEnum::StructType(fields) => index
                .get_zero_extended_constant()
                .and_then(|number| fields.get_field_type_at_index(u32::try_from(number).ok()?))
                .ok_or(super::BuilderError::GEPIndex)?,
            BasicTypeEnum::ArrayType(array) => array.get_element_type(),
            _ => return Err(super::BuilderError::GEPPointee),
        };
    }
    Ok(())
}

//! What is known of functions, parameters, results and call sites, told to LLVM as attributes.
//! The meaning of each is LLVM's (LangRef, "Parameter Attributes" and "Function Attributes").

use inkwell::attributes::{Attribute as LlvmAttribute, AttributeLoc};
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::LLVMCreateConstantRangeAttribute;
use inkwell::types::{AnyTypeEnum, IntType};
use inkwell::values::{AsValueRef, CallSiteValue, FunctionValue};

use super::context_of;

pub use inkwell::attributes::AttributeLoc as Place;

/// An attribute with what it carries. Which places each is legal at is LLVM's rule; the verifier checks it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attribute<'ctx> {
    // Parameters and results.
    /// The context or `self` of Swift's convention, in its own register.
    SwiftSelf,
    /// The error slot of Swift's convention, in its own register; the parameter is a pointer.
    SwiftError,
    /// The async context of Swift's convention.
    SwiftAsync,
    /// The address that an indirect result of this type is written to.
    StructReturn(AnyTypeEnum<'ctx>),
    /// An aggregate of this type passed as a copy in memory (C conventions).
    ByValue(AnyTypeEnum<'ctx>),
    /// The address of an element of this type (inline assembly, some intrinsics).
    ElementType(AnyTypeEnum<'ctx>),
    /// No other access path in this scope to the memory reached through it.
    NoAlias,
    /// Never null.
    NonNull,
    /// Never undef or poison.
    NoUndef,
    /// The callee keeps no copy of the pointer (`captures(none)`).
    NoCapture,
    /// The memory is not freed by the callee.
    NoFree,
    /// The callee only reads through the pointer.
    ReadOnly,
    /// The callee only writes through the pointer.
    WriteOnly,
    /// The callee does not touch memory through the pointer.
    ReadNone,
    /// Writes through it may be introduced.
    Writable,
    /// Its memory is not read after an unwind.
    DeadOnUnwind,
    /// The function returns this parameter.
    Returned,
    /// A small integer passed zero extended (C conventions).
    ZeroExtend,
    /// A small integer passed sign extended (C conventions).
    SignExtend,
    /// Passed in a register (C conventions).
    InRegister,
    /// Alignment of the pointer in bytes, a power of two.
    Alignment(u64),
    /// So many bytes can be read from the pointer; zero says nothing.
    Dereferenceable(u64),
    /// As `Dereferenceable`, or null.
    DereferenceableOrNull(u64),
    /// An integer of this type in `low..high`, wrapping as unsigned numbers; `low == high` is not allowed.
    Range {
        /// The integer's type, at most 64 bits wide.
        integer: IntType<'ctx>,
        /// The least value.
        low: u64,
        /// One more than the greatest value.
        high: u64,
    },

    // Functions.
    /// Inline wherever possible, at -O0 too.
    AlwaysInline,
    /// Never inline.
    NoInline,
    /// Inlining is welcome.
    InlineHint,
    /// -Os.
    OptimizeForSize,
    /// -Oz.
    MinimizeSize,
    /// Do not optimise at all; needs `NoInline` as well.
    OptimizeNone,
    /// Rarely called.
    Cold,
    /// Often called.
    Hot,
    /// Does not return.
    NoReturn,
    /// Does not unwind.
    NoUnwind,
    /// Returns, traps or ends the process in finite time.
    WillReturn,
    /// Makes progress; loops without effects may go.
    MustProgress,
    /// Does not synchronise with other threads.
    NoSync,
    /// Does not call itself, directly or not.
    NoRecurse,
    /// Does not call back into the module.
    NoCallback,
    /// Can be run speculatively: no effects, no undefined behaviour.
    Speculatable,
    /// Calls to it are not merged with others.
    NoMerge,
    /// The function has no prologue or epilogue.
    Naked,
    /// Can return twice, as `setjmp`.
    ReturnsTwice,
    /// What memory it may touch.
    Memory(MemoryEffects),
    /// Asynchronous unwind tables are wanted.
    UnwindTable,
    /// Allocates as many bytes as its parameter of this index says.
    AllocatedSize {
        /// Index of the parameter with the size in bytes.
        size_parameter: u32,
    },
    /// What kind of allocation function it is.
    Allocation(AllocationKind),
    /// This parameter is the allocation (of a freeing or reallocating function).
    AllocatedPointer,
    /// A coroutine not yet split by LLVM's passes.
    PresplitCoroutine,
    /// Stack protection where LLVM finds it needed.
    StackProtect,
    /// Stack protection always.
    StackProtectRequired,
    /// Any other attribute by name and text: `frame-pointer`, `target-cpu`, `trap-func-name`, …
    Text(&'ctx str, &'ctx str),
}

/// What a function may do to memory (`memory(…)`, LangRef).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryEffects {
    /// Memory reached through its pointer parameters.
    pub arguments: MemoryAccess,
    /// Memory that the module cannot see: the allocator's, reference count tables, …
    pub inaccessible: MemoryAccess,
    /// The C library's error number.
    pub errno: MemoryAccess,
    /// All other memory.
    pub other: MemoryAccess,
}

/// How one kind of memory is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryAccess {
    /// Not at all.
    None,
    /// Read only.
    Read,
    /// Written only.
    Write,
    /// Read and written.
    ReadWrite,
}

impl MemoryEffects {
    /// Touches no memory.
    pub const NONE: MemoryEffects = MemoryEffects::everywhere(MemoryAccess::None);
    /// Reads any memory, writes none.
    pub const READ_ONLY: MemoryEffects = MemoryEffects::everywhere(MemoryAccess::Read);
    /// Nothing is known.
    pub const UNKNOWN: MemoryEffects = MemoryEffects::everywhere(MemoryAccess::ReadWrite);

    /// The same access to all memory.
    pub const fn everywhere(access: MemoryAccess) -> MemoryEffects {
        MemoryEffects { arguments: access, inaccessible: access, errno: access, other: access }
    }

    /// Only memory reached through pointer parameters.
    pub const fn arguments_only(access: MemoryAccess) -> MemoryEffects {
        MemoryEffects { arguments: access, ..MemoryEffects::NONE }
    }

    /// LLVM's number for it: two bits per kind of memory (llvm/Support/ModRef.h).
    /// The kinds above `other` are targets' own state, which LLVM takes as `other` where IR does not tell it apart.
    fn encoded(self) -> u64 {
        let bits = |access: MemoryAccess| match access {
            MemoryAccess::None => 0u64,
            MemoryAccess::Read => 1,
            MemoryAccess::Write => 2,
            MemoryAccess::ReadWrite => 3,
        };
        let other = bits(self.other);
        bits(self.arguments)
            | (bits(self.inaccessible) << 2)
            | (bits(self.errno) << 4)
            | (other << 6)
            | (other << 8)
            | (other << 10)
    }
}

/// What an allocation function does (`allockind`, LangRef).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllocationKind {
    /// Returns new uninitialised memory.
    AllocateUninitialized,
    /// Returns new zeroed memory.
    AllocateZeroed,
    /// Frees its `AllocatedPointer` parameter.
    Free,
}

impl AllocationKind {
    /// LLVM's number for it (`AllocFnKind`, llvm/IR/Attributes.h).
    fn encoded(self) -> u64 {
        const ALLOC: u64 = 1;
        const FREE: u64 = 4;
        const UNINITIALIZED: u64 = 8;
        const ZEROED: u64 = 16;
        match self {
            AllocationKind::AllocateUninitialized => ALLOC | UNINITIALIZED,
            AllocationKind::AllocateZeroed => ALLOC | ZEROED,
            AllocationKind::Free => FREE,
        }
    }
}

/// What attributes can be put on: a function or one call of it.
pub trait Attributed: AsValueRef + Copy {
    /// Puts one attribute at one place.
    fn put(self, place: AttributeLoc, attribute: LlvmAttribute);
}

impl Attributed for FunctionValue<'_> {
    fn put(self, place: AttributeLoc, attribute: LlvmAttribute) {
        self.add_attribute(place, attribute);
    }
}

impl Attributed for CallSiteValue<'_> {
    fn put(self, place: AttributeLoc, attribute: LlvmAttribute) {
        self.add_attribute(place, attribute);
    }
}

/// Adds attributes at one place of a function or call.
pub fn add<'ctx>(to: impl Attributed, place: Place, attributes: &[Attribute<'ctx>]) {
    let context = context_of(&to);
    for attribute in attributes {
        to.put(place, lower(context, *attribute));
    }
}

/// Adds attributes to the function or call itself.
pub fn add_to_function<'ctx>(to: impl Attributed, attributes: &[Attribute<'ctx>]) {
    add(to, Place::Function, attributes);
}

/// Adds attributes to the parameter (or argument) of this index, from 0.
pub fn add_to_parameter<'ctx>(to: impl Attributed, index: u32, attributes: &[Attribute<'ctx>]) {
    add(to, Place::Param(index), attributes);
}

/// Adds attributes to the result.
pub fn add_to_result<'ctx>(to: impl Attributed, attributes: &[Attribute<'ctx>]) {
    add(to, Place::Return, attributes);
}

fn lower<'ctx>(context: ContextRef<'ctx>, attribute: Attribute<'ctx>) -> LlvmAttribute {
    let plain = |name| context.create_enum_attribute(LlvmAttribute::get_named_enum_kind_id(name), 0);
    let number = |name, value| context.create_enum_attribute(LlvmAttribute::get_named_enum_kind_id(name), value);
    let typed = |name, ty| context.create_type_attribute(LlvmAttribute::get_named_enum_kind_id(name), ty);
    // LLVM's mark for "no second parameter" in `allocsize`.
    const NO_COUNT_PARAMETER: u64 = 0xFFFF_FFFF;
    // `UWTableKind::Async`, llvm/Support/CodeGen.h.
    const ASYNCHRONOUS: u64 = 2;

    match attribute {
        Attribute::SwiftSelf => plain("swiftself"),
        Attribute::SwiftError => plain("swifterror"),
        Attribute::SwiftAsync => plain("swiftasync"),
        Attribute::StructReturn(ty) => typed("sret", ty),
        Attribute::ByValue(ty) => typed("byval", ty),
        Attribute::ElementType(ty) => typed("elementtype", ty),
        Attribute::NoAlias => plain("noalias"),
        Attribute::NonNull => plain("nonnull"),
        Attribute::NoUndef => plain("noundef"),
        Attribute::NoCapture => number("captures", 0),
        Attribute::NoFree => plain("nofree"),
        Attribute::ReadOnly => plain("readonly"),
        Attribute::WriteOnly => plain("writeonly"),
        Attribute::ReadNone => plain("readnone"),
        Attribute::Writable => plain("writable"),
        Attribute::DeadOnUnwind => plain("dead_on_unwind"),
        Attribute::Returned => plain("returned"),
        Attribute::ZeroExtend => plain("zeroext"),
        Attribute::SignExtend => plain("signext"),
        Attribute::InRegister => plain("inreg"),
        Attribute::Alignment(bytes) => number("align", bytes),
        Attribute::Dereferenceable(bytes) => number("dereferenceable", bytes),
        Attribute::DereferenceableOrNull(bytes) => number("dereferenceable_or_null", bytes),
        Attribute::Range { integer, low, high } => range(context, integer, low, high),
        Attribute::AlwaysInline => plain("alwaysinline"),
        Attribute::NoInline => plain("noinline"),
        Attribute::InlineHint => plain("inlinehint"),
        Attribute::OptimizeForSize => plain("optsize"),
        Attribute::MinimizeSize => plain("minsize"),
        Attribute::OptimizeNone => plain("optnone"),
        Attribute::Cold => plain("cold"),
        Attribute::Hot => plain("hot"),
        Attribute::NoReturn => plain("noreturn"),
        Attribute::NoUnwind => plain("nounwind"),
        Attribute::WillReturn => plain("willreturn"),
        Attribute::MustProgress => plain("mustprogress"),
        Attribute::NoSync => plain("nosync"),
        Attribute::NoRecurse => plain("norecurse"),
        Attribute::NoCallback => plain("nocallback"),
        Attribute::Speculatable => plain("speculatable"),
        Attribute::NoMerge => plain("nomerge"),
        Attribute::Naked => plain("naked"),
        Attribute::ReturnsTwice => plain("returns_twice"),
        Attribute::Memory(effects) => number("memory", effects.encoded()),
        Attribute::UnwindTable => number("uwtable", ASYNCHRONOUS),
        Attribute::AllocatedSize { size_parameter } => {
            number("allocsize", (u64::from(size_parameter) << 32) | NO_COUNT_PARAMETER)
        }
        Attribute::Allocation(kind) => number("allockind", kind.encoded()),
        Attribute::AllocatedPointer => plain("allocptr"),
        Attribute::PresplitCoroutine => plain("presplitcoroutine"),
        Attribute::StackProtect => plain("sspstrong"),
        Attribute::StackProtectRequired => plain("sspreq"),
        Attribute::Text(name, value) => context.create_string_attribute(name, value),
    }
}

fn range<'ctx>(context: ContextRef<'ctx>, integer: IntType<'ctx>, low: u64, high: u64) -> LlvmAttribute {
    debug_assert!(low != high && integer.get_bit_width() <= 64);
    let kind = LlvmAttribute::get_named_enum_kind_id("range");
    // SAFETY: one 64-bit word holds a bound of an integer of at most 64 bits.
    unsafe {
        LlvmAttribute::new(LLVMCreateConstantRangeAttribute(context.raw(), kind, integer.get_bit_width(), &low, &high))
    }
}

//! State of a function under construction that outlives an instruction, beside its values.

use std::cell::OnceCell;
use std::rc::Rc;

use inkwell::basic_block::BasicBlock;
use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil::analysis::Uses;
use sil::model::{InstructionId, Value};

use super::dynamic_memory::DynamicMemory;
use super::signature::Signature;
use crate::layout::BitRange;
use crate::llvm::coroutines::Coroutine;
use crate::llvm::debug_variables::DebugVariable;

/// State of the families that lives longer than an instruction.
#[derive(Default)]
pub struct FunctionState<'ctx> {
    /// The slot of the error register, if the function has called a function that throws.
    pub error_slot: Option<PointerValue<'ctx>>,
    /// Stack promoted objects by the instruction that allocated them.
    pub stack_objects: StackObjects<'ctx>,
    /// The memory of accesses that the runtime tracks, by the instruction that begins them.
    pub accesses: StackObjects<'ctx>,
    /// Slots whose size is not known.
    pub dynamic_slots: Vec<DynamicMemory<'ctx>>,
    /// How a coroutine yields and resumes.
    pub coroutine: Option<CoroutineState<'ctx>>,
    /// The frame of an async function, once it has begun.
    pub asynchronous: Option<AsyncState<'ctx>>,
    /// The continuations that the function has made.
    pub continuations: FxHashMap<Value, Continuation<'ctx>>,
    /// The block that ends in a run-time failure for each message, so that a function has one of each.
    pub failures: FailureBlocks<'ctx>,
    /// Where debuggers find variables.
    pub variables: VariableHomes<'ctx>,
    /// The uses of each value of the body, computed on demand.
    pub(super) uses: OnceCell<Uses>,
}

/// Stack promoted objects and buffers of accesses: the memory of each, by the instruction that begins it.
pub type StackObjects<'ctx> = FxHashMap<InstructionId, PointerValue<'ctx>>;

/// The failure blocks of a function by message.
pub type FailureBlocks<'ctx> = FxHashMap<Box<str>, BasicBlock<'ctx>>;

/// The state of a `begin_apply` for its `end_apply`.
#[derive(Debug)]
pub struct CoroutineToken<'ctx> {
    /// The buffer that the coroutine keeps its frame in.
    pub buffer: PointerValue<'ctx>,
    /// The allocator for more memory, if it is passed.
    pub allocator: Option<PointerValue<'ctx>>,
    /// The function to go on with.
    pub resume: PointerValue<'ctx>,
    /// How the coroutine is called.
    pub signature: Rc<Signature<'ctx>>,
}

/// The frame of a coroutine.
#[derive(Debug)]
pub struct CoroutineState<'ctx> {
    /// Where returning and unwinding lead: the frame ends.
    pub end: BasicBlock<'ctx>,
}

/// The frame of an async function.
#[derive(Debug)]
pub struct AsyncState<'ctx> {
    /// The frame.
    pub coroutine: Coroutine<'ctx>,
    /// The stack slot with its async context, which is another one after each suspension.
    pub context: PointerValue<'ctx>,
}

/// The state of a continuation for the code that waits for it.
#[derive(Clone, Copy, Debug)]
pub struct Continuation<'ctx> {
    /// Its context.
    pub context: PointerValue<'ctx>,
    /// Where the function goes on.
    pub resumption: PointerValue<'ctx>,
}

/// Where the variables of a function are, by variable and the address of the call that they were inlined at.
pub type VariableHomes<'ctx> = FxHashMap<(DebugVariable<'ctx>, usize), Home<'ctx>>;

/// Where a variable is.
pub enum Home<'ctx> {
    /// In a stack slot of its own.
    Slot(PointerValue<'ctx>),
    /// Parts of it are in memory that the program has for them; with the slot that holds the address, where there is
    /// one.
    Memory(Vec<(BitRange, Option<PointerValue<'ctx>>)>),
}

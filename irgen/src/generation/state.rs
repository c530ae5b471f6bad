//! The state of a function under construction that outlives an instruction, apart from its values.

use std::cell::OnceCell;
use std::rc::Rc;

use inkwell::basic_block::BasicBlock;
use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil_analysis::Uses;
use sil_ir::model::{InstructionId, Value};

use super::dynamic_memory::DynamicMemory;
use super::signature::Signature;
use crate::layout::BitRange;
use crate::llvm::coroutines::Coroutine;
use crate::llvm::debug_variables::DebugVariable;

/// The state of instruction families that outlives an instruction.
#[derive(Default)]
pub struct FunctionState<'ctx> {
    /// The slot of the error register, if the function has called a throwing function.
    pub error_slot: Option<PointerValue<'ctx>>,
    /// Stack promoted objects by the instruction that allocated them.
    pub stack_objects: StackObjects<'ctx>,
    /// The memory of tracked accesses, by the instruction that begins them.
    pub accesses: StackObjects<'ctx>,
    /// Slots of dynamic size.
    pub dynamic_slots: Vec<DynamicMemory<'ctx>>,
    /// The frame of a coroutine.
    pub coroutine: Option<CoroutineState<'ctx>>,
    /// The frame of an async function, once it has begun.
    pub asynchronous: Option<AsyncState<'ctx>>,
    /// The continuations that the function has created.
    pub continuations: FxHashMap<Value, Continuation<'ctx>>,
    /// The failure block for each message, so that a function has only one of each.
    pub failures: FailureBlocks<'ctx>,
    /// The locations of variables for debuggers.
    pub variables: VariableHomes<'ctx>,
    /// The uses of each value of the body, computed on demand.
    pub(super) uses: OnceCell<Uses>,
}

/// The memory of stack promoted objects and access buffers, by the instruction that begins it.
pub type StackObjects<'ctx> = FxHashMap<InstructionId, PointerValue<'ctx>>;

/// The failure blocks of a function by message.
pub type FailureBlocks<'ctx> = FxHashMap<Box<str>, BasicBlock<'ctx>>;

/// The state of a `begin_apply` for its `end_apply`.
#[derive(Debug)]
pub struct CoroutineToken<'ctx> {
    /// The buffer for the coroutine's frame.
    pub buffer: PointerValue<'ctx>,
    /// The allocator for more memory, if it is passed.
    pub allocator: Option<PointerValue<'ctx>>,
    /// The continuation.
    pub resume: PointerValue<'ctx>,
    /// The coroutine's signature.
    pub signature: Rc<Signature<'ctx>>,
}

/// The frame of a coroutine.
#[derive(Debug)]
pub struct CoroutineState<'ctx> {
    /// The block that ends the frame, for returning and unwinding.
    pub end: BasicBlock<'ctx>,
}

/// The frame of an async function.
#[derive(Debug)]
pub struct AsyncState<'ctx> {
    /// The frame.
    pub coroutine: Coroutine<'ctx>,
    /// The stack slot with its async context, which changes with each suspension.
    pub context: PointerValue<'ctx>,
}

/// The state of a continuation for the code that waits for it.
#[derive(Clone, Copy, Debug)]
pub struct Continuation<'ctx> {
    /// Its context.
    pub context: PointerValue<'ctx>,
    /// The resume function.
    pub resumption: PointerValue<'ctx>,
}

/// The locations of a function's variables, by variable and the address of the call that they were inlined at.
pub type VariableHomes<'ctx> = FxHashMap<(DebugVariable<'ctx>, usize), Home<'ctx>>;

/// The location of a variable.
pub enum Home<'ctx> {
    /// A stack slot of its own.
    Slot(PointerValue<'ctx>),
    /// Memory of the program for parts of it, each with the slot that holds the address if there is one.
    Memory(Vec<(BitRange, Option<PointerValue<'ctx>>)>),
}

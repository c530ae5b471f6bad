//! Taking modules apart: what refers to a symbol, modules whose functions are read when they are wanted, bodies that are dropped.

use std::ptr;

use inkwell::context::Context;
use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use inkwell::llvm_sys::core::{
    LLVMCreateFunctionPassManagerForModule, LLVMDisposePassManager, LLVMGetBasicBlockParent, LLVMGetFirstGlobalAlias,
    LLVMGetFirstGlobalIFunc, LLVMGetFirstUse, LLVMGetInstructionParent, LLVMGetModuleInlineAsm, LLVMGetNextUse,
    LLVMGetNumOperands, LLVMGetOperand, LLVMGetUser, LLVMIsAGlobalValue, LLVMIsAInstruction,
    LLVMRunFunctionPassManager,
};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue};
use rustc_hash::FxHashSet;

use super::globals::UsedBy;
use crate::Error;

/// What identifies a symbol within its module, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SymbolKey(usize);

/// The key of a function or variable.
pub fn key(symbol: impl AsValueRef) -> SymbolKey {
    SymbolKey(symbol.as_value_ref() as usize)
}

/// The number of instructions of a function.
pub fn instruction_count(function: FunctionValue<'_>) -> usize {
    function.get_basic_block_iter().map(|block| block.get_instructions().count()).sum()
}

/// The functions and variables whose code or initial value refers to `symbol`, directly or through constants; a function that does so
/// twice is there twice.
pub fn referrers(symbol: GlobalValue<'_>) -> Vec<SymbolKey> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = vec![symbol.as_value_ref()];
    while let Some(value) = pending.pop() {
        // SAFETY: the uses of a value, and the users behind them, live as long as their module, which is not changed here.
        unsafe {
            let mut usage = LLVMGetFirstUse(value);
            while !usage.is_null() {
                let user = LLVMGetUser(usage);
                if !LLVMIsAInstruction(user).is_null() {
                    found.push(SymbolKey(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) as usize));
                } else if !LLVMIsAGlobalValue(user).is_null() {
                    found.push(SymbolKey(user as usize));
                } else if seen.insert(user) {
                    pending.push(user);
                }
                usage = LLVMGetNextUse(usage);
            }
        }
    }
    found
}

/// Whether the module has nothing but functions and variables.
pub fn is_plain(module: &Module<'_>) -> bool {
    let mut length = 0;
    // SAFETY: the module is alive; LLVM hands out its own text, which is not kept.
    unsafe {
        LLVMGetModuleInlineAsm(module.as_mut_ptr(), &mut length);
        length == 0
            && LLVMGetFirstGlobalAlias(module.as_mut_ptr()).is_null()
            && LLVMGetFirstGlobalIFunc(module.as_mut_ptr()).is_null()
    }
}

/// Takes away the list of symbols that nothing seems to use, and gives their names.
pub fn take_used(module: &Module<'_>, by: UsedBy) -> Vec<String> {
    let Some(list) = module.get_global(by.list_name()) else { return Vec::new() };
    let Some(symbols) = list.get_initializer() else { return Vec::new() };
    // SAFETY: the initial value is an array of symbols; nothing refers to the list itself.
    unsafe {
        let array = symbols.as_value_ref();
        let count = LLVMGetNumOperands(array).max(0) as u32;
        let names = (0..count).map(|index| name_of(GlobalValue::new(LLVMGetOperand(array, index)))).collect();
        list.delete();
        names
    }
}

/// The name of a symbol.
pub fn name_of(symbol: GlobalValue<'_>) -> String {
    symbol.get_name().to_string_lossy().into_owned()
}

/// Reads bitcode without the bodies of its functions, which [`read_bodies`] reads.
pub fn parse_lazily<'ctx>(context: &'ctx Context, bitcode: &[u8], name: &str) -> Result<Module<'ctx>, Error> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, name);
    let mut module = ptr::null_mut();
    // SAFETY: context and buffer are valid.
    let failed = unsafe { LLVMGetBitcodeModuleInContext2(context.raw(), buffer.as_mut_ptr(), &mut module) } != 0;
    if failed {
        return Err(Error::Internal(format!("LLVM cannot read back the bitcode of '{name}'")));
    }
    // The module owns the buffer now.
    std::mem::forget(buffer);
    // SAFETY: LLVM just made the module, and nobody else has it.
    Ok(unsafe { Module::new(module) })
}

/// Reads all bodies that [`parse_lazily`] left out and that are still wanted.
pub fn read_bodies(module: &Module<'_>) {
    // SAFETY: a pass manager of this module without passes; running it on a function reads the body, and does nothing else.
    unsafe {
        let passes = LLVMCreateFunctionPassManagerForModule(module.as_mut_ptr());
        for function in module.get_functions() {
            LLVMRunFunctionPassManager(passes, function.as_value_ref());
        }
        LLVMDisposePassManager(passes);
    }
}

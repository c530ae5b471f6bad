//! The calling conventions of silc's functions.

/// A calling convention. The numbers are LLVM's (llvm/IR/CallingConv.h).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u32)]
pub enum CallingConvention {
    /// The target's C convention.
    #[default]
    C = 0,
    /// LLVM's own choice for local functions.
    Fast = 8,
    /// For calls that rarely happen.
    Cold = 9,
    /// The callee preserves most registers.
    PreserveMost = 14,
    /// The callee preserves all registers.
    PreserveAll = 15,
    /// Swift's convention. Check `Target::supports_swift_calling_convention` first.
    Swift = 16,
    /// Swift's convention for async functions: every call can be a tail call.
    SwiftTail = 20,
}

impl CallingConvention {
    /// LLVM's number.
    pub fn number(self) -> u32 {
        self as u32
    }
}

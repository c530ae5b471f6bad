//! The definitions of Swift's library under names without mangling, which do not contain their module (`@_silgen_name`
//! and `@_cdecl` in stdlib/public/core): Embedded modules contain all definitions that they use.

use crate::generation::RuntimeFunction;

macro_rules! library_functions {
    ($($variant:ident = $name:literal,)*) => {
        /// A function of the library that silc's runtime does not have.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum LibraryFunction {
            $($variant,)*
        }

        impl LibraryFunction {
            /// The function of this symbol.
            fn from_symbol(symbol: &str) -> Option<LibraryFunction> {
                match symbol {
                    $($name => Some(LibraryFunction::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

library_functions! {
    // Errors
    WillThrow = "swift_willThrow",
    WillThrowTyped = "swift_willThrowTyped",
    UnexpectedError = "swift_unexpectedError",
    UnexpectedErrorTyped = "swift_unexpectedErrorTyped",
    ExceptionPersonality = "_swift_exceptionPersonality",
    // Objects and frames
    AllocEmptyBox = "swift_allocEmptyBox",
    BufferAllocate = "swift_bufferAllocate",
    CoroFrameAlloc = "swift_coroFrameAlloc",
    DeallocUninitializedObject = "swift_deallocUninitializedObject",
    DeletedCalleeAllocatedCoroutineMethodError = "swift_deletedCalleeAllocatedCoroutineMethodError",
    // Casts and conformances
    ArrayDownCast = "_swift_arrayDownCastIndirect",
    ArrayDownCastConditional = "_swift_arrayDownCastConditionalIndirect",
    EquatableIsEqual = "_swift_stdlib_Equatable_isEqual_indirect",
    HashableIsEqual = "_swift_stdlib_Hashable_isEqual_indirect",
    HashableHashValue = "_swift_stdlib_Hashable_hashValue_indirect",
    // Functions with former names
    RawBufferStoreBytes = "_swift_se0349_UnsafeMutableRawBufferPointer_storeBytes",
    RawStoreBytes = "_swift_se0349_UnsafeMutableRawPointer_storeBytes",
    BufferAssignRepeating = "_swift_se0370_UnsafeMutableBufferPointer_assign_repeating",
    AssignFromCount = "_swift_se0370_UnsafeMutablePointer_assign_from_count",
    AssignRepeatingCount = "_swift_se0370_UnsafeMutablePointer_assign_repeating_count",
    MoveAssignFromCount = "_swift_se0370_UnsafeMutablePointer_moveAssign_from_count",
    StringValidatingUtf8 = "_swift_se0405_String_validatingUTF8",
}

/// Returns whether the library, or the runtime that is a part of it in Embedded Swift, defines `symbol`, which is not
/// mangled.
pub(super) fn is_of_library(symbol: &str) -> bool {
    RuntimeFunction::from_symbol(symbol).is_some() || LibraryFunction::from_symbol(symbol).is_some()
}

//! Swift's layout facts of a target (`SwiftTargetInfo`, lib/IRGen; SwiftShims/System.h; docs/ABI/TypeLayout.rst).

use super::{Architecture, System, Target};

/// The facts of the target for Swift's layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwiftAbi {
    /// Size of a heap object's header (metadata, reference counts) in bytes.
    pub heap_object_header_size: u32,
    /// The alignment of heap objects in bytes that the spare bits of their references assume.
    pub heap_object_alignment: u32,
    /// The lowest address that an object can have: lower numbers are extra inhabitants of references and pointers.
    pub least_valid_pointer: u64,
    /// Bits that are zero in every reference to a native object, regardless of its alignment.
    pub pointer_spare_bits: u64,
    /// Bits that are zero in every C function pointer.
    pub function_pointer_spare_bits: u64,
    /// Bits of a `Builtin.BridgeObject` used by Objective-C's tagged pointers.
    pub objc_reserved_bits: u64,
    /// The bit of a `Builtin.BridgeObject` that marks an Objective-C object.
    pub is_objc_bit: u64,
    /// Whether classes may be Objective-C's.
    pub objc_interop: bool,
    /// Whether `swift_retain` and `swift_release` ignore references with the sign bit set.
    pub retain_ignores_negative_values: bool,
    /// The predicate of a completed `swift_once`, if code may read it without a call.
    pub once_done_predicate: Option<i64>,
    /// The maximum number of scalars that Swift's convention passes or returns directly (clang's `SwiftABIInfo`).
    pub maximum_direct_scalars: u32,
    /// Whether `llvm.swift.async.context.addr` may be used.
    pub async_context_intrinsic: bool,
}

impl SwiftAbi {
    pub(super) fn of(target: &Target) -> SwiftAbi {
        let is_darwin = target.system() == System::MacOs;
        let pointer_size = target.pointer_size();
        let bits = PointerBits::of(target.architecture());
        SwiftAbi {
            heap_object_header_size: 2 * pointer_size,
            heap_object_alignment: pointer_size,
            least_valid_pointer: if is_darwin { 1 << 32 } else { 4096 },
            pointer_spare_bits: bits.spare,
            function_pointer_spare_bits: 0,
            objc_reserved_bits: bits.objc_reserved,
            is_objc_bit: bits.is_objc,
            objc_interop: is_darwin,
            retain_ignores_negative_values: bits.kernel_has_upper_half,
            once_done_predicate: if is_darwin { Some(-1) } else { None },
            maximum_direct_scalars: if target.architecture() == Architecture::I386 { 3 } else { 4 },
            async_context_intrinsic: bits.kernel_has_upper_half,
        }
    }
}

struct PointerBits {
    spare: u64,
    objc_reserved: u64,
    is_objc: u64,
    kernel_has_upper_half: bool,
}

impl PointerBits {
    fn of(architecture: Architecture) -> PointerBits {
        match architecture {
            Architecture::X86_64 => PointerBits {
                spare: 0xFF00_0000_0000_0007,
                objc_reserved: 1,
                is_objc: 1 << 62,
                kernel_has_upper_half: true,
            },
            Architecture::Aarch64 => PointerBits {
                spare: 0xF000_0000_0000_0007,
                objc_reserved: 1 << 63,
                is_objc: 1 << 62,
                kernel_has_upper_half: true,
            },
            Architecture::I386 | Architecture::Arm | Architecture::Thumb => {
                PointerBits { spare: 3, objc_reserved: 0, is_objc: 2, kernel_has_upper_half: false }
            }
            // Swift has no entry for these and uses its defaults: no spare bits.
            Architecture::Riscv32 | Architecture::Riscv64 | Architecture::Wasm32 | Architecture::Wasm64 => {
                PointerBits { spare: 0, objc_reserved: 0, is_objc: 0, kernel_has_upper_half: false }
            }
        }
    }
}

//! The effects of builtins on memory (include/swift/AST/Builtins.def; of LLVM's intrinsics, those that LLVM states).

use super::{BuiltinKind, Intrinsic, UnaryOperation};
use crate::instructions::MemoryBehavior;

impl BuiltinKind {
    /// The effect of the operation on memory, for any arguments. `zeroInitializer` with an address writes to it:
    /// [`InstructionEffects`](sil_analysis::InstructionEffects) knows the instruction, and states that.
    pub const fn memory(self) -> MemoryBehavior {
        match self {
            BuiltinKind::Unary(UnaryOperation::Assume) | BuiltinKind::GenericBinary(_) => {
                MemoryBehavior::MayHaveSideEffects
            }
            BuiltinKind::Cast(_)
            | BuiltinKind::Binary(_)
            | BuiltinKind::WithOverflow(_)
            | BuiltinKind::Unary(_)
            | BuiltinKind::CompareIntegers(_)
            | BuiltinKind::CompareFloats(_) => MemoryBehavior::None,
            BuiltinKind::Intrinsic(intrinsic) => intrinsic.memory(),
            BuiltinKind::Fence { .. }
            | BuiltinKind::CompareExchange { .. }
            | BuiltinKind::AtomicReadModifyWrite { .. }
            | BuiltinKind::AtomicLoad { .. }
            | BuiltinKind::AtomicStore { .. } => MemoryBehavior::MayHaveSideEffects,
            BuiltinKind::Named(named) => named.memory(),
        }
    }
}

impl Intrinsic {
    /// The effect of the intrinsic on memory. An intrinsic that is `memory(none)` in LLVM only reads for Swift, which
    /// asks for that first; all others have side effects.
    pub const fn memory(self) -> MemoryBehavior {
        use Intrinsic::*;
        match self {
            Trap | Debugtrap | Memmove | Memcpy | Memset | Assume | Readcyclecounter | LifetimeStart | LifetimeEnd => {
                MemoryBehavior::MayHaveSideEffects
            }
            // Swift's own by this name.
            Expect => MemoryBehavior::None,
            Cttz | Ctlz | Ctpop | Bswap | Bitreverse | IsConstant | Fabs | Ceil | Floor | Rint | Trunc | Round
            | Roundeven | Nearbyint | Fma | Fmuladd | Copysign | Sqrt | Sin | Cos | Tan | Exp | Exp2 | Exp10 | Log
            | Log2 | Log10 | Pow | Powi | Minnum | Maxnum | Minimum | Maximum | Smax | Smin | Umax | Umin | Abs
            | Fshl | Fshr | SAddWithOverflow | UAddWithOverflow | SSubWithOverflow | USubWithOverflow
            | SMulWithOverflow | UMulWithOverflow | SAddSat | UAddSat | SSubSat | USubSat | Returnaddress
            | Frameaddress | PtrauthStrip | PtrauthSign | PtrauthResign | PtrauthAuth | PtrauthBlend
            | PtrauthSignGeneric => MemoryBehavior::MayRead,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NamedBuiltin, parse_builtin};
    use super::*;

    fn memory(name: &str) -> Option<MemoryBehavior> {
        parse_builtin(name).map(|operation| operation.kind.memory())
    }

    #[test]
    fn arithmetic_leaves_memory_alone() {
        for name in ["add_Int64", "sadd_with_overflow_Int64", "cmp_eq_Int64", "fcmp_olt_FPIEEE64", "zext_Int8_Int64"] {
            assert_eq!(memory(name), Some(MemoryBehavior::None), "{name}");
        }
        assert_eq!(memory("assume_Int1"), Some(MemoryBehavior::MayHaveSideEffects));
    }

    #[test]
    fn intrinsics_without_effects_read() {
        assert_eq!(memory("int_ctpop_Int64"), Some(MemoryBehavior::MayRead));
        assert_eq!(memory("int_expect_Int1"), Some(MemoryBehavior::None));
    }

    #[test]
    fn atomic_operations_order_all_memory() {
        for name in
            ["fence_seqcst", "atomicload_acquire_Word", "atomicstore_release_Word", "atomicrmw_add_monotonic_Word"]
        {
            assert_eq!(memory(name), Some(MemoryBehavior::MayHaveSideEffects), "{name}");
        }
    }

    #[test]
    fn only_throwing_is_a_mere_read() {
        let reading = NamedBuiltin::ALL.iter().filter(|named| named.memory() == MemoryBehavior::MayRead);
        assert_eq!(reading.copied().collect::<Vec<_>>(), [NamedBuiltin::WillThrow]);
    }
}

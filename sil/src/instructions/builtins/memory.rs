//! What builtins do to memory (include/swift/AST/Builtins.def; of LLVM's intrinsics what LLVM states of them).

use super::{BuiltinKind, Intrinsic, UnaryOperation};
use crate::instructions::MemoryBehavior;

impl BuiltinKind {
    /// What the operation does to memory, whatever its arguments are. `zeroInitializer` with an address writes to it: that is
    /// said where the instruction is known, in [`InstructionEffects`](crate::analysis::InstructionEffects).
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
    /// What the intrinsic does to memory: `memory(none)` in LLVM is `None`, all else has side effects.
    pub const fn memory(self) -> MemoryBehavior {
        use Intrinsic::*;
        match self {
            Trap | Debugtrap | Memmove | Memcpy | Memset | Assume | Readcyclecounter | LifetimeStart | LifetimeEnd => {
                MemoryBehavior::MayHaveSideEffects
            }
            Expect | Cttz | Ctlz | Ctpop | Bswap | Bitreverse | IsConstant | Fabs | Ceil | Floor | Rint | Trunc
            | Round | Roundeven | Nearbyint | Fma | Fmuladd | Copysign | Sqrt | Sin | Cos | Tan | Exp | Exp2
            | Exp10 | Log | Log2 | Log10 | Pow | Powi | Minnum | Maxnum | Minimum | Maximum | Smax | Smin | Umax
            | Umin | Abs | Fshl | Fshr | SAddWithOverflow | UAddWithOverflow | SSubWithOverflow | USubWithOverflow
            | SMulWithOverflow | UMulWithOverflow | SAddSat | UAddSat | SSubSat | USubSat | Returnaddress
            | Frameaddress | PtrauthStrip | PtrauthSign | PtrauthResign | PtrauthAuth | PtrauthBlend
            | PtrauthSignGeneric => MemoryBehavior::None,
        }
    }
}

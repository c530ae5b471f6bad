//! The families of builtins: arithmetic, comparisons, casts, intrinsics, atomic operations.

macro_rules! spelled {
    ($(#[$doc:meta])* $type:ident { $($name:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $type {
            $(
                #[doc = concat!("`", $text, "`")]
                $name,
            )*
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$name,)*];

            /// The spelling in the name of a builtin.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$name => $text,)*
                }
            }

            /// The one that is spelled `name`.
            pub fn from_name(name: &str) -> Option<$type> {
                match name {
                    $($text => Some($type::$name),)*
                    _ => None,
                }
            }
        }
    };
}

spelled! {
    /// A conversion between builtin types: from the first type to the second.
    BuiltinCast {
        Trunc = "trunc",
        ZExt = "zext",
        SExt = "sext",
        FPToUI = "fptoui",
        FPToSI = "fptosi",
        UIToFP = "uitofp",
        SIToFP = "sitofp",
        FPTrunc = "fptrunc",
        FPExt = "fpext",
        PtrToInt = "ptrtoint",
        IntToPtr = "inttoptr",
        BitCast = "bitcast",
        TruncOrBitCast = "truncOrBitCast",
        ZExtOrBitCast = "zextOrBitCast",
        SExtOrBitCast = "sextOrBitCast",
    }
}

spelled! {
    /// An operation on two values of one type that gives that type.
    BinaryOperation {
        Add = "add",
        FAdd = "fadd",
        And = "and",
        AShr = "ashr",
        LShr = "lshr",
        Or = "or",
        FDiv = "fdiv",
        Mul = "mul",
        FMul = "fmul",
        SDiv = "sdiv",
        ExactSDiv = "sdiv_exact",
        Shl = "shl",
        SRem = "srem",
        Sub = "sub",
        FSub = "fsub",
        UDiv = "udiv",
        ExactUDiv = "udiv_exact",
        URem = "urem",
        FRem = "frem",
        Xor = "xor",
    }
}

spelled! {
    /// An operation that also returns whether it overflowed: `(T, T, Int1) -> (T, Int1)`.
    OverflowOperation {
        SAdd = "sadd_with_overflow",
        UAdd = "uadd_with_overflow",
        SSub = "ssub_with_overflow",
        USub = "usub_with_overflow",
        SMul = "smul_with_overflow",
        UMul = "umul_with_overflow",
    }
}

spelled! {
    /// An operation on one value that gives its type.
    UnaryOperation {
        FNeg = "fneg",
        AssumeNonNegative = "assumeNonNegative",
        Assume = "assume",
        Freeze = "freeze",
    }
}

spelled! {
    /// A comparison of integers or pointers.
    IntegerPredicate {
        Eq = "cmp_eq",
        Ne = "cmp_ne",
        Sle = "cmp_sle",
        Slt = "cmp_slt",
        Sge = "cmp_sge",
        Sgt = "cmp_sgt",
        Ule = "cmp_ule",
        Ult = "cmp_ult",
        Uge = "cmp_uge",
        Ugt = "cmp_ugt",
    }
}

spelled! {
    /// A comparison of floats.
    FloatPredicate {
        Oeq = "fcmp_oeq",
        Ogt = "fcmp_ogt",
        Oge = "fcmp_oge",
        Olt = "fcmp_olt",
        Ole = "fcmp_ole",
        One = "fcmp_one",
        Ord = "fcmp_ord",
        Ueq = "fcmp_ueq",
        Ugt = "fcmp_ugt",
        Uge = "fcmp_uge",
        Ult = "fcmp_ult",
        Ule = "fcmp_ule",
        Une = "fcmp_une",
        Uno = "fcmp_uno",
    }
}

spelled! {
    /// An LLVM intrinsic: `int_NAME`; types for its overloaded parameters follow.
    Intrinsic {
        Expect = "int_expect",
        Trap = "int_trap",
        Cttz = "int_cttz",
        Ctlz = "int_ctlz",
        Ctpop = "int_ctpop",
        Bswap = "int_bswap",
        Bitreverse = "int_bitreverse",
        Memmove = "int_memmove",
        Memcpy = "int_memcpy",
        Memset = "int_memset",
        IsConstant = "int_is_constant",
        Fabs = "int_fabs",
        Ceil = "int_ceil",
        Floor = "int_floor",
        Rint = "int_rint",
        Trunc = "int_trunc",
        Round = "int_round",
        Roundeven = "int_roundeven",
        Nearbyint = "int_nearbyint",
        Fma = "int_fma",
        Fmuladd = "int_fmuladd",
        Copysign = "int_copysign",
        Sqrt = "int_sqrt",
        Sin = "int_sin",
        Cos = "int_cos",
        Tan = "int_tan",
        Exp = "int_exp",
        Exp2 = "int_exp2",
        Exp10 = "int_exp10",
        Log = "int_log",
        Log2 = "int_log2",
        Log10 = "int_log10",
        Pow = "int_pow",
        Powi = "int_powi",
        Minnum = "int_minnum",
        Maxnum = "int_maxnum",
        Minimum = "int_minimum",
        Maximum = "int_maximum",
        Smax = "int_smax",
        Smin = "int_smin",
        Umax = "int_umax",
        Umin = "int_umin",
        Abs = "int_abs",
        Fshl = "int_fshl",
        Fshr = "int_fshr",
        SAddWithOverflow = "int_sadd_with_overflow",
        UAddWithOverflow = "int_uadd_with_overflow",
        SSubWithOverflow = "int_ssub_with_overflow",
        USubWithOverflow = "int_usub_with_overflow",
        SMulWithOverflow = "int_smul_with_overflow",
        UMulWithOverflow = "int_umul_with_overflow",
        SAddSat = "int_sadd_sat",
        UAddSat = "int_uadd_sat",
        SSubSat = "int_ssub_sat",
        USubSat = "int_usub_sat",
        Assume = "int_assume",
        Readcyclecounter = "int_readcyclecounter",
        Debugtrap = "int_debugtrap",
        Returnaddress = "int_returnaddress",
        Frameaddress = "int_frameaddress",
        LifetimeStart = "int_lifetime_start",
        LifetimeEnd = "int_lifetime_end",
        PtrauthStrip = "int_ptrauth_strip",
        PtrauthSign = "int_ptrauth_sign",
        PtrauthResign = "int_ptrauth_resign",
        PtrauthAuth = "int_ptrauth_auth",
        PtrauthBlend = "int_ptrauth_blend",
        PtrauthSignGeneric = "int_ptrauth_sign_generic",
    }
}

spelled! {
    /// The operation of an `atomicrmw`.
    AtomicOperation {
        Xchg = "xchg",
        Add = "add",
        Sub = "sub",
        And = "and",
        Nand = "nand",
        Or = "or",
        Xor = "xor",
        Max = "max",
        Min = "min",
        Umax = "umax",
        Umin = "umin",
    }
}

spelled! {
    /// A memory ordering.
    AtomicOrdering {
        Unordered = "unordered",
        Monotonic = "monotonic",
        Acquire = "acquire",
        Release = "release",
        Acqrel = "acqrel",
        Seqcst = "seqcst",
    }
}

/// All names of the families without types.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    BuiltinCast::ALL
        .iter()
        .map(|cast| cast.name())
        .chain(BinaryOperation::ALL.iter().map(|operation| operation.name()))
        .chain(OverflowOperation::ALL.iter().map(|operation| operation.name()))
        .chain(UnaryOperation::ALL.iter().map(|operation| operation.name()))
        .chain(IntegerPredicate::ALL.iter().map(|predicate| predicate.name()))
        .chain(FloatPredicate::ALL.iter().map(|predicate| predicate.name()))
        .chain(Intrinsic::ALL.iter().map(|intrinsic| intrinsic.name()))
}

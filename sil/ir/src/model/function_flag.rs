//! The flags of a `sil` function.

macro_rules! function_flags {
    ($($name:ident = $text:literal,)*) => {
        /// A flag of a `sil` function (docs/SIL/FunctionAttributes.md).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum FunctionFlag {
            $(
                #[doc = concat!("`[", $text, "]`")]
                $name,
            )*
        }

        impl FunctionFlag {
            /// The spelling between the brackets.
            pub const fn name(self) -> &'static str {
                match self {
                    $(FunctionFlag::$name => $text,)*
                }
            }

            /// The flag that is spelled `name`.
            pub fn from_name(name: &str) -> Option<FunctionFlag> {
                match name {
                    $($text => Some(FunctionFlag::$name),)*
                    _ => None,
                }
            }
        }
    };
}

function_flags! {
    Transparent = "transparent",
    Ossa = "ossa",
    Thunk = "thunk",
    SignatureOptimizedThunk = "signature_optimized_thunk",
    ReabstractionThunk = "reabstraction_thunk",
    BackDeployedThunk = "back_deployed_thunk",
    DynamicallyReplaceable = "dynamically_replacable",
    ExactSelfClass = "exact_self_class",
    WithoutActuallyEscaping = "without_actually_escaping",
    GlobalInit = "global_init",
    GlobalInitOnce = "global_init_once_fn",
    LazyGetter = "lazy_getter",
    NoInline = "noinline",
    AlwaysInline = "always_inline",
    HeuristicAlwaysInline = "heuristic_always_inline",
    OptimizeNone = "Onone",
    OptimizeForSpeed = "Ospeed",
    OptimizeForSize = "Osize",
    ReadNone = "readnone",
    ReadOnly = "readonly",
    ReadWrite = "readwrite",
    ReleaseNone = "releasenone",
    Canonical = "canonical",
    Distributed = "distributed",
    ExportInterface = "export_interface",
    RuntimeAccessible = "runtime_accessible",
    StackProtection = "stack_protection",
    WeakImported = "weak_imported",
    Used = "used",
    NoLocks = "no_locks",
    NoAllocation = "no_allocation",
    NoRuntime = "no_runtime",
    NoExistentials = "no_existentials",
    NoObjCBridging = "no_objc_bridging",
    UnsafeNonEscapableResult = "unsafe_nonescapable_result",
    LexicalLifetimes = "lexical_lifetimes",
    NoStackPackMetadata = "no_onstack_pack_metadata",
    PerformanceConstraint = "perf_constraint",
    MarkUsed = "markused",
}

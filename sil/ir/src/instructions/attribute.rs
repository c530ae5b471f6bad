//! The attributes in brackets that instructions carry: `[take]`, `[strict]`, `[dynamic]`…

macro_rules! attributes {
    ($($name:ident = $text:literal,)*) => {
        /// An attribute in brackets after an opcode.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Attribute {
            $(
                #[doc = concat!("`[", $text, "]`")]
                $name,
            )*
        }

        impl Attribute {
            /// All attributes, in the order of the enum.
            pub const ALL: &'static [Attribute] = &[$(Attribute::$name,)*];

            /// The spelling between the brackets.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Attribute::$name => $text,)*
                }
            }

            /// The attribute that is spelled `name`.
            pub fn from_name(name: &str) -> Option<Attribute> {
                match name {
                    $($text => Some(Attribute::$name),)*
                    _ => None,
                }
            }
        }
    };
}

attributes! {
    // Loads, stores, copies and destroys
    Copy = "copy",
    Take = "take",
    Trivial = "trivial",
    Init = "init",
    Assign = "assign",
    Reassign = "reassign",
    Reinit = "reinit",
    AssignWrappedValue = "assign_wrapped_value",
    Unchecked = "unchecked",
    // Formal accesses
    Read = "read",
    Modify = "modify",
    Deinit = "deinit",
    Unknown = "unknown",
    Static = "static",
    Dynamic = "dynamic",
    Unsafe = "unsafe",
    Signed = "signed",
    NoNestedConflict = "no_nested_conflict",
    FromBuiltin = "builtin",
    Abort = "abort",
    // Allocations
    Stack = "stack",
    ObjC = "objc",
    Bare = "bare",
    DynamicLifetime = "dynamic_lifetime",
    Lexical = "lexical",
    VarDecl = "var_decl",
    MoveableValueDebugInfo = "moveable_value_debuginfo",
    Reflection = "reflection",
    PointerEscape = "pointer_escape",
    InferredImmutable = "inferred_immutable",
    // Addresses and pointers
    Strict = "strict",
    Invariant = "invariant",
    StackProtection = "stack_protection",
    Immutable = "immutable",
    Native = "native",
    KeepUnique = "keep_unique",
    // Applies and closures
    NoThrow = "nothrow",
    NoAsync = "noasync",
    CalleeGuaranteed = "callee_guaranteed",
    OnStack = "on_stack",
    Isolated = "isolated_any",
    CalledAtMostOnce = "called(atMostOnce)",
    CalledExactlyOnce = "called(exactlyOnce)",
    WithoutActuallyEscaping = "without_actually_escaping",
    NotGuaranteed = "not_guaranteed",
    Guaranteed = "guaranteed",
    NonEscaping = "nonescaping",
    Unresolved = "unresolved",
    // Ownership
    Fixed = "fixed",
    Forwarding = "forwarding",
    AllowsDiagnostics = "allows_diagnostics",
    DeadEnd = "dead_end",
    Poison = "poison",
    Trace = "trace",
    NonAtomic = "nonatomic",
    Owned = "owned",
    Unowned = "unowned",
    // mark_uninitialized
    Var = "var",
    RootSelf = "rootself",
    CrossModuleRootSelf = "crossmodulerootself",
    DerivedSelf = "derivedself",
    DerivedSelfOnly = "derivedselfonly",
    DelegatingSelf = "delegatingself",
    DelegatingSelfAllocated = "delegatingselfallocated",
    Out = "out",
    // mark_unresolved_non_copyable_value
    ConsumableAndAssignable = "consumable_and_assignable",
    NoConsumeOrAssign = "no_consume_or_assign",
    AssignableButNotConsumable = "assignable_but_not_consumable",
    InitableButNotConsumable = "initable_but_not_consumable",
    // Continuations, casts, others
    Throws = "throws",
    Exact = "exact",
    ProhibitIsolatedConformances = "prohibit_isolated_conformances",
    Mandatory = "mandatory",
    Identity = "identity",
    InOut = "inout",
    MutableAccess = "mutable_access",
    ImmutableAccess = "immutable_access",
}

/// A set of attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct AttributeSet(u128);

impl AttributeSet {
    /// Adds `attribute`.
    pub fn insert(&mut self, attribute: Attribute) {
        self.0 |= 1 << attribute as u8;
    }

    /// Removes `attribute`.
    pub fn remove(&mut self, attribute: Attribute) {
        self.0 &= !(1 << attribute as u8);
    }

    /// Whether `attribute` is in the set.
    pub fn contains(self, attribute: Attribute) -> bool {
        self.0 & (1 << attribute as u8) != 0
    }

    /// The attributes, in the order of the enum.
    pub fn iter(self) -> impl Iterator<Item = Attribute> {
        Attribute::ALL.iter().copied().filter(move |attribute| self.contains(*attribute))
    }
}

impl<const N: usize> From<[Attribute; N]> for AttributeSet {
    fn from(attributes: [Attribute; N]) -> Self {
        let mut set = Self::default();
        attributes.into_iter().for_each(|attribute| set.insert(attribute));
        set
    }
}

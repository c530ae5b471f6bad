//! Choices that stand in symbols as fixed letters, each with the text that names are written with. The demangler looks
//! the letters up here, the remangler writes them, the printer writes the text.

/// A choice with letters of its own.
pub(super) trait Spelled: Copy + 'static {
    /// All choices. Of two that begin alike the longer one stands first.
    const ALL: &'static [Self];

    /// The letters in symbols.
    fn letters(self) -> &'static str;

    /// The choice that `text` begins with.
    fn at_start_of(text: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| text.starts_with(choice.letters().as_bytes()))
    }
}

macro_rules! spelled {
    ($($(#[$meta:meta])* $name:ident { $($variant:ident $letters:literal $text:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", $letters, "`: ", $text)] $variant,)+
        }

        impl Spelled for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn letters(self) -> &'static str {
                match self { $(Self::$variant => $letters,)+ }
            }
        }

        impl $name {
            /// The text in names.
            pub(super) fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }
    )+};
}

spelled! {
    /// A builtin type without a size.
    Builtin {
        ImplicitActor "A" "ImplicitActor",
        BridgeObject "b" "BridgeObject",
        UnsafeValueBuffer "B" "UnsafeValueBuffer",
        Executor "e" "Executor",
        IntLiteral "I" "IntLiteral",
        UnknownObject "O" "UnknownObject",
        NativeObject "o" "NativeObject",
        RawPointer "p" "RawPointer",
        Job "j" "Job",
        DefaultActorStorage "D" "DefaultActorStorage",
        NonDefaultDistributedActorStorage "d" "NonDefaultDistributedActorStorage",
        RawUnsafeContinuation "c" "RawUnsafeContinuation",
        Token "t" "SILToken",
        Word "w" "Word",
        PackIndex "P" "PackIndex",
    }

    /// An accessor of a variable or a subscript.
    Accessor {
        MaterializeForSet "m" "materializeForSet",
        Setter "s" "setter",
        Getter "g" "getter",
        GlobalGetter "G" "getter",
        WillSet "w" "willset",
        DidSet "W" "didset",
        Read "r" "read",
        Read2 "y" "read2",
        Modify "M" "modify",
        Modify2 "x" "modify2",
        Borrow "b" "borrow",
        Mutate "z" "mutate",
        Init "i" "init",
        OwningMutableAddressor "aO" "owningMutableAddressor",
        NativeOwningMutableAddressor "ao" "nativeOwningMutableAddressor",
        NativePinningMutableAddressor "aP" "nativePinningMutableAddressor",
        UnsafeMutableAddressor "au" "unsafeMutableAddressor",
        OwningAddressor "lO" "owningAddressor",
        NativeOwningAddressor "lo" "nativeOwningAddressor",
        NativePinningAddressor "lp" "nativePinningAddressor",
        UnsafeAddressor "lu" "unsafeAddressor",
    }

    /// A function that a context has without a name or a type in the symbol.
    Implicit {
        Deallocator "D" "__deallocating_deinit",
        Destructor "d" "deinit",
        IsolatedDeallocator "Z" "__isolated_deallocating_deinit",
        IVarDestroyer "E" "__ivar_destroyer",
        IVarInitializer "e" "__ivar_initializer",
        Initializer "i" "variable initialization expression",
        PropertyWrapperBackingInitializer "P" "property wrapper backing initializer",
        PropertyWrapperInitFromProjectedValue "W" "property wrapper init from projected value",
    }

    /// A member that a macro adds to the declaration that it is attached to.
    AttachedMacro {
        Accessor "a" "accessor macro @",
        MemberAttribute "r" "memberAttribute macro @",
        Member "m" "member macro @",
        Peer "p" "peer macro @",
        Conformance "c" "conformance macro @",
        Extension "e" "extension macro @",
        Preamble "q" "preamble macro @",
        Body "b" "body macro @",
    }

    /// A declaration of a freestanding macro.
    FreestandingMacro {
        Expansion "f" "freestanding macro expansion #",
        UniqueName "u" "unique name #",
    }

    /// A value witness function.
    ValueWitness {
        AllocateBuffer "al" "allocateBuffer",
        AssignWithCopy "ca" "assignWithCopy",
        AssignWithTake "ta" "assignWithTake",
        DeallocateBuffer "de" "deallocateBuffer",
        Destroy "xx" "destroy",
        DestroyBuffer "XX" "destroyBuffer",
        DestroyArray "Xx" "destroyArray",
        InitializeBufferWithCopyOfBuffer "CP" "initializeBufferWithCopyOfBuffer",
        InitializeBufferWithCopy "Cp" "initializeBufferWithCopy",
        InitializeWithCopy "cp" "initializeWithCopy",
        InitializeBufferWithTake "Tk" "initializeBufferWithTake",
        InitializeWithTake "tk" "initializeWithTake",
        ProjectBuffer "pr" "projectBuffer",
        InitializeBufferWithTakeOfBuffer "TK" "initializeBufferWithTakeOfBuffer",
        InitializeArrayWithCopy "Cc" "initializeArrayWithCopy",
        InitializeArrayWithTakeFrontToBack "Tt" "initializeArrayWithTakeFrontToBack",
        InitializeArrayWithTakeBackToFront "tT" "initializeArrayWithTakeBackToFront",
        StoreExtraInhabitant "xs" "storeExtraInhabitant",
        GetExtraInhabitantIndex "xg" "getExtraInhabitantIndex",
        GetEnumTag "ug" "getEnumTag",
        DestructiveProjectEnumData "up" "destructiveProjectEnumData",
        DestructiveInjectEnumTag "ui" "destructiveInjectEnumTag",
        GetEnumTagSinglePayload "et" "getEnumTagSinglePayload",
        StoreEnumTagSinglePayload "st" "storeEnumTagSinglePayload",
    }

    /// Where an operator stands.
    Fixity {
        Infix "i" " infix",
        Prefix "p" " prefix",
        Postfix "P" " postfix",
    }

    /// How a metatype is represented.
    MetatypeRepresentation {
        Thin "t" "@thin",
        Thick "T" "@thick",
        ObjC "o" "@objc_metatype",
    }

    /// A kind of formal function type.
    FunctionKind {
        Plain "c" "",
        Uncurried "XU" "",
        NoEscape "XE" "",
        EscapingAutoClosure "XA" "@autoclosure ",
        AutoClosure "XK" "@autoclosure ",
        Thin "Xf" "@convention(thin) ",
        C "XC" "c",
        Block "XB" "block",
        EscapingBlock "XL" "block",
    }

    /// How a function type is differentiable.
    Differentiability {
        Normal "d" "@differentiable",
        Linear "l" "@differentiable(_linear)",
        Forward "f" "@differentiable(_forward)",
        Reverse "r" "@differentiable(reverse)",
    }

    /// A derivative of a function.
    Derivative {
        ForwardMode "f" "forward-mode derivative",
        ReverseMode "r" "reverse-mode derivative",
        Differential "d" "differential",
        Pullback "p" "pullback",
    }

    /// The kind of a differentiability witness.
    WitnessedDerivative {
        Forward "f" "forward-mode",
        Reverse "r" "reverse-mode",
        Normal "d" "normal",
        Linear "l" "linear",
    }

    /// How a lowered function takes its context.
    CalleeConvention {
        Unowned "y" "@callee_unowned",
        Guaranteed "g" "@callee_guaranteed",
        Owned "x" "@callee_owned",
        Thin "t" "@convention(thin)",
    }

    /// How a lowered function is called, where that is not Swift's own way.
    FunctionConvention {
        Block "B" "block",
        C "C" "c",
        Method "M" "method",
        ObjCMethod "O" "objc_method",
        Closure "K" "closure",
        WitnessMethod "W" "witness_method",
    }

    /// The kind of coroutine of a lowered function.
    Coroutine {
        YieldOnce "A" "@yield_once",
        YieldOnce2 "I" "@yield_once_2",
        YieldMany "G" "@yield_many",
    }

    /// How a lowered function takes a parameter.
    ParameterConvention {
        In "i" "@in",
        InConstant "c" "@in_constant",
        InOut "l" "@inout",
        InOutAliasable "b" "@inout_aliasable",
        InGuaranteed "n" "@in_guaranteed",
        InCxx "X" "@in_cxx",
        Owned "x" "@owned",
        Guaranteed "g" "@guaranteed",
        Deallocating "e" "@deallocating",
        Unowned "y" "@unowned",
        PackOwned "v" "@pack_owned",
        PackGuaranteed "p" "@pack_guaranteed",
        PackInOut "m" "@pack_inout",
    }

    /// How a lowered function gives a result.
    ResultConvention {
        Out "r" "@out",
        Owned "o" "@owned",
        Unowned "d" "@unowned",
        UnownedInnerPointer "u" "@unowned_inner_pointer",
        Autoreleased "a" "@autoreleased",
        PackOut "k" "@pack_out",
    }

    /// An option of a parameter or a result, in the order of the symbol.
    ValueOption {
        NoDerivative "w" "@noDerivative ",
        Sending "T" "sending ",
        Isolated "I" "isolated ",
        ImplicitLeading "L" "sil_implicit_leading_param ",
    }

    /// A constraint on the layout of a type. Behind some stand a size and an alignment.
    LayoutConstraint {
        Unknown "U" "_UnknownLayout",
        RefCountedObject "R" "_RefCountedObject",
        NativeRefCountedObject "N" "_NativeRefCountedObject",
        Class "C" "AnyObject",
        NativeClass "D" "_NativeClass",
        Trivial "T" "_Trivial",
        BridgeObject "B" "",
        TrivialOfSizeAndAlignment "E" "_Trivial",
        TrivialOfSize "e" "_Trivial",
        TrivialOfAtMostSizeAndAlignment "M" "_TrivialAtMost",
        TrivialOfAtMostSize "m" "_TrivialAtMost",
        TrivialStride "S" "",
    }

    /// A specialization by generic arguments.
    Specialization {
        Generic "g" "generic specialization",
        InResilienceDomain "B" "generic specialization",
        NotReAbstracted "G" "generic not re-abstracted specialization",
        Prespecialized "s" "generic pre-specialization",
        Inlined "i" "inlined generic function",
    }

    /// A specialization by some of the generic arguments.
    PartialSpecialization {
        Generic "p" "generic partial specialization",
        NotReAbstracted "P" "generic not-reabstracted partial specialization",
    }

    /// A forwarder of a partially applied function.
    PartialApply {
        ObjC "Ta" "partial apply ObjC forwarder",
        Native "TA" "partial apply forwarder",
    }

    /// A thunk between forms of a function.
    Reabstraction {
        Helper "TR" "reabstraction thunk helper ",
        Thunk "Tr" "reabstraction thunk ",
        WithSelf "Ty" "reabstraction thunk ",
    }

    /// The kind of a thunk of a key path.
    KeyPathThunk {
        UnappliedMethod "Tkmu" "key path unapplied method ",
        AppliedMethod "TkMA" "key path applied method ",
        Getter "TK" "key path getter for ",
        Setter "Tk" "key path setter for ",
    }

    /// An operator on the indices of a key path.
    KeyPathIndexThunk {
        Equals "TH" "equality",
        Hash "Th" "hash",
    }

    /// The actor of blocks for completion handlers.
    CompletionHandler {
        Any "Tz" "",
        Predefined "TZ" "predefined ",
    }

    /// How a pack is passed in SIL, or that it is none of SIL.
    Pack {
        Formal "QP" "Pack{",
        Direct "QSd" "@direct Pack{",
        Indirect "QSi" "@indirect Pack{",
    }

    /// A conformance that depends on generic parameters.
    DependentConformance {
        Associated "HA" "dependent associated protocol conformance ",
        Root "HD" "dependent root protocol conformance ",
        Inherited "HI" "dependent inherited protocol conformance ",
    }

    /// A function that differentiation derives from the original.
    AutoDiff {
        VTableThunk "TJV" "vtable thunk for ",
        Function "TJ" "",
    }

    /// How the text of a constant is encoded.
    StringEncoding {
        Utf8 "b" "u8",
        Utf16 "w" "u16",
        ObjC "c" "objc",
    }
}

/// A kind of nominal type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Nominal {
    Class,
    Structure,
    Enum,
    Protocol,
    TypeAlias,
    Other,
}

impl Spelled for Nominal {
    const ALL: &'static [Self] =
        &[Self::Class, Self::Structure, Self::Enum, Self::Protocol, Self::TypeAlias, Self::Other];

    fn letters(self) -> &'static str {
        match self {
            Self::Class => "C",
            Self::Structure => "V",
            Self::Enum => "O",
            Self::Protocol => "P",
            Self::TypeAlias => "a",
            Self::Other => "XY",
        }
    }
}

impl LayoutConstraint {
    /// How many numbers come after it.
    pub(super) fn numbers(self) -> u32 {
        use LayoutConstraint::*;
        match self {
            TrivialOfSizeAndAlignment | TrivialOfAtMostSizeAndAlignment => 2,
            TrivialOfSize | TrivialOfAtMostSize | TrivialStride => 1,
            _ => 0,
        }
    }
}

/// An attribute of a function after its name, with the texts before it in full and simplified: `{#}` is the number that
/// comes after the letters, `{t}` the letters after them.
macro_rules! attributes {
    ($($variant:ident $letters:literal $full:literal $simplified:literal,)+) => {
        /// An attribute of the function before it in the symbol.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Attribute {
            $(#[doc = concat!("`", $letters, "`: ", $full)] $variant,)+
        }

        impl Spelled for Attribute {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn letters(self) -> &'static str {
                match self { $(Self::$variant => $letters,)+ }
            }
        }

        impl Attribute {
            /// The text before full and before simplified names.
            pub(super) fn templates(self) -> (&'static str, &'static str) {
                match self { $(Self::$variant => ($full, $simplified),)+ }
            }
        }
    };
}

attributes! {
    ObjC "To" "@objc " "@objc ",
    NonObjC "TO" "@nonobjc " "@nonobjc ",
    Dynamic "TD" "dynamic " "dynamic ",
    DirectMethodReference "Td" "super " "super ",
    DistributedThunk "TE" "distributed thunk " "",
    DistributedAccessor "TF" "distributed accessor for " "",
    Merged "Tm" "merged " "",
    DynamicallyReplaceableVariable "TX" "dynamically replaceable variable for " "",
    DynamicallyReplaceableKey "Tx" "dynamically replaceable key for " "",
    DynamicallyReplaceableImpl "TI" "dynamically replaceable thunk for " "",
    AsyncFunctionPointer "Tu" "async function pointer to " "async function pointer to ",
    BackDeploymentThunk "Twb" "back deployment thunk for " "",
    BackDeploymentFallback "TwB" "back deployment fallback for " "back deployment fallback for ",
    CoroFunctionPointer "Twc" "coro function pointer to " "coro function pointer to ",
    DefaultOverride "Twd" "default override of " "default override of ",
    HasSymbolQuery "TwS" "#_hasSymbol query for " "#_hasSymbol query for ",
    AccessibleFunctionRecord "HF" "accessible function runtime record for " "",
    AsyncAwaitResume "TQ" "({#}) await resume partial function for " "",
    AsyncSuspendResume "TY" "({#}) suspend resume partial function for " "",
    OutlinedVariable "Tv" "outlined variable #{#} of " "outlined variable #{#} of ",
    OutlinedReadOnlyObject "Tv" "outlined read-only object #{#} of " "outlined read-only object #{#} of ",
    OutlinedBridgedMethod "Te" "outlined bridged method ({t}) of " "outlined bridged method ({t}) of ",
}

impl Attribute {
    /// Whether a number comes after the letters.
    pub(super) fn is_numbered(self) -> bool {
        use Attribute::*;
        matches!(self, AsyncAwaitResume | AsyncSuspendResume | OutlinedVariable | OutlinedReadOnlyObject)
    }
}

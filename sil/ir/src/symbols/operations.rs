//! The regular operators of the mangling: their operands on the stack, their letters, and their templates in names
//! (docs/ABI/Mangling.rst). The demangler, the remangler and the printer each have one rule for all of them.

use std::sync::LazyLock;

use super::spelling::Spelled;

/// The operand of an operator on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Type,
    /// The content of a type.
    Content,
    Conformance,
    /// A protocol without the letter for its kind.
    Protocol,
    Entity,
    Context,
    Module,
    Name,
    Signature,
    OptionalSignature,
    AssociatedTypeName,
    AssociatedTypePath,
    DeclList,
    ConformanceList,
    DependentConformance,
    /// Whatever is on top.
    Any,
}

/// The result of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Makes {
    Node,
    Type,
    /// A type that needs no parentheses in front of `?` or `.Type`.
    SimpleType,
}

/// Whether a number comes after the letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trailing {
    Nothing,
    Index,
}

macro_rules! operations {
    ($($variant:ident $letters:literal [$($operand:ident)*] $makes:ident $trailing:ident $template:literal,)+) => {
        /// An operator that is like many others. The children of its node are its operands in the order of the symbol.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Operation {
            $(#[doc = concat!("`", $letters, "`: ", $template)] $variant,)+
        }

        impl Spelled for Operation {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn letters(self) -> &'static str {
                match self { $(Self::$variant => $letters,)+ }
            }

            fn at_start_of(text: &[u8]) -> Option<Self> {
                let rows = &BY_FIRST_LETTER[usize::from(*text.first()?)];
                rows.iter().copied().find(|row| text.starts_with(row.letters().as_bytes()))
            }
        }

        impl Operation {
            pub(super) fn operands(self) -> &'static [Operand] {
                match self { $(Self::$variant => &[$(Operand::$operand),*],)+ }
            }

            pub(super) fn makes(self) -> Makes {
                match self { $(Self::$variant => Makes::$makes,)+ }
            }

            pub(super) fn trailing(self) -> Trailing {
                match self { $(Self::$variant => Trailing::$trailing,)+ }
            }

            /// The template of names: `{0}` is the first child, `{#}` the number.
            pub(super) fn template(self) -> &'static str {
                match self { $(Self::$variant => $template,)+ }
            }
        }
    };
}

/// The operations by the first of their letters.
static BY_FIRST_LETTER: LazyLock<Vec<Vec<Operation>>> = LazyLock::new(|| {
    let mut rows = vec![Vec::new(); 1 << 8];
    for operation in Operation::ALL {
        rows[usize::from(operation.letters().as_bytes()[0])].push(*operation);
    }
    rows
});

operations! {
    // Metadata
    TypeMetadata "N" [Type] Node Nothing "type metadata for {0}",
    TypeMetadataAccessor "Ma" [Type] Node Nothing "type metadata accessor for {0}",
    AssociatedTypeReflection "MA" [Conformance] Node Nothing "reflection metadata associated type descriptor {0}",
    CanonicalSpecializedMetadataAccessor "Mb" [Type] Node Nothing
        "canonical specialized generic type metadata accessor for {0}",
    BuiltinReflection "MB" [Type] Node Nothing "reflection metadata builtin descriptor {0}",
    ConformanceDescriptor "Mc" [Conformance] Node Nothing "protocol conformance descriptor for {0}",
    SuperclassReflection "MC" [Type] Node Nothing "reflection metadata superclass descriptor {0}",
    DemanglingCache "MD" [Type] Node Nothing "demangling cache variable for type metadata for {0}",
    FullTypeMetadata "Mf" [Type] Node Nothing "full type metadata for {0}",
    FieldReflection "MF" [Type] Node Nothing "reflection metadata field descriptor {0}",
    OpaqueTypeDescriptorAccessor "Mg" [Any] Node Nothing "opaque type descriptor accessor for {0}",
    OpaqueTypeDescriptorAccessorImpl "Mh" [Any] Node Nothing "opaque type descriptor accessor impl for {0}",
    MetadataInstantiationFunction "Mi" [Type] Node Nothing "type metadata instantiation function for {0}",
    TypeMetadataInstantiationCache "MI" [Type] Node Nothing "type metadata instantiation cache for {0}",
    OpaqueTypeDescriptorAccessorKey "Mj" [Any] Node Nothing "opaque type descriptor accessor key for {0}",
    NoncanonicalSpecializedMetadataCache "MJ" [Any] Node Nothing
        "cache variable for noncanonical specialized generic type metadata for {0}",
    OpaqueTypeDescriptorAccessorVariable "Mk" [Any] Node Nothing "opaque type descriptor accessor var for {0}",
    MetadataInstantiationCache "MK" [Any] Node Nothing "metadata instantiation cache for {0}",
    SingletonInitializationCache "Ml" [Type] Node Nothing "type metadata singleton initialization cache for {0}",
    MetadataLazyCache "ML" [Type] Node Nothing "lazy cache variable for type metadata for {0}",
    Metaclass "Mm" [Type] Node Nothing "metaclass for {0}",
    SpecializedMetaclass "MM" [Type] Node Nothing "specialized generic metaclass for {0}",
    NominalTypeDescriptor "Mn" [Type] Node Nothing "nominal type descriptor for {0}",
    NoncanonicalSpecializedMetadata "MN" [Type] Node Nothing
        "noncanonical specialized generic type metadata for {0}",
    ClassMetadataBaseOffset "Mo" [Type] Node Nothing "class metadata base offset for {0}",
    ProtocolDescriptor "Mp" [Protocol] Node Nothing "protocol descriptor for {0}",
    GenericMetadataPattern "MP" [Type] Node Nothing "generic type metadata pattern for {0}",
    Uniquable "Mq" [Any] Node Nothing "uniquable {0}",
    OpaqueTypeDescriptor "MQ" [Any] Node Nothing "opaque type descriptor for {0}",
    MetadataCompletionFunction "Mr" [Type] Node Nothing "type metadata completion function for {0}",
    ObjCResilientClassStub "Ms" [Type] Node Nothing "ObjC resilient class stub for {0}",
    SelfConformanceDescriptor "MS" [Protocol] Node Nothing "protocol self-conformance descriptor for {0}",
    FullObjCResilientClassStub "Mt" [Type] Node Nothing "full ObjC resilient class stub for {0}",
    MethodLookupFunction "Mu" [Type] Node Nothing "method lookup function for {0}",
    ObjCMetadataUpdateFunction "MU" [Type] Node Nothing "ObjC metadata update function for {0}",
    PropertyDescriptor "MV" [Entity] Node Nothing "property descriptor for {0}",
    CanonicalPrespecializedOnceToken "Mz" [Type] Node Nothing
        "flag for loading of canonical specialized generic type metadata for {0}",
    ExtensionDescriptor "MXE" [Context] Node Nothing "extension descriptor {0}",
    ModuleDescriptor "MXM" [Module] Node Nothing "module descriptor {0}",
    AnonymousDescriptor "MXX" [Context] Node Nothing "anonymous descriptor {0}",
    NamedAnonymousDescriptor "MXY" [Context Any] Node Nothing "anonymous descriptor {0}",
    AssociatedTypeParameterReference "MXA" [Type AssociatedTypePath] Node Nothing
        "generic parameter reference for associated type {0}{1}",

    // Witnesses
    EnumCase "WC" [Entity] Node Nothing "enum case for {0}",
    ValueWitnessTable "WV" [Type] Node Nothing "value witness table for {0}",
    DirectFieldOffset "Wvd" [Entity] Node Nothing "direct field offset for {0}",
    IndirectFieldOffset "Wvi" [Entity] Node Nothing "indirect field offset for {0}",
    SelfConformanceWitnessTable "WS" [Protocol] Node Nothing "protocol self-conformance witness table for {0}",
    WitnessTable "WP" [Conformance] Node Nothing "protocol witness table for {0}",
    WitnessTablePattern "Wp" [Conformance] Node Nothing "protocol witness table pattern for {0}",
    GenericWitnessTable "WG" [Conformance] Node Nothing "generic protocol witness table for {0}",
    GenericWitnessTableInstantiationFunction "WI" [Conformance] Node Nothing
        "instantiation function for generic protocol witness table for {0}",
    ResilientWitnessTable "Wr" [Conformance] Node Nothing "resilient protocol witness table for {0}",
    WitnessTableAccessor "Wa" [Conformance] Node Nothing "protocol witness table accessor for {0}",
    LazyWitnessTableAccessor "Wl" [Type Conformance] Node Nothing
        "lazy protocol witness table accessor for type {0} and conformance {1}",
    LazyWitnessTableCache "WL" [Type Conformance] Node Nothing
        "lazy protocol witness table cache variable for type {0} and conformance {1}",
    AssociatedTypeMetadataAccessor "Wt" [Conformance Name] Node Nothing
        "associated type metadata accessor for {1} in {0}",
    AssociatedTypeWitnessTableAccessor "WT" [Conformance AssociatedTypePath Type] Node Nothing
        "associated type witness table accessor for {1} : {2} in {0}",
    BaseWitnessTableAccessor "Wb" [Conformance Type] Node Nothing "base witness table accessor for {1} in {0}",
    OnceFunction "WZ" [Context DeclList] Node Nothing "one-time initialization function for {1}",
    OnceToken "Wz" [Context DeclList] Node Nothing "one-time initialization token for {1}",

    // Outlined operations
    OutlinedCopy "WOy" [Type OptionalSignature] Node Nothing "outlined copy of {0}{1}",
    OutlinedConsume "WOe" [Type OptionalSignature] Node Nothing "outlined consume of {0}{1}",
    OutlinedRetain "WOr" [Type OptionalSignature] Node Nothing "outlined retain of {0}",
    OutlinedRelease "WOs" [Type OptionalSignature] Node Nothing "outlined release of {0}",
    OutlinedInitializeWithTake "WOb" [Type OptionalSignature] Node Nothing "outlined init with take of {0}",
    OutlinedInitializeWithTakeNoValueWitness "WOB" [Type OptionalSignature] Node Nothing
        "outlined init with take of {0}",
    OutlinedInitializeWithCopy "WOc" [Type OptionalSignature] Node Nothing "outlined init with copy of {0}",
    OutlinedInitializeWithCopyNoValueWitness "WOC" [Type OptionalSignature] Node Nothing
        "outlined init with copy of {0}",
    OutlinedAssignWithTake "WOd" [Type OptionalSignature] Node Nothing "outlined assign with take of {0}",
    OutlinedAssignWithTakeNoValueWitness "WOD" [Type OptionalSignature] Node Nothing
        "outlined assign with take of {0}",
    OutlinedAssignWithCopy "WOf" [Type OptionalSignature] Node Nothing "outlined assign with copy of {0}",
    OutlinedAssignWithCopyNoValueWitness "WOF" [Type OptionalSignature] Node Nothing
        "outlined assign with copy of {0}",
    OutlinedDestroy "WOh" [Type OptionalSignature] Node Nothing "outlined destroy of {0}",
    OutlinedDestroyNoValueWitness "WOH" [Type OptionalSignature] Node Nothing "outlined destroy of {0}",
    OutlinedEnumGetTag "WOg" [Type OptionalSignature] Node Nothing "outlined enum get tag of {0}",
    OutlinedEnumTagStore "WOi" [Type OptionalSignature] Node Index "outlined enum tag store of {0}",
    OutlinedEnumProjectDataForLoad "WOj" [Type OptionalSignature] Node Index
        "outlined enum project data for load of {0}",

    // Thunks and descriptors of requirements
    IdentityThunk "TTI" [Entity] Node Nothing "identity thunk of {0}",
    CurryThunk "Tc" [Entity] Node Nothing "curry thunk of {0}",
    DispatchThunk "Tj" [Entity] Node Nothing "dispatch thunk of {0}",
    MethodDescriptor "Tq" [Entity] Node Nothing "method descriptor for {0}",
    SelfConformanceWitness "TS" [Entity] Node Nothing "protocol self-conformance witness for {0}",
    CoroutineContinuationPrototype "TC" [Type] Node Nothing "coroutine continuation prototype for {0}",
    VTableThunk "TV" [Entity Entity] Node Nothing "vtable thunk for {1} dispatching to {0}",
    ProtocolWitness "TW" [Conformance Entity] Node Nothing "protocol witness for {1} in conformance {0}",
    ReabstractionThunkWithGlobalActor "TU" [Any Type] Node Nothing "{0} with global actor constraint {1}",
    AssociatedTypeDescriptor "Tl" [AssociatedTypeName] Node Nothing "associated type descriptor for {0}",
    RequirementsBaseDescriptor "TL" [Protocol] Node Nothing "protocol requirements base descriptor for {0}",
    DefaultAssociatedTypeAccessor "TM" [AssociatedTypeName] Node Nothing
        "default associated type metadata accessor for {0}",
    AssociatedConformanceDescriptor "Tn" [Type AssociatedTypePath Protocol] Node Nothing
        "associated conformance descriptor for {0}.{1}: {2}",
    DefaultAssociatedConformanceAccessor "TN" [Type AssociatedTypePath Protocol] Node Nothing
        "default associated conformance accessor for {0}.{1}: {2}",
    BaseConformanceDescriptor "Tb" [Type Protocol] Node Nothing "base conformance descriptor for {0}: {1}",

    // Conformances and runtime records
    ConformanceInModuleOfType "HP" [Protocol] Node Nothing "protocol conformance ref (type's module) {0}",
    ConformanceInModuleOfProtocol "Hp" [Protocol] Node Nothing "protocol conformance ref (protocol's module) {0}",
    PackConformance "HX" [ConformanceList] Node Nothing "pack protocol conformance {0}",
    OpaqueConformance "HO" [DependentConformance Type] Node Nothing "opaque result conformance {0} of {1}",
    ConformanceDescriptorRecord "Hc" [Conformance] Node Nothing
        "protocol conformance descriptor runtime record for {0}",
    NominalTypeDescriptorRecord "Hn" [Type] Node Nothing "nominal type descriptor runtime record for {0}",
    OpaqueTypeDescriptorRecord "Ho" [Any] Node Nothing "opaque type descriptor runtime record for {0}",
    ProtocolDescriptorRecord "Hr" [Protocol] Node Nothing "protocol descriptor runtime record for {0}",

    // Parts of function types
    Throws "K" [] Node Nothing " throws",
    TypedThrows "YK" [Content] Node Nothing " throws({0})",
    Async "Ya" [] Node Nothing " async",
    Concurrent "Yb" [] Node Nothing "@Sendable ",
    GlobalActor "Yc" [Content] Node Nothing "@{0} ",
    IsolatedAny "YA" [] Node Nothing "@isolated(any) ",
    NonIsolatedCaller "YC" [] Node Nothing "nonisolated(nonsending) ",
    SendingResult "YT" [] Node Nothing "sending ",

    // Types
    InOut "z" [Content] Type Nothing "inout {0}",
    Shared "h" [Content] Type Nothing "__shared {0}",
    Owned "n" [Content] Type Nothing "__owned {0}",
    Isolated "Yi" [Content] Type Nothing "isolated {0}",
    NoDerivative "Yk" [Content] Type Nothing "@noDerivative {0}",
    CompileTimeLiteral "Yt" [Content] Type Nothing "_const {0}",
    ConstValue "Yg" [Content] Type Nothing "@const {0}",
    Sending "Yu" [Content] Type Nothing "sending {0}",
    Unowned "Xo" [Type] Type Nothing "unowned {0}",
    Unmanaged "Xu" [Type] Type Nothing "unowned(unsafe) {0}",
    Weak "Xw" [Type] Type Nothing "weak {0}",
    Box "Xb" [Type] SimpleType Nothing "@box {0}",
    DynamicSelf "XD" [Type] SimpleType Nothing "Self",
    ErrorType "Xe" [] SimpleType Nothing "<ERROR TYPE>",
    FixedArray "BV" [Type Type] SimpleType Nothing "Builtin.FixedArray<{0}, {1}>",
    PackExpansion "Qp" [Content Content] Type Nothing "repeat {0}",
    PackElement "Qe" [Content] Type Index "/* level: {#} */ each {0}",
    OpaqueReturnType "Qr" [] Type Nothing "some",
    IndexedOpaqueReturnType "QR" [] Type Index "some",
    SugaredOptional "XSq" [Type] SimpleType Nothing "{0}?",
    SugaredArray "XSa" [Type] SimpleType Nothing "[{0}]",
    SugaredInlineArray "XSA" [Type Type] SimpleType Nothing "[{0} of {1}]",
    SugaredDictionary "XSD" [Type Type] SimpleType Nothing "[{0} : {1}]",
    SugaredParentheses "XSp" [Type] SimpleType Nothing "({0})",
    ExistentialShape "Xg" [Type] Node Nothing "existential shape for any {0}",
    GenericExistentialShape "XG" [Signature Type] Node Nothing "existential shape for {0} any {1}",
}

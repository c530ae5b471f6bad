//! The kinds of nodes in a symbol's tree. They are the entities of Swift's mangling, no more and no less: the remangler
//! and the printer have their spellings.

use super::operations::{Makes, Operation};
use super::spelling::*;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The whole symbol: the attributes of a function, the function, the suffix.
    Global,
    /// The text after the first `.`.
    Suffix,
    /// A wrapper around every type.
    Type,
    /// A type as a symbol of its own.
    TypeMangling,
    /// An operator like many others.
    Operation(Operation),
    /// An attribute of a function; its number, or its letters as text.
    Attribute(Attribute),
    PartialApply(PartialApply),

    // Names
    Identifier,
    LocalDeclName,
    PrivateDeclName,
    /// The text is the letter of the relation.
    RelatedEntityDeclName,
    Operator(Fixity),

    // Contexts
    Module,
    Extension,
    AnonymousContext,
    Nominal(Nominal),
    BuiltinTuple,
    Function,
    Variable,
    Subscript,
    /// The child is the variable or the subscript.
    Accessor(Accessor),
    Static,
    Allocator,
    Constructor,
    ExplicitClosure,
    ImplicitClosure,
    Implicit(Implicit),
    DefaultArgument,
    OpaqueReturnTypeOf,
    AutoDiff(AutoDiff),
    Macro,
    AttachedMacro(AttachedMacro),
    FreestandingMacro(FreestandingMacro),
    MacroLocation,
    GenericTypeParamDecl,
    /// A reference to the descriptor of a type, a protocol or an opaque type, by its address.
    SymbolicReference(Reference),

    // Parts of entities
    LabelList,
    EmptyList,
    FirstElementMarker,
    VariadicMarker,
    Number,
    UnknownIndex,
    DeclList,

    // Types
    Builtin(Builtin),
    /// The index is the number of bits.
    BuiltinInteger,
    /// The index is the number of bits.
    BuiltinFloat,
    /// The index is the number of elements, the child their type.
    BuiltinVector,
    BoundGeneric(Nominal),
    BoundGenericFunction,
    /// A reference with a list of generic arguments for each level.
    BoundReference,
    Tuple,
    TupleElement,
    TupleElementName,
    TypeList,
    FunctionType(FunctionKind),
    ArgumentTuple,
    ReturnType,
    ClangType,
    Differentiable(Differentiability),
    Metatype,
    ExistentialMetatype,
    MetatypeRepresentation(MetatypeRepresentation),
    ProtocolList,
    ProtocolListWithClass,
    ProtocolListWithAnyObject,
    ConstrainedExistential,
    /// The reference to a shape, and the arguments in it.
    ExtendedExistential,
    ConstrainedExistentialRequirements,
    /// `Self` in the requirements of an existential.
    ConstrainedExistentialSelf,
    Pack(Pack),
    Integer,
    NegativeInteger,
    OpaqueType,

    // Generics
    GenericSignature,
    PseudogenericSignature,
    GenericParamCount,
    GenericParam {
        depth: u32,
        index: u32,
    },
    GenericType,
    DependentMember,
    AssociatedTypeRef,
    AssociatedTypeName,
    AssociatedTypePath,
    PackMarker,
    ValueMarker,
    ConformanceRequirement,
    BaseClassRequirement,
    InverseRequirement,
    SameTypeRequirement,
    SameShapeRequirement,
    LayoutRequirement(LayoutConstraint),

    // Conformances
    ProtocolConformance,
    ConformanceList,
    ConcreteConformance,
    DependentConformance(DependentConformance),
    DependentAssociatedConformance,
    /// A conformance that is declared neither where its type nor where its protocol is.
    ConformanceInOtherModule,
    RetroactiveConformance,
    RetroactiveConformances,

    // Lowered types
    ImplFunctionType,
    ImplEscaping,
    ImplErasedIsolation,
    ImplDifferentiability(Differentiability),
    ImplCallee(CalleeConvention),
    /// The child is the type in C.
    ImplConvention(FunctionConvention),
    ImplCoroutine(Coroutine),
    ImplSendable,
    ImplAsync,
    ImplSendingResult,
    ImplParameter(ParameterConvention),
    ImplResult(ResultConvention),
    ImplYield(ParameterConvention),
    ImplErrorResult(ResultConvention),
    ImplOption(ValueOption),
    ImplPatternSubstitutions,
    ImplInvocationSubstitutions,
    BoxType,
    BoxLayout,
    MutableField,
    ImmutableField,

    // Thunks and specializations
    Reabstraction(Reabstraction),
    KeyPathThunk(KeyPathThunk),
    KeyPathIndexThunk(KeyPathIndexThunk),
    SelfReorderingThunk,
    SubsetParametersThunk,
    Derivative(Derivative),
    WitnessedDerivative(WitnessedDerivative),
    DifferentiabilityWitness,
    IndexSubset,
    ValueWitness(ValueWitness),
    CompletionHandler(CompletionHandler),
    Specialization(Specialization),
    PartialSpecialization(PartialSpecialization),
    SignatureSpecialization,
    MetatypeParametersRemoved,
    IsSerialized,
    AsyncRemoved,
    DroppedArgument,
    PassId,
    GenericSpecializationParam,
    SignatureParam,
    SignatureReturn,
    SignatureChange(SignatureChange),
    StringEncoding(StringEncoding),
    SignaturePayload,
}

/// The change of a parameter or a result of a specialised function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SignatureChange {
    ConstantFunction,
    ConstantGlobal,
    ConstantInteger,
    ConstantFloat,
    ConstantString,
    ConstantKeyPath,
    Closure,
    BoxToValue,
    BoxToStack,
    InOutToOut,
    /// Changes of the value as a whole; at least one.
    Value(ValueChanges),
}

/// The changes of a value that is passed or returned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValueChanges {
    pub existential_to_generic: bool,
    pub dead: bool,
    pub owned_to_guaranteed: bool,
    pub guaranteed_to_owned: bool,
    pub exploded: bool,
}

/// A reference by address: `0x01` to `0x1F` and four bytes in the text of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reference {
    /// To the context descriptor.
    Context,
    /// To a pointer to the context descriptor.
    IndirectContext,
    /// To a function that gives the metadata.
    AccessorFunction,
    /// To the shape of an extended existential type.
    UniqueExistentialShape,
    /// To the shape of an extended existential type, which other modules may have as well.
    NonUniqueExistentialShape,
    /// To the pointer to a protocol of Objective-C.
    ObjCProtocol,
}

impl Reference {
    const ALL: [(Self, u8); 6] = [
        (Self::Context, 0x01),
        (Self::IndirectContext, 0x02),
        (Self::AccessorFunction, 0x09),
        (Self::UniqueExistentialShape, 0x0A),
        (Self::NonUniqueExistentialShape, 0x0B),
        (Self::ObjCProtocol, 0x0C),
    ];

    /// The byte in front of the address.
    pub fn control_byte(self) -> u8 {
        // Every reference is in the list.
        Self::ALL.iter().find(|(reference, _)| *reference == self).map_or(0, |(_, byte)| *byte)
    }

    pub(super) fn with_control_byte(byte: u8) -> Option<Self> {
        Self::ALL.iter().find(|(_, control)| *control == byte).map(|(reference, _)| *reference)
    }

    /// Whether the symbol can refer to it again.
    pub(super) fn is_shape(self) -> bool {
        matches!(self, Self::UniqueExistentialShape | Self::NonUniqueExistentialShape)
    }

    pub(super) fn is_substitutable(self) -> bool {
        matches!(self, Self::Context | Self::IndirectContext | Self::ObjCProtocol)
    }
}

impl Kind {
    /// Whether declarations can stand in it.
    pub(super) fn is_context(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Module
                | Extension
                | AnonymousContext
                | Nominal(_)
                | BuiltinTuple
                | Function
                | Variable
                | Subscript
                | Accessor(_)
                | Static
                | Allocator
                | Constructor
                | Implicit(_)
                | ExplicitClosure
                | ImplicitClosure
                | DefaultArgument
                | OpaqueReturnTypeOf
                | AutoDiff(_)
                | SymbolicReference(_)
        )
    }

    /// Whether it can be the subject of a symbol.
    pub(super) fn is_entity(self) -> bool {
        self == Kind::Type || self.is_context()
    }

    /// Whether it is the name of a declaration.
    pub(super) fn is_name(self) -> bool {
        use Kind::*;
        matches!(self, Identifier | LocalDeclName | PrivateDeclName | RelatedEntityDeclName | Operator(_))
    }

    /// Whether generic arguments can be bound to it.
    pub(super) fn is_nominal(self) -> bool {
        matches!(self, Kind::Nominal(_) | Kind::BuiltinTuple | Kind::SymbolicReference(_))
    }

    /// Whether it is an attribute of the function before it in the symbol.
    pub(super) fn is_function_attribute(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Attribute(_) | PartialApply(_) | Specialization(_) | PartialSpecialization(_) | SignatureSpecialization
        )
    }

    /// Whether it is an attribute of a function and no function itself.
    pub(super) fn is_reported_of_function(self) -> bool {
        self.is_function_attribute() && !matches!(self, Kind::PartialApply(_))
    }

    /// Whether it is a requirement in a generic signature.
    pub(super) fn is_requirement(self) -> bool {
        use Kind::*;
        matches!(
            self,
            PackMarker
                | ValueMarker
                | ConformanceRequirement
                | BaseClassRequirement
                | InverseRequirement
                | SameTypeRequirement
                | SameShapeRequirement
                | LayoutRequirement(_)
        )
    }

    /// Whether it is a generic signature.
    pub(super) fn is_signature(self) -> bool {
        matches!(self, Kind::GenericSignature | Kind::PseudogenericSignature)
    }

    /// Whether it is a conformance of generic arguments.
    pub(super) fn is_conformance(self) -> bool {
        self == Kind::ConcreteConformance
            || self == Kind::Operation(Operation::PackConformance)
            || self.is_dependent_conformance()
    }

    /// Whether it is a conformance that depends on generic parameters.
    pub(super) fn is_dependent_conformance(self) -> bool {
        matches!(self, Kind::DependentConformance(_) | Kind::Operation(Operation::OpaqueConformance))
    }

    /// Whether generic arguments after it belong to it rather than to its context.
    pub(super) fn consumes_generic_arguments(self) -> bool {
        use super::spelling::Implicit as I;
        let never = matches!(
            self,
            Kind::Variable
                | Kind::Subscript
                | Kind::ImplicitClosure
                | Kind::ExplicitClosure
                | Kind::DefaultArgument
                | Kind::Static
                | Kind::Implicit(
                    I::Initializer | I::PropertyWrapperBackingInitializer | I::PropertyWrapperInitFromProjectedValue
                )
        );
        !never
    }

    /// Whether a type of this kind needs no parentheses in front of `?` or `.Type`, whatever is in it.
    pub(super) fn is_simple_type(self) -> bool {
        use Kind::*;
        match self {
            Operation(operation) => operation.makes() == Makes::SimpleType,
            BoundGeneric(_)
            | BoundGenericFunction
            | BoundReference
            | Builtin(_)
            | BuiltinInteger
            | BuiltinFloat
            | BuiltinVector
            | BuiltinTuple
            | Nominal(_)
            | SymbolicReference(_)
            | GenericType
            | DependentMember
            | AssociatedTypeRef
            | GenericParam { .. }
            | ConstrainedExistentialSelf
            | ExistentialMetatype
            | Metatype
            | MetatypeRepresentation(_)
            | Module
            | Tuple
            | Pack(_)
            | ConstrainedExistentialRequirements
            | ReturnType
            | BoxType
            | TupleElementName
            | TypeList
            | LabelList
            | Integer
            | NegativeInteger => true,
            _ => false,
        }
    }
}

//! The tree that a mangled symbol describes.

use cranelift_entity::{PrimaryMap, entity_impl};

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(u32);
entity_impl!(NodeId);

/// What a node is. Kinds whose text is fixed but for their children carry a template: `{0}` is the first child, `{#}` the
/// index, `{t}` the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Global,
    Suffix,
    /// A wrapper around every type.
    Type,
    TypeMangling,
    /// A template.
    Phrase(&'static str),
    /// A template of a type that needs no parentheses in front of `?` or `.Type`.
    SimplePhrase(&'static str),
    /// What stands before the name of a function: templates in full and simplified.
    Attribute(&'static str, &'static str),
    PartialApply(&'static str),
    Specialization(Specialization),

    // Names
    Identifier,
    LocalDeclName,
    PrivateDeclName,
    RelatedEntityDeclName,
    Operator(&'static str),

    // Contexts
    Module,
    Extension,
    AnonymousContext,
    Nominal(Nominal),
    BuiltinTuple,
    Function,
    Variable,
    Subscript,
    /// `getter` and its like: the child is the variable or the subscript.
    Accessor(&'static str),
    Static,
    Allocator,
    Constructor,
    Destructor,
    Deallocator(&'static str),
    ExplicitClosure,
    ImplicitClosure,
    /// What makes the initial value of a variable: what it is called.
    Initializer(&'static str),
    /// `__ivar_initializer`, `__ivar_destroyer`
    IVar(&'static str),
    DefaultArgument,
    OpaqueReturnTypeOf,
    AutoDiffFunction(&'static str),
    Macro,
    MacroExpansion(&'static str),
    GenericTypeParamDecl,

    // Parts of entities
    LabelList,
    EmptyList,
    FirstElementMarker,
    VariadicMarker,
    Number,
    Index,
    UnknownIndex,
    DeclList,

    // Types
    BuiltinName,
    BoundGeneric(Nominal),
    BoundGenericFunction,
    Tuple,
    TupleElement,
    TupleElementName,
    TypeList,
    FunctionType(FunctionKind),
    ArgumentTuple,
    ReturnType,
    ClangType,
    Throws,
    TypedThrows,
    Async,
    Concurrent,
    GlobalActor,
    IsolatedAny,
    NonIsolatedCaller,
    SendingResult,
    /// The index is the letter of the kind.
    Differentiable,
    InOut,
    Metatype,
    ExistentialMetatype,
    MetatypeRepresentation,
    ProtocolList,
    ProtocolListWithClass,
    ProtocolListWithAnyObject,
    ConstrainedExistential,
    ConstrainedExistentialRequirements,
    Pack(&'static str),
    SugaredOptional,
    Integer,
    OpaqueReturnType,
    OpaqueType,

    // Generics
    GenericSignature,
    GenericParamCount,
    GenericParam,
    GenericType,
    DependentMember,
    AssociatedTypeName,
    AssociatedTypePath,
    PackMarker,
    ValueMarker,
    ConformanceRequirement,
    InverseRequirement,
    SameTypeRequirement,
    SameShapeRequirement,
    LayoutRequirement,

    // Conformances
    ProtocolConformance,
    ConformanceList,
    ConcreteConformance,
    /// A template; `{2?}` is the index with its sign, where there is one.
    DependentConformance(&'static str),
    OtherConformance(&'static str),
    ConformanceRef(&'static str, ConformanceRef),
    RetroactiveConformance,

    // Lowered types
    ImplFunctionType,
    ImplAttribute,
    ImplConvention,
    ImplSendingResult,
    ImplParameter,
    ImplResult(&'static str),
    ImplPatternSubstitutions,
    ImplInvocationSubstitutions,
    BoxType,
    BoxLayout,

    // Thunks and specializations
    ReabstractionThunk(&'static str),
    ReabstractionThunkWithSelf,
    KeyPathAccessorThunk(&'static str),
    KeyPathIndexThunk(&'static str),
    SelfReorderingThunk,
    SubsetParametersThunk,
    DerivativeName,
    DifferentiabilityWitness,
    IndexSubset,
    ValueWitness(&'static str),
    CompletionHandler(&'static str),
    IsSerialized,
    AsyncRemoved,
    DroppedArgument,
    PassId,
    GenericSpecializationParam,
    SignatureParam,
    SignatureReturn,
    SignatureChange,
    SignaturePayload,
}

/// A kind of nominal type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Nominal {
    Class,
    Structure,
    Enum,
    Protocol,
    TypeAlias,
    Other,
}

/// A kind of formal function type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FunctionKind {
    Plain,
    Uncurried,
    NoEscape,
    AutoClosure,
    Thin,
    C,
    Block,
    EscapingBlock,
}

/// Where a conformance is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConformanceRef {
    /// In the module of the type.
    OfType,
    /// In the module of the protocol.
    OfProtocol,
    /// In another module.
    Elsewhere,
}

/// A kind of specialization.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Specialization {
    pub(super) description: &'static str,
    pub(super) parameter_prefix: &'static str,
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
                | Destructor
                | Deallocator(_)
                | ExplicitClosure
                | ImplicitClosure
                | Initializer(_)
                | IVar(_)
                | DefaultArgument
                | OpaqueReturnTypeOf
                | AutoDiffFunction(_)
        )
    }

    /// Whether it can be what a symbol is about.
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
        matches!(self, Kind::Nominal(_) | Kind::BuiltinTuple)
    }

    /// Whether it is said of the function that stands before it in the symbol.
    pub(super) fn is_function_attribute(self) -> bool {
        matches!(self, Kind::Attribute(..) | Kind::PartialApply(_) | Kind::Specialization(_))
    }

    /// Whether it is a requirement in a generic signature.
    pub(super) fn is_requirement(self) -> bool {
        use Kind::*;
        matches!(
            self,
            PackMarker
                | ValueMarker
                | ConformanceRequirement
                | InverseRequirement
                | SameTypeRequirement
                | SameShapeRequirement
                | LayoutRequirement
        )
    }
}

/// What a symbol is made of.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) text: Box<str>,
    pub(super) index: i64,
    pub(super) children: Vec<NodeId>,
}

/// The nodes of a symbol. A node may be the child of several.
#[derive(Default)]
pub(super) struct Tree {
    nodes: PrimaryMap<NodeId, Node>,
}

impl Tree {
    pub(super) fn add(&mut self, kind: Kind, children: Vec<NodeId>) -> NodeId {
        self.nodes.push(Node { kind, text: Box::default(), index: 0, children })
    }

    pub(super) fn add_text(&mut self, kind: Kind, text: &str) -> NodeId {
        self.nodes.push(Node { kind, text: text.into(), index: 0, children: Vec::new() })
    }

    pub(super) fn add_index(&mut self, kind: Kind, index: i64) -> NodeId {
        self.nodes.push(Node { kind, text: Box::default(), index, children: Vec::new() })
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id].kind
    }

    pub(super) fn children(&self, id: NodeId) -> &[NodeId] {
        &self.nodes[id].children
    }

    pub(super) fn child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        self.nodes[id].children.get(index).copied()
    }

    /// The first child of `id` of kind `kind`.
    pub(super) fn child_of_kind(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(id).iter().copied().find(|child| self.kind(*child) == kind)
    }

    /// Whether the type `id` needs no parentheses in front of `?` or `.Type`.
    pub(super) fn is_simple_type(&self, id: NodeId) -> bool {
        use Kind::*;
        let protocols = |list| self.child(list, 0).map_or(0, |list| self.children(list).len());
        match self.kind(id) {
            Type => self.child(id, 0).is_none_or(|content| self.is_simple_type(content)),
            ProtocolList => protocols(id) <= 1,
            ProtocolListWithAnyObject => self.child(id, 0).is_none_or(|list| protocols(list) == 0),
            SimplePhrase(_)
            | BoundGeneric(_)
            | BoundGenericFunction
            | BuiltinName
            | BuiltinTuple
            | Nominal(_)
            | GenericType
            | DependentMember
            | GenericParam
            | ExistentialMetatype
            | Metatype
            | MetatypeRepresentation
            | Module
            | Tuple
            | Pack(_)
            | ConstrainedExistentialRequirements
            | ReturnType
            | BoxType
            | TupleElementName
            | TypeList
            | LabelList
            | SugaredOptional
            | Integer => true,
            _ => false,
        }
    }

    /// All nodes, in the order in which they were made.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.keys()
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

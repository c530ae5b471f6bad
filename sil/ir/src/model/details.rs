//! The parts of an instruction beyond its operands, types, targets and attributes.

use std::sync::Arc;

use super::{DebugVariable, GlobalId};
use crate::context::{
    Context, Differentiability, DifferentiabilityIndices, MemberId, MetatypeRepresentation, Name, SignatureId, SilType,
    SpecializationHistoryId, SubstitutionMapId, Sugar, TypeId,
};
use crate::instructions::builtins::{BuiltinKind, BuiltinOperation, parse_builtin};

/// The details of an instruction. Which one an opcode has is fixed; each variant names its opcodes.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Details {
    /// Nothing more.
    #[default]
    None,
    /// `tuple_extract`, `tuple_element_addr`, `project_box`: the number of the element.
    Index(u32),
    /// `pointer_to_address`: the alignment in bytes, a power of two.
    Alignment(u64),
    /// `integer_literal`: the value, sign-extended.
    Integer(i128),
    /// `integer_literal` of a value beyond 128 bits: two's complement, least significant word first, the sign going on
    /// beyond the last.
    WideInteger(Box<[u64]>),
    /// `float_literal`: the bits.
    Float(u128),
    /// `string_literal`
    String(Box<StringLiteral>),
    /// `struct_extract`, `struct_element_addr`, `ref_element_addr`, `enum`, `unchecked_enum_data`,
    /// `init_enum_data_addr`, `inject_enum_addr`, `unchecked_take_enum_data_addr`, `has_symbol`: the declaration.
    Member(MemberId),
    /// `class_method`, `super_method`, `objc_method`, `objc_super_method`, `witness_method`: the method, with its
    /// formal type.
    Method(Box<Method>),
    /// `function_ref`, `dynamic_function_ref`, `prev_dynamic_function_ref`: the symbol.
    Function(Name),
    /// `global_addr`, `global_value`, `alloc_global`: the symbol, and its number where the module has it.
    Global(Name, Option<GlobalId>),
    /// `builtin`: the name and its substitutions.
    Builtin(Box<Builtin>),
    /// `apply`, `begin_apply`, `partial_apply`, `try_apply`: the substitutions.
    Apply(Box<Apply>),
    /// `cond_br`: how many of the operands go to the true target, and the profile counts.
    CondBranch { true_arguments: u32, counts: [Option<u64>; 2] },
    /// `switch_enum`, `switch_enum_addr`, `select_enum`, `select_enum_addr`: the cases.
    EnumCases(Box<EnumCases>),
    /// `switch_value`: operand 0 is switched on, operand 1… are the case values.
    SwitchValue { default: DefaultCase },
    /// `debug_value`, `alloc_stack`, `alloc_box`: the variable.
    Variable(Box<DebugVariable>),
    /// `alloc_ref`, `alloc_ref_dynamic`: how many of the operands are counts of tail elements, whose types are the
    /// first written types; the allocated type is the last one.
    TailElements(u32),
    /// `cond_fail`: the message. `debug_step` has none.
    Message(Box<str>),
    /// `begin_access`, `begin_unpaired_access`: attributes have all. `metatype` and its like: the representation.
    Representation(MetatypeRepresentation),
    /// `unconditional_checked_cast`, `checked_cast_br`, `*_addr`: formal types and more.
    Cast(Box<Cast>),
    /// `unconditional`, `init_existential_*`, `alloc_existential_box`: the formal concrete type.
    FormalType(TypeId),
    /// `keypath`
    KeyPath(Box<KeyPath>),
    /// `copy_addr`-like with none; `object`: how many operands are base elements, the rest are tail elements.
    BaseElements(u32),
    /// `differentiable_function`, `linear_function`: the results and parameters of differentiation.
    Differentiable(Box<DifferentiabilityIndices>),
    /// `differentiable_function_extract`, `linear_function_extract`: the extracted function.
    Extractee(Extractee),
    /// `differentiability_witness_function`: the function of the witness, and the identity of the witness.
    DifferentiabilityWitness(Extractee, Box<DerivativeConfiguration>),
    /// `dealloc_partial_ref`, `hop_to_executor` and others with words of their own: the words in the order of the
    /// syntax.
    Words(Box<[Name]>),
    /// `dynamic_method_br`, `mark_dependence` and others need nothing. `increment_profiler_counter`: number, name,
    /// count, hash.
    ProfilerCounter { index: u32, name: Name, count: u32, hash: u64 },
    /// `open_pack_element`: the signature and the opened packs. Indices into packs have `Index`, their pack is a
    /// written type.
    PackOpening(Box<PackOpening>),
    /// `assign_by_wrapper`, `assign_or_init`
    Assign(Box<AssignByWrapper>),
}

/// A string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// The encoding.
    pub encoding: StringEncoding,
    /// The bytes, without a terminating zero; for UTF-16 still UTF-8 here.
    pub bytes: Box<[u8]>,
}

/// The encoding of a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StringEncoding {
    /// `bytes`: written in hexadecimal.
    Bytes,
    /// `utf8`
    Utf8,
    /// `utf16`, as older SIL has it.
    Utf16,
    /// `objc_selector`
    ObjCSelector,
    /// `oslog`
    OsLog,
}

/// A method lookup. Its written lowered type is the instruction's first written type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// The method.
    pub member: MemberId,
    /// The formal type after the member, where written.
    pub formal_type: Option<TypeId>,
    /// How the formal type is spelled.
    pub sugar: Sugar,
    /// `witness_method $T, …`: the conforming formal type.
    pub lookup: Option<TypeId>,
}

/// A call to a builtin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// The name: `sadd_with_overflow_Int64`.
    name: Name,
    /// `<T>` after the name.
    pub substitutions: SubstitutionMapId,
    /// The operation that the name says; none where it says none.
    operation: Option<Arc<BuiltinOperation>>,
}

impl Builtin {
    /// A builtin by its name.
    pub fn new(context: &Context, name: &str, substitutions: SubstitutionMapId) -> Self {
        Self { name: context.name(name), substitutions, operation: parse_builtin(name).map(Arc::new) }
    }

    /// A builtin without type parameters, by its name.
    pub fn plain(context: &Context, name: &str) -> Self {
        Self::new(context, name, SubstitutionMapId::EMPTY)
    }

    /// The same where the operation was read already.
    pub fn of_operation(name: Name, substitutions: SubstitutionMapId, operation: BuiltinOperation) -> Self {
        Self { name, substitutions, operation: Some(Arc::new(operation)) }
    }

    /// The same builtin with other arguments for its type parameters.
    pub fn with_substitutions(&self, substitutions: SubstitutionMapId) -> Self {
        Self { substitutions, ..self.clone() }
    }

    /// The name: `sadd_with_overflow_Int64`.
    pub fn name(&self) -> Name {
        self.name
    }

    /// The operation that the name says, with the types at its end.
    pub fn operation(&self) -> Option<&BuiltinOperation> {
        self.operation.as_deref()
    }

    /// The kind of the operation.
    pub fn kind(&self) -> Option<BuiltinKind> {
        self.operation().map(|operation| operation.kind)
    }
}

/// The details of an apply site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apply {
    /// `<T>` after the callee: the replacements of the parameters of the callee's signature.
    pub substitutions: SubstitutionMapId,
    /// How the substitutions are spelled.
    pub sugar: Sugar,
    /// The callee's type as written, unsubstituted: `$@convention(thin) <T> (@in T) -> ()`.
    pub callee_type: SilType,
    /// `[caller_isolation=nonisolated]`, `[callee_isolation=…]`, as written.
    pub isolation: Option<(Name, Name)>,
    /// Of the specialisation that the call was inlined from; text does not show that. A call that was never inlined
    /// came from where its function did.
    pub history: Option<SpecializationHistoryId>,
}

impl Apply {
    /// Those of a call of which nothing more is known.
    pub fn new(callee_type: SilType, substitutions: SubstitutionMapId) -> Self {
        Self { substitutions, sugar: Sugar::default(), callee_type, isolation: None, history: None }
    }
}

/// Whether a switch or select has a default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefaultCase {
    /// The last target or operand is the default's.
    Present,
    /// All cases are written.
    Absent,
}

/// Cases of an enum switch or select, in textual order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumCases {
    /// The case of each target or operand.
    pub members: Box<[MemberId]>,
    /// Whether a default follows.
    pub default: DefaultCase,
    /// The profile counts: one per case, then the default's; empty where none is written.
    pub counts: Box<[Option<u64>]>,
}

impl EnumCases {
    /// These cases, which are all that there are.
    pub fn without_default(members: impl Into<Box<[MemberId]>>) -> Self {
        Self { members: members.into(), default: DefaultCase::Absent, counts: Box::default() }
    }
}

/// A checked cast. Written lowered types are the instruction's types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cast {
    /// The formal source type, where written.
    pub source: Option<TypeId>,
    /// The formal target type.
    pub target: TypeId,
    /// `take_always`, `take_on_success`, `copy_on_success`, for addresses.
    pub consumption: Option<CastConsumption>,
    /// The profile counts of success and failure.
    pub counts: [Option<u64>; 2],
}

/// The effect of a cast of an address on its source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastConsumption {
    /// `take_always`
    TakeAlways,
    /// `take_on_success`
    TakeOnSuccess,
    /// `copy_on_success`
    CopyOnSuccess,
}

/// The packs that `open_pack_element` opens, and their names in types: `<each U> at <Pack{repeat each T}>, shape $U,
/// uuid "…"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackOpening {
    /// The generic signature with the packs, and the replacements of its parameters.
    pub substitutions: SubstitutionMapId,
    /// A pack that has the shape of the others.
    pub shape: TypeId,
    /// The name of the opened archetypes.
    pub uuid: Name,
}

/// `assign_by_wrapper` and `assign_or_init`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssignByWrapper {
    /// `#Foo.x`, where written.
    pub property: Option<MemberId>,
    /// The kind of origin or the mode, as written.
    pub mode: Option<Name>,
    /// The numbers of fields already initialised.
    pub assigned: Box<[u32]>,
    /// The words before the operands, such as `init`, `set`.
    pub words: Box<[Name]>,
}

/// A key path pattern (docs/SIL/Instructions.md, "keypath").
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KeyPath {
    /// `<T where …>` of the pattern.
    pub signature: Option<SignatureId>,
    /// `objc "path"`
    pub objc: Option<Name>,
    /// `root $T`
    pub root: TypeId,
    /// The components, in order.
    pub components: Vec<KeyPathComponent>,
    /// `<Int>` after the pattern.
    pub substitutions: SubstitutionMapId,
}

/// A component of a key path pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KeyPathComponent {
    /// Its kind.
    pub kind: KeyPathComponentKind,
    /// The type that it leads to.
    pub ty: TypeId,
}

/// The kind of a component of a key path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum KeyPathComponentKind {
    /// `stored_property #T.x`
    StoredProperty(MemberId),
    /// `tuple_element #0`
    TupleElement(u32),
    /// `gettable_property`, `settable_property`
    Computed(Box<KeyPathComputed>),
    /// `method …`
    Method(Box<KeyPathComputed>),
    /// `optional_chain`
    OptionalChain,
    /// `optional_force`
    OptionalForce,
    /// `optional_wrap`
    OptionalWrap,
}

/// A computed component of a key path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KeyPathComputed {
    /// `id #T.x!getter` or `id @f : $…`.
    pub identifier: KeyPathIdentifier,
    /// `getter @f : $…`
    pub getter: (Name, TypeId),
    /// `setter @f : $…`
    pub setter: Option<(Name, TypeId)>,
    /// `indices [%$0 : $T : $U, …]`: operand number, formal and lowered type.
    pub indices: Box<[(u32, TypeId, SilType)]>,
    /// `indices_equals @f : $…`
    pub equals: Option<(Name, TypeId)>,
    /// `indices_hash @f : $…`
    pub hash: Option<(Name, TypeId)>,
    /// `external #T.x <Args>`
    pub external: Option<(MemberId, SubstitutionMapId)>,
}

/// The identity of a computed component.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum KeyPathIdentifier {
    /// A property by its declaration, with its formal type where written.
    Member(MemberId, Option<TypeId>),
    /// A function, with its type.
    Function(Name, TypeId),
    /// `##T.x`: a stored property.
    Property(MemberId),
}

/// A part of a `@differentiable` or `@differentiable(_linear)` function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extractee {
    /// `[original]`
    Original,
    /// `[jvp]`
    Jvp,
    /// `[vjp]`
    Vjp,
    /// `[transpose]`
    Transpose,
}

impl Extractee {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Original, Self::Jvp, Self::Vjp, Self::Transpose];

    /// Its word in SIL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Jvp => "jvp",
            Self::Vjp => "vjp",
            Self::Transpose => "transpose",
        }
    }
}

/// Which derivative of which function: `[reverse] [parameters 0] [results 0] <T where …> @f : $…`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivativeConfiguration {
    /// `[reverse]`
    pub kind: Differentiability,
    /// `[parameters 0] [results 0]`
    pub indices: DifferentiabilityIndices,
    /// The derivative's own generic signature.
    pub signature: Option<SignatureId>,
    /// The original function.
    pub original: Name,
    /// Its type.
    pub ty: TypeId,
}

//! Function types: lowered ones with every convention (docs/SIL/Types.md, docs/SIL/SILFunctionConventions.md), and
//! formal ones.

use super::{Name, NominalId, SignatureId, SubstitutionMapId, TypeId};

/// A lowered function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// The generic signature that an application substitutes.
    pub signature: Option<SignatureId>,
    /// How it is called and stored.
    pub representation: Representation,
    /// How the context of a thick function is passed.
    pub callee: CalleeConvention,
    /// Whether it is a coroutine.
    pub coroutine: CoroutineKind,
    /// The attributes that are there or not.
    pub attributes: FunctionAttributes,
    /// `@differentiable`
    pub differentiability: Option<Differentiability>,
    /// The parameters, `self` last.
    pub parameters: Box<[Parameter]>,
    /// The yields of a coroutine.
    pub yields: Box<[Parameter]>,
    /// The results, without the error.
    pub results: Box<[FunctionResult]>,
    /// The error result.
    pub error: Option<FunctionResult>,
    /// The signature that parameters and results are written in, and its replacements: `@substituted <τ_0_0> (τ_0_0) ->
    /// () for <Int>`.
    pub pattern: Option<SubstitutionMapId>,
    /// The replacements of the parameters of `signature` in the type itself: `… for <Int>` after a generic function
    /// type.
    pub invocation: Option<SubstitutionMapId>,
    /// `@lifetime(borrow 0)`, on the results or on parameters.
    pub lifetimes: Box<[LifetimeDependence]>,
}

impl FunctionType {
    /// The parameters without those in front that the function's declaration does not have: the actor that a caller
    /// passes on.
    pub fn declared_parameters(&self) -> &[Parameter] {
        let is_implicit = |parameter: &&Parameter| parameter.options.contains(ParameterOption::ImplicitLeading);
        &self.parameters[self.parameters.iter().take_while(is_implicit).count()..]
    }

    /// A thick function without parameters and results: the base of others.
    pub fn thick(callee: CalleeConvention) -> Self {
        Self {
            signature: None,
            representation: Representation::Thick,
            callee,
            coroutine: CoroutineKind::None,
            attributes: FunctionAttributes::default(),
            differentiability: None,
            parameters: Box::default(),
            yields: Box::default(),
            results: Box::default(),
            error: None,
            pattern: None,
            invocation: None,
            lifetimes: Box::default(),
        }
    }
}

/// `@lifetime(borrow 0)`: whose lifetime a result or a parameter depends on (include/swift/AST/LifetimeDependence.h).
/// Without sources it is `@lifetime(immortal)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LifetimeDependence {
    /// The parameter that depends; none for the results.
    pub parameter: Option<u32>,
    /// Its sources, in the order in which they are written.
    pub sources: Box<[LifetimeSource]>,
}

impl LifetimeDependence {
    /// How it depends on parameter number `parameter`.
    pub fn on_parameter(&self, parameter: u32) -> Option<LifetimeDependenceKind> {
        self.sources.iter().find(|source| source.parameter == parameter).map(|source| source.kind)
    }
}

/// A parameter that a lifetime depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LifetimeSource {
    /// The number of the parameter.
    pub parameter: u32,
    /// How it depends.
    pub kind: LifetimeDependenceKind,
}

/// How a lifetime depends on an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LifetimeDependenceKind {
    /// `copy`: on the sources of the argument itself.
    Inherited,
    /// `borrow`: on the argument.
    Scoped(Addressability),
}

/// Whether a lifetime depends on the memory that an argument lies in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Addressability {
    /// It does not.
    NotAddressable,
    /// `address`: it does.
    Addressable,
    /// `address_for_deps`: if the type of the argument requires it.
    ForDependencies,
}

/// How a function is called, and the form of its values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Representation {
    /// A function pointer and a context: no `@convention`.
    Thick,
    /// `@convention(thin)`
    Thin,
    /// `@convention(method)`
    Method,
    /// `@convention(witness_method: P)`
    WitnessMethod(NominalId),
    /// `@convention(c)`
    C,
    /// `@convention(objc_method)`
    ObjCMethod,
    /// `@convention(block)`
    Block,
    /// `@convention(closure)`
    Closure,
    /// `@convention(cxx_method)`
    CxxMethod,
    /// `@convention(keypath_accessor_getter)`
    KeyPathGetter,
    /// `@convention(keypath_accessor_setter)`
    KeyPathSetter,
    /// `@convention(keypath_accessor_equals)`
    KeyPathEquals,
    /// `@convention(keypath_accessor_hash)`
    KeyPathHash,
}

/// How the context of a thick function is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CalleeConvention {
    /// Written without one: thin functions.
    None,
    /// `@callee_owned`
    Owned,
    /// `@callee_guaranteed`
    Guaranteed,
    /// `@callee_unowned`
    Unowned,
}

/// Whether a function is a coroutine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CoroutineKind {
    /// An ordinary function.
    None,
    /// `@yield_once`
    YieldOnce,
    /// `@yield_once_2`
    YieldOnce2,
    /// `@yields` many times: `@yield_many`
    YieldMany,
}

/// An attribute of a function type that is there or not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum FunctionAttribute {
    /// `@async`
    Async,
    /// `@noescape`
    NoEscape,
    /// `@pseudogeneric`
    Pseudogeneric,
    /// `@Sendable`
    Sendable,
    /// `@unimplementable`
    Unimplementable,
    /// `@isolated(any)`
    IsolatedAny,
    /// `nonisolated(nonsending)`, `@execution(caller)`: runs where its caller runs.
    CallerIsolated,
    /// `sending` on the result of a formal function.
    SendingResult,
    /// `@called(atMostOnce)`: a call consumes it.
    CalledAtMostOnce,
    /// `@called(exactlyOnce)`: a call consumes it, and nothing else may.
    CalledExactlyOnce,
}

/// A set of function attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct FunctionAttributes(u16);

impl FunctionAttributes {
    /// Adds `attribute`.
    pub fn insert(&mut self, attribute: FunctionAttribute) {
        self.0 |= 1 << attribute as u8;
    }

    /// Takes `attribute` away.
    pub fn remove(&mut self, attribute: FunctionAttribute) {
        self.0 &= !(1 << attribute as u8);
    }

    /// Whether `attribute` is there.
    pub fn contains(self, attribute: FunctionAttribute) -> bool {
        self.0 & (1 << attribute as u8) != 0
    }
}

/// `@differentiable(…)`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Differentiability {
    /// `@differentiable(_forward)`
    Forward,
    /// `@differentiable(reverse)`
    Reverse,
    /// `@differentiable`
    Normal,
    /// `@differentiable(_linear)`
    Linear,
}

impl Differentiability {
    /// The number of functions in such a function: the original, and its JVP and VJP or its transpose
    /// (include/swift/AST/AutoDiff.h, `NormalDifferentiableFunctionTypeComponent`).
    pub fn component_count(self) -> usize {
        match self {
            Differentiability::Forward | Differentiability::Reverse | Differentiability::Normal => 3,
            Differentiability::Linear => 2,
        }
    }
}

/// Which parameters and results of a function a derivative is of.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DifferentiabilityIndices {
    /// Numbers of parameters, ascending.
    pub parameters: Box<[u32]>,
    /// Numbers of results, ascending. `inout` parameters count as results after the others, yields after those.
    pub results: Box<[u32]>,
}

/// A parameter or a yield.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// How it is passed.
    pub convention: ParameterConvention,
    /// Its lowered type.
    pub ty: TypeId,
    /// `@noDerivative`, `@sil_isolated`, `sending`…
    pub options: ParameterOptions,
}

/// How a parameter is passed, and who owns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParameterConvention {
    /// No attribute: trivial, or unowned.
    Unowned,
    /// `@owned`
    Owned,
    /// `@guaranteed`
    Guaranteed,
    /// `@in`
    In,
    /// `@in_constant`, as older SIL has it.
    InConstant,
    /// `@in_guaranteed`
    InGuaranteed,
    /// `@in_cxx`
    InCxx,
    /// `@inout`
    InOut,
    /// `@inout_aliasable`
    InOutAliasable,
    /// `@pack_owned`
    PackOwned,
    /// `@pack_guaranteed`
    PackGuaranteed,
    /// `@pack_inout`
    PackInOut,
}

impl ParameterConvention {
    /// Whether the parameter's SIL argument is an address.
    pub fn is_indirect(self) -> bool {
        use ParameterConvention::*;
        match self {
            Unowned | Owned | Guaranteed => false,
            In | InConstant | InGuaranteed | InCxx | InOut | InOutAliasable => true,
            PackOwned | PackGuaranteed | PackInOut => true,
        }
    }
}

/// An option of a parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum ParameterOption {
    /// `@noDerivative`
    NotDifferentiable,
    /// `@sil_isolated`
    Isolated,
    /// `@sil_sending`
    Sending,
    /// `@sil_implicit_leading_param`
    ImplicitLeading,
    /// `@const`
    Const,
    /// `@autoclosure`, on a formal parameter.
    Autoclosure,
    /// `isolated` on a formal parameter is [`Isolated`](Self::Isolated); `@_nonEphemeral` here.
    NonEphemeral,
    /// `@escaping`, on a formal parameter that is a function.
    Escaping,
}

/// A set of parameter options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ParameterOptions(u8);

impl ParameterOptions {
    /// Adds `option`.
    pub fn insert(&mut self, option: ParameterOption) {
        self.0 |= 1 << option as u8;
    }

    /// Takes `option` away.
    pub fn remove(&mut self, option: ParameterOption) {
        self.0 &= !(1 << option as u8);
    }

    /// Whether `option` is there.
    pub fn contains(self, option: ParameterOption) -> bool {
        self.0 & (1 << option as u8) != 0
    }
}

/// A result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionResult {
    /// How it is returned.
    pub convention: ResultConvention,
    /// Its lowered type.
    pub ty: TypeId,
    /// `@noDerivative`, `sending`
    pub options: ParameterOptions,
}

/// How a result is returned. For the error result: `Indirect` is `@error_indirect`, `Owned` and `Unowned` are `@error`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultConvention {
    /// `@out`
    Indirect,
    /// `@owned`
    Owned,
    /// No attribute.
    Unowned,
    /// `@unowned_inner_pointer`
    UnownedInnerPointer,
    /// `@autoreleased`
    Autoreleased,
    /// `@pack_out`
    Pack,
    /// `@guaranteed_address`
    GuaranteedAddress,
    /// `@guaranteed`
    Guaranteed,
    /// `@inout`
    InOut,
}

impl ResultConvention {
    /// Whether the caller passes an address for the result.
    pub fn is_indirect(self) -> bool {
        matches!(self, ResultConvention::Indirect | ResultConvention::Pack)
    }

    /// Whether the function gives back the address of a place that belongs to one of its arguments.
    pub fn is_projection(self) -> bool {
        matches!(self, ResultConvention::GuaranteedAddress | ResultConvention::InOut)
    }
}

/// A formal function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FormalFunctionType {
    /// The generic signature.
    pub signature: Option<SignatureId>,
    /// `@convention(c)` and the like.
    pub representation: Representation,
    /// The attributes of the function itself; `@escaping` is a matter of parameters.
    pub attributes: FunctionAttributes,
    /// `@differentiable`
    pub differentiability: Option<Differentiability>,
    /// The parameters.
    pub parameters: Box<[FormalParameter]>,
    /// The result.
    pub result: TypeId,
    /// `throws`
    pub throws: Throws,
    /// `@MainActor`
    pub global_actor: Option<TypeId>,
}

/// The error type of a formal function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Throws {
    /// Nothing.
    No,
    /// `throws`: any error.
    Any,
    /// `throws(E)`
    Typed(TypeId),
    /// `rethrows`, in declarations.
    Rethrows,
}

/// A parameter of a formal function type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FormalParameter {
    /// The label.
    pub label: Option<Name>,
    /// The type; `inout` is [`Type::InOut`](super::Type::InOut).
    pub ty: TypeId,
    /// `__owned`, `__shared`, `borrowing`, `consuming`, …
    pub specifier: FormalSpecifier,
    /// `T...`
    pub variadic: Variadic,
    /// `isolated`, `sending`, …
    pub options: ParameterOptions,
}

impl FormalParameter {
    /// How it is passed: a sent parameter is given away unless another way is written.
    pub fn passing(&self) -> FormalSpecifier {
        match self.specifier {
            FormalSpecifier::Default if self.options.contains(ParameterOption::Sending) => FormalSpecifier::LegacyOwned,
            written => written,
        }
    }
}

/// How a formal parameter is passed where it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormalSpecifier {
    /// Nothing written.
    Default,
    /// `__owned`
    LegacyOwned,
    /// `__shared`
    LegacyShared,
    /// `borrowing`
    Borrowing,
    /// `consuming`
    Consuming,
}

/// Whether a parameter takes any number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variadic {
    /// `T...`
    Yes,
    /// `T`
    No,
}

//! Emits the instructions that get the executor of an actor: the runtime's default executor, or the value of the
//! actor's `unownedExecutor` (lib/SILOptimizer/Mandatory/LowerHopToActor.cpp, getExecutorForActor).

use sil_ir::context::{
    BuiltinType, CalleeConvention, FormalFunctionType, FormalParameter, FormalSpecifier, FunctionAttributes,
    FunctionResult, FunctionType, GenericParameter, GenericParameterKind, GenericSignature, MemberId, MemberKind,
    MemberRef, MemberTarget, NominalId, NominalType, Parameter, ParameterConvention, ParameterOptions, Representation,
    Requirement, ResultConvention, SignatureId, SilType, Sugar, Throws, Type, TypeId, Variadic,
};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::NamedBuiltin;
use sil_ir::model::{Apply, Builtin, InstructionId, Method, Value};
use sil_ir::source::Span;
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::cloning::fresh_opening;

/// The declarations of actors and executors in the module.
pub(super) struct ActorExecutors<'q> {
    queries: &'q TypeQueries<'q>,
    span: Span,
    /// The signature of the function's type parameters.
    generics: Option<SignatureId>,
    /// `Builtin.Executor`
    pub(super) executor: SilType,
    /// `Optional<Builtin.Executor>`
    pub(super) optional: SilType,
    /// `Optional.some`
    pub(super) some_case: MemberId,
    none_case: MemberId,
    protocol: NominalId,
    /// The protocol of distributed actors, if the module knows it.
    distributed: Option<NominalId>,
    /// The result type of `unownedExecutor`.
    reference: NominalId,
}

impl<'q> ActorExecutors<'q> {
    /// Finds the declarations; an error at `span` if the module does not know actors.
    pub(super) fn new(
        queries: &'q TypeQueries<'q>,
        span: Span,
        generics: Option<SignatureId>,
    ) -> Result<Self, Box<Diagnostic>> {
        Self::find(queries, span, generics)
            .ok_or_else(|| Box::new(Diagnostic::unsupported("an actor in a module that does not know 'Actor'", span)))
    }

    fn find(queries: &'q TypeQueries<'q>, span: Span, generics: Option<SignatureId>) -> Option<Self> {
        let context = queries.context;
        let known = |library: &str, name: &str| {
            let name = context.find_name(name)?;
            let of_library = context.find_name(library).and_then(|of| queries.declarations.in_module(of, name));
            // The library itself declares its own.
            of_library.or_else(|| queries.declarations.top_level(name))
        };
        let executor = context.ty(Type::Builtin(BuiltinType::Executor));
        let optional = queries.optional_of(executor)?;
        let declaration = queries.as_nominal(optional)?.declaration;
        let case = |name: &str| {
            let name = context.name(name);
            let cases = &queries.declarations.get(declaration).cases;
            let (index, _) = (0..).zip(cases).find(|(_, case)| case.name == name)?;
            let target = MemberTarget::Case(index);
            Some(context.member(MemberRef::new(Some(declaration), name, MemberKind::EnumElement, target)))
        };
        Some(Self {
            queries,
            span,
            generics,
            executor: SilType::object(executor),
            optional: SilType::object(optional),
            some_case: case("some")?,
            none_case: case("none")?,
            protocol: known("_Concurrency", "Actor")?,
            distributed: known("Distributed", "DistributedActor"),
            reference: known("_Concurrency", "UnownedSerialExecutor")?,
        })
    }

    /// Wraps an executor in an optional.
    pub(super) fn some(&self, builder: &mut InstructionBuilder<'_>, executor: Value) -> Value {
        builder.enumeration(self.some_case, Some(executor), self.optional)
    }

    /// Makes an empty optional executor.
    pub(super) fn none(&self, builder: &mut InstructionBuilder<'_>) -> Value {
        builder.enumeration(self.none_case, None, self.optional)
    }

    /// Returns whether `ty` is the type of the implicit actor, which a caller passes to nonisolated functions to run
    /// on.
    pub(super) fn is_implicit(&self, ty: TypeId) -> bool {
        *self.queries.get(ty) == Type::Builtin(BuiltinType::ImplicitActor)
    }

    /// Returns the implicit actor `actor` as an optional, and the type of the object.
    pub(super) fn unwrap_implicit(
        &self,
        builder: &mut InstructionBuilder<'_>,
        actor: Value,
    ) -> Result<(Value, TypeId), Box<Diagnostic>> {
        let context = self.queries.context;
        let protocol = context.ty(Type::Protocol { protocol: self.protocol, arguments: Box::default() });
        let object = context.ty(Type::Existential(protocol));
        let missing = || self.unsupported("an implicit actor in a module that does not know 'Optional'");
        let optional = SilType::object(self.queries.optional_of(object).ok_or_else(missing)?);
        Ok((builder.implicitactor_to_opaqueisolation_cast(actor, optional), object))
    }

    /// Returns the executor of `actor`, for the instruction `asker`.
    pub(super) fn of_actor(
        &self,
        builder: &mut InstructionBuilder<'_>,
        actor: Value,
        asker: InstructionId,
    ) -> Result<Value, Box<Diagnostic>> {
        let ty = builder.ty(actor).ty;
        if self.has_default_executor(ty) {
            return Ok(self.default_executor(builder, (actor, ty)));
        }
        let (actor, ty) = match self.queries.get(ty) {
            Type::Existential(_) => self.open(builder, (actor, ty), asker),
            _ => (actor, ty),
        };
        Ok(self.ask(builder, (actor, ty), self.protocol_of(ty)?))
    }

    fn unsupported(&self, what: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::unsupported(what, self.span))
    }

    /// Returns the protocol whose requirement `unownedExecutor` is the executor of an actor of the type `ty`
    /// (lib/AST/Type.cpp, `TypeBase::isDistributedActor`).
    fn protocol_of(&self, ty: TypeId) -> Result<NominalId, Box<Diagnostic>> {
        let missing = || self.unsupported("a distributed actor in a module that does not know 'DistributedActor'");
        if let Some(nominal) = self.queries.as_nominal(ty) {
            return match self.queries.declarations.get(nominal.declaration).attributes.distributed {
                true => self.distributed.ok_or_else(missing),
                false => Ok(self.protocol),
            };
        }
        Ok(self.distributed.filter(|distributed| self.requires(ty, *distributed)).unwrap_or(self.protocol))
    }

    /// Returns whether the archetype or existential `ty` states a conformance to `protocol`.
    fn requires(&self, ty: TypeId, protocol: NominalId) -> bool {
        let generics = self.queries.generics();
        let (signature, interface) = match *self.queries.get(ty) {
            Type::OpenedArchetype { existential, interface, .. } => {
                (generics.existential_signature(existential), interface)
            }
            Type::Existential(_) => (generics.existential_signature(ty), self.parameter()),
            _ => match self.generics {
                Some(signature) => (signature, ty),
                None => return false,
            },
        };
        generics.machine(signature).requires_protocol(&generics, interface, protocol)
    }

    /// Returns whether an actor always has the default executor, also after changes of a resilient library
    /// (lib/Sema/TypeCheckConcurrency.cpp, IsDefaultActorRequest).
    fn has_default_executor(&self, ty: TypeId) -> bool {
        let Some(nominal) = self.queries.as_nominal(ty) else { return false };
        let declaration = self.queries.declarations.get(nominal.declaration);
        let attributes = &declaration.attributes;
        declaration.kind == NominalKind::Actor
            && declaration.is_complete()
            && !attributes.evolving
            && !self.queries.has_custom_executor(nominal.declaration)
    }

    fn default_executor(&self, builder: &mut InstructionBuilder<'_>, (actor, ty): (Value, TypeId)) -> Value {
        let context = self.queries.context;
        let substitutions = context.substitutions(context.unconstrained_signature(1), [ty]);
        builder.builtin(
            Builtin::new(context, NamedBuiltin::BuildDefaultActorExecutorRef.name(), substitutions),
            &[actor],
            self.executor,
        )
    }

    fn open(
        &self,
        builder: &mut InstructionBuilder<'_>,
        (actor, existential): (Value, TypeId),
        asker: InstructionId,
    ) -> (Value, TypeId) {
        let context = self.queries.context;
        let uuid = fresh_opening(self.queries, context.name("unownedExecutor"), asker);
        let interface = self.parameter();
        let ty = context.ty(Type::OpenedArchetype { uuid, existential, interface });
        let opened = SilType::object(ty);
        (builder.open_existential_ref(actor, opened), ty)
    }

    /// Calls the actor's own `unownedExecutor`, a requirement of `protocol`.
    fn ask(&self, builder: &mut InstructionBuilder<'_>, (actor, ty): (Value, TypeId), protocol: NominalId) -> Value {
        let context = self.queries.context;
        let signature = self.signature(protocol, None);
        let callee_type = SilType::object(self.getter_type(protocol, signature));
        let witness = self.witness(builder, (actor, ty), (protocol, callee_type));
        let apply = Apply::new(callee_type, context.substitutions(signature, [ty]));
        let reference = SilType::object(self.reference_type());
        let reference = builder.apply(apply, &[witness, actor], reference);
        let property =
            MemberRef::new(Some(self.reference), context.name("executor"), MemberKind::Plain, MemberTarget::Stored(0));
        builder.struct_extract(reference, context.member(property), self.executor)
    }

    fn witness(
        &self,
        builder: &mut InstructionBuilder<'_>,
        (actor, ty): (Value, TypeId),
        (protocol, method): (NominalId, SilType),
    ) -> Value {
        let context = self.queries.context;
        let name = context.name("unownedExecutor");
        let member = MemberRef::new(Some(protocol), name, MemberKind::Getter, MemberTarget::Other);
        let lookup = Box::new(Method {
            member: context.member(member),
            formal_type: Some(self.formal_getter_type(protocol)),
            sugar: Sugar::default(),
            lookup: Some(ty),
        });
        let is_opened = matches!(self.queries.get(ty), Type::OpenedArchetype { .. });
        builder.witness_method(lookup, is_opened.then_some(actor), method)
    }

    fn parameter(&self) -> TypeId {
        self.queries.context.ty(Type::GenericParameter { depth: 0, index: 0 })
    }

    fn reference_type(&self) -> TypeId {
        let declaration = self.reference;
        self.queries.context.ty(Type::Nominal(NominalType { declaration, parent: None, arguments: Box::default() }))
    }

    /// Returns `<Self where Self : protocol>`, or the same without the name.
    fn signature(&self, protocol: NominalId, name: Option<&str>) -> SignatureId {
        let context = self.queries.context;
        let constraint = context.ty(Type::Protocol { protocol, arguments: Box::default() });
        let name = name.map(|name| context.name(name));
        context.signature(GenericSignature {
            parameters: Box::new([GenericParameter { name, depth: 0, index: 0, kind: GenericParameterKind::Type }]),
            requirements: Box::new([Requirement::Conformance { subject: self.parameter(), constraint }]),
        })
    }

    /// Returns the lowered type of the requirement's getter.
    fn getter_type(&self, protocol: NominalId, signature: SignatureId) -> TypeId {
        let options = ParameterOptions::default();
        let this = Parameter { convention: ParameterConvention::Guaranteed, ty: self.parameter(), options };
        let result = FunctionResult { convention: ResultConvention::Unowned, ty: self.reference_type(), options };
        self.queries.context.ty(Type::Function(Box::new(FunctionType {
            signature: Some(signature),
            representation: Representation::WitnessMethod(protocol),
            parameters: Box::new([this]),
            results: Box::new([result]),
            ..FunctionType::thick(CalleeConvention::None)
        })))
    }

    /// Returns `<Self where Self : protocol> (Self) -> () -> UnownedSerialExecutor`.
    fn formal_getter_type(&self, protocol: NominalId) -> TypeId {
        let this = FormalParameter {
            label: None,
            ty: self.parameter(),
            specifier: FormalSpecifier::Default,
            variadic: Variadic::No,
            options: ParameterOptions::default(),
        };
        let getter = self.formal_function(None, Box::default(), self.reference_type());
        self.formal_function(Some(self.signature(protocol, Some("Self"))), Box::new([this]), getter)
    }

    fn formal_function(
        &self,
        signature: Option<SignatureId>,
        parameters: Box<[FormalParameter]>,
        result: TypeId,
    ) -> TypeId {
        self.queries.context.ty(Type::FormalFunction(Box::new(FormalFunctionType {
            signature,
            representation: Representation::Thick,
            attributes: FunctionAttributes::default(),
            differentiability: None,
            parameters,
            result,
            throws: Throws::No,
            global_actor: None,
        })))
    }
}

//! Calls that lead from code of one actor to code of another, or of none: the arguments leave the caller's hands
//! (`ApplyIsolationCrossing`, include/swift/AST/ActorIsolation.h).
//!
//! In Swift the type checker finds them; the text states them of calls in tests alone. Elsewhere they follow from the
//! actors of the caller and the callee, if the text states both.

use sil_ir::context::{FunctionAttribute, NominalId, ParameterOption, Type};
use sil_ir::instructions::Opcode::{self, ClassMethod, FunctionRef, SuperMethod, WitnessMethod};
use sil_ir::model::{Details, FunctionIsolation, InstructionId, Value};
use sil_ir::symbols::{EntityKind, Symbol};

use super::actors::{self, ActorIsolation, InstanceActor};
use super::isolated_values::after_actor;
use crate::{ApplySite, BodyView, CallsOfMethods, callee_origin, thunks, variable_name};

/// A call from one isolation to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// The isolation of the caller.
    pub caller: ActorIsolation,
    /// The isolation of the callee.
    pub callee: ActorIsolation,
    /// How it is known.
    pub evidence: Evidence,
}

/// How a crossing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The call states it.
    Stated,
    /// It follows from the isolation of caller and callee.
    Inferred,
}

/// The crossing that the call `id` is.
pub fn crossing_of(view: &BodyView<'_>, id: InstructionId) -> Option<Crossing> {
    let site = ApplySite::new(view.body, id).filter(|site| site.kind.is_full())?;
    let Details::Apply(apply) = &view.body.instructions[id].details else { return None };
    if let Some((callee, caller)) = apply.isolation {
        let read = |name| {
            let kind = FunctionIsolation::from_name(view.queries.context.text(name));
            kind.map_or(ActorIsolation::Unspecified, |kind| ActorIsolation::of_kind(kind, None))
        };
        return Some(Crossing { caller: read(caller), callee: read(callee), evidence: Evidence::Stated });
    }
    inferred(view, site)
}

fn inferred(view: &BodyView<'_>, site: ApplySite<'_>) -> Option<Crossing> {
    if !has_expressions(view) {
        return None;
    }
    let caller = isolation_of_caller(view)?;
    let conventions = site.conventions(view.queries)?;
    let of = |callee| Some(Crossing { caller, callee, evidence: Evidence::Inferred });
    match isolation_of_callee(view, site)? {
        ActorIsolation::Erased => of(ActorIsolation::Erased),
        isolation @ ActorIsolation::Global(_) => of(isolation).filter(|_| isolation != caller),
        ActorIsolation::Instance(_) => {
            let passed = isolated_argument(view, site).map(|actor| after_actor(view, actor));
            let isolation = passed.map_or_else(|| made_actor(view, site), |actor| actor_itself(view, actor));
            let may_be_own = caller.is_isolated() || caller == ActorIsolation::CallerInheriting;
            let is_own = may_be_own && passed.is_some_and(|actor| is_own_actor(view, actor));
            let is_none = isolation == ActorIsolation::Nonisolated && !caller.is_isolated();
            of(isolation).filter(|_| !is_own && !is_none && isolation != caller_if_global(caller))
        }
        isolation if isolation.is_nonisolated() && makes_isolated_actor(view, site) => of(made_actor(view, site)),
        isolation if isolation.is_nonisolated() => {
            let is_async = conventions.function.attributes.contains(FunctionAttribute::Async);
            let takes_actor = isolated_argument(view, site).is_some();
            let leaves = caller.is_isolated() || caller == ActorIsolation::CallerInheriting;
            of(ActorIsolation::Nonisolated).filter(|_| is_async && !takes_actor && leaves)
        }
        _ => None,
    }
}

/// The isolation of a call's callee: that of the referenced function, or of the function value that the caller was
/// passed.
fn isolation_of_callee(view: &BodyView<'_>, site: ApplySite<'_>) -> Option<ActorIsolation> {
    let callee = site.callee()?;
    match view.definition(callee) {
        Some((reference, FunctionRef | ClassMethod | WitnessMethod | SuperMethod)) => {
            is_declared(view, reference).then(|| actors::of_referred(view, reference)).flatten()
        }
        _ => actors::of_function_argument(view, callee_origin(view.body, callee)),
    }
}

/// Whether the instructions of the function come from expressions of a source: the text is that of a Swift program, and
/// the function is no thunk.
pub fn has_expressions(view: &BodyView<'_>) -> bool {
    view.module.isolations.contains_key(&view.function.name) && !thunks::is_thunk_function(view.function)
}

/// The isolation of the function.
pub fn isolation_of_caller(view: &BodyView<'_>) -> Option<ActorIsolation> {
    let isolation = actors::of_function(view.module, view.function)?;
    let ActorIsolation::Instance(_) = isolation else { return Some(isolation) };
    let nominal = own_actor(view).and_then(|actor| actor_type(view, actor));
    Some(ActorIsolation::Instance(InstanceActor { nominal }))
}

/// The isolation of code that is passed an actor, or `nil` for none.
fn actor_itself(view: &BodyView<'_>, actor: Value) -> ActorIsolation {
    if let Some((id, Opcode::Enum)) = view.definition(actor)
        && view.body.operands(id).is_empty()
    {
        return ActorIsolation::Nonisolated;
    }
    let nominal = actor_type(view, actor);
    match nominal.filter(|nominal| view.queries.declarations.isolations.is_global_actor(*nominal)) {
        Some(nominal) => ActorIsolation::Global(Some(view.queries.declarations.get(nominal).name)),
        None => ActorIsolation::Instance(InstanceActor { nominal }),
    }
}

/// The isolation of code that makes an actor.
fn made_actor(view: &BodyView<'_>, site: ApplySite<'_>) -> ActorIsolation {
    let made = view.body.results(site.instruction).next();
    ActorIsolation::Instance(InstanceActor { nominal: made.and_then(|made| actor_type(view, made)) })
}

/// Whether a call makes an actor by an initialiser that belongs to it: one that is not declared `nonisolated`, though
/// its function states so.
fn makes_isolated_actor(view: &BodyView<'_>, site: ApplySite<'_>) -> bool {
    let Some((reference, _)) = site.callee().and_then(|callee| view.definition(callee)) else { return false };
    let Details::Function(name) = view.body.instructions[reference].details else { return false };
    let is_allocator = Symbol::demangle(view.module.context.text(name)).is_some_and(|symbol| symbol.is_allocator());
    let made = view.body.results(site.instruction).next().and_then(|made| actor_type(view, made));
    let Some(nominal) = made.filter(|_| is_allocator) else { return false };
    let init = view.queries.context.find_name("init");
    init.is_some_and(|init| actors::of_property(view.queries, Some(nominal), init).is_none())
}

/// Whether a value is the actor that the function runs on: it, or a value of the same variable.
fn is_own_actor(view: &BodyView<'_>, actor: Value) -> bool {
    let Some(own) = own_actor(view) else { return false };
    let actor = match view.definition(actor) {
        Some((id, Opcode::ImplicitactorToOpaqueisolationCast)) => view.operand(id, 0).unwrap_or(actor),
        _ => actor,
    };
    let name = |value| variable_name(view, value, CallsOfMethods::All).map(|found| found.name);
    actor == own || name(actor).is_some_and(|actor| Some(actor) == name(own))
}

fn caller_if_global(caller: ActorIsolation) -> ActorIsolation {
    match caller {
        ActorIsolation::Global(_) => caller,
        _ => ActorIsolation::Unspecified,
    }
}

/// Whether a reference is to something that a call in a program can mean: a declaration or a closure, no initial value,
/// no function of the runtime and no `deinit`, which has no explicit calls.
fn is_declared(view: &BodyView<'_>, reference: InstructionId) -> bool {
    match &view.body.instructions[reference].details {
        Details::Function(name) => {
            let symbol = Symbol::demangle(view.module.context.text(*name));
            let entity = symbol.and_then(|symbol| symbol.entity());
            entity.is_some_and(|entity| entity.kind != EntityKind::Deinitializer)
        }
        _ => true,
    }
}

/// The argument of the function that is the actor that it runs on.
pub fn own_actor(view: &BodyView<'_>) -> Option<Value> {
    let conventions = view.queries.conventions(view.function.ty)?;
    let parameters = (0..).zip(&conventions.function.parameters);
    let mut isolated = parameters.filter(|(_, parameter)| parameter.options.contains(ParameterOption::Isolated));
    let (number, _) = isolated.next()?;
    let arguments = &view.body.blocks[view.body.entry()].arguments;
    arguments.get(conventions.argument_of_parameter(number)).copied()
}

/// The value that a call passes for the actor that the callee runs on.
pub fn isolated_argument(view: &BodyView<'_>, site: ApplySite<'_>) -> Option<Value> {
    let conventions = site.conventions(view.queries)?;
    let mut parameters = (0..).zip(&conventions.function.parameters);
    let (number, _) = parameters.find(|(_, parameter)| parameter.options.contains(ParameterOption::Isolated))?;
    let operand = site.numbering(conventions).operand_of_sil_argument(conventions.argument_of_parameter(number))?;
    view.operand(site.instruction, operand)
}

/// The declaration of the actor, optionals looked through.
pub fn actor_type(view: &BodyView<'_>, value: Value) -> Option<NominalId> {
    let mut ty = view.body.ty(value).ty;
    while let Some(object) = view.queries.optional_object(ty) {
        ty = object;
    }
    match view.queries.get(ty) {
        Type::Existential(constraint) => {
            let is_actor = |protocol: &NominalId| view.queries.is_actor_protocol(*protocol);
            view.queries.protocols_in(*constraint).into_iter().find(is_actor)
        }
        _ if view.queries.is_type_parameter(ty) => {
            let signature = view.function.signature?;
            let protocol = view.queries.known_actor_protocol()?;
            let generics = view.queries.generics();
            generics.machine(signature).requires_protocol(&generics, ty, protocol).then_some(protocol)
        }
        _ => {
            let nominal = view.queries.as_nominal(ty)?.declaration;
            actors::is_actor(view.queries, nominal).then_some(nominal)
        }
    }
}

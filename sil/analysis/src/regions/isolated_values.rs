//! The isolation of a value, by its definition (`SILIsolationInfo::get`, lib/SILOptimizer/Utils/SILIsolationInfo.cpp).
//!
//! Owns arguments and instructions. `isolated_calls` has the results of calls, `temporaries` the contents of
//! temporaries on the stack.

use sil_ir::context::{FunctionAttribute, MemberId, NominalId, ParameterOption, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{ArgumentFlag, Definition, Details, InstructionId, Value};
use sil_ir::symbols::{EntityKind, Symbol};
use sil_ir::types::ArgumentRole;

use super::actors::{self, ActorIsolation, InstanceActor};
use super::crossings::{actor_type, own_actor};
use super::isolation::{ActorInstance, Checks, Isolation};
use super::member_references::names_member;
use super::sendability::Sendability;
use super::temporaries::isolation_of_temporary;
use crate::temporary_origins::through_ownership;
use crate::{ApplySite, BodyView};

/// Finds the isolation of values of one function.
pub struct ValueIsolation<'v, 'm> {
    /// The function.
    pub view: &'v BodyView<'m>,
    /// Which types may be used by several actors.
    pub sendability: &'v Sendability<'m>,
}

impl ValueIsolation<'_, '_> {
    /// Whether a value may be used by several actors.
    pub fn is_sendable(&self, value: Value) -> bool {
        self.sendability.is_sendable(self.view.body.ty(value).ty)
    }

    /// The isolation of a value.
    pub fn of(&self, value: Value) -> Isolation {
        match self.view.body.values[value].definition {
            Definition::Result { instruction, .. } if self.view.body.result(instruction).is_some() => {
                self.of_instruction(instruction)
            }
            Definition::Result { .. } | Definition::Undef => Isolation::UNKNOWN,
            Definition::Argument { .. } if self.is_sendable(value) => Isolation::UNKNOWN,
            Definition::Argument { block, index } if block == self.view.body.entry() => {
                self.of_argument(value, index as usize)
            }
            Definition::Argument { block, .. } => {
                let before = self.view.cfg.single_predecessor(block);
                let switch = before.and_then(|before| self.view.body.terminator(before));
                let switch = switch.filter(|id| self.view.opcode(*id) == Opcode::SwitchEnum);
                let whole = switch.and_then(|id| self.view.operand(id, 0));
                whole.map_or(Isolation::UNKNOWN, |whole| self.of_type(value, self.nominal_of(whole)))
            }
        }
    }

    /// The isolation of an argument of the function.
    fn of_argument(&self, value: Value, index: usize) -> Isolation {
        let view = self.view;
        let conventions = view.queries.conventions(view.function.ty);
        let argument = conventions.and_then(|conventions| conventions.argument(index));
        let (Some(conventions), Some(argument)) = (conventions, argument) else { return Isolation::UNKNOWN };
        let function = conventions.function;
        let is_sending = match argument.role {
            ArgumentRole::IndirectResult(number) => {
                function.results[number as usize].options.contains(ParameterOption::Sending)
            }
            ArgumentRole::IndirectError => false,
            ArgumentRole::Parameter(number) => {
                function.parameters[number as usize].options.contains(ParameterOption::Sending)
            }
        };
        if is_sending || self.is_sent_capture(value) {
            return Isolation::DISCONNECTED;
        }
        let isolation = actors::of_function(view.module, view.function);
        if let Some(actor) = own_actor(view) {
            if isolation == Some(ActorIsolation::CallerInheriting) {
                return Isolation::task(value).nonsending();
            }
            if actor_type(view, actor).is_some() {
                return self.of_actor_instance(Some(value), actor);
            }
        }
        let entity = self.is_written_in_source().then(|| self.declared_entity()).flatten();
        match isolation {
            Some(ActorIsolation::Instance(_)) if entity == Some(EntityKind::Initializer) && self.is_allocator() => {
                Isolation::DISCONNECTED
            }
            Some(isolation @ ActorIsolation::Global(_)) => Isolation::actor(isolation, Some(value), None),
            Some(isolation) if isolation.is_isolated() => {
                Isolation::actor(isolation, Some(value), Some(ActorInstance::AccessorInit))
            }
            _ => Isolation::task(value),
        }
    }

    /// Whether an argument is a capture of a closure that may run anywhere: a value that an `async let` sends to it.
    pub fn is_sent_capture(&self, value: Value) -> bool {
        let view = self.view;
        let is_result = view.argument_convention(value).is_none_or(|convention| convention.is_indirect_out());
        let flags = view.body.values[value].flags;
        let is_sendable = view
            .queries
            .conventions(view.function.ty)
            .is_some_and(|conventions| conventions.function.attributes.contains(FunctionAttribute::Sendable));
        !is_result && flags.contains(ArgumentFlag::ClosureCapture) && is_sendable
    }

    fn is_written_in_source(&self) -> bool {
        self.view.module.isolations.contains_key(&self.view.function.name)
    }

    fn declared_entity(&self) -> Option<EntityKind> {
        let symbol = Symbol::demangle(self.view.module.context.text(self.view.function.name))?;
        Some(symbol.entity()?.kind)
    }

    fn is_allocator(&self) -> bool {
        let symbol = Symbol::demangle(self.view.module.context.text(self.view.function.name));
        symbol.is_some_and(|symbol| symbol.is_allocator())
    }

    /// It belongs to the actor that a value is.
    pub(super) fn of_actor_instance(&self, value: Option<Value>, actor: Value) -> Isolation {
        let actor = after_actor(self.view, actor);
        match actor_type(self.view, actor) {
            Some(nominal) if self.view.queries.declarations.isolations.is_global_actor(nominal) => {
                let name = self.view.queries.declarations.get(nominal).name;
                Isolation::actor(ActorIsolation::Global(Some(name)), value, None)
            }
            Some(nominal) => {
                let isolation = ActorIsolation::Instance(InstanceActor { nominal: Some(nominal) });
                Isolation::actor(isolation, value, Some(ActorInstance::Value(actor)))
            }
            None => Isolation::UNKNOWN,
        }
    }

    /// It belongs to the global actor of a type.
    fn of_type(&self, value: Value, nominal: Option<NominalId>) -> Isolation {
        let actor = nominal.and_then(|nominal| actors::of_type(self.view.queries, nominal));
        actor.map_or(Isolation::UNKNOWN, |actor| {
            Isolation::actor(ActorIsolation::Global(Some(actor)), Some(value), None)
        })
    }

    fn nominal_of(&self, value: Value) -> Option<NominalId> {
        let queries = self.view.queries;
        queries.as_nominal(self.view.body.ty(value).ty).map(|nominal| nominal.declaration)
    }

    fn checks_of(&self, member: MemberId) -> Checks {
        let member = self.view.queries.context.get_member(member);
        match actors::of_property(self.view.queries, member.parent, member.name) {
            Some(ActorIsolation::NonisolatedUnsafe) => Checks::Off,
            _ => Checks::On,
        }
    }

    /// The isolation of the result of an instruction.
    pub fn of_instruction(&self, id: InstructionId) -> Isolation {
        use Opcode::*;
        let view = self.view;
        let opcode = view.opcode(id);
        let Some(result) = view.body.result(id) else {
            return match opcode {
                TryApply | BeginApply => self.of_call(id),
                _ => Isolation::UNKNOWN,
            };
        };
        match opcode {
            Apply | TryApply | BeginApply => self.of_call(id),
            PartialApply => self.of_closure(id, result),
            RefElementAddr => self.of_object_field(id, result),
            GlobalAddr => self.of_global_address(id, result),
            FunctionRef => self.of_function_reference(id, result),
            ClassMethod => self.of_method(id, result),
            StructExtract | StructElementAddr => self.of_struct_field(id, result),
            UncheckedEnumData | UncheckedTakeEnumDataAddr => {
                let whole = view.operand(id, 0).and_then(|whole| self.nominal_of(whole));
                self.of_type(result, whole)
            }
            ConvertFunction => self.of_conversion(id),
            AllocStack => self.of_stack(id, result),
            Metatype => match actors::of_function(view.module, view.function) {
                Some(ActorIsolation::CallerInheriting) => Isolation::task(result).nonsending(),
                _ => Isolation::task(result),
            },
            _ => Isolation::UNKNOWN,
        }
    }

    /// A closure has the isolation of its function.
    fn of_closure(&self, id: InstructionId, result: Value) -> Isolation {
        let view = self.view;
        let Some(site) = ApplySite::new(view.body, id) else { return Isolation::UNKNOWN };
        let Some(isolation) = closure_isolation(view, id) else { return Isolation::UNKNOWN };
        match isolation {
            ActorIsolation::Global(_) => Isolation::actor(isolation, Some(result), None),
            ActorIsolation::Instance(_) => {
                let captured = super::crossings::isolated_argument(view, site);
                match captured.map(|actor| self.of_actor_instance(Some(result), actor)) {
                    Some(isolation) if isolation.is_known() => isolation,
                    _ => Isolation::actor(isolation, Some(result), None).unapplied(),
                }
            }
            _ => Isolation::UNKNOWN,
        }
    }

    fn of_object_field(&self, id: InstructionId, result: Value) -> Isolation {
        let view = self.view;
        let Details::Member(member) = view.body.instructions[id].details else { return Isolation::UNKNOWN };
        let checks = self.checks_of(member);
        let Some(object) = view.operand(id, 0) else { return Isolation::UNKNOWN };
        let of_actor = self.of_actor_instance(Some(result), object);
        if of_actor.is_known() {
            return of_actor.with_checks(checks);
        }
        let of_type = self.of_type(result, self.nominal_of(object));
        if of_type.is_known() { of_type.with_checks(checks) } else { Isolation::DISCONNECTED.with_checks(checks) }
    }

    fn of_struct_field(&self, id: InstructionId, result: Value) -> Isolation {
        let view = self.view;
        let Details::Member(member) = view.body.instructions[id].details else { return Isolation::UNKNOWN };
        let checks = self.checks_of(member);
        let of_type = self.of_type(result, view.operand(id, 0).and_then(|whole| self.nominal_of(whole)));
        of_type.known().unwrap_or(Isolation::DISCONNECTED).with_checks(checks)
    }

    fn of_global_address(&self, id: InstructionId, result: Value) -> Isolation {
        let Details::Global(name, _) = self.view.body.instructions[id].details else { return Isolation::UNKNOWN };
        self.of_global(name, result)
    }

    /// The isolation of a global variable by its declaration.
    pub(super) fn of_global(&self, name: sil_ir::context::Name, result: Value) -> Isolation {
        let queries = self.view.queries;
        let variable = Symbol::demangle(queries.context.text(name)).and_then(|symbol| symbol.variable());
        let Some((path, name)) = variable else { return Isolation::UNKNOWN };
        let Some(name) = queries.context.find_name(&name) else { return Isolation::UNKNOWN };
        let Some(parent) = queries.declarations.at_path(queries.context, &path) else { return Isolation::UNKNOWN };
        let stated = actors::of_property(queries, parent, name);
        match stated.or_else(|| Some(ActorIsolation::Global(Some(actors::of_type(queries, parent?)?)))) {
            Some(isolation @ ActorIsolation::Global(_)) => Isolation::actor(isolation, Some(result), None),
            Some(ActorIsolation::NonisolatedUnsafe) => Isolation::DISCONNECTED.with_checks(Checks::Off),
            _ => Isolation::UNKNOWN,
        }
    }

    fn of_function_reference(&self, id: InstructionId, result: Value) -> Isolation {
        let view = self.view;
        match actors::of_referred(view, id) {
            Some(isolation @ ActorIsolation::Global(_)) => Isolation::actor(isolation, Some(result), None),
            Some(isolation @ ActorIsolation::Instance(_)) => {
                Isolation::actor(isolation, Some(result), None).unapplied()
            }
            Some(ActorIsolation::NonisolatedUnsafe) => {
                let ty = view.body.ty(result).ty;
                let conventions = view.queries.conventions(ty);
                let of_self = conventions.and_then(|found| found.function.parameters.get(found.self_parameter()?));
                let nominal = of_self.and_then(|parameter| view.queries.as_nominal(parameter.ty));
                let isolation = self.of_type(result, nominal.map(|nominal| nominal.declaration));
                if isolation.is_known() { isolation.with_checks(Checks::Off) } else { isolation }
            }
            _ => Isolation::UNKNOWN,
        }
    }

    /// A method belongs to its global actor, an accessor to that of the object. Only Swift programs state it.
    fn of_method(&self, id: InstructionId, result: Value) -> Isolation {
        let view = self.view;
        let Details::Method(method) = &view.body.instructions[id].details else { return Isolation::UNKNOWN };
        let member = view.queries.context.get_member(method.member);
        if !self.is_written_in_source() || !names_member(view, id, member) {
            return Isolation::UNKNOWN;
        }
        let is_accessor = actors::is_accessor(member);
        let checks = if is_accessor { self.checks_of(method.member) } else { Checks::On };
        if let Some(isolation @ ActorIsolation::Global(_)) = actors::of_referred(view, id) {
            return Isolation::actor(isolation, Some(result), None).with_checks(checks);
        }
        let object = view.operand(id, 0).filter(|_| is_accessor);
        let of_type = self.of_type(result, object.and_then(|object| self.nominal_of(object)));
        match of_type.known() {
            Some(isolation) => isolation.with_checks(checks),
            None if checks == Checks::Off => Isolation::DISCONNECTED.with_checks(Checks::Off),
            None => Isolation::UNKNOWN,
        }
    }

    /// A function that loses `@Sendable` by a conversion belongs to the actor that it runs on.
    fn of_conversion(&self, id: InstructionId) -> Isolation {
        let view = self.view;
        let Some(mut function) = view.operand(id, 0) else { return Isolation::UNKNOWN };
        if !is_sendable_function(view, function) {
            return Isolation::UNKNOWN;
        }
        loop {
            let after = through_ownership(view, function);
            let next = match view.definition(after) {
                Some((id, Opcode::ThinToThickFunction | Opcode::ConvertFunction | Opcode::PartialApply)) => {
                    view.operand(id, 0)
                }
                _ => None,
            };
            match next {
                Some(next) => function = next,
                None if after != function => function = after,
                None => break,
            }
        }
        match view.definition(function) {
            Some((reference, Opcode::FunctionRef)) => self.of_instruction(reference),
            Some((call, Opcode::Apply)) => self.of_given_function(call, function),
            _ => Isolation::UNKNOWN,
        }
    }

    /// A function that a call returns belongs to the global actor that it runs on, by the symbol of the callee.
    fn of_given_function(&self, call: InstructionId, given: Value) -> Isolation {
        let view = self.view;
        let callee = ApplySite::new(view.body, call).and_then(ApplySite::called_function);
        let symbol = callee.and_then(|callee| Symbol::demangle(view.module.context.text(callee)));
        let actor = symbol.as_ref().and_then(Symbol::global_actor_of_result);
        match actor.and_then(|actor| view.queries.context.find_name(actor)) {
            Some(actor) => Isolation::actor(ActorIsolation::Global(Some(actor)), Some(given), None),
            None => Isolation::UNKNOWN,
        }
    }

    fn of_stack(&self, id: InstructionId, result: Value) -> Isolation {
        let is_variable = self.view.body.instructions[id].attributes.contains(Attribute::VarDecl);
        if is_variable || self.is_sendable(result) {
            return Isolation::UNKNOWN;
        }
        isolation_of_temporary(self, id, result)
    }
}

/// Whether a value is a `@Sendable` function.
pub(super) fn is_sendable_function(view: &BodyView<'_>, value: Value) -> bool {
    match view.queries.get(view.body.ty(value).ty) {
        Type::Function(function) => function.attributes.contains(FunctionAttribute::Sendable),
        _ => false,
    }
}

/// The isolation of the closure that `id` makes; none if it is no closure of the source, or nothing states it.
pub fn closure_isolation(view: &BodyView<'_>, id: InstructionId) -> Option<ActorIsolation> {
    let site = ApplySite::new(view.body, id)?;
    let (reference, Opcode::FunctionRef) = view.definition(site.callee()?)? else { return None };
    let Details::Function(name) = view.body.instructions[reference].details else { return None };
    let stated = view.module.isolations.get(&name)?;
    let entity = Symbol::demangle(view.module.context.text(name))?.entity()?;
    let is_closure = matches!(entity.kind, EntityKind::Closure | EntityKind::ImplicitClosure);
    is_closure.then(|| ActorIsolation::of_kind(stated.kind, stated.actor))
}

/// The value that is the actor, under copies, casts and optionals (`ActorInstance::lookThroughInsts`).
pub(super) fn after_actor(view: &BodyView<'_>, start: Value) -> Value {
    use Opcode::*;
    let mut value = start;
    for _ in 0..=view.body.values.len() {
        let Some((id, opcode)) = view.definition(value) else { break };
        let passes_on = match opcode {
            EndInitLetRef
            | CopyValue
            | MoveValue
            | ExplicitCopyValue
            | BeginBorrow
            | CopyableToMoveonlywrapper
            | MoveonlywrapperToCopyable
            | InitExistentialRef
            | MarkUninitialized
            | UncheckedRefCast
            | UnconditionalCheckedCast => true,
            UncheckedEnumData => view.operand(id, 0).is_some_and(|whole| is_optional(view, whole)),
            Enum => is_optional(view, value),
            _ => false,
        };
        match view.operand(id, 0) {
            Some(operand) if passes_on => value = operand,
            _ => break,
        }
    }
    value
}

pub(super) fn is_optional(view: &BodyView<'_>, value: Value) -> bool {
    view.queries.optional_object(view.body.ty(value).ty).is_some()
}

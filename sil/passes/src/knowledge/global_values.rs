//! The contents of memory that is never written at run time: `let` globals, and statically initialised objects.
//!
//! Owns: the value at an address in such a global. Does not own: which globals have initial values
//! (`mandatory::static_globals`).

use sil_analysis::field_number;
use sil_ir::context::Mutability;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::{self, GlobalAddr, GlobalUse, IndexAddr, IntegerValue, Object, Store};
use sil_ir::model::{Body, Definition, FunctionFlag, Global, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;

/// A value that a global has from the start, or is given before it is first read.
#[derive(Clone, Copy)]
pub(crate) struct InitialValue<'m> {
    /// The body that defines the value: the initializer of the global, or the function that initialises it.
    pub(crate) body: &'m Body,
    pub(crate) value: Value,
}

impl<'m> InitialValue<'m> {
    /// Returns the initial value of the part `number`, if the value is built from parts.
    fn part(self, made_by: Opcode, number: usize) -> Option<Self> {
        let id = self.body.defining(self.value).filter(|id| self.body.instructions[*id].opcode == made_by)?;
        let value = *self.body.operands(id).get(number)?;
        Some(Self { value, ..self })
    }
}

/// Returns the value in memory at an address, or `None` if it is unknown or not that of a `let`.
pub(crate) fn value_at<'m>(
    module: &'m Module,
    queries: &TypeQueries<'_>,
    body: &Body,
    address: Value,
) -> Option<InitialValue<'m>> {
    let id = body.defining(address)?;
    let operand = |index: usize| body.operands(id).get(index).copied();
    let again = |address| value_at(module, queries, body, address);
    let number = || field_number(queries, body, id).map(|number| number as usize);
    match body.instructions[id].opcode {
        Opcode::GlobalAddr => {
            let GlobalAddr { global, dependence } = GlobalAddr::of(body, id);
            let global = constant(&module.globals[module.global_named(global.name)?])?;
            initial_value(global).or_else(|| stored_once(module, body, global, dependence?))
        }
        Opcode::PointerToAddress => {
            let call = body.defining(operand(0)?)?;
            let called = views::FunctionRef::get(body, body.defining(views::Apply::get(body, call)?.callee)?)?;
            initial_value(constant(of_accessor(module, called.function)?)?)
        }
        Opcode::StructElementAddr => again(operand(0)?)?.part(Opcode::Struct, number()?),
        Opcode::TupleElementAddr => again(operand(0)?)?.part(Opcode::Tuple, number()?),
        Opcode::BeginAccess => again(operand(0)?),
        Opcode::RefTailAddr => tail_element(module, body, operand(0)?, 0),
        Opcode::IndexAddr => {
            let IndexAddr { base, index } = IndexAddr::of(body, id);
            let tail = body.defining(base).filter(|id| body.instructions[*id].opcode == Opcode::RefTailAddr)?;
            let literal = views::IntegerLiteral::get(body, body.defining(index)?)?;
            let IntegerValue::Narrow(index) = literal.value else { return None };
            tail_element(module, body, *body.operands(tail).first()?, usize::try_from(index).ok()?)
        }
        Opcode::RefElementAddr => {
            let (initial, object) = object_at(module, body, operand(0)?)?;
            let value = *object.base_elements.0.get(number()?)?;
            Some(InitialValue { body: initial, value })
        }
        _ => None,
    }
}

fn constant(global: &Global) -> Option<&Global> {
    (global.mutability == Mutability::Let).then_some(global)
}

/// Returns the value of a static initializer.
fn initial_value(global: &Global) -> Option<InitialValue<'_>> {
    let body = global.initializer.as_deref()?;
    let last = body.instructions_in(body.entry()).next_back()?;
    Some(InitialValue { body, value: body.result(last)? })
}

fn tail_element<'m>(module: &'m Module, body: &Body, object: Value, index: usize) -> Option<InitialValue<'m>> {
    let (initial, object) = object_at(module, body, object)?;
    let value = *object.tail_elements.get(index)?;
    Some(InitialValue { body: initial, value })
}

/// Returns the statically initialised object that a reference refers to.
fn object_at<'m>(module: &'m Module, body: &Body, reference: Value) -> Option<(&'m Body, Object<'m, Value>)> {
    let mut reference = reference;
    let global = loop {
        let id = body.defining(reference)?;
        let may_be_mutable = matches!(body.values[reference].definition, Definition::Result { index: 0, .. });
        match body.instructions[id].opcode {
            Opcode::GlobalValue => break GlobalUse::of(body, id).global,
            Opcode::BeginCowMutation if may_be_mutable => return None,
            Opcode::BeginCowMutation
            | Opcode::EndCowMutation
            | Opcode::Upcast
            | Opcode::UncheckedRefCast
            | Opcode::BeginBorrow
            | Opcode::CopyValue
            | Opcode::MoveValue
            | Opcode::EndInitLetRef => reference = *body.operands(id).first()?,
            _ => return None,
        }
    };
    let global = constant(&module.globals[module.global_named(global.name)?])?;
    let InitialValue { body, value } = initial_value(global)?;
    Some((body, Object::get(body, body.defining(value)?)?))
}

/// Returns the global whose address an accessor returns.
fn of_accessor(module: &Module, function: sil_ir::context::Name) -> Option<&Global> {
    let function = &module.functions[module.function_named(function)?];
    let body = function.body.as_ref().filter(|_| function.has(FunctionFlag::GlobalInit))?;
    let returns = body.blocks.keys().filter_map(|block| body.terminator(block));
    let mut returned = returns.filter(|id| body.instructions[*id].opcode == Opcode::Return);
    let pointer = body.defining(*body.operands(returned.next()?).first()?)?;
    let is_address = body.instructions[pointer].opcode == Opcode::AddressToPointer;
    let address = body.defining(*body.operands(pointer).first().filter(|_| is_address)?)?;
    Some(&module.globals[module.global_named(GlobalAddr::get(body, address)?.global.name)?])
}

/// Returns the value that a global's `once` initialiser stores; `token` is the result of the `once` call.
fn stored_once<'m>(module: &'m Module, body: &Body, global: &Global, token: Value) -> Option<InitialValue<'m>> {
    let once = body.defining(token)?;
    let views::Builtin { arguments, builtin } = views::Builtin::get(body, once)?;
    let kind = builtin.kind()?;
    if kind != BuiltinKind::Named(NamedBuiltin::Once) {
        return None;
    }
    let called = views::FunctionRef::get(body, body.defining(*arguments.get(1)?)?)?.function;
    let initializer = module.functions[module.function_named(called)?].body.as_ref()?;
    if initializer.blocks.len() != 1 {
        return None;
    }
    let mut stored = None;
    for id in initializer.instructions_in(initializer.entry()) {
        match initializer.instructions[id].opcode {
            Opcode::Store if stored.is_none() => stored = Some(Store::of(initializer, id)),
            Opcode::Return | Opcode::AllocGlobal | Opcode::DebugStep | Opcode::DebugValue => {}
            Opcode::BeginAccess | Opcode::EndAccess => {}
            _ if is_constant(initializer, id) => {}
            _ => return None,
        }
    }
    let Store { source, destination } = stored?;
    let address = GlobalAddr::get(initializer, initializer.defining(destination)?)?;
    (address.global.name == global.name).then_some(InitialValue { body: initializer, value: source })
}

/// Returns whether an instruction of an initialiser yields the same value at any position.
pub(crate) fn is_constant(body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    match body.instructions[id].opcode {
        IntegerLiteral | FloatLiteral | StringLiteral | Struct | Tuple | Enum | FunctionRef | ThinToThickFunction
        | GlobalAddr | GlobalValue | AddressToPointer | Upcast | ConvertFunction => true,
        Builtin => {
            let views::Builtin { builtin, .. } = views::Builtin::of(body, id);
            let kind = builtin.kind();
            matches!(kind, Some(BuiltinKind::Cast(_)))
        }
        _ => false,
    }
}

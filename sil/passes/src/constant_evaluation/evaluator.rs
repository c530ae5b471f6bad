//! Evaluation of single instructions (lib/SILOptimizer/Utils/ConstExpr.cpp, `ConstExprFunctionState`).

use std::rc::Rc;

use rustc_hash::FxHashMap;
use sil_analysis::{Uses, field_number};
use sil_ir::context::{BuiltinType, FunctionAttribute, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::{self, IntegerValue};
use sil_ir::model::{BlockId, Body, DefaultCase, Definition, Details, FunctionId, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;

use super::memory::{Memory, MemoryId};
use super::unknown::{Evaluated, Place, Unknown, UnknownReason};
use super::values::{Address, SymbolicValue};
use crate::knowledge::constants::{Known, literal};
use crate::knowledge::numbers::WIDEST;
use crate::knowledge::witnesses::WitnessIndex;
use crate::pass::settings::Settings;

/// The limit for chains of memory objects that are initialised from one another.
const DEEPEST_MEMORY: u32 = 64;

/// The limits of an evaluation, and the kind of build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvaluationLimits {
    /// The number of instructions executed for one value.
    pub(crate) instructions: u32,
    /// The result of `assert_configuration`.
    pub(crate) assert_configuration: u32,
}

impl EvaluationLimits {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            instructions: settings.constant_expressions.instructions,
            assert_configuration: settings.assert_configuration.number().unwrap_or(0),
        }
    }
}

/// An evaluation, with the memory of its values.
pub(crate) struct Evaluator<'m> {
    pub(super) module: &'m Module,
    pub(super) queries: &'m TypeQueries<'m>,
    pub(super) witnesses: WitnessIndex,
    pub(super) memory: Memory,
    pub(super) limits: EvaluationLimits,
    /// The number of instructions executed for the current value.
    pub(super) evaluated: u32,
    /// The number of memory objects being initialised from one another.
    depth: u32,
    /// The active calls, the outermost one first.
    pub(super) calls: Vec<Place>,
    /// The called functions, each once.
    pub(crate) called: Vec<FunctionId>,
}

/// The known values of one execution of a function, or of code that is evaluated on demand.
pub(crate) struct FunctionState<'m> {
    pub(super) function: FunctionId,
    pub(super) body: &'m Body,
    /// The substitutions of the function's generic parameters.
    pub(super) substitutions: SubstitutionMapId,
    pub(super) values: FxHashMap<Value, SymbolicValue>,
    pub(super) mode: Mode<'m>,
    /// The visited blocks.
    pub(super) visited: Vec<BlockId>,
}

/// The mode of evaluation.
#[derive(Clone, Copy)]
pub(super) enum Mode<'m> {
    /// Values are evaluated when they are queried.
    OnDemand(&'m Uses),
    /// Values are evaluated when control reaches their instruction.
    InOrder,
}

/// Returns whether a value is the result of an instruction that has not been evaluated.
fn is_open(state: &FunctionState<'_>, value: Value) -> bool {
    state.body.defining(value).is_some() && !state.values.contains_key(&value)
}

impl<'m> FunctionState<'m> {
    /// Returns the state of code whose values are evaluated on demand.
    pub(crate) fn on_demand(function: FunctionId, body: &'m Body, uses: &'m Uses) -> Self {
        Self::new(function, body, SubstitutionMapId::EMPTY, Mode::OnDemand(uses))
    }

    /// Returns the state of one execution of a function.
    pub(super) fn run(function: FunctionId, body: &'m Body, substitutions: SubstitutionMapId) -> Self {
        Self::new(function, body, substitutions, Mode::InOrder)
    }

    fn new(function: FunctionId, body: &'m Body, substitutions: SubstitutionMapId, mode: Mode<'m>) -> Self {
        let visited = vec![body.entry()];
        Self { function, body, substitutions, values: FxHashMap::default(), mode, visited }
    }

    pub(super) fn set(&mut self, value: Value, known: SymbolicValue) {
        self.values.insert(value, known);
    }

    /// Sets the only result of an instruction.
    pub(super) fn set_result(&mut self, id: InstructionId, known: SymbolicValue) {
        if let Some(result) = self.body.result(id) {
            self.set(result, known);
        }
    }
}

impl<'m> Evaluator<'m> {
    pub(crate) fn new(module: &'m Module, queries: &'m TypeQueries<'m>, limits: EvaluationLimits) -> Self {
        Self {
            module,
            queries,
            witnesses: WitnessIndex::new(module),
            memory: Memory::default(),
            limits,
            evaluated: 0,
            depth: 0,
            calls: Vec::new(),
            called: Vec::new(),
        }
    }

    /// Returns the reason why an instruction has no constant result.
    pub(super) fn unknown(&self, body: &Body, id: InstructionId, reason: UnknownReason) -> Rc<Unknown> {
        Rc::new(Unknown { reason, place: Some(Place::of(body, id)), calls: self.calls.clone() })
    }

    /// Returns the reason why a value is not a constant.
    pub(super) fn unknown_value(&self, body: &Body, value: Value, reason: UnknownReason) -> Rc<Unknown> {
        let place = body.defining(value).map(|id| Place::of(body, id));
        Rc::new(Unknown { reason, place, calls: self.calls.clone() })
    }

    /// Returns the reason for an unsupported instruction, with its name.
    pub(super) fn unsupported(&self, body: &Body, id: InstructionId) -> Rc<Unknown> {
        let instruction = &body.instructions[id];
        let name = match &instruction.details {
            Details::Builtin(builtin) => {
                format!("{} {}", instruction.opcode.name(), self.module.context.text(builtin.name()))
            }
            _ => instruction.opcode.name().to_owned(),
        };
        self.unknown(body, id, UnknownReason::UnsupportedInstruction(name))
    }

    /// Returns the constant that a value has in code that is evaluated on demand. Resets the count of executed
    /// instructions.
    pub(crate) fn evaluate(&mut self, state: &mut FunctionState<'m>, value: Value) -> Evaluated<SymbolicValue> {
        self.evaluated = 0;
        self.constant(state, value)
    }

    /// Returns the constant that a value has, or the reason why it has none.
    pub(super) fn constant(&mut self, state: &mut FunctionState<'m>, value: Value) -> Evaluated<SymbolicValue> {
        let known = self.value(state, value);
        self.known(state.body, value, known)
    }

    /// Returns `known`, or an error if it is not a constant.
    pub(super) fn known(&self, body: &Body, value: Value, known: SymbolicValue) -> Evaluated<SymbolicValue> {
        match known {
            SymbolicValue::Unknown(unknown) => Err(unknown),
            SymbolicValue::UninitializedMemory => {
                Err(self.unknown_value(body, value, UnknownReason::InvalidOperandValue))
            }
            known => Ok(known),
        }
    }

    /// Returns the symbolic value of a value.
    pub(super) fn value(&mut self, state: &mut FunctionState<'m>, value: Value) -> SymbolicValue {
        if let Some(known) = state.values.get(&value) {
            return known.clone();
        }
        let body = state.body;
        let (Mode::OnDemand(uses), Definition::Result { instruction: id, .. }) =
            (state.mode, body.values[value].definition)
        else {
            let reason = match state.mode {
                Mode::OnDemand(_) => UnknownReason::Default,
                Mode::InOrder => UnknownReason::UntrackedValue,
            };
            return SymbolicValue::Unknown(self.unknown_value(body, value, reason));
        };
        self.evaluate_operands(state, id);
        let found = match body.instructions[id].opcode {
            Opcode::AllocStack if self.depth >= DEEPEST_MEMORY => {
                let reason = UnknownReason::TooManyInstructions(self.limits.instructions);
                return SymbolicValue::Unknown(self.unknown(body, id, reason));
            }
            Opcode::AllocStack => {
                self.depth += 1;
                let known = self.memory_with_single_writer(state, uses, value);
                self.depth -= 1;
                return known;
            }
            Opcode::Apply => match self.call_on_demand(state, id) {
                Ok(known) => known,
                Err(unknown) => return SymbolicValue::Unknown(unknown),
            },
            _ => self.computed(state, value).unwrap_or_else(SymbolicValue::Unknown),
        };
        state.set(value, found.clone());
        found
    }

    /// Evaluates the operands of an instruction, and before them their own operands, with a worklist: long chains do
    /// not recurse.
    fn evaluate_operands(&mut self, state: &mut FunctionState<'m>, id: InstructionId) {
        let body = state.body;
        let mut open: Vec<(InstructionId, usize)> = vec![(id, 0)];
        while let Some((at, number)) = open.last_mut() {
            let Some(operand) = body.operands(*at).get(*number).copied() else {
                open.pop();
                continue;
            };
            let made = body.defining(operand).filter(|_| !state.values.contains_key(&operand));
            // The operands of the definition come first.
            match made.filter(|made| body.operands(*made).iter().any(|inner| is_open(state, *inner))) {
                Some(made) => open.push((made, 0)),
                None => {
                    *number += 1;
                    if made.is_some() {
                        // Also records that the contents of an address are unknown.
                        let known = self.value(state, operand);
                        state.set(operand, known);
                    }
                }
            }
        }
    }

    /// Substitutes the generic parameters of the function in a type.
    pub(super) fn substituted(&self, state: &FunctionState<'m>, ty: TypeId) -> TypeId {
        self.queries.substitute(ty, state.substitutions)
    }

    /// Binds an address to new memory.
    pub(super) fn allocate(&mut self, state: &mut FunctionState<'m>, address: Value, value: SymbolicValue) -> Address {
        let ty = self.substituted(state, state.body.ty(address).ty);
        let made = Address::new(self.memory.allocate(ty, value));
        state.set(address, SymbolicValue::Address(made.clone()));
        made
    }

    /// Returns the address that a value holds.
    pub(super) fn address(&mut self, state: &mut FunctionState<'m>, value: Value) -> Evaluated<Address> {
        match self.constant(state, value)? {
            SymbolicValue::Address(address) => Ok(address),
            _ => Err(self.unknown_value(state.body, value, UnknownReason::InvalidOperandValue)),
        }
    }

    /// Returns the value at an address, which may be unknown.
    pub(super) fn loaded(&mut self, state: &mut FunctionState<'m>, address: Value) -> Evaluated<SymbolicValue> {
        let place = self.address(state, address)?;
        let found = self.memory.read(&place).cloned();
        found.ok_or_else(|| self.unknown_value(state.body, address, UnknownReason::InvalidOperandValue))
    }

    /// Returns the constant at an address.
    pub(super) fn loaded_constant(
        &mut self,
        state: &mut FunctionState<'m>,
        address: Value,
    ) -> Evaluated<SymbolicValue> {
        let found = self.loaded(state, address)?;
        self.known(state.body, address, found)
    }

    /// Evaluates the instruction that defines `value`.
    pub(super) fn computed(&mut self, state: &mut FunctionState<'m>, value: Value) -> Evaluated<SymbolicValue> {
        use Opcode::*;
        let body = state.body;
        let Definition::Result { instruction: id, index } = body.values[value].definition else {
            return Err(self.unknown_value(body, value, UnknownReason::Default));
        };
        let operand = |number: usize| body.operands(id)[number];
        match body.instructions[id].opcode {
            IntegerLiteral | FloatLiteral | StringLiteral | FunctionRef | Metatype => self.literal(state, id),
            TupleExtract | StructExtract => {
                let number = field_number(self.queries, body, id);
                self.part(state, id, number)
            }
            DestructureStruct | DestructureTuple => self.part(state, id, Some(index)),
            UncheckedEnumData => match self.constant(state, operand(0))? {
                SymbolicValue::Enum(_, Some(payload)) => Ok((*payload).clone()),
                _ => Err(self.unknown(body, id, UnknownReason::InvalidOperandValue)),
            },
            Struct | Tuple => self.whole(state, id),
            StructElementAddr | TupleElementAddr => {
                let base = self.address(state, operand(0))?;
                let number = field_number(self.queries, body, id);
                let number = number.ok_or_else(|| self.unknown(body, id, UnknownReason::Default))?;
                Ok(SymbolicValue::Address(base.part(number)))
            }
            Load => self.loaded(state, operand(0)),
            WitnessMethod => self.witness(state, id),
            Builtin => self.builtin(state, id),
            Enum => {
                let views::Enum { case, payload } = views::Enum::of(body, id);
                let payload = payload.map(|payload| self.constant(state, payload)).transpose()?;
                Ok(SymbolicValue::Enum(case, payload.map(Rc::new)))
            }
            UncheckedTakeEnumDataAddr => match self.loaded_constant(state, operand(0))? {
                SymbolicValue::Enum(_, Some(payload)) => {
                    let payload = (*payload).clone();
                    Ok(SymbolicValue::Address(self.allocate(state, value, payload)))
                }
                _ => Err(self.unknown(body, id, UnknownReason::InvalidOperandValue)),
            },
            SelectEnum | SelectEnumAddr => self.selected(state, id),
            // Instructions that forward their operand, as far as the evaluator is concerned.
            BeginAccess
            | CopyValue
            | BeginBorrow
            | MoveValue
            | PointerToAddress
            | ConvertEscapeToNoescape
            | MarkDependence => self.constant(state, operand(0)),
            ConvertFunction if self.converts_substitutions(body, id) => self.constant(state, operand(0)),
            IndexAddr => {
                let SymbolicValue::Integer(index) = self.constant(state, operand(1))? else {
                    return Err(self.unknown(body, id, UnknownReason::InvalidOperandValue));
                };
                let base = self.address(state, operand(0))?;
                let moved = u32::try_from(index.signed()).ok().and_then(|index| base.moved(index));
                moved
                    .map(SymbolicValue::Address)
                    .ok_or_else(|| self.unknown(body, id, UnknownReason::InvalidOperandValue))
            }
            _ if body.result(id).is_some() => Err(self.unsupported(body, id)),
            _ => Err(self.unknown(body, id, UnknownReason::Default)),
        }
    }

    fn literal(&mut self, state: &FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        match body.instructions[id].opcode {
            Opcode::IntegerLiteral => {
                let views::IntegerLiteral { ty, value } = views::IntegerLiteral::of(body, id);
                match (value, self.width(ty.ty)) {
                    (IntegerValue::Narrow(value), Some(width)) => Ok(SymbolicValue::integer(value, width)),
                    _ => Err(self.unsupported(body, id)),
                }
            }
            Opcode::StringLiteral => {
                let bytes = &views::StringLiteral::of(body, id).literal.bytes;
                Ok(SymbolicValue::String(bytes.as_ref().into()))
            }
            Opcode::FunctionRef => {
                let name = views::FunctionRef::of(body, id).function;
                let function = self.module.function_named(name);
                function.map(SymbolicValue::Function).ok_or_else(|| self.unknown(body, id, UnknownReason::Default))
            }
            Opcode::Metatype => match self.queries.get(views::Metatype::of(body, id).ty.ty) {
                Type::Metatype { instance, .. } => Ok(SymbolicValue::Metatype(self.substituted(state, *instance))),
                _ => Err(self.unknown(body, id, UnknownReason::Default)),
            },
            _ => match literal(self.queries, body, id) {
                Some(Known::Float(float)) => Ok(SymbolicValue::Float(float)),
                _ => Err(self.unsupported(body, id)),
            },
        }
    }

    /// Returns the width of a builtin integer type; for literals, the greatest supported width. `None` if it is not
    /// supported.
    pub(super) fn width(&self, ty: TypeId) -> Option<u32> {
        match self.queries.get(ty) {
            Type::Builtin(BuiltinType::Integer(width)) if (1..=WIDEST).contains(width) => Some(*width),
            Type::Builtin(BuiltinType::Word) => Some(self.module.platform.pointer_width.bits()),
            Type::Builtin(BuiltinType::IntegerLiteral) => Some(WIDEST),
            _ => None,
        }
    }

    /// Returns a part of the struct or tuple operand of an instruction. The part may be unknown.
    fn part(
        &mut self,
        state: &mut FunctionState<'m>,
        id: InstructionId,
        number: Option<u32>,
    ) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let whole = self.constant(state, body.operands(id)[0])?;
        let part = match (&whole, number) {
            (SymbolicValue::Aggregate(members), Some(number)) => members.get(number as usize).cloned(),
            _ => None,
        };
        part.ok_or_else(|| self.unknown(body, id, UnknownReason::InvalidOperandValue))
    }

    /// Returns a struct or tuple. Its parts may be results of skipped instructions.
    fn whole(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let mut members = Vec::with_capacity(body.operands(id).len());
        for operand in body.operands(id) {
            let member = self.value(state, *operand);
            members.push(if member.is_unevaluated() { member } else { self.known(body, *operand, member)? });
        }
        Ok(SymbolicValue::aggregate(members))
    }

    /// Returns the operand that a `select_enum` selects.
    fn selected(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let views::SelectEnum { operand, values, cases } = views::SelectEnum::of(body, id);
        let of = match body.instructions[id].opcode {
            Opcode::SelectEnum => self.constant(state, operand)?,
            _ => self.loaded_constant(state, operand)?,
        };
        let SymbolicValue::Enum(case, _) = of else {
            return Err(self.unknown(body, id, UnknownReason::InvalidOperandValue));
        };
        let number = cases.members.iter().position(|member| *member == case);
        let number = number.or((cases.default == DefaultCase::Present).then_some(cases.members.len()));
        match number.and_then(|number| values.get(number)) {
            Some(value) => self.constant(state, *value),
            None => Err(self.unknown(body, id, UnknownReason::InvalidOperandValue)),
        }
    }

    /// Returns a protocol method, for a type whose conformance is known.
    fn witness(&mut self, state: &FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let method = views::WitnessMethod::of(body, id).method;
        let member = self.module.context.get_member(method.member);
        let name = || self.module.context.text(member.name).to_owned();
        let ty = method.lookup.map(|ty| self.substituted(state, ty));
        let nominal = ty.and_then(|ty| Some((ty, self.queries.as_nominal(ty)?.declaration)));
        let (Some((ty, declaration)), Some(protocol)) = (nominal, member.parent) else {
            return Err(self.unknown(body, id, UnknownReason::UnknownWitnessMethodConformance(name())));
        };
        match self.witnesses.table(declaration, protocol) {
            Some(_) => Ok(SymbolicValue::Witness(Rc::new((ty, method.clone())))),
            None => Err(self.unknown(body, id, UnknownReason::NoWitnessTableEntry(name()))),
        }
    }

    /// Returns whether a function conversion only changes substitutions or `Sendable`.
    fn converts_substitutions(&self, body: &Body, id: InstructionId) -> bool {
        let from = body.operands(id).first().map(|operand| body.ty(*operand).ty);
        let to = body.result(id).map(|result| body.ty(result).ty);
        let (Some(from), Some(to)) = (from, to) else { return false };
        let plain = |ty: TypeId| {
            let mut function = self.queries.conventions(self.queries.unsubstituted(ty))?.function.clone();
            function.attributes.remove(FunctionAttribute::Sendable);
            Some(function)
        };
        plain(from).is_some() && plain(from) == plain(to)
    }

    /// Returns whether a value and all its parts are constants, including those in memory that it refers to.
    pub(crate) fn is_constant_throughout(&self, value: &SymbolicValue) -> bool {
        match value {
            SymbolicValue::Aggregate(members) => members.iter().all(|member| self.is_constant_throughout(member)),
            SymbolicValue::Enum(_, Some(payload)) => self.is_constant_throughout(payload),
            SymbolicValue::ArrayStorage(storage) => {
                storage.elements.iter().all(|element| self.is_constant_throughout(element))
            }
            SymbolicValue::Array(memory) => self.is_constant_throughout(self.memory.value(*memory)),
            SymbolicValue::Address(address) => self.is_constant_throughout(self.memory.value(address.memory)),
            other => other.is_constant(),
        }
    }

    /// Returns the elements of an array.
    pub(crate) fn elements(&self, array: MemoryId) -> Option<&[SymbolicValue]> {
        match self.memory.value(array) {
            SymbolicValue::ArrayStorage(storage) => Some(&storage.elements),
            _ => None,
        }
    }

    /// Returns whether an instruction is instrumentation.
    pub(super) fn is_instrumentation(&self, body: &Body, id: InstructionId) -> bool {
        match &body.instructions[id].details {
            Details::Builtin(builtin) => {
                let kind = builtin.kind();
                kind == Some(BuiltinKind::Named(NamedBuiltin::TSanInoutAccess))
            }
            _ => body.instructions[id].opcode == Opcode::IncrementProfilerCounter,
        }
    }
}

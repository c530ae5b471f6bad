//! What single instructions give (lib/SILOptimizer/Utils/ConstExpr.cpp, `ConstExprFunctionState`).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::memory::{Memory, MemoryId};
use super::unknown::{Evaluated, Place, Unknown, UnknownReason};
use super::values::{Address, SymbolicValue};
use crate::analysis::{Uses, field_number};
use crate::context::{BuiltinType, FunctionAttribute, SubstitutionMapId, Type, TypeId};
use crate::instructions::Opcode;
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin};
use crate::model::views::{self, IntegerValue};
use crate::model::{BlockId, Body, DefaultCase, Definition, Details, FunctionId, InstructionId, Module, Value};
use crate::transform::knowledge::constants::{Known, literal};
use crate::transform::knowledge::numbers::WIDEST;
use crate::transform::knowledge::witnesses::WitnessIndex;
use crate::transform::pass::settings::Settings;
use crate::types::TypeQueries;

/// The value of a memory object may come from another one, and so on, this often.
const DEEPEST_MEMORY: u32 = 64;

/// How far is evaluated, and for which kind of build.
#[derive(Clone, Copy, Debug)]
pub(in crate::transform) struct EvaluationLimits {
    /// So many instructions of functions are run for one value.
    pub(in crate::transform) instructions: u32,
    /// What `assert_configuration` gives.
    pub(in crate::transform) assert_configuration: u32,
}

impl EvaluationLimits {
    pub(in crate::transform) fn of(settings: &Settings) -> Self {
        Self {
            instructions: settings.constant_expressions.instructions,
            assert_configuration: settings.assert_configuration.unwrap_or(0),
        }
    }
}

/// An evaluation, with all memory that it follows.
pub(in crate::transform) struct Evaluator<'m> {
    pub(super) module: &'m Module,
    pub(super) queries: &'m TypeQueries<'m>,
    pub(super) witnesses: WitnessIndex,
    pub(super) memory: Memory,
    pub(super) limits: EvaluationLimits,
    /// How many instructions have been run for this value.
    pub(super) evaluated: u32,
    /// How many memory objects are being looked at whose values come from one another.
    depth: u32,
    /// The calls that are in progress, the outermost one first.
    pub(super) calls: Vec<Place>,
    /// The functions that have been called, each once.
    pub(in crate::transform) called: Vec<FunctionId>,
}

/// What is known of the values of one run of a function, or of code that is evaluated on demand.
pub(in crate::transform) struct FunctionState<'m> {
    pub(super) function: FunctionId,
    pub(super) body: &'m Body,
    /// What replaces the generic parameters of the function.
    pub(super) substitutions: SubstitutionMapId,
    pub(super) values: FxHashMap<Value, SymbolicValue>,
    pub(super) mode: Mode<'m>,
    /// The blocks that control has come to.
    pub(super) visited: Vec<BlockId>,
}

/// How values become known.
#[derive(Clone, Copy)]
pub(super) enum Mode<'m> {
    /// When they are asked for.
    OnDemand(&'m Uses),
    /// When control comes to the instruction.
    InOrder,
}

/// Whether a value is made by an instruction that was not looked at.
fn is_open(state: &FunctionState<'_>, value: Value) -> bool {
    state.body.defining(value).is_some() && !state.values.contains_key(&value)
}

impl<'m> FunctionState<'m> {
    /// Code whose values are evaluated when they are asked for.
    pub(in crate::transform) fn on_demand(function: FunctionId, body: &'m Body, uses: &'m Uses) -> Self {
        Self::new(function, body, SubstitutionMapId::EMPTY, Mode::OnDemand(uses))
    }

    /// A run of a function.
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
    pub(in crate::transform) fn new(
        module: &'m Module,
        queries: &'m TypeQueries<'m>,
        limits: EvaluationLimits,
    ) -> Self {
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

    /// Why an instruction gives no constant.
    pub(super) fn unknown(&self, body: &Body, id: InstructionId, reason: UnknownReason) -> Rc<Unknown> {
        Rc::new(Unknown { reason, place: Some(Place::of(body, id)), calls: self.calls.clone() })
    }

    /// Why a value is no constant.
    pub(super) fn unknown_value(&self, body: &Body, value: Value, reason: UnknownReason) -> Rc<Unknown> {
        let place = body.defining(value).map(|id| Place::of(body, id));
        Rc::new(Unknown { reason, place, calls: self.calls.clone() })
    }

    /// The name of an instruction that is not evaluated.
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

    /// What is known of a value of code that is evaluated on demand, for which the instructions that may be run are counted anew.
    pub(in crate::transform) fn evaluate(
        &mut self,
        state: &mut FunctionState<'m>,
        value: Value,
    ) -> Evaluated<SymbolicValue> {
        self.evaluated = 0;
        self.constant(state, value)
    }

    /// A value, which must be a constant.
    pub(super) fn constant(&mut self, state: &mut FunctionState<'m>, value: Value) -> Evaluated<SymbolicValue> {
        let known = self.value(state, value);
        self.known(state.body, value, known)
    }

    /// What is known of `value`, unless it is no constant.
    pub(super) fn known(&self, body: &Body, value: Value, known: SymbolicValue) -> Evaluated<SymbolicValue> {
        match known {
            SymbolicValue::Unknown(unknown) => Err(unknown),
            SymbolicValue::UninitializedMemory => {
                Err(self.unknown_value(body, value, UnknownReason::InvalidOperandValue))
            }
            known => Ok(known),
        }
    }

    /// What is known of a value.
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

    /// Evaluates what an instruction is computed from, and before that what this is computed from, so that long chains do not nest calls.
    fn evaluate_operands(&mut self, state: &mut FunctionState<'m>, id: InstructionId) {
        let body = state.body;
        let mut open: Vec<(InstructionId, usize)> = vec![(id, 0)];
        while let Some((at, number)) = open.last_mut() {
            let Some(operand) = body.operands(*at).get(*number).copied() else {
                open.pop();
                continue;
            };
            let made = body.defining(operand).filter(|_| !state.values.contains_key(&operand));
            // Its own operands are looked at before it.
            match made.filter(|made| body.operands(*made).iter().any(|inner| is_open(state, *inner))) {
                Some(made) => open.push((made, 0)),
                None => {
                    *number += 1;
                    if made.is_some() {
                        // Also where memory has an address, but nothing is known of what is in it.
                        let known = self.value(state, operand);
                        state.set(operand, known);
                    }
                }
            }
        }
    }

    /// A type of the function, with what replaces its generic parameters.
    pub(super) fn substituted(&self, state: &FunctionState<'m>, ty: TypeId) -> TypeId {
        self.queries.substitute(ty, state.substitutions)
    }

    /// Lets an address lead to new memory.
    pub(super) fn allocate(&mut self, state: &mut FunctionState<'m>, address: Value, value: SymbolicValue) -> Address {
        let ty = self.substituted(state, state.body.ty(address).ty);
        let made = Address::new(self.memory.allocate(ty, value));
        state.set(address, SymbolicValue::Address(made.clone()));
        made
    }

    /// The address that a value is.
    pub(super) fn address(&mut self, state: &mut FunctionState<'m>, value: Value) -> Evaluated<Address> {
        match self.constant(state, value)? {
            SymbolicValue::Address(address) => Ok(address),
            _ => Err(self.unknown_value(state.body, value, UnknownReason::InvalidOperandValue)),
        }
    }

    /// What is at an address, which may be no constant.
    pub(super) fn loaded(&mut self, state: &mut FunctionState<'m>, address: Value) -> Evaluated<SymbolicValue> {
        let place = self.address(state, address)?;
        let found = self.memory.read(&place).cloned();
        found.ok_or_else(|| self.unknown_value(state.body, address, UnknownReason::InvalidOperandValue))
    }

    /// What is at an address, which must be a constant.
    pub(super) fn loaded_constant(
        &mut self,
        state: &mut FunctionState<'m>,
        address: Value,
    ) -> Evaluated<SymbolicValue> {
        let found = self.loaded(state, address)?;
        self.known(state.body, address, found)
    }

    /// What an instruction gives for its operands, as the result `value`.
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
            // What is the same to the evaluator.
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

    /// How many bits values of a builtin integer type have; of literals as many as are computed with. None where they have more.
    pub(super) fn width(&self, ty: TypeId) -> Option<u32> {
        match self.queries.get(ty) {
            Type::Builtin(BuiltinType::Integer(width)) if (1..=WIDEST).contains(width) => Some(*width),
            Type::Builtin(BuiltinType::Word) => Some(self.module.platform.pointer_width.bits()),
            Type::Builtin(BuiltinType::IntegerLiteral) => Some(WIDEST),
            _ => None,
        }
    }

    /// A part of the struct or tuple that an instruction takes apart. Parts may be unknown.
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

    /// A struct or tuple. Parts may be what an instruction gave that was passed over.
    fn whole(&mut self, state: &mut FunctionState<'m>, id: InstructionId) -> Evaluated<SymbolicValue> {
        let body = state.body;
        let mut members = Vec::with_capacity(body.operands(id).len());
        for operand in body.operands(id) {
            let member = self.value(state, *operand);
            members.push(if member.is_unevaluated() { member } else { self.known(body, *operand, member)? });
        }
        Ok(SymbolicValue::aggregate(members))
    }

    /// The value that is selected for the case of an enum.
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

    /// A method of a protocol, which a type must be known to have.
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

    /// Whether a conversion of a function changes nothing but substitutions, or that it may be sent.
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

    /// Whether a value and all its parts are constants, in memory that it leads to as well.
    pub(in crate::transform) fn is_constant_throughout(&self, value: &SymbolicValue) -> bool {
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

    /// The elements of an array.
    pub(in crate::transform) fn elements(&self, array: MemoryId) -> Option<&[SymbolicValue]> {
        match self.memory.value(array) {
            SymbolicValue::ArrayStorage(storage) => Some(&storage.elements),
            _ => None,
        }
    }

    /// Whether an instruction is there for tools that watch the program.
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

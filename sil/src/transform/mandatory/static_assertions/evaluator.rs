//! The evaluation of assertions (lib/SILOptimizer/Utils/ConstExpr.cpp). In the function that asserts, values are computed as they are needed, and what
//! is in memory must be written once; functions that are called are run.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constants::{Constant, Evaluated, Place, Unknown, UnknownReason};
use crate::analysis::{ApplySite, Uses, field_number};
use crate::context::{SilType, Type};
use crate::instructions::Opcode;
use crate::instructions::builtins::parse_builtin;
use crate::model::views::{self, CondBr, IntegerValue, Store, SwitchEnum};
use crate::model::{BlockId, Body, Definition, Details, Function, InstructionId, Value};
use crate::transform::knowledge::constants::Known;
use crate::transform::knowledge::operations::{Fault, computed};
use crate::transform::pipeline::Environment;
use crate::types::ArgumentConvention;

/// So many instructions of functions that are called are evaluated for one assertion.
pub(super) const INSTRUCTION_LIMIT: u32 = 512;

/// Calls nest this deep.
const DEEPEST_CALL: u32 = 64;

/// Why the function that asserts has no value for something, or the value.
type Values = FxHashMap<Value, Evaluated>;

/// The evaluation for one assertion.
pub(super) struct Evaluator<'m> {
    environment: Environment<'m>,
    uses: Uses,
    /// What is known of the values of the function that asserts.
    values: Values,
    /// What is in memory; none where nothing is.
    memory: Vec<Option<Constant>>,
    evaluated: u32,
    depth: u32,
}

impl<'m> Evaluator<'m> {
    pub(super) fn new(environment: Environment<'m>) -> Self {
        let uses = Uses::new(environment.body);
        Self { environment, uses, values: Values::default(), memory: Vec::new(), evaluated: 0, depth: 0 }
    }

    /// What a value of the function that asserts is.
    pub(super) fn value(&mut self, value: Value) -> Evaluated {
        if let Some(known) = self.values.get(&value) {
            return known.clone();
        }
        let body = self.environment.body;
        let Definition::Result { instruction: id, index } = body.values[value].definition else {
            return Err(Unknown::argument());
        };
        let found = match body.instructions[id].opcode {
            Opcode::AllocStack => {
                self.memory.push(None);
                let address = Constant::Address(self.memory.len() - 1, Vec::new());
                self.values.insert(value, Ok(address.clone()));
                self.initialize(value).map(|()| address)
            }
            Opcode::Apply => {
                let call = self.call(body, id, &mut |evaluator, value| evaluator.value(value));
                call.map_err(|unknown| Unknown { call: unknown.call.or(Some(Place::of(body, id))), ..unknown })
            }
            _ => {
                let operands = body.operands(id).to_vec();
                let operands: Evaluated<Vec<Constant>> = operands.into_iter().map(|value| self.value(value)).collect();
                operands.and_then(|operands| self.compute(body, id, &operands, index))
            }
        };
        self.values.insert(value, found.clone());
        found
    }

    /// Finds what is written to memory of the function that asserts at an address, which must be written once.
    fn initialize(&mut self, address: Value) -> Evaluated<()> {
        let body = self.environment.body;
        let Constant::Address(object, path) = self.value(address)? else { return Err(Unknown::argument()) };
        let made = body.defining(address);
        let error = |reason| match made {
            Some(made) => Unknown::new(reason, body, made),
            None => Unknown::argument(),
        };
        // The last one first, as Swift finds them.
        for found in self.uses.of(address).to_vec().into_iter().rev() {
            let user = found.user;
            let written = match (body.instructions[user].opcode, found.operand) {
                (Opcode::Load | Opcode::DeallocStack | Opcode::DestroyAddr | Opcode::DebugValue, _) => continue,
                (Opcode::CopyAddr, 0) => continue,
                (Opcode::Store, 1) | (Opcode::CopyAddr, 1) => true,
                (Opcode::Apply, operand) => self.is_result(user, operand as usize),
                (Opcode::TupleElementAddr | Opcode::StructElementAddr, _) => {
                    if let Some(part) = body.result(user) {
                        self.initialize(part)?;
                    }
                    continue;
                }
                _ => return Err(error(UnknownReason::NotTopLevelConstant)),
            };
            if !written {
                continue;
            }
            if self.read(object, &path).is_some() {
                return Err(error(UnknownReason::MultipleWriters));
            }
            match body.instructions[user].opcode {
                Opcode::Store => {
                    let value = self.value(Store::of(body, user).source)?;
                    self.write(body, address, object, &path, value);
                }
                Opcode::CopyAddr => {
                    let source = self.value(body.operands(user)[0])?;
                    let value = self.loaded(body, user, &source)?;
                    self.write(body, address, object, &path, value);
                }
                _ => {
                    let result = body.result(user).ok_or_else(Unknown::argument)?;
                    self.value(result)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a call gives a result through the address that is this operand.
    fn is_result(&self, call: InstructionId, operand: usize) -> bool {
        let body = self.environment.body;
        let conventions = ApplySite::new(body, call)
            .and_then(|site| Some((site, site.conventions(self.environment.queries)?)))
            .and_then(|(site, conventions)| site.argument_of_operand(conventions, operand));
        conventions.is_some_and(|argument| !matches!(argument.convention, ArgumentConvention::Parameter(_)))
    }

    fn read(&self, object: usize, path: &[u32]) -> Option<&Constant> {
        self.memory.get(object)?.as_ref()?.part(path)
    }

    /// What is at an address.
    fn loaded(&self, body: &Body, id: InstructionId, address: &Constant) -> Evaluated {
        let Constant::Address(object, path) = address else {
            return Err(Unknown::new(UnknownReason::Default, body, id));
        };
        let found = self.read(*object, path).filter(|constant| constant.is_whole());
        found.cloned().ok_or_else(|| Unknown::new(UnknownReason::Default, body, id))
    }

    /// Writes to the part of memory that an address leads to.
    fn write(&mut self, body: &Body, address: Value, object: usize, path: &[u32], value: Constant) {
        // How many parts the wholes around it have, from the outermost one.
        let mut counts = Vec::new();
        let mut inner = address;
        while let Some(id) = body.defining(inner)
            && counts.len() < path.len()
            && let Some(outer) = body.operands(id).first()
        {
            if matches!(body.instructions[id].opcode, Opcode::TupleElementAddr | Opcode::StructElementAddr) {
                counts.push(self.part_count(body.ty(*outer)));
            }
            inner = *outer;
        }
        counts.resize(path.len(), 0);
        counts.reverse();
        if let Some(memory) = self.memory.get_mut(object) {
            write_part(memory, path, &counts, value);
        }
    }

    fn part_count(&self, ty: SilType) -> usize {
        let queries = self.environment.queries;
        match queries.get(ty.ty) {
            Type::Tuple(elements) => elements.len(),
            _ => queries.field_types(ty.ty).map_or(0, |fields| fields.len()),
        }
    }

    /// What an instruction gives for constants, as the result with this number.
    fn compute(&mut self, body: &Body, id: InstructionId, operands: &[Constant], index: u32) -> Evaluated {
        use Opcode::*;
        let unknown = || Unknown::new(UnknownReason::Default, body, id);
        let queries = self.environment.queries;
        let first = || operands.first().cloned().ok_or_else(unknown);
        match body.instructions[id].opcode {
            IntegerLiteral => match views::IntegerLiteral::of(body, id).value {
                IntegerValue::Narrow(value) => Ok(Constant::Number(value)),
                IntegerValue::Wide(_) => Err(unknown()),
            },
            StringLiteral | Metatype => Ok(Constant::Opaque),
            FunctionRef => Ok(Constant::Function(views::FunctionRef::of(body, id).function)),
            Struct | Tuple => Ok(Constant::Parts(operands.iter().cloned().map(Some).collect())),
            Enum => {
                let case = views::Enum::of(body, id).case;
                Ok(Constant::Case(case, operands.first().cloned().map(Box::new)))
            }
            UncheckedEnumData => match first()? {
                Constant::Case(_, Some(payload)) => Ok(*payload),
                _ => Err(unknown()),
            },
            StructExtract | TupleExtract => {
                let number = field_number(queries, body, id).ok_or_else(unknown)?;
                first()?.part(&[number]).cloned().ok_or_else(unknown)
            }
            DestructureStruct | DestructureTuple => first()?.part(&[index]).cloned().ok_or_else(unknown),
            StructElementAddr | TupleElementAddr => match first()? {
                Constant::Address(object, mut path) => {
                    path.push(field_number(queries, body, id).ok_or_else(unknown)?);
                    Ok(Constant::Address(object, path))
                }
                _ => Err(unknown()),
            },
            Load | LoadBorrow => self.loaded(body, id, &first()?),
            BeginAccess | BeginBorrow | CopyValue | MoveValue => first(),
            Builtin => self.builtin(body, id, operands),
            _ => Err(unknown()),
        }
    }

    fn builtin(&self, body: &Body, id: InstructionId, operands: &[Constant]) -> Evaluated {
        let unknown = |reason| Unknown::new(reason, body, id);
        let views::Builtin { builtin, .. } = views::Builtin::of(body, id);
        let operation = parse_builtin(self.environment.module.context.text(builtin.name));
        let known = |operand: &Constant| match operand {
            Constant::Number(value) => Some(Known::Integer(*value)),
            _ => None,
        };
        let arguments: Vec<Option<Known>> = operands.iter().map(known).collect();
        let mut faults = Vec::new();
        let result = operation.and_then(|operation| computed(&operation, &arguments, &mut faults));
        let overflows = |fault: &Fault| !matches!(fault, Fault::DivisionByZero | Fault::Shift);
        if faults.iter().any(overflows) {
            return Err(unknown(UnknownReason::Overflow));
        }
        result.and_then(constant).ok_or_else(|| unknown(UnknownReason::Default))
    }

    /// What a call gives, with memory as the call leaves it.
    fn call(
        &mut self,
        body: &Body,
        id: InstructionId,
        value: &mut dyn FnMut(&mut Self, Value) -> Evaluated,
    ) -> Evaluated {
        let unknown = |reason| Unknown::new(reason, body, id);
        let site = ApplySite::new(body, id).ok_or_else(|| unknown(UnknownReason::Default))?;
        let Constant::Function(symbol) = value(self, body.operands(id)[0])? else {
            return Err(unknown(UnknownReason::Default));
        };
        let arguments: Evaluated<Vec<Constant>> =
            site.arguments().iter().map(|argument| value(self, *argument)).collect();
        let arguments = arguments?;
        let module = self.environment.module;
        let callee = module.function_named(symbol).map(|id| &module.functions[id]);
        let Some((function, callee)) = callee.and_then(|function| Some((function, function.body.as_ref()?))) else {
            return Err(unknown(UnknownReason::NoBody(module.context.text(symbol).to_owned())));
        };
        if self.depth >= DEEPEST_CALL {
            return Err(unknown(UnknownReason::TooManyInstructions));
        }
        self.depth += 1;
        let result = self.run(function, callee, arguments);
        self.depth -= 1;
        result
    }

    /// Runs a function, and gives its result.
    fn run(&mut self, _: &Function, body: &Body, arguments: Vec<Constant>) -> Evaluated {
        let mut values: FxHashMap<Value, Constant> = FxHashMap::default();
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut block = body.entry();
        let mut passed = arguments;
        loop {
            values.extend(body.blocks[block].arguments.iter().copied().zip(passed));
            let ids: Vec<InstructionId> = body.instructions_in(block).collect();
            let Some((end, rest)) = ids.split_last() else { return Err(Unknown::argument()) };
            for id in rest {
                self.step(body, *id, &mut values)?;
            }
            let way = self.leave(body, *end, &values)?;
            match way {
                Way::Returned(result) => return Ok(result),
                Way::To(next, arguments) => {
                    if !seen.insert(next) {
                        return Err(Unknown::new(UnknownReason::Loop, body, *end));
                    }
                    (block, passed) = (next, arguments);
                }
            }
        }
    }

    fn step(&mut self, body: &Body, id: InstructionId, values: &mut FxHashMap<Value, Constant>) -> Evaluated<()> {
        use Opcode::*;
        self.evaluated += 1;
        if self.evaluated > INSTRUCTION_LIMIT {
            return Err(Unknown::new(UnknownReason::TooManyInstructions, body, id));
        }
        let opcode = body.instructions[id].opcode;
        match opcode {
            DebugValue | EndAccess | DestroyAddr | RetainValue | ReleaseValue | StrongRetain | StrongRelease
            | DestroyValue | EndBorrow | DebugStep | ExtendLifetime | DeallocStack => return Ok(()),
            _ => {}
        }
        let operands: Evaluated<Vec<Constant>> = match opcode {
            Apply => Ok(Vec::new()),
            _ => body.operands(id).iter().map(|value| known(body, values, *value)).collect(),
        };
        let operands = operands?;
        match opcode {
            AllocStack => {
                self.memory.push(None);
                values.extend(body.result(id).map(|result| (result, Constant::Address(self.memory.len() - 1, vec![]))));
            }
            CondFail => match (&operands[..], &body.instructions[id].details) {
                ([Constant::Number(0)], _) => {}
                (_, Details::Message(message)) => {
                    return Err(Unknown::new(UnknownReason::Trap(message.clone()), body, id));
                }
                _ => return Err(Unknown::new(UnknownReason::Default, body, id)),
            },
            Store | CopyAddr => {
                let [source, Constant::Address(object, path)] = &operands[..] else {
                    return Err(Unknown::new(UnknownReason::Default, body, id));
                };
                let source = if opcode == CopyAddr { self.loaded(body, id, source)? } else { source.clone() };
                self.write(body, body.operands(id)[1], *object, path, source);
            }
            Apply => {
                let result = self.call(body, id, &mut |_, value| known(body, values, value))?;
                values.extend(body.result(id).map(|value| (value, result)));
            }
            _ if body.results(id).len() == 0 => {
                return Err(Unknown::new(UnknownReason::UnsupportedInstruction(opcode.name()), body, id));
            }
            _ => {
                for (index, result) in (0..).zip(body.results(id).collect::<Vec<_>>()) {
                    let constant = self.compute(body, id, &operands, index)?;
                    values.insert(result, constant);
                }
            }
        }
        Ok(())
    }

    /// Where the end of a block leads.
    fn leave(&self, body: &Body, end: InstructionId, values: &FxHashMap<Value, Constant>) -> Evaluated<Way> {
        let all = |passed: &[Value]| -> Evaluated<Vec<Constant>> {
            passed.iter().map(|value| known(body, values, *value)).collect()
        };
        let unknown = || Unknown::new(UnknownReason::Default, body, end);
        match body.instructions[end].opcode {
            Opcode::Return => {
                let value = body.operands(end).first().copied().ok_or_else(unknown)?;
                known(body, values, value).map(Way::Returned)
            }
            Opcode::Br => Ok(Way::To(body.targets(end)[0], all(body.operands(end))?)),
            Opcode::CondBr => {
                let view = CondBr::of(body, end);
                let Constant::Number(condition) = known(body, values, view.condition)? else { return Err(unknown()) };
                match condition {
                    0 => Ok(Way::To(view.false_target, all(view.false_arguments)?)),
                    _ => Ok(Way::To(view.true_target, all(view.true_arguments.0)?)),
                }
            }
            Opcode::SwitchEnum => {
                let SwitchEnum { operand, targets, cases, .. } = SwitchEnum::of(body, end);
                let whole = known(body, values, operand)?;
                let Constant::Case(case, payload) = &whole else { return Err(unknown()) };
                let number = cases.members.iter().position(|member| member == case);
                let target = *targets.get(number.unwrap_or(cases.members.len())).ok_or_else(unknown)?;
                let takes = !body.blocks[target].arguments.is_empty();
                // With ownership, the default takes the payload where it stands for one case alone.
                let is_whole =
                    body.blocks[target].arguments.first().map(|argument| body.ty(*argument)) == Some(body.ty(operand));
                let passed = if is_whole { Some(whole.clone()) } else { payload.as_deref().cloned() };
                Ok(Way::To(target, passed.filter(|_| takes).into_iter().collect()))
            }
            opcode => Err(Unknown::new(UnknownReason::UnsupportedInstruction(opcode.name()), body, end)),
        }
    }
}

/// Where the end of a block leads.
enum Way {
    Returned(Constant),
    /// To a block, with its arguments.
    To(BlockId, Vec<Constant>),
}

fn known(body: &Body, values: &FxHashMap<Value, Constant>, value: Value) -> Evaluated {
    let found = values.get(&value).cloned();
    found.ok_or_else(|| match body.defining(value) {
        Some(id) => Unknown::new(UnknownReason::Default, body, id),
        None => Unknown::argument(),
    })
}

/// The number, or the numbers, that a builtin gives.
fn constant(known: Known) -> Option<Constant> {
    match known {
        Known::Integer(value) => Some(Constant::Number(value)),
        Known::Parts(parts) => {
            let parts: Option<Vec<Constant>> = parts.into_iter().map(|part| constant(part?)).collect();
            Some(Constant::Parts(parts?.into_iter().map(Some).collect()))
        }
        Known::Float(_) | Known::Case(_) => None,
    }
}

/// Writes to the part of a whole at the end of `path`; wholes around it that are not there yet have so many parts.
fn write_part(whole: &mut Option<Constant>, path: &[u32], counts: &[usize], value: Constant) {
    let (Some((first, path)), Some((count, counts))) = (path.split_first(), counts.split_first()) else {
        *whole = Some(value);
        return;
    };
    let parts = whole.get_or_insert_with(|| Constant::Parts(vec![None; *count]));
    if let Constant::Parts(parts) = parts {
        let number = *first as usize;
        if parts.len() <= number {
            parts.resize(number + 1, None);
        }
        write_part(&mut parts[number], path, counts, value);
    }
}

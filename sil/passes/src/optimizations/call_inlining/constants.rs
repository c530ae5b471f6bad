//! Estimates the values of a callee that would be constant after inlining. The estimate considers passed arguments,
//! stores to loaded memory, and values computed from them (lib/SILOptimizer/Utils/PerformanceInlinerUtils.cpp,
//! `ConstantTracker`). It ignores other writes to the memory.

use rustc_hash::FxHashMap;
use sil_analysis::{Projection, field_number};
use sil_ir::context::{MemberTarget, SubstitutionMapId};
use sil_ir::instructions::builtins::BuiltinKind;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, Store, SwitchEnum, Unary};
use sil_ir::model::{BlockId, Body, Definition, Details, InstructionId, Value};
use sil_ir::types::TypeQueries;

use crate::knowledge::constants::Known;
use crate::knowledge::operations::computed;

/// The body that contains a value or an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    Caller,
    Callee,
}

type At<T> = (Side, T);

/// The state of a body that is visited in dominance order.
#[derive(Clone)]
pub(super) struct Frame<'b> {
    body: &'b Body,
    /// Maps each load or copy to the store or copy that wrote the memory.
    links: FxHashMap<InstructionId, At<InstructionId>>,
    /// The last write of the current block to each base address.
    memory: FxHashMap<At<Value>, At<InstructionId>>,
}

impl<'b> Frame<'b> {
    pub(super) fn new(body: &'b Body) -> Self {
        Self { body, links: FxHashMap::default(), memory: FxHashMap::default() }
    }
}

/// A constant.
#[derive(Clone, Copy)]
struct Constant {
    value: i128,
    /// Whether the value depends on an argument of the caller.
    is_from_caller: bool,
}

/// The constants of a callee at an apply site, or of a caller only.
pub(super) struct ConstantTracker<'b> {
    queries: &'b TypeQueries<'b>,
    caller: Frame<'b>,
    callee: Option<(Frame<'b>, InstructionId)>,
}

/// The limit on the depth of the evaluation.
const DEPTH: usize = 10;

impl<'b> ConstantTracker<'b> {
    /// Creates a tracker of a caller.
    pub(super) fn of_caller(queries: &'b TypeQueries<'b>, body: &'b Body) -> Self {
        Self { queries, caller: Frame::new(body), callee: None }
    }

    /// Creates a tracker of `callee` at `call`, with the current state of the caller.
    pub(super) fn of_callee(&self, callee: &'b Body, call: InstructionId) -> Self {
        Self { queries: self.queries, caller: self.caller.clone(), callee: Some((Frame::new(callee), call)) }
    }

    fn side(&self) -> Side {
        if self.callee.is_some() { Side::Callee } else { Side::Caller }
    }

    fn body(&self, side: Side) -> &'b Body {
        match (&self.callee, side) {
            (Some((frame, _)), Side::Callee) => frame.body,
            _ => self.caller.body,
        }
    }

    fn frame(&mut self) -> &mut Frame<'b> {
        match &mut self.callee {
            Some((frame, _)) => frame,
            None => &mut self.caller,
        }
    }

    /// Must be called at the start of each block, since the contents of memory are tracked per block.
    pub(super) fn begin_block(&mut self) {
        self.frame().memory.clear();
    }

    /// Must be called for each instruction.
    pub(super) fn track(&mut self, id: InstructionId) {
        let side = self.side();
        let body = self.body(side);
        match body.instructions[id].opcode {
            Opcode::Load => {
                let base = self.base((side, Unary::of(body, id).operand)).0;
                if let Some(written) = self.content(base) {
                    self.frame().links.insert(id, written);
                }
            }
            Opcode::Store => {
                let base = self.base((side, Store::of(body, id).destination)).0;
                self.frame().memory.insert(base, (side, id));
            }
            Opcode::CopyAddr if !body.instructions[id].attributes.contains(Attribute::Take) => {
                let CopyAddr { source, destination } = CopyAddr::of(body, id);
                let (from, to) = (self.base((side, source)).0, self.base((side, destination)).0);
                if let Some(written) = self.content(from) {
                    let frame = self.frame();
                    frame.links.insert(id, written);
                    frame.memory.insert(to, (side, id));
                }
            }
            _ => {}
        }
    }

    fn content(&self, base: At<Value>) -> Option<At<InstructionId>> {
        let own = self.callee.as_ref().and_then(|(frame, _)| frame.memory.get(&base));
        own.or_else(|| self.caller.memory.get(&base)).copied()
    }

    /// The value that the caller passes for an argument of the callee.
    fn passed(&self, (side, value): At<Value>) -> Option<At<Value>> {
        let (frame, call) = self.callee.as_ref().filter(|_| side == Side::Callee)?;
        match frame.body.values[value].definition {
            Definition::Argument { block, index } if block == frame.body.entry() => {
                Some((Side::Caller, *self.caller.body.operands(*call).get(1 + index as usize)?))
            }
            _ => None,
        }
    }

    fn address_projection(&self, (side, value): At<Value>) -> Option<(At<Value>, Projection)> {
        use Opcode::*;
        let body = self.body(side);
        let id = body.defining(value)?;
        let step = match body.instructions[id].opcode {
            StructElementAddr => Projection::Struct(field_number(self.queries, body, id)?),
            TupleElementAddr => Projection::Tuple(field_number(self.queries, body, id)?),
            RefElementAddr => Projection::ClassField(field_number(self.queries, body, id)?),
            RefTailAddr => Projection::TailElements,
            ProjectBox => Projection::ClassField(0),
            UncheckedTakeEnumDataAddr => Projection::EnumCase(self.case(body, id)?),
            IndexAddr => {
                let index = body.operands(id).get(1).and_then(|index| body.defining(*index))?;
                let Details::Integer(index) = body.instructions[index].details else { return None };
                Projection::Index(u32::try_from(index).ok()?)
            }
            _ => return None,
        };
        Some(((side, body.operands(id)[0]), step))
    }

    /// The base address of all projections, and the projections, last first.
    fn base(&self, address: At<Value>) -> (At<Value>, Vec<Projection>) {
        let (mut current, mut steps) = (address, Vec::new());
        loop {
            if let Some((whole, step)) = self.address_projection(current) {
                steps.push(step);
                current = whole;
            } else if let Some(passed) = self.passed(current) {
                current = passed;
            } else {
                return (current, steps);
            }
        }
    }

    fn case(&self, body: &Body, id: InstructionId) -> Option<u32> {
        let Details::Member(member) = &body.instructions[id].details else { return None };
        match self.queries.context.get_member(*member).target {
            MemberTarget::Case(index) => Some(index),
            MemberTarget::Stored(_) | MemberTarget::Other => None,
        }
    }

    /// The most likely definition of a value.
    fn definition(&self, value: At<Value>) -> Option<At<InstructionId>> {
        use Opcode::*;
        let (mut current, mut path): (At<Value>, Vec<Projection>) = (value, Vec::new());
        // Unreachable code may contain cycles.
        for _ in 0..10_000 {
            let (side, value) = current;
            let body = self.body(side);
            let Some(id) = body.defining(value) else {
                current = self.passed(current)?;
                continue;
            };
            body.result(id)?;
            let operands = body.operands(id);
            let step = match body.instructions[id].opcode {
                StructExtract => field_number(self.queries, body, id).map(Projection::Struct),
                TupleExtract => field_number(self.queries, body, id).map(Projection::Tuple),
                UncheckedEnumData => self.case(body, id).map(Projection::EnumCase),
                _ => None,
            };
            if let Some(step) = step {
                path.push(step);
                current = (side, operands[0]);
            } else if let Some(member) = self.part(body, id, path.last().copied()) {
                path.pop();
                current = (side, member);
            } else if let Some(stored) = self.stored((side, id), &mut path) {
                current = stored;
            } else if matches!(
                body.instructions[id].opcode,
                ThinToThickFunction | ConvertFunction | ConvertEscapeToNoescape
            ) {
                current = (side, operands[0]);
            } else {
                return Some((side, id));
            }
        }
        None
    }

    /// The operand of the aggregate instruction `id` that `step` projects.
    fn part(&self, body: &Body, id: InstructionId, step: Option<Projection>) -> Option<Value> {
        match (body.instructions[id].opcode, step?) {
            (Opcode::Struct, Projection::Struct(index)) | (Opcode::Tuple, Projection::Tuple(index)) => {
                body.operands(id).get(index as usize).copied()
            }
            (Opcode::Enum, Projection::EnumCase(case)) if self.case(body, id) == Some(case) => {
                body.operands(id).first().copied()
            }
            _ => None,
        }
    }

    /// The stored value that a load or copy reads. Removes the projections of the store's address from the path.
    fn stored(&self, (side, id): At<InstructionId>, path: &mut Vec<Projection>) -> Option<At<Value>> {
        let mut read = (side, id);
        loop {
            let (side, id) = read;
            let own = match (&self.callee, side) {
                (Some((frame, _)), Side::Callee) => frame.links.get(&id),
                _ => self.caller.links.get(&id),
            };
            let (written_in, written) = *own?;
            let (_, steps) = self.base((side, self.body(side).operands(id)[0]));
            path.extend(steps);
            let writer = self.body(written_in);
            let (_, steps) = self.base((written_in, writer.operands(written)[1]));
            for step in steps.iter().rev() {
                if path.pop() != Some(*step) {
                    return None;
                }
            }
            match writer.instructions[written].opcode {
                Opcode::Store => return Some((written_in, writer.operands(written)[0])),
                _ => read = (written_in, written),
            }
        }
    }

    /// The most likely definition of a callee's value in the caller.
    pub(super) fn definition_in_caller(&self, value: Value) -> Option<InstructionId> {
        self.definition((self.side(), value)).filter(|(side, _)| *side == Side::Caller).map(|(_, id)| id)
    }

    /// Returns whether an address of the callee refers to stack memory of the caller.
    pub(super) fn is_on_stack_of_caller(&self, address: Value) -> bool {
        let mut current = (self.side(), address);
        while let Some((whole, _)) = self.address_projection(current) {
            current = whole;
        }
        let Some(mut passed) = self.passed(current) else { return false };
        while let Some((whole, _)) = self.address_projection(passed) {
            passed = whole;
        }
        let body = self.body(passed.0);
        body.defining(passed.1).is_some_and(|id| body.instructions[id].opcode == Opcode::AllocStack)
    }

    /// Returns whether an instruction of the caller is a function reference or creates a closure.
    pub(super) fn caller_makes_function(&self, id: InstructionId) -> bool {
        matches!(self.caller.body.instructions[id].opcode, Opcode::FunctionRef | Opcode::PartialApply)
    }

    /// The substitutions of the call.
    pub(super) fn substitutions(&self) -> SubstitutionMapId {
        let call = self.callee.as_ref().map(|(_, call)| &self.caller.body.instructions[*call].details);
        match call {
            Some(Details::Apply(apply)) => apply.substitutions,
            _ => SubstitutionMapId::EMPTY,
        }
    }

    fn integer(&self, value: At<Value>, depth: usize) -> Option<Constant> {
        if depth >= DEPTH {
            return None;
        }
        let (side, id) = self.definition(value)?;
        let body = self.body(side);
        match &body.instructions[id].details {
            Details::Integer(value) if body.instructions[id].opcode == Opcode::IntegerLiteral => {
                Some(Constant { value: *value, is_from_caller: side == Side::Caller && self.callee.is_some() })
            }
            Details::Builtin(builtin) => {
                let operation = builtin.operation()?;
                let is_counted = matches!(
                    operation.kind,
                    BuiltinKind::Binary(_) | BuiltinKind::WithOverflow(_) | BuiltinKind::Cast(_)
                );
                let arguments = body.operands(id);
                let used = if matches!(operation.kind, BuiltinKind::Cast(_)) { 1 } else { 2 };
                let constants: Vec<Constant> = (arguments.iter().take(used).filter(|_| is_counted))
                    .map(|argument| self.integer((side, *argument), depth + 1))
                    .collect::<Option<_>>()?;
                let is_from_caller = constants.iter().any(|constant| constant.is_from_caller);
                let known: Vec<Option<Known>> =
                    constants.iter().map(|constant| Some(Known::Integer(constant.value))).collect();
                let result = computed(operation, &known, &mut Vec::new())?;
                let value = result.integer().or_else(|| result.part(&[0])?.integer())?;
                Some(Constant { value, is_from_caller })
            }
            _ => None,
        }
    }

    /// The only successor of a callee's terminator, if arguments of the caller determine it.
    pub(super) fn taken(&self, terminator: InstructionId) -> Option<BlockId> {
        let side = self.side();
        let body = self.body(side);
        let condition = *body.operands(terminator).first()?;
        let targets = body.targets(terminator);
        match body.instructions[terminator].opcode {
            Opcode::CondBr => {
                let constant = self.integer((side, condition), 0).filter(|constant| constant.is_from_caller)?;
                targets.get(usize::from(constant.value == 0)).copied()
            }
            Opcode::SwitchValue => {
                let constant = self.integer((side, condition), 0).filter(|constant| constant.is_from_caller)?;
                let cases = &body.operands(terminator)[1..];
                for (case, target) in cases.iter().zip(targets) {
                    let Details::Integer(value) = body.instructions[body.defining(*case)?].details else { return None };
                    if value == constant.value {
                        return Some(*target);
                    }
                }
                targets.get(cases.len()).copied()
            }
            Opcode::SwitchEnum => {
                let made = self.definition_in_caller(condition)?;
                let caller = self.caller.body;
                let case = self.case(caller, made).filter(|_| caller.instructions[made].opcode == Opcode::Enum)?;
                let SwitchEnum { cases, .. } = SwitchEnum::of(body, terminator);
                let number = |member| self.queries.context.get_member(member).target;
                let position = cases.members.iter().position(|member| number(*member) == MemberTarget::Case(case));
                targets.get(position.unwrap_or(cases.members.len())).copied()
            }
            _ => None,
        }
    }
}

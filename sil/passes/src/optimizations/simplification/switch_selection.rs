//! Replaces a `switch_enum` that only selects an integer for a block with a `select_enum`
//! (`simplifySwitchEnumToSelectEnum` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use sil_ir::context::{BuiltinType, MemberId, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Br, SwitchEnum};
use sil_ir::model::{BlockId, DefaultCase, EnumCases, InstructionId, Place, Value};

use super::Simplifier;
use super::conditions::Trampoline;

/// An integer that is passed to a block.
struct Arrival {
    block: BlockId,
    number: i128,
}

impl Simplifier<'_> {
    /// Replaces a `switch_enum` whose targets all pass integers to `block` with a selection.
    pub(in crate::optimizations) fn select_instead(&mut self, id: InstructionId, block: BlockId) -> Option<()> {
        let body = self.editor.body();
        let SwitchEnum { operand, targets, cases } = SwitchEnum::of(body, id);
        if self.is_owned(operand) {
            return None;
        }
        let arrivals = targets.iter().map(|target| self.arrival(id, *target)).collect::<Option<Vec<Arrival>>>()?;
        let [argument] = body.blocks[block].arguments[..] else { return None };
        let ty = body.ty(argument);
        let is_number = matches!(self.editor.environment.queries.get(ty.ty), Type::Builtin(BuiltinType::Integer(_)));
        if !is_number || arrivals.iter().any(|arrival| arrival.block != block) {
            return None;
        }
        let (members, mut default) = (cases.members.to_vec(), cases.default);
        let numbers: Vec<i128> = arrivals.into_iter().map(|arrival| arrival.number).collect();
        let values: Vec<Value> = numbers.iter().map(|number| self.integer(id, *number, ty)).collect();
        if default == DefaultCase::Absent && self.names_all_cases(operand, members.len()) {
            // The last case becomes the default.
            default = DefaultCase::Present;
        }
        let of_default = numbers.last().copied().filter(|_| default == DefaultCase::Present);
        let named = members.into_iter().zip(values.iter().copied().zip(&numbers));
        let count = values.len() - usize::from(of_default.is_some());
        let named = named.take(count).filter(|(_, (_, number))| Some(**number) != of_default);
        let (members, mut selected): (Vec<MemberId>, Vec<Value>) =
            named.map(|(case, (value, _))| (case, value)).unzip();
        selected.insert(0, operand);
        selected.extend(values.last().filter(|_| of_default.is_some()));
        let cases = EnumCases { members: members.into(), default, counts: Box::default() };
        let made = self.editor.build(Place::Before(id), id, |builder| builder.select_enum(cases, &selected, ty));
        self.jump_instead(id, &Trampoline { target: block, passed: vec![made] });
        Some(())
    }

    fn names_all_cases(&self, operand: Value, count: usize) -> bool {
        let queries = self.editor.environment.queries;
        let nominal = queries.as_nominal(self.editor.body().ty(operand).ty);
        nominal.is_some_and(|nominal| queries.declarations.get(nominal.declaration).cases.len() == count)
    }

    /// The integer that a target of the switch passes on, if it does nothing else.
    fn arrival(&self, switch: InstructionId, way: BlockId) -> Option<Arrival> {
        let body = self.editor.body();
        if self.editor.edges_to(way) != 1 {
            return None;
        }
        if let Some(arrival) = self.given_number(way) {
            return Some(arrival);
        }
        // Several targets may meet before they pass the integer.
        let next = self.only_jump(way)?;
        let leads_there_alone = |from: &BlockId| {
            self.only_jump(*from) == Some(next)
                && self.editor.edges_to(*from) == 1
                && body.targets(switch).contains(from)
        };
        let leading = body
            .blocks
            .keys()
            .filter(|from| body.terminator(*from).is_some_and(|end| body.targets(end).contains(&next)));
        let is_plain = body.blocks[next].arguments.is_empty();
        let meets = is_plain && leading.into_iter().all(|from| leads_there_alone(&from));
        self.given_number(next).filter(|_| meets)
    }

    /// The target of a block that only branches without arguments.
    fn only_jump(&self, block: BlockId) -> Option<BlockId> {
        let body = self.editor.body();
        let first = body.first_instruction(block).filter(|id| self.editor.opcode(*id) == Opcode::Br)?;
        let Br { target, arguments } = Br::of(body, first);
        arguments.is_empty().then_some(target)
    }

    /// The integer that a block passes on, if it contains at most the literal.
    fn given_number(&self, block: BlockId) -> Option<Arrival> {
        let body = self.editor.body();
        let end = body.terminator(block).filter(|end| self.editor.opcode(*end) == Opcode::Br)?;
        let Br { target, arguments } = Br::of(body, end);
        let [passed] = arguments[..] else { return None };
        let number = self.literal(passed)?;
        let is_made_here = |id: InstructionId| {
            body.result(id) == Some(passed) && self.editor.uses(passed).iter().all(|found| found.user == end)
        };
        let mut others = body.instructions_in(block).filter(|id| *id != end);
        let is_idle = others.next().is_none_or(is_made_here) && others.next().is_none();
        is_idle.then_some(Arrival { block: target, number })
    }
}

//! Forwards a condition that selects an enum's case to the `switch_enum` on that enum. The blocks that create the enum
//! then branch to the cases directly, and the switch is removed. That removes a check from loops over closed ranges.
//! Follows lib/SILOptimizer/Transforms/ConditionForwarding.cpp.
//!
//! Does not own: paths that need cloned blocks to bypass the switch (`cfg_simplification`).

use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, Change, InstructionEffects, Use};
use sil_ir::context::MemberTarget;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::views::SwitchEnum;
use sil_ir::model::{BlockId, Body, Definition, Details, FunctionFlag, InstructionId, Ownership, Place, Value};

use crate::InstructionBuilder;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Rounds, Runner};

pub(crate) const CONDITION_FORWARDING: Pass = Pass::new(&Description {
    name: "condition-forwarding",
    class_name: "ConditionForwarding",
    summary: "Moves a condition down to the switch that it alone decides.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(forward), Runner::Function(super::borrowed_phis::update)]),
});

/// Forwards the conditions of a function.
pub(crate) fn forward(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let before = environment.body;
    let mut rounds = Rounds::new(environment);
    for block in before.blocks.keys() {
        let environment = rounds.current();
        let current = environment.body;
        let switch = current.terminator(block);
        let Some(switch) = switch.filter(|id| current.instructions[*id].opcode == Opcode::SwitchEnum) else { continue };
        let operand = SwitchEnum::of(current, switch).operand;
        if !matches!(current.values[borrowed_from(current, operand)].definition, Definition::Argument { .. }) {
            continue;
        }
        let view = environment.view();
        if let Some(found) = Forwarding::find(&view, environment, switch) {
            let body = found.apply(&view);
            rounds.set(body, Change::Blocks);
        }
    }
    Ok(rounds.finish())
}

/// Looks through `borrowed`.
fn borrowed_from(body: &Body, value: Value) -> Value {
    match body.defining(value) {
        Some(id) if body.instructions[id].opcode == Opcode::Borrowed => body.operands(id)[0],
        _ => value,
    }
}

/// A condition that selects the case of an enum.
struct Forwarding {
    switch: InstructionId,
    condition: InstructionId,
    /// The block argument that is the enum.
    argument: Value,
    merge: BlockId,
    /// The value with the uses: the argument, or its `borrowed`.
    used: Value,
    /// The predecessors that create the enum, each with its `enum` instruction.
    ways: Vec<(BlockId, InstructionId)>,
}

impl Forwarding {
    fn find(view: &BodyView<'_>, environment: Environment<'_>, switch: InstructionId) -> Option<Self> {
        let body = view.body;
        let used = SwitchEnum::of(body, switch).operand;
        let argument = borrowed_from(body, used);
        let Definition::Argument { block: merge, .. } = body.values[argument].definition else { return None };
        let is_after =
            |user| view.cfg.single_predecessor(body.instructions[user].block) == Some(body.instructions[switch].block);
        let is_fine =
            |found: &Use| found.user == switch || view.opcode(found.user) == Opcode::DebugValue || is_after(found.user);
        let is_borrow = |found: &Use| used != argument && body.defining(used) == Some(found.user);
        if body.blocks[merge].arguments.len() != 1
            || !view.uses.of(used).iter().all(is_fine)
            || used != argument && !view.uses.of(argument).iter().all(is_borrow)
        {
            return None;
        }
        let mut common = None;
        let mut ways = Vec::new();
        for from in view.cfg.predecessors(merge) {
            let decides = view.cfg.single_predecessor(*from)?;
            let branch = body.terminator(*from).filter(|id| view.opcode(*id) == Opcode::Br)?;
            let (made, Opcode::Enum) = view.definition(*body.operands(branch).first()?)? else { return None };
            if *common.get_or_insert(decides) != decides || !is_movable(view, environment, *from, made) {
                return None;
            }
            ways.push((*from, made));
        }
        // With two predecessors or more, values defined in one of them have no uses after them.
        let condition = body.terminator(common.filter(|_| ways.len() >= 2)?)?;
        let effects = InstructionEffects::new(view.module, view.queries);
        let is_pure = effects.memory_behavior(body, condition) == MemoryBehavior::None;
        if condition == switch
            || !is_pure
            || body.targets(condition).len() != ways.len()
            || ends_borrow(view, condition)
        {
            return None;
        }
        Some(Self { switch, condition, argument, merge, used, ways })
    }

    fn apply(&self, view: &BodyView<'_>) -> Body {
        let mut body = view.body.clone();
        let passed = self.pass_enum_on(view, &mut body);
        for (block, made) in &self.ways {
            self.redirect(view, &mut body, (*block, *made), &passed);
        }
        if self.used != self.argument
            && let Some(borrow) = body.defining(self.used)
        {
            body.erase(borrow);
        }
        let decides = body.instructions[self.condition].block;
        let switched = body.instructions[self.switch].block;
        body.erase(self.switch);
        for id in body.take_instructions(decides) {
            body.push(if id == self.condition { switched } else { decides }, id);
        }
        InstructionBuilder::new(&mut body, Place::End(decides), self.condition).branch(self.merge, &[]);
        body.blocks[self.merge].arguments.clear();
        body
    }

    /// Adds an argument for the enum to the blocks after the switch that use it. Returns the arguments.
    fn pass_enum_on(&self, view: &BodyView<'_>, body: &mut Body) -> FxHashMap<BlockId, Value> {
        let ty = body.ty(self.argument);
        let ownership = body.values[self.argument].ownership;
        let mut passed = FxHashMap::default();
        for found in view.uses.of(self.used).iter().filter(|found| found.user != self.switch) {
            if view.opcode(found.user) == Opcode::DebugValue {
                body.erase(found.user);
                continue;
            }
            let block = body.instructions[found.user].block;
            let new = *passed.entry(block).or_insert_with(|| body.add_argument(block, ty, ownership));
            body.operands_mut(found.user)[found.operand as usize] = new;
        }
        passed
    }

    /// Redirects a predecessor to the target of the case that it creates.
    fn redirect(
        &self,
        view: &BodyView<'_>,
        body: &mut Body,
        (block, made): (BlockId, InstructionId),
        passed: &FxHashMap<BlockId, Value>,
    ) {
        let (Some((target, is_default)), Some(branch), Some(value)) =
            (self.target(view, made), body.terminator(block), body.result(made))
        else {
            return;
        };
        let payload = view.body.operands(made).first().copied();
        let mut arguments = Vec::new();
        if !view.body.blocks[target].arguments.is_empty() {
            arguments.extend(if is_default { Some(value) } else { payload });
        }
        if passed.contains_key(&target) {
            arguments.push(value);
        }
        let takes_payload = arguments.first().copied() == payload && payload.is_some();
        InstructionBuilder::new(body, Place::Before(branch), branch).branch(target, &arguments);
        body.erase(branch);
        let users = view.uses.of(value).iter().filter(|found| found.user != branch).count();
        let is_used = users > 0 || arguments.contains(&value);
        if !is_used {
            body.erase(made);
        } else if let Some(payload) = payload.filter(|_| takes_payload && view.ownership(value) == Ownership::Owned) {
            // The enum has already consumed the payload.
            let copy = InstructionBuilder::new(body, Place::Before(made), made).copy_value(payload);
            if let Some(branch) = body.terminator(block) {
                body.operands_mut(branch)[0] = copy;
                InstructionBuilder::new(body, Place::Before(branch), made).destroy_value(value);
            }
        }
    }

    /// The switch target for the case that `made` creates, and whether that is the default.
    fn target(&self, view: &BodyView<'_>, made: InstructionId) -> Option<(BlockId, bool)> {
        let Details::EnumCases(cases) = &view.body.instructions[self.switch].details else { return None };
        let number = view.case_number(made)?;
        let is_case = |member: &_| view.queries.context.get_member(*member).target == MemberTarget::Case(number);
        let targets = view.body.targets(self.switch);
        match cases.members.iter().position(is_case) {
            Some(index) => Some((*targets.get(index)?, false)),
            None => Some((*targets.get(cases.members.len())?, true)),
        }
    }
}

/// Returns whether the instructions of a block can be moved down: they have no side effects, and do not depend on a
/// lifetime that may have ended by then.
fn is_movable(view: &BodyView<'_>, environment: Environment<'_>, block: BlockId, made: InstructionId) -> bool {
    let body = view.body;
    let effects = InstructionEffects::new(view.module, view.queries);
    let block_of = |value: Value| body.defining_block(value);
    let has_ownership = environment.function.has(FunctionFlag::Ossa);
    body.instructions_in(block).all(|id| {
        let lives_on = |value: &Value| {
            view.ownership(*value) == Ownership::None
                || block_of(*value) == Some(block)
                || body.defining(*value) == Some(made)
        };
        let lives = !has_ownership || id == made || body.operands(id).iter().all(lives_on);
        let computes = effects.memory_behavior(body, id) == MemoryBehavior::None;
        lives && (computes || is_check_of_own_result(view, block, id))
    })
}

/// Returns whether `id` checks the overflow of an operation of its own block. Such a check still precedes the uses of
/// the result after the move.
fn is_check_of_own_result(view: &BodyView<'_>, block: BlockId, id: InstructionId) -> bool {
    let checked = || {
        (view.opcode(id) == Opcode::CondFail).then_some(())?;
        let (extract, Opcode::TupleExtract) = view.definition(view.operand(id, 0)?)? else { return None };
        let (operation, Opcode::Builtin) = view.definition(view.operand(extract, 0)?)? else { return None };
        (view.body.instructions[operation].block == block).then_some(())
    };
    checked().is_some()
}

/// Returns whether a condition reads a value that is borrowed within the function, whose borrow scope could end before
/// the condition.
fn ends_borrow(view: &BodyView<'_>, condition: InstructionId) -> bool {
    let operand = view.operand(condition, 0);
    operand.is_some_and(|operand| {
        view.ownership(operand) == Ownership::Guaranteed && view.argument_convention(operand).is_none()
    })
}

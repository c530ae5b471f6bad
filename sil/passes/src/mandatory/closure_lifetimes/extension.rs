//! Extends values to the exits of the function when the paths on which they exist are not known. An optional carries
//! the value through the control flow; it is `none` at the start of the function.

use rustc_hash::FxHashMap;
use sil_analysis::{ControlFlowGraph, Uses};
use sil_ir::context::{MemberId, SilType};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, InstructionId, LocationKind, Ownership, Place, Value};

use crate::InstructionBuilder;
use crate::editing::value_flow::{Point, ValueFlow};
use crate::knowledge::enum_cases::{optional_none, optional_some};
use crate::pass::Environment;

/// Extends the values of one function.
pub(super) struct Extension<'m> {
    environment: Environment<'m>,
    cfg: &'m ControlFlowGraph,
}

impl<'m> Extension<'m> {
    pub(super) fn new(environment: Environment<'m>) -> Self {
        let cfg = environment.analyses.cfg(environment.body);
        Self { environment, cfg }
    }

    /// Returns whether an instruction is in the entry block: it executes at most once, and before every exit.
    pub(super) fn is_in_entry(&self, id: InstructionId) -> bool {
        let body = self.environment.body;
        body.instructions[id].block == body.entry()
    }

    /// Replaces the operand of `conversion` by a copy of the closure that lives until the function exits. `None` if
    /// values cannot be passed through the control flow.
    pub(super) fn keep_converted(&self, body: &mut Body, conversion: InstructionId) -> Option<()> {
        let closure = *body.operands(conversion).first()?;
        let (converted, ty) = (body.result(conversion)?, body.ty(closure));
        let uses = Uses::new(body).of(converted).to_vec();
        let mut builder = builder(body, Place::Before(conversion), conversion);
        let copy = builder.copy_value(closure);
        body.set_operands(conversion, &[copy]);
        if self.is_in_entry(conversion) {
            self.at_exits(body, conversion, |builder| {
                builder.destroy_value(copy);
            });
            return Some(());
        }
        let optional = Optional::of(self.environment, ty)?;
        let none = optional.none(body, conversion);
        let mut builder = self::builder(body, Place::After(none.made_by), conversion);
        let borrowed_none = builder.begin_borrow(none.value);
        let mut builder = self::builder(body, Place::After(conversion), conversion);
        let some = optional.some(&mut builder, copy);
        let borrow = builder.begin_borrow(some);
        // The converted closure depends on the optional.
        let dependent = builder.mark_dependence(converted, borrow);
        for found in uses {
            body.operands_mut(found.user)[found.operand as usize] = dependent;
        }
        let borrows = [borrowed_none, borrow];
        let borrowed = self.arriving(body, conversion, (optional.ty, Ownership::Guaranteed), borrows)?;
        end_all(body, conversion, borrowed, Opcode::EndBorrow);
        let mut owned = self.arriving(body, conversion, (optional.ty, Ownership::Owned), [none.value, some])?;
        // A `none` needs no destroy.
        owned.retain(|(_, value)| *value != none.value);
        end_all(body, conversion, owned, Opcode::DestroyValue);
        Some(())
    }

    /// Destroys `value`, which is owned from `start` on, at the exits of the function. `None` if values cannot be
    /// passed through the control flow.
    pub(super) fn destroy_at_exits(&self, body: &mut Body, start: InstructionId, value: Value) -> Option<()> {
        let optional = Optional::of(self.environment, body.ty(value))?;
        let none = optional.none(body, start);
        let some = optional.some(&mut builder(body, Place::Before(start), start), value);
        let arriving = self.arriving(body, start, (optional.ty, Ownership::Owned), [none.value, some])?;
        end_all(body, start, arriving, Opcode::DestroyValue);
        Some(())
    }

    /// Returns the values that reach the exits and the next execution of `start`, of `none`, which the entry block
    /// makes, and `some`, which the block of `start` makes at each execution.
    fn arriving(
        &self,
        body: &mut Body,
        start: InstructionId,
        kind: (SilType, Ownership),
        [none, some]: [Value; 2],
    ) -> Option<Vec<(InstructionId, Value)>> {
        let block = body.instructions[start].block;
        let available: FxHashMap<BlockId, Value> = [(body.entry(), none), (block, some)].into_iter().collect();
        let exits = self.exits(body);
        let mut wanted = vec![Point::Start(block)];
        wanted.extend(exits.iter().map(|exit| Point::End(body.instructions[*exit].block)));
        let arriving = ValueFlow::new(body, self.cfg, &available, &wanted, kind)?.apply(body);
        let first = made_first(body, start, some);
        Some(std::iter::once(first).chain(exits).zip(arriving).collect())
    }

    /// Makes instructions at all exits of the function.
    pub(super) fn at_exits(&self, body: &mut Body, like: InstructionId, make: impl Fn(&mut InstructionBuilder<'_>)) {
        for exit in self.exits(body) {
            make(&mut builder(body, Place::Before(exit), like));
        }
    }

    /// Returns the exits of the function. In a deinitialiser, it is the place before the `end_lifetime` of the object,
    /// which a closure may have captured.
    fn exits(&self, body: &Body) -> Vec<InstructionId> {
        let blocks = body.blocks.keys().filter(|block| self.cfg.is_reachable(*block));
        let ends = blocks.filter_map(|block| body.terminator(block));
        let exits = ends.filter(|end| body.instructions[*end].opcode.leaves_function());
        let before_object_ends = |exit: InstructionId| {
            let mut before = body.instructions_in(body.instructions[exit].block);
            let end = before.rfind(|id| body.instructions[*id].opcode == Opcode::EndLifetime)?;
            body.defining(*body.operands(end).first()?)
        };
        exits.map(|exit| before_object_ends(exit).unwrap_or(exit)).collect()
    }
}

/// Ends each value at its place.
fn end_all(body: &mut Body, start: InstructionId, arriving: Vec<(InstructionId, Value)>, end: Opcode) {
    for (place, value) in arriving {
        builder(body, Place::Before(place), start).effect(end, value);
    }
}

/// Returns the first instruction made for `some` in the block of `start`: the optional in front of it, or `start`
/// itself.
fn made_first(body: &Body, start: InstructionId, some: Value) -> InstructionId {
    let made = body.defining(some).filter(|id| body.instructions[*id].opcode == Opcode::Enum);
    let is_ahead = |id: &InstructionId| body.instructions_up_to(start).any(|before| before == *id);
    made.filter(is_ahead).unwrap_or(start)
}

fn builder(body: &mut Body, place: Place, like: InstructionId) -> InstructionBuilder<'_> {
    let mut builder = InstructionBuilder::new(body, place, like);
    builder.set_location_kind(LocationKind::Cleanup);
    builder
}

/// The optional of a type.
struct Optional {
    ty: SilType,
    some: MemberId,
    none: MemberId,
}

/// A `none` value and its definition.
struct Absent {
    made_by: InstructionId,
    value: Value,
}

impl Optional {
    fn of(environment: Environment<'_>, ty: SilType) -> Option<Self> {
        let optional = environment.queries.optional_of(ty.ty)?;
        let (some, none) = (optional_some(environment, optional)?, optional_none(environment, optional)?);
        Some(Self { ty: SilType::object(optional), some, none })
    }

    fn some(&self, builder: &mut InstructionBuilder<'_>, value: Value) -> Value {
        builder.enumeration(self.some, Some(value), self.ty)
    }

    /// Makes a `none` at the start of the function.
    fn none(&self, body: &mut Body, like: InstructionId) -> Absent {
        let entry = body.entry();
        let mut builder = builder(body, Place::Start(entry), like);
        let value = builder.enumeration(self.none, None, self.ty);
        Absent { made_by: body.defining(value).unwrap_or(like), value }
    }
}

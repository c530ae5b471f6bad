//! Reborrows: the base values of guaranteed phis, and the scopes that enclose a borrow
//! (lib/SIL/Utils/OwnershipUtils.cpp).

use rustc_hash::FxHashMap;
use sil_analysis::{OperandOwnership, OwnershipKinds, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, InstructionId, Ownership, Value};

use super::Facts;

/// The base values of guaranteed phis.
#[derive(Default)]
pub(super) struct BaseValues {
    bases: FxHashMap<Value, Vec<Value>>,
}

impl BaseValues {
    pub(super) fn of(&self, argument: Value) -> &[Value] {
        self.bases.get(&argument).map_or(&[], Vec::as_slice)
    }

    /// Adds the base values of the phis that are reached from the scope of `borrow`, the result of a borrowing
    /// instruction.
    pub(super) fn add(&mut self, facts: &Facts<'_>, kinds: &OwnershipKinds<'_>, borrow: Value) {
        let body = facts.body;
        let mut scopes = vec![borrow];
        if let Some(borrowed) = borrowed_from(body, borrow) {
            self.follow(facts, kinds, &[(borrow, borrowed)], Passing::Scope, &mut scopes);
        }
        let values: Vec<(Value, Value)> = scopes.iter().map(|scope| (*scope, *scope)).collect();
        self.follow(facts, kinds, &values, Passing::Values, &mut Vec::new());
    }

    /// Follows pairs of values and their base values through branches. Adds the phis to `reached`.
    fn follow(
        &mut self,
        facts: &Facts<'_>,
        kinds: &OwnershipKinds<'_>,
        from: &[(Value, Value)],
        passing: Passing,
        reached: &mut Vec<Value>,
    ) {
        let mut pairs = from.to_vec();
        let mut next = 0;
        while let Some((value, base)) = pairs.get(next).copied() {
            next += 1;
            for found in branches(facts, kinds, value, passing) {
                for phi in facts.passed_on(found) {
                    let base = base_beyond(facts, found.user, base);
                    let bases = self.bases.entry(phi).or_default();
                    if !bases.contains(&base) {
                        bases.push(base);
                    }
                    if !reached.contains(&phi) {
                        reached.push(phi);
                    }
                    if !pairs.contains(&(phi, base)) {
                        pairs.push((phi, base));
                    }
                }
            }
        }
    }
}

/// The kind of value that a branch passes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    /// A borrow scope, which ends and is reborrowed by the phi.
    Scope,
    /// A value forwarded from a borrow whose scope does not end.
    Values,
}

/// The branches that pass `value`, or a value forwarded from it, to phis.
fn branches(facts: &Facts<'_>, kinds: &OwnershipKinds<'_>, value: Value, passing: Passing) -> Vec<Use> {
    let wanted = match passing {
        Passing::Scope => OperandOwnership::Reborrow,
        Passing::Values => OperandOwnership::ForwardBorrowed,
    };
    let mut found = Vec::new();
    let mut values = vec![value];
    let mut next = 0;
    while let Some(value) = values.get(next).copied() {
        next += 1;
        for user in facts.uses.of(value) {
            let opcode = facts.body.instructions[user.user].opcode;
            let ownership = kinds.operand(*user);
            if opcode == Opcode::Br {
                found.extend((ownership == wanted).then_some(*user));
            } else if is_same_value(opcode, *user, ownership, passing) {
                let forwarded =
                    facts.body.results(user.user).filter(|value| kinds.kind(*value) == Ownership::Guaranteed);
                values.extend(forwarded.filter(|value| !values.contains(value)).collect::<Vec<_>>());
            }
        }
    }
    found
}

fn is_same_value(opcode: Opcode, user: Use, ownership: OperandOwnership, passing: Passing) -> bool {
    match passing {
        Passing::Scope => opcode == Opcode::Borrowed && user.operand == 0,
        Passing::Values => ownership == OperandOwnership::ForwardBorrowed,
    }
}

/// The base value after `branch`: the phi it is passed to, if it is passed.
fn base_beyond(facts: &Facts<'_>, branch: InstructionId, base: Value) -> Value {
    let body = facts.body;
    let base_before = facts.before_borrowed_from(base);
    let last = body.operands(branch).iter().rposition(|value| facts.before_borrowed_from(*value) == base_before);
    let found = last.map(|operand| Use { user: branch, operand: operand as u32 });
    found.and_then(|found| facts.passed_on(found).first().copied()).unwrap_or(base)
}

/// The operand of the `begin_borrow` that defines `borrow`, or `None` for a load.
fn borrowed_from(body: &Body, borrow: Value) -> Option<Value> {
    let id = body.defining(borrow)?;
    (body.instructions[id].opcode == Opcode::BeginBorrow).then(|| Unary::of(body, id).operand)
}

/// Returns whether the scope of `borrow` is reborrowed.
pub(super) fn is_reborrowed(facts: &Facts<'_>, kinds: &OwnershipKinds<'_>, borrow: Value) -> bool {
    facts.uses.of(borrow).iter().any(|found| kinds.operand(*found) == OperandOwnership::Reborrow)
}

/// The ends of the scopes that enclose the scope of `borrow`.
pub(super) fn ends_of_outer_scopes(facts: &Facts<'_>, kinds: &OwnershipKinds<'_>, borrow: Value) -> Vec<InstructionId> {
    let Some(base) = outer_value(facts.body, borrow).filter(|base| kinds.kind(*base) == Ownership::Guaranteed) else {
        return Vec::new();
    };
    let mut scopes = vec![scope_of(facts, kinds, base)];
    let mut ends = Vec::new();
    let mut next = 0;
    while let Some(scope) = scopes.get(next).copied() {
        next += 1;
        for found in facts.uses.of(scope) {
            let opcode = facts.body.instructions[found.user].opcode;
            let more = match (opcode, kinds.operand(*found)) {
                (Opcode::EndBorrow | Opcode::ReturnBorrow, _) => {
                    ends.push(found.user);
                    continue;
                }
                (Opcode::Borrowed, _) if found.operand == 0 => facts.body.results(found.user).collect(),
                (_, OperandOwnership::Reborrow) => facts.passed_on(*found),
                _ => continue,
            };
            scopes.extend(more.into_iter().filter(|value| !scopes.contains(value)).collect::<Vec<_>>());
        }
    }
    ends
}

/// The borrowed value, or the reference whose memory is borrowed from.
fn outer_value(body: &Body, borrow: Value) -> Option<Value> {
    let id = body.defining(borrow)?;
    let mut value = *body.operands(id).first()?;
    while body.ty(value).is_address() {
        value = *body.operands(body.defining(value)?).first()?;
    }
    Some(value)
}

/// The value that introduces the scope of the guaranteed `value`.
fn scope_of(facts: &Facts<'_>, kinds: &OwnershipKinds<'_>, value: Value) -> Value {
    let body = facts.body;
    let mut value = value;
    while let Some(id) = body.defining(value).filter(|_| !kinds.begins_scope(value)) {
        let mut operands = body.operands(id).iter();
        match operands.find(|operand| kinds.kind(**operand) == Ownership::Guaranteed) {
            Some(operand) => value = *operand,
            None => break,
        }
    }
    value
}

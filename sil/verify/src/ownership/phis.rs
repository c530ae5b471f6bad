//! Borrowed block arguments: they continue borrow scopes, and the borrowed values must outlive them.

use sil_analysis::{OperandOwnership, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Definition, InstructionId, Ownership, Value};

use super::{Lifetime, OwnershipVerifier};

impl OwnershipVerifier<'_, '_> {
    /// Whether some paths continue a borrow scope in `phi`, and others pass on a borrow of another scope.
    pub(super) fn is_mixed_phi(&self, phi: Value) -> bool {
        let analyses = self.analyses;
        let entry = analyses.body.entry();
        let argument =
            matches!(analyses.body.values[phi].definition, Definition::Argument { block, .. } if block != entry);
        if !argument || analyses.kinds.kind(phi) != Ownership::Guaranteed {
            return false;
        }
        let (mut begun, mut passed_on) = (false, false);
        let mut open = vec![phi];
        let mut next = 0;
        while let Some(current) = open.get(next).copied() {
            next += 1;
            for value in analyses.kinds.incoming(&analyses.cfg, current) {
                let value = analyses.kinds.without_borrowed(value);
                if analyses.kinds.kind(value) != Ownership::Guaranteed {
                    continue;
                }
                if analyses.kinds.is_reborrow(value) && !open.contains(&value) {
                    open.push(value);
                }
                let elsewhere =
                    self.is_borrowed_argument(value) || analyses.kinds.is_forwarded_borrow(&analyses.cfg, value);
                begun |= !elsewhere;
                passed_on |= elsewhere;
            }
        }
        begun && passed_on
    }

    /// Each argument that a borrow scope is passed on to must end before the borrowed value does.
    pub(super) fn verify_reborrows(&mut self, borrow: Use) {
        let analyses = self.analyses;
        let base = borrow.value(analyses.body);
        let mut open: Vec<(Value, Value)> = analyses.body.results(borrow.user).map(|value| (value, base)).collect();
        let mut seen = open.clone();
        while let Some((scope, base)) = open.pop() {
            for found in analyses.uses.of(scope) {
                if analyses.kinds.operand(*found) != OperandOwnership::Reborrow {
                    continue;
                }
                let Some((phi, base)) = self.passed_on(*found, base) else { continue };
                self.verify_within(phi, base);
                if !seen.contains(&(phi, base)) {
                    seen.push((phi, base));
                    open.push((phi, base));
                }
            }
        }
    }

    /// Each argument that a part of a borrowed value is passed on to must be used before the borrow scope ends.
    pub(super) fn verify_forwarded_phis(&mut self, borrow: InstructionId) {
        let analyses = self.analyses;
        let mut open: Vec<(Value, Value)> = analyses.body.results(borrow).map(|value| (value, value)).collect();
        let mut seen = open.clone();
        while let Some((value, base)) = open.pop() {
            for found in analyses.uses.of(value) {
                let does = analyses.kinds.operand(*found);
                let next: Vec<(Value, Value)> = match (does, analyses.opcode(found.user)) {
                    (OperandOwnership::ForwardBorrowed, Opcode::Br) => {
                        let passed = self.passed_on(*found, base);
                        if let Some((phi, base)) = passed {
                            self.verify_within(phi, base);
                        }
                        passed.into_iter().collect()
                    }
                    (OperandOwnership::ForwardBorrowed, _) => {
                        analyses.kinds.forwarded_to(*found).into_iter().map(|value| (value, base)).collect()
                    }
                    // The scope continues in an argument: so do the borrows in it.
                    (OperandOwnership::Reborrow, _) if value == base => {
                        self.passed_on(*found, base).into_iter().map(|(phi, _)| (phi, phi)).collect()
                    }
                    _ => Vec::new(),
                };
                for pair in next {
                    if !seen.contains(&pair) {
                        seen.push(pair);
                        open.push(pair);
                    }
                }
            }
        }
    }

    /// The argument that a branch passes a borrow scope to, and the borrowed value as the target knows it.
    fn passed_on(&self, branch: Use, base: Value) -> Option<(Value, Value)> {
        let body = self.analyses.body;
        let target = body.targets(branch.user).first()?;
        let arguments = &body.blocks[*target].arguments;
        let phi = arguments.get(branch.operand as usize)?;
        let kinds = &self.analyses.kinds;
        let is_base = |operand: &Value| kinds.without_borrowed(*operand) == kinds.without_borrowed(base);
        let moved = body.operands(branch.user).iter().position(is_base);
        Some((*phi, moved.and_then(|index| arguments.get(index)).copied().unwrap_or(base)))
    }

    /// Checks that the uses of `phi` are within the lifetime of `base`, once for each two.
    fn verify_within(&mut self, phi: Value, base: Value) {
        if !self.within.insert((phi, base)) {
            return;
        }
        let analyses = self.analyses;
        let uses = self.uses_through_borrowed(base).into_iter();
        let ending: Vec<Use> = uses.filter(|found| analyses.kinds.operand(*found).ends_lifetime()).collect();
        if ending.is_empty() {
            return;
        }
        let regular = self.uses_through_borrowed(phi);
        self.check(Lifetime { value: base, ending: &ending, extending: &[], regular: &regular });
    }

    /// The uses of the results of `borrowed` for a value, if there are any; else those of the value itself. The newest
    /// first.
    fn uses_through_borrowed(&self, value: Value) -> Vec<Use> {
        let borrowed = self.borrowed_from(value);
        let named = if borrowed.is_empty() { vec![value] } else { borrowed };
        named.into_iter().flat_map(|value| self.analyses.uses.of(value).iter().rev().copied()).collect()
    }

    /// The results of `borrowed` for an argument.
    fn borrowed_from(&self, phi: Value) -> Vec<Value> {
        let analyses = self.analyses;
        let uses = analyses.uses.of(phi).iter().filter(|found| found.operand == 0);
        let users = uses.filter(|found| analyses.opcode(found.user) == Opcode::Borrowed);
        users.flat_map(|found| analyses.body.results(found.user)).collect()
    }
}

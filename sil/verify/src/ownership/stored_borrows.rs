//! `store_borrow`: the borrowed value is used, by its result, up to `end_borrow`, and nothing else is stored in its
//! place until then.

use sil_analysis::Use;
use sil_analysis::ownership_scopes as scopes;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use super::OwnershipVerifier;
use super::lifetimes::{Fault, Lifetime};
use crate::failures::{BrokenRule, Complaint};

impl OwnershipVerifier<'_, '_> {
    /// Checks the scope of a `store_borrow`.
    pub(super) fn verify_stored_borrow(&mut self, id: InstructionId) {
        let analyses = self.analyses;
        let Some(stored) = analyses.body.results(id).next() else { return };
        let is_end = |found: &Use| analyses.opcode(found.user) == Opcode::EndBorrow;
        let ending: Vec<Use> = analyses.uses.of(stored).iter().copied().filter(is_end).collect();
        // The rules on paths report that it is never ended.
        if ending.is_empty() {
            return;
        }
        let mut uses = Vec::new();
        scopes::address_uses(analyses.ownership_uses(), stored, &mut uses);
        uses.retain(|found| !ending.contains(found) && !analyses.dead_ends.contains(self.block(*found)));
        if let Some(outside) = self.uses_outside(stored, &ending, &uses).first().copied() {
            let name = analyses.opcode(outside.user).name();
            let message = format!("`{name}` uses a value that a `store_borrow` lends after the end of its scope");
            let complaint = Complaint::Rule { broken: BrokenRule::StoredBorrowScope { outside: outside.user }, at: id };
            let diagnostic = Diagnostic::error("store-borrow-scope", message, analyses.span(outside));
            let begin = Some(analyses.body.instructions[id].span);
            self.verifier.report_as(complaint, diagnostic.note("it is stored here", begin));
        }
        self.verify_nothing_else_is_stored(id, stored, &ending);
    }

    fn verify_nothing_else_is_stored(&mut self, id: InstructionId, stored: Value, ending: &[Use]) {
        let analyses = self.analyses;
        let body = analyses.body;
        let Some(destination) = body.operands(id).get(1).copied() else { return };
        let is_other = |found: &Use| found.user != id && analyses.opcode(found.user) == Opcode::StoreBorrow;
        let others: Vec<Use> = analyses.uses.of(destination).iter().copied().filter(is_other).collect();
        let outside = self.uses_outside(stored, ending, &others);
        if let Some(nested) = others.iter().find(|other| !outside.contains(other)) {
            let message = "this `store_borrow` is in the scope of another one in the same memory";
            let complaint = Complaint::Rule { broken: BrokenRule::NestedStoredBorrow, at: id };
            let diagnostic = Diagnostic::error("store-borrow-scope", message, analyses.span(*nested));
            let begin = Some(body.instructions[id].span);
            self.verifier.report_as(complaint, diagnostic.note("the other one is here", begin));
        }
    }

    /// The uses that are not between the definition of `value` and its ends.
    fn uses_outside(&mut self, value: Value, ending: &[Use], uses: &[Use]) -> Vec<Use> {
        let faults = self.faults(Lifetime { value, ending, extending: &[], regular: uses });
        let outside = faults.into_iter().filter_map(|fault| match fault {
            Fault::Outside { found, .. } => Some(found),
            _ => None,
        });
        outside.collect()
    }
}

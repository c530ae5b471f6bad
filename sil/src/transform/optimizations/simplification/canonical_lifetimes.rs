//! Copies that canonical lifetimes do without, where instructions are combined (`canonicalizeOSSALifetimes` of lib/SILOptimizer/SILCombiner/SILCombine.cpp).
//!
//! Does not own: how lifetimes are made canonical. Copies of what borrows of arguments lead to are left to copy propagation.

use super::Simplifier;
use crate::analysis::{BodyView, ValueDependence};
use crate::instructions::Opcode;
use crate::model::{InstructionId, Ownership, Value};
use crate::transform::optimizations::copy_propagation::{Canonicalization, DebugUses, canonicalize};
use crate::transform::pipeline::Environment;
use crate::transform::settings::CopyPropagation;

impl Simplifier<'_> {
    /// Gives what a `copy_value` copies its canonical lifetime.
    pub(super) fn canonicalize_lifetime(&mut self, copy: InstructionId) {
        let settings = self.editor.environment.settings;
        if settings.copy_propagation == CopyPropagation::Nowhere || !self.editor.has_ownership() {
            return;
        }
        let Some(value) = self.copied_value(copy) else { return };
        let canonicalization = Canonicalization { debug_uses: DebugUses::Keep, ..Canonicalization::of(settings) };
        canonicalize(&mut self.editor, canonicalization, value, &[]);
    }

    /// The owned value that was copied first; none where that belongs to an argument that is borrowed.
    fn copied_value(&self, copy: InstructionId) -> Option<Value> {
        let mut copy = copy;
        loop {
            let copied = self.editor.operand(copy, 0)?;
            if self.editor.ownership(copied) != Ownership::Owned {
                return self.editor.body().result(copy).filter(|_| !self.is_lent(copied));
            }
            match self.editor.made_by(copied, Opcode::CopyValue) {
                Some(earlier) => copy = earlier,
                None => return Some(copied),
            }
        }
    }

    /// Whether a borrowed value is an argument of the function, or a part of one.
    fn is_lent(&self, borrowed: Value) -> bool {
        let Environment { module, queries, function, .. } = self.editor.environment;
        let body = self.editor.body();
        let view = BodyView::new(module, queries, function, body);
        let introducers = ValueDependence::new(&view).borrow_introducers(borrowed);
        introducers.into_iter().any(|introducer| body.blocks[body.entry()].arguments.contains(&introducer))
    }
}

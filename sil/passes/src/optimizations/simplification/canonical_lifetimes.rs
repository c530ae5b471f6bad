//! Canonicalises the lifetimes of copied values during instruction combining (`canonicalizeOSSALifetimes` of
//! lib/SILOptimizer/SILCombiner/SILCombine.cpp).
//!
//! Does not own: the canonicalisation itself. Here, copies of guaranteed values other than arguments have lifetimes of
//! their own. Copy propagation canonicalises borrow scopes.

use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Ownership, Value};

use super::Simplifier;
use crate::optimizations::copy_propagation::{
    Canonicalization, DebugUses, canonical_borrow, canonicalize, canonicalize_borrow,
};
use crate::pass::settings::CopyPropagation;

/// The origin of a `copy_value`.
enum Original {
    /// An owned value.
    Owned(Value),
    /// A guaranteed argument.
    Argument(Value),
}

impl Simplifier<'_> {
    /// Canonicalises the lifetime of the value that a `copy_value` copies.
    pub(super) fn canonicalize_lifetime(&mut self, copy: InstructionId) {
        let settings = self.editor.environment.settings;
        if settings.copy_propagation == CopyPropagation::Nowhere || !self.editor.has_ownership() {
            return;
        }
        match self.original(copy) {
            Some(Original::Owned(value)) => {
                let canonicalization =
                    Canonicalization { debug_uses: DebugUses::Keep, ..Canonicalization::of(settings) };
                canonicalize(&mut self.editor, canonicalization, value, &[]);
            }
            Some(Original::Argument(argument)) => self.canonicalize_argument(copy, argument),
            None => {}
        }
    }

    /// Canonicalises the copies of a guaranteed argument. Copies that this creates are not visited again.
    fn canonicalize_argument(&mut self, copy: InstructionId, argument: Value) {
        if self.canonical_copies.contains(&copy) || canonicalize_borrow(&mut self.editor, argument).is_none() {
            return;
        }
        let is_of_argument = |id: &InstructionId| {
            self.editor.opcode(*id) == Opcode::CopyValue
                && matches!(self.original(*id), Some(Original::Argument(found)) if found == argument)
        };
        let copies: Vec<InstructionId> = self.editor.body().placed_instructions().filter(is_of_argument).collect();
        self.canonical_copies.extend(copies);
    }

    fn original(&self, copy: InstructionId) -> Option<Original> {
        let mut copy = copy;
        loop {
            let copied = self.editor.operand(copy, 0)?;
            if self.editor.ownership(copied) != Ownership::Owned {
                let borrowed = canonical_borrow(&self.editor, copied);
                let argument = borrowed.filter(|borrowed| self.editor.body().defining(*borrowed).is_none());
                let own = || self.editor.body().result(copy).map(Original::Owned);
                return argument.map(Original::Argument).or_else(own);
            }
            match self.editor.made_by(copied, Opcode::CopyValue) {
                Some(earlier) => copy = earlier,
                None => return Some(Original::Owned(copied)),
            }
        }
    }
}

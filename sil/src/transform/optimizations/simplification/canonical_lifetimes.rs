//! Copies that canonical lifetimes do without, where instructions are combined (`canonicalizeOSSALifetimes` of lib/SILOptimizer/SILCombiner/SILCombine.cpp).
//!
//! Does not own: how lifetimes are made canonical. Copies of what is borrowed otherwise than by arguments have lifetimes of their own here; copy
//! propagation rewrites borrow scopes.

use super::Simplifier;
use crate::instructions::Opcode;
use crate::model::{InstructionId, Ownership, Value};
use crate::transform::optimizations::copy_propagation::{
    Canonicalization, DebugUses, canonical_borrow, canonicalize, canonicalize_borrow,
};
use crate::transform::pass::settings::CopyPropagation;

/// What a `copy_value` copies in the end.
enum Original {
    /// A value that is owned.
    Owned(Value),
    /// An argument that is borrowed for the whole function.
    Argument(Value),
}

impl Simplifier<'_> {
    /// Gives what a `copy_value` copies its canonical lifetime.
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

    /// Copies an argument where that is needed alone. Copies that were made for that stay as they are.
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

//! Copy propagation: owned values get canonical lifetimes. They end behind their last use, and are copied only where a use takes the value over though it
//! lives on (lib/SILOptimizer/Transforms/CopyPropagation.cpp).
//!
//! Here: which values, in which order. A lifetime is made canonical in steps: `lifetime` finds where the value must live, `extended_boundary` where that ends,
//! `rewriting` makes destroys and copies there. `borrow_scopes` makes borrows of these values shorter first, `destroy_folding` lets calls take them over,
//! `redundant_moves` tells which moves change nothing.
//!
//! Does not own: borrow scopes as a whole. Copies of borrowed values are taken for owned values of their own.

mod barriers;
mod borrow_scopes;
mod dead_ends;
mod destroy_folding;
mod extended_boundary;
mod lifetime;
mod redundant_moves;
mod rewriting;
mod uses;

pub(in crate::transform) use borrow_scopes::shrink;
pub(in crate::transform) use destroy_folding::fold_destroys;
pub(in crate::transform) use lifetime::{AccessScopes, Canonicalization, DebugUses, DeinitBarriers, LifetimeExtent};
pub(in crate::transform) use redundant_moves::is_redundant;
pub(in crate::transform) use rewriting::canonicalize;

use crate::analysis::{BodyView, LifetimeFacts, ValueDependence};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::{InstructionId, Ownership, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::editing::scope_removal::remove_dead;
use crate::transform::pipeline::{Environment, Rewrite};
use crate::transform::settings::{LexicalLifetimes, OptimizationMode, Settings};

impl Canonicalization {
    /// How lifetimes are made canonical in functions that are compiled with these settings.
    pub(in crate::transform) fn of(settings: &Settings) -> Self {
        Self {
            debug_uses: DebugUses::Prune,
            extent: match settings.optimization {
                OptimizationMode::Optimized | OptimizationMode::Unspecified => LifetimeExtent::Minimal,
                OptimizationMode::None => LifetimeExtent::Maximal,
            },
            access_scopes: AccessScopes::Respect,
            deinit_barriers: match settings.lexical_lifetimes {
                LexicalLifetimes::Kept => DeinitBarriers::Respect,
                LexicalLifetimes::Dropped => DeinitBarriers::Ignore,
            },
        }
    }
}

/// Gives the owned values of a function with ownership canonical lifetimes.
pub(in crate::transform) fn propagate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let editor = Editor::new(environment);
    if !editor.has_ownership() {
        return Ok(None);
    }
    let canonicalization = Canonicalization::of(environment.settings);
    let mut propagation = Propagation { editor, canonicalization, values: Vec::new() };
    propagation.run();
    Ok(propagation.editor.finish())
}

struct Propagation<'m> {
    editor: Editor<'m>,
    canonicalization: Canonicalization,
    /// Values that are to get canonical lifetimes, the next one last.
    values: Vec<Value>,
}

impl Propagation<'_> {
    fn run(&mut self) {
        let all: Vec<InstructionId> = self.editor.body().placed_instructions().collect();
        let (mut borrows, mut moves) = (Vec::new(), Vec::new());
        for id in all {
            match self.editor.opcode(id) {
                Opcode::CopyValue => self.add(self.editor.body().result(id)),
                Opcode::DestroyValue => self.add(self.editor.operand(id, 0)),
                Opcode::BeginBorrow => borrows.push(id),
                Opcode::MoveValue => moves.push(id),
                _ => {}
            }
        }
        borrows.into_iter().for_each(|borrow| self.shorten_borrow(borrow));
        moves.into_iter().for_each(|moved| self.remove_redundant_move(moved));
        let entry = self.editor.body().entry();
        for argument in self.editor.body().blocks[entry].arguments.clone() {
            self.canonicalize(argument);
        }
        let mut canonicalized = Vec::new();
        while let Some(value) = self.values.pop() {
            let is_there = self.editor.body().defining(value).is_none_or(|id| self.editor.is_placed(id));
            if is_there && self.canonicalize(value) {
                canonicalized.extend(self.editor.body().defining(value));
            }
        }
        canonicalized.retain(|id| self.editor.is_placed(*id));
        remove_dead(&mut self.editor, canonicalized);
    }

    /// Makes the scope of a `begin_borrow` shorter, and with it the lifetime of what it borrows, as long as one helps the other.
    fn shorten_borrow(&mut self, borrow: InstructionId) {
        let mut is_first = true;
        while self.editor.is_placed(borrow) {
            let shrinking = shrink(&mut self.editor, borrow);
            shrinking.copies.iter().for_each(|copy| self.add(self.editor.body().result(*copy)));
            let Some(borrowed) = self.editor.operand(borrow, 0) else { return };
            let is_owned = self.editor.ownership(borrowed) == Ownership::Owned;
            if !shrinking.is_shrunk && !is_first || !is_owned || !self.canonicalize(borrowed) && !is_first {
                return;
            }
            let Some(moved) = fold_destroys(&mut self.editor, borrow) else { return };
            if let Some(value) = self.editor.body().result(moved) {
                self.canonicalize(value);
            }
            self.remove_redundant_move(moved);
            is_first = false;
        }
    }

    fn canonicalize(&mut self, value: Value) -> bool {
        canonicalize(&mut self.editor, self.canonicalization, value, &[])
    }

    fn remove_redundant_move(&mut self, moved: InstructionId) {
        if !self.editor.is_placed(moved) {
            return;
        }
        let is_redundant = {
            let Environment { module, queries, function, .. } = self.editor.environment;
            let view = BodyView::new(module, queries, function, self.editor.body());
            let dependence = ValueDependence::new(&view);
            is_redundant(LifetimeFacts { view: &view, dependence: &dependence }, moved)
        };
        if let Some(original) = self.editor.operand(moved, 0).filter(|_| is_redundant) {
            self.editor.replace(moved, original);
            self.add(Some(original));
        }
    }

    /// Adds the value that `value` is a copy of.
    fn add(&mut self, value: Option<Value>) {
        let Some(mut value) = value.filter(|value| self.editor.ownership(*value) == Ownership::Owned) else { return };
        while let Some(original) = self.owned_original(value) {
            value = original;
        }
        self.push(value);
        if self.is_lexical(value) {
            // Its copies are not lexical: they end earlier.
            for found in self.editor.uses(value).into_iter().rev() {
                if self.editor.opcode(found.user) == Opcode::CopyValue {
                    self.editor.body().result(found.user).into_iter().for_each(|copy| self.push(copy));
                }
            }
        }
    }

    fn push(&mut self, value: Value) {
        if !self.values.contains(&value) {
            self.values.push(value);
        }
    }

    /// The owned value that `value` is a copy of.
    fn owned_original(&self, value: Value) -> Option<Value> {
        let copy = self.editor.made_by(value, Opcode::CopyValue)?;
        self.editor.operand(copy, 0).filter(|original| self.editor.ownership(*original) == Ownership::Owned)
    }

    fn is_lexical(&self, value: Value) -> bool {
        match self.editor.body().defining(value) {
            Some(id) => self.editor.body().instructions[id].attributes.contains(Attribute::Lexical),
            None => self.editor.body().blocks[self.editor.body().entry()].arguments.contains(&value),
        }
    }
}

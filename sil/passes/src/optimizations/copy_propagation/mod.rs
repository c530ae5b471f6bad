//! Copy propagation: canonicalises the lifetimes of owned values. They end after the last use, and are copied only for
//! a consuming use that is not the last one. Follows lib/SILOptimizer/Transforms/CopyPropagation.cpp.
//!
//! This file owns the choice and order of values. `lifetime` computes the liveness, `extended_boundary` the boundary,
//! and `rewriting` rewrites destroys and copies. `borrow_scopes` shrinks the borrow scopes of these values first,
//! `destroy_folding` folds destroys into consuming calls, and `redundant_moves` recognises redundant moves.
//! `borrowed_lifetimes` removes copies of guaranteed arguments and, if the settings ask for it, of all borrowed values;
//! `forwards` then sinks forwarding instructions.

mod borrow_scopes;
mod borrowed_lifetimes;
mod dead_ends;
mod destroy_folding;
mod extended_boundary;
mod forwards;
mod lifetime;
mod redundant_moves;
mod rewriting;
mod uses;

pub(crate) use borrow_scopes::shrink;
pub(crate) use borrowed_lifetimes::{canonical_borrow, canonicalize_borrow};
pub(crate) use destroy_folding::fold_destroys;
pub(crate) use lifetime::{AccessScopes, Canonicalization, DebugUses, DeinitBarriers, LifetimeExtent};
pub(crate) use redundant_moves::is_redundant;
pub(crate) use rewriting::canonicalize;

use sil_analysis::{LifetimeFacts, ValueDependence};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{InstructionId, Ownership, Value};

use crate::editing::deleter::{Deadness, delete_dead, delete_if_dead};
use crate::editing::editor::Editor;
use crate::pass::settings::{BorrowScopes, LexicalLifetimes, OptimizationMode, Settings};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const COPY_PROPAGATION: Pass = Pass::new(&Description {
    name: "copy-propagation",
    class_name: "CopyPropagation",
    summary: "Shortens the lifetimes of owned values to their last uses and removes the copies that become redundant.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(propagate), Runner::Function(super::borrowed_phis::update)]),
});

pub(crate) const MANDATORY_COPY_PROPAGATION: Pass = Pass::new(&Description {
    name: "mandatory-copy-propagation",
    class_name: "MandatoryCopyPropagation",
    summary: "Shortens the lifetimes of owned values in functions that are not optimised.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(propagate), Runner::Function(super::borrowed_phis::update)]),
});

impl Canonicalization {
    /// The canonicalisation options for these settings.
    pub(crate) fn of(settings: &Settings) -> Self {
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

/// Canonicalises the lifetimes of the owned values of a function with ownership.
pub(crate) fn propagate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let editor = Editor::new(environment);
    if !editor.has_ownership() {
        return Ok(None);
    }
    let canonicalization = Canonicalization::of(environment.settings);
    let mut propagation =
        Propagation { editor, canonicalization, values: Vec::new(), borrowed: Vec::new(), forwards: Vec::new() };
    propagation.run();
    Ok(propagation.editor.finish())
}

struct Propagation<'m> {
    editor: Editor<'m>,
    canonicalization: Canonicalization,
    /// The worklist of owned values to canonicalise. The last element is next.
    values: Vec<Value>,
    /// The worklist of borrowed values to canonicalise. The last element is next.
    borrowed: Vec<Value>,
    /// The worklist of forwarding instructions to sink. The last element is next.
    forwards: Vec<InstructionId>,
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
        if self.rewrites_borrows() {
            self.copy_wholes();
        }
        self.rewrite_borrowed();
        let mut canonicalized = Vec::new();
        while let Some(value) = self.values.pop() {
            let is_there = self.editor.body().defining(value).is_none_or(|id| self.editor.is_placed(id));
            if is_there && self.canonicalize(value) {
                canonicalized.extend(self.editor.body().defining(value));
            }
        }
        canonicalized.retain(|id| self.editor.is_placed(*id));
        delete_dead(&mut self.editor, canonicalized, Deadness::Scopes);
    }

    /// Alternates between shrinking the scope of a `begin_borrow` and canonicalising the borrowed value, until nothing
    /// changes.
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
            let view = self.editor.view();
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
        loop {
            while let Some(original) = self.owned_original(value) {
                value = original;
            }
            if let Some(borrow) = self.borrowed_original(value) {
                push(&mut self.borrowed, borrow);
                return;
            }
            match self.passed_on(value).filter(|_| self.rewrites_borrows()) {
                Some(passed) => value = passed,
                None => break,
            }
        }
        if self.rewrites_borrows() {
            forwards::forwards_of(&self.editor, value).into_iter().for_each(|id| push(&mut self.forwards, id));
        }
        push(&mut self.values, value);
        if self.is_lexical(value) {
            // The copies are not lexical, so their lifetimes end earlier.
            for found in self.editor.uses(value).into_iter().rev() {
                if self.editor.opcode(found.user) == Opcode::CopyValue {
                    let copy = self.editor.body().result(found.user);
                    copy.into_iter().for_each(|copy| push(&mut self.values, copy));
                }
            }
        }
    }

    /// The owned value that `value` is a copy of.
    fn owned_original(&self, value: Value) -> Option<Value> {
        let copy = self.editor.made_by(value, Opcode::CopyValue)?;
        self.editor.operand(copy, 0).filter(|original| self.editor.ownership(*original) == Ownership::Owned)
    }

    /// The borrowed value to canonicalise if `value` is one of its copies.
    fn borrowed_original(&self, value: Value) -> Option<Value> {
        let copy = self.editor.made_by(value, Opcode::CopyValue)?;
        let borrow = borrowed_lifetimes::canonical_borrow(&self.editor, self.editor.operand(copy, 0)?)?;
        let is_argument = self.editor.body().defining(borrow).is_none();
        (is_argument || self.rewrites_borrows()).then_some(borrow)
    }

    /// The owned value that is forwarded to `value`.
    fn passed_on(&self, value: Value) -> Option<Value> {
        let forward = self.editor.body().defining(value)?;
        let passed = self.editor.operand(forward, 0)?;
        let is_forward = borrowed_lifetimes::is_rewritable_forward(&self.editor, forward);
        (is_forward && self.editor.ownership(passed) == Ownership::Owned).then_some(passed)
    }

    /// Returns whether the scopes of all borrowed values are canonicalised.
    fn rewrites_borrows(&self) -> bool {
        self.editor.environment.settings.borrow_scopes == BorrowScopes::Rewritten
    }

    /// Copies borrowed aggregates instead of their parts, if only one part needs a copy.
    fn copy_wholes(&mut self) {
        let copy = |value: &Value| self.editor.made_by(*value, Opcode::CopyValue);
        let mut copies: Vec<InstructionId> = self.values.iter().filter_map(copy).collect();
        copies.reverse();
        while let Some(copy) = copies.pop() {
            let is_there = self.editor.is_placed(copy);
            let whole = is_there.then(|| forwards::copy_whole(&mut self.editor, copy)).flatten();
            if let Some(whole) = whole {
                self.add(self.editor.body().result(whole));
                copies.push(whole);
            }
        }
    }

    /// Canonicalises borrowed values and sinks forwarding instructions.
    fn rewrite_borrowed(&mut self) {
        loop {
            while let Some(forward) = self.forwards.pop() {
                if self.editor.is_placed(forward) {
                    self.move_down(forward);
                }
            }
            let Some(borrow) = self.borrowed.pop() else { return };
            let begin = self.editor.body().defining(borrow);
            if !begin.is_none_or(|begin| self.editor.is_placed(begin)) {
                continue;
            }
            for copy in canonicalize_borrow(&mut self.editor, borrow).unwrap_or_default() {
                self.add(self.editor.body().result(copy));
            }
            begin.into_iter().for_each(|begin| _ = delete_if_dead(&mut self.editor, begin, Deadness::Scopes));
        }
    }

    fn move_down(&mut self, forward: InstructionId) {
        if delete_if_dead(&mut self.editor, forward, Deadness::Scopes) {
            return;
        }
        for result in self.editor.body().results(forward).collect::<Vec<_>>() {
            self.canonicalize(result);
        }
        if !self.editor.is_placed(forward) || !forwards::sink(&mut self.editor, forward) {
            return;
        }
        // The forwarded value may now be sunk as well.
        let mut passed = self.editor.operand(forward, 0);
        while let Some(original) = passed.and_then(|value| self.owned_original(value)) {
            passed = Some(original);
        }
        let before = passed.and_then(|value| self.editor.body().defining(value));
        if let Some(before) = before.filter(|id| borrowed_lifetimes::is_rewritable_forward(&self.editor, *id)) {
            push(&mut self.forwards, before);
        }
    }

    fn is_lexical(&self, value: Value) -> bool {
        match self.editor.body().defining(value) {
            Some(id) => self.editor.body().instructions[id].attributes.contains(Attribute::Lexical),
            None => self.editor.body().blocks[self.editor.body().entry()].arguments.contains(&value),
        }
    }
}

/// Adds an element if it is not in the list.
fn push<T: PartialEq>(list: &mut Vec<T>, new: T) {
    if !list.contains(&new) {
        list.push(new);
    }
}

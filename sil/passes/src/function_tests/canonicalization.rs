//! Tests of lifetime canonicalization.

use super::TestResult;
use super::test::Test;
use crate::editing::deleter::{self, Deadness};
use crate::editing::editor::Editor;
use crate::optimizations::copy_propagation::{
    AccessScopes, Canonicalization, DebugUses, DeinitBarriers, LifetimeExtent, canonicalize, canonicalize_borrow,
    fold_destroys as fold, shrink,
};
use crate::pass::Rewrite;
use crate::pass::settings::LexicalLifetimes;

/// Takes whether debug uses are pruned, whether lifetimes are maximised, whether access scopes are respected, a value,
/// and optionally the ends of its lifetime. Canonicalizes its lifetime.
pub(super) fn canonicalize_lifetime(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let debug_uses = if test.take_bool()? { DebugUses::Prune } else { DebugUses::Keep };
    let extent = if test.take_bool()? { LifetimeExtent::Maximal } else { LifetimeExtent::Minimal };
    let access_scopes = if test.take_bool()? { AccessScopes::Respect } else { AccessScopes::Ignore };
    let deinit_barriers = match test.environment.settings.lexical_lifetimes {
        LexicalLifetimes::Kept => DeinitBarriers::Respect,
        LexicalLifetimes::Dropped => DeinitBarriers::Ignore,
    };
    let value = test.take_value()?;
    let mut ends = Vec::new();
    while test.has_more() {
        ends.push(test.take_instruction()?);
    }
    let mut editor = Editor::new(test.environment);
    let canonicalization = Canonicalization { debug_uses, extent, access_scopes, deinit_barriers };
    canonicalize(&mut editor, canonicalization, value, &ends);
    Ok(editor.finish())
}

/// Takes a `begin_borrow`. Shrinks its scope, and prints the removed ends, whether it shrank, and the rewritten copies.
pub(super) fn shrink_borrow_scope(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let begin = test.take_instruction()?;
    let mut editor = Editor::new(test.environment);
    let shrinking = shrink(&mut editor, begin);
    for end in &shrinking.removed_ends {
        let line = test.instruction(*end);
        test.write(format_args!("DELETED:\n{line}"));
    }
    let result = if shrinking.is_shrunk { "shrunk" } else { "did not shrink" };
    test.write(format_args!("Result: {result}\nRewrote the following copies:\n"));
    for copy in &shrinking.copies {
        let line = test.instruction(*copy);
        test.write(format_args!("{line}"));
    }
    Ok(editor.finish())
}

/// Takes a lexical `begin_borrow`. Folds destroys of the borrowed value into calls that take copies of it.
pub(super) fn fold_destroys(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let begin = test.take_instruction()?;
    let mut editor = Editor::new(test.environment);
    fold(&mut editor, begin);
    Ok(editor.finish())
}

/// Takes an instruction. Prints it, and removes it if it is dead.
pub(super) fn remove_if_dead(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let id = test.take_instruction()?;
    let line = test.instruction(id);
    let mut editor = Editor::new(test.environment);
    let is_removed = deleter::delete_if_dead(&mut editor, id, Deadness::Scopes);
    test.write(format_args!("Deleting-if-dead {line}deleteIfDead returned {}\n", u8::from(is_removed)));
    Ok(editor.finish())
}

/// Takes a borrowed value. Rewrites its copies.
pub(super) fn canonicalize_borrow_scope(test: &mut Test<'_>) -> TestResult<Option<Rewrite>> {
    let borrow = test.take_value()?;
    let mut editor = Editor::new(test.environment);
    canonicalize_borrow(&mut editor, borrow);
    Ok(editor.finish())
}

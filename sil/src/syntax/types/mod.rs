//! Types and generic signatures: text to tree (`tokens`, the grammar) and tree to interned type (`resolve`).

mod tokens;
mod tree;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::unwrap_used, clippy::expect_used, unused, unreachable_pub)]
    grammar,
    "/syntax/types/grammar.rs"
);

//! Model to text, in the form that Swift 6.2 prints: types, declarations, functions, tables.

mod types;

use crate::context::Context;
use crate::declarations::DeclarationTable;
use crate::syntax::reader::GenericScope;

/// Writes SIL text.
pub struct Printer<'a> {
    /// The names and types.
    pub context: &'a Context,
    /// What nominal types refer to.
    pub declarations: &'a DeclarationTable,
    /// What is written so far.
    pub out: String,
    /// The generic parameters in scope, for the names of parameters that a body writes by name.
    pub(super) generics: GenericScope,
}

impl<'a> Printer<'a> {
    /// A printer that has written nothing.
    pub fn new(context: &'a Context, declarations: &'a DeclarationTable) -> Self {
        Self { context, declarations, out: String::new(), generics: GenericScope::default() }
    }

    /// Writes `text`.
    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
}

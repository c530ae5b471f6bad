//! The Swift part of a module, and of what it imports: text to [`DeclarationTable`].
//!
//! Two steps: an [`outline`](self) of what is declared where (`outline`, `modifiers`, `conditions`), then names and, with all
//! names known, types (`fill`).

mod conditions;
mod fill;
mod modifiers;
mod outline;

pub use conditions::Configuration;

use self::fill::Filler;
use self::outline::{Outline, OutlineReader};
use super::Parsed;
use super::cursor::Cursor;
use crate::context::{Context, Name};
use crate::declarations::{DeclarationTable, Origin};
use crate::diagnostic::Diagnostic;
use crate::model::Import;
use crate::source::FileId;

/// Reads the declarations of one module, one after the other, and adds them to a table at the end.
pub struct DeclarationReader<'a> {
    context: &'a Context,
    configuration: &'a Configuration,
    outline: Outline<'a>,
}

impl<'a> DeclarationReader<'a> {
    /// A reader for the declarations of a module; `configuration` answers its `#if`s.
    pub fn new(context: &'a Context, configuration: &'a Configuration) -> Self {
        Self { context, configuration, outline: Outline::default() }
    }

    /// Reads the declaration (or import, or line of an `#if`) ahead of `cursor`, which goes past it. After an error the
    /// cursor stays where it was.
    pub fn declaration(&mut self, cursor: &mut Cursor<'a>) -> Parsed<()> {
        let mut reader = OutlineReader::new(self.context, self.configuration, cursor.clone(), &mut self.outline);
        reader.declaration()?;
        *cursor = reader.into_cursor();
        Ok(())
    }

    /// Reads a whole text of declarations.
    pub fn text(&mut self, text: &'a str, file: FileId) -> Parsed<()> {
        OutlineReader::new(self.context, self.configuration, Cursor::new(text, file), &mut self.outline).all()
    }

    /// The modules that are imported so far.
    pub fn imports(&self) -> Vec<Import> {
        let imports = self.outline.imports.iter();
        imports.map(|import| Import { attributes: import.attributes.clone(), module: import.module }).collect()
    }

    /// Adds what was read to `table`, as declarations of `module`. Gives what is wrong with them.
    pub fn finish(self, table: &mut DeclarationTable, module: Name, origin: Origin) -> Vec<Diagnostic> {
        Filler::new(self.context, table, &self.outline, module, origin).fill()
    }
}

//! The Swift declarations of a module and of its imports: text to [`DeclarationTable`].
//!
//! There are two steps: an [`outline`](self) of the declarations and their nesting (`outline`, `modifiers`,
//! `conditions`), then names and, with all names known, types (`fill`).

mod conditions;
mod coroutine_accessors;
mod derivatives;
mod dispatch;
mod fill;
mod foreign;
mod init_accessors;
mod interfaces;
mod layouts;
mod library_copies;
mod local_accessors;
mod local_namesakes;
mod local_origins;
mod local_signatures;
mod local_types;
mod members;
mod modifiers;
mod opaque_results;
mod open_names;
mod other_files;
mod outline;
mod private_namesakes;
mod source_files;
mod stated_by_symbols;

pub use conditions::Configuration;
pub use coroutine_accessors::CoroutineAccessors;
pub use interfaces::ReferredMembers;
pub(in crate::syntax) use local_types::add_local_types;
pub use other_files::OtherFile;
pub(crate) use outline::Extent;
pub use outline::{Evolution, Owner};
pub use private_namesakes::ModuleText;
pub(in crate::syntax) use source_files::private_discriminator;

use sil_ir::context::Context;
use sil_ir::declarations::{DeclarationTable, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::Import;

use self::coroutine_accessors::ReadCoroutines;
use self::fill::Filler;
use self::outline::{Outline, OutlineReader};
use super::Parsed;
use super::cursor::Cursor;

/// Reads declarations of modules that may name each other's types, and adds them to a table at the end.
pub struct DeclarationReader<'a> {
    context: &'a Context,
    configuration: &'a Configuration,
    outline: Outline<'a>,
    /// The module whose files may each declare a type of one name.
    module: Option<ModuleText<'a>>,
    read_coroutines: ReadCoroutines<'a>,
}

impl<'a> DeclarationReader<'a> {
    /// Creates a reader for the declarations of a module; `configuration` evaluates its `#if` conditions.
    pub fn new(context: &'a Context, configuration: &'a Configuration) -> Self {
        Self {
            context,
            configuration,
            outline: Outline::default(),
            module: None,
            read_coroutines: ReadCoroutines::default(),
        }
    }

    /// Reads all declarations from `cursor` on, as those of `owner`. After an error the cursor is at the error.
    pub fn all(&mut self, cursor: &mut Cursor<'a>, owner: Owner) -> Parsed<()> {
        let mut reader = OutlineReader::new(self.context, self.configuration, cursor.clone(), &mut self.outline, owner);
        let result = reader.all();
        *cursor = reader.into_cursor();
        result
    }

    /// Makes type names in the declarations of `module` resolve per file.
    pub fn distinguish_files(&mut self, module: ModuleText<'a>) {
        self.module = Some(module);
    }

    /// Adds the members of modules that `text` refers to by read coroutines.
    pub fn note_coroutines(&mut self, text: &'a str) {
        self.read_coroutines.add(text);
    }

    /// Returns the modules that are imported so far.
    pub fn imports(&self) -> Vec<Import> {
        let imports = self.outline.imports.iter();
        imports.map(|import| Import { attributes: import.attributes.clone(), module: import.module }).collect()
    }

    /// Adds the declarations to `table` and returns the diagnostics. Members that `referred` names get their interface
    /// types.
    pub fn finish(self, table: &mut DeclarationTable, referred: &ReferredMembers<'_>) -> Vec<Diagnostic> {
        Filler::new(self.context, table, &self.outline, referred, self.module, &self.read_coroutines).fill()
    }
}

/// Returns the extent of each declaration ahead of `cursor`, except nested ones. An error if a declaration is not
/// understood or depends on a condition.
pub(crate) fn declaration_extents<'a>(
    context: &Context,
    configuration: &Configuration,
    cursor: &mut Cursor<'a>,
) -> Parsed<Vec<Extent<'a>>> {
    let mut outline = Outline::default();
    let owner = Owner {
        module: context.name(""),
        origin: Origin::Module,
        evolution: Evolution::Disabled,
        coroutines: CoroutineAccessors::Declared,
    };
    let mut reader = OutlineReader::new(context, configuration, cursor.clone(), &mut outline, owner);
    let extents = reader.extents();
    *cursor = reader.into_cursor();
    extents
}

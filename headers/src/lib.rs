//! C headers as Swift's importer and SIL see them: which types they declare and how clang lays them out, as
//! declarations in Swift's text; and the C that modules need compiled, as LLVM bitcode.
//!
//! Knows neither SIL nor LLVM. libclang parses the headers (`libclang`, `read`, to `model`), and `swift` writes the
//! declarations. `unit` writes C for the program clang, which compiles bodies of inline functions as C code gets them.
//! `module_map` finds the headers of modules, `api_notes` passes the notes beside them to clang, `resource_folder`
//! finds clang's own headers.

mod api_notes;
mod enum_names;
mod error;
mod libclang;
mod model;
mod module_map;
mod read;
mod resource_folder;
mod swift;
#[cfg(test)]
mod tests;
mod unit;

use std::iter;
use std::path::PathBuf;

use libclang::SourceText;
use resource_folder::ResourceFolder;

pub use error::HeaderError;
pub use module_map::{ModuleFiles, files_of_map, module_files};
pub use unit::{Accessor, AccessorKind, CFunction, CScalar, CValue, KEPT, Optimization, Request};

/// Which headers are read, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderOptions {
    /// The headers, in order.
    pub files: Vec<PathBuf>,
    /// The files with API notes for them.
    pub notes: Vec<PathBuf>,
    /// clang's arguments for them: folders, macros, flags.
    pub arguments: Vec<String>,
}

/// Headers that were read for a target.
#[derive(Debug)]
pub struct Headers {
    /// clang's arguments, with the target.
    arguments: Vec<String>,
    /// The folder of clang's own headers, for the arguments.
    _resource_folder: ResourceFolder,
    /// The text that includes the headers.
    includes: String,
    declarations: model::Declarations,
}

impl Headers {
    /// Reads the headers for the target of `target_arguments`.
    ///
    /// Fails where there is no libclang, where a header is not there, or where clang finds errors.
    pub fn read(options: &HeaderOptions, target_arguments: &[String]) -> Result<Self, HeaderError> {
        let mut includes = String::new();
        for file in &options.files {
            includes.push_str(&unit::include(file)?);
        }
        let mut arguments: Vec<String> = target_arguments.iter().chain(&options.arguments).cloned().collect();
        let library = libclang::Library::load().ok_or(HeaderError::NoLibclang)?;
        let resource_folder = ResourceFolder::find(library, &arguments).map_err(HeaderError::NoOwnHeaders)?;
        arguments.extend(resource_folder.arguments());
        let notes = api_notes::read(&options.notes)?;
        let mut parsing_arguments = unit::parsing_arguments(&arguments);
        parsing_arguments.extend(api_notes::arguments(&notes));
        let files: Vec<SourceText> =
            iter::once(SourceText { path: unit::FILE_NAME.to_owned(), text: includes.clone() }).chain(notes).collect();
        let parsed = library.parse(&files, &parsing_arguments);
        let parsed = parsed.ok_or_else(|| HeaderError::Refused { messages: Vec::new() })?;
        let messages = parsed.errors();
        if !messages.is_empty() {
            return Err(HeaderError::Refused { messages });
        }
        let declarations = read::declarations(&parsed);
        Ok(Self { arguments, _resource_folder: resource_folder, includes, declarations })
    }

    /// The declarations that names for which `is_wanted` holds need, as Swift's text. Structures have their layout as
    /// `@_cLayout(size: 8, alignment: 4, offset: 0, …, opaque: 4, bytes: 2)`: an offset for each stored property, and
    /// the bytes without one.
    pub fn swift_text(&self, is_wanted: &dyn Fn(&str) -> bool) -> String {
        swift::text_of(&self.declarations, is_wanted)
    }

    /// Whether the headers define the function or variable.
    pub fn defines(&self, symbol: &str) -> bool {
        self.declarations.functions.contains(symbol) || self.declarations.variables.contains(symbol)
    }
}

//! Text to model: the lexer, readers of types, declarations, top-level entities and function bodies.

mod address_lowering;
mod argument_labels;
mod bodies;
mod body;
mod code;
pub mod cursor;
pub mod declarations;
mod default_arguments;
mod differentiability_witnesses;
mod distributed_stubs;
mod entities;
mod evolution;
mod functions;
mod instructions;
mod isolation;
mod key_path_components;
mod known;
pub mod lexer;
mod library;
mod library_conversions;
mod library_index;
mod linking;
mod local_generics;
mod local_members;
mod local_superclasses;
mod members;
mod mentions;
mod mode;
mod module;
mod module_declarations;
mod module_name;
pub mod names;
mod objective_c;
mod open_names;
mod other_modules;
mod placements;
mod pointer_width;
mod protocol_metatypes;
mod provenance;
pub mod reader;
mod scan;
pub mod suggestion;
mod symbols;
pub(crate) mod types;
mod values;
mod version;
mod visible_types;

pub use code::code_of;
pub use known::knows_module;
pub(crate) use known::swift_declares;
pub use library_index::LibraryIndex;
pub use linking::{Libraries, Library, Wanted};
pub use module::{Completeness, Linking, ParseOptions, ParseOutcome, UnmarkedModule, parse};
pub use other_modules::OtherModules;
pub(crate) use provenance::statement;

use sil_ir::diagnostic::Diagnostic;

/// The result of a reader: a value, or the one error that stopped it.
pub type Parsed<T> = Result<T, Box<Diagnostic>>;

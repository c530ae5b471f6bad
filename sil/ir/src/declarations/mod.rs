//! The declaration table: the declarations of the Swift part of a module, and those of `import Swift`.
//!
//! Owns nominal types with their stored properties, enum cases and members, the interface types of members. The text
//! that fills it is read by `syntax`.

mod derivatives;
mod dispatch;
mod exports;
mod file_private;
mod foreign;
mod identity;
mod interface;
mod isolation;
mod members;
mod named;
mod namesakes;
mod nominal;
mod opaque;
mod open_names;
mod placement;
mod table;

pub use derivatives::*;
pub use dispatch::*;
pub use exports::{closure, exported_by, with_exported};
pub use file_private::FilePrivate;
pub use foreign::{DefinedIn, ForeignFunction, WasmExport, WasmImport};
pub use identity::*;
pub use interface::*;
pub use isolation::{DeclaredIsolation, DeclaredIsolations};
pub use members::*;
pub use named::{Mention, MentionedTypes};
pub use namesakes::{Meaning, Namesakes};
pub use nominal::*;
pub use opaque::OpaqueDeclaration;
pub use open_names::{OpenMeaning, OpenNames, Place, StatedPlaces};
pub use placement::{DeclaredPlacement, DeclaredPlacements, StaticDemand};
pub use table::*;
